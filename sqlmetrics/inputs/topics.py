"""Topics: data about the queries, such as their country or traffic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ..errors import InputError, read_names
from .columns import Kind, quote_name
from .data import Data
from .reader import Reader
from .source import Input
from .streams import Stream


@dataclass(frozen=True)
class Topics:
    """A row per query: its query_id, segments and weight."""

    name: str
    frame: pl.DataFrame
    segments: tuple[str, ...]
    weight: str | None

    def join(self, per_query: pl.DataFrame) -> pl.DataFrame:
        """Add the topics' columns to the scores of queries."""
        columns = [*self.segments, *([self.weight] if self.weight else [])]
        known = self.frame.select("query_id", *dict.fromkeys(columns))
        joined = per_query.join(known, on="query_id", how="left", maintain_order="left")
        names = dict.fromkeys(["run_id", "query_id", *columns, *per_query.columns])
        if self.weight:
            self.describe_missing(per_query)  # each query must have one
            weight = pl.col(self.weight)
            totals = joined.group_by("run_id", *self.segments).agg(weight.sum())
            useless = totals.filter((weight == 0) | weight.is_infinite())
            if useless.height:
                where = "".join(f" of {c} {useless[c][0]}" for c in self.segments)
                total = useless[self.weight][0]
                raise InputError(f"{self.name}: {self.weight} of all queries{where} is {total:g}")
        return joined.select(*names)

    def describe_missing(self, per_query: pl.DataFrame) -> list[str]:
        """Notes on queries that the topics lack."""
        unknown = per_query.join(self.frame, on="query_id", how="anti")["query_id"].unique().sort()
        if unknown.is_empty():
            return []
        if self.weight:
            raise InputError(f"{self.name} has no {self.weight} for query {unknown[0]}")
        return [
            f"{self.name} lacks {len(unknown)} of the queries, such as {unknown[0]}; "
            "their segment is null"
        ]


def read_segments(option: str, given: object, metrics: Sequence[str]) -> tuple[str, ...]:
    """The columns that an option names, each once; a metric cannot have the name of one."""
    columns = tuple(dict.fromkeys(read_names(option, given)))
    for column in columns:
        if not column:
            raise InputError(f"{option} has an empty name")
        if column.lower() in map(str.lower, metrics):  # names of columns in SQL have no case
            raise InputError(f"{column} is a metric and a column; give the column another name")
    return columns


def read_topics(
    reader: Reader, data: Data, segments: tuple[str, ...], weight: str | None
) -> Topics:
    """Read the columns ``segments`` and ``weight`` of a table of queries.

    Segments keep their types; in text, whole numbers are numbers where all values of a column are.

    Raises `InputError` if a column is missing, or a query has two values in one.
    """
    columns = dict.fromkeys([*segments, *([weight] if weight else [])])
    for column in columns:
        if column.lower() in ("run_id", "query_id"):
            raise InputError(f"{column!r} cannot be a segment or weight; choose another column")
    kind = Kind("topics", "a table of queries", ("query_id", *columns))
    found = reader.read(data, kind)
    listed = ", ".join(write_column(reader, found, column) for column in kind.columns)
    query = f"SELECT DISTINCT {listed} FROM {found.table} WHERE query_id IS NOT NULL"
    frame = pl.DataFrame(Stream(reader.con.sql(query)))
    twice = frame.filter(pl.col("query_id").is_duplicated()).sort("query_id")
    if twice.height:
        first = twice.filter(query_id=twice["query_id"][0])
        column = next(c for c in columns if first[c].n_unique() > 1)
        values = " and ".join(map(str, first[column].unique().sort().head(2)))
        raise InputError(
            f"{found.name} has two values of {column} for query {twice['query_id'][0]}: {values}"
        )
    if weight:
        if frame[weight].dtype.is_temporal():  # which polars would read as numbers
            frame = frame.with_columns(pl.col(weight).cast(pl.String))
        frame = frame.with_columns(pl.col(weight).cast(pl.Float64, strict=False))
        number = pl.col(weight)
        bad = frame.filter(number.is_null() | ~number.is_finite() | ~(number >= 0))
        if bad.height:
            raise InputError(
                f"{found.name}: {weight} of query {bad['query_id'][0]} must be a number, 0 or "
                f"more, not {bad[weight][0]}"
            )
    return Topics(found.name, frame, segments, weight)


def write_column(reader: Reader, found: Input, column: str) -> str:
    """A column as it is to be; text is compared byte by byte."""
    name = quote_name(column)
    query = f"SELECT any_value(typeof({name})) FROM {found.table}"
    ((kind,),) = reader.con.execute(query).fetchall()
    if kind != "VARCHAR":
        return name
    if column != "query_id" and any(source.lines for source in found.sources):
        is_whole = f"bool_and({name} = CAST(TRY_CAST({name} AS BIGINT) AS VARCHAR))"
        query = f"SELECT {is_whole} FROM {found.table} WHERE {name} IS NOT NULL"
        if reader.con.execute(query).fetchall() == [(True,)]:
            return f"CAST({name} AS BIGINT) AS {name}"
    return f"{name} COLLATE C AS {name}"
