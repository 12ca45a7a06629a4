"""The macros work in the DuckDB shell, and SQL that is printed or returned runs unchanged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, install_copy, name_measures

import sqlmetrics
from sqlmetrics import catalogue

EXAMPLES = ROOT / "examples"
SHELL = Path(sys.executable).with_name("duckdb")
NAMES = " ".join(name for metric in catalogue.ranking_metrics() for name in name_measures(metric))


def ask_shell(script, query):
    done = subprocess.run(
        [SHELL, "-init", script, "-json", "-c", query],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    script = tmp_path_factory.mktemp("shell") / "sqlmetrics.sql"
    script.write_text(sqlmetrics.sql())
    return script


def test_the_shell_scores_like_python_by_aggregates(script):
    scores = sqlmetrics.evaluate(EXAMPLES / "qrels.csv", EXAMPLES / "bm25.csv", "nDCG@10 AP RR")
    query = (
        'SELECT j.query_id, ndcg(j, k := 10) AS "nDCG@10", ap(j) AS "AP", rr(j) AS "RR" '
        "FROM judged('examples/qrels.csv', 'examples/bm25.csv') AS j GROUP BY j.query_id ORDER BY ALL"
    )
    rows = ask_shell(script, query)
    for got, expected in zip(rows, scores.per_query.drop("run_id").to_dicts(), strict=True):
        assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("family", sorted({m.family for m in catalogue.ranking_metrics()}))
def test_the_shell_runs_every_metric_as_a_query(script, family):
    macros = [metric.macro for metric in catalogue.ranking_metrics() if metric.family == family]
    parts = (
        f"SELECT '{macro}' AS macro, query_id FROM {macro}('examples/qrels.csv', 'examples/bm25.csv')"
        for macro in macros
    )
    rows = ask_shell(script, " UNION ALL ".join(parts))
    assert {(row["macro"], row["query_id"]) for row in rows} == {
        (macro, query) for macro in macros for query in ("bread", "curry", "noodles", "pickles")
    }


@pytest.mark.thorough
def test_the_sql_of_measures_runs_over_tables_of_the_names_in_it():
    con = duckdb.connect()
    for table in ("qrels", "run"):
        file = EXAMPLES / ("qrels.csv" if table == "qrels" else "bm25.csv")
        con.execute(f"CREATE TABLE {table} AS FROM '{file}'")
    expected = sqlmetrics.evaluate("qrels", "run", NAMES, con=con).per_query.rows()
    for got, row in zip(con.execute(sqlmetrics.sql(NAMES)).fetchall(), expected, strict=True):
        assert got == pytest.approx(row, abs=1e-12)


@pytest.mark.thorough
def test_the_statement_of_a_result_runs_where_the_macros_are_installed():
    runs = [EXAMPLES / "bm25.csv", EXAMPLES / "neural.csv"]
    names = f"{NAMES} AP(rel=2) ERR(max_rel=3)@5"
    result = sqlmetrics.evaluate(EXAMPLES / "qrels.csv", runs, names)
    con = duckdb.connect()
    install_copy(con)
    for got, row in zip(con.execute(result.sql).fetchall(), result.per_query.rows(), strict=True):
        assert got == pytest.approx(row, abs=1e-12)


@pytest.mark.thorough
def test_temporary_macros_leave_a_database_as_it_was(tmp_path):
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as con:
        sqlmetrics.install(con, temporary=True)
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as con:
        assert con.execute(
            "SELECT count(*) FROM duckdb_functions() WHERE NOT internal"
        ).fetchall() == [(0,)]
        sqlmetrics.install(con)
    with duckdb.connect(str(tmp_path / "mine.duckdb"), read_only=True) as con:
        query = f"FROM rr('{EXAMPLES / 'qrels.csv'}', '{EXAMPLES / 'bm25.csv'}')"
        assert con.execute(query).fetchall()
