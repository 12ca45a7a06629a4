"""On random data, Accuracy and Compat agree with ir_measures, or with our value if it has none.

Hundreds of seeds make small collections with graded and negative relevance, unjudged documents,
queries without answer or without relevant documents, and lists shorter than the cut-off. Scores are
above 0 and not tied: its providers break ties in different ways. Compat is that of its authors, too.
"""

from __future__ import annotations

import random
from functools import cache

import ir_measures
import polars as pl
import pytest
from conftest import make_qrels, make_run
from ir_measures.providers.compat_provider import rbo

import sqlmetrics

SEEDS = 400
ACCURACY = [f"Accuracy(rel={rel}){at}" for rel in (1, 2) for at in ("", "@1", "@3", "@10")]
COMPAT = [f"Compat(p={p}, normalize={n})" for p in (0.5, 0.8, 0.95, 0.999) for n in (True, False)]


@cache
def make_collection():
    """Judgments and a run. Each seed is two queries of its own kind."""
    qrels, run = [], []
    for seed in range(SEEDS):
        chance = random.Random(seed)
        pool = [f"{chance.choice('abcXYZ019é')}{n}" for n in range(chance.choice([2, 5, 20, 60]))]
        highest = chance.choice([1, 2, 4])
        for query in (f"{seed}.1", f"{seed}.2"):
            for doc in chance.sample(pool, chance.randint(1, len(pool))):
                grade = 0 if chance.random() < 0.4 else chance.randint(-1, highest)
                qrels.append((query, doc, float(grade)))
            if chance.random() < 0.9:
                docs = chance.sample(pool, chance.randint(1, len(pool)))
                scores = chance.sample(range(1, 2000), len(docs))
                run += [(query, doc, score / 8) for doc, score in zip(docs, scores, strict=True)]
    return make_qrels(qrels), make_run(run)


def ask_ir_measures(qrels: pl.DataFrame, run: pl.DataFrame, name: str) -> dict[str, float | None]:
    """The value of each answered query; None where there is nothing to divide by."""
    judged = qrels.partition_by("query_id", as_dict=True)
    values: dict[str, float | None] = {}
    for (query,), ranking in run.partition_by("query_id", as_dict=True).items():
        calculated = ir_measures.iter_calc(
            [ir_measures.parse_measure(name)],
            [ir_measures.Qrel(q, d, int(grade)) for q, d, grade in judged[query,].iter_rows()],
            [ir_measures.ScoredDoc(*row) for row in ranking.iter_rows()],
        )
        try:
            values |= {value.query_id: value.value for value in calculated}
        except ZeroDivisionError:
            values[query] = None
    return values


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [*ACCURACY, *COMPAT])
def test_agrees_with_ir_measures_per_query(name):
    qrels, run = make_collection()
    scores = sqlmetrics.evaluate(qrels, run, name, preset="ir_measures").per_query
    theirs = ask_ir_measures(qrels, run, name)
    compared = 0
    for _, query, ours in scores.iter_rows():
        # no value: nothing relevant was found; nothing to divide by: nothing else was
        value = theirs.get(query, 0.0)
        compared += query in theirs and value is not None
        assert ours == pytest.approx(1.0 if value is None else value, rel=0, abs=1e-12), query
    assert compared > 100 or name.endswith("@1")
    if name in COMPAT:
        assert compared == run["query_id"].n_unique()


def compare_as_authors(grades: dict[str, float], found: dict[str, float], p: float) -> float:
    """Compat as its authors have it: overlap over 1000 ranks, however short the rankings are.

    The sum is theirs, as ir_measures has taken it over.
    """
    ranking = sorted(found, key=lambda doc: -found[doc])
    places = {doc: place for place, doc in enumerate(ranking)}
    ideal = sorted(
        (doc for doc in grades if grades[doc] > 0),
        key=lambda doc: (-grades[doc], places.get(doc, len(places))),
    )
    best = rbo(ideal, ideal, p, 1000)
    return rbo(ranking, ideal, p, 1000) / best if best else 0.0


@pytest.mark.few(1)
@pytest.mark.parametrize("p", [0.5, 0.95, 0.999])
def test_compat_is_that_of_its_authors(p):
    qrels, run = make_collection()
    queries = run["query_id"].unique(maintain_order=True).to_list()[:120]
    scores = sqlmetrics.evaluate(qrels, run, f"Compat(p={p})").per_query
    ours = dict(scores.select("query_id", scores.columns[-1]).iter_rows())
    for query in queries:
        grades, found = (
            dict(frame.filter(query_id=query).select(frame.columns[1:3]).iter_rows())
            for frame in (qrels, run)
        )
        expected = compare_as_authors(grades, found, p)
        assert ours[query] == pytest.approx(expected, rel=0, abs=1e-12), query
