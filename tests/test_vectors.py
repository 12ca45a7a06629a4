"""Neighbours that an index returned are scored against exact ones, as the benchmarks of indexes do.

Their functions, which no package has, are written here once more from what they compute: those of
ann-benchmarks (ann_benchmarks/plotting/metrics.py), big-ann-benchmarks
(benchmark/plotting/metrics.py) and VectorDBBench (vectordb_bench/metric.py).
"""

from __future__ import annotations

import csv
import math
import random
from fractions import Fraction
from itertools import groupby
from statistics import median

import duckdb
import numpy as np
import polars as pl
import pytest
from commands import run_command
from conftest import ROOT, keep, open_shell

import sqlmetrics as sm
from sqlmetrics import catalogue, ranking
from sqlmetrics.catalogue import measures, parsing
from sqlmetrics.engine import vectors
from sqlmetrics.engine.connections import open_reader
from sqlmetrics.inputs.columns import EXACT as EXACT_KIND
from sqlmetrics.inputs.columns import NEIGHBOURS
from sqlmetrics.ranking import nearest, stretches

METRICS = catalogue.all_metrics("neighbours")
pytestmark = pytest.mark.xdist_group("vectors")

SCHEMA = {"query_id": pl.String, "doc_id": pl.String, "distance": pl.Float64}


# Worked examples


def read_lists(text):
    """``a1 b2 | a0.5``: documents with their distances, of two queries."""
    return [
        {token.rstrip("-.0123456789"): float(token.lstrip("abcdxy")) for token in part.split()}
        for part in text.split("|")
    ]


def make_frame(lists):
    """The rows of lists by query."""
    rows = [(query, doc, d) for query, found in lists.items() for doc, d in found.items()]
    return pl.DataFrame(rows, SCHEMA, orient="row")


def make_tables(exact, found):
    """Both tables. One more query, answered, lets a row have nothing returned."""
    tables = [{f"q{n}": each for n, each in enumerate(read_lists(text))} for text in (exact, found)]
    return [make_frame({**table, "answered": {"z": 0.0}}) for table in tables]


def read_expected():
    for metric in METRICS:
        path = ROOT / "tests" / "expected" / f"{metric.macro}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            yield from (tuple(row.values()) for row in csv.DictReader(file))


EXPECTED = [*read_expected()]


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "exact", "found", "expected", "source"), EXPECTED)
def test_a_metric_gives_the_value_of_the_worked_example(name, exact, found, expected, source):
    known, returned = make_tables(exact, found)
    if parsing.parse(name)[0].aggregate == "pooled" or "|" in exact:  # of these queries only
        known, returned = (t.filter(pl.col("query_id") != "answered") for t in (known, returned))
        (value,) = sm.evaluate(known, returned, name).mean[name]
    else:
        if "achievable" not in name and (k := dict(parsing.parse(name)[0].arguments).get("k")):
            more = {"answered": {f"z{n}": float(n) for n in range(int(k))}}
            known = pl.concat([known.filter(pl.col("query_id") != "answered"), make_frame(more)])
        value = sm.evaluate(known, returned, name).per_query.row(
            by_predicate=pl.col("query_id") == "q0", named=True
        )[name]
    if expected:
        assert value == pytest.approx(float(Fraction(expected)), rel=1e-14, abs=0)
    else:
        assert value is None


@pytest.fixture
def con():
    return open_shell()


@pytest.mark.thorough
def test_the_macros_of_the_shell_give_the_same(con):
    checked = 0
    for name, exact, found, expected, _ in EXPECTED:
        (measure,) = parsing.parse(name)
        if measure.aggregate or "|" in exact or not found:
            continue
        known, returned = (
            frame.filter(pl.col("query_id") != "answered") for frame in make_tables(exact, found)
        )
        keep(con, exact=known, found=returned)
        call = measures.write_call(measure.metric.macro, ["exact", "found"], measure.arguments)
        ((value,),) = con.execute(f"SELECT {measure.metric.macro} FROM {call}").fetchall()
        assert value == (pytest.approx(float(Fraction(expected))) if expected else None)
        checked += 1
    assert checked > 30


def test_expected_values_say_where_they_are_from_and_cover_the_edges():
    assert all(row[-1] for row in EXPECTED)
    for metric in METRICS:
        mine = [row for row in EXPECTED if parsing.parse(row[0])[0].metric == metric]
        assert any(not row[2] for row in mine), "no row with nothing returned"


# The benchmarks of indexes


def ann_recall(exact, found, k, reach):
    """ann-benchmarks' get_recall_values; ``reach`` is its threshold."""
    return np.array(
        [
            sum(d <= reach([*e.values()][k - 1]) for d in [*f.values()][:k]) / k
            for e, f in zip(exact.values(), found.values(), strict=True)
        ]
    )


def ann_rel(exact, found):
    """ann-benchmarks' rel: of all queries together, as far as both lists of each."""
    pairs = [
        pair
        for e, f in zip(exact.values(), found.values(), strict=True)
        for pair in zip(e.values(), f.values(), strict=False)
    ]
    return sum(d for _, d in pairs) / sum(d for d, _ in pairs)


def big_ann_recall(exact, found, k):
    """big-ann-benchmarks' compute_recall_with_distance_ties: the groups of the k first distances."""
    recalls = []
    for e, f in zip(exact.values(), found.values(), strict=True):
        groups = [[*group] for _, group in groupby(e, key=e.__getitem__)]
        right = {doc for group in groups[:k] for doc in group}
        recalls.append(len(right & {*[*f][:k]}) / k)
    return np.array(recalls)


def bench_recall(exact, found, k):
    """VectorDBBench's calc_recall of the first k exact ids and the k that were returned."""
    pairs = zip(exact.values(), found.values(), strict=True)
    return np.array([sum(doc in [*e][:k] for doc in [*f][:k]) / k for e, f in pairs])


def bench_ndcg(exact, found, k):
    """VectorDBBench's calc_ndcg, which discounts by the place in the exact ids."""
    ideal = sum(1 / math.log2(place + 2) for place in range(k))
    pairs = zip(exact.values(), found.values(), strict=True)
    return np.array(
        [
            sum(1 / math.log2([*e].index(doc) + 2) for doc in [*f][:k] if doc in [*e][:k]) / ideal
            for e, f in pairs
        ]
    )


def draw(seed, *, ties, queries=40):
    """Exact neighbours and what two indexes return: fewer, others, other distances of the same."""
    chance = random.Random(seed)
    step = 0.25 if ties else 1e-9
    exact, indexes = {}, {"full": {}, "short": {}}
    for query in range(queries):
        distances = [1 + step * chance.randint(0, 12 if ties else 10**9) for _ in range(40)]
        everything = sorted(((d, f"d{n:02}") for n, d in enumerate(distances)), reverse=True)
        everything.sort(key=lambda pair: pair[0])  # ties: the larger id first
        exact[f"q{query}"] = {doc: d for d, doc in everything[:25]}
        for name, index in indexes.items():
            most = 20 if name == "full" else chance.randint(0, 20)
            kept = [pair for pair in everything if chance.random() < 0.8][:most]
            index[f"q{query}"] = {doc: d for d, doc in kept}
    return exact, indexes


CASES = [(seed, ties) for seed in range(4) for ties in (True, False)]
# What each of them computes of exact neighbours, those of an index, and k, by its own names.
BENCHMARKS = {
    "ann-benchmarks": {
        "k-nn": lambda e, f, k: ann_recall(e, f, k, lambda d: d + 1e-3),
        "epsilon": lambda e, f, k: ann_recall(e, f, k, lambda d: d * (1 + 0.01)),
        "largeepsilon": lambda e, f, k: ann_recall(e, f, k, lambda d: d * (1 + 0.1)),
        "rel": lambda e, f, _: ann_rel(e, f),
    },
    "big-ann-benchmarks": {"k-nn": big_ann_recall},
    "VectorDBBench": {"recall": bench_recall, "ndcg": bench_ndcg},
}


@pytest.mark.few(3)
@pytest.mark.parametrize(("seed", "ties"), CASES)
@pytest.mark.parametrize("k", [1, 3, 10, 20])
def test_without_a_tolerance_what_is_as_near_counts(seed, ties, k):
    exact, indexes = draw(seed, ties=ties)
    for index in indexes.values():
        found = sm.evaluate(make_frame(exact), make_frame(index), f"ANNRecall(epsilon=0)@{k}")
        expected = ann_recall(exact, index, k, lambda d: d).mean()
        assert found.mean.row(0)[1] == pytest.approx(expected, rel=0, abs=1e-12)


def test_without_ties_all_recalls_by_ids_are_the_same():
    exact, indexes = draw(5, ties=False)
    names = [f"IDRecall(tied='{word}')@10" for word in ("last", "cut", "all")]
    scores = sm.evaluate(make_frame(exact), make_frame(indexes["full"]), names)
    assert len({scores[name] for name in names}) == 1
    judged = {query: dict.fromkeys([*docs][:10], 1) for query, docs in exact.items()}
    found = make_frame(indexes["full"])  # a run whose distances rank upwards
    assert sm.evaluate(judged, found, "R@10")["R@10"] == scores[names[0]]


def test_k_of_within_is_the_share_of_the_first_k_among_more():
    exact, indexes = draw(6, ties=False)
    scores = sm.evaluate(make_frame(exact), make_frame(indexes["full"]), "IDRecall(within=20)@5")
    pairs = zip(exact.values(), indexes["full"].values(), strict=True)
    expected = [len({*[*e][:5]} & {*[*f][:20]}) / 5 for e, f in pairs]
    assert scores["IDRecall(within=20)@5"] == pytest.approx(np.mean(expected), abs=1e-12)


DEFAULTS = "ANNRecall@10 ANNRecall(aggregate='median')@10 ANNRecall(aggregate='p5')@10"


def test_percentiles_are_over_the_queries():
    exact, indexes = draw(7, ties=True)
    scores = sm.evaluate(make_frame(exact), make_frame(indexes["short"]), DEFAULTS)
    per_query = scores.per_query["ANNRecall@10"].to_list()
    assert scores["ANNRecall@10"] == pytest.approx(np.mean(per_query), abs=1e-12)
    assert scores["ANNRecall(aggregate='median')@10"] == median(per_query)
    assert scores["ANNRecall(aggregate='p5')@10"] == pytest.approx(np.percentile(per_query, 5))


def test_a_rank_is_the_order_of_an_index():
    exact, indexes = draw(9, ties=False)
    found = {query: [*index] for query, index in indexes["full"].items()}
    for docs in found.values():
        random.Random(0).shuffle(docs)
    rows = [
        (query, doc, indexes["full"][query][doc], rank)
        for query, docs in found.items()
        for rank, doc in enumerate(docs)
    ]
    frame = pl.DataFrame(rows, {**SCHEMA, "rank": pl.Int64}, orient="row").sample(
        fraction=1, shuffle=True, seed=1
    )
    scores = sm.evaluate(make_frame(exact), frame, "ANNRecall@5 IDRecall@5 IDRecall(within=20)@5")
    ordered = {q: {doc: indexes["full"][q][doc] for doc in docs} for q, docs in found.items()}
    assert scores["IDRecall@5"] == pytest.approx(bench_recall(exact, ordered, 5).mean())
    expected = ann_recall(exact, ordered, 5, lambda d: d + 1e-3).mean()
    assert scores["ANNRecall@5"] == pytest.approx(expected)
    assert scores["IDRecall(within=20)@5"] > 2 * scores["IDRecall@5"]
    lost = frame.with_columns(rank=pl.when(pl.col("rank") > 3).then(pl.col("rank")))
    with pytest.raises(sm.InputError, match="no rank for document d"):
        sm.evaluate(make_frame(exact), lost, "ANNRecall@5")


# The rows that metrics aggregate

COLUMNS = (
    "run_id, query_id, ideal_rank, ideal_distance, rank, doc_id, distance, true_rank, "
    "true_first_rank, true_level, near_from, num_exact, num_ret"
)


def list_rows(exact, found, reach):
    """The rows that `neighbours` aggregates, with their ids."""
    with open_reader(with_ranks=True) as reader:
        given, runs = reader.read(exact, EXACT_KIND), reader.read_runs(found, kind=NEIGHBOURS)
        known, placed = vectors.place(reader, given, runs, [(0.0, False), reach])
        rows = ranking.list_neighbours(known, placed, range(len(placed.runs)), 1, None)
        queries = known.queries["query_id"]
        return rows.with_columns(
            run_id=placed.runs.gather(rows["run_id"]), query_id=queries.gather(rows["query_id"])
        ).select(COLUMNS.split(", "))


def list_rows_by_sql(con, exact, found, reach):
    keep(con, exact=exact, found=found)
    epsilon, relative = reach
    call = f"neighbours(exact, found, epsilon := {epsilon}, relative := {relative})"
    return con.execute(f"SELECT {COLUMNS} FROM {call}").fetchall()


def draw_tables(seed, *, ties, ranked):
    """Tables in any order, of several indexes, whose queries are not all the same."""
    exact, indexes = draw(seed, ties=ties, queries=12)
    exact.pop("q3")
    del indexes["full"]["q5"], indexes["short"]["q6"]
    exact["q7"] = {doc: d - 1 for doc, d in exact["q7"].items()}  # some at 0 or -0
    exact["q7"]["d0"], exact["q7"]["e0"] = 0.0, -0.0
    indexes["full"]["q7"] |= {"e0": 0.0, "d0": -0.0}
    found = pl.concat(
        make_frame(index).insert_column(0, pl.lit(name).alias("run_id"))
        for name, index in indexes.items()
    )
    if ranked:
        found = found.with_columns(rank=pl.int_range(pl.len()).shuffle(seed=seed) // 2)
    return make_frame(exact), found


REACHES = [(1e-3, False), (0.0, False), (0.25, False), (0.1, True)]


@pytest.mark.few(1)
@pytest.mark.parametrize("order", ["as drawn", "shuffled", "by distance"])
@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize("at_once", [30, 1 << 20])
def test_rows_are_those_of_the_relation(con, monkeypatch, at_once, reach, ties, ranked, order):
    monkeypatch.setattr(stretches, "_AT_ONCE", at_once)
    exact, found = draw_tables(11, ties=ties, ranked=ranked)
    if order == "shuffled":
        exact, found = (rows.sample(fraction=1, shuffle=True, seed=2) for rows in (exact, found))
    elif order == "by distance":
        exact, found = exact.sort("distance", "doc_id"), found.sort("distance", "doc_id")
    expected = list_rows_by_sql(con, exact, found, reach)
    assert sorted(list_rows(exact, found, reach).rows(), key=str) == sorted(expected, key=str)
    assert len(expected) > 500


def test_neighbours_whose_hashes_are_equal_are_not_mixed(con, monkeypatch):
    same = pl.Series([7], dtype=pl.UInt64)
    monkeypatch.setattr(nearest, "hash_ids", lambda ids: same.new_from_index(0, len(ids)))
    tables = draw_tables(12, ties=True, ranked=False)
    expected = list_rows_by_sql(con, *tables, REACHES[0])
    assert sorted(list_rows(*tables, REACHES[0]).rows(), key=str) == sorted(expected, key=str)


# What is given, and what comes back


EXACT = {"q1": {"a": 0.1, "b": 0.2, "c": 0.3}, "q2": {"d": 0.5, "e": 0.6, "f": 0.7}}
FOUND = {"q1": {"a": 0.1, "c": 0.3, "x": 0.4}, "q2": {"d": 0.5, "e": 0.6}}
RECALL = "ANNRecall@2"


def test_files_frames_tables_and_columns_are_read_as_by_evaluate(tmp_path):
    exact, found = make_frame(EXACT), make_frame(FOUND)
    exact.write_csv(tmp_path / "exact.csv")
    exact.write_parquet(tmp_path / "exact.parquet")
    named = found.rename({"query_id": "qid", "doc_id": "item", "distance": "dist"})
    named.write_ndjson(tmp_path / "index.jsonl")
    con = duckdb.connect()
    con.register("frame", exact)
    con.execute("CREATE TABLE truth AS FROM frame")
    expected = sm.evaluate(EXACT, {"index": FOUND}, RECALL).mean
    for given in (tmp_path / "exact.csv", tmp_path / "exact.parquet", exact.to_pandas(), exact):
        assert sm.evaluate(given, tmp_path / "index.jsonl", RECALL).mean.equals(expected)
    scores = sm.evaluate("truth", {"index": found}, RECALL, con=con)
    assert scores.mean.equals(expected)
    other = found.rename({"distance": "l2"})
    columns = {"exact.distance": "distance", "found.distance": "l2"}
    scores = sm.evaluate(exact, {"index": other}, RECALL, columns=columns)
    assert scores.mean.equals(expected)


def test_several_indexes_are_compared_gated_and_reported():
    exact, indexes = draw(8, ties=False)
    frames = {name: make_frame(index) for name, index in indexes.items()}
    scores = sm.evaluate(make_frame(exact), frames, "ANNRecall@10 DistanceRatio@10")
    found = scores.compare("full", metrics="ANNRecall@10").tests
    difference = scores["ANNRecall@10", "short"] - scores["ANNRecall@10", "full"]
    assert found["difference"].drop_nulls().to_list() == [pytest.approx(difference)]
    verdict = sm.gate(scores, "short", baseline="full", max_loss={"ANNRecall@10": 0.01})
    assert not verdict
    assert "ANNRecall@10" in sm.evaluate(make_frame(exact), frames, "ANNRecall@10").report().html


def test_segments_and_weights_come_from_topics():
    topics = pl.DataFrame({"query_id": ["q1", "q2"], "kind": ["short", "long"], "hits": [3, 1]})
    scores = sm.evaluate(EXACT, FOUND, RECALL, by="kind", topics=topics)
    assert scores.mean.rows() == [("run", "long", 1.0), ("run", "short", 0.5)]
    scores = sm.evaluate(EXACT, FOUND, RECALL, weight="hits", topics=topics)
    assert scores[RECALL] == (3 * 0.5 + 1) / 4
    pooled = "DistanceRatio(aggregate='pooled')@1"
    scores = sm.evaluate(EXACT, FOUND, pooled, by="kind", topics=topics)
    assert scores.mean[pooled].to_list() == [1.0, 1.0]


def test_queries_without_neighbours_count_and_unknown_ones_do_not():
    scores = sm.evaluate(EXACT, {"q1": FOUND["q1"], "z": {"a": 1.0}}, RECALL)
    assert scores[RECALL] == 0.25
    assert scores.notes == (
        "run: no neighbours for 1 of 2 queries (q2); their recall is 0",
        "run: no exact neighbours for 1 of its queries (z); they are left out",
    )


def test_its_statement_runs_where_the_macros_are(con, tmp_path):
    make_frame(EXACT).write_parquet(tmp_path / "exact.parquet")
    make_frame(FOUND).write_parquet(tmp_path / "found.parquet")
    names = "ANNRecall@2 ANNRecall(epsilon=0.2)@2 IDRecall@3 DistanceRatio"
    scores = sm.evaluate(tmp_path / "exact.parquet", tmp_path / "found.parquet", names)
    assert con.execute(scores.sql).fetchall() == scores.per_query.rows()


def test_the_sql_of_metrics_is_one_statement():
    con = duckdb.connect()
    keep(con, exact=make_frame(EXACT), found=make_frame(FOUND))
    names = "ANNRecall@2 IDRecall(within=3)@2 DiscountedRecall@3 DistanceRatio@2"
    expected = [row[1:] for row in sm.evaluate(EXACT, FOUND, names).per_query.rows()]
    tables = {"qrels": "exact", "run": "found"}
    plain = sm.sql(names, dialect="duckdb", **tables)
    for query in (plain, sm.sql(names, **tables)):
        rows = con.execute(query).fetchall()
        assert [row[-5:] for row in rows] == [pytest.approx(row) for row in expected]
    mean = con.execute(sm.sql(RECALL, dialect="duckdb", mean=True, **tables)).fetchall()
    assert mean == [(0.75,)]


def test_the_relation_has_a_row_for_each_neighbour(con):
    keep(con, exact=make_frame(EXACT), found=make_frame(FOUND))
    columns = "doc_id, ideal_rank, ideal_distance, rank, distance, true_rank, near_from, num_exact, num_ret"
    rows = con.execute(f"""
        SELECT {columns} FROM neighbours(exact, found) WHERE query_id = 'q1' ORDER BY rank, ideal_rank
    """).fetchall()
    assert rows == [
        ("a", None, None, 1, 0.1, 1, 1, 3, 3),
        ("c", None, None, 2, 0.3, 3, 3, 3, 3),
        ("x", None, None, 3, 0.4, None, 4, 3, 3),
        ("a", 1, 0.1, None, None, None, None, 3, 3),
        ("b", 2, 0.2, None, None, None, None, 3, 3),
        ("c", 3, 0.3, None, None, None, None, 3, 3),
    ]


def test_negative_distances_are_fine_where_nothing_is_divided_by_them():
    exact = {"q": {"a": -3.0, "b": -2.0, "c": -1.0}}
    scores = sm.evaluate(exact, {"q": {"a": -3.0, "c": -1.0}}, "ANNRecall@2 IDRecall@3")
    assert scores.mean.row(0)[1:] == (0.5, 2 / 3)


def test_the_command_writes_what_python_returns(tmp_path):
    make_frame(EXACT).write_csv(tmp_path / "exact.csv")
    make_frame(FOUND).write_csv(tmp_path / "index.csv")
    files = [str(tmp_path / "exact.csv"), str(tmp_path / "index.csv")]
    scores = sm.evaluate(*files, "ANNRecall@2 IDRecall@3")
    given = ["-m", "ANNRecall@2", "-m", "IDRecall@3", "-f", "csv"]
    assert run_command("evaluate", *files, *given)[1] == scores.mean.write_csv()
    assert run_command("evaluate", *files, *given, "-q")[1] == scores.per_query.write_csv()
    given = ["-m", "ANNRecall@2", "--aggregate", "min", "-f", "csv"]
    assert run_command("evaluate", *files, *given)[1].splitlines()[1] == "index,0.5"


# What FAISS gives where it found nothing: -1, at the largest number of 32 bits.
ENDLESS = float(np.finfo(np.float32).max)
NEAR = pl.DataFrame({"query_id": [1, 1, 2, 2], "doc_id": [1, 2, 1, 2], "distance": [0.5, 1.0] * 2})
PADDED = pl.DataFrame(
    {
        "query_id": [1, 1, 1, 2, 2, 2],
        "doc_id": [1, 2, -1, 1, -1, -1],
        "distance": [0.5, 1.0, ENDLESS, 0.5, ENDLESS, ENDLESS],
    }
)
# of the two, query 2 lacks one, and what is there is as near as can be
OF_PADDED = {"ANNRecall@2": 0.75, "IDRecall@2": 0.75, "DistanceRatio@2": 1.0}


@pytest.mark.few(2)
@pytest.mark.parametrize("endless", [ENDLESS, math.inf, math.nan, None])
def test_minus_one_at_an_endless_distance_is_nothing_found(endless):
    value = pl.when(pl.col("doc_id") == -1).then(pl.lit(endless, pl.Float64)).otherwise("distance")
    padded = PADDED.with_columns(distance=value)
    nested = {"1": {"1": 0.5, "2": 1.0, "-1": endless}, "2": {"1": 0.5, "-1": endless}}
    for found, form, rows in (
        (padded, "frame", 3), (padded.to_pandas(), "frame", 3), (nested, "dict", 2),
    ):  # fmt: skip
        scores = sm.evaluate(NEAR, found, [*OF_PADDED])
        assert scores.mean.row(0)[1:] == tuple(OF_PADDED.values())
        assert scores.notes == (
            f"the returned neighbours {form}: {rows} rows have -1 at an infinite distance, where an "
            "index found nothing; left out",
        )


def test_the_macros_of_the_shell_leave_out_what_was_not_found(con):
    keep(con, exact=NEAR, found=PADDED)
    for name, expected in OF_PADDED.items():
        (measure,) = parsing.parse(name)
        ((value,),) = con.execute(
            f"SELECT avg({measure.metric.macro}) FROM {measure.metric.macro}(exact, found, k := 2)"
        ).fetchall()
        assert value == expected


def test_minus_one_at_another_distance_is_a_neighbour_and_named_where_it_repeats():
    once = PADDED.unique(["query_id", "doc_id"]).with_columns(distance=pl.lit(7.0))
    assert sm.evaluate(NEAR, once, "ANNRecall@1")["ANNRecall@1"] == 0


LISTED = {"1": [1, 2, -1], "2": [1, -1, -1]}
ROWS = pl.DataFrame({"query_id": ["1", "2"], "retrieved": [*LISTED.values()]})
FORMS = {
    "dict": LISTED,
    "arrays": {query: np.array(ids) for query, ids in LISTED.items()},
    "text": {query: [*map(str, ids)] for query, ids in LISTED.items()},
    "polars": ROWS,
    "arrays of polars": ROWS.with_columns(pl.col("retrieved").cast(pl.Array(pl.Int64, 3))),
    "pandas": ROWS.to_pandas(),
    "with distances": ROWS.with_columns(
        distances=pl.Series([[0.5, 1.0, ENDLESS], [0.5, 9e38, 9e38]])
    ),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("form", [*FORMS, "json", "parquet"])
def test_lists_end_before_ids_of_minus_one(form, tmp_path):
    found = FORMS.get(form, tmp_path / f"run.{form}")
    if form == "json":
        ROWS.write_ndjson(found)
    elif form == "parquet":
        ROWS.write_parquet(found)
    scores = sm.evaluate({"1": [1, 2], "2": [1, 2]}, found, "SetP SetR NumRet")
    assert scores.mean.row(0)[1:] == (1.0, 0.75, 3.0)
    said = "2 ends of lists with -1, where an index found nothing; left out"
    assert any(said in note for note in scores.notes)


def test_minus_one_within_a_list_is_a_document():
    scores = sm.evaluate({"1": [1]}, {"1": [-1, 1]}, "RR NumRet")
    assert scores.mean.row(0)[1:] == (0.5, 2.0)
    assert scores.notes == ()
