"""Metrics over subtopics agree with pyndeval, ir_measures and trec_eval, and with exact arithmetic.

Seeds make small collections with up to 25 subtopics, graded and negative relevance, ties, unjudged
documents, queries without answer, without relevant documents or without judgments. pyndeval takes
cut-offs up to 20, and compares gains as floats, so that of some alphas the gains of two documents
differ by their last digit where they are the same. A reference with fractions goes further.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from fractions import Fraction

import ir_measures
import polars as pl
import pyndeval
import pytest
from conftest import make_run

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import parsing

SEEDS = 300
QUERIES = 3
CUTOFFS = (1, 2, 3, 5, 10, 20)
METRICS = [m for m in catalogue.all_metrics("runs") if "pyndeval" in m.tools]


def make_subtopic_qrels(rows):
    schema = {"query_id": pl.String, "subtopic": pl.String, "doc_id": pl.String}
    return pl.DataFrame(rows, {**schema, "relevance": pl.Float64}, orient="row")


def make_collection(*, seeds=SEEDS, most_documents=60, most_subtopics=25, ties=True):
    """Judgments by subtopic and a run. Each seed is a collection of its own kind."""
    qrels, run = [], []
    for seed in range(seeds):
        chance = random.Random(seed)
        size = chance.choice([n for n in (2, 5, 20, 60, 120) if n <= most_documents])
        pool = [f"{chance.choice('abcXYZ019é')}{n}" for n in range(size)]
        subtopics = chance.choice([n for n in (1, 2, 3, 5, 10, 25, 60) if n <= most_subtopics])
        density, highest = chance.choice([0.05, 0.2, 0.5]), chance.choice([1, 2, 4])
        levels = chance.choice([1, 2, 5, 1000])
        for query in range(QUERIES):
            query_id = str(seed * QUERIES + query)
            if chance.random() < 0.9:
                for doc in chance.sample(pool, chance.randint(1, size)):
                    for number in chance.sample(range(subtopics), chance.randint(1, subtopics)):
                        is_relevant = chance.random() < density
                        grade = (
                            chance.randint(1, highest) if is_relevant else chance.choice([0, -1])
                        )
                        qrels.append((query_id, f"s{number}", doc, float(grade)))
            if chance.random() < 0.9:
                for place, doc in enumerate(chance.sample(pool, chance.randint(1, size))):
                    score = chance.randint(-levels, levels) / 8 if ties else -float(place)
                    run.append((query_id, doc, score))
    return make_subtopic_qrels(qrels), make_run(run)


def list_names(metric, *, rel=1, **parameters):
    """pyndeval's names of a metric, and ours with the parameters that it has of these."""
    (spelling,) = metric.tools["pyndeval"]
    given = {k: v for k, v in {"rel": rel, **parameters}.items() if k in metric.parameters}
    arguments = ", ".join(f"{key}={value}" for key, value in given.items())
    stem, at, _ = spelling.text.partition("@")
    for k in CUTOFFS if at else [None]:
        theirs = f"{stem}@{k}" if at else stem
        ours = f"{metric.names[0].partition('@')[0]}({arguments})" + (f"@{k}" if at else "")
        (parsed,) = parsing.parse(ours)
        assert parsed.metric == parsing.parse(theirs)[0].metric
        yield theirs, parsed.name


def count_subtopics(qrels, rel):
    """How many subtopics of each query have something relevant."""
    counts = defaultdict(set)
    for query_id, subtopic, _, relevance in qrels.iter_rows():
        if relevance >= rel:
            counts[query_id].add(subtopic)
    return {query_id: len(subtopics) for query_id, subtopics in counts.items()}


def assert_close(got, expected, tolerance=1e-12):
    # not "> tolerance", which NaN would pass
    apart = [pair for pair in expected if not abs(got[pair] - expected[pair]) <= tolerance]
    assert not apart, [(pair, got[pair], expected[pair]) for pair in apart[:5]]


def take_scores(scores, names):
    return {
        (row["query_id"], theirs): row[ours]
        for row in scores.per_query.iter_rows(named=True)
        for theirs, ours in names.items()
    }


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("alpha", "beta", "rel"), [(0.5, 0.5, 1), (0.25, 0.75, 2), (1, 1, 1), (0, 0.2, 1)]
)
@pytest.mark.parametrize("options", [{}, {"depth": 3}, {"judged_only": True}], ids=str)
def test_agrees_with_pyndeval_per_query(options, alpha, beta, rel):
    names = dict(pair for m in METRICS for pair in list_names(m, rel=rel, alpha=alpha, beta=beta))
    qrels, run = make_collection(seeds=SEEDS if not options else 60)
    ours = sqlmetrics.evaluate(qrels, run, names.values(), ties="ascending", **options)
    if options.get("judged_only"):
        judged = qrels.filter(pl.col("relevance") >= 0)
        run = run.join(judged, on=["query_id", "doc_id"], how="semi", maintain_order="left")
    if depth := options.get("depth"):
        run = run.sort("query_id", "score", "doc_id", descending=[False, True, False])
        run = run.group_by("query_id", maintain_order=True).head(depth)
    theirs = pyndeval.RelevanceEvaluator(
        [(query, subtopic, doc, int(grade)) for query, subtopic, doc, grade in qrels.iter_rows()],
        list(names),
        relevance_level=rel,
        alpha=alpha,
        beta=beta,
    ).evaluate(run.iter_rows())

    subtopics = count_subtopics(qrels, rel)
    expected = {}
    for query_id in qrels["query_id"].unique():
        for name in names:
            value = theirs.get(query_id, {}).get(name, 0)  # a query without answer scores 0
            if name in ("ERR-IA@1", "alpha-DCG@1"):  # which it does not divide
                value /= subtopics.get(query_id, 1)
            expected[query_id, name] = 0 if math.isnan(value) else value
    assert len(expected) > 100 * len(names)
    assert_close(take_scores(ours, names), expected)


@pytest.mark.thorough
def test_agrees_with_ir_measures_per_query():
    # one alpha in a call, as it gives 0 for a second one; the other metrics take none
    names = {}
    for metric in METRICS:
        for spelling in metric.tools["ir_measures"]:
            if not spelling.arguments:
                for k in CUTOFFS[1:] if spelling.slots else [None]:
                    name = spelling.text.format(k=k)
                    names[ir_measures.parse_measure(name)] = parsing.parse(name)[0].name
    assert len(names) > len(METRICS)
    qrels, run = make_collection(seeds=100, ties=False)
    run = run.sort("query_id", "score", descending=[False, True])
    ours = sqlmetrics.evaluate(qrels, run, [*names])
    records = [
        ir_measures.Qrel(query, doc, int(grade), subtopic)
        for query, subtopic, doc, grade in qrels.iter_rows()
    ]
    documents = [ir_measures.ScoredDoc(*row) for row in run.iter_rows()]
    expected = {
        (each.query_id, each.measure): 0 if math.isnan(each.value) else each.value
        for each in ir_measures.iter_calc(list(names), records, documents)
    }
    assert len(expected) > 100 * len(names)
    assert_close(take_scores(ours, names), expected)
    by_records = sqlmetrics.evaluate(records, run, [*names])
    assert_close(take_scores(by_records, names), expected)


def rank_documents(run):
    """The documents of each query, tied ones by id from the end of the alphabet."""
    lists = defaultdict(list)
    for query_id, doc_id, score in run.iter_rows():
        lists[query_id].append((score, doc_id.encode()))
    return {q: [doc_id for _, doc_id in sorted(docs, reverse=True)] for q, docs in lists.items()}


def list_gains(documents, covers, alpha):
    """The gain of each document in this order."""
    times, gains = defaultdict(int), []
    for doc_id in documents:
        gains.append(sum((1 - alpha) ** times[s] for s in covers.get(doc_id, ())))
        for subtopic in covers.get(doc_id, ()):
            times[subtopic] += 1
    return gains


def order_greedily(covers, alpha):
    left, done, times = set(covers), [], defaultdict(int)
    while left:
        gains = {d: sum((1 - alpha) ** times[s] for s in covers[d]) for d in left}
        best = max(left, key=lambda doc_id: (gains[doc_id], doc_id))
        left.remove(best)
        done.append(best)
        for subtopic in covers[best]:
            times[subtopic] += 1
    return done


def discount_gains(gains, k, weigh):
    return math.fsum(float(gain) * weigh(n) for n, gain in enumerate(gains[:k], start=1))


def score_exactly(documents, covers, alpha, beta, k):
    """What each metric should be for one query."""
    subtopics = {s: sum(s in c for c in covers.values()) for c in covers.values() for s in c}
    if not documents or not subtopics:
        return defaultdict(int)
    depth = k or len(documents)
    gains = list_gains(documents, covers, alpha)
    ideal = list_gains(order_greedily(covers, alpha), covers, alpha)
    full = [len(subtopics) * (1 - alpha) ** n for n in range(depth)]
    scores = {}
    for name, best, weigh in (
        ("alpha_nDCG", ideal, lambda n: 1 / math.log2(n + 1)),
        ("alpha_DCG", full, lambda n: 1 / math.log2(n + 1)),
        ("nERR_IA", ideal, lambda n: 1 / n),
        ("ERR_IA", full, lambda n: 1 / n),
        ("nNRBP", ideal, lambda n: float(beta ** (n - 1))),
    ):
        scores[name] = discount_gains(gains, k, weigh) / discount_gains(best, k, weigh)
    patience = float(1 - (1 - alpha) * beta) / len(subtopics)
    scores["NRBP"] = patience * discount_gains(gains, k, lambda n: float(beta ** (n - 1)))
    precisions, found = [], {s for doc_id in documents[:k] for s in covers.get(doc_id, ())}
    for subtopic, number in subtopics.items():
        hits = [n for n, d in enumerate(documents[:k], start=1) if subtopic in covers.get(d, ())]
        precisions.append(sum(Fraction(i, n) for i, n in enumerate(hits, start=1)) / number)
    scores["AP_IA"] = float(sum(precisions) / len(subtopics))
    scores["P_IA"] = sum(len(covers.get(d, ())) for d in documents[:k]) / depth / len(subtopics)
    scores["StRecall"] = len(found) / len(subtopics)
    return scores


@pytest.mark.few(1)
@pytest.mark.parametrize("k", [None, 7, 40, 100])
@pytest.mark.parametrize("alpha", ["1/2", "3/10", "1/5", "9/10"])
def test_agrees_with_exact_arithmetic_beyond_the_limits_of_pyndeval(alpha, k):
    alpha, beta, rel = Fraction(alpha), Fraction(4, 5), 2
    given = {"alpha": float(alpha), "beta": float(beta), "rel": rel}
    names = {}
    for metric in METRICS:
        stem = metric.names[0].partition("@")[0]
        arguments = ", ".join(f"{p}={v}" for p, v in given.items() if p in metric.parameters)
        names[stem] = parsing.parse(f"{stem}({arguments})" + (f"@{k}" if k else ""))[0].name
    qrels, run = make_collection(seeds=40, most_documents=120, most_subtopics=60)
    ours = sqlmetrics.evaluate(qrels, run, names.values())
    lists, expected = rank_documents(run), {}
    for (query_id,), judgments in qrels.group_by("query_id"):
        covers = defaultdict(set)
        for _, subtopic, doc_id, grade in judgments.iter_rows():
            if grade >= rel:
                covers[doc_id.encode()].add(subtopic)
        scores = score_exactly(lists.get(query_id, []), dict(covers), alpha, beta, k)
        expected |= {(query_id, name): scores[name] for name in names}
    assert len(expected) > 90 * len(names)
    assert_close(take_scores(ours, names), expected)


@pytest.mark.thorough
def test_several_runs_and_measures_do_not_disturb_one_another():
    names = (
        "alpha_nDCG@5 alpha_nDCG(alpha=0.9)@5 nNRBP alpha_nDCG(rel=2)@5 AP_IA ERR_IA(alpha=0.9)@3"
    )
    qrels, run = make_collection(seeds=20)
    other = run.with_columns(score=-pl.col("score"))
    both = sqlmetrics.evaluate(qrels, {"a": run, "b": other}, names).per_query
    for name, each in (("a", run), ("b", other)):
        for measure in parsing.parse(names):
            alone = sqlmetrics.evaluate(qrels, each, measure.name).per_query[measure.name]
            assert both.filter(run_id=name)[measure.name].to_list() == pytest.approx(
                alone.to_list(), rel=0, abs=1e-12
            )
