"""Collapse: runs of passages become runs of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..errors import require_one_of
from ..inputs.columns import Columns
from ..inputs.data import RunNames, Runs
from ..inputs.source import reading
from ..inputs.tables import MAPPING, read_table
from ..progress import begin
from ..running.checks import read_checked
from ..running.connections import open_reader
from ..running.relations import relate
from .fuse import order

if TYPE_CHECKING:
    import duckdb

Choice: TypeAlias = Literal["best", "sum"]

_METHODS: dict[Choice, str] = {"best": "best_passage(p)", "sum": "passage_sum(p)"}


def collapse(
    run: Runs,
    mapping: Any,  # noqa: ANN401
    method: Choice = "best",
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
) -> pl.DataFrame:
    """Runs of documents from runs of passages, where passages are indexed and documents judged.

    - ``run``, ``con``, ``columns``, ``run_names``: as for `evaluate`; their documents are passages.
    - ``mapping``: a row for each passage, ``passage_id`` and ``doc_id``, in a file, table or frame.
    - ``method``: what a document scores: as its ``"best"`` passage, or the ``"sum"`` of all those
      that were retrieved.

    A row per run, query and document, the best first: ``run_id``, ``query_id``, ``doc_id``,
    ``score``, ``rank``.

    Raises `InputError` for data that cannot be read, and for passages without a document.

    >>> mapping = pl.DataFrame({"passage_id": ["a1", "a2", "b1"], "doc_id": ["a", "a", "b"]})
    >>> run = {"q": {"b1": 3.0, "a1": 2.0, "a2": 2.0}}
    >>> collapse(run, mapping, "sum").select("doc_id", "score").rows()
    [('a', 4.0), ('b', 3.0)]
    """
    require_one_of("method", method, get_args(Choice))
    with open_reader(con, columns, run_names) as reader:
        found = read_table(mapping, MAPPING, con=con, columns=reader.columns)
        given = found.frame.select(MAPPING.columns)
        runs = read_checked(reader, runs={"run": run})
        begin("collapsing passages")
        with reading(runs.name):
            rows = relate(reader, "passages", {**runs.tables, "mapping": given}, checked=["run"])
            return order(rows.ask({"score": _METHODS[method]}), ["run_id", "query_id"])
