"""The user's metrics, in a file or as a macro of the connection, work like the others."""

from __future__ import annotations

import duckdb
import pytest
from commands import run
from conftest import ROOT, install_copy

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import parsing
from sqlmetrics.cli import pages

QRELS, RUN = ROOT / "examples" / "qrels.csv", ROOT / "examples" / "bm25.csv"
HALF = """\
-- The mean of nDCG and RR.
-- name: Half, Half@k
-- relation: judged(rel, gains)
-- k: whole number, 1 or more, or NULL; cut-off rank
CREATE OR REPLACE MACRO half(j, k := NULL) AS (ndcg(j, k := k) + rr(j, k := k)) / 2e0;
"""


@pytest.fixture
def half(tmp_path):
    path = tmp_path / "half.sql"
    path.write_text(HALF)
    sqlmetrics.add_metric(path)
    return path


def take_expected():
    scores = sqlmetrics.evaluate(QRELS, RUN, "nDCG@10 RR@10").per_query
    return dict(zip(scores["query_id"], (scores["nDCG@10"] + scores["RR@10"]) / 2, strict=True))


def test_evaluate_scores_it(half):
    scores = sqlmetrics.evaluate(QRELS, RUN, "Half@10").per_query
    assert dict(scores.select("query_id", "Half@10").iter_rows()) == pytest.approx(take_expected())


def test_it_is_listed_and_has_a_page(half):
    (row,) = sqlmetrics.metrics().filter(macro="half").to_dicts()
    assert row["name"] == "Half, Half@k"
    assert row["summary"] == "The mean of nDCG and RR."
    (metric,) = parsing.find_metrics(["Half"])
    assert "FROM ranked AS" in pages.describe(metric)


def test_it_is_plain_sql_for_other_engines(half):
    con = duckdb.connect()
    con.execute(f"CREATE TABLE qrels AS FROM '{QRELS}'; CREATE TABLE run AS FROM '{RUN}'")
    plain = con.execute(sqlmetrics.sql("Half@10", dialect="duckdb")).fetchall()
    assert dict(plain) == pytest.approx(take_expected())


@pytest.mark.thorough
def test_it_is_installed_with_the_others_and_refuses_as_they_do(half):
    con = duckdb.connect()
    sqlmetrics.install(con)
    call = f"half('{QRELS}', '{RUN}', k := 10)"
    rows = con.execute(f"SELECT query_id, half FROM {call}").fetchall()
    assert dict(rows) == pytest.approx(take_expected())
    with pytest.raises(duckdb.Error, match="half: k must be a whole number, 1 or more"):
        con.execute(f"FROM {call.replace('10', '0')}").fetchall()
    with pytest.raises(duckdb.Error, match="half: a group has rows of several queries"):
        con.execute(f"SELECT half(j) FROM judged('{QRELS}', '{RUN}') AS j").fetchall()


def test_the_command_line_takes_its_file(tmp_path):
    path = tmp_path / "half.sql"
    path.write_text(HALF)
    command = ["evaluate", QRELS, RUN, "--metric-file", path, "-m", "Half@10", "-f", "csv"]
    header, row = run(*command).splitlines()
    assert header == "run_id,Half@10"
    expected = take_expected()
    assert float(row.split(",")[1]) == pytest.approx(sum(expected.values()) / len(expected))


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        (
            "-- name: Half, Half@k",
            "-- nam: Half",
            "half.sql:2: the header line has unknown key 'nam'",
        ),
        (
            "-- relation:",
            "-- in trec_eval: half\n-- relation:",
            "half.sql:3: the header line has unknown key 'in trec_eval'",
        ),
        ("-- name: Half, Half@k\n", "", "the header has no line 'name'"),
        ("relation: judged", "relation: judgments", "no relation named judgments"),
        ("whole number, 1", "whole numbers, 1", "the line for 'k' must begin with a rule"),
        ("j, k := NULL", "j, at := NULL", "the header line has unknown key 'k'"),
        ("MACRO half", "MACRO halves", "the macro halves and the file must have the same name"),
        ("name: Half, Half@k", "name: nDCG", "the name 'ndcg' is taken by nDCG"),
        ("rr(j, k := k)", "j.reach", 'Could not find key "reach" in struct'),
        ("rr(j, k := k)", "rr(j, k := k", "syntax error"),
        (HALF, "SELECT 1", "the first line must describe the metric"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_reason(tmp_path, wrong, right, said):
    assert wrong in HALF
    path = tmp_path / "half.sql"
    path.write_text(HALF.replace(wrong, right))
    with pytest.raises(sqlmetrics.MetricError) as refused:
        sqlmetrics.add_metric(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)
    assert "half" not in catalogue.files()["metrics"]


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(sqlmetrics.MetricError, match=r"nope\.sql cannot be read"):
        sqlmetrics.add_metric(tmp_path / "nope.sql")


@pytest.fixture
def con():
    con = duckdb.connect()
    con.execute(f"CREATE TABLE qrels AS FROM '{QRELS}'; CREATE TABLE run AS FROM '{RUN}'")
    return con


def test_a_macro_of_the_connection_is_a_metric(con):
    con.execute("CREATE MACRO found(j, k := NULL) AS 1e0 * count(CASE WHEN j.rank <= k THEN 1 END)")
    scores = sqlmetrics.evaluate("qrels", "run", "found@3 AP", con=con).per_query
    assert scores.columns == ["run_id", "query_id", "found@3", "AP"]
    assert dict(scores.select("query_id", "found@3").iter_rows()) == {
        "bread": 3, "curry": 2, "noodles": 2, "pickles": 0,
    }  # fmt: skip


def test_a_macro_of_the_connection_may_call_what_is_installed(con):
    install_copy(con)
    con.execute("CREATE MACRO half(j, k := NULL) AS (ndcg(j, k := k) + rr(j, k := k)) / 2")
    result = sqlmetrics.evaluate("qrels", "run", "half@10", con=con)
    scores = dict(result.per_query.select("query_id", "half@10").iter_rows())
    assert scores == pytest.approx(take_expected())


def test_the_comment_of_a_macro_names_the_rows_it_aggregates(con):
    con.execute(
        "CREATE MACRO stops(j) AS sum(CASE WHEN j.rank > 0 THEN j.reach * j.stop ELSE 0 END)"
    )
    with pytest.raises(sqlmetrics.MetricError, match='Could not find key "reach"'):
        sqlmetrics.evaluate("qrels", "run", "stops", con=con)
    con.execute("COMMENT ON MACRO stops IS 'Rows from: cascade'")
    scores = sqlmetrics.evaluate("qrels", "run", "stops ERR(discount='none')", con=con).mean
    assert scores["stops"].item() == pytest.approx(scores["ERR(discount='none')"].item())


def test_a_name_that_is_not_a_macro_either_is_unknown(con):
    with pytest.raises(sqlmetrics.MetricError, match="No metric named 'halves'"):
        sqlmetrics.evaluate("qrels", "run", "halves", con=con)
    con.execute("CREATE MACRO halves(x) AS x / 2")
    with pytest.raises(sqlmetrics.MetricError, match="No metric named 'halves'"):
        sqlmetrics.evaluate("qrels", "run", "halves", con=con)
