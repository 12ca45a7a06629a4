"""The page: the sections of a report, one file with all that it needs."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Sequence
from importlib import metadata, resources
from typing import Any

import duckdb
import polars as pl

from ..catalogue.conventions import Conventions
from ..comparing import show_p
from . import charts
from .charts import Axis, Slope, sign, tone
from .facts import Extras, Facts, Scored
from .markup import Markup, element, join, shorten

# Queries in the table, if there are more than 1,000; metrics in it; segments; rows of other kinds.
_MANY, _MOST_QUERIES, _MOST_METRICS, _MOST_SEGMENTS = 1000, 500, 3, 50
# Scores that a page holds for the choice of another run.
_MOST_SCORES = 30_000
_DASH = "\N{EN DASH}"
# A line before the columns of each metric.
_RULE = (
    "#queries tr > :nth-child(3n+{}):not(.group[colspan]) {{ border-left: 1px solid var(--line) }}"
)


def write_page(scores: Scored, facts: Facts, extras: Extras, title: str | None = None) -> str:
    """The whole page, as HTML."""
    name = title or name_page(facts)
    classes = _choose_classes(facts)
    sections = [
        _write_head(name, facts, extras),
        _write_overview(facts),
        _write_notes(scores, facts, extras),
        _write_comparison(facts),
        _write_strips(facts, classes),
        _write_lines(facts, extras, classes),
        _write_segments(scores, facts),
        _write_queries(facts),
        _write_origin(scores, extras),
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
        return f"{facts.chosen} and {facts.baseline}"
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


def _section(title: str | None, *children: object, **attributes: object) -> Markup:
    return element("section", element("h2", title) if title else None, *children, **attributes)


def _count(number: int, word: str) -> str:
    many = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number:,} {word if number == 1 else many}"


def _show(facts: Facts, metric: str, value: float | None) -> str:
    return _DASH if value is None else charts.show(value, facts.digits[metric])


def _name_run(facts: Facts, run: str) -> Markup:
    short = facts.shorten(run, 26)
    return element("span", short, class_="name", title=None if short == run else run)


# Head


def _write_head(title: str, facts: Facts, extras: Extras) -> Markup:
    parts = [
        _count(len(facts.runs), "run"),
        _count(len(facts.queries), "judged query"),
        _count(len(facts.measures), "metric"),
    ]
    if extras.judged:
        low, high = min(extras.judged.values()), max(extras.judged.values())
        share = f"{low:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"
        parts.append(f"{share} of the first 10 documents judged")
    return element("header", element("h1", title), element("p", " · ".join(parts), class_="lead"))


# Overview


def _write_overview(facts: Facts) -> Markup:
    if facts.comparison is None:
        return _section(None, _write_means(facts))
    first, *others = [m.name for m in facts.measures]
    method = element("p", facts.comparison.method, class_="note")
    if detectable := _describe_detectable(facts):
        method = join(method, element("p", detectable, class_="note"))
    more = [join(element("h3", name), _write_tests(facts, name, ())) for name in others]
    return _section(
        None,
        _write_tests(facts, first, others),
        method,
        element(
            "details",
            element("summary", f"Differences by {_list(others)}"),
            *more,
        )
        if more
        else None,
        class_="overview",
    )


def _list(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _describe_detectable(facts: Facts) -> str | None:
    found = facts.tests.get((facts.first.name, str(facts.chosen)), {}).get("detectable")
    axis = _find_slope(facts).axis
    if found is None or found > axis.high - axis.low:
        return None
    return (
        f"With this many queries, a difference in {facts.first.name} of {found:.2f} between "
        f"{facts.chosen} and {facts.baseline} would be found four times out of five."
    )


def _write_means(facts: Facts) -> Markup:
    """The means alone; of one run, a row for each metric."""
    names = [m.name for m in facts.measures]
    if len(facts.runs) == 1:
        head, class_ = ["metric", "score"], "means narrow"
        rows = {element("th", name, scope="row"): [(name, facts.runs[0])] for name in names}
    else:
        head, class_ = ["run", *names], "means"
        rows = {
            element("th", _name_run(facts, run), scope="row"): [(name, run) for name in names]
            for run in facts.runs
        }
    lines = [
        element(
            "tr", start, *(element("td", _show(facts, key[0], facts.means[key])) for key in keys)
        )
        for start, keys in rows.items()
    ]
    return _write_table(head, lines, class_=class_)


def _write_table(head: Iterable[object], rows: Sequence[object], **attributes: object) -> Markup:
    cells = [
        each if isinstance(each, Markup) else element("th", each, scope="col") for each in head
    ]
    table = element(
        "table",
        element("thead", element("tr", *cells)),
        element("tbody", *rows),
        **attributes,
    )
    return element("div", table, class_="wide")


def _write_tests(facts: Facts, metric: str, others: Sequence[str]) -> Markup:
    """A row for each run: its mean, the difference from the baseline, then ``others``."""
    found = {run: facts.tests.get((metric, run)) for run in facts.runs}
    ends = [
        row[key]
        for row in found.values()
        if row
        for key in ("low", "difference", "high")
        if row[key] is not None
    ]
    axis = Axis.over(ends, 4)
    assert facts.comparison is not None  # noqa: S101
    level = round(100 * (1 - facts.comparison.alpha), 10)
    rows = [_write_test(facts, metric, others, run, found[run], axis) for run in facts.runs]
    blank = element("td")
    rows.append(
        element(
            "tr",
            *[blank] * 3,
            element("td", charts.draw_ticks(axis, signed=True), class_="bar"),
            *[blank] * (2 + len(others)),
            class_="ticks",
        )
    )
    head = [
        "run",
        metric,
        element("th", "difference", scope="col", class_="marked"),
        element("th", f"{level:g}% interval", scope="col", class_="bar"),
        element("th", "wins/ties/", element("wbr"), "losses", scope="col"),
        element("th", "p" if _is_uncorrected(found.values()) else "p corrected", scope="col"),
        *(element("th", name, scope="col", class_="marked") for name in others),
    ]
    return _write_table(head, rows, class_="tests")


def _is_uncorrected(rows: Iterable[dict[str, Any] | None]) -> bool:
    return all(row is None or row["p"] == row["p_corrected"] for row in rows)


def _write_test(
    facts: Facts,
    metric: str,
    others: Sequence[str],
    run: str,
    row: dict[str, Any] | None,
    axis: Axis,
) -> Markup:
    mean = element("td", _show(facts, metric, facts.means[metric, run]), class_="strong")
    if row is None:
        bar = charts.draw_interval(axis, None, 0.0, None, "base")
        blank = element("td")
        cells = [
            element("td", "baseline", element("i"), class_="soft"),
            element("td", bar, class_="bar"),
            blank,
            blank,
        ]
    else:
        kind = tone(row["difference"]) if row["significant"] else "tie"
        bar = charts.draw_interval(axis, row["low"], row["difference"], row["high"], kind)
        title = None if row["p"] == row["p_corrected"] else f"not corrected: {show_p(row['p'])}"
        cells = [
            element("td", sign(row["difference"]), _mark(row), class_=kind),
            element("td", bar, class_="bar"),
            element("td", f"{row['wins']}/{row['ties']}/{row['losses']}", class_="soft"),
            element("td", show_p(row["p_corrected"]) or _DASH, title=title, class_="soft"),
        ]
    for name in others:
        test = facts.tests.get((name, run))
        cells.append(element("td", _show(facts, name, facts.means[name, run]), _mark(test)))
    return element(
        "tr",
        element("th", _name_run(facts, run), scope="row"),
        mean,
        *cells,
        class_="base" if row is None else None,
    )


def _mark(row: dict[str, Any] | None) -> Markup:
    """▲ or ▼ where a difference is significant, and as much room where it is not."""
    if not row or not row["significant"]:
        return element("i")
    is_gain = row["difference"] > 0
    return element("i", "▲" if is_gain else "▼", class_="up" if is_gain else "down")


# Notes


def _write_notes(scores: Scored, facts: Facts, extras: Extras) -> Markup | None:
    notes = [*scores.notes, *facts.notes, *extras.notes]
    findings = [] if extras.findings is None else [*extras.findings.iter_rows(named=True)]
    if not notes and not findings:
        return None
    items = [element("li", note) for note in dict.fromkeys(notes)]
    items += [_write_finding(found) for found in findings]
    return _section("Notes", element("ul", *items), class_="notes")


def _write_finding(found: dict[str, Any]) -> Markup:
    examples = found["examples"].splitlines()
    left = found["number"] - len(examples)
    listed = [element("li", each) for each in examples]
    listed += [element("li", f"and {left:,} more")] if left > 0 else []
    place = f"{found['input'].rpartition('/')[2]}: " if found["input"] else ""
    return element(
        "li",
        element("b", "error: ") if found["severity"] == "error" else None,
        place,
        found["meaning"],
        element(
            "details",
            element("summary", f"{found['check']}, {found['number']:,}"),
            element("ul", *listed),
        ),
    )


# The best run and the baseline


def _write_comparison(facts: Facts) -> Markup | None:
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
    slope = charts.draw_slope(_find_slope(facts), pairs, facts.queries, heads, digits)
    gains = charts.draw_gains(
        pairs, facts.queries, f"Gains and losses of queries in {metric}", digits
    )
    few = f", the {charts.MOST_LINES} that moved most" if len(pairs) > charts.MOST_LINES else ""
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
            choice if _has_choice(facts) else None,
            class_="heading",
        ),
        element(
            "div",
            _card(f"{metric} of each query{few}", slope),
            _card(f"Differences in {metric}, sorted", gains, _count_outcomes(pairs)),
            class_="grid",
        ),
        id="comparison",
    )


def _find_slope(facts: Facts) -> Slope:
    name = facts.first.name
    known = (x for run in facts.runs for x in facts.scores[name, run] if x is not None)
    return Slope.of(known, facts.queries)


def _count_outcomes(pairs: Sequence[charts.Pair]) -> str:
    kinds = [tone(after - before) for _, before, after in pairs]
    counts = [("up", "gain"), ("tie", "tie"), ("down", "loss")]
    texts = []
    for kind, word in counts:
        number = kinds.count(kind)
        many = "losses" if word == "loss" else f"{word}s"
        texts.append(f"{number:,} {word if number == 1 else many}")
    return ", ".join(texts)


def _card(title: str, chart: object, caption: str | None = None) -> Markup:
    return element(
        "figure",
        element(
            "figcaption",
            element("b", title),
            element("span", caption, class_="caption") if caption else None,
        ),
        chart,
    )


def _has_choice(facts: Facts) -> bool:
    number = len(facts.queries) * len(facts.runs) * min(len(facts.measures), _MOST_METRICS)
    return (
        len(facts.others) > 1
        and facts.baseline is not None
        and len(facts.queries) <= charts.MOST_BARS
        and number <= _MOST_SCORES
    )


# Scores of every query


def _write_strips(facts: Facts, classes: dict[str, str]) -> Markup | None:
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
        label = f"{name}: {_count(len(known), 'query')}, mean {_show(facts, metric, mean)}"
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
    return _section(
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


def _write_lines(facts: Facts, extras: Extras, classes: dict[str, str]) -> Markup | None:
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
        cards.append(_card(label, chart, "interpolated, mean of the queries"))
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
        cards.append(_card(label, chart))
    if not cards:
        return None
    legend = [
        element("li", facts.shorten(run, 28), class_=classes[run], title=run) for run in facts.runs
    ]
    return _section(
        "By rank",
        element("ul", *legend, class_="legend") if len(legend) > 1 else None,
        element("div", *cards, class_="grid"),
        class_="lines",
    )


# Segments


def _write_segments(scores: Scored, facts: Facts) -> Markup | None:
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
    return _section(
        f"{facts.first.name} by {_list(keys)}",
        element("p", few, class_="note") if few else None,
        tables[0],
        element(
            "p", f"▲▼: significantly different from {facts.baseline} in the segment.", class_="note"
        )
        if facts.parts
        else None,
        element("details", element("summary", f"{_list(others)} by {_list(keys)}"), *more)
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
        cells = [element("th", _DASH if v is None else v, scope="row") for v in values]
        cells.append(element("td", f"{number:,}", class_="soft"))
        for run in facts.runs:
            row = found.get((run, *values))
            mark = _mark(facts.parts.get((metric, run, *values)))
            cells.append(element("td", _show(facts, metric, row[metric] if row else None), mark))
        rows.append(element("tr", *cells))
    head = [
        *(element("th", key, scope="col", class_="text") for key in keys),
        "queries",
        *(element("th", _name_run(facts, run), scope="col", class_="marked") for run in facts.runs),
    ]
    return _write_table(head, rows, class_="segments")


# Queries


def _write_queries(facts: Facts) -> Markup:
    metrics = [m.name for m in facts.measures]
    columns: list[tuple[str, str]]  # metric and run
    chosen, base = facts.chosen, facts.baseline
    is_pair = chosen is not None and base is not None
    if is_pair:
        metrics = metrics[:_MOST_METRICS]
        columns = [(metric, str(run)) for metric in metrics for run in (base, chosen)]
    elif len(facts.runs) == 1:
        metrics = metrics[:8]
        columns = [(metric, facts.runs[0]) for metric in metrics]
    else:
        columns = [(facts.first.name, run) for run in facts.runs[:10]]
        metrics = metrics[:1]
    order = _order_queries(facts, columns, is_pair=is_pair)
    remarks = []
    if len(order) > _MANY:
        order = order[:_MOST_QUERIES]
        kind = "that changed most" if is_pair else "with the lowest scores"
        remarks.append(f"The {len(order)} queries {kind}, of {len(facts.queries):,}.")
        if is_pair:  # shown by difference, as it says
            order.sort(key=lambda n: _subtract(facts, columns, n))
    if len(metrics) < len(facts.measures):
        remarks.append(f"Scores by {_list(metrics)}.")
    rows = []
    for number in order:
        cells = [element("th", facts.queries[number], scope="row")]
        cells += [element("td", labels[number], class_="text") for labels in facts.labels.values()]
        for place, (metric, run) in enumerate(columns):
            cells.append(element("td", _show(facts, metric, facts.scores[metric, run][number])))
            if is_pair and place % 2:
                before, after = (facts.scores[c][number] for c in columns[place - 1 : place + 1])
                if before is None or after is None:
                    cells.append(element("td", _DASH))
                else:
                    kind = tone(after - before)
                    class_ = None if kind == "tie" else kind
                    cells.append(
                        element("td", sign(after - before, facts.digits[metric]), class_=class_)
                    )
        rows.append(element("tr", *cells, data_q=number if _has_choice(facts) else None))
    search = element(
        "label",
        element("output", id="found", aria_live="polite"),
        " Find ",
        element("input", id="find", type="search", placeholder="query", autocomplete="off"),
        class_="choice",
        hidden=True,
    )
    table = element(
        "table",
        element("thead", *_write_query_heads(facts, metrics, columns, is_pair=is_pair)),
        element("tbody", *rows),
        id="queries",
    )
    return element(
        "section",
        element("div", element("h2", "Queries"), search, class_="heading"),
        element("p", " ".join(remarks), class_="note") if remarks else None,
        element("style", Markup(_RULE.format(len(facts.labels) + 2))) if is_pair else None,
        element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Queries"),
    )


def _subtract(facts: Facts, columns: Sequence[tuple[str, str]], number: int) -> float:
    before, after = facts.scores[columns[0]][number], facts.scores[columns[1]][number]
    return 0.0 if before is None or after is None else after - before


def _order_queries(facts: Facts, columns: Sequence[tuple[str, str]], *, is_pair: bool) -> list[int]:
    """The largest losses first, or the lowest scores; of many queries the largest differences."""
    numbers = [*range(len(facts.queries))]
    if not is_pair:
        return sorted(numbers, key=lambda n: facts.scores[columns[0]][n] or 0)
    if len(numbers) > _MANY:
        return sorted(numbers, key=lambda n: -abs(_subtract(facts, columns, n)))
    return sorted(numbers, key=lambda n: _subtract(facts, columns, n))


def _write_query_heads(
    facts: Facts, metrics: Sequence[str], columns: Sequence[tuple[str, str]], *, is_pair: bool
) -> list[Markup]:
    def head(name: str, sorts: str = "none", **attributes: object) -> Markup:
        button = element("button", facts.shorten(name, 16), type="button", title=name)
        return element("th", button, scope="col", aria_sort=sorts, **attributes)

    start = [head("query"), *(head(column, class_="text") for column in facts.labels)]
    if not is_pair:
        names = [m for m, _ in columns] if len(facts.runs) == 1 else [r for _, r in columns]
        return [
            element(
                "tr", *start, *(head(n, "none" if p else "ascending") for p, n in enumerate(names))
            )
        ]
    groups = [
        element("th", metric, scope="colgroup", colspan=3, class_="group") for metric in metrics
    ]
    cells = []
    for place, _ in enumerate(metrics):
        cells += [
            head(str(facts.baseline), class_="group"),
            head(str(facts.chosen), class_="after"),
            head("difference", "none" if place else "ascending"),
        ]
    blank = element("td", colspan=len(start))
    return [element("tr", blank, *groups), element("tr", *start, *cells)]


# Where it comes from


def _write_origin(scores: Scored, extras: Extras) -> Markup:
    versions = {
        "sqlmetrics": _find_version(),
        "DuckDB": duckdb.__version__,
        "polars": pl.__version__,
        "Python": platform.python_version(),
    }
    rows = [("Versions", ", ".join(f"{name} {version}" for name, version in versions.items()))]
    if extras.conventions is not None:
        rows.insert(0, ("Conventions", describe_conventions(extras.conventions)))
    if extras.made_by:
        rows.append(("Made by", element("code", extras.made_by)))
    facts = [join(element("dt", name), element("dd", text)) for name, text in rows]
    return _section(
        "How these scores were made",
        element("dl", *facts),
        element(
            "details",
            element("summary", "The SQL statement"),
            element("pre", element("code", scores.sql)),
        )
        if scores.sql
        else None,
        class_="origin",
    )


def _find_version() -> str:
    try:
        return metadata.version("sqlmetrics")
    except metadata.PackageNotFoundError:
        return "unknown"


def describe_conventions(conventions: Conventions) -> str:
    """The conventions, in words.

    >>> describe_conventions(Conventions(depth=100))[:62]
    'Documents of the same score are ranked by id, descending; only'
    """
    ties = {
        "descending": "are ranked by id, descending",
        "ascending": "are ranked by id, ascending",
        "input": "are ranked as in the input",
        "rank": "are ranked by the column rank",
        "best": "are ranked with the relevant ones first",
        "worst": "are ranked with the relevant ones last",
        "expected": "are in any order, and scores the expected ones",
    }
    parts = [f"Documents of the same score {ties[conventions.ties]}"]
    if conventions.score_type == "float32":
        parts.append("scores are compared as 32-bit numbers")
    if conventions.depth is not None:
        parts.append(f"only the first {conventions.depth} of each query are ranked")
    judged = "left out of the ranking" if conventions.judged_only else "not relevant"
    parts.append(f"unjudged documents are {judged}")
    parts.append(f"a document is relevant from relevance {conventions.relevant_from:g}")
    counted = {
        "judged": "every judged query",
        "answered": "queries that the run answers",
        "relevant": "queries with something relevant",
    }
    kinds = [counted[each] for each in conventions.queries]
    parts.append(f"{' and '.join(kinds)} count{'s' if kinds == [counted['judged']] else ''}")
    if conventions.no_relevant:
        parts.append(f"a query with nothing relevant scores {conventions.no_relevant:g}")
    others = [f"{name}={value}" for name, value in conventions.parameters if name != "rel"]
    if others:
        parts.append(f"metrics have {', '.join(others)}")
    return "; ".join(parts) + "."


# What the script needs


def _write_data(facts: Facts) -> Markup:
    """The scores, for the choice of a run and for the names of dots, as JSON."""
    metrics = [m.name for m in facts.measures][: _MOST_METRICS if _has_choice(facts) else 1]
    data: dict[str, Any] = {}
    if _has_choice(facts) or len(facts.queries) <= charts.MOST_DOTS:
        data = {
            "queries": facts.queries,
            "short": {
                n: short
                for n, query in enumerate(facts.queries)
                if (short := shorten(query, charts.NAME_WIDTH)) != query
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
    if _has_choice(facts):
        slope = _find_slope(facts)
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
