"""Metrics of clicks, and judgments and replays from them."""

from __future__ import annotations

import csv
import math
import re
import statistics
from fractions import Fraction

import duckdb
import numpy as np
import polars as pl
import pytest
from click_logs import draw_log, make_log, read_pages, score_log
from commands import run_command
from conftest import ROOT, assert_refused, keep, open_shell
from messages import read_typed

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.engine import checks

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


@pytest.mark.few(6)
@pytest.mark.parametrize(("name", "pages", "expected", "source"), [*read_expected()])
def test_a_metric_gives_the_value_of_the_worked_example(name, pages, expected, source):
    (score,) = score_log(read_pages(pages), name).row(0)
    if expected:
        assert score == pytest.approx(float(Fraction(expected)), rel=1e-15)
    else:
        assert score is None


@pytest.fixture
def shell():
    return open_shell()


def test_the_macros_of_the_shell_give_the_same(shell):
    log = draw_log(3)
    keep(shell, log=log)
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
            keep(con, log=LOG)
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


@pytest.mark.few(1)
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
FIRST, SAID = read_typed(ROOT / "tests" / "wrong" / "clicks.txt")
BAD = [typed for typed in SAID if re.fullmatch(r'evaluate\(log=view\(.*\), metrics="CTR"\)', typed)]


def change(pages, columns):
    log = read_pages(pages.replace("x-", "x"))
    return log.with_columns(pl.Series(name, values) for name, values in columns.items())


@pytest.mark.few(1)
@pytest.mark.parametrize("typed", BAD)
def test_a_log_that_would_give_a_wrong_score_is_refused_in_the_shell_and_found_by_check(
    typed, shell
):
    names = {"pl": pl, "math": math, "evaluate": lambda log, metrics: log}
    exec(FIRST, names)
    log = eval(typed, names)
    said = SAID[typed].removeprefix("InputError: the log frame: ")
    problem = re.split(r";|\n| \(and ", said)[0]
    keep(shell, bad_log=log)
    assert_refused(shell, "SELECT ctr(j) FROM clicked(bad_log) AS j", f"log: {problem}")
    assert problem in sm.check(log=log).filter(severity="error")["examples"][0]


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
    known = {check.name for check in checks.list_checks() if [*check.inputs] == ["log"]}
    assert known == {"unusable_clicks", "mixed_pages", "repeated_positions", *WARNINGS}


def test_a_healthy_log_has_no_findings(shell):
    assert sm.check(log=LOG).is_empty()
    keep(shell, log=LOG)
    assert shell.execute("FROM check_log(log)").fetchall() == []
    keep(shell, odd=WARNINGS["repeated_results"][0](LOG))
    found = {
        name: severity for severity, name, *_ in shell.execute("FROM check_log(odd)").fetchall()
    }
    assert found["repeated_results"] == "warning"


QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0}}


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
        with pytest.raises(sm.InputError, match="scores of a click log, which has no runs"):
            ask()


def test_the_statement_of_scores_gives_them_over_the_same_files(tmp_path):
    LOG.write_csv(tmp_path / "log.csv")
    scores = sm.evaluate(log=tmp_path / "log.csv", metrics=NAMES, by="country")
    assert open_shell().execute(scores.sql).fetchall() == scores.mean.rows()


def test_shares_at_each_position_are_a_query_over_its_rows(shell):
    keep(shell, log=LOG)
    query = "SELECT j.position, ctr(j) FROM clicked(log) AS j WHERE j.doc_id IS NOT NULL"
    assert shell.execute(f"{query} GROUP BY ALL ORDER BY 1").fetchall() == [
        (1, 0.5), (2, 0.5), (3, 0.0)
    ]  # fmt: skip
    found = shell.execute("FROM click_rr(log) ORDER BY ALL").fetchall()
    assert found == [("q1", 0.5), ("q2", 1.0), ("q3", 0.0)]


def test_the_sql_of_a_metric_runs_as_it_is():
    con = duckdb.connect()
    keep(con, log=LOG)
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
    keep(shell, log=log)
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


def test_a_click_counts_where_nobody_is_estimated_to_look():
    # the curve is learned from a, without a click at position 2; b is on too few pages for it
    shown = [
        ("1", "a", 1, 1),
        ("2", "a", 1, 1),
        ("3", "a", 2, 0),
        ("4", "a", 2, 0),
        ("5", "b", 2, 1),
    ]
    columns = ["page_id", "doc_id", "position", "clicked"]
    log = pl.DataFrame(shown, columns, orient="row").with_columns(query_id=pl.lit("q"))
    judged = sm.judge(log, model="pbm", smoothing=0, least_pages=4)
    # b: 1 click / (1 page · examination of almost 0), at most 1
    assert dict(judged.select("doc_id", "relevance").rows()) == pytest.approx({"a": 1, "b": 1})


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


# The command line


# Sessions


SESSIONS = make_log(
    (page, query, doc, place, int(doc in clicks), None, None, None, country)
    for page, query, shown, clicks, country in (
        ("p1", "bread", "abc", "b", "de"),
        ("p2", "bread", "abcd", "bd", "fr"),
        ("p3", "bread", "abc", "", "fr"),
        ("p4", "curry", "x", "x", "fr"),
    )
    for place, doc in enumerate(shown, start=1)
)
NOTHING = make_log([("p5", "curry", None, None, None, None, None, None, "fr")])
# e is shown on no page; curry is answered by the old run alone
NEW = {"bread": {"d": 4.0, "e": 3.0, "b": 2.0}}
OLD = {"bread": {"a": 3.0, "b": 2.0, "c": 1.0}, "curry": {"x": 1.0}}
RUNS = pl.DataFrame(
    [
        (run_id, query, doc, score)
        for run_id, run in (("old", OLD), ("new", NEW))
        for query, docs in run.items()
        for doc, score in docs.items()
    ],
    ["run_id", "query_id", "doc_id", "score"],
    orient="row",
)
BY_PAGE = """
    SELECT j.run_id, j.query_id, rr(j) AS rr, ndcg(j) AS ndcg
    FROM session_judged(log, run) AS j GROUP BY j.run_id, j.query_id
"""


def score_sessions(log=SESSIONS, run=None, query=BY_PAGE):
    runs = {"old": OLD, "new": NEW} if run is None else run
    return {row[:2]: row[2:] for row in sm.query(query, log=log, run=runs).rows()}


def test_the_clicks_of_a_page_are_its_judgments():
    second, third = (1 / math.log2(rank + 1) for rank in (2, 3))
    assert score_sessions() == {
        ("old", "p1"): (1 / 2, pytest.approx(second)),
        ("old", "p2"): (1 / 2, pytest.approx(second / (1 + second))),
        ("old", "p3"): (0, 0),  # without clicks nothing is relevant
        ("old", "p4"): (1, 1),
        ("new", "p1"): (1 / 3, third),
        ("new", "p2"): (1, pytest.approx((1 + third) / (1 + second))),
        ("new", "p3"): (0, 0),
        ("new", "p4"): (0, 0),  # it does not answer the query
    }


def test_evaluate_takes_the_judgments_and_runs_of_sessions():
    runs = {"old": OLD, "new": NEW}
    qrels = sm.query("FROM session_judgments(log)", log=pl.concat([SESSIONS, NOTHING]))
    answers = sm.query("FROM session_runs(log, run)", log=SESSIONS, run=runs)
    scores = sm.evaluate(qrels, answers, "RR nDCG", by="country", intervals=True)
    found = scores.per_query.drop("country").rows()
    assert {row[:2]: row[2:] for row in found} == pytest.approx(score_sessions())
    means = {row[:2]: row[2:] for row in scores.mean.select("run_id", "country", "RR").rows()}
    assert means == {
        ("old", "de"): (1 / 2,),
        ("old", "fr"): (1 / 2,),
        ("new", "de"): (1 / 3,),
        ("new", "fr"): (pytest.approx(1 / 3),),
    }
    assert scores.mean.filter(country="fr")["RR_low"].null_count() == 0
    rows = sm.compare(scores, "old").tests.filter(metric="RR", run_id="new", country="fr")
    assert rows["difference"].item() == pytest.approx(1 / 3 - 1 / 2)


def test_a_page_without_results_is_no_session():
    log = pl.concat([SESSIONS, NOTHING])
    assert score_sessions(log) == score_sessions()


def test_documents_that_a_page_did_not_show_are_not_judged():
    query = BY_PAGE.replace("log, run", "log, run, judged_only := TRUE")
    assert score_sessions(query=query)["new", "p1"] == (1, 1)  # neither d nor e was shown
    assert score_sessions(query=query)["new", "p2"] == (1, 1)  # e was not


def test_sessions_are_averaged_over_traffic_and_segments():
    query = """
        SELECT j.run_id, j.country, j.page_query, j.num_clicked, j.query_id, rr(j) AS rr
        FROM session_judged(log, run) AS j GROUP BY ALL
    """
    scores = sm.query(query, log=SESSIONS, run={"old": OLD, "new": NEW})
    by = scores.group_by("run_id", "country").agg(pl.mean("rr"))
    assert {row[:2]: row[2] for row in by.rows()} == {
        ("old", "de"): 1 / 2,
        ("old", "fr"): (1 / 2 + 0 + 1) / 3,
        ("new", "de"): 1 / 3,
        ("new", "fr"): 1 / 3,
    }
    assert {*scores.filter(query_id="p2")["num_clicked"]} == {2}
    assert {*scores.filter(query_id="p4")["page_query"]} == {"curry"}
    means = sm.means(scores.drop("num_clicked"), by="country").filter(run_id="old", country="fr")
    assert means.select("queries", "mean").rows() == [(3, pytest.approx(1 / 2))]
    assert means["low"].item() < 1 / 2 < means["high"].item()


@pytest.mark.parametrize("seed", [5, 17, 20, 29])
def test_sessions_are_scored_as_by_ir_measures_with_judgments_of_each_page(seed):
    import ir_measures
    from ir_measures import AP, RR, P, nDCG

    log = draw_log(seed)
    shown = log.select("query_id", "doc_id").drop_nulls().unique(maintain_order=True)
    run = shown.with_columns(score=(pl.int_range(pl.len()) * 7 % 11).cast(pl.Float64))[::2]
    given = log.drop_nulls("doc_id").select("page_id", "query_id", "doc_id", "clicked")
    qrels = given.select("page_id", "doc_id", pl.col("clicked").cast(pl.Int64)).rows()
    answers = given.select("page_id", "query_id").unique().join(run, on="query_id")
    scored = [*answers.select("page_id", "doc_id", "score").iter_rows()]
    expected = {
        (each.query_id, str(each.measure)): each.value
        for each in ir_measures.iter_calc(
            [AP, RR, P @ 5, nDCG @ 10],
            [ir_measures.Qrel(*row) for row in qrels],
            [ir_measures.ScoredDoc(*row) for row in scored],
        )
    }
    query = """
        SELECT j.query_id, ap(j) AS "AP", rr(j) AS "RR", precision_at(j, k := 5) AS "P@5", ndcg(j, k := 10) AS "nDCG@10"
        FROM session_judged(log, run) AS j GROUP BY j.run_id, j.query_id
    """
    found = sm.query(query, log=log, run=run).unpivot(index="query_id")
    assert {row[:2]: row[2] for row in found.rows()} == pytest.approx(expected, abs=1e-12)
    assert found["query_id"].n_unique() == given["page_id"].n_unique() > 1


def test_the_shell_scores_sessions_with_every_metric_of_judgments(shell):
    keep(shell, log=SESSIONS, run=RUNS)
    scores = {row[:2]: row[2:] for row in shell.execute(BY_PAGE).fetchall()}
    assert scores == score_sessions()
    stops = """
        WITH judged AS (FROM session_judged(log, run))
        SELECT c.run_id, c.query_id, err(c) FROM cascade(judged, max_rel := 1) AS c GROUP BY ALL
    """
    found = {row[:2]: row[2] for row in shell.execute(stops).fetchall()}
    assert found["new", "p2"] == pytest.approx(1 / 2 + 1 / 2 * 1 / 2 / 3)


@pytest.mark.parametrize(
    ("log", "run", "said"),
    [
        (SESSIONS, {"bred": {"a": 1.0}}, "run run has no results for any query of the log"),
        (SESSIONS.with_columns(clicked=2), OLD, "clicked of document a must be"),
        (SESSIONS.with_columns(position=1), OLD, "at position 1"),
    ],
)
def test_logs_and_runs_that_do_not_fit_are_refused(log, run, said):
    with pytest.raises(sm.InputError, match=said):
        score_sessions(log, run)


def test_a_group_that_is_not_one_page_is_refused(shell):
    keep(shell, log=SESSIONS, run=RUNS)
    by_query = "SELECT rr(j) FROM session_judged(log, run) AS j GROUP BY j.page_query"
    assert_refused(shell, by_query, "rr: a group has rows of several queries, such as p1 and p3")


def test_the_command_scores_and_checks_a_log(tmp_path):
    log, _ = simulate(500, queries=2, documents=12)
    path = tmp_path / "log.parquet"
    log.write_parquet(path)
    for words, options in (
        (["-m", "CTR@1 ClickRR"], {"metrics": "CTR@1 ClickRR"}),
        (["--by", "query_id"], {"by": "query_id"}),
    ):
        printed = run_command("evaluate", "--log", path, *words, "-f", "csv")[1]
        assert printed == score_log(path, **options).write_csv()
    assert run_command("check", "--log", path) == (0, "0 errors, 0 warnings\n", "")


def test_the_commands_say_what_is_wrong_in_a_line(tmp_path):
    path = tmp_path / "log.csv"
    change("- x | x", {"clicked": [0, 1, 3]}).write_csv(path)
    said = f"{path} line 4: page p2: clicked of document d1 must be 1 or 0"
    remedy = catalogue.find_file("unusable_clicks").header["remedy"]
    assert run_command("evaluate", "--log", path) == (2, "", f"error: {said}; {remedy}\n")
    status, printed, _ = run_command("check", "--log", path)
    assert status == 1
    assert "error: unusable_clicks" in printed
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
