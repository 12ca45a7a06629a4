"""Checks: refuse input that would give a wrong number, and say where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import duckdb
import polars as pl

from .catalogue import quote
from .columns import QRELS, RUN
from .conventions import Conventions
from .errors import InputError
from .sources import Input
from .streams import Stream


def check(con: duckdb.DuckDBPyConnection, judgments: Input, runs: Mapping[str, Input]) -> None:
    """Refuse input that would give a wrong number: raise `InputError` at the first problem."""
    for each in (judgments, *runs.values()):
        rows, table = each.kind.rows, each.table
        if not con.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall():
            raise InputError(f"{each.name} has no rows")
        if "run_id" in each.columns and _count(con, f"{table} WHERE run_id IS NULL"):
            ((place, query_id, *_), *_) = each.find_rows(con, "run_id IS NULL")
            raise InputError(f"{place} has no run_id (query {query_id})")
        if number := _count(con, f"unusable_{rows}({table})"):
            raise InputError(_list(_describe_unusable(con, each), number))
        if not _are_distinct(con, each) and (number := _count(con, f"repeated_{rows}({table})")):
            raise InputError(_list(_describe_repeated(con, each), number))


_SORTED_AT_ONCE = 1 << 24  # so many hashes take 0.3 GB


def _are_distinct(con: duckdb.DuckDBPyConnection, each: Input) -> bool:
    """Whether it is certain that no document is repeated; if not, the ids are to be compared."""
    if each.kind is QRELS or _count(con, each.table) > _SORTED_AT_ONCE:
        return False
    query = f"SELECT hash(run_id, query_id, doc_id) AS id FROM retrieved({each.table})"
    ids = pl.DataFrame(Stream(con.sql(query)))["id"].sort()
    return not (ids[1:] == ids[:-1]).any()


def check_coverage(
    con: duckdb.DuckDBPyConnection,
    judgments: Input,
    runs: Mapping[str, Input],
    run: str,
    conventions: Conventions,
) -> list[str]:
    """What to say of queries that do not count or score 0; ``run`` is the table of all runs.

    Raises `InputError` when a run answers none of the judged queries.
    """
    notes = []
    query = f"""
        SELECT run_id, sum(judged), sum(judged * answered), sum(answered - judged * answered)
        FROM coverage({judgments.table}, {run}) GROUP BY run_id ORDER BY run_id COLLATE C ASC
    """
    for run_id, judged, both, unjudged in con.execute(query).fetchall():
        if not both:
            name = runs[run_id].name if run_id in runs else f"run {run_id}"
            raise InputError(
                f"{name} and {judgments.name} have no query in common; "
                f"judged are {_show_queries(con, judgments.table)}, answered are "
                + _show_queries(con, f"{run} WHERE run_id = {quote(run_id)}")
            )
        if judged > both:
            what = "left out" if "answered" in conventions.queries else "scored 0"
            number = f"{judged - both} of {judged}"
            notes.append(f"judged queries that {run_id} does not answer, {what}: {number}")
        if unjudged:
            notes.append(f"queries that {run_id} answers without judgments, left out: {unjudged}")
    if "relevant" in conventions.queries:
        query = f"""
            SELECT count(*) FILTER (best < {quote(conventions.rel)}), count(*)
            FROM (SELECT max(relevance) AS best FROM {judgments.table} GROUP BY query_id)
        """
        ((without, number),) = con.execute(query).fetchall()
        if without == number:
            raise InputError(f"{judgments.name} has no relevance of {conventions.rel} or more")
        if without:
            notes.append(f"judged queries with nothing relevant, left out: {without} of {number}")
    return notes


def require_ranks(runs: Collection[Input]) -> None:
    """Raise `InputError` when a run cannot order its ties by rank."""
    for each in runs:
        if "rank" not in each.columns:
            raise InputError(f"{each.name} has no column rank, which ties='rank' needs")


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
                    f"{names[run_id]} and {each.name} both have a run {run_id!r}; "
                    "name the runs apart"
                )
            names[run_id] = each.name


def describe_refusal(con: duckdb.DuckDBPyConnection, judgments: Input, said: str) -> str:
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


def _describe_unusable(con: duckdb.DuckDBPyConnection, source: Input) -> list[str]:
    value_column = source.kind.value
    number = f"TRY_CAST({value_column} AS DOUBLE)"
    is_bad = f"isnan({number})" if source.kind is RUN else f"NOT isfinite({number})"
    where = f"query_id IS NULL OR doc_id IS NULL OR {number} IS NULL OR {is_bad}"
    problems = []
    for place, query_id, doc_id, value in source.find_rows(con, where):
        if query_id is None and doc_id is None and value is None and source.sources[0].is_text:
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


def _describe_repeated(con: duckdb.DuckDBPyConnection, source: Input) -> list[str]:
    ids = (["run_id"] if "run_id" in source.columns else []) + ["query_id", "doc_id"]
    repeated = f"repeated_{source.kind.rows}({source.table})"
    query = f"SELECT {', '.join(ids)} FROM {repeated} ORDER BY ALL LIMIT 3"
    where = " AND ".join(f"CAST({column} AS VARCHAR) = ?" for column in ids)
    problems = []
    for values in con.execute(query).fetchall():
        places = dict.fromkeys(place for place, *_ in source.find_rows(con, where, values))
        of_run = f" of run {values[0]}" if "run_id" in source.columns else ""
        problems.append(
            f"{' and '.join(places)}: document {values[-1]} stands twice "
            f"for query {values[-2]}{of_run}"
        )
    return problems


def _list(problems: list[str], number: int) -> str:
    more = number - len(problems)
    return "\n".join([*problems, f"and {more} more like this"] if more > 0 else problems)
