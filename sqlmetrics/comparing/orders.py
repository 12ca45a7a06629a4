"""Orders: whether two metrics, or two sets of judgments, put the runs in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import polars as pl

from ..errors import InputError
from ..running.connections import open_reader
from ..running.relations import relate, require
from .scores import settle, take_scores

_STATISTICS = {
    **{name: f"{name}(p)" for name in ("kendall_tau", "tau_ap", "spearman")},
    "rbo": "rbo(p, p := {p!r})",
}


def compare_orders(
    scores: Any,  # noqa: ANN401
    other: Any = None,  # noqa: ANN401
    *,
    p: float = 0.9,
) -> pl.DataFrame:
    """How far two metrics, or two sets of judgments, put the runs in the same order.

    - ``scores``: as for `compare`.
    - ``other``: scores of the same runs, such as by other judgments: each metric is compared with
      the same one there. Without it, every two metrics of ``scores`` are compared.
    - ``p``: of rank-biased overlap; a higher one looks further down.

    A frame with ``metric``, ``other_metric``, ``runs`` (their number), ``kendall_tau`` (tau-b),
    ``tau_ap`` (of the order by ``other_metric``, with the first as the truth), ``spearman`` and
    ``rbo``. A tie is broken in every way, and the mean of these taken, in ``tau_ap`` and ``rbo``.

    Raises `InputError` for fewer than two runs, or scores that have no run in common.

    >>> scores = pl.DataFrame({
    ...     "run_id": ["a", "b", "c"], "query_id": "1", "AP": [0.3, 0.2, 0.1], "RR": [1.0, 0.2, 0.5]
    ... })
    >>> compare_orders(scores).select("metric", "other_metric", "kendall_tau").rows()
    [('AP', 'RR', 0.3333333333333333)]
    """
    require("rbo", p=p)
    asked = {name: how.format(p=float(p)) for name, how in _STATISTICS.items()}
    means = _average(scores)
    theirs = means if other is None else _average(other)
    rows = []
    with open_reader() as reader:
        for metric, against in _list_pairs(means, theirs, is_one=other is None):
            items = means.filter(metric=metric).join(theirs.filter(metric=against), on="run_id")
            if items.height < 2:
                raise InputError(f"{metric} and {against} have fewer than two runs in common")
            listed = items.select(item="run_id", a="mean", b="mean_right")
            found = relate(reader, "ordered", {"scorings": listed}).ask(asked)
            rows.append((metric, against, items.height, *found.row(0)))
    numbers = dict.fromkeys(_STATISTICS, pl.Float64)
    schema = {"metric": pl.String, "other_metric": pl.String, "runs": pl.Int64, **numbers}
    return pl.DataFrame(rows, schema, orient="row")


def _average(scores: Any) -> pl.DataFrame:  # noqa: ANN401
    """The place of the mean of each run by each metric; means equal up to rounding share one."""
    long, _, _ = take_scores(scores, by=())
    unusable = long.filter(~pl.col("score").abs().le(1e300).fill_null(value=False))
    for run, query, metric, score in unusable.select(
        "run_id", "query_id", "metric", "score"
    ).rows():
        raise InputError(f"{metric} {score} for query {query} of run {run} is not a finite number")
    groups = long.group_by("metric", "run_id", maintain_order=True)
    means = groups.agg(mean=pl.col("score").sort().mean(), size=pl.col("score").abs().max())
    return means.with_columns(mean=settle("mean", pl.col("size")).over("metric"))


def _list_pairs(
    means: pl.DataFrame, theirs: pl.DataFrame, *, is_one: bool
) -> Iterator[tuple[str, str]]:
    ours, others = (f["metric"].unique(maintain_order=True).to_list() for f in (means, theirs))
    if is_one:
        if len(ours) < 2:
            raise InputError(f"{ours[0]} is the only metric; comparing orders needs another")
        yield from combinations(ours, 2)
        return
    if not {*ours} & {*others}:
        raise InputError(f"no metric in common: {', '.join(ours)} here, {', '.join(others)} there")
    yield from ((metric, metric) for metric in ours if metric in others)
