"""Progress: a bar on the terminal while DuckDB works, and an end to this work by Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import duckdb
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

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
    columns = (TextColumn("scoring"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    progress = Progress(*columns, console=console, transient=True, auto_refresh=False)
    number = progress.add_task("scoring", total=None)
    (task,) = progress.tasks
    if done.wait(_DELAY):
        return
    with progress:
        while not done.wait(_INTERVAL):
            percent = con.query_progress()
            # -1 or 0 while DuckDB cannot tell, as when it sorts: the bar then only moves
            task.total = 100 if percent > 0 else None
            progress.update(number, completed=max(percent, 0), refresh=True)


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
