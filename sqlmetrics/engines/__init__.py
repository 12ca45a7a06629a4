"""Engines: the databases that compute scores, and the SQL that they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from ..errors import InputError
from ..inputs.columns import Columns
from ..inputs.data import RunNames
from .coverage import NOT_KNOWN, note_uneven
from .session import Question, Session

__all__ = ["NOT_KNOWN", "Question", "Session", "note_uneven", "open_session"]


@contextmanager
def open_session(
    question: Question,
    engine: Any = None,  # noqa: ANN401
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    into: str | None = None,
) -> Iterator[Session]:
    """A session on DuckDB, or on the Spark of ``engine``; the other options are of `evaluate`."""
    if engine is None:
        from .duckdb import open_duckdb

        if into is not None:
            raise InputError("into (--into) needs engine (--engine)")
        with open_duckdb(question, con=con, columns=columns, run_names=run_names) as session:
            yield session
    else:
        from .spark import open_spark  # pyspark is an extra

        if con is not None or run_names != "file":
            raise InputError("con and run_names work only with DuckDB; remove them or engine")
        with open_spark(question, engine, columns, into) as spark_session:
            yield spark_session
