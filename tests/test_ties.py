"""Tied documents: every order that `judged` can give them, and the expected score over all orders.

Expected scores come from brute force: each order of a few tied documents is scored as a ranking
of its own, by the metric itself.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import groupby, permutations, product
from math import comb, fsum, log2

import duckdb
import polars as pl
import pytest
from conftest import create_macros, make_qrels, make_run

from sqlmetrics import catalogue, evaluate
from sqlmetrics.inputs.streams import Stream

METRICS = {metric.macro: metric for metric in catalogue.all_metrics("runs")}
EXPECTED = [name.removeprefix("expected_") for name in catalogue.files()["expected"]]

# What a parameter of a metric is set to, besides its default.
VALUES = {
    "k": ["1", "2", "4", "20"],
    "gain": ["'exponential'"],
    "negative": ["'raw'"],
    "discount": ["'clipped'", "'reciprocal'", "'none'"],
    "base": ["3"],
    "ideal": ["'uncut'", "'perfect'"],
    "denominator": ["'achievable'", "'cutoff'", "'listed'", "'retrieved'", "'relevant'"],
    "beta": ["2e0"],
    "beta_squared": ["2e0"],
    "alpha": ["2e-1"],
    "p": ["5e-1"],
    "max_rel": ["3"],
    "scaled": ["TRUE"],
    "multiple": ["5e-1", "2e0"],
    "mean": ["'geometric'"],
    "corpus_size": ["50"],
}
# Ways to call judged.
CALLS = [
    "",
    "rel := 2",
    "depth := 3",
    "depth := 4, rel := 2",
    "judged_only := TRUE",
    "judged_only := TRUE, rel := 2",
]


def connect(qrels, run):
    con = duckdb.connect()
    create_macros(con)
    con.register("qrels", Stream(qrels))
    con.register("run", Stream(run))
    return con


def list_calls(macro):
    """The aggregate of a metric with its defaults and with other values, as SQL."""
    parameters = METRICS[macro].own_parameters
    required = {name: VALUES[name][0] for name, p in parameters.items() if p.is_required}
    cutoffs = [None, *(VALUES["k"] if "k" in parameters else [])]
    others = [
        (name, value)
        for name in parameters
        if name != "k"
        for value in VALUES[name]
        if parameters[name].find_problem(catalogue.read_arguments(f"x={value}")["x"]) is None
    ]
    chosen = [(k, None) for k in cutoffs] + [*product(cutoffs[:3:2], others)]
    for k, other in chosen:
        given = required | ({"k": k} if k else {}) | dict([other] if other else [])
        yield f"{macro}({', '.join(['j', *(f'{name} := {v}' for name, v in given.items())])})"


def score(con, metrics, ways, prefix=""):
    """The scores of each query, by each of the metrics' calls; ``prefix`` goes before the macro.

    The ways to call judged are together in one table, so that each metric is asked once.
    """
    judged = " UNION ALL ".join(
        f"SELECT * REPLACE ('{number}/' || query_id AS query_id)"
        f" FROM judged({', '.join(filter(None, ['qrels', 'run', way]))})"
        for number, way in enumerate(ways)
    )
    con.execute(f"CREATE OR REPLACE TEMP TABLE _judged AS {judged}")
    scores = {}
    for macro in metrics:
        calls, relation = list(list_calls(macro)), METRICS[macro].relation
        query = f"""
            SELECT j.query_id, {", ".join(prefix + call for call in calls)}
            FROM {"_judged" if relation == "judged" else f"{relation}(_judged)"} AS j
            GROUP BY j.query_id
        """
        for query_id, *row in con.execute(query).fetchall():
            number, _, name = query_id.partition("/")
            scores.setdefault((ways[int(number)], name), {}).update(zip(calls, row, strict=True))
    return scores


def make_query(chance):
    """Relevance and score by document; None where it is not judged or not retrieved."""
    levels, size = chance.choice([1, 2, 3]), chance.randint(1, 7)
    scores = [float(chance.randint(1, levels)) for _ in range(size)]
    if levels == 1:
        scores = scores[:5]
    grades = [None, None, -1.0, 0.0, 0.0, 1.0, 2.0, 3.0]
    found = {f"d{n}": (chance.choice(grades), value) for n, value in enumerate(scores)}
    lost = {f"u{n}": (chance.choice(grades[2:]), None) for n in range(chance.choice([0, 0, 1, 2]))}
    query = found | lost
    if all(grade is None for grade, _ in query.values()):  # it would not be a query then
        query["d0"] = (chance.choice([0.0, 1.0]), scores[0])
    return query


def make_queries():
    queries = {f"q{seed}": make_query(random.Random(seed)) for seed in range(30)}
    grades = [None, 2.0, -1.0, 0.0, 1.0, 1.0]
    queries["all tied"] = {f"d{n}": (grade, 1.0) for n, grade in enumerate(grades)}
    queries["all relevant"] = {f"d{n}": (1.0, 1.0) for n in range(5)}
    queries["nothing retrieved"] = {"u": (1.0, None)}
    return queries


def list_orders(query):
    """All rankings of a query's retrieved documents that keep the order of different scores.

    Of those with the same grades in the same order, which are as many for any grades, one.
    """
    found = sorted((-value, doc) for doc, (_, value) in query.items() if value is not None)
    groups = [[doc for _, doc in group] for _, group in groupby(found, key=lambda pair: pair[0])]
    parts = product(*(permutations(group) for group in groups))
    orders = ([doc for part in each for doc in part] for each in parts)
    return [*{tuple(query[doc][0] for doc in order): order for order in orders}.values()]


# Of the ways to call metrics, one with a few of them is tried each time.
FEW = pytest.param(("depth := 4, rel := 2",), ("ap", "ndcg", "precision_at", "rr"), id="few")
ALL = pytest.param(
    (*CALLS,),
    (*EXPECTED, "bpref", "err"),
    marks=[pytest.mark.thorough, pytest.mark.xdist_group("orders")],
    id="all",
)

QUERIES = make_queries()
ORDERS = {name: list_orders(query) for name, query in QUERIES.items()}


def connect_tied():
    items = [(name, doc, *pair) for name, query in QUERIES.items() for doc, pair in query.items()]
    return connect(
        make_qrels((name, doc, grade) for name, doc, grade, _ in items if grade is not None),
        make_run((name, doc, value) for name, doc, _, value in items if value is not None),
    )


@cache
def score_orders(metrics, ways):
    """The scores of every order of every query, each order scored as a query without ties."""
    qrels, run = [], []
    for name, orders in ORDERS.items():
        judged = [(doc, grade) for doc, (grade, _) in QUERIES[name].items() if grade is not None]
        for number, order in enumerate(orders):
            query = f"{name}/{number}"
            qrels += [(query, doc, grade) for doc, grade in judged]
            run += [(query, doc, -float(place)) for place, doc in enumerate(order)]
    scores = score(connect(make_qrels(qrels), make_run(run)), metrics, ways)
    return [
        (way, name, call, [scores[way, f"{name}/{n}"][call] for n in range(len(orders))])
        for way, (name, orders) in product(ways, ORDERS.items())
        for call in scores[way, f"{name}/0"]
    ]


@pytest.mark.parametrize(("ways", "macros"), [FEW, ALL])
def test_expected_scores_are_the_means_over_all_orders(ways, macros):
    have_expected = [macro for macro in macros if macro in EXPECTED]
    assert have_expected
    expected = score(connect_tied(), have_expected, ways, prefix="expected_")
    assert set(expected) == {*product(ways, QUERIES)}
    wrong = {
        (way, name, call): (expected[way, name][call], fsum(scores) / len(scores))
        for way, name, call, scores in score_orders(macros, ways)
        if call in expected[way, name]
        and not abs(expected[way, name][call] - fsum(scores) / len(scores)) <= 1e-12
    }
    assert not wrong


@pytest.mark.parametrize(("ways", "macros"), [ALL])
def test_best_and_worst_are_the_ends_of_what_all_orders_give(ways, macros):
    # these distinguish documents judged not relevant from unjudged ones; best and worst do not
    others = {"fall_out", "specificity_at"}
    metrics = [macro for macro in macros if macro not in others]
    tied = {
        (way, ties): ", ".join(filter(None, [way, f"ties := '{ties}'"]))
        for way, ties in product(ways, ("best", "worst"))
    }
    found = score(connect_tied(), metrics, [*tied.values()])
    for way, name, call, scores in score_orders(macros, ways):
        best, worst = (found[tied[way, ties], name] for ties in ("best", "worst"))
        # where a negative grade is worse than none
        if call not in best or "raw" in call:
            continue
        # of what is better the lower it is, such as false positives, the best is the least
        ends = sorted((best[call], worst[call]))
        assert ends == pytest.approx([min(scores), max(scores)], rel=0, abs=1e-12), (way, call)


def test_ties_are_ordered_by_document_id_or_place_in_the_run_or_rank():
    chance = random.Random(1)
    docs = [f"{letter}{n}" for letter in "aZé9ß中𝒳" for n in ("", "1", "10", "2")]
    rows = [(q, doc, float(chance.randint(1, 4))) for q in ("1", "01") for doc in docs]
    chance.shuffle(rows)
    ranks = chance.sample(range(1000), len(rows))
    frame = make_run(rows).with_columns(pl.Series("rank", ranks))
    rows = [(*row, rank, place) for place, (row, rank) in enumerate(zip(rows, ranks, strict=True))]
    con = connect(make_qrels((q, doc, 1.0) for q in ("1", "01") for doc in docs), frame)
    keys = {
        "ascending": lambda row: (-row[2], row[1].encode()),
        "input": lambda row: (-row[2], row[4]),
        "rank": lambda row: (-row[2], row[3]),
    }
    for ties, key in keys.items():
        query = f"SELECT query_id, doc_id FROM judged(qrels, run, ties := '{ties}') ORDER BY query_id, rank"
        wanted = [(q, doc) for q, doc, *_ in sorted(rows, key=lambda row: (row[0], *key(row)))]
        assert con.execute(query).fetchall() == wanted, ties


# Grades and scores of all documents, k, and dcg_score and ndcg_score of scikit-learn 1.9.1.
SKLEARN = [
    ([3, 2, 0, 1, 0], [1, 1, 1, 0, 0], "NULL", 3.9603142719397297, 0.8316739009202506),
    ([3, 2, 0, 1, 0, 2], [2, 2, 2, 1, 1, 1], "2", 2.718216255952429, 0.6378005308238515),
    ([0, 1, 2, 3, 0, 1, 0], [5, 5, 1, 1, 1, 1, 0], "4", 2.2114797138958178, 0.42589587941623536),
]


@pytest.mark.few(1)
@pytest.mark.parametrize(("grades", "scores", "k", "dcg", "ndcg"), SKLEARN)
def test_expected_dcg_and_ndcg_are_those_of_scikit_learn(grades, scores, k, dcg, ndcg):
    con = connect(
        make_qrels(("q", f"d{n}", float(grade)) for n, grade in enumerate(grades)),
        make_run(("q", f"d{n}", float(value)) for n, value in enumerate(scores)),
    )
    query = (
        f"SELECT expected_dcg(j, k := {k}), expected_ndcg(j, k := {k}) FROM judged(qrels, run) AS j"
    )
    assert con.execute(query).fetchone() == pytest.approx((dcg, ndcg), rel=0, abs=1e-12)


# A large group of tied documents: its size, how many in it are relevant, how many stand above it.
TIED, RELEVANT, ABOVE = 5000, 40, 3


def make_large(relevant_above):
    """Judgments and a run. Documents that are not relevant are judged one in three."""
    docs = [f"above{n}" for n in range(ABOVE)] + [f"tied{n}" for n in range(TIED)]
    relevant = {f"tied{n * 100}" for n in range(RELEVANT)} | (
        {"above1"} if relevant_above else set()
    )
    judged = [doc for n, doc in enumerate(docs) if doc in relevant or n % 3 == 0]
    qrels = [("q", doc, float(doc in relevant)) for doc in judged] + [("q", "lost", 1.0)]
    run = [("q", doc, max(1.0, 9.0 - n)) for n, doc in enumerate(docs)]
    return make_qrels(qrels), make_run([(q, d, 1.0 if d[0] == "t" else s) for q, d, s in run])


def compute_large(k, relevant_above):
    """Scores summed place by place: rank ABOVE + t holds each of the group with the same chance."""
    k = k or ABOVE + TIED
    hit = [2] if relevant_above and k >= 2 else []
    seen = range(1, min(k - ABOVE, TIED) + 1)
    num_rel = RELEVANT + relevant_above + 1
    share = Fraction(RELEVANT, TIED)
    found = len(hit) + share * len(seen)
    hits = {t: relevant_above + 1 + Fraction((RELEVANT - 1) * (t - 1), TIED - 1) for t in seen}
    first = {t: Fraction(comb(TIED - t, RELEVANT - 1), comb(TIED, RELEVANT)) for t in seen}
    places = dict.fromkeys(hit, 1) | {ABOVE + t: share for t in seen}
    precisions = [Fraction(1, rank) for rank in hit]
    precisions += [share * hits[t] / (ABOVE + t) for t in seen]
    return {
        "precision_at": float(found / k),
        "recall_at": float(found / num_rel),
        "ap": fsum(precisions) / num_rel,
        "rr": 1 / 2 if hit else fsum(first[t] / (ABOVE + t) for t in seen),
        "success_at": 1.0 if hit else fsum(first.values()),
        "dcg": fsum(chance / log2(1 + rank) for rank, chance in places.items()),
        "rbp": fsum(chance * Fraction(4, 5) ** (rank - 1) for rank, chance in places.items()) / 5,
    }


@pytest.mark.thorough
@pytest.mark.parametrize("relevant_above", [False, True])
def test_expected_scores_of_a_large_group_are_exact(relevant_above):
    con = connect(*make_large(relevant_above))
    for k in (None, 1, ABOVE, ABOVE + 1, 100, 4000):
        exact = compute_large(k, relevant_above)
        calls = ", ".join(f"expected_{macro}(j, k := {k or 'NULL'})" for macro in exact)
        got = con.execute(f"SELECT {calls} FROM judged(qrels, run) AS j").fetchone()
        assert got == pytest.approx(tuple(exact.values()), rel=1e-12, abs=1e-15), (k, list(exact))


def test_expected_scores_group_by_anything():
    con = connect_tied()
    metrics = (METRICS[macro] for macro in EXPECTED)
    macros = [
        metric.macro
        for metric in metrics
        if "k" in metric.own_parameters and "corpus_size" not in metric.own_parameters
    ]
    of_column = [f"expected_{macro}(j, k := c.k)" for macro in macros]
    query = f"""
        SELECT c.k, j.query_id, {", ".join(of_column)}
        FROM judged(qrels, run) AS j CROSS JOIN (VALUES (2), (4)) AS c (k)
        GROUP BY c.k, j.query_id
        HAVING {" AND ".join(f"{call} >= 0" for call in of_column)}
    """
    found = {(k, name): tuple(scores) for k, name, *scores in con.execute(query).fetchall()}
    assert len(found) == 2 * len(QUERIES)
    for k in (2, 4):
        calls = ", ".join(f"expected_{macro}(j, k := {k})" for macro in macros)
        query = f"SELECT j.query_id, {calls} FROM judged(qrels, run) AS j GROUP BY j.query_id"
        for name, *scores in con.execute(query).fetchall():
            assert found[k, name] == pytest.approx(tuple(scores), rel=0, abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "measure",
    ["AUC", "AUC(max_fpr=0.5)", "LRAP", "RankingLoss", "CoverageError", "StepAP"],
)
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_measures_over_scores_keep_the_whole_of_the_last_score_within_a_depth(measure, depth):
    qrels = make_qrels([("q", doc, int(doc in "abe")) for doc in "abcdef"])
    scores = [
        ("q", "a", 3),
        ("q", "b", 2),
        ("q", "c", 2),
        ("q", "d", 2),
        ("q", "e", 1),
        ("q", "f", 1),
    ]
    cut = evaluate(qrels, make_run(scores), measure, depth=depth)
    whole = evaluate(qrels, make_run(scores[:4]), measure)
    everything = evaluate(qrels, make_run(scores), measure, depth=5)
    assert cut.per_query.row(0) == whole.per_query.row(0)
    assert (cut.per_query.row(0) == everything.per_query.row(0)) == (measure != "StepAP")


@pytest.mark.thorough
def test_sums_over_the_places_of_a_score_are_computed_once():
    """Once for each document, they would take 4 GB and half a minute."""
    documents = [f"d{number}" for number in range(30_000)]
    qrels = make_qrels(("q", doc, 1) for doc in documents)
    run = make_run(("q", doc, 1.0) for doc in documents)
    wanted = "AP nDCG nDCG(gain='exponential',discount='clipped')"
    found = evaluate(qrels, run, wanted, ties="expected").per_query.row(0)[2:]
    assert found == pytest.approx((1, 1, 1), abs=1e-9)
    in_shell = connect(qrels, run).sql("""
        SELECT expected_ap(j), expected_ndcg(j), expected_ndcg(j, discount := 'none', gain := 'binary')
        FROM judged(qrels, run) AS j GROUP BY j.run_id, j.query_id
    """)
    assert in_shell.fetchall()[0] == pytest.approx((1, 1, 1), abs=1e-9)


@pytest.mark.parametrize("macro", EXPECTED)
def test_an_expected_score_has_the_parameters_of_its_metric(macro):
    (aggregate,) = (s for s in METRICS[macro].file.statements if not s.is_table)
    (statement,) = catalogue.find_file(f"expected_{macro}").statements
    assert not statement.is_table
    assert statement.parameters == aggregate.parameters


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "macro", [macro for macro in EXPECTED if macro not in ("num_rel", "num_ret")]
)
def test_judged_documents_alone_within_a_depth_have_no_expected_score(macro):
    con = connect_tied()
    query = (
        f"SELECT expected_{next(list_calls(macro))}"
        " FROM judged(qrels, run, depth := 3, judged_only := TRUE) AS j"
    )
    with pytest.raises(
        duckdb.Error, match="expected scores can use depth or judged_only, not both"
    ):
        con.execute(query).fetchall()
