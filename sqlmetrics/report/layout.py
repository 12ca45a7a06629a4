"""Layout: what sections share, as elements and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from . import charts
from .axes import show
from .facts import Facts
from .markup import Markup, element
from .slopes import Slope

DASH = "\N{EN DASH}"
# Metrics in the table of queries, and scores that a page holds for the choice of another run.
MOST_METRICS, _MOST_SCORES = 3, 30_000


def section(title: str | None, *children: object, **attributes: object) -> Markup:
    return element("section", element("h2", title) if title else None, *children, **attributes)


def card(title: str, chart: object, caption: str | None = None) -> Markup:
    return element(
        "figure",
        element(
            "figcaption",
            element("b", title),
            element("span", caption, class_="caption") if caption else None,
        ),
        chart,
    )


def write_table(head: Iterable[object], rows: Sequence[object], **attributes: object) -> Markup:
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


def count(number: int, word: str) -> str:
    many = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number:,} {word if number == 1 else many}"


def join_names(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def show_score(facts: Facts, metric: str, value: float | None) -> str:
    return DASH if value is None else show(value, facts.digits[metric])


def name_run(facts: Facts, run: str) -> Markup:
    short = facts.shorten(run, 26)
    return element("span", short, class_="name", title=None if short == run else run)


def write_mark(row: dict[str, Any] | None) -> Markup:
    """▲ or ▼ where a difference is significant, and as much room where it is not."""
    if not row or not row["significant"]:
        return element("i")
    is_gain = row["difference"] > 0
    return element("i", "▲" if is_gain else "▼", class_="up" if is_gain else "down")


def find_slope(facts: Facts) -> Slope:
    name = facts.first.name
    known = (x for run in facts.runs for x in facts.scores[name, run] if x is not None)
    return Slope.of(known, facts.queries)


def has_choice(facts: Facts) -> bool:
    number = len(facts.queries) * len(facts.runs) * min(len(facts.measures), MOST_METRICS)
    return (
        len(facts.others) > 1
        and facts.baseline is not None
        and len(facts.queries) <= charts.MOST_BARS
        and number <= _MOST_SCORES
    )
