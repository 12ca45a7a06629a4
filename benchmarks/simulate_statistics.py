"""Simulate comparisons and gates: how often their intervals and verdicts are right.

    python benchmarks/simulate_statistics.py

writes statistics.csv, from which the pages have their tables. Each sample is a metric of its own,
so that one call computes thousands of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import numpy as np
import polars as pl
from numpy.typing import NDArray

import sqlmetrics as sm

Numbers = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Numbers]
ROOT = Path(__file__).parent
MARGIN = 0.02


def wins_and_losses(wins: float, losses: float) -> Draw:
    def draw(random: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
        place = random.random(shape)
        return np.where(place < wins, 1.0, np.where(place < wins + losses, -1.0, 0.0))

    return draw


def some_lose(share: float, gain: float, spread: float) -> Draw:
    """A share of the queries loses 0.4; the others gain."""

    def draw(random: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
        loses = random.random(shape) < share
        return np.where(loses, -0.4, random.normal(gain, spread, shape))

    return draw


def reciprocal_ranks(random: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
    before, after = (random.choice([0, 0.1, 0.2, 1 / 3, 0.5, 1], shape) for _ in range(2))
    same = random.random(shape) < 0.5
    return np.where(same, 0.0, after - before + 0.0)


# name: how to draw, and the true mean
DIFFERENCES: dict[str, tuple[Draw, float]] = {
    "normal": (lambda random, shape: random.normal(0.02, 0.1, shape), 0.02),
    "0 or 1: 10 % win, 10 % lose": (wins_and_losses(0.1, 0.1), 0.0),
    "0 or 1: 15 % win, 5 % lose": (wins_and_losses(0.15, 0.05), 0.1),
    "0 or 1: 30 % win": (wins_and_losses(0.3, 0.0), 0.3),
    "RR, half the same": (reciprocal_ranks, 0.0),
    "20 % lose 0.4": (some_lose(0.2, 0.05, 0.05), -0.04),
    "5 % lose 0.4": (some_lose(0.05, 0.01, 0.02), -0.0105),
}
MEANS: dict[str, tuple[Draw, float]] = {
    f"0 or 1, mean {mean:g}": (
        lambda random, shape, mean=mean: (random.random(shape) < mean) * 1.0,
        mean,
    )
    for mean in (0.05, 0.2, 0.5, 0.9)
} | {
    "skewed, mean 0.17": (lambda random, shape: random.beta(0.3, 1.5, shape), 1 / 6),
    "60 % are 0, mean 0.16": (
        lambda random, shape: np.where(random.random(shape) < 0.6, 0, random.beta(2, 3, shape)),
        0.16,
    ),
    "mean 0.71": (lambda random, shape: random.beta(5, 2, shape), 5 / 7),
    "mean 0.92": (lambda random, shape: random.beta(8, 0.7, shape), 8 / 8.7),
}
# differences with a mean of 0
LOSSES: dict[str, Draw] = {
    "normal": lambda random, shape: random.normal(0, 0.1, shape),
    "skewed": lambda random, shape: 0.1 - random.gamma(1, 0.1, shape),
    "5 % lose 0.4": some_lose(0.05, 0.4 * 0.05 / 0.95, 0.02),
}


def write_scores(run: Numbers, baseline: Numbers | float = 0.0) -> pl.DataFrame:
    """Scores of two runs: a metric for each row, a query for each column."""
    number, n = run.shape
    return pl.concat(
        pl.DataFrame(
            {
                "metric": np.repeat([f"P@{sample + 1}" for sample in range(number)], n),
                "run_id": name,
                "query_id": np.tile([f"q{query}" for query in range(n)], number),
                "score": np.broadcast_to(scores, run.shape).ravel().astype(float),
            }
        )
        for name, scores in (("new", run), ("old", np.asarray(baseline)))
    )


def share(rows: pl.DataFrame, right: pl.Expr) -> float:
    return float(rows.select(right.mean()).item())


def simulate_differences(random: np.random.Generator, number: int) -> Iterator[tuple[object, ...]]:
    for name, (draw, truth) in DIFFERENCES.items():
        for n in (5, 10, 25, 50):
            scores = write_scores(draw(random, (number, n)))
            for method in ("t", "bca"):
                found = sm.compare(scores, "old", correction="none", interval=method).tests
                given = found.filter(pl.col("low").is_not_null())
                covers = pl.lit(truth).is_between(pl.col("low") - 1e-9, pl.col("high") + 1e-9)
                yield "differences", name, method, n, share(given, covers)
            yield "differences", name, "no interval", n, 1 - given.height / number


def simulate_means(random: np.random.Generator, number: int) -> Iterator[tuple[object, ...]]:
    for name, (draw, truth) in MEANS.items():
        for n in (5, 10, 25, 50):
            scores = write_scores(draw(random, (number, n)))
            floors = dict.fromkeys(scores["metric"].unique(), 0.0)
            found = sm.gate(scores, "new", baseline="old", fail_under=floors, alpha=0.025).checks
            covers = pl.lit(truth).is_between(pl.col("low") - 1e-9, pl.col("high") + 1e-9)
            yield "means", name, "Wilson", n, share(found, covers)
            t = sm.compare(scores, "old", correction="none").tests
            none = pl.col("low").is_null() & (pl.col("difference") - truth == 0)
            yield "means", name, "t", n, share(t, covers.fill_null(value=False) | none)


def check_gate(run: Numbers, baseline: Numbers | float, limit: float | str) -> pl.DataFrame:
    scores = write_scores(run, baseline)
    limits = dict.fromkeys(scores["metric"].unique(maintain_order=True), limit)
    options = {"max_loss": limits, "allow": ["no-spread"]}
    return sm.gate(scores, "new", baseline="old", **options).checks


def simulate_gate(random: np.random.Generator, number: int) -> Iterator[tuple[object, ...]]:
    for name, draw in LOSSES.items():
        for n in (10, 25, 50, 100):
            for case, mean in (("at the limit", -MARGIN), ("equal", 0.0)):
                found = check_gate(draw(random, (number, n)) + mean, 0.0, MARGIN)
                for status in ("passed", "failed"):
                    yield (
                        "gate",
                        name,
                        f"{case}, {status}",
                        n,
                        share(found, pl.col("status") == status),
                    )


def simulate_many(random: np.random.Generator, number: int) -> Iterator[tuple[object, ...]]:
    """Twenty checks at once of runs at their limits: how often one fails, and all pass."""
    for name, draw in LOSSES.items():
        for correction in ("none", "holm"):
            statuses = []
            for _ in range(number // 20):
                scores = write_scores(draw(random, (20, 50)) - MARGIN)
                limits = dict.fromkeys(scores["metric"].unique(), MARGIN)
                found = sm.gate(
                    scores, "new", baseline="old", max_loss=limits, correction=correction
                )
                statuses.append(found.checks["status"].to_list())
            fails = np.mean(["failed" in each for each in statuses])
            yield "many", name, f"{correction}, one of 20 failed", 50, float(fails)


def simulate_shares(random: np.random.Generator, number: int) -> Iterator[tuple[object, ...]]:
    """Runs that lose just the share allowed of the baseline's mean."""
    for loss in (0.04, 0.5):
        for n in (25, 100):
            baseline = random.beta(1, 2, (number, n))
            run = (1 - loss) * baseline + random.normal(0, 0.05, (number, n))
            # for samples with a given true mean, the baseline is not the same each time
            found = check_gate(run, baseline, f"{100 * loss:g}%")
            for status in ("passed", "failed"):
                yield (
                    "shares",
                    f"{100 * loss:g}%",
                    status,
                    n,
                    share(found, pl.col("status") == status),
                )


def simulate_corrections(random: np.random.Generator, number: int) -> Iterator[tuple[object, ...]]:
    """Six runs that are compared with a baseline and do not differ from it in truth."""
    for correction in ("none", "holm", "bonferroni", "bh"):
        marked, missed = 0, 0
        for _ in range(number // 10):
            base = random.beta(1, 2, 50)
            runs = base + random.normal(0, 0.1, (6, 50))
            scores = pl.concat(
                pl.DataFrame(
                    {"run_id": f"r{run}", "query_id": [f"q{q}" for q in range(50)], "value": values}
                )
                for run, values in enumerate([base, *runs])
            )
            found = sm.compare(scores, "r0", correction=correction).tests
            marked += found["significant"].any()
            missed += (~((found["low"] <= 0) & (found["high"] >= 0))).any()
        yield "corrections", correction, "▲ or ▼ in the table", 50, marked / (number // 10)
        yield "corrections", correction, "an interval without 0", 50, missed / (number // 10)


@click.command()
@click.option("--number", default=4000, show_default=True, help="Samples of each kind.")
@click.option("--seed", default=26, show_default=True)
@click.option("-o", "--output", default=ROOT / "statistics.csv", type=click.Path(path_type=Path))
def main(number: int, seed: int, output: Path) -> None:
    rows = []
    for simulate in (
        *(simulate_differences, simulate_means, simulate_gate, simulate_many, simulate_shares),
        simulate_corrections,
    ):
        for row in simulate(np.random.default_rng(seed), number):
            click.echo("\t".join(map(str, row)))
            rows.append(row)
    schema = ["table", "case", "what", "queries", "share"]
    pl.DataFrame(rows, schema, orient="row").with_columns(pl.col("share").round(4)).write_csv(
        output
    )


if __name__ == "__main__":
    main()
