"""Progress: the current step and remarks on the input, for whatever displays them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import ScoreWarning

T = TypeVar("T")


@dataclass
class Work:
    """The current step, its number of rows if known, and how many are done if it is in portions."""

    step: str = "starting"
    rows: int | None = None
    done: int | None = None


@contextmanager
def setting(variable: ContextVar[Any], value: T) -> Iterator[T]:
    """Have the variable be this within the context."""
    before = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(before)


shown: ContextVar[Work | None] = ContextVar("shown", default=None)


def begin(step: str, rows: int | None = None, done: int | None = None) -> None:
    """Report the step that starts now, or its next portion, to whatever watches."""
    if work := shown.get():
        work.step, work.rows, work.done = step, rows, done


_remarks: ContextVar[list[str] | None] = ContextVar("remarks", default=None)


class Doubt(str):
    """A note on scores that seem to mean nothing, which in Python is a warning, too."""

    __slots__ = ()


def remark(notes: Iterable[str]) -> None:
    """Report notes on the input, of functions whose result has no place for them."""
    if (collected := _remarks.get()) is not None:
        collected += notes
    else:
        warn(notes)


def warn(notes: Iterable[str]) -> None:
    """Warn whoever called us of the doubts among notes, unless a command shows them."""
    if _remarks.get() is not None:
        return
    doubts = [note for note in notes if isinstance(note, Doubt)]
    level, place, frame = 1, 1, sys._getframe() if doubts else None
    while frame := frame and frame.f_back:  # to the last of ours
        place += 1
        if str(frame.f_globals.get("__name__")).partition(".")[0] == __package__:
            level = place
    for doubt in doubts:
        warnings.warn(doubt, ScoreWarning, stacklevel=level + 1)


def collecting_remarks() -> AbstractContextManager[list[str]]:
    """The remarks that are made within the context."""
    return setting(_remarks, list[str]())
