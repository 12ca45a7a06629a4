"""Problems: the rows that a check finds."""

from __future__ import annotations

from typing import Any

import duckdb

from ..macros.create import TooLarge, prepare, take_any_gain


def find_problems(con: duckdb.DuckDBPyConnection, call: str) -> tuple[int, list[dict[str, Any]]]:
    """The number of rows that a check finds, and the first of them."""
    query = f"SELECT *, count(*) OVER () AS _number FROM {call} ORDER BY ALL LIMIT 3"
    ready = prepare(con, query)
    try:
        found = con.execute(ready)
    except TooLarge:
        take_any_gain(con)
        found = con.execute(ready)
    columns = [column for column, *_ in found.description or ()]
    rows = [dict(zip(columns, values, strict=True)) for values in found.fetchall()]
    return (rows[0]["_number"] if rows else 0), rows
