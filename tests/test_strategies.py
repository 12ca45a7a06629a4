"""All strategies give the same relation; the one that suits the input is chosen."""

from __future__ import annotations

import random
from contextlib import ExitStack
from dataclasses import replace

import duckdb
import polars as pl
import pytest
from conftest import create_macros, make_qrels, make_run
from peers import make_collection

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.engines import macros, strategies
from sqlmetrics.engines.strategies import Sizes
from sqlmetrics.inputs import workspace
from sqlmetrics.inputs.columns import QRELS
from sqlmetrics.inputs.reader import Reader
from sqlmetrics.inputs.streams import Stream

PLANS = list(catalogue.files()["strategies"])


def rank(strategy, qrels, run):
    con = duckdb.connect()
    create_macros(con, strategy)
    con.register("qrels", Stream(qrels))
    con.register("run", Stream(run))
    return con.execute("FROM judged(qrels, run) ORDER BY ALL").fetchall()


@pytest.mark.few(2)
@pytest.mark.parametrize("strategy", [strategy for strategy in PLANS if strategy != "sorting"])
@pytest.mark.parametrize("scores", ["tied", "close"])
def test_every_plan_gives_the_rows_of_sorting(strategy, scores):
    qrels, run = make_collection(scores=scores)
    assert rank(strategy, qrels, run) == rank("sorting", qrels, run)


@pytest.mark.parametrize("strategy", PLANS)
def test_every_plan_ranks_scores_at_the_ends_of_their_range(strategy):
    scores = [float("inf"), 1e308, 5e-324, 0.0, -0.0, -5e-324, -1e308, float("-inf")]
    run = make_run(("q", f"d{place}", score) for place, score in enumerate(scores))
    qrels = make_qrels(("q", f"d{place}", 1) for place in range(len(scores)))
    ranks = {doc: place for _, _, doc, _, _, place, *_ in rank(strategy, qrels, run)}
    assert ranks == {"d0": 1, "d1": 2, "d2": 3, "d4": 4, "d3": 5, "d5": 6, "d6": 7, "d7": 8}


@pytest.mark.few(2)
@pytest.mark.parametrize("strategy", PLANS)
@pytest.mark.parametrize(("judged", "rank"), [("a", 5), ("b", 4), ("c", 3), ("a b", 4), ("d a", 2)])
def test_every_plan_ties_both_zeros(strategy, judged, rank):
    run = {"q": {"a": 0.0, "b": -0.0, "c": 0.0, "d": -0.0, "e": 1.0, "f": -1.0}}
    qrels = {"q": dict.fromkeys(judged.split(), 1)}
    assert sm.evaluate(qrels, run, "RR", strategy=strategy).mean["RR"].to_list() == [1 / rank]
    (expected,) = sm.evaluate(qrels, run, "P@2", strategy=strategy, ties="expected").mean["P@2"]
    assert expected == pytest.approx(len(qrels["q"]) / 4 / 2)


def make_lists(seed):
    """Several runs with lists of every length, some of them tied throughout, and odd judgments."""
    pick = random.Random(seed)
    judged = {(f"q{pick.randrange(9)}", f"d{pick.randrange(40)}") for _ in range(120)}
    qrels = make_qrels((query, doc, pick.randint(-1, 3)) for query, doc in sorted(judged))
    rows = []
    for number in range(3):
        for query in pick.sample(range(1, 12), 8):  # of which some are not judged
            levels = pick.choice((1, 3, 100))
            docs = pick.sample(range(60), pick.randint(1, 60))
            scores = [pick.randrange(levels) / 7 for _ in docs]
            ids = [f"d{doc}" for doc in docs]
            rows += zip([f"r{number}"] * 60, [f"q{query}"] * 60, ids, scores, strict=False)
    pick.shuffle(rows)
    return qrels, pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")


@pytest.mark.few(2)
@pytest.mark.parametrize("strategy", [strategy for strategy in PLANS if strategy != "sorting"])
@pytest.mark.parametrize("seed", range(20))
def test_every_plan_ranks_several_runs_in_one_table(strategy, seed):
    qrels, run = make_lists(seed)
    assert rank(strategy, qrels, run) == rank("sorting", qrels, run)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(20))
def test_rows_that_cannot_change_a_score_are_dropped_before_ranking(seed):
    qrels, run = make_lists(seed)
    con = duckdb.connect()
    create_macros(con)
    macros.create_bare_macros(con, macros.needed_files())
    con.register("qrels", Stream(qrels))
    con.register("run", Stream(run))
    with ExitStack() as undo:
        reader = Reader(con, undo, has_tables=True)
        judgments, lists = reader.read(qrels, QRELS), strategies.count_lists(reader, "run")
        sizes = strategies.find_sizes(con, judgments, lists)
        assert (sizes.runs, sizes.retrieved, sizes.judged) == (3, run.height, qrels.height)
        deep = strategies.narrow(reader, "qrels", "run", sizes)
        assert con.sql(f"FROM {deep}").fetchall() == [
            row for row in run.iter_rows() if row[1] in qrels["query_id"]
        ]
        assert strategies.find_sizes(con, judgments, lists, 50) == sizes
        left = [run.height]
        for depth in (6, 3, 1):
            cut = strategies.find_sizes(con, judgments, lists, depth)
            assert (cut.depth, cut.ranked) == (depth, depth * cut.queries * 3)
            narrow = strategies.narrow(reader, "qrels", "run", cut)
            judged = f"FROM judged({{}}, {{}}, depth := {depth}) ORDER BY ALL"
            whole = con.execute(judged.format("qrels", "run")).fetchall()
            assert con.execute(judged.format("qrels", narrow)).fetchall() == whole
            left += con.execute(f"SELECT count(*) FROM {narrow}").fetchone()
        assert left == sorted(left, reverse=True)
        assert len(set(left)) == len(left)


@pytest.mark.parametrize(
    ("retrieved", "judged", "queries", "most_judged", "strategy"),
    [
        (7_000_000, 7000, 7000, 1, "counting"),
        (10**9, 10**6, 10**6, 1, "counting"),
        (7_000_000, 9000, 7000, 2000, "sorting"),
        (10**7, 1_600_000, 200_000, 8, "listing"),
        (10**9, 10**8, 10**7, 10, "sorting"),
        (250_000, 75_000, 250, 300, "sorting"),
    ],
)
def test_the_plan_is_chosen_by_sizes_and_memory(retrieved, judged, queries, most_judged, strategy):
    con = duckdb.connect(config={"memory_limit": "8GB"})
    sizes = Sizes(1, retrieved, retrieved, judged, queries, most_judged)
    assert strategies.choose_strategy(con, sizes) == strategy


def test_another_plan_is_chosen_where_the_fastest_has_no_room():
    con = duckdb.connect(config={"memory_limit": "100MB", "temp_directory": ""})
    sizes = Sizes(1, 1_500_000, 1_500_000, 1500, 15, 100)
    assert strategies.take_strategy(con, sizes) == "counting"
    con.execute("SET memory_limit = '1TB'")
    assert strategies.take_strategy(con, sizes) == "listing"
    con.execute("SET memory_limit = '50MB'; SET temp_directory = '/tmp'")
    assert strategies.take_strategy(con, sizes) == "sorting"


def test_only_what_is_ranked_needs_room():
    con = duckdb.connect(config={"memory_limit": "50MB", "temp_directory": ""})
    sizes = Sizes(1, 10**9, 10**9, 15_000, 50, 300)
    with pytest.raises(sm.InputError, match="no folder for temporary files"):
        strategies.take_strategy(con, sizes)
    assert strategies.take_strategy(con, replace(sizes, matched=50_000)) == "sorting"
    assert strategies.take_strategy(con, replace(sizes, depth=100)) == "sorting"


def test_a_connection_without_memory_limit_scores():
    con = duckdb.connect()
    con.execute("SET memory_limit = '-1'")
    assert sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", con=con).mean["AP"].to_list() == [
        1
    ]


@pytest.mark.thorough
def test_a_depth_may_be_larger_than_what_duckdb_keeps():
    run = pl.select(query_id=pl.lit("q"), doc_id=pl.int_range(2_000_001), score=pl.lit(1.0))
    for depth, found in ((999_999, 0), (1_000_000, 0), (2_000_001, 1)):
        scores = sm.evaluate({"q": {"0": 1}}, run, "NumRelRet", depth=depth)
        assert scores.mean["NumRelRet"].to_list() == [found]


@pytest.mark.thorough
def test_counting_holds_no_tied_documents():
    run = pl.select(
        query_id=pl.lit("q"),
        doc_id=pl.format("document number {}", pl.int_range(700_000)),
        score=pl.lit(0.5),
    )
    con = duckdb.connect(config={"memory_limit": "120MB"})
    qrels = {"q": {"document number 7": 1}}
    scores = sm.evaluate(qrels, run, "NumRet RR", con=con, strategy="counting", ties="ascending")
    assert scores.mean["NumRet"].to_list() == [700_000]


@pytest.mark.parametrize("strategy", PLANS)
def test_a_plan_can_be_chosen(monkeypatch, strategy):
    qrels, run = make_lists(0)
    taken = []
    needed = macros.needed_files

    def watch(*given, strategy, **options):
        taken.append(strategy)
        return needed(*given, strategy=strategy, **options)

    monkeypatch.setattr("sqlmetrics.engines.duckdb.needed_files", watch)
    mean = sm.evaluate(qrels, run, "AP nDCG@3", strategy=strategy).mean
    assert taken == [strategy]
    usual = sm.evaluate(qrels, run, "AP nDCG@3").mean
    for column in ("AP", "nDCG@3"):
        figures = usual[column].to_list()
        assert mean[column].to_list() == pytest.approx(figures, rel=0, abs=1e-12)


@pytest.mark.parametrize("strategy", ["hashing", ["sorting"], "", 1])
def test_a_plan_that_does_not_exist_is_refused(strategy):
    with pytest.raises(sm.InputError, match="'counting', 'listing', 'sorting', not "):
        sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", strategy=strategy)
    with pytest.raises(sm.InputError, match="'counting', 'listing', 'sorting', not "):
        sm.explain({"q": {"a": 1}}, {"q": {"a": 1.0}}, strategy=strategy)


def test_the_plan_and_its_memory_are_explained():
    qrels, run = make_lists(0)
    strategy, retrieved, judged, memory = sm.explain(qrels, run).splitlines()
    assert strategy.split() == [
        "strategy",
        "listing:",
        *catalogue.find("strategies", "listing").summary.split(),
    ]
    matched = run.filter(pl.col("query_id").is_in(qrels["query_id"].to_list())).height
    assert (
        retrieved == f"retrieved  {run.height} documents in 3 runs, of which {matched} are ranked"
    )
    assert judged.split()[:3] == ["judged", f"{qrels.height}", "documents"]
    assert "about 0 MB; the limit is" in memory
    assert sm.explain(qrels, run, strategy="sorting").startswith(
        "strategy   sorting: Sorts the run"
    )


def test_what_can_have_no_room_is_refused_before_it_starts(monkeypatch):
    con = duckdb.connect(config={"memory_limit": "1GB", "temp_directory": "/nowhere/else"})
    sizes = Sizes(1, 10**8, 10**8, 10**8, 10**6, 100)
    with pytest.raises(sm.InputError, match=r"counting .* needs about 60\.1 GB .* is 953\.6 MiB"):
        strategies.take_strategy(con, sizes, "counting")
    monkeypatch.setattr(workspace, "find_free_space", lambda _: 30 * 10**9)
    with pytest.raises(sm.InputError, match=r"about 40\.0 GB .* /nowhere/else has 30\.0 GB free"):
        strategies.take_strategy(con, sizes, "sorting")
    monkeypatch.setattr(workspace, "find_free_space", lambda _: 40 * 10**9)
    strategies.take_strategy(con, sizes, "sorting")


def test_a_text_that_fits_no_memory_is_refused_before_it_is_read(tmp_path):
    con = duckdb.connect(config={"temp_directory": ""})
    run = tmp_path / "run.txt"
    run.write_text("".join(f"q Q0 {number} 1 {-number} tag\n" for number in range(400_000)))
    con.execute("SET memory_limit = '2MB'")
    with pytest.raises(sm.InputError, match=r"run\.txt needs about 3 MB of memory .* 1\.9 MiB"):
        sm.evaluate({"q": {"1": 1}}, run, "AP", con=con)
