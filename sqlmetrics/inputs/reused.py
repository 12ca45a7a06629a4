"""Reused: what the calls on one connection of our own use again."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import duckdb
import polars as pl

from ..catalogue import quote
from .frames import ScoreDict
from .streams import Stream

OWN = "_sqlmetrics_"

_numbers = count()
# Rows that are written as JSON in less time than a statement takes to plan, and the types whose
# values are the same there.
_FEW = 1000
_TYPES = {"UInt32": "UINTEGER", "Int64": "BIGINT", "Float64": "DOUBLE", "String": "VARCHAR"}

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

    def pass_rows(self) -> tuple[str, str] | None:
        """The query of the rows in an argument, and this, if they are few and the same in JSON."""
        rows = self.stream.frame
        if not isinstance(rows, pl.DataFrame) or rows.height > _FEW:
            return None
        types = {column: _TYPES.get(str(kind)) for column, kind in rows.schema.items()}
        are_same = (types[each.name] != "DOUBLE" or each.is_finite().all() for each in rows)
        if None in types.values() or not all(are_same):
            return None
        read = f"from_json(CAST(${self.name} AS VARCHAR), {quote(json.dumps([types]))})"
        query = f"{self.name} AS (SELECT unnest({read}, recursive := true))"
        return query, f"{self.name} := {quote(rows.write_json())}"


@dataclass(frozen=True)
class Reused:
    """Names of frames, and prepared statements, of a connection.

    A frame takes the name of an earlier one with the same columns, so that calls which ask the same
    give the same statements. DuckDB parses these once; version 2.0 plans those that read views for
    each call, but those that read arguments once, which frames of few rows can be.
    """

    con: duckdb.DuckDBPyConnection
    _used: list[Named] = field(default_factory=list)
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
        self._used.append(named)
        return named

    def free(self, named: Named) -> None:
        """Let another frame take the name; this one is not kept."""
        named.stream.frame = pl.DataFrame()
        self._used.remove(named)
        if sum(map(len, self._free.values())) == _MOST:
            self.forget()
            for each in (each for free in self._free.values() for each in free):
                self.con.unregister(each.name)
            self._free.clear()
        self._free.setdefault(named.columns, []).append(named)

    def prepare(self, query: str, *, takes_arguments: bool) -> str | None:
        """The statement that runs a query, from the second time on."""
        query, arguments = self._pass(query) if takes_arguments else (query, "")
        if query not in self._statements:
            if len(self._statements) == _MOST:
                self.forget()
            self._statements[query] = None
            return None
        if not (name := self._statements[query]):
            name = name_temporarily()
            self.con.execute(f"PREPARE {name} AS {query}")
            self._statements[query] = name
        return f"EXECUTE {name}{arguments}"

    def _pass(self, query: str) -> tuple[str, str]:
        """The query of arguments in place of frames, if all of these have few rows, and these."""
        used = [each for each in self._used if re.search(rf"\b{each.name}\b", query)]
        passed = [each.pass_rows() for each in used]
        if not used or None in passed:
            return query, ""
        queries, arguments = map(",\n".join, zip(*filter(None, passed), strict=True))
        return f"WITH {queries}\nFROM (\n{query}\n)", f"({arguments})"

    def forget(self) -> None:
        """Prepare all statements anew."""
        for name in filter(None, self._statements.values()):
            self.con.execute(f"DEALLOCATE {name}")
        self._statements.clear()
