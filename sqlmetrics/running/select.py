"""A SELECT over the macros, on tables of a connection: read and checked there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import polars as pl

from ..catalogue import SqlFile
from ..inputs.data import Data
from ..inputs.reader import Reader
from ..inputs.streams import Stream
from ..inputs.topics import Topics, read_topics
from ..macros.calls import Call, list_called
from ..macros.create import TooLarge, bare, prepare, take_any_gain
from ..macros.install import call_installed, create_guarded_macros
from ..macros.statements import take_items
from .checks import refuse_tables
from .duckdb import select_exactly
from .given import Given
from .relations import ask, keep


class Tables(Protocol):
    """Tables by name, read and checked where the engine is.

    ``notes`` are remarks on them; ``given`` says what each is called, and more.
    """

    @property
    def reader(self) -> Any:  # noqa: ANN401
        """What read them."""

    @property
    def notes(self) -> list[str]: ...

    @property
    def given(self) -> Mapping[str, Any]: ...

    @property
    def named(self) -> Mapping[str, str]:
        """The names that the tables have for `ask` and `keep`."""

    def run(self, sql: str, calls: Sequence[Call], *, is_checked: bool) -> pl.DataFrame:
        """The rows of a user's SELECT, whose ``calls`` refuse what they do.

        ``is_checked`` if nothing else in it can be wrong.
        """

    def ask(self, sql: str) -> pl.DataFrame:
        """The rows of a SELECT of our own, which refuses nothing."""

    def keep(self, sql: str) -> str:
        """The name of the rows of such a SELECT, computed once."""

    def show(self, frame: pl.DataFrame) -> str:
        """The name of a frame."""

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        """The columns of a table of queries."""

    def open_here(self) -> Reader:
        """A reader on a connection for what is computed here."""

    def write(self, sql: str) -> str:
        """Such a SELECT as users may run it, where the name of a table begins with ``_``."""


class DuckDBTables:
    """Tables on a connection; see `Tables`."""

    def __init__(self, reader: Reader, given: Mapping[str, Given]) -> None:
        self.reader = reader
        self.notes = reader.notes
        self.given = given

    @property
    def named(self) -> Mapping[str, str]:
        return take_items({name: each.table for name, each in self.given.items()})

    def run(self, sql: str, calls: Sequence[Call], *, is_checked: bool) -> pl.DataFrame:
        con = self.reader.con
        for name, given in self.given.items():
            self.reader.name(given.table, name)
        checked = {file for call in calls for file in self._refuse(call)}
        if is_checked:
            try:
                return ask(con, sql)
            except TooLarge:
                take_any_gain(con)
                return pl.DataFrame(Stream(con.sql(bare(sql))))
        create_guarded_macros(con, list_called(sql), checked, is_own=not self.reader.has_tables)
        return pl.DataFrame(Stream(con.sql(sql)))

    def _refuse(self, call: Call) -> list[SqlFile]:
        """The relations of a call whose tables were all read; raises `InputError` for these."""
        given = {
            parameter: self.given[name]
            for parameter, name in call.tables.items()
            if name in self.given
        }
        relations = [file for file in call.relations if {*file.inputs} <= given.keys()]
        checked = [parameter for parameter, each in given.items() if each.is_checked]
        for file in relations:
            tables = {name: given[name].table for name in file.inputs}
            own = {name: value for name, value in file.parameters.items() if value is not None}
            refuse_tables(self.reader.con, file, tables, {**own, **call.options}, checked)
        return relations

    def ask(self, sql: str) -> pl.DataFrame:
        return select_exactly(self.reader, prepare(self.reader.con, sql, _VARIANTS))

    def keep(self, sql: str) -> str:
        return keep(self.reader, sql, _VARIANTS)

    def show(self, frame: pl.DataFrame) -> str:
        return self.reader.register(frame)

    def read_topics(self, data: Data, segments: tuple[str, ...], weight: str | None) -> Topics:
        return read_topics(self.reader, data, segments, weight)

    def open_here(self) -> Reader:
        return self.reader

    def write(self, sql: str) -> str:
        queries = (f"_{name} AS (\n    {each.query}\n)" for name, each in self.given.items())
        before = (
            ",\n".join([*queries, ""]) if sql.startswith("WITH ") else ",\n".join(queries) + "\n"
        )
        return call_installed(f"WITH {before}{sql.removeprefix('WITH ')}")


# The variants of macros that DuckDB runs.
_VARIANTS = "duckdb"
