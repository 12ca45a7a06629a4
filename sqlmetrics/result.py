"""Results: what a function found, as tables for people: text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import repeat
from math import inf
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from .errors import refuse, require_one_of, require_whole, show, suggest


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a function found: frames for programs, tables for people, its method and notes."""

    method: str = ""
    notes: tuple[str, ...] = ()

    def tables(self, digits: int = 4, *_: Any, **_options: Any) -> Iterator[Table]:  # noqa: ANN401
        """The tables for people, as text."""
        raise NotImplementedError

    @property
    def frame(self) -> pl.DataFrame:
        """The frame for programs: the means, or the first."""
        frames = {name: each for name, each in vars(self).items() if isinstance(each, pl.DataFrame)}
        return frames.get("mean", next(iter(frames.values())))

    @property
    def below(self) -> tuple[str, ...]:
        """What is written below the first table."""
        return (self.method,)

    def write(self, layout: Any = "plain", digits: int = 4, **options: Any) -> str:  # noqa: ANN401
        """The tables for people, with the method; ``options`` are those of `tables`.

        ``layout``: ``"plain"``, ``"markdown"``, ``"latex"`` (which needs the package booktabs; the
        best scores are bold, and superscripts are significance), ``"html"``, or ``"json"`` for the
        rows of the frame. A `Gate` also has ``"junit"``.
        """
        require_whole("digits of the text", digits or 1)
        own = [name[7:] for name in dir(self) if name.startswith("_write_")]
        _, dot, kind = str(layout).rpartition(".")
        kind = {"md": "markdown", "tex": "latex", "txt": "plain", "xml": "junit"}.get(kind, kind)
        known = dict.fromkeys([*get_args(Layout), *own])
        require_one_of("layout", kind if dot else layout, known)
        saved = f"Path({layout!r}).write_text(result.write({kind!r}))"
        refuse({f"write returns text; to save it, write {saved}": dot})
        if layout in own:
            return getattr(self, f"_write_{layout}")(digits)  # type: ignore[no-any-return]
        return write_tables([*self.tables(digits, **options)], layout, digits, *self.below)

    def _write_json(self, *_: int) -> str:
        """The rows of the frame, as JSON."""
        return self.frame.write_json() + "\n"

    def plot(self, chart: str | None = None, **options: Any) -> Any:  # noqa: ANN401
        """`plot` of this; raises `InputError` for what has no chart."""
        import sqlmetrics  # which knows the charts of all results

        return sqlmetrics.plot(self, chart, **options)

    def to_pandas(self, *, per_query: bool = False) -> Any:  # noqa: ANN401
        """`frame`, or what it has of each query, as a pandas frame; needs pandas."""
        import pandas

        frame: pl.DataFrame = getattr(self, "per_query" if per_query else "frame")
        return pandas.DataFrame(frame.to_dict(as_series=False))

    if not TYPE_CHECKING:  # which refuses these names by itself

        def __getattr__(self, name: str) -> None:
            hint = suggest("attribute", name, dir(self), str)
            raise AttributeError(f"{type(self).__name__} has no {name}; {hint}".rstrip("; "))

    def __str__(self) -> str:
        return "\n".join([self.write().rstrip(), *map(show, self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{escape(show(note))}</li>" for note in self.notes)
        return self.write("html") + (f"<ul>{notes}</ul>" if notes else "")


def count(number: int, what: str, verb: str = "") -> str:
    """A number and its word, and a verb after it.

    >>> count(1, "query"), count(1200, "query", "is"), count(2, "loss")
    ('1 query', '1,200 queries are', '2 losses')
    """
    if number != 1:
        ends = {"y": "ies", "s": "ses"}
        what = what[:-1] + ends.get(what[-1], f"{what[-1]}s")
        verb = {"is": "are", "has": "have"}.get(verb, verb)
    return f"{number:,} {what} {verb}".rstrip()


def show_signed(value: float | None, digits: int) -> str:
    """A difference with this many decimals, 0 without a minus; nothing if there is none."""
    return "" if value is None else f"{round(value, digits) + 0:+.{digits}f}"


def show_range(low: float | None, high: float | None, show: Callable[[float], str]) -> str:
    """An interval; one end of it alone, if the other is infinite."""
    if low is None or high is None:
        return ""
    if low == -inf:
        return f"below {show(high)}"
    return f"above {show(low)}" if high == inf else f"{show(low)} to {show(high)}"


def show_p(p: float | None) -> str:
    """A p-value to three decimals."""
    if p is None:
        return ""
    return "<.001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 0.9995 else "1"


def show_level(confidence: object) -> str:
    """A confidence in per cent: ``95%``, ``98.33%``, ``99.167%``."""
    return f"{100 - float(f'{100 * (1 - float(str(confidence))):.3g}'):.10g}%"


def name_interval(*confidences: float | None) -> str:
    """``95% interval``; without the confidence, if it is not the same for all."""
    levels = {*confidences} - {None}
    return f"{show_level(levels.pop())} interval" if len(levels) == 1 else "interval"


def mark(difference: float | None, *, significant: bool | None) -> str:
    """▲ or ▼ if a difference is significant."""
    if not significant or difference is None:
        return ""
    return "▲" if difference > 0 else "▼"


def note_few(number: Any, of: str = "queries", what: str = "scores") -> list[str]:  # noqa: ANN401
    """A note on intervals from few queries, which are too narrow if skewed (docs/compare.md)."""
    said = f"with fewer than 10 {of}, intervals are a rough guide: they assume {what} that are "
    return [f"{said}nearly normal"] if number is not None and number < 10 else []


def shorten(notes: list[str]) -> list[str]:
    """The notes, without most of those that are alike."""
    if len(notes) <= 5:
        return notes
    return [*notes[:4], f"… and {len(notes) - 4} more notes like these"]


Layout: TypeAlias = Literal["plain", "markdown", "latex", "html"]


@dataclass(frozen=True)
class Table:
    """A frame for people; its numbers and the columns ``right`` are to the right.

    - ``title``: what it shows; alone, if the frame is empty.
    - ``scores``: the columns whose cells may end with letters of significance: ``0.5500 bc``. A ▲
      or ▼ in the last column is about the first of them.
    - ``best``: the row and column of each score that is the best of its metric.

    LaTeX has letters as superscripts, a dagger for ▲, a double one for ▼, and the best in bold.
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
        right = (*self.right, *(n for n, kind in self.frame.schema.items() if kind.is_float()))
        sides = ["right" if name in right else "left" for name in frame.columns]
        if layout == "latex":
            rows = [*self._mark(frame.columns, rows)]
            header = [*map(_escape_latex, header)]
            if not any(row[-1] for row in (header, *rows)):  # only had signs, or was for them
                header, *rows = (row[:-1] for row in (header, *rows))
                sides.pop()
            for row in (header, *rows):  # after the end of a line, these would be an option of it
                row[0] = re.sub(r"^ *([\[*])", r"{\1}", row[0])
        if layout == "markdown":
            header, *rows = ([_escape_markdown(cell) for cell in row] for row in (header, *rows))
        if layout in ("plain", "latex"):  # as a row, since a header is padded
            header, rows = [], [header, *rows]
        text = tabulate(
            rows,
            header,
            {"markdown": "pipe", "latex": "latex_raw"}.get(layout, layout),
            colalign=sides,
            disable_numparse=True,  # 007 and 1e5 are ids
            preserve_whitespace=True,
        )
        return _rule(text) if layout == "latex" else f"{text}\n"

    def _mark(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[list[str]]:
        """The cells in LaTeX, with what is best and significant."""
        for number, row in enumerate(rows):
            cells = dict(zip(names, map(_escape_latex, row), strict=True))
            for name in self.scores:
                score, _, signs = cells[name].partition(" ")
                if name == self.scores[0] and (sign := cells[names[-1]]) in ("▲", "▼"):
                    signs, cells[names[-1]] = r"\dagger" if sign == "▲" else r"\ddagger", ""
                score = rf"\textbf{{{score}}}" if (number, name) in self.best else score
                if signs.startswith("("):  # an interval
                    cells[name] = f"{score} {signs}"
                else:
                    cells[name] = f"{score}$^{{{signs.replace(' ', ',')}}}$" if signs else score
            yield [*cells.values()]


def write_tables(
    tables: Collection[Table], layout: Layout, digits: int, *below: str, width: int = 80
) -> str:
    """Tables under their titles, and lines below the first, which are comments in LaTeX."""
    if layout == "latex" and any(table.best for table in tables):
        below = (*below, "Bold: the best score of each metric.")
    between = "\n" if layout in ("plain", "markdown") else ""
    blocks: list[str] = []
    for table in tables:
        cells = "" if table.title and table.frame.is_empty() else table.write(layout, digits)
        lines = [_write_line(table.title, layout), cells]
        lines += [] if blocks else [_write_line(line, layout, width) for line in below]
        blocks.append(between.join(filter(None, lines)))
    return "\n".join(blocks)


def _write_line(text: str, layout: Layout, width: int = 1000) -> str:
    text = fill(show(text), width, break_on_hyphens=False) if layout == "plain" else show(text)
    if not text or layout not in ("latex", "html"):
        return f"{text}\n" if text else ""
    if layout == "html":
        return f"<p>{escape(text)}</p>\n"
    return f"% {text.replace('▲▼', '† higher, ‡ lower')}\n"


def join_intervals(frame: pl.DataFrame, digits: int) -> pl.DataFrame:
    """The frame with the ends of each interval beside its mean: ``0.5422 (0.1910 to 0.8573)``."""
    for name in frame.columns:
        ends = [f"{name}_low", f"{name}_high"]
        if {*ends} <= {*frame.columns}:
            _, *cells = show_cells(frame.select(name, *ends), digits)
            joined = [f"{x} ({low} to {high})" if low and high else x for x, low, high in cells]
            frame = frame.drop(ends).with_columns(pl.Series(name, joined, pl.String))
    return frame


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
    groups: dict[tuple[Any, ...], dict[tuple[int, str], float]] = {}
    for number, row in enumerate(frame.iter_rows(named=True)):
        for column in scores:
            if score := _show_cell(row[column], digits).partition(" ")[0]:
                key = (row[metric] if metric else column, *(row[each] for each in within))
                groups.setdefault(key, {})[number, column] = float(score)
    best = set()
    for (name, *_), group in groups.items():
        values = group.values()
        top = min(values) if name in lower else max(values)
        if min(values) < max(values):
            best |= {place for place, score in group.items() if score == top}
    return best


def show_cells(frame: pl.DataFrame, digits: int) -> list[list[str]]:
    """The names of the columns, then the cells of each row, as text on one line."""
    rows = (map(_show_cell, row, repeat(digits), frame.columns) for row in frame.iter_rows())
    return [[*each] for each in ((_show_cell(name, digits) for name in frame.columns), *rows)]


def _show_cell(cell: object, digits: int, name: str = "") -> str:
    if isinstance(cell, float):
        if re.match("p(_|$)", name) and 0 < cell < 10.0**-digits / 2:  # a p-value, which is not 0
            return f"<{10.0**-digits:.{digits}f}"
        return f"{cell:.{digits}f}"
    return "" if cell is None else show(str(cell))


def _escape_markdown(cell: str) -> str:
    return re.sub(r"([\\|`*_~$&<>\[\]])", r"\\\1", cell)


_LATEX = str.maketrans(
    {mark: f"\\{mark}" for mark in "&%$#_{}"}
    | {"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "|": r"\textbar{}"}
    | {mark: rf"\ensuremath{{{mark}}}" for mark in "<>"}
)


def _escape_latex(cell: str) -> str:
    """The cell as LaTeX shows it; two hyphens would be a dash."""
    return re.sub("(?<=-)(?=-)", "{}", cell.translate(_LATEX))


def _rule(text: str) -> str:
    """The tabular with the lines of LaTeX's package booktabs."""
    begin, _, *lines, _, end = text.splitlines()
    first, *rest = (line[1:] for line in lines)
    return "\n".join([begin, r"\toprule", first, r"\midrule", *rest, r"\bottomrule", end, ""])
