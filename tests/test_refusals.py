"""The DuckDB shell refuses mistakes in SQL that would give wrong scores, with helpful messages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from commands import run
from conftest import ROOT, install_copy

import sqlmetrics
from sqlmetrics.macros import install as installation
from sqlmetrics.running import checks

EXAMPLES = ROOT / "examples"
SHELL = Path(sys.executable).with_name("duckdb")
BY_QUERY = "GROUP BY j.run_id, j.query_id"
SPLIT = (
    "ap: a group must have each row of query curry in run run exactly once; a WHERE, a JOIN or "
    "another GROUP BY has split or repeated the rows. For a cut-off, use a parameter such as k or depth"
)
POOL = "; use GROUP BY j.run_id, j.query_id, or pooled := TRUE to score all rankings as one"
ALL = ". FROM check_input(qrels, run) lists all problems"
ONCE = (
    "; keep each document once per query; if the table holds several runs, name the run column "
    f"run_id{ALL}"
)
SCORE = f"; each row needs a query_id, a doc_id and a numeric score{ALL}"
RELEVANCE = f"; each row needs a query_id, a doc_id and a finite number as relevance{ALL}"
WHOLE = "must be a whole number, 1 or more, or NULL, not"
TIES = "ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not"


@pytest.fixture(scope="module")
def con():
    con = duckdb.connect()
    install_copy(con)
    con.execute(f"CREATE TABLE qrels AS FROM '{EXAMPLES / 'qrels.csv'}'")
    con.execute(f"CREATE TABLE run AS FROM '{EXAMPLES / 'bm25.csv'}'")
    return con


def refuse(con, query):
    """The message, in one line, without the name of the error."""
    with pytest.raises(duckdb.Error) as raised:
        con.execute(query).fetchall()
    return " ".join(str(raised.value).partition("Error: ")[2].split())


def ndcg_of(run="FROM run", qrels="FROM qrels"):
    """A query over other judgments, or another run."""
    return f"WITH _q AS ({qrels}), _r AS ({run}) FROM ndcg(_q, _r)"


def ranked(query_id="'curry'", doc_id="'a'", score="1.0"):
    return f"SELECT {query_id} AS query_id, {doc_id} AS doc_id, {score} AS score"


def judged(query_id="'curry'", doc_id="'a'", relevance="1"):
    return f"SELECT {query_id} AS query_id, {doc_id} AS doc_id, {relevance} AS relevance"


CURRY = "WITH _q AS (FROM qrels WHERE query_id = 'curry') "
MANY = "ndcg: a group has rows of several"
GROUPS = {
    "no GROUP BY": (
        "SELECT ndcg(j) FROM judged(qrels, run) AS j",
        f"{MANY} queries, such as bread and pickles{POOL}",
    ),
    "GROUP BY the run": (
        "SELECT ndcg(j) FROM judged(qrels, run) AS j GROUP BY j.run_id",
        f"{MANY} queries, such as bread and pickles{POOL}",
    ),
    "a metric that cannot be pooled": (
        "SELECT relstring(j) FROM judged(qrels, run) AS j GROUP BY j.run_id",
        "relstring: a group has rows of several queries, such as bread and pickles; "
        "use GROUP BY j.run_id, j.query_id",
    ),
    "two runs, GROUP BY the query": (
        "WITH _r AS (SELECT 'b' AS run_id, * FROM run UNION ALL SELECT 'a', * FROM run) "
        "SELECT ndcg(j) FROM judged(qrels, _r) AS j GROUP BY j.query_id",
        f"{MANY} runs, such as a and b{POOL}",
    ),
    "JOIN that repeats": (
        CURRY + "SELECT ap(j) FROM judged(_q, run) AS j CROSS JOIN range(2) AS r " + BY_QUERY,
        SPLIT,
    ),
    "WHERE rank": (
        CURRY + f"SELECT ap(j) FROM judged(_q, run) AS j WHERE j.rank <= 1 {BY_QUERY}",
        SPLIT,
    ),
    "GROUP BY relevance": (
        CURRY + f"SELECT ap(j) FROM judged(_q, run) AS j {BY_QUERY}, j.relevance",
        SPLIT,
    ),
    "LIMIT": (
        f"{CURRY}SELECT ap(j) FROM (FROM judged(_q, run) LIMIT 2) AS j {BY_QUERY}",
        SPLIT,
    ),
    "ROLLUP": (
        "SELECT ap(j) FROM judged(qrels, run) AS j GROUP BY ROLLUP (j.run_id, j.query_id)",
        f"ap: a group has rows of several queries, such as bread and pickles{POOL}",
    ),
    "pooled := NULL": (
        "SELECT ap(j, pooled := NULL) FROM judged(qrels, run) AS j",
        "ap: pooled must be TRUE or FALSE, not NULL",
    ),
    "pooled := 1": (
        "SELECT ap(j, pooled := 1) FROM judged(qrels, run) AS j",
        "ap: pooled must be TRUE or FALSE, not 1",
    ),
}
ARGUMENTS = {
    "k := 0": f"ndcg: k {WHOLE} 0",
    "k := -3": f"ndcg: k {WHOLE} -3",
    "k := 10.5": f"ndcg: k {WHOLE} 10.5",
    "k := '10'": f"ndcg: k {WHOLE} '10'",
    "k := TRUE": f"ndcg: k {WHOLE} true",
    "gain := 3": "ndcg: gain must be 'binary', 'linear' or 'exponential', not 3",
    "depth := 'all'": f"judged: depth {WHOLE} 'all'",
    "rel := '1'": "judged: rel must be a number above 0, not '1'",
    "gains := 3": "judged: gains must be MAP {relevance: gain, …}, or NULL, not 3",
    "judged_only := 'yes'": "judged: judged_only must be TRUE or FALSE, not 'yes'",
    "judged_only := 1": "judged: judged_only must be TRUE or FALSE, not 1",
    "k := 3000000000": f"ndcg: k {WHOLE} 3000000000",
    "k := CAST('nan' AS DOUBLE)": f"ndcg: k {WHOLE} nan",
    "k := CAST('inf' AS DOUBLE)": f"ndcg: k {WHOLE} inf",
    "depth := 0": f"judged: depth {WHOLE} 0",
    "depth := -1": f"judged: depth {WHOLE} -1",
    "gain := 'cubic'": "ndcg: gain must be 'binary', 'linear' or 'exponential', not 'cubic'",
    "gain := NULL": "ndcg: gain must be 'binary', 'linear' or 'exponential', not NULL",
    "ties := NULL": f"judged: {TIES} NULL",
    "rel := NULL": "judged: rel must be a number above 0, not NULL",
    "rel := 0": "judged: rel must be a number above 0, not 0",
    "rel := CAST('nan' AS DOUBLE)": "judged: rel must be a number above 0, not nan",
    "base := CAST('inf' AS DOUBLE)": "ndcg: base must be a number above 1, not inf",
    "judged_only := NULL": "judged: judged_only must be TRUE or FALSE, not NULL",
}
COLUMNS = {
    "run without score": (
        ndcg_of(run="SELECT query_id, doc_id, score AS sim FROM run"),
        "run: no column score; the columns are query_id, doc_id, sim. Rename one in a view or a "
        "WITH query: SELECT … AS score; or AS distance, if the smallest is the best",
    ),
    "run without doc_id": (
        ndcg_of(run="SELECT query_id, doc_id AS docno, score FROM run"),
        "run: no column doc_id; the columns are query_id, docno, score. Rename one in a view or a "
        "WITH query: SELECT … AS doc_id",
    ),
    "run without query_id": (
        ndcg_of(run="SELECT query_id AS topic, doc_id, score FROM run"),
        "run: no column query_id; the columns are topic, doc_id, score. Rename one in a view or a "
        "WITH query: SELECT … AS query_id",
    ),
    "judgments without relevance": (
        ndcg_of(qrels="SELECT query_id, doc_id, relevance AS grade FROM qrels"),
        "qrels: no column relevance; the columns are query_id, doc_id, grade. Rename one in a view "
        "or a WITH query: SELECT … AS relevance",
    ),
    "judgments without doc_id": (
        ndcg_of(qrels="SELECT query_id, doc_id AS docno, relevance FROM qrels"),
        "qrels: no column doc_id; the columns are query_id, docno, relevance. Rename one in a view "
        "or a WITH query: SELECT … AS doc_id",
    ),
    "a run as both": (
        "FROM check_input(run, run)",
        "qrels: no column relevance; the columns are query_id, doc_id, score. Judgments come "
        "first, then the run",
    ),
}
ROWS = {
    "no judgments": (ndcg_of(qrels="FROM qrels LIMIT 0"), "qrels: the table has no rows"),
    "no results": (ndcg_of(run="FROM run LIMIT 0"), "run: the table has no rows"),
    "nothing to check": (
        "WITH _r AS (FROM run LIMIT 0) FROM check_input(qrels, _r)",
        "run: the table has no rows",
    ),
    "no judged query": (
        ndcg_of(run=ranked(query_id="'soup'")),
        "qrels and run: run run has no results for any judged query; compare query_id "
        f"in both tables{ALL}",
    ),
    "judgments twice": (
        ndcg_of(qrels=f"{judged()} UNION ALL {judged(relevance='0')}"),
        "qrels: document a is judged 2 times for query curry; keep one judgment per document; "
        f"if each is for a subtopic, name the subtopic column subtopic{ALL}",
    ),
    "judgments by subtopic": (
        ndcg_of(qrels=f"{judged()}, 1 AS subtopic UNION ALL {judged()}, 2"),
        "qrels: document a of query curry is judged for 2 subtopics; keep one judgment per "
        f"document, or use a metric over subtopics(qrels, run){ALL}",
    ),
    "documents twice": (
        ndcg_of(run=f"{ranked()} UNION ALL {ranked(score='0.5')}"),
        f"run: document a appears 2 times for query curry{ONCE}",
    ),
    "runs blended, as their column is not run_id": (
        ndcg_of(run=f"{ranked()}, 'a' AS system UNION ALL {ranked()}, 'b'"),
        f"run: document a appears 2 times for query curry{ONCE}",
    ),
    "documents twice in one of two runs": (
        ndcg_of(run=" UNION ALL ".join(f"{ranked()}, '{name}' AS run_id" for name in "abb")),
        f"run: document a appears 2 times for query curry in run b{ONCE}",
    ),
    "score NULL": (
        ndcg_of(run=ranked(score="CAST(NULL AS DOUBLE)")),
        f"run: no score for document a of query curry{SCORE}",
    ),
    "score NaN": (
        ndcg_of(run=ranked(score="CAST('nan' AS DOUBLE)")),
        f"run: score 'nan' for document a of query curry{SCORE}",
    ),
    "score as words": (
        ndcg_of(run=ranked(score="'abc'")),
        f"run: score 'abc' for document a of query curry{SCORE}",
    ),
    "score as a date": (
        ndcg_of(run=ranked(score="DATE '2020-01-01'")),
        f"run: score '2020-01-01' for document a of query curry{SCORE}",
    ),
    "retrieved without document": (
        ndcg_of(run=ranked(doc_id="CAST(NULL AS VARCHAR)")),
        f"run: no doc_id for a document of query curry{SCORE}",
    ),
    "retrieved for a blank query": (
        ndcg_of(run=ranked(query_id="'  '")),
        f"run: blank query_id for document a{SCORE}",
    ),
    "a row of no run": (
        ndcg_of(run=f"{ranked()}, 'x' AS run_id UNION ALL {ranked(doc_id=repr('b'))}, NULL"),
        f"run: no run_id for document b of query curry{SCORE}",
    ),
    "relevance NULL": (
        ndcg_of(qrels=judged(relevance="CAST(NULL AS INTEGER)")),
        f"qrels: no relevance for document a of query curry{RELEVANCE}",
    ),
    "relevance as words": (
        ndcg_of(qrels=judged(relevance="'high'")),
        f"qrels: relevance 'high' for document a of query curry{RELEVANCE}",
    ),
    "relevance without end": (
        ndcg_of(qrels=judged(relevance="CAST('-inf' AS DOUBLE)")),
        f"qrels: relevance '-inf' for document a of query curry{RELEVANCE}",
    ),
    "judged document without id": (
        ndcg_of(qrels=judged(doc_id="''")),
        f"qrels: blank doc_id for a document of query curry{RELEVANCE}",
    ),
    "judged neither": (
        ndcg_of(qrels=judged(query_id="CAST(NULL AS VARCHAR)", doc_id="CAST(NULL AS VARCHAR)")),
        f"qrels: a row without query_id and doc_id{RELEVANCE}",
    ),
    "subtopics have the same refusals": (
        f"WITH _r AS ({ranked(score=repr('abc'))}) FROM alpha_ndcg(qrels, _r)",
        f"run: score 'abc' for document a of query curry{SCORE}",
    ),
}
# Mistakes that only DuckDB itself can refuse: how its message begins.
BY_DUCKDB = {
    f"SELECT err(j) FROM judged(qrels, run) AS j {BY_QUERY}": (
        'Could not find key "rows from cascade" in struct'
    ),
    f"SELECT alpha_ndcg(j) FROM subtopics(qrels, run) AS j {BY_QUERY}": (
        'Could not find key "rows from greedy" in struct'
    ),
    "SELECT ndcg(j) FROM ndcg(qrels, run) AS j": 'Could not find key "rows from judged" in struct',
    "FROM ndcg(qrels, nowhere)": "Table with name nowhere does not exist",
    "FROM ndcg(qrels, 'nowhere.csv')": ('No files found that match the pattern "nowhere.csv"'),
    "SELECT mrr(j) FROM judged(qrels, run) AS j": "Scalar Function with name mrr does not exist",
    "SELECT map(j) FROM judged(qrels, run) AS j": "No function matches the given name",
    "SELECT precision(j) FROM judged(qrels, run) AS j": "syntax error at or near",
    "SELECT ndcg(j, cutoff := 10) FROM judged(qrels, run) AS j": (
        "Macro ndcg() does not support the supplied arguments"
    ),
    "FROM judged(qrels)": "Macro judged() does not support the supplied arguments",
}
CASES = {**GROUPS, **COLUMNS, **ROWS}


@pytest.mark.few(6)
@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_refused_with_advice(con, case):
    query, message = CASES[case]
    assert refuse(con, query) == message


def test_swapped_tables_are_refused_by_one_of_their_columns(con):
    advice = "Judgments come first, then the run"
    assert refuse(con, "FROM ndcg(run, qrels)") in (
        f"qrels: no column relevance; the columns are query_id, doc_id, score. {advice}",
        f"run: no column score; the columns are query_id, doc_id, relevance. {advice}",
    )


@pytest.mark.few(6)
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_an_argument_outside_its_rule_is_refused(con, argument):
    assert refuse(con, f"FROM ndcg(qrels, run, {argument})") == ARGUMENTS[argument]


@pytest.mark.parametrize("k", ["10.0", "CAST(10 AS DECIMAL(5, 1))", "1e1", "CAST(10 AS UTINYINT)"])
def test_a_whole_number_may_have_any_type_of_numbers(con, k):
    query = "FROM ndcg(qrels, run, k := {}) ORDER BY ALL"
    expected = con.execute(query.format("10")).fetchall()
    assert con.execute(query.format(k)).fetchall() == expected
    table = "FROM judged(qrels, run, depth := {}) ORDER BY ALL"
    assert con.execute(table.format(k)).fetchall() == con.execute(table.format("10")).fetchall()


TWICE = "(FROM {0} UNION ALL FROM {0})"
# Rows of a relation that are not whole: what takes them, and how its message begins.
PARTIAL = {
    "a relation over filtered rows": (
        "WITH _j AS (FROM judged(_q, run) WHERE rank < 3) SELECT err(j) FROM cascade(_j) AS j GROUP BY ALL",
        "cascade: judged must have each row of query curry of run run exactly once; a WHERE, a JOIN",
    ),
    "a relation over rows twice": (
        f"WITH _j AS {TWICE.format('judged(_q, run)')} SELECT err(j) FROM cascade(_j) AS j GROUP BY ALL",
        "cascade: judged must have each row of query curry of run run exactly once; a WHERE, a JOIN",
    ),
    "pooled rankings, twice": (
        "SELECT ap(j, pooled := TRUE) FROM judged(_q, run) AS j CROSS JOIN range(2)",
        "ap: a group must have each row of query curry in run run exactly once",
    ),
    "pages twice": (
        f"SELECT pages(j) FROM {TWICE.format('clicked(log)')} AS j",
        "pages: a group must have each row of its pages exactly once",
    ),
    "the clicks of a replay": (
        "SELECT ips_dcg(r) FROM replayed(log, run, looked) AS r WHERE r.clicked = 1",
        "ips_dcg: a group must have each row of its pages exactly once",
    ),
    "bounds of some rows": (
        "SELECT highest_ap(b) FROM bounded(_q, run) AS b WHERE b.rank = 1 GROUP BY b.run_id, b.query_id",
        "highest_ap: a group must have each row of query curry in run run exactly once",
    ),
    "an order without an item": (
        "SELECT kendall_tau(o) FROM ordered(scorings) AS o WHERE o.item <> 'x'",
        "kendall_tau: a group has only 2 of 3 items; a WHERE has left out rows",
    ),
    "a variant alone": (
        "SELECT sample_ratio(s) FROM allocated(users) AS s WHERE s.variant = 'A'",
        "sample_ratio: a group has only 1 of 2 variants; a WHERE has left out rows",
    ),
    "documents of two judges, twice": (
        "SELECT raw_agreement(r) FROM agreed(_q, _q) AS r CROSS JOIN range(2)",
        "raw_agreement: a group has document [curry, ",
    ),
    "samples of documents twice": (
        f"WITH _r AS {TWICE.format('agreed(_q, _q)')} FROM resampled_queries(_r)",
        "resampled_queries: agreed must have each document exactly once",
    ),
    "permutations of queries twice": (
        f"WITH _p AS {TWICE.format('paired(scores)')} FROM flipped(_p)",
        "flipped: paired must have each query of metric score of run b of baseline a exactly once",
    ),
}
TABLES = """
CREATE OR REPLACE TEMP TABLE log AS FROM (VALUES (1, 'q', 'a', 1, 0), (1, 'q', 'b', 2, 1), (2, 'q', 'a', 1, 0))
    AS t(page_id, query_id, doc_id, position, clicked);
CREATE OR REPLACE TEMP TABLE looked AS FROM (VALUES (1, 1.0), (2, 0.5)) AS t(position, examination);
CREATE OR REPLACE TEMP TABLE scorings AS FROM (VALUES ('x', 1, 2), ('y', 2, 3), ('z', 3, 1)) AS t(item, a, b);
CREATE OR REPLACE TEMP TABLE users AS SELECT i AS user_id, substr('AB', 1 + i % 2, 1) AS variant, i AS numerator FROM range(9) AS t(i);
CREATE OR REPLACE TEMP TABLE scores AS FROM (VALUES ('a', 'q', 0.1), ('b', 'q', 0.3)) AS t(run_id, query_id, score);
"""


@pytest.mark.parametrize("case", PARTIAL)
def test_rows_of_a_relation_that_are_not_whole_are_refused(con, case):
    query, message = PARTIAL[case]
    con.execute(TABLES)
    before = (
        CURRY.rstrip() + ", " + query.removeprefix("WITH ")
        if query.startswith("WITH")
        else CURRY + query
    )
    assert refuse(con, before).startswith(message)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT pages(j) FROM clicked(log) AS j WHERE j.page_id = 1", 1),
        ("SELECT raw_agreement(r) FROM agreed(qrels, qrels) AS r WHERE r.a > 0", 1.0),
        (
            "WITH _j AS (FROM judged(qrels, run) WHERE query_id = 'curry') "
            "SELECT err(j) FROM cascade(_j) AS j GROUP BY ALL",
            0.1875,
        ),
    ],
)
def test_rows_that_are_whole_are_not_refused(con, query, expected):
    con.execute(TABLES)
    assert con.execute(query).fetchall() == [(expected,)]


def test_other_metrics_have_rules_of_their_own(con):
    assert refuse(con, "FROM ndcg(qrels, run, ties := 'nope')").endswith(f"{TIES} 'nope'")
    said = "rbp: p must be a number between 0 and 1, not 5"
    assert refuse(con, "FROM rbp(qrels, run, p := 5)") == said
    query = f"SELECT rbp(j, 0.5) FROM judged(qrels, run) AS j {BY_QUERY}"
    assert refuse(con, query) == f"rbp: k {WHOLE} 0.5"


@pytest.mark.parametrize("query", BY_DUCKDB)
def test_what_duckdb_refuses_itself(con, query):
    assert refuse(con, query).startswith(BY_DUCKDB[query])


# Scores of bm25 in the README: nDCG@10 0.5422, AP 0.4097.
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT avg(ndcg) FROM ndcg(qrels, run, k := 10)", 0.5422),
        ("SELECT avg(ap) FROM ap(qrels, run)", 0.4097),
        (f"SELECT avg(x) FROM (SELECT ap(j) AS x FROM judged(qrels, run) AS j {BY_QUERY})", 0.4097),
        (
            "WITH _j AS (FROM judged(qrels, run)) "
            f"SELECT avg(x) FROM (SELECT ap(j) AS x FROM cascade(_j) AS j {BY_QUERY})",
            0.4097,
        ),
        ("SELECT avg(ap) FROM ap(qrels, run, gains := MAP {1: 1})", 0.4097),
        ("SELECT avg(ndcg) FROM ndcg(qrels, run, k := CAST(10 AS BIGINT))", 0.5422),
    ],
)
def test_correct_queries_are_not_refused(con, query, expected):
    assert con.execute(query).fetchone()[0] == pytest.approx(expected, abs=5e-5)


def test_null_means_no_cut_off(con):
    without = con.execute("FROM ndcg(qrels, run) ORDER BY ALL").fetchall()
    assert con.execute("FROM ndcg(qrels, run, k := NULL) ORDER BY ALL").fetchall() == without


def test_pooled_rankings_are_one(con):
    query = "SELECT precision_at(j, k := 2, pooled := TRUE) FROM judged(qrels, run) AS j"
    # 3 relevant documents among the first two of 4 queries, of which one has no results
    ((relevant,),) = con.execute(
        "SELECT count(*) FROM judged(qrels, run) WHERE rank <= 2 AND relevant = 1"
    ).fetchall()
    assert con.execute(query).fetchall() == [(relevant / 8,)]


def test_a_run_with_ranks_alone_is_scored_by_them(con):
    run = "SELECT query_id, doc_id, row_number() OVER (PARTITION BY query_id ORDER BY score) AS rank FROM run"
    by_score = run.replace("row_number", "-row_number").replace("AS rank", "AS score")
    query = f"{ndcg_of(run=run)} ORDER BY ALL"
    assert (
        con.execute(query).fetchall()
        == con.execute(f"{ndcg_of(run=by_score)} ORDER BY ALL").fetchall()
    )


def test_a_run_with_distances_alone_is_scored_by_the_smallest(con):
    order = f"{ndcg_of()} ORDER BY ALL"
    expected = con.execute(order).fetchall()
    run = "SELECT query_id, doc_id, 10 - score AS distance FROM run"
    assert con.execute(f"{ndcg_of(run=run)} ORDER BY ALL").fetchall() == expected
    both = "SELECT *, score AS distance FROM run"
    assert con.execute(f"{ndcg_of(run=both)} ORDER BY ALL").fetchall() == expected
    unread = "SELECT query_id, doc_id, 'far' AS distance FROM run"
    assert "score 'far'" in refuse(con, ndcg_of(run=unread))


WORDS = ["rank", "relevance", "doc_id", "query_id", "run_id", "score", "q", "j", "grade"]


def count_rows(con, qrels, run):
    calls = ["judged", "ndcg", "alpha_ndcg", "check_input", "unjudged_runs"]
    parts = (f"SELECT '{call}' AS call, count(*) FROM {call}({qrels}, {run})" for call in calls)
    return dict(con.execute(" UNION ALL ".join(parts)).fetchall())


@pytest.fixture(scope="module")
def rows_of_examples():
    con = duckdb.connect()
    install_copy(con)
    return count_rows(con, f"'{EXAMPLES / 'qrels.csv'}'", f"'{EXAMPLES / 'bm25.csv'}'")


@pytest.mark.thorough
@pytest.mark.parametrize("word", WORDS)
def test_a_table_may_be_called_like_a_column(word, rows_of_examples):
    con = duckdb.connect()
    install_copy(con)
    con.execute(f"CREATE TABLE judgments_ AS FROM '{EXAMPLES / 'qrels.csv'}'")
    con.execute(f"CREATE TABLE {word} AS FROM '{EXAMPLES / 'bm25.csv'}'")
    assert count_rows(con, "judgments_", word) == rows_of_examples
    con.execute(f"ALTER TABLE {word} RENAME TO results_")
    con.execute(f"ALTER TABLE judgments_ RENAME TO {word}")
    assert count_rows(con, word, "results_") == rows_of_examples


# Every kind of problem that judgments and a run can have.
PROBLEMS = """
    CREATE TABLE qrels AS FROM (VALUES
        ('q1', 'a', 1.0, '1'), ('q1', 'a', 0.0, '1'), ('q1', 'b', 1.0, '1'), ('q1', 'b', 1.0, '2'),
        ('q1', ' c', 1.0, '1'), ('q1', 'D', 2.0, '1'), ('q1', NULL, 1.0, '1'),
        ('q1', 'e', CAST('inf' AS DOUBLE), '1'), ('q2', 'a', 0.0, '1'), ('q3', 'z', 1.0, '1')
    ) AS t(query_id, doc_id, relevance, subtopic);
    CREATE TABLE run AS FROM (VALUES
        ('x', 'q1', 'a', '3', 2), ('x', 'q1', 'b', '3', 1), ('x', 'q1', 'b', '2', 3),
        ('x', 'q1', 'd', '5', 9), ('x', 'q1', 'f', 'abc', 5), ('x', 'q9', 'a ', '1', 1),
        ('x', ' ', 'g', '1', 1), ('y', 'q8', 'h', '1', 1), ('y', 'q8', 'i', '0.99999999', 2)
    ) AS t(run_id, query_id, doc_id, score, rank)
"""


def test_check_input_finds_what_the_doctor_finds():
    con = duckdb.connect()
    con.execute(PROBLEMS)
    expected = sqlmetrics.check("qrels", "run", con=con)
    asked = {
        check.name
        for check in checks.list_checks()
        if {*check.file.statements[0].inputs} <= {"qrels", "run"}
    }
    assert {*expected["check"]} == asked
    install_copy(con)
    found = con.execute("FROM check_input(qrels, run)")
    columns = [name for name, *_ in found.description]
    assert columns == expected.columns
    for values, other in zip(found.fetchall(), expected.to_dicts(), strict=True):
        row = dict(zip(columns, values, strict=True))
        for key in ("severity", "check", "number", "meaning"):
            assert row[key] == other[key]
        assert row["input"] == other["input"].removeprefix("table ")
        lines, others = row["examples"].splitlines(), other["examples"].splitlines()
        assert len(lines) == len(others)
        if not row["check"].startswith("unusable"):
            places = ("table qrels: ", "table run: ")
            for place in places:
                others = [line.removeprefix(place) for line in others]
            assert lines == others


def test_check_input_lists_values_that_are_not_numbers():
    con = duckdb.connect()
    con.execute(PROBLEMS)
    install_copy(con)
    query = """
        SELECT "check", examples FROM check_input(qrels, run) WHERE starts_with("check", 'unusable')
    """
    assert con.execute(query).fetchall() == [
        (
            "unusable_documents",
            "blank query_id for document g in run x\n"
            "score 'abc' for document f of query q1 in run x",
        ),
        (
            "unusable_judgments",
            "relevance 'inf' for document e of query q1\nno doc_id for a document of query q1",
        ),
    ]


def test_check_input_has_a_parameter_for_the_lowest_relevance_that_counts(con):
    query = "SELECT examples FROM check_input(qrels, run, rel := {}) WHERE \"check\" = '{}'"
    name = "queries_without_relevant"
    assert con.execute(query.format(1, name)).fetchall() == []
    highest = con.execute("SELECT max(relevance) FROM qrels").fetchone()[0]
    assert con.execute(query.format(highest + 1, name)).fetchall() == [
        ("query bread\nquery curry\nquery noodles",)
    ]


LAB = [
    "SELECT lab.ndcg(j) FROM lab.judged(qrels, run) AS j GROUP BY j.run_id, j.query_id ORDER BY ALL",
    "FROM lab.ndcg(qrels, run, k := 10) ORDER BY ALL",
    "FROM lab.err(qrels, run) ORDER BY ALL",
    "FROM lab.check_input(qrels, run)",
]


def make_tables(con):
    con.execute(f"CREATE TABLE qrels AS FROM '{EXAMPLES / 'qrels.csv'}'")
    con.execute(f"CREATE TABLE run AS FROM '{EXAMPLES / 'bm25.csv'}'")


@pytest.mark.thorough
def test_macros_in_a_schema_are_called_with_its_name(tmp_path, con):
    path = str(tmp_path / "mine.duckdb")
    with duckdb.connect(path) as own:
        make_tables(own)
        sqlmetrics.install(own, schema="lab")
    for read_only in (False, True):
        with duckdb.connect(path, read_only=read_only) as own:
            for query in LAB:
                rows = con.execute(query.replace("lab.", "")).fetchall()
                assert own.execute(query).fetchall() == rows != []
            said = refuse(own, "SELECT lab.ap(j) FROM lab.judged(qrels, run) AS j")
            assert (
                said == f"ap: a group has rows of several queries, such as bread and pickles{POOL}"
            )
            said = refuse(own, f"WITH _r AS ({ranked(score=repr('x'))}) FROM lab.ap(qrels, _r)")
            assert said.endswith("FROM lab.check_input(qrels, run) lists all problems")


@pytest.mark.thorough
@pytest.mark.parametrize("is_begun", [False, True])
def test_all_macros_are_installed_or_none(monkeypatch, is_begun):
    query = "SELECT count(*) FROM duckdb_functions() WHERE NOT internal"
    with duckdb.connect() as own:
        if is_begun:  # a transaction is the user's to end
            own.begin()
            sqlmetrics.install(own)
        else:
            monkeypatch.setattr(installation, "write_checks", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                sqlmetrics.install(own)
            own.begin()
        own.rollback()
        assert own.execute(query).fetchall() == [(0,)]


@pytest.mark.thorough
def test_the_command_prints_macros_for_a_schema(tmp_path):
    (tmp_path / "lab.sql").write_text(run("sql", "--schema", "lab"))
    query = f"FROM lab.rr('{EXAMPLES / 'qrels.csv'}', '{EXAMPLES / 'bm25.csv'}')"
    command = [SHELL, "-init", tmp_path / "lab.sql", "-csv", "-c", query]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5


@pytest.mark.thorough
@pytest.mark.parametrize("schema", [[], ["--schema", "lab"]])
def test_the_command_prints_what_removes_the_macros(schema):
    with duckdb.connect() as own:
        own.execute("CREATE MACRO twice(x) AS 2 * x")
        own.execute(run("sql", *schema))
        own.execute(run("sql", "--remove", *schema))
        query = "SELECT function_name FROM duckdb_functions() WHERE NOT internal"
        assert own.execute(query).fetchall() == [("twice",)]


def test_the_sql_of_measures_calls_the_macros_of_its_schema():
    with duckdb.connect() as own:
        make_tables(own)
        rows = own.execute(sqlmetrics.sql("nDCG@10 AP", schema="lab")).fetchall()
        expected = sqlmetrics.evaluate("qrels", "run", "nDCG@10 AP", con=own).per_query.rows()
        for row, other in zip(rows, expected, strict=True):
            assert row == pytest.approx(other, abs=1e-12)
    with pytest.raises(sqlmetrics.InputError, match="leave out schema or dialect"):
        sqlmetrics.sql("AP", schema="lab", dialect="postgres")
    with pytest.raises(sqlmetrics.InputError, match="it takes no metrics"):
        sqlmetrics.sql("AP", remove=True)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["ndcg", "check_input"])
def test_a_macro_of_the_users_own_stays(name):
    said = f"the database already has other macros with these names: {name}"
    with duckdb.connect() as own:
        make_tables(own)
        own.execute(f"CREATE MACRO {name}(x) AS 42 + x")
        for create in (
            lambda: sqlmetrics.install(own),
            lambda: sqlmetrics.install(own, temporary=True),
        ):
            with pytest.raises(sqlmetrics.InputError, match=said):
                create()
        for script in (sqlmetrics.sql(), sqlmetrics.sql(remove=True)):
            assert said in refuse(own, script)
        score = sqlmetrics.evaluate("qrels", "run", "nDCG@10", con=own).mean["nDCG@10"][0]
        assert score == pytest.approx(0.5422, abs=5e-5)
        sqlmetrics.install(own, schema="lab")
        sqlmetrics.uninstall(own)
        assert own.execute(f"SELECT {name}(1)").fetchall() == [(43,)]


def test_evaluate_leaves_nothing_behind():
    everything = """
        SELECT 'function', function_name FROM duckdb_functions()
        UNION ALL SELECT 'table', table_name FROM duckdb_tables()
        UNION ALL SELECT 'view', view_name FROM duckdb_views()
        UNION ALL SELECT 'variable', name FROM duckdb_variables()
        ORDER BY ALL
    """
    with duckdb.connect() as own:
        make_tables(own)
        before = own.execute(everything).fetchall()
        sqlmetrics.evaluate("qrels", "run", "nDCG@10 ERR", con=own)
        sqlmetrics.check("qrels", "run", con=own)
        with pytest.raises(sqlmetrics.InputError):
            sqlmetrics.evaluate("qrels", "qrels", "AP", con=own)
        assert own.execute(everything).fetchall() == before
