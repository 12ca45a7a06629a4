"""Draws: random permutations and samples in portions, which need little memory and end soon."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from ..errors import InputError
from ..inputs.workspace import read_memory_limit, show_bytes
from ..progress import begin

# Random numbers of a portion: DuckDB draws 2,048 rows of them, or all of a portion, at once, in
# memory that it does not count, and without an end to be interrupted at.
AT_ONCE = 1 << 20


def divide(step: str, number: int, size: int) -> Iterator[tuple[int, int]]:
    """The first of each portion of draws, and how many it has; reports their progress."""
    for first in range(0, number, size):
        begin(step, number, first if number > size else None)
        yield first, min(size, number - first)


def require_memory(con: duckdb.DuckDBPyConnection, needed: int, what: str) -> None:
    """Raise `InputError` if results that have to be in memory do not fit."""
    if needed > (limit := read_memory_limit(con)):
        raise InputError(
            f"{what} need about {show_bytes(needed)} of memory, and the limit is "
            f"{show_bytes(limit)}; draw fewer"
        )
