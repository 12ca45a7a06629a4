"""Simulate how often intervals contain the true value, by the functions and SQL that users call.

    python benchmarks/simulate_coverage.py              all tables of benchmarks/coverage.csv
    python benchmarks/simulate_coverage.py agreement    one of them

A cell is the share of the intervals that contain it, and the share of the simulations that have no
interval. `docs/build.py` writes the tables into the pages.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import click
import numpy as np
import polars as pl

import sqlmetrics as sm
from sqlmetrics.engine.connections import DuckDB, open_reader

RESULTS = Path(__file__).with_name("coverage.csv")
COLUMNS = ("table", "row", "column", "contained", "none")

# A row and a column of a table, the share of intervals that contain the true value, and the share
# of simulations without an interval.
Cell: TypeAlias = tuple[str, str, float, float]
Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]


def count_contained(
    frame: pl.DataFrame, truth: pl.Expr, low: str, high: str
) -> tuple[float, float]:
    """How many intervals of a frame contain the true value, and how many are missing."""
    known = frame.drop_nulls([low, high])
    inside = truth.is_between(pl.col(low) - 1e-12, pl.col(high) + 1e-12)
    contained = known.select(inside.mean()).item()
    return math.nan if contained is None else contained, 1 - known.height / frame.height


def open_group(reader: DuckDB, frame: pl.DataFrame, query: str) -> pl.DataFrame:
    """What a query over the frame, as t, returns."""
    table = reader.register(frame)
    return reader.run(query.format(t=table))


# Interleaving: every outcome, counted as often as it is drawn

TIES = (0, 0.3, 0.6, 0.9)
WINS = (0.5, 0.6, 0.75, 0.9, 1)


def list_outcomes(pages: int) -> pl.DataFrame:
    rows = [
        (f"{wins} {losses}", wins, losses, outcome)
        for wins in range(pages + 1)
        for losses in range(pages + 1 - wins)
        for outcome in [1] * wins + [-1] * losses + [0] * (pages - wins - losses)
    ]
    columns = ["metric", "wins", "losses", "outcome"]
    return pl.DataFrame(rows, columns, orient="row")


def weigh(pages: int, wins: Numbers, losses: Numbers, win: float, loss: float) -> Numbers:
    """The probability of these numbers of wins and losses."""
    ways = [
        math.factorial(pages)
        // math.factorial(w)
        // math.factorial(m)
        // math.factorial(pages - w - m)
        for w, m in zip(wins, losses, strict=True)
    ]
    ties = pages - wins - losses
    return np.array(ways, float) * win**wins * loss**losses * max(0, 1 - win - loss) ** ties


def cover_preferences(pages: int, simulations: int) -> Iterator[Cell]:  # noqa: ARG001 - has all
    """The lowest and the mean share over true preferences and shares of ties."""
    with open_reader() as reader:
        found = open_group(
            reader,
            list_outcomes(pages),
            "SELECT p.wins, p.losses, preference_interval(p) AS exact, avg(p.outcome) / 2 AS mean, "
            "margin_of_error(p) AS margin "
            "FROM (SELECT *, outcome / 2e0 AS difference, 1e0 AS scale FROM {t}) AS p "
            "GROUP BY p.metric, p.wins, p.losses",
        )
    wins, losses = (found[name].to_numpy() for name in ("wins", "losses"))
    ends = {
        "Student's t": (found["mean"] - found["margin"], found["mean"] + found["margin"]),
        "interval": (found["exact"].list.get(0), found["exact"].list.get(1)),
    }
    for name, (low, high) in ends.items():
        shares = []
        for tie, win in itertools.product(TIES, WINS):
            chances = ((1 - tie) * win, (1 - tie) * (1 - win))
            truth = (chances[0] - chances[1]) / 2
            inside = ((low - 1e-12 <= truth) & (truth <= high + 1e-12)).to_numpy()
            shares.append(weigh(pages, wins, losses, *chances) @ inside)
        yield f"{name}, lowest", str(pages), min(shares), 0
        yield f"{name}, mean", str(pages), sum(shares) / len(shares), 0


# Weighted queries: differences of two runs whose weighted mean is 0 in truth

WEIGHTS: dict[str, Callable[[np.random.Generator, int], Numbers]] = {
    "exponential": lambda random, size: random.exponential(1, size),
    "lognormal": lambda random, size: np.exp(random.normal(0, 1, size)),
    "Pareto, shape 1.5": lambda random, size: random.pareto(1.5, size) + 1,
    "one in five ten times as heavy": lambda random, size: np.where(
        random.random(size) < 0.2, 10.0, 1.0
    ),
}


def cover_weighted(queries: int, simulations: int) -> Iterator[Cell]:
    for name, draw in WEIGHTS.items():
        random = np.random.default_rng(queries)
        weight = draw(random, queries * simulations)
        difference = random.normal(0, 0.1, len(weight))
        for kind, steady in (("as unsteady", 1), ("steadier where heavy", 1 / np.sqrt(weight))):
            rows = pl.DataFrame(
                {
                    "metric": np.repeat(np.arange(simulations), queries),
                    "query_id": np.tile(np.arange(queries), simulations),
                    "score": difference * steady,
                    "weight": weight,
                }
            )
            baseline = rows.with_columns(score=pl.lit(0.0), run_id=pl.lit("a"))
            scores = pl.concat([baseline, rows.with_columns(run_id=pl.lit("b"))], how="diagonal")
            found = sm.compared(scores, baseline="a", correction="none")
            contained = count_contained(found, pl.lit(0.0), "low", "high")
            yield f"{name}, {kind}", str(queries), *contained


# Data sets: the mean of the means of six data sets, whose true means differ

PER_DATASET = {
    "5": [5],
    "10": [10],
    "25": [25],
    "50": [50],
    "10 to 200": [10, 10, 20, 40, 100, 200],
}
BETAS: dict[str, Callable[[np.random.Generator, Numbers], Numbers]] = {
    "symmetric": lambda random, truth: random.beta(4 * truth, 4 * (1 - truth)),
    "skewed, many near 0 or 1": lambda random, truth: random.beta(0.8 * truth, 0.8 * (1 - truth)),
    "0 or 1": lambda random, truth: (random.random(len(truth)) < truth) * 1.0,
}
TRUTHS = np.array([0.15, 0.25, 0.35, 0.45, 0.55, 0.65])


def cover_datasets(sizes: str, simulations: int) -> Iterator[Cell]:
    queries = np.resize(PER_DATASET[sizes], len(TRUTHS))
    truth = np.tile(np.repeat(TRUTHS, queries), simulations)
    for name, draw in BETAS.items():
        scores = pl.DataFrame(
            {
                "run_id": "a",
                "metric": np.repeat(np.arange(simulations), queries.sum()),
                "dataset": np.tile(np.repeat(np.arange(len(TRUTHS)), queries), simulations),
                "score": draw(np.random.default_rng(queries.sum()), truth),
            }
        ).with_row_index("query_id")
        found = sm.mean_of_means(scores, by="dataset")
        yield name, sizes, *count_contained(found, pl.lit(TRUTHS.mean()), "low", "high")


# Experiments: users of two variants without a true difference


def draw_counts(random: np.random.Generator, size: int) -> Numbers:
    """Clicks that a few users make most of: their mean is 1, their skewness 4.5."""
    return random.negative_binomial(0.2, 1 / 6, size).astype(float)


VALUES: dict[str, Callable[[np.random.Generator, int], Numbers]] = {
    **{
        f"0 or 1, rate {rate}": lambda random, size, rate=rate: (random.random(size) < rate) * 1.0  # type: ignore[misc]
        for rate in (0.02, 0.1, 0.3, 0.5)
    },
    "counts, skewness 4.5": draw_counts,
    "lognormal, skewness 6.2": lambda random, size: np.exp(random.normal(0, 1, size)),
}
SPLITS = {"equal": 1, "9 to 1": 9}


def cover_differences(split: str, size: int, simulations: int) -> Iterator[Cell]:
    for name, draw in VALUES.items():
        random = np.random.default_rng([size, SPLITS[split]])
        sizes = (SPLITS[split] * size, size)
        users = pl.DataFrame(
            {
                "metric": np.repeat(np.arange(simulations), sum(sizes)),
                "variant": np.tile(np.repeat(["A", "B"], sizes), simulations),
                "numerator": draw(random, simulations * sum(sizes)),
            }
        ).with_row_index("user_id")
        shares = dict(zip("AB", sizes, strict=True))
        found = sm.experiment(users, control="A", shares=shares, correction="none")
        yield f"{split}, {name}", str(size), *count_contained(found, pl.lit(0.0), "low", "high")


# Looks: an experiment without a true difference that is looked at every day, 100 users later

LOOKED_AT = ("0 or 1, rate 0.1", "0 or 1, rate 0.5", "counts, skewness 4.5")
DAYS = 20


def cover_looks(name: str, simulations: int) -> Iterator[Cell]:
    users = pl.DataFrame(
        {
            "metric": np.repeat(np.arange(simulations), 100 * DAYS),
            "day": np.tile(np.repeat(np.arange(1, DAYS + 1), 100), simulations),
            "variant": np.tile(["A", "B"], 50 * DAYS * simulations),
            "numerator": VALUES[name](np.random.default_rng(7), 100 * DAYS * simulations),
        }
    ).with_row_index("user_id")
    for kind, planned in (("Welch's", None), ("anytime", 100 * DAYS)):
        looks = [
            sm.experiment(
                users.filter(pl.col("day") <= day).drop("day"),
                control="A",
                correction="none",
                anytime=planned,
            ).select("metric", day=day, inside=~((pl.col("low") > 0) | (pl.col("high") < 0)))
            for day in range(1, DAYS + 1)
        ]
        for days in (1, 5, DAYS):
            seen = pl.concat(looks[:days]).group_by("metric").agg(pl.col("inside").all())
            yield f"{name}, {kind}", str(days), float(seen["inside"].mean()), 0


# Looks at interleaving: pages of which b wins some more, or as many, every day, 100 pages later

PREFERRED = {"no preference": 0.0, "b preferred by 0.03": 0.03}
ENDS = """SELECT p.metric, preference_interval(p) AS exact, preference(p) AS mean,
    CASE WHEN var_samp(p.outcome) > 0 THEN anytime_margin(
        var_samp(p.outcome) / 4e0 / count(*), anytime_steps(count(*), {planned}, 5e-2), 95e-2
    ) ELSE 1e0 END AS margin
FROM (SELECT *, outcome / 2e0 AS difference, 1e0 AS scale FROM {{t}}) AS p GROUP BY p.metric"""


def cover_interleaved_looks(ties: float, simulations: int) -> Iterator[Cell]:
    """How often all intervals contain the true preference, and how often one finds b."""
    days = np.tile(np.repeat(np.arange(1, DAYS + 1), 100), simulations)
    for name, truth in PREFERRED.items():
        chances = [(1 - ties) / 2 - truth, ties, (1 - ties) / 2 + truth]
        random = np.random.default_rng([7, round(100 * ties)])
        outcomes = random.choice([-1, 0, 1], len(days), p=chances)
        pages = pl.DataFrame(
            {
                "metric": np.repeat(np.arange(simulations), 100 * DAYS),
                "day": days,
                "outcome": outcomes,
            }
        )
        looks = []
        with open_reader() as reader:
            for day in range(1, DAYS + 1):
                seen = pages.filter(pl.col("day") <= day)
                found = open_group(reader, seen, ENDS.format(planned=100 * DAYS))
                if day == 2:
                    _require_same(seen.filter(metric=0), found.filter(metric=0))
                exact = pl.col("exact").list
                ends = {
                    "sign test": (exact.get(0), exact.get(1)),
                    "anytime": (
                        pl.col("mean") - pl.col("margin"),
                        pl.col("mean") + pl.col("margin"),
                    ),
                }
                looks += [
                    found.select(
                        "metric",
                        kind=pl.lit(kind),
                        day=day,
                        inside=pl.lit(truth).is_between(low - 1e-12, high + 1e-12),
                        found=low > 0,
                    )
                    for kind, (low, high) in ends.items()
                ]
        for kind, part in pl.concat(looks).group_by("kind", maintain_order=True):
            row = f"{name}, {ties:.0%} ties, {kind[0]}"
            for number in (1, 5, DAYS):
                seen = part.filter(pl.col("day") <= number).group_by("metric")
                share = seen.agg(pl.col("inside").all())["inside"].mean()
                yield row, str(number), float(share), 0
            if truth and kind[0] == "anytime":
                for number in (1, 5, DAYS):
                    seen = part.filter(pl.col("day") <= number).group_by("metric")
                    share = seen.agg(pl.col("found").any())["found"].mean()
                    yield f"{row}: found", str(number), float(share), 0


def _require_same(pages: pl.DataFrame, found: pl.DataFrame) -> None:
    """Fail unless these are the ends that `interleaving` reports."""
    won = pl.col("outcome") > 0
    drafted = pages.with_row_index("page_id").select(
        "page_id",
        clicked=(pl.col("outcome") != 0).cast(pl.Int64),
        team=pl.when(won).then(pl.lit("b")).otherwise(pl.lit("a")),
    )
    low, high = sm.interleaving(drafted, anytime=100 * DAYS).select("low", "high").row(0)
    mean, margin = found.select("mean", "margin").row(0)
    np.testing.assert_allclose([low, high], [mean - margin, mean + margin], rtol=1e-12)
    low, high = sm.interleaving(drafted).select("low", "high").row(0)
    np.testing.assert_allclose([low, high], found["exact"][0].to_list(), rtol=1e-12)


# Plans: tests with as many users as past ones say, for a difference of a quarter of the spread


def draw_habits(random: np.random.Generator, size: int) -> Numbers:
    """What users did before and after, each of whom has a rate of her own."""
    return random.poisson(random.gamma(1, 2, size), (2, size)).astype(float)


PLANNED: dict[str, tuple[float, Callable[[np.random.Generator, int], Numbers]]] = {
    **{
        name: (
            spread,
            lambda random, size, draw=VALUES[name]: np.stack([np.zeros(size), draw(random, size)]),
        )  # type: ignore[misc]
        for name, spread in (("0 or 1, rate 0.1", 0.3), ("counts, skewness 4.5", math.sqrt(6)))
    },
    "normal": (1, lambda random, size: np.stack([np.zeros(size), random.normal(0, 1, size)])),
    "counts, partly explained by those before": (math.sqrt(6), draw_habits),
}


def find_planned(share: float, past: int, simulations: int) -> Iterator[Cell]:
    for name, (spread, draw) in PLANNED.items():
        random = np.random.default_rng([past, round(100 * share)])

        def make_users(sizes: Numbers, name: str = name, draw: Any = draw) -> pl.DataFrame:  # noqa: ANN401
            before, after = draw(random, sizes.sum())  # noqa: B023 - called at once
            users = pl.DataFrame(
                {"metric": np.repeat(np.arange(len(sizes)), sizes), "numerator": after}
            )
            users = (
                users.with_columns(before=pl.Series(before)) if name.endswith("before") else users
            )
            return users.with_row_index("user_id")

        known = make_users(np.full(simulations, past)).with_columns(variant=pl.lit("A"))
        plan = sm.users_needed(known, difference=spread / 4, share=share).drop_nulls("users")
        users = make_users(plan["users"].to_numpy())
        place = pl.int_range(pl.len()).over("metric")
        treated = place < plan["variant_users"].gather(users["metric"])
        users = users.with_columns(
            variant=pl.when(treated).then(pl.lit("B")).otherwise(pl.lit("A")),
            numerator=pl.col("numerator") + pl.when(treated).then(spread / 4).otherwise(0),
        )
        found = sm.experiment(
            users, control="A", shares={"A": 1 - share, "B": share}, correction="none"
        )
        row = f"{name}, {share:.0%} of users in the variant"
        yield row, str(past), found["significant"].mean(), 1 - plan.height / simulations


# Estimates: a machine's scores of all queries, people's of some


def draw_near(
    random: np.random.Generator, shape: tuple[int, int], a: float, b: float, noise: float
) -> tuple[Numbers, Numbers]:
    """Scores by people with a Beta distribution, and by a machine that is too kind."""
    people = random.beta(a, b, shape)
    return people, np.clip(people + random.normal(0.05, noise, shape), 0, 1)


def draw_flipped(random: np.random.Generator, shape: tuple[int, int]) -> tuple[Numbers, Numbers]:
    """Scores of 0 and, for one query of five, 1; the machine is wrong about 15 of 100."""
    people = random.random(shape) < 0.2
    return people * 1.0, (people ^ (random.random(shape) < 0.15)) * 1.0


SCORES: dict[str, Callable[[np.random.Generator, tuple[int, int]], tuple[Numbers, Numbers]]] = {
    "symmetric": partial(draw_near, a=2, b=2, noise=0.1),
    "symmetric, noisier machine": partial(draw_near, a=2, b=2, noise=0.3),
    "skewed": partial(draw_near, a=0.3, b=1.2, noise=0.1),
    "0 or 1": draw_flipped,
}


def cover_means(queries: int, judged: int, simulations: int) -> Iterator[Cell]:
    for name, draw in SCORES.items():
        random = np.random.default_rng([queries, judged])
        people, machine = draw(random, (simulations, queries))
        scores = pl.DataFrame(
            {
                "run_id": np.repeat([f"r{n:05}" for n in range(simulations)], queries),
                "query_id": np.tile([f"q{n:03}" for n in range(queries)], simulations),
                "AP": machine.ravel(),
                "by people": people.ravel(),
            }
        )
        by_people = scores.select("run_id", "query_id", AP="by people")
        human = by_people.filter(pl.col("query_id") < f"q{judged:03}")
        found = sm.estimate(scores.drop("by people"), human)
        found = found.join(by_people.group_by("run_id").agg(truth=pl.col("AP").mean()), on="run_id")
        for side, ends in (
            ("people alone", ("human_low", "human_high")),
            ("with the machine", ("low", "high")),
        ):
            yield f"{name}, {side}", str(judged), *count_contained(found, pl.col("truth"), *ends)


# Agreement: two judges of queries that differ

STATISTICS = {
    "raw agreement": "raw_agreement(p)",
    "positive agreement": "positive_agreement(p)",
    "Cohen's kappa": "cohen_kappa(p, weights := 'quadratic')",  # with two grades, any weights do
}
DOCUMENTS = 10
SAMPLES = 1000


def draw_judges(random: np.random.Generator, simulations: int, queries: int) -> pl.DataFrame:
    """Two judges: queries differ in how many documents are relevant, and in how often they err."""
    shape = (simulations, queries, DOCUMENTS)
    relevant, errs = (random.beta(a, b, shape[:2])[..., None] for a, b in ((2, 3), (1.5, 8)))
    truth = random.random(shape) < relevant
    a, b = ((truth ^ (random.random(shape) < errs)).ravel() * 1.0 for _ in range(2))
    numbers = np.indices(shape)
    rows = pl.DataFrame(
        {"simulation": numbers[0].ravel(), "query_id": numbers[1].ravel(), "a": a, "b": b}
    )
    counted = rows.group_by("simulation", "query_id", "a", "b").len("times")
    # as in agreed, of grades up to 1
    return counted.with_columns(scale=1.0, document=pl.lit(None, pl.String))


def cover_agreement(queries: int, simulations: int) -> Iterator[Cell]:
    """The expanded percentile interval of `agreement`, and the plain one."""
    listed = ", ".join(f'{how} AS "{name}"' for name, how in STATISTICS.items())
    with open_reader() as reader:
        truth = open_group(
            reader,
            draw_judges(np.random.default_rng(0), 1, 200_000),
            f"SELECT {listed} FROM {{t}} AS p",
        )
        samples = open_group(
            reader,
            draw_judges(np.random.default_rng(queries), simulations, queries),
            f"SELECT p.simulation, {listed} "
            f"FROM resampled_queries({{t}}, samples := {SAMPLES}) AS p "
            "GROUP BY p.simulation, p.sample",
        )
        (tail,) = open_group(reader, truth, f"SELECT expanded_tail(0.05, {queries})").row(0)
    for name in STATISTICS:
        for kind, share in (("plain", 0.025), ("expanded", tail)):
            ends = samples.group_by("simulation").agg(
                low=pl.col(name).quantile(share, "linear"),
                high=pl.col(name).quantile(1 - share, "linear"),
            )
            varied = pl.when(pl.col("low") < pl.col("high"))
            ends = ends.with_columns(varied.then(pl.col(end)).alias(end) for end in ("low", "high"))
            found = count_contained(ends, pl.lit(truth[name][0]), "low", "high")
            yield f"{name}, {kind}", str(queries), *found


TABLES: dict[str, tuple[int, list[Callable[[int], Iterator[Cell]]]]] = {
    "interleaving": (1, [partial(cover_preferences, n) for n in (3, 5, 10, 25, 50)]),
    "weights": (4000, [partial(cover_weighted, n) for n in (10, 25, 50, 200)]),
    "experiments": (
        2000,
        [partial(cover_differences, each, n) for each in SPLITS for n in (5, 10, 25, 50, 200)],
    ),
    "datasets": (4000, [partial(cover_datasets, each) for each in PER_DATASET]),
    "looks": (400, [partial(cover_looks, each) for each in LOOKED_AT]),
    "interleaved-looks": (400, [partial(cover_interleaved_looks, each) for each in (0, 0.6)]),
    "plans": (1000, [partial(find_planned, s, n) for s in (0.5, 0.1) for n in (30, 100, 1000)]),
    "estimates": (4000, [partial(cover_means, 50, n) for n in (3, 5, 10, 20, 40)]),
    "agreement": (1000, [partial(cover_agreement, n) for n in (3, 5, 6, 10, 20, 50)]),
}


@click.command()
@click.argument("tables", nargs=-1, type=click.Choice([*TABLES]))
def main(tables: tuple[str, ...]) -> None:
    kept = []
    if tables and RESULTS.exists():
        kept = [
            r
            for r in pl.read_csv(RESULTS, schema_overrides={"column": pl.String}).rows()
            if r[0] not in tables
        ]
    rows = [*kept]
    for table in tables or TABLES:
        simulations, cells = TABLES[table]
        for cell in cells:
            for row, column, contained, none in cell(simulations):
                rows.append((table, row, column, round(contained, 4), round(none, 4)))
                click.echo(f"{table}, {row}, {column}: {contained:.1%}, none {none:.1%}")
    order = {table: place for place, table in enumerate(TABLES)}
    rows.sort(key=lambda row: order.get(row[0], len(order)))
    pl.DataFrame(rows, [*COLUMNS], orient="row").write_csv(RESULTS)


if __name__ == "__main__":
    main()
