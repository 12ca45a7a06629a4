"""The doctor: what judgments and runs are like, before they are scored."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl

from .catalogue import remember
from .catalogue.conventions import Conventions
from .engine.checks import examine, list_all_checks, require_rows
from .engine.given import read_unchecked
from .engine.judged import open_duckdb
from .engine.judgments import Qrels
from .engine.relations import require
from .engine.session import Request
from .errors import InputError, require_one_of
from .inputs.columns import DOCUMENTS, KINDS, QRELS, SUBTOPIC_QRELS, Columns
from .inputs.data import Data, RunNames, Runs
from .inputs.grades import read_grades
from .inputs.workspace import show_bytes, show_memory_limit
from .result import count

_COLUMNS = ("severity", "check", "input", "number", "meaning", "examples")
_SCHEMA = dict.fromkeys(_COLUMNS, str) | {"number": int}


def check(
    qrels: Qrels | None = None,
    run: Runs | None = None,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    documents: Data | None = None,
    max_rel: float | None = None,
    rel: float = 1,
    grades: Any = None,  # noqa: ANN401
    **tables: Any,  # noqa: ANN401
) -> pl.DataFrame:
    """What is wrong or odd about judgments, runs or other tables: a row for each finding.

    Columns: ``severity`` (``"error"``: a score would be wrong, and `evaluate` refuses the input,
    except for the scale, which it does not know; ``"warning"``: it takes it, but look at this
    first), ``check`` (a macro of ``sql/*/checks``, which returns all the rows), ``input`` (the one
    with the problem; empty if it concerns all), ``number`` of rows found, ``meaning``, ``examples``
    (the first three rows, one a line, with file and line where there are any). Errors come first;
    without findings the frame is empty.

    - ``qrels``, ``run``, ``con``, ``columns``, ``run_names``, ``grades``: as for `evaluate`; either
      of the first two may be checked alone.
    - ``documents``: the collection in which to look up ids: a file or table with the column doc_id.
    - ``max_rel``: highest grade of the scale.
    - ``rel``: relevance from which a document is relevant.
    - ``tables``: others by the names that analyses give them: ``log``, ``users``, ``pages``,
      ``ratings`` ….

    Raises `InputError` for what cannot be read at all.

    >>> found = check({"q1": {"a": 0}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    >>> found["check"].to_list()
    ['queries_without_relevant', 'unjudged_queries']
    >>> log = {"page_id": [1, 1], "query_id": "q", "doc_id": ["a", "b"], "position": [1, 1]}
    >>> check(log=pl.DataFrame({**log, "clicked": [0, 1]}))["check"].to_list()
    ['repeated_positions']
    """
    for name in tables:
        require_one_of("another table of check", name, list_checked())
    if qrels is None and run is None and not tables:
        raise InputError("nothing to check; give qrels, run or another table, such as log")
    agreed = Conventions(rel=rel, grades=grades)
    require("cascade", max_rel=max_rel)
    values = {"rel": rel} | ({} if max_rel is None else {"max_rel": max_rel})
    with open_duckdb(
        Request(), con=con, columns=columns, run_names=run_names, with_ranks=True
    ) as session:
        reader, named = session.reader, {}
        reader.grades = read_grades(agreed.grades)
        if qrels is not None:
            session.read_judgments(qrels, SUBTOPIC_QRELS)
        if run is not None:
            session.runs = reader.read_runs(run)
            named["run"] = session.run
        if qrels is not None and run is not None:
            judgments = session.judgments.table  # what is asked of runs is of documents
            if not reader.run(f"FROM judged_by_subtopic({judgments}) LIMIT 1").is_empty():
                named["qrels"] = reader.keep(
                    f"SELECT query_id, doc_id, max(relevance) AS relevance FROM {judgments} "
                    "GROUP BY query_id, doc_id"
                )
        inputs = session.inputs
        if documents is not None:
            named["documents"] = reader.read(documents, DOCUMENTS).table
        for name, data in tables.items():
            read = read_unchecked(reader, data, name)
            if isinstance(read, str):
                named[name] = read
            else:
                inputs.append(read)
        for each in inputs:
            require_rows(session.reader, each)
        return pl.DataFrame(list(examine(reader, inputs, values, named)), _SCHEMA)


@remember
def list_checked() -> tuple[str, ...]:
    """The tables that `check` takes besides judgments and runs, by the names of parameters."""
    checks = (each for each in list_all_checks() if {*each.inputs} == {*each.parameters})
    found = {name for each in checks for name in each.inputs} & {*KINDS}
    return tuple(sorted(found - {"qrels", "run", "documents"}))


def explain(
    qrels: Qrels,
    run: Runs,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> str:
    """How much there is to score, and the memory that it takes.

    The arguments are those of `evaluate`. Nothing is scored, but the inputs are read to be counted.
    Raises `InputError` for data that cannot be read.

    >>> print(explain({"q1": {"a": 1}}, {"q1": {"a": 1.0}}).splitlines()[0])
    retrieved  1 document in 1 run
    """
    with open_duckdb(Request(), con=con, columns=columns, run_names=run_names) as session:
        session.read(qrels, run, kind=QRELS)
        for each in session.inputs:
            require_rows(session.reader, each)
        query = f"""
            SELECT coalesce(sum(number), 0)::BIGINT, count(*), coalesce(max(number), 0) FROM (
                SELECT count(*) AS number FROM {session.judgments.table}
                GROUP BY query_id COLLATE C
            )"""
        ((judged, queries, most_judged),) = session.con.execute(query).fetchall()
        query = f"SELECT count(DISTINCT run_id COLLATE C), count(*) FROM {session.run}"
        ((runs, retrieved),) = session.con.execute(query).fetchall()
        needed = min(retrieved, _AT_ONCE) * _PER_RETRIEVED + runs * judged * _PER_JUDGED
        of_queries = f"{count(queries, 'query')}, at most {most_judged:,} of one"
        return (
            f"retrieved  {count(retrieved, 'document')} in {count(runs, 'run')}\n"
            f"judged     {count(judged, 'document')} of {of_queries}\n"
            f"memory     about {show_bytes(needed)}; the limit is {show_memory_limit(session.con)}"
        )


# Bytes of memory, measured: per retrieved document that is ranked at once, and per judged
# document of each run, which may go to temporary files.
_PER_RETRIEVED, _AT_ONCE, _PER_JUDGED = 80, 5_000_000, 300
