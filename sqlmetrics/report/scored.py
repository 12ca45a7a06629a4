"""Scores as charts take them: by metric and run, of metrics that are numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from ..catalogue.measures import Measure
from ..catalogue.summaries import write_summary
from ..errors import require_one_of
from ..inputs.columns import quote_name
from ..inputs.tables import take_per_query
from .charts import Axis, Chart, draw_lines, draw_rows, name_classes

Key = tuple[str, str]  # a metric and a run
Evaluated: TypeAlias = Any  # the Scores of `evaluate`, which stands above


class Scored:
    """What `evaluate` returned, perhaps by one metric alone, and the charts of it.

    ``measures`` are the metrics that are numbers and of queries, and ``means`` the scores of runs
    by them; ``scores`` has one for each of ``queries``, or None.
    """

    def __init__(self, scores: Evaluated, metric: str | None = None) -> None:
        known = take_per_query(scores).schema
        own = {m.name: m for m in scores.metrics if m.name in known and known[m.name].is_numeric()}
        if metric is not None:
            require_one_of("metric", metric, tuple(own))
            own = {metric: own[metric]}
        self.metrics, self.measures = [*own], [*own.values()]
        self.runs: list[str] = scores.mean["run_id"].unique(maintain_order=True).to_list()
        frame = scores.per_query.with_columns(pl.col(self.metrics).cast(pl.Float64))
        queries = frame.select(pl.col("query_id").unique(maintain_order=True))
        self.queries: list[str] = queries["query_id"].to_list()
        self.means = _take_means(scores, frame, self.measures)
        self.scores: dict[Key, list[float | None]] = {}
        for run in self.runs:
            part = frame.filter(run_id=run)
            part = queries.join(part, on="query_id", how="left", maintain_order="left")
            self.scores |= {(name, run): part[name].to_list() for name in self.metrics}

    def list_known(self, metric: str, run: str) -> list[tuple[float, str]]:
        """The scores that there are by a metric and of a run, with their queries."""
        found = zip(self.scores[metric, run], self.queries, strict=True)
        return [(x, query) for x, query in found if x is not None]

    def draw_strips(self, title: str, below: str, keys: Mapping[str, Key]) -> Chart:
        """A dot for the score of each query, and a line for the mean, in a row for each name."""
        averaged = [m.name for m in self.measures if m.summary == "mean"]
        means = {key: mean for key, mean in self.means.items() if key[0] in averaged}
        rows: list[dict[str, Any]] = [
            {"name": name, "scores": self.list_known(*key), "mean": means.get(key)}
            for name, key in keys.items()
        ]
        axis = Axis.over((x for row in rows for x, _ in row["scores"]), 5)
        return draw_rows("strips", title, below, axis, rows)

    def draw_cutoffs(self, classes: Mapping[str, str] | None = None) -> Iterator[Chart]:
        """A line for each run through its means, for each metric at several cut-offs."""
        found: dict[str, list[tuple[str, int, float]]] = {}
        for measure in self.measures:
            k = dict(measure.arguments).get("k")
            stem = re.sub(r"@\d+$", "@k", measure.canonical_name)
            means = {run: self.means[measure.name, run] for run in self.runs}
            if isinstance(k, int):
                rows = found.setdefault(stem, [])
                rows += [(run, k, mean) for run, mean in means.items() if mean is not None]
        for stem, rows in found.items():
            if len({k for _, k, _ in rows}) > 1:
                rows.sort(key=lambda row: row[1])
                colours = classes or name_classes(self.runs)
                yield draw_lines(f"{stem} by cut-off", "cut-off", rows, colours)


def _take_means(
    scores: Evaluated, frame: pl.DataFrame, measures: Sequence[Measure]
) -> dict[Key, float | None]:
    """The score of each run by each metric; over all segments, where means and sums have one."""
    mean = scores.mean
    if scores.segments:
        weight = None if scores.weight is None else quote_name(scores.weight)
        ways = {m.name: m.summary if m.summary in ("mean", "sum") else "none" for m in measures}
        named = {quote_name(name): way for name, way in ways.items()}
        sums = [f"{write_summary(name, way, weight)} AS {name}" for name, way in named.items()]
        mean = frame.sql(f"SELECT run_id, {', '.join(sums)} FROM self GROUP BY run_id")
    return {(m.name, row["run_id"]): row[m.name] for row in mean.to_dicts() for m in measures}
