"""Experiments against tea-tasting and scipy, interleaving, online and offline against the definitions."""

from __future__ import annotations

import json
import math
import re
from functools import cache

import duckdb
import numpy as np
import polars as pl
import pytest
import tea_tasting as tt
from commands import run
from conftest import ROOT, create_macros, open_shell
from plain_statistics import draw_two_metrics
from scipy import __version__ as scipy_version
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestIndPower

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.inputs.streams import Stream

# scipy before 1.17 rounds quantiles of Student's t for degrees of freedom that are not whole
EXACT = 1e-9 if tuple(map(int, scipy_version.split(".")[:2])) >= (1, 17) else 1e-7

SIZES = [2, 3, 4, 5, 8, 12, 20, 35, 60, 100, 250, 1000]


def draw_users(random, n):
    """Users of the variants A and B: few or many pages, clicks that depend on the user."""
    size = n + int(random.integers(0, n + 1))
    variant = np.array(["A"] * n + ["B"] * (size - n + 2))
    total = len(variant)
    taste = random.beta(2, 5, total)
    pages, pages_before = random.poisson(random.choice([1, 5, 30]), (2, total)) + 1
    lift = random.choice([0, 0.05, 0.2])
    return pl.DataFrame(
        {
            "user_id": [f"u{i:05}" for i in range(total)],
            "variant": variant,
            "clicks": random.binomial(pages, np.minimum(1, taste + lift * (variant == "B"))) + 0.5,
            "pages": pages,
            "clicks_before": random.binomial(pages_before, taste) + 0.25,
            "pages_before": pages_before,
        }
    )


def make_samples():
    random = np.random.default_rng(15)
    return {
        f"s{number:02}": draw_users(random, n)
        for number, n in enumerate(n for n in SIZES for _ in range(6))
    }


SAMPLES = make_samples()
# What tea-tasting is asked, and the columns of ours that are the same.
KINDS = {
    "mean": {"numerator": "clicks"},
    "ratio": {"numerator": "clicks", "denominator": "pages"},
    "mean with cuped": {"numerator": "clicks", "before": "clicks_before"},
    "ratio with cuped": {"numerator": "clicks", "denominator": "pages", "before": "clicks_before"},
    "ratio with a ratio before": {
        "numerator": "clicks",
        "denominator": "pages",
        "before": "clicks_before",
        "before_denominator": "pages_before",
    },
}


def compare_all(kind, **options):
    """The tests of all samples, each as a metric, by its name."""
    columns = KINDS[kind]
    # users of different samples are different users
    users = pl.concat(
        frame.select(
            pl.lit(name).alias("metric"),
            pl.concat_str(pl.lit(name), "user_id").alias("user_id"),
            "variant",
            *(pl.col(theirs).alias(ours) for ours, theirs in columns.items()),
        )
        for name, frame in SAMPLES.items()
    )
    found = sm.experiment(users, control="A", correction="none", **options)
    return {row["metric"]: row for row in found.iter_rows(named=True)}


def ask_tea_tasting(kind, frame, alternative, alpha):
    names = KINDS[kind]
    asked = [names.get(n) for n in ("numerator", "denominator", "before", "before_denominator")]
    metric = tt.RatioOfMeans(*asked, alternative=alternative, confidence_level=1 - alpha)
    return tt.Experiment(metric=metric).analyze(frame, control="A")["metric"]


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_that_is_larger_than_the_memory_limit_is_refused(tmp_path, kind):
    numbers = [math.sin(n) for n in range(60_000)]
    users = pl.DataFrame({"numerator": numbers, "variant": ["A", "B"] * 30_000})
    path = tmp_path / "users"
    getattr(users.with_row_index("user_id"), f"write_{kind}")(path)
    with duckdb.connect(config={"memory_limit": "3MB"}) as con:
        with pytest.raises(
            sm.InputError, match=r"users takes about \d+ MB of memory, and the limit"
        ):
            sm.experiment(path, con=con)
        con.execute("SET memory_limit = '100MB'")
        assert sm.experiment(path, con=con)["users"].to_list() == [30_000]


def is_share(frame, kind):
    """Whether each user has a share of something, from 0 to 1."""
    names = KINDS[kind]
    most = frame[names["denominator"]] if "denominator" in names else 1
    number = frame[names["numerator"]]
    return ((number >= 0) & (number <= most)).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("kind", KINDS)
def test_differences_intervals_and_p_values_are_those_of_tea_tasting(kind, alternative):
    alpha = 0.1
    got = compare_all(kind, alternative=alternative, alpha=alpha)
    for name, frame in SAMPLES.items():
        expected, row = ask_tea_tasting(kind, frame, alternative, alpha), got[name]
        pairs = {
            "mean": expected.treatment,
            "control_mean": expected.control,
            "difference": expected.effect_size,
            "low": expected.effect_size_ci_lower,
            "high": expected.effect_size_ci_upper,
            "relative": expected.rel_effect_size,
            "p": expected.pvalue,
        }
        if is_share(
            frame, kind
        ):  # of which tea-tasting does not know that they differ by 1 at most
            ends = {"low": max(-1, pairs["low"]), "high": min(1, pairs["high"])}
            pairs |= {end: ends[end] for end in ends if math.isfinite(pairs[end])}
        for column, value in pairs.items():
            close = pytest.approx(float(value), rel=EXACT, abs=1e-14)
            assert row[column] == close, (name, column, frame.height)


def test_a_mean_without_denominators_is_that_of_welchs_test_in_scipy():
    got = compare_all("mean")
    for name, frame in SAMPLES.items():
        control, variant = (frame.filter(variant=v)["clicks"].to_numpy() for v in "AB")
        expected = stats.ttest_ind(variant, control, equal_var=False)
        low, high = expected.confidence_interval()
        row = got[name]
        assert row["p"] == pytest.approx(expected.pvalue, rel=1e-9), name
        assert [row["low"], row["high"]] == pytest.approx([low, high], rel=1e-9)
        assert row["users"] == len(variant)
        assert row["control_users"] == len(control)


@pytest.mark.thorough
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_welchs_test_takes_a_margin(alternative):
    con = connect_users(SAMPLES["s40"])
    ((got,),) = con.execute(
        f"SELECT welch_t(a, margin := 0.3, alternative := '{alternative}') FROM arms(users) AS a"
    ).fetchall()
    control, variant = (SAMPLES["s40"].filter(variant=v)["clicks"].to_numpy() for v in "AB")
    expected = stats.ttest_ind(variant - 0.3, control, equal_var=False, alternative=alternative)
    assert got == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.thorough
def test_the_error_of_a_ratio_is_that_of_a_linear_model_over_users():
    """The delta method is the variance of the residuals, which numpy computes here."""
    got = compare_all("ratio")
    con = connect_users(SAMPLES["s70"], numerator="clicks", denominator="pages")
    asked = "SELECT variant_error(a), variant_margin(a) FROM arms(users) AS a"
    ((error, half),) = con.execute(asked).fetchall()
    squares = 0.0
    for variant in "AB":
        y, x = SAMPLES["s70"].filter(variant=variant).select("clicks", "pages").to_numpy().T
        residuals = (y - y.sum() / x.sum() * x) / x.mean()
        squares += residuals.var(ddof=1) / len(y)
    assert error == pytest.approx(math.sqrt(squares), rel=1e-12)
    margin = got["s70"]["high"] - got["s70"]["difference"]
    assert half == pytest.approx(margin, rel=1e-9)
    assert margin == pytest.approx(1.96 * error, rel=0.02)


def test_linearized_users_have_the_ratio_as_mean_and_the_error_of_tea_tasting():
    """The difference of two ratios has the errors of both, which the interval of tea-tasting shows."""
    users = pl.concat(frame.with_columns(metric=pl.lit(name)) for name, frame in SAMPLES.items())
    named = {"clicks": "numerator", "pages": "denominator"}
    con = open_shell(users=users.rename(named).drop("clicks_before", "pages_before"))
    query = """
        SELECT p.metric, p.run_id, avg(p.score), standard_error(p), margin_of_error(p), count(*)
        FROM linearized(users) AS p GROUP BY p.metric, p.run_id, p.baseline
    """
    found = {(metric, variant): row for metric, variant, *row in con.execute(query).fetchall()}
    ratio = tt.RatioOfMeans("clicks", "pages", use_t=False, equal_var=False)
    for name, frame in SAMPLES.items():
        expected = tt.Experiment(metric=ratio).analyze(frame, control="A")["metric"]
        (mean_a, error_a, _, _), (mean_b, error_b, _, _) = found[name, "A"], found[name, "B"]
        assert mean_a == pytest.approx(expected.control, rel=1e-12)
        assert mean_b == pytest.approx(expected.treatment, rel=1e-12)
        half = (expected.effect_size_ci_upper - expected.effect_size_ci_lower) / 2
        error = math.hypot(error_a, error_b)
        assert error == pytest.approx(half / stats.norm.ppf(0.975), rel=1e-9), name
    for _, error, margin, n in found.values():
        assert margin == pytest.approx(stats.t.ppf(0.975, n - 1) * error, rel=1e-9)


def test_linearized_users_are_those_that_count_and_appear_once():
    users = pl.DataFrame({"user_id": [1, 2, 3], "variant": "A", "numerator": [1, 0, 1]})
    con = open_shell(users=users.with_columns(denominator=pl.Series([2, 0, 3])))
    rows = con.execute("SELECT query_id, score FROM linearized(users) ORDER BY query_id").fetchall()
    # 2/5 + (y - 2/5 x) / (5/2)
    assert [row[0] for row in rows] == ["1", "3"]
    assert [row[1] for row in rows] == pytest.approx([0.4 + 0.2 / 2.5, 0.4 - 0.2 / 2.5])


def connect_users(frame, **columns):
    columns = columns or {"numerator": "clicks"}
    named = (pl.col(theirs).alias(ours) for ours, theirs in columns.items())
    return open_shell(users=frame.select("user_id", "variant", *named))


# The split


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 9])
def test_the_sample_ratio_check_is_chi_squared_of_scipy(number):
    random = np.random.default_rng(number)
    for planned in (np.ones(number), random.integers(1, 10, number).astype(float)):
        sizes = random.multinomial(3000, planned / planned.sum()) + random.integers(0, 80, number)
        users = pl.concat(
            pl.DataFrame({"variant": [f"v{i}"] * int(size)}) for i, size in enumerate(sizes)
        )
        users = users.with_row_index("user_id").with_columns(numerator=pl.col("user_id") % 3)
        shares = {f"v{i}": float(share) for i, share in enumerate(planned)}
        p = sm.experiment(users, shares=shares)["p_split"]
        given = ", ".join(f"'{name}': {share}" for name, share in shares.items())
        query = f"FROM allocated(users, shares := MAP {{{given}}}) ORDER BY variant"
        splits = sm.query(query, users=users)
        expected = stats.chisquare(sizes, planned / planned.sum() * sizes.sum())
        assert p.to_list() == pytest.approx([expected.pvalue] * (number - 1), rel=1e-10)
        assert splits["users"].to_list() == sizes.tolist()
        assert splits["expected_users"].sum() == pytest.approx(sizes.sum())


def test_chi_squared_is_that_of_scipy_from_its_middle_to_far_in_its_tail():
    con = duckdb.connect()
    create_macros(con)
    for df in (1, 2, 3, 4, 7, 10, 31, 100):
        for chi2 in (0, 1e-9, 0.1, 1, 5, 30, 200, 1000):
            ((got,),) = con.execute(f"SELECT chi2_p({float(chi2)!r}, {df})").fetchall()
            assert got == pytest.approx(stats.chi2.sf(chi2, df), rel=1e-11, abs=1e-300), (df, chi2)


def make_split(a, b):
    return pl.DataFrame(
        {"user_id": range(a + b), "variant": ["A"] * a + ["B"] * b, "numerator": 1.0}
    ).with_columns(numerator=pl.col("user_id") % 7)


def test_a_split_that_is_not_as_planned_is_said_first_and_in_plain_words():
    found = sm.experiment(make_split(100_000, 98_000), control="A")
    p = stats.chisquare([100_000, 98_000]).pvalue
    assert found["note"].item() == (
        f"variant B has 1% fewer users than planned (p = {p:.1g}): do not trust the results, find out why"
    )
    planned = sm.experiment(make_split(100_000, 98_000), control="A", shares={"A": 50, "B": 49})
    assert planned.select("note", "p_split").rows() == [(None, 1.0)]


def test_a_variant_that_a_segment_lacks_has_lost_its_users():
    users = make_split(300, 300).with_columns(
        variant=pl.when(pl.col("user_id") % 3 == 0).then(pl.lit("C")).otherwise("variant"),
        land=pl.lit("de"),
    )
    more = make_split(200, 200).with_columns(land=pl.lit("fr"), user_id=pl.col("user_id") + 1000)
    found = sm.experiment(pl.concat([users, more]), control="A", by="land")
    (row,) = found.filter(land="fr").rows(named=True)
    query = "SELECT variant, users FROM allocated(users) WHERE segment = 'fr' ORDER BY variant"
    sizes = sm.query(query, users=pl.concat([users, more]).rename({"land": "segment"}))
    assert sizes.rows() == [("A", 200), ("B", 200), ("C", 0)]
    assert row["p_split"] == pytest.approx(stats.chisquare([200, 200, 0]).pvalue)
    assert row["note"].startswith("variant C has 100% fewer users than planned (p = ")
    assert (
        found.filter(land="de")["note"].str.contains("planned").fill_null(False).to_list()
        == [False] * 2
    )


def test_a_split_that_may_be_luck_is_not_noted():
    found = sm.experiment(make_split(1000, 1090), control="A")
    assert 0.001 < found["p_split"].item() < 0.1
    assert found["note"].item() is None


# False positives


def split_at_random(users, splits, values, relation="arms"):
    """The p-values of A/A tests: the same users, assigned anew in each split, in one query."""
    con = open_shell(population=users)
    con.execute(
        f"""
        CREATE OR REPLACE TABLE splits AS
        SELECT
            concat('split ', s.split) AS metric,
            concat(s.split, '-', u.user_id) AS user_id,
            CASE WHEN md5_number_lower(concat(s.split, ':', u.user_id)) % 2 = 0 THEN 'A' ELSE 'B' END AS variant,
            {values}
        FROM population AS u CROSS JOIN range({splits}) AS s (split)
        """
    )
    rows = con.execute(
        f"SELECT welch_t(a) FROM {relation}(splits) AS a GROUP BY a.metric, a.variant, a.control"
    ).fetchall()
    ratios = con.execute(
        "SELECT sample_ratio(s) FROM allocated(splits) AS s GROUP BY s.metric"
    ).fetchall()
    return np.array(rows)[:, 0], np.array(ratios)[:, 0]


SPLITS = {
    "mean": ("arms", "u.clicks AS numerator"),
    "ratio": ("arms", "u.clicks AS numerator, u.pages AS denominator"),
    "cuped": ("adjusted", "u.clicks AS numerator, u.clicks_before AS before"),
    "ratio with cuped": (
        "adjusted",
        "u.clicks AS numerator, u.pages AS denominator, u.clicks_before AS before, "
        "u.pages_before AS before_denominator",
    ),
}


def draw_population(size):
    """Users with many clicks or few, who differ from each other as pages of one user do not."""
    random = np.random.default_rng(21)
    pages, pages_before = random.geometric(0.15, (2, size))
    taste = random.beta(1, 3, size)
    return pl.DataFrame(
        {
            "user_id": range(size),
            "clicks": random.binomial(pages, taste),
            "pages": pages,
            "clicks_before": random.binomial(pages_before, taste),
            "pages_before": pages_before,
        }
    )


def assert_honest(p, splits):
    """At 5 %, 5 % of the tests are wrong, and at every other level as many."""
    assert len(p) == splits
    rate, error = (p < 0.05).mean(), math.sqrt(0.05 * 0.95 / splits)
    assert abs(rate - 0.05) < 3 * error, rate
    assert stats.kstest(p, "uniform").pvalue > 0.001


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", SPLITS)
def test_few_splits_of_the_same_users_show_no_more_differences_than_alpha(kind):
    relation, values = SPLITS[kind]
    p, _ = split_at_random(draw_population(150), 200, values, relation)
    assert_honest(p, 200)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SPLITS)
def test_false_positives_over_2000_splits_are_as_many_as_alpha(kind):
    relation, values = SPLITS[kind]
    p, ratios = split_at_random(draw_population(400), 2000, values, relation)
    assert_honest(p, 2000)
    assert 0.03 < (ratios < 0.05).mean() < 0.07  # sizes are whole numbers: p-values are in steps


@pytest.mark.thorough
def test_pages_taken_for_users_would_find_differences_where_there_are_none():
    """What the delta method is for: the test over pages, which are not independent, is too sure."""
    users = draw_population(150)
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(200):
        chosen = random.random(users.height) < 0.5
        counts = [
            users.filter(pl.Series(side)).select("clicks", "pages").sum().row(0)
            for side in (chosen, ~chosen)
        ]
        table = [[clicks, pages - clicks] for clicks, pages in counts]
        wrong += stats.chi2_contingency(table, correction=False).pvalue < 0.05
    assert wrong / 200 > 0.2


def test_cuped_makes_intervals_smaller_and_keeps_the_expected_difference():
    users = draw_population(2000).with_columns(
        variant=pl.when(pl.col("user_id") % 2 == 0).then(pl.lit("A")).otherwise(pl.lit("B"))
    )
    columns = {"numerator": "clicks", "before": "clicks_before"}
    plain, adjusted = (
        sm.experiment(users, columns=columns, cuped=cuped).row(0, named=True)
        for cuped in (False, True)
    )
    y, b = users.select("clicks", "clicks_before").to_numpy().T
    share = 1 - np.corrcoef(y, b)[0, 1] ** 2  # of the variance, that is left
    width, before = (each["high"] - each["low"] for each in (adjusted, plain))
    assert (width / before) ** 2 == pytest.approx(share, rel=0.02)


# What is found


@pytest.mark.thorough
def test_segments_metrics_and_variants_are_compared_by_themselves():
    random = np.random.default_rng(4)
    users = pl.DataFrame(
        {
            "user_id": range(900),
            "variant": random.choice(["old", "new", "other"], 900),
            "land": random.choice(["de", "fr"], 900),
            "numerator": random.poisson(3, 900),
        }
    )
    both = pl.concat(
        [
            users.with_columns(metric=pl.lit("clicks")),
            users.with_columns(metric=pl.lit("buys"), numerator=pl.col("numerator") // 3),
        ]
    )
    found = sm.experiment(both, control="old", by="land")
    assert found.select("metric", "land", "variant", "control").rows() == [
        (metric, land, variant, "old")
        for metric in ("clicks", "buys")
        for land in ("de", "fr")
        for variant in ("new", "other")
    ]
    for row in found.iter_rows(named=True):
        part = both.filter(metric=row["metric"], land=row["land"])
        values = (
            part.filter(variant=row[which])["numerator"].to_numpy()
            for which in ("variant", "control")
        )
        assert row["p"] == pytest.approx(stats.ttest_ind(*values, equal_var=False).pvalue)
    only = sm.experiment(both, control="old", metrics="buys")
    assert only["metric"].unique().to_list() == ["buys"]


@cache
def draw_metrics(number=40, lifted=4):
    """Metrics of the same 200 users, of which the first few are higher with B."""
    random = np.random.default_rng(6)
    treated = np.arange(200) % 2
    return pl.concat(
        pl.DataFrame(
            {
                "user_id": range(200),
                "variant": np.where(treated, "B", "A"),
                "metric": f"m{metric:02}",
                "numerator": random.normal(9, 1, 200) + 0.45 * treated * (metric < lifted),
            }
        )
        for metric in range(number)
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize(
    ("correction", "method"),
    [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh"), ("by", "fdr_by")],
)
def test_metrics_are_corrected_together_and_intervals_agree(correction, method, alternative):
    users = draw_metrics()
    found = sm.experiment(users, control="A", correction=correction, alternative=alternative)
    rejected, expected, *_ = multipletests(found["p"], method=method)
    assert [*found["p_corrected"]] == pytest.approx([*expected])
    assert [*found["significant"]] == [*rejected]
    assert 0 < sum(rejected) < 40
    excludes = (found["low"] > 0) | (found["high"] < 0)
    assert [*excludes] == [*rejected]
    for row in found.iter_rows(named=True):
        a, b = (users.filter(metric=row["metric"], variant=v)["numerator"].to_numpy() for v in "AB")
        test = stats.ttest_ind(b, a, equal_var=False, alternative=alternative)
        low, high = test.confidence_interval(row["confidence"])
        assert [row["low"], row["high"]] == pytest.approx([low, high], rel=1e-6)


@pytest.mark.thorough
def test_holm_is_the_correction_and_a_single_test_needs_none():
    users = draw_metrics()
    found = sm.experiment(users, control="A")
    assert found.equals(sm.experiment(users, control="A", correction="holm"))
    alone = sm.experiment(users, control="A", metrics="m00")
    assert alone["confidence"].to_list() == [0.95]
    assert alone["p_corrected"].to_list() == alone["p"].to_list()
    assert alone["note"].item() is None


def test_many_tests_that_are_not_corrected_have_a_note():
    found = sm.experiment(draw_metrics(), control="A", correction="none")
    assert found["confidence"].unique().to_list() == [0.95]
    assert found["p_corrected"].to_list() == found["p"].to_list()
    note = "40 tests are not corrected: without any true difference, 2 would be significant"
    assert found["note"].str.contains(note).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("scale", [9e59, 1e-60])
def test_large_and_small_values_are_compared_as_others(scale):
    values = [0.1, 0.2, 0.4, 0.5, 0.7, 1.1]
    users = pl.DataFrame({"user_id": range(6), "variant": list("AAABBB"), "numerator": values})
    row = sm.experiment(users).row(0, named=True)
    scaled = sm.experiment(users.with_columns(pl.col("numerator") * scale)).row(0, named=True)
    for name in ("p", "relative", "relative_low", "relative_high"):
        assert scaled[name] == pytest.approx(row[name], rel=1e-9), name
    for name in ("difference", "low", "high"):
        assert scaled[name] == pytest.approx(row[name] * scale, rel=1e-9), name


@pytest.mark.thorough
@pytest.mark.parametrize("name", [0, np.int64(0)])
def test_a_variant_may_be_named_by_a_number(name):
    users = pl.DataFrame({"user_id": range(40), "variant": [0, 1] * 20, "numerator": range(40)})
    assert sm.experiment(users, control=name).equals(sm.experiment(users, control="0"))
    with pytest.raises(sm.InputError, match="no variant named '2'; the variants are 0, 1"):
        sm.experiment(users, control=2)


def test_the_difference_of_two_shares_is_between_minus_1_and_1():
    bought = pl.DataFrame(
        {"user_id": range(5), "variant": list("AABBB"), "numerator": [0, 1, 1, 1, 1]}
    )
    row = sm.experiment(bought).row(0, named=True)
    assert (row["difference"], row["low"], row["high"]) == (0.5, -1, 1)
    # of a ratio, too, whose numerators are not above the denominators
    pages = bought.with_columns(pl.col("numerator") * 3, denominator=3)
    row = sm.experiment(pages).row(0, named=True)
    assert (row["difference"], row["low"], row["high"]) == (0.5, -1, 1)
    # but not of other values
    row = sm.experiment(bought.with_columns(pl.col("numerator") * 3)).row(0, named=True)
    assert row["low"] < -3 < 3 < row["high"]
    above = sm.experiment(bought, alternative="greater").row(0, named=True)
    assert (above["low"], above["high"]) == (-1, math.inf)


def test_a_metric_is_a_share_in_all_segments_or_in_none():
    users = pl.DataFrame(
        {
            "user_id": range(10),
            "variant": list("AABBB") * 2,
            "numerator": [0, 1, 1, 1, 1] * 2,
            "land": ["de"] * 5 + ["fr"] * 5,
        }
    )
    found = sm.experiment(users, by="land", correction="none")
    assert found.select("low", "high").rows() == [(-1, 1)] * 2
    # purchases, of which nobody in de made two
    twice = users.with_columns(numerator=pl.when(user_id=9).then(2).otherwise(pl.col("numerator")))
    found = sm.experiment(twice, by="land", correction="none")
    control, variant = [0, 1], [1, 1, 1]
    expected = stats.ttest_ind(variant, control, equal_var=False).confidence_interval()
    row = found.row(by_predicate=pl.col("land") == "de", named=True)
    assert [row["low"], row["high"]] == pytest.approx([*expected])
    assert row["low"] < -1 < 1 < row["high"]


def count_skewness(control, variant):
    """That of the difference of two means, if both have the skewness of all."""
    both = np.concatenate([control - control.mean(), variant - variant.mean()])
    n, m = len(variant), len(control)
    return stats.skew(both) * (1 / n**2 - 1 / m**2) / (1 / n + 1 / m) ** 1.5


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("sizes", "events", "is_noted"),
    [
        ((450, 50), (9, 1), True),
        ((50, 450), (1, 9), True),
        ((4500, 500), (90, 10), False),
        ((50, 50), (1, 2), False),  # equal sizes: the skewness of both cancels out
        ((90, 10), (45, 5), False),  # not skewed
    ],
)
def test_few_users_of_one_variant_with_skewed_values_have_a_note(sizes, events, is_noted):
    values = [np.repeat([1, 0], [k, n - k]) for k, n in zip(events, sizes, strict=True)]
    users = pl.DataFrame(
        {
            "user_id": range(sum(sizes)),
            "variant": np.repeat(["A", "B"], sizes),
            "numerator": np.concatenate(values),
        }
    )
    shares = dict(zip("AB", sizes, strict=True))
    note = sm.experiment(users, control="A", shares=shares)["note"].item() or ""
    assert is_noted == (count_skewness(*values) ** 2 > 0.1) == ("skewed" in note)
    if note:
        times = count_skewness(*values) ** 2 / 0.1
        assert f"{sizes[1]} and {sizes[0]} users are too few" in note
        assert f"about {float(f'{times:.1g}'):g} times as many" in note


def test_tea_tasting_takes_the_same_users():
    frame = SAMPLES["s60"].rename({"user_id": "visitor_id", "variant": "group"})
    named = {"numerator": "clicks", "denominator": "pages", "before": "clicks_before"}
    found = sm.experiment(frame, columns=named)
    metric = tt.RatioOfMeans("clicks", "pages", "clicks_before")
    theirs = tt.Experiment(metric=metric, variant="group").analyze(frame)["metric"]
    assert found["p"][0] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found["metric"][0] == "clicks / pages"


def test_an_experiment_has_its_numbers_in_a_row():
    users = pl.DataFrame(
        {"user_id": range(8), "variant": ["A"] * 4 + ["B"] * 4, "clicks": [1, 2, 3, 4, 7, 8, 9, 12]}
    )
    (row,) = sm.experiment(users, columns={"numerator": "clicks"}).rows(named=True)
    assert [*row][:6] == ["metric", "variant", "control", "users", "control_users", "mean"]
    assert [*row.values()][:7] == ["clicks", "B", "A", 4, 4, 9, 2.5]
    expected = stats.ttest_ind([7, 8, 9, 12], [1, 2, 3, 4], equal_var=False)
    low, high = expected.confidence_interval()
    assert (row["difference"], row["relative"]) == (6.5, pytest.approx(2.6))
    assert [row["low"], row["high"]] == pytest.approx([low, high])
    assert (row["confidence"], row["significant"], row["note"]) == (0.95, True, None)
    above = sm.experiment(users, columns={"numerator": "clicks"}, alternative="greater")
    assert above["high"].item() == math.inf


def test_segments_are_the_columns_that_they_were():
    users = make_split(30, 30).with_columns(
        land=pl.when(pl.col("user_id") % 4 < 2).then(pl.lit("fr")).otherwise(pl.lit("de")),
        day=pl.date(2025, 1, 2),
    )
    found = sm.experiment(users, by=["land", "day"])
    assert found.columns[:4] == ["metric", "land", "day", "variant"]
    assert found["land"].to_list() == ["de", "fr"]
    assert found.schema["day"] == pl.Date
    own = sm.experiment(users.rename({"land": "segment"}))
    assert own["segment"].to_list() == ["de", "fr"]
    assert own.drop("segment").equals(found.drop("land", "day"))
    assert "segment" not in sm.experiment(users).columns
    listed = sm.experiment(users.with_columns(segment=pl.concat_list("land")))
    assert listed["segment"].to_list() == [["de"], ["fr"]]
    assert listed.drop("segment").equals(own.drop("segment"))


def test_ids_of_128_bits_are_exact():
    ids = [2**126 + n for n in range(6)]
    users = pl.DataFrame({"user_id": pl.Series(ids, dtype=pl.Int128), "variant": list("AABBAB")})
    found = sm.experiment(users.with_columns(numerator=pl.Series([1, 2, 3, 4, 5, 6])))
    assert found.select("users", "control_users").rows() == [(3, 3)]


def scale_users(scale, by=1.0, before=1.0):
    random = np.random.default_rng(17)
    values, clicks = random.normal(1, 0.3, 60), random.integers(1, 5, 60).astype(float)
    return pl.DataFrame(
        {
            "user_id": range(60),
            "variant": ["A", "B"] * 30,
            "numerator": values * clicks * scale,
            "denominator": clicks * by,
            "before": (values + random.normal(0, 0.2, 60)) * before,
        }
    )


@cache
def compare_at(scales, *, cuped):
    (row,) = sm.experiment(scale_users(*scales), control="A", cuped=cuped).rows(named=True)
    return row


@pytest.mark.few(1)
@pytest.mark.parametrize("cuped", [False, True])
@pytest.mark.parametrize("scales", [(1e59,), (1e-59,), (1e59, 1e-59), (1e-59, 1e59), (1, 1, 1e59)])
def test_an_experiment_finds_the_same_at_every_scale(scales, cuped):
    found, expected = (compare_at(each, cuped=cuped) for each in (scales, (1.0,)))
    ratio = scales[0] / (*scales, 1.0)[1]
    for name in ("p", "relative", "relative_low", "relative_high"):
        assert found[name] == pytest.approx(expected[name], rel=1e-9)
    for name in ("difference", "low", "high"):
        assert found[name] / ratio == pytest.approx(expected[name], rel=1e-9)


@pytest.mark.thorough
def test_what_does_not_vary_has_no_p_value_and_a_note():
    users = pl.DataFrame({"user_id": range(6), "variant": ["A", "B"] * 3, "numerator": 0.1})
    found = sm.experiment(users, control="A")
    assert found.select("p", "low", "relative_low").row(0) == (1.0, None, None)
    assert "the same value for every user, so no test is possible" in found["note"].item()
    twice = users.with_columns(
        denominator=pl.Series([1, 2, 3, 4, 5, 6]),
        numerator=pl.Series([0.3, 0.6, 0.9, 1.2, 1.5, 1.8]),
    )
    found = sm.experiment(twice, control="A")
    assert found["p"].to_list() == [1.0]
    other = users.with_columns(numerator=pl.Series([1.0, 2.0] * 3))
    assert sm.experiment(other, control="A")["p"].to_list() == [None]
    lone = users.filter(pl.col("user_id").is_in([0, 2, 4, 1]))
    assert "a variant has one user; a test needs" in sm.experiment(lone, control="A")["note"].item()


@pytest.mark.thorough
def test_values_before_that_do_not_vary_explain_nothing():
    users = SAMPLES["s30"].with_columns(clicks_before=0.1)
    columns = {"numerator": "clicks", "before": "clicks_before"}
    found, plain = (sm.experiment(users, columns=columns, cuped=c) for c in (True, False))
    assert found["p"].to_list() == pytest.approx(plain["p"].to_list(), rel=1e-9)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["csv", "parquet", "json", "ndjson", "table", "pandas"])
def test_users_come_from_anywhere(tmp_path, kind):
    users = SAMPLES["s20"].select("user_id", "variant", numerator="clicks", denominator="pages")
    expected = sm.experiment(users, control="A")
    con = None
    if kind == "table":
        con = duckdb.connect()
        con.register("_given", Stream(users))
        con.execute("CREATE TABLE kept AS FROM _given")
        data = "kept"
    elif kind == "pandas":
        pandas = pytest.importorskip("pandas")
        data = pandas.DataFrame(users.to_dict(as_series=False))
    else:
        data = tmp_path / f"kept.{kind}"
        getattr(users, f"write_{kind}")(data)
    found = sm.experiment(data, control="A", con=con)
    assert found["p"].to_list() == pytest.approx(expected["p"].to_list(), rel=1e-12)


def test_ids_and_variants_of_files_stay_text(tmp_path):
    path = tmp_path / "users.csv"
    path.write_text("uid,bucket,value\n007,0,1\n7,0,2\n08,1,3\n8,1,5\n")
    found = sm.experiment(path, control="0")
    ids = sm.query("SELECT user_id FROM arms(users) ORDER BY user_id", users=path)
    assert ids["user_id"].to_list() == ["007", "08", "7", "8"]
    assert found.select("variant", "difference").rows() == [("1", 2.5)]


# Interleaving


def interleave_teams(random, a, b):
    """Team draft: who has fewer documents chooses, a coin decides ties; documents and teams."""
    shown = []
    while {*a, *b} - {doc for doc, _ in shown}:
        sizes = [sum(team == t for _, team in shown) for t in "ab"]
        first = "ab"[int(random.integers(2))] if sizes[0] == sizes[1] else "ab"[np.argmin(sizes)]
        left = [doc for doc in {"a": a, "b": b}[first] if doc not in dict(shown)]
        if not left:
            first = "ba"["ab".index(first)]
            left = [doc for doc in {"a": a, "b": b}[first] if doc not in dict(shown)]
        shown.append((left[0], first))
    return shown


def interleave_balanced(random, a, b):
    """Balanced interleaving: by turns the next document of each, unless it is there."""
    first = int(random.integers(2))
    shown = []
    i = j = 0
    while i < len(a) and j < len(b):
        if i < j or (i == j and first == 0):
            shown += [a[i]] * (a[i] not in shown)
            i += 1
        else:
            shown += [b[j]] * (b[j] not in shown)
            j += 1
    return shown


def credit_balanced(shown, clicked, a, b):
    """By the definition: the smallest k for which the lowest click is within the top k of either."""
    if not clicked:
        return 0, 0
    lowest = [doc for doc in shown if doc in clicked][-1]
    k = 1
    while lowest not in a[:k] and lowest not in b[:k]:
        k += 1
    return len({*clicked} & {*a[:k]}), len({*clicked} & {*b[:k]})


def make_logs(seed, pages=40):
    """Logs of both kinds over the same pages, and the credits that each page should have."""
    random = np.random.default_rng(seed)
    team_rows, balanced_rows, teams, balanced = [], [], {}, {}
    for page in range(pages):
        n = int(random.integers(1, 7))
        a, b = ([f"d{i}" for i in random.permutation(8)[:n]] for _ in range(2))
        user = f"u{page % 7}"
        shown = interleave_teams(random, a, b)
        clicks = {doc for doc, _ in shown if random.random() < 0.3}
        shared = {doc for place, (doc, _) in enumerate(shown) if a[: place + 1] == b[: place + 1]}
        for doc, team in shown:
            own = None if doc in shared else team
            team_rows.append((f"p{page}", user, doc, own, int(doc in clicks)))
        teams[f"p{page}"] = [
            sum(team == t and doc in clicks and doc not in shared for doc, team in shown)
            for t in "ab"
        ]
        shown = interleave_balanced(random, a, b)
        clicks = {doc for doc in shown if random.random() < 0.3}
        for place, doc in enumerate(shown):
            ranks = [r.index(doc) + 1 if doc in r else None for r in (a, b)]
            balanced_rows.append((f"p{page}", user, doc, place, *ranks, doc in clicks))
        balanced[f"p{page}"] = credit_balanced(shown, clicks, a, b)
    names = ["page_id", "user_id", "doc_id"]
    frames = [
        pl.DataFrame(team_rows, [*names, "team", "clicked"], orient="row"),
        pl.DataFrame(
            balanced_rows, [*names, "position", "rank_a", "rank_b", "clicked"], orient="row",
            infer_schema_length=None,
        ),
    ]  # fmt: skip
    return frames, [teams, balanced]


def list_credit(log, method, unit="page"):
    """The pages or users, with the clicks that a and b earned."""
    query = f"""
        SELECT query_id, baseline_score, score FROM {method}_credit(log, unit := '{unit}')
        ORDER BY query_id
    """
    return sm.query(query, log=log).rows()


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(12))
def test_credit_is_that_of_the_definition_on_random_pages(seed):
    for log, credits in zip(*make_logs(seed), strict=True):
        shuffled = log.sample(fraction=1, shuffle=True, seed=seed)
        row = sm.interleaving(shuffled).row(0, named=True)
        rows = list_credit(shuffled, row["method"])
        assert {page: (a, b) for page, a, b in rows} == {p: tuple(c) for p, c in credits.items()}
        wins = sum(b > a for a, b in credits.values())
        losses = sum(b < a for a, b in credits.values())
        assert (row["wins"], row["ties"], row["losses"]) == (wins, 40 - wins - losses, losses)
        assert row["preference"] == pytest.approx((wins + (40 - wins - losses) / 2) / 40 - 0.5)
        if wins + losses:
            expected = stats.binomtest(wins, wins + losses).pvalue
            assert row["p"] == pytest.approx(expected, rel=1e-10)
            won = stats.binomtest(wins, wins + losses).proportion_ci()
            decided = stats.binomtest(wins + losses, 40).proportion_ci()
            products = [share * (end - 0.5) for share in decided for end in won]
            ends = [min(products), max(products)]
            assert [row["low"], row["high"]] == pytest.approx(ends, rel=1e-9)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_the_pages_of_a_user_count_together(seed):
    for log, credits in zip(*make_logs(seed), strict=True):
        expected = {}
        for page, (a, b) in credits.items():
            user = f"u{int(page[1:]) % 7}"
            before = expected.get(user, (0, 0))
            expected[user] = (before[0] + a, before[1] + b)
        row = sm.interleaving(log, unit="user").row(0, named=True)
        assert row["units"] == len(expected)
        assert row["wins"] == sum(b > a for a, b in expected.values())
        rows = list_credit(log, row["method"], "user")
        assert {user: (a, b) for user, a, b in rows} == expected


# Of the rankings a: x y z and b: y w x, as a page x y w z: the documents clicked, and the clicks
# that Chapelle et al. credit to a and to b.
PAGES = [
    ("", 0, 0),  # a tie
    ("x", 1, 0),  # rank 1 of a, so k = 1
    ("y", 0, 1),  # rank 1 of b
    ("w", 0, 1),  # rank 2 of b, not in a
    ("z", 1, 0),  # rank 3 of a, not in b
    ("yw", 1, 2),  # k = 2: a has y, b has y and w
    ("xy", 1, 1),  # the lowest click is y, rank 1 of b, so k = 1: a has x, b has y
    ("xyz", 3, 2),  # k = 3
    ("xw", 1, 1),  # k = 2
]


def make_pages():
    ranks = {"x": (1, 3), "y": (2, 1), "w": (None, 2), "z": (3, None)}
    rows = [
        (f"{number}: {clicks}", place, *ranks[doc], doc in clicks)
        for number, (clicks, *_) in enumerate(PAGES)
        for place, doc in enumerate("xywz")
    ]
    names = ["page_id", "position", "rank_a", "rank_b", "clicked"]
    return pl.DataFrame(rows, names, orient="row", infer_schema_length=None)


def test_balanced_credit_by_hand():
    rows = list_credit(make_pages(), "balanced")
    assert rows == [(f"{n}: {clicks}", a, b) for n, (clicks, a, b) in enumerate(PAGES)]
    con = open_shell(log=make_pages())
    query = "SELECT query_id, baseline_score, score FROM balanced_credit(log) ORDER BY query_id"
    assert con.execute(query).fetchall() == rows


def test_aggregates_of_comparisons_serve_rows_of_credit_in_the_shell():
    (teams, _), (credits, _) = make_logs(5)
    con = open_shell(log=teams)
    con.execute("CREATE OR REPLACE TABLE credit AS FROM team_credit(log)")
    ((wins, t, net, preference, dz),) = con.execute(
        "SELECT wins(p), paired_t(p), net_wins(p), preference(p), cohen_dz(p) FROM credit AS p"
    ).fetchall()
    x = np.array([b - a for a, b in credits.values()])
    assert wins == (x > 0).sum()
    assert t == pytest.approx(stats.ttest_1samp(x, 0).pvalue)
    assert net == pytest.approx(np.sign(x).mean())
    assert preference == pytest.approx(np.sign(x).mean() / 2)
    assert dz == pytest.approx(x.mean() / x.std(ddof=1))
    ((interval,),) = con.execute(
        "SELECT bootstrap_interval(p) FROM resampled(credit) AS p"
    ).fetchall()
    assert interval[0] < x.mean() < interval[1]
    ((p,),) = con.execute("SELECT randomization(p) FROM flipped(credit) AS p").fetchall()
    assert 0 < p <= 1


def count_false_preferences(logs, pages):
    """The p-values of the sign test over logs of two rankings that are equally good, in one query."""
    con = open_shell()
    con.execute(
        f"""
        CREATE OR REPLACE TABLE logs AS
        SELECT
            concat(log, ':', page) AS page_id,
            CASE WHEN (place + md5_number_lower(concat('coin', log, ':', page, ':', place // 2)) % 2) % 2 = 0
                THEN 'a' ELSE 'b' END AS team,
            CASE WHEN md5_number_lower(concat('click', log, ':', page, ':', place)) % (3 + place) = 0 THEN 1 ELSE 0 END AS clicked
        FROM range({logs}) AS l (log), range({pages}) AS p (page), range(6) AS q (place)
        """
    )
    rows = con.execute(
        "SELECT sign_test(p) FROM team_credit(logs) AS p "
        "GROUP BY p.metric, p.run_id, p.baseline, split_part(p.query_id, ':', 1)"
    ).fetchall()
    return np.array(rows)[:, 0]


@pytest.mark.thorough
def test_equally_good_rankings_are_rarely_preferred_over_2000_logs():
    p = count_false_preferences(2000, 200)
    assert len(p) == 2000
    assert 0.025 < (p < 0.05).mean() < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.few(2)
@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (3, 0), (0, 5), (6, 0), (9, 1), (9, 2)])
def test_the_interval_of_an_interleaving_agrees_with_its_p_value(wins, losses):
    rows = [
        (page, team, int((team == "b") == (page < wins)))
        for page in range(wins + losses)
        for team in "ab"
    ]
    log = pl.DataFrame(rows, ["page_id", "team", "clicked"], orient="row")
    row = sm.interleaving(log).row(0, named=True)
    assert row["p"] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
    assert -0.5 <= row["low"] < row["high"] <= 0.5
    assert (row["low"] > 0 or row["high"] < 0) == (row["p"] < 0.05) == row["significant"]


def test_an_interleaving_says_what_is_a_tie_and_how_clicks_were_credited():
    row = sm.interleaving(make_pages()).row(0, named=True)
    assert (row["method"], row["units"], row["clicked"]) == ("balanced", 9, 8)
    assert (row["wins"], row["ties"], row["losses"], row["preference"]) == (3, 3, 3, 0)
    assert -0.4 < row["low"] < -0.3 < 0.3 < row["high"] < 0.4
    assert (row["p"], row["significant"]) == (1, False)
    assert row["note"] == "1 of 9 pages have no click that counts: they are ties"
    assert sm.interleaving(LOG, method="team")["note"].item() is None


def test_the_method_of_an_interleaving_follows_from_the_columns():
    for log, method in (
        (LOG, "team"),
        (LOG.drop("team"), "balanced"),
        (LOG.drop("position", "rank_a", "rank_b"), "team"),
    ):
        assert sm.interleaving(log)["method"].item() == method
    con = open_shell(log=LOG.drop("team"))
    query = "SELECT method, wins, losses FROM interleaving(log)"
    assert con.execute(query).fetchall() == [("balanced", 0, 2)]


# Online and offline


def make_bridge(seed, n=60):
    random = np.random.default_rng(seed)
    offline = random.integers(0, 11, (3, n)) / 10
    online = np.round(offline * 0.4 + random.normal(0, 0.2, (3, n)), 1)

    def table(values, name, kept):
        return pl.concat(
            pl.DataFrame(
                {
                    "run_id": [run] * n,
                    "query_id": [f"q{i:03}" for i in range(n)],
                    name: values[place],
                }
            )[kept]
            for place, run in enumerate("abc")
        )

    return (
        table(offline, "nDCG@10", slice(0, n - 5)),
        table(online, "ctr", slice(5, n)),
        {run: (offline[p, 5 : n - 5], online[p, 5 : n - 5]) for p, run in enumerate("abc")},
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_correlation_and_agreement_are_those_of_scipy(seed):
    offline, online, values = make_bridge(seed)
    found = sm.online_offline(offline, online, baseline="a")
    assert found.select("run_id", "queries").rows() == [("b", 50), ("c", 50)]
    for row in found.iter_rows(named=True):
        x, y = (mine - base for mine, base in zip(values[row["run_id"]], values["a"], strict=True))
        expected = stats.pearsonr(x, y)
        assert row["correlation"] == pytest.approx(expected.statistic, abs=1e-12)
        low, high = expected.confidence_interval()
        assert [row["low"], row["high"]] == pytest.approx([low, high], rel=1e-9)
        both = (np.abs(x) > 1e-9) & (np.abs(y) > 1e-9)
        assert row["moved"] == both.sum()
        assert row["agreement"] == pytest.approx((np.sign(x) == np.sign(y))[both].mean())
        for place in ("offline", "online"):
            assert f"left out: 5 queries have scores {place} only" in row["note"]
    query = "FROM bridged(offline, online, baseline := 'a')"
    assert sm.query(query, offline=offline, online=online).height == 100
    assert sm.online_offline(offline, online).select("baseline", "run_id").rows() == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]


@pytest.mark.few(1)
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e12, 1e200, 1e299])
def test_a_correlation_is_the_same_at_every_scale(scale):
    offline, online, _ = make_bridge(1)
    expected = sm.online_offline(offline, online, baseline="a")
    found = sm.online_offline(
        offline.with_columns(pl.col("nDCG@10") * scale),
        online.with_columns(pl.col("ctr") * 1e12),
        baseline="a",
    )
    for column in ("correlation", "low", "high"):
        assert found[column].to_list() == pytest.approx(expected[column].to_list(), rel=1e-9)


def test_where_one_side_does_not_move_there_is_no_correlation():
    offline, online, _ = make_bridge(0)
    still = online.with_columns(ctr=pl.lit(0.5))
    row = sm.online_offline(offline, still, baseline="a").row(0, named=True)
    assert (row["correlation"], row["low"], row["agreement"], row["moved"]) == (None, None, None, 0)
    assert row["note"].startswith(
        "no correlation, since one of them has the same difference for all"
    )
    few = offline.group_by("run_id").head(7)  # of which two are online
    row = sm.online_offline(few, online, baseline="a").row(0, named=True)
    assert (row["queries"], row["low"]) == (2, None)


def test_an_interval_that_contains_0_has_a_note():
    offline, online, _ = make_bridge(1)
    found = sm.online_offline(offline, online.with_columns(pl.col("ctr").reverse()))
    for low, high, note in found.select("low", "high", "note").iter_rows():
        assert (low < 0 < high) == note.startswith(
            "50 queries do not show whether they move together"
        )
    assert (found["low"] < 0).any()


def test_online_and_offline_may_be_what_evaluate_returns():
    scores = sm.evaluate(
        ROOT / "examples" / "qrels.csv",
        [ROOT / "examples" / f"{name}.csv" for name in ("bm25", "neural")],
        "AP RR",
    )
    online = scores.per_query.select("run_id", "query_id", clicks=1 - pl.col("AP"))
    found = sm.online_offline(scores, online, baseline="bm25")
    assert found.select("metric", "online_metric", "queries").rows() == [
        ("AP", "clicks", 4),
        ("RR", "clicks", 4),
    ]
    assert found["correlation"][0] == pytest.approx(-1)


# Interleaving, of a log

LOG = pl.DataFrame(
    {
        "page_id": ["1", "1", "2", "2"],
        "user_id": ["u", "u", "v", "v"],
        "clicked": [1, 0, 0, 1],
        "team": ["a", "b", "a", "b"],
        "position": [1, 2, 1, 2],
        "rank_a": [1, None, 1, 2],
        "rank_b": [2, 1, 1, None],
    }
)

# The commands


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments")
    SAMPLES["s60"].write_csv(folder / "users.csv")
    return folder


def test_the_command_compares_variants(folder):
    asked = ["experiment", "--users", folder / "users.csv", "--control", "A"]
    asked += ["--columns", "numerator=clicks"]
    expected = sm.experiment(SAMPLES["s60"], control="A", columns={"numerator": "clicks"})
    assert re.search(r"^clicks +B +A +\d+ +\d+ +\d\.\d+", run(*asked), re.M)
    got = json.loads(run(*asked, "-f", "json"))
    assert got == expected.to_dicts()
    one = json.loads(run(*asked, "-f", "json", "--alternative", "greater", "--no-cuped"))
    assert one[0]["p"] == pytest.approx(
        1 - got[0]["p"] / 2 if got[0]["difference"] < 0 else got[0]["p"] / 2
    )


@pytest.mark.parametrize(
    ("names", "control", "difference"),
    [(("active", "Control"), "Control", -2), (("active", "b"), "active", 2)],
)
def test_the_control_is_the_variant_of_that_name_or_the_first_one(names, control, difference):
    users = {"user_id": range(40), "variant": [*names] * 20, "numerator": [1, 2, 1, 4] * 10}
    row = sm.experiment(pl.DataFrame(users)).row(0, named=True)
    assert row["control"] == control
    assert row["difference"] == pytest.approx(difference)  # means are 1 and 3


@pytest.mark.thorough
def test_the_command_reads_tables_of_a_database(folder, tmp_path):
    path = tmp_path / "lab.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(f"CREATE TABLE seen AS FROM '{folder / 'users.csv'}'")
    asked = ["experiment", "--users", "seen", "-d", path]
    asked += ["-c", "numerator=clicks,denominator=pages", "--metrics", "clicks / pages"]
    assert "clicks / pages" in run(*asked, "--shares", "A=1", "--shares", "B=2")
    with duckdb.connect(str(path)) as con:
        con.execute("ALTER TABLE seen ADD COLUMN is_late BOOLEAN")
        con.execute("UPDATE seen SET is_late = pages > 4")
    found = json.loads(run(*asked, "--by", "is_late", "-f", "json"))
    assert [row["is_late"] for row in found] == [False, True]


def test_an_interval_of_moves_is_a_list_of_the_ends_that_the_analysis_has():
    tables = {"offline": draw_two_metrics(1), "online": draw_two_metrics(2)}
    keys = "b.metric, b.online_metric, b.run_id, b.baseline"
    found = sm.query(
        f"SELECT {keys}, move_interval(b) AS ends FROM bridged(offline, online) AS b GROUP BY {keys}",
        **tables,
    )
    expected = sm.online_offline(**tables)
    ends = {
        row[:4]: list(row[4:]) for row in expected.select(*found.columns[:4], "low", "high").rows()
    }
    assert {row[:4]: row[4] for row in found.rows()} == ends


def test_every_experiment_has_a_test_here():
    text = (ROOT / "tests" / "test_experiments.py").read_text(encoding="utf-8")
    files = catalogue.files()["experiments"].values()
    names = [f.path.stem for f in files if f.path.parent.name not in ("functions", "checks")]
    # what analyses ask for is compared above
    text += "".join(file.text for file in files if file.is_analysis)
    assert [name for name in names if not re.search(rf'\b{name}(\(|")', text)] == []


def make_two(control, variant):
    """The users of two arms."""
    rows = [
        (f"{arm}{place}", arm, float(value))
        for arm, values in (("A", control), ("B", variant))
        for place, value in enumerate(values)
    ]
    return pl.DataFrame(rows, ["user_id", "variant", "numerator"], orient="row")


def compare_two(control, variant, **options):
    """The test of two arms, and the notes."""
    found = sm.experiment(make_two(control, variant), control="A", **options)
    row = found.row(0, named=True)
    return row, row["note"] or ""


def find_fieller_ends(control, variant):
    """Where scipy's t statistic of mean(B) - ratio * mean(A) reaches the quantile of Welch's test."""
    test = stats.ttest_ind(variant, control, equal_var=False)
    quantile = stats.t.ppf(0.975, test.df)
    errors = [np.var(arm, ddof=1) / len(arm) for arm in (control, variant)]

    def beyond(relative):
        gap = np.mean(variant) - (1 + relative) * np.mean(control)
        return gap**2 - quantile**2 * (errors[1] + (1 + relative) ** 2 * errors[0])

    estimate = np.mean(variant) / np.mean(control) - 1
    return [optimize.brentq(beyond, *sorted((estimate, estimate + far))) for far in (-60, 60)]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("control", "variant"),
    [
        ([1, 2, 3, 4], [5, 6, 7, 9]),
        ([5, 6, 7, 9], [1, 2, 3, 4]),
        ([-5, -6, -7, -9], [1, 2, 3, 4, 0.5]),
        ([3, 4, 5, 8, 9], [3, 5, 5, 7, 12]),
    ],
)
def test_relative_intervals_are_fiellers(control, variant):
    row, note = compare_two(control, variant)
    expected = find_fieller_ends(control, variant)
    assert [row["relative_low"], row["relative_high"]] == pytest.approx(expected, rel=1e-9)
    query = (
        "SELECT relative_interval(a) FROM arms(users) AS a GROUP BY a.metric, a.variant, a.control"
    )
    ((ends,),) = sm.query(query, users=make_two(control, variant)).rows()
    assert ends == [row["relative_low"], row["relative_high"]]
    assert ("control's mean is below 0" in note) == (np.mean(control) < 0)


@pytest.mark.few(2)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(8))
def test_relative_intervals_leave_out_0_where_the_test_is_significant_and_only_there(
    seed, alternative
):
    draw = np.random.default_rng(seed)
    shift = (-1) ** seed * draw.uniform(0, 2)
    control = draw.lognormal(0, 1.5, 20) - seed % 3
    row, _ = compare_two(control, draw.lognormal(0, 1.5, 25) + shift, alternative=alternative)
    inside = row["relative_low"] <= 0 <= row["relative_high"]
    assert inside == (not row["significant"])


def test_a_relative_interval_has_no_end_where_the_mean_of_the_control_may_be_0():
    row, _ = compare_two([1] + [0] * 999, [1] * 7 + [0] * 993)
    assert row["significant"]
    assert row["relative_low"] > 0
    assert row["relative_high"] == math.inf
    row, _ = compare_two([1] + [0] * 999, [1] * 2 + [0] * 998)
    assert not row["significant"]
    assert [row["relative_low"], row["relative_high"]] == [-math.inf, math.inf]


def test_arms_that_are_constant_but_not_equal_are_not_called_the_same():
    assert "one value for every user of a variant" in compare_two([0] * 3, [1] * 3)[1]
    assert "the same value for every user" in compare_two([1] * 3, [1] * 3)[1]


PAST = pl.DataFrame(
    {
        "user_id": range(60),
        "variant": "A",
        "numerator": [float(n * 7 % 11) for n in range(60)],
        "denominator": [1 + n % 3 for n in range(60)],
        "before": [float(n * 7 % 11 + n % 5) for n in range(60)],
    }
)


@pytest.mark.parametrize("share", [0.5, 0.2, 0.05])
@pytest.mark.parametrize(("difference", "alpha", "power"), [(0.4, 0.05, 0.8), (1, 0.01, 0.9)])
def test_the_users_needed_are_those_of_statsmodels(share, difference, alpha, power):
    users = PAST.select("user_id", "variant", "numerator")
    options = {"share": share, "alpha": alpha, "power": power}
    found = sm.users_needed(users, difference=difference, **options).row(0, named=True)
    effect = difference / users["numerator"].std()
    ratio = share / (1 - share)
    solved = TTestIndPower().solve_power(effect, alpha=alpha, power=power, ratio=ratio)
    assert found["control_users"] == pytest.approx(math.ceil(solved), abs=1)
    assert found["variant_users"] == pytest.approx(math.ceil(solved * ratio), abs=1)
    assert found["users"] == found["control_users"] + found["variant_users"]
    same = sm.users_needed(users, relative=difference / found["mean"], **options)
    assert same["users"].item() == found["users"]


def test_values_before_and_denominators_change_how_many_users_are_needed():
    y, x, b = (PAST[name].to_numpy() for name in ("numerator", "denominator", "before"))
    added = (y - y.sum() / x.sum() * x) / x.mean()  # delta method
    found = sm.users_needed(PAST, difference=0.2).row(0, named=True)
    assert found["mean"] == pytest.approx(y.sum() / x.sum())
    assert found["spread"] == pytest.approx(added.std(ddof=1))
    explained = np.corrcoef(added, b)[0, 1] ** 2
    assert found["explained"] == pytest.approx(explained)
    ratios = sm.users_needed(PAST, difference=0.2, cuped=False).row(0, named=True)
    assert ratios["explained"] == 0
    z = stats.norm.isf(0.025)
    plain = 4 * ((z + stats.norm.isf(0.2)) * added.std(ddof=1) / 0.2) ** 2
    assert ratios["users"] == pytest.approx(plain + z * z / 2, abs=2)
    assert found["users"] == pytest.approx(plain * (1 - explained) + z * z / 2, abs=2)


def test_a_plan_says_what_it_lacks_and_where_it_is_rough():
    with pytest.raises(sm.InputError, match="give the difference to find: difference or relative"):
        sm.users_needed(PAST)
    with pytest.raises(sm.InputError, match="difference or relative, one of them"):
        sm.users_needed(PAST, difference=0.1, relative=0.1)
    with pytest.raises(sm.InputError, match=r"the mean of .* is 0: give"):
        sm.users_needed(PAST.with_columns(numerator=0), relative=0.1)
    with pytest.raises(
        sm.InputError, match=r"power must be above alpha, not 0\.03 with alpha 0\.05"
    ):
        sm.users_needed(PAST, difference=0.1, power=0.03)

    def note(users, difference=1, **options):
        return sm.users_needed(users, difference=difference, **options)["note"].item()

    assert note(PAST) is None
    assert note(PAST[:20]).startswith("with fewer than 30 users")
    assert note(PAST.with_columns(numerator=5, denominator=1)).startswith("the same value")
    assert note(PAST[:1]).startswith("one user")
    assert note(PAST, difference=1e-12) == "the difference is too small for any number of users"
    rare = PAST.drop("before").with_columns(numerator=pl.when(user_id=7).then(20).otherwise(0))
    assert "values this skewed need about" in note(rare, share=0.05)


def test_plans_are_of_each_metric_and_segment_in_their_order():
    users = pl.concat(
        PAST.with_columns(
            metric=pl.lit(metric),
            land=pl.when(pl.col("user_id") < 30).then(pl.lit("x")).otherwise(pl.lit("y")),
        )
        for metric in ("z", "a")
    )
    found = sm.users_needed(users, relative=0.1, by="land")
    assert found.select("metric", "land").rows() == [("z", "x"), ("z", "y"), ("a", "x"), ("a", "y")]
    half = PAST.filter(pl.col("user_id") < 30)
    assert found["users"][0] == sm.users_needed(half, relative=0.1)["users"].item()


def widen(steps, alpha):
    """The width of a confidence sequence in standard errors, by theorem 2.2 of Waudby-Smith et al."""
    return math.sqrt(2 * (steps + 1) / steps * math.log(math.sqrt(steps + 1) / alpha))


def count_steps(n, planned, alpha):
    """n times the square of their rho that is best at the planned number."""
    return n * (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / planned


@pytest.mark.parametrize("planned", [200, 2000])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_intervals_at_any_time_are_those_of_the_article(planned, alpha):
    drawn = np.random.default_rng(3)
    values = {"A": drawn.normal(0, 1, 90), "B": drawn.normal(0.3, 2, 110)}
    users = pl.DataFrame(
        [(f"{arm}{n}", arm, value) for arm in "AB" for n, value in enumerate(values[arm])],
        ["user_id", "variant", "numerator"],
        orient="row",
    )
    found = sm.experiment(users, control="A", alpha=alpha, anytime=planned).row(0, named=True)
    error = math.sqrt(sum(each.var(ddof=1) / len(each) for each in values.values()))
    steps = count_steps(200, planned, alpha)
    half = (found["high"] - found["low"]) / 2
    assert half == pytest.approx(widen(steps, alpha) * error)
    assert (found["high"] + found["low"]) / 2 == pytest.approx(found["difference"])
    # p is the level whose interval ends at 0
    ends = widen(steps, found["p"]) * error
    assert ends == pytest.approx(abs(found["difference"])) or found["p"] == 1
    assert found["significant"] == (abs(found["difference"]) > half)


def test_intervals_at_any_time_are_tightest_where_planned():
    widths = [widen(count_steps(100, planned, 0.05), 0.05) for planned in (50, 100, 200)]
    assert min(widths) == widths[1]
    users = pl.DataFrame(
        {
            "user_id": range(100),
            "variant": ["A", "B"] * 50,
            "numerator": [n % 7 for n in range(100)],
        }
    )
    found = [sm.experiment(users, anytime=n).row(0, named=True) for n in (50, 100, 200)]
    found = [each["high"] - each["low"] for each in found]
    assert [each / found[1] for each in found] == pytest.approx([w / widths[1] for w in widths])


def test_what_anytime_does_not_do_is_refused():
    users = pl.DataFrame(
        {"user_id": range(4), "variant": ["A", "B"] * 2, "numerator": [1, 2, 3, 5]}
    )
    with pytest.raises(sm.InputError, match="with anytime, alternative must be 'two-sided'"):
        sm.experiment(users, anytime=10, alternative="greater")
    with pytest.raises(sm.InputError, match="anytime must be a whole number, 2 or more, or NULL"):
        sm.experiment(users, anytime=1)


def test_interleaving_can_be_looked_at_any_time():
    wins = [1, 1, 1, 0, -1, 1, 1, -1, 1, 1] * 20
    pages = pl.DataFrame(
        [
            (n, team, int(win == side))
            for n, win in enumerate(wins)
            for team, side in (("a", -1), ("b", 1))
        ],
        ["page_id", "team", "clicked"],
        orient="row",
    )
    found = sm.interleaving(pages, anytime=200).row(0, named=True)
    outcomes = np.array(wins) / 2
    error = outcomes.std(ddof=1) / math.sqrt(200)
    half = widen(count_steps(200, 200, 0.05), 0.05) * error
    assert found["preference"] == pytest.approx(outcomes.mean())
    assert [found["low"], found["high"]] == pytest.approx(
        [outcomes.mean() - half, min(outcomes.mean() + half, 0.5)]
    )
    assert found["significant"]
    assert found["p"] < 0.05
    same = sm.interleaving(pages.filter(pl.col("page_id") < 2), anytime=200).row(0, named=True)
    assert [same[each] for each in ("low", "high", "p", "significant")] == [-0.5, 0.5, 1, False]
