"""Write a run and judgments like those of a passage ranking collection, as Parquet.

Each query has a list of distinct documents, best first, with close and some tied scores, and about
one judged document, seven times in ten a retrieved one. Hashes stand in for chance, so the same
sizes give the same files.

    python benchmarks/generate.py --queries 6980 --depth 1000 --folder benchmarks/data
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import typer


def generate(
    queries: int = 6980, depth: int = 1000, folder: Path = Path("benchmarks/data")
) -> None:
    """Write run.parquet of queries * depth rows and qrels.parquet to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    con = duckdb.connect()
    con.execute(
        f"""
        COPY (
            SELECT
                'query-' || (i // {depth}) AS query_id,
                'doc-' || (i % {depth} * 8800 + hash(i) % 8800) AS doc_id,
                round(50 - i % {depth} * 0.03 + hash(i, 'score') % 1000 / 2000, 4)::DOUBLE AS score
            FROM range({queries} * {depth}) AS t (i)
        ) TO '{folder / "run.parquet"}'
        """
    )
    con.execute(
        f"""
        COPY (
            SELECT query_id, doc_id, relevance
            FROM (
                SELECT
                    'query-' || q AS query_id,
                    hash(q, 'position') % {depth} AS position,
                    CASE
                        WHEN hash(q, 'found') % 10 < 7
                            THEN 'doc-' || (position * 8800 + hash(q * {depth} + position) % 8800)
                        ELSE 'missed-' || q
                    END AS doc_id,
                    1 AS relevance
                FROM range({queries}) AS t (q)
            )
        ) TO '{folder / "qrels.parquet"}'
        """
    )


if __name__ == "__main__":
    typer.run(generate)
