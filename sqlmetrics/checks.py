"""Checks: refuse input that would give a wrong number, and say where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import duckdb

from .errors import InputError
from .sources import RUN, Source


def check(
    con: duckdb.DuckDBPyConnection,
    judgments: Source,
    qrels: str,
    runs: Mapping[str, Source],
    run: str,
) -> None:
    """Ask the questions of ``sql/checks`` about tables ``qrels`` and ``run``, made of the sources.

    Raises `InputError` at the first question that finds rows.
    """
    for table, sources in ((qrels, [judgments]), (run, list(runs.values()))):
        rows = "documents" if sources[0].kind is RUN else "judgments"
        if not con.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall():
            raise InputError(f"{_join(source.name for source in sources)} has no rows")
        if number := _count(con, f"unusable_{rows}({table})"):
            raise InputError(_list(_describe_unusable(con, sources), number))
        if number := _count(con, f"repeated_{rows}({table})"):
            pairs = con.execute(f"SELECT query_id, doc_id FROM repeated_{rows}({table}) LIMIT 3")
            raise InputError(_list(_describe_repeated(con, sources, pairs.fetchall()), number))
    strangers = con.execute(f"SELECT run_id FROM unjudged_runs({qrels}, {run})").fetchall()
    if strangers:
        judged, answered = (
            con.execute(f"SELECT DISTINCT query_id FROM {table} ORDER BY ALL LIMIT 3").fetchall()
            for table in (qrels, run)
        )
        names = (runs[name].name if name in runs else f"run {name}" for (name,) in strangers)
        raise InputError(
            f"{_join(names)} and {judgments.name} have no query in common; judged are "
            f"{_quote(judged)}, answered are {_quote(answered)}"
        )


def _count(con: duckdb.DuckDBPyConnection, rows: str) -> int:
    ((number,),) = con.execute(f"SELECT count(*) FROM {rows}").fetchall()
    return int(number)


def _describe_unusable(con: duckdb.DuckDBPyConnection, sources: Iterable[Source]) -> list[str]:
    problems = []
    for source in sources:
        value_column = source.kind.value
        number = f"TRY_CAST({value_column} AS DOUBLE)"
        is_bad = f"isnan({number})" if source.kind is RUN else f"NOT isfinite({number})"
        where = f"query_id IS NULL OR doc_id IS NULL OR {number} IS NULL OR {is_bad}"
        for place, query_id, doc_id, value in source.find_rows(con, where):
            if query_id is None and doc_id is None and value is None and source.is_text:
                problems.append(f"{place} is not of the form '{source.kind.trec_line}'")
            elif query_id is None or doc_id is None:
                problems.append(f"{place} has no {'query_id' if query_id is None else 'doc_id'}")
            else:
                what = f"no {value_column}" if value is None else f"the {value_column} {value!r}"
                problems.append(
                    f"{place} has {what} for document {doc_id} of query {query_id}; "
                    f"a {value_column} is a number"
                )
    return problems


def _describe_repeated(
    con: duckdb.DuckDBPyConnection, sources: Iterable[Source], pairs: Iterable[tuple[str, str]]
) -> list[str]:
    problems = []
    for query_id, doc_id in pairs:
        where = "CAST(query_id AS VARCHAR) = ? AND CAST(doc_id AS VARCHAR) = ?"
        found = (source.find_rows(con, where, [query_id, doc_id]) for source in sources)
        places = dict.fromkeys(place for rows in found for place, *_ in rows)
        problems.append(f"{_join(places)}: document {doc_id} stands twice for query {query_id}")
    return problems


def _list(problems: list[str], number: int) -> str:
    more = number - len(problems[:3])
    return "\n".join(problems[:3] + ([f"and {more} more like this"] if more > 0 else []))


def _join(names: Iterable[str]) -> str:
    return " and ".join(names)


def _quote(rows: Iterable[tuple[str]]) -> str:
    return ", ".join(repr(value) for (value,) in rows)
