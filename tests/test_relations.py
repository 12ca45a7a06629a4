"""The relations keep the contract that their headers state."""

from __future__ import annotations

import math

import duckdb
import pytest
from conftest import open_shell

pytestmark = pytest.mark.xdist_group("relations")


@pytest.fixture
def con():
    con = open_shell()
    con.execute(
        """
        CREATE TABLE qrels (query_id VARCHAR, doc_id VARCHAR, relevance INTEGER);
        INSERT INTO qrels VALUES
            ('q1', 'a', 2), ('q1', 'b', 0), ('q1', 'c', 1), ('q1', 'lost', 1), ('q1', 'pooled', -1),
            ('q2', 'a', 1);
        CREATE TABLE run (query_id VARCHAR, doc_id VARCHAR, score DOUBLE);
        INSERT INTO run VALUES
            ('q1', 'new', 9), ('q1', 'a', 5), ('q1', 'b', 5), ('q1', 'c', 5), ('q1', 'pooled', 1),
            ('q9', 'a', 1);
        """
    )
    return con


def fetch(con, columns, source="judged(qrels, run)"):
    return con.execute(f"SELECT {columns} FROM {source} ORDER BY ALL").fetchall()


def test_ranks_are_by_score_and_ties_by_document_id_descending(con):
    assert fetch(con, "doc_id, rank", "judged(qrels, run) WHERE query_id = 'q1'") == [
        ("a", 4),
        ("b", 3),
        ("c", 2),
        ("lost", None),
        ("pooled", 5),
    ]


def test_ids_are_compared_as_bytes_of_text_even_when_they_are_numbers(con):
    con.execute(
        "CREATE TABLE q AS SELECT 1 AS query_id, d AS doc_id, 1 AS relevance FROM range(9, 11) t(d)"
    )
    con.execute(
        "CREATE TABLE r AS SELECT '1' AS query_id, d AS doc_id, 7 AS score FROM range(9, 11) t(d)"
    )
    assert fetch(con, "doc_id, rank", "judged(q, r)") == [("10", 2), ("9", 1)]


def test_an_unanswered_query_keeps_its_judgments_without_rank(con):
    assert fetch(
        con, "doc_id, rank, num_ret, num_rel, hits", "judged(qrels, run) WHERE query_id = 'q2'"
    ) == [("a", None, 0, 1, 0)]


def test_an_unjudged_query_is_left_out(con):
    assert fetch(con, "DISTINCT query_id") == [("q1",), ("q2",)]


def test_counts_distinguish_relevant_not_relevant_and_not_judged(con):
    columns = "doc_id, relevant, hits, false_positives, num_rel, num_nonrel, num_ret"
    assert fetch(con, columns, "judged(qrels, run) WHERE query_id = 'q1' AND rank IS NOT NULL") == [
        ("a", 1, 2, 1, 3, 1, 5),
        ("b", 0, 1, 1, 3, 1, 5),
        ("c", 1, 1, 0, 3, 1, 5),
        ("pooled", 0, 2, 1, 3, 1, 5),
    ]


def test_the_relevance_threshold_moves_what_counts_as_relevant(con):
    columns = "DISTINCT num_rel, num_nonrel"
    assert fetch(con, columns, "judged(qrels, run, rel := 2) WHERE query_id = 'q1'") == [(1, 3)]


def test_the_ideal_rank_is_by_relevance(con):
    ideal = fetch(con, "ideal_rank, relevance", "judged(qrels, run) WHERE query_id = 'q1'")
    assert ideal == [(1, 2), (2, 1), (3, 1), (4, 0), (5, -1)]


def test_scores_that_are_equal_in_32_bits_are_tied(con):
    con.execute(
        """
        CREATE TABLE close AS
        SELECT 'q1' AS query_id, 'a' AS doc_id, -0.4820330048251339 AS score
        UNION ALL SELECT 'q1', 'b', -0.48203300482513391 - 1e-9
        """
    )
    where = "WHERE query_id = 'q1' AND rank IS NOT NULL"
    assert fetch(con, "doc_id, rank", f"judged(qrels, close) {where}") == [("a", 1), ("b", 2)]
    con.execute("CREATE VIEW narrow AS SELECT * REPLACE (score::FLOAT AS score) FROM close")
    assert fetch(con, "doc_id, rank", f"judged(qrels, narrow) {where}") == [("a", 2), ("b", 1)]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name", ["q", "d", "j", "k", "judged", "retrieved", "run_id", "rank", "_d"]
)
def test_tables_may_have_names_that_the_macros_use_inside(con, name):
    con.execute(
        f'CREATE TABLE "{name}" AS SELECT *, 1 AS k, 2 AS run, 3 AS qrels, 4 AS rank FROM run'
    )
    expected = fetch(con, "doc_id, rank, hits")
    assert fetch(con, "doc_id, rank, hits", f"judged('qrels', '{name}')") == expected


def test_several_runs_in_one_table_are_scored_like_each_alone(con):
    con.execute(
        "CREATE TABLE runs AS SELECT 'x' AS run_id, * FROM run UNION ALL SELECT 'y', 'q2', 'a', 1"
    )
    con.execute("CREATE TABLE y AS SELECT 'q2' AS query_id, 'a' AS doc_id, 1 AS score")
    columns = "query_id, doc_id, rank, num_ret, hits"
    assert fetch(con, columns, "judged(qrels, runs) WHERE run_id = 'x'") == fetch(con, columns)
    assert fetch(con, columns, "judged(qrels, runs) WHERE run_id = 'y'") == fetch(
        con, columns, "judged(qrels, y)"
    )


def test_the_cascade_stops_by_grade_and_reaches_what_is_left(con):
    con.execute(
        "CREATE TABLE grades AS SELECT 'q' AS query_id, 'd' || g AS doc_id, g AS relevance FROM range(5) t(g)"
    )
    con.execute(
        "CREATE TABLE found AS SELECT 'q' AS query_id, 'd' || d AS doc_id, s AS score FROM (VALUES (3, 9), (4, 8), (2, 7)) t(d, s)"
    )
    query = "WITH _judged AS (FROM judged(grades, found)) SELECT doc_id, stop, stop * reach FROM cascade(_judged) ORDER BY doc_id"
    rows = {doc: (stop, both) for doc, stop, both in con.execute(query).fetchall()}
    assert [rows[f"d{g}"][0] for g in range(5)] == [0, 1 / 16, 3 / 16, 7 / 16, 15 / 16]
    assert [rows[d][1] for d in ("d3", "d4", "d2")] == pytest.approx([7 / 16, 135 / 256, 27 / 4096])


def test_the_cascade_stops_with_the_probability_that_is_the_grade(con):
    con.execute(
        "CREATE TABLE grades AS SELECT 'q' AS query_id, d AS doc_id, g AS relevance FROM (VALUES ('a', 0.5), ('b', 1), ('c', 0.25), ('d', -1)) t(d, g)"
    )
    con.execute(
        "CREATE TABLE found AS SELECT query_id, doc_id, -ascii(doc_id) AS score FROM grades"
    )
    query = "WITH _judged AS (FROM judged(grades, found)) SELECT stop, reach FROM cascade(_judged, gain := 'probability') ORDER BY doc_id"
    stops, reaches = zip(*con.execute(query).fetchall(), strict=True)
    assert stops == (0.5, 1, 0.25, 0)
    assert reaches == pytest.approx([1, 0.5, 0, 0], abs=1e-15)
    con.execute("INSERT INTO grades VALUES ('q', 'e', 1.5)")
    with pytest.raises(duckdb.Error, match=r"relevance 1.5 is above max_rel 1"):
        con.execute(query)


LASTS = [1, 2, 19, 20, 21, 22, 40, 100, 999, 1000, 54321]


@pytest.mark.parametrize(
    ("shape", "x", "see"),
    [
        ("endless", 0, lambda i, _: 1),
        ("reciprocal", 0, lambda i, _: 1 / i),
        *(("geometric", x, lambda i, x: x ** (i - 1)) for x in (0.1, 0.5, 0.9, 0.989, 0.999)),
        *(
            ("squared", x, lambda i, x: (2 * x / (i - 1 + 2 * x)) ** 2)
            for x in (0.01, 0.5, 1, 2.5, 40)
        ),
    ],
)
def test_closed_forms_are_the_sums(con, shape, x, see):
    call = f"_sqlmetrics_ranks_seen(last, '{shape}', {float(x)!r})"
    found = con.execute(f"SELECT {call} FROM (SELECT unnest({LASTS}) AS last)").fetchall()
    expected = [math.fsum(see(i, x) for i in range(1, last + 1)) for last in LASTS]
    # for 0.999 DuckDB adds the terms, each with its rounding
    exact = 1e-13 if x == 0.999 else 2e-14
    assert [value for (value,) in found] == pytest.approx(expected, rel=exact, abs=0)


def test_metrics_group_by_anything(con):
    con.execute(
        "CREATE TABLE queries AS SELECT * FROM (VALUES ('q1', 'BE'), ('q2', 'NL')) t(query_id, country)"
    )
    query = """
        SELECT country, k, precision_at(j, k := k) FROM judged(qrels, run) AS j
        JOIN queries USING (query_id) CROSS JOIN (VALUES (2), (4)) AS c(k)
        GROUP BY country, k ORDER BY ALL
    """
    assert con.execute(query).fetchall() == [
        ("BE", 2, 0.5),
        ("BE", 4, 0.5),
        ("NL", 2, 0),
        ("NL", 4, 0),
    ]


def test_rankings_have_every_retrieved_document_with_its_rank(con):
    columns = "query_id, doc_id, score, rank, num_ret"
    assert fetch(con, columns, "rankings(run)") == [
        ("q1", "a", 5, 4, 5),
        ("q1", "b", 5, 3, 5),
        ("q1", "c", 5, 2, 5),
        ("q1", "new", 9, 1, 5),
        ("q1", "pooled", 1, 5, 5),
        ("q9", "a", 1, 1, 1),
    ]
    judged = fetch(con, "query_id, doc_id, rank", "judged(qrels, run) WHERE rank IS NOT NULL")
    assert {*judged} < {*fetch(con, "query_id, doc_id, rank", "rankings(run)")}


def test_rankings_are_of_runs_and_of_ranks_without_scores(con):
    con.execute(
        "CREATE TABLE runs AS SELECT r AS run_id, 'q' AS query_id, d AS doc_id, d * r AS rank "
        "FROM range(1, 3) AS x (r), range(1, 4) AS y (d)"
    )
    assert fetch(con, "run_id, doc_id, score, rank, num_ret", "rankings(runs)") == [
        (str(r), str(d), -d * r, d, 3) for r in (1, 2) for d in (1, 2, 3)
    ]
