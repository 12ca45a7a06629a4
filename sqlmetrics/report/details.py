"""Details: what their template shows of queries, of lines over ranks and of segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import polars as pl

from ..result import count
from ..tables import Table
from .charts import MOST_DOTS, Axis, spread, stack_bars, swarm
from .facts import Extras, Facts

_MOST_SEGMENTS = 50
# The ends of the vertical axis of lines.
_HIGHEST, _LOWEST = 12, 238


# Scores of every query


@dataclass(frozen=True)
class Strip:
    """The scores of a run by a metric, as dots or as bars that count them."""

    metric: str
    run: str
    name: str
    label: str
    kind: str
    marks: str
    mean: float | None


@dataclass(frozen=True)
class Strips:
    """Strips on one axis."""

    title: str
    axis: Axis
    rows: list[Strip]


def find_strips(facts: Facts) -> Strips | None:
    """A strip for each run, or of one run for each metric."""
    if len(facts.queries) < 2:
        return None
    first = facts.first.name
    title, keys = f"{first} of every query", [(first, run, run) for run in facts.runs]
    if len(facts.runs) == 1:
        (run,) = facts.runs
        known = {m.name: facts.list_known(m.name, run) for m in facts.measures}
        inside = [
            name for name, scores in known.items() if scores and all(0 <= x <= 1 for x in scores)
        ]
        title, keys = "Scores of every query", [(name, run, name) for name in inside or [first]]
    found = [facts.list_known(metric, run) for metric, run, _ in keys]
    axis = Axis.over((x for scores in found for x in scores), 5)
    means = {m.name for m in facts.measures if m.summary == "mean"}
    kind, draw = ("dots", swarm) if len(facts.queries) <= MOST_DOTS else ("heap", stack_bars)
    rows = []
    for (metric, run, name), scores in zip(keys, found, strict=True):
        mean = facts.means[metric, run]
        label = f"{name}: {count(len(scores), 'query')}, mean {facts.show(metric, mean)}"
        marks = draw(axis, scores, 1000, 28)
        at = mean if metric in means else None
        rows.append(Strip(metric, run, name, label, kind, marks, at))
    return Strips(title, axis, rows)


# Lines over recall and cut-offs


@dataclass(frozen=True)
class Lines:
    """A line for each run through points from 0 to 1; ``names`` are the ticks below."""

    title: str
    caption: str
    below: str
    names: list[tuple[float, str]]
    points: Mapping[str, Sequence[tuple[float, float]]]
    has_dots: bool = False

    @property
    def axis(self) -> Axis:
        return Axis.over(y for points in self.points.values() for _, y in points)

    @property
    def labels(self) -> dict[str, float]:
        """Where the name of each run is beside the end of its line, if there are several.

        Those that end in the same place are in the order of their means.
        """
        if len(self.points) < 2:
            return {}
        ends = {
            run: (-points[-1][1], -sum(y for _, y in points)) for run, points in self.points.items()
        }
        runs = sorted(ends, key=lambda run: ends[run])
        wanted = [_LOWEST - self.axis.place(-ends[run][0], _LOWEST - _HIGHEST) for run in runs]
        return dict(zip(runs, spread(wanted, _HIGHEST, _LOWEST), strict=True))


def find_lines(facts: Facts, extras: Extras) -> list[Lines]:
    found = []
    if extras.curve is not None:
        curve = extras.curve.sort("recall").select("run_id", "recall", "precision").rows()
        points = {run: [(x, y) for name, x, y in curve if name == run] for run in facts.runs}
        names = [(x / 4, f"{x / 4:g}") for x in range(5)]
        caption = "interpolated, mean of the queries"
        found.append(Lines("Precision over recall", caption, "recall", names, points))
    if extras.cutoffs is not None and extras.cutoffs.width > 2:
        scores = {
            run: row for run, *row in extras.cutoffs.select("run_id", pl.exclude("run_id")).rows()
        }
        columns = [column for column in extras.cutoffs.columns if column != "run_id"]
        # as far apart as their logarithms
        steps = [log(int(k)) / log(int(columns[-1])) for k in columns]
        points = {run: list(zip(steps, scores[run], strict=True)) for run in facts.runs}
        names = list(zip(steps, columns, strict=True))
        title = f"{extras.cutoff_name} by cut-off"
        found.append(Lines(title, "", "cut-off", names, points, has_dots=True))
    return found


# Documents


def find_documents(facts: Facts, extras: Extras) -> list[Table]:
    """A table for each query that is explained, of the baseline and the run beside it."""
    if extras.documents is None or facts.chosen is None:
        return []
    return [*extras.documents.choose(str(facts.baseline), facts.chosen).tables()]


# Segments


@dataclass(frozen=True)
class Segments:
    """The largest segments: the values of each, and the number of its queries; ``means`` by run."""

    keys: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    number: int
    means: dict[tuple[Any, ...], dict[str, Any]]


def find_segments(facts: Facts) -> Segments | None:
    if facts.segments is None:
        return None
    keys = [*facts.labels]
    sizes = facts.segments.group_by(keys, maintain_order=True).agg(pl.col("_queries").max())
    kept = sizes.sort("_queries", descending=True, maintain_order=True).head(_MOST_SEGMENTS)
    listed = sizes.join(kept.select(keys), on=keys, how="semi", nulls_equal=True)
    means = {
        (row["run_id"], *(row[key] for key in keys)): row
        for row in facts.segments.iter_rows(named=True)
    }
    return Segments(tuple(keys), listed.rows(), sizes.height, means)
