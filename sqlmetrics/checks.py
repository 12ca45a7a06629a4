"""Checks: refuse input that would give a wrong number, and say where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import duckdb

from .catalogue import quote
from .errors import InputError
from .sources import RUN, Input, Source


def check(
    con: duckdb.DuckDBPyConnection, judgments: Input, runs: Mapping[str, Input], run: str
) -> None:
    """Ask the questions of ``sql/checks``; ``run`` is the table of all runs.

    Raises `InputError` at the first question that finds rows.
    """
    for source, table in ((each.source, each.table) for each in (judgments, *runs.values())):
        if not con.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall():
            raise InputError(f"{source.name} has no rows")
        rows = source.kind.rows
        if source.has_run_id and _count(con, f"{table} WHERE run_id IS NULL"):
            ((place, query_id, *_), *_) = source.find_rows(con, "run_id IS NULL")
            raise InputError(f"{place} has no run_id (query {query_id})")
        if number := _count(con, f"unusable_{rows}({table})"):
            raise InputError(_list(_describe_unusable(con, source), number))
        if number := _count(con, f"repeated_{rows}({table})"):
            raise InputError(_list(_describe_repeated(con, source, table), number))
    strangers = con.execute(f"FROM unjudged_runs({judgments.table}, {run}) ORDER BY ALL ASC")
    for (run_id,) in strangers.fetchall():
        name = runs[run_id].source.name if run_id in runs else f"run {run_id}"
        judged = _show_queries(con, judgments.table)
        answered = _show_queries(con, f"{run} WHERE run_id = {quote(run_id)}")
        raise InputError(
            f"{name} and {judgments.source.name} have no query in common; "
            f"judged are {judged}, answered are {answered}"
        )


def check_run_ids(con: duckdb.DuckDBPyConnection, runs: Collection[Input]) -> None:
    """Raise `InputError` when two inputs hold runs of one name, which would be taken for one."""
    if len(runs) == 1:
        return
    names: dict[str, str] = {}
    for each in runs:
        query = f"SELECT DISTINCT run_id COLLATE C AS id FROM {each.table} ORDER BY id ASC"
        for (run_id,) in con.execute(query).fetchall():
            if run_id in names:
                raise InputError(
                    f"{names[run_id]} and {each.source.name} both have a run {run_id!r}; "
                    "name the runs apart"
                )
            names[run_id] = each.source.name


def describe_refusal(con: duckdb.DuckDBPyConnection, judgments: Source, said: str) -> str:
    """What a macro said when it refused a judgment, and where this stands."""
    reason = said.partition(": ")[2]
    if not (found := re.match(r"relevance (\S+) is above", reason)):
        return f"{judgments.name}: {reason}"
    ((place, query_id, doc_id, _), *_) = judgments.find_rows(
        con, "TRY_CAST(relevance AS DOUBLE) = TRY_CAST(? AS DOUBLE)", [found[1]]
    )
    return f"{place}: document {doc_id} of query {query_id}: {reason}"


def _count(con: duckdb.DuckDBPyConnection, rows: str) -> int:
    ((number,),) = con.execute(f"SELECT count(*) FROM {rows}").fetchall()
    return int(number)


def _show_queries(con: duckdb.DuckDBPyConnection, rows: str) -> str:
    query = f"SELECT DISTINCT query_id COLLATE C AS id FROM {rows} ORDER BY id ASC LIMIT 4"
    ids = [repr(query_id) for (query_id,) in con.execute(query).fetchall()]
    return ", ".join(ids[:3] + ["…"] * (len(ids) > 3))


def _describe_unusable(con: duckdb.DuckDBPyConnection, source: Source) -> list[str]:
    value_column = source.kind.value
    number = f"TRY_CAST({value_column} AS DOUBLE)"
    is_bad = f"isnan({number})" if source.kind is RUN else f"NOT isfinite({number})"
    where = f"query_id IS NULL OR doc_id IS NULL OR {number} IS NULL OR {is_bad}"
    problems = []
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


def _describe_repeated(con: duckdb.DuckDBPyConnection, source: Source, table: str) -> list[str]:
    ids = (["run_id"] if source.has_run_id else []) + ["query_id", "doc_id"]
    query = (
        f"SELECT {', '.join(ids)} FROM repeated_{source.kind.rows}({table}) ORDER BY ALL LIMIT 3"
    )
    where = " AND ".join(f"CAST({column} AS VARCHAR) = ?" for column in ids)
    problems = []
    for values in con.execute(query).fetchall():
        places = dict.fromkeys(place for place, *_ in source.find_rows(con, where, values))
        of_run = f" of run {values[0]}" if source.has_run_id else ""
        problems.append(
            f"{' and '.join(places)}: document {values[-1]} stands twice "
            f"for query {values[-2]}{of_run}"
        )
    return problems


def _list(problems: list[str], number: int) -> str:
    more = number - len(problems)
    return "\n".join([*problems, f"and {more} more like this"] if more > 0 else problems)
