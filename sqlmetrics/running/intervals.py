"""Intervals of mean scores, by the analysis ``means``, of the scores of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from ..catalogue import find_file
from ..catalogue.measures import Measure
from ..errors import MetricError
from .checks import refuse_tables
from .connections import open_reader
from .relations import ask
from .session import Question

# With fewer queries, an interval of skewed scores is too narrow (docs/compare.md).
FEW = 10


def add_intervals(
    mean: pl.DataFrame, per_query: pl.DataFrame, question: Question, alpha: float
) -> tuple[pl.DataFrame, list[str]]:
    """The means, each followed by the ends of its interval, null where it has none; and notes."""
    measures = [m for m in question.metrics if m.summary == "mean" and m.name in per_query.columns]
    if not measures:
        names = ", ".join(measure.name for measure in question.metrics)
        raise MetricError(f"intervals are of means over queries, and {names} is none; name one")
    numbered = mean.with_row_index("segment")
    rows = per_query.join(
        numbered.select(*question.keys, "segment"), question.keys, nulls_equal=True
    )
    long = pl.concat(_list_scores(rows, measure, question.weight) for measure in measures)
    with open_reader() as reader:
        scores = reader.register(long)
        refuse_tables(reader.con, find_file("means"), {"scores": scores}, {})
        found = ask(reader.con, f"FROM means({scores}, alpha := {float(alpha)!r})")
    bounded = place_ends(numbered, found, ["segment"], question.metrics).drop("segment")
    return bounded, [*_describe(found, question.metrics, measures)]


def place_ends(
    scores: pl.DataFrame, found: pl.DataFrame, keys: Sequence[str], measures: Sequence[Measure]
) -> pl.DataFrame:
    """The scores, each of some metrics followed by the ends of its interval, ``low`` and ``high``.

    ``found`` has these in a row for each ``metric`` and the ``keys``.
    """
    for measure in measures:
        ends = {f"{measure.name}_{end}": end for end in ("low", "high")}
        own = found.filter(metric=measure.name).select(*keys, **ends)
        place = scores.columns.index(measure.name) + 1
        columns = [*scores.columns[:place], *ends, *scores.columns[place:]]
        if keys:
            scores = scores.join(own, on=keys, how="left", nulls_equal=True, maintain_order="left")
        else:
            scores = scores.hstack(own.clear(1) if own.is_empty() else own)
        scores = scores.select(columns)
    return scores


def _list_scores(rows: pl.DataFrame, measure: Measure, weight: str | None) -> pl.DataFrame:
    """The scores of a metric as `means` takes them; what is null is in no mean."""
    lowest, highest = measure.metric.range
    return rows.select(
        "run_id",
        "query_id",
        pl.col("segment").cast(pl.Int64),
        metric=pl.lit(measure.name),
        score=pl.col(measure.name).cast(pl.Float64),
        weight=pl.lit(None, pl.Float64) if weight is None else pl.col(weight).cast(pl.Float64),
        lowest=pl.lit(float(lowest)),
        highest=pl.lit(float(highest)),
    ).drop_nulls("score")


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
