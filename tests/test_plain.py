"""Plain SQL: the same scores without macros, in the dialect of each engine."""

from __future__ import annotations

import math
import re
import sqlite3

import doors
import duckdb
import engine_tables
import engines
import numpy as np
import polars as pl
import pytest
import sqlglot
from commands import run_command
from conftest import ROOT, keep, make_qrels, make_run, name_measures, open_shell
from plain_statistics import (
    COLUMNS,
    STATISTICAL,
    ask_statistics,
    ask_wilcoxon,
    compare_analysis,
    draw_rounded,
    draw_scores,
    expect,
    rank_signs,
    write_analysis,
)
from polars.testing import assert_frame_equal
from scipy import stats
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.catalogue import list_analyses
from sqlmetrics.inputs.columns import KINDS, NAMES, RANGED_SCORES, SCORES
from sqlmetrics.translate import expand, features, simplify
from sqlmetrics.translate.features import ENGINES
from sqlmetrics.translate.simplify import fold

QRELS = make_qrels([("q1", "a", 2), ("q1", "B", 1), ("q2", "c", 1), ("q3", "d", 1)])
RUN = make_run([("q1", "B", 2), ("q1", "a", 2), ("q1", "x", 1), ("q2", "y", 2), ("q2", "c", 1)])


def make_engine(**tables):
    engine = engines.DuckDB()
    for name, frame in tables.items():
        engine.load(name, frame)
    return engine


def ask(measures, *, qrels=QRELS, run=RUN, **options):
    query = sm.sql(measures, dialect="duckdb", **options)
    return make_engine(qrels=qrels, run=run).ask(query)


@pytest.mark.thorough
@pytest.mark.parametrize(("every", "at_once"), [(4, 1), (1, 20)])
def test_every_metric_has_the_scores_of_the_macros(every, at_once):
    found = engines.compare(engines.DuckDB(), every, at_once)
    assert {measure: d for measure, d in found.items() if not d <= engines.EXACT} == {}


@pytest.mark.thorough
def test_conventions_have_the_scores_of_evaluate():
    engine = engines.DuckDB()
    for name in ("qrels", "run"):
        engine.load(name, engines.make_tables()[name])
    found = engines.compare_conventions(engine)
    assert {conventions: d for conventions, d in found.items() if not d <= engines.EXACT} == {}


def test_measures_of_many_relations_are_columns_of_one_table():
    measures = "nDCG@2 P(rel=2)@1 ERR nDCG(gains={1: 3, 2: 9.5}) RR(ties='ascending')"
    expected = sm.evaluate(QRELS, RUN, measures).per_query.drop("run_id").rows()
    for (query_id, *scores), row in zip(ask(measures), expected, strict=True):
        assert [query_id, *scores] == [row[0], *map(pytest.approx, row[1:])]


def test_several_runs_are_separated_by_the_named_column():
    runs = pl.concat(
        [RUN.with_columns(system=pl.lit("one")), RUN.tail(2).with_columns(system=pl.lit("two"))]
    )
    got = ask(
        "AP", run=runs.select("query_id", "doc_id", "score", "system"), columns={"run_id": "system"}
    )
    expected = sm.evaluate(QRELS, {"one": RUN, "two": RUN.tail(2)}, "AP").per_query.rows()
    assert got == expected


def test_tables_and_columns_can_have_any_names():
    engine = make_engine()
    engine.con.execute(
        'CREATE SCHEMA lab; CREATE TABLE lab."my run" AS SELECT 7 AS "query id", 1 AS sku, 2e0 AS sim'
    )
    engine.con.execute('CREATE TABLE judgments AS SELECT 7 AS "query id", 1 AS sku, 3 AS relevance')
    query = sm.sql(
        "RR NumRel",
        dialect="duckdb",
        qrels="judgments",
        run='lab."my run"',
        columns={"query_id": "query id", "doc_id": "sku", "score": "sim"},
    )
    assert engine.ask(query) == [("7", 1.0, 1.0)]


@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
@pytest.mark.parametrize("order", ["rank", "distance"])
def test_a_run_without_scores_is_ranked_by_what_is_named(kind, order):
    run = RUN.select("query_id", "doc_id", d=pl.int_range(1, pl.len() + 1))
    expected = sm.evaluate(QRELS, run, "nDCG@2 RR", columns={order: "d"}).per_query
    engine = kind()
    engine.load("qrels", QRELS)
    engine.load("run", run)
    got = engine.ask(sm.sql("nDCG@2 RR", dialect=engine.dialect, columns={order: "d"}))
    for row, known in zip(got, expected.drop("run_id").rows(), strict=True):
        assert [*row] == [known[0], *map(pytest.approx, known[1:])]
    checks = sm.sql("nDCG@2", dialect=engine.dialect, columns={order: "d"}, checks=True)
    assert engine.ask(checks) == []


def test_a_rank_that_orders_ties_is_beside_the_score():
    run = RUN.with_columns(place=pl.lit(1) + (pl.col("doc_id") == "B").cast(int))
    expected = sm.evaluate(QRELS, run, "RR(rel=2)", ties="rank", columns={"rank": "place"})
    got = ask("RR(rel=2)", run=run, ties="rank", columns={"rank": "place"})
    assert got == expected.per_query.drop("run_id").rows()
    assert got[0] == ("q1", 1.0)


def test_runs_are_read_wherever_a_select_names_them():
    runs, engine = {"old": RUN, "new": RUN.with_columns(score=-pl.col("score"))}, engines.DuckDB()
    engine.load("qrels", QRELS)
    named = [frame.with_columns(run_id=pl.lit(name)) for name, frame in runs.items()]
    engine.load("run", pl.concat(each.select("run_id", *RUN.columns) for each in named))
    scores = "WITH s AS (SELECT run_id, query_id, rr AS score FROM rr(qrels, run))"
    means = sm.evaluate(QRELS, runs, "RR").mean["RR"].sort().to_list()
    got = engine.ask(sm.sql(f"{scores} SELECT avg(score) AS m FROM s GROUP BY run_id", "duckdb"))
    assert sorted(mean for (mean,) in got) == pytest.approx(means)
    query = f"{scores} SELECT difference FROM compared(s, baseline := 'old')"
    ((difference,),) = engine.ask(sm.sql(query, "duckdb"))
    assert difference == pytest.approx(sm.compare(QRELS, runs, "RR").tests["difference"].item())


@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
@pytest.mark.parametrize(
    ("call", "metric"),
    [
        ("ndcg(qrels, run, k := 10)", "nDCG@10"),
        ("rr(qrels, run, rel := 2, ties := 'ascending')", "RR(rel=2, ties='ascending')"),
        ("err(qrels, run, max_rel := 3, k := 2)", "ERR(max_rel=3)@2"),
    ],
)
def test_a_metric_is_called_as_a_table(kind, call, metric):
    runs = {"old": RUN, "new": RUN.with_columns(score=-pl.col("score"))}
    name, engine = call.partition("(")[0], kind()
    engine.load("qrels", QRELS)
    named = [frame.with_columns(run_id=pl.lit(name)) for name, frame in runs.items()]
    engine.load("run", pl.concat(each.select("run_id", *RUN.columns) for each in named))
    query = f"SELECT run_id, avg(m.{name}) AS mean FROM {call} AS m GROUP BY run_id ORDER BY run_id"
    expected = sm.evaluate(QRELS, runs, metric).mean.sort("run_id").rows()
    got = engine.ask(sm.sql(query, dialect=engine.dialect))
    assert [row[0] for row in got] == ["new", "old"]
    assert [row[1] for row in got] == pytest.approx([score for _, score in expected])


@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
def test_judgments_and_runs_are_compared_in_one_select(kind):
    runs = {"old": RUN, "new": RUN.with_columns(score=-pl.col("score"))}
    query = """WITH s AS (
        SELECT j.run_id, j.query_id, 'RR' AS metric, rr(j) AS score
        FROM judged(qrels, run) AS j GROUP BY ALL
    ) SELECT c.run_id, c.difference, c.p FROM compared(s, baseline := 'old') AS c"""
    engine = kind()
    engine.load("qrels", QRELS)
    named = [frame.with_columns(run_id=pl.lit(name)) for name, frame in runs.items()]
    engine.load("run", pl.concat(each.select("run_id", *RUN.columns) for each in named))
    text = sm.sql(query, dialect=engine.dialect, columns={"run_id": "run_id"})
    (row,) = sm.compare(QRELS, runs, "RR").tests.select("run_id", "difference", "p").rows()
    assert engine.ask(text) == [(row[0], *map(pytest.approx, row[1:]))]


def test_names_are_never_taken_for_sql():
    query = sm.sql(
        "AP", dialect="duckdb", run="run; DROP TABLE run", columns={"doc_id": "x) FROM y; --"}
    )
    assert '"run; DROP TABLE run"' in query
    assert '"x) FROM y; --"' in query
    with pytest.raises(sm.InputError, match="invalid table name"):
        sm.sql("AP", dialect="postgres", run="f(1)")
    with pytest.raises(sm.InputError, match="load the file into a table"):
        sm.sql("AP", dialect="postgres", run="examples/bm25.csv")
    for dialect, run in (("postgres", "x--"), ("spark", "x /* y */"), ("bigquery", "$1")):
        with pytest.raises(sm.InputError, match="invalid table name"):
            sm.sql("AP", dialect=dialect, run=run)
    for column in ("a.b.c.d.e", '"a"--'):  # whole names of columns
        quoted = '"' + column.replace('"', '""') + '"'
        assert quoted in sm.sql("AP", dialect="postgres", columns={"doc_id": column})


def test_files_are_tables_of_duckdb():
    qrels, run = ROOT / "examples" / "qrels.csv", ROOT / "examples" / "bm25.csv"
    query = sm.sql("AP", dialect="duckdb", qrels=str(qrels), run=str(run))
    expected = sm.evaluate(qrels, run, "AP").per_query.drop("run_id").rows()
    assert make_engine().ask(query) == expected


def test_means_of_metrics_of_other_grades_and_depths_are_those_of_evaluate():
    metrics = "nDCG@10 AP(rel=2)@5 P"
    ((*got,),) = ask(metrics, mean=True)
    assert got == pytest.approx(sm.evaluate(QRELS, RUN, metrics).mean.row(0)[1:])


@pytest.mark.few(2)
@pytest.mark.parametrize("aggregate", ["mean", "sum", "min", "max", "std", "geometric", "harmonic"])
def test_a_row_per_run_has_the_summary_of_evaluate(aggregate):
    ((got, relevant),) = ask("AP NumRel", aggregate=aggregate, mean=True)
    expected = sm.evaluate(QRELS, RUN, "AP NumRel", aggregate=aggregate).mean.row(0)
    assert (got, relevant) == pytest.approx(expected[1:])


@pytest.mark.few(1)
@pytest.mark.parametrize("aggregate", [None, "geometric", "harmonic"])
def test_a_row_per_segment_has_the_summary_of_evaluate(aggregate):
    topics = pl.DataFrame(
        {"query_id": ["q1", "q2", "q3"], "Land": ["a", "a", "b"], "n": ["1", "3", "2"]}
    )
    engine = make_engine(qrels=QRELS, run=RUN, topics=topics)
    engine.con.execute("ALTER TABLE topics ALTER n TYPE DOUBLE")
    asked = {"by": "Land", "weight": "n", "aggregate": aggregate}
    query = sm.sql("AP RR", dialect="duckdb", topics="topics", **asked)
    expected = sm.evaluate(QRELS, RUN, "AP RR", topics=topics, **asked).mean
    for (land, *scores), right in zip(engine.ask(query), expected.rows(), strict=True):
        assert [land, *scores] == [right[1], *map(pytest.approx, right[2:])]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
@pytest.mark.parametrize(
    ("measures", "options"),
    [
        ("nDCG(negative=raw)@1 Judged@1 Unjudged@1", {"ties": "worst"}),
        ("NERR11(T=0.1, k=3, measure='cost') FN@5", {}),
        ("NCU(stops={1: 2, 2: 0.5})", {}),
        ("RBP(p=0.001, denominator='cutoff')@1000 NERR10(p=0.4) TBG(halflife=0.9)", {}),
        ("IFT(T=72) INSQ(unjudged=1)@20", {}),
        (
            "nDCG(gains={-1: 2, 0: 1, 1: 0}, gain='exponential')@3 AP(denominator='achievable')@2",
            {},
        ),
    ],
)
def test_arguments_at_their_limits_give_the_scores_of_evaluate(kind, measures, options):
    assert_scores(kind(), measures, **options)


def assert_scores(engine, measures, prefix="", **options):
    tables = {name: engines.make_tables()[prefix + name] for name in ("qrels", "run")}
    for name, frame in tables.items():
        engine.load(name, frame)
    columns = {"subtopic": "subtopic"} if prefix else None
    got = engine.ask(sm.sql(measures, dialect=engine.dialect, columns=columns, **options))
    expected = sm.evaluate(*tables.values(), measures, **options).per_query.drop("run_id").rows()
    for (query_id, *scores), right in zip(got, expected, strict=True):
        assert query_id == right[0]
        assert scores == pytest.approx(right[1:], abs=engines.EXACT)


@pytest.mark.engines
def test_numbers_that_postgresql_refuses_are_avoided():
    with engines.start_postgres() as address:
        engine = engines.PostgreSQL(None, address)
        assert_scores(
            engine,
            "ERR_IA(alpha=1) NRBP(beta=0) alpha_DCG(alpha=1)@3 NRBP(alpha=0,beta=0) NRBP(alpha=1,beta=0)",
            "grouped_",
        )
        engine.con.execute("DROP TABLE qrels, run")
        assert_scores(
            engine,
            "NERR10(p=0.4) TBG(halflife=0.9) NPV(rate=1000) RBP(p=0.001, denominator=cutoff)@1000 "
            "IFT(T=72) IFT(R2=5000) INSQ(unjudged=1)@20 SET(beta=3)",
        )


@pytest.mark.engines
def test_postgresql_ranks_in_the_order_of_the_index_of_its_page():
    page = (ROOT / "docs" / "engines" / "postgresql.md").read_text(encoding="utf-8")
    with engines.start_postgres() as address:
        engine = engines.PostgreSQL(None, address)
        engine.load("qrels", QRELS)
        engine.load("run", RUN)
        engine.con.execute(re.search(r"CREATE INDEX [^']*", page)[0])
        engine.con.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        query = sm.sql("nDCG@10 AP", dialect="postgres")
        plan = "\n".join(line for (line,) in engine.ask(f"EXPLAIN {query}"))
    assert "using ranks on run" in plan
    assert not re.search("Sort Key: .*score", plan)


@pytest.mark.parametrize("dialect", ["postgres", "sqlite", "snowflake"])
def test_names_of_columns_keep_their_quotes(dialect):
    columns = {"relevance": '"Rel"', "doc_id": "order", "query_id": "q"}
    query = sm.sql(
        "P@1", dialect=dialect, columns=columns, by='"Country"', weight="group", topics="t"
    )
    for written in ('_q."Rel"', '_q."order"', "_q.q ", '."Country"', '."group"'):
        assert written in query


def test_snowflake_has_frames_of_its_documentation():
    for measure in ("LRAP", "StepAP"):
        query = sm.sql(measure, dialect="snowflake")
        assert "RANGE CURRENT ROW" in query
        assert "BETWEEN CURRENT ROW AND CURRENT ROW" not in query


@pytest.mark.thorough
def test_a_table_may_be_called_like_a_query_of_ours():
    for name in ("judgments", "ranked", "scores", "_run", "j", "Judged", "_given_run2"):
        engine = make_engine(qrels=QRELS)
        engine.load(f'"{name}"', RUN)
        query = sm.sql("RR", dialect="duckdb", run=f'"{name}"')
        assert engine.ask(query) == sm.evaluate(QRELS, RUN, "RR").per_query.drop("run_id").rows()


NAMED = "nDCG@10 P@5 AP(rel=2)@5 RBP(p=0.5) nDCG(gain='exponential')@3 11pt_avg AP AS Quality"
SNAKE = "ndcg_10 p_5 ap_rel_2_5 rbp_p_0_5 ndcg_gain_exponential_3 _11pt_avg quality"


def test_names_in_snake_case_need_no_quotes():
    con = make_engine(qrels=QRELS, run=RUN).con
    found = con.sql(sm.sql(NAMED, dialect="duckdb", names="snake"))
    assert found.columns == ["query_id", *SNAKE.split()]
    expected = sm.evaluate(QRELS, RUN, NAMED).per_query.drop("run_id").rows()
    for row, right in zip(found.fetchall(), expected, strict=True):
        assert row == (right[0], *map(pytest.approx, right[1:]))
    for dialect in ("snowflake", "redshift", "postgres", "trino"):
        text = sm.sql(NAMED, dialect=dialect, names="snake", mean=True)
        assert [word for word in SNAKE.split() if f" AS {word}" not in text] == []
        assert '"' not in text.replace('COLLATE "C"', "")
    assert 'AS "order"' in sm.sql("RR AS Order", dialect="snowflake", names="snake")


def test_names_in_snake_case_that_are_taken_end_in_a_number():
    def name(metrics, **options):
        query = sm.sql(metrics, dialect="duckdb", names="snake", **options)
        return make_engine(qrels=QRELS.with_columns(rr_5=1), run=RUN).con.sql(query).columns

    assert name("P@5 AP AS p__5 P_5") == ["query_id", "p_5", "p_5_2", "p_5_3"]
    assert name("RR@5", by="rr_5") == ["rr_5", "rr_5_2"]


@pytest.mark.parametrize("options", [{}, {"checks": True}, {"dialect": "duckdb", "checks": True}])
def test_names_are_for_plain_scores(options):
    with pytest.raises(sm.InputError, match=r"only for plain SQL|checks takes"):
        sm.sql("AP", names="snake", **options)
    with pytest.raises(sm.InputError, match="names must be 'snake', not 'camel'"):
        sm.sql("AP", dialect="duckdb", names="camel")


def test_names_that_are_not_words_are_kept_distinct():
    query = sm.sql("AP(rel=2)@5 AP(rel=2.5)", dialect="bigquery")
    assert "scores_1.`AP_rel_2_5`" in query
    assert "scores_2.`AP_rel_2_5_2`" in query


def test_what_a_judgment_may_not_be_is_an_error_of_the_engine():
    for engine in (engines.DuckDB(), engines.SQLite()):
        engine.load("qrels", QRELS.with_columns(relevance=pl.lit(7.0)))
        engine.load("run", RUN)
        with pytest.raises(Exception, match=r"relevance 7.0 is above max_rel 4"):
            engine.ask(sm.sql("ERR", dialect=engine.dialect))


def test_a_text_that_is_not_a_number_is_none_in_sqlite():
    engine = engines.SQLite()
    engine.load("qrels", make_qrels([("q", "a", 1), ("q", "b", 0)]).cast({"relevance": pl.String}))
    engine.load(
        "run", pl.DataFrame({"query_id": "q", "doc_id": ["a", "b"], "score": ["0.5", "good"]})
    )
    assert engine.ask(sm.sql("RR", dialect="sqlite")) == [("q", 1.0)]
    ((check, *_, problem),) = engine.ask(sm.sql("RR", dialect="sqlite", checks=True))
    assert (check, problem[:12]) == ("unusable_documents", "score 'good'")


@pytest.mark.parametrize("kind", [int, str])
def test_a_whole_number_that_no_float_is_scores_in_sqlite(kind):
    # such as nanoseconds since 1970, the newest first
    scores = [2**60 + 1, 2**60 + 1000, 7]
    engine = engines.SQLite()
    engine.load("qrels", make_qrels([("q", "a", 1), ("q", "b", 0), ("q", "c", 0)]))
    engine.con.execute("CREATE TABLE run (query_id, doc_id, score)")
    rows = [("q", name, kind(score)) for name, score in zip("abc", scores, strict=True)]
    engine.con.executemany("INSERT INTO run VALUES (?, ?, ?)", rows)
    assert engine.ask(sm.sql("RR", dialect="sqlite")) == [("q", 1 / 2)]


def test_comments_say_what_each_query_is():
    query = sm.sql("AP", dialect="trino")
    names = re.findall(r"^(\w+) AS \($", query, re.MULTILINE)
    about = {
        f"-- {file.summary}" for folder in catalogue.files().values() for file in folder.values()
    }
    assert len(names) > 2
    for name in names:
        assert query[: query.index(f"\n{name} AS (")].splitlines()[-1] in about


def test_the_comment_on_ids_is_written_where_they_have_a_collation():
    about = "/* ids are compared as bytes, whatever the default collation of the database */\n"
    assert f'CAST(_q.query_id AS TEXT) COLLATE "C" AS query_id, {about}' in sm.sql(
        "P@10", dialect="postgres"
    )
    assert "collation" not in sm.sql("P@10", dialect="bigquery")


def test_the_text_states_its_assumptions():
    one = sm.sql("P@10", dialect="trino").splitlines()[0]
    several = sm.sql("P@10", dialect="trino", columns={"run_id": "system"}).splitlines()[0]
    assert one == (
        "-- For one run, with each document once per query; for several runs, name the run_id."
    )
    assert several == "-- For runs with each document once per query."


@pytest.mark.thorough
def test_subtopics_are_those_of_the_column_that_is_named():
    measures = "NumPrefs PrefsSimp StRecall@1 AP_IA"
    alone = sm.evaluate(QRELS, RUN, measures).per_query.drop("run_id").rows()
    assert ask(measures) == alone
    by_facet = pl.concat(
        [
            QRELS.with_columns(facet=pl.lit("x")),
            make_qrels([("q1", "B", 2), ("q3", "d", 1)]).with_columns(facet=pl.lit("y")),
        ]
    )
    named = {"columns": {"subtopic": "facet"}}
    found = sm.evaluate(by_facet, RUN, measures, **named).per_query.drop("run_id").rows()
    assert ask(measures, qrels=by_facet, **named) == found != alone
    unnamed, several = (
        sm.sql("StRecall@1", dialect="trino", **options).splitlines()[0]
        for options in ({}, {"columns": {"run_id": "system", "subtopic": "facet"}})
    )
    assert unnamed.endswith(
        " For judgments without subtopics; if they have any, name the subtopic."
    )
    assert several == "-- For runs with each document once per query."


def test_names_of_segments_may_be_quoted_as_the_engine_does():
    query = sm.sql("P@10", dialect="bigquery", by="`home country`", topics="lab.queries")
    assert "t.`home country`" in query


def test_a_column_that_makes_rows_stays_though_nothing_reads_it():
    inner = "SELECT i.doc_id, unnest([1, 2]) AS number FROM listed_items(items) AS i"
    text = sm.sql(f"SELECT r.doc_id FROM ({inner}) AS r", dialect="duckdb")
    items = pl.DataFrame({"doc_id": ["a", "b"]})
    assert sorted(make_engine(items=items).ask(text)) == [("a",), ("a",), ("b",), ("b",)]


def test_a_condition_that_never_holds_is_left_out():
    assert "AND NULL" not in sm.sql("Q", dialect="postgres")
    assert "WHEN 0e0 THEN 1e0" in sm.sql("nDCG(gains={0: 1, 1: 0})", dialect="trino")


@pytest.mark.parametrize(
    "formula",
    [
        "coalesce(sum(CASE WHEN a THEN b ELSE 0e0 END) / nullif(c, 0), 0e0)",
        "1e0 * sum(CASE WHEN a THEN b ELSE 0e0 END)",
        "sum(CASE WHEN a THEN b ELSE 0 END)",
    ],
)
def test_what_makes_whole_numbers_fractions_stays(formula):
    tree = sqlglot.parse_one(f"SELECT {formula}", read="duckdb").expressions[0]
    assert fold(tree.copy()).sql() == tree.sql()


def test_only_what_is_asked_for_is_computed():
    query = sm.sql("P@10", dialect="postgres")
    assert "num_rel" not in query
    assert "run_id" not in query[query.index("WITH") :]
    assert query.count(" OVER ") == 1  # rank


def test_what_is_the_same_in_all_rows_of_a_query_is_not_summed():
    assert 'ELSE 0 END) / 10 AS "P@10"' in sm.sql("P@10", dialect="duckdb")
    of_all = (
        "SELECT j.run_id, precision_at(j, k := 10) AS p FROM rows_of_all AS j GROUP BY j.run_id"
    )
    assert "ideal_rank = 1 THEN 10 END" in expand.PlainQuery(of_all, {}).tree.sql()


def test_what_a_formula_uses_twice_is_computed_first():
    query = sm.sql("Jaccard@10", dialect="duckdb")
    assert "1e0 * j.tp / nullif(j.tp + j.fp + j.fn, 0)" in query
    assert query.count(" AS tp,") == 1
    assert "counts AS" not in sm.sql("P@10 F@10 AP", dialect="duckdb")


def test_counts_of_several_measures_are_distinct():
    measures = "Jaccard@1 P@2 MCC(corpus_size=9)@2 TN(corpus_size=9)@1 MeanPR(mean='geometric')@1"
    query = sm.sql(measures, dialect="duckdb")
    assert "j.tp * j.tn" not in query
    assert "j.tp_2 * j.tn - 1e0 * j.fp_2 * j.fn_2" in query
    expected = sm.evaluate(QRELS, RUN, measures).per_query.drop("run_id").rows()
    for (query_id, *scores), row in zip(ask(measures), expected, strict=True):
        assert [query_id, *scores] == [row[0], *map(pytest.approx, row[1:])]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
def test_counts_are_not_called_like_a_metric(kind):
    assert_scores(kind(), "MCC(corpus_size=1000)@3 FP FN")


def test_a_value_that_is_never_null_needs_no_other():
    def fold(text):
        return simplify.fold(sqlglot.parse_one(text, read="duckdb")).sql("duckdb")

    count = "SUM(CASE WHEN a THEN b ELSE 0 END)"
    assert fold(f"coalesce(2 * {count} / 10, 0)") == f"2 * {count} / 10"
    for text in (f"COALESCE({count} / 0, 0)", "COALESCE(SUM(CASE WHEN a THEN b END), 0)"):
        assert fold(text) == text
    assert fold("a - 0") == "a"


# What is known to go wrong without a word, engine by engine.


def find_traps(text, engine):
    tree = sqlglot.parse_one(text, read=engine.dialect)
    code = re.sub(r"""--.*|/\*.*?\*/|"[^"]*"|'(\\'|[^'])*'|`[^`]*`""", "", text)
    if tree.find(exp.Command):
        yield "what sqlglot cannot read"
    if re.search(r"(?<![\w.])\d+\.\d+(?![\de])", code):
        yield "a fraction that may be a decimal"
    if engine.numbers and re.search(rf"\de-?\d+(?!\d|{engine.numbers})", code):
        yield "a number that may be a decimal"
    ordered = [
        each
        for each in tree.find_all(exp.Ordered)
        if isinstance(each.find_ancestor(exp.Window, exp.Select), exp.Window)
    ]
    if code.count("NULLS LAST") != len(ordered) * engine.orders_nulls:
        yield "an order that does not say where NULL stands"
    ascending = [each for each in ordered if not each.args.get("desc")]
    if not engine.orders_nulls and code.count("IS NULL THEN 1 ELSE 0 END ASC") < len(ascending) / 2:
        yield "an order that does not say where NULL stands"
    if any(n.this.is_int and n.expression.is_int for n in tree.find_all(exp.Div)):
        yield "a division of whole numbers"
    if any(not j.args.get("on") and j.kind != "CROSS" for j in tree.find_all(exp.Join)):
        yield "a join without ON"
    if any(join.kind in ("SEMI", "ANTI") for join in tree.find_all(exp.Join)):
        yield "a join that some take for an alias"
    if tree.find(exp.Filter) or tree.find(exp.Qualify) or "MATERIALIZED" in code.upper():
        yield "a clause that few engines have"
    # of queries and documents in both tables, or of pages
    if engine.collation and code.count("COLLATE") < (4 if "qrels" in code else 1):
        yield "ids in the order of a language"
    if not engine.has_range and "RANGE BETWEEN" in code:
        yield "a frame by RANGE"
    if engine.dialect == "clickhouse" and "join_use_nulls = 1" not in code:
        yield "joins that fill in zeros"
    if engine.dialect != "duckdb" and re.search(r"\blist_|\blambda\b", code):
        yield "a function of DuckDB"
    if engine.plain_names and re.search(r"\W", "".join(re.findall(r"`([^`]*)`", text))):
        yield "a column name that is not a word"
    names = [[each.alias_or_name for each in s.selects] for s in tree.find_all(exp.Select)]
    if any(len({name.lower() for name in listed}) < len({*listed}) for listed in names):
        yield "names that differ in capitals alone"
    if re.search(r";\s*;", code):
        yield "an empty statement"
    yield from find_limits(tree, code, engine.dialect)


def find_limits(tree, code, dialect):
    """What the documentation of a warehouse that is not run here rules out."""
    if dialect == "bigquery":
        if re.search(r"\bERROR\(", code):
            yield "ERROR, which fails for NULL, too"
        if re.search(r"\bWEEK\b", code):
            yield "a week from Sunday"
        if any(not has_equal_columns(join) for join in tree.find_all(exp.Join) if join.side):
            yield "an outer join without equal columns"
        typed = qualify(tree.copy(), dialect=dialect, validate_qualify_columns=False)
        windows = annotate_types(typed, dialect=dialect).find_all(exp.Window)
        if any(
            key.is_type(*exp.DataType.REAL_TYPES)
            for w in windows
            for key in w.args.get("partition_by") or []
        ):
            yield "rows by a fraction"
    if dialect == "snowflake" and "BETWEEN CURRENT ROW AND CURRENT ROW" in code:
        yield "a frame of one row by BETWEEN"
    if dialect == "snowflake" and re.search(r"\bFLATTEN\((?!INPUT =>)", code):
        yield "an argument without its name"
    if dialect == "redshift" and re.search(r"\bVARCHAR\b(?!\(MAX\))", code):
        yield "a text of 256 characters at most"
    recursive = [cte for cte in tree.find_all(exp.CTE) if reads_itself(cte)]
    if dialect in ("snowflake", "bigquery") and any(cte.find(exp.Window) for cte in recursive):
        yield "a window in a recursive query"
    if dialect == "redshift" and not all(cte.args["alias"].columns for cte in recursive):
        yield "a recursive query that does not list its columns"
    if dialect == "trino":
        if recursive:
            yield "a recursive query, which ends after 10 steps"
        ends = (each.args["end"] for each in tree.find_all(exp.GenerateSeries))
        if any(end.is_int and int(end.name) > 10_000 for end in ends):
            yield "a sequence of more than 10,000 numbers"


def reads_itself(cte):
    return any(table.name == cte.alias for table in cte.this.find_all(exp.Table))


def has_equal_columns(join):
    """Whether a condition of a join asks for equal columns of both tables."""
    on = join.args["on"]
    asked = on.flatten() if isinstance(on, exp.And) else [on]
    pairs = ([*each.find_all(exp.Column)] for each in asked if isinstance(each, exp.EQ))
    return any(len({column.table for column in pair}) > 1 for pair in pairs)


def find_measures_with_traps(dialect, measures, at_once=10, alone=()):
    """By metric, the traps that its text has, and why those are refused that are.

    Metrics are written together, except those of ``alone`` and of a text with traps or a refusal.
    """
    found, refused = {}, {}
    others = [measure for measure in measures if measure not in alone]
    batches = [others[start : start + at_once] for start in range(0, len(others), at_once)]
    for batch in [*batches, *([measure] for measure in measures if measure in alone)]:
        try:
            traps = [*find_traps(sm.sql(batch, dialect=dialect), ENGINES[dialect])]
        except sm.MetricError as refusal:
            problem = str(refusal)
        else:
            if not traps:
                continue
            problem = None
        if len(batch) > 1:
            of_found, of_refused = find_measures_with_traps(dialect, batch, at_once=1)
            assert of_found or of_refused, (batch, traps)
            found |= of_found
            refused |= of_refused
        elif problem:
            before, refused[batch[0]] = problem.split(": ", 1)
            assert before == f"{batch[0]} cannot be computed by {dialect}"
        else:
            found[batch[0]] = traps
    return found, refused


@pytest.mark.few(1)
@pytest.mark.parametrize("dialect", [*ENGINES])
def test_the_text_parses_and_has_none_of_the_known_traps(dialect):
    some = ["nDCG@10", "AP", "ERR", "PrefsPair", "INSQ@10", "Accuracy"]
    assert find_measures_with_traps(dialect, some) == ({}, {})


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "measure", ["alpha_nDCG@2", "nERR_IA@2", "nNRBP", "NumPrefs", "StRecall@2"]
)
def test_judgments_without_subtopics_have_the_scores_of_evaluate(measure):
    expected = sm.evaluate(QRELS, RUN, measure).per_query[measure].to_list()
    assert [
        score
        for _, score in make_engine(qrels=QRELS, run=RUN).ask(sm.sql(measure, dialect="duckdb"))
    ] == pytest.approx(expected)


# the others are run, and their scores compared; Athena's is Trino's
@pytest.mark.engines
@pytest.mark.parametrize("dialect", engine_tables.RENDERED)
def test_all_texts_parse_and_have_none_of_the_known_traps(dialect):
    listed = engines.read_refusals(dialect)  # of the page
    for known in (catalogue.all_metrics("runs"), catalogue.all_metrics("clicks")):
        by_rows = sorted(known, key=lambda metric: metric.relation)
        metrics = {name_measures(m, 100)[-1]: name_measures(m)[-1] for m in by_rows}
        refusals = {measure: why for measure, why in listed.items() if measure in metrics}
        found, refused = find_measures_with_traps(dialect, [*metrics], alone=refusals)
        assert found == {}
        assert refused == refusals, engines.STALE
        short = [metrics[measure] for measure in refused]
        assert find_measures_with_traps(dialect, short)[0] == {}


@pytest.mark.engines
@pytest.mark.parametrize("dialect", engine_tables.RENDERED)
def test_texts_of_analyses_and_checks_have_none_of_the_known_traps(dialect):
    refused, engine = {}, ENGINES[dialect]
    for name, case in engine_tables.list_cases().items():
        try:
            text = engine_tables.write(case, dialect)
        except sm.SqlMetricsError as refusal:
            refused[name] = str(refusal)
        else:
            assert [*find_traps(text, engine)] == [], name
    listed = engine_tables.list_reasons(dialect, engine_tables.read_reasons(dialect))
    assert engine_tables.list_reasons(dialect, refused) == listed, engines.STALE


@pytest.mark.parametrize(
    ("kind", "scores"),
    [  # without a tolerance, each is a last digit below 1
        (engines.DuckDB, [0.31, 0.39, 0.14, 0.93, 0.51]),
        (engines.SQLite, [0.5, 0.98, 0.54, 0.06, 0.34]),
    ],
)
def test_a_correlation_of_1_has_no_interval_in_any_last_digit(kind, scores):
    rows = [("a", "m", str(n), 0.0) for n in range(len(scores))]
    offline = [*rows, *(("b", "m", str(n), score) for n, score in enumerate(scores))]
    online = [(run, metric, query, score / 3) for run, metric, query, score in offline]
    names = ["run_id", "metric", "query_id", "score"]
    tables = {
        name: pl.DataFrame(rows, names, orient="row")
        for name, rows in (("offline", offline), ("online", online))
    }
    engine = kind()
    for name, table in tables.items():
        engine.load(name, table)
    select = "SELECT o.correlation, o.low, o.high FROM online_offline(offline, online) AS o"
    columns = {name: name for name in ("run_id", "metric")}
    ((correlation, *ends),) = engine.ask(sm.sql(select, dialect=engine.dialect, columns=columns))
    assert (correlation, ends) == (pytest.approx(1), [None, None])


def test_a_click_at_a_position_that_nobody_looks_at_has_the_highest_weight():
    engine = engines.SQLite()
    pages = {"page_id": ["p", "p"], "query_id": ["q", "q"], "doc_id": ["a", "b"]}
    engine.load("log", pl.DataFrame({**pages, "position": [1, 2], "clicked": [1, 1]}))
    engine.load("run", pl.DataFrame({"query_id": ["q"], "doc_id": ["b"], "score": [1.0]}))
    engine.load("examination", pl.DataFrame({"position": [1, 2], "examination": [0.5, 0.0]}))
    call = "replayed(log, run, examination, clip := 8)"
    rows = engine.ask(sm.sql(f"SELECT r.weight FROM {call} AS r", dialect=engine.dialect))
    assert sorted(rows) == [(2.0,), (8.0,)]


RECURSIVE = (
    "WITH RECURSIVE s AS (SELECT x, 0 AS n FROM t UNION ALL "
    "SELECT sum(s.x) OVER (PARTITION BY s.n) AS x, s.n + 1 AS n FROM s WHERE s.n < 50) SELECT x FROM s"
)


def test_athena_is_written_as_trino():
    assert ENGINES["athena"] == ENGINES["trino"]
    assert engines.read_refusals("athena") == engines.read_refusals("trino"), engines.STALE


@pytest.mark.parametrize(
    ("dialect", "text", "trap"),
    [
        ("bigquery", "SELECT ERROR(NULL)", "ERROR, which fails for NULL, too"),
        ("bigquery", "SELECT date_trunc(d, WEEK) FROM t", "a week from Sunday"),
        (
            "bigquery",
            "SELECT 1 FROM a LEFT JOIN b ON TRUE",
            "an outer join without equal columns",
        ),
        (
            "bigquery",
            "SELECT count(*) OVER (PARTITION BY t.x) FROM (SELECT CAST(y AS FLOAT64) AS x FROM u) AS t",
            "rows by a fraction",
        ),
        (
            "snowflake",
            "SELECT sum(x) OVER (ORDER BY x RANGE BETWEEN CURRENT ROW AND CURRENT ROW) FROM t",
            "a frame of one row by BETWEEN",
        ),
        ("snowflake", "SELECT value FROM TABLE(FLATTEN(x))", "an argument without its name"),
        ("redshift", "SELECT CAST(x AS VARCHAR) FROM t", "a text of 256 characters at most"),
        ("redshift", "SELECT x AS fp, x AS FP FROM t", "names that differ in capitals alone"),
        ("trino", "SELECT sequence(1, 20000)", "a sequence of more than 10,000 numbers"),
        ("trino", "SELECT 1;;", "an empty statement"),
        ("snowflake", RECURSIVE, "a window in a recursive query"),
        ("bigquery", RECURSIVE, "a window in a recursive query"),
        ("redshift", RECURSIVE, "a recursive query that does not list its columns"),
        ("trino", RECURSIVE, "a recursive query, which ends after 10 steps"),
    ],
)
def test_a_known_limit_of_a_warehouse_is_found(dialect, text, trap):
    assert trap in [*find_traps(text, ENGINES[dialect])]


@pytest.mark.parametrize(
    ("text", "trap"),
    [
        ("SELECT 1.0 / x FROM t", "a fraction that may be a decimal"),
        ("SELECT 1e0 / x FROM t", "a number that may be a decimal"),
        (
            "SELECT rank() OVER (ORDER BY x ASC) FROM t",
            "an order that does not say where NULL stands",
        ),
        ("SELECT 1 / 2", "a division of whole numbers"),
        ("SELECT 1 FROM a JOIN b USING (x)", "a join without ON"),
        ("SELECT sum(x) FILTER (WHERE y) FROM t", "a clause that few engines have"),
        ("SELECT list_sum(x) FROM t", "a function of DuckDB"),
    ],
)
def test_a_known_trap_is_found(text, trap):
    assert trap in [*find_traps(text, ENGINES["postgres"])]


# Any SELECT over the macros


@pytest.mark.thorough
def test_a_translated_statement_returns_what_the_macros_do():
    found = engines.compare_statements(engines.DuckDB())
    assert found.keys() == engines.STATEMENTS.keys()
    assert max(found.values()) <= engines.EXACT


def test_a_single_run_needs_no_run_id_to_be_translated():
    text = sm.sql("SELECT t.doc_id FROM to_judge(lab.qrels, 'my run') AS t", dialect="postgres")
    assert 'FROM "my run"' in text or "FROM lab.qrels" in text
    assert "run_id" not in text.partition("GROUP BY")[2]


def test_a_select_that_names_the_runs_scores_each_of_them():
    other = RUN.with_columns(run_id=pl.lit("b"), score=-pl.col("score"))
    runs = pl.concat([RUN.with_columns(run_id=pl.lit("a")), other])
    query = """
        WITH s AS (SELECT j.run_id, j.query_id, rr(j) AS rr FROM judged(qrels, run) AS j GROUP BY ALL)
        SELECT run_id AS system, avg(rr) AS mrr FROM s GROUP BY ALL ORDER BY ALL
    """
    got = make_engine(qrels=QRELS, run=runs).ask(sm.sql(query, dialect="duckdb"))
    assert got == sm.evaluate(QRELS, runs, "RR").mean.sort("run_id").rows()


NDCG = "SELECT {} AS score FROM {} AS j GROUP BY j.run_id, j.query_id"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("call", "rows"),
    [
        ("NDCG(j, K := 3)", "Judged(qrels, run)"),
        ("ndcg(j, k => 3)", "judged(qrels, run)"),
        ("ndcg(j := j, k := 3)", "judged(qrels, run)"),
        ("ndcg(j, 1 + 2)", "judged(qrels, run, rel := 1)"),
    ],
)
def test_arguments_are_translated_however_they_are_written(call, rows):
    expected = sm.sql(NDCG.format("ndcg(j, k := 3)", "judged(qrels, run)"), dialect="postgres")
    assert sm.sql(NDCG.format(call, rows), dialect="postgres") == expected


GROUPED = "SELECT j.query_id, {} FROM judged(qrels, run) AS j {}"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("GROUP BY ALL", "GROUP BY j.query_id"),
        ("GROUP BY 1", "GROUP BY j.query_id"),
        (
            "GROUP BY ALL ORDER BY ALL DESC LIMIT 1",
            "GROUP BY j.query_id ORDER BY j.query_id DESC, ap DESC LIMIT 1",
        ),
    ],
)
def test_what_a_query_groups_by_is_translated_however_it_is_written(written, meant):
    texts = [
        sm.sql(GROUPED.format("ap(j) AS ap", each), dialect="sqlite") for each in (written, meant)
    ]
    assert texts[0] == texts[1]
    assert "\nGROUP BY j.query_id" in texts[0]


def test_columns_without_a_name_are_translated():
    text = sm.sql(
        GROUPED.format("ap(j) - ap(j, k := 1)", "GROUP BY lower(j.query_id), j.query_id"),
        dialect="sqlite",
    )
    assert "\nGROUP BY lower(j.query_id), j.query_id" in text


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (
            "j.doc_id, j.rank FROM judged(qrels, run) AS j WHERE j.rank > 0 ORDER BY j.rank DESC LIMIT 1",
            [("b", 3)],
        ),
        (
            "j.doc_id, j.rank FROM judged(qrels, run) AS j WHERE j.rank > 0 ORDER BY j.rank LIMIT 1 OFFSET 1",
            [("c", 2)],
        ),
    ],
)
def test_the_order_of_a_named_query_chooses_its_rows(chosen, expected):
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE qrels AS SELECT 'q' AS query_id, unnest(['a', 'b', 'c']) AS doc_id, 1 AS relevance"
    )
    con.execute(
        "CREATE TABLE run AS SELECT 'q' AS query_id, unnest(['a', 'b', 'c']) AS doc_id, unnest([9, 1, 5]) AS score"
    )
    text = sm.sql(f"WITH chosen AS (SELECT {chosen}) SELECT * FROM chosen", dialect="duckdb")
    assert con.sql(text).fetchall() == expected


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("FROM to_judge(qrels, run)", "_p.place"),
        ("FROM roc_curve(qrels, run)", "_p.query_id"),
    ],
)
def test_the_order_of_an_analysis_is_that_of_the_whole_query(query, order):
    text = sm.sql(query, dialect="postgres")
    assert text.rpartition("\nORDER BY")[2].split()[0] == order


WRITTEN = list_analyses()


@pytest.mark.few(2)
@pytest.mark.parametrize("name", WRITTEN)
def test_an_analysis_in_a_shell_and_in_plain_sql_has_the_rows_of_its_function(name):
    given, inputs = doors.give(name), WRITTEN[name].inputs
    tables = {each: given.pop(each) for each in inputs if each in given}
    if "baseline" in tables:  # as columns names those of all tables
        tables["baseline"] = tables["baseline"].with_columns(run_id=pl.lit("x"))
    if "users" in tables:
        tables["users"] = tables["users"].with_columns(metric=pl.lit("m"))
    expected = getattr(sm, name)(**tables, **given)
    con = open_shell()
    for each, table in tables.items():
        if KINDS[each] in (SCORES, RANGED_SCORES):
            table = table.unpivot(
                index=["run_id", "query_id"], variable_name="metric", value_name="score"
            ).with_columns(lowest=pl.lit(None, pl.Float64), highest=pl.lit(None, pl.Float64))
        keep(con, **{each: table})
    listed = [each if each in tables else "NULL" for each in inputs]
    listed += (f"{option} := {catalogue.quote(value)}" for option, value in given.items())
    call = f"FROM {name}({', '.join(listed)})"
    columns = {column for each in tables for column in con.sql(f"FROM {each}").columns}
    columns = {each: each for each in columns & {*NAMES, "metric"}}
    known = [column for column in expected.columns if expected[column].count()]
    con.execute(f"CREATE VIEW nothing AS FROM {next(iter(tables))} LIMIT 0")
    in_shell = call.replace("NULL", "nothing")
    for text in (in_shell, sm.sql(call, dialect="duckdb", columns=columns)):
        found = con.sql(text).pl().select(known)
        assert_frame_equal(found, expected.select(known), check_row_order=False, check_dtypes=False)
    if "\nORDER BY" in WRITTEN[name].statement.body:
        assert sqlglot.parse_one(text, dialect="duckdb").args.get("order")


def test_a_part_of_a_union_that_has_no_rows_is_left_out():
    text = sm.sql("SELECT j.relevance FROM judge(log, model := 'dcm') AS j", dialect="postgres")
    assert "UNION" not in text
    part = "SELECT j.doc_id FROM judged(qrels, run) AS j WHERE {}".format
    query = f"WITH few AS ({part('j.rank > 0')} UNION ALL {part('FALSE')} ORDER BY doc_id LIMIT 1) FROM few"
    rows = make_engine(qrels=QRELS, run=RUN).ask(sm.sql(query, dialect="duckdb"))
    assert rows == [("B",)]


@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
def test_a_macro_reads_a_named_query_and_the_columns_that_it_needs(kind):
    engine = kind()
    for name, table in {"qrels": QRELS, "found": RUN.rename({"doc_id": "sku"})}.items():
        engine.load(name, table)
    query = (
        "WITH run AS (SELECT query_id, sku AS doc_id, score FROM found WHERE sku <> 'B') "
        "SELECT j.query_id, ap(j) AS ap FROM judged(qrels, run) AS j GROUP BY j.query_id"
    )
    expected = sm.evaluate(QRELS, RUN.filter(pl.col("doc_id") != "B"), "AP").per_query
    got = engine.ask(sm.sql(query, dialect=engine.dialect))
    assert sorted(got) == expected.drop("run_id").rows()
    query = "SELECT c.doc_id, c.category FROM item_categories(items) AS c"
    assert "_i.category" in sm.sql(query, dialect=engine.dialect)


def test_the_command_translates_text_and_files(tmp_path):
    query = "SELECT t.doc_id, t.runs FROM to_judge(qrels, run) AS t"
    file = tmp_path / "choice.sql"
    file.write_text(query + ";\n", encoding="utf-8")
    expected = sm.sql(query, dialect="snowflake", columns={"run_id": "system"}) + ";\n"
    for given in (query, str(file)):
        options = ("--dialect", "snowflake", "--columns", "run_id=system")
        assert run_command("sql", given, *options) == (0, expected, "")


def test_a_select_without_a_dialect_comes_with_its_macros(tmp_path):
    text = sm.sql("SELECT count(*) AS n FROM roc_curve('qrels', 'run')")
    con = duckdb.connect()
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query_id, 'a' AS doc_id, 1 AS relevance")
    con.execute("CREATE TABLE run AS SELECT 'q' AS query_id, 'a' AS doc_id, 1.0 AS score")
    assert con.execute(text).fetchall() == [(2,)]


JUDGMENTS = [("q1", "a", 1), ("q1", "b", 0), ("q2", "a", 2)]
RANKING = [("r", "q1", "a", 1.0), ("r", "q1", "b", 0.5), ("r", "q2", "a", 0.3)]


def list_problems(name, con, qrels, run):
    """The check, ids and text of each row that the checks of nDCG find."""
    mark = "%s" if name == "postgres" else "?"
    cursor = con.cursor()
    for table, columns, rows in (
        ("qrels", "query_id text, doc_id text, relevance integer", qrels),
        ("run", "run_id text, query_id text, doc_id text, score double precision", run),
    ):
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TABLE {table} ({columns})")
        marks = ", ".join([mark] * len(rows[0]))
        cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    cursor.execute(sm.sql("nDCG@10", dialect=name, checks=True, columns={"run_id": "run_id"}))
    return cursor.fetchall()


@pytest.fixture(
    scope="module", params=["duckdb", "sqlite", pytest.param("postgres", marks=pytest.mark.engines)]
)
def database(request):
    if request.param == "postgres":
        import psycopg

        with engines.start_postgres() as address, psycopg.connect(address) as con:
            yield request.param, con
    else:
        connect = {"duckdb": duckdb.connect, "sqlite": sqlite3.connect}[request.param]
        yield request.param, connect(":memory:")


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("qrels", "run", "found"),
    [
        ([], [], None),
        ([], [("r", "q1", "c", math.inf)], None),
        (
            [],
            [("r", "q1", "a", 0.2)],
            ("repeated_documents", "r", "q1", "a", "document a appears 2 times for query q1 in ru"),
        ),
        (
            [("q1", "a", 2)],
            [],
            ("repeated_judgments", None, "q1", "a", "document a is judged 2 times for query q1"),
        ),
        (
            [],
            [("r", "q9", "x", 0.2)],
            ("unjudged_queries", "r", "q9", None, "query q9 of run r has no judgments"),
        ),
        (
            [],
            [("r", "q1", "c", None)],
            ("unusable_documents", "r", "q1", "c", "no score for document c of query q1 in run r"),
        ),
        ([], [("r", "q1", "c", math.nan)], ("unusable_documents", "r", "q1", "c", "")),
        (
            [],
            [(None, "q1", "z", 1.0)],
            ("unusable_documents", None, "q1", "z", "no run_id for document z of query q1"),
        ),
        (
            [("q1", "z", None)],
            [],
            ("unusable_judgments", None, "q1", "z", "no relevance for document z of query q1"),
        ),
        (
            [("", "z", 1)],
            [],
            ("unusable_judgments", None, "", "z", "blank query_id for document z"),
        ),
    ],
)
def test_checks_find_what_evaluate_refuses_and_queries_without_judgments(
    database, qrels, run, found
):
    rows = list_problems(*database, JUDGMENTS + qrels, RANKING + run)
    assert [row[:4] for row in rows] == ([found[:4]] if found else [])
    assert all(row[4].startswith(found[4]) for row in rows)


def test_checks_of_a_select_are_those_of_its_tables():
    text = sm.sql("FROM interleaving(lab.pages)", dialect="duckdb", checks=True)
    assert "FROM lab.pages AS" in text
    assert "'unusable_pages' AS check_name" in text


@pytest.mark.parametrize("kind", [engines.DuckDB, engines.SQLite])
def test_ids_that_differ_in_what_tools_change_are_found_by_plain_sql(kind):
    spaced = ["x", "X", "\tx", "x\u00a0", "\u2003X\n"]
    groups = [["7", "007", "7.00"], ["0", "000", "0.0"], ["0a", "00a"], spaced, ["1.", "1..0"]]
    groups += [["1.5"], ["1.50"], ["10"], ["1"]]
    ids = [id for group in groups for id in group]
    engine = kind()
    engine.load("qrels", make_qrels([("q", id, 1) for id in ids]))
    engine.load("run", make_run([("q", "7", 1)]))
    query = "SELECT s.judged_id, s.other_id FROM similar_ids(qrels, run) AS s"
    expected = {(x, y) for group in groups for x in group for y in group if x != y}
    assert {*engine.ask(sm.sql(query, dialect=engine.dialect))} == expected
    query = "SELECT p.doc_id FROM padded_judgments(qrels) AS p"
    padded = [(id,) for id in ids if id != id.strip()]
    assert len(padded) == 3
    assert sorted(engine.ask(sm.sql(query, dialect=engine.dialect))) == sorted(padded)


def test_rows_of_a_table_have_no_order_in_most_engines():
    with pytest.raises(sm.MetricError, match="rows of its tables have no order"):
        sm.sql("SELECT * FROM ranks_as_scores(run)", dialect="clickhouse")


def test_columns_that_only_some_tables_have_are_read_if_they_are_named():
    def ask(**columns):
        con = duckdb.connect()
        con.execute("CREATE TABLE users (user_id INT, variant TEXT, numerator INT, country TEXT)")
        con.execute("INSERT INTO users VALUES (1, 'A', 1, 'x'), (2, 'B', 3, 'x'), (3, 'A', 2, 'y')")
        query = "SELECT a.segment, a.user_id, a.denominator FROM arms(users) AS a ORDER BY ALL"
        return con.execute(sm.sql(query, dialect="duckdb", columns=columns)).fetchall()

    assert ask() == [(None, "1", 1), (None, "2", 1), (None, "3", 1)]
    assert ask(segment="country") == [("x", "1", 1), ("x", "2", 1)]


def test_statistics_without_lists_are_those_of_scipy():
    found = ask_statistics(engines.SQLite(), draw_scores(sizes=(2, 30)))
    assert len(found) == 4
    for expected, got in found:
        assert got == pytest.approx(expected, rel=1e-9)


def test_ranks_without_lists_are_those_of_scipy_where_sizes_are_equal():
    engine, scores = engines.SQLite(), draw_rounded(60)
    engine.load("scores", scores)
    query = "SELECT p.run_id, rank_biserial(p) AS r FROM paired(scores, 'a') AS p GROUP BY p.run_id"
    found = dict(engine.ask(sm.sql(query, dialect="sqlite", columns=COLUMNS)))
    by_run = {run: scores.filter(run_id=run)["score"].to_numpy() for run in "abc"}
    assert found == pytest.approx({run: rank_signs(by_run[run] - by_run["a"]) for run in "bc"})


def test_a_variance_without_its_function_does_not_lose_digits():
    values = np.random.default_rng(1).random(50) + 1e6
    rows = [(f"u{n}", "AB"[n % 2], value, 1.0) for n, value in enumerate(values.tolist())]
    columns = ["user_id", "variant", "numerator", "denominator"]
    engine = engines.SQLite()
    engine.load("users", pl.DataFrame(rows, columns, orient="row"))
    query = "SELECT e.p FROM experiment(users, control := 'A') AS e"
    ((got,),) = engine.ask(sm.sql(query, dialect="sqlite"))
    expected = stats.ttest_ind(values[1::2], values[::2], equal_var=False).pvalue
    assert got == pytest.approx(expected, rel=1e-7)  # as the means allow


@pytest.mark.parametrize(
    ("aggregate", "summarize"),
    [
        ("median", np.median),
        ("p25", lambda scores: np.percentile(scores, 25)),
        ("std", lambda scores: np.std(scores, ddof=1)),
    ],
)
def test_a_summary_of_each_run_without_its_function(aggregate, summarize):
    ranks = [1, 2, 2, 3, 5, 8, 13]
    engine = engines.SQLite()
    engine.load("qrels", make_qrels([(f"q{n}", "a", 1) for n in range(len(ranks))]))
    above = [(f"q{n}", f"d{m}", 2) for n, rank in enumerate(ranks) for m in range(1, rank)]
    engine.load("run", make_run([*above, *((f"q{n}", "a", 1) for n in range(len(ranks)))]))
    query = sm.sql("RR", dialect="sqlite", aggregate=aggregate, mean=True)
    expected = summarize([1 / rank for rank in ranks])
    assert engine.ask(query)[0][-1] == pytest.approx(expected, rel=1e-12)


def test_wilcoxon_without_lists_is_that_of_scipy():
    for got, expected in ask_wilcoxon(engines.SQLite()):
        assert got == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", STATISTICAL)
def test_an_analysis_without_lists_is_that_of_duckdb(name):
    expected, got = compare_analysis(engines.SQLite(), name)
    assert got == expected


T_TEST = "SELECT p.metric, p.run_id, paired_t(p) AS p FROM paired(scores, baseline := 'a') AS p GROUP BY ALL"


@pytest.mark.parametrize("dialect", features.ENGINES)
def test_a_t_test_has_at_most_60_lines(dialect):
    assert len(sm.sql(T_TEST, dialect=dialect, columns=COLUMNS).splitlines()) <= 60


@pytest.mark.parametrize("kind", [engines.SQLite, engines.DuckDB])
def test_a_column_that_is_called_as_a_keyword_orders_rows(kind):
    engine = kind()
    engine.load("qrels", make_qrels([("1", "a", 1), ("2", "b", 1), ("3", "c", 1)]))
    engine.load("run", make_run([("1", "a", 2), ("2", "x", 2), ("2", "b", 1)]))
    engine.con.execute('CREATE TABLE topics (query_id VARCHAR(9), "all" VARCHAR(9))')
    engine.con.execute("INSERT INTO topics VALUES ('1', 'y'), ('2', 'x'), ('3', 'z')")
    query = sm.sql("RR", dialect=engine.dialect, by="all", mean=True, topics="topics")
    assert engine.ask(query) == [("x", 0.5), ("y", 1.0), ("z", 0.0)]


@pytest.mark.parametrize("name", ["_scores", "scores"])
def test_a_named_query_may_be_called_as_the_table_that_it_reads(name):
    query = f"""
        WITH {name} AS (SELECT s.run_id, s.query_id, s.metric, 2 * s.score AS score FROM scores AS s)
        SELECT p.run_id, mean_difference(p) FROM paired({name}, baseline := 'a') AS p GROUP BY ALL
    """
    engine = engines.SQLite()
    rows = [("a", "m", "q", 0.25), ("b", "m", "q", 0.5)]
    engine.load(
        "scores", pl.DataFrame(rows, ["run_id", "metric", "query_id", "score"], orient="row")
    )
    assert engine.ask(sm.sql(query, dialect="sqlite", columns=COLUMNS)) == [("b", 0.5)]


@pytest.mark.parametrize("dialect", ["datafusion", "postgres"])
@pytest.mark.parametrize(
    "clauses",
    [
        "SELECT p.run_id FROM {rows} GROUP BY p.run_id HAVING paired_t(p) < 0.05",
        "SELECT p.run_id FROM {rows} GROUP BY p.run_id ORDER BY paired_t(p)",
        "SELECT (SELECT paired_t(p) FROM {rows}) AS t FROM judged(qrels, run) AS j",
    ],
)
def test_a_statistic_is_refused_where_it_has_no_query_of_its_own(clauses, dialect):
    query = clauses.format(rows="paired(scores, baseline := 'a') AS p")
    with pytest.raises(sm.MetricError, match=re.escape("select it in WITH s AS (SELECT …) first")):
        sm.sql(query, dialect=dialect, columns=COLUMNS)


def test_a_statistic_of_a_query_in_from_can_be_chosen():
    scores = draw_scores([30])
    engine = engines.SQLite()
    engine.load("scores", scores)
    rows = "SELECT p.run_id, paired_t(p) AS p FROM paired(scores, baseline := 'a') AS p GROUP BY p.run_id"
    query = f"SELECT s.run_id, s.p FROM ({rows}) AS s WHERE s.p < 0.05"
    expected = {run: expect(scores, "m30", run)[0] for run in "bc"}
    got = dict(engine.ask(sm.sql(query, dialect="sqlite", columns=COLUMNS)))
    assert got == pytest.approx({run: p for run, p in expected.items() if p < 0.05}, rel=1e-9)


def test_a_t_test_is_named_once():
    query = "SELECT p.run_id, paired_t(p) AS p_value FROM paired(scores, baseline := 'a') AS p GROUP BY p.run_id"
    text = sm.sql(query, dialect="postgres", columns={"run_id": "run_id"})
    about = "-- Points and weights that integrate a smooth curve from 0 to infinity"
    assert re.search(f"^{about}.*\npoints AS MATERIALIZED", text, re.MULTILINE)
    assert "\nnamed AS MATERIALIZED (" in text  # else PostgreSQL computes t for each point
    assert len(write_analysis("compared", "postgres").splitlines()) <= 400


@pytest.mark.parametrize("call", ["paired(scores, {}'a')", "compared(scores, {}'a')"])
def test_an_option_may_be_given_by_its_place(call):
    texts = [
        sm.sql(f"SELECT p.run_id FROM {call.format(name)} AS p", dialect="sqlite", columns=COLUMNS)
        for name in ("", "baseline := ")
    ]
    assert texts[0] == texts[1]
    assert "'a'" in texts[0]


def test_a_statistic_is_computed_only_where_it_is_asked_for():
    alone = {
        "run_id": ["a", "b"],
        "metric": ["m", "m"],
        "query_id": ["q", "q"],
        "score": [0.1, 0.2],
    }
    engine = engines.SQLite()
    engine.load("scores", pl.DataFrame(alone))
    query = "SELECT paired_t(p) AS t FROM paired(scores, baseline := 'a') AS p GROUP BY p.run_id"
    assert engine.ask(sm.sql(query, dialect="sqlite", columns={"run_id": "run_id"})) == [(None,)]


@pytest.mark.parametrize("name", ["compared", "experiment", "interleaving", "means"])
@pytest.mark.parametrize("dialect", ["datafusion", "redshift", "snowflake"])
def test_statistics_join_points_where_a_subquery_cannot_use_columns(dialect, name):
    text = write_analysis(name, dialect)
    tree = sqlglot.parse_one(text, read=features.find_engine(dialect).dialect)
    assert "CROSS JOIN points" in text
    assert "sinh(" not in text.lower()  # Redshift has none
    assert [each for each in tree.find_all(exp.With) if each.parent is not tree] == []
    for value in tree.find_all(exp.Subquery):
        if not isinstance(value.parent, exp.From | exp.Join):
            own = {each.alias_or_name for each in value.find_all(exp.Table)}
            assert {each.table for each in value.find_all(exp.Column)} <= {*own, ""}


def test_redshift_counts_to_a_thousand():
    text = sm.sql("INSQ@1000", dialect="redshift")
    digits = text[text.index("_digits AS (") :].partition("),")[0] + ")"
    series = re.search(r"\(SELECT 1 \+ _a.*? <= 1000\)", text)[0]
    found = duckdb.sql(f"WITH {digits} SELECT _rank FROM {series} ORDER BY ALL").fetchall()
    assert found == [(rank,) for rank in range(1, 1001)]
    with pytest.raises(sm.MetricError, match="it has no sums over more than 1,000 ranks"):
        sm.sql("INSQ@1001", dialect="redshift")


def write_pages(rows, columns):
    return pl.DataFrame(rows, ["page_id", "clicked", *columns], orient="row")


def write_scores(queries):
    rows = [
        (run, "M", query, score)
        for query, scores in queries.items()
        for run, score in zip("abc", scores, strict=True)
    ]
    return pl.DataFrame(rows, ["run_id", "metric", "query_id", "score"], orient="row")


# Tables of few rows, an analysis, and its rows by hand or by the formula of its source.
BY_HAND = {
    "a document of one ranking only": (
        "SELECT method, wins, ties, losses FROM interleaving(t)",
        # the click on the first of b, which a does not have, is one for b: Chapelle et al. 2012
        write_pages([("p", 1, 1, None, 1), ("p", 0, 2, 1, 2)], ["position", "rank_a", "rank_b"]),
        [("balanced", 1, 0, 0)],
    ),
    "the variance of whole numbers": (
        "SELECT low FROM interleaving(t, anytime := 30)",
        # outcomes 1, 0 and 0: a mean of 1 / 6 of a half, and the variance 1 / 3
        write_pages([("1", 1, "b"), ("2", 0, "a"), ("3", 0, "b")], ["team"]),
        [(pytest.approx(-0.4758, abs=5e-5),)],
    ),
    "a document that was never clicked": (
        "SELECT doc_id, relevance FROM judge(t, model := 'pbm', smoothing := 0)",
        # only the first position has clicks: on a always, on b 16 times of 20, and c is not there
        pl.DataFrame(
            [
                (f"{n}", "q", doc, place, int(place == 1 and (n % 10 > 0 or n >= 40)))
                for n in range(60)
                for place, doc in enumerate("ac" if n >= 40 else "ab" if n % 2 else "ba", 1)
            ],
            ["page_id", "query_id", "doc_id", "position", "clicked"],
            orient="row",
        ),
        [("a", pytest.approx(1)), ("b", pytest.approx(0.8)), ("c", 0)],
    ),
    "queries of both tables": (
        "SELECT metric, runs, kendall_tau FROM order_agreement(t, u, queries := 'common')",
        # of the two queries, u has only 1
        write_scores({"1": [0.1, 0.2, 0.3], "2": [0.9, 0.5, 0.1]}),
        [("M", 3, pytest.approx(-1))],
    ),
    "queries whose scores vary as much": (
        "SELECT confidence, nauc FROM nauc(u, t)",
        # the same numbers in another place are as sure, except for rounding: as good as chance
        pl.DataFrame(
            [
                ("a", f"{query}", f"d{place}", place + query + 0.1 * query)
                for query in (1, 2)
                for place in (0, 1, 7)
            ],
            ["run_id", "query_id", "doc_id", "score"],
            orient="row",
        ),
        [("gap", 0), ("highest", 1), ("spread", 0)],
    ),
    "a run of ranks": (
        "SELECT confidence, nauc FROM nauc(u, t)",
        pl.DataFrame(
            [("a", query, doc, -place) for query in "12" for place, doc in enumerate("xy", 1)],
            ["run_id", "query_id", "doc_id", "score"],
            orient="row",
        ),
        [("gap", None), ("highest", None), ("spread", None)],
    ),
    "no pages": (
        "SELECT units, preference, low, high FROM interleaving(t, anytime := 30)",
        write_pages([("1", 1, "b")], ["team"]).clear(),
        [(0, None, -0.5, 0.5)],
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("engine", [engines.SQLite, engines.DuckDB])
def test_few_rows_have_the_answer_by_hand(engine, name):
    query, table, expected = BY_HAND[name]
    engine = engine()
    table = table.with_columns(pl.col(pl.Int64).cast(pl.Float64))
    engine.load("t", table)
    engine.load(
        "u",
        write_scores(
            {"1": [0.3, 0.2, 0.1]}
            if name == "queries of both tables"
            else {"1": [0.1] * 3, "2": [0.9] * 3}
        ),
    )
    columns = {each: each for each in table.columns if each in {*NAMES, "metric"}}
    assert sorted(engine.ask(sm.sql(query, dialect=engine.dialect, columns=columns))) == expected


def test_tables_with_columns_of_their_own_need_no_names():
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE pages AS SELECT 1 AS page_id, 'B' AS team, 1 AS clicked")
    con.execute("INSERT INTO pages VALUES (2, 'A', 0), (2, 'B', 1), (3, 'A', 1), (4, 'A', 0)")
    text = sm.sql("SELECT wins, ties, losses FROM interleaving(pages)", dialect="sqlite")
    assert con.execute(text).fetchall() == [(2, 1, 1)]
    con.execute("CREATE TABLE run AS SELECT 'q' AS query_id, 'a' AS doc_id, 1 AS score")
    con.execute("CREATE TABLE qrels AS SELECT 'q' query_id, 'a' doc_id, 'x' stratum, 1 relevance")
    text = sm.sql("SELECT inferred_ap, inferred_ndcg FROM inferred(qrels, run)", dialect="sqlite")
    assert con.execute(text).fetchall() == [(1.0, 1.0)]
