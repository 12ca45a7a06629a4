"""Coverage: notes on queries and documents that judgments and runs do not share."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb
import polars as pl

from ..catalogue import files, quote
from ..catalogue.conventions import Conventions
from ..errors import InputError
from ..inputs.data import name_some
from ..inputs.reader import Input
from .macros import bare, create_bare_macros, sort_files


def check_coverage(
    con: duckdb.DuckDBPyConnection,
    judgments: Input,
    runs: Mapping[str, Input],
    lists: str,
    conventions: Conventions,
) -> list[str]:
    """Notes on queries that do not count or score 0; ``lists`` is a table of all lists.

    Raises `InputError` if a run has no results for any judged query.
    """
    notes: list[str] = []
    missing: dict[str, int] = {}
    extra: dict[str, int] = {}
    total = 0
    lowest = conventions.relevant_from
    counts = "judged"
    if "relevant" in conventions.queries:
        relevant = f"FROM judgments({judgments.table}) WHERE relevance >= {quote(lowest)}"
        counts = f"CASE WHEN query_id IN (SELECT query_id {relevant}) THEN judged ELSE 0 END"
    query = f"""
        SELECT
            run_id, sum(judged), sum(judged * has_results), sum(has_results - judged * has_results),
            sum(counts), sum(counts * has_results)
        FROM (SELECT *, {counts} AS counts FROM query_coverage({judgments.table}, {lists}))
        GROUP BY run_id ORDER BY run_id COLLATE C ASC
    """
    for run_id, judged, both, unjudged, counted, scored in con.execute(bare(query)).fetchall():
        name = runs[run_id].name if run_id in runs else f"run {run_id}"
        if not both:
            raise InputError(
                f"{name} and {judgments.name} have no query in common; "
                f"the judgments have {_show_queries(con, judgments.table)}, the run has "
                + _show_queries(con, f"{lists} WHERE run_id = {quote(run_id)}")
            )
        if counted and not scored and "answered" in conventions.queries:
            raise InputError(
                f"{name} has no results for any query with relevant documents in {judgments.name}"
            )
        total = judged
        if counted > scored:
            missing[run_id] = counted - scored
        if unjudged:
            extra[run_id] = unjudged
    what = "they are left out" if "answered" in conventions.queries else "they score 0"
    if conventions.no_relevant and what == "they score 0":
        what += f", or {conventions.no_relevant} without relevant documents"
    notes += _note(missing, f"no results for {{}} of {total} judged queries; {what}")
    notes += _note(extra, "no judgments for {} of its queries; they are left out")
    best = f"SELECT max(relevance) FROM {judgments.table}"
    ((highest,),) = con.execute(best).fetchall()
    if highest < lowest:
        notes.append(f"no relevant documents: no relevance is {lowest} or more")
    if "relevant" in conventions.queries:
        query = f"""
            SELECT count(*) FILTER (best < {quote(lowest)}), count(*)
            FROM (
                SELECT max(relevance) AS best FROM judgments({judgments.table}) GROUP BY query_id
            )
        """
        ((without, number),) = con.execute(bare(query)).fetchall()
        if without == number:
            raise InputError(f"{judgments.name} has no relevance of {lowest} or more")
        if without:
            notes.append(
                f"{without} of {number} judged queries have no relevant documents; "
                "they are left out"
            )
    return notes


def _note(numbers: Mapping[str, int], remark: str) -> list[str]:
    """A remark about runs with a number of each: a line for few, one for all of many."""
    by_number: dict[int, list[str]] = {}
    for run_id, number in numbers.items():
        by_number.setdefault(number, []).append(run_id)
    if len(by_number) > 3:
        span = f"{min(by_number)} to {max(by_number)}"
        return [f"{name_some([*numbers])}: {remark.format(span)}"]
    return [f"{name_some(runs)}: {remark.format(n)}" for n, runs in by_number.items()]


def find_unmatched(
    con: duckdb.DuckDBPyConnection,
    judgments: Input,
    runs: str,
    scores: pl.DataFrame,
    conventions: Conventions,
) -> list[str]:
    """Notes on runs that retrieved none of the judged documents, so that all their scores are 0.

    ``runs`` is a table of all runs; it is read only if all ``scores`` of a run are 0.
    """
    names = [name for name, kind in scores.schema.items() if kind == pl.Float64]
    if not names:
        return []
    is_nothing = (pl.col(name).is_in([0.0, float(conventions.no_relevant)]).all() for name in names)
    suspects = scores.group_by("run_id").agg(pl.any_horizontal(*is_nothing).alias("is_suspect"))
    run_ids = suspects.filter("is_suspect")["run_id"].sort().to_list()
    if not run_ids:
        return []
    listed = ", ".join(map(quote, run_ids))
    query = f"""
        SELECT DISTINCT r.run_id
        FROM retrieved({runs}) AS r
        INNER JOIN judgments({judgments.table}) AS q
            ON r.query_id = q.query_id AND r.doc_id = q.doc_id
        WHERE r.run_id IN ({listed})
    """
    matched = {run_id for (run_id,) in con.execute(bare(query)).fetchall()}
    unmatched = [run_id for run_id in run_ids if run_id not in matched]
    if not unmatched:
        return []
    create_bare_macros(con, sort_files([files()["functions"]["fold_id"]]))
    retrieved = f"SELECT * FROM retrieved({runs}) WHERE run_id = {quote(unmatched[0])}"
    query = f"""
        SELECT r.doc_id, q.doc_id
        FROM ({retrieved}) AS r
        INNER JOIN judgments({judgments.table}) AS q
            ON r.query_id = q.query_id AND fold_id(r.doc_id) = fold_id(q.doc_id)
        ORDER BY ALL LIMIT 1
    """
    first = f"""
        SELECT (SELECT min(doc_id) FROM ({retrieved})), min(doc_id)
        FROM judgments({judgments.table})
    """
    found = con.execute(bare(query)).fetchall() or con.execute(bare(first)).fetchall()
    ((theirs, ours),) = found
    return [
        f"{name_some(unmatched)}: none of the judged documents was retrieved; ids in "
        f"{unmatched[0]} look like {theirs!r}, those in {judgments.name} like {ours!r}"
    ]


def _show_queries(con: duckdb.DuckDBPyConnection, rows: str) -> str:
    query = f"SELECT DISTINCT query_id COLLATE C AS id FROM {rows} ORDER BY id ASC LIMIT 4"
    ids = [repr(query_id) for (query_id,) in con.execute(query).fetchall()]
    return ", ".join(ids[:3] + ["…"] * (len(ids) > 3))
