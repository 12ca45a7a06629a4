"""What a release changes, without judgments: lists of two runs compared query by query."""

from __future__ import annotations

import random

import polars as pl
import pytest
from conftest import make_run

import sqlmetrics as sm


def make_lists(lists):
    """A run with these documents in this order, by query."""
    return make_run(
        (query, doc, -float(place))
        for query, docs in lists.items()
        for place, doc in enumerate(docs)
    )


def extrapolate(one, other, p):
    """RBO of two lists, by the sums of equation 32 of Webber, Moffat and Zobel 2010."""
    short, long = sorted((one, other), key=len)
    s, n = len(short), len(long)
    shared = [len({*short[:depth]} & {*long[:depth]}) for depth in range(n + 1)]
    if not s:
        return 0.0
    total = sum(shared[d] / d * p**d for d in range(1, n + 1))
    total += sum(shared[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * total + ((shared[n] - shared[s]) / n + shared[s] / s) * p**n


BEFORE = make_lists({"same": "abc", "order": "abc", "other": "abc", "lost": "ab"})
AFTER = make_lists({"same": "abc", "order": "bac", "other": "abd", "won": "x"})


def test_a_release_is_described_by_the_shares_and_means_of_its_queries():
    found = sm.run_differences(BEFORE, AFTER, k=3).row(0, named=True)
    assert found.pop("note") == "answered by the baseline only: 1, by this run only: 1"
    rbo = [1, extrapolate("abc", "bac", 0.9), extrapolate("abc", "abd", 0.9), 0, 0]
    assert found == pytest.approx(
        {
            "run_id": "run",
            "queries": 5,
            "changed": 4 / 5,
            "documents_changed": 3 / 5,  # not the one in another order
            "first_changed": 3 / 5,  # not the one with another third document
            "overlap": (1 + 1 + 2 / 3 + 0 + 0) / 5,
            "rbo": sum(rbo) / 5,
            "came": (1 + 1) / 5,
            "went": (1 + 2) / 5,
        }
    )
    two = sm.run_differences(BEFORE, AFTER, k=2).row(0, named=True)
    assert two["changed"] == 3 / 5  # the third documents do not count
    same = sm.run_differences(BEFORE, BEFORE).row(0, named=True)
    assert [same[name] for name in ("changed", "first_changed", "overlap", "rbo", "note")] == (
        [0, 0, 1, 1, None]
    )


def test_weights_make_shares_of_queries_shares_of_traffic():
    asked = {"same": 6, "order": 1, "other": 2, "lost": 0, "won": 1, "never": 50}
    topics = pl.DataFrame({"query_id": [*asked], "weight": [*asked.values()]})
    found = sm.run_differences(BEFORE, AFTER, topics, k=3).row(0, named=True)
    assert found["changed"] == pytest.approx(4 / 10)
    assert found["first_changed"] == pytest.approx(2 / 10)
    assert found["overlap"] == pytest.approx((6 + 1 + 2 * 2 / 3) / 10)
    for wrong, said in (
        (topics.filter(pl.col("query_id") != "lost"), "topics has no query lost"),
        (pl.concat([topics, topics[:1]]), "topics has query same 2 times"),
        (topics.with_columns(weight=-pl.col("weight")), "weight must be a number, 0 or more, for"),
        (topics.with_columns(weight=None), "weight must be a number, 0 or more, for query"),
    ):
        with pytest.raises(sm.InputError, match=said):
            sm.run_differences(BEFORE, AFTER, wrong)


def test_queries_that_changed_most_come_first():
    found = sm.changed_queries(BEFORE, AFTER, k=3)
    assert found["query_id"].to_list() == ["lost", "won", "other", "order"]
    assert found.select("came", "went").rows() == [(0, 2), (1, 0), (1, 1), (0, 0)]
    firsts = [("a", None), (None, "x"), ("a", "a"), ("a", "b")]
    assert found.select("first_before", "first_after").rows() == firsts
    topics = pl.DataFrame({"query_id": ["same", "order", "other", "lost", "won"], "weight": 1})
    topics = topics.with_columns(weight=pl.when(query_id="other").then(100).otherwise("weight"))
    found = sm.changed_queries(BEFORE, AFTER, topics, k=3, queries="all")
    assert found["query_id"].to_list() == ["other", "lost", "won", "order", "same"]
    assert found["weight"].to_list() == [100, 1, 1, 1, 1]


@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
def test_rank_biased_overlap_is_extrapolated_as_in_the_article(p):
    drawn = random.Random(4)
    lists = [
        {str(q): drawn.sample("abcdefghijklmno", drawn.randint(1, 12)) for q in range(40)}
        for _ in range(2)
    ]
    before, after = ({q: docs[:8] for q, docs in each.items()} for each in lists)
    found = sm.changed_queries(*map(make_lists, lists), k=8, p=p, queries="all")
    assert found.height == 40
    for row in found.iter_rows(named=True):
        one, other = before[row["query_id"]], after[row["query_id"]]
        assert row["rbo"] == pytest.approx(extrapolate(one, other, p), rel=1e-12, abs=1e-15)
        assert row["overlap"] == len({*one} & {*other}) / max(len(one), len(other))
        assert row["changed"] == (one != other)


def test_runs_are_each_compared_with_one_baseline():
    runs = {"a": AFTER, "b": BEFORE}
    assert sm.run_differences(BEFORE, runs).select("run_id", "queries").rows() == [
        ("a", 5),
        ("b", 4),
    ]
    with pytest.raises(sm.InputError, match="must be one run"):
        sm.run_differences(runs, AFTER)


def test_documents_at_the_same_rank_of_both_runs_need_no_judgment():
    docs = [f"d{n:02}" for n in range(30)]
    before = make_lists({"q": docs})
    after = make_lists({"q": [*docs[:3], docs[4], docs[3], *docs[5:29], "new"]})
    asked = sm.to_judge(None, {"old": before, "new": after}, strategy="runs", depth=30)
    differ = asked.filter(pl.col("influence") > 0)["doc_id"].to_list()
    assert {*differ} == {"d03", "d04", "d29", "new"}
