"""Comparisons of runs: what is compared, what is printed, and what is refused."""

from __future__ import annotations

import json
import math
import re
from functools import reduce

import duckdb
import numpy as np
import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run, run_command
from conftest import ROOT
from scipy import stats
from statsmodels import api as sm_api

import sqlmetrics as sm
from sqlmetrics.engine import draws
from sqlmetrics.engine.connections import open_reader
from sqlmetrics.engine.relations import relate

SCORES = pl.DataFrame(
    {
        "run_id": ["a"] * 6 + ["b"] * 6 + ["c"] * 6,
        "query_id": ["1", "2", "3", "4", "5", "6"] * 3,
        "AP": [
            *(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
            *(0.3, 0.3, 0.3, 0.7, 0.9, 0.8),
            *(0.1, 0.1, 0.4, 0.3, 0.5, 0.5),
        ],
        "RR": [
            *(1.0, 0.5, 0.5, 1.0, 0.0, 1.0),
            *(1.0, 1.0, 0.5, 1.0, 0.5, 1.0),
            *(0.2, 0.5, 0.0, 1.0, 0.0, 1.0),
        ],
    }
)


def test_differences_intervals_and_p_values_are_those_of_scipy():
    found = sm.compare(SCORES, "a", correction="none").tests
    wide = {run: SCORES.filter(run_id=run) for run in "abc"}
    for row in found.iter_rows(named=True):
        ours, theirs = (wide[run][row["metric"]].to_numpy() for run in (row["run_id"], "a"))
        expected = stats.ttest_rel(ours, theirs)
        low, high = expected.confidence_interval()
        assert row["p"] == pytest.approx(expected.pvalue, rel=1e-12)
        assert [row["low"], row["high"]] == pytest.approx([low, high])
        assert row["mean"] == pytest.approx(ours.mean())
        assert row["difference"] == pytest.approx((ours - theirs).mean())
    assert found.select("metric", "run_id", "wins", "ties", "losses").rows() == [
        ("AP", "b", 5, 1, 0),
        ("AP", "c", 1, 2, 3),
        ("RR", "b", 2, 4, 0),
        ("RR", "c", 0, 4, 2),
    ]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "options",
    [
        {"test": "tukey"},
        {"test": "randomization"},
        {"interval": "percentile"},
        {"interval": "bca"},
    ],
)
def test_draws_in_portions_give_the_same_tests(monkeypatch, options):
    rows = [
        (f"r{r}", f"q{q}", math.sin(7 * q + r * r), math.cos(5 * q + r))
        for r in range(3)
        for q in range(24)
    ]
    scores = pl.DataFrame(rows, ["run_id", "query_id", "many", "few"], orient="row")
    # few queries differ, of which all permutations are taken, once
    scores = scores.with_columns(few=pl.when(pl.col("query_id") < "q15").then("few").otherwise(1))
    given = {**options, "permutations": 500, "samples": 300, "seed": 2}
    steps = []
    monkeypatch.setattr(draws, "begin", lambda *step: steps.append(step))
    whole = sm.compare(scores, "r0", **given).tests
    assert len(steps) == 1
    monkeypatch.setattr(draws, "AT_ONCE", 1000)
    assert sm.compare(scores, "r0", **given).tests.equals(whole)
    assert len(steps) > 3


def test_the_ranges_of_tukey_are_there_for_intervals(monkeypatch):
    monkeypatch.setattr(draws, "AT_ONCE", 100)
    with open_reader() as reader:
        long = SCORES.unpivot(index=["run_id", "query_id"], variable_name="metric").rename(
            {"value": "score"}
        )
        compared = relate(reader, "paired", {"scores": long}, baseline="a")
        tests = compared.compute({"difference": "mean_difference(p)"})
        p, ranges = draws.permute(compared, tests, 50, 1)
    assert ranges.group_by("metric").len().sort("metric").rows() == [("AP", 50), ("RR", 50)]
    for row in tests.join(p, on=compared.groups).rows(named=True):
        reached = ranges.filter(pl.col("mean_range") >= abs(row["difference"]) - 1e-12)
        assert row["p"] == (1 + reached.filter(metric=row["metric"]).height) / 51


NUMBERS = (
    *("queries", "mean", "baseline_mean", "difference", "low", "high", "confidence"),
    *("wins", "ties", "losses", "effect", "p", "p_corrected", "significant", "detectable"),
)


@pytest.mark.few(1)
@pytest.mark.parametrize("baseline", [None, "b"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "randomization", "correction": "bh", "permutations": 300, "seed": 3},
        {"test": "wilcoxon", "correction": "by", "within": 0.1},
        {"test": "sign", "family": "all", "alpha": 0.2},
        {"test": "tukey", "permutations": 300, "seed": 3},
        {"interval": "bca", "correction": "bonferroni", "samples": 100, "seed": 3},
        {"interval": "percentile", "correction": "none", "samples": 100},
    ],
)
def test_compared_has_the_numbers_of_compare(baseline, options):
    scores = SCORES.rename({"AP": "x", "RR": "y"})  # not metrics, whose differences have limits
    large = pl.concat(
        scores.with_columns(pl.col("query_id") + f"-{n}", (pl.col("x") * n + n) % 0.7)
        for n in (1, 3, 7, 11, 13)
    )
    for given in (scores, large):
        expected = sm.compare(given, baseline, all_pairs=baseline is None, **options).tests
        own = {"intervals" if key == "interval" else key: each for key, each in options.items()}
        keys = ["metric", "run_id", "baseline"]
        found, expected = (
            sm.compared(given, baseline=baseline, **own).sort(keys),
            expected.sort(keys),
        )
        assert found.select(keys).equals(expected.select(keys))
        for column in NUMBERS:
            numbers = expected[column].to_list()
            assert found[column].to_list() == pytest.approx(numbers, rel=1e-12, abs=1e-13), column


def test_compared_has_a_note_where_a_row_is_not_to_be_trusted():
    def note(ap="AP", **options):
        scores = SCORES.select("run_id", "query_id", "AP").filter(pl.col("run_id") < "c")
        return sm.compared(scores.with_columns(AP=ap), baseline="a", **options)["note"].item()

    few = "with fewer than 10 queries, intervals and p-values are a rough guide: they assume"
    assert note().startswith(few)
    assert note(pl.lit(0.5)).startswith(f"the same score for every query; {few}")
    shifted = pl.when(run_id="a").then(0.5).otherwise(0.75)
    said = "the same difference for every query, so no test is possible"
    assert note(shifted).startswith(said)
    assert note(test="sign", alpha=0.05).startswith(
        "only 5 queries differ; p cannot be below 0.0625"
    )
    # all signs of five differences the same: 2 of 2^5 patterns
    moved = SCORES.select("run_id", "query_id", AP=shifted).filter(pl.col("run_id") < "c")
    for test in ("wilcoxon", "sign", "randomization"):
        row = sm.compared(moved, baseline="a", test=test).row(0, named=True)
        assert row["p"] == pytest.approx(2 / 2 ** row["queries"])
        assert row["note"].startswith("the same difference for every query, so no interval is")
    single = (
        pl.when((pl.col("query_id") == "1") & (pl.col("run_id") == "b")).then(1.0).otherwise(0.5)
    )
    assert note(single, test="sign").startswith("only 1 query differs; p cannot be below 1")
    assert "intervals from bootstrap samples are too narrow" in note(intervals="bca")
    one = sm.compared(SCORES.filter(query_id="1"), baseline="a")
    assert all(each.startswith("one query; a test needs two or more") for each in one["note"])
    many = pl.concat(SCORES.with_columns(pl.col("query_id") + f"-{n}") for n in range(200))
    assert "with 1200 queries even small" in sm.compared(many, baseline="a")["note"][0]


def test_means_have_intervals_by_student():
    found = sm.means(SCORES, alpha=0.1)
    numbers = ["queries", "effective_queries", "mean", "low", "high", "spread"]
    assert found.columns == ["metric", "run_id", *numbers, "note"]
    assert found["metric"].to_list() == ["AP"] * 3 + ["RR"] * 3
    for row in found.iter_rows(named=True):
        own = SCORES.filter(run_id=row["run_id"])[row["metric"]].to_numpy()
        low, high = stats.t.interval(0.9, len(own) - 1, own.mean(), stats.sem(own))
        given = [row[name] for name in numbers]
        assert given == pytest.approx([6, 6, own.mean(), low, high, own.std(ddof=1)], rel=1e-12)
        assert row["note"].startswith("with fewer than 10 queries")
    same = sm.means(SCORES.with_columns(AP=0.5)).row(0, named=True)
    assert (same["low"], same["high"], same["mean"]) == (None, None, 0.5)
    assert same["note"] == "the same score for every query, so no interval is possible"
    one = sm.means(SCORES.filter(query_id="1"))
    assert one["note"][0] == "one query; an interval needs two or more"
    with pytest.raises(sm.InputError, match="2 scores of AP for query 1"):
        sm.means(pl.concat([SCORES, SCORES[:1]]))


def test_an_unknown_metric_of_rows_is_refused_with_each_that_there_is():
    rows = pl.DataFrame(
        [(run, metric, query, 0.5) for run in "ab" for metric in "nk" for query in "12"],
        ["run_id", "metric", "query_id", "score"],
        orient="row",
    )
    with pytest.raises(sm.InputError, match=r"no scores of zz; there are n, k$"):
        sm.compared(rows, metrics="zz")


def test_the_mean_of_means_has_the_interval_of_a_stratified_sample():
    random = np.random.default_rng(3)
    sizes = {"news": 5, "shop": 30, "wiki": 12}
    drawn = [(run, name, f"{name}{n}", float(random.random()))
        for run in ("b", "a") for name, size in sizes.items() for n in range(size)]  # fmt: skip
    scores = pl.DataFrame(drawn, ["run_id", "dataset", "query_id", "AP"], orient="row")
    found = sm.mean_of_means(scores, by="dataset", alpha=0.1)
    assert found.select("run_id", "segments", "queries").rows() == [("a", 3, 47), ("b", 3, 47)]
    for row in found.iter_rows(named=True):
        own = scores.filter(run_id=row["run_id"]).group_by("dataset").agg("AP")
        parts = [part.to_numpy() for part in own["AP"]]
        means = [np.mean(part) for part in parts]
        errors = np.array([np.var(part, ddof=1) / len(part) for part in parts])
        freedom = errors.sum() ** 2 / sum(
            e**2 / (len(part) - 1) for e, part in zip(errors, parts, strict=True)
        )
        expected = stats.t.interval(0.9, freedom, np.mean(means), np.sqrt(errors.sum()) / 3)
        got = [row[name] for name in ("mean", "low", "high")]
        assert got == pytest.approx([np.mean(means), *expected], rel=1e-9)
        assert row["note"].startswith("with fewer than 10 queries of a data set")
    # one data set is a plain mean; between the limits of AP
    whole = sm.mean_of_means(scores.drop("dataset"), metrics="AP").row(0, named=True)
    plain = scores.filter(run_id=whole["run_id"])["AP"].to_numpy()
    expected = stats.t.interval(0.95, 46, plain.mean(), stats.sem(plain))
    assert [whole["low"], whole["high"]] == pytest.approx([*expected], rel=1e-9)
    score = pl.when(pl.col("query_id") == "news0").then(0.9).otherwise(1.0)
    high = scores.drop("AP").with_columns(metric=pl.lit("AP"), score=score, lowest=0, highest=1)
    assert sm.mean_of_means(high, by="dataset")["high"].to_list() == [1, 1]
    with pytest.raises(sm.InputError, match="run a has scores of AP for 2 of 3 data sets"):
        sm.mean_of_means(
            scores.filter((pl.col("run_id") == "b") | (pl.col("dataset") != "wiki")), by="dataset"
        )
    one = scores.filter(pl.col("dataset").ne("news") | pl.col("query_id").eq("news0"))
    lone = sm.mean_of_means(one, by="dataset").row(0, named=True)
    assert (lone["low"], lone["note"]) == (
        None,
        "a data set with one query; an interval needs two or more of each",
    )
    same = sm.mean_of_means(scores.with_columns(AP=0.5), by="dataset").row(0, named=True)
    assert (same["mean"], same["low"]) == (0.5, None)
    assert same["note"].startswith("the same score for every query of a data set")
    limited = high.with_columns(score=0.5)
    for ends in ({}, {"highest": math.inf}):
        row = sm.mean_of_means(limited.with_columns(**ends), by="dataset").row(0, named=True)
        assert (row["low"], row["high"]) == (None, None)
    for size in (1e-90, 1e90):  # whose squared variances are beyond the numbers
        scaled = sm.mean_of_means(scores.with_columns(pl.col("AP") * size), by="dataset", alpha=0.1)
        for name in ("low", "high"):
            assert (scaled[name] / size).to_list() == pytest.approx([*found[name]], rel=1e-9)


@pytest.mark.parametrize("ends", [{"lowest": 0.0}, {"lowest": 0.0, "highest": None}])
def test_a_metric_may_have_one_limit(ends):
    # 1 ± 12.706 · 1 of two queries, and of two data sets of them 1 ± 4.303 · √(1 + 1) / 2
    scores = pl.DataFrame({
        "run_id": "a",
        "query_id": ["1", "2", "3", "4"],
        "dataset": ["x", "x", "y", "y"],
        "DCG": [0.0, 2.0, 0.0, 2.0],
        **ends,
    })  # fmt: skip
    one = sm.means(scores, metrics="DCG", by="dataset").row(0, named=True)
    assert (one["low"], one["high"]) == (0, pytest.approx(1 + 12.7062047))
    all_sets = sm.mean_of_means(scores, metrics="DCG", by="dataset").row(0, named=True)
    assert (all_sets["low"], all_sets["high"]) == (0, pytest.approx(1 + 4.30265273 / math.sqrt(2)))
    above = scores.with_columns(pl.col("DCG") - 1)  # the scores are not what has this limit
    assert sm.means(above, metrics="DCG", by="dataset")["low"][0] == pytest.approx(-12.7062047)


def draw_weighted(number=40):
    drawn = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "run_id": np.repeat(["a", "b"], number),
            "query_id": [*map(str, range(number))] * 2,
            "AP": drawn.random(2 * number),
            "weight": np.tile(drawn.lognormal(0, 1, number), 2),
        }
    )
    return frame, *(frame.filter(run_id=run)["AP"].to_numpy() for run in "ab")


def test_weighted_differences_are_those_of_statsmodels():
    frame, before, after = draw_weighted()
    weight = frame["weight"].to_numpy()[: len(before)]
    fitted = sm_api.WLS(after - before, np.ones(len(before)), weights=weight).fit(cov_type="HC2")
    found = sm.compared(frame, baseline="a", alpha=0.1).row(0, named=True)
    effective = weight.sum() ** 2 / (weight**2).sum()
    assert found["effective_queries"] == pytest.approx(effective)
    assert found["mean"] == pytest.approx(np.average(after, weights=weight))
    assert found["difference"] == pytest.approx(fitted.params[0])
    t = stats.t(effective - 1)
    assert found["p"] == pytest.approx(2 * t.sf(abs(fitted.params[0] / fitted.bse[0])), rel=1e-9)
    ends = fitted.params[0] + np.array([-1, 1]) * t.isf(0.05) * fitted.bse[0]
    assert [found["low"], found["high"]] == pytest.approx(ends, rel=1e-9)
    assert found["wins"] == (after > before).sum()


def test_equal_weights_change_nothing():
    frame, *_ = draw_weighted()
    plain = sm.compared(frame.drop("weight"), baseline="a").row(0)
    for weight in (1, 7):
        same = sm.compared(frame.with_columns(weight=pl.lit(weight)), baseline="a").row(0)
        assert same == pytest.approx(plain, rel=1e-12)
    without = frame.with_columns(
        weight=pl.when(pl.col("query_id").cast(int) < 20).then(1).otherwise(0)
    )
    half = sm.compared(frame.drop("weight").filter(pl.col("query_id").cast(int) < 20), baseline="a")
    assert sm.compared(without, baseline="a").row(0) == pytest.approx(half.row(0), rel=1e-12)


def test_weights_that_cannot_be_used_are_refused():
    frame, *_ = draw_weighted()
    for test in ("randomization", "wilcoxon", "sign", "tukey"):
        with pytest.raises(
            sm.InputError, match=f"with weights, test and intervals .* not '{test}'"
        ):
            sm.compared(frame, baseline="a", test=test)
    with pytest.raises(sm.InputError, match=r"weight must be 0 or more, not -1\.0 for query 0"):
        sm.compared(frame.with_columns(weight=pl.lit(-1.0)), baseline="a")
    with pytest.raises(sm.InputError, match="has no query with a weight above 0"):
        sm.compared(frame.with_columns(weight=pl.lit(0)), baseline="a")
    for function in (sm.means, sm.compare, sm.mean_of_means):
        with pytest.raises(sm.InputError, match="has no query with a weight above 0"):
            function(frame.with_columns(weight=pl.lit(0), segment=pl.lit("x")))
        for text in ("1", True):  # which would be left out, and the means not weighted
            with pytest.raises(sm.InputError, match="weight must be numbers, not"):
                function(frame.with_columns(weight=pl.lit(text), segment=pl.lit("x")))
    by_run = frame.with_columns(weight=pl.when(run_id="a").then(1).otherwise(2))
    with pytest.raises(sm.InputError, match=r"the weight of query .* must be the same"):
        sm.compared(by_run, baseline="a")
    heavy = frame.with_columns(weight=pl.when(query_id="1").then(100).otherwise(1))
    assert "as good as 1.9 of the same weight" in sm.compared(heavy, baseline="a")["note"].item()


def test_compare_has_the_numbers_of_compared_by_a_column_of_weights():
    frame, *_ = draw_weighted()
    expected = sm.compared(frame, baseline="a").row(0, named=True)
    named = frame.rename({"weight": "asked"})
    found = sm.compare(named, "a", weight="asked")
    again = sm.compare(named, "a", columns={"weight": "asked"}).tests
    assert again["mean"].to_list() == pytest.approx(found.tests["mean"].to_list())
    row = found.tests.row(0, named=True)
    numbers = {name: value for name, value in row.items() if isinstance(value, float)}
    # sums may differ in the last digit, since threads add them up
    assert numbers == pytest.approx({name: expected[name] for name in numbers}, rel=1e-12)
    assert row == {name: expected[name] for name in row} | numbers
    assert found.notes == ("means and differences are weighted by asked",)
    assert (
        found.per_query["score"].to_list()
        == frame.filter(run_id="b").sort("query_id")["AP"].to_list()
    )
    parts = frame.with_columns(lang=pl.col("query_id").cast(int) % 2)
    divided = sm.compare(parts, "a", by="lang", weight="weight").tests
    other_case = sm.compare(parts.rename({"lang": "Lang"}), "a", by="lang", weight="weight").tests
    assert other_case.equals(divided)
    assert divided["effective_queries"].to_list() == pytest.approx(
        sm.compared(parts, baseline="a", by="lang")["effective_queries"].to_list(), rel=1e-12
    )
    with pytest.raises(sm.InputError, match="with weights, test and interval are 't', not 'sign'"):
        sm.compare(frame, "a", weight="weight", test="sign")
    with pytest.raises(sm.InputError, match="no column asked"):
        sm.compare(frame, "a", weight="asked")
    with pytest.raises(sm.InputError, match=r"weight must be 0 or more, not -1\.0"):
        sm.compare(frame.with_columns(weight=pl.lit(-1.0)), "a", weight="weight")
    with pytest.raises(sm.InputError, match="weight must be numbers, not of type string"):
        sm.compare(frame.with_columns(weight=pl.lit("much")), "a", weight="weight")


def test_weighted_scores_are_compared_by_their_weights():
    qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    runs = {
        "old": {"1": {"a": 1.0}, "2": {"x": 2.0, "b": 1.0}},
        "new": {"1": {"x": 2.0, "a": 1.0}, "2": {"b": 1.0}, "3": {"c": 1.0}},
    }
    topics = pl.DataFrame({"query_id": ["1", "2", "3"], "asked": [5, 3, 2]})
    scores = sm.evaluate(qrels, runs, "RR", topics=topics, weight="asked")
    row = scores.compare("old").tests.row(0, named=True)
    assert row["mean"] == pytest.approx((5 / 2 + 3 + 2) / 10)
    assert row["baseline_mean"] == pytest.approx((5 + 3 / 2) / 10)
    assert "weighted by asked" in scores.report("old").html
    # means and compared take the weight from the scores, or the column that is named
    tested = sm.compared(scores, baseline="old").row(0, named=True)
    assert [tested[key] for key in ("mean", "p")] == [row["mean"], row["p"]]
    means = sm.means(scores)
    assert means["mean"].to_list() == pytest.approx([(5 / 2 + 3 + 2) / 10, (5 + 3 / 2) / 10])
    named = sm.means(scores.per_query, columns={"weight": "asked"})
    assert named.equals(means)


def test_a_file_of_weighted_scores_keeps_the_weights(tmp_path):
    topics = pl.read_csv(QRELS).select("query_id").unique().sort("query_id")
    topics.with_columns(asked=pl.int_range(1, pl.len() + 1)).write_csv(tmp_path / "topics.csv")
    how = ("-m", "nDCG@10 AP", "--weight", "asked", "--topics", tmp_path / "topics.csv")
    kept = tmp_path / "kept.csv"
    run("evaluate", QRELS, BM25, NEURAL, *how, "--per-query", "-o", kept)
    means = pl.read_csv(run("evaluate", QRELS, BM25, NEURAL, *how, "-f", "csv").encode())
    found = sm.compare(kept)
    assert found.tests["mean"].to_list() == pytest.approx(means.row(1)[1:])
    assert "weighted by weight" in found.notes[0]
    again = sm.means(kept).pivot("metric", index="run_id", values="mean").sort("run_id")
    assert again["AP"].to_list() == pytest.approx(means["AP"].to_list())
    run("evaluate", QRELS, BM25, *how, "--per-query", "-o", kept)
    limit = ("--max-loss", "AP=0.5")
    for more in ((), how[2:]):
        said = run_command("gate", QRELS, kept, NEURAL, *limit, *more)[2]
        assert "only the weights of the run count, not those of the baseline's file" in said


def test_a_column_of_weights_is_not_a_metric():
    wide = SCORES.with_columns(weight=pl.col("query_id").cast(pl.Float64))
    long = wide.unpivot(
        ["AP", "RR"],
        index=["run_id", "query_id", "weight"],
        variable_name="metric",
        value_name="score",
    )
    assert sm.means(wide).equals(sm.means(long))
    assert sm.means(wide, metrics="weight")["metric"].unique().to_list() == ["weight"]
    assert sm.compare(wide, "a").tests.equals(sm.compare(wide, "a", weight="weight").tests)


def test_holm_corrects_within_a_metric_or_over_all_of_them():
    by_metric, of_all = (
        sm.compare(SCORES, "a", family=family).tests for family in ("metric", "all")
    )
    for metric, part in by_metric.group_by("metric"):
        smaller, larger = sorted(part["p"])
        expected = [min(1, 2 * smaller), max(min(1, 2 * smaller), larger)]
        assert sorted(part["p_corrected"]) == pytest.approx(expected), metric
    p = sorted(of_all["p"])
    holm = [min(1, max(p[i] * (4 - i) for i in range(n + 1))) for n in range(4)]
    assert sorted(of_all["p_corrected"]) == pytest.approx(holm)


def draw_runs(seed, number=6, n=12, metric="AP"):
    """Scores of a baseline, and of runs from much worse to much better."""
    random = np.random.default_rng(seed)
    base = random.uniform(0.2, 0.8, n)
    return pl.concat(
        pl.DataFrame(
            {
                "run_id": f"r{run}",
                "query_id": [f"q{i}" for i in range(n)],
                metric: base + random.normal((run - number / 2) * 0.04 * (run > 0), 0.08, n),
            }
        )
        for run in range(number)
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("test", ["t", "tukey"])
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "by", "none"])
def test_an_interval_leaves_out_0_just_where_the_corrected_p_is_significant(correction, test):
    """Of 40 families of runs, each a metric, which are tested and corrected by themselves."""
    families = [draw_runs(seed, metric=f"AP@{seed + 1}") for seed in range(40)]
    scores = reduce(lambda known, each: known.join(each, on=["run_id", "query_id"]), families)
    options = {"correction": correction, "test": test, "permutations": 400}
    found = sm.compare(scores, "r0", **options).tests
    assert found["metric"].n_unique() == 40
    by_p = (found["p_corrected"] < 0.05).to_list()
    assert found["significant"].to_list() == by_p
    assert [low > 0 or high < 0 for low, high in found.select("low", "high").rows()] == by_p


@pytest.mark.thorough
def test_intervals_have_the_confidence_at_which_the_correction_tests_each_row():
    scores = draw_runs(5)
    tests = {
        name: sm.compare(scores, "r0", correction=name).tests.sort("p")
        for name in ("none", "bonferroni", "holm", "bh", "by")
    }
    number = int((tests["bh"]["p_corrected"] < 0.05).sum())
    stepped = int((tests["holm"]["p_corrected"] < 0.05).sum())
    assert 0 < stepped < number < 5
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5
    some = max(1, int((tests["by"]["p_corrected"] < 0.05).sum()))
    expected = {
        "none": [0.05] * 5,
        "bonferroni": [0.05 / 5] * 5,
        "holm": [0.05 / (5 - min(step, stepped)) for step in range(5)],
        "bh": [0.05 * number / 5] * 5,
        "by": [0.05 * some / 5 / harmonic] * 5,
    }
    for name, alphas in expected.items():
        found = tests[name]
        assert (1 - found["confidence"]).to_list() == pytest.approx(alphas), name
        for row, alpha in zip(found.iter_rows(named=True), alphas, strict=True):
            ours, theirs = (scores.filter(run_id=r)["AP"] for r in (row["run_id"], "r0"))
            low, high = stats.ttest_rel(ours, theirs).confidence_interval(1 - alpha)
            assert [row["low"], row["high"]] == pytest.approx([low, high])
            spread = (ours - theirs).std() / 12**0.5
            least = stats.t.ppf(1 - alpha / 2, 11) + stats.t.ppf(0.8, 11)
            assert row["detectable"] == pytest.approx(least * spread)


def test_a_row_is_not_marked_where_its_interval_contains_0():
    scores = pl.DataFrame(
        {
            "run_id": ["a"] * 12 + ["b"] * 12,
            "query_id": [*range(12)] * 2,
            "AP": [0.5] * 12 + [0.51] * 11 + [0.0],
        }
    )
    found = sm.compare(scores, "a", test="sign")
    (row,) = found.tests.iter_rows(named=True)
    assert row["p_corrected"] < 0.05
    assert row["low"] < 0 < row["high"]
    assert not row["significant"]
    assert "▲" not in next(found.tables()).write()
    assert (
        "b and a by AP: not significant, since the interval of the mean contains 0" in found.notes
    )


def test_intervals_stay_within_what_a_difference_of_the_metric_can_be():
    scores = pl.DataFrame(
        {
            "run_id": ["a"] * 3 + ["b"] * 3,
            "query_id": ["1", "2", "3"] * 2,
            "RR": [0.0, 0.0, 0.0, 1.0, 1.0, 0.5],
        }
    )
    low, high = stats.ttest_1samp([1.0, 1.0, 0.5], 0).confidence_interval()
    assert high > 1
    for name, expected in {
        "RR": [low, 1.0],  # also as other tools call it
        "recip_rank": [low, 1.0],
        "clicks": [low, high],
    }.items():
        found = sm.compare(scores.rename({"RR": name}), "a").tests
        assert [*found.select("low", "high").row(0)] == pytest.approx(expected)
    per_cent = scores.with_columns(RR=100 * pl.col("RR"))
    assert sm.compare(per_cent, "a").tests["high"][0] == pytest.approx(100 * high)


def test_a_metric_of_which_a_lower_score_is_better_has_a_note():
    said = "FallOut: lower is better, so wins and ▲ are of the worse run"
    assert said in sm.compare(draw_runs(1, metric="FallOut"), "r0").notes
    assert not any("lower is better" in note for note in sm.compare(draw_runs(1), "r0").notes)


def test_fewer_than_ten_queries_have_a_note():
    for number in (9, 10):
        notes = sm.compare(draw_runs(1, n=number), "r0").notes
        assert any("with fewer than 10 queries" in note for note in notes) is (number < 10)


def test_a_comparison_prints_a_table_how_it_was_tested_and_what_it_cannot_say():
    text = str(sm.compare(SCORES, "a", test="wilcoxon", metrics="AP"))
    assert re.search(r"^AP +b +0\.5500 +\+0\.2000 .* 5/1/0 +\+1\.41 +\.125$", text, re.M)
    said = "p-values are from Wilcoxon's signed-rank tests, corrected by Holm for the 2 comparisons"
    assert said in " ".join(text.split())
    assert max(len(line) for line in text.splitlines() if line.startswith(said[:20])) <= 80
    assert "b and a by AP: only 5 queries differ; p cannot be below 0.0625" in text


def test_without_a_baseline_means_have_the_letters_of_the_runs_that_they_beat():
    found = sm.compare(SCORES, all_pairs=True, metrics="AP", correction="none")
    (table,) = found.tables()
    assert table.frame.rows() == [
        ("a", "b", "0.5500 bc"),
        ("b", "a", "0.3500"),
        ("c", "c", "0.3167"),
    ]
    assert found.method.endswith("Letters: the runs that it beats significantly, at 0.05.")


def test_more_than_26_runs_have_letters_of_their_own():
    many = pl.concat(
        SCORES.filter(run_id="a").with_columns(
            pl.lit(f"r{n:02}").alias("run_id"), AP=pl.col("AP") + n
        )
        for n in range(28)
    )
    table = next(sm.compare(many, all_pairs=True, metrics="AP").tables()).frame
    assert table[""].to_list()[24:] == ["y", "z", "aa", "ab"]
    assert table["AP"][26] == "1.3500"


def test_markdown_and_latex_are_tables_of_the_same_cells():
    found = sm.compare(SCORES, "a", metrics="AP", correction="none")
    assert re.search(
        r"^\| AP +\| b +\| 0\.5500 \|", found.write("markdown").replace("  ", " "), re.M
    )
    assert r"95\% interval" in found.write("latex")


def test_queries_that_gain_and_lose_most_come_first():
    found = sm.compare(SCORES, "a", metrics="AP").rank_queries(2)
    rows = found.filter(run_id="c").select("query_id", "change").rows()
    assert rows == [("3", "better"), ("2", "worse"), ("4", "worse")]
    assert found.filter(run_id="b")["query_id"].to_list() == ["5", "4"]


@pytest.mark.few(1)
@pytest.mark.parametrize("scale", [1e-300, 1e-13, 1e12, 1e299])
def test_the_queries_that_gain_most_are_the_same_at_every_scale(scale):
    # a tie by the rounding of the scores is in the order of the queries
    pairs = [(0.2, 0.1), (0.3, 0.2), (0.8, 0.7), (0.5, 0.1), (0.1, 0.9)]
    scores = pl.DataFrame(
        {
            "run_id": ["a"] * 5 + ["b"] * 5,
            "query_id": list("vwxyz") * 2,
            "AP": [scale * old for _, old in pairs] + [scale * new for new, _ in pairs],
        }
    )
    found = sm.compare(scores, "a", within=0).rank_queries()
    assert found["query_id"].to_list() == ["y", "v", "w", "x", "z"]


@pytest.mark.few(2)
@pytest.mark.parametrize("scale", [1e-300, 1e-13, 1, 1e12, 1e299])
@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_ties_are_the_same_at_every_scale(scale, test):
    # 0.1 + 0.2 is 0.3 except for rounding
    new, old = np.array([0.3, 4.0, 3.0, 2.0, -1.0]), np.array([0.1 + 0.2, 0.0, 0.0, 0.0, 0.0])
    scores = pl.DataFrame(
        {
            "run_id": ["a"] * 5 + ["b"] * 5,
            "query_id": list("vwxyz") * 2,
            "value": [*old * scale, *new * scale],
        }
    )
    found = sm.compare(scores, "a", test=test).tests
    assert found.select("wins", "ties", "losses").row(0) == (3, 1, 1)
    expected = {"wilcoxon": 0.25, "sign": stats.binomtest(1, 4).pvalue}
    assert found["p"].item() == pytest.approx(expected[test])


def test_segments_are_compared_by_themselves():
    known = SCORES.with_columns(half=pl.col("query_id").cast(int) // 4)
    found = sm.compare(known, "a", by="half", metrics="AP")
    for half in (0, 1):
        part = known.filter(half=half)
        alone = sm.compare(part, "a", metrics="AP").tests
        here = found.tests.filter(half=half)
        assert here["p"].to_list() == pytest.approx(alone["p"].to_list(), nan_ok=True)
        assert here["difference"].to_list() == pytest.approx(alone["difference"].to_list())
    assert found.tests.schema["half"] == pl.Int64
    everywhere = sm.compare(known, "a", by="half", metrics="AP", test="randomization").tests
    assert everywhere.filter(half=0, run_id="b")["p"].to_list() == [0.5]  # 2 of 2² patterns


@pytest.mark.thorough
def test_segments_that_look_alike_are_different():
    parts = [None, "null", "x, kind y"]
    divided = SCORES.with_columns(
        lang=pl.Series([parts[int(q) % 3] for q in SCORES["query_id"]]), kind=pl.lit("y")
    )
    found = sm.compare(divided, "a", by=["lang", "kind"], metrics="AP").tests
    assert found["lang"].unique(maintain_order=True).to_list() == ["null", "x, kind y", None]
    for row in found.iter_rows(named=True):
        part = divided.filter(pl.col("lang").eq_missing(pl.lit(row["lang"])))
        alone = sm.compare(part.drop("lang"), "a", by=(), metrics="AP").tests
        (p,) = alone.filter(run_id=row["run_id"])["p"]
        assert row["p"] == pytest.approx(p, nan_ok=True)


def test_the_segments_of_evaluate_are_those_of_its_comparison():
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"d": 1}, "4": {"d": 1}}
    runs = {
        "x": {q: {"d": 1.0} for q in qrels},
        "y": {q: {"e": 1.0, "d": 0.5 if q < "3" else 2.0} for q in qrels},
    }
    topics = pl.DataFrame({"query_id": [*qrels], "lang": ["de", "en", "de", "en"]})
    scores = sm.evaluate(qrels, runs, "RR", by="lang", topics=topics)
    assert scores.compare("x").tests["lang"].to_list() == ["de", "en"]


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["csv", "parquet", "json", "ndjson", "long", "table", "pandas"])
def test_scores_come_from_anywhere(tmp_path, kind):
    expected = sm.compare(SCORES, "a").tests
    con = None
    if kind == "long":
        data = SCORES.unpivot(
            index=["run_id", "query_id"], variable_name="metric", value_name="score"
        )
    elif kind == "table":
        con = duckdb.connect()
        con.execute("CREATE TABLE kept (run_id VARCHAR, query_id VARCHAR, AP DOUBLE, RR DOUBLE)")
        con.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", SCORES.rows())
        data = "kept"
    elif kind == "pandas":
        pandas = pytest.importorskip("pandas")
        data = pandas.DataFrame(SCORES.to_dict(as_series=False))
    else:
        data = tmp_path / f"kept.{kind}"
        getattr(SCORES, f"write_{kind}")(data)
    assert sm.compare(data, "a", con=con).tests.equals(expected)


def test_columns_of_other_tools_are_recognised():
    theirs = SCORES.rename({"run_id": "run", "query_id": "qid"})
    assert sm.compare(theirs, "a").tests.equals(sm.compare(SCORES, "a").tests)


@pytest.mark.parametrize("name", ["score", "metric"])
def test_a_metric_may_have_the_name_of_a_column_of_rows(name):
    expected = sm.compare(SCORES, "a", metrics="AP").tests
    found = sm.compare(SCORES.drop("RR").rename({"AP": name}), "a").tests
    assert found["metric"].unique().to_list() == [name]
    assert found["p"].to_list() == expected["p"].to_list()


def test_ids_of_files_stay_text_whatever_they_are_called(tmp_path):
    path = tmp_path / "kept.csv"
    path.write_text("run,qid,AP\nx,007,0.1\nx,08,0.2\ny,007,0.2\ny,08,0.5\n")
    assert sm.compare(path, "x").per_query["query_id"].to_list() == ["007", "08"]


def test_columns_that_are_not_numbers_are_left_out_with_a_note():
    notes = sm.compare(SCORES.with_columns(text=pl.lit("x")), "a").notes
    assert "the table of scores: text not compared: not numbers" in notes


def test_common_queries_leave_out_what_not_all_runs_have():
    less = SCORES.filter((pl.col("run_id") != "c") | (pl.col("query_id") != "6"))
    found = sm.compare(less, "a", common_queries=True)
    assert {*found.tests["queries"]} == {5}
    assert "left out 1 query that not all runs have" in found.notes


def test_the_same_run_twice_and_the_same_difference_everywhere_are_noted():
    same = SCORES.filter(run_id="a")
    runs = [
        same,
        same.with_columns(run_id=pl.lit("b")),
        same.with_columns(run_id=pl.lit("c"), AP=pl.col("AP") + 0.25),
    ]
    found = sm.compare(pl.concat(runs), "a", metrics="AP")
    assert found.tests.sort("run_id")["p"].to_list() == [1.0, None]
    assert "b and a by AP: the same score for every query" in found.notes
    assert (
        "c and a by AP: the same difference for every query, so no test is possible" in found.notes
    )


def test_runs_with_the_same_scores_by_every_metric_have_one_note():
    same = SCORES.filter(run_id="a").with_columns(RR=pl.col("AP"))
    found = sm.compare(pl.concat([same, same.with_columns(run_id=pl.lit("b"))]), "a")
    said = (
        "b and a have the same score for every query by every metric; are these the runs that you "
        "meant?"
    )
    assert [note for note in found.notes if "same" in note] == [said]


def test_many_queries_are_noted_since_small_differences_are_significant():
    n = 2000
    many = pl.DataFrame(
        {
            "run_id": ["a"] * n + ["b"] * n,
            "query_id": [str(i) for i in range(n)] * 2,
            "AP": [i % 7 / 10 for i in range(n)] + [i % 7 / 10 + (i % 3) / 100 for i in range(n)],
        }
    )
    assert "look at the difference and the effect" in sm.compare(many, "a").notes[-1]


# The command


def test_the_command_compares_with_the_first_run():
    printed = run("compare", QRELS, BM25, NEURAL, "-m", "AP RR")
    assert re.search(r"^AP +bm25 +0\.4097 +baseline$", printed, re.M)
    assert re.search(
        r"^AP +neural +0\.8542 +\+0\.4444 +\+0\.2371 to \+0\.6518 +4/0/0", printed, re.M
    )
    assert (
        "p-values are from paired t-tests, not corrected for the 2 metrics (choose family all for that); intervals"
        in printed
    )
    other = run("compare", QRELS, BM25, NEURAL, "-m", "AP", "--baseline", "neural")
    assert re.search(r"^AP +bm25 +0\.4097 +-0\.4444", other, re.M)


@pytest.mark.thorough
def test_the_command_writes_frames_and_the_queries_that_changed(tmp_path):
    scores = sm.evaluate(QRELS, [BM25, NEURAL], "AP")
    asked = ("compare", QRELS, BM25, NEURAL, "-m", "AP")
    assert json.loads(run(*asked, "-f", "json")) == scores.compare("bm25").tests.to_dicts()
    printed = run(*asked, "--show-queries", 1)
    assert re.search(r"^AP +neural +bread +better +0\.3889 +0\.9167", printed, re.M)
    assert "a  neural" in run(*asked, "--all-pairs")
    run(*asked, "-o", tmp_path / "table.tex")
    assert r"\toprule" in (tmp_path / "table.tex").read_text()


def test_the_first_hour_of_a_comparison_needs_one_command():
    """From two files to the queries that got worse, and whether it is luck."""
    printed = run(
        "compare",
        ROOT / "examples" / "qrels.csv",
        NEURAL,
        BM25,
        "-m",
        "nDCG@10",
        "--show-queries",
        2,
    )
    assert re.search(r"^nDCG@10 +bm25 +pickles +worse", printed, re.M)
    assert ".074" in printed


JUDGED = {"q1": {"a": 1, "b": 1}, "q2": {"c": 2, "d": 0}}
RUNS = {
    "old": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"d": 2.0, "c": 1.0}},
    "new": {"q1": {"x": 2.0, "a": 1.0}, "q2": {"y": 2.0, "z": 1.0}},
}
UNEVEN = (
    "old has 100% of its first 2 documents judged, new 25%: differences may come from documents "
    "that are not judged; see bounds"
)


def test_a_comparison_notes_that_runs_differ_in_what_is_judged():
    scores = sm.evaluate(JUDGED, RUNS, "P@2")
    assert UNEVEN in scores.compare("old").notes
    assert UNEVEN in sm.compare(scores).notes
    assert UNEVEN not in sm.compare(scores.per_query).notes  # of any tool: not known


@pytest.mark.thorough
def test_the_command_notes_once_that_runs_differ_in_what_is_judged(tmp_path):
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{q} 0 {d} {r}\n" for q in JUDGED for d, r in JUDGED[q].items()))
    paths = []
    for name, lists in RUNS.items():
        paths.append(tmp_path / f"{name}.txt")
        rows = (f"{q} Q0 {d} 1 {s} tag\n" for q in lists for d, s in lists[q].items())
        paths[-1].write_text("".join(rows))
    for command in (
        ["evaluate", qrels, *paths],
        ["compare", qrels, *paths],
        ["compare", qrels, *paths, "-f", "csv"],
        ["gate", qrels, *paths, "--fail-under", "P@2=0"],
    ):
        options = [] if command[0] == "gate" else ["-m", "P@2"]
        status, _, said = run_command(*command, *options)
        assert status == 0
        assert said.count(UNEVEN) == 1, command
    page = tmp_path / "report.html"
    run("report", qrels, *paths, "-m", "P@2", "-o", page)
    assert page.read_text(encoding="utf-8").count(UNEVEN) == 1


def test_the_first_of_several_runs_in_a_file_is_the_baseline(tmp_path):
    both = pl.concat(
        pl.read_csv(path).with_columns(run_id=pl.lit(name))
        for name, path in (("zeta", BM25), ("alpha", NEURAL))
    )
    both.write_csv(tmp_path / "both.csv")
    printed = run("compare", QRELS, tmp_path / "both.csv", "-m", "AP", "-f", "csv")
    rows = pl.read_csv(printed.encode())
    assert rows["baseline"].unique().to_list() == ["zeta"]
    assert rows["run_id"].to_list() == ["alpha"]


QRELS_OF_FOUR = {q: {"a": 1} for q in "1234"}
OLD = {q: {"x": 2.0, "a": 1.0} for q in "123"} | {"4": {"a": 1.0}}
NEW = {q: {"a": 1.0} for q in "12"} | {q: {"x": 2.0, "a": 1.0} for q in "34"}


def test_judgments_and_runs_are_taken_in_place_of_scores(tmp_path):
    runs = {"z_old": OLD, "a_new": NEW}
    scores = sm.evaluate(QRELS_OF_FOUR, runs, "RR P@1")
    expected = sm.compare(scores)
    assert expected.baseline == "z_old"  # the first, not by name
    for found in (
        sm.compare(QRELS_OF_FOUR, runs, "RR P@1"),
        sm.compare(QRELS_OF_FOUR, runs, metrics="RR P@1"),
        sm.compare(qrels=QRELS_OF_FOUR, run=runs, metrics=["RR", "P@1"]),
        scores.compare(),
    ):
        assert found.tests.equals(expected.tests)
        assert found.baseline == "z_old"
    listed = sm.compare(QRELS_OF_FOUR, [OLD, NEW], "RR P@1")
    assert listed.tests.drop("run_id", "baseline").equals(expected.tests.drop("run_id", "baseline"))
    assert listed.tests["baseline"].unique().to_list() == ["run 1"]
    options = {"test": "sign", "correction": "none", "alpha": 0.1}
    found = sm.compare(QRELS_OF_FOUR, runs, "RR", baseline="a_new", rel=1, **options)
    assert found.tests.equals(scores.compare("a_new", metrics="RR", **options).tests)
    # how to score, and the notes on it
    assert sm.compare(QRELS_OF_FOUR, runs, "RR", depth=1).tests["baseline_mean"].item() == 0.25
    less = {"b": {"1": {"a": 1.0}}, **runs}
    assert sm.compare(QRELS_OF_FOUR, less, "RR").notes[0].startswith("b: no results for 3 of 4")
    # a file that comes second is a run, not the name of one
    paths = []
    for name, data in {"qrels": QRELS_OF_FOUR, **runs}.items():
        value = "relevance" if name == "qrels" else "score"
        rows = [(q, d, x) for q, given in data.items() for d, x in given.items()]
        paths.append(tmp_path / f"{name}.csv")
        pl.DataFrame(rows, ["query_id", "doc_id", value], orient="row").write_csv(paths[-1])
    assert sm.compare(paths[0], paths[1:], "RR P@1").tests.equals(expected.tests)
    with pytest.raises(sm.InputError, match="only run z_old has scores"):
        sm.compare(str(paths[0]), str(paths[1]))
    # analyses, too
    assert sm.means(QRELS_OF_FOUR, runs, "RR").equals(sm.means(scores, metrics="RR"))


def test_segments_and_weights_are_those_of_the_topics():
    runs = {"old": OLD, "new": NEW}
    topics = pl.DataFrame({"query_id": [*"1234"], "lang": ["de", "de", "en", "en"], "asked": 1})
    found = sm.compare(QRELS_OF_FOUR, runs, "RR", by="lang", topics=topics).tests
    scores = sm.evaluate(QRELS_OF_FOUR, runs, "RR", by="lang", topics=topics)
    assert found.equals(scores.compare("old").tests)
    assert found["lang"].to_list() == ["de", "en"]
    weighted = sm.compare(QRELS_OF_FOUR, runs, "RR", weight="asked", topics=topics)
    assert weighted.tests["effective_queries"].item() == 4


def test_all_pairs_have_no_baseline():
    scores = sm.evaluate(QRELS_OF_FOUR, {"b": OLD, "a": NEW, "c": NEW}, "RR")
    assert scores.compare(all_pairs=True).tests.height == 3
    assert scores.compare().tests["run_id"].to_list() == ["a", "c"]
    best = {q: {"a": 1.0} for q in "1234"}
    ordered = sm.compare(QRELS_OF_FOUR, {"b": OLD, "z": NEW, "a": best}, "RR P@1").tests
    assert ordered["run_id"].to_list() == ["z", "a"] * 2  # as given, not by name or mean
    with pytest.raises(sm.InputError, match="all_pairs has no baseline"):
        scores.compare("a", all_pairs=True)
    with pytest.raises(sm.InputError, match="compare has no option stat_test; write test="):
        sm.compare(QRELS_OF_FOUR, {"a": OLD, "b": NEW}, "RR", stat_test="t")
    bounded = sm.bounds(QRELS_OF_FOUR, {"b": OLD, "a": NEW}, "RR").compare()
    assert bounded.baseline == "b"


@pytest.mark.parametrize("name", ["Segment", "Score", "segment"])
def test_a_segment_may_have_the_name_of_a_column_that_is_read_in_capitals(name):
    half = pl.col("query_id").cast(int) // 4
    expected = sm.compare(SCORES.with_columns(half=half), "a", by="half", metrics="AP").tests
    divided = SCORES.with_columns(half.alias(name))
    found = sm.compare(divided, "a", by=name, metrics="AP").tests
    assert found.rename({name: "half"}).equals(expected)
    means = sm.means(divided, metrics="AP", by=name)
    assert means.rename({name: "half"}).equals(
        sm.means(SCORES.with_columns(half=half), metrics="AP", by="half")
    )
    gate = sm.gate(divided, run="b", baseline="a", max_loss={"AP": 0.9}, by=name)
    assert gate.checks[name].to_list() == [None, 0, 1]


RESULT = ("baseline", "difference", "interval", "metric", "p", "queries", "run", "score", "weight")


@pytest.mark.parametrize("name", RESULT)
def test_a_segment_cannot_have_the_name_of_a_column_of_the_result(name):
    # a column run was replaced by the runs in the table
    divided = SCORES.with_columns(pl.lit("x").alias(name))
    with pytest.raises(sm.InputError, match=f"{name} (cannot divide|is a column)"):
        sm.compare(divided, "a", by=name, metrics="AP")


@pytest.mark.parametrize(
    ("queries", "test", "said"),
    [
        (
            20,
            "randomization",
            "randomization tests (all permutations); intervals (from Student's t)",
        ),
        (
            21,
            "randomization",
            "randomization tests (500 permutations); intervals (from Student's t)",
        ),
        (20, "tukey", "Tukey HSD tests (500 permutations), which"),
        (20, "wilcoxon", "signed-rank tests; intervals (from Student's t) have"),
        (20, "t", "paired t-tests; intervals have"),
    ],
)
def test_the_method_says_what_was_drawn_and_where_intervals_are_from(queries, test, said):
    ids = [str(number) for number in range(queries)]
    scores = {"run_id": ["a"] * queries + ["b"] * queries, "query_id": ids * 2}
    values = [number / 100 for number in range(queries)]
    frame = pl.DataFrame({**scores, "AP": values + [value + 0.105 for value in values[::-1]]})
    assert said in sm.compare(frame, test=test, permutations=500).method
