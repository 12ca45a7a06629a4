"""Progress: a bar on the terminal while DuckDB works, and an end to this work by Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import duckdb

_DELAY, _INTERVAL = 1.0, 0.1  # seconds before the bar appears, and between its steps


@contextmanager
def show_progress(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Show a bar on stderr, if that is a terminal, once the work has taken a second."""
    if not os.isatty(2):
        yield
        return
    # DuckDB measures progress only for a bar of its own, which it would print to stdout
    con.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    done = Event()
    follower = Thread(target=_follow, args=(con, done), daemon=True)
    follower.start()
    try:
        yield
    finally:
        done.set()
        follower.join()


def _follow(con: duckdb.DuckDBPyConnection, done: Event) -> None:
    if not done.wait(_DELAY):
        from .terminal import follow

        follow(con, done, _INTERVAL)


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
