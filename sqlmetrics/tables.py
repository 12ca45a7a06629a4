"""Tables: frames as plain text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, TypeAlias

import polars as pl

from .errors import show

Layout: TypeAlias = Literal["plain", "markdown", "latex", "html"]


@dataclass(frozen=True)
class Table:
    """A frame for people; its numbers and the columns ``right`` are to the right.

    - ``title``: what it shows; alone, if the frame is empty.
    - ``scores``: the columns whose cells may end with letters of significance: ``0.5500 bc``. A ▲
      or ▼ in the last column is about the first of them.
    - ``best``: the row and column of each score that is the best of its metric.

    LaTeX has letters as superscripts, a dagger for ▲ and ▼, and the best in bold.
    """

    frame: pl.DataFrame
    title: str = ""
    right: Collection[str] = ()
    scores: Sequence[str] = ()
    best: Collection[tuple[int, str]] = ()

    def write(self, layout: Layout = "plain", digits: int = 4) -> str:
        """The frame as text, a line per row."""
        from tabulate import tabulate

        frame = join_intervals(self.frame, digits)
        header, *rows = show_cells(frame, digits)
        joined = [name for name in frame.columns if frame[name].dtype != self.frame[name].dtype]
        sides = [
            "right" if name in (*self.right, *joined) else justify(dtype)
            for name, dtype in frame.schema.items()
        ]
        if layout == "latex":
            return _write_latex(header, self._mark(frame.columns, rows), sides)
        if layout == "markdown":
            header, *rows = ([_escape_markdown(cell) for cell in row] for row in (header, *rows))
        if layout == "plain":  # as a row, since a header is padded
            header, rows = [], [header, *rows]
        text = tabulate(
            rows,
            header,
            {"markdown": "pipe"}.get(layout, layout),
            colalign=sides,
            disable_numparse=True,  # 007 and 1e5 are ids
            preserve_whitespace=True,
        )
        return f"{text}\n"

    def _mark(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[list[str]]:
        """The cells in LaTeX, with what is best and significant."""
        for number, row in enumerate(rows):
            cells = dict(zip(names, map(_escape_latex, row), strict=True))
            for name in self.scores:
                score, _, signs = cells[name].partition(" ")
                if name == self.scores[0] and cells[names[-1]] in ("▲", "▼"):
                    signs, cells[names[-1]] = r"\dagger", ""
                score = rf"\textbf{{{score}}}" if (number, name) in self.best else score
                if signs.startswith("("):  # an interval
                    cells[name] = f"{score} {signs}"
                else:
                    cells[name] = f"{score}$^{{{signs.replace(' ', ',')}}}$" if signs else score
            yield [*cells.values()]


def write_tables(tables: Collection[Table], layout: Layout, digits: int, *below: str) -> str:
    """Tables under their titles, and lines below the first, which are comments in LaTeX."""
    if layout == "latex" and any(table.best for table in tables):
        below = (*below, "Bold: the best score of each metric.")
    between = "\n" if layout in ("plain", "markdown") else ""
    blocks: list[str] = []
    for table in tables:
        is_alone = table.title and table.frame.is_empty()
        cells = "" if is_alone else table.write(layout, digits)
        lines = [_write_line(table.title, layout), cells]
        lines += [] if blocks else [_write_line(line, layout) for line in below]
        blocks.append(between.join(filter(None, lines)))
    return "\n".join(blocks)


def _write_line(text: str, layout: Layout) -> str:
    text = show(text)
    if not text or layout not in ("latex", "html"):
        return f"{text}\n" if text else ""
    return f"<p>{escape(text)}</p>\n" if layout == "html" else f"% {text.replace('▲▼', '†')}\n"


def join_intervals(frame: pl.DataFrame, digits: int) -> pl.DataFrame:
    """The frame with the ends of each interval beside its mean: ``0.5422 (0.1910 to 0.8573)``."""
    ends = {name: (f"{name}_low", f"{name}_high") for name in frame.columns}
    ends = {name: both for name, both in ends.items() if {*both} <= {*frame.columns}}

    def join(row: dict[str, object], name: str) -> str:
        mean, low, high = (_show_cell(row[each], digits) for each in (name, *ends[name]))
        return f"{mean} ({low} to {high})" if low and high else mean

    joined = {name: [join(row, name) for row in frame.iter_rows(named=True)] for name in ends}
    frame = frame.with_columns(**{name: pl.Series(cells) for name, cells in joined.items()})
    return frame.drop(each for both in ends.values() for each in both)


def find_best(
    frame: pl.DataFrame,
    scores: Collection[str],
    digits: int,
    *,
    metric: str | None = None,
    within: Collection[str] = (),
    lower: Collection[str] = (),
) -> set[tuple[int, str]]:
    """The row and column of the best of each metric, as shown; none where all are the same.

    A metric is a column, or what the column ``metric`` says. ``within`` are the columns that a
    group of rows has in common, ``lower`` the metrics of which the lowest score is best.
    """
    _, *shown = show_cells(frame, digits)
    rows = [dict(zip(frame.columns, row, strict=True)) for row in shown]
    found: dict[tuple[str, ...], dict[tuple[int, str], float]] = {}
    for number, row in enumerate(rows):
        for column in scores:
            name = row[metric] if metric else column
            if score := row[column].partition(" ")[0]:
                group = found.setdefault((name, *(row[each] for each in within)), {})
                group[number, column] = float(score)
    best = set()
    for (name, *_), group in found.items():
        values = group.values()
        top = min(values) if name in lower else max(values)
        if min(values) < max(values):
            best |= {place for place, score in group.items() if score == top}
    return best


def show_cells(frame: pl.DataFrame, digits: int) -> list[list[str]]:
    """The names of the columns, then the cells of each row, as text on one line."""
    return [
        [_show_cell(cell, digits) for cell in row] for row in (frame.columns, *frame.iter_rows())
    ]


def _show_cell(cell: object, digits: int) -> str:
    if isinstance(cell, float):
        return f"{cell:.{digits}f}"
    return "" if cell is None else show(str(cell))


def justify(dtype: pl.DataType) -> Literal["left", "right"]:
    return "right" if dtype.is_float() else "left"


def _escape_markdown(cell: str) -> str:
    return re.sub(r"([\\|`*_~$&<>\[\]])", r"\\\1", cell)


_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "|": r"\textbar{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}


def _escape_latex(cell: str) -> str:
    """The cell as LaTeX shows it; two hyphens would be a dash."""
    escaped = "".join(_LATEX.get(each, each) for each in cell)
    return re.sub("(?<=-)(?=-)", "{}", escaped)


def _write_latex(header: list[str], rows: Iterable[list[str]], sides: Sequence[str]) -> str:
    """A tabular of LaTeX's package booktabs."""
    lines = [[*map(_escape_latex, header)], *rows]
    for line in lines:  # after the end of a line, these would be an option of it
        line[0] = re.sub(r"^ *([\[*])", r"{\1}", line[0])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    first, *rest = (
        " & ".join(
            f"{cell:{'<' if side == 'left' else '>'}{width}}"
            for cell, side, width in zip(line, sides, widths, strict=True)
        )
        + r" \\"
        for line in lines
    )
    begin = rf"\begin{{tabular}}{{{''.join(side[0] for side in sides)}}}"
    ends = (r"\bottomrule", r"\end{tabular}")
    return "\n".join([begin, r"\toprule", first, r"\midrule", *rest, *ends, ""])
