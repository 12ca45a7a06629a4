"""Groups: statistics over the rows of a relation, such as those of ``sql/experiments``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from ..catalogue import files, find_file
from ..inputs.reader import Reader
from ..inputs.streams import Stream
from .checks import refuse_tables
from .macros import bare, create_bare_macros, sort_files


@dataclass(frozen=True)
class Groups:
    """The rows of a relation on a connection, and what those of a group have in common."""

    reader: Reader
    table: str
    keys: tuple[str, ...]

    def ask(self, statistics: Mapping[str, str], rows: str | None = None) -> pl.DataFrame:
        """Statistics of each group: columns, and how each is computed of ``p``.

        ``rows`` is a query over the rows that takes their place.
        """
        listed = ", ".join(f"{how} AS {name}" for name, how in statistics.items())
        keys = ", ".join(f"p.{key}" for key in self.keys)
        source = f"({rows})" if rows else self.table
        return self.select(f"SELECT {keys}, {listed} FROM {source} AS p GROUP BY {keys}")

    def select(self, query: str) -> pl.DataFrame:
        return pl.DataFrame(Stream(self.reader.con.sql(bare(query))))


def prepare(reader: Reader, folder: str = "experiments") -> None:
    """Create the macros of a folder, and those of comparisons that work on their rows."""
    wanted = (each for name in (folder, "comparisons") for each in files()[name].values())
    create_bare_macros(reader.con, sort_files(wanted))


def relate(
    reader: Reader, relation: str, tables: Mapping[str, pl.DataFrame], **options: str | None
) -> Groups:
    """The rows of a relation over some tables; ``options`` are its other parameters, as SQL.

    `prepare` comes before.

    Raises `InputError` for tables that the relation refuses.
    """
    file = find_file(relation)
    named = {name: reader.register(Stream(frame)) for name, frame in tables.items()}
    given = {name: value for name, value in options.items() if value is not None}
    refuse_tables(reader.con, file, named, given)
    passed = [*named.values(), *(f"{name} := {value}" for name, value in given.items())]
    rows = reader.keep(bare(f"FROM {relation}({', '.join(passed)})"), as_table=True)
    return Groups(reader, rows, tuple(filter(None, file.header.get("groups", "").split(", "))))
