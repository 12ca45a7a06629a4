"""Connections to DuckDB: the user's, which is left as it was, or one of our own."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import NamedTuple, get_args

import duckdb

from ..catalogue import quote
from ..errors import require_one_of
from ..inputs.columns import Columns, naming
from ..inputs.connection import require_connection
from ..inputs.data import RunNames
from ..inputs.interrupts import interruptible, is_interrupt
from ..inputs.reader import Reader
from ..inputs.reused import Reused
from ..inputs.workspace import open_workspace
from ..macros.create import Created, dropping_bare_macros, remembering_macros


@contextmanager
def open_reader(
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    *,
    with_ranks: bool = False,
) -> Iterator[Reader]:
    """A reader of inputs, on the user's connection or one of its own, which undoes what it did."""
    if con is not None:
        require_connection(con)
    require_one_of("run_names", run_names, get_args(RunNames))
    with naming(columns) as named, _raising_keyboard_interrupt(), ExitStack() as undo:
        if con:
            undo.enter_context(dropping_bare_macros(con))
        used, reused = (con, None) if con else undo.enter_context(_open_own())
        with interruptible(used):  # but not what is undone
            yield Reader(
                used,
                undo,
                has_tables=bool(con),
                columns=named,
                by_tag=run_names == "tag",
                with_ranks=with_ranks,
                reused=reused,
            )


class _Own(NamedTuple):
    """A connection of our own, with the macros and whatever else it has for the next call."""

    con: duckdb.DuckDBPyConnection
    created: Created
    reused: Reused | None
    end: ExitStack


# Those that wait for the next call, at most as many as there may be calls at once for long.
_idle: list[_Own] = []
_MOST_IDLE = 8


# The connection whose limits hold for those of our own, too.
_limiting: ContextVar[duckdb.DuckDBPyConnection | None] = ContextVar("_limiting", default=None)


@contextmanager
def limiting(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Open connections of our own to the database of ``con``, so that its limits hold for all."""
    before = _limiting.set(con)
    try:
        yield
    finally:
        _limiting.reset(before)


@contextmanager
def _open_own() -> Iterator[tuple[duckdb.DuckDBPyConnection, Reused | None]]:
    """A connection of our own, which later calls use again unless an error ends this one."""
    if limited := _limiting.get():
        with limited.cursor() as own, remembering_macros(Created()):
            yield own, None
        return
    try:
        used = _idle.pop()
    except IndexError:
        used = _connect()
    try:
        with remembering_macros(used.created):
            yield used.con, used.reused
    except BaseException:
        used.end.close()
        raise
    if len(_idle) < _MOST_IDLE:
        _idle.append(used)
    else:
        used.end.close()


def _connect() -> _Own:
    with ExitStack() as opened:
        folder = opened.enter_context(open_workspace())
        con = opened.enter_context(duckdb.connect())
        con.execute(f"SET temp_directory = {quote(str(folder))}")
        con.execute("SET autoinstall_known_extensions = false")
        # DuckDB would print a bar in a notebook, or where it takes us for one
        with suppress(duckdb.InvalidInputException):  # a notebook that cannot show one
            con.execute("SET enable_progress_bar = false")
        # from version 2, DuckDB hands over the rows of a prepared statement by column
        reused = None if duckdb.__version__.startswith("1.") else Reused(con)
        created = Created(on_change=reused.forget) if reused else Created()
        return _Own(con, created, reused, opened.pop_all())


@atexit.register
def _close_idle() -> None:
    while _idle:
        _idle.pop().end.close()


@contextmanager
def _raising_keyboard_interrupt() -> Iterator[None]:
    """Turn what DuckDB makes of Ctrl-C back into what Python makes of it."""
    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from None
        raise
