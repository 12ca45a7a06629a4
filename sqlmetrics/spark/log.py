"""Logs of clicks on a cluster: read, checked, and asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import polars as pl

from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write
from ..inputs.columns import LOG, Columns, name_log, naming, quote_name
from ..progress import begin, remark
from .checks import refuse_kind
from .tables import ENGINE, SparkReader, Table, connect

# How the columns of a log are read, so that a check finds what is not valid.
_READ = {
    "page_id": "CAST(g.page_id AS VARCHAR)",
    "position": "position_of(g.position)",
    "clicked": "click_of(g.clicked)",
    **{name: f"number_or_nan(g.{name})" for name in LOG.optional},
}


def type_log(reader: SparkReader, given: Table) -> Table:
    """A log whose columns are as the macros read them."""
    names = given.query.named_selects
    columns = (f"{_READ.get(n, f'g.{quote_name(n)}')} AS {quote_name(n)}" for n in names)
    rows = f"SELECT {', '.join(columns)} FROM _given AS g"
    text = write(PlainQuery(rows, {"_given": given.query}, "spark"), ENGINE)
    return replace(given, query=reader.select(reader.session.sql(text)))


@dataclass(frozen=True)
class SparkLog:
    """A log of clicks on Spark; see `logs.log.DuckDBLog`."""

    reader: SparkReader
    given: Table

    table: ClassVar[str] = "_log"

    def ask(self, query: str) -> pl.DataFrame:
        """The rows of a query that calls our macros over `table`."""
        plain = PlainQuery(query, {self.table: self.given.query}, "spark")
        return self.reader.ask(write(plain, ENGINE), self.given.name)


@contextmanager
def open_spark_log(
    log: Any,  # noqa: ANN401
    segments: Sequence[str],
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
) -> Iterator[SparkLog]:
    """A log that is a table, a view, a Parquet file or a frame of Spark, read and checked there."""
    with naming(columns) as named, connect(engine) as session, ExitStack() as undo:
        reader = SparkReader(session, undo, named)
        given = reader.read(log, name_log(segments))
        remark(reader.notes)
        begin(f"checking {given.name}")
        found = type_log(reader, given)
        refuse_kind(reader, found, LOG)
        yield SparkLog(reader, found)
