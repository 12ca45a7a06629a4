"""Findings: a frame of tests, and a table of it for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import inf

import polars as pl

from ..comparing import show_level
from ..tables import Layout, write_table


@dataclass(frozen=True)
class Finding:
    """A frame of tests, how they were computed, and what they cannot say."""

    tests: pl.DataFrame
    method: str
    notes: tuple[str, ...]

    def write(self, layout: Layout = "plain", digits: int = 4) -> str:
        """The table for people, as ``"plain"`` text, ``"markdown"`` or ``"latex"``."""
        frame = self.tabulate(digits)
        return write_table(frame, layout, digits, [c for c in frame.columns if c in _RIGHT])

    def tabulate(self, digits: int = 4) -> pl.DataFrame:
        """The table for people, as text."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join([self.write().rstrip(), "", self.method, *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from tabulate import tabulate

        frame = self.tabulate()
        table = tabulate(frame.rows(), frame.columns, "html", disable_numparse=True)
        return table + "".join(f"<p>{escape(each)}</p>" for each in (self.method, *self.notes))


# The columns of the tables for people that are numbers.
_RIGHT = (
    *("users", "pages", "queries", "mean", "difference", "relative", "p", "p corrected"),
    *("wins/ties/losses", "preference", "correlation", "both differ", "agreement"),
)


def show_number(value: float | None, digits: int, *, signed: bool = False) -> str:
    """A number with this many decimals; nothing if there is none."""
    return "" if value is None else f"{value:{'+' * signed}.{digits}f}"


def show_share(value: float | None) -> str:
    """A relative difference in per cent."""
    return "" if value is None else f"{100 * value:+.1f}%"


def show_range(low: float | None, high: float | None, show: Callable[[float], str]) -> str:
    """An interval; one end of it alone, if the other is infinite."""
    if low is None or high is None:
        return ""
    if low == -inf:
        return f"below {show(high)}"
    return f"above {show(low)}" if high == inf else f"{show(low)} to {show(high)}"


def name_level(alpha: float) -> str:
    """``95%``, the confidence of intervals."""
    return f"{round(100 * (1 - alpha), 10):g}%"


def name_interval(confidence: pl.Series) -> str:
    """``95% interval``; without the confidence, if it is not the same for all."""
    levels = confidence.drop_nulls().unique()
    return f"{show_level(levels[0])} interval" if len(levels) == 1 else "interval"


def mark(row: dict[str, object], value: str) -> str:
    """▲ or ▼ if a test is significant."""
    number = row[value]
    if not row["significant"] or not isinstance(number, float):
        return ""
    return "▲" if number > 0 else "▼"


def shorten(notes: list[str]) -> list[str]:
    """The notes, without most of those that are alike."""
    if len(notes) <= 5:
        return notes
    return [*notes[:4], f"… and {len(notes) - 4} more notes like these"]
