"""Any SELECT over the macros, on data in any form, is checked as the functions check it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run
from polars.testing import assert_frame_equal

import sqlmetrics as sm
from sqlmetrics.analyses import sign, write_refusal
from sqlmetrics.catalogue import SqlFile
from sqlmetrics.macros.calls import find_calls
from sqlmetrics.query import run_query

LOG = pl.DataFrame(
    {
        "page_id": [1, 1, 2, 2],
        "query_id": ["q"] * 4,
        "doc_id": ["a", "b", "b", "a"],
        "position": [1, 2] * 2,
        "clicked": [1, 0, 0, 1],
        "country": ["de", "de", "fr", "fr"],
    }
)
NDCG = (
    "SELECT run_id, query_id, ndcg(j, k := 3) AS ndcg FROM judged(qrels, run) AS j "
    "GROUP BY run_id, query_id ORDER BY ALL"
)


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["files", "frames", "tables", "dicts"])
def test_scores_are_those_of_evaluate_in_any_form(form):
    frames = [pl.read_csv(path) for path in (QRELS, BM25, NEURAL)]
    con = None
    if form == "files":
        qrels, runs = QRELS, {"a": BM25, "b": NEURAL}
    elif form == "frames":
        qrels, runs = frames[0], dict(zip("ab", frames[1:], strict=True))
    elif form == "tables":
        con = duckdb.connect()
        for name, path in zip(("judgments", "a", "b"), (QRELS, BM25, NEURAL), strict=True):
            con.execute(f"CREATE TABLE {name} AS FROM read_csv('{path}')")
        qrels, runs = "judgments", ["a", "b"]
    else:
        qrels, *listed = (
            {
                query: dict(rows.select(pl.nth(1, 2)).rows())
                for (query,), rows in frame.group_by("query_id")
            }
            for frame in frames
        )
        runs = dict(zip("ab", listed, strict=True))
    expected = sm.evaluate(qrels, runs, "nDCG@3", con=con).per_query.rename({"nDCG@3": "ndcg"})
    assert_frame_equal(sm.query(NDCG, con=con, qrels=qrels, run=runs), expected)


def test_a_table_is_read_as_the_macro_needs_it_and_keeps_its_other_columns():
    found = sm.query(
        "SELECT c.country, ctr(c, rank := 1) AS ctr FROM clicked(shown) AS c GROUP BY ALL ORDER BY 1",
        shown=LOG.rename({"doc_id": "sku"}),
        columns={"doc_id": "sku"},
    )
    assert found.rows() == [("de", 1.0), ("fr", 0.0)]


def test_other_tables_are_as_they_are(tmp_path):
    (tmp_path / "any.csv").write_text("a,b\n1,2\n")
    assert sm.query("SELECT * FROM t", t=tmp_path / "any.csv").rows() == [(1, 2)]


def test_scores_of_evaluate_are_a_table():
    scores = sm.evaluate(QRELS, [BM25, NEURAL], "AP")
    query = "SELECT paired_t(p) AS p FROM paired(scores, baseline := 'bm25') AS p"
    assert sm.query(query, scores=scores)["p"].item() == sm.compare(scores).tests["p"].item()


@pytest.mark.few(1)
@pytest.mark.parametrize("metric", ["AP", "DCG", "nDCG"])
def test_expected_scores_are_aggregates_of_a_query(metric):
    query = f"SELECT expected_{metric}(j) AS score FROM judged(qrels, run) AS j GROUP BY j.query_id, j.run_id"
    scores = sm.query(query, qrels=QRELS, run=BM25)["score"]
    expected = sm.evaluate(QRELS, BM25, metric, ties="expected").per_query[metric]
    assert sorted(scores) == pytest.approx(sorted(expected), abs=1e-12)


def test_the_arguments_of_a_call_are_read_as_duckdb_reads_them():
    (call,) = find_calls(
        """FROM judged(qrels, "my run", ties := 'a, b', "Rel":=-.5e-1, /* k := 2, */ depth => 1_0 -- d
        , gains := MAP {1: 2e0}, x := y || (SELECT 1.5e+3))"""
    )
    assert call.tables == {"qrels": "qrels", "run": "my run"}
    assert call.options == {
        "ties": "'a, b'",
        "rel": "- .5e-1",
        "depth": "1_0",
        "gains": "MAP { 1 : 2e0 }",
        "x": "y || ( SELECT 1.5e+3 )",
    }


def test_a_wrong_row_is_named_with_its_line(tmp_path):
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq,a,1\nq,a,2\n")
    with pytest.raises(sm.InputError, match=r"run\.csv line 2 and .*run\.csv line 3: document a"):
        sm.query(NDCG, qrels=QRELS, run=tmp_path / "run.csv")


@pytest.mark.thorough
def test_a_connection_is_as_before():
    con = duckdb.connect()
    sm.install(con, temporary=True)
    con.execute("CREATE TABLE run AS SELECT 'bread' AS query_id, 'd' AS doc_id, 1.0 AS score")

    def look():
        names = (
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY 1"
        )
        tables = "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views()"
        return con.execute(names).fetchall(), {*con.execute(tables).fetchall()}

    before = look()
    assert sm.query(NDCG, con=con, qrels=QRELS)["ndcg"].len() == 4
    assert sm.query(NDCG, con=con, qrels=QRELS, run=BM25)["ndcg"].sum() > 0
    assert look() == before


def test_a_macro_of_the_users_is_not_replaced():
    con = duckdb.connect()
    con.execute("CREATE TEMP MACRO judged(a, b) AS TABLE SELECT 1 AS x")
    with pytest.raises(sm.InputError, match="a temporary macro named judged; drop it"):
        sm.query(NDCG, con=con, qrels=QRELS, run=BM25)
    assert con.execute("FROM judged(1, 2)").fetchall() == [(1,)]


def test_a_macro_that_is_not_there_is_answered_with_one_that_can_be_called():
    with pytest.raises(sm.InputError, match="No macro named ndgc; did you mean ndcg"):
        sm.query("SELECT ndgc(x) FROM t", t=LOG)
    with pytest.raises(sm.InputError, match="percentile_of does not exist"):  # only macros call it
        sm.query("SELECT percentile_of(position, 50) FROM t", t=LOG)


def test_the_command_takes_tables_runs_and_a_file_of_sql(tmp_path):
    (tmp_path / "ndcg.sql").write_text(f"{NDCG};\n")
    given = ("-t", f"qrels={QRELS}", "-t", f"run={BM25}", "-t", f"run=b={NEURAL}")
    lines = run("query", str(tmp_path / "ndcg.sql"), *given, "-f", "csv").splitlines()
    assert len(lines) == 1 + 2 * 4
    assert {line.split(",")[0] for line in lines[1:]} == {"bm25", "b"}


OPTIONAL = """-- A test.
-- qrels: optional; judgments
-- run: as for judged; retrieved documents
-- depth: 1 or more; down to which rank
-- empty: {run} has no documents below rank {depth}
CREATE OR REPLACE MACRO lower(qrels, run, depth BIGINT := 10) AS TABLE
SELECT run_id FROM rankings(run) WHERE rank > depth;
"""


def test_an_analysis_says_which_tables_may_be_missing_and_what_no_rows_mean():
    file = SqlFile("ranking", Path("lower.sql"), OPTIONAL)
    signature = sign(file)
    assert [file.is_optional(table) for table in file.inputs] == [True, False]
    assert signature.parameters["qrels"].default is signature.empty  # run comes after it
    said = write_refusal(file, {"depth": 3})
    assert said == "{run} has no documents below rank 3"
    query = "FROM rankings(run) WHERE rank > 3"
    with pytest.raises(sm.InputError, match=r"^the run dict has no documents below rank 3$"):
        run_query(query, {"run": {"q": {"d": 1.0}}}, empty=said)
    found = run_query("FROM documents(qrels, run)", {"qrels": None, "run": {"q": {"d": 1.0}}})
    assert found["relevance"].to_list() == [None]
    with pytest.raises(sm.InputError, match="roc_curve needs qrels, not None"):
        sm.roc_curve(None, {"q": {"d": 1.0}})


def test_the_tables_of_an_analysis_may_come_first_in_their_order():
    by_name = run("to-judge", "--qrels", QRELS, "--run", BM25, "--run", NEURAL)
    assert run("to-judge", QRELS, BM25, NEURAL) == by_name
    assert run("to-judge", QRELS, "--run", BM25, "--run", NEURAL) == by_name
    assert "extra argument" in run("means", BM25, NEURAL, status=2)
