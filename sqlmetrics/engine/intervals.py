"""Intervals of mean scores, by the analysis ``means``, of the scores of queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from ..catalogue import find_file
from ..catalogue.measures import Measure
from ..errors import MetricError
from ..result import note_few
from .checks import refuse_tables
from .connections import open_reader
from .session import Request


def add_intervals(
    mean: pl.DataFrame, per_query: pl.DataFrame, request: Request, alpha: float
) -> tuple[pl.DataFrame, list[str]]:
    """The means, each followed by the ends of its interval, null where it has none; and notes."""
    wanted = request.metrics
    measures = [m for m in wanted if m.summary == "mean" and m.name in per_query.columns]
    if not measures:
        names = ", ".join(measure.name for measure in wanted)
        raise MetricError(f"intervals are of means, and {names} has none; name another metric")
    weight = pl.lit(None) if request.weight is None else pl.col(request.weight)
    scores = {measure: (pl.col(measure.name), weight) for measure in measures}
    found, bounded = bound(mean, request.keys, per_query, "query_id", scores, alpha, wanted)
    notes = note_few(found["queries"].min())
    if others := [measure.name for measure in wanted if measure not in measures]:
        notes.append(f"no interval for {', '.join(others)}: not a mean over queries")
    return bounded, notes


def bound(
    mean: pl.DataFrame,
    keys: Sequence[str],
    rows: pl.DataFrame,
    unit: str,
    scores: Mapping[Measure, tuple[pl.Expr, pl.Expr]],
    alpha: float,
    wanted: Collection[Measure],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of `means`, and the means, those ``wanted`` followed by the ends of their intervals.

    ``rows`` have the ``keys`` of a row of ``mean``, and a ``unit``; ``scores`` are what they score
    by a measure, and with which weight. What is null is in no mean.
    """
    named = [pl.repeat(0, pl.len()).alias("key")]
    named += (pl.col(key).alias(f"key {number}") for number, key in enumerate(keys))
    places = mean.select(named).with_row_index("segment").cast({"segment": pl.Int64})
    own = rows.select(named).join(
        places, places.columns[1:], how="left", nulls_equal=True, maintain_order="left"
    )
    long = pl.concat(
        rows.select(
            own["segment"],
            query_id=unit,
            score=score.cast(pl.Float64),
            weight=weight.cast(pl.Float64),
            run_id=pl.lit("all"),
            metric=pl.lit(measure.name),
            lowest=pl.lit(float(measure.metric.range[0])),
            highest=pl.lit(float(measure.metric.range[1])),
        )
        for measure, (score, weight) in scores.items()
    ).drop_nulls(["segment", "score"])
    with open_reader() as reader:
        table = reader.register(long)
        refuse_tables(reader, find_file("means"), {"scores": table}, {})
        found = reader.run(f"FROM means({table}, alpha := {float(alpha)!r})")
    columns = mean.get_columns()
    for name in (measure.name for measure in wanted):
        ends = found.filter(metric=name).select("segment", "low", "high")
        ends = places.join(ends, "segment", how="left", maintain_order="left")
        place = [column.name for column in columns].index(name) + 1
        columns[place:place] = (ends[end].alias(f"{name}_{end}") for end in ("low", "high"))
    return found, pl.DataFrame(columns)
