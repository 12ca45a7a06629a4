"""Models and tests of dbt: builds have the scores of evaluate, and fail for wrong inputs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import engines
import pytest
import sqlglot
from conftest import ROOT

import sqlmetrics as sm

EXAMPLE = ROOT / "examples" / "dbt"
ASKED = ("nDCG@10 AP RR@10", {"run": "runs", "columns": {"run_id": "run_id"}})
PLAIN = {"names": "snake"}  # which a test of the inputs does not take


def test_tables_are_named_as_in_dbt():
    metrics, options = ASKED
    model = sm.sql(metrics, dialect="postgres", dbt=True, **{**options, "qrels": "raw.qrels"})
    assert "FROM {{ source('raw', 'qrels') }} AS _q" in model
    assert "FROM {{ ref('runs') }} AS _r" in model
    assert sm.sql("FROM judged(qrels, runs)", dialect="duckdb", dbt=True).count("{{ ref('") == 2
    checks = sm.sql(metrics, dialect="postgres", dbt=True, checks=True, **options)
    assert checks.startswith("{{ config(store_failures=true) }}\n")
    assert {"{{ ref('qrels') }}", "{{ ref('runs') }}"} == {
        line.partition("FROM ")[2].partition(" AS")[0]
        for line in checks.splitlines()
        if "{{ ref" in line
    }


@pytest.mark.parametrize("more", [PLAIN, {"checks": True}])
def test_a_model_of_sqlmesh_is_one_statement_without_its_macros(more):
    metrics, options = ASKED
    (query,) = sqlglot.parse(sm.sql(metrics, dialect="postgres", **options, **more), "postgres")
    assert "@" not in query.sql("postgres", comments=False)
    names = ["check_name", "run_id", "query_id", "doc_id", "problem"]
    plain = ["run_id", "query_id", "ndcg_10", "ap", "rr_10"]
    assert query.named_selects == (names if "checks" in more else plain)


def run_dbt(folder, *arguments, **environment):
    done = subprocess.run(
        [Path(sys.executable).with_name("dbt"), *arguments],
        cwd=folder,
        env={**os.environ, "DBT_PROFILES_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture(params=["duckdb", "postgres"])
def target(request):
    """A target, the environment that it needs, and how to ask it."""
    if request.param == "duckdb":
        yield "duckdb", {}, lambda folder: duckdb.connect(folder / "target" / "cookbook.duckdb")
        return
    with engines.start_postgres() as address:
        import psycopg

        host = address.partition("host=")[2].partition(" ")[0]
        yield "postgres", {"PGHOST": host}, lambda _: psycopg.connect(address)


@pytest.fixture
def project(target, tmp_path):
    """The example, with the models and tests that its page writes."""
    folder = tmp_path / "project"
    left_out = shutil.ignore_patterns("target", "logs", "inputs.sql", "scores.sql")
    shutil.copytree(EXAMPLE, folder, ignore=left_out)
    metrics, options = ASKED
    for path, checks in (("models/scores.sql", False), ("tests/inputs.sql", True)):
        more = options if checks else options | PLAIN
        text = sm.sql(metrics, dialect=target[0], dbt=True, checks=checks, **more)
        (folder / path).write_text(text)
    return folder


@pytest.mark.engines
@pytest.mark.xdist_group("dbt")
class TestBuild:
    def test_the_example_builds_with_the_scores_of_evaluate(self, target, project):
        name, environment, connect = target
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 0, said
        examples = ROOT / "examples"
        runs = [examples / "bm25.csv", examples / "neural.csv"]
        expected = sm.evaluate(examples / "qrels.csv", runs, ASKED[0]).per_query.rows()
        schema = "main" if name == "duckdb" else "cookbook"
        rows = connect(project).execute(f"SELECT * FROM {schema}.scores").fetchall()
        for row, right in zip(sorted(rows), expected, strict=True):
            assert row[:2] == right[:2]
            assert row[2:] == pytest.approx(right[2:], abs=engines.EXACT)
        floor = project / "tests" / "ndcg_is_half_or_more.sql"
        floor.write_text(floor.read_text().replace("0.5", "0.6"))
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 1
        assert "FAIL 1 ndcg_is_half_or_more" in said

    def test_a_build_with_wrong_inputs_fails_and_names_their_rows(self, target, project):
        name, environment, connect = target
        seeds, tests = project / "seeds", project / "tests"
        for seed, rows in {
            "bm25": "bread,sourdough,0.1\nnowhere,sourdough,0.1\n",
            "qrels": "bread,sourdough,0\n",
        }.items():
            with (seeds / f"{seed}.csv").open("a") as file:
                file.write(rows)
        log = "page_id,query_id,doc_id,position,clicked,time_to_click,dwell_time,response_time\n"
        log += "p1,bread,sourdough,1,1,1.0,1.0,0.1\np1,curry,dal,2,0,,,0.1\n"
        (seeds / "log.csv").write_text(log)
        (project / "models" / "clicks.sql").write_text(sm.sql("CTR@1", dialect=name, dbt=True))
        of_log = sm.sql("CTR@1", dialect=name, dbt=True, checks=True)
        (tests / "log_inputs.sql").write_text(of_log)
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 1
        assert "SKIP relation" in said  # what would be built from these
        audit = "main_dbt_test__audit" if name == "duckdb" else "cookbook_dbt_test__audit"
        assert f'"{audit}"."inputs"' in said
        con = connect(project)
        found = con.execute(f"SELECT query_id, doc_id, problem FROM {audit}.inputs").fetchall()
        assert sorted(map(str, found)) == sorted(
            map(
                str,
                [
                    (
                        "bread",
                        "sourdough",
                        "document sourdough appears 2 times for query bread in run bm25",
                    ),
                    ("bread", "sourdough", "document sourdough is judged 2 times for query bread"),
                    ("nowhere", None, "query nowhere of run bm25 has no judgments"),
                ],
            )
        )
        mixed = con.execute(f"SELECT page_id, problem FROM {audit}.log_inputs").fetchall()
        assert mixed == [("p1", "page p1 has results of queries bread and curry")]
