"""Sections: what their templates show of differences, queries, lines over ranks and segments."""

from __future__ import annotations

from typing import Any

import polars as pl

from ..result import show_level
from .charts import Axis, Chart, Strip, draw_lines, draw_rows, find_interval, find_tone
from .facts import Extras, Facts

_MOST_SEGMENTS = 50


def find_differences(facts: Facts, metric: str) -> dict[str, Any]:
    """The rows of a metric by run, and what their columns are called.

    A row has its confidence if others have another, and an interval; of the baseline it is alone.
    """
    tests = {run: facts.tests[metric, run] for run in facts.others}
    levels = {run: show_level(row["confidence"]) for run, row in tests.items()}
    is_same = len({*levels.values()}) == 1
    rows = {
        run: {"interval": find_interval("difference", 0, (None, None), "base")}
        for run in facts.runs
    }
    for run, row in tests.items():
        between = (row["low"], row["high"])
        found = find_interval("difference", row["difference"], between, find_tone(row))
        rows[run] = row | {"interval": found, "level": "" if is_same else f" ({levels[run]})"}
    ends = (row[key] for row in tests.values() for key in ("low", "difference", "high"))
    is_corrected = any(row["p"] != row["p_corrected"] for row in tests.values())
    return {
        "rows": rows,
        "axis": Axis.over((end for end in ends if end is not None), 4),
        "interval": f"{min(levels.values())} interval" if is_same else "interval",
        "p": "p corrected" if is_corrected else "p",
    }


def find_strips(facts: Facts) -> Chart | None:
    """A strip for each run, or of one run for each metric."""
    if len(facts.queries) < 2:
        return None
    first, (best, *others) = facts.first.name, facts.runs
    known = {key: facts.list_known(*key) for key in facts.scores}
    title, keys = f"{first} of every query", {run: (first, run) for run in facts.runs}
    if not others:
        title, keys = "Scores of every query", {name: (name, best) for name in facts.metrics}
        inside = [name for name, key in keys.items() if all(0 <= x <= 1 for x, _ in known[key])]
        keys = {name: keys[name] for name in inside if known[keys[name]]} or {first: keys[first]}
    means = {m.name for m in facts.measures if m.summary == "mean"}
    rows = [
        Strip(name, known[key], facts.means[key] if key[0] in means else None)
        for name, key in keys.items()
    ]
    return draw_rows(title, "", rows)


def find_lines(facts: Facts, extras: Extras) -> list[Chart]:
    found = []
    if extras.curve is not None:
        rows = extras.curve.sort("recall").select("run_id", "recall", "precision").rows()
        found.append(draw_lines("Precision over recall", "recall", rows, facts.classes))
    if extras.cutoffs is not None and extras.cutoffs.width > 2:
        rows = extras.cutoffs.unpivot(index="run_id").rows()
        rows = [(run, int(k), score) for run, k, score in rows]
        title = f"{extras.cutoff_name} by cut-off"
        found.append(draw_lines(title, "cut-off", rows, facts.classes))
    return found


def find_segments(facts: Facts) -> dict[str, Any]:
    """The largest segments: the values of each and its number of queries; the means of each run."""
    keys = [*facts.labels]
    sizes = facts.segments.group_by(keys, maintain_order=True).agg(pl.col("_queries").max())
    kept = sizes.sort("_queries", descending=True, maintain_order=True).head(_MOST_SEGMENTS)
    listed = sizes.join(kept.select(keys), on=keys, how="semi", nulls_equal=True)
    rows = facts.segments.rows(named=True)
    means = {(row["run_id"], *(row[key] for key in keys)): row for row in rows}
    return {"rows": listed.rows(), "number": sizes.height, "means": means}
