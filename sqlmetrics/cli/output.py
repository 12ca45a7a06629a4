"""Output: results printed, or written whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TypeVar

import click
import polars as pl

import sqlmetrics

from ..errors import show
from ..inputs.workspace import replace_file
from ..progress import collecting_remarks
from ..result import Result
from ..tables import join_intervals
from .formats import CHARTS, LAYOUTS, RUN_FORMATS, Format, draw, format_frame
from .inputs import connect, find_all, name_all, refuse_limits, take_reading

_Found = TypeVar("_Found")

_FORMATS: dict[str, Format] = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".md": "markdown",
    ".tex": "latex",
    ".svg": "svg",
    ".html": "html",
    ".png": "png",
    ".trec": "trec",
    ".run": "trec",
}


@dataclass(frozen=True)
class Output:
    """Where a command writes what it found, and how."""

    format: Format
    file: Path | None
    digits: int

    def show(
        self,
        found: Result | pl.DataFrame,
        data: pl.DataFrame | None = None,
        *,
        notes: Iterable[str] = (),
        **options: Any,  # noqa: ANN401
    ) -> None:
        """Write a frame, or a result: its tables, or for programs ``data`` or its first frame.

        The notes, and what the frame does not say of the result, go to stderr. ``options`` are
        those of the result's tables.
        """
        if isinstance(found, pl.DataFrame):
            write_frame(found, self.format, self.file, self.digits)
        elif self.format in CHARTS:
            write(draw(found, self.format), self.file)
        elif self.format in LAYOUTS:
            write(found.write(LAYOUTS[self.format], self.digits, **options), self.file)
        else:
            write_frame(found.frame if data is None else data, self.format, self.file, self.digits)
            notes = (*notes, *filter(None, [found.method]))
        print_notes(dict.fromkeys((*notes, *getattr(found, "notes", ()))))


def take_output(options: dict[str, Any]) -> Output:
    """Where to write, which is taken out of the options of a command."""
    format, file = options.pop("format"), options.pop("output")
    chosen = format or _choose_format(file, click.get_current_context())
    if chosen in ("parquet", "png") and file is None:
        raise click.BadParameter(f"{chosen} needs a file: add -o FILE")
    return Output(chosen, file, options.pop("digits", 4))


def call(
    function: Callable[..., _Found],
    options: dict[str, Any],
    *given: str | Sequence[str] | None,
    inputs: str = "",
) -> tuple[_Found, list[str]]:
    """What a function returns for inputs, some of them runs, with the options of a command.

    ``inputs`` are the names of options that are inputs, too. With it come notes.
    """
    limits, columns = take_reading(options)
    others = {name: options[name] for name in inputs.split()}
    if options.get("engine"):
        refuse_limits(*limits)
        with collecting_remarks() as notes:
            named = name_all([*given, *others.values()], str)
            options |= dict(zip(others, named[len(given) :], strict=True))
            found = function(*named[: len(given)], columns=columns, **options)
        return found, notes
    with connect(*limits) as con, collecting_remarks() as notes:
        found_inputs = find_all([*given, *others.values()], limits[0])
        options |= dict(zip(others, found_inputs[len(given) :], strict=True))
        found = function(*found_inputs[: len(given)], con=con, columns=columns, **options)
    return found, notes


def ask(
    function: Callable[..., pl.DataFrame | Result],
    options: dict[str, Any],
    *given: str | Sequence[str] | None,
    inputs: str = "",
) -> None:
    """Show what `call` returns."""
    to = take_output(options)
    found, notes = call(function, options, *given, inputs=inputs)
    to.show(found, notes=notes)


def _choose_format(output: Path | None, ctx: click.Context) -> Format:
    """The format that the name of the output file stands for, if the command writes it."""
    suffix = output.suffix.lower() if output else ""
    writes = _list_formats(ctx.command)
    if suffix in ("", ".txt") and output and writes == RUN_FORMATS:  # what others read again
        return "trec"
    if _FORMATS.get(suffix) in writes:
        return _FORMATS[suffix]
    said = f"unknown format of {output}"
    if suffix in _FORMATS:
        said = f"{ctx.info_name} cannot be written as {_FORMATS[suffix]}"
    if _FORMATS.get(suffix) in CHARTS:
        others = ctx.find_root().command
        commands = others.commands.items() if isinstance(others, click.Group) else ()
        drawn = sorted(name for name, each in commands if "svg" in _list_formats(each))
        said = f"{ctx.info_name} has no chart; {', '.join(drawn)} have"
    known = ", ".join(each for each, format in _FORMATS.items() if each and format in writes)
    raise click.BadParameter(f"{said}; name it {known}, or add -f")


def _list_formats(command: click.Command) -> Sequence[str]:
    """The formats that a command may write."""
    types = (each.type for each in command.params if each.name == "format")
    return next((each.choices for each in types if isinstance(each, click.Choice)), ())


def write_frame(
    frame: pl.DataFrame, format: Format, output: Path | None = None, digits: int = 4
) -> None:
    """Print the frame or write it to a file.

    A table that is wider than the terminal has metrics one below the other.
    """
    found = format_frame(frame, format, digits)
    if format == "table" and output is None and is_terminal():
        from rich.cells import cell_len

        ids = [column for column, dtype in frame.schema.items() if dtype == pl.String]
        width = max(map(cell_len, str(found).splitlines()), default=0)
        if len(ids) < frame.width and width > get_terminal_size().columns:
            joined = join_intervals(frame, digits)
            long = joined.unpivot(index=ids, variable_name="metric", value_name="score")
            found = format_frame(long.sort(ids, maintain_order=True), format, digits)
    write(found, output)


def note_whole(scores: sqlmetrics.Scores) -> list[str]:
    """A note on the metrics that only a whole run has, so that rows of queries lack them."""
    missing = [each.name for each in scores.metrics if each.name not in scores.per_query.columns]
    if not missing:
        return []
    are = "is a score" if len(missing) == 1 else "are scores"
    return [f"{', '.join(missing)} {are} of a whole run, not of its queries; leave out --per-query"]


def print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        print(f"note: {show(note)}", file=sys.stderr)


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
