"""The page: the sections of a report, one file with all that it needs."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from . import charts
from .details import write_comparison, write_lines, write_segments, write_strips
from .facts import Extras, Facts, Scored
from .layout import MOST_METRICS, count, find_slope, has_choice
from .markup import Markup, element, shorten
from .origin import write_origin
from .overview import write_notes, write_overview
from .queries import write_queries
from .slopes import NAME_WIDTH


def write_page(scores: Scored, facts: Facts, extras: Extras, title: str | None = None) -> str:
    """The whole page, as HTML."""
    name = title or name_page(facts)
    classes = _choose_classes(facts)
    sections = [
        _write_head(name, facts, extras),
        write_overview(facts),
        write_notes(scores, facts, extras),
        write_comparison(facts),
        write_strips(facts, classes),
        write_lines(facts, extras, classes),
        write_segments(scores, facts),
        write_queries(facts),
        write_origin(scores, extras),
    ]
    files = resources.files(__package__)
    style, script = ((files / each).read_text("utf-8") for each in ("style.css", "script.js"))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", name),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element("main", *sections),
        element("script", _write_data(facts), id="data", type="application/json"),
        element("script", Markup(script)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def name_page(facts: Facts) -> str:
    if len(facts.runs) == 1:
        return facts.runs[0]
    if len(facts.runs) == 2 and facts.baseline:
        return f"{facts.chosen} against {facts.baseline}"
    if facts.baseline:
        return f"{len(facts.others)} runs against {facts.baseline} by {facts.first.name}"
    return f"{len(facts.runs)} runs by {facts.first.name}"


def _choose_classes(facts: Facts) -> dict[str, str]:
    """The class of each run, which is its colour: grey for the baseline."""
    numbers = {run: n for n, run in enumerate(facts.others)}
    return {
        run: "base"
        if run == facts.baseline
        else f"c{numbers[run] % 10}" + " again" * (numbers[run] > 9)
        for run in facts.runs
    }


def _write_head(title: str, facts: Facts, extras: Extras) -> Markup:
    parts = [
        count(len(facts.runs), "run"),
        count(len(facts.queries), "judged query"),
        count(len(facts.measures), "metric"),
    ]
    if extras.judged:
        low, high = min(extras.judged.values()), max(extras.judged.values())
        share = f"{low:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"
        parts.append(f"{share} of the first 10 documents judged")
    return element("header", element("h1", title), element("p", " · ".join(parts), class_="lead"))


def _write_data(facts: Facts) -> Markup:
    """The scores, for the choice of a run and for the names of dots, as JSON."""
    metrics = [m.name for m in facts.measures][: MOST_METRICS if has_choice(facts) else 1]
    data: dict[str, Any] = {}
    if has_choice(facts) or len(facts.queries) <= charts.MOST_DOTS:
        data = {
            "queries": facts.queries,
            "short": {
                n: short
                for n, query in enumerate(facts.queries)
                if (short := shorten(query, NAME_WIDTH)) != query
            },
            "runs": facts.runs,
            "scores": [
                [
                    [None if x is None else round(x, 5) for x in facts.scores[m, run]]
                    for run in facts.runs
                ]
                for m in metrics
            ],
        }
    if has_choice(facts):
        slope = find_slope(facts)
        pairs = {run: facts.list_pairs(metrics[0], run) for run in facts.others}
        axes = {run: charts.find_gains_axis(pairs[run]) for run in facts.others}
        number = facts.runs.index
        data |= {
            "baseline": number(str(facts.baseline)),
            "digits": [facts.digits[m] for m in metrics],
            "heads": [facts.shorten(run, 22) for run in facts.runs],
            "columns": [facts.shorten(run, 16) for run in facts.runs],
            "slope": [slope.axis.low, slope.axis.high, slope.right],
            "named": {
                number(run): [[n, round(y, 1)] for n, y in slope.name_most(pairs[run])]
                for run in facts.others
            },
            "gains": {number(run): axes[run].ticks for run in facts.others},
            "labels": len(facts.labels),
        }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))
