"""Progress: a bar on the terminal while DuckDB works, and an end to this work by Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Event, Thread

import duckdb

_DELAY, _INTERVAL = 1.0, 0.1  # seconds before the bar appears, and between its steps


@dataclass
class Work:
    """What is being done, and over how many rows, where that is known."""

    step: str = "starting"
    rows: int | None = None


_shown: ContextVar[Work | None] = ContextVar("shown", default=None)


def begin(step: str, rows: int | None = None) -> None:
    """Tell those who watch, if any, what is done from now on."""
    if work := _shown.get():
        work.step, work.rows = step, rows


@contextmanager
def show_progress(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Show a bar on stderr, if that is a terminal, once the work has taken a second."""
    con.execute("SET enable_progress_bar_print = false")  # which would go to stdout
    if not os.isatty(2):
        yield
        return
    con.execute("SET enable_progress_bar = true")  # without which DuckDB measures no progress
    done, work = Event(), Work()
    before = _shown.set(work)
    follower = Thread(target=_follow, args=(con, work, done), daemon=True)
    follower.start()
    try:
        yield
    finally:
        _shown.reset(before)
        done.set()
        follower.join()


def _follow(con: duckdb.DuckDBPyConnection, work: Work, done: Event) -> None:
    if not done.wait(_DELAY):
        from .terminal import follow

        follow(con, work, done, _INTERVAL)


@contextmanager
def stop_by_signal(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Interrupt DuckDB by Ctrl-C also where it does not look for signals."""
    heard, heralded = socket.socketpair()
    heralded.setblocking(False)
    before = signal.set_wakeup_fd(heralded.fileno())

    def listen() -> None:
        if heard.recv(1):
            con.interrupt()

    listener = Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        heralded.close()
        listener.join()
        heard.close()
