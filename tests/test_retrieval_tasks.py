"""Abstention and changed instructions are scored as mteb scores them.

tools/record_scores.py asked mteb's functions for the scores in recorded/mteb.json.
"""

from __future__ import annotations

import json
from itertools import permutations

import duckdb
import polars as pl
import pytest
from conftest import ROOT, list_rows, make_qrels, make_run, open_shell

import sqlmetrics as sm

CASES = json.loads((ROOT / "tests" / "recorded" / "mteb.json").read_text(encoding="utf-8"))
QRELS = {"q1": ["a"], "q2": ["b"], "q3": ["c"], "q4": ["d"]}
RUN = {"q1": {"a": 9.0, "x": 2.0}, "q2": {"b": 8.0}, "q3": {"x": 1.0, "c": 0.5}}


@pytest.fixture
def con():
    return open_shell()


def ask_nauc(con, *cases):
    """Of each case, which are the confidences and the scores of queries."""
    rows = [
        (str(case), f"{n:03}", sure, score)
        for case, (confidences, scores) in enumerate(cases)
        for n, (sure, score) in enumerate(zip(confidences, scores, strict=True))
    ]
    frame = pl.DataFrame(rows, ["run_id", "query_id", "confidence", "score"], orient="row")
    con.register("scores", frame.drop("confidence"))
    con.register("confidences", frame.drop("score"))
    asked = "SELECT p.run_id, abstention_auc(p) FROM abstained(scores, confidences) AS p GROUP BY 1"
    found = dict(con.execute(asked).fetchall())
    return [found[str(case)] for case in range(len(cases))]


def test_nauc_is_that_of_mteb(con):
    assert len(CASES["nauc"]) > 50
    found = ask_nauc(con, *(case[:2] for case in CASES["nauc"]))
    assert found == pytest.approx([value for *_, value in CASES["nauc"]], abs=1e-12)


def test_nauc_of_equal_confidences_is_the_mean_over_their_orders(con):
    scores = [0.1, 0.9, 0.4, 0.7, 0.2]
    own = [([1, *order, 5], scores) for order in permutations([2, 3, 4])]
    tied, *others = ask_nauc(con, ([1, 2, 2, 2, 3], scores), *own)
    assert tied == pytest.approx(sum(others) / 6, abs=1e-12)


def test_nauc_is_1_by_the_scores_themselves_and_null_without_differences(con):
    scores = [0.1, 0.9, 0.4, 0.7, 0.2]
    cases = (scores, scores), ([1.0] * 5, scores), (scores, [0.5] * 5)
    assert ask_nauc(con, *cases) == [pytest.approx(1), pytest.approx(0, abs=1e-12), None]


def test_confidences_are_those_of_mteb(con):
    rows = [
        (str(query), f"d{n}", score)
        for query, (scores, _) in enumerate(CASES["confidence"])
        for n, score in enumerate(scores)
    ]
    con.register("lists", make_run(rows))
    asked = "SELECT query_id, highest, spread, gap FROM confidences(lists)"
    found = {query: values for query, *values in con.execute(asked).fetchall()}
    assert len(found) == len(CASES["confidence"])
    for query, (_, theirs) in enumerate(CASES["confidence"]):
        expected = [theirs["max"], theirs["std"], theirs["diff1"]]
        assert found[str(query)] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("confidence", "message"),
    [
        ([1.0, None], "query 001 of run 0 has no number as confidence"),
        ([1.0, float("nan")], "query 001 of run 0 has no number as confidence"),
    ],
)
def test_confidences_that_are_not_numbers_are_refused(con, confidence, message):
    with pytest.raises(duckdb.Error, match=message):
        ask_nauc(con, (confidence, [0.1, 0.2]))


def test_the_second_table_of_nauc_is_a_run_also_in_files(tmp_path):
    runs, frames = {"one": RUN}, {"one": make_run(list_rows(RUN))}
    scores = sm.evaluate(QRELS, runs, "RR P@1")
    expected = sm.nauc(scores, runs)
    assert expected["metric"].unique(maintain_order=True).to_list() == ["RR", "P@1"]
    scores.per_query.write_csv(tmp_path / "scores.csv")
    frames["one"].write_csv(tmp_path / "one.csv")
    for run in (runs, frames, tmp_path / "one.csv", str(tmp_path / "one.csv")):
        for given in (scores, scores.per_query, tmp_path / "scores.csv"):
            assert sm.nauc(given, run).equals(expected)


def test_nauc_is_of_the_queries_that_a_run_answers():
    runs = {"one": RUN, "two": RUN}
    found = sm.nauc(sm.evaluate(QRELS, runs, "RR P@1"), runs)
    assert found.columns == ["run_id", "metric", "confidence", "queries", "nauc"]
    assert found.rows()[:6] == [
        ("one", "RR", "highest", 3, pytest.approx(1)),
        ("one", "RR", "spread", 3, found["nauc"][1]),
        ("one", "RR", "gap", 3, found["nauc"][2]),
        ("one", "P@1", "highest", 3, pytest.approx(1)),
        ("one", "P@1", "spread", 3, found["nauc"][4]),
        ("one", "P@1", "gap", 3, found["nauc"][5]),
    ]
    assert found.height == 12


def test_nauc_reads_runs_once_and_refuses_scores_of_others():
    rows = [{"query_id": "q1", "doc_id": "a", "score": 1.0}]
    scores = sm.evaluate(QRELS, RUN, "RR")
    assert sm.nauc(scores, iter(rows))["queries"].to_list() == [1, 1, 1]


def test_p_mrr_is_that_of_mteb(con):
    assert len(CASES["p_mrr"]) > 50
    tables = {"changed": [], "earlier": [], "later": []}
    for case, (changed, before, after, _) in enumerate(CASES["p_mrr"]):
        tables["changed"] += [
            (f"{case}/{q}", doc, 0.0) for q, ids in changed.items() for doc in ids
        ]
        for name, lists in (("earlier", before), ("later", after)):
            tables[name] += [
                (f"{case}/{query.partition('-')[0]}", doc, score)
                for query, found in lists.items()
                for doc, score in found.items()
            ]
    for name, rows in tables.items():
        con.register(name, (make_qrels if name == "changed" else make_run)(rows))
    of_queries = (
        "SELECT p.query_id, query_p_mrr(p) AS x FROM moved(changed, earlier, later) AS p GROUP BY 1"
    )
    asked = f"SELECT split_part(query_id, '/', 1), avg(x) FROM ({of_queries}) GROUP BY 1"
    found = dict(con.execute(asked).fetchall())
    for case, (*_, expected) in enumerate(CASES["p_mrr"]):
        assert found[str(case)] == pytest.approx(expected, abs=1e-12)
    changed, before, after, expected = CASES["p_mrr"][0]
    runs = [{q.partition("-")[0]: d for q, d in each.items()} for each in (before, after)]
    total = sm.p_mrr(changed, *runs).row(0, named=True)
    assert total["p_mrr"] == pytest.approx(expected, abs=1e-12)
    assert total["documents"] == sum(map(len, changed.values()))


def test_robustness_of_mteb_is_the_mean_over_groups_of_the_lowest_score():
    queries = {"1_a": [2, 0, 1], "1_b": [0, 1, 2], "2_a": [1, 1, 0], "2_b": [0, 0, 1], "3_a": [2]}
    rows = [
        (q, f"d{n}", float(grade))
        for q, grades in queries.items()
        for n, grade in enumerate(grades)
    ]
    qrels, run = make_qrels(rows), make_run([(q, doc, -float(doc[1:])) for q, doc, _ in rows])
    groups = [query.partition("_")[0] for query in queries]
    topics = pl.DataFrame({"query_id": [*queries], "question": groups})
    # robustness_at_10 of mteb: the least of each group, averaged
    scores = dict(sm.evaluate(qrels, run, "nDCG@10").per_query.select("query_id", "nDCG@10").rows())
    lowest = [min(scores[q] for q in queries if q.startswith(group)) for group in {*groups}]
    found = sm.evaluate(qrels, run, "nDCG@10", topics=topics, by="question", aggregate="min")
    assert found.mean["nDCG@10"].mean() == pytest.approx(sum(lowest) / len(lowest))
    assert len({*lowest}) == 3
