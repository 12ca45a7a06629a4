"""Pools: what to judge next, and how much judgments depend on single runs."""

from __future__ import annotations

import math
import random
from math import log2, sqrt

import polars as pl
import pytest
from commands import run_command
from conftest import (
    ROOT,
    list_rows,
    make_qrels,
    make_run,
    open_shell,
    write_inputs,
)

import sqlmetrics as sm
from sqlmetrics.progress import collecting_remarks

QRELS = {"q": {"a": 1, "b": 0, "c": 0}, "r": {"d": 1}}
RUNS = {
    "one": {"q": {"b": 9.0, "x": 8.0, "a": 7.0}, "r": {"d": 2.0, "y": 1.0}},
    "two": {"q": {"x": 9.0, "z": 8.0}, "r": {"y": 2.0}, "s": {"w": 1.0}},
    "six": {"q": {"b": 9.0, "c": 8.0, "z": 7.0}},
}


def choose(strategy, **options):
    found = sm.to_judge(QRELS, RUNS, strategy=strategy, **options)
    return found.select("query_id", "doc_id").rows()


def test_unjudged_documents_come_with_what_they_can_change():
    found = sm.to_judge(QRELS, RUNS).sort("query_id", "doc_id")
    counts = found.select("query_id", "doc_id", "runs", "best_rank", "misses").rows()
    assert counts == [("q", "x", 2, 1, 0), ("q", "z", 2, 2, 0), ("r", "y", 2, 1, 0)]
    x = [1 / log2(3), 1.0, 0.0]
    z = [0.0, 1 / log2(3), 1 / log2(4)]
    for row, values in zip(found.rows(named=True), (x, z, x), strict=True):
        mean = sum(values) / 3
        assert row["weight"] == pytest.approx(sum(values))
        deviation = sqrt(sum((value - mean) ** 2 for value in values) / 3)
        assert row["influence"] == pytest.approx(deviation)
    assert found["relevance"].null_count() == 3


def test_each_order_puts_its_best_first():
    assert choose("scores") == [("q", "x"), ("r", "y"), ("q", "z")]
    assert choose("depth") == [("q", "x"), ("r", "y"), ("q", "z")]
    assert choose("runs") == [("q", "x"), ("r", "y"), ("q", "z")]
    assert choose("front") == [("q", "x"), ("r", "y"), ("q", "z")]


def test_move_to_front_leaves_runs_that_found_nothing():
    qrels = {"q": {"b": 0, "c": 0, "a": 1}}
    runs = {
        "poor": {"q": {"b": 9.0, "c": 8.0, "x": 7.0}},
        "good": {"q": {"a": 9.0, "e": 8.0, "f": 7.0, "y": 6.0}},
    }
    front = sm.to_judge(qrels, runs, strategy="front")
    assert front.select("doc_id", "misses").rows() == [("e", 0), ("f", 0), ("y", 0), ("x", 2)]
    depth = sm.to_judge(qrels, runs, strategy="depth")
    assert depth["doc_id"].to_list() == ["e", "f", "x", "y"]


def test_a_budget_takes_the_first_and_the_next_call_goes_on():
    first = sm.to_judge(QRELS, RUNS, budget=2)
    assert first["doc_id"].to_list() == ["x", "y"]
    rows = [(q, d, float(r)) for q, docs in QRELS.items() for d, r in docs.items()]
    qrels = pl.DataFrame(rows, ["query_id", "doc_id", "relevance"], orient="row")
    judged = first.select("query_id", "doc_id", pl.lit(1.0).alias("relevance"))
    assert sm.to_judge(pl.concat([qrels, judged]), RUNS, budget=2)["doc_id"].to_list() == ["z"]


def test_depth_says_how_far_down_to_look():
    assert choose("scores", depth=1) == [("q", "x"), ("r", "y")]


def test_queries_without_judgments_are_asked_for():
    assert ("s", "w") not in choose("scores")
    assert ("s", "w") in choose("scores", queries="all")
    assert sm.to_judge(None, RUNS).height == 8


def test_a_shell_takes_judgments_without_rows():
    con = open_shell()
    con.execute("CREATE TABLE qrels (query_id VARCHAR, doc_id VARCHAR, relevance BIGINT)")
    con.execute("CREATE TABLE run AS SELECT 'q' AS query_id, 'a' AS doc_id, 1.0 AS score")
    found = con.sql("SELECT query_id, doc_id FROM to_judge('qrels', 'run')")
    assert found.fetchall() == [("q", "a")]


def test_a_judgment_below_0_is_to_be_made():
    qrels = {"q": {"x": -1, "a": 1}}
    assert "x" in sm.to_judge(qrels, RUNS)["doc_id"].to_list()


def test_choices_are_those_of_a_plain_program():
    draw = random.Random(3)
    documents = [f"d{n}" for n in range(30)]
    queries = [f"q{n}" for n in range(6)]
    runs = {
        f"r{n}": {
            q: dict(zip(draw.sample(documents, 15), range(15, 0, -1), strict=True)) for q in queries
        }
        for n in range(5)
    }
    runs = {
        name: {q: {d: float(s) for d, s in docs.items()} for q, docs in lists.items()}
        for name, lists in runs.items()
    }
    qrels = {q: {d: draw.choice([0, 1]) for d in draw.sample(documents, 8)} for q in queries}
    expected = {}
    for lists in runs.values():
        for query, docs in lists.items():
            misses = 0
            for rank, document in enumerate(sorted(docs, key=docs.get, reverse=True)[:10], 1):
                known = qrels[query].get(document)
                misses += known == 0
                if known is None:
                    expected.setdefault((query, document), []).append((rank, misses))
    found = sm.to_judge(qrels, runs)
    assert found.height == len(expected)
    for row in found.iter_rows(named=True):
        seen = expected[row["query_id"], row["doc_id"]]
        assert row["runs"] == len(seen)
        assert row["best_rank"] == min(rank for rank, _ in seen)
        assert row["misses"] == min(misses for _, misses in seen)
        assert row["weight"] == pytest.approx(sum(1 / log2(rank + 1) for rank, _ in seen))
    assert found["weight"].round(9).is_sorted(descending=True)


# Pool bias


def leave_out_by_hand(name, qrels, runs, metric, depth):
    """The scores of all runs without the judgments that only one of them has."""
    tops = {
        run: {
            (q, d)
            for q, docs in lists.items()
            for d in sorted(docs, key=docs.get, reverse=True)[:depth]
        }
        for run, lists in runs.items()
    }
    others = set().union(*(top for run, top in tops.items() if run != name))
    gone = {(q, d) for q, docs in qrels.items() for d in docs if (q, d) in tops[name] - others}
    # a query keeps its place in the mean
    rest = {
        q: {d: -1 if (q, d) in gone else r for d, r in docs.items()} for q, docs in qrels.items()
    }
    return gone, sm.evaluate(rest, runs, metric).mean


def test_a_run_is_scored_without_what_it_alone_found():
    draw = random.Random(5)
    documents = [f"d{n}" for n in range(20)]
    runs = {
        f"r{n}": {f"q{q}": {d: draw.random() for d in draw.sample(documents, 8)} for q in range(5)}
        for n in range(4)
    }
    qrels = {f"q{q}": {d: draw.choice([0, 1, 1]) for d in documents} for q in range(5)}
    found = sm.pool_bias(qrels, runs, "AP nDCG@5", pool_depth=4)
    assert found.height == 8
    for row in found.iter_rows(named=True):
        gone, mean = leave_out_by_hand(row["run_id"], qrels, runs, row["metric"], 4)
        assert row["alone"] == len(gone)
        assert row["relevant_alone"] == sum(qrels[q][d] for q, d in gone)
        score = mean.filter(run_id=row["run_id"])[row["metric"]].item()
        assert row["score_without"] == pytest.approx(score, abs=1e-12)
        assert row["change"] == pytest.approx(score - row["score"], abs=1e-12)
        assert row["rank_without"] == 1 + (mean[row["metric"]] > score + 1e-12).sum()


def test_a_metric_that_is_text_has_no_rank():
    qrels = {"q": {"a": 1, "b": 1}}
    runs = {"x": {"q": {"a": 2.0, "b": 1.0}}, "y": {"q": {"b": 2.0, "c": 1.0}}}
    found = sm.pool_bias(qrels, runs, "RR Relstring@2").select("metric", "score", "rank")
    assert found.rows() == [("RR", 1.0, 1), ("Relstring@2", None, None)] * 2


def test_runs_of_a_group_are_left_out_together():
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    runs = {
        "x1": {"q": {"a": 3.0, "b": 2.0}},
        "x2": {"q": {"b": 3.0, "a": 2.0}},
        "y": {"q": {"c": 3.0, "b": 2.0}},
    }
    alone = sm.pool_bias(qrels, runs, "P@2")
    assert alone.select("run_id", "alone").rows() == [("x1", 0), ("x2", 0), ("y", 1)]
    grouped = sm.pool_bias(qrels, runs, "P@2", groups={"x1": "x", "x2": "x"})
    assert grouped.select("run_id", "alone", "score_without").rows() == [
        ("x1", 1, 0.5), ("x2", 1, 0.5), ("y", 1, 0.5),
    ]  # fmt: skip


# In SQL and on the command line


@pytest.fixture(scope="module")
def shell():
    runs = [
        make_run(list_rows(lists)).with_columns(run_id=pl.lit(name)) for name, lists in RUNS.items()
    ]
    return open_shell(qrels=make_qrels(list_rows(QRELS)), run=pl.concat(runs))


@pytest.mark.thorough
def test_the_shell_lists_what_is_not_judged_and_what_one_run_found(shell):
    notes = sm.to_judge(QRELS, RUNS, strategy="runs")["note"].to_list()
    assert notes[0] == "1 query has no judgments, and its documents are left out"
    ranks = shell.execute(
        "SELECT run_id, rank FROM unjudged(qrels, run) WHERE doc_id = 'x'"
    ).fetchall()
    assert sorted(ranks) == [("one", 2), ("two", 1)]
    alone = shell.execute(
        "SELECT run_id, doc_id FROM found_alone(qrels, run) ORDER BY ALL"
    ).fetchall()
    assert alone == [("one", "a"), ("one", "d"), ("six", "c")]
    grouped = shell.execute(
        "SELECT run_id, doc_id FROM found_alone(qrels, run, groups := MAP {'one': 'x', 'two': 'x'}) "
        "ORDER BY ALL"
    ).fetchall()
    assert {*grouped} >= {("six", "c"), ("x", "a"), ("x", "d")}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("pools"), {"qrels": QRELS}, RUNS)


@pytest.mark.thorough
def test_the_commands_write_what_python_returns(files):
    runs = [files / f"{name}.csv" for name in RUNS]
    given = [word for file in runs for word in ("--run", file)]
    batch = files / "batch.csv"
    status, _, notes = run_command(
        "to-judge", "--qrels", files / "qrels.csv", *given, "--budget", 2, "-o", batch
    )
    assert (status, notes) == (
        0,
        "note: two and the judgments have no document in common: ids look like 'w' and 'a'\n",
    )
    assert pl.read_csv(batch)["doc_id"].to_list() == ["x", "y"]
    status, text, _ = run_command("to-judge", *given, "-f", "csv")
    assert (status, len(text.splitlines())) == (0, 9)
    groups = ["--group", "one=a", "--group", "two=a"]
    status, text, _ = run_command(
        "pool-bias", files / "qrels.csv", *runs, "-m", "P@2", *groups, "-f", "csv"
    )
    assert status == 0
    assert text.splitlines()[1].startswith("one,P@2,2,2,")


def test_what_is_excluded_is_no_document_that_a_run_alone_found():
    qrels = {"q": {"q": 1, "a": 1}}
    runs = {"old": {"q": {"q": 2.0, "a": 1.0}}, "new": {"q": {"a": 1.0}}}
    found = sm.pool_bias(qrels, runs, "R@2", exclude="self")
    # both are a alone, which is one of two relevant documents
    columns = ["run_id", "alone", "score", "score_without"]
    assert found.select(columns).rows() == [("old", 0, 0.5, 0.5), ("new", 0, 0.5, 0.5)]


# Sampled judgments

SAMPLE = ROOT / "tests" / "sample_eval"


def infer_queries(qrels, run, k=10):
    """The inferred scores of each query, by their names in sample_eval.pl."""
    names = {"inferred_ap": "xinfAP", "inferred_ndcg": "infNDCG", "inferred_precision": f"iP@{k}"}
    return sm.inferred(qrels, run, k=k, per_query=True).rename(names)


def test_inferred_scores_are_those_of_sample_eval():
    # values.csv is what sample_eval.pl of October 2011 prints, with twelve decimals
    given = (SAMPLE / "qrels.txt", SAMPLE / "run.txt")
    found, more = (infer_queries(*given, k) for k in (10, 50))
    found = found.with_columns(more["iP@50"])
    expected = pl.read_csv(SAMPLE / "values.csv", schema_overrides={"query_id": pl.String})
    rows = found.unpivot(index=["run_id", "query_id"], variable_name="measure").join(
        expected, on=["query_id", "measure"], suffix="_expected"
    )
    assert rows.height == expected.height == 20
    assert (rows["value"] - rows["value_expected"]).abs().max() < 1e-11


def test_means_of_inferred_scores_count_queries_without_results():
    found = sm.inferred(SAMPLE / "qrels.txt", SAMPLE / "run.txt")
    per_query = infer_queries(SAMPLE / "qrels.txt", SAMPLE / "run.txt")
    assert per_query.height == 6
    assert per_query.filter(query_id="6").row(0)[2:] == (0, 0, 0)
    assert found["query_id"].to_list() == [None]
    assert found["inferred_ap"].item() == pytest.approx(per_query["xinfAP"].mean(), abs=1e-15)


def read_sample():
    columns = {"query_id": 0, "doc_id": 2, "stratum": 3, "relevance": 4}
    words = [line.split() for line in (SAMPLE / "qrels.txt").read_text().splitlines()]
    return pl.DataFrame({name: [row[place] for row in words] for name, place in columns.items()})


def test_a_sample_that_is_judged_whole_has_the_plain_scores():
    frame = read_sample().with_columns(pl.col("relevance").cast(pl.Int64).clip(0, None))
    run = SAMPLE / "run.txt"
    found = infer_queries(frame, run, 5)
    plain = sm.evaluate(frame.drop("stratum"), run, "AP nDCG P@5").per_query
    # documents that are not pooled are not relevant to either; ε is 1e-5 of a document
    for ours, theirs in (("xinfAP", "AP"), ("infNDCG", "nDCG"), ("iP@5", "P@5")):
        assert found[ours].to_list() == pytest.approx(plain[theirs].to_list(), abs=1e-4)


@pytest.mark.thorough
def test_the_shell_infers_as_python_does(tmp_path):
    run = [line.split() for line in (SAMPLE / "run.txt").read_text().splitlines()]
    rows = [(q, d, float(s)) for q, _, d, _, s, _ in run]
    frame = pl.DataFrame(rows, ["query_id", "doc_id", "score"], orient="row")
    con = open_shell(pool=read_sample(), lists=frame)
    rows = con.execute(
        "SELECT query_id, inferred_ap(r), inferred_ndcg(r), inferred_precision(r, k := 10) "
        "FROM stratified(pool, lists) AS r GROUP BY r.run_id, r.query_id ORDER BY query_id"
    ).fetchall()
    found = infer_queries(SAMPLE / "qrels.txt", SAMPLE / "run.txt")
    assert rows == found.drop("run_id").rows()


def test_half_a_document_of_an_ideal_ranking_is_rounded_up_in_any_order_of_rows():
    # 3/2 of the first stratum and three times 4/3 of the second: 5.5 relevant documents
    rows = [("1", "a", "x", 1), ("1", "b", "x", 0), ("1", "c", "x", -1), ("1", "d", "y", -1)]
    rows += [("1", f"e{n}", "y", 1) for n in range(3)]
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 7))
    for given in (rows, rows[::-1]):
        sample = pl.DataFrame(given, ["query_id", "doc_id", "stratum", "relevance"], orient="row")
        found = sm.inferred(sample, {"1": {"a": 1.0}})
        assert found["inferred_ndcg"].item() == pytest.approx(1 / ideal, rel=1e-12)


def test_a_broken_line_of_a_sample_is_named(tmp_path):
    file = tmp_path / "qrels.txt"
    file.write_text("1 0 a 1 1\n1 0 b 1\n", encoding="utf-8")
    with pytest.raises(sm.InputError) as error:
        sm.inferred(file, SAMPLE / "run.txt")
    said = f"{file} line 2 is not of the form 'query_id iteration doc_id stratum relevance'"
    assert str(error.value) == said


def test_a_run_without_documents_of_the_sample_is_noted():
    sample = pl.DataFrame(
        {"query_id": "q", "doc_id": ["a", "b"], "stratum": 1, "relevance": [1, 0]}
    )
    runs = {"x": make_run([("q", "a", 1.0)]), "y": make_run([("q", "other", 1.0)])}
    with collecting_remarks() as notes:
        sm.inferred(sample, runs)
    assert any("y and the judgments have no document in common" in note for note in notes)


def test_pool_bias_takes_the_first_of_repeated_documents():
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    rows = [("x", "q", "a", 3.0), ("x", "q", "b", 1.0), ("y", "q", "c", 1.0)]
    columns = ["run_id", "query_id", "doc_id", "score"]
    once = pl.DataFrame(rows, columns, orient="row")
    twice = pl.DataFrame([rows[0], ("x", "q", "a", 2.0), *rows[1:]], columns, orient="row")
    found = sm.pool_bias(qrels, twice, "P@2", repeated="first")
    assert found.equals(sm.pool_bias(qrels, once, "P@2"))
    with pytest.raises(sm.InputError, match="document a appears 2 times"):
        sm.pool_bias(qrels, twice, "P@2")
