"""Reused: what the calls on one connection of our own use again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import duckdb
import polars as pl

from .frames import ScoreDict
from .streams import Stream

OWN = "_sqlmetrics_"

_numbers = count()

# Names of frames, and statements, that a connection has at most while none is in use.
_MOST = 64


def name_temporarily() -> str:
    """A name that is unique on a connection."""
    return f"{OWN}{next(_numbers)}"


class Named(NamedTuple):
    """A name on the connection for the rows of one frame after another, of the same columns."""

    name: str
    stream: Stream
    columns: Hashable


@dataclass(frozen=True)
class Reused:
    """Names of frames, and prepared statements, of a connection.

    A frame takes the name of an earlier one with the same columns, so that calls which ask the same
    give the same statements. DuckDB parses these once; version 2.0 plans them for each call, since
    they read views and call macros.
    """

    con: duckdb.DuckDBPyConnection
    _free: dict[Hashable, list[Named]] = field(default_factory=dict)
    _statements: dict[str, str | None] = field(default_factory=dict)

    def take(self, frame: pl.DataFrame | ScoreDict) -> Named:
        """A name for the rows of the frame, to `free` when they are no longer needed."""
        schema = frame.collect_schema()
        columns = tuple(schema.items())
        if free := self._free.get(columns):
            named = free.pop()
        else:
            named = Named(name_temporarily(), Stream(schema.to_frame()), columns)
            self.con.register(named.name, named.stream)
        named.stream.frame = frame
        return named

    def free(self, named: Named) -> None:
        """Let another frame take the name; this one is not kept."""
        named.stream.frame = pl.DataFrame()
        if sum(map(len, self._free.values())) == _MOST:
            self._unregister()
        self._free.setdefault(named.columns, []).append(named)

    def prepare(self, query: str) -> str | None:
        """The statement that runs a query, from the second time on."""
        if query not in self._statements:
            if len(self._statements) == _MOST:
                self.forget()
            self._statements[query] = None
            return None
        if not (name := self._statements[query]):
            name = name_temporarily()
            self.con.execute(f"PREPARE {name} AS {query}")
            self._statements[query] = name
        return f"EXECUTE {name}"

    def forget(self) -> None:
        """Prepare all statements anew."""
        for name in filter(None, self._statements.values()):
            self.con.execute(f"DEALLOCATE {name}")
        self._statements.clear()

    def _unregister(self) -> None:
        self.forget()
        for named in (named for free in self._free.values() for named in free):
            self.con.unregister(named.name)
        self._free.clear()
