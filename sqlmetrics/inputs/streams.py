"""Frames between DuckDB and polars, without pyarrow.

This module must not import duckdb: polars caches the classes of the objects that it converts, a
class keeps its module alive, and duckdb 2.0 complains at exit about everything still alive.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from threading import Lock
from typing import Protocol, runtime_checkable

import polars as pl


@runtime_checkable
class ArrowStream(Protocol):
    """A frame that offers its columns through the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Stream:
    """Only the Arrow stream of a frame: DuckDB needs pyarrow if it recognises polars."""

    def __init__(self, frame: ArrowStream) -> None:
        self.frame = frame
        self._lock = Lock()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        # DuckDB may call this from several threads at once, which not every frame supports
        with self._lock:
            frame = getattr(self.frame, "frame", self.frame)  # the rows of a dict
            if _IS_FILTERED and isinstance(frame, pl.DataFrame):
                frame = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
            return frame.__arrow_c_stream__(requested_schema)


# DuckDB 1 hands filters to pyarrow, if that is there, which cannot compare text as polars holds it.
_IS_FILTERED = version("duckdb").startswith("1.") and find_spec("pyarrow") is not None


# Types of DuckDB that polars does not read.
UNREAD = "INTERVAL|UNION"


def list_batches(frame: ArrowStream) -> Iterator[pl.DataFrame]:
    """The rows of a frame in order, in parts; only one part is in memory at a time."""
    from arro3.core import RecordBatchReader  # needed only for long runs

    for batch in RecordBatchReader.from_stream(Stream(frame)):
        yield pl.DataFrame(batch)
