"""Metrics of clicks, and judgments and replays from them."""

from __future__ import annotations

import csv
import math
import statistics
from fractions import Fraction

import duckdb
import numpy as np
import polars as pl
import pytest
from click_logs import draw_log, make_log, read_pages, score_log
from commands import run_command
from conftest import ROOT, open_shell

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.running import checks

METRICS = catalogue.all_metrics("clicks")
NAMES = [
    *(metric.names[0] for metric in METRICS),
    *("CTR@1", "CTR@3", "ClickSuccess@2", "TimeToClick@95", "TimeToClick(percentile=None)"),
    *("ResponseTime@99", "LongClicks(seconds=10.5)"),
]


def read_expected():
    """The rows of the worked examples of all metrics."""
    for metric in METRICS:
        path = ROOT / "tests" / "expected" / f"{metric.macro}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            yield from (tuple(row.values()) for row in csv.DictReader(file))


@pytest.mark.few(19)
@pytest.mark.parametrize(("name", "pages", "expected", "source"), [*read_expected()])
def test_a_metric_gives_the_value_of_the_worked_example(name, pages, expected, source):
    (score,) = score_log(read_pages(pages), name).row(0)
    if expected:
        assert score == pytest.approx(float(Fraction(expected)), rel=1e-15)
    else:
        assert score is None


@pytest.fixture(scope="module")
def shell():
    return open_shell()


def keep(con, name, frame):
    """A table, as frames are read in their own way by each version of DuckDB."""
    con.register("_frame", frame)
    con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM _frame")
    con.unregister("_frame")


def test_the_macros_of_the_shell_give_the_same(shell):
    log = draw_log(3)
    keep(shell, "log", log)
    calls = [measure.write_aggregate("j") for measure in catalogue.parsing.parse(NAMES)]
    found = shell.execute(f"SELECT {', '.join(calls)} FROM clicked(log) AS j").fetchall()
    assert found == score_log(log, NAMES).rows()


def score_by_hand(log):
    """The scores of a log, page by page in Python."""
    pages = {}
    for row in log.iter_rows(named=True):
        pages.setdefault(row["page_id"], []).append(row)
    shown = {page: [r for r in rows if r["doc_id"] is not None] for page, rows in pages.items()}
    clicked = {page: [r for r in rows if r["clicked"]] for page, rows in shown.items()}
    every = [row for rows in shown.values() for row in rows]
    clicks = [row for rows in clicked.values() for row in rows]
    firsts = {page: min(r["position"] for r in rows) for page, rows in clicked.items() if rows}
    lasts = {page: max(r["position"] for r in rows) for page, rows in clicked.items() if rows}
    times = [
        min(r["time_to_click"] for r in rows if r["time_to_click"] is not None)
        for rows in clicked.values()
        if any(r["time_to_click"] is not None for r in rows)
    ]
    responses = {page: rows[0]["response_time"] for page, rows in pages.items()}
    known = [each for each in responses.values() if each is not None]
    dwells = [row["dwell_time"] for row in clicks if row["dwell_time"] is not None]
    above = [r for page in lasts for r in shown[page] if r["position"] < lasts[page]]
    filled = [page for page in pages if shown[page]]
    slow = [responses[p] for p in filled if p not in firsts and responses[p] is not None]
    quick = [responses[p] for p in firsts if responses[p] is not None]

    def share(part, whole):
        return part / whole if whole else None

    def mean(numbers):
        return math.fsum(numbers) / len(numbers) if numbers else None

    def percentile(numbers, at):
        return float(np.percentile(numbers, at)) if numbers else None

    def rate(position):
        there = [row["clicked"] for row in every if row["position"] == position]
        return share(sum(there), len(there))

    return {
        "Pages": len(pages),
        "Clicks": len(clicks),
        "CTR": share(len(clicks), len(every)),
        "CTR@1": rate(1),
        "CTR@3": rate(3),
        "ClickSuccess": share(len(firsts), len(pages)),
        "ClickSuccess@2": share(sum(first <= 2 for first in firsts.values()), len(pages)),
        "ClickRR": share(math.fsum(1 / first for first in firsts.values()), len(pages)),
        "ClickRank": mean([row["position"] for row in clicks]),
        "Abandonment": share(sum(page not in firsts for page in filled), len(filled)),
        "ZeroResults": share(len(pages) - len(filled), len(pages)),
        "TimeToClick": statistics.median(times) if times else None,
        "TimeToClick@95": percentile(times, 95),
        "TimeToClick(percentile=None)": mean(times),
        "LongClicks": share(sum(dwell >= 30 for dwell in dwells), len(dwells)),
        "LongClicks(seconds=10.5)": share(sum(dwell >= 10.5 for dwell in dwells), len(dwells)),
        "SkipAbove": share(sum(not row["clicked"] for row in above), len(above)),
        "ResponseTime": mean(known),
        "ResponseTime@99": percentile(known, 99),
        "SlowAbandonment": mean(slow) - mean(quick) if slow and quick else None,
    }


def assert_same(found, expected):
    """Both have the same keys, the same that are None, and else the same numbers."""
    missing = {key for key, value in expected.items() if value is None}
    assert {key for key, value in found.items() if value is None} == missing
    numbers = {key: value for key, value in expected.items() if value is not None}
    known = {key: value for key, value in found.items() if value is not None}
    # a difference of means may be near 0
    assert known == pytest.approx(numbers, rel=1e-12, abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("seeds", [range(8), range(8, 80)], ids=str)
def test_scores_are_those_of_a_calculation_page_by_page(seeds):
    """Each log is a segment, and its countries are."""
    logs = {seed: draw_log(seed) for seed in seeds}
    log = pl.concat(
        each.with_columns(pl.format("{} {}", pl.lit(seed), "page_id").alias("page_id"), seed=seed)
        for seed, each in logs.items()
    )
    for row in score_log(log, NAMES, by="seed").rows(named=True):
        assert_same(row, score_by_hand(logs[row.pop("seed")]))
    by_country = score_log(log, NAMES, by=["seed", "country"]).rows(named=True)
    assert len(by_country) == sum(each["country"].n_unique() for each in logs.values())
    for row in by_country:
        own = pl.col("country").eq_missing(row.pop("country"))
        assert_same(row, score_by_hand(logs[row.pop("seed")].filter(own)))
    assert_same(score_log(log, NAMES).row(0, named=True), score_by_hand(log))


def test_every_metric_has_an_independent_calculation():
    named = {catalogue.parsing.parse(name)[0].metric for name in score_by_hand(draw_log(0))}
    assert named == {*METRICS}
    assert {*score_by_hand(draw_log(0))} == {*NAMES}


# Reading


LOG = read_pages("- x2/40 - | x1 - | ")


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "table", "relation", "pandas"])
def test_any_form_of_a_log_gives_the_same_scores(form, tmp_path):
    expected, con = score_log(LOG, NAMES), None
    log = tmp_path / f"log.{form}"
    match form:
        case "csv":
            LOG.write_csv(log)
        case "parquet":
            LOG.write_parquet(log)
        case "jsonl":
            LOG.write_ndjson(log)
        case "table":
            con = duckdb.connect()
            con.register("given", LOG)
            con.execute("CREATE TABLE log AS FROM given")
            log = "log"
        case "relation":
            log = duckdb.from_arrow(LOG)
        case "pandas":
            pytest.importorskip("pandas")
            log = LOG.to_pandas()
    assert score_log(log, NAMES, con=con).equals(expected)


def test_columns_are_recognised_by_the_names_of_other_tools():
    names = {
        "page_id": "Search-ID",
        "position": "pos",
        "clicked": "is_click",
        "dwell_time": "dwell",
    }
    assert score_log(LOG.rename(names), NAMES).equals(score_log(LOG, NAMES))
    named = LOG.rename({"doc_id": "sku", "clicked": "bought"})
    columns = {"doc_id": "sku", "clicked": "bought"}
    assert score_log(named, NAMES, columns=columns).equals(score_log(LOG, NAMES))


@pytest.mark.parametrize("clicked", [pl.Boolean, pl.String, pl.Float64])
def test_clicks_may_be_truth_values_texts_or_numbers(clicked):
    log = LOG.with_columns(pl.col("clicked").cast(clicked))
    assert score_log(log, NAMES).equals(score_log(LOG, NAMES))


def test_several_files_are_one_log(tmp_path):
    LOG.filter(page_id="p1").write_csv(tmp_path / "one.csv")
    LOG.filter(pl.col("page_id") != "p1").drop("dwell_time").write_csv(tmp_path / "two.csv")
    assert score_log(tmp_path / "*.csv", NAMES).equals(score_log(LOG, NAMES))


def test_segments_keep_their_types_and_numbers_in_text_are_sorted_as_numbers(tmp_path):
    days = LOG.with_columns(hour=pl.Series([10] * 3 + [9] * 2 + [9], dtype=pl.Int8))
    assert score_log(days, "Pages", by="hour").rows() == [(9, 2), (10, 1)]
    assert score_log(days, "Pages", by="hour").schema["hour"] == pl.Int8
    days.write_csv(tmp_path / "log.csv")
    assert score_log(tmp_path / "log.csv", "Pages", by="hour").rows() == [(9, 2), (10, 1)]
    assert score_log(LOG, "Pages", by="query_id").rows() == [("q1", 1), ("q2", 1), ("q3", 1)]


# By check: pages, changes to their rows, and the message.
BAD = {
    "no page": ("- x", {"page_id": [None, "p1"]}, "no page_id for query q1"),
    "no query": ("- x", {"query_id": ["", "q1"]}, "page p1: no query_id"),
    "no position": ("- x", {"position": [None, 2]}, "page p1: no position for document d1"),
    "not shown": ("- x", {"position": [1, None]}, "document d2 was clicked but not shown"),
    "position 0": ("- x", {"position": [0, 2]}, "position of document d1 must be a whole number"),
    "half": ("- x", {"position": [1.5, 2.0]}, "position of document d1 must be a whole number"),
    "text": ("- x", {"position": ["a", "2"]}, "position of document d1 must be a whole number"),
    "counts": ("- x", {"clicked": [0, 2]}, "clicked of document d2 must be 1 or 0"),
    "words": ("- x", {"clicked": ["no", "yes"]}, "clicked of document d1 must be 1 or 0"),
    "no click": ("- x", {"clicked": [None, 1]}, "clicked of document d1 is missing"),
    "before": ("- x-", {"time_to_click": [None, -2.0]}, "document d2 was clicked before the page"),
    "time": (
        "- x",
        {"dwell_time": [None, "long"]},
        "dwell_time of document d2 must be a finite number",
    ),
    "forever": (
        "- x",
        {"dwell_time": [None, math.inf]},
        "dwell_time of document d2 must be a finite",
    ),
    "slow": (
        "- x",
        {"response_time": ["9", "x"]},
        "page p1: response_time must be a finite number",
    ),
    "never": ("- x", {"response_time": [1.0, math.inf]}, "page p1: response_time must be a finite"),
    "early": ("- x", {"response_time": [-1, 1]}, "page p1: response_time must be a finite number"),
    "two times": ("- x", {"response_time": [2, 1]}, "page p1 has response times 1.0 and 2.0"),
    "dwell": ("- x", {"dwell_time": [None, -1.0]}, "a time of document d2 is below 0"),
    "nothing": ("- x", {"doc_id": ["d1", None]}, "a click without a doc_id"),
    "nowhere": ("- -", {"doc_id": ["d1", None]}, "a position without a doc_id"),
    "blank": ("- -", {"doc_id": ["d1", " "]}, "a blank doc_id"),
    "two queries": ("- x", {"query_id": ["q1", "q2"]}, "page p1 has results of queries q1 and q2"),
    "same place": ("- x", {"position": [2, 2]}, "page p1 has 2 documents at position 2: d1 and d2"),
    "far below": ("- x", {"position": [700, 700]}, "page p1 has 2 documents at position 700"),
    "both": (
        "- x",
        {"doc_id": [None, "d2"], "position": [None, 2], "clicked": [None, 1]},
        "page p1 has documents and a row without doc_id",
    ),
}


def change(pages, columns):
    log = read_pages(pages.replace("x-", "x"))
    return log.with_columns(pl.Series(name, values) for name, values in columns.items())


@pytest.mark.few(1)
@pytest.mark.parametrize("name", BAD)
def test_a_log_that_would_give_a_wrong_score_is_refused(name, shell):
    pages, columns, message = BAD[name]
    log = change(pages, columns)
    with pytest.raises(sm.InputError, match="the log frame.*" + message):
        score_log(log, "CTR")
    keep(shell, "bad_log", log)
    with pytest.raises(
        duckdb.InvalidInputException, match="^Invalid Input Error: log: .*" + message
    ):
        shell.execute("SELECT ctr(j) FROM clicked(bad_log) AS j").fetchall()
    findings = sm.check(log=log)
    assert message in findings.filter(severity="error")["examples"][0]


def test_a_page_without_results_appears_once():
    log = make_log([("p1", "q", *[None] * 7), ("p1", "q", *[None] * 7)])
    with pytest.raises(sm.InputError, match="page p1 appears 2 times without results"):
        score_log(log, "CTR")


@pytest.mark.parametrize("time", ["slow", "-1", "inf", "nan"])
def test_a_page_without_results_has_a_usable_response_time(time):
    log = make_log([("p1", "q", *[None] * 7)]).with_columns(response_time=pl.lit(time))
    with pytest.raises(sm.InputError, match="page p1: response_time must be a finite number"):
        score_log(log, "ResponseTime")


def test_rows_of_a_page_may_leave_out_its_response_time():
    log = change("- x", {"response_time": [None, 2.0]})
    assert score_log(log, "ResponseTime").item() == 2


def test_a_message_names_file_and_line(tmp_path):
    change("- x | x", {"clicked": [0, 1, 3]}).write_csv(tmp_path / "log.csv")
    with pytest.raises(
        sm.InputError, match=r"log.csv line 4: page p2: clicked of document d1 must"
    ):
        score_log(tmp_path / "log.csv", "CTR")


WARNINGS = {
    "skipped_positions": (
        lambda log: log.with_columns(pl.col("position") * 2),
        "page p1 has positions up to 4, but 2 documents",
    ),
    "repeated_results": (
        lambda log: log.with_columns(doc_id=pl.lit("d")),
        "page p1 shows document d 2 times",
    ),
    "unclicked_times": (
        lambda log: log.with_columns(dwell_time=pl.lit(3.0)),
        "page p1: document d1 has a click time, but was not clicked",
    ),
    "clicks_everywhere": (
        lambda log: read_pages("|".join(["- x"] * 20)),
        "each of the 20 pages has a click",
    ),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_the_doctor_warns_of_what_is_odd_in_a_log(name):
    make, example = WARNINGS[name]
    findings = sm.check(log=make(read_pages("- x")))
    (row,) = findings.filter(check=name).rows(named=True)
    assert row["severity"] == "warning"
    assert f"the log frame: {example}" in row["examples"] or row["examples"] == example


def test_every_check_of_a_log_has_a_case():
    known = {check.name for check in checks.list_checks() if "log" in check.parameters}
    assert known == {"unusable_clicks", "mixed_pages", "repeated_positions", *WARNINGS}


def test_a_healthy_log_has_no_findings(shell):
    assert sm.check(log=LOG).is_empty()
    keep(shell, "log", LOG)
    assert shell.execute("FROM check_log(log)").fetchall() == []
    keep(shell, "odd", WARNINGS["repeated_results"][0](LOG))
    found = {
        name: severity for severity, name, *_ in shell.execute("FROM check_log(odd)").fetchall()
    }
    assert found["repeated_results"] == "warning"


@pytest.mark.parametrize(
    ("metrics", "by", "message"),
    [
        ("nDCG@10", (), "nDCG@10 is not a metric of logs: score log= (--log) with those that are"),
        ("CTRR", (), "No metric named 'CTRR'; did you mean CTR"),
        ("CTR@0", (), "rank cannot be 0"),
        ("ResponseTime@100", (), "percentile cannot be 100"),
        ("CTR", "land", "the log frame has no column land; it has page_id"),
        ("CTR", "CTR", "CTR is a metric and a column"),
        ("CTR", 7, "by must be a name or several, not 7"),
        ("CTR(aggregate='median')", (), "a metric of clicks has no aggregate"),
    ],
)
def test_what_cannot_be_scored_is_refused(metrics, by, message):
    with pytest.raises(sm.SqlMetricsError, match=message.replace("(", r"\(").replace(")", r"\)")):
        score_log(LOG, metrics, by=by)


@pytest.mark.parametrize("option", [{"depth": 3}, {"run": "r"}, {"mean": True}, {"weight": "w"}])
def test_the_sql_of_clicks_refuses_options_that_it_has_no_use_for(option):
    with pytest.raises(sm.InputError, match="metrics of clicks take dialect, log, columns and by"):
        sm.sql("CTR", dialect="postgres", **option)


def test_metrics_of_clicks_need_a_log():
    with pytest.raises(
        sm.InputError, match=r"CTR@1 needs a log of clicks: give evaluate log= \(--log\)"
    ):
        sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "CTR@1")


QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0}}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metrics": "AP", "qrels": QRELS, "run": RUN}, "AP is not a metric of logs: score log="),
        ({"metrics": "CTR AP"}, "CTR is of a log of clicks; score AP in a call of its own"),
        ({"qrels": QRELS, "run": RUN}, "CTR is of the log alone: score it without qrels and run"),
        ({"topics": LOG, "by": "country"}, "score it without topics"),
        ({"weight": "dwell_time"}, "CTR is of the log alone: score it without weight"),
        ({"depth": 2}, "CTR is over the log as it is: score it without depth, in a call of its"),
        ({"into": "scores"}, r"into \(--into\) is for scores by judgments, not for CTR"),
        ({"log": None}, "evaluate needs judgments and runs, or a log: give qrels= and run=, or"),
        ({"log": None, "qrels": QRELS}, "evaluate needs judgments and runs, or a log"),
    ],
)
def test_a_log_is_scored_by_itself(given, message):
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.evaluate(**{"log": LOG, "metrics": "CTR"} | given)


def test_scores_of_a_log_have_no_runs():
    scores = sm.evaluate(log=LOG, by="country")
    assert scores.notes == (f"no metrics given; these are {' '.join(scores)}",)
    assert scores.mean.columns == ["country", *scores]
    assert "CTR" in scores
    assert ("CTR", "run") not in scores
    with pytest.raises(KeyError, match="no run 'run'; they are rows of mean"):
        scores["CTR", "run"]
    assert sm.evaluate(log=LOG, metrics="CTR")["CTR"] == score_log(LOG, "CTR").item()
    others = (sm.compare, sm.means, sm.plot)
    for ask in (*(lambda each=each: each(scores) for each in others), scores.report):
        with pytest.raises(sm.InputError, match="scores of a log of clicks, which has no runs"):
            ask()


def test_the_statement_of_scores_gives_them_over_the_same_files(tmp_path):
    LOG.write_csv(tmp_path / "log.csv")
    scores = sm.evaluate(log=tmp_path / "log.csv", metrics=NAMES, by="country")
    con = duckdb.connect()
    sm.install(con)
    assert con.execute(scores.sql).fetchall() == scores.mean.rows()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT click_rr(j) FROM clicked(log) AS j WHERE j.position < 2",
            "Keep or leave out whole",
        ),
        (
            "SELECT pages(j) FROM clicked(log) AS j GROUP BY j.clicked",
            "Keep or leave out whole pages",
        ),
        ("SELECT ctr(j, rank := 0) FROM clicked(log) AS j", "rank must be a whole number, 1 or"),
        (
            "SELECT ctr(j) FROM clicked(other) AS j",
            "log: no column clicked; the columns are page_id",
        ),
        ("SELECT ctr(j) FROM clicked(none) AS j", "the table has no rows"),
    ],
)
def test_the_shell_refuses_what_would_give_a_wrong_score(query, message, shell):
    keep(shell, "log", read_pages("- - x | - - -"))
    keep(shell, "other", LOG.drop("clicked"))
    keep(shell, "none", LOG.clear())
    with pytest.raises(duckdb.Error, match=message):
        shell.execute(query).fetchall()


def test_shares_at_each_position_are_a_query_over_its_rows(shell):
    keep(shell, "log", LOG)
    query = "SELECT j.position, ctr(j) FROM clicked(log) AS j WHERE j.doc_id IS NOT NULL"
    assert shell.execute(f"{query} GROUP BY ALL ORDER BY 1").fetchall() == [
        (1, 0.5), (2, 0.5), (3, 0.0)
    ]  # fmt: skip
    found = shell.execute("FROM click_rr(log) ORDER BY ALL").fetchall()
    assert found == [("q1", 0.5), ("q2", 1.0), ("q3", 0.0)]


def test_the_sql_of_a_metric_runs_as_it_is():
    con = duckdb.connect()
    keep(con, "log", LOG)
    con.execute(sm.sql("CTR@1 ClickRR", by="country"))
    assert con.fetchall() == score_log(LOG, "CTR@1 ClickRR", by="country").rows()


# Judgments


def test_sdbn_gives_what_was_calculated_by_hand(shell):
    rows = [(1, "abcd", "ac"), (2, "abc", "b"), (3, "bac", "ba")]
    log = make_log(
        (str(page), "q", doc, place, int(doc in clicked), *[None] * 4)
        for page, shown, clicked in rows
        for place, doc in enumerate(shown, start=1)
    )
    judged = sm.judge(log, model="sdbn", smoothing=0)
    found = {doc: row for doc, *row in judged.select("doc_id", "relevance", "pages").rows()}
    third = pytest.approx(1 / 3, rel=1e-15)
    assert found == {"a": [third, 3], "b": [third, 3], "c": [1.0, 1]}
    smooth = {doc: value for _, doc, value, *_ in sm.judge(log, model="sdbn").rows()}
    # (2 + 1) / (3 + 2) · (1 + 1) / (2 + 2), and (1 + 1) / (1 + 2) · (1 + 1) / (1 + 2)
    assert smooth == pytest.approx({"a": 3 / 10, "b": 3 / 10, "c": 4 / 9})
    keep(shell, "log", log)
    listed = sm.judge(log, model="sdbn")
    columns = ", ".join(listed.columns)
    query = f"SELECT {columns} FROM judged_by_sdbn(log) ORDER BY ALL"
    assert shell.execute(query).fetchall() == listed.rows()


def judge_by_hand(log, model, smoothing):
    """The relevance of documents, row by row in Python."""
    pages, found = {}, {}
    for row in log.filter(pl.col("doc_id").is_not_null()).iter_rows(named=True):
        pages.setdefault(row["page_id"], []).append(row)
    rates = {}
    for row in (row for rows in pages.values() for row in rows):
        rates.setdefault(row["position"], []).append(row["clicked"])
    for rows in pages.values():
        last = max((r["position"] for r in rows if r["clicked"]), default=None)
        for row in rows:
            if model == "sdbn" and (last is None or row["position"] > last):
                continue
            if model == "dcm" and last is not None and row["position"] > last:
                continue
            seen = found.setdefault((row["query_id"], row["doc_id"]), [0, 0, 0, 0.0])
            seen[0] += 1
            seen[1] += row["clicked"]
            seen[2] += row["position"] == last
            seen[3] += statistics.fmean(rates[row["position"]])
    judged = {}
    for key, (number, clicks, stops, expected) in found.items():
        attraction = (clicks + smoothing) / (number + 2 * smoothing)
        if model == "coec":
            below = expected + smoothing
            judged[key] = (clicks + smoothing) / below if below else None
        elif model == "dcm":
            judged[key] = attraction
        else:
            below = clicks + 2 * smoothing
            judged[key] = attraction * ((stops + smoothing) / below if below else 0)
    return judged


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("model", ["coec", "sdbn", "dcm"])
@pytest.mark.parametrize("smoothing", [0, 1, 2.5])
def test_judgments_are_those_of_a_calculation_row_by_row(seed, model, smoothing):
    log = draw_log(seed)
    expected = judge_by_hand(log, model, smoothing)
    if not expected:
        with pytest.raises(sm.InputError, match="shows no documents that could be judged"):
            sm.judge(log, model=model, smoothing=smoothing)
        return
    rows = sm.judge(log, model=model, smoothing=smoothing).select("query_id", "doc_id", "relevance")
    found = {(query, doc): relevance for query, doc, relevance in rows.rows()}
    assert_same(found, expected)


def test_judgments_are_what_evaluate_takes(tmp_path):
    judged = sm.judge(draw_log(5), model="dcm")
    judged.write_parquet(tmp_path / "qrels.parquet")
    run = judged.select("query_id", "doc_id", score="relevance")
    assert sm.evaluate(tmp_path / "qrels.parquet", run, "nDCG@10 P(rel=0.2)@1")["nDCG@10"] == 1


LOOKED = 1 / np.arange(1, 11) ** 0.7


def simulate(pages, seed=1, queries=50, documents=20):
    """A log of users who look at positions with the chances LOOKED, and click what attracts them."""
    draw = np.random.default_rng(seed)
    attraction = draw.beta(1, 3, (queries, documents))
    query = draw.integers(queries, size=pages)
    shown = np.argsort(draw.random((pages, documents)), axis=1)[:, :10]
    chance = LOOKED * attraction[query[:, None], shown]
    log = pl.DataFrame({
        "page_id": np.repeat(np.arange(pages), 10),
        "query_id": np.repeat(query, 10),
        "doc_id": shown.ravel(),
        "position": np.tile(np.arange(1, 11), pages),
        "clicked": (draw.random((pages, 10)) < chance).ravel(),
    })  # fmt: skip
    return log, attraction


def test_examination_is_what_the_simulation_planted():
    log, attraction = simulate(40_000)
    curve = sm.examination(log)
    assert curve["position"].to_list() == [*range(1, 11)]
    assert np.abs(curve["examination"].to_numpy() - LOOKED).max() < 0.02
    judged = sm.judge(log, model="pbm", smoothing=0)
    planted = attraction[judged["query_id"].cast(int), judged["doc_id"].cast(int)]
    assert np.sqrt(np.mean((judged["relevance"].to_numpy() - planted) ** 2)) < 0.04


def test_a_curve_needs_documents_at_several_positions():
    with pytest.raises(sm.InputError, match="no document on 20 or more pages at several positions"):
        sm.examination(LOG)
    with pytest.raises(sm.InputError, match="lower least_pages, or use another model"):
        sm.judge(LOG, model="pbm")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "ubm"}, "model must be 'coec', 'sdbn', 'dcm' or 'pbm', not 'ubm'"),
        ({"smoothing": -1}, "smoothing must be a number, 0 or more, not -1"),
        ({"model": "pbm", "steps": 0}, "steps must be a whole number, 1 or more, not 0"),
        (
            {"model": "pbm", "least_pages": 1},
            "least_pages must be a whole number, 2 or more, not 1",
        ),
    ],
)
def test_options_of_judge_are_checked(options, message):
    with pytest.raises(sm.InputError, match=message):
        sm.judge(LOG, **options)


# Replays


@pytest.mark.thorough
def test_a_replayed_score_is_that_of_the_planted_relevance():
    log, attraction = simulate(40_000)
    best = np.argsort(-attraction, axis=1)
    runs = {}
    for name, order in (("best", best), ("worst", best[:, ::-1])):
        runs[name] = pl.DataFrame({
            "query_id": np.repeat(np.arange(len(order)), 20).astype(str),
            "doc_id": order.ravel().astype(str),
            "score": np.tile(-np.arange(20.0), len(order)),
        })  # fmt: skip
    looked = pl.DataFrame({"position": np.arange(1, 11), "examination": LOOKED})
    found = sm.replay(log, runs, examination=looked)
    # a page shows 10 of 20 documents of each query, all equally likely
    shown = log.group_by("query_id").len()["len"].to_numpy() / 10
    queries = log.group_by("query_id").len()["query_id"].to_numpy()
    for name, order in (("best", best), ("worst", best[:, ::-1])):
        gains = np.take_along_axis(attraction, order, axis=1) / np.log2(np.arange(2, 22)) / 2
        planted = np.average(gains.sum(axis=1)[queries], weights=shown)
        mass = np.average(attraction.sum(axis=1)[queries] / 2, weights=shown)
        row = found.row(by_predicate=pl.col("run_id") == name, named=True)
        assert row["ips_dcg"] == pytest.approx(planted, rel=0.02)
        assert row["snips_dcg"] == pytest.approx(planted / mass, rel=0.01)
        assert row["note"] is None
    estimated = sm.replay(log, runs)
    assert estimated["ips_dcg"].to_numpy() == pytest.approx(found["ips_dcg"].to_numpy(), rel=0.05)


@pytest.mark.few(3)
@pytest.mark.parametrize("k", [None, 2])
@pytest.mark.parametrize("seed", range(5))
def test_a_replay_is_that_of_a_calculation_click_by_click(seed, k):
    log = draw_log(seed + 100)
    draw = np.random.default_rng(seed)
    known = log["query_id"].unique().sort().to_list()
    documents = log["doc_id"].drop_nulls().unique().sort().to_list()[:40]
    run = {q: {d: float(draw.integers(5)) for d in documents} for q in known}
    looked = {position: 1 / (1 + position) for position in range(1, 11)}
    curve = pl.DataFrame([*looked.items()], ["position", "examination"], orient="row")
    (row,) = sm.replay(log, {"x": run}, examination=curve, k=k, clip=8).rows(named=True)
    gains, weights = [], []
    for each in log.filter(clicked=1).iter_rows(named=True):
        weight = min(8, 1 / looked[each["position"]])
        order = sorted(run[each["query_id"]].items(), key=lambda x: (x[1], x[0]), reverse=True)
        ranks = {doc: rank for rank, (doc, _) in enumerate(order, start=1)}
        rank = ranks.get(each["doc_id"])
        weights.append(weight)
        if rank is not None and rank <= (k or 1000):
            gains.append(weight / math.log2(rank + 1))
    pages = log["page_id"].n_unique()
    assert row["ips_dcg"] == pytest.approx(math.fsum(gains) / pages, rel=1e-12)
    assert (row["pages"], row["clicks"]) == (pages, len(weights))
    if weights:
        assert row["snips_dcg"] == pytest.approx(math.fsum(gains) / math.fsum(weights), rel=1e-12)
        effective = math.fsum(weights) ** 2 / math.fsum(w * w for w in weights)
        assert row["effective_clicks"] == pytest.approx(effective, rel=1e-12)
    else:
        assert (row["snips_dcg"], row["effective_clicks"]) == (None, 0)
    if row["effective_clicks"] < 100:
        assert row["note"].endswith("effective clicks: do not rely on this score")


def test_a_position_with_clicks_needs_its_examination(shell):
    curve = pl.DataFrame({"position": [1], "examination": [1.0]})
    message = r"no examination above 0 and up to 1 for position 2 \(clicks: 1\)"
    with pytest.raises(sm.InputError, match=message):
        sm.replay(LOG, {"q1": {"d1": 1.0}}, examination=curve)
    for value in (0.0, 1.5, math.nan, math.inf):
        given = pl.DataFrame({"position": [1, 2], "examination": [1.0, value]})
        with pytest.raises(sm.InputError, match=rf"position 2 \(clicks: 1\); it is {value}"):
            sm.replay(LOG, {"q1": {"d1": 1.0}}, examination=given)
    with pytest.raises(sm.InputError, match="no column examination"):
        sm.replay(LOG, {"q1": {"d1": 1.0}}, examination=curve.drop("examination"))
    text = pl.DataFrame({"position": [1, 2], "examination": ["1", "0.5"]})
    with pytest.raises(sm.InputError, match="examination of type String; make it numbers"):
        sm.replay(LOG, {"q1": {"d1": 1.0}}, examination=text)
    with pytest.raises(sm.InputError, match="k must be a whole number, 1 or more, or NULL, not 0"):
        sm.replay(LOG, {"q1": {"d1": 1.0}}, k=0)
    with pytest.raises(sm.InputError, match=r"clip must be a number, 1 or more, not 0\.5"):
        sm.replay(LOG, {"q1": {"d1": 1.0}}, clip=0.5)


def test_a_replay_that_cannot_estimate_the_examination_says_so_and_what_to_give():
    message = (
        r"could not be estimated for position 1 \(clicks: 1\) .*pass examination .*least_pages"
    )
    with pytest.raises(sm.InputError, match=message):
        sm.replay(LOG, {"q1": {"d1": 1.0}})


def test_two_runs_of_one_name_are_not_replayed():
    run = pl.DataFrame({"run_id": ["x"], "query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]})
    curve = pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]})
    with pytest.raises(sm.InputError, match="both have a run named 'x'; give them different names"):
        sm.replay(LOG, {"a": run, "b": run}, examination=curve)


def test_a_position_with_two_examinations_is_refused(shell, tmp_path):
    curve = pl.DataFrame({"position": [1, 2, 2], "examination": [1.0, 0.5, 0.5]})
    message = "position 2 has 2 rows; keep one examination of each position"
    with pytest.raises(sm.InputError, match=message):
        sm.replay(LOG, {"q1": {"d1": 1.0}}, examination=curve)
    LOG.write_csv(tmp_path / "log.csv")
    curve.write_csv(tmp_path / "curve.csv")
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq1,d1,1\n")
    files = {"log": "log.csv", "run": "run.csv", "examination": "curve.csv"}
    words = (word for name, file in files.items() for word in (f"--{name}", tmp_path / file))
    status, _, said = run_command("replay", *words)
    assert status == 2
    assert message in said
    keep(shell, "log", LOG)
    keep(shell, "curve", curve)
    shell.execute("CREATE OR REPLACE TEMP TABLE one AS SELECT 'q1' query_id, 'd1' doc_id, 1 score")
    with pytest.raises(duckdb.InvalidInputException, match=message):
        shell.execute("SELECT ips_dcg(r) FROM replayed(log, one, curve) AS r").fetchall()


# The command line


@pytest.mark.thorough
def test_the_commands_write_what_python_returns(tmp_path):
    log, _ = simulate(500, queries=2, documents=12)
    path = tmp_path / "log.parquet"
    log.write_parquet(path)
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\n0,1,2\n0,2,1\n1,3,1\n")
    for arguments, expected in (
        (["evaluate", "--log", path, "-m", "CTR@1 ClickRR"], score_log(path, "CTR@1 ClickRR")),
        (["evaluate", "--log", path, "--by", "query_id"], score_log(path, by="query_id")),
        (
            ["judge", "--log", path, "--model", "pbm", "--steps", 9],
            sm.judge(path, model="pbm", steps=9),
        ),
        (["judge", "--log", path, "--smoothing", 0], sm.judge(path, smoothing=0)),
        (["examination", "--log", path], sm.examination(path)),
        (
            ["replay", "--log", path, "--run", tmp_path / "run.csv", "--k", 1],
            sm.replay(path, tmp_path / "run.csv", k=1),
        ),
    ):
        assert run_command(*arguments, "-f", "csv")[1] == expected.write_csv()
    assert run_command("check", "--log", path) == (0, "0 errors, 0 warnings\n", "")


def test_the_commands_say_what_is_wrong_in_a_line(tmp_path):
    path = tmp_path / "log.csv"
    change("- x | x", {"clicked": [0, 1, 3]}).write_csv(path)
    said = f"{path} line 4: page p2: clicked of document d1 must be 1 or 0"
    remedy = catalogue.find("checks", "unusable_clicks").header["remedy"]
    assert run_command("evaluate", "--log", path) == (2, "", f"error: {said}; {remedy}\n")
    status, printed, _ = run_command("check", "--log", path)
    assert status == 1
    assert "error: unusable_clicks" in printed
    path.write_text("query_id,doc_id,score\nq,d,1\n")
    status, _, error = run_command("evaluate", "--log", path)
    assert status == 2
    assert "so it looks like a run, not a log of clicks; evaluate takes it" in error
    for option, of in (("--per-query", []), ("--explain", []), ("-f", ["trec"])):
        said = run_command("evaluate", "--log", path, option, *of)[2]
        assert "is for runs, and not for --log; remove one of them" in said
    LOG.rename({"position": "pos"}).write_csv(path)
    assert (
        run_command("evaluate", "--log", path, "-m", "Pages")[2]
        == f"note: {path}: read pos as position\n"
    )
    LOG.write_csv(path)
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq1,d1,2\n")
    (tmp_path / "e.csv").write_text("position,examination\n1,1\n2,0.5\n")
    files = {"log": path, "run": tmp_path / "run.csv", "examination": tmp_path / "e.csv"}
    words = (word for name, file in files.items() for word in (f"--{name}", file))
    status, printed, error = run_command("replay", *words, "-f", "csv")
    assert (status, error) == (0, "")
    assert "only 2 effective clicks: do not rely on this score" in printed
