"""Results: what a function found, as tables for people; and how numbers are written in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any, get_args

import polars as pl

from .errors import require_one_of, show
from .tables import Layout, Table, write_tables


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a function found: frames for programs, tables for people, its method and notes."""

    method: str = ""
    notes: tuple[str, ...] = ()

    def tables(self, digits: int = 4, *_: Any, **_options: Any) -> Iterator[Table]:  # noqa: ANN401
        """The tables for people, as text."""
        raise NotImplementedError

    @property
    def frame(self) -> pl.DataFrame:
        """The frame for programs: the first."""
        return next(each for each in vars(self).values() if isinstance(each, pl.DataFrame))

    @property
    def below(self) -> tuple[str, ...]:
        """What is written below the first table."""
        return (self.method,)

    def write(self, layout: Layout = "plain", digits: int = 4, **options: Any) -> str:  # noqa: ANN401
        """The tables for people, with the method; ``options`` are those of `tables`.

        ``layout``: ``"plain"``, ``"markdown"``, ``"latex"`` (which needs the package booktabs; the
        best scores are bold, and superscripts are significance) or ``"html"``.
        """
        require_one_of("layout", layout, get_args(Layout))
        return write_tables([*self.tables(digits, **options)], layout, digits, *self.below)

    def __str__(self) -> str:
        return "\n".join([self.write().rstrip(), *map(show, self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{escape(show(note))}</li>" for note in self.notes)
        return self.write("html") + (f"<ul>{notes}</ul>" if notes else "")


def count(number: int, what: str, verb: str = "") -> str:
    """A number and its word, and a verb after it.

    >>> count(1, "query"), count(1200, "query", "is"), count(2, "loss")
    ('1 query', '1,200 queries are', '2 losses')
    """
    if number != 1:
        ends = {"y": "ies", "s": "ses"}
        what = what[:-1] + ends.get(what[-1], f"{what[-1]}s")
        verb = {"is": "are", "has": "have"}.get(verb, verb)
    return f"{number:,} {what} {verb}".rstrip()


def show_signed(value: float | None, digits: int) -> str:
    """A difference with this many decimals; nothing if there is none."""
    return "" if value is None else f"{value:+.{digits}f}"


def show_range(low: float | None, high: float | None, show: Callable[[float], str]) -> str:
    """An interval; one end of it alone, if the other is infinite."""
    if low is None or high is None:
        return ""
    if low == -inf:
        return f"below {show(high)}"
    return f"above {show(low)}" if high == inf else f"{show(low)} to {show(high)}"


def show_p(p: float | None) -> str:
    """A p-value to three decimals."""
    if p is None:
        return ""
    return "<.001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 0.9995 else "1"


def show_level(confidence: object) -> str:
    """A confidence in per cent: ``95%``, ``98.33%``, ``99.167%``."""
    return f"{100 - float(f'{100 * (1 - float(str(confidence))):.3g}'):.10g}%"


def name_interval(*confidences: float | None) -> str:
    """``95% interval``; without the confidence, if it is not the same for all."""
    levels = {*confidences} - {None}
    return f"{show_level(levels.pop())} interval" if len(levels) == 1 else "interval"


def mark(difference: float | None, *, significant: bool | None) -> str:
    """▲ or ▼ if a difference is significant."""
    if not significant or difference is None:
        return ""
    return "▲" if difference > 0 else "▼"


def shorten(notes: list[str]) -> list[str]:
    """The notes, without most of those that are alike."""
    if len(notes) <= 5:
        return notes
    return [*notes[:4], f"… and {len(notes) - 4} more notes like these"]
