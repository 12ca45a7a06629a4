"""The likeliest mistakes in a shell: what DuckDB says of each, and what works."""

from __future__ import annotations

import re

import duckdb
import pytest
from conftest import ROOT

import sqlmetrics

PAGE = (ROOT / "docs" / "shell.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| (<code>.*?) \| (.*?) \| (.*?) \|$", PAGE.partition("## Twelve likely")[2], re.M
)
CODE = re.compile(r"<code>(.+?)</code>")
TABLES = {
    "qrels": "'examples/qrels.csv'",
    "run": "'examples/bm25.csv'",
    "['a.csv', 'b.csv']": "['examples/bm25.csv', 'examples/neural.csv']",
}


@pytest.fixture(scope="module")
def con():
    with duckdb.connect() as con:
        sqlmetrics.install(con)
        yield con


def ask(con, code, *, grouped):
    """The rows of what a cell has: an aggregate over j, a relation, or the end of a SELECT."""
    for name, path in TABLES.items():
        code = re.sub(rf"(?<=[(, ]){re.escape(name)}(?=[,)])", path, code)
    if code.startswith(("judged(", "FROM ")):
        return con.execute(f"FROM {code.removeprefix('FROM ')}").fetchall()
    if " FROM " in code:
        return con.execute(f"SELECT {code}").fetchall()
    judged = "judged('examples/qrels.csv', 'examples/bm25.csv') AS j"
    by = "GROUP BY j.query_id" if grouped else ""
    return con.execute(f"SELECT {code} FROM {judged} {by}").fetchall()


def test_there_are_twelve():
    assert len(ROWS) == 12


@pytest.mark.parametrize(("typed", "says", "write"), ROWS)
def test_a_mistake_is_refused_as_the_page_says_and_what_it_says_works(
    con, monkeypatch, typed, says, write
):
    monkeypatch.chdir(ROOT)
    code, *without = CODE.findall(typed)
    is_nested = code.startswith("avg(")
    with pytest.raises(duckdb.Error, match=re.escape(says)):
        ask(con, code, grouped=not without and not is_nested)
    if not code.startswith("judged("):  # whose remedy is the block below the table
        for right in CODE.findall(write):
            if not right.startswith("GROUP BY"):
                assert ask(con, right, grouped=True)


ASKED = re.findall(
    r"^\| (.+?) \| <code>(avg\(.+?)</code> \|$", PAGE.partition("## Is a run better")[0], re.M
)


def test_there_is_a_query_for_the_six_likeliest_metrics():
    assert len(ASKED) == 6


@pytest.mark.parametrize(("metric", "query"), ASKED)
def test_a_metric_of_the_page_is_that_of_evaluate(con, monkeypatch, metric, query):
    monkeypatch.chdir(ROOT)
    name = metric.replace("hit rate", "Success").replace("recall", "R").replace("MRR", "RR")
    scores = sqlmetrics.evaluate("examples/qrels.csv", "examples/bm25.csv", name)
    assert ask(con, query, grouped=False) == [(pytest.approx(scores[name]),)]
