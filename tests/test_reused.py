"""Calls on one connection use names of frames and prepared statements again, and nothing else."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import duckdb
import polars as pl
import pytest
from conftest import make_qrels, make_run

import sqlmetrics as sm
from sqlmetrics.engine import connections
from sqlmetrics.inputs import reused
from sqlmetrics.inputs.streams import Stream

pytestmark = pytest.mark.skipif(
    duckdb.__version__.startswith("1."), reason="its prepared statements are slow to read"
)

QRELS = {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}}
RUN = {"q1": {"a": 2.0, "x": 1.0, "b": 0.5}, "q2": {"y": 2.0, "c": 1.0}}


@pytest.fixture(autouse=True)
def new_connection(monkeypatch):
    monkeypatch.setattr(connections, "_idle", [])


def list_kept():
    (own,) = connections._idle
    return own.con.execute(
        "SELECT name, statement FROM duckdb_prepared_statements() ORDER BY name"
    ).fetchall(), own.con.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
    ).fetchall()


def test_a_third_call_prepares_nothing_and_registers_nothing():
    judgments = sm.Judgments(QRELS)
    for _ in range(2):
        sm.evaluate(judgments, RUN, "AP nDCG")
    before = list_kept()
    assert all(before)
    other = {"q1": {"b": 2.0}}
    found = sm.evaluate(judgments, other, "AP nDCG").per_query
    assert list_kept() == before
    assert found["AP"].to_list() == [1 / 2, 0]


def test_scores_are_those_of_a_new_connection_whatever_was_scored_before():
    qrels = make_qrels((q, d, rel) for q, each in QRELS.items() for d, rel in each.items())
    run = make_run((q, d, score) for q, each in RUN.items() for d, score in each.items())
    runs = [
        run,
        run.head(2),
        run.reverse(),
        pl.concat([run, run.tail(1).with_columns(doc_id=pl.lit("z"))]),
    ]
    calls = [
        (each, metrics, options)
        for each in runs
        for metrics in ("AP RR", "RR AP", "nDCG@2", "alpha_nDCG@2")
        for options in ({}, {"ties": "best"}, {"ties": "expected"}, {"queries": "answered"})
        if not (metrics == "alpha_nDCG@2" and options.get("ties") == "expected")
    ]
    calls = calls[::4]  # each run, with other metrics and options
    found = [sm.evaluate(qrels, each, metrics, **options) for each, metrics, options in calls]
    for (each, metrics, options), scores in zip(calls, found, strict=True):
        connections._idle.clear()
        alone = sm.evaluate(qrels, each, metrics, **options)
        assert alone.per_query.equals(scores.per_query)
        assert alone.mean.equals(scores.mean)


def test_a_sum_that_needs_any_gain_does_not_change_what_others_get():
    judgments = sm.Judgments({"q": {"a": 60, "b": 1}})
    run = {"q": {"b": 2.0, "a": 1.0}}
    for _ in range(2):
        assert sm.evaluate(judgments, run, "DCG(gain=exponential)")["DCG(gain=exponential)"] > 2**59
        assert sm.evaluate({"q": {"a": 1}}, run, "DCG(gain=exponential)").mean.item(0, 1) > 0.6


def test_a_metric_that_was_changed_gives_its_new_scores(tmp_path):
    path = tmp_path / "mine.sql"
    text = "-- Mine.\n-- name: Mine\n-- relation: judged(rel)\nCREATE OR REPLACE MACRO mine(j) AS {};\n"
    try:
        for number in (1, 2, 1):
            path.write_text(text.format(f"sum({number}e0 * j.relevance) / {number}e0 * {number}"))
            sm.add(path)
            scores = sm.evaluate(QRELS, RUN, "Mine").per_query["Mine"]
            assert scores.to_list() == [3 * number, number]
            sm.remove("mine")
    finally:
        if "Mine" in sm.metrics()["name"]:
            sm.remove("mine")


@pytest.mark.parametrize(
    "values",
    [
        [0.1, -0.0, 5e-324, 1.7976931348623157e308, 2 / 3, 1e22, None],
        [1.0, float("nan"), float("inf"), float("-inf")],
        [0, 2**63 - 1, -(2**63), None],
        ["", "it's", '"a" \\ b', "\u0001\n\t", "ü\N{GRINNING FACE}", "$1", "NaN", None],
        pl.Series([0, 2**32 - 1, None], dtype=pl.UInt32),
        pl.Series([True, None]),
        pl.Series([], dtype=pl.String),
    ],
)
def test_statements_read_the_same_rows_whether_they_are_prepared_or_not(values):
    frame = pl.DataFrame({"a value": values, "number": range(len(values))})
    for _ in range(4):
        with connections.open_reader() as reader:
            found = reader.run(f"FROM {reader.register(frame)} ORDER BY number", "numbered")
        assert found.schema == frame.schema
        # equality does not see the sign of 0
        assert list(map(repr, found.rows())) == list(map(repr, frame.rows()))


def test_frames_are_not_kept():
    run = make_run([("q1", "a", 1.0)])
    seen = []
    take = reused.Reused.take

    def watch(self, frame):
        named = take(self, frame)
        seen.append(named.stream)
        return named

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reused.Reused, "take", watch)
        sm.evaluate(QRELS, run, "AP")
    assert len(seen) >= 4
    assert all(isinstance(stream, Stream) and stream.frame.is_empty() for stream in seen)
    last = weakref.ref(run)
    del run
    gc.collect()
    assert last() is None


def test_names_and_statements_are_bounded(monkeypatch):
    monkeypatch.setattr(reused, "_MOST", 6)
    for k in range(1, 12):
        score = sm.evaluate(QRELS, RUN, f"P@{k}")[f"P@{k}"]
        assert score == pytest.approx((sum((k >= 1, k >= 3)) + (k >= 2)) / k / 2, abs=1e-15)
        statements, views = list_kept()
        assert len(statements) <= 6
        assert len(views) <= 6


def test_threads_have_connections_of_their_own():
    judgments = sm.Judgments(QRELS)
    wanted = [
        sm.evaluate(judgments, {"q1": {"a": s, "b": 1.0}}, "nDCG")["nDCG"] for s in (0.5, 2.0)
    ]
    assert wanted[0] != wanted[1]

    def score(number):
        return sm.evaluate(judgments, {"q1": {"a": (0.5, 2.0)[number % 2], "b": 1.0}}, "nDCG")[
            "nDCG"
        ]

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(score, range(24))) == wanted * 12
    assert len(connections._idle) <= connections._MOST_IDLE
