"""The views of docs/logs.md make logs of made-up events in the schemas of other products."""

from __future__ import annotations

import re
import subprocess

import pytest
import sqlglot
from conftest import ROOT, open_shell
from test_docs import build

import sqlmetrics as sm

PAGE = build.read_blocks((ROOT / "docs" / "logs.md").read_text(encoding="utf-8"))
VIEWS = {
    re.match(r"CREATE VIEW (\w+)", block.code)[1]: block.code.split(";\n")[0]
    for block in PAGE
    if block.kind == "sql"
}
FILES = [block.code for block in PAGE if block.code.startswith("cat > ")]


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A shell with the macros and the views, in a folder with the data of the page."""
    monkeypatch.chdir(tmp_path)
    for each in FILES:
        subprocess.run(["bash", "-c", each], check=True)
    con = open_shell()
    for view in VIEWS.values():
        con.execute(view.replace("CREATE VIEW", "CREATE OR REPLACE TEMP VIEW"))
    return con


# By hand, of the events on the page: page, query, document, position, clicked, seconds and user
LOGS = {
    "ubi_log": [
        ("s1", "bread", "sourdough", 1, 0, None, "u1"),
        ("s1", "bread", "focaccia", 2, 1, 8, "u1"),  # clicked twice, and put into the cart
        ("s1", "bread", "rye", 3, 0, None, "u1"),
        ("s2", "bread", "sourdough", 1, 0, None, "u2"),
        ("s2", "bread", "focaccia", 2, 0, None, "u2"),
        ("s2", "bread", "rye", 3, 0, None, "u2"),
        ("s3", "cury", None, None, None, None, "u2"),
    ],
    "ga4_log": [
        ("u1 1790856000000000", "bread", "sourdough", 1, 0, None, "u1"),
        ("u1 1790856000000000", "bread", "focaccia", 2, 1, 9, "u1"),
        ("u1 1790856060000000", "focaccia", "focaccia", 1, 0, None, "u1"),  # after the click
        ("u2 1790856120000000", "cury", None, None, None, None, "u2"),
    ],
    "snowplow_log": [
        ("w1", "rye bread", "sourdough", 1, 0, None, "u1"),
        ("w1", "rye bread", "rye", 2, 1, 7.5, "u1"),
        ("w3", "cury", None, None, None, None, "u2"),
    ],
}


@pytest.mark.parametrize("name", LOGS)
def test_a_view_makes_the_log_of_the_events(shell, name):
    columns = "page_id, query_id, doc_id, position, clicked, time_to_click, user_id"
    query = f"SELECT {columns} FROM {name} ORDER BY page_id, position"
    assert shell.execute(query).fetchall() == LOGS[name]


# One click on the second of two documents that were seen: for sdbn, with one page of each kind more,
# the first is (0 + 1) / (1 + 2) · 1 / 2, and the second (1 + 1) / (1 + 2), twice
SDBN = [("first", 1 / 6), ("second", 4 / 9)]


@pytest.mark.parametrize(
    ("name", "query", "documents"),
    [
        ("ubi_log", "bread", ("sourdough", "focaccia")),
        ("ga4_log", "bread", ("sourdough", "focaccia")),
        ("snowplow_log", "rye bread", ("sourdough", "rye")),
    ],
)
def test_a_log_is_scored_and_judged(shell, name, query, documents):
    pages = len({row[0] for row in LOGS[name]})
    log = shell.table(name).pl()
    scores = sm.evaluate(log=log, metrics="Pages ClickSuccess ZeroResults ClickRank").mean
    assert scores.row(0) == pytest.approx((pages, 1 / pages, 1 / pages, 2))
    rows = shell.execute(f"SELECT doc_id, relevance FROM judge({name}, model := 'sdbn')").fetchall()
    expected = {doc: value for doc, (_, value) in zip(documents, SDBN, strict=True)}
    assert dict(rows) == pytest.approx(expected)
    assert {*sm.judge(log, model="sdbn")["query_id"]} == {query}
    assert sm.check(log=log).filter(severity="error").is_empty()


def test_interleaved_events_are_credited_to_their_configurations(shell):
    query = (
        "SELECT page_id, doc_id, team, clicked FROM interleaved_pages ORDER BY page_id, position"
    )
    assert shell.execute(query).fetchall() == [
        ("s1", "sourdough", "a", 0),
        ("s1", "focaccia", "b", 1),
        ("s2", "green-curry", "b", 0),
        ("s2", "naan", "a", 0),
    ]
    found = sm.interleaving(shell.table("interleaved_pages").pl()).row(0, named=True)
    assert (found["method"], found["wins"], found["ties"], found["losses"]) == ("team", 1, 1, 0)


def test_the_view_of_google_analytics_is_one_of_bigquery(shell):
    """With the names that the page says, it is parsed, and means the same."""
    view = VIEWS["ga4_log"].replace("read_json('ga4.jsonl')", "`project.analytics_1.events_*`")
    view, number = re.subn(r"unnest\(([\w.]+)\) AS _\((\w)\)", r"UNNEST(\1) AS \2", view)
    assert number == 3
    (tree,) = sqlglot.parse(view, read="bigquery")
    assert isinstance(tree, sqlglot.exp.Create)
    called = {each.sql_name() for each in tree.find_all(sqlglot.exp.Func)}
    assert called <= {"CONCAT", "CAST", "COUNT", "MIN", "ROW_NUMBER", "UNNEST", "CASE", "IF", "AND"}
