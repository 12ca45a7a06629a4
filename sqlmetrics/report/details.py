"""Details: the best run and the baseline, scores of every query, lines and segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from . import charts
from .axes import Axis, Pair, tone
from .facts import Extras, Facts, Scored
from .layout import (
    DASH,
    card,
    count,
    find_slope,
    has_choice,
    join_names,
    name_run,
    section,
    show_score,
    write_mark,
    write_table,
)
from .markup import Markup, element, join
from .slopes import MOST_LINES, draw_slope

_MOST_SEGMENTS = 50


# The best run and the baseline


def write_comparison(facts: Facts) -> Markup | None:
    if facts.chosen is None or facts.baseline is None:
        return None
    metric, chosen = facts.first.name, facts.chosen
    digits = facts.digits[metric]
    pairs = facts.list_pairs(metric, chosen)
    options = [
        element(
            "option", facts.shorten(run, 40), value=facts.runs.index(run), selected=run == chosen
        )
        for run in facts.others
    ]
    choice = element(
        "label", "Compare ", element("select", *options, id="choice"), class_="choice", hidden=True
    )
    heads = [(run, facts.shorten(run, 22)) for run in (facts.baseline, chosen)]
    slope = draw_slope(find_slope(facts), pairs, facts.queries, heads, digits)
    gains = charts.draw_gains(
        pairs, facts.queries, f"Gains and losses of queries in {metric}", digits
    )
    few = f", the {MOST_LINES} that changed most" if len(pairs) > MOST_LINES else ""
    return element(
        "section",
        element(
            "div",
            element(
                "h2",
                "Where ",
                element("span", chosen, class_="chosen"),
                f" differs from {facts.baseline}",
            ),
            choice if has_choice(facts) else None,
            class_="heading",
        ),
        element(
            "div",
            card(f"{metric} of each query{few}", slope),
            card(f"Differences in {metric}, sorted", gains, _count_outcomes(pairs)),
            class_="grid",
        ),
        id="comparison",
    )


def _count_outcomes(pairs: Sequence[Pair]) -> str:
    kinds = [tone(after - before) for _, before, after in pairs]
    counts = [("up", "gain"), ("tie", "tie"), ("down", "loss")]
    texts = []
    for kind, word in counts:
        number = kinds.count(kind)
        many = "losses" if word == "loss" else f"{word}s"
        texts.append(f"{number:,} {word if number == 1 else many}")
    return ", ".join(texts)


# Scores of every query


def write_strips(facts: Facts, classes: dict[str, str]) -> Markup | None:
    """A row of dots for each run, or of one run for each metric."""
    if len(facts.queries) < 2:
        return None
    first = facts.first.name
    if len(facts.runs) == 1:
        run = facts.runs[0]
        ranges = {
            m.name: [x for x in facts.scores[m.name, run] if x is not None] for m in facts.measures
        }
        inside = [
            name for name, known in ranges.items() if known and min(known) >= 0 and max(known) <= 1
        ]
        keys = [(name, run, name) for name in inside or [first]]
        title = "Scores of every query"
    else:
        keys = [(first, run, run) for run in facts.runs]
        title = f"{first} of every query"
    kept = [[x for x in facts.scores[metric, run] if x is not None] for metric, run, _ in keys]
    axis = Axis.over((x for known in kept for x in known), 5)
    rows = []
    for (metric, run, name), known in zip(keys, kept, strict=True):
        mean = facts.means[metric, run]
        is_mean = next(m for m in facts.measures if m.name == metric).summary == "mean"
        label = f"{name}: {count(len(known), 'query')}, mean {show_score(facts, metric, mean)}"
        chart = charts.draw_strip(axis, known, mean if is_mean else None, label)
        rows.append(
            element(
                "div",
                element("span", facts.shorten(name, 20), class_="label", title=name),
                chart,
                class_=f"strip {classes[run]}",
                data_run=facts.runs.index(run) if metric == first else None,
            )
        )
    rows.append(
        element("div", element("span", class_="label"), charts.draw_ticks(axis), class_="strip")
    )
    what = "A dot is a query" if len(facts.queries) <= charts.MOST_DOTS else "Bars count queries"
    return section(
        title,
        element(
            "figure",
            element(
                "figcaption", element("span", f"{what}; the line is the mean.", class_="caption")
            ),
            *rows,
            class_="strips",
            data_low=axis.low if axis.low else "0",
            data_high=f"{axis.high:g}",
        ),
    )


# Lines over recall and cut-offs


def write_lines(facts: Facts, extras: Extras, classes: dict[str, str]) -> Markup | None:
    cards = []
    if extras.curve is not None:
        points = {
            run: extras.curve.filter(pl.col("run_id") == run)
            .sort("recall")
            .select("recall", "precision")
            .rows()
            for run in facts.runs
        }
        names = [(x / 4, f"{x / 4:g}") for x in range(5)]
        label = "Precision over recall"
        chart = charts.draw_lines(points, classes, label, names, "recall")
        cards.append(card(label, chart, "interpolated, mean of the queries"))
    if extras.cutoffs is not None and extras.cutoffs.width > 2:
        columns = [column for column in extras.cutoffs.columns if column != "run_id"]
        steps = len(columns) - 1
        scores = {row["run_id"]: row for row in extras.cutoffs.iter_rows(named=True)}
        points = {
            run: [(n / steps, scores[run][column]) for n, column in enumerate(columns)]
            for run in facts.runs
        }
        names = [(n / steps, column) for n, column in enumerate(columns)]
        label = f"{extras.cutoff_name} by cut-off"
        chart = charts.draw_lines(points, classes, label, names, "cut-off", dots=True)
        cards.append(card(label, chart))
    if not cards:
        return None
    legend = [
        element("li", facts.shorten(run, 28), class_=classes[run], title=run) for run in facts.runs
    ]
    return section(
        "By rank",
        element("ul", *legend, class_="legend") if len(legend) > 1 else None,
        element("div", *cards, class_="grid"),
        class_="lines",
    )


# Segments


def write_segments(scores: Scored, facts: Facts) -> Markup | None:
    if facts.segments is None:
        return None
    keys = [*scores.segments]
    sizes = facts.segments.group_by(keys, maintain_order=True).agg(queries=pl.col("_queries").max())
    kept = sizes.sort("queries", descending=True, maintain_order=True).head(_MOST_SEGMENTS)
    listed = sizes.join(kept.select(keys), on=keys, how="semi", nulls_equal=True)
    found = {
        (row["run_id"], *(row[key] for key in keys)): row
        for row in facts.segments.iter_rows(named=True)
    }
    tables = [
        _write_segment_table(facts, measure.name, keys, listed, found) for measure in facts.measures
    ]
    few = None
    if sizes.height > listed.height:
        few = f"The {listed.height} largest of {sizes.height:,} segments."
    others = [m.name for m in facts.measures[1:]]
    more = [join(element("h3", n), t) for n, t in zip(others, tables[1:], strict=True)]
    return section(
        f"{facts.first.name} by {join_names(keys)}",
        element("p", few, class_="note") if few else None,
        tables[0],
        element(
            "p", f"▲▼: significantly different from {facts.baseline} in the segment.", class_="note"
        )
        if facts.parts
        else None,
        element("details", element("summary", f"{join_names(others)} by {join_names(keys)}"), *more)
        if more
        else None,
        class_="segmented",
    )


def _write_segment_table(
    facts: Facts,
    metric: str,
    keys: Sequence[str],
    listed: pl.DataFrame,
    found: dict[tuple[Any, ...], dict[str, Any]],
) -> Markup:
    rows = []
    for *values, number in listed.iter_rows():
        cells = [element("th", DASH if v is None else v, scope="row") for v in values]
        cells.append(element("td", f"{number:,}", class_="soft"))
        for run in facts.runs:
            row = found.get((run, *values))
            mark = write_mark(facts.parts.get((metric, run, *values)))
            cells.append(
                element("td", show_score(facts, metric, row[metric] if row else None), mark)
            )
        rows.append(element("tr", *cells))
    head = [
        *(element("th", key, scope="col", class_="text") for key in keys),
        "queries",
        *(element("th", name_run(facts, run), scope="col", class_="marked") for run in facts.runs),
    ]
    return write_table(head, rows, class_="segments")
