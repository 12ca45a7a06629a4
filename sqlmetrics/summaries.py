"""Summaries: a run's figure from those of its queries."""

from __future__ import annotations

import re
from collections.abc import Callable

import polars as pl

# The least that a query adds to a geometric mean, as in trec_eval: one failure does not make it 0.
_FLOOR = 1e-5


def _take_geometric_mean(scores: pl.Expr) -> pl.Expr:
    return pl.max_horizontal(scores, pl.lit(_FLOOR)).log().mean().exp()


def _take_harmonic_mean(scores: pl.Expr) -> pl.Expr:
    return pl.when(scores.min() > 0).then(1 / (1 / scores).mean()).otherwise(0.0)


_SUMMARIES: dict[str, Callable[[pl.Expr], pl.Expr]] = {
    "mean": pl.Expr.mean,
    "sum": pl.Expr.sum,
    "geometric": _take_geometric_mean,
    "harmonic": _take_harmonic_mean,
    "median": pl.Expr.median,
    "std": pl.Expr.std,
    "min": pl.Expr.min,
    "max": pl.Expr.max,
}


def find_problem(over: object) -> str | None:
    """What is wrong with ``over`` as a summary, or None."""
    if over in _SUMMARIES or over == "pooled" or _read_percentile(over) is not None:
        return None
    *others, last = (f"'{name}'" for name in [*_SUMMARIES, "pooled"])
    return f"over is {', '.join(others)}, {last} or a percentile such as 'p25', not {over!r}"


def summarize(scores: pl.Expr, over: str, weight: pl.Expr | None = None) -> pl.Expr:
    """One figure of the scores of many queries; ``weight`` is how much each counts in a mean.

    ``over``: arithmetic ``mean``, ``sum``, ``geometric`` mean (in which a query adds no less than
    0.00001, as in trec_eval), ``harmonic`` mean (0 if a score is 0), ``median``, ``std`` (of the
    sample), ``min``, ``max``, ``p25`` and other percentiles (linear interpolation). ``none`` is
    for what has no figure for a run.
    """
    if over == "none":
        return pl.lit(None, pl.Float64)
    if over == "mean" and weight is not None:
        return (scores * weight).sum() / weight.sum()
    percentile = _read_percentile(over)
    if percentile is not None:
        return scores.quantile(percentile / 100, interpolation="linear")
    return _SUMMARIES[over](scores)


def _read_percentile(over: object) -> int | None:
    found = re.fullmatch(r"p(\d\d?)", over) if isinstance(over, str) else None
    return int(found[1]) if found else None
