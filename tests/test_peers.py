"""On random data every metric agrees with the tools that its header says it agrees with.

Hundreds of seeds make small collections with ties, graded and negative relevance, unjudged
documents, queries without answer, without relevant documents or without judgments, and lists
shorter than the cut-off. All go through one call, as queries of one collection.
"""

from __future__ import annotations

import contextlib
import random
import shutil

import ir_measures
import polars as pl
import pytest
import pytrec_eval
from conftest import make_qrels, make_run

import sqlmetrics
from sqlmetrics import catalogue, measures

SEEDS = 400
QUERIES = 8
CUTOFFS = (1, 2, 3, 5, 10, 30, 1000)
METRICS = catalogue.all_metrics()


def make_collection(*, lowest=-1, scores="tied", seeds=SEEDS):
    """Judgments and a run. Each seed is a collection of its own kind."""
    qrels, run = [], []
    for seed in range(seeds):
        chance = random.Random(seed)
        pool = [f"{chance.choice('abcXYZ019é')}{n}" for n in range(chance.choice([2, 5, 20, 60]))]
        highest = chance.choice([1, 2, 4])
        levels = chance.choice([1, 2, 5, 1000])
        for query in range(QUERIES):
            query_id = str(seed * QUERIES + query)
            if chance.random() < 0.9:
                for doc in chance.sample(pool, chance.randint(1, len(pool))):
                    grade = 0 if chance.random() < 0.4 else chance.randint(lowest, highest)
                    qrels.append((query_id, doc, float(grade)))
            if chance.random() < 0.9:
                for doc in chance.sample(pool, chance.randint(1, len(pool))):
                    score = chance.randint(-levels, levels) / 8
                    if scores == "close":  # apart as 64-bit floats, mostly tied as 32-bit ones
                        score = 1 + chance.randint(0, levels) * 1e-8
                    run.append((query_id, doc, score))
    return make_qrels(qrels), make_run(run)


def to_dicts(frame, number):
    found = {}
    for query, doc, value in frame.iter_rows():
        found.setdefault(query, {})[doc] = number(value)
    return found


def list_agreeing(tool):
    return [m for m in METRICS if tool in m.file.header.get("agrees", "").split(", ")]


def list_spellings(names, mark, cutoffs):
    """Each name, with every cut-off where it takes one: ``P_k`` as ``P_1``, ``P_2``, …"""
    for name in names:
        stem = name.removesuffix(f"{mark}k")
        yield from [name] if stem == name else [f"{stem}{mark}{k}" for k in cutoffs]


def assert_close(got, expected, tolerance=1e-12):
    # not "> tolerance", which NaN would pass
    apart = [pair for pair in expected if not abs(got[pair] - expected[pair]) <= tolerance]
    assert not apart, [(pair, got[pair], expected[pair]) for pair in apart[:5]]


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("scores", ["tied", "close"])
def test_agrees_with_trec_eval_per_query(scores, rel):
    names = [
        n for m in list_agreeing("trec_eval") for n in list_spellings(m.trec_names, "_", CUTOFFS)
    ]
    parsed = {name: measures.parse(name)[0] for name in names}
    with_rel = {
        name: measures.Measure(m.metric, (*m.arguments, ("rel", rel)))
        if rel != 1 and "rel" in m.metric.parameters
        else m
        for name, m in parsed.items()
    }
    qrels, run = make_collection(scores=scores)
    ours = sqlmetrics.evaluate(
        qrels, run, [m.name for m in with_rel.values()], score_type="float32"
    )
    asked = {n.replace("_", ".", 1) if n.startswith("P_") else n for n in names}
    evaluator = pytrec_eval.RelevanceEvaluator(to_dicts(qrels, int), asked, relevance_level=rel)
    theirs = evaluator.evaluate(to_dicts(run, float))

    got, expected = {}, {}
    for row in ours.per_query.iter_rows(named=True):
        for name, measure in with_rel.items():
            got[row["query_id"], name] = row[measure.name]
            if row["query_id"] in theirs:
                expected[row["query_id"], name] = theirs[row["query_id"]][name]
            elif measure.metric.macro != "num_rel":  # a query without answer scores 0 otherwise
                expected[row["query_id"], name] = 0
    assert len(expected) > 1000 * len(names)
    assert_close(got, expected)


def find_in_ir_measures(names):
    """The measures of ir_measures by our names; those that none of its providers computes are out."""
    found = {}
    for name in names:
        with contextlib.suppress(NameError, AssertionError):  # unknown names, missing parameters
            measure = ir_measures.parse_measure(name)
            if not ir_measures.DefaultPipeline.supports(measure):
                measure = measure(rel=1)
            if ir_measures.DefaultPipeline.supports(measure):
                found[name] = measure
    return found


@pytest.mark.parametrize("metric", list_agreeing("ir_measures"), ids=lambda metric: metric.macro)
def test_agrees_with_ir_measures_per_query(metric):
    by_script = metric.macro == "err"
    if by_script and not shutil.which("perl"):
        pytest.skip("ir_measures computes it by a script in Perl")
    cutoffs = (1, 3, 10) if by_script else CUTOFFS
    wanted = find_in_ir_measures(list_spellings(metric.names, "@", cutoffs))
    assert wanted
    qrels, run = make_collection(lowest=0)
    # its providers break ties in different ways, so there are none: scores are ranks from below
    rank = pl.struct("score", "doc_id").rank("ordinal").over("query_id")
    run = run.with_columns(score=rank.cast(float)).sort(
        "query_id", "score", descending=[False, True]
    )
    ours = sqlmetrics.evaluate(qrels, run, wanted)
    theirs = ir_measures.iter_calc(
        list(wanted.values()),
        [ir_measures.Qrel(query, doc, int(grade), "0") for query, doc, grade in qrels.iter_rows()],
        [ir_measures.ScoredDoc(*row) for row in run.iter_rows()],
    )
    expected = {(value.query_id, value.measure): value.value for value in theirs}
    got = {
        (row["query_id"], measure): row[name]
        for row in ours.per_query.iter_rows(named=True)
        for name, measure in wanted.items()
    }
    if metric.macro == "num_rel":  # where it says 0 of a query without answer
        expected = {pair: n for pair, n in expected.items() if pair[0] in set(run["query_id"])}
    assert len(expected) > 1000 * len(wanted)
    assert_close(got, expected, tolerance=5.001e-6 if by_script else 1e-12)
