"""Excluded: the documents that runs are scored without, such as those that a user already had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from ..errors import InputError
from .columns import EXCLUDED
from .reader import Reader
from .streams import Stream


@dataclass(frozen=True)
class Excluded:
    """The documents of a table, or each query itself where there is none.

    ``query`` is the table in SQL, ``frame`` has its rows.
    """

    query: str | None = None
    frame: pl.DataFrame | None = None

    def leave_out(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows of a run, in order, without these documents."""
        if self.frame is None:
            is_itself = pl.col("query_id") == pl.col("doc_id")
            return rows.filter(~is_itself.fill_null(value=False))  # what lacks an id is refused
        return rows.join(self.frame, on=self.frame.columns, how="anti", maintain_order="left")


def write_without(run: str, exclude: str | None) -> str:
    """The same in SQL, for the tables of a run and of the documents."""
    if exclude is None:
        query_id, doc_id = (f"CAST(r.{name} AS VARCHAR) COLLATE C" for name in EXCLUDED.columns)
        return f"SELECT r.* FROM {run} AS r WHERE coalesce({query_id} <> {doc_id}, TRUE)"
    return f"SELECT * FROM without({run}, {exclude})"


def read_excluded(reader: Reader, exclude: Any) -> Excluded | None:  # noqa: ANN401
    """Read the table of ``exclude``, unless it is ``"self"`` or None.

    Raises `InputError` for a table without these columns, or a row that lacks an id.
    """
    if exclude is None:
        return None
    if is_self(exclude):
        return Excluded()
    found = reader.read(exclude, EXCLUDED)
    ids = ", ".join(EXCLUDED.columns)
    frame = pl.DataFrame(Stream(reader.con.sql(f"SELECT DISTINCT {ids} FROM {found.table}")))
    for column in EXCLUDED.columns:
        if frame[column].has_nulls():
            ((place, *_), *_) = found.find_rows(reader.con, f"{column} IS NULL")
            raise InputError(f"{place} has no {column}; exclude= needs both ids in each row")
    return Excluded(found.query, frame)


def is_self(exclude: object) -> bool:
    """Whether no query finds itself, as in BEIR; a table of this name is given as a path."""
    return isinstance(exclude, str) and exclude == "self"
