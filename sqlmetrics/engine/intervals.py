"""Intervals of mean scores, by the analysis ``means``, of the scores of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from ..catalogue import find_file
from ..catalogue.measures import Measure
from ..errors import MetricError
from .checks import refuse_tables
from .connections import open_reader
from .session import Request

# With fewer queries, an interval of skewed scores is too narrow (docs/compare.md).
FEW = 10
ROW = "_row"  # a column beside those of users


def add_intervals(
    mean: pl.DataFrame, per_query: pl.DataFrame, request: Request, alpha: float
) -> tuple[pl.DataFrame, list[str]]:
    """The means, each followed by the ends of its interval, null where it has none; and notes."""
    measures = [m for m in request.metrics if m.summary == "mean" and m.name in per_query.columns]
    if not measures:
        names = ", ".join(measure.name for measure in request.metrics)
        raise MetricError(f"intervals are of means over queries, and {names} is none; name one")
    weight = pl.lit(None) if request.weight is None else pl.col(request.weight)
    places = mean.select(request.keys).with_row_index(ROW)
    rows = per_query.join(places, request.keys, nulls_equal=True)
    scores = {
        measure: rows.select(ROW, "query_id", score=measure.name, weight=weight)
        for measure in measures
    }
    found, bounded = bound(mean, scores, alpha, request.metrics)
    return bounded, [*_describe(found, request.metrics, measures)]


def bound(
    mean: pl.DataFrame,
    scores: Mapping[Measure, pl.DataFrame],
    alpha: float,
    wanted: Sequence[Measure],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of `means`, and the means, those ``wanted`` followed by the ends of their intervals.

    ``scores`` of a measure have the number of a row of ``mean``, query_id, score and weight; what
    is null is in no mean.
    """
    long = pl.concat(
        rows.select(
            pl.col(ROW).cast(pl.Int64).alias("segment"),
            "query_id",
            pl.col("score", "weight").cast(pl.Float64),
            run_id=pl.lit("all"),
            metric=pl.lit(measure.name),
            lowest=pl.lit(float(measure.metric.range[0])),
            highest=pl.lit(float(measure.metric.range[1])),
        )
        for measure, rows in scores.items()
    ).drop_nulls("score")
    with open_reader() as reader:
        table = reader.register(long)
        refuse_tables(reader, find_file("means"), {"scores": table}, {})
        found = reader.run(f"FROM means({table}, alpha := {float(alpha)!r})")
    numbered = mean.with_row_index(ROW)
    for name in (measure.name for measure in wanted):
        ends = {f"{name}_{end}": end for end in ("low", "high")}
        own = found.filter(metric=name).select(pl.col("segment").cast(pl.UInt32).alias(ROW), **ends)
        place = numbered.columns.index(name) + 1
        columns = [*numbered.columns[:place], *ends, *numbered.columns[place:]]
        numbered = numbered.join(own, ROW, how="left", maintain_order="left").select(columns)
    return found, numbered.drop(ROW)


def _describe(
    found: pl.DataFrame, wanted: Sequence[Measure], measures: Sequence[Measure]
) -> Iterator[str]:
    fewest = found["queries"].min()
    if isinstance(fewest, int) and fewest < FEW:
        yield (
            f"with fewer than {FEW} queries, intervals are a rough guide: they assume scores that "
            "are nearly normal"
        )
    if others := [measure.name for measure in wanted if measure not in measures]:
        yield f"no interval for {', '.join(others)}: not a mean over queries"
