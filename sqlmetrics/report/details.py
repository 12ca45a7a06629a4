"""Details: what their template shows of queries, of lines over ranks and of segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from ..result import count
from ..tables import Table
from .charts import Chart, Strip, draw_lines, draw_rows, find_axis
from .facts import Extras, Facts

_MOST_SEGMENTS = 50


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
    rows = []
    for name, key in keys.items():
        mean = facts.means[key]
        said = f"{name}: {count(len(known[key]), 'query')}, mean {facts.show(key[0], mean)}"
        rows.append(Strip(name, known[key], mean if key[0] in means else None, said))
    return draw_rows(title, "", find_axis(rows), rows)


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
