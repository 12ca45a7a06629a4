"""Estimates: mean scores from many judgments by a machine and a few by people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import polars as pl

from ..comparing.scores import require_number, take_scores
from ..engines.connections import open_reader
from ..engines.groups import prepare, relate
from ..errors import InputError
from ..progress import begin, remark

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
    people's scores alone, and as likely to contain the mean that people would give. The queries
    that people judged must be a random sample of all.

    - ``automatic``: scores of all queries with the machine's judgments: what `evaluate` returns, a
      frame, a table of ``con`` or a file with run_id, query_id and a column for each metric.
    - ``human``: the same with people's judgments, for some of the queries.
    - ``metrics``: which of them; by default all that both have.
    - ``alpha``: intervals contain the mean with 1 - alpha.

    A row for each metric and run: ``metric``, ``run_id``, ``queries``, ``judged`` (how many of them
    by people), ``mean`` with its interval from ``low`` to ``high``, ``automatic_mean`` over all
    queries, and ``human_mean`` with its interval from ``human_low`` to ``human_high``, from
    people's judgments alone.

    Raises `InputError` for scores that cannot be read, queries without automatic scores, and fewer
    than two queries with human ones.

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
    theirs, _, notes = take_scores(human, metrics, by=(), con=con, columns=columns)
    ours, _, more = take_scores(automatic, metrics, by=(), con=con, columns=columns)
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
        prepare(reader, "agreement")
        rows = relate(reader, "estimated", tables)
        found = rows.ask(
            {
                "queries": "count(*)",
                "judged": "count(p.human)",
                "mean": "prediction_powered_mean(p)",
                "error": "prediction_powered_error(p)",
                "automatic_mean": "avg(p.automatic)",
                "human_mean": "avg(p.human)",
                "human_error": "max(p.scale) * stddev_samp(p.human / p.scale) / sqrt(count(p.human))",
                "t": f"student_quantile({alpha!r}, greatest(count(p.human) - 1, 1))",
            }
        )
    for row in found.filter(pl.col("judged") < 2).sort("run_id").iter_rows(named=True):
        number = "no query" if row["judged"] == 0 else "one query"
        raise InputError(
            f"run {row['run_id']} has human scores of {row['metric']} for {number}; an estimate "
            "needs two or more"
        )
    margin, human_margin = pl.col("t") * pl.col("error"), pl.col("t") * pl.col("human_error")
    place = pl.col("metric").replace_strict(shared, range(len(shared)), return_dtype=pl.Int64)
    return found.sort(place, "run_id").select(
        *("metric", "run_id", "queries", "judged", "mean"),
        (pl.col("mean") - margin).alias("low"),
        (pl.col("mean") + margin).alias("high"),
        *("automatic_mean", "human_mean"),
        (pl.col("human_mean") - human_margin).alias("human_low"),
        (pl.col("human_mean") + human_margin).alias("human_high"),
    )
