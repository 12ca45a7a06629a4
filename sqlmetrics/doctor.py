"""The doctor: looks at judgments and runs before anyone believes their scores."""

from __future__ import annotations

import duckdb
import polars as pl

from .catalogue.conventions import choose
from .engines.checks import check_run_ids, examine, require_rows
from .engines.macros import bare, create_bare_macros, needed_files, take_any_gain
from .engines.strategies import count_lists, find_sizes, take_strategy
from .inputs.columns import DOCUMENTS, SUBTOPIC_QRELS, Columns
from .inputs.files import reading
from .inputs.reader import Data, RunNames
from .score import open_reader

_SCHEMA = {
    "severity": pl.String,
    "check": pl.String,
    "input": pl.String,
    "number": pl.Int64,
    "meaning": pl.String,
    "examples": pl.String,
}


def check(
    qrels: Data,
    run: Data,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    rel: float = 1,
    max_rel: float | None = None,
    documents: Data | None = None,
) -> pl.DataFrame:
    """What is wrong or odd about judgments and runs: a frame with a row for each finding.

    Columns: ``severity`` (``"error"``: a number would be wrong, and `evaluate` gives none, except
    for the scale, which it does not know; ``"warning"``: it does, but look at this first),
    ``check`` (a macro of ``sql/checks``, which returns all the rows), ``input`` (that it was found
    in; empty for what concerns all), ``number`` of rows found, ``meaning``, ``examples`` (the
    first three rows, one a line, with file and line where there are any). Errors come first;
    without findings the frame is empty.

    ``qrels``, ``run``, ``con``, ``columns`` and ``run_names`` are those of `evaluate`; ``rel`` is
    the relevance from which a document is relevant, ``max_rel`` the highest grade of the scale,
    ``documents`` the collection, a file, table or frame with the column doc_id.
    Raises `InputError` for what cannot be read at all.

    >>> found = check({"q1": {"a": 0}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    >>> found["check"].to_list()
    ['queries_without_relevant', 'unjudged_queries']
    """
    choose(rel=rel)
    with open_reader(con, columns, run_names, with_ranks=True) as reader:
        judgments = reader.read(qrels, SUBTOPIC_QRELS)
        runs = reader.read_runs(run)
        with reading(" or ".join(each.name for each in (judgments, *runs.values()))):
            for each in (judgments, *runs.values()):
                require_rows(reader.con, each)
            check_run_ids(reader.con, runs.values())
            table = reader.unite(runs.values())
            lists = count_lists(reader, table)
            strategy = take_strategy(reader.con, find_sizes(reader.con, judgments, lists))
            create_bare_macros(reader.con, needed_files(strategy=strategy))
            take_any_gain(reader.con)  # of judgments that are to be questioned
            values = {"rel": rel} | ({} if max_rel is None else {"max_rel": max_rel})
            tables = {"run": table}
            by_subtopic = f"FROM judged_by_subtopic({judgments.table}) LIMIT 1"
            if reader.con.execute(
                bare(by_subtopic)
            ).fetchall():  # what is asked of runs is of documents
                tables["qrels"] = reader.keep(
                    f"SELECT query_id, doc_id, max(relevance) AS relevance FROM {judgments.table} "
                    "GROUP BY query_id, doc_id"
                )
            if documents is not None:
                tables["documents"] = reader.read(documents, DOCUMENTS).table
            found = examine(reader.con, judgments, runs, values, tables)
            return pl.DataFrame(list(found), _SCHEMA)
