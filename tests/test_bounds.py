"""Bounds of scores: against all ways to judge, in Python, in SQL and on the command line."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import product
from math import log2

import polars as pl
import pytest
from commands import run_command
from conftest import open_shell, write_inputs

import sqlmetrics as sm

TOP = 3


@cache
def make_lists(seed):
    """Small rankings: the grades of their documents, None where unjudged, and those not retrieved."""
    draw = random.Random(seed)
    lists = []
    for _ in range(60):
        grades = [draw.choice([0, 0, 1, 2, 3]) for _ in range(draw.randint(1, 7))]
        for place in draw.sample(range(len(grades)), draw.randint(0, min(4, len(grades)))):
            grades[place] = None
        others = [draw.randint(0, TOP) for _ in range(draw.randint(0, 4))]
        lists.append((grades, others or [draw.randint(0, TOP)]))
    return lists


def make_tables(seed):
    qrels, run = [], []
    for query, (grades, others) in enumerate(make_lists(seed)):
        for place, grade in enumerate(grades):
            run.append((f"q{query}", f"d{place}", float(-place)))
            if grade is not None:
                qrels.append((f"q{query}", f"d{place}", float(grade)))
        qrels += [(f"q{query}", f"x{place}", float(grade)) for place, grade in enumerate(others)]
    return (
        pl.DataFrame(qrels, ["query_id", "doc_id", "relevance"], orient="row"),
        pl.DataFrame(run, ["query_id", "doc_id", "score"], orient="row"),
    )


def dcg(grades, k, gain=float):
    return sum(gain(grade) / log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))


def exponential(grade):
    return 2.0**grade - 1


def ndcg(grades, known, k, gain=float):
    ideal = dcg(sorted(known, reverse=True), k, gain)
    return dcg(grades, k, gain) / ideal if ideal else 0.0


def ap(grades, known, k, rel=1):
    hits = [grade >= rel for grade in grades[:k]]
    relevant = sum(grade >= rel for grade in known)
    return sum(sum(hits[:r]) / r for r, hit in enumerate(hits, 1) if hit) / max(relevant, 1)


def rr(grades, known, k):
    return max((1 / rank for rank, grade in enumerate(grades[:k], 1) if grade >= 1), default=0.0)


def precision(grades, known, k):
    return sum(grade >= 1 for grade in grades[:k]) / k


def recall(grades, known, k):
    relevant = sum(grade >= 1 for grade in known)
    return sum(grade >= 1 for grade in grades[:k]) / max(relevant, 1)


def rbp(grades, known, k, p=0.8):
    return (1 - p) * sum(p**place for place, grade in enumerate(grades[:k]) if grade >= 1)


def err(grades, known, k):
    total, reached = 0.0, 1.0
    for rank, grade in enumerate(grades[:k], 1):
        stops = (2**grade - 1) / 2**4
        total, reached = total + reached * stops / rank, reached * (1 - stops)
    return total


FORMULAS = {
    "nDCG@3": lambda g, known: ndcg(g, known, 3),
    "nDCG@5": lambda g, known: ndcg(g, known, 5),
    "nDCG(gain='exponential')@5": lambda g, known: ndcg(g, known, 5, exponential),
    "nDCG(gain='binary')@10": lambda g, known: ndcg(g, known, 10, lambda x: float(x > 0)),
    "DCG@4": lambda g, known: dcg(g, 4),
    "DCG(gain='exponential')": lambda g, known: dcg(g, None, exponential),
    "AP": lambda g, known: ap(g, known, None),
    "AP@3": lambda g, known: ap(g, known, 3),
    "AP(rel=2)@5": lambda g, known: ap(g, known, 5, rel=2),
    "RR": lambda g, known: rr(g, known, None),
    "RR@2": lambda g, known: rr(g, known, 2),
    "P@3": lambda g, known: precision(g, known, 3),
    "R@3": lambda g, known: recall(g, known, 3),
    "Success@2": lambda g, known: float(any(grade >= 1 for grade in g[:2])),
    "RBP@4": lambda g, known: rbp(g, known, 4),
    "ERR@5": lambda g, known: err(g, known, 5),
}


def cutoff(name):
    return int(name.partition("@")[2]) if "@" in name else None


def list_values(grades, others, name):
    """The scores by all ways to judge the documents that the metric looks at."""
    k = cutoff(name)
    seen = [place for place, grade in enumerate(grades[:k]) if grade is None]
    for given in product(range(TOP + 1), repeat=len(seen)):
        full = [0 if grade is None else grade for grade in grades]
        for place, grade in zip(seen, given, strict=True):
            full[place] = grade
        judged = [full[place] for place, grade in enumerate(grades) if grade is not None]
        yield FORMULAS[name](full, [*judged, *given, *others])


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", FORMULAS)
def test_bounds_are_those_of_all_ways_to_judge(name, seed):
    found = sm.bounds(*make_tables(seed), name, max_rel=TOP).per_query
    known = {
        query: (low, high) for query, low, high in found["query_id", "low", "high"].iter_rows()
    }
    for query, (grades, others) in enumerate(make_lists(seed)):
        values = [*list_values(grades, others, name)]
        low, high = known[f"q{query}"]
        # what the run would list below its end may be relevant, down to the cut-off
        rest = 0.8 ** min(len(grades), 4) - 0.8**4 if name == "RBP@4" else 0
        assert low == pytest.approx(min(values), abs=1e-12)
        assert high == pytest.approx(max(values) + rest, abs=1e-12)


BOUNDED = ["nDCG", "nDCG(gain='exponential')", "DCG", "AP", "RR", "P", "R", "Success", "RBP", "ERR"]
# The grades of judgments: a few, none above 0, and one alone.
GRADES = {"few": (-1, 0, 1, 3), "none": (-1, 0), "one": (2,)}


def complete(place, grades, others, given, k):
    """The judgments of a list, each of them a query, by all ways to judge those down to k."""
    seen = [n for n, grade in enumerate(grades[:k]) if grade is None or grade < 0]
    for number, found in enumerate(product(given, repeat=len(seen))):
        known = {f"d{n}": grade for n, grade in enumerate(grades) if grade is not None}
        known |= {f"d{n}": grade for n, grade in zip(seen, found, strict=True)}
        yield f"{place} {number}", known | others


# Together, as what is asked of few lists and of many takes as long; without max_rel, the highest
# grade of all is the top.
TOGETHER = [*((None, (kind,)) for kind in GRADES), *((top, (*GRADES,)) for top in (0.5, 1, 2, 3))]


@pytest.mark.few(1)
@pytest.mark.parametrize(("max_rel", "kinds"), TOGETHER)
@pytest.mark.parametrize("rel", [1, 2, 4])
def test_bounds_are_what_evaluate_returns_for_all_ways_to_judge(rel, max_rel, kinds):
    qrels, run, all_qrels, all_runs = {}, {}, {}, {}
    lists = {}
    for kind, k in product(kinds, (3, 9)):
        draw = random.Random(f"{rel} {max_rel} {kind} {k}")
        for number in range(12):
            grades = [draw.choice([None, None, *GRADES[kind]]) for _ in range(draw.randint(1, 4))]
            others = {f"x{n}": draw.choice(GRADES[kind]) for n in range(draw.randint(1, 2))}
            lists[f"{kind}-{k}-{number}"] = grades, others, k
    judged = {
        grade
        for grades, others, _ in lists.values()
        for grade in (*grades, *others.values())
        if grade
    }
    top = max_rel or max([grade for grade in judged if grade > 0], default=1)
    given = sorted({0, top, *(grade for grade in (0.5, 1, 2, 3) if grade <= top)})
    for place, (grades, others, k) in lists.items():
        run[place] = {f"d{n}": -float(n) for n in range(len(grades))}
        known = {f"d{n}": grade for n, grade in enumerate(grades) if grade is not None}
        qrels[place] = known | others
        for query, completed in complete(place, grades, others, given, k):
            all_qrels[query], all_runs[query] = completed, run[place]
    names = [f"{name}@{k}" for name, k in product(BOUNDED, (3, 9))]
    names += [name for name in BOUNDED if name[:4] not in ("nDCG", "P", "R")]
    scores = sm.evaluate(all_qrels, all_runs, names, rel=rel).per_query
    scores = scores.with_columns(pl.col("query_id").str.split(" ").list.first())
    ends = scores.group_by("query_id").agg(
        *(pl.col(name).min().alias(f"low {name}") for name in names),
        *(pl.col(name).max().alias(f"high {name}") for name in names),
    )
    wanted = {row["query_id"]: row for row in ends.rows(named=True)}
    found = sm.bounds(qrels, run, names, rel=rel, max_rel=max_rel).per_query
    # each list is judged down to one of the cut-offs, and without one as far as it goes
    cut = pl.col("metric").str.split("@").list.get(1, null_on_oob=True).fill_null("9")
    found = found.filter(cut == pl.col("query_id").str.split("-").list.get(1))
    assert found.height == len(lists) // 2 * len(names)
    for row in found.rows(named=True):
        name, expected = row["metric"], wanted[row["query_id"]]
        end = min(len(run[row["query_id"]]), lists[row["query_id"]][2])
        # the residual of RBP: what the run would list below its end, down to k, is relevant, too
        k = lists[row["query_id"]][2] if "@" in name else math.inf
        rest = 0.8**end - 0.8**k if name.startswith("RBP") and top >= rel else 0
        assert row["low"] == pytest.approx(expected[f"low {name}"], abs=1e-12), row
        assert row["high"] == pytest.approx(expected[f"high {name}"] + rest, abs=1e-12), row


def test_every_metric_with_bounds_is_compared_with_all_ways_to_judge():
    with pytest.raises(sm.MetricError) as error:
        sm.bounds({"q": {"a": 1}}, {"q": {"a": 1.0}}, "Rprec")
    listed = str(error.value).partition("have: ")[2].split(", ")
    assert {*listed} == {name.partition("(")[0] for name in BOUNDED}


@pytest.mark.parametrize("grade", [-1, 0])
def test_without_relevant_judgments_an_unjudged_document_may_be_relevant(grade):
    found = sm.bounds({"q": {"d": grade}}, {"q": {"a": 1.0}}, "nDCG@3 AP RR").mean
    assert found.select("low", "high").unique().rows() == [(0.0, 1.0)]


def test_what_no_grade_can_reach_is_not_relevant(tmp_path):
    names = "AP P@3 R@3 RR Success@3 RBP@3"
    files = "examples/qrels.csv", "examples/bm25.csv"
    for options in ({"rel": 4}, {"rel": 3, "max_rel": 2}, {"rel": 1, "max_rel": 0.5}):
        found = sm.bounds(*files, names, **options).mean
        assert found["low"].to_list() == found["high"].to_list() == found["score"].to_list()
    status, out, _ = run_command("bounds", *files, "-m", names, "--rel", 4)
    assert status == 0
    assert "…" not in out


@pytest.mark.thorough
def test_the_scores_are_those_of_evaluate_and_lie_within():
    qrels, run = make_tables(0)
    names = " ".join(FORMULAS)
    found = sm.bounds(qrels, run, names)
    scores = sm.evaluate(qrels, run, names)
    assert found.mean["score"].to_list() == [*scores.mean.row(0)[1:]]
    assert (found.per_query["low"] <= found.per_query["score"]).all()
    assert (found.per_query["score"] <= found.per_query["high"]).all()
    means = found.per_query.group_by("metric").agg(pl.col("low", "high").mean())
    joined = found.mean.join(means, on="metric", suffix="_of_queries")
    assert (joined["low"] - joined["low_of_queries"]).abs().max() < 1e-12
    assert (joined["high"] - joined["high_of_queries"]).abs().max() < 1e-12


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["AP", "nDCG@10", "nDCG@100"])
def test_bounds_of_a_deep_list_are_the_best_of_the_first_or_last_documents(name):
    depth, formula = 300, {"AP": ap, "nDCG@10": ndcg, "nDCG@100": ndcg}[name]
    known = {n: n % 2 for n in range(0, depth, 7)}
    k = cutoff(name) or depth
    seen = [n for n in range(k) if n not in known]

    def score(relevant):
        full = [int(known.get(n, n in relevant)) for n in range(depth)]
        return formula(full, [*known.values(), *(1 for _ in relevant)], k)

    run = {"q": {f"d{n}": -float(n) for n in range(depth)}}
    qrels = {"q": {f"d{n}": grade for n, grade in known.items()}}
    ((low, high),) = sm.bounds(qrels, run, name).mean.select("low", "high").rows()
    numbers = range(len(seen) + 1)
    assert low == pytest.approx(min(score({*seen[len(seen) - m :]}) for m in numbers), abs=1e-11)
    assert high == pytest.approx(max(score({*seen[:m]}) for m in numbers), abs=1e-11)


def test_what_is_judged_has_no_bounds_but_its_score():
    qrels = {"q": {"a": 2, "b": 0, "c": 1}}
    run = {"q": {"a": 1.0, "b": 3.0, "c": 2.0}}
    found = sm.bounds(qrels, run, "nDCG@10 AP RR P@3 ERR@5").mean
    assert found["low"].to_list() == found["score"].to_list() == found["high"].to_list()


def test_a_judgment_below_0_counts_as_none():
    run = {"q": {"a": 2.0, "b": 1.0}}
    pooled = sm.bounds({"q": {"a": -1, "b": 1}}, run, "RR AP nDCG@2").per_query
    unjudged = sm.bounds({"q": {"b": 1}}, run, "RR AP nDCG@2").per_query
    assert pooled.equals(unjudged)


def test_a_query_without_results_scores_0_at_both_ends():
    found = sm.bounds({"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1.0}}, "AP nDCG@5").per_query
    assert found.filter(query_id="r").select("low", "high", "unjudged").unique().rows() == [
        (0, 0, 0)
    ]


def test_conventions_and_parameters_reach_the_bounds():
    qrels = {"q": {"a": 1, "b": 2}}
    run = {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}
    found = sm.bounds(qrels, run, "RR P@3", rel=2).mean
    assert found.select("metric", "low", "high").rows() == [
        ("RR", 1 / 3, 1 / 2),
        ("P@3", 1 / 3, 2 / 3),
    ]
    cut = sm.bounds(qrels, run, "P@3", depth=2).mean
    assert cut.select("low", "high").rows() == [(1 / 3, 2 / 3)]


RUNS = {
    "good": {"q": {"a": 3.0, "z": 2.0}, "r": {"d": 2.0, "e": 1.0}},
    "open": {"q": {"x": 3.0, "a": 2.0}, "r": {"d": 2.0, "e": 1.0}},
    "bad": {"q": {"c": 3.0}, "r": {"f": 1.0}},
}
QRELS = {"q": {"a": 1, "b": 1, "c": 0}, "r": {"d": 1, "e": 0, "f": 0}}


def test_pairs_whose_bounds_overlap_are_undecided():
    (row,) = sm.bounds(QRELS, RUNS, "AP").undecided.rows()
    assert row == ("AP", "good", "open", 0.125, pytest.approx(5 / 6 - 3 / 4))
    assert sm.bounds(QRELS, RUNS, "RR").undecided.is_empty()


def test_a_comparison_says_which_runs_may_change_places():
    found = sm.bounds(QRELS, RUNS, "AP RR").compare("good")
    (note,) = [note for note in found.notes if "reverse" in note]
    assert note == (
        "unjudged documents may reverse good and open by AP: 0.7500 … 0.8333 and 0.6250 … 0.8333"
    )
    assert found.tests.filter(run_id="open", metric="AP")["difference"].item() == -0.125
    assert not any("turn" in note for note in sm.bounds(QRELS, RUNS, "AP").compare("bad").notes)


def test_bounds_print_as_a_table():
    text = str(sm.bounds(QRELS, RUNS, "AP RR"))
    header, good, _, bad = text.splitlines()
    assert header.split() == ["run_id", "AP", "RR"]
    assert good.split() == ["good", "0.7500", "…", "0.8333", "1.0000"]
    assert bad.split() == ["bad", "0.0000", "0.0000"]


@pytest.fixture(scope="module")
def shell():
    qrels, run = make_tables(0)
    return open_shell(qrels=qrels, run=run)


def test_the_shell_has_the_same_bounds(shell):
    rows = shell.execute(
        """
        SELECT b.query_id, lowest_ndcg(b, k := 5), highest_ndcg(b, k := 5), highest_dcg(b, k := 5),
            highest_precision_at(b, k := 5), highest_recall_at(b, k := 5),
            highest_success_at(b, k := 5), highest_rr(b, k := 5), highest_rbp(b, k := 5),
            highest_err(b, k := 5)
        FROM bounded(qrels, run, max_rel := 3) AS b GROUP BY b.run_id, b.query_id ORDER BY b.query_id
        """
    ).fetchall()
    names = "nDCG@5 DCG@5 P@5 R@5 Success@5 RR@5 RBP@5 ERR@5"
    qrels, run = make_tables(0)
    found = sm.bounds(qrels, run, names, max_rel=3).per_query.sort("query_id", maintain_order=True)
    for (query, low, *high), (key,), part in zip(
        rows, *zip(*found.group_by("query_id", maintain_order=True), strict=True), strict=True
    ):
        assert query == key
        assert low == pytest.approx(part["low"][0], abs=1e-12)
        assert high == pytest.approx(part["high"].to_list(), abs=1e-12)


def test_the_shell_has_the_same_bounds_of_ap(shell):
    rows = shell.execute(
        """
        SELECT b.query_id, lowest_ap(b), highest_ap(b) FROM bounded(qrels, run, depth := 4) AS b
        GROUP BY b.run_id, b.query_id ORDER BY b.query_id
        """
    ).fetchall()
    found = sm.bounds(*make_tables(0), "AP@4").per_query.sort("query_id")
    assert [*map(list, zip(*rows, strict=True))][1] == pytest.approx(found["low"].to_list())
    assert [*map(list, zip(*rows, strict=True))][2] == pytest.approx(found["high"].to_list())


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("bounds"), {"qrels": QRELS}, RUNS)


def test_the_command_prints_bounds(files):
    given = [files / "qrels.csv", *(files / f"{name}.csv" for name in RUNS)]
    status, text, _ = run_command("bounds", *given, "-m", "P@2")
    assert status == 0
    assert "0.5000 … 0.7500" in text
    _, csv, _ = run_command("bounds", *given, "-m", "AP", "--undecided", "-f", "csv")
    assert csv.splitlines()[1].startswith("AP,good,open,0.125,")
    _, csv, _ = run_command("bounds", *given, "-m", "AP", "-q", "-f", "csv")
    assert csv.splitlines()[0] == "run_id,query_id,metric,score,low,high,unjudged"


def test_the_comparison_command_takes_bounds(files):
    given = [files / "qrels.csv", *(files / f"{name}.csv" for name in RUNS)]
    status, text, notes = run_command("compare", *given, "-m", "AP", "--bounds")
    assert (status, "▲▼" in text) == (0, True)
    assert "note: unjudged documents may reverse good and open by AP" in notes
    status, _, said = run_command("compare", *given, "-m", "AP", "--bounds", "--by", "x")
    assert (status, "remove --by" in said) == (2, True)
