"""Summaries: a run's score from the scores of its queries, as SQL."""

from __future__ import annotations

import re

# The least that a query adds to a geometric mean, as in trec_eval: one failure does not make it 0.
_FLOOR = 1e-5

_MEANS = ("mean", "geometric", "harmonic")
_OTHERS = ("sum", "median", "std", "min", "max")


def find_problem(aggregate: object) -> str | None:
    """What is wrong with ``aggregate`` as a summary, or None."""
    names = [*_MEANS, *_OTHERS, "pooled"]
    is_named = isinstance(aggregate, str) and aggregate in names
    if is_named or read_percentile(aggregate) is not None:
        return None
    *others, last = (f"'{name}'" for name in names)
    return (
        f"aggregate must be {', '.join(others)}, {last} or a percentile such as 'p25', "
        f"not {aggregate!r}"
    )


def takes_weight(aggregate: str) -> bool:
    """Whether queries may count differently in it; in a sum they never do, and need not."""
    return aggregate in (*_MEANS, "sum", "none")


def write_summary(
    x: str, aggregate: str, weight: str | None = None, *, exact: bool = False
) -> str | None:
    """One score of the scores ``x`` of many queries, as a SQL aggregate.

    ``aggregate``: arithmetic ``mean``, ``sum``, ``geometric`` mean (in which a query adds no less
    than 0.00001, as in trec_eval), ``harmonic`` mean (0 if a score is 0), ``median``, ``std`` (of
    the sample), ``min``, ``max``, ``p25`` and other percentiles (linear interpolation). ``none`` is
    for what has no score for a run. ``weight`` is how much each query counts in a mean.

    ``exact`` is for DuckDB: the same bits in whatever order it adds. None where engines have no
    common aggregate.
    """
    add = "exact_sum" if exact else "sum"

    def mean(term: str) -> str:
        if weight is not None:
            counted = f"CASE WHEN {x} IS NOT NULL THEN {weight} END"
            return f"{add}({term} * {weight}) / nullif({add}({counted}), 0)"
        return f"exact_sum({term}) / count({term})" if exact else f"avg({term})"

    if aggregate == "none":
        return "CAST(NULL AS VARCHAR)"
    if aggregate == "mean":
        return mean(x)
    if aggregate == "geometric":
        # greatest would take the other of two values for a score that is NULL
        least = f"CASE WHEN {x} < {_FLOOR:e} THEN {_FLOOR:e} ELSE {x} END"
        return f"exp({mean(f'ln({least})')})"
    if aggregate == "harmonic":
        counted = x if weight is None else f"CASE WHEN {weight} > 0 THEN {x} END"
        inverse = mean(f"(1e0 / nullif({x}, 0))")
        return f"CASE WHEN min({counted}) > 0 THEN 1e0 / ({inverse}) ELSE 0e0 END"
    if aggregate == "sum":
        return f"{add}({x})"
    if aggregate in ("min", "max"):
        return f"{aggregate}({x})"
    if aggregate == "std":
        return (
            f"list_aggregate(list_sort(list({x})), 'stddev_samp')" if exact else f"stddev_samp({x})"
        )
    if not exact:
        return None
    percentile = read_percentile(aggregate)
    return f"median({x})" if percentile is None else f"quantile_cont({x}, {percentile / 100})"


def read_percentile(aggregate: object) -> int | None:
    """The percentile that an aggregate asks for, or None."""
    found = re.fullmatch(r"p(\d\d?)", aggregate) if isinstance(aggregate, str) else None
    return int(found[1]) if found else None
