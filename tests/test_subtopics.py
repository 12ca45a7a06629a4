"""Judgments by subtopic: where subtopics are read from, and how other metrics handle them."""

from __future__ import annotations

from typing import NamedTuple

import duckdb
import ir_measures
import polars as pl
import pytest
from conftest import make_run, open_shell

import sqlmetrics
from sqlmetrics import InputError
from sqlmetrics.inputs.streams import Stream

ROWS = [("q", "x", "a", 1), ("q", "y", "b", 1), ("q", "y", "c", 2), ("q", "x", "b", 0)]
RUN = make_run([("q", "c", 3.0), ("q", "b", 2.0), ("q", "a", 1.0)])
MEASURE = "alpha_nDCG@2"


class Judgment(NamedTuple):  # as of ir_datasets for the tracks with subtopics
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


def name_columns(*names):
    return pl.DataFrame(ROWS, names, orient="row")


def take(qrels, measures=MEASURE, **options):
    return sqlmetrics.evaluate(qrels, RUN, measures, **options)


@pytest.fixture(scope="module")
def expected():
    found = take(name_columns("query_id", "subtopic", "doc_id", "relevance"))
    assert not found.notes
    value = found.mean[MEASURE].item()
    assert 0 < value < 1
    return value


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name", ["Subtopic", "subtopic_id", "intent", "aspect", "judgment_group", "iteration"]
)
def test_subtopic_columns_have_common_names(name, expected):
    found = take(name_columns("query_id", name, "doc_id", "relevance"))
    assert found.mean[MEASURE].item() == expected
    assert found.notes == (
        () if name == "Subtopic" else (f"the judgments frame: read {name} as subtopic",)
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["trec", "tabs", "csv", "jsonl", "parquet", "numbered"])
def test_subtopics_are_read_from_files(tmp_path, form, expected):
    path, columns = tmp_path / "qrels", None
    frame = name_columns("query_id", "subtopic", "doc_id", "relevance")
    if form in ("trec", "tabs"):
        blank = "\t" if form == "tabs" else " "
        path.write_text("".join(blank.join(map(str, row)) + "\n" for row in ROWS))
    elif form == "numbered":
        path.write_text("".join(",".join(map(str, row)) + "\n" for row in ROWS))
        columns = {"query_id": 1, "subtopic": 2, "doc_id": 3, "relevance": 4}
    else:
        getattr(frame, {"jsonl": "write_ndjson"}.get(form, f"write_{form}"))(path)
    assert take(path, columns=columns).mean[MEASURE].item() == expected
    (tmp_path / "more").mkdir()  # two files, of which one has no subtopics
    pl.DataFrame({"query_id": ["z"], "doc_id": ["z"], "relevance": [1]}).write_csv(
        tmp_path / "more" / "b"
    )
    frame.write_csv(tmp_path / "more" / "a")
    found = take(tmp_path / "more").per_query
    assert found.filter(query_id="q")[MEASURE].item() == expected


@pytest.mark.parametrize("make", [ir_measures.Qrel, Judgment], ids=["ir_measures", "ir_datasets"])
def test_subtopics_are_read_from_named_tuples(make, expected):
    rows = [make(query, doc, grade, subtopic) for query, subtopic, doc, grade in ROWS]
    assert take(rows).mean[MEASURE].item() == expected


def test_subtopics_are_read_from_tables_of_any_type(expected):
    con = duckdb.connect()
    frame = name_columns("query_id", "subtopic", "doc_id", "relevance")
    con.register("rows", Stream(frame))
    con.execute("CREATE TABLE qrels AS SELECT * REPLACE (ascii(subtopic) AS subtopic) FROM rows")
    assert take("qrels", con=con).mean[MEASURE].item() == expected


def test_the_column_may_be_named(expected):
    frame = name_columns("query_id", "facet", "doc_id", "relevance")
    found = take(frame, columns={"subtopic": "facet"})
    assert found.mean[MEASURE].item() == expected


def test_without_subtopics_there_is_one():
    found = take({"q": {"a": 1, "b": 1, "c": 0}}, "AP_IA AP P_IA@2 P@2 alpha_nDCG(alpha=0) nDCG")
    row = found.mean.row(0, named=True)
    assert row["AP_IA"] == row["AP"]
    assert row["P_IA@2"] == row["P@2"]
    assert row["alpha_nDCG(alpha=0)"] == pytest.approx(row["nDCG"], rel=0, abs=1e-12)


def test_other_metrics_do_not_look_at_the_column():
    frame = name_columns("query_id", "iteration", "doc_id", "relevance").head(3)
    for more in ({}, {"iteration": pl.lit(None)}, {"intent": pl.lit("x")}):
        found = take(frame.with_columns(**more), "AP")
        assert found.notes == ()
        assert "iteration" not in found.sql
    with pytest.raises(InputError, match=r"document b is judged \d+ times for query q;"):
        take(name_columns("query_id", "subtopic", "doc_id", "relevance"), "AP")


def test_both_kinds_of_metrics_go_together_while_each_document_is_judged_once():
    frame = name_columns("query_id", "subtopic", "doc_id", "relevance").head(3)
    row = take(frame, f"{MEASURE} AP").mean.row(0, named=True)
    assert row["AP"] == 1


def test_queries_are_counted_whatever_the_subtopics(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("".join(" ".join(map(str, row)) + "\n" for row in ROWS))
    assert take(path, "num_q").mean.row(0) == ("run", 1.0)
    row = take(path, "qrels_jg").mean.row(0, named=True)
    assert row["num_q"] == 1
    assert row["map_avgjg"] == pytest.approx((1 / 3 + 1) / 2)
    assert take(path, "num_q").notes == ()


def test_the_doctor_counts_documents_judged_by_subtopic_once():
    frame = name_columns("query_id", "subtopic", "doc_id", "relevance")
    run = pl.concat([RUN, make_run([("q", "z", 2.0)])])
    found = sqlmetrics.check(frame, run)
    examples = dict(found.select("check", "examples").iter_rows())
    assert examples["unjudged_at_10"] == "run run: 75.0% of the top 10 are judged"
    assert "document b of query q is judged for 2 subtopics" in examples["judged_by_subtopic"]
    assert set(found["severity"]) == {"warning"}
    assert examples.keys() == {"judged_by_subtopic", "tied_scores", "unjudged_at_10"}


def test_the_macros_run_on_tables_with_and_without_subtopics():
    con = open_shell()
    con.execute("CREATE TABLE run AS SELECT 'q' AS query_id, 'd' AS doc_id, 1.0 AS score")
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query_id, 'd' AS doc_id, 1 AS relevance")
    con.execute("CREATE TABLE numbered AS SELECT *, unnest([1, 2]) AS subtopic FROM qrels")
    for table in ("qrels", "numbered"):
        query = f"SELECT alpha_ndcg FROM alpha_ndcg({table}, run)"
        assert con.execute(query).fetchall() == [(1,)]
    # other metrics take the judgments for one subtopic
    with pytest.raises(duckdb.Error, match="rows from judged"):
        con.execute("SELECT ap(j) FROM subtopics(numbered, run) AS j GROUP BY j.subtopic")
    con.execute("CREATE VIEW second AS FROM numbered WHERE subtopic = 2")
    assert con.execute("SELECT ap FROM ap(second, run)").fetchall() == [(1,)]
