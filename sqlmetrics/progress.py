"""Progress: the current step, for whatever displays it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Work:
    """The current step, and its number of rows if known."""

    step: str = "starting"
    rows: int | None = None


_shown: ContextVar[Work | None] = ContextVar("shown", default=None)


def begin(step: str, rows: int | None = None) -> None:
    """Report the step that starts now to whatever watches."""
    if work := _shown.get():
        work.step, work.rows = step, rows


@contextmanager
def watching(work: Work) -> Iterator[None]:
    """Write the steps that start within the context into ``work``."""
    before = _shown.set(work)
    try:
        yield
    finally:
        _shown.reset(before)
