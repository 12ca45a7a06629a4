"""Terminal: tables and pages for people, by rich, imported only when one reads them."""

from __future__ import annotations

import polars as pl
from rich import box
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from ..tables import join_intervals, justify, show_cells


def print_table(frame: pl.DataFrame, digits: int) -> None:
    """The frame as a table, with metrics one below the other where it would be too wide."""
    console = Console()
    ids = [column for column, dtype in frame.schema.items() if dtype == pl.String]
    frame = join_intervals(frame, digits)
    table = _lay_out(frame, digits)
    width = Console(width=10_000).measure(table).maximum
    if len(ids) < frame.width and width > console.width:
        long = frame.unpivot(index=ids, variable_name="metric", value_name="score")
        table = _lay_out(long.sort(ids, maintain_order=True), digits)
    console.print(table)


def print_markdown(text: str) -> None:
    """A page as a terminal shows it."""
    Console().print(Markdown(text))


def _lay_out(frame: pl.DataFrame, digits: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    header, *rows = show_cells(frame, digits)
    for name, dtype in zip(header, frame.dtypes, strict=True):
        is_number = dtype.is_numeric()
        is_first = name == header[0]
        table.add_column(
            Text(name), justify=justify(dtype), no_wrap=is_number or is_first, overflow="fold"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table
