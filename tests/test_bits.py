"""Scores are the same to the last digit, whatever the row order and threads."""

from __future__ import annotations

import random
from functools import partial

import duckdb
import polars as pl
import pytest
from conftest import name_measures

import sqlmetrics as sm
from sqlmetrics import catalogue

EXPECTED = {name.removeprefix("expected_") for name in catalogue.files()["expected"]}
METRICS = catalogue.all_metrics("runs")
JUDGED = [m for m in METRICS if not m.is_by_subtopic]


def make_collection(number=100):
    """Judgments, the same by subtopic, and a run with ties; few grades are whole numbers."""
    pick = random.Random(number)
    judged, run = [], []
    for query in range(number):
        levels = pick.choice((5, 1000))
        for doc in range(45):
            ids = [f"q{query}", f"d{doc}"]
            if doc < 40:
                run.append([*ids, pick.randrange(levels) / 7])
            if pick.random() < 0.7:
                judged.append([*ids, pick.choice((-1.0, 0.0, 0.0, 1.0, 1.1, 2.3, 2.7))])
    qrels = pl.DataFrame(judged, ["query_id", "doc_id", "relevance"], orient="row")
    retrieved = pl.DataFrame(run, ["query_id", "doc_id", "score"], orient="row")
    subtopics = pl.concat(
        qrels.filter(pl.int_range(pl.len()) % n > 0).with_columns(subtopic=pl.lit(f"s{n}"))
        for n in (2, 3, 5)
    )
    return qrels, subtopics, retrieved


QRELS, SUBTOPICS, RUN = make_collection()


def ask(measures, qrels, *, seed, **options):
    """The scores over shuffled rows; another seed is another order and number of threads."""
    shuffled = (frame.sample(fraction=1, shuffle=True, seed=seed) for frame in (qrels, RUN))
    with duckdb.connect(config={"threads": seed % 4 + 1}) as con:
        return sm.evaluate(*shuffled, measures, con=con, **options)


def name_first(metrics):
    return [name_measures(metric)[0] for metric in metrics]


LARGE = {1: 1e5 / 3, 1.1: 1e9 / 3, 2.3: 1e25 / 3, 2.7: 1e29 / 3}
CASES = {
    "all": (name_first(JUDGED), QRELS, {}),
    "subtopics": (name_first(m for m in METRICS if m.is_by_subtopic), SUBTOPICS, {}),
    "expected": (
        name_first(m for m in JUDGED if m.macro in EXPECTED),
        QRELS,
        {"ties": "expected"},
    ),
    "pooled": (
        name_first(m for m in JUDGED if "pooled" in m.file.header.get("aggregate", "")),
        QRELS,
        {"aggregate": "pooled"},
    ),
    "large gains": (
        [f"{name}(gains={LARGE})" for name in ("DCG", "nDCG", "RnDCG", "nDCG_rel", "PPlus")],
        QRELS,
        {},
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES)
def test_scores_are_the_same_whatever_the_order_of_rows_the_threads_and_the_plan(case):
    measures, qrels, options = CASES[case]
    first, *others = (ask(measures, qrels, seed=seed, **options) for seed in range(4))
    for other in others:
        for had, has in ((first.per_query, other.per_query), (first.mean, other.mean)):
            assert [name for name in had.columns if not had[name].equals(has[name])] == []
            assert had.height == has.height > 0


@pytest.mark.few(1)
@pytest.mark.parametrize("case", ["all", "subtopics"])
def test_scores_of_a_query_are_the_same_whatever_other_queries_there_are(case):
    measures, qrels, _ = CASES[case]
    some = pl.col("query_id").str.ends_with("3")
    whole = ask(measures, qrels, seed=0).per_query.filter(some)
    alone = ask(measures, qrels.filter(some), seed=0).per_query
    assert [name for name in whole.columns if not whole[name].equals(alone[name])] == []


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "curve",
    [
        partial(sm.precision_recall_curve, interpolated=True, averaged=True),
        partial(sm.precision_recall_table, averaged=True),
    ],
)
def test_curves_are_the_same_whatever_the_order_of_rows(curve):
    shuffled = (
        [f.sample(fraction=1, shuffle=True, seed=s) for f in (QRELS, RUN)] for s in range(4)
    )
    first, *others = (curve(qrels, run) for qrels, run in shuffled)
    assert all(first.equals(other) for other in others)
