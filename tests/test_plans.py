"""The plans are ways to the same relation; the one that suits the input is taken."""

from __future__ import annotations

import random
from contextlib import ExitStack

import duckdb
import polars as pl
import pytest
from conftest import make_qrels, make_run
from peers import make_collection

import sqlmetrics as sm
from sqlmetrics import catalogue, plans, workspace
from sqlmetrics.columns import QRELS, RUN
from sqlmetrics.plans import Sizes
from sqlmetrics.sources import Reader
from sqlmetrics.streams import Stream

PLANS = list(catalogue.files()["plans"])


def rank(plan, qrels, run):
    con = duckdb.connect()
    catalogue.create_macros(con, catalogue.needed_files(plan=plan), temporary=False)
    con.register("qrels", Stream(qrels))
    con.register("run", Stream(run))
    return con.execute("FROM judged(qrels, run) ORDER BY ALL").fetchall()


@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan != "sorting"])
@pytest.mark.parametrize("scores", ["tied", "close"])
def test_every_plan_gives_the_rows_of_sorting(plan, scores):
    qrels, run = make_collection(scores=scores)
    assert rank(plan, qrels, run) == rank("sorting", qrels, run)


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_ranks_scores_at_the_ends_of_their_range(plan):
    scores = [float("inf"), 1e308, 5e-324, 0.0, -0.0, -5e-324, -1e308, float("-inf")]
    run = make_run(("q", f"d{place}", score) for place, score in enumerate(scores))
    qrels = make_qrels(("q", f"d{place}", 1) for place in range(len(scores)))
    ranks = {doc: place for _, _, doc, _, _, place, *_ in rank(plan, qrels, run)}
    assert ranks == {"d0": 1, "d1": 2, "d2": 3, "d4": 4, "d3": 5, "d5": 6, "d6": 7, "d7": 8}


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


@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan != "sorting"])
@pytest.mark.parametrize("seed", range(20))
def test_every_plan_ranks_several_runs_in_one_table(plan, seed):
    qrels, run = make_lists(seed)
    assert rank(plan, qrels, run) == rank("sorting", qrels, run)


@pytest.mark.parametrize("seed", range(20))
def test_what_cannot_change_a_figure_is_left_out_before_ranking(seed):
    qrels, run = make_lists(seed)
    con = duckdb.connect()
    catalogue.create_macros(con, catalogue.needed_files(), temporary=False)
    con.register("qrels", Stream(qrels))
    con.register("run", Stream(run))
    with ExitStack() as undo:
        reader = Reader(con, undo, has_tables=True)
        inputs = reader.read(qrels, QRELS), reader.read(run, RUN, "run")
        sizes = plans.find_sizes(con, inputs[0], inputs[1:])
        assert (sizes.runs, sizes.retrieved, sizes.judged) == (3, run.height, qrels.height)
        deep = plans.narrow(reader, "qrels", "run", sizes, {None, 3}, drops=True)
        assert con.sql(f"FROM {deep}").fetchall() == [
            row for row in run.iter_rows() if row[1] in qrels["query_id"]
        ]
        left = [run.height]
        for depth in (9, 3, 1):
            narrow = plans.narrow(reader, "qrels", "run", sizes, {depth, 1}, drops=True)
            judged = f"FROM judged({{}}, {{}}, depth := {depth}) ORDER BY ALL"
            whole = con.execute(judged.format("qrels", "run")).fetchall()
            assert con.execute(judged.format("qrels", narrow)).fetchall() == whole
            left += con.execute(f"SELECT count(*) FROM {narrow}").fetchone()
        assert left == sorted(left, reverse=True)
        assert len(set(left)) == len(left)


@pytest.mark.parametrize(
    ("sizes", "plan"),
    [
        (Sizes(runs=1, retrieved=7_000_000, judged=7000, queries=7000, most_judged=1), "counting"),
        (Sizes(runs=1, retrieved=10**9, judged=10**6, queries=10**6, most_judged=1), "counting"),
        (Sizes(runs=1, retrieved=7_000_000, judged=9000, queries=7000, most_judged=2000), "sorting"),
        (Sizes(runs=1, retrieved=10**7, judged=1_600_000, queries=200_000, most_judged=8), "listing"),
        (Sizes(runs=1, retrieved=10**9, judged=10**8, queries=10**7, most_judged=10), "sorting"),
        (Sizes(runs=9, retrieved=9_000_000, judged=90_000, queries=9000, most_judged=10), "listing"),
        (Sizes(runs=1, retrieved=250_000, judged=75_000, queries=250, most_judged=300), "sorting"),
    ],
)  # fmt: skip
def test_the_plan_is_chosen_by_sizes_and_memory(sizes, plan):
    con = duckdb.connect(config={"memory_limit": "8GB"})
    assert plans.choose_plan(con, sizes) == plan


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_may_be_asked_for(monkeypatch, plan):
    qrels, run = make_lists(0)
    taken = []
    needed = catalogue.needed_files

    def watch(*given, plan, **options):
        taken.append(plan)
        return needed(*given, plan=plan, **options)

    monkeypatch.setattr(catalogue, "needed_files", watch)
    mean = sm.evaluate(qrels, run, "AP nDCG@3", plan=plan).mean
    assert taken == [plan]
    assert mean.equals(sm.evaluate(qrels, run, "AP nDCG@3").mean)


def test_a_plan_that_does_not_exist_is_refused():
    with pytest.raises(sm.InputError, match="'counting', 'listing', 'sorting', not 'hashing'"):
        sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", plan="hashing")


def test_the_plan_and_its_memory_are_explained():
    qrels, run = make_lists(0)
    plan, retrieved, judged, memory = sm.explain(qrels, run).splitlines()
    assert plan.split() == ["plan", "listing:", *catalogue.find("plans", "listing").summary.split()]
    assert retrieved.split() == ["retrieved", f"{run.height}", "documents", "in", "3", "runs"]
    assert judged.split()[:3] == ["judged", f"{qrels.height}", "documents"]
    assert "about 0 MB; the limit is" in memory
    assert sm.explain(qrels, run, plan="sorting").startswith("plan       sorting: Sorts the run")


def test_what_can_have_no_room_is_refused_before_it_starts(monkeypatch):
    con = duckdb.connect(config={"memory_limit": "1GB", "temp_directory": "/nowhere/else"})
    sizes = Sizes(runs=1, retrieved=10**8, judged=10**8, queries=10**6, most_judged=100)
    with pytest.raises(sm.InputError, match=r"counting .* takes about 60\.1 GB .* is 953\.6 MiB"):
        plans.require_room(con, "counting", sizes)
    monkeypatch.setattr(workspace, "find_free_space", lambda _: 30 * 10**9)
    with pytest.raises(sm.InputError, match=r"about 40\.0 GB .* /nowhere/else has 30\.0 GB free"):
        plans.require_room(con, "sorting", sizes)
    monkeypatch.setattr(workspace, "find_free_space", lambda _: 40 * 10**9)
    plans.require_room(con, "sorting", sizes)


def test_text_and_judgments_that_fit_no_memory_are_refused_before_they_are_read(tmp_path):
    con = duckdb.connect(config={"temp_directory": ""})
    run = tmp_path / "run.txt"
    run.write_text("".join(f"q Q0 {number} 1 {-number} tag\n" for number in range(200_000)))
    qrels = pl.DataFrame({"query_id": "q", "doc_id": range(50_000), "relevance": 1}, strict=False)
    con.execute("SET memory_limit = '2MB'")
    with pytest.raises(sm.InputError, match=r"run\.txt takes about 5 MB of memory and temp"):
        sm.evaluate({"q": {"1": 1}}, run, "AP", con=con)
    with pytest.raises(
        sm.InputError, match=r"judgments frame takes about 2 MB of memory, .* 1\.9 MiB"
    ):
        sm.evaluate(qrels, {"q": {"1": 1.0}}, "AP", con=con)
