"""Plots have the numbers of the results that they show."""

from __future__ import annotations

import builtins
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run

import sqlmetrics as sm

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def scores():
    return sm.evaluate(QRELS, [BM25, NEURAL], "nDCG@1 nDCG@3 AP")


def find(chart, kind, within=""):
    """The elements of a chart of this tag and class."""
    tag, _, css = kind.partition(".")
    root = ElementTree.fromstring(chart.svg)
    found = [each for part in root.iter() for each in part] if not within else []
    for part in find(chart, within) if within else ():
        found += part.iter()
    return (
        [e for e in found if e.tag == f"{SVG}{tag}" and css in e.get("class", "").split()]
        if css
        else [e for e in found if e.tag == f"{SVG}{tag}"]
    )


def read_title(element):
    return element.find(f"{SVG}title").text


def read_number(text):
    return float(text.replace("\N{MINUS SIGN}", "-"))


def find_heights(chart):
    """What finds the value at a height, by the ticks on the left."""
    ticks = [
        (read_number(t.text), float(t.get("y")) - 4)
        for t in find(chart, "text")
        if t.get("text-anchor") == "end"
    ]
    (low, bottom), *_, (high, top) = ticks
    return lambda y: low + (high - low) * (bottom - y) / (bottom - top)


def test_scores_of_queries_are_dots_and_means_are_lines(scores):
    chart = sm.plot(scores, metric="AP")
    dots = [read_title(dot) for dot in find(chart, "path.dots")]
    means = [read_title(strip) for strip in find(chart, "svg") if strip.get("aria-label")]
    for name, part in scores.per_query.group_by("run_id", maintain_order=True):
        own = [f"{query}: {score:.4f}" for query, score in part.select("query_id", "AP").rows()]
        assert {*own} <= {*dots}
        assert f"{name[0]}: 4 queries, mean {scores['AP', name[0]]:.4f}" in means
    assert len(dots) == scores.per_query.height
    assert len(means) == len(find(chart, "path.mean")) == 2
    places = [
        float(re.search(r"M([\d.]+)", line.get("d"))[1]) / 440 for line in find(chart, "path.mean")
    ]
    assert places == pytest.approx(scores.mean["AP"].to_list(), abs=2e-3)


def test_cutoffs_are_lines_through_the_means(scores):
    chart = sm.plot(scores, "cutoffs")
    find_value = find_heights(chart)
    lines = {read_title(line): line for line in find(chart, "g.line")}
    assert {*lines} == {"bm25", "neural"}
    for name, line in lines.items():
        heights = re.findall(r" ([\d.]+)", line.find(f"{SVG}path").get("d"))
        means = [scores[f"nDCG@{k}", name] for k in (1, 3)]
        assert [find_value(float(y)) for y in heights] == pytest.approx(means, abs=1e-3)
        assert line.find(f"{SVG}text").text == name


def test_cutoffs_of_segments_are_of_all_queries():
    topics = pl.DataFrame({"query_id": ["bread", "curry", "noodles", "pickles"], "part": [*"abab"]})
    found = sm.evaluate(QRELS, BM25, "P@1 P@3", by="part", topics=topics)
    (line,) = find(sm.plot(found, "cutoffs"), "g.line")
    whole = sm.plot(sm.evaluate(QRELS, BM25, "P@1 P@3"), "cutoffs")
    (expected,) = find(whole, "g.line")
    assert line.find(f"{SVG}path").get("d") == expected.find(f"{SVG}path").get("d")


def test_segments_have_charts_of_their_own():
    parts = {"bread": "a", "curry": "b", "noodles": "a", "pickles": None}
    topics = pl.DataFrame({"query_id": [*parts], "part": [*parts.values()]})
    found = sm.evaluate(QRELS, [BM25, NEURAL], "AP", by="part", topics=topics)
    chart = sm.plot(found)
    titles = [text.text for text in find(chart, "text") if (text.text or "").startswith("AP, ")]
    assert titles == ["AP, no part", "AP, a", "AP, b"]
    whole = sm.evaluate(QRELS, [BM25, NEURAL], "AP").per_query
    drawn = [read_title(dot) for dot in find(chart, "path.dots")]
    assert sorted(drawn) == sorted(f"{q}: {x:.4f}" for q, x in whole["query_id", "AP"].rows())
    means = [read_title(strip) for strip in find(chart, "svg") if strip.get("aria-label")]
    assert len(means) == 6
    for name, mean in found.mean.filter(part="a").select("run_id", "AP").rows():
        assert f"{name}: 2 queries, mean {mean:.4f}" in means


def test_intervals_are_those_of_the_comparison(scores):
    compared = scores.compare("bm25")
    chart = sm.plot(compared, metric="AP")
    (drawn,) = find(chart, "svg.interval")
    (test,) = compared.tests.filter(metric="AP").to_dicts()
    words = re.findall(r"[+\N{MINUS SIGN}][\d.]+", read_title(drawn))
    known = [test[key] for key in ("difference", "low", "high")]
    assert [*map(read_number, words)] == pytest.approx(known, abs=5e-5)
    assert ("tie" in drawn.get("class")) != test["significant"]


def test_one_end_of_an_interval_may_be_infinite(scores):
    compared = scores.compare("bm25")
    ends = pl.lit(-float("inf")).alias("low"), pl.lit(0.25).alias("high")
    open_below = replace(compared, tests=compared.tests.with_columns(ends))
    assert "interval below +0.2500" in sm.plot(open_below).svg


def test_gains_come_before_losses(scores):
    compared = scores.compare("bm25")
    chart = sm.plot(compared, "queries", metric="AP")
    drawn = [
        read_title(bar).split(": ") for bar in find(chart, "rect") if bar.get("class") != "page"
    ]
    rows = compared.per_query.filter(metric="AP").sort(
        "difference", "query_id", descending=[True, False]
    )
    assert [query for query, _ in drawn] == rows["query_id"].to_list()
    assert [read_number(change) for _, change in drawn] == pytest.approx(
        rows["difference"].to_list(), abs=5e-5
    )
    for bar, change in zip(find(chart, "rect")[1:], rows["difference"], strict=True):
        assert bar.get("class") == ("up" if change > 0 else "down" if change < 0 else "tie")


def test_bounds_and_curves_have_their_points():
    bounds = sm.bounds(QRELS, [BM25], "P@2")
    (drawn,) = find(sm.plot(bounds), "svg.interval")
    (row,) = bounds.mean.to_dicts()
    assert read_title(drawn) == (
        f"bm25 {row['score']:.4f}, interval {row['low']:.4f} to {row['high']:.4f}"
    )
    curve = sm.precision_recall_curve(QRELS, BM25, interpolated=True, averaged=True)
    shown = pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]})
    for frame, y in ((curve, "precision"), (shown, "examination")):
        chart = sm.plot(frame)
        find_value = find_heights(chart)
        (line,) = find(chart, "g.line")
        heights = re.findall(r" ([\d.]+)", line.find(f"{SVG}path").get("d"))
        assert [find_value(float(y)) for y in heights] == pytest.approx(
            frame[y].to_list(), abs=1e-3
        )


def test_of_many_queries_there_are_some_from_the_largest_gain_to_the_largest_loss():
    queries = [f"q{number}" for number in range(1500)]
    before = pl.DataFrame({"run_id": "a", "query_id": queries, "m": [0.0] * 1500})
    after = before.with_columns(run_id=pl.lit("b"), m=pl.int_range(pl.len()) / 1500)
    compared = sm.compare(pl.concat([before, after]), "a")
    drawn = [read_title(bar) for bar in find(sm.plot(compared, "queries"), "rect")[1:]]
    assert 300 <= len(drawn) <= 400
    assert drawn[0] == "q1499: +0.9993"
    assert all(read_number(a.split()[1]) >= read_number(b.split()[1]) for a, b in pairwise(drawn))


def test_of_many_queries_bars_count_the_scores():
    frame = pl.DataFrame({"query_id": [str(n) for n in range(300)], "doc_id": "d"})
    qrels = frame.with_columns(relevance=pl.Series([1, 0, 0] * 100))
    chart = sm.plot(sm.evaluate(qrels, frame.with_columns(score=1.0), "P@1"))
    assert [read_title(bar) for bar in find(chart, "path.heap")] == ["200 queries", "100 queries"]


def test_dark_charts_have_the_colours_of_dark_reports(scores):
    light, dark = (sm.plot(scores, dark=dark).svg for dark in (False, True))
    assert ".page { fill: #fff; }" in light
    assert ".page { fill: #10141b; }" in dark
    assert "var(" not in light + dark
    assert "prefers-color-scheme: dark" in sm.plot(scores).html


def test_a_chart_is_saved_by_its_suffix(scores, tmp_path):
    chart = sm.plot(scores, title="Recipes")
    for kind in ("svg", "html"):
        chart.save(tmp_path / f"chart.{kind}")
        assert (tmp_path / f"chart.{kind}").read_text("utf-8") == getattr(chart, kind)
    assert "<title>Recipes</title>" in chart.html
    with pytest.raises(sm.InputError, match=r"a chart is .svg, .html or .png, not chart.pdf"):
        chart.save(tmp_path / "chart.pdf")


def test_a_picture_needs_the_extra(scores, tmp_path, monkeypatch):
    pytest.importorskip("resvg_py")
    sm.plot(scores).save(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    known = builtins.__import__

    def refuse(name, *rest):
        if name == "resvg_py":
            raise ImportError(name)
        return known(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(sm.InputError, match=r"pip install .sqlmetrics\[plots\]"):
        sm.plot(scores).save(tmp_path / "chart.png")


@pytest.mark.thorough
def test_a_command_writes_its_chart(tmp_path):
    for name, arguments in {
        "scores.svg": ("evaluate", QRELS, BM25, "-m", "AP"),
        "queries.svg": ("evaluate", QRELS, BM25, "-m", "AP", "--per-query"),
        "intervals.svg": ("compare", QRELS, BM25, NEURAL),
        "bounds.svg": ("bounds", QRELS, BM25),
        "bounds.html": ("bounds", QRELS, BM25),
    }.items():
        run(*arguments, "-o", tmp_path / name)
        start = "<svg" if name.endswith("svg") else "<!doctype html>"
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert "png needs a file" in run("bounds", QRELS, BM25, "-f", "png", status=2)
    pytest.importorskip("resvg_py")
    run("bounds", QRELS, BM25, "-o", tmp_path / "bounds.png")
    assert (tmp_path / "bounds.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.few(2)
@pytest.mark.parametrize("odd", ["\x1b[31m", "\x01", "\0", "\ufffe", "\n", "<&>"])
def test_a_chart_of_any_names_is_well_formed(odd, tmp_path):
    name, query = f"run{odd}", f"q{odd}"
    qrels = {query: {"a": 1}, "q2": {"b": 1}}
    runs = {
        name: {query: {"a": 1.0}, "q2": {"c": 1.0}},
        "other": {query: {"c": 1.0}, "q2": {"b": 1.0}},
    }
    scores = sm.evaluate(qrels, runs, "P@1 P@2")
    compared = sm.compare(scores, all_pairs=True)
    charts = [
        (scores, "queries"),
        (scores, "cutoffs"),
        (compared, "intervals"),
        (compared, "queries"),
    ]
    for found, chart in charts:
        sm.plot(found, chart, title=odd).save(tmp_path / "chart.svg")
        assert "".join(ElementTree.parse(tmp_path / "chart.svg").getroot().itertext())
        assert odd == "\n" or odd not in sm.plot(found, chart, title=odd).html
    assert not re.search(r"[\x1b\x01\0\ufffe]", f"{scores}{compared}")


def test_results_plot_themselves():
    scores = sm.evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}, "2": {"b": 1.0}}, "RR")
    assert scores.plot(title="Scores").svg == sm.plot(scores, title="Scores").svg
    assert scores.plot("queries").svg == sm.plot(scores, "queries").svg
    with pytest.raises(sm.InputError, match="Gate has no chart"):
        sm.gate(scores, fail_under={"RR": 0.1}).plot()
