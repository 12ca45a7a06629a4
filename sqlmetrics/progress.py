"""Progress: what is being done, for whoever shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Work:
    """What is being done, and over how many rows, where that is known."""

    step: str = "starting"
    rows: int | None = None


_shown: ContextVar[Work | None] = ContextVar("shown", default=None)


def begin(step: str, rows: int | None = None) -> None:
    """Tell whoever watches, if anyone, what is done from now on."""
    if work := _shown.get():
        work.step, work.rows = step, rows


@contextmanager
def watching(work: Work) -> Iterator[None]:
    """Write what is begun meanwhile into ``work``."""
    before = _shown.set(work)
    try:
        yield
    finally:
        _shown.reset(before)
