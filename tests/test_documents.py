"""Why a query scores as it does: its documents by several runs, and what each adds to the score."""

from __future__ import annotations

import random
from math import log2

import polars as pl
import pytest
from commands import run
from conftest import open_shell, write_inputs

import sqlmetrics as sm

QRELS = {"q": {"a": 2, "b": 1, "c": 0, "d": 1}, "r": {"a": 1}}
RUNS = {
    "old": {"q": {"x": 9.0, "a": 8.0, "c": 7.0, "b": 6.0}},
    "new": {"q": {"a": 9.0, "d": 8.0, "y": 7.0}, "r": {"z": 1.0, "a": 0.5}},
}


def explain(metric="nDCG@10", query="q", runs=RUNS, **options):
    return sm.explain_query(QRELS, runs, query, metric, **options)


def test_documents_add_gain_by_discount_over_ideal_to_ndcg():
    rows = explain().documents.filter(pl.col("contribution").is_not_null())
    ideal = 2 + 1 / log2(3) + 1 / log2(4)
    expected = {
        ("old", "a"): 2 / log2(3) / ideal,
        ("old", "c"): 0.0,
        ("old", "b"): 1 / log2(5) / ideal,
        ("new", "a"): 2 / ideal,
        ("new", "d"): 1 / log2(3) / ideal,
    }
    found = {(run, doc): part for _, run, doc, *_, part in rows.iter_rows()}
    assert found == {key: pytest.approx(part, abs=1e-15) for key, part in expected.items()}


def test_rows_have_every_document_that_is_retrieved_or_judged():
    rows = explain().documents.filter(run_id="old")
    assert rows.select("doc_id", "relevance", "rank").rows() == [
        ("x", None, 1),
        ("a", 2, 2),
        ("c", 0, 3),
        ("b", 1, 4),
        ("d", 1, None),
    ]


def test_the_score_of_rr_loses_the_distance_to_the_next_relevant_document():
    found = explain("RR").documents.filter(run_id="old", doc_id="a")
    assert found["contribution"].item() == 1 / 2 - 1 / 4


SUMS = "nDCG@5 P@5 R@5 DCG RBP(p=0.8)"


@pytest.mark.few(3)
@pytest.mark.parametrize("metric", SUMS.split())
@pytest.mark.parametrize("ties", ["descending", "ascending", "expected"])
def test_contributions_to_sums_add_up_to_the_score_of_evaluate(metric, ties):
    rng = random.Random(7)
    names = "abcdefgh"
    qrels = {q: {d: rng.randint(0, 2) for d in rng.sample(names, 5)} for q in "123"}
    run = {q: {d: float(rng.randint(0, 3)) for d in rng.sample(names, 6)} for q in "123"}
    found = sm.explain_query(qrels, run, [*"123"], metric, ties=ties)
    sums = found.documents.group_by("query_id").agg(pl.col("contribution").sum())
    scores = sm.evaluate(qrels, run, metric, ties=ties).per_query
    for score, total in scores.join(sums, on="query_id").select(metric, "contribution").iter_rows():
        assert total == pytest.approx(score, abs=1e-12)


def test_the_table_has_what_differs_most_first():
    text = str(explain(k=2))
    first, table, below = text.split("\n\n")
    header, *rows = table.splitlines()
    # 2 / log2(3) + 1 / log2(5) and 2 + 1 / log2(3), over an ideal of 2 + 1 / log2(3) + 1 / log2(4)
    assert first == "q: nDCG@10 of old 0.5406, new 0.8403 (+0.2997)"
    assert header.split()[-1] == "difference"
    assert [row.split()[0] for row in rows] == ["a", "d", "b", "x"]
    assert max(map(len, below.splitlines())) <= 80


def test_a_run_without_the_query_is_named():
    assert str(explain(query="r")).startswith("r: nDCG@10 of old nothing retrieved, new 0.6309")


def test_several_queries_are_several_tables():
    assert [table.title[:2] for table in explain(query=["q", "r"]).tables()] == ["q:", "r:"]


def test_runs_keep_the_order_in_which_they_are_given():
    title = next(explain(runs={"z": RUNS["old"], "b": RUNS["new"]}).tables()).title
    assert title.index(" z ") < title.index(" b ")
    run = pl.concat([pl.DataFrame({"run_id": x, "query_id": "q", "doc_id": ["a"]}) for x in "ba"])
    found = sm.explain_query({"q": {"a": 1}}, run.with_columns(score=1.0), "q", "RR")
    assert found.scores["run_id"].to_list() == ["b", "a"]


def test_ranks_are_those_of_tied_documents_by_the_conventions():
    run = {"q": {"a": 1.0, "b": 1.0}}
    up = explain(runs=run, ties="ascending").documents
    assert up.filter(rank=1)["doc_id"].item() == "a"
    assert explain(runs=run).documents.filter(rank=1)["doc_id"].item() == "b"


@pytest.mark.parametrize(
    ("scores", "options"), [((1.0, 1.0), {"ties": "best"}), ((2.0, 1.0), {"judged_only": True})]
)
def test_a_document_adds_where_the_conventions_rank_it_within_the_cutoff(scores, options):
    run = {"q": dict(zip("xa", scores, strict=True))}
    found = explain("P@1", runs=run, **options).documents
    assert found.filter(doc_id="a").select("rank", "contribution").row(0) == (2, 1)


def test_documents_that_are_excluded_add_nothing_and_take_no_rank():
    excluded = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "x"]})
    found = explain("P@1", runs={"old": RUNS["old"]}, exclude=excluded, depth=2)
    # a and x are gone: c is first, b second
    rows = [("c", 1, 0), ("b", 2, 0), ("a", None, None), ("d", None, None)]
    assert found.documents.select("doc_id", "rank", "contribution").rows() == rows
    assert found.scores["score"].item() == 0
    found = explain("DCG@2", runs={"old": RUNS["old"]}, exclude=excluded, depth=2)
    for part in (found.documents["contribution"].sum(), found.scores["score"].item()):
        assert part == pytest.approx(1 / log2(3))


def test_the_order_of_ties_may_be_that_of_the_metric():
    run = {"q": {"a": 1.0, "x": 1.0}}
    found = explain("P(ties='best')@1", runs={"one": run})
    assert found.scores["score"].item() == 1
    assert found.documents.filter(doc_id="a")["contribution"].item() == 1
    assert "not ties='best'" in found.notes[0]


@pytest.mark.parametrize("columns", [["rank", "score"], ["rank"]])
@pytest.mark.parametrize("ask", [{"ties": "rank"}, {"metric": "P(ties='rank')@1"}])
def test_ties_may_be_in_the_order_of_ranks(columns, ask):
    run = pl.DataFrame({"query_id": "q", "doc_id": [*"ax"], "rank": [1, 2], "score": [1.0, 1.0]})
    found = sm.explain_query(
        {"q": {"a": 1}}, run.select("query_id", "doc_id", *columns), "q", **{"metric": "P@1", **ask}
    )
    assert found.scores["score"].item() == 1  # by id, x is first
    assert found.documents.select("doc_id", "rank").rows() == [("a", 1), ("x", 2)]


def test_a_note_names_the_order_of_tied_documents_that_was_asked_for():
    (note,) = explain("AP", ties="expected").notes
    assert note == "Tied documents have one order here, not ties='expected'."


@pytest.mark.thorough
def test_contributions_are_those_of_as_many_documents_as_do_not_take_hours(monkeypatch):
    names = [f"d{number:02}" for number in range(40)]
    qrels = {"q": {name: number % 3 for number, name in enumerate(names)}}
    runs = {"up": {"q": {name: number / 2 for number, name in enumerate(names)}}}
    runs["down"] = {"q": {name: -number for name, number in runs["up"]["q"].items()}}
    whole = sm.explain_query(qrels, runs, "q", "AP")
    monkeypatch.setattr("sqlmetrics.judging.documents._AT_ONCE", 500)
    assert sm.explain_query(qrels, runs, "q", "AP").documents.equals(whole.documents)
    monkeypatch.setattr("sqlmetrics.judging.documents._MOST", 2000)
    some = sm.explain_query(qrels, runs, "q", "AP")
    first = pl.when(pl.col("rank") <= 12).then("contribution").alias("contribution")
    assert some.documents.equals(whole.documents.with_columns(first))
    assert "Only the first 12 judged documents" in str(some)
    assert some.scores.equals(whole.scores)
    cut = sm.explain_query(qrels, runs, "q", "AP", depth=4)
    assert not cut.notes
    assert cut.documents.filter(rank=5)["contribution"].to_list() == [0, 0]


def test_without_a_query_those_that_lose_most_are_named(tmp_path):
    qrels = {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}}
    best, third = {"x": 3.0, "y": 2.0, "z": 1.0}, {"y": 3.0, "z": 2.0, "x": 1.0}
    runs = {
        "old": {"a": best, "b": best, "c": third},
        "new": {"a": best, "b": third, "c": best},  # RR of b falls from 1 to 1/3, of c it rises
    }
    with pytest.raises(sm.InputError, match=r"query='b'; b, a, c lose most"):
        sm.explain_query(qrels, runs, metric="RR")
    with pytest.raises(sm.InputError, match=r"query='b'; b, a, c lose most"):
        sm.explain_query(qrels, {"new": runs["new"]}, metric="RR")
    write_inputs(tmp_path, {"qrels": QRELS}, RUNS)
    files = [tmp_path / name for name in ("qrels.csv", "old.csv")]
    assert "error: name a query: --query " in run("explain-query", *files, status=2)


def test_the_command_prints_the_tables_and_writes_the_documents(tmp_path):
    write_inputs(tmp_path, {"qrels": QRELS}, RUNS)
    files = [tmp_path / name for name in ("qrels.csv", "old.csv", "new.csv")]
    assert run("explain-query", *files, "--query", "q", "-m", "P@2").startswith(
        "q: P@2 of old 0.5000"
    )
    target = tmp_path / "found.csv"
    run("explain-query", *files, "--query", "q", "--query", "r", "-o", target)
    assert pl.read_csv(target).height == explain(query=["q", "r"]).documents.height


def test_the_relation_has_all_documents_in_the_shell():
    qrels = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "c"], "relevance": [1, 0]})
    run = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["b", "a"], "score": [2.0, 1.0]})
    con = open_shell(qrels=qrels, run=run)
    rows = con.sql("SELECT doc_id, relevance, score, rank FROM documents(qrels, run) ORDER BY ALL")
    assert rows.fetchall() == [("a", 1, 1.0, 2), ("b", None, 2.0, 1), ("c", 0, None, None)]
