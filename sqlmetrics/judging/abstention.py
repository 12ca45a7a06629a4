"""Abstention: whether a run's scores say which queries it should not answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import polars as pl

from ..comparing.scores import place, take_scores
from ..inputs.columns import Columns
from ..inputs.data import Data, RunNames, Runs
from ..inputs.frames import require_again
from ..progress import begin, collecting_remarks, remark
from ..running.connections import open_reader
from ..running.relations import relate
from ..running.session import order_runs
from ..score import evaluate

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

    from ..catalogue.conventions import ConventionOptions

_CONFIDENCES = ("highest", "spread", "gap")


def abstention(
    qrels: Data,
    run: Runs,
    metrics: str | Iterable[str] | None = None,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    **options: Unpack[ConventionOptions],
) -> pl.DataFrame:
    """Whether a run's own scores say which queries it would better not answer (nAUC).

    The queries of which the run is least sure are dropped, 10% at a time, and the mean score of the
    rest is watched. ``nauc`` is the area under it, scaled: 1 if dropping the lowest scores could do
    no better, 0 if it is as good as chance, below 0 if worse (Gisserot-Boukhlef et al. 2024,
    arXiv:2402.12997); null where all queries score the same.

    A row for each run, metric and ``confidence``: ``run_id``, ``metric``, ``confidence``,
    ``queries`` (that the run answers) and ``nauc``. A run is sure by the ``"highest"`` of its
    scores, their ``"spread"`` (standard deviation), or the ``"gap"`` between the best two: mteb's
    max, std and diff1.

    - ``qrels``, ``run``, ``metrics``, ``con``, ``columns``, ``run_names``: as for `evaluate`, as
      are its conventions.

    Raises `InputError` as `evaluate` does, and for runs that can be read only once.

    >>> qrels = {"q1": ["a"], "q2": ["b"], "q3": ["c"]}
    >>> run = {"q1": {"a": 9.0}, "q2": {"b": 8.0}, "q3": {"x": 1.0}}
    >>> abstention(qrels, run, "P@1").filter(confidence="highest")["nauc"].item()
    1.0
    """
    given: dict[str, Any] = {"con": con, "columns": columns, "run_names": run_names}
    require_again(run, "read twice")
    with collecting_remarks():
        scores = evaluate(qrels, run, metrics, **given, **options)
    remark(scores.notes)
    long, _, notes = take_scores(scores, by=())
    remark(note for note in notes if note not in scores.notes)
    begin("comparing scores with confidence")
    parts = []
    with open_reader(con, columns, run_names) as reader:
        table = reader.unite(reader.read_runs(run).values())
        sure = relate(reader, "confidences", {"run": table}, checked=["run"]).read()
        for name in _CONFIDENCES:
            tables = {
                "scores": long,
                "confidences": sure.select("run_id", "query_id", confidence=name),
            }
            rows = relate(reader, "abstained", tables)
            found = rows.ask({"queries": "count(*)", "nauc": "nauc(p)"})
            parts.append(found.with_columns(confidence=pl.lit(name)))
    found = pl.concat(parts).sort("run_id", place(long["metric"]), maintain_order=True)
    # the last digits of 0 are rounding
    found = found.with_columns(nauc=pl.col("nauc").round(12) + 0.0)
    found = found.select("run_id", "metric", "confidence", "queries", "nauc")
    return order_runs(found, dict.fromkeys(scores.mean["run_id"]))
