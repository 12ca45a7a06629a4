"""Curves have the points of the articles' tables, of other tools, and of the metrics."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
from conftest import make_qrels, make_run

import sqlmetrics


def make_ranking(relevant, retrieved, query="q"):
    """Judgments and a run whose documents are numbered by rank."""
    qrels = [(query, f"d{rank:02}", 1.0) for rank in relevant]
    run = [(query, f"d{rank:02}", -float(rank)) for rank in range(1, retrieved + 1)]
    return make_qrels(qrels), make_run(run)


TEN = make_ranking([1, 3, 4, 5, 6, 10], 10)
TWO = [
    pl.concat(pair)
    for pair in zip(
        make_ranking([1, 3, 6, 9, 10], 10, "q1"), make_ranking([2, 5, 7], 7, "q2"), strict=True
    )
]


def read(text):
    return [float(Fraction(part)) for part in text.split()]


def test_the_table_is_that_of_the_article_on_evaluating_search_engines():
    table = sqlmetrics.precision_recall_table(*TEN)
    assert table.columns == ["run_id", "query_id", "rank", "found", "precision", "recall"]
    assert table["rank"].to_list() == [*range(1, 11)]
    assert table["precision"].to_list() == read("1 1/2 2/3 3/4 4/5 5/6 5/7 5/8 5/9 3/5")
    assert table["recall"].to_list() == read("1/6 1/6 1/3 1/2 2/3 5/6 5/6 5/6 5/6 1")


def test_a_table_goes_on_below_the_last_document_retrieved():
    deep = sqlmetrics.precision_recall_table(*TEN, k=12).tail(2)
    assert deep["precision"].to_list() == read("6/11 6/12")
    assert deep["recall"].to_list() == [1, 1]
    whole = sqlmetrics.precision_recall_table(*TWO, k=None)
    assert whole.group_by("query_id").len().sort("query_id")["len"].to_list() == [10, 7]


@pytest.mark.few(1)
@pytest.mark.parametrize("k", [1, 5, 12])
def test_the_table_is_precision_and_recall_as_measures(k):
    for averaged in (True, False):
        scores = sqlmetrics.evaluate(*TWO, f"P@{k} R@{k}")
        expected = scores.mean.drop("run_id") if averaged else scores.per_query[:, 2:]
        table = sqlmetrics.precision_recall_table(*TWO, k=k, averaged=averaged)
        last = table.filter(pl.col("rank") == k).select("precision", "recall")
        for got, wanted in zip(last, expected, strict=True):
            assert got.to_list() == pytest.approx(wanted.to_list())


def test_a_whole_averaged_table_is_as_deep_as_the_longest_ranking():
    table = sqlmetrics.precision_recall_table(*TWO, k=None, averaged=True)
    assert table["query_id"].unique().to_list() == ["all"]
    assert table["rank"].to_list() == [*range(1, 11)]
    assert table["recall"].to_list()[-1] == 1
    assert table["precision"].to_list()[-1] == pytest.approx((1 / 2 + 3 / 10) / 2)


def test_the_curve_has_a_point_for_each_relevant_document_retrieved():
    points = sqlmetrics.precision_recall_curve(*TEN)
    assert points.columns == ["run_id", "query_id", "rank", "recall", "precision"]
    assert points["rank"].to_list() == [1, 3, 4, 5, 6, 10]
    assert points["recall"].to_list() == read("1/6 2/6 3/6 4/6 5/6 1")
    assert points["precision"].mean() == pytest.approx(31 / 40)


def test_interpolated_precision_is_that_of_the_eleven_points():
    points = sqlmetrics.precision_recall_curve(*TEN, interpolated=True)
    assert points["recall"].to_list() == [step / 10 for step in range(11)]
    assert points["precision"].to_list() == read("1 1" + " 5/6" * 7 + " 3/5 3/5")
    assert points["precision"].mean() == pytest.approx(0.821212121212121)
    assert points["rank"].null_count() == 11


def test_interpolated_precision_is_that_of_the_measure():
    names = [f"IPrec@{step / 10}" for step in range(11)]
    scores = sqlmetrics.evaluate(*TWO, names)
    averaged = sqlmetrics.precision_recall_curve(*TWO, averaged=True)
    assert averaged["precision"].to_list() == pytest.approx(scores.mean.row(0)[1:])
    each = sqlmetrics.precision_recall_curve(*TWO, interpolated=True)
    for query, *expected in scores.per_query.drop("run_id").iter_rows():
        assert each.filter(query_id=query)["precision"].to_list() == pytest.approx(expected)


# Scores with ties, and what roc_curve(drop_intermediate=False) of scikit-learn 1.9.1 has for them.
GRADES = [1, 0, 1, 1, 0, 0, 1]
SCORES = [0.9, 0.8, 0.8, 0.8, 0.5, 0.4, 0.4]
FPR = "0 0 1/3 2/3 1"
TPR = "0 1/4 3/4 3/4 1"


def make_tied(number=7):
    """The judgments, and the first documents, this many, as a run."""
    qrels = make_qrels(("q", f"d{n}", float(grade)) for n, grade in enumerate(GRADES))
    return qrels, make_run(("q", f"d{n}", score) for n, score in enumerate(SCORES[:number]))


def test_the_roc_curve_is_that_of_scikit_learn():
    points = sqlmetrics.roc_curve(*make_tied())
    assert points.columns == ["run_id", "query_id", "rank", "fpr", "tpr"]
    assert points["rank"].to_list() == [0, 1, 4, 5, 7]
    assert points["fpr"].to_list() == read(FPR)
    assert points["tpr"].to_list() == read(TPR)


@pytest.mark.parametrize("number", [1, 3, 5, 7])
def test_the_area_under_the_roc_curve_is_auc(number):
    qrels, run = make_tied(number)
    points = sqlmetrics.roc_curve(qrels, run)
    assert points.row(-1)[-2:] == (1, 1)
    assert (points["rank"].to_list()[-1] is None) == (number < len(GRADES))
    width, height = points["fpr"].diff(), points["tpr"].rolling_mean(2)
    auc = sqlmetrics.evaluate(qrels, run, "AUC").mean["AUC"].item()
    assert (width * height).sum() == pytest.approx(auc)


def test_unjudged_documents_are_not_points_of_the_roc_curve():
    qrels = {"q": {"a": 1, "b": 0, "pooled": -1}}
    run = {"q": {"a": 4.0, "x": 3.0, "pooled": 2.0, "b": 1.0}}
    points = sqlmetrics.roc_curve(qrels, run)
    assert points.rows() == [
        ("run", "q", 0, 0.0, 0.0),
        ("run", "q", 1, 0.0, 1.0),
        ("run", "q", 4, 1.0, 1.0),
    ]


def test_queries_without_relevant_documents_have_no_curve_or_a_flat_one():
    qrels, run = {"q": {"a": 0, "b": 0}}, {"q": {"a": 2.0, "x": 1.0}}
    assert sqlmetrics.precision_recall_curve(qrels, run).height == 0
    flat = sqlmetrics.precision_recall_curve(qrels, run, interpolated=True)
    assert flat["precision"].to_list() == [0] * 11
    table = sqlmetrics.precision_recall_table(qrels, run, k=2)
    assert table["recall"].to_list() == [0, 0]
    roc = sqlmetrics.roc_curve(qrels, run)
    assert roc["fpr"].to_list() == [0, 0.5, 1]
    assert roc["tpr"].null_count() == 3
    full = sqlmetrics.roc_curve({"q": {"a": 1}}, run)
    assert full["fpr"].null_count() == 2
    assert full["tpr"].to_list() == [0, 1]


def test_a_query_without_answer_has_its_points():
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1}}
    run = {"r": {"a": 1.0}}
    roc = sqlmetrics.roc_curve(qrels, run).filter(query_id="q")
    assert roc.drop("run_id", "query_id").rows() == [(0, 0, 0), (None, 1, 1)]
    table = sqlmetrics.precision_recall_table(qrels, run, k=1, averaged=True)
    assert table.row(0) == ("run", "all", 1, 0.5, 0.5, 0.5)


def test_several_runs_and_a_threshold():
    qrels = {"q": {"a": 1, "b": 2}}
    runs = {"z": {"q": {"a": 2.0, "b": 1.0}}, "y": {"q": {"b": 2.0, "a": 1.0}}}
    points = sqlmetrics.precision_recall_curve(qrels, runs, rel=2)
    assert points.select("run_id", "rank").rows() == [("z", 2), ("y", 1)]
