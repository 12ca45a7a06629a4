"""Engines: those that plain SQL is written for, and the features of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..errors import require_one_of


@dataclass(frozen=True)
class Engine:
    """The features of an engine that sqlglot does not know from its dialect."""

    dialect: str
    # an error with a message, where a number is expected
    raises: str
    # the whole numbers, as a table with the given alias and column
    series: str
    # a number, or NULL for a text that is none; without it, sqlglot writes what others have for
    # TRY_CAST, or a CAST that is an error of the engine
    tries: str | None = None
    # the sum of a term over whole numbers, where that is not a subquery over such a table
    sums: str | None = None
    # whether such a subquery cannot use columns
    sums_alone: bool = False
    # the collation by bytes, if text may have another one
    collation: str | None = None
    # the MD5 of a text in hexadecimal digits, if it has one
    md5: str | None = "md5({text})"
    # the suffix that makes a number with an exponent a binary fraction rather than a decimal
    numbers: str = ""
    # what follows the statement
    settings: str = ""
    # whether it has lists with lambdas, and the rows of a table have an order
    is_duckdb: bool = False
    # other functions of DuckDB that it has by the same name
    functions: str = ""
    # whether counts have another type than other numbers, and columns are named by their tables
    has_unsigned: bool = False
    # whether it has 32-bit numbers, window frames by RANGE, and NULLS LAST in windows
    has_float32: bool = True
    has_range: bool = True
    orders_nulls: bool = True
    # what it calls some functions, by sqlglot's names, which takes as long to import as all of ours
    names: Mapping[str, str] = field(default_factory=dict)
    # what has a named query computed once, where the engine would write it out instead
    computes_once: str = ""
    # why it has no recursive queries like ours, if it has none
    recursion: str = "it does not support windows or arrays in recursive queries"
    # whether HAVING needs a GROUP BY
    groups_having: bool = False
    # whether a number too close to 0 is an error
    underflows: bool = False
    # whether column names must be plain words
    plain_names: bool = False
    # whether it is a model of dbt, which names its tables
    is_dbt: bool = False
    # what `choose` takes instead of other files
    variants: tuple[str, ...] = ("plain", "no_lists", "windows")


_POSTGRES = Engine(
    "postgres",
    variants=("plain", "no_lists", "recursive", "postgres"),
    raises="CAST({message} AS DOUBLE PRECISION)",
    series="generate_series({first}, {last}) AS {alias} ({column})",
    collation='"C"',
    computes_once="MATERIALIZED ",
    numbers="::float8",
    underflows=True,
)
_SPARK = Engine(
    "spark",
    variants=("plain", "no_lists", "splits", "recursive", "spark"),
    raises="raise_error({message})",
    names={"PercentileCont": "percentile"},
    functions="map_entries lambda struct aggregate element_at transform_values",
    sums="aggregate(CASE WHEN {first} <= {last} THEN sequence({first}, {last}) END, 0e0, "
    "(_sum, {variable}) -> _sum + {each})",
    series="(SELECT explode(sequence({first}, {last})) AS {column}) AS {alias}",
)
_TRINO = Engine(
    "trino",
    raises="CAST(fail({message}) AS DOUBLE)",
    sums="reduce(CASE WHEN {first} <= {last} THEN sequence({first}, {last}) END, 0e0, "
    "(_sum, {variable}) -> _sum + {each}, _sum -> _sum)",
    series="UNNEST(sequence({first}, {last})) AS {alias} ({column})",
    md5="lower(to_hex(md5(to_utf8({text}))))",
    recursion="its recursive queries end after 10 steps",
)
ENGINES: Mapping[str, Engine] = {
    "duckdb": Engine(
        "duckdb",
        raises="error({message})",
        sums="list_sum(list_transform(range({first}, {last} + 1), lambda {variable}: {each}))",
        series="range({first}, {last} + 1) AS {alias} ({column})",
        collation="C",
        is_duckdb=True,
        variants=("plain", "recursive"),
    ),
    "spark": _SPARK,
    "databricks": replace(_SPARK, dialect="databricks"),
    "postgres": _POSTGRES,
    "sqlite": Engine(
        "sqlite",
        variants=("plain", "no_lists", "windows", "recursive", "sqlite"),
        functions="json_each json_group_array",
        raises="json_extract('[]', {message})",
        tries="CASE WHEN {value} <= CAST(9e999 AS REAL) THEN {number} END",  # text is above it
        series="(WITH RECURSIVE {alias} ({column}) AS (SELECT {first} WHERE {first} <= {last} "
        "UNION ALL SELECT {column} + 1 FROM {alias} WHERE {column} < {last}) "
        "SELECT {column} FROM {alias}) AS {alias}",
        collation="BINARY",
        computes_once="MATERIALIZED ",
        names={"Least": "min", "Greatest": "max"},
        groups_having=True,
        has_float32=False,
        md5=None,
    ),
    "datafusion": Engine(
        "",
        variants=("plain", "no_lists", "windows", "splits", "recursive", "datafusion", "bounded"),
        raises="CAST({message} AS DOUBLE)",
        names={"Explode": "unnest", "Sign": "signum", "StrPosition": "strpos"}
        | {"Split": "string_to_array"},
        sums_alone=True,
        # it takes two calls of generate_series for the same, whatever their numbers
        series=f"(SELECT {{column}} FROM {_POSTGRES.series} "
        "WHERE {column} BETWEEN {first} AND {last}) AS {alias}",
    ),
    "clickhouse": Engine(
        "clickhouse",
        variants=("plain", "no_lists", "windows", "recursive", "clickhouse"),
        raises="toFloat64({message})",
        # also evaluated for rows that a CASE leaves out
        sums="arraySum({variable} -> assumeNotNull({each}), range("
        "toInt64(ifNull({first}, 0)), toInt64(ifNull({last}, -1) + 1)))",
        series="(SELECT {first} + toInt64(number) AS {column} FROM numbers({last} - {first} + 1)) "
        "AS {alias}",
        md5="lower(hex(MD5({text})))",
        has_unsigned=True,
        settings="SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, "
        "prefer_column_name_to_alias = 1",
    ),
    "snowflake": Engine(
        "snowflake",
        variants=("plain", "no_lists", "bounded"),
        raises="CAST({message} AS FLOAT)",
        series="(SELECT CAST(value AS INT) AS {column} "
        "FROM TABLE(FLATTEN(INPUT => ARRAY_GENERATE_RANGE({first}, {last} + 1)))) AS {alias}",
        sums_alone=True,
        numbers="::FLOAT",
        has_float32=False,
    ),
    "bigquery": Engine(
        "bigquery",
        raises="CAST({message} AS FLOAT64)",  # ERROR(NULL) is an error, too
        sums="(SELECT sum({each}) FROM UNNEST(GENERATE_ARRAY({first}, {last})) AS {variable})",
        series="(SELECT {column} FROM UNNEST(GENERATE_ARRAY({first}, {last})) AS {column}) "
        "AS {alias}",
        has_float32=False,
        orders_nulls=False,
        plain_names=True,
        md5="to_hex(md5({text}))",
    ),
    "redshift": Engine(
        "redshift",
        variants=("plain", "no_lists", "redshift", "bounded"),
        raises="CAST({message} AS DOUBLE PRECISION)",
        # no series of it can be read with tables, nor a recursive query within another
        series="(SELECT {first} + _a.n + 10 * _b.n + 100 * _c.n AS {column} "
        "FROM _digits AS _a CROSS JOIN _digits AS _b CROSS JOIN _digits AS _c "
        "WHERE {first} + _a.n + 10 * _b.n + 100 * _c.n <= {last}) AS {alias}",
        sums_alone=True,
        numbers="::float8",
        has_range=False,
        underflows=True,
    ),
    "trino": _TRINO,
    "athena": _TRINO,
}


# What follows the name of a dialect where the SELECT is a model of dbt.
IN_DBT = " in dbt"


def find_engine(dialect: str) -> Engine:
    """Find the engine of a dialect, or of its models; raises `InputError` for an unknown one."""
    name = dialect.removesuffix(IN_DBT)
    require_one_of("dialect", name, (*ENGINES,))
    return replace(ENGINES[name], is_dbt=name != dialect)
