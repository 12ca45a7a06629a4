"""Documents to exclude are left out of runs before these are ranked, whatever reads them."""

from __future__ import annotations

import random
from functools import partial

import duckdb
import polars as pl
import pytest
import pytrec_eval
from commands import run_command
from conftest import ROOT, keep, open_shell

import sqlmetrics as sm

METRICS = {"nDCG@10": "ndcg_cut_10", "AP": "map", "R@5": "recall_5", "P@3": "P_3"}
QUERIES, DOCUMENTS = range(20), range(30)


def draw(seed, of_each, values):
    """For each query some documents, whose ids are those of the queries, too."""
    chance = random.Random(seed)
    return {
        f"d{q}": {f"d{d}": chance.choice(values) for d in chance.sample(DOCUMENTS, of_each)}
        for q in QUERIES
    }


QRELS, RUN = draw(1, 9, [0, 1, 2]), draw(2, 14, [0.5, 1.0, 1.5, 2.0])
SEEN = draw(3, 6, [1])
TABLES = {
    name: pl.DataFrame(
        [(q, d, value) for q, found in rows.items() for d, value in found.items()],
        schema=["query_id", "doc_id", column],
        orient="row",
    )
    for name, rows, column in [
        ("qrels", QRELS, "relevance"),
        ("run", RUN, "score"),
        ("seen", SEEN, "views"),
    ]
}


def expect(exclude):
    """The scores by pytrec_eval of a run whose documents were dropped one by one, as in BEIR."""
    kept = {
        q: {d: x for d, x in found.items() if (d != q if exclude == "self" else d not in SEEN[q])}
        for q, found in RUN.items()
    }
    assert sum(map(len, kept.values())) < sum(map(len, RUN.values()))
    asked = {"ndcg_cut.10", "map", "recall.5", "P.3"}
    found = pytrec_eval.RelevanceEvaluator(QRELS, asked).evaluate(kept)
    return sorted((q, *(scores[name] for name in METRICS.values())) for q, scores in found.items())


def assert_scores(rows, exclude):
    expected = expect(exclude)
    assert [row[0] for row in sorted(rows)] == [row[0] for row in expected]
    for row, theirs in zip(sorted(rows), expected, strict=True):
        assert row[1:] == pytest.approx(theirs[1:], abs=1e-12)


@pytest.fixture
def folder(tmp_path):
    for name, frame in TABLES.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
        frame.write_csv(tmp_path / f"{name}.csv")
    lines = (f"{q} Q0 {d} 0 {x} tag" for q, d, x in TABLES["run"].rows())
    (tmp_path / "run.trec").write_text("\n".join(lines))
    seen = (f"{q} 0 {d} 1" for q, d, _ in TABLES["seen"].rows())
    (tmp_path / "seen.qrels").write_text("\n".join(seen))
    return tmp_path


def test_the_preset_of_beir_drops_identical_ids_by_itself():
    scores = sm.evaluate(QRELS, RUN, [*METRICS], preset="beir")
    assert_scores(scores.per_query.drop("run_id").rows(), "self")
    assert sm.Conventions.of("beir").exclude == "self"


@pytest.mark.few(1)
@pytest.mark.parametrize("run", ["run.csv", "run.parquet", "run.trec"])
@pytest.mark.parametrize("exclude", ["self", "seen.csv", "seen.parquet", "seen.qrels"])
def test_ranks_are_those_of_the_documents_left(folder, run, exclude):
    given = exclude if exclude == "self" else folder / exclude
    scores = sm.evaluate(folder / "qrels.csv", folder / run, [*METRICS], exclude=given)
    assert_scores(scores.per_query.drop("run_id").rows(), exclude)
    con = open_shell()
    if not {run, exclude} & {"run.trec", "seen.qrels"}:  # which SQL does not read
        assert_scores([row[1:] for row in con.execute(scores.sql).fetchall()], exclude)


@pytest.mark.parametrize(
    "seen", [SEEN, TABLES["seen"], TABLES["seen"].to_pandas(), TABLES["seen"].lazy()],
    ids=["dict", "polars", "pandas", "lazy"],
)  # fmt: skip
def test_any_form_of_table_excludes(seen):
    scores = sm.evaluate(QRELS, [RUN], [*METRICS], exclude=seen)
    assert_scores(scores.per_query.drop("run_id").rows(), "seen")


def test_numbers_are_the_same_ids_as_their_text():
    frames = [
        frame.with_columns(pl.col("query_id", "doc_id").str.slice(1).cast(int))
        for frame in TABLES.values()
    ]
    seen = frames.pop().with_columns(pl.col("doc_id").cast(str))
    rows = sm.evaluate(*frames, [*METRICS], exclude=seen).per_query.drop("run_id").rows()
    assert_scores([(f"d{q}", *scores) for q, *scores in rows], "seen")


def test_ties_stay_in_the_order_of_the_input():
    run = pl.DataFrame({"query_id": "q", "doc_id": list("zyxba"), "score": 1.0})
    seen = {"q": {"z": 1, "x": 1}}
    assert sm.evaluate({"q": {"b": 1}}, run, "RR", ties="input", exclude=seen)["RR"] == 1 / 2
    lists = pl.concat([run.with_columns(query_id=pl.lit(f"q{n}")) for n in range(5)])
    mixed = lists.sample(fraction=1, shuffle=True, seed=1)
    qrels = {f"q{n}": {"b": 1} for n in range(5)}
    seen = {query: {"z": 1} for query in qrels}
    for each in (lists, mixed):
        left = each.filter(pl.col("doc_id") != "z")
        expected = sm.evaluate(qrels, left, "RR", ties="input").per_query
        assert sm.evaluate(qrels, each, "RR", ties="input", exclude=seen).per_query.equals(expected)


@pytest.mark.few(1)
@pytest.mark.parametrize("exclude", ["self", "seen"])
@pytest.mark.parametrize("options", [{"dialect": "duckdb"}, {}, {"score_type": "float32"}])
def test_the_sql_of_metrics_excludes_the_same(exclude, options):
    con = duckdb.connect()
    keep(con, **TABLES)
    found = con.execute(sm.sql([*METRICS], exclude=exclude, **options))
    places = [name for name, *_ in found.description].index("query_id")
    assert_scores([row[places:] for row in found.fetchall()], exclude)


def test_without_is_a_run_for_any_relation():
    rows = (
        open_shell(**TABLES)
        .execute("""
        WITH kept AS (SELECT * FROM without(run, seen))
        SELECT j.query_id, ndcg(j, k := 10), ap(j), recall_at(j, k := 5), precision_at(j, k := 3)
        FROM judged(qrels, kept) AS j
        GROUP BY j.run_id, j.query_id
    """)
        .fetchall()
    )
    assert_scores(rows, "seen")


def test_curves_and_bounds_are_of_the_documents_left():
    left = TABLES["run"].join(TABLES["seen"], on=["query_id", "doc_id"], how="anti")
    for curve in (partial(sm.precision_recall_table, k=4), sm.roc_curve):
        assert curve(QRELS, TABLES["run"], exclude=SEEN).equals(curve(QRELS, left))
    expected = sm.bounds(QRELS, left, "nDCG@10 AP").per_query
    assert sm.bounds(QRELS, TABLES["run"], "nDCG@10 AP", exclude=SEEN).per_query.equals(expected)


def test_judgments_of_excluded_documents_stay():
    scores = sm.evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, "R@2", exclude={
        "q": {"a": 1}
    })  # fmt: skip
    assert scores["R@2"] == 1 / 2


def test_what_is_left_is_checked_and_what_is_not_left_is_not():
    twice = pl.DataFrame({"query_id": "q", "doc_id": ["a", "a", "b"], "score": [3.0, 2, 1]})
    assert sm.evaluate({"q": {"b": 1}}, twice, "RR", exclude={"q": {"a": 1}})["RR"] == 1
    with pytest.raises(sm.InputError, match="document a appears 2 times"):
        sm.evaluate({"q": {"b": 1}}, twice, "RR", exclude={"q": {"b": 1}})
    lost = pl.DataFrame({"query_id": ["q", None], "doc_id": ["b", None], "score": [1.0, 2]})
    with pytest.raises(sm.InputError, match="row without query_id and doc_id"):
        sm.evaluate({"q": {"b": 1}}, lost, "RR", exclude="self")


@pytest.mark.thorough
def test_commands_take_a_file_or_self(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    files = ["examples/qrels.csv", "examples/bm25.csv", "examples/neural.csv"]
    seen = tmp_path / "seen.csv"
    seen.write_text("query_id,doc_id\nbread,rye\nbread,sourdough\n")
    expected = sm.evaluate(files[0], files[1:], "AP", exclude=seen).mean.write_csv()
    excluded = ["--exclude", str(seen)]
    assert run_command("evaluate", *files, "-m", "AP", *excluded, "-f", "csv")[1] == expected
    for command, *given in (
        ["compare", "-m", "AP"],
        ["gate", "--max-loss", "AP=1"],
        ["bounds", "-m", "AP"],
    ):
        assert run_command(command, *files, *given, *excluded)[0] == 0
    page = tmp_path / "page.html"
    assert run_command("report", *files, "-m", "AP", "--preset", "beir", "-o", str(page))[0] == 0
    assert "documents whose id is the query" in page.read_text(encoding="utf-8")
    given = ("--qrels", files[0], "--run", files[1], "--exclude", str(seen))
    assert run_command("roc-curve", *given)[0] == 0


def test_holes_are_counted_without_what_is_excluded():
    qrels = {"q": {"a": 1}, "r": {"c": 1}}
    run = {"q": {"x": 5.0, "y": 4.0, "a": 3.0, "c": 2.0}, "r": {"z": 3.0, "a": 2.0, "c": 1.0}}
    gone = pl.DataFrame({"query_id": ["q", "r"], "doc_id": ["x", "a"]})
    found = sm.evaluate(qrels, run, "Hole@2 Hole", exclude=gone).per_query
    # y a c, of which a and c are judged for some query; z c
    assert found.drop("run_id").rows() == [("q", 1 / 2, 1 / 3), ("r", 1 / 2, 1 / 2)]


@pytest.mark.parametrize(
    "function",
    [
        lambda run, **given: sm.evaluate({"q": {"a": 1}}, run, "RR", **given),
        lambda run, **given: sm.bounds({"q": {"a": 1}}, run, "RR", **given),
        lambda run, **given: sm.precision_recall_curve({"q": {"a": 1}}, run, **given),
    ],
)
def test_a_run_of_which_nothing_is_left_is_refused(function):
    # of several in a table, or each by itself: without it, it would be lost in silence
    runs = {"kept": {"q": {"a": 1.0, "b": 0.5}}, "gone": {"q": {"b": 1.0}}}
    rows = [
        (run_id, q, d, x)
        for run_id, run in runs.items()
        for q, found in run.items()
        for d, x in found.items()
    ]
    table = pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")
    for given in (runs, table):
        with pytest.raises(sm.InputError, match="exclude= leaves out all documents of run 'gone'"):
            function(given, exclude={"q": {"b": 1}})
