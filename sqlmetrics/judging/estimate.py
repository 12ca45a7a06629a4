"""Estimates: mean scores from many judgments by a machine and a few by people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import polars as pl

from ..comparing.scores import find_ranges, place, take_scores
from ..errors import InputError, require_number
from ..inputs.columns import naming
from ..progress import begin, remark
from ..running.connections import open_reader
from ..running.relations import relate

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns


def estimate(
    automatic: Any,  # noqa: ANN401
    human: Any,  # noqa: ANN401
    *,
    metrics: str | Iterable[str] = (),
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> pl.DataFrame:
    """The mean scores that people would give, from many judgments by a machine and a few by people.

    The machine's scores (from a language model, say) are corrected by how far they are from the
    people's scores where there are both (prediction-powered inference, Angelopoulos et al. 2023).
    The closer they follow people, the more they count; the interval is narrower than that of the
    people's scores alone. What is estimated is the mean over these queries, as if people had judged
    all of them: if they did, nothing is left to estimate. The queries that people judged must be a
    random sample of all.

    - ``automatic``: scores of all queries with the machine's judgments: what `evaluate` returns, a
      frame, a table of ``con`` or a file with run_id, query_id and a column for each metric.
    - ``human``: the same with people's judgments, for some of the queries.
    - ``metrics``: which of them; by default all that both have.
    - ``alpha``: intervals contain the mean with 1 - alpha.

    A row for each metric and run: ``metric``, ``run_id``, ``queries``, ``judged`` (how many of them
    by people), ``mean`` with its interval from ``low`` to ``high``, ``automatic_mean`` over all
    queries, and ``human_mean`` with its interval from ``human_low`` to ``human_high``, from
    people's judgments alone. No interval or estimate leaves what is possible, given the range of
    the metric and the scores by people. An interval is null where what was judged does not vary,
    and too narrow if people judged few queries, with a note: docs/judges.md has simulations.

    Raises `InputError` for scores that cannot be read, queries without automatic scores, and fewer
    than three queries with human ones, unless these are all.

    >>> automatic = pl.DataFrame({
    ...     "run_id": ["a"] * 6, "query_id": list("123456"), "AP": [0.1, 0.5, 0.4, 0.9, 0.3, 0.8],
    ... })
    >>> human = pl.DataFrame({
    ...     "run_id": ["a"] * 3, "query_id": list("123"), "AP": [0.0, 0.4, 0.3],
    ... })
    >>> found = estimate(automatic, human)
    >>> [round(each, 3) for each in found.select("mean", "automatic_mean", "human_mean").row(0)]
    [0.312, 0.5, 0.233]
    """
    require_number("alpha", alpha, 0, 1)
    with naming(columns) as named:
        theirs, _, notes = take_scores(human, metrics, by=(), con=con, columns=named)
        ours, _, more = take_scores(automatic, metrics, by=(), con=con, columns=named)
    remark([*more, *notes])
    shared = [
        name for name in ours["metric"].unique(maintain_order=True) if name in theirs["metric"]
    ]
    if not shared:
        listed = [", ".join(each["metric"].unique(maintain_order=True)) for each in (ours, theirs)]
        raise InputError(f"no metric in common: {listed[0]} by the machine, {listed[1]} by people")
    tables = {
        "automatic": ours.filter(pl.col("metric").is_in(shared)),
        "human": theirs.filter(pl.col("metric").is_in(shared)),
    }
    begin("estimating means", ours.height)
    with open_reader() as reader:
        rows = relate(reader, "estimated", tables)
        level = float(alpha)
        found = rows.ask(
            {
                "queries": "count(*)",
                "judged": "count(p.human)",
                "mean": "prediction_powered_mean(p)",
                "error": "prediction_powered_error(p)",
                "automatic_mean": "avg(p.automatic)",
                "human_mean": "avg(p.human)",
                "human_error": "max(p.scale) * stddev_samp(p.human / p.scale) "
                "/ sqrt(count(p.human)) "
                "* sqrt(1e0 - 1e0 * count(p.human) / count(*))",
                "varies": "has_spread(p.human)",
                **{
                    f"t{lost}": f"student_quantile({level!r}, greatest(count(p.human) - {lost}, 1))"
                    for lost in (1, 2)
                },
            }
        )
    _require_enough(found)
    found = found.join(find_ranges(pl.concat(tables.values(), how="diagonal")), on="metric")
    found = found.sort(place(shared), "run_id")
    remark(_describe_limits(found))
    # what the queries that people judged leave possible
    share = pl.col("judged") / pl.col("queries")
    rest = pl.when(_ARE_ALL).then(0.0)
    ends = [
        share * pl.col("human_mean") + rest.otherwise((1 - share) * pl.col(end))
        for end in ("lowest", "highest")
    ]
    margin, human_margin = pl.col("t2") * pl.col("error"), pl.col("t1") * pl.col("human_error")
    return found.select(
        *("metric", "run_id", "queries", "judged"),
        pl.col("mean").clip(*ends),
        pl.when(_HAS_INTERVAL).then((pl.col("mean") - margin).clip(*ends)).alias("low"),
        pl.when(_HAS_INTERVAL).then((pl.col("mean") + margin).clip(*ends)).alias("high"),
        *("automatic_mean", "human_mean"),
        pl.when(_HAS_OWN)
        .then((pl.col("human_mean") - human_margin).clip(*ends))
        .alias("human_low"),
        pl.when(_HAS_OWN)
        .then((pl.col("human_mean") + human_margin).clip(*ends))
        .alias("human_high"),
    )


# Below this number of queries that people judged, intervals contain the mean less often than they
# say: docs/judges.md has simulations.
_FEW = 20

# What does not vary among the queries that people judged may vary among the others.
_ARE_ALL = pl.col("judged") == pl.col("queries")
_HAS_OWN = _ARE_ALL | pl.col("varies")
_HAS_INTERVAL = _ARE_ALL | (pl.col("varies") & (pl.col("error") > 1e-6 * pl.col("human_error")))


def _require_enough(found: pl.DataFrame) -> None:
    few = (pl.col("judged") == 0) | ((pl.col("judged") < 3) & ~_ARE_ALL)
    for row in found.filter(few).sort("run_id").iter_rows(named=True):
        number = ("no query", "one query", "two queries")[row["judged"]]
        raise InputError(
            f"run {row['run_id']} has human scores of {row['metric']} for {number}; an estimate "
            "needs three or more"
        )


def _describe_limits(found: pl.DataFrame) -> Iterator[str]:
    """What the intervals cannot say."""
    for row in found.filter(~_HAS_INTERVAL).iter_rows(named=True):
        yield (
            f"{row['metric']} of {row['run_id']}: no interval, since the {row['judged']} queries "
            "that people judged do not show how far the machine is off in others"
        )
    few = found.filter(~_ARE_ALL & (pl.col("judged") < _FEW))
    for number in few.select(pl.col("judged").min())["judged"].drop_nulls():
        yield (
            f"people judged {number} queries: intervals from fewer than {_FEW} contain the mean "
            "less often than they say"
        )
