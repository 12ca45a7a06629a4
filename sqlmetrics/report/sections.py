"""Sections: what their templates show of differences, queries, lines over ranks and segments."""

from __future__ import annotations

from typing import Any

import polars as pl

from ..result import name_interval
from .charts import Axis, Chart, draw_lines
from .facts import Facts
from .scored import Evaluated, Scored

_MOST_SEGMENTS = 50


def find_differences(facts: Facts, metric: str) -> dict[str, Any]:
    """The axis of the differences in a metric, and what columns of their table are called."""
    tests = [facts.tests[metric, run] for run in facts.others]
    ends = (row[key] for row in tests for key in ("low", "difference", "high"))
    is_corrected = any(row["p"] != row["p_corrected"] for row in tests)
    return {
        "axis": Axis.over((end for end in ends if end is not None), 4),
        "interval": name_interval(*(row["confidence"] for row in tests)),
        "p": "p corrected" if is_corrected else "p",
    }


def find_strips(facts: Facts) -> Chart | None:
    """A strip for each run, or of one run for each metric."""
    if len(facts.queries) < 2:
        return None
    first, (best, *others) = facts.first.name, facts.runs
    if others:
        keys = {run: (first, run) for run in facts.runs}
        return facts.draw_strips(f"{first} of every query", "", keys)
    shown = [m.name for m in facts.measures if m.metric.range == (0, 1)]
    keys = {name: (name, best) for name in shown or [first]}
    return facts.draw_strips("Scores of every query", "", keys)


def find_lines(facts: Facts, curve: Evaluated, cutoffs: Evaluated) -> list[Chart]:
    """Interpolated, averaged precision over recall, and scores by cut-off."""
    found = list[Chart]()
    if curve:
        recalls = {each.name: dict(each.arguments)["recall"] for each in curve.metrics}
        means = Scored(curve).means.items()
        rows = [(run, recalls[name], mean) for (name, run), mean in means if mean is not None]
        found.append(draw_lines("Precision over recall", "recall", rows, facts.classes))
    return [*found, *(Scored(cutoffs).draw_cutoffs(facts.classes) if cutoffs else ())]


def find_segments(facts: Facts) -> dict[str, Any]:
    """The largest segments: the values of each and its number of queries; the means of each run."""
    keys, source = [*facts.labels], facts.source
    means = {(row["run_id"], *(row[key] for key in keys)): row for row in source.mean.to_dicts()}
    found = source.per_query.group_by("run_id", *keys).len("query_id")  # as no segment is called
    sizes = source.mean.select(keys).unique(maintain_order=True)
    found = found.group_by(keys).agg(pl.col("query_id").max())
    sizes = sizes.join(found, on=keys, nulls_equal=True, maintain_order="left")
    kept = sizes.sort("query_id", descending=True, maintain_order=True).head(_MOST_SEGMENTS)
    listed = sizes.join(kept.select(keys), on=keys, how="semi", nulls_equal=True)
    return {"rows": listed.rows(), "number": sizes.height, "means": means}
