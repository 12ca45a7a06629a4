"""Output: results printed, or written whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import click
import polars as pl
from rich.cells import cell_len

import sqlmetrics

from ..errors import clean, show
from ..inputs.workspace import replace_file
from ..plots import plot
from ..result import Result, join_intervals
from .app import app
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
        found, notes = self.found, [*notes, *self.notes]
        if isinstance(found, str):
            text: str | bytes = found
        elif to.format in CHARTS:
            text = getattr(plot(found), to.format)
        elif isinstance(found, pl.DataFrame):
            text = _fit(found, to)
        elif to.format in LAYOUTS:
            text = found.write(LAYOUTS[to.format], to.digits, **self.options)
        else:
            text = _fit(found.frame if self.data is None else self.data, to)
            notes.append(found.method)
        write(text, to.output)
        for note in filter(None, dict.fromkeys([*notes, *getattr(found, "notes", ())])):
            print(f"note: {clean(show(note))}", file=sys.stderr)


def _choose_format(output: Path | None, ctx: click.Context) -> Format:
    """The format that the name of the output file stands for, if the command writes it."""
    suffix = output.suffix.lower() if output else ""
    writes = _list_formats(ctx.command)
    if suffix in ("", ".txt") and output and writes == RUN_FORMATS:  # what others read again
        return "trec"
    format = SUFFIXES.get(suffix)
    if format and format in writes:
        return format
    said = f"unknown format of {output}"
    if format:
        said = f"{ctx.info_name} cannot be written as {format}"
    if format in CHARTS:
        drawn = sorted(each for each in app.commands if "svg" in _list_formats(app.make(each)))
        said = f"{ctx.info_name} has no chart; {', '.join(drawn)} have"
    known = ", ".join(each for each, format in SUFFIXES.items() if each and format in writes)
    raise click.BadParameter(f"{said}; name it {known}, or add -f")


def _list_formats(command: click.Command) -> Sequence[str]:
    """The formats that a command may write."""
    types = (each.type for each in command.params if each.name == "format")
    return next((each.choices for each in types if isinstance(each, click.Choice)), ())


def _fit(frame: pl.DataFrame, to: Output) -> str | bytes:
    """The frame as it is written; metrics of a table too wide for the terminal are rows of it."""
    format = to.format or "table"
    text = format_frame(frame, format, to.digits)
    if format == "table" and to.output is None and is_terminal():
        ids = [column for column, dtype in frame.schema.items() if dtype == pl.String]
        width = max(map(cell_len, str(text).splitlines()), default=0)
        if len(ids) < frame.width and width > get_terminal_size().columns:
            joined = join_intervals(frame, to.digits)
            long = joined.unpivot(index=ids, variable_name="metric", value_name="score")
            text = format_frame(long.sort(ids, maintain_order=True), format, to.digits)
    return text


def is_terminal() -> bool:
    return sys.stdout.isatty()


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
