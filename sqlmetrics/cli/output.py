"""Output: results printed, or written whole or not at all."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Annotated, Any

import click
import polars as pl
from rich.cells import cell_len
from tabulate import tabulate

import sqlmetrics

from ..errors import clean, refuse, show
from ..inputs.workspace import replace_file
from ..plots import plot
from ..result import Layout, Result, Table, join_intervals, show_cells, write_tables
from .formats import CHARTS, LAYOUTS, RUN_FORMATS, SUFFIXES, Format, format_frame
from .types import Written


@dataclass(frozen=True)
class Output:
    """Where a command writes what it found, and how.

    - ``format``: default: by the output file's name, else a table.
    - ``output``: write to this file.
    - ``digits``: decimals in tables and trec; CSV, JSON and Parquet keep full precision.
    """

    format: Format | None = None
    output: Written | None = None
    digits: Annotated[int, click.IntRange(0, 100)] = 4

    @classmethod
    def take(cls, options: dict[str, Any]) -> Output:
        """Where to write, which is taken out of the options of a command."""
        given = {name: options.pop(name) for name in cls.__annotations__ if name in options}
        file = given.get("output")
        if "format" in given:
            given["format"] = given["format"] or _choose_format(file, click.get_current_context())
        if given.get("format") in ("parquet", "png") and file is None:
            raise click.BadParameter(f"{given['format']} needs a file: add -o FILE")
        return cls(**given)


@dataclass(frozen=True)
class Shown:
    """What a command shows, where that is not just what a function found.

    - ``found``: a result, whose tables are for people; a frame; or text.
    - ``data``: the frame of a result for programs, if it is not the first.
    - ``options``: those of the result's tables.
    - ``has_failed``: whether the command ends with status 1.
    """

    found: Result | pl.DataFrame | str
    data: pl.DataFrame | None = None
    notes: Iterable[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    has_failed: bool = False

    def write(self, to: Output, notes: Iterable[str] = ()) -> None:
        """Write it, and to stderr the notes and what a frame does not say of a result."""
        found, notes, below = self.found, [*notes, *self.notes], list[str]()
        tables: Iterable[Table] = ()
        if isinstance(found, str):
            text: str | bytes = found and f"{found.rstrip()}\n"
        elif to.format in CHARTS:
            text = getattr(plot(found), to.format)
        elif isinstance(found, Result) and to.format in LAYOUTS:
            text = found.write(LAYOUTS[to.format], to.digits, **self.options)
            tables, below = found.tables(to.digits, **self.options), [*found.below]
        else:
            frame: Any = getattr(found, "frame", found) if self.data is None else self.data
            if to.format in LAYOUTS and "note" in frame.columns and frame["note"].n_unique() == 1:
                notes.append(frame["note"][0])
                frame = frame.drop("note")
            text = format_frame(frame, to.format or "table", to.digits)
            tables = [Table(frame)]
            notes += [getattr(found, "method", ""), "the table has no rows" * frame.is_empty()]
        if to.format == "table" and to.output is None:
            if fitted := [_Fitted(**vars(table)) for table in tables]:
                text = write_tables(fitted, "plain", to.digits, *below, width=1000)  # wrapped next
            text = wrap(str(text))
        write(text, to.output)
        for note in filter(None, dict.fromkeys([*notes, *getattr(found, "notes", ())])):
            say(f"note: {clean(show(note))}")


def _choose_format(output: Path | None, ctx: click.Context) -> Format:
    """The format that the name of the output file stands for, if the command writes it."""
    suffix = output.suffix.lower() if output else ""
    kinds: dict[str | None, Any] = {each.name: each.type for each in ctx.command.params}
    writes = kinds["format"].choices
    named = f"-o names a file; for {output} here write -f {output}, for a file -o ./{output}.txt"
    refuse({named: str(output) in writes})
    if suffix in ("", ".txt") and output and writes == RUN_FORMATS:  # what others read again
        return "trec"
    if (format := SUFFIXES.get(suffix)) and format in writes:
        return format
    first = {format: each for each, format in [*SUFFIXES.items()][:0:-1]}
    known = ", ".join(first[format] for format in writes)
    raise click.BadParameter(f"{ctx.info_name} cannot write {output}; name it {known}, or add -f")


def say(text: str) -> None:
    """Print a message beside the result; one that is not for a terminal is a line, to be found."""
    print(wrap(text) if sys.stderr.isatty() else text, file=sys.stderr)


def wrap(text: str) -> str:
    """The text with its long lines as several; commands and code to paste stay whole."""
    width, lines, is_code = get_terminal_size().columns, text.split("\n"), False
    for number, line in enumerate(lines):
        is_code ^= line.startswith("```")
        if cell_len(line) > width and not is_code and not line.startswith("  sqlmetrics "):
            indent = " " * (len(line) - len(line.lstrip(" -")))
            how: Any = {"break_on_hyphens": False, "break_long_words": False}  # such as paths
            lines[number] = fill(line, width, subsequent_indent=indent, **how)
    return "\n".join(lines)


class _Fitted(Table):
    """A table as wide as the terminal, 80 columns in a pipe: wrapped, or a value a line."""

    def write(self, layout: Layout = "plain", digits: int = 4) -> str:
        width, text = get_terminal_size().columns, super().write(layout, digits)
        if max(map(cell_len, text.splitlines()), default=0) <= width:
            return text
        cells = show_cells(join_intervals(self.frame, digits), digits)
        # a column without values, such as notes, only takes room
        columns = [each for each in zip(*cells, strict=True) if any(each[1:]) or len(cells) == 1]
        header, *rows = zip(*columns, strict=True)
        if widths := _find_widths(columns, width):
            right = {*self.right, *(n for n, kind in self.frame.schema.items() if kind.is_float())}
            shown = [[*map(_divide, header)], *(map(_cut, row, widths) for row in rows)]
            sides = ["right" if name in right else "left" for name in header]
            how: Any = {"colalign": sides, "maxcolwidths": widths, "disable_numparse": True}
            return f"{tabulate(shown, tablefmt='plain', **how)}\n"
        most = max(map(cell_len, header)) + 2
        ends: Any = {"width": width, "subsequent_indent": " " * most}
        lines = (
            [fill(cell, initial_indent=name.ljust(most), **ends) for name, cell in pairs if cell]
            for pairs in (zip(header, row, strict=True) for row in rows)
        )
        return "\n".join("\n".join([*each, ""]) for each in lines)


def _divide(name: str) -> str:
    """The name of a column with places to wrap it."""
    return re.sub(r"(?<=[/_])(?=\w{3})", " ", name)


def _cut(cell: str, width: int) -> str:
    """The cell with its long words cut where their parts end, as in rrf(k=60)."""
    return re.sub(rf"(?=\S{{{width + 1}}})(\S{{1,{width}}})(?:{_ENDS})", r"\1\n", cell)


_ENDS = r"(?<=[(=_/,])|(?<=\w-)"  # of the parts of a word
# Where names of columns alone, then cells, then words are wrapped, and at last intervals.
_BREAKS = (r"\n", r"\s(?!to )", rf"\s(?!to )|{_ENDS}", rf"\s|{_ENDS}")


def _find_widths(columns: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """The widths of columns, of which as little as possible is wrapped; None if none fit."""
    widths, least = [], []
    for name, *cells in columns:
        head = max(map(cell_len, _divide(name).split()), default=0)
        parts = [max(map(cell_len, re.split(by, "\n".join(cells)))) for by in _BREAKS]
        widths.append(max(cell_len(name), parts[0]))
        least.append([max(head, parts[0]), *(max(head, min(16, each)) for each in parts[1:])])
    for fewest in zip(*least, strict=True):
        while sum(widths) + 2 * len(widths) - 2 > width:
            room = [w if w > few else 0 for w, few in zip(widths, fewest, strict=True)]
            if not any(room):
                break
            widths[room.index(max(room))] -= 1
        else:
            return widths
    return None


def write(result: str | bytes, output: Path | None, *, after: bool = False) -> None:
    """Print the result, or replace the file with it once it is completely written.

    With ``after``, it comes after what the file has.
    """
    # a name in the result may be of bytes that are no text
    content = result.encode(errors="backslashreplace") if isinstance(result, str) else result
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    try:
        replace_file(output.resolve(), content, after=after)
    except OSError as error:
        raise sqlmetrics.InputError(f"cannot write {output}: {error.strerror}") from None
