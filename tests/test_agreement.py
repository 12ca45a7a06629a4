"""Agreement of judges, and estimates from a machine's judgments, compared with other tools."""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from functools import cache

import duckdb
import krippendorff
import numpy as np
import polars as pl
import pytest
from commands import run_command
from conftest import ROOT, open_shell, write_inputs
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

import sqlmetrics as sm
from sqlmetrics import catalogue

NOT_RATED = np.nan


def rate(ratings):
    """A table of ratings of a matrix: documents by judges."""
    rows = [
        (f"q{document % 7}", f"d{document}", f"j{judge}", float(rating))
        for document, row in enumerate(ratings)
        for judge, rating in enumerate(row)
        if not np.isnan(rating)
    ]
    return pl.DataFrame(rows, ["query_id", "doc_id", "judge", "relevance"], orient="row")


def split(ratings):
    """Judgments of the first two judges."""
    frame = rate(ratings)
    return [frame.filter(judge=f"j{n}").drop("judge") for n in (0, 1)]


def get(found, statistic):
    return found.filter(statistic=statistic)["value"].item()


def draw(seed, judges=2, gaps=0.0):
    random = np.random.default_rng(seed)
    documents, grades = random.integers(3, 80), random.integers(2, 5)
    truth = random.integers(0, grades, (documents, 1))
    ratings = np.clip(truth + random.integers(-1, 2, (documents, judges)), 0, grades - 1).astype(
        float
    )
    ratings[random.random(ratings.shape) < gaps] = NOT_RATED
    return ratings


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # where it is not defined
@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
def test_kappa_is_that_of_scikit_learn(seed):
    ratings = draw(seed)
    first, second = ratings.T
    found = sm.agreement(*split(ratings), samples=1)
    grades = range(int(ratings.max()) + 1)  # places of grades are the grades
    for name, weights in (
        ("kappa", None),
        ("linear_kappa", "linear"),
        ("quadratic_kappa", "quadratic"),
    ):
        expected = cohen_kappa_score(first, second, labels=grades, weights=weights)
        value = get(found, name)
        assert (value is None and np.isnan(expected)) or value == pytest.approx(expected, abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
def test_alpha_is_that_of_krippendorffs_package(seed):
    ratings = draw(seed, judges=4, gaps=0.3)
    found = sm.rater_agreement(rate(ratings), samples=1)
    for level in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(ratings.T, level_of_measurement=level)
        name = "alpha" if level == "ordinal" else f"{level}_alpha"
        assert get(found, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
def test_fleiss_kappa_is_that_of_statsmodels(seed):
    ratings = draw(seed, judges=4)
    expected = fleiss_kappa(aggregate_raters(ratings.astype(int))[0])
    assert get(sm.rater_agreement(rate(ratings), samples=1), "fleiss_kappa") == pytest.approx(
        expected, abs=1e-12
    )


def test_alpha_of_the_table_that_krippendorff_published():
    gap = NOT_RATED
    ratings = np.array([
        [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
        [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    ]).T  # fmt: skip
    found = sm.rater_agreement(rate(ratings), samples=1)
    assert get(found, "nominal_alpha") == pytest.approx(0.743421052631579, abs=1e-14)
    assert get(found, "alpha") == pytest.approx(0.815387503754881, abs=1e-14)
    assert get(found, "interval_alpha") == pytest.approx(0.849107142857143, abs=1e-14)


def test_kappa_of_the_table_that_fleiss_coefficient_is_explained_by():
    # 14 judges, 10 subjects, 5 categories: how many judges chose each
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    ratings = [[c for c, n in enumerate(row) for _ in range(n)] for row in counts]
    found = sm.rater_agreement(rate(ratings), samples=1)
    assert get(found, "fleiss_kappa") == pytest.approx(0.20993070442195558, abs=1e-14)


def test_raw_and_positive_agreement_by_hand():
    first = {"q": {"a": 2, "b": 1, "c": 0, "d": 0, "e": 1}}
    second = {"q": {"a": 1, "b": 1, "c": 0, "d": 2, "e": 0}}
    found = sm.agreement(first, second, resample="documents", samples=10)
    assert get(found, "raw_agreement") == 2 / 5
    assert get(found, "positive_agreement") == 2 * 2 / (3 + 3)
    strict = sm.agreement(first, second, rel=2, samples=1)
    assert get(strict, "positive_agreement") == 0


def test_the_confusion_matrix_counts_documents():
    ratings = draw(3)
    found = sm.query(
        "SELECT a, b, count(*) AS documents FROM agreed(first, second) GROUP BY ALL",
        **dict(zip(("first", "second"), split(ratings), strict=True)),
    )
    matrix = confusion_matrix(*ratings.T)
    for row, counts in enumerate(matrix):
        for column, number in enumerate(counts):
            rows = found.filter(a=row, b=column)["documents"]
            assert rows.sum() == number


@pytest.mark.thorough
def test_each_query_has_its_own_coefficients():
    ratings = draw(4)
    first, second = split(ratings)
    found = sm.query(
        "SELECT query_id, count(*) AS documents, raw_agreement(r) AS raw_agreement, "
        "cohen_kappa(r) AS kappa, cohen_kappa(r, weights := 'quadratic') AS quadratic_kappa, "
        "krippendorff_alpha(r) AS alpha FROM agreed(first, second) AS r GROUP BY query_id",
        first=first,
        second=second,
    )
    assert found["documents"].sum() == len(ratings)
    for row in found.iter_rows(named=True):
        own = [frame.filter(query_id=row["query_id"]) for frame in (first, second)]
        alone = sm.agreement(*own, samples=1)
        for name in ("raw_agreement", "kappa", "quadratic_kappa", "alpha"):
            assert row[name] == pytest.approx(get(alone, name), rel=1e-14, abs=1e-15)


@pytest.mark.thorough
def test_two_judges_in_one_table_agree_as_in_two():
    ratings = draw(5)
    one, two = (
        sm.rater_agreement(rate(ratings), samples=1),
        sm.agreement(*split(ratings), samples=1),
    )
    assert get(one, "alpha") == pytest.approx(get(two, "alpha"), abs=1e-14)


def test_judges_who_always_agree_or_give_one_grade():
    same = {"q": {"a": 1, "b": 0}, "r": {"c": 2}}
    assert set(sm.agreement(same, same)["value"]) == {1.0}
    constant = {"q": {"a": 1, "b": 1}, "r": {"c": 1}}
    found = sm.agreement(constant, constant)
    assert (get(found, "raw_agreement"), get(found, "kappa")) == (1.0, None)
    assert get(found, "quadratic_kappa") is None
    assert get(found, "alpha") is None


def test_what_only_one_has_judged_is_left_out_and_counted():
    first = {"q": {"a": 1, "b": 0, "c": 1}}
    second = {"q": {"a": 1, "b": 1, "d": 0, "c": -1}}
    found = sm.agreement(first, second, samples=1)
    counts = found.select("documents", "first_only", "second_only")
    assert counts.unique().rows() == [(2, 1, 1)]


def bootstrap(first, second, samples, seed):
    """Kappas of queries drawn with replacement, by numpy."""
    random = np.random.default_rng(seed)
    joined = first.join(second, on=["query_id", "doc_id"])
    parts = [
        part.select("relevance", "relevance_right").to_numpy()
        for _, part in joined.group_by("query_id")
    ]
    for _ in range(samples):
        drawn = np.concatenate([parts[n] for n in random.integers(0, len(parts), len(parts))])
        yield cohen_kappa_score(*drawn.T)


def expand(alpha, n):
    """The tail of Hesterberg's expanded percentile interval."""
    return norm.cdf(math.sqrt(n / (n - 1)) * student.ppf(alpha / 2, n - 1))


@pytest.mark.thorough
def test_intervals_are_percentiles_of_bootstrap_samples():
    random = np.random.default_rng(7)
    rows = [(f"q{q}", f"d{d}", float(random.integers(0, 2))) for q in range(30) for d in range(8)]
    first = pl.DataFrame(rows, ["query_id", "doc_id", "relevance"], orient="row")
    wrong = pl.Series(random.random(240) < 0.25)
    second = first.with_columns(
        relevance=pl.when(wrong).then(1 - pl.col("relevance")).otherwise("relevance")
    )
    found = sm.agreement(first, second, samples=2000)
    low, high = found.filter(statistic="kappa").select("low", "high").row(0)
    tail = expand(0.05, 30)
    expected = np.quantile([*bootstrap(first, second, 1500, 1)], [tail, 1 - tail])
    assert (low, high) == pytest.approx(tuple(expected), abs=0.02)
    shuffled = sm.agreement(first.sample(fraction=1, shuffle=True, seed=1), second, samples=2000)
    assert shuffled.equals(found)
    other = sm.agreement(first, second, samples=2000, seed=1)
    assert not other.equals(found)


def test_documents_are_drawn_where_they_are_asked_for():
    ratings = draw(6)
    found = sm.agreement(*split(ratings), resample="documents", samples=200)
    low, high = found.filter(statistic="raw_agreement").select("low", "high").row(0)
    share = get(found, "raw_agreement")
    error = 2 * np.sqrt(share * (1 - share) / len(ratings))
    assert (low, high) == pytest.approx((share - error, share + error), abs=0.05)


@pytest.mark.thorough
def test_few_queries_have_no_interval():
    def agree(queries, **options):
        ratings = {f"q{n}": {"a": 1, "b": n % 2, "c": 0} for n in range(queries)}
        return sm.agreement(
            ratings, ratings | {"q0": {"a": 0, "b": 0, "c": 0}}, samples=50, **options
        )

    for queries, said in ((1, "1 query: intervals need 6 or more"), (5, "5 queries: intervals")):
        found = agree(queries)
        assert found["low"].null_count() == found.height
        assert found["note"].str.contains(said, literal=True).all()
    assert agree(6)["low"].null_count() == 0
    assert agree(6)["note"].null_count() == 6
    by_document = agree(2, resample="documents")
    assert by_document["low"].null_count() == 0
    said = agree(1, resample="documents")["note"]
    assert said.unique().to_list() == ["3 documents: intervals need 6 or more"]


@cache
def agree_at(scale, *, of_many):
    """Coefficients of two judges, or of a table of them, whose grades are multiplied by the scale."""
    judges = [each.with_columns(pl.col("relevance") * scale) for each in split(draw(8))]
    if of_many:
        pairs = zip("ab", judges, strict=True)
        ratings = pl.concat(each.with_columns(judge=pl.lit(name)) for name, each in pairs)
        return sm.rater_agreement(ratings, samples=50)
    return sm.agreement(*judges, rel=scale, samples=50)


@pytest.mark.few(1)
@pytest.mark.parametrize("of_many", [False, True])
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e12, 1e200, 1e300])
def test_coefficients_are_the_same_at_every_scale_of_the_grades(scale, of_many):
    found, expected = (agree_at(each, of_many=of_many) for each in (scale, 1))
    for column in ("value", *(("low", "high") * (not of_many))):
        close = pytest.approx(expected[column].to_list(), rel=1e-9)
        assert found[column].to_list() == close


def test_what_is_the_same_in_all_samples_has_no_interval():
    ratings = {f"q{n}": {"a": 1, "b": 0} for n in range(20)}
    found = sm.agreement(ratings, ratings, samples=50)
    assert found["value"].to_list() == [1.0] * found.height
    assert found["low"].null_count() == found.height
    assert found["note"].unique().to_list() == ["no interval: all samples have the same value"]


# What it does to the order of runs

HUMAN = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1, "e": 0}}
MODEL = {"q1": {"a": 0, "b": 2, "c": 1}, "q2": {"d": 1, "e": 0}, "q3": {"f": 1}}
RUNS = {
    "for human": {"q1": {"a": 3.0, "b": 2.0}, "q2": {"d": 1.0}},
    "for model": {"q1": {"b": 3.0, "a": 2.0}, "q2": {"d": 1.0}},
    "poor": {"q1": {"z": 3.0}, "q2": {"e": 1.0}},
}


def test_the_orders_of_runs_are_compared_over_the_queries_that_both_judged():
    by_human, by_model = (sm.evaluate(each, RUNS, "RR") for each in (HUMAN, MODEL))
    found = sm.order_agreement(by_human, by_model, queries="common")
    both = {query: MODEL[query] for query in ("q1", "q2")}
    expected = sm.order_agreement(by_human, sm.evaluate(both, RUNS, "RR"))
    assert found["kendall_tau"].item() == expected["kendall_tau"].item()
    turned = sm.turned_pairs(by_human, by_model, queries="common")
    assert turned.rows() == [("RR", "for human", "for model", 0.25, -0.25)]
    assert sm.turned_pairs(by_human, by_human).is_empty()


@pytest.mark.thorough
def test_a_query_that_one_judge_only_pooled_does_not_count_in_the_orders():
    pooled = {**HUMAN, "q3": {"f": -1}}
    runs = {name: {**run, "q3": {"f": 1.0}} for name, run in RUNS.items()}
    runs["for model"]["q3"] = {"z": 1.0}

    def score(*judges):
        judged = [
            {
                query: {doc: grade for doc, grade in grades.items() if grade >= 0}
                for query, grades in each.items()
            }
            for each in judges
        ]
        both = {query for query in judged[0] if judged[0][query] and judged[1].get(query)}
        return [sm.evaluate({query: each[query] for query in both}, runs, "RR") for each in judged]

    expected = sm.order_agreement(*score(HUMAN, MODEL))
    for judges in ((pooled, MODEL), (MODEL, pooled)):
        scores = score(*judges)
        found = sm.order_agreement(*scores)
        assert found["kendall_tau"].item() == expected["kendall_tau"].item()
        assert sm.turned_pairs(*scores)["difference"].abs().to_list() == [0.25]


# Estimates


def make_scores(seed, queries=60, human=20):
    random = np.random.default_rng(seed)
    truth = random.beta(2, 2, queries)
    machine = np.clip(truth + random.normal(0.08, 0.1, queries), 0, 1)
    names = [f"q{n:03}" for n in range(queries)]
    frames = [pl.DataFrame({"run_id": "r", "query_id": names, "AP": x}) for x in (machine, truth)]
    return frames[0], frames[1].head(human), truth.mean()


def test_an_estimate_is_that_of_the_formula():
    automatic, human, _ = make_scores(1)
    found = sm.estimate(automatic, human).row(0, named=True)
    f, y = automatic["AP"].to_numpy(), human["AP"].to_numpy()
    m, n = len(y), len(f)
    weight = np.cov(y, f[:m])[0, 1] / f.var(ddof=1)
    residuals = y - weight * f[:m]
    assert 0 < weight < 1
    mean = weight * f.mean() + residuals.mean()
    error = np.sqrt((1 - m / n) * ((residuals - residuals.mean()) ** 2).sum() / (m - 2) / m)
    margin = student.ppf(0.975, m - 2) * error
    assert [found[name] for name in ("mean", "low", "high")] == pytest.approx(
        [mean, mean - margin, mean + margin], abs=1e-12
    )
    own = student.ppf(0.975, m - 1) * y.std(ddof=1) * np.sqrt((1 - m / n) / m)
    assert [found["human_mean"], found["human_low"], found["human_high"]] == pytest.approx(
        [y.mean(), y.mean() - own, y.mean() + own], abs=1e-12
    )
    assert (found["queries"], found["judged"]) == (60, 20)


@pytest.mark.few(2)
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e12, 1e200, 1e299])
def test_an_estimate_is_the_same_at_every_scale(scale):
    automatic, human, _ = make_scores(1)
    expected = sm.estimate(automatic, human)
    found = sm.estimate(*(each.with_columns(pl.col("AP") * scale) for each in (automatic, human)))
    for column in ("mean", "low", "high", "human_mean", "human_low", "human_high"):
        assert found[column].item() / scale == pytest.approx(expected[column].item(), rel=1e-9)


def test_the_weight_is_that_of_prediction_powered_inference():
    """Which has the machine's mean over the queries without human scores, and another weight."""
    automatic, human, _ = make_scores(1)
    f, y = automatic["AP"].to_numpy(), human["AP"].to_numpy()
    n, rest = len(y), f[len(y) :]
    weight = np.cov(y, f[:n])[0, 1] / ((1 + n / len(rest)) * f.var(ddof=1))
    mean = weight * rest.mean() + (y - weight * f[:n]).mean()
    assert sm.estimate(automatic, human)["mean"][0] == pytest.approx(mean, abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["AP", "own"])
@pytest.mark.parametrize("queries", [2, 60])
def test_nothing_is_left_to_estimate_if_people_judged_all_queries(queries, name):
    automatic, human, mean = make_scores(2, queries, human=queries)
    found = sm.estimate(*(each.rename({"AP": name}) for each in (automatic, human)))
    (row,) = found.drop("metric", "run_id", "queries", "judged", "automatic_mean", "note").rows()
    assert row == pytest.approx((mean,) * 6, abs=1e-12)


def test_an_estimate_stays_within_what_is_possible():
    names = [f"q{n}" for n in range(10)]
    automatic = pl.DataFrame({"run_id": "r", "query_id": names, "AP": [0.0, 0.9, 1.0] + [1.0] * 7})
    human = pl.DataFrame({"run_id": "r", "query_id": names[:3], "AP": [0.2, 1.0, 1.0]})
    found = sm.estimate(automatic, human).row(0, named=True)
    # the other seven queries have a mean between 0 and 1
    assert (found["human_low"], found["human_high"]) == pytest.approx((0.22, 0.92))
    assert 0.22 <= found["low"] <= found["mean"] <= found["high"] <= 0.92 + 1e-12
    # of a metric that we do not know, and of scores out of its range, nothing is known
    for name, factor in (("own", 1), ("AP", 100)):
        frames = [
            each.select("run_id", "query_id", (pl.col("AP") * factor).alias(name))
            for each in (automatic, human)
        ]
        found = sm.estimate(*frames).row(0, named=True)
        assert found["human_high"] > factor


def test_few_judged_queries_have_a_note():
    automatic, human, _ = make_scores(1)
    assert sm.estimate(automatic, human)["note"].item() is None
    note = sm.estimate(automatic, human.head(19))["note"].item()
    assert note.startswith("people judged 19 queries: intervals from fewer than 20")


@pytest.mark.parametrize(
    ("people", "has_own"),
    [
        ([1.0, 1.0, 1.0], False),  # people's scores do not vary
        ([0.0, 1.0, 1.0], True),  # they are the machine's, which may err elsewhere
    ],
)
def test_what_does_not_vary_has_no_interval_of_width_0(people, has_own):
    machine = [0.0, 1.0, 1.0, 0.0] * 5
    names = [f"q{n:02}" for n in range(20)]
    automatic = pl.DataFrame({"run_id": "r", "query_id": names, "AP": machine})
    human = pl.DataFrame({"run_id": "r", "query_id": names[:3], "AP": people})
    found = sm.estimate(automatic, human).row(0, named=True)
    assert (found["low"], found["high"]) == (None, None)
    assert (found["human_low"] is not None) == has_own
    assert found["note"].startswith("no interval, since the 3 queries that people judged")


def test_a_machine_that_says_nothing_is_not_used():
    _, human, _ = make_scores(3)
    names = [f"q{n:03}" for n in range(60)]
    constant = pl.DataFrame({"run_id": "r", "query_id": names, "AP": 0.5})
    found = sm.estimate(constant, human).row(0, named=True)
    assert found["mean"] == pytest.approx(found["human_mean"], abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize(("judged", "lowest"), [(5, 0.93), (10, 0.92), (40, 0.92)])
def test_intervals_of_estimates_contain_the_mean_as_often_as_they_say(judged, lowest):
    """The mean of these 60 queries, in 600 runs."""
    drawn = [make_scores(seed, human=judged) for seed in range(600)]
    frames = [
        pl.concat(
            each[side].with_columns(run_id=pl.lit(f"r{n:03}")) for n, each in enumerate(drawn)
        )
        for side in (0, 1)
    ]
    found = sm.estimate(*frames)
    means = pl.Series([mean for *_, mean in drawn])
    hits = means.is_between(found["low"], found["high"]).mean()
    widths = found.select(
        (pl.col("high") - pl.col("low")) / (pl.col("human_high") - pl.col("human_low"))
    )
    assert lowest <= hits <= 0.98
    assert widths.to_series().mean() < 0.75


# Refusals


@pytest.fixture(scope="module")
def shell():
    first, second = split(draw(8, judges=3))
    auto, human, _ = make_scores(1)
    long = {
        f"{name}_judge": frame.unpivot(
            index=["run_id", "query_id"], variable_name="metric", value_name="score"
        )
        for name, frame in (("auto", auto), ("human", human))
    }
    ratings = rate(draw(8, judges=3))
    return open_shell(ratings_judge=ratings, first_judge=first, second_judge=second, **long)


@pytest.mark.thorough
def test_the_shell_agrees_as_python_does(shell):
    row = shell.execute(
        "SELECT raw_agreement(r), positive_agreement(r), cohen_kappa(r), cohen_kappa(r, weights := 'linear'), "
        "cohen_kappa(r, weights := 'quadratic'), krippendorff_alpha(r) FROM agreed(first_judge, second_judge) AS r"
    ).fetchone()
    found = sm.agreement(*split(draw(8, judges=3)), samples=1)
    assert row == pytest.approx(found["value"].to_list(), abs=1e-14)
    row = shell.execute(
        "SELECT krippendorff_alpha(r, level := 'nominal'), krippendorff_alpha(r), "
        "krippendorff_alpha(r, level := 'interval'), fleiss_kappa(r) FROM rated(ratings_judge) AS r"
    ).fetchone()
    found = sm.rater_agreement(rate(draw(8, judges=3)), samples=1)
    assert row == pytest.approx(found["value"].to_list(), abs=1e-14)


@pytest.mark.thorough
def test_the_shell_draws_and_estimates_as_python_does(shell):
    shell.execute("CREATE OR REPLACE TEMP TABLE rows AS FROM agreed(first_judge, second_judge)")
    tail = expand(0.05, 7)
    ends = shell.execute(
        f"SELECT quantile_cont(kappa, [{tail}, {1 - tail}]) FROM (SELECT cohen_kappa(r) AS kappa "
        "FROM resampled_queries(rows, samples := 500) AS r GROUP BY r.sample)"
    ).fetchone()[0]
    found = sm.agreement(*split(draw(8, judges=3)), samples=500).filter(statistic="kappa")
    assert ends == pytest.approx([*found.select("low", "high").row(0)], abs=1e-12)
    row = shell.execute(
        "SELECT prediction_powered_mean(s), prediction_powered_error(s) "
        "FROM estimated(auto_judge, human_judge) AS s GROUP BY s.metric, s.run_id"
    ).fetchone()
    found = sm.estimate(*make_scores(1)[:2]).row(0, named=True)
    margin = student.ppf(0.975, 18) * row[1]
    assert (row[0], row[0] - margin) == pytest.approx((found["mean"], found["low"]), abs=1e-12)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agreement")
    runs = {name.replace(" ", "_"): lists for name, lists in RUNS.items()}
    write_inputs(folder, {"human": HUMAN, "model": MODEL}, runs)
    return folder


@pytest.mark.thorough
def test_the_commands_print_agreement_and_estimates(files):
    runs = [files / f"{name.replace(' ', '_')}.csv" for name in RUNS]
    status, text, said = run_command(
        "agreement", "--first", files / "human.csv", "--second", files / "model.csv"
    )
    assert status == 0
    assert re.search(r"quadratic_kappa +-?[0-9.]+ +5 +2 +0 +1\n", text), text
    assert said.startswith("note: 2 queries: intervals need 6")
    status, text, _ = run_command(
        "query", "SELECT a, b, count(*) AS documents FROM agreed(first, second) GROUP BY ALL",
        "--table", f"first={files / 'human.csv'}", "--table", f"second={files / 'model.csv'}",
        "-f", "csv",
    )  # fmt: skip
    assert text.splitlines()[0] == "a,b,documents"
    scores = [files / f"by_{judge}.parquet" for judge in ("human", "model")]
    for judge, file in zip(("human", "model"), scores, strict=True):
        run_command("evaluate", files / f"{judge}.csv", *runs, "-m", "RR", "-q", "-o", file)
    status, text, _ = run_command(
        "turned-pairs", "--scores-a", scores[0], "--scores-b", scores[1], "--queries", "common"
    )
    assert re.search(r"RR +for_human +for_model +0.2500 +-0.2500", text)
    given = ["--automatic", scores[1], "--human", scores[0]]
    status, _, said = run_command("estimate", *given)
    assert (status, "for two queries" in said, "estimate needs three or more" in said) == (
        2,
        True,
        True,
    )
    given = ["--automatic", scores[1], "--human", scores[1]]
    status, text, _ = run_command("estimate", *given, "-m", "RR", "-f", "csv")
    assert status == 0
    assert text.splitlines()[1].startswith("RR,for_human,3,3,")


def test_every_statistic_has_a_test_here():
    names = ("test_bounds", "test_pools", "test_agreement", "test_documents", "test_excluded")
    text = "".join((ROOT / "tests" / f"{name}.py").read_text(encoding="utf-8") for name in names)
    listed = [
        each for folder in ("pools", "agreement") for each in catalogue.files()[folder].values()
    ]
    known = [f.path.stem for f in listed if f.path.parent.name not in ("functions", "checks")]
    assert [name for name in known if not re.search(rf"\b{name}\(", text)] == []


def test_judgments_that_are_all_the_same_are_noted():
    same = {"q": {"a": 1, "b": 1}}
    other = {"q": {"a": 1, "b": 1}}

    def find_notes(first, second):
        return (
            sm.agreement(first, second)["note"].str.contains("all judgments are the same").to_list()
        )

    assert find_notes(same, other) == [False, False, True, True, True, True]
    mixed = {"q": {"a": 1, "b": 0}}
    assert not any(find_notes(mixed, other))


@pytest.mark.parametrize(
    ("how", "combine"),
    [
        ("median", statistics.median),
        ("majority", lambda ratings: min(statistics.multimode(ratings))),
        ("mean", statistics.fmean),
        ("minimum", min),
        ("maximum", max),
    ],
)
def test_ratings_are_combined_as_python_combines_them(how, combine):
    ratings = rate(draw(3, judges=5, gaps=0.4))
    given = ratings.group_by("query_id", "doc_id").agg("relevance")
    expected = {(query, doc): combine(values) for query, doc, values in given.iter_rows()}
    found = sm.merged_ratings(ratings, how=how)
    assert {(query, doc): value for query, doc, value, *_ in found.iter_rows()} == pytest.approx(
        expected
    )
    numbers = {(query, doc): len(values) for query, doc, values in given.iter_rows()}
    assert (
        dict(zip(found.select("query_id", "doc_id").iter_rows(), found["num_judges"], strict=True))
        == numbers
    )


def test_merged_ratings_are_judgments_of_documents_with_enough_judges():
    ratings = rate([[2, 0, 1], [1, NOT_RATED, NOT_RATED], [0, -1, NOT_RATED]])
    found = sm.merged_ratings(ratings, judges=2)
    assert found.rows() == [("q0", "d0", 1.0, 3, 0.0, 2.0)]
    assert sm.evaluate(found, {"q0": {"d0": 1.0}}, "DCG")["DCG"] == 1.0
    with pytest.raises(sm.InputError, match="if each is by another judge, merged_ratings"):
        sm.evaluate(ratings, {"q0": {"d0": 1.0}}, "DCG")


@pytest.mark.parametrize("size", [1, 6, 10**9 + 7, 2**31 - 1])
def test_plain_sql_draws_the_same_samples(size):
    texts = [f"{seed}:{sample}:7" for seed in range(3) for sample in range(300)]
    digests = [hashlib.md5(text.encode(), usedforsecurity=False).digest() for text in texts]
    expected = [int.from_bytes(digest[8:], "little") % size for digest in digests]
    con = duckdb.connect()
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query_id, unnest($1) AS doc_id", [texts])
    con.execute("ALTER TABLE qrels ADD COLUMN relevance INT")
    query = (
        f"SELECT j.doc_id, digits_rest(md5(j.doc_id), {size}) AS place FROM judgments(qrels) AS j"
    )
    found = dict(con.execute(sm.sql(query, dialect="duckdb")).fetchall())
    assert [found[text] for text in texts] == expected
