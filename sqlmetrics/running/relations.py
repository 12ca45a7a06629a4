"""Relations: their rows on a connection, checked and kept, and what aggregates say of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from ..catalogue import Value, find_file, quote
from ..errors import InputError
from ..inputs.columns import quote_name
from ..inputs.reader import Reader
from ..inputs.reused import name_temporarily
from ..inputs.streams import Stream
from ..macros.create import prepare
from ..progress import remark
from .checks import note_strangers, refuse_tables

# The ends of an interval, which a statistic named ends has in a list.
ENDS = tuple(pl.col("ends").list.get(place).alias(end) for place, end in enumerate(("low", "high")))


def ask(con: duckdb.DuckDBPyConnection, query: str) -> pl.DataFrame:
    """The rows of a query that calls our macros, which are created for it.

    They are a table first: of a relation, DuckDB plans the query twice.
    """
    name = name_temporarily()
    con.execute(f"CREATE TEMP TABLE {name} AS {prepare(con, query)}")
    try:
        return pl.DataFrame(Stream(con.sql(f"FROM {name}")))
    finally:
        con.execute(f"DROP TABLE {name}")


def keep(reader: Reader, query: str, *variants: str) -> str:
    """The name of a temporary table with the rows of such a query, by ``variants`` of macros."""
    return reader.keep(prepare(reader.con, query, *variants), as_table=True)


def write_statistics(
    statistics: Mapping[str, str], source: str, keys: Sequence[str], others: Sequence[str] = ()
) -> str:
    """The query of statistics of rows that have ``keys``, and ``others`` not listed, in common."""
    listed = [*keys, *(f"{how} AS {quote_name(name)}" for name, how in statistics.items())]
    grouped = [*keys, *others]
    groups = f" GROUP BY {', '.join(grouped)}" if grouped else ""
    return f"SELECT {', '.join(listed)} FROM {source}{groups}"


@dataclass(frozen=True)
class Rows:
    """The rows of a relation in a table of a connection.

    ``groups`` are the columns that the rows of a group have in common, segment only if a table has
    it; ``inputs`` the tables that the relation is of.
    """

    reader: Reader
    table: str
    inputs: Mapping[str, str]
    groups: tuple[str, ...]

    def read(self) -> pl.DataFrame:
        """All of them."""
        return ask(self.reader.con, f"FROM {self.table}")

    def ask(self, statistics: Mapping[str, str], **options: Any) -> pl.DataFrame:  # noqa: ANN401
        """Statistics of each group, by the query that `write` writes."""
        return ask(self.reader.con, self.write(statistics, **options))

    def write(
        self,
        statistics: Mapping[str, str],
        *,
        rows: str | None = None,
        given: pl.DataFrame | None = None,
        by: Iterable[str] | None = None,
    ) -> str:
        """The query of statistics of each group: columns, and how each is computed of ``p``.

        ``rows`` take the place of these: a table, or a relation over them. ``given`` is joined by
        the columns of groups that it has, and the statistics may use its others, such as
        ``g.confidence``. ``by`` are the columns of other groups; without any, all rows are one.
        """
        by = self.groups if by is None else tuple(by)
        keys = [f"p.{quote_name(key)}" for key in by]
        others: list[str] = []
        source = f"{rows or self.table} AS p"
        if given is not None:
            source += f" JOIN {self.reader.register(given)} AS g ON "
            shared = [quote_name(name) for name in given.columns if name in by]
            source += " AND ".join(f"p.{key} = g.{key}" for key in shared)
            others = [f"g.{quote_name(name)}" for name in given.columns if name not in by]
        return write_statistics(statistics, source, keys, others)


def relate(
    reader: Reader,
    relation: str,
    tables: Mapping[str, pl.DataFrame | str],
    *,
    checked: Collection[str] = (),
    **options: Value,
) -> Rows:
    """The rows of a relation of frames, or of tables of the reader's connection.

    ``options`` are its other parameters. ``checked`` are the tables that were read and checked.

    Raises `InputError` for a wrong option, and for tables that the relation refuses.
    """
    require(relation, **options)
    named = {
        name: table if isinstance(table, str) else reader.register(table)
        for name, table in tables.items()
    }
    remark(note_strangers(reader.con, named))
    given = {name: quote(value) for name, value in options.items()}
    file = find_file(relation)
    refuse_tables(reader.con, file, named, given, checked)
    inputs = (named[name] for name in file.inputs)
    passed = [*inputs, *(f"{name} := {value}" for name, value in given.items())]
    rows = keep(reader, f"FROM {relation}({', '.join(passed)})")
    is_divided = any("segment" in getattr(table, "columns", ()) for table in tables.values())
    return Rows(reader, rows, named, list_groups(relation, is_divided=is_divided))


def list_groups(relation: str, *, is_divided: bool = False) -> tuple[str, ...]:
    """The columns of a relation's groups, segment only if it is divided into these."""
    groups = find_file(relation).list_names("groups")
    return tuple(key for key in groups if key != "segment" or is_divided)


def require(macro: str, **options: Value) -> None:
    """Raise `InputError` for an option that breaks the rule of a macro's parameter."""
    file = find_file(macro)
    for name, value in options.items():
        parameter = file.options.get(name)
        if parameter and parameter.find_problem(value):
            raise InputError(f"{name} must be {parameter.rule}, not {value!r}")
