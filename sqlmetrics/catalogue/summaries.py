"""Summaries: a run's score from those of its queries."""

from __future__ import annotations

import re
from collections.abc import Callable

import polars as pl

# The least that a query adds to a geometric mean, as in trec_eval: one failure does not make it 0.
_FLOOR = 1e-5


def _take_mean(scores: pl.Expr, weight: pl.Expr | None) -> pl.Expr:
    return scores.mean() if weight is None else (scores * weight).sum() / weight.sum()


def _take_geometric_mean(scores: pl.Expr, weight: pl.Expr | None) -> pl.Expr:
    return _take_mean(pl.max_horizontal(scores, pl.lit(_FLOOR)).log(), weight).exp()


def _take_harmonic_mean(scores: pl.Expr, weight: pl.Expr | None) -> pl.Expr:
    if weight is not None:  # a query that counts nothing may score 0
        scores = pl.when(weight > 0).then(scores)
    return pl.when(scores.min() > 0).then(1 / _take_mean(1 / scores, weight)).otherwise(0.0)


_MEANS: dict[str, Callable[[pl.Expr, pl.Expr | None], pl.Expr]] = {
    "mean": _take_mean,
    "geometric": _take_geometric_mean,
    "harmonic": _take_harmonic_mean,
}
_OTHERS: dict[str, Callable[[pl.Expr], pl.Expr]] = {
    "sum": pl.Expr.sum,
    "median": pl.Expr.median,
    "std": pl.Expr.std,
    "min": pl.Expr.min,
    "max": pl.Expr.max,
}


def find_problem(aggregate: object) -> str | None:
    """What is wrong with ``aggregate`` as a summary, or None."""
    names = [*_MEANS, *_OTHERS, "pooled"]
    if aggregate in names or _read_percentile(aggregate) is not None:
        return None
    *others, last = (f"'{name}'" for name in names)
    return (
        f"aggregate is {', '.join(others)}, {last} or a percentile such as 'p25', not {aggregate!r}"
    )


def summarize(scores: pl.Expr, aggregate: str, weight: pl.Expr | None = None) -> pl.Expr:
    """One score of the scores of many queries; ``weight`` is how much each counts in a mean.

    ``aggregate``: arithmetic ``mean``, ``sum``, ``geometric`` mean (in which a query adds no less
    than 0.00001, as in trec_eval), ``harmonic`` mean (0 if a score is 0), ``median``, ``std`` (of
    the sample), ``min``, ``max``, ``p25`` and other percentiles (linear interpolation). ``none`` is
    for what has no score for a run.
    """
    if aggregate == "none":
        return pl.lit(None, pl.Float64)
    if aggregate in _MEANS:
        return _MEANS[aggregate](scores, weight)
    percentile = _read_percentile(aggregate)
    if percentile is not None:
        return scores.quantile(percentile / 100, interpolation="linear")
    return _OTHERS[aggregate](scores)


_IN_SQL = {
    "mean": "avg({x})",
    "sum": "sum({x})",
    "min": "min({x})",
    "max": "max({x})",
    "std": "stddev_samp({x})",
    "geometric": f"exp(avg(ln(greatest({{x}}, {_FLOOR:e}))))",
    "harmonic": "CASE WHEN min({x}) > 0 THEN 1e0 / avg(1e0 / nullif({x}, 0)) ELSE 0e0 END",
}


def write_summary(column: str, aggregate: str, weight: str | None = None) -> str | None:
    """The same as a SQL aggregate; None where engines have no common one."""
    if aggregate == "none":
        return "CAST(NULL AS VARCHAR)"
    if weight is None:
        return _IN_SQL[aggregate].format(x=column) if aggregate in _IN_SQL else None
    if aggregate == "sum":
        return f"sum({column})"
    return f"sum({column} * {weight}) / sum({weight})" if aggregate == "mean" else None


def takes_weight(aggregate: str) -> bool:
    """Whether queries may count differently in it; in a sum they never do, and need not."""
    return aggregate in _MEANS or aggregate in ("sum", "none")


def _read_percentile(aggregate: object) -> int | None:
    found = re.fullmatch(r"p(\d\d?)", aggregate) if isinstance(aggregate, str) else None
    return int(found[1]) if found else None
