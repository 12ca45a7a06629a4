"""The playground has the scores and the words of the package, in a browser and without a network."""

from __future__ import annotations

import functools
import http.server
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from urllib.parse import urlencode

import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS
from conftest import ROOT, make_qrels, make_run, open_shell
from hostile import NAMES

import sqlmetrics as sm

pytestmark = [pytest.mark.engines, pytest.mark.xdist_group("playground")]  # one is built

FOLDER = ROOT / "playground"
SECONDS = 120  # that a step may take where other tests run beside it
METRICS = (
    "nDCG@10 AP AP(rel=2)@100 RR P@5,10 R@20 Bpref Rprec RBP(p=0.8) ERR@20 nDCG(gain='exponential') "
    "NumRelRet Success@1 iP11 map_cut_100 F2@10 alpha_nDCG@10 INST infAP Judged@10 P_20 ndcg_at_5"
)
EXAMPLE = "Recipes, two runs"
# What could end a comment, a text, a name or an element, and words that JavaScript knows.
HOSTILE = [
    *(NAMES[each] for each in ("comment and a line", "carriage return", "line separator", "NUL")),
    *(NAMES[each] for each in ("escape", "double quote", "block comment", "10 kB")),
    *("'); DROP TABLE runs; --", '"); DROP TABLE runs; --\n', "x'\n" * 300, "${hit = 1} {1: 2}"),
    *("</script><script>hit = 1</script>", '"><img src=x onerror="hit = 1">'),
    *("constructor", "__proto__", "toString", "%", "a&b=c#d+e"),
]


@pytest.fixture(scope="module")
def server():
    assert shutil.which("npm"), "install nodejs and npm"
    assert (FOLDER / "node_modules").exists(), "run npm ci in playground"
    subprocess.run(
        ["npm", "run", "build"],
        cwd=FOLDER,
        check=True,
        env={**os.environ, "PYTHON": sys.executable},
    )
    with serve() as started:
        yield started


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(port=0):
    """A server of the page's files, in a thread."""
    handler = functools.partial(_Silent, directory=FOLDER / "dist")
    started = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=started.serve_forever, daemon=True).start()
    return started


def find_url(server):
    return f"http://127.0.0.1:{server.server_port}/"


@pytest.fixture(scope="module")
def loaded(browser, server):
    browser.get(find_url(server))
    wait(browser, STARTED)
    return browser


@pytest.fixture
def page(loaded):
    """The page with its example, whatever a test before it did."""
    if not loaded.execute_script(UNTOUCHED):
        choose(loaded, "#metrics", "nDCG@10 AP RR")
        choose(loaded, "#example", EXAMPLE)
    yield loaded
    severe = [each for each in loaded.get_log("browser") if each["level"] == "SEVERE"]
    assert severe == []


DONE = "return !document.body.ariaBusy"
UNTOUCHED = """
return document.querySelector("#example").value && !document.querySelector("#problem").textContent
    && document.querySelector("#means thead").textContent === "runnDCG@10APRR";
"""
STARTED = "return !document.body.ariaBusy && status.includes('scored for')"
READ = """
const [selector] = arguments;
return [...document.querySelectorAll(`${selector} tbody tr`)].map((row) => [...row.cells].map((cell) =>
    cell.querySelector("data") ? Number(cell.querySelector("data").value) : cell.textContent));
"""
CHOOSE = """
const [selector, value] = arguments, chosen = document.querySelector(selector);
chosen.value = value;
chosen.dispatchEvent(new Event("input", { bubbles: true }));
chosen.dispatchEvent(new Event("change", { bubbles: true }));
"""


def wait(browser, script, *arguments):
    """What a script returns, once it is true; ``status`` is what the page says."""
    script = f"const status = document.getElementById('status').textContent; {script}"
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        if found := browser.execute_script(script, *arguments):
            return found
        time.sleep(0.03)
    said = [browser.find_element("id", name).text for name in ("status", "problem", "list")]
    raise AssertionError(f"not within {SECONDS} seconds: {script}; the page says {said}")


def choose(browser, selector, value):
    browser.execute_script(CHOOSE, selector, value)
    wait(browser, DONE)


def read(browser, selector):
    return browser.execute_script(READ, selector)


def ask_for(browser, metrics):
    choose(browser, "#metrics", metrics)
    browser.execute_script("document.getElementById('ask').requestSubmit()")
    wait(browser, DONE)


def give(browser, which, *paths):
    """Files chosen in one of the two inputs."""
    browser.find_element("id", f"choose-{which}").send_keys("\n".join(map(str, paths)))
    wait(browser, DONE)


def find_problems(browser, number):
    return wait(
        browser,
        "const said = [...document.querySelectorAll('#list .problem')].map((each) => each.textContent);"
        "return status && said.length === arguments[0] && said",
        number,
    )


def list_means(browser):
    """The means of the page by metric and run."""
    names = browser.execute_script(
        "return [...document.querySelectorAll('#means thead th')].map((each) => each.textContent)"
    )
    rows = read(browser, "#means")
    return {(m, row[0]): v for row in rows for m, v in zip(names[1:], row[1:], strict=True)}


def test_an_example_is_scored_and_compared_at_once(page):
    scores = sm.evaluate(QRELS, [BM25, NEURAL], "nDCG@10 AP RR")
    means = list_means(page)
    assert means == {
        (metric, run): pytest.approx(scores[metric, run], abs=1e-15)
        for metric in ("nDCG@10", "AP", "RR")
        for run in ("bm25", "neural")
    }
    (row,) = scores.compare("bm25").tests.filter(metric="nDCG@10").iter_rows(named=True)
    ((run, mean, difference, interval, outcomes, p),) = read(page, "#tests")
    assert (run, outcomes) == ("neural", "4/0/0")
    assert mean == pytest.approx(row["mean"], abs=1e-15)
    assert difference == pytest.approx(row["difference"], abs=1e-15)
    assert p == pytest.approx(row["p_corrected"], abs=1e-12)
    assert interval == f"−{-row['low']:.4f} to +{row['high']:.4f}"
    assert [each[0] for each in read(page, "#changes")] == ["bread", "pickles", "curry", "noodles"]


def draw_inputs(queries=50, documents=30):
    """Judgments and three runs with ties, of which one lacks queries."""
    drawn = random.Random(5)
    grades = {
        (f"{q}", f"d{d}"): drawn.choice((0, 0, 1, 2, 3))
        for q in range(queries)
        for d in range(documents)
    }
    qrels = make_qrels((*key, g) for key, g in grades.items() if drawn.random() < 0.8)
    runs = {
        f"system-{n}": make_run(
            (*key, round(drawn.gauss(grade * 0.3 * n, 1), 1))
            for key, grade in grades.items()
            if drawn.random() < 0.7 and (n != 2 or key[0] != "7")
        )
        for n in range(3)
    }
    return qrels, runs


def write_formats(folder, qrels, runs):
    """The judgments as TREC text, and a run each as Parquet, JSON lines and TSV."""
    lines = (f"{q} 0 {d} {g:.0f}\n" for q, d, g in qrels.iter_rows())
    (folder / "judged.qrels").write_text("".join(("# by three people\n", *lines)))
    first, second, third = runs
    runs[first].write_parquet(folder / f"{first}.parquet")
    runs[second].write_ndjson(folder / f"{second}.jsonl")
    renamed = runs[third].rename({"query_id": "qid", "doc_id": "docno", "score": "sim"})
    renamed.write_csv(folder / f"{third}.tsv", separator="\t")
    return [folder / "judged.qrels"], [
        folder / f"{a}.{b}" for a, b in zip(runs, ("parquet", "jsonl", "tsv"), strict=True)
    ]


def test_files_of_all_formats_have_the_scores_of_evaluate(page, tmp_path):
    qrels, runs = draw_inputs()
    judged, paths = write_formats(tmp_path, qrels, runs)
    give(page, "qrels", *judged)
    wait(page, "return status === 'Add a run.'")
    give(page, "run", *paths)
    wait(page, "return status.startsWith('3 runs scored for 50 queries')")
    ask_for(page, METRICS)
    scores = sm.evaluate(qrels, runs, METRICS)
    means = list_means(page)
    assert len(means) == 3 * 23
    for (metric, run), mean in means.items():
        assert mean == pytest.approx(scores[metric, run], rel=1e-14), (metric, run)
    for metric in ("nDCG@10", "AP(rel=2)@100", "RBP(p=0.8)", "ERR@20", "NumRelRet"):
        choose(page, "#metric", metric)
        wait(
            page,
            "return document.getElementById('queries-title').textContent.startsWith(arguments[0])",
            metric,
        )
        wide = scores.per_query.pivot("run_id", index="query_id", values=metric)
        known = {row["query_id"]: [row[run] for run in runs] for row in wide.iter_rows(named=True)}
        assert {query: found for query, *found in read(page, "#per-query")} == known  # every digit
    tests = scores.compare("system-0").tests.filter(metric="nDCG@10")
    choose(page, "#metric", "nDCG@10")
    wait(page, "return document.getElementById('queries-title').textContent.startsWith('nDCG@10')")
    for run, _, difference, interval, outcomes, p in read(page, "#tests"):
        (row,) = tests.filter(run_id=run).iter_rows(named=True)
        assert difference == pytest.approx(row["difference"], abs=1e-14)
        assert p == pytest.approx(row["p_corrected"], rel=1e-9)
        ends = [float(end.replace("−", "-")) for end in interval.split(" to ")]
        assert ends == pytest.approx([row["low"], row["high"]], abs=5.1e-5)
        assert outcomes == f"{row['wins']}/{row['ties']}/{row['losses']}"


def test_dropped_files_are_judgments_or_runs_by_their_columns(page):
    page.execute_script("document.getElementById('status').textContent = ''; scrollTo(0, 0)")
    place = page.execute_script(
        "const box = document.getElementById('drop').getBoundingClientRect();"
        "return { x: box.x + 90, y: box.y + 9 }"
    )
    data = {"items": [], "files": [NEURAL, QRELS], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    wait(page, "return status.startsWith('1 run scored for 4 queries')")
    listed = wait(
        page,
        "return [...document.querySelectorAll('#list .heading')].map((each) => each.textContent)",
    )
    assert [each.removesuffix("Remove") for each in listed] == [
        "neural.csv run, 12 rows",
        "qrels.csv judgments, 12 rows",
    ]
    assert not page.find_element("id", "comparison").is_displayed()


def test_columns_can_be_corrected_and_a_link_keeps_that(page, tmp_path):
    qrels = pl.read_csv(QRELS).rename({"doc_id": "code", "relevance": "points"})
    qrels.write_csv(tmp_path / "ratings.csv")
    give(page, "qrels", tmp_path / "ratings.csv")
    (problem,) = find_problems(page, 1)
    assert problem == refuse("FROM unusable_judgments(qrels)", qrels=qrels)
    give(page, "run", BM25)
    for ours, column in (("doc_id", "code"), ("relevance", "points")):
        choose(page, f"[data-file='ratings.csv'][data-column={ours}]", column)
        wait(page, "return status")
    wait(page, "return status.startsWith('1 run scored')")
    expected = sm.evaluate(QRELS, BM25, "nDCG@10")["nDCG@10"]
    assert list_means(page)["nDCG@10", "bm25"] == expected
    assert "qrels=doc_id%3Dcode%2Crelevance%3Dpoints" in page.current_url
    assert "sourdough" not in page.current_url


def refuse(query, **tables):
    """What a shell says."""
    with open_shell(**tables) as con, pytest.raises(Exception) as error:  # noqa: PT011
        con.execute(query).fetchall()
    return str(error.value).removeprefix("Invalid Input Error: ")


def test_wrong_files_are_refused_in_the_words_of_the_shell(page, tmp_path):
    run = pl.read_csv(BM25)
    wrong = {
        "points": run.rename({"score": "points"}),
        "twice": pl.concat([run, run.head(1)]),
        "words": run.with_columns(score=pl.lit("high")),
    }
    give(page, "qrels", QRELS)
    for name, frame in wrong.items():
        frame.write_csv(tmp_path / f"{name}.csv")
        give(page, "run", tmp_path / f"{name}.csv")
        wait(page, "return status === 'Add a run.'")
    said = find_problems(page, 3)
    assert said == [refuse("FROM rankings(run)", run=frame) for frame in wrong.values()]
    assert "no column score; the columns are query_id, doc_id, points" in said[0]
    give(page, "run", BM25)
    wait(page, "return status.startsWith('1 run scored')")
    judged = pl.read_csv(QRELS).with_columns(relevance=pl.lit("?"))
    judged.write_csv(tmp_path / "unclear.csv")
    give(page, "qrels", tmp_path / "unclear.csv")
    wait(page, "return status === 'Add judgments.'")
    *_, problem = find_problems(page, 4)
    assert problem == refuse("FROM subtopics(qrels, run)", qrels=judged, run=run)
    (tmp_path / "empty.csv").write_text("")
    give(page, "run", tmp_path / "empty.csv")
    assert find_problems(page, 5)[-1] == "the file is empty"


def test_runs_without_judged_queries_are_refused_together(page, tmp_path):
    run = make_run([("soup", "stew", 1.0)])
    run.write_csv(tmp_path / "soup.csv")
    give(page, "qrels", QRELS)
    give(page, "run", tmp_path / "soup.csv")
    said = wait(page, "return document.getElementById('problem').textContent")
    named = run.with_columns(run_id=pl.lit("soup"))
    assert said == refuse("FROM judged(qrels, runs)", qrels=pl.read_csv(QRELS), runs=named)


def test_checks_have_the_words_of_the_doctor(page):
    found = page.execute_script(
        "return [...document.querySelectorAll('#checks details > ul > li')].map((each) => "
        "[each.firstChild.textContent, each.textContent])"
    )
    runs = pl.concat(
        pl.read_csv(path).with_columns(run_id=pl.lit(name), score=pl.col("score").cast(pl.String))
        for name, path in (("bm25", BM25), ("neural", NEURAL))
    )
    with open_shell(qrels=pl.read_csv(QRELS), runs=runs) as con:
        expected = con.execute("FROM check_input(qrels, runs)").fetchall()
    assert [head for head, _ in found] == [f"{row[0]}: {row[1]}: {row[3]}" for row in expected]
    for (_, text), row in zip(found, expected, strict=True):
        assert row[4] in text
        assert all(example in text for example in row[5].splitlines())


def test_a_query_shows_the_documents_of_two_runs(page):
    page.execute_script("document.querySelector('#changes button.query').click()")
    wait(
        page,
        "return document.getElementById('documents-title').textContent === 'Documents of bread'",
    )
    grades = {doc: grade for query, doc, grade in pl.read_csv(QRELS).rows() if query == "bread"}
    ranks = {}
    for place, path in enumerate((BM25, NEURAL)):
        run = pl.read_csv(path).filter(query_id="bread")
        ordered = run.sort("score", "doc_id", descending=True)["doc_id"].to_list()
        ranks[place] = {doc: rank for rank, doc in enumerate(ordered, 1)}
        rows = read(page, f"#lists > div:nth-child({place + 1})")
        assert [(row[0], row[1]) for row in rows] == [
            (rank, doc) for doc, rank in ranks[place].items()
        ]
        assert [row[2] for row in rows] == [str(grades.get(doc, "not judged")) for doc in ordered]
    moved = [row[3] for row in rows]
    for doc, said in zip(ordered, moved, strict=True):
        before, after = ranks[0].get(doc), ranks[1][doc]
        words = (
            "only here"
            if before is None
            else "same rank"
            if before == after
            else f"{'up' if before > after else 'down'} {abs(before - after)}"
        )
        assert said.endswith(words)


def test_the_sql_of_a_number_gives_that_number(page):
    for selector in ("#means tbody button", "#per-query td button", "#tests td button"):
        value = page.execute_script(
            "document.getElementById('answer').replaceChildren();"
            "const button = document.querySelector(arguments[0]); button.click();"
            "return Number(button.querySelector('data').value)",
            selector,
        )
        wait(page, "return document.querySelector('#answer table')")
        assert any(value in row for row in read(page, "#answer"))


def type_sql(page, text):
    page.find_element("css selector", ".cm-content").send_keys("\ue009a\ue000", text)


def test_the_editor_completes_macros_and_reaches_no_network(page):
    type_sql(page, "SELECT expected_nd")
    listed = wait(
        page,
        "return [...document.querySelectorAll('.cm-completionLabel')].map((each) => each.textContent).join()",
    )
    assert "expected_ndcg" in listed
    type_sql(page, "FROM 'https://example.com/runs.csv'")
    page.execute_script("document.getElementById('answer').replaceChildren()")
    page.find_element("id", "execute").click()
    wait(page, "return document.querySelector('#answer .problem')")
    type_sql(page, "SELECT 6 * 7 AS answer")
    page.find_element("css selector", ".cm-content").send_keys("\ue009\ue007\ue000")  # Ctrl+Enter
    wait(page, "return document.querySelector('#answer table')")
    assert read(page, "#answer") == [[42]]
    asked = page.execute_script(
        "return performance.getEntriesByType('resource').map((each) => each.name)"
    )
    own = (
        page.current_url.partition("#")[0],
        f"blob:{page.current_url.partition('#')[0]}",
        "data:",
    )
    assert [each for each in asked if not each.startswith(own)] == []
    page.get_log("browser")  # has what the policy refused


# What DuckDB's shell shows for some values.
VALUES = {
    "1.5": "1.5",
    "0.1 + 0.2": "0.3",
    "CAST(12345.678 AS DECIMAL(18, 3))": "12345.678",
    "9007199254740993": "9007199254740993",
    "CAST(2 AS HUGEINT) ** 3": "8.0",
    "170141183460469231731687303715884105727": "170141183460469231731687303715884105727",
    "CAST('-inf' AS DOUBLE)": "-inf",
    "DATE '2026-01-05'": "2026-01-05",
    "TIMESTAMP '2026-01-05 12:30:00'": "2026-01-05 12:30:00",
    "TIME '12:30:00'": "12:30:00",
    "INTERVAL 90 MINUTE": "01:30:00",
    "CAST('\\xABa' AS BLOB)": "\\xABa",
    "[1, NULL]": "[1, NULL]",
    "{'a': 1}": "{'a': 1}",
    "true": "true",
    "NULL": "NULL",
    "CAST('nan' AS DOUBLE)": "nan",
    "1e15": "1000000000000000.0",
    "1e-7": "1e-07",
    "CAST(0.1 AS FLOAT)": "0.1",
    "1 / 3": "0.3333333333333333",
    "CAST(-1.50 AS DECIMAL(4, 2))": "-1.50",
    "255::UTINYINT": "255",
    "18446744073709551615::UBIGINT": "18446744073709551615",
    "TIMESTAMP_NS '2026-01-05 12:30:00.123456789'": "2026-01-05 12:30:00.123456789",
    "TIMESTAMPTZ '2026-01-05 12:30:00+00'": "2026-01-05 12:30:00+00",
    "TIMETZ '12:30:00+02'": "12:30:00+02",
    "INTERVAL '1 year 2 months 3 days'": "1 year 2 months 3 days",
    "CAST('101' AS BIT)": "101",
    "CAST('a' AS ENUM ('a', 'b'))": "a",
    "UUID '01234567-89ab-cdef-0123-456789abcdef'": "01234567-89ab-cdef-0123-456789abcdef",
    "[[1.5], NULL]": "[[1.5], NULL]",
    "MAP {'a': 1.5}": "{a=1.5}",
    "{'a': DATE '2026-01-05', 'b': [1.25]}": "{'a': 2026-01-05, 'b': [1.25]}",
    "'<b>x</b>'": "<b>x</b>",
}


def test_values_are_shown_as_in_a_shell(page):
    page.execute_script("document.getElementById('answer').replaceChildren()")
    type_sql(page, "SELECT " + ", ".join(f"{sql} AS v{n}" for n, sql in enumerate(VALUES)))
    page.find_element("css selector", ".cm-content").send_keys("\ue009\ue007\ue000")
    wait(page, "return document.querySelector('#answer table')")
    cells = page.find_elements("css selector", "#answer tbody th, #answer tbody td")
    assert [cell.text for cell in cells] == [*VALUES.values()]


def test_the_values_are_those_of_the_shell():
    shell = shutil.which("duckdb")
    query = f"SET TimeZone = 'UTC'; SELECT {', '.join(VALUES)}"
    options = ("-noheader", "-list", "-separator", "\t", "-nullvalue", "NULL", "-c", query)
    said = subprocess.run([shell, *options], capture_output=True, text=True, check=True).stdout
    assert said.rstrip("\n").split("\t") == [*VALUES.values()]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT 1.5; -- a comment; and more", [[1.5]]),
        ("SELECT ';' AS a; /* 1; */ SELECT 0.25::DECIMAL(9, 2) AS b;", [[0.25]]),
        ("CREATE TABLE of_user AS SELECT 1.25 AS x; FROM of_user", [[1.25]]),
        ("INSERT INTO of_user VALUES (2.5) RETURNING x", None),
        ("PREPARE q AS SELECT 1.5 AS x; EXECUTE q", None),
        ("SELECT x FROM of_user ORDER BY x DESC", [[2.5], [1.25]]),
        ("DROP TABLE of_user; SELECT 1 AS __proto__, 2.5 AS constructor", [[1, 2.5]]),
    ],
)
def test_the_last_of_several_statements_is_shown(page, text, rows):
    page.execute_script("document.getElementById('answer').replaceChildren()")
    type_sql(page, text)
    page.find_element("id", "execute").click()
    wait(page, f"{DONE} && document.querySelector('#answer').childNodes.length")
    found = read(page, "#answer")
    assert found == (rows or [])
    if rows is None:
        said = page.find_element("css selector", "#answer .problem").text
        assert said == "It ran; what it returns is shown only for a SELECT"


ODD_QRELS = "query_id,doc_id,relevance\nq1,a,1\nq1,b,0\nq2,c,1\n"
ODD = {  # runs, and RR, or the words of a refusal
    "index of pandas": (",query_id,doc_id,score\n0,q1,b,3\n1,q1,a,2\n2,q2,c,1.5\n", 0.75),
    "quoted names": (
        '"query_id","doc_id","a, ""b""","score"\nq1,b,x,3\nq1,a,x,2\nq2,c,x,1\n',
        0.75,
    ),
    "semicolons": ("\ufeffquery_id;doc_id;score\r\nq1;b;3\r\nq1;a;2\r\nq2;c;1.5\r\n", 0.75),
    "a column twice": ("query_id,doc_id,score,Score\nq1,b,3,1\n", "column Score twice"),
    "decimal commas": ("query_id;doc_id;score\nq1;b;0,9\n", "score '0,9' for document b"),
    "no number": ("query_id,doc_id,score\nq1,b,NaN\n", "score 'NaN' for document b"),
    "lists": ('{"query_id": "q1", "doc_id": ["a"], "score": [1]}', "doc_id has lists or objects"),
    "objects": (
        '{"query_id": {"x": 1}, "doc_id": "a", "score": 1}',
        "query_id has lists or objects",
    ),
    "others nested": (
        '{"query_id": "q1", "doc_id": "a", "score": 1, "constructor": {"x": 1}}',
        0.5,
    ),
    "a workbook": ("PK\x03\x04\0\0", "the file is not text, nor Parquet"),
    "line ends in ids": ('{"query_id": "q1", "doc_id": "x\\ry\\nz", "score": 1}', 0.0),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_files_are_read_right_or_refused(page, case):
    text, expected = ODD[case]
    click(page, "#list .heading button")
    ask_for(page, "RR")
    give_texts(page, ("qrels", "q.csv", ODD_QRELS))
    give_texts(page, ("run", "r", text))
    if isinstance(expected, str):
        assert expected in find_problems(page, 1)[0]
    else:
        assert list_means(page) == {("RR", "r"): expected}


def test_two_files_with_a_run_of_one_name_are_refused(page):
    give_texts(page, ("qrels", "q.csv", ODD_QRELS))
    for name, doc in (("x.csv", "a"), ("y.csv", "b")):
        give_texts(page, ("run", name, f"run_id,query_id,doc_id,score\nsame,q1,{doc},1\n"))
    said = page.find_element("id", "problem").text
    assert said == "x.csv and y.csv both have a run named 'same'; give them different names"


def test_scores_like_ranks_are_noted_and_columns_of_ranks_refused(page):
    give_texts(page, ("qrels", "q.csv", ODD_QRELS))
    rows = "q1,b,1\nq1,a,2\nq2,x,1\nq2,c,2\n"
    give_texts(page, ("run", "r.csv", f"query_id,doc_id,score\n{rows}"))
    noted = page.find_element("css selector", "#checks details[open]").text
    assert (
        "run r: the scores of each query are 1, 2, 3 …, and 1 ranks last; if they are places, name"
        in noted
    )
    click(page, "#list li:last-child .heading button")
    give_texts(page, ("run", "r.csv", f"query_id,doc_id,Pos\n{rows}"))
    ask_for(page, "RR")
    assert list_means(page) == {("RR", "r"): 0.5}
    for column, own in (("Pos", "rank"), ("search_rank", "rank"), ("l2_dist", "distance")):
        click(page, "#list li:last-child .heading button")
        give_texts(page, ("run", "r.csv", f"query_id,doc_id,{column}\n{rows}"))
        choose(page, "[data-file='r.csv'][data-column=score]", column)
        (said,) = find_problems(page, 1)
        assert said.startswith(f"{column} as score would put the ")
        assert f"; choose it as {own}. " in said
        choose(page, "[data-file='r.csv'][data-column=score]", "")


def test_ratings_and_tags_are_noted_as_by_evaluate(page):
    give_texts(page, ("qrels", "q.csv", "query_id,doc_id,rating\nq1,a,1\nq1,b,5\nq2,x,3\n"))
    give_texts(
        page, ("run", "r.txt", "q1 Q0 a 1 3 s\nq2 Q0 x 1 2 s\nq1 Q0 c 1 2 t\nq2 Q0 d 1 1 t\n")
    )
    noted = page.find_element("css selector", "#checks details[open]").text
    assert "grades count as relevant, 1 like 5; name the lowest that is good" in noted
    assert "query q1 has documents with the tags s and t; if tags are systems, name" in noted


def test_a_column_of_places_is_not_a_score(page, tmp_path):
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,1\n")
    (tmp_path / "run.csv").write_text("query_id,doc_id,Position\nq1,x,1\nq1,a,2\n")
    give(page, "qrels", tmp_path / "qrels.csv")
    give(page, "run", tmp_path / "run.csv")
    ask_for(page, "RR")
    assert list_means(page) == {("RR", "run"): 0.5}


# Files by kind, name and text, chosen; elements, clicked; SQL that is sent to the engine.
GIVE = """
for (const [kind, name, text] of arguments[0]) {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const input = document.getElementById(`choose-${kind}`);
    input.files = data.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
}
"""
CLICK = "for (const each of document.querySelectorAll(arguments[0])) each.click();"
CHOOSE_OTHER = """
const select = [...document.querySelectorAll("[data-column=doc_id]")].at(-1);
const known = ["", "query_id", "score", "run_id"];
select.value = [...select.options].map((each) => each.value).find((each) => !known.includes(each));
select.dispatchEvent(new Event("change", { bubbles: true }));
"""
RECORD = """
window.asked = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
    window.asked.push(...[message.data].flat().filter((each) => typeof each === "string"));
    return post.call(this, message, ...more);
};
"""
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


def give_texts(page, *files):
    page.execute_script(GIVE, files)
    wait(page, DONE)


def click(page, selector):
    page.execute_script(CLICK, selector)
    wait(page, DONE)


def find_shapes(page):
    """The SQL that was asked, without values and names; they must have no control characters."""
    asked = page.execute_script("return window.asked")
    assert [each for each in asked if CONTROL.search(each)] == []
    text = r"'(?:[^'\n]|'')*'"
    shapes = (re.sub(rf"url_decode\({text}\)|{text}", "?", each) for each in asked)
    shapes = (re.sub(r'"(?:[^"\n]|"")*"', "name", each) for each in shapes)
    return {re.sub(r"file_\d+", "file", each) for each in shapes}


def use(page, name):
    """Use a name in every place, and look at what is shown; the shapes of the SQL that was asked."""
    page.execute_script("window.asked = []; document.getElementById('find').value = ''")
    click(page, "#list .heading button")
    ask_for(page, "RR nDCG@10")
    judged = [("q", name, 1), (name, name, 1), (name, "b", 0)]
    qrels = [{"query_id": q, "doc_id": d, "relevance": g, f"{name}?": name} for q, d, g in judged]
    run = [{"query_id": q, name: d, "score": 3 - 2 * g, "run_id": name} for q, d, g in judged]
    other = [{"query_id": q, name: d, "score": g} for q, d, g in judged]
    for kind, own, rows in (("qrels", "?", qrels), ("run", "!", run), ("run", ".", other)):
        text = "\n".join(map(json.dumps, rows))
        give_texts(page, (kind, f"{name}{own}", text))
    page.execute_script(CHOOSE_OTHER)
    wait(page, DONE)
    said = page.execute_script("return document.getElementById('list').textContent")
    own = page.execute_script("return document.querySelector('#baseline').lastChild.value")
    assert {each[0]: each[1] for each in read(page, "#means")} == {name: 0.75, own: 1}, said
    assert own == f"{name}."
    choose(page, "#baseline", own)
    assert [each[0] for each in read(page, "#tests")] == [name]
    choose(page, "#find", re.split("[\r\n]", name)[0])
    assert name in {each[0] for each in read(page, "#per-query")}
    choose(page, "#find", "")
    for place in ("#means td", "#tests td", "#changes td", "#per-query td", "#changes th"):
        click(page, f"{place}:last-child button, {place}:only-of-type button")
        assert page.find_elements("css selector", "#answer .problem") == []
    assert {each[1] for each in read(page, "#lists > div")} <= {name, "b"}
    click(page, "#documents-sql")
    assert {each[0] for each in read(page, "#answer")} <= {name, "b"}
    for metrics in (name, f"nDCG(gain='{name}')", f"nDCG(gains={{1: {name}}})", f"nDCG@{name}"):
        ask_for(page, metrics)
        assert page.find_element("id", "problem").text
    shapes = find_shapes(page)
    give_texts(page, ("run", f"{name}.csv", f"{name},score\n{name},1\n"))
    find_shapes(page)
    inserted = "main script, main img:not(.cm-widgetBuffer)"  # this is of the editor
    assert page.find_elements("css selector", inserted) == []
    assert not page.execute_script("return window.hit")
    return shapes


@pytest.fixture(scope="module")
def recorded(loaded, server):
    """The page by an odd link, and the shapes of what it asks for a plain name."""
    script = loaded.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORD})
    link = dict.fromkeys(("metric", "baseline", "run", "query", "sql", "run_id", "toString"), "'")
    link |= {"qrels": "%,=,a=%25,doc_id=%", "runs": "__proto__=%27,constructor", "metrics": "RR"}
    loaded.get("about:blank")
    loaded.get(f"{find_url(server)}#{urlencode(link)}")
    wait(loaded, STARTED)
    yield loaded, use(loaded, "name")
    loaded.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_name_is_a_value_in_every_place(recorded, name):
    page, shapes = recorded
    assert use(page, name) <= shapes


def test_unknown_metrics_are_refused(page):
    for text, said in (
        ("nDCG@10 nonsense", "No metric named 'nonsense'; the list has all"),
        ("SetP P(rel=2)", "'P(rel=2)' needs a cut-off, such as P@10"),
        ("RBP(q=1)", "'RBP(q=1)' has no parameter q; it has "),
        ("Bpref@10", "'Bpref@10' takes no cut-off"),
        ("ACC", "'ACC' needs corpus_size: "),
        ("CTR", "'CTR' needs a click log, "),
        ("Novelty", "'Novelty' needs the history of users, "),
        ("", "no metrics; name at least one, such as 'nDCG@10 AP'"),
        ("nDCG(gains={1:2};DROP TABLE runs;{1:2})", "'nDCG(gains={1:2};DROP TABLE runs;{1:2})'"),
        ("nDCG(gains={1: doc_id})", "'nDCG(gains={1: doc_id})': write gains as {1: 2, 3: 4}"),
        ("AP(__proto__=2)", "'AP(__proto__=2)' has no parameter __proto__; it has "),
        ("P@1.2.3", "'P@1.2.3': '1.2.3' is not a cut-off"),
        ("constructor", "No metric named 'constructor'; the list has all"),
        ("__proto__@10", "No metric named '__proto__'; the list has all"),
    ):
        choose(page, "#metrics", text)
        page.execute_script("document.getElementById('ask').requestSubmit()")
        wait(
            page,
            "return document.getElementById('problem').textContent.startsWith(arguments[0])",
            said,
        )
    choose(page, "#metrics", "RBP(p=2)")
    page.execute_script("document.getElementById('ask').requestSubmit()")
    wait(page, "return document.getElementById('problem').textContent.startsWith('rbp: p must be')")


def test_tables_sort_and_arrow_keys_move_in_them(page):
    for _ in range(2):
        page.find_elements("css selector", "#per-query thead button")[1].click()
    heads = page.find_elements("css selector", "#per-query thead th")
    assert [head.get_attribute("aria-sort") for head in heads] == ["none", "ascending", "none"]
    column = [row[1] for row in read(page, "#per-query")]
    assert column == sorted(column)
    first = page.find_element("css selector", "#per-query tbody button")
    assert len(page.find_elements("css selector", "#per-query tbody button[tabindex='0']")) == 1
    first.send_keys("\ue015")  # down
    page.switch_to.active_element.send_keys("\ue014")  # right
    assert page.switch_to.active_element.text == f"{column[1]:.4f}"


NAMELESS = """
return [...document.querySelectorAll("input, select, button")].filter((each) =>
    !(each.labels?.length || each.textContent.trim() || each.getAttribute("aria-label")))
    .map((each) => each.outerHTML);
"""


def test_everything_has_a_name_and_fits_on_a_phone(page):
    assert page.execute_script(NAMELESS) == []
    page.execute_script("document.querySelector('#changes button.query').click()")
    wait(page, "return document.querySelector('#lists table')")
    for width in (400, 1280):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_download_has_every_digit(page, tmp_path):
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.find_element("id", "queries-csv").click()
    wait(page, "return status === 'Saved scores.csv.'")
    ends = time.monotonic() + 10
    while not (tmp_path / "scores.csv").exists() and time.monotonic() < ends:
        time.sleep(0.05)
    expected = sm.evaluate(QRELS, [BM25, NEURAL], "nDCG@10 AP RR").per_query
    found = pl.read_csv(tmp_path / "scores.csv").select(expected.columns)
    assert found.sort("run_id", "query_id").equals(expected.sort("run_id", "query_id"))


def test_it_works_without_a_server_and_as_a_link_says(loaded, server):
    """The last test, since it stops the server."""
    loaded.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    wait(loaded, "return navigator.serviceWorker.controller")
    server.shutdown()
    server.server_close()
    settings = {
        "metrics": "P@1 RR",
        "baseline": "neural",
        "query": "curry",
        "sql": "SELECT 1 AS one",
    }
    loaded.get("about:blank")
    loaded.get(f"{find_url(server)}#{urlencode(settings)}")
    wait(loaded, f"{DONE} && document.querySelector('#tests table')")
    assert [metric for metric, run in list_means(loaded) if run == "bm25"] == ["P@1", "RR"]
    assert [row[0] for row in read(loaded, "#tests")] == ["bm25"]
    assert loaded.find_element("id", "documents-title").text == "Documents of curry"
    assert not loaded.find_elements("css selector", "#answer table")  # SQL of others runs if wanted
    loaded.find_element("id", "execute").click()
    wait(loaded, f"{DONE} && document.querySelector('#answer table')")
    assert read(loaded, "#answer") == [[1]]


def test_the_lock_file_names_the_versions_of_the_package_file():
    wanted = json.loads((FOLDER / "package.json").read_text())
    locked = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    for name, version in {**wanted["dependencies"], **wanted["devDependencies"]}.items():
        assert locked[f"node_modules/{name}"]["version"] == version
