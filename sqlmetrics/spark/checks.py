"""Checks: asked of tables of Spark, which stay there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ..catalogue import find_file
from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write
from ..errors import InputError
from ..inputs.columns import Kind
from ..running.checks import check_run_ids, list_checks_of, takes_one_judgment
from .tables import ENGINE, SparkReader, Table


def ask_check(reader: SparkReader, check: str, table: Table) -> list[dict[str, Any]]:
    """The first row that a check finds, if any."""
    plain = PlainQuery(f"SELECT * FROM {check}(_given) AS c", {"_given": table.query}, "spark")
    return reader.ask(f"{write(plain, ENGINE)}\nLIMIT 1", table.name).to_dicts()


# the checks of rows whose value is a number, by its column
_UNUSABLE = {
    "relevance": "unusable_judgments",
    "score": "unusable_documents",
    "distance": "unusable_neighbours",
}


def require_usable(reader: SparkReader, table: Table) -> None:
    """Raise `InputError` for the first row that cannot be used."""
    refuse(
        reader, table, [_UNUSABLE[name] for name in _UNUSABLE if name in table.query.named_selects]
    )


def require_judged_once(reader: SparkReader, judgments: Table, measures: Sequence[str]) -> None:
    """Raise `InputError` if documents are judged by subtopic, which these metrics cannot use."""
    for row in ask_check(reader, "judged_by_subtopic", judgments) if measures else ():
        raise takes_one_judgment(judgments.name, row, measures)


def check_runs(reader: SparkReader, runs: Mapping[str, Table]) -> list[str]:
    """The names of the runs; raises `InputError` for what would make a score wrong."""
    for each in runs.values():
        require_usable(reader, each)
    run_ids = list_queries(reader, runs)["run_id"].unique().sort().to_list()
    for each in runs.values():
        refuse(reader, each, ["repeated_documents"])
    return run_ids


def refuse(reader: SparkReader, table: Table, checks: Iterable[str]) -> None:
    """Raise `InputError` for the first row that a check finds."""
    for check in map(find_file, checks):
        for row in ask_check(reader, check.name, table):
            raise InputError(f"{table.name}: {row['problem']}; {check.header['remedy']}")


def refuse_kind(reader: SparkReader, table: Table, kind: Kind) -> None:
    """Raise `InputError` for what makes a table of a kind useless, or would give a wrong number."""
    require_rows(reader, table)
    checks = [check.name for check in list_checks_of(kind, table.columns)]
    if kind.value_is_number:
        require_usable(reader, table)
        checks = [name for name in checks if not name.startswith("unusable")]
    refuse(reader, table, checks)


def require_rows(reader: SparkReader, table: Table) -> None:
    """Raise `InputError` for a table without rows."""
    if reader.ask(table.query.limit(1).sql("spark"), table.name).is_empty():
        raise InputError(f"{table.name} has no rows")


def list_queries(
    reader: SparkReader, runs: Mapping[str, Table], column: str = "count(*) AS number"
) -> pl.DataFrame:
    """The lists of all runs: run_id, query_id, and a column of their rows.

    Raises `InputError` for a run without rows, and for two that have the same name.
    """
    lists = {name: _group_lists(reader, name, run, column) for name, run in runs.items()}
    named = [(run.name, lists[name]) for name, run in runs.items()]
    for name, rows in named:
        if rows.is_empty():
            raise InputError(f"{name} has no rows")
    check_run_ids((name, rows["run_id"].unique().sort()) for name, rows in named)
    return pl.concat(lists.values())


def _group_lists(reader: SparkReader, name: str, run: Table, column: str) -> pl.DataFrame:
    lists = group(reader, run, ["run_id", "query_id"], column)
    if "run_id" not in lists.columns:
        lists = lists.with_columns(run_id=pl.lit(name))
    for query_id in lists.filter(pl.col("run_id").is_null())["query_id"].head(1):
        raise InputError(f"{run.name} has no run_id (query {query_id})")
    return lists.select("run_id", "query_id", pl.exclude("run_id", "query_id"))


def group(reader: SparkReader, table: Table, keys: Sequence[str], column: str) -> pl.DataFrame:
    """A score of each of these keys."""
    listed = ", ".join(f"CAST({key} AS VARCHAR) AS {key}" for key in keys)
    statement = f"SELECT {listed}, {column} FROM _given AS g GROUP BY {', '.join(keys)}"
    query = PlainQuery(statement, {"_given": table.query}, "spark")
    return reader.ask(write(query, ENGINE), table.name)
