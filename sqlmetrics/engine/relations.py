"""Relations: their rows on a connection, checked and kept, and what aggregates say of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ..catalogue import Value, find_file, quote
from ..errors import InputError, require_one_of
from ..inputs.columns import quote_name
from ..progress import remark
from .checks import note_strangers, refuse_tables
from .connections import DuckDB


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

    reader: DuckDB
    table: str
    inputs: Mapping[str, str]
    groups: tuple[str, ...]

    def read(self) -> pl.DataFrame:
        """All of them."""
        return self.reader.run(f"FROM {self.table}")

    def compute(
        self,
        statistics: Mapping[str, str],
        *,
        rows: str | None = None,
        given: pl.DataFrame | None = None,
        by: Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """Statistics of each group: columns, and how each is computed of ``p``.

        ``rows`` take the place of these: a table, or a relation over them. ``given`` is joined by
        the columns of groups that it has, and the statistics may use its others, such as
        ``g.confidence``. ``by`` are the columns of other groups; without any, all rows are one.
        """
        by = self.groups if by is None else by
        others: list[str] = []
        source = f"{rows or self.table} AS p"
        if given is not None:
            source += f" JOIN {self.reader.register(given)} AS g ON "
            shared = [quote_name(name) for name in given.columns if name in by]
            source += " AND ".join(f"p.{key} = g.{key}" for key in shared)
            others = [f"g.{quote_name(name)}" for name in given.columns if name not in by]
        keys = [f"p.{quote_name(key)}" for key in by]
        return self.reader.run(write_statistics(statistics, source, keys, others))


def relate(
    reader: DuckDB,
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
    remark(note_strangers(reader, named))
    given = {name: quote(value) for name, value in options.items()}
    file = find_file(relation)
    refuse_tables(reader, file, named, given, checked)
    inputs = (named[name] for name in file.inputs)
    passed = [*inputs, *(f"{name} := {value}" for name, value in given.items())]
    rows = reader.create(f"FROM {relation}({', '.join(passed)})")
    is_divided = any("segment" in getattr(table, "columns", ()) for table in tables.values())
    groups = (key for key in file.list_names("groups") if key != "segment" or is_divided)
    return Rows(reader, rows, named, tuple(groups))


def require(macro: str, **options: Value) -> None:
    """Raise `InputError` for an option that breaks the rule of a macro's parameter."""
    file = find_file(macro)
    for name, value in options.items():
        parameter = file.options.get(name)
        if parameter and parameter.find_problem(value):
            if parameter.rule.words and not parameter.rule.allows_null:
                require_one_of(name, value, parameter.rule.words)
            raise InputError(f"{name} must be {parameter.rule}, not {value!r}")
