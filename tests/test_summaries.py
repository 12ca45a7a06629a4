"""A run's score from its queries': means of all kinds, segments, weights, pooled rankings."""

from __future__ import annotations

import statistics
from math import exp, log

import duckdb
import numpy as np
import polars as pl
import pytest
from conftest import make_qrels, make_run, name_measures
from peers import make_collection
from scipy import stats
from statsmodels.regression.linear_model import WLS
from test_click_intervals import bound

import sqlmetrics
from sqlmetrics import catalogue

QRELS = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 2, "d": 1}, "q3": {"b": 0}, "q4": {"d": 3}}
RUN = {
    "q1": {"a": 3.0, "x": 2.0, "c": 1.0},
    "q2": {"x": 3.0, "a": 2.0},
    "q3": {"b": 1.0},
    "q4": {"d": 1.0},
}
TOPICS = pl.DataFrame(
    {
        "query_id": ["q1", "q2", "q3", "q4"],
        "Land": ["fr", "fr", "de", None],
        "traffic": [3, 1, 0, 4],
    }
)
# AP of each query: q1 (1 + 2/3) / 2, q2 1/2 / 2, q3 nothing relevant, q4 1
AP = {"q1": 5 / 6, "q2": 1 / 4, "q3": 0.0, "q4": 1.0}


def average(metrics, **options):
    return sqlmetrics.evaluate(QRELS, RUN, metrics, **options).mean


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("aggregate", "score"),
    [
        ("mean", sum(AP.values()) / 4),
        ("sum", sum(AP.values())),
        ("geometric", exp(sum(log(max(x, 1e-5)) for x in AP.values()) / 4)),
        ("harmonic", 0.0),
        ("median", statistics.median(AP.values())),
        ("std", statistics.stdev(AP.values())),
        ("min", 0.0),
        ("max", 1.0),
        ("p25", 0.75 * 1 / 4),
        ("pooled", (1 + 2 / 3 + 1 / 2 + 1) / 5),
    ],
)
def test_a_measure_knows_how_to_compute_its_score_from_those_of_queries(aggregate, score):
    assert average(f"AP(aggregate='{aggregate}')").row(0)[1] == pytest.approx(score, abs=1e-15)
    assert average("AP", aggregate=aggregate).row(0)[1] == pytest.approx(score, abs=1e-15)


def test_counts_stay_sums_whatever_the_summary():
    assert average("NumRelRet AP", aggregate="max").row(0)[1:] == (4.0, 1.0)


def test_means_may_be_weighted_by_a_column_of_the_topics():
    weights = dict(TOPICS.select("query_id", "traffic").iter_rows())
    mean = sum(weights[q] * x for q, x in AP.items()) / 8
    logs = sum(weights[q] * log(max(x, 1e-5)) for q, x in AP.items()) / 8
    scores = average("AP GMAP NumRet", weight="traffic", topics=TOPICS).row(0)[1:]
    assert scores == pytest.approx((mean, exp(logs), 7.0), abs=1e-15)


def test_segments_have_a_row_each_and_what_is_unknown_has_one_without_name():
    scores = sqlmetrics.evaluate(
        QRELS,
        RUN,
        "AP AP(aggregate='pooled') AP(rel=2, aggregate='pooled')",
        by="Land",
        topics=TOPICS,
    )
    assert scores.mean.columns[:3] == ["run_id", "Land", "AP"]
    assert {row[1]: row[2:] for row in scores.mean.iter_rows()} == {
        None: (1.0, 1.0, 1.0),
        "de": (0.0, 0.0, 0.0),
        "fr": (pytest.approx(13 / 24), pytest.approx((1 + 2 / 3 + 1 / 2) / 4), 1 / 2),
    }
    assert dict(scores.per_query.select("query_id", "Land").iter_rows())["q1"] == "fr"


def test_segments_may_be_columns_of_the_judgments():
    qrels = make_qrels((q, d, float(g)) for q, docs in QRELS.items() for d, g in docs.items())
    qrels = qrels.with_columns(number=pl.col("query_id").str.slice(1))
    mean = sqlmetrics.evaluate(qrels, RUN, "AP", by=["number"]).mean
    assert mean["number"].to_list() == ["1", "2", "3", "4"]
    assert mean["AP"].to_list() == pytest.approx(list(AP.values()))


@pytest.mark.thorough
@pytest.mark.parametrize("queries", ["judged", "answered", "relevant"])
@pytest.mark.parametrize("ties", ["descending", "expected"])
def test_what_is_pooled_over_one_query_is_its_score(queries, ties):
    qrels, run = make_collection(seeds=20)
    known = {name.removeprefix("expected_") for name in catalogue.files()["expected"]}
    names = [
        name.replace("(", "(aggregate='pooled', ") if "(" in name else name_pooled(name)
        for metric in catalogue.all_metrics("runs")
        if metric.can_pool and (ties != "expected" or metric.macro in known)
        for name in name_measures(metric)
    ]
    qrels = qrels.with_columns(
        same=pl.col("query_id"), relevance=pl.col("relevance").clip(upper_bound=4)
    )
    scores = sqlmetrics.evaluate(qrels, run, names, by="same", queries=queries, ties=ties)
    per_query, mean = scores.per_query.sort("query_id"), scores.mean.sort("same")
    assert per_query["query_id"].to_list() == mean["same"].to_list()
    for measure in scores.metrics:
        differences = per_query[measure.name] - mean[measure.name]
        assert differences.abs().max() <= 1e-12, measure


def name_pooled(name):
    stem, at, k = name.partition("@")
    return f"{stem}(aggregate='pooled'){at}{k}"


@pytest.mark.thorough
def test_measures_in_one_call_give_the_same_scores_as_alone():
    qrels, run = make_collection(seeds=15)
    qrels = qrels.with_columns(relevance=pl.col("relevance").clip(upper_bound=4))
    names = [name_measures(metric)[0] for metric in catalogue.all_metrics("runs")]
    options = {"queries": "answered, relevant", "depth": 5, "ties": "ascending"}
    together = sqlmetrics.evaluate(qrels, run, names, **options).per_query
    for name in names:
        alone = sqlmetrics.evaluate(qrels, run, name, **options).per_query
        (column,) = alone.columns[2:]
        if alone[column].dtype == pl.String:
            assert together[column].to_list() == alone[column].to_list()
        else:
            assert (together[column] - alone[column]).abs().max() <= 1e-12, name


def test_a_query_without_relevant_documents_can_have_another_score():
    scores = average("AP AP(rel=2) RR nDCG NumRel", no_relevant=1).row(0)[1:]
    # of q1 and q3 nothing is relevant from 2 on
    assert scores[:3] == pytest.approx(((sum(AP.values()) + 1) / 4, (2 + 1 / 2 + 1) / 4, 7 / 8))
    assert scores[4] == 5
    alone = sqlmetrics.evaluate({"q": {"a": 0.5, "b": 0}}, {"q": {"a": 1.0, "b": 2.0}}, "nDCG")
    assert (
        sqlmetrics.evaluate(
            {"q": {"a": 0.5, "b": 0}}, {"q": {"a": 1.0, "b": 2.0}}, "nDCG", no_relevant=7
        ).mean
    ).equals(alone.mean)
    assert average("AP(aggregate='pooled')", no_relevant=1).row(0)[1] == pytest.approx(19 / 30)


def test_a_convention_of_a_measure_wins_over_the_option():
    scores = sqlmetrics.evaluate(
        QRELS, RUN, "P(judged_only=False)@2 P@2 RR(depth=None) RR", judged_only=True, depth=1
    )
    assert scores.metrics[0].name == "P(judged_only=False)@2"
    row = scores.per_query.row(by_predicate=pl.col("query_id") == "q2", named=True)
    assert row == {
        "run_id": "run", "query_id": "q2", "P(judged_only=False)@2": 0.0, "P@2": 0.0,
        "RR(depth=None)": 1.0, "RR": 0.0,
    }  # fmt: skip


def test_segments_need_judgments_that_can_be_read_twice():
    rows = [{"query_id": "q1", "doc_id": "a", "relevance": 1, "Land": "fr"}]
    mean = sqlmetrics.evaluate(pl.DataFrame(rows), RUN, "AP", by="Land").mean
    assert mean.row(0) == ("run", "fr", 1.0)


def test_segments_are_compared_as_bytes_whatever_the_collation():
    topics = pl.DataFrame({"query_id": ["q1", "q2"], "Land": ["fr", "FR"]})
    con = duckdb.connect()
    con.execute("PRAGMA default_collation = 'NOCASE'")
    options = {"by": "Land", "topics": topics, "con": con}
    mean = sqlmetrics.evaluate(QRELS, RUN, "AP AP(aggregate='pooled')", **options).mean
    assert mean["Land"].to_list() == [None, "FR", "fr"]


def test_a_query_of_no_weight_does_not_make_the_harmonic_mean_0():
    options = {"weight": "traffic", "topics": TOPICS}
    harmonic = average("AP(aggregate='harmonic')", **options).row(0)[1]
    assert harmonic == pytest.approx(8 / (3 / AP["q1"] + 1 / AP["q2"] + 4 / AP["q4"]))


def test_ranks_may_order_ties_of_one_measure():
    run = make_run([("q", "a", 1.0), ("q", "b", 1.0)]).with_columns(rank=pl.Series([2, 1]))
    scores = sqlmetrics.evaluate({"q": {"a": 1}}, run, "RR(ties='rank') RR(ties='ascending')")
    assert scores.mean.row(0)[1:] == (0.5, 1.0)


def test_segments_keep_their_types_and_whole_numbers_of_text_are_numbers(tmp_path):
    topics = pl.DataFrame(
        {"query_id": ["q1", "q2"], "year": [2020, 2021], "share": [0.5, None], "code": ["007", "1"]}
    )
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    topics.write_csv(file := tmp_path / "topics.csv")
    metrics = "AP AP(aggregate='pooled')"
    for given, kinds in (
        (topics, [pl.Int64, pl.Float64, pl.String]),
        (file, [pl.Int64, pl.String, pl.String]),
    ):
        scores = sqlmetrics.evaluate(
            qrels, run, metrics, by=["year", "share", "code"], topics=given
        )
        assert scores.mean.dtypes[1:4] == scores.per_query.dtypes[2:5] == kinds
        assert scores.mean["year"].to_list() == [2020, 2021]
        assert scores.mean.row(0)[-2:] == (1.0, 1.0)


def draw_scored(seed, queries=30):
    """Judgments, runs and weights of users, drawn."""
    random = np.random.default_rng(seed)
    ids = [f"q{n}" for n in range(queries)]
    documents = [f"d{n}" for n in range(8)]
    qrels = {q: {d: int(random.integers(0, 3)) for d in documents} for q in ids}
    runs = {
        name: {q: {d: float(random.random()) for d in documents} for q in ids}
        for name in ("one", "two")
    }
    topics = pl.DataFrame(
        {
            "query_id": ids,
            "weight": random.integers(0, 5, queries),
            "land": random.choice(["fr", "de", None], queries),
        }
    )
    return qrels, runs, topics


LIMITS = {"nDCG@3": (0, 1), "P@1": (0, 1), "AP": (0, 1), "DCG@3": None}


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("by", [(), ("land",)])
def test_intervals_are_those_of_a_calculation_in_python(seed, weight, by):
    qrels, runs, topics = draw_scored(seed)
    given = {"topics": topics} if weight or by else {}
    found = sqlmetrics.evaluate(
        qrels, runs, [*LIMITS], by=by, weight=weight, intervals=True, alpha=0.1, **given
    )
    names = [f"{name}{end}" for name in LIMITS for end in ("", "_low", "_high")]
    assert found.mean.columns == ["run_id", *by, *names]
    for row in found.mean.iter_rows(named=True):
        keys = {key: row[key] for key in ("run_id", *by)}
        same = [pl.col(key).eq_missing(pl.lit(value)) for key, value in keys.items()]
        rows = found.per_query.filter(same)
        x = rows["weight"].to_numpy().astype(float) if weight else np.ones(rows.height)
        for name, limits in LIMITS.items():
            y = x * rows[name].to_numpy()
            assert row[name] == pytest.approx(y.sum() / x.sum(), rel=1e-12)
            low, high = bound(y[x > 0], x[x > 0], limits, 0.1)
            low = max(low, 0) if limits is None else low
            assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx((low, high), rel=1e-9)


def test_the_column_of_segments_may_have_any_name():
    qrels, runs, topics = draw_scored(3)
    given = {"metrics": "AP", "intervals": True}
    expected = sqlmetrics.evaluate(qrels, runs, by="land", topics=topics, **given).mean
    for name in ("_row", "key", "segment"):
        renamed = topics.rename({"land": name})
        found = sqlmetrics.evaluate(qrels, runs, by=name, topics=renamed, **given).mean
        assert found.rename({name: "land"}).equals(expected)


def test_intervals_of_scores_without_limits_are_those_of_scipy_and_statsmodels():
    qrels, runs, topics = draw_scored(7, queries=50)

    def ask(**options):
        found = sqlmetrics.evaluate(qrels, runs["one"], "DCG@3", intervals=True, **options)
        return found.per_query, found.mean.row(0)[2:]

    rows, ends = ask()
    scores = rows["DCG@3"].to_numpy()
    expected = stats.t.interval(0.95, 49, scores.mean(), stats.sem(scores))
    assert ends == pytest.approx(expected, rel=1e-12)
    weighted = topics.with_columns(pl.col("weight") + 1)
    rows, ends = ask(weight="weight", topics=weighted)
    model = WLS(rows["DCG@3"].to_numpy(), np.ones(50), rows["weight"].to_numpy())
    fitted = model.fit(cov_type="HC1", use_t=True)
    weights = rows["weight"].to_numpy()
    effective = weights.sum() ** 2 / (weights**2).sum()
    margin = stats.t.ppf(0.975, effective - 1) * fitted.bse[0]
    mean = fitted.params[0]
    assert ends == pytest.approx((mean - margin, mean + margin), rel=1e-12)


# Where queries count by their frequency, which varies: shares of 0 and 1, and grades.
@pytest.mark.thorough
@pytest.mark.parametrize("limits", [True, False])
@pytest.mark.parametrize("queries", [20, 50])
def test_intervals_of_weighted_means_contain_the_true_mean(queries, limits):
    random, sets = np.random.default_rng(5), 1000
    weights = random.lognormal(0, 2, sets * queries)
    scores = pl.DataFrame(
        {
            "run_id": "a",
            "query_id": np.tile(np.arange(queries), sets).astype(str),
            "metric": np.repeat(np.arange(sets), queries).astype(str),
            "score": random.beta(1, 2, sets * queries),
            "weight": weights,
        }
    )
    if limits:
        scores = scores.with_columns(lowest=0.0, highest=1.0)
    found = sqlmetrics.means(scores)
    covered = found.select((pl.col("low") <= 1 / 3) & (pl.col("high") >= 1 / 3)).to_series().mean()
    assert covered > (0.95 if limits else 0.88)  # n - 1 degrees of freedom: 0.80, 0.75


def test_what_is_not_a_mean_over_queries_has_no_interval():
    metrics = "AP NumRet AP(aggregate='median') GMAP Relstring AP(aggregate='pooled')"
    found = average(metrics)
    with_ends = sqlmetrics.evaluate(QRELS, RUN, metrics, intervals=True)
    row = with_ends.mean.row(0, named=True)
    assert {name: row[name] for name in found.columns} == found.row(0, named=True)
    ends = {name for name in row if name.endswith(("_low", "_high")) and row[name] is not None}
    assert ends == {"AP_low", "AP_high"}
    others = "NumRet, AP(aggregate='median'), GMAP, Relstring, AP(aggregate='pooled')"
    assert with_ends.notes[-1] == f"no interval for {others}: not a mean over queries"
    assert with_ends.notes[-2].startswith("with fewer than 10 queries, intervals are a rough guide")
    one = sqlmetrics.evaluate({"q1": QRELS["q1"]}, RUN, "AP DCG", intervals=True)
    assert one.mean.row(0)[2:4] == one.mean.row(0)[5:] == (None, None)


def test_a_score_without_limits_that_does_not_vary_has_no_interval():
    qrels = {f"q{n}": {"a": 1} for n in range(12)}
    run = {f"q{n}": {"a": 1.0} for n in range(12)}
    row = sqlmetrics.evaluate(qrels, run, "DCG P@1", intervals=True).mean.row(0, named=True)
    assert (row["DCG_low"], row["DCG_high"]) == (None, None)
    expected = bound(np.ones(12), np.ones(12), (0, 1))
    # DuckDB 1.5 is 2e-12 away
    assert (row["P@1_low"], row["P@1_high"]) == pytest.approx(expected, rel=1e-11)


def test_means_of_recommendations_have_intervals_over_users():
    history = pl.DataFrame({"query_id": ["u", "u", "v", "w"], "doc_id": ["a", "b", "a", "c"]})
    run = {"u": {"c": 2.0, "a": 1.0}, "v": {"b": 1.0, "c": 0.5}, "w": {"a": 1.0}}
    qrels = {"u": {"c": 1}, "v": {"c": 1}, "w": {"b": 1}}
    found = sqlmetrics.evaluate(qrels, run, "RR Novelty@2 Gini@2", history=history, intervals=True)
    row = found.mean.row(0, named=True)
    scores = found.per_query["Novelty@2"].to_numpy()
    low, high = stats.t.interval(0.95, 2, scores.mean(), stats.sem(scores))
    assert (row["Novelty@2_low"], row["Novelty@2_high"]) == pytest.approx((max(low, 0), high))
    assert (row["Gini@2_low"], row["Gini@2_high"]) == (None, None)
    assert row["Gini@2"] is not None
    assert row["RR_low"] < row["RR"] < row["RR_high"]


def test_means_takes_weights_and_limits_as_columns():
    scores = pl.DataFrame(
        {
            "run_id": "a",
            "metric": "share",
            "query_id": [*"123456"],
            "score": [0.0, 0.5, 1.0, 1.0, 0.2, 0.9],
            "weight": [1.0, 2.0, 3.0, 0.0, 1.0, 2.0],
            "lowest": 0,
            "highest": 1,
        }
    )
    x, y = scores["weight"].to_numpy(), (scores["score"] * scores["weight"]).to_numpy()
    row = sqlmetrics.means(scores).row(0, named=True)
    assert row["queries"] == 5
    assert row["mean"] == pytest.approx(y.sum() / x.sum(), rel=1e-12)
    expected = bound(y[x > 0], x[x > 0], (0, 1))
    assert (row["low"], row["high"]) == pytest.approx(expected, rel=1e-12)
    in_percent = scores.with_columns(pl.col("score") * 100).drop("weight")
    row = sqlmetrics.means(in_percent).row(0, named=True)
    values = in_percent["score"].to_numpy()
    expected = stats.t.interval(0.95, 5, values.mean(), stats.sem(values))
    assert (row["low"], row["high"]) == pytest.approx(expected, rel=1e-12)
