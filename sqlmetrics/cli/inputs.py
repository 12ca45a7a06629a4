"""Inputs of commands: connections within limits, and files as Python takes them."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import click
import duckdb

import sqlmetrics

from ..catalogue import parsing, quote
from ..engine.connections import limiting
from ..errors import InputError, refuse
from ..inputs.connection import interruptible
from ..inputs.source import reading
from ..inputs.workspace import open_workspace, sharing_memory
from .bar import show_progress
from .types import Kind, find_files

_DATABASE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, writable=True, path_type=Path)


@contextmanager
def connect(
    database: Annotated[Path, _DATABASE] | None = None,
    memory_limit: str | None = None,
    threads: Annotated[int, click.IntRange(1, 1024)] | None = None,
    temp_folder: Annotated[Path, _FOLDER] | None = None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection within limits, which hold for all work meanwhile; it shows its progress.

    - ``database``: DuckDB file with tables.
    - ``memory_limit``: memory for DuckDB, such as 2GB; by default four fifths of the machine's;
      what does not fit goes to the folder for temporary files; JSON other than JSON lines is read
      whole, outside this limit.
    - ``threads``: threads for DuckDB; all by default.
    - ``temp_folder``: folder for temporary files, if the system's is too small.
    """
    with open_workspace(temp_folder) as folder:
        with reading(str(database)):
            con = duckdb.connect(database or ":memory:", read_only=database is not None)
        with con, interruptible(con), limiting(con), show_progress(con):
            con.execute(f"SET temp_directory = {quote(str(folder))}")
            if threads is not None:
                con.execute(f"SET threads = {threads}")
            if memory_limit is not None:
                said = f"--memory-limit must be a size such as 2GB, not {memory_limit!r}"
                refuse({said: not re.fullmatch(r"[\d.]+ *([kmgt]i?b?|%)", memory_limit.lower())})
                con.execute(f"SET memory_limit = {quote(memory_limit)}")
            with sharing_memory(con, memory_limit):
                yield con


@contextmanager
def open_connection(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The options of a command as functions take them: with a connection, or else an engine."""
    limits = {name: options.pop(name) for name in signature(connect).parameters}
    if options.get("engine"):
        only = " and ".join(f"--{name.replace('_', '-')}" for name in limits if limits[name])
        refuse({f"only DuckDB takes {only}; leave out this or --engine": only})
        yield options
        return
    with connect(**limits) as con:
        yield options | {"con": con}


def _find_input(text: str) -> Any:  # noqa: ANN401
    """What functions take for an input: a file, or what a database or an engine has by a name."""
    context = click.get_current_context()
    if context.params.get("engine"):
        return text
    if text == "-":
        if context.meta.get(text):
            raise InputError("standard input can be read only once")
        context.meta[text] = True
        return sys.stdin.buffer
    if text and (context.params.get("database") or "://" in text):
        return text
    if text and (Path(text).exists() or glob.glob(text, recursive=True)):
        return Path(text)
    raise InputError(_explain_missing(text))


def _explain_missing(text: str) -> str:
    if not text:
        return "empty file name"
    said = f"No files match {text}" if glob.has_magic(text) else f"the file {text} does not exist"
    options = {each.name for each in click.get_current_context().command.params}
    hints = {
        "quote metrics together: -m 'nDCG@10 AP'": parsing.find_metric(text),
        f"to write it, add -o {text!r}": "output" in options and text.endswith(".html"),
        f"write --query {text!r}": "query" in options and not Path(text).suffix,
    }
    return "; ".join([said, *[hint for hint, holds in hints.items() if holds][:1]])


def _find_run(text: str) -> Any:  # noqa: ANN401
    """An input with the name of a run before it, where there is one: bm25=run.txt."""
    name, equals, data = text.partition("=")
    if equals and name and "/" not in name and not Path(text).exists():
        return {name: _find_input(data)}
    return _find_input(text)


def _find_table(text: str) -> tuple[str, Any]:
    """The name and the input of a table of a query: log=clicks.csv."""
    name, equals, data = text.partition("=")
    if not (name.isidentifier() and equals):
        raise click.BadParameter(f"write --table as NAME=FILE, not {text}")
    if name in signature(sqlmetrics.query).parameters and name != "tables":
        raise click.BadParameter(f"--table cannot be called {name}; choose another name")
    return name, _find_run(data)


INPUT = Kind(_find_input, find_files)
# An argument that may be left out so that others come after it.
OPTIONAL = Kind(lambda text: None if text == "none" else _find_input(text), find_files)
RUN = Kind(_find_run, find_files)
NAMED = Kind(_find_table, find_files)
INPUTS = (INPUT, OPTIONAL, RUN, NAMED)


def read_columns(given: Sequence[str]) -> dict[str, str | int]:
    """``query_id=q,doc_id=2`` as a dict."""
    columns: dict[str, str | int] = {}
    for pair in (pair for pairs in given for pair in pairs.split(",")):
        column, equals, name = pair.partition("=")
        if not equals:
            raise click.BadParameter(
                f"write it as query_id=NAME, not {pair}; -c of trec_eval is the default here",
                param_hint="--columns",
            )
        column, taken = column.strip(), int(name) if re.fullmatch(r"[0-9]{1,9}", name) else name
        if (before := columns.setdefault(column, taken)) != taken:
            said = f"--columns names {column} twice, {before} and {name}; keep one of them"
            if column.endswith("_id"):
                said += f"; for a key of both columns, write {column}={before}+{name}; for inputs "
                said += f"with different ones, write qrels.{column}={before},run.{column}={name}"
            raise click.BadParameter(said)
    return columns


def group_tables(given: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Tables by name; several of one name are runs."""
    found: dict[str, list[Any]] = {}
    for name, data in given:
        found.setdefault(name, []).append(data)
    return {
        name: runs if len(runs) > 1 or isinstance(runs[0], dict) else runs[0]
        for name, runs in found.items()
    }


def read_pairs(
    given: Sequence[str], option: str, example: str, *, of_metrics: bool = False
) -> dict[str, str]:
    """``nDCG@10=0.45`` as a dict, for an option that may be repeated.

    Two values for one name, or for two names of one metric, are refused.
    """
    found: dict[str, str] = {}
    known: dict[object, str] = {}
    for pair in given or ():
        name, _, value = (part.strip() for part in pair.rpartition("="))
        if not name or not value:
            raise click.BadParameter(f"write {example}, not {pair}", param_hint=option)
        meant: list[Any] = [*parsing.parse(name)] if of_metrics else [name]
        if len(meant) > 1:
            problem = f"{name} names {len(meant)} metrics; give each a limit of its own"
            raise click.BadParameter(problem, param_hint=option)
        if meant[0] in known:
            problem = f"{known[meant[0]]} and {pair} are for the same; keep one of them"
            raise click.BadParameter(problem, param_hint=option)
        known[meant[0]] = pair
        found[name] = value
    return found
