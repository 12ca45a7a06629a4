"""Plots have the numbers of the results that they show."""

from __future__ import annotations

import builtins
import re
from xml.etree import ElementTree

import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run

import sqlmetrics as sm


@pytest.fixture(scope="module")
def scores():
    return sm.evaluate(QRELS, [BM25, NEURAL], "nDCG@1 nDCG@3 AP")


def list_values(chart):
    """The rows of each data set of a chart, in the order of its parts."""

    def walk(part):
        if isinstance(part, dict):
            yield from [part["data"]["name"]] if "data" in part else []
            parts = part.values()
        else:
            parts = part if isinstance(part, list) else []
        for each in parts:
            yield from walk(each)

    drawn = chart.to_dict()
    sets = drawn.pop("datasets")
    return [sets[name] for name in dict.fromkeys(walk(drawn))]


def test_scores_of_queries_are_marks_and_means_are_lines(scores):
    marks, means = list_values(sm.plot(scores, metric="AP"))
    columns = ["run_id", "query_id", pl.col("AP").alias("score")]
    assert marks == scores.per_query.select(columns).to_dicts()
    assert {row["run_id"]: row["score"] for row in means} == dict(
        scores.mean.select("run_id", "AP").rows()
    )


def test_cutoffs_are_lines_through_the_means(scores):
    points, labels = list_values(sm.plot(scores, "cutoffs"))
    means = {row["run_id"]: row for row in scores.mean.to_dicts()}
    assert len(points) == 4
    for row in points:
        assert row["value"] == means[row["run_id"]][f"nDCG@{row['k']}"]
    assert {row["run_id"] for row in labels} == {"bm25", "neural"}


def test_intervals_are_those_of_the_comparison(scores):
    compared = scores.compare("bm25")
    parts = list_values(sm.plot(compared, metric="AP"))
    rows = next(part for part in parts if "low" in part[0])
    test = compared.tests.filter(metric="AP").to_dicts()[0]
    assert [rows[0][key] for key in ("run_id", "difference", "low", "high")] == pytest.approx(
        [test[key] for key in ("run_id", "difference", "low", "high")]
    )


def test_gains_come_before_losses(scores):
    compared = scores.compare("bm25")
    (rows,) = list_values(sm.plot(compared, "queries", metric="AP"))
    changes = compared.per_query.filter(metric="AP")["difference"].sort(descending=True)
    assert [row["difference"] for row in rows] == changes.to_list()
    assert len({row["colour"] for row in rows if row["difference"]}) == len(
        {row["difference"] > 0 for row in rows if row["difference"]}
    )


def test_bounds_and_curves_have_their_points():
    bounds = sm.bounds(QRELS, [BM25], "P@2")
    (rows, *_) = list_values(sm.plot(bounds))
    assert rows[0]["low"] == bounds.mean["low"][0]
    curve = sm.precision_recall_curve(QRELS, BM25, interpolated=True, averaged=True)
    (rows,) = list_values(sm.plot(curve))
    assert [row["precision"] for row in rows] == curve["precision"].to_list()
    shown = pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]})
    (rows,) = list_values(sm.plot(shown))
    assert [row["examination"] for row in rows] == [1.0, 0.5]


def test_of_many_queries_there_are_some_from_the_largest_gain_to_the_largest_loss():
    queries = [f"q{number}" for number in range(1500)]
    before = pl.DataFrame({"run_id": "a", "query_id": queries, "m": [0.0] * 1500})
    after = before.with_columns(run_id=pl.lit("b"), m=pl.int_range(pl.len()) / 1500)
    compared = sm.compare(pl.concat([before, after]), "a")
    (rows,) = list_values(sm.plot(compared, "queries"))
    assert 300 <= len(rows) <= 400
    assert rows[0]["difference"] == max(row["difference"] for row in rows) == 1499 / 1500


def test_dark_charts_have_the_colours_of_dark_reports(scores):
    light, dark = (sm.plot(scores, dark=dark).to_dict()["config"] for dark in (False, True))
    assert (light["background"], dark["background"]) == ("#fff", "#10141b")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"chart": "pie"}, "chart must be"),
        ({"metric": "R@7"}, "metric must be"),
        ({"dark": 1}, "dark must be"),
    ],
)
def test_what_cannot_be_drawn_is_refused(scores, given, said):
    with pytest.raises(sm.InputError, match=said):
        sm.plot(scores, **given)


def test_what_has_no_chart_is_refused(scores):
    with pytest.raises(sm.InputError, match="recall and precision"):
        sm.plot(scores.mean)
    with pytest.raises(sm.InputError, match="has no chart"):
        sm.plot("scores.csv")
    alone = sm.evaluate(QRELS, BM25, "AP nDCG@3")
    with pytest.raises(sm.InputError, match="several cut-offs"):
        sm.plot(alone, "cutoffs")


def test_without_altair_the_message_says_how_to_install_it(scores, monkeypatch):
    known = builtins.__import__

    def refuse(name, *rest):
        if name == "altair":
            raise ImportError(name)
        return known(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(sm.InputError, match=r"pip install .sqlmetrics\[plots\]"):
        sm.plot(scores)


def test_a_command_writes_its_chart(tmp_path):
    for name, arguments in {
        "scores.svg": ("evaluate", QRELS, BM25, "-m", "AP"),
        "queries.svg": ("evaluate", QRELS, BM25, "-m", "AP", "--per-query"),
        "intervals.svg": ("compare", QRELS, BM25, NEURAL),
        "bounds.svg": ("bounds", QRELS, BM25),
    }.items():
        run(*arguments, "-o", tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("odd", ["\x1b[31m", "\x01", "\0", "\ufffe", "\n", "<&>"])
def test_a_chart_of_any_names_is_well_formed(odd, tmp_path):
    name, query = f"run{odd}", f"q{odd}"
    qrels = {query: {"a": 1}, "q2": {"b": 1}}
    runs = {
        name: {query: {"a": 1.0}, "q2": {"c": 1.0}},
        "other": {query: {"c": 1.0}, "q2": {"b": 1.0}},
    }
    scores = sm.evaluate(qrels, runs, "P@1 P@2")
    compared = sm.compare(scores)
    charts = [
        (scores, "queries"),
        (scores, "cutoffs"),
        (compared, "intervals"),
        (compared, "queries"),
    ]
    for found, chart in charts:
        sm.plot(found, chart, title=odd).save(tmp_path / "chart.svg")
        assert "".join(ElementTree.parse(tmp_path / "chart.svg").getroot().itertext())
    assert not re.search(r"[\x1b\x01\0\ufffe]", f"{scores}{compared}")
