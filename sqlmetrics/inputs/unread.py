"""Unread columns: those that may divide what is taken as one ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import duckdb

from ..errors import InputError
from .source import Source

# A system or a part of a key has few values, which come back in query after query.
_MOST = 50


def note_unread(
    con: duckdb.DuckDBPyConnection, judged: Iterable[Source], source: Source
) -> Iterator[str]:
    """Notes on columns of a run that nothing reads, and that seem to divide its rankings."""
    known = {column.lower(): each.name for each in judged for column in each.others}
    for column, other in source.others.items():
        if not _has_few(con, source, other):
            continue
        if (twin := known.get(column.lower())) and _divides(con, source, other):
            query_id = source.read["query_id"]
            yield (
                f"{source.name}: a query has several values of {column}, which {twin} has too; if "
                f"it is part of the query, name both: columns={{'query_id': ['{query_id}', "
                f"'{column}']}} or --columns query_id={query_id}+{column}"
            )
        elif "run_id" not in source.columns and _is_in_most(con, source, other):
            yield (
                f"{source.name}: most queries have each value of {column}; if these are systems, "
                f"name it: columns={{'run_id': '{column}'}} or --columns run_id={column}"
            )


def refuse_repeated_ranks(con: duckdb.DuckDBPyConnection, source: Source) -> None:
    """Raise `InputError` if two documents of a query have the same rank, and nothing else."""
    ids = ["run_id", "query_id"] if "run_id" in source.columns else ["query_id"]
    keys = ", ".join(ids)
    rank = source.read["rank"]

    def find(more: str = "") -> list[tuple[str, ...]]:
        query = (
            f"SELECT ANY_VALUE(CAST(query_id AS VARCHAR)), ANY_VALUE(CAST(rank AS VARCHAR)) "
            f"FROM {source.wide or source.rows} WHERE rank IS NOT NULL "
            f"GROUP BY {keys}, rank{more} HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
        )
        return con.execute(query).fetchall()

    for query_id, value in find():
        dividing = [column for column, other in source.others.items() if not find(f", {other}")]
        hint = "number the documents of a query on, from 1"
        if dividing:
            column, read = dividing[0], source.read["query_id"]
            hint = (
                f"{column} divides them. If its values are systems, name it: "
                f"columns={{'run_id': '{column}'}} or --columns run_id={column}; if it is "
                f"part of the query, columns={{'query_id': '{read}+{column}'}} or --columns "
                f"query_id={read}+{column}; if they are pages, {hint}"
            )
        raise InputError(
            f"{source.name}: query {query_id} has two documents with {rank} {value}, so "
            f"their order is unknown; {hint}"
        )


def _has_few(con: duckdb.DuckDBPyConnection, source: Source, other: str) -> bool:
    """Whether a column has at least two values, and not many; most have many from the start."""
    for rows in (f"(FROM {source.wide} LIMIT 2000)", source.wide):
        number = f"SELECT count(*) FROM (SELECT DISTINCT {other} FROM {rows} LIMIT {_MOST + 1})"
        ((found,),) = con.execute(number).fetchall()
        if found > _MOST:
            return False
    return bool(found > 1)


def _divides(con: duckdb.DuckDBPyConnection, source: Source, other: str) -> bool:
    """Whether a query has several values of a column that does not describe its documents."""
    return _is_any(
        con,
        f"SELECT 1 FROM {source.wide} GROUP BY query_id "
        f"HAVING count(DISTINCT {other}) > 1 AND count(DISTINCT {other}) < count(*)",
    ) and not _describes(con, source, other)


def _describes(con: duckdb.DuckDBPyConnection, source: Source, other: str) -> bool:
    """Whether a document has the same value of a column wherever it is, and some come back."""
    return _is_any(
        con, f"SELECT 1 FROM {source.wide} GROUP BY doc_id HAVING count(*) > 1"
    ) and not _is_any(
        con, f"SELECT 1 FROM {source.wide} GROUP BY doc_id HAVING count(DISTINCT {other}) > 1"
    )


def _is_in_most(con: duckdb.DuckDBPyConnection, source: Source, other: str) -> bool:
    """Whether each value of a column comes with most of several queries."""
    query = f"""
        SELECT 1 FROM (
            SELECT count(DISTINCT query_id) AS own FROM {source.wide}
            WHERE {other} IS NOT NULL GROUP BY {other}
        ), (SELECT count(DISTINCT query_id) AS all_queries FROM {source.wide})
        HAVING min(own) > max(all_queries) / 2 AND max(all_queries) > 1 AND count(*) > 1
    """
    return _is_any(con, query) and not _describes(con, source, other)


def _is_any(con: duckdb.DuckDBPyConnection, query: str) -> bool:
    return bool(con.execute(f"{query} LIMIT 1").fetchall())
