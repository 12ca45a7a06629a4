"""Terminal: tables and progress for readers, by rich, which is imported only when there is one."""

from __future__ import annotations

from datetime import timedelta
from threading import Event

import duckdb
import polars as pl
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from .output import justify, show, show_cells
from .progress import Work


def print_table(frame: pl.DataFrame, digits: int) -> None:
    """The frame as a table; metrics stand one below the other where it would be too wide."""
    console = Console()
    table = _lay_out(frame, digits)
    ids = [column for column, dtype in frame.schema.items() if dtype == pl.String]
    width = Console(width=10_000).measure(table).maximum
    if len(ids) < frame.width and width > console.width:
        long = frame.unpivot(index=ids, variable_name="metric", value_name="score")
        table = _lay_out(long.sort(ids, maintain_order=True), digits)
    console.print(table)


def _lay_out(frame: pl.DataFrame, digits: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    header, *rows = show_cells(frame, digits)
    for name, dtype in zip(header, frame.dtypes, strict=True):
        table.add_column(Text(name), justify=justify(dtype))
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def follow(con: duckdb.DuckDBPyConnection, work: Work, done: Event, interval: float) -> None:
    """Show a bar on stderr, which steps every ``interval`` seconds, until the work is done."""
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    )
    number = progress.add_task(show(work.step), total=None, left="")
    (task,) = progress.tasks
    with progress:
        while not done.wait(interval):
            if task.description != (step := show(work.step)):
                progress.reset(number, description=step)
            # -1 or 0 while DuckDB cannot tell, as within a WITH: the bar then only moves
            percent = max(con.query_progress(), 0)
            task.total = 100 if percent > 0 else None
            left = []
            if work.rows:
                share = f"{work.rows * percent / 100:,.0f} of " if percent > 0 else ""
                left.append(f"{share}{work.rows:,} rows")
            if percent > 0 and task.time_remaining:
                left.append(f"{timedelta(seconds=int(task.time_remaining))} left")
            progress.update(number, completed=percent, left=", ".join(left), refresh=True)
