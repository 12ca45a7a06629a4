"""Unread columns: those that may divide what is taken as one ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import duckdb

from ..errors import InputError
from .source import Input, Source

# A system or a part of a key has few values, which come back in query after query.
_MOST = 50


def note_unread(
    con: duckdb.DuckDBPyConnection, judged: Iterable[Source], source: Source
) -> Iterator[str]:
    """Notes on columns of a run that nothing reads, and that seem to divide its rankings."""
    known = {column.lower(): each.name for each in judged for column in each.others}
    for column, other in source.others.items():
        distinct = f"SELECT DISTINCT {other} FROM {source.wide} LIMIT {_MOST + 1}"
        ((values,),) = con.execute(f"SELECT count(*) FROM ({distinct})").fetchall()
        if not 1 < values <= _MOST:  # most have many from the start
            continue
        divides, is_in_most = _look(con, source, other)
        if divides and (twin := known.get(column.lower())):
            query_id = source.read["query_id"]
            yield (
                f"{source.name}: a query has several values of {column}, which {twin} has too; if "
                f"it is part of the query, name both: columns={{'query_id': ['{query_id}', "
                f"'{column}']}} or --columns query_id={query_id}+{column}"
            )
        elif is_in_most and "run_id" not in source.columns:
            yield (
                f"{source.name}: most queries have each value of {column}; if these are systems, "
                f"name it: columns={{'run_id': '{column}'}} or --columns run_id={column}"
            )


def refuse_repeated_ranks(con: duckdb.DuckDBPyConnection, found: Input) -> None:
    """Raise `InputError` if two documents of a query have the same rank, such as in two lists."""
    source = found.sources[0]
    ids = ["query_id", "rank", *["run_id"][: "run_id" in source.columns]]
    is_first = "AND CAST(_r.rank AS VARCHAR) = '1' "  # as that of another list
    listed = ", ".join(f"ANY_VALUE(CAST({each} AS VARCHAR)) AS {each}" for each in ids)

    def find(more: str = "") -> list[tuple[str, ...]]:
        query = (
            f"SELECT {listed} FROM ({found.as_given}) AS _r WHERE _r.rank IS NOT NULL "
            f"{is_first * source.is_listed}"
            f"GROUP BY {', '.join(f'_r.{each}' for each in ids)}{more} HAVING count(*) > 1 "
            "ORDER BY ALL LIMIT 1"
        )
        return con.execute(query).fetchall()

    for query_id, value, *run_id in find():
        dividing = [column for column, other in source.others.items() if not find(f", {other}")]
        hint = "number the documents of a query on, from 1"
        if source.is_listed:
            hint = "join its lists into one, or give scores"
        if dividing:
            column, read = dividing[0], source.read["query_id"]
            hint = (
                f"{column} divides them. If its values are systems, name it: "
                f"columns={{'run_id': '{column}'}} or --columns run_id={column}; if it is "
                f"part of the query, columns={{'query_id': '{read}+{column}'}} or --columns "
                f"query_id={read}+{column}; if they are pages, {hint}"
            )
        same = " AND ".join(f"CAST({each} AS VARCHAR) = ?" for each in ids)
        rows = found.find_rows(con, same, [query_id, value, *run_id])
        places = " and ".join(dict.fromkeys(place for place, *_ in rows))
        raise InputError(
            f"{places}: query {query_id} has two documents with {source.read.get('rank', 'rank')} "
            f"{value}, so their order is unknown; {hint}"
        )


def _look(con: duckdb.DuckDBPyConnection, source: Source, other: str) -> Sequence[bool]:
    """Whether a query has several values of a column, and whether each comes with most queries.

    Neither of one that describes documents, which have the same value wherever they are.
    """
    query = f"""
        WITH
            by_query AS (
                SELECT count(*) AS size, count(DISTINCT {other}) AS own
                FROM {source.wide} GROUP BY query_id
            ),
            by_document AS (
                SELECT max(size) = 1 OR max(own) > 1 AS is_own FROM (
                    SELECT count(*) AS size, count(DISTINCT {other}) AS own
                    FROM {source.wide} GROUP BY doc_id
                )
            ),
            by_value AS (
                SELECT count(DISTINCT query_id) AS own
                FROM {source.wide} WHERE {other} IS NOT NULL GROUP BY {other}
            )
        SELECT
            is_own AND (SELECT bool_or(own > 1 AND own < size) FROM by_query),
            is_own AND (
                SELECT min(own) > (SELECT count(*) FROM by_query) / 2 AND max(own) > 1
                    AND count(*) > 1 FROM by_value
            )
        FROM by_document
    """
    return con.execute(query).fetchall()[0]
