"""Progress: a bar on the terminal while DuckDB works."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

import duckdb

from ..errors import show
from ..progress import Work, setting, shown

_DELAY, _INTERVAL = 1.0, 0.1  # seconds before the bar appears, and between its steps
drawn = ExitStack()  # closed, it takes the bar off the terminal for good


@contextmanager
def show_progress(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Show a bar on stderr, if that is a terminal, once the work has taken a second."""
    con.execute("SET enable_progress_bar_print = false")  # which would go to stdout
    if not os.isatty(2):
        yield
        return
    con.execute("SET enable_progress_bar = true")  # without which DuckDB measures no progress
    done, work = Event(), Work()
    follower = Thread(target=_follow, args=(con, work, done), daemon=True)
    follower.start()
    drawn.callback(follower.join, 1)
    drawn.callback(done.set)
    try:
        with setting(shown, work):
            yield
    finally:
        drawn.close()


def _follow(con: duckdb.DuckDBPyConnection, work: Work, done: Event) -> None:
    """Show a bar until the work is done, unless it is done soon."""
    if done.wait(_DELAY):
        return
    from rich import progress as bars
    from rich.console import Console

    columns = [
        bars.TextColumn("{task.description}", markup=False),
        *(bars.BarColumn(), bars.TaskProgressColumn(), bars.TimeElapsedColumn()),
        *(bars.TimeRemainingColumn(), bars.TextColumn("{task.fields[rows]}")),
    ]
    console = Console(stderr=True)
    progress = bars.Progress(*columns, console=console, transient=True, auto_refresh=False)
    number = progress.add_task(show(work.step), total=None, rows="")
    (task,) = progress.tasks
    with progress:
        while not done.wait(_INTERVAL):
            if task.description != (step := show(work.step)):
                progress.reset(number, description=step)
            # -1 or 0 while DuckDB does not know, as within a WITH: the bar then only moves
            percent = max(con.query_progress(), 0)
            if work.rows and work.done is not None:
                percent = 100 * work.done / work.rows
            task.total = 100 if percent > 0 else None
            rows = f"{work.rows:,} rows" if work.rows else ""
            progress.update(number, completed=percent, rows=rows, refresh=True)
