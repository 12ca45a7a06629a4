"""Logs of clicks: read and checked, on DuckDB or Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import duckdb
import polars as pl

from ..catalogue import Value
from ..errors import InputError
from ..inputs import tables as here
from ..inputs.columns import LOG, Columns, Kind, name_log
from ..inputs.data import Data, Runs
from ..inputs.reader import Input, Reader
from ..inputs.source import reading
from ..inputs.topics import write_column
from ..macros.create import prepare
from ..progress import begin, remark
from ..running.checks import note_warnings, read_checked, refuse, require_rows
from ..running.connections import open_reader
from ..running.duckdb import select_exactly
from ..running.relations import Rows, relate

if TYPE_CHECKING:
    from ..spark.log import SparkLog


@dataclass(frozen=True)
class DuckDBLog:
    """A log of clicks on a connection, read and checked.

    In queries, ``table`` has its columns by our names, and segments.
    """

    reader: Reader
    given: Input
    table: str

    @property
    def name(self) -> str:
        """What it is called, for messages."""
        return self.given.name

    @property
    def con(self) -> duckdb.DuckDBPyConnection:
        return self.reader.con

    def ask(self, query: str) -> pl.DataFrame:
        """The rows of a query that calls our macros over ``table``."""
        return select_exactly(self.reader, prepare(self.con, query))

    def read_runs(self, run: Runs) -> str:
        """The name in queries of all rows of runs, which are checked."""
        return read_checked(self.reader, runs={"run": run}).tables["run"]

    def read_table(self, data: Any, kind: Kind) -> here.Table:  # noqa: ANN401
        """The rows of a small table."""
        con = self.con if self.reader.has_tables else None
        return here.read_table(data, kind, con=con, columns=self.reader.columns)

    def relate(
        self,
        relation: str,
        tables: Mapping[str, pl.DataFrame | str] | None = None,
        **options: Value,
    ) -> Rows:
        """The rows of a relation over the log and other tables."""
        given = {LOG.parameter: self.table, **(tables or {})}
        return relate(self.reader, relation, given, checked=[LOG.parameter, "run"], **options)


# A log of clicks where it is.
Log: TypeAlias = "DuckDBLog | SparkLog"


@contextmanager
def open_log(
    log: Data,
    segments: Sequence[str] = (),
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    engine: Any = None,  # noqa: ANN401
) -> Iterator[Log]:
    """Read a log with the columns of ``segments``, and refuse what would give a wrong score.

    It is on DuckDB, or on the Spark of ``engine``.
    """
    if engine is None:
        with open_duckdb_log(log, segments, con=con, columns=columns) as found:
            yield found
    else:
        from ..spark.log import open_spark_log  # pyspark is an extra

        if con is not None:
            raise InputError("con works only with DuckDB; remove it or engine")
        with open_spark_log(log, segments, engine, columns) as spark_log:
            yield spark_log


@contextmanager
def open_duckdb_log(
    log: Data,
    segments: Sequence[str] = (),
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    refuses: bool = True,
    has_users: bool = False,
) -> Iterator[DuckDBLog]:
    """The same on DuckDB; what would give a wrong score may be left to others to refuse.

    With ``has_users``, the column of users is read, too, if there is one.
    """
    with open_reader(con, columns) as reader:
        found = reader.read(log, name_log(segments, has_users=has_users))
        remark(reader.notes)
        with reading(found.name):
            # as in topics: text by bytes, whole numbers as numbers
            keys = ["page_id", *(column for column in segments if column not in LOG.columns)]
            written = (write_column(reader, found, column) for column in keys)
            listed = ", ".join(column for column in written if " AS " in column)
            table = found.table
            if listed:
                table = reader.keep(f"SELECT * REPLACE ({listed}) FROM {found.table}")
            begin(f"checking {found.name}")
            if refuses:
                refuse(reader.con, [found])
                remark(note_warnings(reader.con, found))
            else:
                require_rows(reader.con, found)
            yield DuckDBLog(reader, found, table)
