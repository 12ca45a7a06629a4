"""A report is one page with the scores, whatever was scored, and works in a browser."""

from __future__ import annotations

import json
import random
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run
from conftest import make_qrels, make_run
from rich.cells import cell_len

import sqlmetrics as sm
from sqlmetrics.report.charts import Axis, spread
from sqlmetrics.report.words import shorten_each
from sqlmetrics.result import show_p

VOID = {"meta", "input", "wbr", "br"}
HOSTILE = '<script>alert("&")</script>'


class Page(HTMLParser):
    """The elements of a page, and its tables as text; every tag must be closed."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.tables = [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th") and "tr" in self.open:
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if {"td", "th"} & {*self.open} and "svg" not in self.open:
            self.tables[-1][-1][-1] += text


def make(runs, queries, documents=30, seed=1):
    """Judgments and runs, the later the better."""
    drawn = random.Random(seed)
    grades = {
        (f"q{q:03}", f"d{d}"): drawn.choice((0, 0, 1, 2))
        for q in range(queries)
        for d in range(documents)
    }
    qrels = make_qrels((*key, grade) for key, grade in grades.items())
    found = {
        f"system-{n}": make_run(
            (*key, drawn.gauss(grade * (0.3 + 0.06 * n), 1)) for key, grade in grades.items()
        )
        for n in range(runs)
    }
    return qrels, found


@pytest.fixture(scope="module")
def scores():
    return sm.evaluate(*make(3, 20), "nDCG@10 AP")


def read_number(text):
    return float(text.rstrip("▲▼").replace("\N{MINUS SIGN}", "-"))


def test_the_means_and_differences_are_those_of_the_scores(scores):
    page = Page(scores.report("system-0").html)
    tests = scores.compare("system-0").tests
    first, others, second, *_ = page.tables
    assert others[0] == ["run", "AP"]
    for name, mean in others[1:]:
        assert read_number(mean) == pytest.approx(scores["AP", name], abs=5e-5)
        found = tests.filter(metric="AP", run_id=name, significant=True)
        assert (mean[-1] in "▲▼") == bool(found.height)
    for table, metric in ((first, "nDCG@10"), (second, "AP")):
        _, *rows, _ = table
        assert [row[0] for row in rows] == ["system-0", "system-1", "system-2"]  # as given
        for name, mean, difference, interval, outcomes, p in rows:
            assert mean == f"{scores[metric, name]:.4f}"
            if name == "system-0":
                assert difference == "baseline"
                continue
            (row,) = tests.filter(metric=metric, run_id=name).iter_rows(named=True)
            assert read_number(difference) == pytest.approx(row["difference"], abs=5e-5)
            ends = re.findall(r"[+\N{MINUS SIGN}]\d\.\d{4}", interval)
            expected = [row["low"], row["high"]]
            assert [*map(read_number, ends)] == pytest.approx(expected, abs=5e-5)
            assert difference[-1] in "▲▼" if row["significant"] else difference[-1] not in "▲▼"
            assert outcomes == f"{row['wins']}/{row['ties']}/{row['losses']}"
            assert p == show_p(row["p_corrected"])


def test_queries_have_their_scores_and_differences(scores):
    report = scores.report("system-0").html
    (_, _, *rows) = Page(report).tables[-1]
    frame = scores.per_query.pivot("run_id", index="query_id", values="nDCG@10")
    known = {row["query_id"]: row for row in frame.iter_rows(named=True)}
    assert len(rows) == len(known) == 20
    best = scores.mean.sort("nDCG@10")["run_id"][-1]
    differences = []
    for query, before, after, difference, *_ in rows:
        assert before == f"{known[query]['system-0']:.4f}"
        assert after == f"{known[query][best]:.4f}"
        differences.append(read_number(difference))
        assert differences[-1] == pytest.approx(
            known[query][best] - known[query]["system-0"], abs=5e-5
        )
    assert differences == sorted(differences)


def test_a_page_loads_nothing_and_is_light():
    scores = sm.evaluate(*make(10, 100), "nDCG@10 AP P@5")
    html = scores.report().html
    page = Page(html)
    loading = {"src", "srcset", "href", "data", "poster", "action", "background", "xlink:href"}
    assert not [(tag, a) for tag, a in page.seen if loading & {*a}]
    assert not {"link", "iframe", "img", "object", "embed", "base"} & {tag for tag, _ in page.seen}
    assert not re.findall(r"@import|url\(|fetch\(|import\(", html)
    assert {*re.findall(r"https?://[^\"'\s<]*", html)} == {"http://www.w3.org/2000/svg"}  # a name
    assert len(html.encode()) < 130_000  # and 150 kB with curve, cut-offs and notes


def score_hostile():
    qrels = make_qrels((f"{HOSTILE}{q}", "d", 1) for q in "ab")
    runs = {
        HOSTILE: make_run((f"{HOSTILE}{q}", "d", 1) for q in "ab"),
        "</title><b>": make_run([(f"{HOSTILE}a", "d", 1), (f"{HOSTILE}b", "e", 1)]),
        "x" * 90: make_run([(f"{HOSTILE}a", "e", 1)]),
    }
    topics = pl.DataFrame({"query_id": [f"{HOSTILE}{q}" for q in "ab"], "part": [HOSTILE, "</b>"]})
    return sm.evaluate(qrels, runs, "AP", by="part", topics=topics)


def test_ids_are_text_and_nothing_else():
    found = score_hostile()
    html = found.report(HOSTILE, title=HOSTILE).html
    page = Page(html)
    assert [tag for tag, _ in page.seen].count("script") == html.count("<script") == 2
    assert not [tag for tag, _ in page.seen if tag == "b" and "alert" in tag]
    data = json.loads(re.search(r"<script id=data[^>]*>(.*?)</script>", html)[1])
    assert data["queries"] == [f"{HOSTILE}a", f"{HOSTILE}b"]
    assert {*data["runs"]} == {*found.mean["run_id"]}
    assert f"{HOSTILE}a" in [row[0] for row in page.tables[-1]]


def test_one_run_has_means_and_queries_alone():
    qrels, runs = make(1, 8)
    page = Page(sm.evaluate(qrels, runs, "nDCG@10 AP NumRet").report().html)
    means, queries = page.tables
    assert [row[0] for row in means] == ["metric", "nDCG@10", "AP", "NumRet"]
    assert means[-1][1] == "240"
    assert [len(row) for row in queries] == [4] * 9
    assert "section" in [tag for tag, _ in page.seen]


def test_segments_have_their_means():
    topics = pl.DataFrame(
        {"query_id": [f"q{n:03}" for n in range(20)], "size": ["short", "long"] * 10}
    )
    found = sm.evaluate(*make(3, 20), "nDCG@10 AP", by="size", topics=topics)
    page = Page(found.report("system-1").html)
    head, *rows = page.tables[3]
    assert head[:2] == ["size", "queries"]
    assert {row[0]: row[1] for row in rows} == {"short": "10", "long": "10"}
    for row in rows:
        for name, shown in zip(head[2:], row[2:], strict=True):
            (mean,) = found.mean.filter(run_id=name, size=row[0])["nDCG@10"]
            assert read_number(shown) == pytest.approx(mean, abs=5e-5)
    overall = found.per_query.group_by("run_id").agg(pl.col("nDCG@10").mean())
    assert {row[0]: row[1] for row in page.tables[0][1:-1]} == {
        name: f"{mean:.4f}" for name, mean in overall.rows()
    }
    assert page.tables[-1][1][1] == "size"


def test_a_segment_may_be_called_segment_or_as_a_column_of_the_comparison():
    qrels, runs = make(3, 20)
    every = Page(sm.evaluate(qrels, runs, "nDCG@10").report().html)
    for name, has_marks in (("segment", True), ("queries", False)):
        topics = pl.DataFrame({"query_id": [f"q{n:03}" for n in range(20)], name: ["x", "y"] * 10})
        text = sm.evaluate(qrels, runs, "nDCG@10", by=name, topics=topics).report().html
        first, second, *_ = Page(text).tables
        assert first == every.tables[0]  # all queries are compared together
        assert second[0][:2] == [name, "queries"]
        assert [row[:2] for row in second[1:]] == [["x", "10"], ["y", "10"]]
        assert ("Segments are not compared" in text) is not has_marks


@pytest.mark.parametrize(
    "segments", [{"['x']": ["x"], "–": None}, {"nan": float("nan"), "1.5": 1.5}]
)
def test_segments_may_be_lists_none_and_not_a_number(segments):
    ids = [f"q{n:03}" for n in range(20)]
    topics = pl.DataFrame({"query_id": ids, "_queries": [*segments.values()] * 10})
    found = sm.evaluate(*make(2, 20), "nDCG@10", by="_queries", topics=topics)
    head, *rows = Page(found.report().html).tables[1]
    assert head[:2] == ["_queries", "queries"]
    assert {row[0]: row[1] for row in rows} == dict.fromkeys(segments, "10")
    for name, *shown in zip(head, *rows, strict=True):
        for place, text in enumerate(shown if name in found.mean["run_id"] else ()):
            own = ids[[*segments].index(rows[place][0]) :: 2]
            scores = found.per_query.filter(pl.col("query_id").is_in(own), run_id=name)
            assert read_number(text) == pytest.approx(scores["nDCG@10"].mean(), abs=5e-5)


def test_what_is_not_compared_is_left_out_with_a_note():
    qrels, runs = make(2, 6)
    text = sm.evaluate(qrels, runs, "nDCG@10 Relstring").report().html
    assert "<li>Relstring is left out, since it is text</li>" in text
    assert "Where system-1 differs from system-0" in re.sub("<[^>]*>", "", text)
    topics = pl.DataFrame({"query_id": [f"q{n:03}" for n in range(6)], "traffic": [1, 2, 3] * 2})
    weighted = sm.evaluate(qrels, runs, "nDCG@10", weight="traffic", topics=topics)
    html = weighted.report().html
    means, *_ = Page(html).tables
    assert "means and differences are weighted by traffic" in html
    assert f"{weighted['nDCG@10', 'system-1']:.4f}" in means[2]
    (test,) = weighted.compare("system-0").tests.iter_rows(named=True)
    assert f"{test['difference']:+.4f}".replace("-", "\N{MINUS SIGN}") in " ".join(means[2])
    with pytest.raises(sm.InputError, match="nothing to report: Relstring is text"):
        sm.evaluate(qrels, runs, "Relstring").report()


def test_metrics_of_whole_runs_are_left_out():
    qrels, runs = {"q1": {"a": 1, "b": 2}}, {"x": {"q1": {"a": 1.0}}, "y": {"q1": {"b": 1.0}}}
    scores = sm.evaluate(qrels, runs, "AP ItemCoverage@1", history={"q2": {"a": 1, "b": 1}})
    html = scores.report().html
    assert "ItemCoverage@1 is left out, since it is of a whole run, not of its queries" in html


def test_other_summaries_are_named():
    html = sm.evaluate(*make(2, 6), "AP(aggregate='geometric') NumRelRet").report().html
    assert ", NumRelRet: compared by the mean of the queries" in html


def test_runs_with_other_queries_are_compared_by_those_they_share():
    qrels, runs = make(2, 6)
    runs["system-1"] = runs["system-1"].filter(pl.col("query_id") != "q003")
    html = sm.evaluate(qrels, runs, "AP", queries="answered").report("system-0").html
    assert "left out 1 query that not all runs have" in html
    (row,) = (row for row in Page(html).tables[-1] if row[0] == "q003")
    assert row[2:] == ["–", "–"]


def test_of_many_queries_the_table_has_those_that_changed_most():
    scores = sm.evaluate(*make(2, 1100, documents=4), "nDCG@2")
    html = scores.report().html
    _, _, *rows = Page(html).tables[-1]
    assert len(rows) == 500
    assert "The 500 queries that changed most, of 1,100." in html
    assert len(html.encode()) < 200_000


def test_a_file_is_replaced_whole_or_not_at_all(scores, tmp_path, monkeypatch):
    report, path = scores.report(), tmp_path / "report.html"
    report.save(path)
    assert path.read_text("utf-8") == report.html
    path.write_text("before")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        report.save(path)
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


def test_a_notebook_shows_it_in_a_frame(scores):
    report = scores.report()
    shown = report._repr_html_()
    assert Page(shown).seen[0][1]["srcdoc"] == report.html
    assert repr(report) == "Report; save it with .save('report.html')"


@pytest.mark.thorough
def test_the_command_adds_curves_cutoffs_and_checks(tmp_path):
    path = tmp_path / "report.html"
    run("report", QRELS, BM25, NEURAL, "-o", path, "-m", "nDCG@10 AP", "--title", "Recipes")
    html = path.read_text("utf-8")
    page = Page(html)
    assert {"h1", "h2", "details"} <= {tag for tag, _ in page.seen}
    for part in ("Precision over recall", "nDCG@k by cut-off", "unanswered_queries", "Recipes"):
        assert part in html
    assert "sqlmetrics report" in html
    assert "baseline" in next(row for row in page.tables[0] if row[0] == "bm25")
    run("report", QRELS, BM25, NEURAL, "-o", path, "-m", "AP", "--baseline", "neural")
    html = path.read_text("utf-8")
    assert "nDCG@k by cut-off" in html
    assert "baseline" in next(row for row in Page(html).tables[0] if row[0] == "neural")


def test_the_first_run_given_is_the_baseline(tmp_path):
    path = tmp_path / "report.html"
    run("report", QRELS, NEURAL, f"a={BM25}", "-o", path, "-m", "AP")
    html = path.read_text("utf-8")
    assert "baseline" in next(row for row in Page(html).tables[0] if row[0] == "neural")


def test_the_command_writes_all_or_nothing(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("before")
    said = run("report", QRELS, BM25, NEURAL, "-o", path, "--baseline", "x", status=2)
    assert said == "error: no run named 'x'; the runs are bm25, neural; name one of them\n"
    assert path.read_text() == "before"
    assert "Missing option '--output'" in run("report", QRELS, BM25, status=2)


def test_the_curve_has_the_conventions_and_the_weights_of_the_scores():
    # q1 has precision 1 at recall 1, q2 1/2, and q3 has no results; the weights are 1, 3 and 4
    qrels = {"q1": {"a": 1}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}}
    runs = {"one": {"q1": {"a": 2.0}, "q2": {"b": 2.0, "a": 1.0}}}
    topics = pl.DataFrame({"query_id": ["q1", "q2", "q3"], "traffic": [1, 3, 4]})

    def find_heights(**options):
        html = sm.report(qrels, runs, "AP", **options).html
        (curve,) = re.findall(r'over recall</b>.*?<title>one</title><path d="M40 ([^"]*)', html)
        return {*re.findall(r"\d+ ([\d.]+)", f"40 {curve}")}, html

    for mean, options in (
        ((1 + 1 / 2) / 3, {}),
        ((1 + 1 / 2) / 2, {"queries": "answered"}),
        ((1 + 3 / 2) / 8, {"weight": "traffic", "topics": topics}),
        (1 / 3, {"depth": 1}),
    ):
        (height,), html = find_heights(**options)
        chart = html.partition("over recall</b>")[2].partition("</svg>")[0]
        top = max(map(float, re.findall(r'<text x="32"[^>]*>([\d.]+)<', chart)))
        assert float(height) == pytest.approx(238 - mean / top * 226, abs=0.06)


@pytest.mark.thorough
def test_a_page_describes_the_conventions(tmp_path):
    path = tmp_path / "report.html"
    run("report", QRELS, BM25, "-o", path, "-m", "P(rel=2)@5", "--depth", "3")
    html = path.read_text("utf-8")
    assert "P(rel=2)@k by cut-off" in html
    said = "ranked by id, descending; only the first 3 of each query are ranked; unjudged documents"
    assert f"Documents with the same score are {said} are not relevant; a document is" in html
    assert "every judged query counts." in html


@pytest.mark.thorough
def test_a_command_with_segments_and_weights(tmp_path):
    topics = tmp_path / "topics.csv"
    topics.write_text("query_id,part,n\nbread,a,1\ncurry,b,2\nnoodles,a,1\npickles,b,1\n")
    path = tmp_path / "report.html"
    given = ["--by", "part", "--weight", "n", "--topics", topics, "-m", "nDCG@10"]
    run("report", QRELS, BM25, NEURAL, "-o", path, *given)
    html = path.read_text("utf-8")
    assert "nDCG@10 by part" in html
    assert "weighted by n" in html
    assert "nDCG@k by cut-off" in html


@pytest.mark.parametrize("seed", range(5))
def test_labels_keep_their_distance(seed):
    drawn = random.Random(seed)
    wanted = sorted(drawn.uniform(30, 260) for _ in range(12))
    places = spread(wanted, 30, 260)
    assert all(b - a > 14.9 for a, b in pairwise(places))
    assert places[0] >= 30
    assert places[-1] <= 260


def test_names_in_short_are_different_and_short():
    names = [f"a-very-long-name-of-a-run-{k}-k1-0.9-b-0.4-rm3-prf" for k in range(13)]
    short = shorten_each([*names, "other"], 26)
    assert len({*shorten_each(names, 26).values()}) == 13
    assert max(map(cell_len, short.values())) <= 26
    assert short["other"] == "other"
    assert shorten_each(["基线系统" * 9], 10) == {"基线系统" * 9: "基线…系统"}


@pytest.mark.thorough
def test_ten_runs_of_a_hundred_queries_are_light(tmp_path):
    qrels, runs = make(10, 100)
    qrels.write_csv(tmp_path / "qrels.csv")
    for name, frame in runs.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    path = tmp_path / "report.html"
    files = [tmp_path / f"{name}.csv" for name in runs]
    run("report", tmp_path / "qrels.csv", *files, "-o", path, "-m", "nDCG@10 AP P@5")
    assert path.stat().st_size < 150_000


@pytest.mark.parametrize("values", [[0.0], [1e-6], [-3, 17], [0.999], [1234.5], [-0.2]])
def test_an_axis_holds_its_values(values):
    axis = Axis.over(values)
    assert axis.low <= min(values)
    assert axis.high >= max(values)
    assert 0 in axis.ticks
    assert 2 <= len(axis.ticks) <= 7


# In a browser


@pytest.fixture
def opened(browser, scores, tmp_path):
    """A report in the browser, which must find nothing wrong with it."""
    path = tmp_path / "report.html"
    scores.report("system-0").save(path)
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []


@pytest.mark.engines
def test_ids_are_text_in_charts_too(browser, tmp_path):
    path = tmp_path / "report.html"
    score_hostile().report(HOSTILE).save(path)
    browser.get(path.as_uri())
    drawn = browser.execute_script(CHARTS)
    assert drawn["chosen"] == f"Where </title><b> differs from {HOSTILE}"
    assert drawn["lines"][-1][0] == f"{HOSTILE}b: 1.0000 → 0.0000"
    browser.execute_script(CHOOSE, 2)
    assert browser.execute_script(CHARTS)["chosen"] == f"Where {'x' * 90} differs from {HOSTILE}"
    assert len(browser.find_elements("css selector", "script")) == 2
    assert browser.get_log("browser") == []


READ = """
return [...document.querySelectorAll("#queries tbody tr")].filter((row) => !row.hidden)
    .map((row) => [...row.cells].map((cell) => cell.textContent));
"""


def click(browser, place):
    browser.find_elements("css selector", "#queries th[aria-sort] button")[place].click()
    heads = browser.find_elements("css selector", "#queries th[aria-sort]")
    return [head.get_attribute("aria-sort") for head in heads]


@pytest.mark.engines
def test_headings_sort(opened):
    assert click(opened, 3) == ["none"] * 3 + ["descending"] + ["none"] * 3
    column = [read_number(row[3]) for row in opened.execute_script(READ)]
    assert column == sorted(column, reverse=True)
    assert click(opened, 1)[1] == "ascending"
    column = [read_number(row[1]) for row in opened.execute_script(READ)]
    assert column == sorted(column)
    opened.find_elements("css selector", "#queries button")[0].send_keys("\ue007")  # Enter
    assert [row[0] for row in opened.execute_script(READ)] == [f"q{n:03}" for n in range(20)]


@pytest.mark.engines
def test_the_box_finds_queries(opened):
    opened.find_element("id", "find").send_keys("Q00")
    assert len(opened.execute_script(READ)) == 10
    assert opened.find_element("id", "found").text == "10 of 20"
    opened.find_element("id", "find").clear()
    opened.find_element("id", "find").send_keys("7")
    assert {row[0] for row in opened.execute_script(READ)} == {"q007", "q017"}


CHARTS = """
const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
const tick = (text) => [text.textContent, +text.getAttribute("y") - 4];
const title = (mark) => mark.querySelector("title").textContent;
return {
  chosen: document.querySelector("#comparison h2").textContent,
  outcomes: document.querySelector("#comparison .caption").textContent,
  slopeTicks: all(".slope text[text-anchor=end]", tick),
  lines: all(".slope g", (line) => [title(line), line.querySelector("path").getAttribute("d")]),
  names: all(".slope tspan", (change) => change.parentNode.textContent),
  gainTicks: all(".gains text", tick),
  bars: all(".gains rect", (bar) => [title(bar), bar.getAttribute("class"),
    ...["x", "y", "height"].map((name) => +bar.getAttribute(name))]),
};
"""
CHOOSE = """
const choice = document.getElementById("choice");
choice.value = arguments[0];
choice.dispatchEvent(new Event("change"));
"""


def find_scale(ticks):
    """The value at a height, by the labels of an axis."""
    (low, bottom), *_, (high, top) = ticks = [(read_number(text), y) for text, y in ticks]

    def find_value(y):
        return low + (high - low) * (bottom - y) / (bottom - top)

    for value, y in ticks:
        assert find_value(y) == pytest.approx(value, abs=0.002)
    return find_value


def check_charts(drawn, scores, run, queries):
    """What is drawn of a run: all scores and differences, to a tenth of a pixel."""
    frame = scores.per_query.pivot("run_id", index="query_id", values="nDCG@10")
    known = {row["query_id"]: (row["system-0"], row[run]) for row in frame.iter_rows(named=True)}
    changes = {query: after - before for query, (before, after) in known.items()}
    assert drawn["chosen"] == f"Where {run} differs from system-0"
    tests = scores.compare("system-0").tests.filter(metric="nDCG@10", run_id=run)
    assert [int(n) for n in re.findall(r"\d+", drawn["outcomes"])] == [
        tests[name][0] for name in ("wins", "ties", "losses")
    ]
    find_value = find_scale(drawn["slopeTicks"])
    lines = {title.partition(":")[0]: (title, path) for title, path in drawn["lines"]}
    largest = sorted(known, key=lambda query: -abs(changes[query]))
    assert {*lines} == {*largest[:150]}
    for query, (title, path) in lines.items():
        before, after = known[query]
        assert title == f"{query}: {before:.4f} → {after:.4f}"
        ends = [find_value(float(y)) for y in re.findall(r" (-?[\d.]+)", path)]
        assert ends == pytest.approx([before, after], abs=0.002)
    names = dict(text.split(" ") for text in drawn["names"])
    assert len(names) <= 8
    assert largest[0] in names
    for query, change in names.items():
        assert read_number(change) == pytest.approx(changes[query], abs=0.0051)
    find_value = find_scale(drawn["gainTicks"])
    bars = {title.partition(":")[0]: bar for title, *bar in drawn["bars"]}
    assert len(bars) == len(drawn["bars"]) == queries
    ordered = [changes[query] for query in bars]
    assert ordered == sorted(ordered, reverse=True)
    assert ordered[0] == max(changes.values())
    places = [x for _, x, *_ in bars.values()]
    assert all(a < b for a, b in pairwise(places))
    for query, (tone, _, y, height) in bars.items():
        change = changes[query]
        assert tone == ("up" if change > 0 else "down" if change < 0 else "tie")
        if abs(change) > 0.02:  # others are as high as can be seen
            far, near = (y, y + height) if change > 0 else (y + height, y)
            assert [find_value(far), find_value(near)] == pytest.approx([change, 0], abs=0.003)


@pytest.mark.engines
def test_charts_and_table_have_the_scores_of_the_run_that_is_chosen(opened, scores):
    runs = json.loads(opened.execute_script("return document.getElementById('data').text"))["runs"]
    first = opened.execute_script(READ)
    check_charts(opened.execute_script(CHARTS), scores, "system-2", 20)
    opened.execute_script(CHOOSE, runs.index("system-1"))
    check_charts(opened.execute_script(CHARTS), scores, "system-1", 20)
    known = dict(scores.per_query.filter(run_id="system-1").select("query_id", "nDCG@10").rows())
    base = dict(scores.per_query.filter(run_id="system-0").select("query_id", "nDCG@10").rows())
    rows = opened.execute_script(READ)
    assert {row[0] for row in rows} == {*known}
    for query, before, after, difference, *_ in rows:
        assert (before, after) == (f"{base[query]:.4f}", f"{known[query]:.4f}")
        assert read_number(difference) == pytest.approx(known[query] - base[query], abs=5.1e-5)
    opened.execute_script(CHOOSE, runs.index("system-2"))
    check_charts(opened.execute_script(CHARTS), scores, "system-2", 20)
    assert opened.execute_script(READ) == first


@pytest.mark.engines
def test_of_many_queries_the_charts_have_those_that_changed_most(browser, tmp_path):
    path = tmp_path / "report.html"
    scores = sm.evaluate(*make(2, 1100, documents=11), "nDCG@10")
    scores.report("system-0").save(path)
    browser.get(path.as_uri())
    check_charts(browser.execute_script(CHARTS), scores, "system-1", 400)
    assert browser.get_log("browser") == []


@pytest.mark.engines
def test_it_is_dark_where_the_reader_has_it_so(opened):
    pictures = {}
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        colour = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
        pictures[scheme] = (
            opened.get_screenshot_as_png(),
            sum(int(n) for n in re.findall(r"\d+", colour)),
        )
    assert pictures["light"][0] != pictures["dark"][0]
    assert pictures["dark"][1] < 150 < 600 < pictures["light"][1]


@pytest.mark.engines
@pytest.mark.parametrize("width", [400, 1100])
def test_nothing_is_wider_than_the_window(opened, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


CLIPPED = """
return [...document.querySelectorAll(".tests i, .wrapped i")]
  .filter((mark) => mark.textContent && !mark.closest("details"))
  .map((mark) => {
    const a = mark.getBoundingClientRect(), b = mark.closest(".wide").getBoundingClientRect();
    return a.width > 0 && a.left >= b.left - 1 && a.right <= b.right + 1 && a.right <= innerWidth;
  });
"""


@pytest.mark.engines
@pytest.mark.parametrize("width", [400, 760, 1280])
def test_significance_is_visible_at_every_width(browser, tmp_path, width):
    path = tmp_path / "report.html"
    scores = sm.evaluate(*make(8, 40), "nDCG@10 AP P@5 RR R@20")
    scores.report("system-0").save(path)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(path.as_uri())
    visible = browser.execute_script(CLIPPED)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert len(visible) == scores.compare("system-0").tests["significant"].sum() > 5
    assert all(visible)


@pytest.mark.thorough
def test_a_page_names_the_comparison_and_says_why_this_baseline(scores, tmp_path):
    assert "<h1>2 runs against system-0 by nDCG@10</h1>" in scores.report("system-0").html
    assert "The baseline is system-0, the first run." in scores.report().html
    assert "The baseline is system-1, as chosen." in scores.report("system-1").html
    path = tmp_path / "report.html"
    run("report", QRELS, NEURAL, BM25, "-o", path)
    text = path.read_text(encoding="utf-8")
    assert "<h1>bm25 against neural</h1>" in text
    assert "The baseline is neural, the first run." in text
    run("report", QRELS, NEURAL, BM25, "-o", path, "--baseline", "bm25")
    assert "The baseline is bm25, as chosen." in path.read_text(encoding="utf-8")


OVERLAPS = """
const boxes = [...document.querySelectorAll("svg")].flatMap((svg) => {
  const found = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return found.flatMap(([name, a], n) => found.slice(n + 1).filter(([, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4)
    .map(([other]) => [name, other]));
});
return boxes;
"""


@pytest.mark.engines
def test_labels_are_not_upon_each_other(opened):
    assert opened.execute_script(OVERLAPS) == []


@pytest.mark.engines
def test_the_report_of_the_command_works_too(browser, tmp_path):
    path = tmp_path / "report.html"
    run("report", QRELS, BM25, NEURAL, "-o", path)
    browser.get(path.as_uri())
    assert browser.execute_script(OVERLAPS) == []
    assert len(browser.find_elements("css selector", "svg")) == 2 * 5 + 2 + 2 + 2
    assert browser.get_log("browser") == []


def read_notes(report):
    section = re.search(r"<section class=notes>.*?</section>", report.html)
    return re.findall(r"<li>([^<]*)</li>", section[0]) if section else []


def test_a_report_takes_judgments_and_runs_or_scores():
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    runs = {"z_old": {"q1": {"a": 1.0}}, "a_new": {"q1": {"a": 2.0}, "q2": {"b": 1.0}}}
    scores = sm.evaluate(qrels, runs, "RR AP")
    pages = sm.report(scores, title="Of two").html, scores.report(title="Of two").html
    # the same except for the numbers of temporary tables
    assert len({re.sub(r"_sqlmetrics_\d+", "", each) for each in pages}) == 1
    assert "report(qrels, runs, &#39;RR AP&#39;)" in pages[0]
    assert not any(part in pages[0] for part in PARTS)
    assert "new" in sm.report(qrels, runs, "RR", baseline="a_new").html


PARTS = "Precision over recall", "@k by cut-off", "unanswered_queries", "class=documents"


def test_python_reports_what_the_command_does(tmp_path):
    path = tmp_path / "report.html"
    run("report", QRELS, BM25, NEURAL, "-o", path, "-m", "nDCG@10 AP")
    of_command, files = path.read_text("utf-8"), [BM25, NEURAL]
    pages = (
        of_command,
        sm.report(QRELS, files, "nDCG@10 AP").html,
        sm.report(QRELS, run=files, metrics=["nDCG@10", "AP"], ties="descending").html,
        sm.report(sm.Judgments(QRELS), {"bm25": BM25, "neural": NEURAL}, "nDCG@10 AP").html,
    )
    assert all(part in of_command for part in PARTS)
    # the same up to the command and the SQL
    assert len({each.partition("<section class=origin>")[0] for each in pages}) == 1


def test_what_can_be_read_once_has_a_page_of_scores_alone():
    with Path(BM25).open(encoding="utf-8") as opened:
        report = sm.report(QRELS, {"bm25": opened, "neural": NEURAL}, "AP")
    assert "Only scores are shown" in read_notes(report)[-1]
    assert not any(part in report.html for part in PARTS)
    rows = ({"query_id": "q", "doc_id": f"d{n}", "relevance": n} for n in range(2))
    once = sm.report(rows, {"q": {"d1": 1.0}}, "AP")
    assert "Only scores are shown" in read_notes(once)[-1]


def test_the_curve_and_findings_know_the_grades_of_words_and_what_is_excluded():
    qrels = {"q1": {"a": "good", "b": "bad"}, "q2": {"b": "good", "a": "bad"}}
    runs = {"one": {"q1": {"q1": 3.0, "a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "q2": 3.0}}}
    report = sm.report(qrels, runs, "AP", grades={"good": 1, "bad": 0}, exclude="self")
    assert not [note for note in read_notes(report) if note.startswith("No ")]
    (curve,) = re.findall(r'over recall</b>.*?<title>one</title><path d="M40 ([^"]*)', report.html)
    assert {*re.findall(r"\d+ (\d+)", f"40 {curve}")} == {"12"}  # precision is 1, at the top


def test_exact_neighbours_are_no_judgments():
    exact = {q: {"a": 0.1, "b": 0.2, "c": 0.3} for q in "pq"}
    found = {"x": {"p": {"a": 0.1, "b": 0.2}, "q": {"a": 0.1}}}
    html = sm.report(exact, found, "ANNRecall@2").html
    assert not any(part in html for part in ("Precision over recall", "queries_without_relevant"))


def test_a_report_keeps_the_order_of_runs_and_the_best_is_chosen(tmp_path):
    qrels = {f"q{n}": {"a": 1} for n in range(4)}
    right = {"z_old": 1, "m_worse": 0, "a_new": 3, "b_better": 2}  # how many queries are right
    runs = {
        name: {q: {"a": 2.0 if n < number else 0.0, "x": 1.5} for n, q in enumerate(qrels)}
        for name, number in right.items()
    }
    page = Page(sm.report(qrels, runs, "P@1").html)
    found = [(row[0], row[1].rstrip("▲▼")) for row in page.tables[0][1:-1]]
    assert found == [(name, f"{number / 4:.4f}") for name, number in right.items()]
    assert page.tables[0][1][2] == "baseline"
    path = tmp_path / "report.html"
    judged = pl.DataFrame({"query_id": [*qrels], "doc_id": "a", "relevance": 1})
    judged.write_csv(tmp_path / "qrels.csv")
    for name, given in runs.items():
        rows = [(q, doc, score) for q, listed in given.items() for doc, score in listed.items()]
        frame = pl.DataFrame(rows, ["query_id", "doc_id", "score"], orient="row")
        frame.write_csv(tmp_path / f"{name}.csv")
    files = [tmp_path / f"{name}.csv" for name in ("qrels", *right)]
    run("report", *files, "-o", path, "-m", "P@1")
    html = path.read_text(encoding="utf-8")
    assert [row[0] for row in Page(html).tables[0][1:-1]] == [*right]
    assert "Where a_new differs from z_old" in re.sub("<[^>]*>", "", html)
