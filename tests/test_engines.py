"""Every metric on every engine that runs here, and Spark as an engine of evaluate."""

from __future__ import annotations

import math
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from io import StringIO
from itertools import product

import doors
import duckdb
import engine_tables
import engines
import numpy as np
import polars as pl
import pytest
import recommended as cases
from click_logs import draw_log, score_log
from commands import run_command
from conftest import ROOT, make_qrels, make_run
from messages import assert_message, read_typed
from plain_statistics import (
    DRAWN,
    STATISTICAL,
    ask_statistics,
    ask_wilcoxon,
    compare_analysis,
    draw_scores,
)
from scipy import stats
from test_clicks import simulate
from test_recommendations import LIST, OF_TWO, TWO
from test_vectors import NEAR, OF_PADDED, PADDED, draw, make_frame

import sqlmetrics as sm
from sqlmetrics.catalogue import list_analyses
from sqlmetrics.inputs.columns import KINDS, RANGED_SCORES, SCORES
from sqlmetrics.progress import collecting_remarks

pytestmark = pytest.mark.engines


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    with engines.start_spark(folder, **engines.SMALL_QUERIES) as session:
        yield session


@pytest.fixture(scope="session")
def postgres():
    with engines.start_postgres() as address:
        yield address


def start_engine(name, folder, request):
    server = {"Spark": "spark", "PostgreSQL": "postgres"}.get(name)
    return engines.ENGINES[name](folder, request.getfixturevalue(server) if server else None)


# Those in one process compute what is expected once.
TOGETHER = pytest.mark.xdist_group("spark")


def ask(name, folder, request):
    if name in ("DataFusion", "ClickHouse"):
        return engines.ask_alone(name, at_once=20)
    return engines.ask(start_engine(name, folder, request), at_once=20)


# of which the tests of plain SQL ask DuckDB
@pytest.mark.parametrize(
    "name",
    [
        *("DataFusion", "ClickHouse"),
        *(pytest.param(name, marks=TOGETHER) for name in ("Spark", "PostgreSQL", "SQLite")),
    ],
)
def test_metrics_conventions_and_statements_give_the_scores_of_duckdb(name, tmp_path, request):
    told = ask(name, tmp_path, request)
    found, by_convention = told.by_metric, told.by_convention
    assert {m: d for m, d in found.items() if isinstance(d, float) and d > engines.EXACT} == {}
    cannot = {measure for measure, score in found.items() if isinstance(score, str)}
    assert cannot == engines.read_page().get(name), engines.STALE
    assert {
        c: d for c, d in by_convention.items() if isinstance(d, float) and d > engines.EXACT
    } == {}
    refused = {c: d for c, d in by_convention.items() if isinstance(d, str)}
    reasons = {"SQLite": "32-bit", "DataFusion": "sums over a variable number of ranks"}
    assert all(name in reasons and reasons[name] in why for why in refused.values())
    assert len(refused) < len(by_convention) / 2
    assert engines.STATEMENTS.keys() == told.by_statement.keys()
    assert max(told.by_statement.values()) <= engines.EXACT
    rows, missing = {}, {}
    for macro, each in told.by_table.items():
        (missing if isinstance(each, str) else rows)[macro] = each
    assert {macro: each for macro, each in rows.items() if each[1] > 1e-9} == {}
    assert engine_tables.list_reasons(name, missing) == engine_tables.list_reasons(
        name, engine_tables.read_reasons(name)
    ), engines.STALE


def test_the_page_lists_all_metrics_and_engines():
    assert set(engines.read_page()) == {*engines.ENGINES}, engines.STALE
    page = engines.PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)) == {
        *engines.list_all_measures()
    }, engines.STALE


def test_what_is_read_from_the_page_is_what_it_was_written_from(monkeypatch):
    monkeypatch.setattr(engines, "list_refusals", engines.read_refusals)  # those of other engines
    written = engines.write_page(*engines.read_differences())
    assert written == engines.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(engine_tables, "list_refusals", engine_tables.read_reasons)
    written = engine_tables.write_page(*engine_tables.read_page())
    assert written == engine_tables.PAGE.read_text(encoding="utf-8")


def test_the_page_of_analyses_lists_all_analyses_checks_and_engines():
    found, _ = engine_tables.read_page()
    assert [*found] == [*engines.ENGINES], engines.STALE
    names = [*list_analyses(), *engine_tables.list_names()]
    assert [*found["DuckDB"]] == names, engines.STALE


@pytest.mark.parametrize("name", ["DataFusion", "SQLite"])
def test_engines_tie_both_zeros(name, tmp_path):
    engine = engines.ENGINES[name](tmp_path)
    scores = {"a": 0.0, "b": -0.0, "c": 0.0, "d": -0.0, "e": 1.0, "f": -1.0}
    engine.load("qrels", make_qrels(("q", doc, 1) for doc in "b"))
    engine.load("run", make_run(("q", doc, score) for doc, score in scores.items()))
    # e, then d, c and b by their ids, and in expectation b at one of four ranks
    ((_, rr),) = engine.ask(sm.sql("RR", dialect=engine.dialect))
    assert rr == pytest.approx(1 / 4)
    ((_, rr),) = engine.ask(sm.sql("P@2", dialect=engine.dialect, ties="expected"))
    assert rr == pytest.approx(1 / 4 / 2)


@pytest.mark.parametrize("name", ["DataFusion", "ClickHouse", "SQLite", "PostgreSQL"])
def test_several_values_in_a_cell_are_read_by_plain_sql(name, tmp_path, request):
    had = pl.DataFrame({"query_id": ["1"], "doc_id": ["b"]})
    tables = {"run": LIST, "items": TWO["bars"], "history": had}
    wide = "|".join(["драма" * 4 + str(number) for number in range(9)])  # 198 characters
    others = {"wide": pl.DataFrame({"doc_id": ["a", "b"], "category": [wide, wide[:21]]})}
    engine = start_engine(name, tmp_path, request)
    for each, table in {**tables, **others}.items():
        engine.load(each, table)
    (found,) = engine.ask(sm.sql([*OF_TWO], dialect=engine.dialect))
    assert found == pytest.approx([*OF_TWO.values()], rel=engines.EXACT)
    query = sm.sql("ILD CategoricalDiversity", dialect=engine.dialect)
    (found,) = engine.ask(query.replace("FROM items", "FROM wide"))
    assert found == pytest.approx((1 - 1 / 3, 9 / 2), rel=engines.EXACT)


USERS = pl.DataFrame(
    {
        "user_id": [*map(str, range(16))],
        "variant": ["A", "B"] * 8,
        "numerator": [1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 6.0, 8.0] * 2,
        "segment": ["s"] * 8 + ["t"] * 8,
    }
)
PAGES = pl.DataFrame({"page_id": ["p"], "clicked": [1.0], "team": ["b"]}).clear()
# Analyses of few rows, and their rows by hand: 1 - alpha / 2 where none of two tests is significant.
SMALL = {
    "SELECT segment, users, confidence FROM experiment({}, correction := 'bh')": (
        USERS,
        [("s", 4, pytest.approx(0.975)), ("t", 4, pytest.approx(0.975))],
    ),
    "SELECT segment, past_users FROM users_needed({}, difference := 1)": (
        USERS.filter(variant="A"),
        [("s", 4), ("t", 4)],
    ),
    "SELECT segment, spread FROM users_needed({}, difference := 1)": (
        USERS[:1],
        [("s", None)],
    ),
    "SELECT units, preference, low, high FROM interleaving({})": (
        PAGES,
        [(0, None, -0.5, 0.5)],
    ),
}


@pytest.mark.parametrize("name", ["DataFusion", "ClickHouse", "SQLite", "PostgreSQL"])
def test_analyses_of_few_rows_have_their_rows_by_hand(name, tmp_path, request):
    engine = start_engine(name, tmp_path, request)
    for place, (query, (table, expected)) in enumerate(SMALL.items()):
        engine.load(f"few{place}", table)
        columns = {each: each for each in ("segment", "team") if each in table.columns}
        text = sm.sql(query.format(f"few{place}"), dialect=engine.dialect, columns=columns)
        assert sorted(engine.ask(text)) == expected, query


@pytest.mark.parametrize("name", ["DataFusion", "ClickHouse", "SQLite", "PostgreSQL"])
def test_a_ratio_of_large_values_to_small_ones_has_the_p_of_scipy(name, tmp_path, request):
    drawn = np.random.default_rng(0)
    below = drawn.integers(1, 9, 200).astype(float)
    above = below * drawn.exponential(size=200) * 1e12
    users = pl.DataFrame({"variant": ["A", "B"] * 100, "numerator": above, "denominator": below})
    engine = start_engine(name, tmp_path, request)
    engine.load("large", users.with_row_index("user_id").cast({"user_id": pl.String}))

    def linearize(first):
        y, z = above[first::2], below[first::2]
        return (y - y.sum() / z.sum() * z) / z.mean() + y.sum() / z.sum()

    expected = stats.ttest_ind(linearize(1), linearize(0), equal_var=False).pvalue
    query = "SELECT p FROM experiment(large)"
    columns = {"denominator": "denominator"}
    ((found,),) = engine.ask(sm.sql(query, dialect=engine.dialect, columns=columns))
    assert found == pytest.approx(expected, rel=1e-9)


def test_datafusion_distinguishes_sums_over_other_ranks(tmp_path):
    engine = engines.DataFusion(tmp_path)
    for name in ("qrels", "run"):
        engine.load(name, engines.make_tables()[name])
    found = engines.compare_scores(engine, ["SET", "SET@3", "NPV@5", "NPV@3"])
    assert max(found.values()) <= engines.EXACT


# Spark

WRONG = {
    name: read_typed(ROOT / "tests" / "wrong" / f"{name}.txt") for name in ("spark", "engines")
}
# A metric of recommendations over each relation.
RECOMMENDED = (
    "ItemCoverage@3 Gini(exposure='discounted')@3 Entropy@3 ExposureRatio@3 PopREO@3 UserCoverage "
    "MeanPopRank@3 EPC@3 Serendipity@3 Overlap@3 ILD@3 Miscalibration@3 AWRF@3"
)


def move(spark, data):
    """The same data, whose frames are frames of Spark."""
    if isinstance(data, dict):
        return {name: move(spark, each) for name, each in data.items()}
    return spark.createDataFrame(data.to_arrow()) if isinstance(data, pl.DataFrame) else data


def ask_both(spark, ask, *given, **options):
    """What is returned on Spark, whose frames are what DuckDB returns."""
    there = [move(spark, each) for each in given]
    got, expected = ask(*there, **move(spark, options), engine=spark), ask(*given, **options)
    if isinstance(got, pl.DataFrame):
        assert_same(got, expected)
    else:
        assert_same(got.per_query, expected.per_query)
        assert_same(got.mean, expected.mean)
    return got


@TOGETHER
class TestSpark:
    @pytest.fixture(scope="class")
    def tables(self, spark, tmp_path_factory):
        engine = engines.Spark(tmp_path_factory.mktemp("tables"), spark)
        for name, frame in engines.make_tables().items():
            engine.load(name, frame)
        return engines.make_tables()

    def test_evaluate_returns_what_it_returns_with_duckdb(self, spark, tables):
        measures = "nDCG@10 AP ERR RBP(p=0.5) Bpref StRecall@5 AP(aggregate='pooled') NumRet"
        options = {"depth": 20, "queries": "answered", "rel": 1}
        got = sm.evaluate("qrels", "run", measures, engine=spark, **options)
        expected = sm.evaluate(tables["qrels"], tables["run"], measures, **options)
        assert_same(got.per_query, expected.per_query)
        assert_same(got.mean, expected.mean)
        assert [n for n in got.notes if "no judgments" in n or "judged queries" in n] == [
            n for n in expected.notes if "no judgments" in n or "judged queries" in n
        ]

    def test_a_frame_needs_no_engine(self, spark, tables):
        qrels, run = (spark.table(name) for name in ("qrels", "run"))
        for each in (run, {"of a dict": run}, [run]):
            found = sm.evaluate(qrels, each, "AP nDCG@10")
            expected = sm.evaluate(qrels, each, "AP nDCG@10", engine=spark)
            assert found.per_query.equals(expected.per_query)
        select = "SELECT j.query_id, ap(j) AS ap FROM judged(qrels, run) AS j GROUP BY j.query_id"
        (found, expected) = (
            sm.query(select, qrels=qrels, run="run", **options).sort("query_id")
            for options in ({}, {"engine": spark})
        )
        assert found.equals(expected)

    def test_first_rows_are_noted_as_with_duckdb(self, spark):
        qrels = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [1, 1]})
        rows = {"query_id": ["q"] * 3, "doc_id": ["A", "b", "c"], "score": [1.0, 2.0, 3.0]}
        run = pl.DataFrame({**rows, "rank": [1, 2, 3]})
        with pytest.warns(sm.ScoreWarning, match="of each query are 1, 2, 3"):
            notes = ask_both(spark, sm.evaluate, qrels, run, "RR").notes
        for said in ("document 'A' does not match the judged 'a'", "has rank 1 and score 1.0"):
            assert len([note for note in notes if said in note]) == 1, notes

    def test_scores_too_small_for_a_number_are_noted(self, spark):
        ids = {"query_id": ["q", "q"], "doc_id": ["a", "b"]}
        qrels = pl.DataFrame({**ids, "relevance": [1, 1]})
        run = pl.DataFrame({**ids, "score": ["1e-400", "0.0"]})
        notes = ask_both(spark, sm.evaluate, qrels, run, "RR").notes
        assert len([note for note in notes if "the score 1e-400 is too small" in note]) == 1, notes

    @pytest.mark.parametrize("exclude", ["self", "seen"])
    def test_what_is_excluded_is_what_is_with_duckdb(self, spark, exclude):
        qrels, run = (
            frame.with_columns(doc_id=pl.col("doc_id").str.replace("d", "q"))
            for frame in (engines.make_tables()[name] for name in ("qrels", "run"))
        )
        seen = run.filter(pl.col("score") > 2)
        left = {"self": run.filter(pl.col("query_id") != pl.col("doc_id"))}
        left["seen"] = run.join(seen, on=["query_id", "doc_id"], how="anti")
        assert 0 < left[exclude].height < run.height
        given = seen if exclude == "seen" else exclude
        got = ask_both(spark, sm.evaluate, qrels, run, "nDCG@10 AP NumRet", exclude=given)
        expected = sm.evaluate(qrels, left[exclude], "nDCG@10 AP NumRet")
        assert_same(got.per_query, expected.per_query)

    @pytest.mark.parametrize("by", [(), "country"])
    def test_clicks_returns_what_it_returns_with_duckdb(self, spark, by):
        log = engines.make_log()
        move(spark, log).createOrReplaceTempView("log")
        measures = engines.list_measures_of("clicks")
        got = score_log("log", measures, by=by, engine=spark)
        assert_same(got, score_log(log, measures, by=by))

    def test_scores_are_tables_of_spark_and_analyses_that_it_lacks_are_computed_here(self, spark):
        rows = [("a", "AP", "1", 0.1), ("a", "AP", "2", 0.2), ("b", "AP", "1", 0.3)]
        scores = pl.DataFrame(
            [*rows, ("b", "AP", "2", 0.1)], ["run_id", "metric", "query_id", "score"], orient="row"
        )
        query = "SELECT p.run_id, wins(p) AS wins FROM paired(s, 'a') AS p GROUP BY p.run_id"
        assert ask_both(spark, sm.query, query, s=scores).rows() == [("b", 1)]
        with collecting_remarks() as notes:
            ask_both(spark, sm.compared, scores, test="randomization")
        assert [note for note in notes if "4 rows brought here" in note]
        ask_both(spark, sm.means, scores)
        divided = scores.with_columns(segment="query_id")
        got = sm.means(move(spark, divided), engine=spark)
        assert_same(got, sm.means(divided, by="segment").select(got.columns))
        ask_both(spark, sm.compared, scores)
        draws = random.Random(1)
        users = pl.DataFrame(
            [(f"u{n}", "AB"[n % 2], draws.random()) for n in range(40)],
            ["user_id", "variant", "value"],
            orient="row",
        )
        ask_both(spark, sm.experiment, users, control="A")
        topics = [{"query_id": "q", "traffic": 2}]
        weighted = sm.evaluate(
            {"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", topics=topics, weight="traffic"
        )
        assert sm.means(weighted, engine=spark).select("queries", "mean").rows() == [(1, 1.0)]
        with pytest.raises(sm.InputError, match="weights are not supported here"):
            sm.order_agreement(weighted, engine=spark)
        query = "SELECT p.run_id, wilcoxon(p) AS p FROM paired(s, 'a') AS p GROUP BY p.run_id"
        with pytest.raises(sm.MetricError, match="Spark cannot compute this: it does not support"):
            sm.query(query, s=move(spark, scores), engine=spark)

    @pytest.mark.parametrize("name", list_analyses())
    def test_an_analysis_returns_what_it_returns_with_duckdb(self, spark, name):
        given, file = doors.give(name), list_analyses()[name]
        tables = {each: given.pop(each) for each in file.inputs if each in given}
        for each, table in tables.items():
            if KINDS[each] in (SCORES, RANGED_SCORES):  # which Spark has in rows
                tables[each] = table.unpivot(
                    index=["run_id", "query_id"], variable_name="metric", value_name="score"
                )
        if "users" in tables:  # whose metric has another name there
            tables["users"] = tables["users"].with_columns(metric=pl.lit("m"))
        expected = getattr(sm, name)(**tables, **given)
        got = getattr(sm, name)(**move(spark, tables), **given, engine=spark)
        keys = [each for each in got.columns if got[each].dtype != pl.Float64]
        assert_same(got.sort(keys), expected.sort(keys))

    def test_a_query_returns_what_it_returns_with_duckdb(self, spark):
        log, tables = engines.make_log(), engines.make_tables()
        qrels, run = tables["qrels"], tables["run"]
        by_country = """
            SELECT c.country, ctr(c, rank := 1) AS ctr FROM clicked(shown) AS c
            GROUP BY c.country ORDER BY country
        """
        ask_both(spark, sm.query, by_country, shown=log)
        by_query = """
            SELECT j.run_id, j.query_id, ndcg(j, k := 5) AS ndcg FROM judged(qrels, run) AS j
            GROUP BY j.run_id, j.query_id ORDER BY run_id, query_id
        """
        ask_both(spark, sm.query, by_query, qrels=qrels, run=run)
        by_session = """
            SELECT j.run_id, j.query_id, j.page_query, j.country, ndcg(j, k := 5) AS ndcg
            FROM session_judged(shown, run) AS j
            GROUP BY j.run_id, j.query_id, j.page_query, j.country ORDER BY run_id, query_id
        """
        ask_both(spark, sm.query, by_session, shown=log, run=make_replayed()[1]["a"])
        for options in ({}, {"exclude": run.filter(pl.col("score") > 2)}):
            ask_both(spark, sm.roc_curve, qrels, run, **options)

    @pytest.mark.parametrize("seed", [5, 11])
    def test_judgments_from_clicks_are_those_of_duckdb(self, spark, seed):
        for model in ("coec", "sdbn", "dcm"):
            for smoothing in (0, 2.5):
                ask_both(spark, sm.judge, draw_log(seed), model=model, smoothing=smoothing)

    def test_a_model_of_positions_is_estimated_from_what_spark_counted(self, spark):
        log, _ = simulate(1000, queries=5)
        options = {"steps": 20, "least_pages": 10}
        assert ask_both(spark, sm.examination, log, **options).height == 10
        ask_both(spark, sm.judge, log, model="pbm", smoothing=0.5, **options)

    @pytest.mark.parametrize("k", [None, 2])
    def test_a_replay_is_that_of_duckdb(self, spark, k, tmp_path):
        log, runs = make_replayed()
        options = {"k": k, "clip": 8}
        got = ask_both(spark, sm.replay, log, runs, examination=LOOKED, **options)
        assert got["ips_dcg"].n_unique() == 3
        assert got["found_clicks"].n_unique() > 1
        LOOKED.write_csv(tmp_path / "looked.csv")
        move(spark, LOOKED).createOrReplaceTempView("looked")
        given = [log, runs["of_day"]]
        of_day = sm.replay(*given, examination=LOOKED, columns=DAY, **options)
        there = [move(spark, each) for each in given]
        for looked in (str(tmp_path / "looked.csv"), "looked"):  # a file here, a view there
            got = sm.replay(*there, examination=looked, engine=spark, columns=DAY, **options)
            assert_same(got, of_day)

    def test_a_replay_estimates_the_examination_that_is_not_given(self, spark):
        log, _ = simulate(1000, queries=5)
        run = log.select("query_id", "doc_id").unique(maintain_order=True)[::2]
        run = run.with_columns(score=pl.int_range(pl.len()) * 7 % 5)
        ask_both(spark, sm.replay, log, run)

    def test_the_commands_write_what_python_returns(self, spark, tmp_path, monkeypatch):
        monkeypatch.setattr(
            "sqlmetrics.spark.addresses.connect", lambda address: nullcontext(spark)
        )
        log, runs = make_replayed()
        for name, frame in {"shown": log, "a": runs["a"], "b": runs["b"]}.items():
            move(spark, frame).createOrReplaceTempView(name)
        LOOKED.write_csv(tmp_path / "looked.csv")
        replayed = sm.replay(log, {"first": runs["a"], "b": runs["b"]}, examination=LOOKED, k=3)
        looked = ["--examination", tmp_path / "looked.csv", "--k", "3"]
        for arguments, expected in (
            (["judge", "--log", "shown", "--model", "dcm"], sm.judge(log, model="dcm")),
            (["replay", "--log", "shown", "--run", "first=a", "--run", "b", *looked], replayed),
        ):
            status, printed, said = run_command(*arguments, "--engine", "local[2]", "-f", "csv")
            assert status == 0, said
            found = pl.read_csv(StringIO(printed), schema=expected.schema)
            assert_same(found.sort(pl.all()), expected.sort(pl.all()))

    def test_what_only_duckdb_has_is_refused_by_the_commands(self):
        for name, *others in (["judge"], ["examination"], ["replay", "--run", "run"]):
            command = [name, "--log", "log", *others]
            status, _, said = run_command(*command, "--engine", "local[2]", "--threads", "2")
            assert status == 2
            assert "only DuckDB takes --threads; leave out this or --engine" in said

    @pytest.mark.parametrize("by", [(), "country"])
    def test_recommendations_returns_what_it_returns_with_duckdb(self, spark, by):
        tables = cases.draw_case(4).make_tables()
        for name, table in tables.items():
            move(spark, table).createOrReplaceTempView(f"of_{name}")
        runs = {"a": tables.pop("run"), "b": tables["baseline"]}
        theirs = {"a": "of_run", "b": "of_baseline"}
        if not by:
            runs, theirs = {"of_run": runs["a"]}, "of_run"
        there = {name: f"of_{name}" for name in tables}
        users = pl.DataFrame({"query_id": ["u0", "u1", "u2"], "country": ["de", "fr", "fr"]})
        options = {"by": by, "topics": users if by else None}
        topics = move(spark, users) if by else None
        judged = there.pop("qrels")
        options_there = {"by": by, "topics": topics, "engine": spark}
        got = sm.evaluate(judged, theirs, RECOMMENDED, **there, **options_there)
        expected = sm.evaluate(tables.pop("qrels"), runs, RECOMMENDED, **tables, **options)
        assert_same(got.per_query, expected.per_query)
        assert_same(got.mean, expected.mean)
        others = ("frame", "in common")  # Spark looks only for what it needs
        assert got.notes == tuple(
            note for note in expected.notes if not any(map(note.__contains__, others))
        )
        shown = spark.sql("SHOW TABLES").collect()
        assert not [row for row in shown if row.tableName.startswith("_sqlmetrics_")]
        if not by:
            (row,) = spark.sql(got.sql).collect()
            assert row[0] == "of_run"
            assert row[1:] == pytest.approx(expected.mean.row(0)[1:], rel=engines.EXACT)

    @pytest.mark.parametrize("by", [(), "country"])
    def test_metrics_of_runs_and_recommendations_are_one_call(self, spark, by):
        tables = cases.draw_case(4).make_tables()
        users = pl.DataFrame({"query_id": ["u0", "u1", "u2"], "country": ["de", "fr", "fr"]})
        options = {"topics": users} if by else {}
        names = "AP ItemCoverage@3 Novelty@3 EPC@3 nDCG@3"
        wanted = ("run", "qrels", "history", "items")
        given = {name: tables[name].drop("features", strict=False) for name in wanted} | options
        got = ask_both(spark, sm.evaluate, **given, metrics=names, by=by)
        assert len(got.sql.split(";\n\n")) == 2

    @pytest.mark.parametrize("form", ["bars", "lists"])
    def test_recommendations_reads_several_values_in_a_cell_on_spark(self, spark, form):
        items, had = TWO[form], pl.DataFrame({"query_id": ["1"], "doc_id": ["b"]})
        given = {"run": LIST, "items": items, "history": had}
        got = ask_both(spark, sm.evaluate, None, metrics=[*OF_TWO], **given)
        assert got.mean.row(0)[1:] == pytest.approx([*OF_TWO.values()], rel=engines.EXACT)
        expected = sm.evaluate(None, LIST, [*OF_TWO], items=items, history=had).notes
        assert got.notes == expected
        assert len([note for note in expected if "lists or values with |" in note]) == 2

    def test_neighbours_leaves_out_what_was_not_found_on_spark(self, spark):
        got = ask_both(spark, sm.evaluate, NEAR, PADDED, [*OF_PADDED])
        assert got.mean.row(0)[1:] == tuple(OF_PADDED.values())

    def test_the_command_recommendations_writes_what_python_returns(self, spark, monkeypatch):
        monkeypatch.setattr(
            "sqlmetrics.spark.addresses.connect", lambda address: nullcontext(spark)
        )
        tables = cases.draw_case(4).make_tables()
        for name in ("run", "history"):
            move(spark, tables[name]).createOrReplaceTempView(f"of_{name}")
        expected = sm.evaluate(None, tables["run"], "Entropy@3 ARP@3", history=tables["history"])
        status, printed, said = run_command(
            "evaluate", "none", "of_run", "--history", "of_history", "-m", "Entropy@3 ARP@3",
            "--engine", "local[2]", "-f", "csv",
        )  # fmt: skip
        assert status == 0, said
        found = pl.read_csv(StringIO(printed), schema=expected.mean.schema)
        assert_same(found.drop("run_id"), expected.mean.drop("run_id"))

    def test_neighbours_returns_what_it_returns_with_duckdb(self, spark):
        exact, indexes = draw(3, ties=True)
        del indexes["short"]["q5"]
        indexes["short"]["z"] = {"d1": 0.5}
        frames = {"exact": make_frame(exact)}
        frames |= {name: make_frame(index) for name, index in indexes.items()}
        ranks = pl.int_range(pl.len()).shuffle(seed=1)
        frames["full"] = frames["full"].with_columns(rank=ranks, distance=pl.col("distance") + 0.1)
        topics = pl.DataFrame({"query_id": [*exact], "kind": ["x", "y"] * (len(exact) // 2)})
        metrics = (
            "ANNRecall@5 ANNRecall(epsilon=0.1, relative=True)@3 IDRecall(within=9)@5 "
            "IDRecall(tied='all')@5 DiscountedRecall@5 DistanceRatio ANNRecall(aggregate='p5')@5"
        )
        exact = frames.pop("exact")
        for asked, options in (
            (metrics, {}),
            (metrics, {"by": "kind", "topics": topics}),
            ("DistanceRatio(aggregate='pooled')", {}),
        ):
            got = ask_both(spark, sm.evaluate, exact, frames, asked, **options)
            assert got.notes == sm.evaluate(exact, frames, asked, **options).notes
            assert len(got.notes) > 2
        move(spark, exact).createOrReplaceTempView("exact_neighbours_of_test")
        short = move(spark, frames["short"])
        got = sm.evaluate("exact_neighbours_of_test", short, "ANNRecall@10", engine=spark)
        assert "ANNRecall@10" in got

    def test_scores_are_compared_as_the_preset_requires(self, spark, tables):
        runs = {
            "close": "SELECT query_id, doc_id, 1 + score * 1e-9 AS score FROM run",
            "all": "SELECT * FROM run",
        }
        got = sm.evaluate(
            "qrels",
            {name: spark.sql(text) for name, text in runs.items()},
            "AP AP(aggregate='pooled') nDCG@10",
            engine=spark,
            preset="trec_eval-9",
        )
        close = tables["run"].with_columns(score=1 + pl.col("score") * 1e-9)
        theirs = {"close": close, "all": tables["run"]}
        measures = "AP AP(aggregate='pooled') nDCG@10"
        expected = sm.evaluate(tables["qrels"], theirs, measures, preset="trec_eval-9")
        assert_same(got.per_query, expected.per_query)
        assert_same(got.mean, expected.mean)

    def test_frames_and_views_and_files_are_runs(self, spark, tables, tmp_path):
        path = tmp_path / "better.parquet"
        spark.table("run").where("score > 0").write.parquet(str(path))
        runs = {"all": "run", "some": spark.table("run").where("score > 0"), "file": path}
        got = sm.evaluate(spark.table("qrels"), runs, "AP RR", engine=spark)
        some = tables["run"].filter(pl.col("score") > 0)
        theirs = {"all": tables["run"], "some": some, "file": some}
        expected = sm.evaluate(tables["qrels"], theirs, "AP RR")
        assert_same(got.per_query, expected.per_query)

    def test_a_run_can_have_any_name(self, spark, tables):
        name = "it's a\\b `c`"
        result = sm.evaluate("qrels", {name: "run"}, "AP", engine=spark)
        assert set(result.per_query["run_id"]) == {name}

    def test_texts_are_numbers_where_they_can_be(self, spark, tables):
        run = spark.sql("SELECT query_id, doc_id, CAST(score AS STRING) AS score FROM run")
        got = sm.evaluate("qrels", {"run": run}, "AP", engine=spark)
        assert_same(got.per_query, sm.evaluate(tables["qrels"], tables["run"], "AP").per_query)

    def test_segments_and_weights_are_those_of_evaluate(self, spark, tables):
        topics = spark.sql(
            "SELECT DISTINCT query_id, query_id % 3 AS third, 1 + query_id % 2 AS n FROM qrels"
        )
        options = {"by": "third", "weight": "n"}
        got = sm.evaluate("qrels", "run", "AP", engine=spark, topics=topics, **options)
        known = pl.DataFrame(topics.toArrow())
        expected = sm.evaluate(tables["qrels"], tables["run"], "AP", topics=known, **options)
        assert_same(got.mean, expected.mean)

    def test_scores_stay_on_the_cluster_when_asked(self, spark, tables):
        result = sm.evaluate("qrels", "run", "AP NumRel", engine=spark, into="kept_scores")
        expected = sm.evaluate(tables["qrels"], tables["run"], "AP NumRel")
        assert result.per_query.is_empty()
        assert_same(result.mean, expected.mean)
        kept = pl.DataFrame(spark.table("kept_scores").toArrow()).sort("query_id")
        assert_same(kept, expected.per_query)
        assert len(spark.table("kept_scores").inputFiles()) == 1
        with pytest.raises(sm.InputError, match="already exists"):
            sm.evaluate("qrels", "run", "AP", engine=spark, into="kept_scores")

    def test_metrics_that_spark_lacks_are_refused_before_it_computes(self, spark, monkeypatch):
        def ask(*_):
            raise AssertionError

        monkeypatch.setattr("sqlmetrics.spark.views.Spark.bring", ask)
        with pytest.raises(sm.MetricError, match="alpha_nDCG cannot be computed by spark"):
            sm.evaluate("qrels", "run", "AP alpha_nDCG", engine=spark)

    def test_infinite_scores_are_not_in_tables(self, spark, tables):
        steep = spark.sql("SELECT query_id, doc_id, 2000 + relevance AS relevance FROM qrels")
        for into in (None, "endless_scores"):
            with pytest.raises(sm.InputError, match=r"DCG.* is too large for query"):
                sm.evaluate(
                    steep, "run", "RR Relstring DCG(gain='exponential')", engine=spark, into=into
                )
        assert not spark.catalog.tableExists("endless_scores")

    def test_nothing_is_left_in_the_session(self, spark, tables):
        before = spark.sql("SHOW TABLES").collect()
        sm.evaluate(spark.table("qrels"), spark.table("run"), "AP ERR", engine=spark)
        assert before
        assert spark.sql("SHOW TABLES").collect() == before

    @pytest.mark.parametrize(
        ("file", "typed"), [(file, typed) for file, (_, cases) in WRONG.items() for typed in cases]
    )
    def test_wrong_input_is_refused(self, spark, tables, file, typed):
        first, cases = WRONG[file]
        names = {name: getattr(sm, name) for name in sm.__all__}
        names |= {"spark": spark, "pl": pl, "duckdb": duckdb, "math": math}
        names["move"] = lambda **columns: move(spark, pl.DataFrame(columns, strict=False))
        exec(first, names)
        with pytest.raises(sm.SqlMetricsError) as refused:
            eval(typed, names)
        assert_message(cases[typed], f"{refused.type.__name__}: {refused.value}")

    def test_a_session_of_the_user_is_not_ended(self, spark, tables):
        def evaluate():
            with pytest.raises(sm.InputError, match="a Spark session is active, and an address"):
                sm.evaluate("qrels", "run", "AP", engine="local[1]")

        evaluate()
        with ThreadPoolExecutor() as threads:  # of which each has an active session of its own
            threads.submit(evaluate).result()
        assert spark.sql("SELECT 1 AS one").collect()[0].one == 1

    @pytest.mark.parametrize(
        ("measures", "qrels"),
        [("AP nDCG@10 RR", "qrels"), ("ERR", "qrels"), ("PrefsSimp", "grouped_qrels")],
    )
    def test_the_run_is_moved_once_and_by_query(self, spark, tables, measures, qrels):
        spark.sql("SELECT *, 'x' AS system FROM run").createOrReplaceTempView("several")
        options = {"qrels": qrels, "run": "several", "columns": {"run_id": "system"}}
        text = sm.sql(measures, dialect="spark", **options)
        for setting in engines.SMALL_QUERIES:  # which change the strategy
            spark.conf.unset(setting)
        ((strategy,),) = spark.sql(f"EXPLAIN {text[: text.rindex('ORDER BY')]}").collect()
        # what else is moved are the names of the runs, and judgments by subtopic
        by_query = re.findall(r"Exchange hashpartitioning\(run_id\S+, query_id\S+, \d+\)", strategy)
        others = re.findall(r"Exchange hashpartitioning\((.*?), \d+\)", strategy)
        assert len(by_query) == 1
        assert all("score" not in each for each in others)
        windows = re.findall(r"Window \[.*?\], \[(.*?)\]", strategy)
        assert windows
        assert all(each.startswith("run_id") for each in windows)


LOOKED = pl.DataFrame({"position": range(1, 11), "examination": [n**-0.7 for n in range(1, 11)]})
# A column for the name of a run.
DAY = {"run_id": "day"}


def make_replayed():
    """A log, and runs of its documents with ties; one has a column that makes it two."""
    log = engines.make_log()
    documents = log.select("query_id", "doc_id").drop_nulls().unique(maintain_order=True)
    each = documents.with_columns(score=pl.int_range(pl.len()) * 7 % 5)
    day = pl.when(pl.int_range(pl.len()) % 3 > 0).then(pl.lit("mo")).otherwise(pl.lit("tu"))
    return log, {
        "a": each.with_columns(pl.col("score").cast(pl.Float64)),
        "b": each[::2],
        "of_day": each.with_columns(score=-pl.col("score"), day=day),
    }


def assert_same(got, expected):
    assert got.columns == expected.columns
    assert got.height == expected.height
    for name in got.columns:
        if got[name].dtype == pl.Float64:
            assert got[name].is_null().to_list() == expected[name].is_null().to_list()
            most = max(1, expected[name].abs().max() or 0)
            assert ((got[name] - expected[name]).abs().max() or 0) <= engines.EXACT * most
        else:
            assert got[name].to_list() == expected[name].to_list()


@pytest.mark.xdist_group("connect")
def test_spark_connect_is_an_engine(tmp_path):
    engines.run_alone(
        """
        import engines, sqlmetrics as sm
        from pyspark.sql import SparkSession
        from test_engines import assert_same
        session = SparkSession.builder.remote("local[2]").getOrCreate()
        assert "connect" in type(session).__module__
        for setting in engines.SMALL_QUERIES.items():
            session.conf.set(*setting)
        tables = engines.make_tables()
        for name in ("qrels", "run"):
            tables[name].write_parquet(name + ".parquet")
            session.read.parquet(name + ".parquet").createOrReplaceTempView(name)
        got = sm.evaluate("qrels", session.table("run"), "nDCG@10 AP ERR", engine=session)
        expected = sm.evaluate(tables["qrels"], tables["run"], "nDCG@10 AP ERR")
        assert_same(got.per_query, expected.per_query)
        session.stop()
        """,
        tmp_path,
    )


@pytest.mark.xdist_group("connect")
def test_the_command_line_scores_on_spark(tmp_path):
    settings = "".join(f"{key} {value}\n" for key, value in engines.SMALL_QUERIES.items())
    (tmp_path / "spark-defaults.conf").write_text(settings)
    folder = tmp_path / "runs" / "dt=1"
    folder.mkdir(parents=True)
    for path in (tmp_path / "qrels.parquet", folder / "bm25.parquet"):
        pl.read_csv(ROOT / "examples" / f"{path.stem}.csv").write_parquet(path)
    runs = ["base=runs/dt=1/bm25.parquet", "runs/dt=1/bm25.parquet"]
    command = ["evaluate", "qrels.parquet", *runs, "-m", "nDCG@10 AP"]
    done = subprocess.run(
        [sys.executable, "-m", "sqlmetrics", *command, "--engine", "local[2]", "-f", "csv"],
        cwd=tmp_path,
        env={**os.environ, "SPARK_CONF_DIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    header, *rows = done.stdout.splitlines()
    assert header == "run_id,nDCG@10,AP"
    assert [row.split(",")[0] for row in rows] == ["base", "bm25"]
    for row in rows:
        scores = [*map(float, row.split(",")[1:])]
        assert scores == pytest.approx([0.542175872283805, 0.40972222222222])
    assert "base, bm25: no results for 1 of 4 judged queries (pickles); they score 0" in done.stderr


@pytest.mark.xdist_group("connect")
def test_what_spark_lacks_to_start_is_named(tmp_path):
    engines.run_alone(
        r"""
        import os, socket, sys
        import pytest
        import sqlmetrics as sm
        os.environ["JAVA_HOME"] = "/nowhere"
        with pytest.raises(sm.InputError, match="^Spark did not start; it needs Java 17"):
            sm.evaluate("qrels", "run", "AP", engine="local[1]")
        for name in ("grpc_proxy", "https_proxy", "http_proxy"):
            os.environ.pop(name, None)
        server = socket.create_server(("127.0.0.1", 0))
        places = f"127.0.0.1:9,127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(sm.InputError, match="^Spark did not start; it needs Java 17"):
            sm.evaluate("qrels", "run", "AP", engine="spark://" + places)
        sys.modules["grpc"] = None
        with pytest.raises(sm.InputError, match=r"needs Spark: pip install 'sqlmetrics\[spark\]' \(.*grpc"):
            sm.evaluate("qrels", "run", "AP", engine="sc://" + places.split(",")[1])
        """,
        tmp_path,
    )


@pytest.mark.xdist_group("cluster")
def test_executors_score_a_run_larger_than_their_memory(tmp_path):
    # 6 million documents take 330 MB as rows; two executors have 500 MB each, of which Spark
    # leaves about 120 MB for data
    engines.run_alone(
        """
        import engines, sqlmetrics as sm
        from test_engines import assert_same
        with engines.start_spark("spark", "local-cluster[2,1,500]", is_long=True) as session:
            run = session.range(6_000_000).selectExpr(
                "CAST(id DIV 1000 AS STRING) AS query_id",
                "concat('doc-', CAST(id % 1000 AS STRING)) AS doc_id",
                "CAST(xxhash64(id) % 5000 AS DOUBLE) AS score",
            )
            run.createOrReplaceTempView("run")
            run.where("xxhash64(doc_id, query_id, 1) % 100 = 0").selectExpr(
                "query_id", "doc_id", "abs(xxhash64(doc_id, 2)) % 4 AS relevance"
            ).createOrReplaceTempView("qrels")
            got = sm.evaluate("qrels", "run", "nDCG@10 AP RR", engine=session)
            run.write.parquet("run.parquet")
            session.table("qrels").write.parquet("qrels.parquet")
        expected = sm.evaluate("qrels.parquet", {"run": "run.parquet/*.parquet"}, "nDCG@10 AP RR")
        assert_same(got.per_query, expected.per_query)
        """,
        tmp_path,
    )


ABLE = ["PostgreSQL", "SQLite", "DataFusion", "ClickHouse", "Spark"]


@pytest.mark.parametrize("name", ABLE)
def test_statistics_as_plain_sql_are_those_of_scipy(name, tmp_path, request):
    engine = start_engine(name, tmp_path, request)
    found = ask_statistics(engine, draw_scores(sizes=(2, 3, 5, 30, 400, 5000)))
    assert len(found) == 12
    for expected, got in found:
        assert got == pytest.approx(expected, rel=1e-9)


def test_wilcoxon_on_spark_is_that_of_scipy(tmp_path, request):
    for got, expected in ask_wilcoxon(start_engine("Spark", tmp_path, request)):
        assert got == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "analysis"),
    # SQLite runs them with the tests of plain SQL, and Spark most of them as functions;
    # DataFusion has no sums over as many ranks as a row says
    [
        each
        for each in [
            *product(("PostgreSQL", "DataFusion", "ClickHouse"), STATISTICAL | DRAWN),
            *product(["Spark"], ("wilcoxon", *DRAWN)),
        ]
        if each != ("DataFusion", "order_agreement")
    ],
)
def test_an_analysis_as_plain_sql_is_that_of_duckdb(name, analysis, tmp_path, request):
    expected, got = compare_analysis(start_engine(name, tmp_path, request), analysis)
    assert got == expected


def test_equal_rows_are_not_taken_for_one_where_they_are_joined_to_points(tmp_path):
    engine = engines.DataFusion(tmp_path)
    engine.load("scores", pl.DataFrame({"query_id": ["q", "r", "s"], "score": [1.0, 1.0, 2.0]}))
    query = sm.sql("SELECT normal_p(s.score) AS p FROM scored(scores) AS s", dialect="datafusion")
    expected = 2 * stats.norm.sf([1, 1, 2])
    assert sorted(engine.ask(query), reverse=True) == [
        (pytest.approx(p, rel=1e-9),) for p in expected
    ]
