"""The dbt package: what is generated is current, and its figures are those of evaluate."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import engines
import polars as pl
import pytest
from conftest import ROOT, name_measures

import sqlmetrics as sm
from sqlmetrics import catalogue, measures

sys.path.insert(0, str(ROOT / "dbt"))
import write_package

EXAMPLE = ROOT / "examples" / "dbt"
# Those that need recursion, or a term for each rank.
WITHOUT = {"alpha_ndcg", "nerr_ia", "nnrbp", "relstring"}


def test_the_package_is_current():
    written = {
        str(path.relative_to(write_package.FOLDER)): path.read_text(encoding="utf-8")
        for path in write_package.FOLDER.rglob("*.*")
    }
    assert written == write_package.write_package(), "run python dbt/write_package.py"


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
        options = "-c search_path=cookbook"
        yield "postgres", {"PGHOST": host}, lambda _: psycopg.connect(address, options=options)


def copy_example(folder):
    project = folder / "project"
    shutil.copytree(
        EXAMPLE, project, ignore=shutil.ignore_patterns("target", "dbt_packages", "logs")
    )
    (project / "packages.yml").write_text(f"packages:\n  - local: {ROOT / 'dbt'}\n")
    status, said = run_dbt(project, "deps")
    assert status == 0, said
    return project


@pytest.mark.engines
class TestBuild:
    def test_the_example_builds_with_the_figures_of_evaluate(self, target, tmp_path):
        name, environment, connect = target
        project = copy_example(tmp_path)
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 0, said
        examples = ROOT / "examples"
        expected = sm.evaluate(
            examples / "qrels.csv",
            [examples / "bm25.csv", examples / "neural.csv"],
            "nDCG@10 AP RR@10",
        ).per_query.rows()
        rows = connect(project).execute("SELECT * FROM scores").fetchall()
        for row, right in zip(sorted(rows), expected, strict=True):
            assert row[:2] == right[:2]
            assert row[2:] == pytest.approx(right[2:], abs=engines.EXACT)

    def test_a_mean_below_the_floor_fails_the_build(self, tmp_path):
        project = copy_example(tmp_path)
        path = project / "models" / "scores.yml"
        path.write_text(path.read_text().replace("floor: 0.5", "floor: 0.6"))
        status, said = run_dbt(project, "build", "--target", "duckdb")
        assert status == 1
        assert "FAIL 1 sqlmetrics_mean_is_at_least" in said

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ("ndcg(gain='cubic')", "gain is one of binary, linear, exponential, not cubic"),
            ("greedy_ranking('t', 0.5)", "greedy_ranking cannot be computed by duckdb"),
        ],
    )
    def test_what_cannot_be_computed_is_said_when_it_is_compiled(self, tmp_path, call, message):
        project = copy_example(tmp_path)
        path = project / "models" / "scores.sql"
        path.write_text(path.read_text().replace("ndcg(k=10)", call))
        status, said = run_dbt(project, "compile", "--target", "duckdb")
        assert status != 0
        assert message in said

    def test_every_metric_has_the_figures_of_evaluate(self, target, tmp_path):
        name, environment, connect = target
        project = copy_example(tmp_path)
        shutil.rmtree(project / "seeds")
        shutil.rmtree(project / "models")
        (project / "models").mkdir()
        tables = engines.make_tables()
        (project / "seeds").mkdir()
        for table, frame in tables.items():
            if "run" in table:
                frame = frame.with_columns(run_id=pl.lit("run"))
            frame.write_csv(project / "seeds" / f"{table}.csv")
        types = {"query_id": "text", "doc_id": "text", "subtopic": "text"}
        text = (project / "dbt_project.yml").read_text()
        (project / "dbt_project.yml").write_text(f"{text}seeds:\n  +column_types: {types}\n")
        wanted = {
            metric.macro: (metric, name_measures(metric)[-1])
            for metric in catalogue.all_metrics()
            if metric.macro not in WITHOUT
        }
        for model, (metric, measure) in wanted.items():
            (project / "models" / f"{model}.sql").write_text(write_model(metric, measure))
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 0, said
        con = connect(project)
        differences = {}
        for model, (_, measure) in wanted.items():
            got = dict(con.execute(f"SELECT * FROM {model}").fetchall())
            expected = engines.expect(measure)
            assert got.keys() == expected.keys(), measure
            assert None not in got.values(), measure
            differences[measure] = max(abs(float(got[query]) - expected[query]) for query in got)
        assert {m: d for m, d in differences.items() if d > engines.EXACT} == {}


def write_model(metric, name):
    (measure,) = measures.parse(name)
    own = [f"{k}={v!r}" for k, v in measure.arguments if k in metric.own_parameters]
    others = {k: v for k, v in measure.arguments if k not in metric.own_parameters}
    relation = write_relation(metric.relation, "grouped_" * metric.is_by_subtopic, others)
    return (
        f"select j.query_id, {{{{ sqlmetrics.{metric.macro}({', '.join(own)}) }}}} as figure\n"
        f"from {{{{ {relation} }}}} as j\ngroup by j.run_id, j.query_id\n"
    )


def write_relation(name, prefix, arguments):
    (statement,) = catalogue.find("relations", name).statements
    inputs = [
        f"ref('{prefix}{each}')"
        if each in ("qrels", "run")
        else write_relation(each, prefix, arguments)
        for each in statement.inputs
    ]
    given = [f"{k}={v!r}" for k, v in arguments.items() if k in statement.parameters]
    return f"sqlmetrics.{name}({', '.join([*inputs, *given])})"
