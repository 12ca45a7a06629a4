"""Fusion: every method and normalization, against ranx, papers and a calculation in Python."""

from __future__ import annotations

import json
import math
import random
import re
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from statistics import mean, median, stdev

import duckdb
import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run_command
from commands import run as call
from conftest import open_shell
from engines import ENGINES, SQLite, start_postgres

import sqlmetrics as sm
from sqlmetrics.fusing.methods import list_methods, list_normalizations
from sqlmetrics.progress import collecting_remarks

pytestmark = pytest.mark.xdist_group("fusion")


@pytest.fixture(scope="module")
def installed():
    return open_shell()


def draw_runs(seed):
    """Runs with ties, scores below 0, queries of one document and documents that others lack."""
    rng = random.Random(seed)

    def draw_scores():
        kind = rng.choice(["ties", "above 0", "any"])
        docs = rng.sample(range(25), rng.choice([1, 2, rng.randint(3, 15)]))
        draw = {
            "ties": lambda: float(rng.randint(1, 4)),
            "above 0": lambda: rng.uniform(0.1, 9),
            "any": lambda: rng.uniform(-5, 5),
        }[kind]
        return {f"d{doc:02d}": draw() for doc in docs}

    return {
        f"r{number}": {f"q{query}": draw_scores() for query in range(3)}
        for number in range(rng.randint(2, 5))
    }


def draw_weights(seed, runs):
    rng = random.Random(seed)
    return {name: round(rng.uniform(0.1, 2), 3) for name in runs}


def draw_many(seeds):
    """Runs of all seeds, which have no query in common, and their weights."""
    runs, weights = {}, {}
    for seed in seeds:
        drawn = draw_runs(seed)
        for name, weight in draw_weights(seed, drawn).items():
            weights[f"{seed} {name}"] = weight
            runs[f"{seed} {name}"] = {
                f"{seed} {query}": docs for query, docs in drawn[name].items()
            }
    return runs, weights


def is_above_0(runs):
    return all(max(scores.values()) > 0 for run in runs.values() for scores in run.values())


def tabulate(runs, weights=None):
    rows = [
        (name, query, doc, score, (weights or {}).get(name, 1.0))
        for name, run in runs.items()
        for query, scores in run.items()
        for doc, score in scores.items()
    ]
    names = ["run_id", "query_id", "doc_id", "score", "weight"]
    return pl.DataFrame(rows, names, orient="row")


def read(frame):
    return {(query, doc): score for query, doc, score, *_ in frame.rows()}


def assert_same(found, expected, within=1e-12):
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=within, abs=within), key


# What ranx calls each method, with its parameters there and here.
IN_RANX = {
    "rrf": ("rrf", {"k": 30}, {"k": 30}),
    "isr": ("isr", {}, {}),
    "log_isr": ("log_isr", {}, {}),
    "logn_isr": ("logn_isr", {"sigma": 0.2}, {"sigma": 0.2}),
    "rbc": ("rbc", {"phi": 0.6}, {"p": 0.6}),
    "comb_sum": ("wsum", {}, {}),
    "comb_min": ("min", {}, {}),
    "comb_max": ("max", {}, {}),
    "comb_med": ("med", {}, {}),
    "comb_anz": ("anz", {}, {}),
    "comb_mnz": ("wmnz", {}, {}),
    "comb_gmnz": ("gmnz", {"gamma": 0.7}, {"gamma": 0.7}),
    "comb_mixed": ("mixed", {}, {}),
    "borda": ("w_bordafuse", {}, {}),
    "mapfuse": ("mapfuse", {}, {}),
}
# The name of what they learn, and its parameters there.
LEARNED_IN_RANX = {
    "posfuse": ("probs", {}, {}, {}),
    "slidefuse": ("probs", {}, {"w": 3}, {"width": 3}),
    "probfuse": ("probs", {"n_segments": 4}, {}, {"parts": 4}),
    "segfuse": ("probs", {}, {}, {}),
    "bayesfuse": ("log_odds", {}, {}, {}),
}
NORMALIZATIONS_IN_RANX = {
    "min_max": "min-max",
    "max": "max",
    "sum": "sum",
    "z_score": "zmuv",
    "rank": "rank",
    "none": None,
    "borda": "borda",
}
NOT_IN_RANX = {"relative_score", "distribution_based"}
OF_ENGINES = {"l2", "opensearch_min_max", "opensearch_z_score", "elasticsearch_minmax"}


def test_all_methods_and_normalizations_are_compared():
    others = {"condorcet"}  # whose order in ranx is that of a set's members
    others |= {"geometric_mean", "harmonic_mean"}  # of OpenSearch
    assert {*IN_RANX, *LEARNED_IN_RANX} == {*list_methods()} - others
    assert {*NORMALIZATIONS_IN_RANX} == {*list_normalizations()} - NOT_IN_RANX - OF_ENGINES


def list_wanted(runs):
    """Each method of ranx that is not learned, with its normalizations."""
    for method in IN_RANX:
        for normalization in NORMALIZATIONS_IN_RANX:
            if normalization == "max" and not is_above_0(runs):
                continue
            if normalization == "none" or method.startswith("comb"):
                yield method, normalization


def is_weighted_in_ranx(method):
    name = IN_RANX[method][0]
    return name.startswith("w") or name in ("mixed", "mapfuse")


# lists that reach into all segments but the last
LONG = 1000


def draw_trained(seed):
    """Runs of two sets of queries, and judgments of the second."""
    if seed == LONG:
        rng = random.Random(seed)
        docs = [f"d{number:04d}" for number in range(1100)]
        runs, training = (
            {
                name: {query: {d: rng.random() for d in rng.sample(docs, 990)}}
                for name in ("r0", "r1")
            }
            for query in ("q0", "q1")
        )
        return runs, training, {"q1": {doc: rng.randint(0, 2) for doc in docs}}
    runs, training = draw_runs(seed), draw_runs(seed + 1000)
    runs = {name: run for name, run in runs.items() if name in training}
    return runs, {name: training[name] for name in runs}, draw_judgments(seed)


# what tools/record_fusion.py wrote: seed, method, normalization, query_id, doc_id, score
RANX = pl.read_parquet(Path(__file__).parent / "recorded" / "ranx_fusion.parquet")
SEEDS = RANX.filter(pl.col("seed") < LONG)["seed"].unique().sort().to_list()
WANTED: dict[tuple[str, str], list[int]] = {}  # and the seeds that have it
for _seed in SEEDS:
    for _pair in list_wanted(draw_runs(_seed)):
        WANTED.setdefault(_pair, []).append(_seed)


def read_ranx(seed, method, normalization):
    rows = RANX.filter(seed=seed, method=method, normalization=normalization)
    assert rows.height
    return read(rows.select("query_id", "doc_id", "score"))


@pytest.mark.few(6)
@pytest.mark.parametrize(("method", "normalization"), WANTED)
def test_scores_are_those_of_ranx(method, normalization):
    seeds = WANTED[method, normalization]
    runs, weights = draw_many(seeds)
    found = sm.fuse(
        tabulate(runs).drop("weight"),
        method,
        normalization=normalization if method.startswith("comb") else None,
        weights=weights if is_weighted_in_ranx(method) else None,
        **IN_RANX[method][2],
    )
    expected = {
        (f"{seed} {query}", doc): score
        for seed in seeds
        for (query, doc), score in read_ranx(seed, method, normalization).items()
    }
    assert_same(read(found), expected)


def draw_judgments(seed):
    rng = random.Random(seed)
    return {
        f"q{n}": {f"d{d:02d}": rng.randint(0, 2) for d in rng.sample(range(25), 12)}
        for n in range(3)
    }


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [LONG, *SEEDS])
def test_what_learns_from_judgments_scores_as_in_ranx(seed):
    runs, training, qrels = draw_trained(seed)
    for method, (*_, ours) in LEARNED_IN_RANX.items():
        found = sm.fuse(runs, method, qrels=qrels, training=training, **ours)
        assert_same(read(found), read_ranx(seed, method, "learned"))


SURE = math.log(0.2 / 0.8)  # the odds of one relevant document among five ranks


# by hand, of the first two documents: x had a relevant one and another, y only a relevant one
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("method", "options", "first", "second"),
    [
        ("posfuse", {}, 1 + 1, 0),
        ("slidefuse", {"width": 1}, 1 / 2 + 1, 1 / 2),
        ("probfuse", {"parts": 2}, 1 + 1, 0 / 2),
        ("segfuse", {}, 1 / 5 * (1 + 1) + 1 / 5 * (1 + 0), 1 / 5 * (1 + 0)),
        ("bayesfuse", {}, 2 * SURE, SURE + math.log(0.001 / 0.999)),
    ],
)
def test_depth_cuts_what_is_learned_from_as_what_is_fused(method, options, first, second):
    training = {**rank_docs("abcd"), "y": {"q": {"d": 1.0}}}
    now = {
        "r0": {"p": dict(zip("efgh", (4.0, 3.0, 2.0, 1.0), strict=True))},
        "y": {"p": {"e": 1.0}},
    }
    qrels = {"q": {"a": 1, "d": 1}}
    found = sm.fuse(now, method, qrels=qrels, training=training, depth=2, **options)
    assert_same(read(found), {("p", "e"): first, ("p", "f"): second})


@pytest.mark.thorough
def test_no_step_of_what_learns_has_many_rows_for_each_document(installed):
    rows = pl.DataFrame({"run_id": ["x", "y"]}).join(
        pl.DataFrame({"query_id": ["p", "q"]}).join(
            pl.DataFrame({"doc_id": map(str, range(500)), "score": range(500)}), how="cross"
        ),
        how="cross",
    )
    installed.register("runs", rows)
    installed.register("qrels", rows.filter(run_id="x").select("query_id", "doc_id", relevance=1))
    for asked in ("untrained_runs(qrels, runs, runs)", "learned_windows(qrels, runs, runs)"):
        ((_, plan),) = installed.sql(f"EXPLAIN ANALYZE FROM {asked}").fetchall()
        counts = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) [Rr]ows", plan)]
        assert max(counts) == rows.height


def list_condorcet(runs, weights):
    """How many documents each one beats in a pairwise majority; half for a draw."""
    found = {}
    for query in dict.fromkeys(query for run in runs.values() for query in run):
        orders = {
            name: sorted(run[query], key=lambda doc, run=run: (run[query][doc], doc))[::-1]
            for name, run in runs.items()
            if query in run
        }
        docs = {doc for order in orders.values() for doc in order}
        found |= {(query, doc): 0.0 for doc in docs}
        for a, b in combinations(sorted(docs), 2):
            margin = 0.0
            for name, order in orders.items():
                ranks = [order.index(doc) if doc in order else len(order) for doc in (a, b)]
                margin += weights[name] * ((ranks[0] < ranks[1]) - (ranks[0] > ranks[1]))
            margin = round(margin, 12)
            found[query, a] += 0.5 if margin == 0 else float(margin > 0)
            found[query, b] += 0.5 if margin == 0 else float(margin < 0)
    return found


def test_condorcet_counts_the_documents_that_a_majority_puts_below():
    runs, drawn = draw_many(range(60))
    for weights in (dict.fromkeys(runs, 1.0), drawn):
        found = read(sm.fuse(tabulate(runs).drop("weight"), "condorcet", weights=weights))
        assert_same(found, list_condorcet(runs, weights))


def rank_docs(*orders):
    """Runs that rank documents in these orders."""
    return {
        f"r{number}": {"q": {doc: -float(place) for place, doc in enumerate(order)}}
        for number, order in enumerate(orders)
    }


def list_order(found):
    return "".join(found["doc_id"])


def test_condorcet_ranks_the_winner_of_all_duels_first_where_borda_does_not():
    # de Borda's own objection: a majority of three of five voters wants a, the Borda count is b's
    runs = rank_docs("abc", "abc", "abc", "bca", "bca")
    assert list_order(sm.fuse(runs, "condorcet")) == "abc"
    assert read(sm.fuse(runs, "borda")) == {("q", "a"): 11, ("q", "b"): 12, ("q", "c"): 7}
    cycle = sm.fuse(rank_docs("abc", "bca", "cab"), "condorcet")
    assert cycle["score"].to_list() == [1.0, 1.0, 1.0]


def test_borda_gives_what_is_left_of_its_points_to_documents_not_retrieved():
    # Aslam and Montague 2001: c candidates, c points for the first, the rest is divided evenly
    runs = {"a": {"q": {"x": 2.0, "y": 1.0}}, "b": {"q": {"z": 9.0, "w": 3.0}}}
    # x: 4 + (1 + 2) / 2
    expected = {("q", "x"): 5.5, ("q", "y"): 4.5, ("q", "z"): 5.5, ("q", "w"): 4.5}
    assert read(sm.fuse(runs, "borda")) == expected


@pytest.mark.parametrize("method", ["comb_max", "comb_min", "comb_med", "comb_sum"])
def test_borda_gives_nothing_for_a_query_that_a_run_lacks(method):
    runs = {**rank_docs("abcd"), "lacks": {"z": {"b": 1.0}}}
    found = sm.fuse(runs, method, normalization="borda").filter(query_id="q")
    assert [*zip(found["doc_id"], found["score"], strict=True)] == [
        ("a", 1.0),
        ("b", 0.75),
        ("c", 0.5),
        ("d", 0.25),
    ]


def test_reciprocal_rank_fusion_adds_one_over_60_and_the_rank():
    # Cormack, Clarke and Büttcher 2009
    runs = rank_docs("ab", "bc")
    expected = {("q", "a"): 1 / 61, ("q", "b"): 1 / 62 + 1 / 61, ("q", "c"): 1 / 62}
    assert_same(read(sm.fuse(runs)), expected)


def test_scores_between_deviations_are_those_of_qdrant():
    runs, _ = draw_many(range(60))
    expected: dict[tuple[str, str], float] = {}
    for run in runs.values():
        for query, scores in run.items():
            values = [*scores.values()]
            deviation = stdev(values) if len(values) > 1 else 0
            for doc, score in scores.items():
                low = mean(values) - 3 * deviation
                normal = (score - low) / (6 * deviation) if deviation else 0.5
                expected[query, doc] = expected.get((query, doc), 0) + normal
    table = tabulate(runs).drop("weight")
    found = sm.fuse(table, "comb_sum", normalization="distribution_based")
    assert_same(read(found), expected)


def test_relative_scores_are_those_of_weaviate():
    runs, weights = draw_many(range(60))
    expected: dict[tuple[str, str], float] = {}
    for name, run in runs.items():
        for query, scores in run.items():
            low, high = min(scores.values()), max(scores.values())
            for doc, score in scores.items():
                share = weights[name] * ((score - low) / (high - low) if high != low else 1)
                expected[query, doc] = expected.get((query, doc), 0) + share
    table = tabulate(runs).drop("weight")
    found = sm.fuse(table, "comb_sum", normalization="relative_score", weights=weights)
    assert_same(read(found), expected)


# Search engines


def normalize_as_engines(normalization, scores):
    """What the source of OpenSearch's neural-search and of Elasticsearch computes of a list."""
    low, high, count = min(scores), max(scores), len(scores)
    if normalization == "l2":
        length = math.sqrt(math.fsum(score * score for score in scores))
        return [score / length if length else 0.0 for score in scores]
    if normalization == "opensearch_min_max":
        if low == high:
            return [1.0] * count
        return [(score - low) / (high - low) or 0.001 for score in scores]
    if normalization == "elasticsearch_minmax":
        return [score if low == high else (score - low) / (high - low) for score in scores]
    if normalization == "opensearch_z_score":
        middle = mean(scores)
        found = []
        for score in scores:
            if score == middle:
                found.append(high)
            else:
                found.append(max((score - middle) / stdev(scores), 0.001))
        return found
    return scores


def combine_as_engines(method, scores, weights, ranks, k):
    """Scores are by run, 0 where a run does not have the document; ranks begin at 1."""
    if method == "rrf":
        return math.fsum(weights[run] / (k + rank) for run, rank in ranks.items())
    if method == "comb_sum":  # weights add up to 1
        return math.fsum(weights[run] * score for run, score in scores.items())
    above = {run: score for run, score in scores.items() if score > 0}
    total = math.fsum(weights[run] for run in above)
    if not total:
        return 0.0
    if method == "geometric_mean":
        logs = math.fsum(weights[run] * math.log(score) for run, score in above.items())
        return math.exp(logs / total)
    return total / math.fsum(weights[run] / score for run, score in above.items())


def fuse_as_engines(runs, method, normalization, weights, k):
    found = {}
    for query in {query for run in runs.values() for query in run}:
        scores, ranks = {}, {}
        for name, run in runs.items():
            listed = sorted(run.get(query, {}).items(), key=lambda row: (row[1], row[0]))[::-1]
            each = normalize_as_engines(normalization, [score for _, score in listed] or [0.0])
            for rank, ((doc, _), score) in enumerate(zip(listed, each, strict=False), start=1):
                scores.setdefault(doc, {})[name] = score
                ranks.setdefault(doc, {})[name] = rank
        for doc, own in scores.items():
            own = {name: own.get(name, 0.0) for name in runs}
            found[query, doc] = combine_as_engines(method, own, weights, ranks[doc], k)
    return found


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("method", "normalization"),
    [
        ("rrf", None),
        *(("comb_sum", each) for each in sorted({*OF_ENGINES, "none"})),
        *(("geometric_mean", each) for each in ("opensearch_min_max", "l2")),
        *(("harmonic_mean", each) for each in ("opensearch_min_max", "l2")),
    ],
)
def test_fusion_is_that_of_the_source_of_search_engines(method, normalization):
    k = {"k": 10} if method == "rrf" else {}
    for seed in range(12):
        runs = draw_runs(seed)  # scores of engines are 0 or more
        least = min(min(docs.values()) for run in runs.values() for docs in run.values())
        runs = {
            name: {
                query: {doc: score - min(least, 0) for doc, score in docs.items()}
                for query, docs in run.items()
            }
            for name, run in runs.items()
        }
        drawn = draw_weights(seed, runs)
        weights = {name: weight / math.fsum(drawn.values()) for name, weight in drawn.items()}
        found = sm.fuse(runs, method, normalization=normalization, weights=weights, **k)
        expected = fuse_as_engines(runs, method, normalization, weights, 10)
        assert_same(read(found), expected)


def test_means_of_scores_by_hand():
    runs = {"x": {"q": {"a": 4.0, "b": 3.0}}, "y": {"q": {"a": 9.0, "c": 12.0}}}
    found = read(sm.fuse(runs, "geometric_mean", normalization="none"))
    assert found == pytest.approx({("q", "a"): 6, ("q", "b"): 3, ("q", "c"): 12})
    found = read(sm.fuse(runs, "harmonic_mean", normalization="none"))
    assert found == pytest.approx({("q", "a"): 2 / (1 / 4 + 1 / 9), ("q", "b"): 3, ("q", "c"): 12})
    found = read(sm.fuse(runs, "comb_sum", normalization="l2"))  # 3 4 5, and 9 12 15
    assert found == pytest.approx({("q", "a"): 4 / 5 + 9 / 15, ("q", "b"): 3 / 5, ("q", "c"): 0.8})


def test_normalizations_of_engines_by_hand():
    runs = {"x": {"q": {"a": 4.0, "b": 2.0, "c": 0.0}}, "y": {"q": {"a": 7.0}}}

    def fuse_by(normalization):
        found = sm.fuse(runs, "comb_sum", normalization=normalization, weights={"x": 1, "y": 10})
        return {doc: score for (_, doc), score in read(found).items()}

    assert fuse_by("opensearch_min_max") == pytest.approx({"a": 1 + 10, "b": 0.5, "c": 0.001})
    assert fuse_by("elasticsearch_minmax") == pytest.approx({"a": 1 + 70, "b": 0.5, "c": 0})
    # b is the mean, and so becomes the highest score; the deviation of 4, 2, 0 is 2
    assert fuse_by("opensearch_z_score") == pytest.approx({"a": 1 + 70, "b": 4, "c": 0.001})


def test_a_median_is_that_of_the_runs_that_have_the_document():
    runs = {name: {"q": {"a": s, "b": 1.0}} for name, s in zip("uvw", (3.0, 9.0, 4.0), strict=True)}
    found = read(sm.fuse(runs, "comb_med", normalization="none"))
    assert found == {("q", "a"): median([3, 9, 4]), ("q", "b"): 1}


def write_call(method):
    relation = list_methods()[method].header["relation"]
    tables = "qrels, training, runs" if method in LEARNED_IN_RANX else "runs"
    return (
        f"SELECT c.query_id, c.doc_id, {method}(c) AS score FROM {relation}({tables}) AS c "
        "GROUP BY c.query_id, c.doc_id"
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("method", list_methods())
def test_python_macros_queries_and_plain_sql_return_the_same(method, installed):
    runs, training, qrels = draw_runs(3), draw_runs(5), draw_judgments(3)
    training = {name: training.get(name, training["r0"]) for name in runs}
    weights = draw_weights(3, runs)
    judged = [(query, doc, rel) for query, docs in qrels.items() for doc, rel in docs.items()]
    tables = {
        "runs": tabulate(runs, weights),
        "training": tabulate(training),
        "qrels": pl.DataFrame(judged, ["query_id", "doc_id", "relevance"], orient="row"),
    }
    learns = method in LEARNED_IN_RANX
    given = {"qrels": qrels, "training": training} if learns else {"weights": weights}
    expected = read(sm.fuse(runs, method, **given))
    call, columns = write_call(method), {"run_id": "run_id", "weight": "weight"}
    asked = call.partition(" FROM ")[2].partition("(")[2].partition(")")[0]
    for name, frame in tables.items():
        installed.register(name, frame)
    assert_same(read(installed.sql(f"FROM {method}({asked})").pl()), expected)
    assert_same(read(installed.sql(call).pl()), expected)
    plain = duckdb.connect()
    for name, frame in tables.items():
        plain.register(name, frame)
    text = sm.sql(call, dialect="duckdb", columns=columns)
    assert_same(read(plain.sql(text).pl()), expected)
    engine = SQLite()
    for name, frame in tables.items():
        engine.load(
            name,
            frame.with_columns(
                pl.col("weight").cast(pl.String) if "weight" in frame.columns else []
            ),
        )
    rows = engine.ask(sm.sql(call, dialect="sqlite", columns=columns))
    assert_same({(query, doc): score for query, doc, score in rows}, expected, 1e-9)


@pytest.mark.engines
@pytest.mark.parametrize("engine", ["PostgreSQL", "ClickHouse", "DataFusion"])
def test_engines_fuse_as_duckdb(engine, tmp_path):
    runs, training, qrels = draw_runs(3), draw_runs(5), draw_judgments(3)
    training = {name: training.get(name, training["r0"]) for name in runs}
    judged = [(query, doc, rel) for query, docs in qrels.items() for doc, rel in docs.items()]
    tables = {
        "runs": tabulate(runs).drop("weight"),
        "training": tabulate(training).drop("weight"),
        "qrels": pl.DataFrame(judged, ["query_id", "doc_id", "relevance"], orient="row"),
    }
    with ExitStack() as opened:
        server = opened.enter_context(start_postgres()) if engine == "PostgreSQL" else None
        asked = ENGINES[engine](tmp_path, server)
        for name, frame in tables.items():
            asked.load(name, frame)
        for method in list_methods():
            given = {"qrels": qrels, "training": training} if method in LEARNED_IN_RANX else {}
            expected = read(sm.fuse(runs, method, **given))
            try:
                text = sm.sql(
                    write_call(method), dialect=asked.dialect, columns={"run_id": "run_id"}
                )
            except sm.MetricError:
                assert (method, engine) == ("comb_med", "DataFusion")
                continue
            rows = [(query, doc, float(score)) for query, doc, score in asked.ask(text)]
            assert_same({row[:2]: row[2] for row in rows}, expected, 1e-9)


def test_the_same_scores_whatever_the_order_of_rows():
    runs = draw_runs(9)
    frame = tabulate(runs).drop("weight")
    once = sm.fuse(frame, "comb_sum", normalization="z_score")
    for seed in range(3):
        again = sm.fuse(
            frame.sample(fraction=1, shuffle=True, seed=seed), "comb_sum", normalization="z_score"
        )
        assert again.equals(once)


def test_a_fused_run_is_evaluated_as_any_other_and_written_as_text(tmp_path):
    runs = rank_docs("abc", "bca")
    fused = sm.fuse(runs)
    assert fused.columns == ["query_id", "doc_id", "score", "rank"]
    scores = sm.evaluate({"q": {"b": 1}}, {**runs, "rrf": fused}, "RR").mean
    assert dict(scores.rows()) == {"r0": 0.5, "r1": 1.0, "rrf": 1.0}
    for name, run in runs.items():
        rows = [("q", doc, score) for doc, score in run["q"].items()]
        pl.DataFrame(rows, ["query_id", "doc_id", "score"], orient="row").write_csv(
            tmp_path / f"{name}.csv"
        )
    (tmp_path / "qrels.txt").write_text("q 0 b 1\n")
    names = [tmp_path / f"{name}.csv" for name in runs]
    for format in ("trec", "csv", "parquet"):
        out = tmp_path / f"fused.{format}"
        call("fuse", *names, "-f", format, "-o", out)
        printed = call("evaluate", tmp_path / "qrels.txt", out, "-m", "RR", "-f", "csv")
        assert printed.splitlines()[1] == "fused,1.0"
    assert call("fuse", *names, "-f", "trec").splitlines()[0] == f"q Q0 b 1 {1 / 61 + 1 / 62} fused"


def test_depth_leaves_out_documents_further_down():
    runs = rank_docs("abcd", "dcba")
    assert read(sm.fuse(runs, "comb_sum", depth=1)).keys() == {("q", "a"), ("q", "d")}
    # of two documents, the second has the lowest score
    assert read(sm.fuse(runs, "comb_sum", depth=2))["q", "b"] == 0
    assert read(sm.fuse(runs, "borda", depth=2))["q", "a"] == 4 + 1.5
    assert read(sm.fuse(runs, "condorcet", depth=1)) == {("q", "a"): 0.5, ("q", "d"): 0.5}


def test_a_query_that_some_runs_lack_is_fused_from_the_others_with_a_note(tmp_path):
    runs = {"a": {"q": {"x": 2.0}, "p": {"y": 1.0}}, "b": {"q": {"x": 1.0}}}
    assert read(sm.fuse(runs, k=0)) == {("q", "x"): 2.0, ("p", "y"): 1.0}
    for name in ("a", "b"):
        rows = "".join(f"{q},{d},{s}\n" for q, docs in runs[name].items() for d, s in docs.items())
        (tmp_path / f"{name}.csv").write_text(f"query_id,doc_id,score\n{rows}")
    _, _, said = run_command("fuse", tmp_path / "a.csv", tmp_path / "b.csv")
    assert said == "note: 1 query is not in all runs, and fused from those that have them\n"


RUNS = rank_docs("ab", "ba")


def test_passages_become_documents(installed):
    mapping = pl.DataFrame({"chunk_id": ["a1", "a2", "b1", "c1"], "doc_id": ["a", "a", "b", "c"]})
    runs = {
        "x": {"q": {"b1": 3.0, "a1": 2.0, "a2": 2.0}, "p": {"c1": 1.0}},
        "y": {"q": {"a2": 9.0}},
    }
    best = [
        ("x", "p", "c", 1.0, 1),
        ("x", "q", "b", 3.0, 1),
        ("x", "q", "a", 2.0, 2),
        ("y", "q", "a", 9.0, 1),
    ]
    assert sm.collapse(runs, mapping).rows() == best
    together = sm.collapse(runs, mapping, method="sum")
    assert [row[2:] for row in together.rows()[1:3]] == [("a", 4.0, 1), ("b", 3.0, 2)]
    scores = sm.evaluate({"q": {"a": 1}}, together, "RR").mean
    assert dict(scores.rows()) == {"x": 1.0, "y": 1.0}
    installed.register("chunks", mapping.rename({"chunk_id": "passage_id"}))
    installed.register("x", tabulate(runs))
    rows = installed.sql("FROM passage_sum(x, chunks) ORDER BY ALL").fetchall()
    assert rows == sorted(row[:4] for row in together.rows())


def test_an_analysis_that_returns_a_run_is_written_as_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("passages.csv").write_text("passage_id,doc_id\na1,a\na2,a\nb1,b\n")
    Path("found.csv").write_text("query_id,doc_id,score\nq,b1,3\nq,a1,2\nq,a2,2\n")
    given = ["collapse", "--run", "found.csv", "--mapping", "passages.csv", "--method", "sum"]
    for name in ("documents.run", "documents.txt", "documents"):
        call(*given, "-o", name)
        assert Path(name).read_text() == "q Q0 a 1 4.0 found\nq Q0 b 2 3.0 found\n"
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\n")
    assert call("evaluate", "qrels.csv", "documents.run", "-m", "RR", "-f", "csv") == (
        "run_id,RR\ndocuments,1.0\n"
    )


def test_tuning_takes_columns_of_other_names_and_runs_that_are_read_once():
    qrels, runs = draw_tuning()
    expected = sm.tune(qrels, runs, "RR", methods=["rrf"])
    judged = [(query, doc, rel) for query, docs in qrels.items() for doc, rel in docs.items()]
    stars = pl.DataFrame(judged, ["asked", "doc_id", "stars"], orient="row")
    table = tabulate(runs).drop("weight").rename({"query_id": "asked"})
    once = table.to_arrow().to_reader()
    columns = {"query_id": "asked", "relevance": "stars"}
    found = sm.tune(stars, once, "RR", methods=["rrf"], columns=columns)
    assert found.settings.equals(expected.settings)
    assert found.best == expected.best


def draw_tuning():
    """Queries where one run finds the relevant document first, and the other second."""
    qrels = {f"q{n}": {"a": 1} for n in range(20)}
    return qrels, {
        "good": {query: {"a": 9.0, "b": 1.0, "c": 0.5} for query in qrels},
        "poor": {query: {"b": 0.9, "c": 0.2, "a": 0.1} for query in qrels},
    }


def test_tuning_finds_the_weights_that_are_best_and_tests_them_on_other_queries():
    qrels, runs = draw_tuning()
    settings = [
        {"method": "comb_sum", "weights": {"good": good, "poor": poor}}
        for good, poor in ((0.1, 0.9), (0.9, 0.1))
    ]
    found = sm.tune(qrels, runs, settings=settings, metric="RR")
    assert found.best == settings[1]
    fused = sm.fuse(runs, **found.best)
    assert sm.evaluate(qrels, fused, "RR")["RR"] == 1
    assert dict(found.settings.select("setting", "other").rows()) == pytest.approx(
        {
            "comb_sum(weights={'good': 0.9, 'poor': 0.1})": 1.0,
            "comb_sum(weights={'good': 0.1, 'poor': 0.9})": 1 / 3,  # b .906, c .1125, a .1
            "good": 1.0,
            "poor": 1 / 3,
        }
    )
    (row,) = found.comparison.tests.rows(named=True)
    assert (row["baseline"], row["queries"], row["difference"]) == ("good", 10, 0)
    assert "tuned on 10 of 20 queries" in str(found)


def test_a_learned_method_is_tuned_on_queries_that_it_did_not_learn_from():
    """A run has a first, the other b; of the queries tuned on, a is relevant in one and b in one.

    Each of these learns from the other that the wrong document is relevant, so the right one is
    second. From both together nothing is learned; ties are by descending ids, with b first.
    """
    queries = ["q1", "q2", "q3", "q4"]
    tuned = random.Random(0).sample(queries, 2)
    qrels = {query: {"a": 1} for query in queries} | {tuned[1]: {"b": 1}}
    runs = {
        "x": {query: {"a": 2.0, "b": 1.0} for query in queries},
        "y": {query: {"b": 2.0, "a": 1.0} for query in queries},
    }
    found = sm.tune(qrels, runs, "RR", methods=["posfuse"])
    means = {row[0]: row[1:] for row in found.settings.rows()}
    assert means == {"posfuse": (0.5, 0.5), "x": (0.75, 1.0), "y": (0.75, 0.5)}
    assert found.best == {"method": "posfuse"}
    assert found.engines.is_empty()


def test_learned_methods_are_tuned_beside_others_as_fuse_learns_them():
    runs, qrels = draw_runs(11), draw_judgments(11)
    learned = ["bayesfuse", "posfuse", "probfuse", "segfuse", "slidefuse"]
    found = sm.tune(qrels, runs, "AP", methods=["rrf", *learned], share=0.5).settings
    queries = sorted(qrels)
    tuned = random.Random(0).sample(queries, round(len(queries) / 2))
    rest = {query: grades for query, grades in qrels.items() if query not in tuned}
    for method in learned:
        known = {query: qrels[query] for query in tuned}
        fused = sm.fuse(runs, method, qrels=known, depth=100)
        (row,) = found.filter(setting=method).rows(named=True)
        assert row["other"] == pytest.approx(sm.evaluate(rest, fused, "AP")["AP"]), method
    assert found.filter(pl.col("setting").str.starts_with("rrf(k=")).height == 5


def test_a_learned_method_is_tuned_as_ranx_learns_it():
    """With the means of ranx 0.3.21: optimize_fusion and fuse of segfuse by min-max, MAP.

    Each half of the queries tuned on is fused with what the other half teaches, the others with
    what both do.
    """
    rng = random.Random(5)
    queries = [f"q{n:02d}" for n in range(12)]

    def draw_list():
        drawn = enumerate(rng.sample(range(25), 10))
        return {f"d{d:02d}": round(10 - n + rng.random() / 2, 3) for n, d in drawn}

    runs = {name: {query: draw_list() for query in queries} for name in "xyz"}
    qrels = {query: {f"d{d:02d}": 1 for d in rng.sample(range(25), 6)} for query in queries}
    found = sm.tune(qrels, runs, "AP", methods=["segfuse"]).settings
    (row,) = found.filter(setting="segfuse").rows(named=True)
    assert row["tuned"] == pytest.approx(0.2882845389617836, abs=1e-9)
    assert row["other"] == pytest.approx(0.30993002799955843, abs=1e-9)


def test_a_step_tries_all_weights_that_add_up_to_1():
    runs = dict([*draw_runs(11).items()][:2])
    qrels = draw_judgments(11)
    step = 0.25
    found = sm.tune(qrels, runs, "AP", methods=["rrf", "condorcet"], step=step, share=0.34)
    weighted = [name for name in found.settings["setting"] if "weights" in name]
    assert len({*weighted}) == 2 * 6  # two weights that are not equal, of five rrf and condorcet
    setting = {"weights": dict(zip(runs, (0.75, 0.25), strict=True))}
    for method in ("rrf", "condorcet"):
        own = {**setting, "method": method}
        tried = sm.tune(qrels, runs, settings=[own], metric="AP", share=0.34).settings
        alone = sm.evaluate(qrels, sm.fuse(runs, depth=100, **own), "AP").per_query["AP"].sum()
        row = tried.filter(pl.col("setting").str.starts_with(method)).row(0, named=True)
        assert row["tuned"] + 2 * row["other"] == pytest.approx(alone)
    (name,) = {n for n in weighted if n.startswith("condorcet") and str(setting["weights"]) in n}
    assert row["tuned"] == found.settings.filter(setting=name)["tuned"].item()


def test_tuning_scores_a_setting_as_fuse_and_evaluate_do():
    runs = draw_runs(11)
    qrels = draw_judgments(11)
    found = sm.tune(qrels, runs, "AP", methods=["rrf", "comb_mnz"], share=0.34, depth=5)
    means = found.settings.filter(pl.col("setting") == "comb_mnz(normalization=z_score)")
    fused = sm.fuse(runs, "comb_mnz", normalization="z_score", depth=5)
    scores = sm.evaluate(qrels, fused, "AP").per_query["AP"]
    assert means["tuned"][0] + 2 * means["other"][0] == pytest.approx(scores.sum())
    assert {name.partition("(")[0] for name in found.settings["setting"]} == {
        *("rrf", "comb_mnz"),
        *runs,
    }


@pytest.mark.parametrize("parameter", ["k", "p", "sigma", "gamma", "rel", "parts", "width"])
def test_help_names_the_methods_that_have_a_parameter(parameter):
    said = re.sub(r"\s+", " ", call("fuse", "--help"))
    named = re.search(rf" --{parameter} [A-Z]+ For ([^:]*):", said)
    refused = []
    for method in list_methods():
        try:
            sm.fuse(RUNS, method, **{parameter: 1})
        except sm.InputError as error:
            refused += [method] * ("has no parameter" in str(error))
    assert sorted([*named[1].split(", "), *refused]) == sorted(list_methods())


def test_a_sum_too_large_for_a_number_is_refused():
    runs = {"x": {"q": {"a": 1e308, "b": 1.0}}, "y": {"q": {"a": 1e308, "b": 1.0}}}
    assert sm.fuse(runs, "comb_sum")["doc_id"].to_list() == ["a", "b"]


def test_lists_of_one_document_are_noted_where_min_max_makes_their_score_0():
    runs = {"x": {"q": {"a": 9.0}}, "y": {"q": {"a": 1.0, "b": 2.0}}}
    with collecting_remarks() as notes:
        sm.fuse(runs, "comb_sum")
        sm.fuse(runs, "rrf")
    assert notes == ["x: 1 list has one document, whose score min_max makes 0, the lowest"]


# The bodies that the documentation of OpenSearch and Elasticsearch shows, without the description,
# and with names in place of retrievers
SHOWN = {
    "normalization-processor": """{
      "phase_results_processors": [
        {
          "normalization-processor": {
            "normalization": {"technique": "min_max"},
            "combination": {"technique": "arithmetic_mean", "parameters": {"weights": [0.3, 0.7]}}
          }
        }
      ]
    }""",
    "score-ranker-processor": """{
      "phase_results_processors": [
        {
          "score-ranker-processor": {
            "combination": {
              "technique": "rrf", "rank_constant": 40, "parameters": {"weights": [0.7, 0.3]}
            }
          }
        }
      ]
    }""",
    "rrf": """{
      "retriever": {
        "rrf": {
          "retrievers": [
            {"retriever": "bm25", "weight": 0.7}, {"retriever": "neural", "weight": 0.3}
          ],
          "rank_constant": 40,
          "rank_window_size": 50
        }
      }
    }""",
    "linear": """{
      "retriever": {
        "linear": {
          "retrievers": [
            {"retriever": "bm25", "weight": 0.5, "normalizer": "minmax"},
            {"retriever": "neural", "weight": 0.5, "normalizer": "minmax"}
          ],
          "rank_window_size": 50
        }
      }
    }""",
}
HYBRID = {"bm25": BM25, "neural": NEURAL}


def tune_by(**setting):
    found = sm.tune(QRELS, HYBRID, settings=[setting], metric="nDCG@3", depth=50)
    return {engine: json.loads(text) for engine, text in found.engines.rows()}


def test_the_setting_of_an_engine_is_as_its_documentation_shows():
    weights = {"bm25": 0.3, "neural": 0.7}
    found = tune_by(method="comb_sum", normalization="opensearch_min_max", weights=weights)
    assert found == {"OpenSearch": json.loads(SHOWN["normalization-processor"])}
    found = tune_by(method="rrf", k=40, weights={"bm25": 7, "neural": 3})
    shown = {"OpenSearch": "score-ranker-processor", "Elasticsearch": "rrf"}
    assert found == {engine: json.loads(SHOWN[name]) for engine, name in shown.items()}
    found = tune_by(method="comb_sum", normalization="elasticsearch_minmax")
    assert found == {"Elasticsearch": json.loads(SHOWN["linear"])}


def test_an_engine_that_cannot_be_set_to_the_best_is_not_listed():
    for setting in (
        {"method": "comb_sum"},  # our min_max gives the lowest score 0
        {"method": "rrf", "k": 0},
        {"method": "rrf", "k": 1.5},
        {"method": "rrf", "weights": {"bm25": -1, "neural": 2}},
        {"method": "geometric_mean", "normalization": "opensearch_z_score"},
    ):
        assert tune_by(**setting) == {}, setting


def test_names_of_runs_are_quoted_in_the_settings_of_engines():
    runs = {'"$k": $weight': BM25, "$runs": NEURAL}
    found = sm.tune(QRELS, runs, settings=[{"method": "rrf"}], metric="nDCG@3").engines
    (text,) = found.filter(engine="Elasticsearch")["setting"]
    listed = json.loads(text)["retriever"]["rrf"]["retrievers"]
    assert [each["retriever"] for each in listed] == [*runs]


def test_tuning_tries_what_engines_can_be_set_to():
    qrels, runs = draw_tuning()
    found = sm.tune(qrels, runs, metric="RR")
    tried = {*found.settings["setting"]} - {*runs}
    sums = ("opensearch_min_max", "l2", "opensearch_z_score", "elasticsearch_minmax", "none")
    assert tried == {
        *(f"rrf(k={k})" for k in (1, 10, 30, 60, 100)),
        *(f"comb_sum(normalization={each})" for each in sums),
        *(
            f"{method}(normalization={each})"
            for method in ("geometric_mean", "harmonic_mean")
            for each in ("opensearch_min_max", "l2")
        ),
    }
    assert found.engines.height
    for setting in found.settings["setting"]:
        if setting in tried:
            method, _, options = setting.rstrip(")").partition("(")
            name, _, value = options.partition("=")
            value = int(value) if name == "k" else value
            each = sm.tune(qrels, runs, settings=[{"method": method, name: value}], metric="RR")
            assert each.engines.height, setting


@pytest.mark.parametrize("method", ["RRF", "Comb-Sum", "CombSUM", "comb sum"])
def test_words_are_read_in_any_case_and_with_hyphens(method):
    ours = "rrf" if method == "RRF" else "comb_sum"
    assert sm.fuse(HYBRID, method).equals(sm.fuse(HYBRID, ours))
    by_hyphen = sm.fuse(HYBRID, "comb_sum", normalization="Min-Max")
    assert by_hyphen.equals(sm.fuse(HYBRID, "comb_sum", normalization="min_max"))
    found = sm.tune(QRELS, HYBRID, "nDCG@3", methods=[method])
    assert found.best["method"] == ours
    assert call("fuse", BM25, NEURAL, "--method", method) == call(
        "fuse", BM25, NEURAL, "--method", ours
    )


def test_tune_says_that_a_run_has_none_of_the_judged_documents():
    qrels = {query: {"a": 1, "b": 1} for query in "wxyz"}
    runs = {"r": {q: {"a": 2.0, "c": 1.0} for q in "wxyz"}, "s": {q: {"Xa": 1.0} for q in "wxyz"}}
    with pytest.warns(sm.ScoreWarning, match="s: none of the judged documents"):
        found = sm.tune(qrels, runs, methods=["rrf"])
    assert found.notes[0].startswith("s: none of the judged documents was retrieved; ids in s look")


def test_a_run_may_be_called_as_a_setting():
    qrels, runs = draw_tuning()
    found = sm.tune(qrels, {"rrf": runs["good"], "poor": runs["poor"]}, settings=[{}], metric="RR")
    fused = sm.tune(qrels, runs, settings=[{}], metric="RR").settings
    assert found.best == {"method": "rrf"}
    assert {*found.settings["setting"]} == {"rrf", "poor", "rrf (fused)"}
    expected = fused.with_columns(pl.col("setting").replace({"rrf": "rrf (fused)", "good": "rrf"}))
    assert found.settings.sort("setting").equals(expected.sort("setting"))
