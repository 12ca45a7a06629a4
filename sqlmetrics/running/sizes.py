"""Sizes: how much there is to score, and the memory that it takes."""

from __future__ import annotations

import duckdb

from ..inputs.workspace import show_bytes, show_memory_limit
from ..result import count

# Bytes of memory, measured: per retrieved document that is ranked at once, and per judged
# document of each run, which may go to temporary files.
_PER_RETRIEVED, _AT_ONCE, _PER_JUDGED = 80, 5_000_000, 300


def describe_sizes(con: duckdb.DuckDBPyConnection, qrels: str, run: str) -> str:
    """Describe what is to be scored, and the memory that this takes."""
    query = f"""
        SELECT coalesce(sum(number), 0)::BIGINT, count(*), coalesce(max(number), 0)
        FROM (SELECT count(*) AS number FROM {qrels} GROUP BY query_id COLLATE C)"""
    ((judged, queries, most_judged),) = con.execute(query).fetchall()
    query = f"SELECT count(DISTINCT run_id COLLATE C), count(*) FROM {run}"
    ((runs, retrieved),) = con.execute(query).fetchall()
    needed = min(retrieved, _AT_ONCE) * _PER_RETRIEVED + runs * judged * _PER_JUDGED
    lines = {
        "retrieved": f"{count(retrieved, 'document')} in {count(runs, 'run')}",
        "judged": f"{count(judged, 'document')} of {count(queries, 'query')}, "
        f"at most {most_judged:,} of one",
        "memory": f"about {show_bytes(needed)}; the limit is {show_memory_limit(con)}",
    }
    return "\n".join(f"{key:9}  {line}" for key, line in lines.items())
