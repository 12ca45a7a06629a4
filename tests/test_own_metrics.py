"""The user's metrics, analyses and checks work like those of the package."""

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
-- k: 1 or more; cut-off rank
CREATE OR REPLACE MACRO half(j, k BIGINT := NULL) AS (ndcg(j, k := k) + rr(j, k := k)) / 2e0;
"""


@pytest.fixture
def half(tmp_path):
    path = tmp_path / "half.sql"
    path.write_text(HALF)
    sqlmetrics.add(path)
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
    command = ["evaluate", QRELS, RUN, "--sql", path, "-m", "Half@10", "-f", "csv"]
    header, row = run(*command).splitlines()
    assert header == "run_id,Half@10"
    expected = take_expected()
    assert float(row.split(",")[1]) == pytest.approx(sum(expected.values()) / len(expected))


@pytest.mark.few(4)
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
        (
            "1 or more;",
            "at least 1;",
            "the line for 'k' must begin with a limit, such as 1 or more",
        ),
        ("k BIGINT", "k", "the parameter 'k' needs a type, such as BIGINT"),
        ("k BIGINT", "k DATE", "the parameter 'k' has the type DATE, not BIGINT, DOUBLE"),
        ("j, k BIGINT", "j, at BIGINT", "the header line has unknown key 'k'"),
        ("MACRO half", "MACRO halves", "the macro halves and the file must have the same name"),
        ("name: Half, Half@k", "name: nDCG", "the name 'ndcg' is taken by nDCG"),
        ("rr(j, k := k)", "j.reach", 'Could not find key "reach" in struct'),
        ("rr(j, k := k)", "rr(j, k := k", "syntax error"),
        (HALF, "SELECT 1", "the first line must describe the macro"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_reason(tmp_path, wrong, right, said):
    assert wrong in HALF
    path = tmp_path / "half.sql"
    path.write_text(HALF.replace(wrong, right))
    with pytest.raises(sqlmetrics.MetricError) as refused:
        sqlmetrics.add(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)
    assert "half" not in catalogue.files()["metrics"]


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


@pytest.mark.thorough
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


FIRSTS = """\
-- The first document of each query.
-- run: retrieved documents
-- place: 1 or more; which one
-- returns query_id: the query
-- returns doc_id: the document
-- empty: {run} has no rank {place}
CREATE OR REPLACE MACRO firsts(run, place BIGINT := 1) AS TABLE
SELECT _r.query_id, _r.doc_id FROM rankings(run) AS _r WHERE _r.rank = place;
"""
LONG = """\
-- Documents whose ids are long.
-- severity: warning
-- run: retrieved documents
-- returns query_id, doc_id: the row
-- returns problem: what is wrong
CREATE OR REPLACE MACRO long_ids(run) AS TABLE
SELECT query_id, doc_id, concat('document ', doc_id, ' has a long id') AS problem
FROM retrieved(run) WHERE length(doc_id) > 2;
"""


@pytest.fixture
def firsts(tmp_path):
    path = tmp_path / "firsts.sql"
    path.write_text(FIRSTS)
    sqlmetrics.add(path)
    yield path
    sqlmetrics.remove("firsts")


@pytest.mark.thorough
def test_a_table_macro_is_a_function_and_is_known_to_query_and_install(firsts):
    found = sqlmetrics.firsts({"q": {"a": 1.0, "b": 2.0}})
    assert found.rows() == [("q", "b")]
    with pytest.raises(sqlmetrics.InputError, match="has no rank 3"):
        sqlmetrics.firsts({"q": {"a": 1.0, "b": 2.0}}, place=3)
    with pytest.raises(sqlmetrics.InputError, match="place must be a whole number, 1 or more"):
        sqlmetrics.firsts({"q": {"a": 1.0}}, place=0)
    assert sqlmetrics.query("FROM firsts(r, place := 2)", r={"q": {"a": 1.0, "b": 2.0}}).rows() == [
        ("q", "a")
    ]
    con = duckdb.connect()
    sqlmetrics.install(con)
    assert len(con.execute(f"FROM firsts('{RUN}')").fetchall()) == 3


def test_it_is_gone_when_it_is_removed(firsts):
    sqlmetrics.remove("firsts")
    with pytest.raises(AttributeError, match="firsts"):
        _ = sqlmetrics.firsts
    sqlmetrics.add(firsts)


def test_a_table_macro_is_a_command_wherever_its_file_is_named(firsts):
    for command in (
        ["firsts", "--run", RUN, "--sql", firsts, "-f", "csv"],
        [f"--sql={firsts}", "firsts", "--run", RUN, "-f", "csv"],
    ):
        assert run(*command).splitlines()[0] == "query_id,doc_id"
    assert "Your own" in run("--sql", firsts, "--help")


def test_a_metric_takes_rows_of_a_relation_that_was_added(tmp_path):
    begun = tmp_path / "begun.sql"
    begun.write_text(
        "-- Judged documents of rankings.\n-- qrels: judgments\n-- run: retrieved documents\n"
        "-- groups: run_id, query_id\n-- returns twice: twice the gain\n"
        "CREATE OR REPLACE MACRO begun(qrels, run) AS TABLE\n"
        "SELECT _j.*, 2 * _j.relevant AS twice FROM judged(qrels, run) AS _j;"
    )
    double = tmp_path / "double.sql"
    double.write_text(
        "-- Twice the number of relevant documents retrieved.\n-- name: Double\n"
        "-- relation: begun\nCREATE OR REPLACE MACRO double(j) AS\n"
        "    coalesce(sum(CASE WHEN j.rank IS NOT NULL THEN 1e0 * j.twice END), 0e0);"
    )
    sqlmetrics.add(begun)
    sqlmetrics.add(double)
    try:
        found = sqlmetrics.evaluate(QRELS, RUN, "Double NumRelRet").per_query
        assert (found["Double"] == 2 * found["NumRelRet"]).all()
    finally:
        sqlmetrics.remove("double")
        sqlmetrics.remove("begun")


def test_a_check_that_was_added_is_run_by_check(tmp_path):
    path = tmp_path / "long_ids.sql"
    path.write_text(LONG)
    sqlmetrics.add(path)
    try:
        found = sqlmetrics.check(QRELS, RUN).filter(check="long_ids")
        assert found.height > 0
    finally:
        sqlmetrics.remove("long_ids")


@pytest.mark.parametrize(
    ("text", "wrong", "right", "said"),
    [
        (FIRSTS, "-- run: retrieved documents\n", "", "the header has no line 'run'"),
        (FIRSTS, "-- run: retrieved documents", "-- run: as for nothing", "no file named nothing"),
        (FIRSTS, "1 or more;", "at least 1;", "must begin with a limit"),
        (
            FIRSTS,
            "-- returns query_id: the query\n-- returns doc_id: the document\n",
            "",
            "the header has no line 'returns column: meaning'",
        ),
        (FIRSTS, "_r.doc_id", "_r.document", 'does not have a column named "document"'),
        (FIRSTS, "firsts(", "judged(", "must have the same name"),
        (LONG, "severity: warning", "severity: bad", "severity must be error or warning, not bad"),
    ],
)
def test_a_table_macro_that_is_wrong_is_refused_with_the_reason(tmp_path, text, wrong, right, said):
    assert wrong in text
    path = tmp_path / ("firsts.sql" if text == FIRSTS else "long_ids.sql")
    path.write_text(text.replace(wrong, right))
    with pytest.raises(sqlmetrics.MetricError) as refused:
        sqlmetrics.add(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)


def test_the_name_of_a_macro_of_the_package_is_taken(tmp_path):
    path = tmp_path / "judged.sql"
    path.write_text(FIRSTS.replace("firsts(", "judged("))
    with pytest.raises(sqlmetrics.MetricError, match="the name 'judged' is taken"):
        sqlmetrics.add(path)
