"""Frames between DuckDB and polars, without pyarrow.

This module must not import duckdb: polars caches the classes of what it converts, a class keeps
its module alive, and duckdb 2.0 complains at exit of all that is still alive then.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Protocol, runtime_checkable

import polars as pl


@runtime_checkable
class ArrowStream(Protocol):
    """A frame that hands out its columns by the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Stream:
    """Only the Arrow stream of a frame: DuckDB asks for pyarrow when it recognises polars."""

    def __init__(self, frame: ArrowStream) -> None:
        self._frame = frame
        self._lock = Lock()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        # DuckDB may ask from several threads at once, which not every frame bears
        with self._lock:
            return self._frame.__arrow_c_stream__(requested_schema)


def list_names(frame: ArrowStream) -> list[str]:
    """The names of the columns as they are, where DuckDB would change one that appears twice."""
    from arro3.core import RecordBatchReader  # for these frames alone

    return list(RecordBatchReader.from_stream(Stream(frame)).schema.names)


def list_batches(frame: ArrowStream) -> Iterator[pl.DataFrame]:
    """The rows of a frame in order, a part at a time, of which only one is in memory."""
    from arro3.core import RecordBatchReader  # for long runs alone

    for batch in RecordBatchReader.from_stream(Stream(frame)):
        yield pl.DataFrame(batch)
