"""Benchmarks compare the same work, and the page shows what was measured."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from conftest import ROOT

import sqlmetrics

sys.path.insert(0, str(ROOT / "benchmarks"))

import compare
import generate
import report
import simulate_coverage
import simulate_statistics


@pytest.mark.thorough
@pytest.mark.parametrize("runs", [1, 2])
def test_every_tool_finds_the_same_means(tmp_path, runs):
    generate.generate(generate.Shape(8, depth=30, judged=10, runs=runs, decimals=1), tmp_path)
    compare.write_text(tmp_path)
    means = {}
    for name in (
        "sqlmetrics",
        "polars, by sorting",
        "polars, by counting",
        "pytrec_eval",
        "ir_measures",
    ):
        command = [sys.executable, *compare.TOOLS[name].list_arguments(tmp_path, "parquet")]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        means[name] = json.loads(printed)
    assert len(means["sqlmetrics"]) == 5
    assert all(0 < mean < 1 for mean in means["sqlmetrics"])
    for found in means.values():
        assert found == pytest.approx(means["sqlmetrics"], rel=0, abs=1e-12)


@pytest.mark.parametrize("shape", generate.SHAPES.values(), ids=generate.SHAPES)
def test_a_shape_judges_a_document_once(shape, tmp_path):
    queries = min(shape.queries, 20)
    small = replace(shape, queries=queries, runs=min(shape.runs, 2))
    generate.generate(small, tmp_path)
    keys = ["query_id", "doc_id"]
    qrels, run = (pl.read_parquet(tmp_path / f"{name}.parquet") for name in ("qrels", "run"))
    assert (qrels.height, qrels.select(keys).n_unique()) == (queries * shape.judged,) * 2
    lists = ["run_id", *keys] if shape.runs > 1 else keys
    assert (run.height, run.select(lists).n_unique()) == (small.runs * queries * shape.depth,) * 2


def test_the_page_shows_what_was_measured():
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert page == report.write_readme(pl.read_csv(compare.RESULTS))


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md", "docs/large-runs.md"])
def test_the_memory_of_a_billion_rows_is_what_was_measured(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    rows = pl.read_csv(compare.RESULTS).filter(shape="huge", tool="sqlmetrics")
    (measured,) = rows["gigabytes"]
    said = re.findall(r"(?:billion rows\S* take|10 亿行只用) (\S+) GB", text)
    assert said == [f"{measured:.1f}"]


COVERAGE = pl.read_csv(simulate_coverage.RESULTS, schema_overrides={"column": pl.String})


def find_simulated(table, row, column):
    (found,) = COVERAGE.filter(table=table, row=row, column=column).rows(named=True)
    return found["contained"], found["none"]


def test_every_simulation_has_a_table_on_a_page():
    assert COVERAGE["table"].unique(maintain_order=True).to_list() == [*simulate_coverage.TABLES]
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    for table in simulate_coverage.TABLES:
        assert f"<!-- coverage-{table}: written by" in pages


@pytest.mark.parametrize("pages", [3, 5])
def test_the_coverage_of_preferences_is_what_the_page_says(pages):
    for row, column, *found in simulate_coverage.cover_preferences(pages, 1):
        assert found == pytest.approx(find_simulated("interleaving", row, column), abs=1e-4), row


@pytest.mark.few(1)
@pytest.mark.parametrize("table", simulate_coverage.TABLES)
def test_every_simulation_runs(table):
    simulate = simulate_coverage.TABLES[table][1][0]
    found = [(row, column) for row, column, *_ in simulate(2)]
    assert found == COVERAGE.filter(table=table).select("row", "column").rows()[: len(found)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("table", "simulate"),
    [
        ("experiments", lambda n: simulate_coverage.cover_differences("equal", 25, n)),
        ("experiments", lambda n: simulate_coverage.cover_differences("9 to 1", 10, n)),
        ("estimates", lambda n: simulate_coverage.cover_means(50, 5, n)),
        ("estimates", lambda n: simulate_coverage.cover_means(50, 20, n)),
        ("agreement", lambda n: simulate_coverage.cover_agreement(6, n)),
    ],
)
def test_simulated_again_intervals_contain_the_true_value_as_often(table, simulate):
    """Within chance: the draws are others, since there are fewer."""
    number = 300
    for row, column, contained, none in simulate(number):
        expected = find_simulated(table, row, column)
        for got, share in zip((contained, none), expected, strict=True):
            error = math.sqrt(max(share * (1 - share), 0.01) / (number * (1.01 - expected[1])))
            assert got == pytest.approx(share, abs=5 * error, nan_ok=True), (row, column)


@pytest.mark.thorough
def test_intervals_and_gates_keep_the_promises_of_their_pages():
    """A few cells of the tables, drawn again with another seed."""
    random = np.random.default_rng(5)
    names = ["0 or 1, mean 0.2", "skewed, mean 0.17", "mean 0.92"]
    means = {name: simulate_statistics.MEANS[name] for name in names}
    for name, (draw, truth) in means.items():
        for n in (5, 25):
            scores = simulate_statistics.write_scores(draw(random, (400, n)))
            floors = dict.fromkeys(scores["metric"].unique(), 0.0)
            found = sqlmetrics.gate(scores, "new", baseline="old", fail_under=floors, alpha=0.025)
            ends = found.checks.select("low", "high").rows()
            assert np.mean([low - 1e-9 <= truth <= high + 1e-9 for low, high in ends]) > 0.92, name
            assert all(-1e-9 <= low <= high <= 1 + 1e-9 for low, high in ends)
    margin = simulate_statistics.MARGIN
    lost = simulate_statistics.LOSSES["normal"](random, (600, 25)) - margin
    statuses = simulate_statistics.check_gate(lost, 0.0, margin)["status"].to_list()
    assert 0.02 < statuses.count("passed") / 600 < 0.09
    assert 0.02 < statuses.count("failed") / 600 < 0.09
