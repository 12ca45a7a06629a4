"""Queries: any SELECT over the macros, on data in any form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl

from .catalogue import macros
from .engine.given import find_kind, read_tables, refuse_calls
from .engine.session import order_runs
from .errors import InputError, read_names, suggest
from .macros.calls import find_calls, list_called
from .macros.create import find_relation, is_public, name_rows
from .open_engine import find_engine, open_engine
from .progress import begin, remark

if TYPE_CHECKING:
    from .catalogue import SqlFile
    from .inputs.columns import Columns
    from .inputs.data import RunNames


def query(
    sql: str,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    engine: Any = None,  # noqa: ANN401
    **tables: Any,  # noqa: ANN401
) -> pl.DataFrame:
    """The rows of a SELECT over the macros, on any data.

    - ``sql``: such as ``"SELECT query_id, ndcg(j) FROM judged(qrels, run) AS j GROUP BY ALL"``.
    - ``tables``: the tables of the query by name, in any form that `evaluate` takes. What a table
      is follows from the macro that it is passed to: judgments, runs, logs, users and scores are
      read, checked and given our names of columns, any other table is as it is.
    - ``con``, ``columns``: as for `evaluate`. The macros do not need to be installed, and the
      SELECT also sees the tables of ``con``.
    - ``engine``: as for `evaluate`. The query is over tables, views and frames of Spark, and small
      tables that are here.

    Raises `InputError` for data that cannot be read, for what a macro refuses, and for SQL that
    DuckDB cannot run.

    >>> log = pl.DataFrame({
    ...     "page_id": [1, 1, 2, 2],
    ...     "query_id": ["q"] * 4,
    ...     "doc_id": ["a", "b", "b", "a"],
    ...     "position": [1, 2, 1, 2],
    ...     "clicked": [1, 0, 0, 1],
    ... })
    >>> query("SELECT ctr(c, rank := 1) AS ctr FROM clicked(shown) AS c", shown=log).rows()
    [(0.5,)]
    """
    if not isinstance(sql, str) or not sql.strip():
        raise InputError(f"sql must be a SELECT as text, not {sql!r:.80}")
    return run_query(sql, tables, con=con, columns=columns, engine=engine)


def run_query(
    sql: str,
    tables: Mapping[str, Any],
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    exclude: Any = None,  # noqa: ANN401
    engine: Any = None,  # noqa: ANN401
    metrics: str | Iterable[str] | None = None,
    by: str | Iterable[str] | None = None,
    is_analysis: bool = False,
    empty: str | None = None,
) -> pl.DataFrame:
    """The rows of a SELECT over tables by name; the options are those of `evaluate`.

    - ``metrics``, ``by``: which metrics of scores and users, and the columns that divide these.
    - ``is_analysis``: whether it is the call of an analysis, whose options were checked. Its rows
      have runs in the order in which these were given, and segments in their columns.
    - ``empty``: the error if there are no rows; the name of a table is in braces.
    """
    wanted, segments = read_names("metrics", metrics), read_names("by", by)
    calls = [*find_calls(sql)]
    kinds = {
        name: find_kind(parameter, call.macro)
        for call in calls
        for parameter, name in call.tables.items()
    }
    engine = find_engine(engine, tables.values())
    ranks = any("rank" in call.options.get("ties", "") for call in calls)
    where = open_engine(engine, con=con, columns=columns, run_names=run_names, with_ranks=ranks)
    with where as place:
        read = read_tables(place, tables, kinds, exclude, wanted, segments)
        remark(place.notes)
        begin("running the query")
        with _explaining(sql):
            checked = refuse_calls(place, calls, read)
            found = place.select(sql, calls, read, None if is_analysis else {*checked})
    if empty and found.is_empty():
        raise InputError(empty.format(**{name: given.name for name, given in read.items()}))
    run_ids = [run_id for each in read.values() for run_id in each.run_ids]
    if not is_analysis:
        return found
    return order_runs(_name_segments(found, read.values(), segments), run_ids)


def _name_segments(found: pl.DataFrame, read: Collection[Any], by: Sequence[str]) -> pl.DataFrame:
    """The rows with their segments in the columns that they come from, if they are in any."""
    if "segment" not in found.columns:
        return found
    types = {name: kind for each in read for name, kind in each.segments.items()}
    if by:
        return found.unnest("segment").cast(pl.Schema(types))
    has_none = found.schema["segment"] == pl.Null or (read and not types)
    return found.drop("segment") if has_none else found


@contextmanager
def _explaining(sql: str) -> Iterator[None]:
    """Turn what DuckDB says of a query into what is wrong with it."""
    try:
        yield
    except duckdb.InvalidInputException as error:  # from error() in a macro
        raise InputError(str(error).partition(": ")[2]) from None
    except duckdb.ProgrammingError as error:
        said = str(error).partition("\n")[0]
        if missing := re.search(r"Table with name (\S+) does not exist", said):
            said = f"No table named {missing[1]}; give it as a keyword (--table)"
        elif missing := re.search(r"Function with name (\S+) does not exist", said):
            hint = suggest("macro", missing[1], filter(is_public, macros()), str)
            said = f"No macro named {missing[1]}; {hint}" if hint else said
        elif (missing := _MISSING.search(said)) and missing[1] not in sql:
            said = _explain_rows(list_called(sql), missing[1]) or said
        raise InputError(f"the query cannot be run: {said}") from None


# What DuckDB raises where a row does not have a column that an aggregate reads.
_MISSING = re.compile(r'(?:find key|column named|extract field) ["\'](.+?)["\']')


def _explain_rows(called: Sequence[SqlFile], column: str) -> str | None:
    """Which macro is over other rows than it was given, where these have no such column."""
    tables = [file.name for file in called if file.statement.is_table]
    for file in called:
        over = file.inputs if file.statement.is_table else [find_relation(file)]
        for relation in filter(None, map(macros().get, over)):
            if relation.name not in tables or column == name_rows(relation.name):
                wanted = f"{relation.name}({', '.join(relation.inputs)})"
                given = [name for name in tables if name not in (file.name, relation.name)]
                other = f", not of {' or '.join(given)}" if given else ""
                return f"{file.name} is over the rows of {wanted}{other}"
    return None
