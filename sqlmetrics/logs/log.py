"""Logs of clicks: read and checked, on DuckDB or Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import duckdb
import polars as pl

from ..engines import refuse_options
from ..inputs.columns import Columns, name_log
from ..inputs.data import Data
from ..inputs.reader import Input, Reader
from ..inputs.source import reading
from ..macros.create import prepare
from ..progress import begin, remark
from ..running.checks import note_warnings, refuse
from ..running.connections import open_reader
from ..running.duckdb import select_exactly
from ..running.given import read_log

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
    def con(self) -> duckdb.DuckDBPyConnection:
        return self.reader.con

    def ask(self, query: str) -> pl.DataFrame:
        """The rows of a query that calls our macros over ``table``."""
        return select_exactly(self.reader, prepare(self.con, query))


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

        refuse_options(con)
        with open_spark_log(log, segments, engine, columns) as spark_log:
            yield spark_log


@contextmanager
def open_duckdb_log(
    log: Data,
    segments: Sequence[str] = (),
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    has_users: bool = False,
) -> Iterator[DuckDBLog]:
    """The same on DuckDB; with ``has_users``, also the column of users, if there is one."""
    with open_reader(con, columns) as reader:
        found, table = read_log(reader, log, name_log(segments, has_users=has_users))
        remark(reader.notes)
        with reading(found.name):
            begin(f"checking {found.name}")
            refuse(reader.con, [found])
            remark(note_warnings(reader.con, found))
            yield DuckDBLog(reader, found, table)
