"""The DuckDB shell refuses mistakes in SQL that would give wrong scores, with helpful messages.

Most cases are data: tests/wrong/*.test.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest
from commands import run
from conftest import ROOT, install_copy, open_shell
from messages import assert_message, read_statements

import sqlmetrics
from sqlmetrics.engine import checks
from sqlmetrics.macros import install as installation

EXAMPLES = ROOT / "examples"
SHELL = Path(sys.executable).with_name("duckdb")
BY_QUERY = "GROUP BY j.run_id, j.query_id"
POOL = "; use GROUP BY j.run_id, j.query_id, or pooled := TRUE to score all rankings as one"


@pytest.fixture(scope="module")
def con():
    return open_tables("refusals")


@cache
def open_tables(file):
    """A connection with the tables of one of the files."""
    con = open_shell()
    for statement, said in RECORDS[file]:
        if not said:
            con.execute(statement.replace("'examples/", f"'{EXAMPLES.as_posix()}/"))
    return con


def refuse(con, query):
    """The message, in one line, without the name of the error."""
    with pytest.raises(duckdb.Error) as raised:
        con.execute(query).fetchall()
    return " ".join(str(raised.value).partition("Error: ")[2].split())


def ndcg_of(run="FROM run", qrels="FROM qrels"):
    """A query over other judgments, or another run."""
    return f"WITH _q AS ({qrels}), _r AS ({run}) FROM ndcg(_q, _r)"


def ranked(query_id="'curry'", doc_id="'a'", score="1.0"):
    return f"SELECT {query_id} AS query_id, {doc_id} AS doc_id, {score} AS score"


RECORDS = {path.stem: read_statements(path) for path in (ROOT / "tests" / "wrong").glob("*.test")}


@pytest.mark.few(14)
@pytest.mark.parametrize(
    ("file", "query"), [(file, query) for file in RECORDS for query, said in RECORDS[file] if said]
)
def test_a_mistake_is_refused_with_advice(file, query):
    assert_message(dict(RECORDS[file])[query], refuse(open_tables(file), query))


def test_swapped_tables_are_refused_by_their_columns(con):
    advice = "Judgments come first, then the run"
    assert refuse(con, "FROM ndcg(run, qrels)") == (
        f"qrels: no column relevance; the columns are query_id, doc_id, score. {advice} "
        f"run: no column score; the columns are query_id, doc_id, relevance. {advice}"
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("k", ["10.0", "CAST(10 AS DECIMAL(5, 1))", "1e1", "CAST(10 AS UTINYINT)"])
def test_a_whole_number_may_have_any_type_of_numbers(con, k):
    query = "FROM ndcg(qrels, run, k := {}) ORDER BY ALL"
    expected = con.execute(query.format("10")).fetchall()
    assert con.execute(query.format(k)).fetchall() == expected
    table = "FROM judged(qrels, run, depth := {}) ORDER BY ALL"
    assert con.execute(table.format(k)).fetchall() == con.execute(table.format("10")).fetchall()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT pages(j) FROM clicked(log) AS j WHERE j.page_id = 1", 1),
        ("SELECT raw_agreement(r) FROM agreed(qrels, qrels) AS r WHERE r.a > 0", 1.0),
        (
            "WITH _j AS (FROM judged(qrels, run) WHERE query_id = 'curry') "
            "SELECT err(j) FROM cascade(_j) AS j GROUP BY ALL",
            0.1875,
        ),
    ],
)
def test_rows_that_are_whole_are_not_refused(con, query, expected):
    assert con.execute(query).fetchall() == [(expected,)]


# Scores of bm25 in the README: nDCG@10 0.5422, AP 0.4097.
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT avg(ndcg) FROM ndcg(qrels, run, k := 10)", 0.5422),
        ("SELECT avg(ap) FROM ap(qrels, run)", 0.4097),
        (f"SELECT avg(x) FROM (SELECT ap(j) AS x FROM judged(qrels, run) AS j {BY_QUERY})", 0.4097),
        (
            "WITH _j AS (FROM judged(qrels, run)) "
            f"SELECT avg(x) FROM (SELECT ap(j) AS x FROM cascade(_j) AS j {BY_QUERY})",
            0.4097,
        ),
        ("SELECT avg(ap) FROM ap(qrels, run, gains := MAP {1: 1})", 0.4097),
        ("SELECT avg(ndcg) FROM ndcg(qrels, run, k := CAST(10 AS BIGINT))", 0.5422),
    ],
)
def test_correct_queries_are_not_refused(con, query, expected):
    assert con.execute(query).fetchone()[0] == pytest.approx(expected, abs=5e-5)


def test_null_means_no_cut_off(con):
    without = con.execute("FROM ndcg(qrels, run) ORDER BY ALL").fetchall()
    assert con.execute("FROM ndcg(qrels, run, k := NULL) ORDER BY ALL").fetchall() == without


def test_pooled_rankings_are_one(con):
    query = "SELECT precision_at(j, k := 2, pooled := TRUE) FROM judged(qrels, run) AS j"
    # 3 relevant documents among the first two of 4 queries, of which one has no results
    ((relevant,),) = con.execute(
        "SELECT count(*) FROM judged(qrels, run) WHERE rank <= 2 AND relevant = 1"
    ).fetchall()
    assert con.execute(query).fetchall() == [(relevant / 8,)]


def test_a_run_with_ranks_alone_is_scored_by_them(con):
    run = "SELECT query_id, doc_id, row_number() OVER (PARTITION BY query_id ORDER BY score) AS rank FROM run"
    by_score = run.replace("row_number", "-row_number").replace("AS rank", "AS score")
    query = f"{ndcg_of(run=run)} ORDER BY ALL"
    assert (
        con.execute(query).fetchall()
        == con.execute(f"{ndcg_of(run=by_score)} ORDER BY ALL").fetchall()
    )


def test_a_run_with_distances_alone_is_scored_by_the_smallest(con):
    order = f"{ndcg_of()} ORDER BY ALL"
    expected = con.execute(order).fetchall()
    run = "SELECT query_id, doc_id, 10 - score AS distance FROM run"
    assert con.execute(f"{ndcg_of(run=run)} ORDER BY ALL").fetchall() == expected
    both = "SELECT *, score AS distance FROM run"
    assert con.execute(f"{ndcg_of(run=both)} ORDER BY ALL").fetchall() == expected
    unread = "SELECT query_id, doc_id, 'far' AS distance FROM run"
    assert "score 'far'" in refuse(con, ndcg_of(run=unread))


WORDS = ["rank", "relevance", "doc_id", "query_id", "run_id", "score", "q", "j", "grade"]


def count_rows(con, qrels, run):
    calls = ["judged", "ndcg", "alpha_ndcg", "check_input", "unjudged_runs"]
    parts = (f"SELECT '{call}' AS call, count(*) FROM {call}({qrels}, {run})" for call in calls)
    return dict(con.execute(" UNION ALL ".join(parts)).fetchall())


@pytest.fixture(scope="module")
def rows_of_examples():
    con = open_shell()
    return count_rows(con, f"'{EXAMPLES / 'qrels.csv'}'", f"'{EXAMPLES / 'bm25.csv'}'")


@pytest.mark.thorough
@pytest.mark.parametrize(("qrels", "run"), [*pairwise([*WORDS, WORDS[0]])])
def test_tables_may_be_called_like_a_column(qrels, run, rows_of_examples):
    """Each word is the name of judgments once, and of a run once."""
    con = open_shell()
    con.execute(f"CREATE TABLE {qrels} AS FROM '{EXAMPLES / 'qrels.csv'}'")
    con.execute(f"CREATE TABLE {run} AS FROM '{EXAMPLES / 'bm25.csv'}'")
    assert count_rows(con, qrels, run) == rows_of_examples


# Every kind of problem that judgments and a run can have.
PROBLEMS = """
    CREATE TABLE qrels AS FROM (VALUES
        ('q1', 'a', 1.0, '1'), ('q1', 'a', 0.0, '1'), ('q1', 'b', 1.0, '1'), ('q1', 'b', 1.0, '2'),
        ('q1', ' c', 1.0, '1'), ('q1', 'D', 2.0, '1'), ('q1', NULL, 1.0, '1'),
        ('q1', 'e', CAST('inf' AS DOUBLE), '1'), ('q2', 'a', 0.0, '1'), ('q3', 'z', 1.0, '1')
    ) AS t(query_id, doc_id, relevance, subtopic);
    CREATE TABLE run AS FROM (VALUES
        ('x', 'q1', 'a', '3', 2), ('x', 'q1', 'b', '3', 1), ('x', 'q1', 'b', '2', 3),
        ('x', 'q1', 'd', '5', 9), ('x', 'q1', 'f', 'abc', 5), ('x', 'q9', 'a ', '1', 1),
        ('x', ' ', 'g', '1', 1), ('y', 'q8', 'h', '1', 1), ('y', 'q8', 'i', '0.99999999', 2),
        ('z', 'q1', 'm', '1', 1), ('z', 'q1', 'n', '2', 2), ('z', 'q1', 'o', '3', 3),
        ('x', 'q9', 'v', '1e-400', 7)
    ) AS t(run_id, query_id, doc_id, score, rank)
"""


def test_check_input_finds_what_the_doctor_finds():
    con = duckdb.connect()
    con.execute(PROBLEMS)
    expected = sqlmetrics.check("qrels", "run", con=con)
    asked = {check.name for check in checks.list_checks() if {*check.inputs} <= {"qrels", "run"}}
    # of other grades, of a scale, and of TREC text
    assert {*expected["check"]} == asked - {"all_relevant", "judgments_off_scale", "several_tags"}
    install_copy(con)
    found = con.execute("FROM check_input(qrels, run)")
    columns = [name for name, *_ in found.description]
    assert columns == expected.columns
    for values, other in zip(found.fetchall(), expected.to_dicts(), strict=True):
        row = dict(zip(columns, values, strict=True))
        for key in ("severity", "check", "number", "meaning"):
            assert row[key] == other[key]
        assert row["input"] == other["input"].removeprefix("table ")
        lines, others = row["examples"].splitlines(), other["examples"].splitlines()
        assert len(lines) == len(others)
        if not row["check"].startswith("unusable"):
            places = ("table qrels: ", "table run: ")
            for place in places:
                others = [line.removeprefix(place) for line in others]
            assert lines == others


def test_check_input_lists_values_that_are_not_numbers():
    con = duckdb.connect()
    con.execute(PROBLEMS)
    install_copy(con)
    query = """
        SELECT "check", examples FROM check_input(qrels, run) WHERE starts_with("check", 'unusable')
    """
    assert con.execute(query).fetchall() == [
        (
            "unusable_documents",
            "blank query_id for document g in run x\n"
            "score 'abc' for document f of query q1 in run x",
        ),
        (
            "unusable_judgments",
            "relevance 'inf' for document e of query q1\nno doc_id for a document of query q1",
        ),
    ]


def test_check_input_has_a_parameter_for_the_lowest_relevance_that_counts(con):
    query = "SELECT examples FROM check_input(qrels, run, rel := {}) WHERE \"check\" = '{}'"
    name = "queries_without_relevant"
    assert con.execute(query.format(1, name)).fetchall() == []
    highest = con.execute("SELECT max(relevance) FROM qrels").fetchone()[0]
    assert con.execute(query.format(highest + 1, name)).fetchall() == [
        ("query bread\nquery curry\nquery noodles",)
    ]


LAB = [
    "SELECT lab.ndcg(j) FROM lab.judged(qrels, run) AS j GROUP BY j.run_id, j.query_id ORDER BY ALL",
    "FROM lab.ndcg(qrels, run, k := 10) ORDER BY ALL",
    "FROM lab.err(qrels, run) ORDER BY ALL",
    "FROM lab.check_input(qrels, run)",
]


def make_tables(con):
    con.execute(f"CREATE TABLE qrels AS FROM '{EXAMPLES / 'qrels.csv'}'")
    con.execute(f"CREATE TABLE run AS FROM '{EXAMPLES / 'bm25.csv'}'")


@pytest.mark.thorough
def test_macros_in_a_schema_are_called_with_its_name(tmp_path, con):
    path = str(tmp_path / "mine.duckdb")
    with duckdb.connect(path) as own:
        make_tables(own)
        sqlmetrics.install(own, schema="lab")
    for read_only in (False, True):
        with duckdb.connect(path, read_only=read_only) as own:
            for query in LAB:
                rows = con.execute(query.replace("lab.", "")).fetchall()
                assert own.execute(query).fetchall() == rows != []
            said = refuse(own, "SELECT lab.ap(j) FROM lab.judged(qrels, run) AS j")
            assert (
                said == f"ap: a group has rows of several queries, such as bread and pickles{POOL}"
            )
            said = refuse(own, f"WITH _r AS ({ranked(score=repr('x'))}) FROM lab.ap(qrels, _r)")
            assert said.endswith("FROM lab.check_input(qrels, run) lists all problems")


@pytest.mark.thorough
@pytest.mark.parametrize("is_begun", [False, True])
def test_all_macros_are_installed_or_none(monkeypatch, is_begun):
    query = "SELECT count(*) FROM duckdb_functions() WHERE NOT internal"
    with duckdb.connect() as own:
        if is_begun:  # a transaction is the user's to end
            own.begin()
            sqlmetrics.install(own)
        else:
            write = installation.Macro.write

            def fail_at_last(macro, **how):
                return 1 / 0 if macro.name == "check_log" else write(macro, **how)

            monkeypatch.setattr(installation.Macro, "write", fail_at_last)
            with pytest.raises(ZeroDivisionError):
                sqlmetrics.install(own)
            own.begin()
        own.rollback()
        assert own.execute(query).fetchall() == [(0,)]


@pytest.mark.thorough
def test_the_command_prints_macros_for_a_schema(tmp_path):
    (tmp_path / "lab.sql").write_text(run("sql", "--schema", "lab"))
    query = f"FROM lab.rr('{EXAMPLES / 'qrels.csv'}', '{EXAMPLES / 'bm25.csv'}')"
    command = [SHELL, "-init", tmp_path / "lab.sql", "-csv", "-c", query]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5


@pytest.mark.thorough
@pytest.mark.parametrize("schema", [[], ["--schema", "lab"]])
def test_the_command_prints_what_removes_the_macros(schema):
    with duckdb.connect() as own:
        own.execute("CREATE MACRO twice(x) AS 2 * x")
        own.execute(run("sql", *schema))
        own.execute(run("sql", "--remove", *schema))
        query = "SELECT function_name FROM duckdb_functions() WHERE NOT internal"
        assert own.execute(query).fetchall() == [("twice",)]


def test_the_sql_of_measures_calls_the_macros_of_its_schema():
    with duckdb.connect() as own:
        make_tables(own)
        rows = own.execute(sqlmetrics.sql("nDCG@10 AP", schema="lab")).fetchall()
        expected = sqlmetrics.evaluate("qrels", "run", "nDCG@10 AP", con=own).per_query.rows()
        for row, other in zip(rows, expected, strict=True):
            assert row == pytest.approx(other, abs=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["ndcg", "check_input"])
def test_a_macro_of_the_users_own_stays(name):
    said = f"the database already has other macros with these names: {name}"
    with duckdb.connect() as own:
        make_tables(own)
        own.execute(f"CREATE MACRO {name}(x) AS 42 + x")
        for create in (
            lambda: sqlmetrics.install(own),
            lambda: sqlmetrics.install(own, temporary=True),
        ):
            with pytest.raises(sqlmetrics.InputError, match=said):
                create()
        for script in (sqlmetrics.sql(), sqlmetrics.sql(remove=True)):
            assert said in refuse(own, script)
        score = sqlmetrics.evaluate("qrels", "run", "nDCG@10", con=own).mean["nDCG@10"][0]
        assert score == pytest.approx(0.5422, abs=5e-5)
        sqlmetrics.install(own, schema="lab")
        sqlmetrics.uninstall(own)
        assert own.execute(f"SELECT {name}(1)").fetchall() == [(43,)]


def test_evaluate_leaves_nothing_behind():
    everything = """
        SELECT 'function', function_name FROM duckdb_functions()
        UNION ALL SELECT 'table', table_name FROM duckdb_tables()
        UNION ALL SELECT 'view', view_name FROM duckdb_views()
        UNION ALL SELECT 'variable', name FROM duckdb_variables()
        ORDER BY ALL
    """
    with duckdb.connect() as own:
        make_tables(own)
        before = own.execute(everything).fetchall()
        sqlmetrics.evaluate("qrels", "run", "nDCG@10 ERR", con=own)
        sqlmetrics.check("qrels", "run", con=own)
        with pytest.raises(sqlmetrics.InputError):
            sqlmetrics.evaluate("qrels", "qrels", "AP", con=own)
        assert own.execute(everything).fetchall() == before
