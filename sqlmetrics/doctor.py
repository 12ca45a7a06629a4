"""The doctor: what judgments and runs are like, before they are scored."""

from __future__ import annotations

import duckdb
import polars as pl

from .catalogue.conventions import Conventions
from .errors import require_top_grade
from .inputs.columns import DOCUMENTS, QRELS, SUBTOPIC_QRELS, Columns
from .inputs.data import Data, RunNames, Runs
from .logs import open_duckdb_log
from .running.checks import examine, require_rows
from .running.duckdb import open_duckdb
from .running.judgments import Qrels
from .running.relations import ask
from .running.session import Question
from .running.sizes import describe_sizes

_SCHEMA = {
    "severity": pl.String,
    "check": pl.String,
    "input": pl.String,
    "number": pl.Int64,
    "meaning": pl.String,
    "examples": pl.String,
}


def check(
    qrels: Qrels,
    run: Runs,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    rel: float = 1,
    max_rel: float | None = None,
    documents: Data | None = None,
) -> pl.DataFrame:
    """What is wrong or odd about judgments and runs: a frame with a row for each finding.

    Columns: ``severity`` (``"error"``: a score would be wrong, and `evaluate` refuses the input,
    except for the scale, which it does not know; ``"warning"``: it does not, but look at this
    first), ``check`` (a macro of ``sql/checks``, which returns all the rows), ``input`` (the one
    with the problem; empty if it concerns all), ``number`` of rows found, ``meaning``, ``examples``
    (the first three rows, one a line, with file and line where there are any). Errors come first;
    without findings the frame is empty.

    ``qrels``, ``run``, ``con``, ``columns`` and ``run_names`` are those of `evaluate`; ``rel`` is
    the relevance from which a document is relevant, ``max_rel`` the highest grade of the scale,
    ``documents`` the collection, a file, table or frame with the column doc_id.
    Raises `InputError` for what cannot be read at all.

    >>> found = check({"q1": {"a": 0}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    >>> found["check"].to_list()
    ['queries_without_relevant', 'unjudged_queries']
    """
    Conventions(rel=rel)
    require_top_grade(max_rel)
    values = {"rel": rel} | ({} if max_rel is None else {"max_rel": max_rel})
    with open_duckdb(
        Question(), con=con, columns=columns, run_names=run_names, with_ranks=True
    ) as session:
        session.read(qrels, run, kind=SUBTOPIC_QRELS)
        reader, judgments = session.reader, session.judgments
        for each in session.inputs:
            require_rows(session.con, each)
        tables = {"run": session.run}
        by_subtopic = f"FROM judged_by_subtopic({judgments.table}) LIMIT 1"
        # what is asked of runs is of documents
        if not ask(session.con, by_subtopic).is_empty():
            tables["qrels"] = reader.keep(
                f"SELECT query_id, doc_id, max(relevance) AS relevance FROM {judgments.table} "
                "GROUP BY query_id, doc_id"
            )
        if documents is not None:
            tables["documents"] = reader.read(documents, DOCUMENTS).table
        found = examine(session.con, session.inputs, values, tables)
        return pl.DataFrame(list(found), _SCHEMA)


def check_log(
    log: Data, *, con: duckdb.DuckDBPyConnection | None = None, columns: Columns | None = None
) -> pl.DataFrame:
    """What is wrong or odd about a log of clicks: a frame like that of `check`.

    ``log``, ``con`` and ``columns`` are those of `clicks`, which refuses a log with an error.
    Raises `InputError` for what cannot be read at all.

    >>> log = {"page_id": [1, 1], "query_id": "q", "doc_id": ["a", "b"], "position": [1, 1]}
    >>> found = check_log(pl.DataFrame({**log, "clicked": [0, 1]}))
    >>> found["check"].to_list()
    ['repeated_positions']
    """
    with open_duckdb_log(log, con=con, columns=columns, refuses=False) as found:
        return pl.DataFrame(list(examine(found.con, [found.given], {}, {})), _SCHEMA)


def explain(
    qrels: Qrels,
    run: Runs,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> str:
    """How many documents `evaluate` would rank and score, and the memory that it takes.

    The arguments are those of `evaluate`. Nothing is scored, but the inputs are read to be counted.
    Raises `InputError` for data that cannot be read.

    >>> print(explain({"q1": {"a": 1}}, {"q1": {"a": 1.0}}).splitlines()[0])
    retrieved  1 document in 1 run
    """
    with open_duckdb(Question(), con=con, columns=columns, run_names=run_names) as session:
        session.read(qrels, run, kind=QRELS)
        for each in session.inputs:
            require_rows(session.con, each)
        return describe_sizes(session.con, session.judgments.table, session.run)
