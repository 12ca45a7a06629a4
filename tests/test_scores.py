"""The face in Python: what `evaluate` returns, and the conventions it takes."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import polars as pl
import pytest
from conftest import ROOT

import sqlmetrics as sm

QRELS, BM25, NEURAL = (ROOT / "examples" / f"{name}.csv" for name in ("qrels", "bm25", "neural"))


def test_a_score_is_had_by_its_metric_and_run():
    one = sm.evaluate(QRELS, NEURAL, "MAP nDCG@10")
    assert one["nDCG@10"] == one.mean["nDCG@10"][0]
    assert one["MAP"] == pytest.approx(0.8542, abs=1e-4)
    two = sm.evaluate(QRELS, [BM25, NEURAL], "MAP")
    assert two["MAP", "neural"] == one["MAP"]
    for key, message in (
        ("MAP", "2 rows match; name one of bm25, neural: scores['MAP', 'bm25']"),
        (("MAP", "other"), "no run 'other'; name one of bm25, neural: scores['MAP', 'bm25']"),
        ("RR", "'RR' was not scored; there are MAP"),
    ):
        with pytest.raises(KeyError, match=re.escape(message)):
            two[key]


def test_a_run_named_by_a_number_is_found_by_it_too():
    names = ["run_id", "query_id", "doc_id", "score"]
    run = pl.DataFrame([(2, 1, 7, 1.0), (10, 1, 8, 2.0), (10, 1, 7, 1.0)], names, orient="row")
    scores = sm.evaluate({1: {7: 1}}, run, "RR")
    assert (scores["RR", 2], scores["RR", "10"], scores["RR", 10]) == (1.0, 0.5, 0.5)
    assert ("RR", 10) in scores
    for function in (sm.compare, sm.gate):
        with pytest.raises(sm.InputError, match="must be the name of a run, not 10"):
            function(scores.per_query, 10)


def test_a_notebook_shows_the_means_and_the_notes():
    shown = sm.evaluate(QRELS, BM25, "AP")._repr_html_()
    assert "<table" in shown
    assert "<li>bm25: no results for 1 of 4 judged queries (pickles); they score 0</li>" in shown


def test_scores_become_frames_of_pandas():
    scores = sm.evaluate(QRELS, BM25, "AP")
    assert scores.to_pandas().columns.to_list() == ["run_id", "AP"]
    assert scores.to_pandas(per_query=True)["query_id"].to_list() == [
        "bread", "curry", "noodles", "pickles",
    ]  # fmt: skip
    compared = sm.evaluate(QRELS, [BM25, NEURAL], "AP").compare()
    assert compared.to_pandas()["difference"].to_list() == compared.tests["difference"].to_list()
    assert len(compared.to_pandas(per_query=True)) == compared.per_query.height
    gate = sm.gate(QRELS, NEURAL, fail_under={"AP": 0.5})
    assert gate.to_pandas()["status"].to_list() == ["passed"]
    with pytest.raises(AttributeError, match="Gate has no per_query"):
        gate.to_pandas(per_query=True)


def test_columns_are_called_as_the_user_writes_the_metrics():
    names = ["MAP", "map_cut_5", "ndcg@10", "precision_at_10", "AP(rel=2)@3"]
    assert sm.evaluate(QRELS, BM25, names).mean.columns[1:] == names
    # SQL takes no two names that differ in case alone
    assert sm.evaluate(QRELS, BM25, "map MAP AP").mean.columns[1:] == ["map", "AP"]
    assert sm.evaluate(QRELS, BM25, "P@5,10 P.1,3").mean.columns[1:] == [
        "P@5",
        "P@10",
        "P_1",
        "P_3",
    ]


def test_conventions_are_made_once_and_used_in_many_calls():
    deep = sm.Conventions.of("trec_eval-9", depth=2, rel=2)
    by_words = sm.evaluate(QRELS, BM25, "AP RR", preset="trec_eval-9", depth=2, rel=2)
    assert sm.evaluate(QRELS, BM25, "AP RR", deep).per_query.equals(by_words.per_query)
    assert sm.evaluate(QRELS, BM25, "AP", deep, depth=9).mean.rows() != (
        sm.evaluate(QRELS, BM25, "AP", deep).mean.rows()
    )
    assert sm.sql("AP", "postgres", conventions=deep) == (
        sm.sql("AP", dialect="postgres", preset="trec_eval-9", depth=2, rel=2)
    )


def test_what_is_not_a_convention_is_refused():
    with pytest.raises(TypeError, match="evaluate has no option tie; did you mean ties="):
        sm.evaluate(QRELS, BM25, "AP", tie="best")


def test_the_catalogue_is_asked_by_any_name():
    assert sm.metrics("map_cut_5", "nDCG")["macro"].to_list() == ["ap", "ndcg"]


def test_the_package_shows_what_users_call():
    assert set(dir(sm)) == {*sm.__all__, "__version__"}
    assert "score" not in dir(sm)


@pytest.mark.thorough  # with mypy, which comes with the linters, and what it keeps of its last run
def test_types_of_calls_are_checked(tmp_path):
    calls = tmp_path / "calls.py"
    calls.write_text(
        "import polars as pl\nimport sqlmetrics as sm\n"
        'sm.evaluate("q.csv", pl.DataFrame(), ["AP"], depth=3)\n'
        'sm.evaluate({"q": {"d": 1}}, {"bm25": "run.csv"}, ties="expected")["AP"] + 1\n'
        'sm.evaluate("q.csv", "r.csv", ties="up")\n'
        'sm.evaluate("q.csv", "r.csv", score_type="fast")\n'
        'sm.evaluate("q.csv", 3)\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(calls)],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    wrong = [line.split(":")[1] for line in done.stdout.splitlines() if "error:" in line]
    assert wrong == ["5", "6", "7"], done.stdout


JUDGED = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"d": 2, "e": -1, "f": 0}}
OLD = {"q1": {"a": 3.0, "b": 2.0, "x": 1.0}, "q2": {"d": 3.0, "f": 2.0}}
NEW = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"y": 3.0, "e": 2.0, "f": 1.0}}
# of the first two, those of old are all judged, and one in four of those of new
UNEVEN = (
    "old has 100% of its first 2 documents judged, new 25%: differences may come from documents "
    "that are not judged; see bounds"
)


def test_runs_that_differ_much_in_what_is_judged_are_noted():
    scores = sm.evaluate(JUDGED, {"old": OLD, "new": NEW}, "P@2")
    assert scores.judged.rows() == [("old", 2, 1.0), ("new", 2, 0.25)]
    assert scores.notes == (UNEVEN,)
    assert sm.evaluate(JUDGED, {"old": OLD, "again": OLD}, "P@2").notes == ()
    assert sm.evaluate(JUDGED, {"new": NEW}, "P@2").notes == ()
    assert sm.bounds(JUDGED, {"old": OLD, "new": NEW}, "P@2").notes == ()  # which says it itself


@pytest.mark.parametrize(("judged", "is_noted"), [(90, True), (91, False)])
def test_a_tenth_of_the_first_documents_is_much(judged, is_noted):
    documents = [f"d{i:03}" for i in range(100)]
    run = {"q": {doc: -float(place) for place, doc in enumerate(documents)}}
    names = [doc if place < judged else f"x{doc}" for place, doc in enumerate(documents)]
    others = {"q": {doc: -float(place) for place, doc in enumerate(names)}}
    qrels = {"q": dict.fromkeys(documents, 1)}
    scores = sm.evaluate(qrels, {"a": run, "b": others}, "P@100")
    assert bool(scores.notes) is is_noted


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("metrics", "options", "k"),
    [
        ("AP", {}, 10),
        ("P@1 nDCG@10 R@1000", {}, 10),
        ("AP P@1", {}, 10),
        ("P@5 R@100", {}, 5),
        ("nDCG@20", {}, 20),
        ("nDCG@20", {"depth": 7}, 7),
        ("RR@5 AP(judged_only=True)", {}, 5),
    ],
)
def test_the_first_documents_are_ten_or_as_near_as_the_metrics_look(metrics, options, k):
    scores = sm.evaluate(JUDGED, {"old": OLD, "new": NEW}, metrics, **options)
    assert {*scores.judged["k"]} == {k}


def test_nothing_is_noted_where_unjudged_documents_are_left_out():
    scores = sm.evaluate(JUDGED, {"old": OLD, "new": NEW}, "P@2", judged_only=True)
    assert scores.judged.is_empty()
    assert scores.notes == ()


@pytest.mark.parametrize("seed", range(3))
def test_what_is_judged_is_a_mean_over_the_queries_that_a_run_answers(seed):
    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(20)]
    queries = [f"q{i}" for i in range(6)]
    qrels = {q: dict.fromkeys(chance.sample(documents, 8), 1) for q in queries}
    runs, expected = {}, {}
    for name in ("a", "b", "c"):
        lists = {
            q: chance.sample(documents, chance.choice([1, 2, 5, 20]))
            for q in chance.sample([*queries, "unjudged"], 5)
        }
        runs[name] = {q: {d: -float(i) for i, d in enumerate(ids)} for q, ids in lists.items()}
        tops = [(q, ids[:4]) for q, ids in lists.items() if q in qrels]
        shares = [sum(d in qrels[q] for d in top) / len(top) for q, top in tops]
        expected[name] = sum(shares) / len(shares)
    found = sm.evaluate(qrels, runs, "P@4").judged
    assert dict(found.select("run_id", "judged").iter_rows()) == pytest.approx(expected)
