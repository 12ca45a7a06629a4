"""Judgments are kept for many calls, and give the scores of a call of its own."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest
from conftest import ROOT
from peers import make_collection

import sqlmetrics as sm
from sqlmetrics.inputs.reader import Reader

QRELS, BM25 = ROOT / "examples" / "qrels.csv", ROOT / "examples" / "bm25.csv"


def test_scores_are_those_of_the_judgments_themselves():
    qrels, run = make_collection()
    kept = sm.Judgments(qrels)
    for metrics in ("nDCG@10 AP", "AP(rel=2) nNRBP", "RR"):
        for each in (run, run.head(50)):
            found = sm.evaluate(kept, each, metrics)
            assert found.per_query.equals(sm.evaluate(qrels, each, metrics).per_query)


def test_the_judgments_are_read_once(monkeypatch):
    read = []
    reads = Reader.read

    def watch(self, data, *options, **more):
        read.append(data)
        return reads(self, data, *options, **more)

    monkeypatch.setattr(Reader, "read", watch)
    kept = sm.Judgments(QRELS)
    for _ in range(3):
        sm.evaluate(kept, BM25, "AP")
    assert read.count(QRELS) == 1
    assert read.count(BM25) == 3


def test_later_changes_of_the_file_are_not_seen(tmp_path):
    path = tmp_path / "qrels.csv"
    path.write_text("query_id,doc_id,relevance\nq,a,1\n")
    kept = sm.Judgments(path)
    run = {"q": {"a": 1.0}}
    assert sm.evaluate(kept, run, "RR")["RR"] == 1
    path.write_text("query_id,doc_id,relevance\nq,b,1\n")
    assert sm.evaluate(kept, run, "RR")["RR"] == 1


def test_judgments_that_would_give_a_wrong_number_are_refused_each_time(tmp_path):
    path = tmp_path / "qrels.csv"
    path.write_text("query_id,doc_id,relevance\nq,a,1\nq,a,2\n")
    kept = sm.Judgments(path)
    for _ in range(2):
        with pytest.raises(sm.InputError, match=r"qrels\.csv line 2 and .*line 3"):
            sm.evaluate(kept, {"q": {"a": 1.0}}, "RR")


@pytest.mark.thorough
def test_what_takes_judgments_takes_kept_ones():
    kept = sm.Judgments(QRELS)
    assert sm.roc_curve(kept, BM25).equals(sm.roc_curve(QRELS, BM25))
    assert sm.check(kept, BM25).equals(sm.check(QRELS, BM25))
    assert sm.explain(kept, BM25) == sm.explain(QRELS, BM25)
    assert repr(kept).startswith("Judgments(PosixPath(")


def test_segments_come_from_the_judgments():
    qrels = pl.DataFrame(
        {"query_id": ["1", "2"], "doc_id": "a", "relevance": 1, "country": ["DE", "FR"]}
    )
    kept = sm.Judgments(qrels)
    run = {"1": {"a": 1.0}, "2": {"b": 1.0}}
    for _ in range(2):
        mean = sm.evaluate(kept, run, "RR", by="country").mean
        assert mean.rows() == [("run", "DE", 1.0), ("run", "FR", 0.0)]


def test_a_table_of_a_connection_is_kept_for_others():
    con = duckdb.connect()
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query_id, 'a' AS doc_id, 1 AS relevance")
    kept = sm.Judgments("qrels")
    assert sm.evaluate(kept, {"q": {"a": 1.0}}, "RR", con=con)["RR"] == 1
    assert sm.evaluate(kept, {"q": {"a": 1.0}}, "RR")["RR"] == 1


def test_a_grade_above_the_scale_is_refused_by_name():
    kept = sm.Judgments({"q": {"a": 9}})
    for _ in range(2):
        with pytest.raises(sm.InputError, match="relevance 9"):
            sm.evaluate(kept, {"q": {"a": 1.0}}, "ERR(max_rel=4)")


def test_notes_on_their_columns_are_those_of_each_call():
    kept = sm.Judgments(pl.DataFrame({"qid": ["q"], "docno": ["a"], "rel": [1]}))
    notes = [sm.evaluate(kept, {"q": {"a": 1.0}}, "RR").notes for _ in range(2)]
    assert notes[0] == notes[1]
    assert "docno" in notes[0][0]
