"""Tables: frames as plain text, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, TypeAlias

import polars as pl

Layout: TypeAlias = Literal["plain", "markdown", "latex"]
_LAYOUTS = {"plain": "plain", "markdown": "pipe", "latex": "latex_booktabs"}


def write_table(
    frame: pl.DataFrame, layout: Layout = "plain", digits: int = 4, right: Collection[str] = ()
) -> str:
    """The frame as text, a line per row; numbers and the columns ``right`` to the right."""
    from tabulate import tabulate

    header, *rows = show_cells(frame, digits)
    if layout == "markdown":
        header, *rows = ([_escape_markdown(cell) for cell in row] for row in (header, *rows))
    if layout == "plain":  # as a row, since a header is padded
        header, rows = [], [header, *rows]
    text = tabulate(
        rows,
        header,
        _LAYOUTS[layout],
        colalign=[
            "right" if name in right else justify(dtype) for name, dtype in frame.schema.items()
        ],
        disable_numparse=True,  # 007 and 1e5 are ids
        preserve_whitespace=True,
    )
    return (_protect_latex(text) if layout == "latex" else text) + "\n"


def show_cells(frame: pl.DataFrame, digits: int) -> list[list[str]]:
    """The names of the columns, then the cells of each row, as text on one line."""
    return [
        [_show_cell(cell, digits) for cell in row] for row in (frame.columns, *frame.iter_rows())
    ]


def _show_cell(cell: object, digits: int) -> str:
    if isinstance(cell, float):
        return f"{cell:.{digits}f}"
    return "" if cell is None else show(str(cell))


def show(text: str) -> str:
    """The text, its line breaks and other control characters as Python writes them."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def justify(dtype: pl.DataType) -> Literal["left", "right"]:
    return "right" if dtype.is_float() else "left"


def _escape_markdown(cell: str) -> str:
    return re.sub(r"([\\|`*_~$&<>\[\]])", r"\\\1", cell)


def _protect_latex(table: str) -> str:
    """Escape what tabulate leaves: a bar, hyphens that make a dash, and [ or * after a line end."""
    starts = re.sub(r"^( *)([\[*])", r"\1{\2}", table, flags=re.MULTILINE)
    text = re.sub(r"(?<=-)(?=-)", "{}", starts).replace("|", r"\textbar{}")
    return text.replace("▲", r"$\uparrow$").replace("▼", r"$\downarrow$")
