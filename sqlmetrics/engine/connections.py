"""Connections to DuckDB, as an engine: the user's, which is left as it was, or one of our own."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar, get_args

import duckdb
import polars as pl

from ..catalogue import SqlFile, quote
from ..errors import require_one_of
from ..inputs.columns import Columns, naming
from ..inputs.connection import interruptible, is_interrupt, require_connection
from ..inputs.data import RunNames
from ..inputs.reader import Reader
from ..inputs.reused import Reused, name_temporarily
from ..inputs.streams import Stream
from ..inputs.tables import Topics, read_excluded, read_topics
from ..inputs.workspace import open_workspace
from ..macros.calls import Call, list_called
from ..macros.create import (
    Created,
    dropping_bare_macros,
    prepare,
    remembering_macros,
    take_any_gain,
    unite_queries,
    write_without,
)
from ..macros.install import call_installed, create_guarded_macros
from ..progress import setting
from .interface import Given

T = TypeVar("T")


class DuckDB(Reader):
    """DuckDB as an engine: it reads inputs, and runs SQL that calls our macros."""

    dialect = ""

    def run(self, sql: str, *variants: str, is_marked: bool = False) -> pl.DataFrame:
        """The rows of a query, by ``variants`` of macros; its sums may be of any size.

        ``is_marked`` as in `prepare`.
        """
        query = prepare(self.con, sql, *variants, is_marked=is_marked)
        are_exact = "numbered" in variants
        return self._try(lambda query: self._run(query, are_exact=are_exact), query)

    def _try(self, run: Callable[[str], T], query: str) -> T:
        """What becomes of a query, whose sums may be of any size."""
        try:
            return run(query)
        except (duckdb.ConversionException, duckdb.OutOfRangeException):  # for the fast way to add
            take_any_gain(self.con)
            return run(query)

    def _run(self, query: str, *, are_exact: bool) -> pl.DataFrame:
        """The rows of a query, which is prepared if it was run before.

        Else they are a table first: DuckDB would plan it twice. If sums ``are_exact``, a statement
        may be planned for rows that are not known; the last bits of others depend on the plan.
        """
        if self.reused and (ready := self.reused.prepare(query, takes_arguments=are_exact)):
            return pl.DataFrame(Stream(self.con.sql(ready)))
        name = name_temporarily()
        self.con.execute(f"CREATE TEMP TABLE {name} AS {query}")
        try:
            return pl.DataFrame(Stream(self.con.sql(f"FROM {name}")))
        finally:
            self.con.execute(f"DROP TABLE {name}")

    def create(self, sql: str, *variants: str) -> str:
        """The name of a temporary table with the rows of a query."""
        return self.keep(prepare(self.con, sql, *variants), as_table=True)

    def problems(self, call: str) -> tuple[int, list[dict[str, Any]]]:
        """The number of rows that a check finds, and the first of them."""
        # mostly there are none, and to say what is wrong costs more than to look for a row
        any_row = prepare(self.con, f"SELECT 1 FROM {call} LIMIT 1")
        found = self._try(self.con.execute, any_row).fetchall()
        return self.list_problems(call) if found else (0, [])

    def list_problems(self, call: str) -> tuple[int, list[dict[str, Any]]]:
        """The same at once, where problems are likely."""
        query = f"SELECT *, count(*) OVER () AS _number FROM {call} ORDER BY ALL LIMIT 3"
        found = self._try(self.con.execute, prepare(self.con, query))
        names = [name for name, *_ in found.description or ()]
        rows = [dict(zip(names, values, strict=True)) for values in found.fetchall()]
        return (rows[0]["_number"] if rows else 0), rows

    def leave_out(self, run: str, exclude: Any) -> str:  # noqa: ANN401
        """The name of the rows of a run without the documents of ``exclude``."""
        excluded = read_excluded(self, exclude)
        others = self.keep(excluded.query) if excluded and excluded.query else None
        return self.create(write_without(run, others))

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        """The columns of a table of queries."""
        return read_topics(self, data, segments, weight)

    def open_here(self) -> DuckDB:
        """This one."""
        return self

    def select(
        self,
        sql: str,
        calls: Sequence[Call],  # noqa: ARG002
        given: Mapping[str, Given],
        checked: Collection[SqlFile] | None,
    ) -> pl.DataFrame:
        """The rows of a query of the user; see `Engine.select`."""
        for name, each in given.items():
            self.name(each.table, name)
        if checked is None:
            return self.run(sql)
        create_guarded_macros(self.con, list_called(sql), checked, is_own=not self.has_tables)
        return pl.DataFrame(Stream(self.con.sql(sql)))

    def write(self, sql: str, given: Mapping[str, Given]) -> str:
        """A query as users may run it, where the name of a table begins with ``_``."""
        named = given.items()
        queries = [f"_{name} AS (\n    {unite_queries(each.inputs)}\n)" for name, each in named]
        is_with = sql.startswith("WITH ")
        before = ",\n".join([*queries, ""]) if is_with else ",\n".join(queries) + "\n"
        return call_installed(f"WITH {before}{sql.removeprefix('WITH ')}")


@contextmanager
def open_reader(
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    *,
    with_ranks: bool = False,
) -> Iterator[DuckDB]:
    """A reader of inputs, on the user's connection or one of its own, which undoes what it did."""
    if con is not None:
        require_connection(con)
    require_one_of("run_names", run_names, get_args(RunNames))
    with naming(columns) as named, _raising_keyboard_interrupt(), ExitStack() as undo:
        if con:
            undo.enter_context(dropping_bare_macros(con))
        used, reused = (con, None) if con else undo.enter_context(_open_own())
        with interruptible(used):  # but not what is undone
            yield DuckDB(
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


def limiting(con: duckdb.DuckDBPyConnection) -> AbstractContextManager[object]:
    """Open connections of our own to the database of ``con``, so that its limits hold for all."""
    return setting(_limiting, con)


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
