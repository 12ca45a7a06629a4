"""Logs of clicks: read and checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb

from ..catalogue import Value
from ..inputs.columns import LOG, Columns, name_log
from ..inputs.data import Data
from ..inputs.reader import Input, Reader
from ..inputs.source import reading
from ..inputs.topics import write_column
from ..progress import begin, remark
from ..running.checks import refuse, require_rows
from ..running.connections import open_reader
from ..running.relations import Rows, relate


@dataclass(frozen=True)
class Log:
    """A log of clicks on a connection: ``table`` has its columns by our names, and segments."""

    reader: Reader
    given: Input
    table: str

    @property
    def con(self) -> duckdb.DuckDBPyConnection:
        return self.reader.con

    def relate(self, relation: str, **options: Value) -> Rows:
        """The rows of a relation over the log."""
        return relate(self.reader, relation, {"log": self.table}, checked=["log"], **options)


@contextmanager
def open_log(
    log: Data,
    segments: Sequence[str] = (),
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    refuses: bool = True,
    has_users: bool = False,
) -> Iterator[Log]:
    """Read a log with the columns of ``segments``, and refuse what would give a wrong score.

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
            else:
                require_rows(reader.con, found)
            yield Log(reader, found, table)
