"""Instructions: whether a run follows them when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ..errors import InputError
from ..inputs.columns import Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.source import reading
from ..progress import begin
from ..running.checks import read_checked
from ..running.connections import open_reader
from ..running.relations import relate

if TYPE_CHECKING:
    import duckdb


def follow(
    changed: Data,
    before: Data,
    run: Runs,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> pl.DataFrame:
    """Whether documents that changed instructions exclude have fallen in the ranking (p-MRR).

    A row for each run: ``run_id``, ``queries``, ``documents`` (how many were looked at) and
    ``p_mrr``, the mean over queries: 1 if all fell from the top to the end, -1 if they rose as far,
    0 if nothing moved (Weller et al. 2024, arXiv:2403.15246). A document that is not retrieved
    stands after the last one.

    - ``changed``: the documents that are no longer relevant, by query: judgments, whose relevance
      does not count, or a dict of lists of ids.
    - ``before``: the run with the old instructions.
    - ``run``: one or more runs with the new ones, as for `evaluate`. Queries have the same ids in
      both.
    - ``con``, ``columns``, ``run_names``: as for `evaluate`.

    Raises `InputError` for data that cannot be read, several runs before, and where no query is in
    all three.

    >>> before, after = {"q": ["a", "b", "c"]}, {"q": ["b", "c", "a"]}
    >>> follow({"q": ["a"]}, before, after).select("queries", "documents", "p_mrr").rows()
    [(1, 1, 0.6666666666666667)]
    """
    with open_reader(con, columns, run_names) as reader:
        given = read_checked(reader, {"changed": changed}, {"baseline": before, "run": run})
        if len(names := sorted(given.run_ids["baseline"])) > 1:
            raise InputError(f"before must be one run, not {', '.join(names)}")
        with reading(given.name):
            begin("ranking documents")
            rows = relate(reader, "moved", given.tables, checked=[*given.tables])
            of_queries = rows.ask({"documents": "count(*)", "p_mrr": "p_mrr(p)"})
    if of_queries.is_empty():
        raise InputError("no query of the changed documents is in the runs before and after")
    return (
        of_queries.sort("run_id", "query_id")
        .group_by("run_id", maintain_order=True)
        .agg(
            queries=pl.len().cast(pl.Int64),
            documents=pl.col("documents").sum(),
            p_mrr=pl.col("p_mrr").mean(),
        )
    )
