"""Unread: columns that may divide what is taken as one ranking, and scores without a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import duckdb

from ..catalogue import quote
from ..errors import InputError
from .columns import DOCUMENTS, RUN, find_order
from .data import name_columns
from .source import Input, Source, describe_columns, is_none, reading

# A system or a part of a key has few values, which come back in query after query.
_MOST = 50


def note_unread(
    con: duckdb.DuckDBPyConnection, judged: Iterable[Source], source: Source
) -> Iterator[str]:
    """Notes on columns of a run that nothing reads, and that seem to divide its rankings."""
    known = {column.lower(): each.name for each in judged for column in each.others}
    for column, other in source.others.items():
        distinct = f"SELECT DISTINCT {other} FROM {source.rows} LIMIT {_MOST + 1}"
        ((values,),) = con.execute(f"SELECT count(*) FROM ({distinct})").fetchall()
        if not 1 < values <= _MOST:  # most have many from the start
            continue
        divides, is_in_most = _look(con, source, other)
        if divides and (twin := known.get(column.lower())):
            both = name_columns({"query_id": f"{source.read['query_id']}+{column}"})
            yield (
                f"{source.name}: a query has several values of {column}, which {twin} has too; if "
                f"it is part of the query, name both: {both}"
            )
        elif is_in_most and "run_id" not in source.columns:
            yield (
                f"{source.name}: most queries have each value of {column}; if these are systems, "
                f"name it: {name_columns({'run_id': column})}"
            )


def name_rows(
    con: duckdb.DuckDBPyConnection, sources: Sequence[Source], name: str, *, is_given: bool
) -> Iterator[Source]:
    """The sources of a run with a name in all their rows, or in none.

    A name that the user gave is also that of the only run that a column has.
    """
    named = [each.rows for each in sources if "run_id" in each.columns]
    every = " UNION ALL ".join(f"SELECT CAST(run_id AS VARCHAR) AS id FROM {r}" for r in named)
    query = f"SELECT count(DISTINCT coalesce(id, '')) FROM ({every})"
    with reading(sources[0].name):
        are_named = is_given and len(named) == len(sources)
        is_one = are_named and con.execute(query).fetchall() == [(1,)]
    for each in sources:
        read = {ours: column for ours, column in each.read.items() if ours != "run_id"}
        have, rows = tuple(c for c in each.columns if c != "run_id"), each.rows
        if is_one:
            note = each.note if each.is_trec else describe_columns(each.name, read)
            yield replace(each, columns=have, read=read, note=note)
        elif named and rows not in named:
            rows = f"(SELECT {quote(name)} AS run_id, * FROM {rows})"
            yield replace(each, rows=rows, columns=(*have, "run_id"))
        elif are_named:
            said = f"{each.note}; " if each.note else f"{each.name}: "
            yield replace(each, note=f"{said}its runs keep their names, since there are several")
        else:
            yield each


def order_rows(con: duckdb.DuckDBPyConnection, source: Source) -> Source:
    """A run by its scores, ranks or distances, unless these are against the order of its lists."""
    source = _order_unscored(con, source)
    if not source.is_listed or (by := source.made_of) not in ("score", "distance"):
        return source
    ids = ", ".join(each for each in ("run_id", "query_id") if each in source.columns)
    placed = f"(SELECT *, row_number() OVER () AS _place FROM {source.rows})"
    number = "nullif(TRY_CAST(CAST(score AS VARCHAR) AS DOUBLE), 'nan')"
    lists = f"SELECT list({number} ORDER BY _place) AS s FROM {placed} GROUP BY {ids}"
    rise = "s = list_sort(s, 'ASC', 'NULLS FIRST') AND s[1] IS NOT NULL"
    with reading(source.name):
        is_sure = "bool_or(s[1] < s[-1]) AND sum(len(s) - 1) >= 5"  # fewer may rise by chance
        query = f"SELECT bool_and({rise}) AND {is_sure} FROM ({lists})"
        if con.execute(query).fetchall() != [(True,)]:
            return source
    score = f"-row_number() OVER (PARTITION BY {ids} ORDER BY _place) AS score"
    rows = f"(SELECT * EXCLUDE _place REPLACE ({score}) FROM {placed})"
    how = "rise" if by == "score" else "fall, as similarities do,"
    note = describe_columns(source.name, source.read, DOCUMENTS) or f"{source.name}: read lists"
    note += f"; {by}s {how} along the lists, whose order counts"
    return replace(source, rows=rows, given=None, note=note)


def _order_unscored(con: duckdb.DuckDBPyConnection, source: Source) -> Source:
    """A run whose scores are all empty is ordered by its ranks or distances, as its note says."""
    read = {ours: column for ours, column in source.read.items() if ours != "score"}
    by, is_scored = find_order(read, RUN), True
    if "score" in source.read and by and not source.is_trec:
        with suppress(duckdb.Error):  # which is reported when it is read
            scored = f"FROM {source.rows} WHERE NOT {is_none('score')} LIMIT 1"
            is_scored = bool(con.execute(scored).fetchall())
    if is_scored:
        return source
    rows = f"(SELECT * REPLACE (-TRY_CAST({by} AS DOUBLE) AS score) FROM {source.rows})"
    said = f"no score has a value: score from {by}"
    note = f"{source.note}; {said}" if source.note else f"{source.name}: {said}"
    return replace(source, rows=rows, read=read, given=None, note=note)


def refuse_repeated_ranks(con: duckdb.DuckDBPyConnection, found: Input) -> None:
    """Raise `InputError` if two documents of a query have the same rank, such as in two lists."""
    source = found.sources[0]
    is_of_lists = source.made_of == "doc_id"
    # scores are -1 times the ranks, of which the first is that of another list, too
    ids = ["query_id", "score", *["run_id"][: "run_id" in found.columns]]
    is_ranked = "TRY_CAST(score AS DOUBLE) = -1" if is_of_lists else "score IS NOT NULL"

    def find(rows: str, *more: str) -> list[tuple[str, ...]]:
        listed = ", ".join(f"CAST({each} AS VARCHAR)" for each in (*ids, *more))
        query = f"SELECT {listed} FROM {rows} WHERE {is_ranked} GROUP BY ALL"
        return con.execute(f"{query} HAVING count(*) > 1 ORDER BY ALL LIMIT 1").fetchall()

    for query_id, value, *run_id in find(found.table):
        dividing = [
            column
            for column, other in source.others.items()
            if not find(f"({found.as_given})", other)
        ]
        hint = "number the documents of each query 1, 2, 3 …"
        if is_of_lists:
            hint = "join its lists into one, or give scores"
        if dividing:
            both = name_columns({"query_id": f"{source.read['query_id']}+{dividing[0]}"})
            hint = (
                f"{dividing[0]} divides them. If its values are systems, name it: "
                f"{name_columns({'run_id': dividing[0]})}; if it is part of the query, {both}; "
                f"if they are pages, {hint}"
            )
        same = " AND ".join(f"CAST({each} AS VARCHAR) = ?" for each in ids)
        rows = found.find_rows(con, same, [query_id, value, *run_id])
        places = " and ".join(dict.fromkeys(place for place, *_ in rows))
        raise InputError(
            f"{places}: query {query_id} has two documents with {source.read.get('rank', 'rank')} "
            f"{-float(value):.15g}, so their order is unknown; {hint}"
        )


def _look(con: duckdb.DuckDBPyConnection, source: Source, other: str) -> Sequence[bool]:
    """Whether a query has several values of a column, and whether each comes with most queries.

    Neither of one that describes documents, which have the same value wherever they are.
    """

    def count(of: str, by: str) -> str:
        counts = f"{by}, count(*) AS size, count(DISTINCT {of}) AS own"
        return f"(SELECT {counts} FROM {source.rows} WHERE {by} IS NOT NULL GROUP BY {by})"

    of_query, of_value = count(other, "query_id"), count("query_id", other)
    query = f"""
        SELECT
            is_own AND (SELECT bool_or(own > 1 AND own < size) FROM {of_query}),
            is_own AND (
                SELECT min(own) > (SELECT count(*) FROM {of_query}) / 2 AND max(own) > 1
                    AND count(*) > 1 FROM {of_value}
            )
        FROM (SELECT max(size) = 1 OR max(own) > 1 AS is_own FROM {count(other, "doc_id")})
    """
    return con.execute(query).fetchall()[0]
