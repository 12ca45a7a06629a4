"""Overview: the means and differences of runs, and the notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..result import show_level, show_p
from . import charts
from .axes import Axis, sign, tone
from .facts import Extras, Facts, Scored
from .layout import (
    DASH,
    find_slope,
    join_names,
    name_run,
    section,
    show_score,
    write_mark,
    write_table,
)
from .markup import Markup, element, join


def write_overview(facts: Facts) -> Markup:
    if facts.comparison is None:
        return section(None, _write_means(facts))
    first, *others = [m.name for m in facts.measures]
    baseline = element("p", f"{facts.why_baseline}.", class_="note")
    method = element("p", facts.comparison.method, class_="note")
    if detectable := _describe_detectable(facts):
        method = join(method, element("p", detectable, class_="note"))
    more = [join(element("h3", name), _write_tests(facts, name)) for name in others]
    return section(
        None,
        baseline,
        _write_tests(facts, first),
        _write_others(facts, others) if others else None,
        method,
        element(
            "details",
            element("summary", f"Differences by {join_names(others)}"),
            *more,
        )
        if more
        else None,
        class_="overview",
    )


def _describe_detectable(facts: Facts) -> str | None:
    row = facts.tests.get((facts.first.name, str(facts.chosen)), {})
    found = row.get("detectable")
    axis = find_slope(facts).axis
    if found is None or found > axis.high - axis.low:
        return None
    return (
        f"With this many queries, a difference in {facts.first.name} of {found:.2f} between "
        f"{facts.chosen} and {facts.baseline} would be found four times out of five, at "
        f"{show_level(row['confidence'])} confidence."
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
            element("th", name_run(facts, run), scope="row"): [(name, run) for name in names]
            for run in facts.runs
        }
    lines = [
        element(
            "tr",
            start,
            *(element("td", show_score(facts, key[0], facts.means[key])) for key in keys),
        )
        for start, keys in rows.items()
    ]
    return write_table(head, lines, class_=class_)


def _write_others(facts: Facts, metrics: Sequence[str]) -> Markup:
    """A row for each run: its means by other metrics, which wrap where the page is narrow."""
    rows = [
        element(
            "tr",
            element("th", name_run(facts, run), scope="row"),
            *(
                element(
                    "td",
                    show_score(facts, name, facts.means[name, run]),
                    write_mark(facts.tests.get((name, run))),
                    data_label=name,
                )
                for name in metrics
            ),
            class_="base" if run == facts.baseline else None,
        )
        for run in facts.runs
    ]
    return write_table(["run", *metrics], rows, class_="wrapped")


def _write_tests(facts: Facts, metric: str) -> Markup:
    """A row for each run: its mean, and the difference from the baseline."""
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
    tests = facts.comparison.tests.filter(metric=metric)
    levels = {show_level(level) for level in tests["confidence"]}
    interval = f"{min(levels)} interval" if len(levels) == 1 else "interval"
    rows = [
        _write_test(facts, metric, run, found[run], axis, is_same=len(levels) == 1)
        for run in facts.runs
    ]
    blank = element("td")
    rows.append(
        element(
            "tr",
            *[blank] * 3,
            element("td", charts.draw_ticks(axis, signed=True), class_="bar"),
            *[blank] * 2,
            class_="ticks",
        )
    )
    head = [
        "run",
        metric,
        element("th", "difference", scope="col", class_="marked"),
        element("th", interval, scope="col", class_="bar"),
        element("th", "wins/ties/", element("wbr"), "losses", scope="col"),
        element("th", "p" if _is_uncorrected(found.values()) else "p corrected", scope="col"),
    ]
    return write_table(head, rows, class_="tests")


def _is_uncorrected(rows: Iterable[dict[str, Any] | None]) -> bool:
    return all(row is None or row["p"] == row["p_corrected"] for row in rows)


def _write_test(
    facts: Facts, metric: str, run: str, row: dict[str, Any] | None, axis: Axis, *, is_same: bool
) -> Markup:
    score = show_score(facts, metric, facts.means[metric, run])
    mean = element("td", score, class_="strong", data_label=metric)
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
            element(
                "td",
                sign(row["difference"]),
                write_mark(row),
                class_=kind,
                data_label="difference",
            ),
            element("td", bar, _write_interval(row, is_same=is_same), class_="bar"),
            element(
                "td",
                f"{row['wins']}/{row['ties']}/{row['losses']}",
                class_="soft",
                data_label="wins/ties/losses",
            ),
            element(
                "td",
                show_p(row["p_corrected"]) or DASH,
                title=title,
                class_="soft",
                data_label="p",
            ),
        ]
    return element(
        "tr",
        element("th", name_run(facts, run), scope="row"),
        mean,
        *cells,
        class_="base" if row is None else None,
    )


def _write_interval(row: dict[str, Any], *, is_same: bool) -> Markup | None:
    """The ends of the interval, and its confidence where it is not that of the other rows."""
    if row["low"] is None:
        return None
    level = "" if is_same else f" ({show_level(row['confidence'])})"
    return element("span", f"{sign(row['low'])} to {sign(row['high'])}{level}", class_="ends")


# Notes


def write_notes(scores: Scored, facts: Facts, extras: Extras) -> Markup | None:
    notes = [*scores.notes, *facts.notes, *extras.notes]
    findings = [] if extras.findings is None else [*extras.findings.iter_rows(named=True)]
    if not notes and not findings:
        return None
    items = [element("li", note) for note in dict.fromkeys(notes)]
    items += [_write_finding(found) for found in findings]
    return section("Notes", element("ul", *items), class_="notes")


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
