"""Every metric on every engine that runs here, and Spark as an engine of evaluate."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from io import StringIO

import duckdb
import engines
import polars as pl
import pytest
import recommended as cases
from click_logs import draw_log, read_pages, score_log
from commands import run_command
from conftest import ROOT, make_qrels, make_run
from test_clicks import simulate
from test_recommendations import LIST, OF_TWO, TWO
from test_vectors import NEAR, OF_PADDED, PADDED, draw, make_frame

import sqlmetrics as sm

pytestmark = pytest.mark.engines


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    with engines.start_spark(folder, **engines.SMALL_QUERIES) as session:
        yield session


# Those in one process compute what is expected once.
TOGETHER = pytest.mark.xdist_group("spark")


def ask(name, folder, request):
    if name in ("DataFusion", "ClickHouse"):
        return engines.ask_alone(name, at_once=20)
    if name == "Spark":
        return engines.ask(engines.Spark(folder, request.getfixturevalue("spark")), at_once=20)
    if name == "SQLite":
        return engines.ask(engines.SQLite(), at_once=20)
    with engines.start_postgres() as address:
        return engines.ask(engines.PostgreSQL(folder, address), at_once=20)


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
    without = {"stratified"} if name == "DataFusion" else set()  # sums over ranks
    assert engines.STATEMENTS.keys() - told.by_statement.keys() == without
    assert max(told.by_statement.values()) <= engines.EXACT


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
def test_several_values_in_a_cell_are_read_by_plain_sql(name, tmp_path):
    had = pl.DataFrame({"query_id": ["1"], "doc_id": ["b"]})
    tables = {"run": LIST, "items": TWO["bars"], "history": had}
    wide = "|".join(["драма" * 4 + str(number) for number in range(9)])  # 198 characters
    others = {"wide": pl.DataFrame({"doc_id": ["a", "b"], "category": [wide, wide[:21]]})}
    with engines.start_postgres() if name == "PostgreSQL" else nullcontext() as server:
        engine = engines.ENGINES[name](tmp_path, server)
        for each, table in {**tables, **others}.items():
            engine.load(each, table)
        (found,) = engine.ask(sm.sql([*OF_TWO], dialect=engine.dialect))
        assert found == pytest.approx([*OF_TWO.values()], rel=engines.EXACT)
        query = sm.sql("ILD CategoricalDiversity", dialect=engine.dialect)
        (found,) = engine.ask(query.replace("FROM items", "FROM wide"))
        assert found == pytest.approx((1 - 1 / 3, 9 / 2), rel=engines.EXACT)


def test_datafusion_distinguishes_sums_over_other_ranks(tmp_path):
    engine = engines.DataFusion(tmp_path)
    for name in ("qrels", "run"):
        engine.load(name, engines.make_tables()[name])
    found = engines.compare_scores(engine, ["SET", "SET@3", "NPV@5", "NPV@3"])
    assert max(found.values()) <= engines.EXACT


# Spark

# A metric of recommendations over each relation.
RECOMMENDED = (
    "ItemCoverage@3 Gini(exposure='discounted')@3 Entropy@3 ExposureRatio@3 PopREO@3 UserCoverage "
    "MeanPopRank@3 EPC@3 Serendipity@3 Overlap@3 ILD@3 Miscalibration@3 AWRF@3"
)


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

    def test_first_rows_are_noted_as_with_duckdb(self, spark):
        qrels = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [1, 1]})
        rows = {"query_id": ["q"] * 3, "doc_id": ["A", "b", "c"], "score": [1.0, 2.0, 3.0]}
        run = pl.DataFrame({**rows, "rank": [1, 2, 3]})
        frames = (spark.createDataFrame(each.to_arrow()) for each in (qrels, run))
        with pytest.warns(sm.ScoreWarning, match="of each query are 1, 2, 3"):
            notes = sm.evaluate(*frames, "RR", engine=spark).notes
        for said in ("document 'A' does not match the judged 'a'", "has rank 1 and score 1.0"):
            assert len([note for note in notes if said in note]) == 1, notes

    def test_scores_too_small_for_a_number_are_noted(self, spark):
        ids = {"query_id": ["q", "q"], "doc_id": ["a", "b"]}
        frames = [pl.DataFrame({**ids, "relevance": [1, 1]})]
        frames.append(pl.DataFrame({**ids, "score": ["1e-400", "0.0"]}))
        notes = sm.evaluate(
            *(spark.createDataFrame(each.to_arrow()) for each in frames), "RR", engine=spark
        ).notes
        assert len([note for note in notes if "the score 1e-400 is too small" in note]) == 1, notes

    @pytest.mark.parametrize("exclude", ["self", "seen"])
    def test_what_is_excluded_is_what_is_with_duckdb(self, spark, exclude):
        qrels, run = (
            frame.with_columns(doc_id=pl.col("doc_id").str.replace("d", "q"))
            for frame in (engines.make_tables()[name] for name in ("qrels", "run"))
        )
        given = {"qrels": qrels, "run": run, "seen": run.filter(pl.col("score") > 2)}
        frames = {
            name: spark.createDataFrame(frame.rows(), frame.columns)
            for name, frame in given.items()
        }
        left = {"self": run.filter(pl.col("query_id") != pl.col("doc_id"))}
        left["seen"] = run.join(given["seen"], on=["query_id", "doc_id"], how="anti")
        assert 0 < left[exclude].height < run.height
        got = sm.evaluate(
            frames["qrels"], frames["run"], "nDCG@10 AP NumRet",
            engine=spark, exclude=frames.get(exclude, exclude),
        )  # fmt: skip
        expected = sm.evaluate(qrels, left[exclude], "nDCG@10 AP NumRet")
        assert_same(got.per_query, expected.per_query)

    @pytest.mark.parametrize("by", [(), "country"])
    def test_clicks_returns_what_it_returns_with_duckdb(self, spark, by):
        log = engines.make_log()
        spark.createDataFrame(log.to_arrow()).createOrReplaceTempView("log")
        measures = engines.list_measures_of("clicks")
        got = score_log("log", measures, by=by, engine=spark)
        assert_same(got, score_log(log, measures, by=by))

    def test_scores_are_tables_of_spark_and_what_it_lacks_is_refused_in_words(self, spark):
        rows = [("a", "AP", "1", 0.1), ("a", "AP", "2", 0.2), ("b", "AP", "1", 0.3)]
        scores = pl.DataFrame(
            [*rows, ("b", "AP", "2", 0.1)], ["run_id", "metric", "query_id", "score"], orient="row"
        )
        there = spark.createDataFrame(scores.to_arrow())
        query = "SELECT p.run_id, wins(p) AS wins FROM paired(s, 'a') AS p GROUP BY p.run_id"
        got = sm.query(query, s=there, engine=spark)
        assert got.rows() == sm.query(query, s=scores).rows() == [("b", 1)]
        with pytest.raises(sm.MetricError, match="Spark cannot compute this: it does not support"):
            sm.means(there, engine=spark)

    def test_a_query_returns_what_it_returns_with_duckdb(self, spark):
        log, tables = engines.make_log(), engines.make_tables()
        given = {"shown": log, "qrels": tables["qrels"], "run": tables["run"]}
        there = {name: spark.createDataFrame(each.to_arrow()) for name, each in given.items()}
        for query, names in (
            ("SELECT c.country, ctr(c, rank := 1) AS ctr FROM clicked(shown) AS c GROUP BY c.country ORDER BY country", ["shown"]),
            ("SELECT j.run_id, j.query_id, ndcg(j, k := 5) AS ndcg FROM judged(qrels, run) AS j GROUP BY j.run_id, j.query_id ORDER BY run_id, query_id", ["qrels", "run"]),
        ):  # fmt: skip
            got = sm.query(query, engine=spark, **{name: there[name] for name in names})
            assert_same(got, sm.query(query, **{name: given[name] for name in names}))
        with pytest.raises(sm.InputError, match="rel must be a number above 0, not 0"):
            sm.roc_curve(there["qrels"], there["run"], rel=0, engine=spark)
        seen = tables["run"].filter(pl.col("score") > 2)
        theirs = spark.createDataFrame(seen.to_arrow())
        got = sm.roc_curve(there["qrels"], there["run"], exclude=theirs, engine=spark)
        assert_same(got, sm.roc_curve(given["qrels"], given["run"], exclude=seen))
        got = sm.roc_curve(there["qrels"], there["run"], engine=spark)
        assert_same(got, sm.roc_curve(given["qrels"], given["run"]))

    @pytest.mark.parametrize("seed", [5, 11])
    def test_judgments_from_clicks_are_those_of_duckdb(self, spark, seed):
        log = draw_log(seed)
        there = spark.createDataFrame(log.to_arrow())
        for model in ("coec", "sdbn", "dcm"):
            for smoothing in (0, 2.5):
                got = sm.judge(there, model=model, smoothing=smoothing, engine=spark)
                assert_same(got, sm.judge(log, model=model, smoothing=smoothing))

    def test_a_model_of_positions_is_estimated_from_what_spark_counted(self, spark):
        log, _ = simulate(1000, queries=5)
        there = spark.createDataFrame(log.to_arrow())
        options = {"steps": 20, "least_pages": 10}
        curve = sm.examination(log, **options)
        assert curve.height == 10
        assert_same(sm.examination(there, engine=spark, **options), curve)
        expected = sm.judge(log, model="pbm", smoothing=0.5, **options)
        got = sm.judge(there, model="pbm", smoothing=0.5, engine=spark, **options)
        assert_same(got, expected)

    @pytest.mark.parametrize("k", [None, 2])
    def test_a_replay_is_that_of_duckdb(self, spark, k, tmp_path):
        log, runs = make_replayed()
        there = spark.createDataFrame(log.to_arrow())
        theirs = {name: spark.createDataFrame(run.to_arrow()) for name, run in runs.items()}
        options = {"k": k, "clip": 8}
        got = sm.replay(there, theirs, examination=LOOKED, engine=spark, **options)
        expected = sm.replay(log, runs, examination=LOOKED, **options)
        assert_same(got, expected)
        assert expected["ips_dcg"].n_unique() == 3
        assert expected["found_clicks"].n_unique() > 1
        LOOKED.write_csv(tmp_path / "looked.csv")
        spark.createDataFrame(LOOKED.to_arrow()).createOrReplaceTempView("looked")
        for looked in (str(tmp_path / "looked.csv"), "looked"):  # a file here, a view there
            one = sm.replay(
                there, theirs["of_day"], examination=looked, engine=spark, columns=DAY, **options
            )
            of_day = sm.replay(log, runs["of_day"], examination=LOOKED, columns=DAY, **options)
            assert_same(one, of_day)

    def test_a_replay_estimates_the_examination_that_is_not_given(self, spark):
        log, _ = simulate(1000, queries=5)
        run = log.select("query_id", "doc_id").unique(maintain_order=True)[::2]
        run = run.with_columns(score=pl.int_range(pl.len()) * 7 % 5)
        got = sm.replay(*(spark.createDataFrame(f.to_arrow()) for f in (log, run)), engine=spark)
        assert_same(got, sm.replay(log, run))

    @pytest.mark.parametrize(
        ("run", "looked", "message"),
        [
            ([("q1", "d", 1.0)] * 2, {}, "the run frame: document d appears 2 times for query q1; keep"),
            ([("q1", "d", math.nan)], {}, "the run frame: score 'NaN' for document d of query q1; each row needs"),
            ([("q1", " ", 1.0)], {}, "the run frame: blank doc_id for a document of query q1; each row needs"),
            ([], {}, "the run frame has no rows"),
            ([("q1", "d", 1.0)], {2: 0.0}, r"position 2 \(clicks: 1\); it is 0.0 \(and 1 more like this"),
            ([("q1", "d", 1.0)], {2: 2.0, 3: 0.5}, r"position 2 \(clicks: 1\); it is 2.0; give the"),
            ([("q1", "d", 1.0)], {1: "x"}, "the examination has examination of type String; make it numbers"),
        ],
    )  # fmt: skip
    def test_a_replay_refuses_what_it_refuses_on_duckdb(self, spark, run, looked, message):
        log = spark.createDataFrame(read_pages("- x x").to_arrow())
        given = pl.DataFrame(run, {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}, orient="row")  # fmt: skip
        there = spark.createDataFrame(given.to_arrow())
        curve = pl.DataFrame([*looked.items()] or [(1, 1.0)], ["position", "examination"], orient="row")  # fmt: skip
        with pytest.raises(sm.InputError, match=message) as here:
            sm.replay(log, there, examination=curve, engine=spark)
        if "row" not in message:
            with pytest.raises(sm.InputError) as elsewhere:
                sm.replay(read_pages("- x x"), given, examination=curve)
            assert str(here.value) == str(elsewhere.value)

    def test_an_examination_with_a_position_twice_is_refused_in_the_same_words(self, spark):
        curve = pl.DataFrame({"position": [1, 2, 2, 3, 3], "examination": [1.0] * 5})
        log, run = read_pages("- x x"), make_run([("q1", "d", 1.0)])
        said = "examination: position 2 has 2 rows (and 1 more like this); keep one examination"
        for data, runs, engine in (
            (log, run, None),
            (spark.createDataFrame(log.to_arrow()), spark.createDataFrame(run.to_arrow()), spark),
        ):
            with pytest.raises(sm.InputError, match=re.escape(said)):
                sm.replay(data, runs, examination=curve, engine=engine)

    def test_two_runs_of_one_name_are_not_replayed(self, spark):
        log, run = read_pages("- x x"), make_run([("q1", "d", 1.0)])
        named = run.with_columns(run_id=pl.lit("x"))
        there = {name: spark.createDataFrame(named.to_arrow()) for name in "ab"}
        with pytest.raises(sm.InputError, match="both have a run named 'x'; give them different"):
            sm.replay(
                spark.createDataFrame(log.to_arrow()), there, examination=LOOKED, engine=spark
            )

    def test_the_commands_write_what_python_returns(self, spark, tmp_path, monkeypatch):
        monkeypatch.setattr("sqlmetrics.spark.select.connect", lambda address: nullcontext(spark))
        log, runs = make_replayed()
        for name, frame in {"shown": log, "a": runs["a"], "b": runs["b"]}.items():
            spark.createDataFrame(frame.to_arrow()).createOrReplaceTempView(name)
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
            assert "--threads and --temp-folder work only with DuckDB; remove them or --eng" in said

    @pytest.mark.parametrize("by", [(), "country"])
    def test_recommendations_returns_what_it_returns_with_duckdb(self, spark, by):
        tables = cases.draw_case(4).make_tables()
        for name, table in tables.items():
            spark.createDataFrame(table.to_arrow()).createOrReplaceTempView(f"of_{name}")
        runs = {"a": tables.pop("run"), "b": tables["baseline"]}
        theirs = {"a": "of_run", "b": "of_baseline"}
        if not by:
            runs, theirs = {"of_run": runs["a"]}, "of_run"
        there = {name: f"of_{name}" for name in tables}
        users = pl.DataFrame({"query_id": ["u0", "u1", "u2"], "country": ["de", "fr", "fr"]})
        options = {"by": by, "topics": users if by else None}
        topics = spark.createDataFrame(users.to_arrow()) if by else None
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
        here = {name: tables[name].drop("features", strict=False) for name in wanted} | options
        there = {name: spark.createDataFrame(each.to_arrow()) for name, each in here.items()}
        got = sm.evaluate(**there, metrics=names, by=by, engine=spark)
        expected = sm.evaluate(**here, metrics=names, by=by)
        assert_same(got.per_query, expected.per_query)
        assert_same(got.mean, expected.mean)
        assert len(got.sql.split(";\n\n")) == 2

    @pytest.mark.parametrize("form", ["bars", "lists"])
    def test_recommendations_reads_several_values_in_a_cell_on_spark(self, spark, form):
        items, had = TWO[form], pl.DataFrame({"query_id": ["1"], "doc_id": ["b"]})
        there = {
            name: spark.createDataFrame(table.to_arrow())
            for name, table in {"run": LIST, "items": items, "history": had}.items()
        }
        got = sm.evaluate(None, metrics=[*OF_TWO], **there, engine=spark)
        assert got.mean.row(0)[1:] == pytest.approx([*OF_TWO.values()], rel=engines.EXACT)
        expected = sm.evaluate(None, LIST, [*OF_TWO], items=items, history=had).notes
        assert got.notes == expected
        assert len([note for note in expected if "lists or values with |" in note]) == 2

    def test_neighbours_leaves_out_what_was_not_found_on_spark(self, spark):
        exact, found = (spark.createDataFrame(each.to_arrow()) for each in (NEAR, PADDED))
        got = sm.evaluate(exact, found, [*OF_PADDED], engine=spark)
        assert got.mean.row(0)[1:] == tuple(OF_PADDED.values())

    def test_a_frame_of_spark_is_not_collected_without_an_engine(self, spark):
        frame = spark.createDataFrame(PADDED.to_arrow())
        for call, given in ((sm.evaluate, [{"1": {"1": 1}}, frame]), (sm.compare, [frame])):
            with pytest.raises(sm.InputError, match="frame of Spark, whose rows would all come"):
                call(*given)

    @pytest.mark.parametrize(
        ("metric", "changes"),
        [
            ("Gini", {"items": {"doc_id": ["a"]}}),
            ("ILD", {"items": {"doc_id": ["a"], "category": ["x"]}}),
            ("AWRF", {"items": {"doc_id": ["b"], "group_id": ["g"]}}),
            ("Gini", {"history": {"query_id": ["u"], "doc_id": ["a"]}}),
            ("ARP", {"history": {"query_id": ["u"], "doc_id": [None]}}),
            ("ARP", {"history": {"query_id": [], "doc_id": []}}),
            ("EPC", {"qrels": {"query_id": ["u"] * 2, "doc_id": ["a"] * 2, "relevance": [1, 0]}}),
            ("EPC", {"qrels": {"query_id": ["u"] * 2, "doc_id": ["a"] * 2, "relevance": [1, 0], "subtopic": ["x", "y"]}}),
            ("ILD", {"items": {"doc_id": ["a"], "category": [None]}}),
            ("Overlap", {"baseline": ["x", "y"]}),
            ("VectorILD", {}),
        ],
    )  # fmt: skip
    def test_recommendations_refuses_what_it_refuses_on_duckdb(self, spark, metric, changes):
        run = pl.DataFrame({"query_id": ["u", "u"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
        pairs = pl.DataFrame({"query_id": ["u", "v"], "doc_id": ["a", "b"]})
        tables = {"history": pairs, "items": pl.DataFrame({"doc_id": ["a", "b"]}), "qrels": None}
        if "history" in changes:
            del tables["items"]
        for name, rows in changes.items():
            texts = {"query_id": pl.String, "doc_id": pl.String, "category": pl.String}
            tables[name] = dict.fromkeys(rows, run) if name == "baseline" else pl.DataFrame(rows, schema_overrides={key: texts[key] for key in rows if key in texts})  # fmt: skip

        def move(data):
            if isinstance(data, dict):
                return {key: move(each) for key, each in data.items()}
            return None if data is None else spark.createDataFrame(data.to_arrow())

        with pytest.raises(sm.SqlMetricsError) as there:
            sm.evaluate(run=move(run), metrics=metric, **move(tables), engine=spark)
        if metric == "VectorILD":
            assert str(there.value).startswith("VectorILD cannot be computed by spark")
            return
        with pytest.raises(sm.SqlMetricsError) as here:
            sm.evaluate(run=run, metrics=metric, **tables)
        assert str(there.value) == str(here.value)

    def test_recommendations_takes_no_connection_beside_an_engine(self, spark):
        with pytest.raises(sm.InputError, match="con works only with DuckDB"):
            sm.evaluate(None, "run", "Entropy", engine=spark, con=duckdb.connect())

    def test_the_command_recommendations_writes_what_python_returns(self, spark, monkeypatch):
        monkeypatch.setattr("sqlmetrics.spark.select.connect", lambda address: nullcontext(spark))
        tables = cases.draw_case(4).make_tables()
        for name in ("run", "history"):
            spark.createDataFrame(tables[name].to_arrow()).createOrReplaceTempView(f"of_{name}")
        expected = sm.evaluate(None, tables["run"], "Entropy@3 ARP@3", history=tables["history"])
        status, printed, said = run_command(
            "evaluate", "none", "of_run", "--history", "of_history", "-m", "Entropy@3 ARP@3",
            "--engine", "local[2]", "-f", "csv",
        )  # fmt: skip
        assert status == 0, said
        found = pl.read_csv(StringIO(printed), schema=expected.mean.schema)
        assert_same(found.drop("run_id"), expected.mean.drop("run_id"))

    def test_options_are_checked_before_the_log_is_read(self, spark):
        for options, message in (
            ({"model": "ubm"}, "model must be"),
            ({"smoothing": -1}, "smoothing must be a number, 0 or more, not -1"),
            ({"model": "pbm", "steps": 0}, "steps must be a whole number, 1 or more, not 0"),
        ):
            with pytest.raises(sm.InputError, match=message):
                sm.judge("nowhere", engine=spark, **options)
        with pytest.raises(sm.InputError, match="clip must be a number, 1 or more, not 0"):
            sm.replay("nowhere", "run", clip=0, engine=spark)
        for ask in (sm.judge, sm.examination, score_log):
            with pytest.raises(sm.InputError, match="con works only with DuckDB; remove it or eng"):
                ask("nowhere", engine=spark, con=duckdb.connect())

    def test_a_log_from_which_nothing_can_be_learned_is_refused(self, spark):
        log = spark.createDataFrame(read_pages("- x").to_arrow())
        with pytest.raises(
            sm.InputError,
            match=r"the log frame shows no documents .* documents on 20 or more pages",
        ):
            sm.judge(log, model="pbm", engine=spark)
        none = spark.createDataFrame(read_pages("|").to_arrow())
        with pytest.raises(sm.InputError, match="the log frame shows no documents that could be"):
            sm.judge(none, engine=spark)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"position": [1.5, 2.0]}, "position of document a must be a whole number, 1 or more"),
            ({"clicked": ["0", "7"]}, "clicked of document b must be 1 or 0"),
            ({"dwell_time": ["soon", "1"]}, "dwell_time of document a must be a finite number"),
            ({"position": [1, 1]}, "page 1 has 2 documents at position 1: a and b"),
            ({"query_id": ["q", "r"]}, "page 1 has results of queries q and r"),
            ({"page_id": ["1", None]}, "no page_id for query q"),
        ],
    )
    def test_a_log_that_would_give_a_wrong_score_is_refused(self, spark, changes, message):
        columns = {"page_id": ["1"] * 2, "query_id": ["q"] * 2, "doc_id": ["a", "b"]}
        columns |= {"position": [1, 2], "clicked": [0, 1]} | changes
        log = spark.createDataFrame([*zip(*columns.values(), strict=True)], [*columns])
        with pytest.raises(sm.InputError, match=f"the log frame: .*{message}"):
            score_log(log, "CTR@1", engine=spark)

    def test_a_log_without_rows_is_refused(self, spark):
        log = spark.createDataFrame(engines.make_log().to_arrow()).limit(0)
        with pytest.raises(sm.InputError, match="the log frame has no rows"):
            score_log(log, "CTR@1", engine=spark)

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
        there = {name: spark.createDataFrame(f.to_arrow()) for name, f in frames.items()}
        runs = {name: there[name] for name in indexes}
        of_topics = {"by": "kind", "topics": spark.createDataFrame(topics.to_arrow())}
        for asked, given, own in (
            (metrics, {}, {}),
            (metrics, of_topics, {"by": "kind", "topics": topics}),
            ("DistanceRatio(aggregate='pooled')", {}, {}),
        ):
            got = sm.evaluate(there["exact"], runs, asked, engine=spark, **given)
            here = {name: frames[name] for name in indexes}
            expected = sm.evaluate(frames["exact"], here, asked, **own)
            assert_same(got.per_query, expected.per_query)
            assert_same(got.mean, expected.mean)
            assert got.notes == expected.notes
            assert len(got.notes) > 2
        there["exact"].createOrReplaceTempView("exact_neighbours_of_test")
        got = sm.evaluate("exact_neighbours_of_test", there["short"], "ANNRecall@10", engine=spark)
        assert "ANNRecall@10" in got

    @pytest.mark.parametrize(
        ("exact", "found", "metrics", "message"),
        [
            ({}, {"query_id": ["z", "z"]}, "ANNRecall@2", "have no query in common; they have z, "),
            ({}, {}, "ANNRecall@4", "has 2 exact neighbours for query q, and ANNRecall@4 needs 4"),
            ({}, {"doc_id": ["a", "a"]}, "ANNRecall@2", "neighbour a appears 2 times for query q"),
            ({}, {"distance": [-1.0, 2.0]}, "DistanceRatio", "distance -1.0 of document a for que"),
            (
                {},
                {"distance": ["far", "1"]},
                "ANNRecall@2",
                "distance 'far' for document a of query .*finite",
            ),
            (
                {"distance": [None, 1.0]},
                {},
                "ANNRecall@2",
                "no distance for document a of query .*finite num",
            ),
            (
                {},
                {"rank": [None, 1]},
                "ANNRecall@2",
                "has no rank for document a of query q; a col",
            ),
            ({}, {}, "AP ANNRecall@2", "ANNRecall@2 is by exact neighbours in place of judgments"),
        ],
    )
    def test_neighbours_that_would_give_a_wrong_score_are_refused(
        self, spark, exact, found, metrics, message
    ):
        columns = {"query_id": ["q"] * 2, "doc_id": ["a", "b"], "distance": [1.0, 2.0]}
        given = (
            spark.createDataFrame(pl.DataFrame(columns | c).to_arrow()) for c in (exact, found)
        )
        with pytest.raises(sm.SqlMetricsError, match=message):
            sm.evaluate(*given, metrics, engine=spark)

    def test_neighbours_takes_no_connection_with_an_engine(self, spark):
        with pytest.raises(sm.InputError, match="con works only with DuckDB; remove"):
            sm.evaluate("exact", "found", "ANNRecall@2", engine=spark, con=duckdb.connect())

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

    def test_lists_of_ids_are_refused(self, spark, tables):
        lists = spark.sql("SELECT 'a' AS query_id, array('b', 'c') AS retrieved")
        with pytest.raises(sm.InputError, match="retrieved holds lists; on Spark, give a row"):
            sm.evaluate("qrels", lists, "AP", engine=spark)

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (
                ("a", "b"),
                "the run frame a and the run frame b both have a run named 'x'; give them different names",
            ),
            (
                ("x", "b"),
                "run and the run frame b both have a run named 'x'; give them different names",
            ),
            ((1, "1"), "two runs have the same name"),
        ],
    )
    def test_runs_of_the_same_name_are_refused(self, spark, tables, names, message):
        first, second = names
        of_x = spark.sql("SELECT 'x' AS run_id, query_id, doc_id, score FROM run")
        runs = {first: "run" if first == "x" else of_x, second: of_x}
        with pytest.raises(sm.InputError, match=message):
            sm.evaluate("qrels", runs, "AP", engine=spark)

    def test_an_empty_run_is_refused_beside_others(self, spark, tables):
        runs = {"some": "run", "none": spark.sql("SELECT * FROM run WHERE 1 = 0")}
        with pytest.raises(sm.InputError, match="the run frame none has no rows"):
            sm.evaluate("qrels", runs, "AP", engine=spark)

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

        monkeypatch.setattr("sqlmetrics.spark.tables.SparkReader.ask", ask)
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
        ("run", "message"),
        [
            ("nowhere", "the session has no table or view nowhere"),
            ("run.csv/x", "Spark reads tables and Parquet here; make a view of run.csv/x"),
            ("SELECT query_id, doc_id FROM run", "has no column score"),
            ("SELECT * FROM run UNION ALL SELECT * FROM run", "appears more than once for query"),
            (
                "SELECT query_id, doc_id, double('nan') AS score FROM run",
                r"the run frame: score 'NaN' for document \S+ of query \S+; .* a numeric score",
            ),
            ("SELECT query_id, doc_id, double(NULL) AS score FROM run", "no score for document"),
            (
                "SELECT query_id, doc_id, concat('x', score) AS score FROM run",
                r"the run frame: score 'x\S+' for document \S+ of query \S+; .* a numeric score",
            ),
            ("a b", r"a b: Spark: \[PARSE_SYNTAX_ERROR\]"),
            ("SELECT query_id, doc_id, array(score) AS score FROM run", "the run frame: Spark: .*"),
            ("SELECT '  ' AS query_id, doc_id, score FROM run", "blank query_id for document"),
            ("SELECT 'zz' AS query_id, doc_id, score FROM run", "have no query in common"),
            ("SELECT * FROM run WHERE 1 = 0", "has no rows"),
            (
                "SELECT if(score > 0, 'x', NULL) AS run_id, query_id, doc_id, score FROM run",
                r"the run frame: no run_id for document \S+ of query \S+; each row needs",
            ),
        ],
    )
    def test_what_would_give_a_wrong_number_is_refused(self, spark, tables, run, message):
        data = spark.sql(run) if run.startswith("SELECT") else run
        with pytest.raises(sm.InputError, match=message):
            sm.evaluate("qrels", data, "AP", engine=spark)

    @pytest.mark.parametrize(
        ("qrels", "metrics", "message"),
        [
            ("SELECT * FROM qrels UNION ALL SELECT * FROM qrels", "AP", "is judged more than once"),
            (
                "SELECT query_id, doc_id, double('inf') AS relevance FROM qrels",
                "AP",
                "relevance 'Infinity' for document",
            ),
            (
                "SELECT query_id, doc_id, if(relevance > 0, 'yes', '0') AS relevance FROM qrels",
                "AP",
                r"the judgments frame: relevance 'yes' for document \S+ of query \S+; .*number",
            ),
            ("SELECT * FROM qrels", "ERR(max_rel=1)", r"relevance \d.0 is above max_rel 1"),
            *(
                (
                    f"SELECT query_id, doc_id, {subtopic} relevance FROM qrels UNION ALL "
                    f"SELECT query_id, doc_id, {subtopic} relevance FROM qrels",
                    metrics,
                    message,
                )
                for subtopic, message in [
                    (
                        "'s1' AS subtopic,",
                        r"frame: document \S+ is judged 2 times .* and subtopic s1",
                    ),
                    ("", r"frame: document \S+ is judged 2 times for query \S+; keep one"),
                ]
                for metrics in ["alpha_DCG@3", "P_IA@2", "AP_IA", "AP AP_IA"]
            ),
            (
                "SELECT *, 's1' AS subtopic FROM qrels UNION ALL "
                "SELECT *, 's2' AS subtopic FROM qrels",
                "AP alpha_DCG@3 RR",
                r"is judged for 2 subtopics, but AP needs one .*; compute AP, RR separately",
            ),
        ],
    )
    def test_judgments_that_cannot_be_used_are_refused(
        self, spark, tables, qrels, metrics, message
    ):
        with pytest.raises(sm.InputError, match=message):
            sm.evaluate(spark.sql(qrels), "run", metrics, engine=spark)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"engine": "mars"}, "such as spark://host:7077"),
            ({"engine": 3}, "engine must be a SparkSession or its address"),
            ({"run_names": "tag"}, "only with DuckDB"),
            ({"ties": "input"}, "have no order"),
            ({"into": "x", "by": "relevance"}, "by and weight do not support into"),
            ({"weight": "relevance", "aggregate": "median"}, "weight= needs a mean; AP is not one"),
            ({"weight": "relevance", "aggregate": "p25"}, "weight= needs a mean; AP is not one"),
            ({"weight": "relevance", "aggregate": "max"}, "weight= needs a mean; AP is not one"),
            ({"topics": "qrels"}, "topics= needs by= or weight="),
            ({"into": "x", "aggregate": "median"}, "cannot be summarized on Spark"),
            ({"metrics": "AP alpha_nDCG"}, "alpha_nDCG cannot be computed by spark: .*recursive"),
        ],
    )
    def test_options_that_do_not_go_together_are_refused(self, spark, tables, options, message):
        with pytest.raises(sm.SqlMetricsError, match=message):
            sm.evaluate("qrels", "run", **{"metrics": "AP", "engine": spark, **options})

    def test_a_session_of_the_user_is_not_ended(self, spark, tables):
        def evaluate():
            with pytest.raises(sm.InputError, match="a Spark session is active, and an address"):
                sm.evaluate("qrels", "run", "AP", engine="local[1]")

        evaluate()
        with ThreadPoolExecutor() as threads:  # of which each has an active session of its own
            threads.submit(evaluate).result()
        assert spark.sql("SELECT 1 AS one").collect()[0].one == 1

    def test_frames_of_another_library_are_refused(self, spark, tables):
        with pytest.raises(sm.InputError, match=r"use session.createDataFrame"):
            sm.evaluate("qrels", tables["run"], "AP", engine=spark)

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
    assert "base, bm25: no results for 1 of 4 judged queries; they score 0" in done.stderr


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
