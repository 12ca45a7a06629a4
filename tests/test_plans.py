"""The plans are ways to the same relation."""

from __future__ import annotations

import duckdb
import pytest
from conftest import make_qrels, make_run
from peers import make_collection

from sqlmetrics import catalogue
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
