"""Simulate judges who follow `to_judge`: how soon the bounds of runs no longer overlap.

    python benchmarks/simulate_judging.py qrels.txt runs/*.gz

The judgments of the first documents of each run are there from the start; the others are made in
batches, in each order and at random. Documents that the given judgments lack are not relevant.
"""

from __future__ import annotations

import click
import polars as pl

import sqlmetrics as sm
from sqlmetrics.engine.connections import open_reader
from sqlmetrics.inputs.columns import QRELS

BATCH = 50
ORDERS = ("scores", "runs", "depth", "front")


def judge(chosen: pl.DataFrame, truth: pl.DataFrame) -> pl.DataFrame:
    """The documents with their true relevance."""
    keys = ["query_id", "doc_id"]
    judged = chosen.select(keys).join(truth, on=keys, how="left", maintain_order="left")
    return judged.with_columns(pl.col("relevance").fill_null(0))


def simulate(
    truth: pl.DataFrame, start: pl.DataFrame, runs: list[str], order: str, most: int, metric: str
) -> list[tuple[int, int]]:
    """How many pairs of runs have bounds that overlap, after how many judgments."""
    judged, number, found = start, 0, []
    while True:
        undecided = sm.bounds(judged, runs, metric, max_rel=truth["relevance"].max()).undecided
        found.append((number, undecided.height))
        if number >= most:
            return found
        if order.startswith("random"):
            chosen = sm.to_judge(judged, runs).sample(
                fraction=1, shuffle=True, seed=int(order.removeprefix("random")) + number
            )
            chosen = chosen.head(BATCH)
        else:
            chosen = sm.to_judge(judged, runs, budget=BATCH, strategy=order)
        if chosen.is_empty():
            return found
        judged = pl.concat([judged, judge(chosen, truth)])
        number += chosen.height


@click.command()
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True)
@click.option("--metric", default="nDCG@10", show_default=True)
@click.option("--start-depth", default=3, show_default=True, help="Judged from the start.")
@click.option("--judgments", default=1000, show_default=True, help="How many are made.")
@click.option("--seeds", default=5, show_default=True, help="Random orders; their mean is shown.")
def main(
    qrels: str,
    runs: tuple[str, ...],
    metric: str,
    start_depth: int,
    judgments: int,
    seeds: int,
) -> None:
    """Print how many pairs have bounds that overlap, by order and number of judgments."""
    queries = sm.evaluate(qrels, list(runs), "NumRel").per_query.select("query_id").unique()
    with_all = sm.to_judge(None, list(runs), depth=start_depth).join(queries, on="query_id")
    with open_reader() as reader:
        truth = reader.read(qrels, QRELS).frame
    start = judge(with_all, truth)
    rows = []
    for order in (*ORDERS, *(f"random{seed}" for seed in range(seeds))):
        found = simulate(truth, start, list(runs), order, judgments, metric)
        rows += [(order.rstrip("0123456789"), *each) for each in found]
    table = pl.DataFrame(rows, ["order", "judgments", "undecided"], orient="row")
    table = table.group_by("order", "judgments", maintain_order=True).agg(
        pl.col("undecided").mean()
    )
    shown = table.filter(pl.col("judgments").is_in([0, 50, 200, 500, 1000]))
    print(shown.pivot("order", index="judgments", values="undecided"))


if __name__ == "__main__":
    main()
