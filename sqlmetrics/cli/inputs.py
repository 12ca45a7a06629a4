"""Inputs of commands: connections within limits, and files as Python takes them."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import click
import duckdb

import sqlmetrics

from ..catalogue import parsing, quote
from ..inputs.data import name_file, split_name
from ..inputs.interrupts import interruptible
from ..inputs.source import reading
from ..inputs.workspace import open_workspace, sharing_memory
from ..running.connections import limiting
from .progress import show_progress
from .types import Database, Folder, Threads


@contextmanager
def connect(
    database: Database | None,
    memory_limit: str | None,
    threads: Threads | None,
    temp_folder: Folder | None,
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
                _limit_memory(con, memory_limit)
            with sharing_memory(con, memory_limit):
                yield con


def _limit_memory(con: duckdb.DuckDBPyConnection, size: str) -> None:
    with suppress(duckdb.Error):
        if re.match(r"\s*[\d.]", size):  # DuckDB takes -1 for unlimited
            con.execute(f"SET memory_limit = {quote(size)}")
            return
    problem = f"Invalid size '{size}'; expected e.g. 2GB"
    raise click.BadParameter(problem, param_hint="--memory-limit")


@contextmanager
def open_inputs(options: dict[str, Any], names: Collection[str]) -> Iterator[dict[str, Any]]:
    """The options of a command as functions take them, with inputs by these names.

    With an engine, inputs are what it knows by their names; else there is a connection for them.
    """
    limits = {name: options.pop(name) for name in signature(connect).parameters}
    given = {name: options[name] for name in names if options[name] is not None}
    if options.get("engine"):
        refuse_limits(*limits.values())
        yield options | {name: find_all(value, str) for name, value in given.items()}
        return
    if [text for value in given.values() for text in _list_texts(value)].count("-") > 1:
        raise sqlmetrics.InputError("standard input can be read only once")
    with connect(**limits) as con:
        find = partial(find_input, database=limits["database"])
        yield {**options, **{name: find_all(given[name], find) for name in given}, "con": con}


def refuse_limits(*given: object) -> None:
    """Raise an error for options that only DuckDB has."""
    if any(given):
        raise click.BadParameter(
            "--explain, --database, --memory-limit, --threads and --temp-folder work only with "
            "DuckDB; remove them or --engine"
        )


def _list_texts(given: Any) -> Iterator[str]:  # noqa: ANN401
    if isinstance(given, str):
        yield given
    else:
        for each in given.values() if isinstance(given, dict) else given:
            yield from _list_texts(each)


def find_all(given: Any, find: Callable[[str], Any]) -> Any:  # noqa: ANN401
    """What is found of an input, of several by name, or of runs, which may have names."""
    if isinstance(given, str):
        return find(given)
    if isinstance(given, dict):
        return {name: find_all(each, find) for name, each in given.items()}
    return [name_input(run, find) for run in given]


def name_input(run: str, find: Callable[[str], Any]) -> Any:  # noqa: ANN401
    """What is found of a run, by the name before it where there is one: bm25=run.txt."""
    name, equals, data = run.partition("=")
    if equals and name and "/" not in name and not Path(run).exists():
        return {name: find(data)}
    return find(run)


def find_first(runs: Sequence[str], known: Sequence[str]) -> str | None:
    """The name of the first run that was given, where its argument shows it."""
    name, equals, _ = runs[0].partition("=")
    guesses = (name if equals else name_file(runs[0]), runs[0], split_name(runs[0])[-1])
    return next((guess for guess in guesses if guess in known), None)


def find_input(text: str, database: Path | None) -> Any:  # noqa: ANN401
    if not text:
        raise sqlmetrics.InputError("empty file name")
    if text == "-":
        return sys.stdin.buffer
    if database or "://" in text:
        return text
    if Path(text).exists() or glob.glob(text, recursive=True):
        return Path(text)
    if glob.has_magic(text):
        raise sqlmetrics.InputError(f"No files match {text}")
    hint = "; quote metrics together: -m 'nDCG@10 AP'" if _is_metric(text) else ""
    raise sqlmetrics.InputError(f"the file {text} does not exist{hint}")


def read_columns(given: Sequence[str]) -> dict[str, str | int]:
    """``query_id=q,doc_id=2`` as a dict."""
    columns: dict[str, str | int] = {}
    for pair in (pair for pairs in given for pair in pairs.split(",")):
        column, equals, name = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"write --columns as query_id=NAME, not {pair}")
        column, taken = column.strip(), int(name) if re.fullmatch(r"[0-9]{1,9}", name) else name
        if (before := columns.setdefault(column, taken)) != taken:
            raise click.BadParameter(
                f"--columns names {column} twice, {before} and {name}; for a key of both columns, "
                f"write {column}={before}+{name}; for inputs with different columns, write "
                f"qrels.{column}={before},run.{column}={name}"
            )
    return columns


def read_pairs(
    given: Sequence[str],
    option: str,
    example: str,
    identify: Callable[[str], Hashable] = str,
) -> dict[str, str]:
    """``nDCG@10=0.45`` as a dict, for an option that may be repeated.

    Two values for one name are refused; names are the same if ``identify`` says so.
    """
    found: dict[str, str] = {}
    known: dict[Hashable, str] = {}
    for pair in given:
        name, _, value = (part.strip() for part in pair.rpartition("="))
        if not name or not value:
            raise click.BadParameter(f"write {example}, not {pair}", param_hint=option)
        same = identify(name)
        if same in known:
            raise click.BadParameter(
                f"{known[same]} and {pair} are for the same; keep one of them", param_hint=option
            )
        known[same] = pair
        found[name] = value
    return found


def _is_metric(text: str) -> bool:
    try:
        return bool(parsing.parse(text))
    except sqlmetrics.MetricError:
        return False
