"""Write runs and judgments of the usual shapes, as Parquet.

    python benchmarks/generate.py passages track
    python benchmarks/generate.py passages --queries 1000000 --folder /tmp/billion

Each query has a list of distinct documents, roughly best first, with close and some tied scores;
seven in ten of its judged documents are in it. Hashes stand in for chance, so the same sizes give
the same files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import click
import duckdb

DATA = Path("benchmarks/data")


@dataclass(frozen=True)
class Shape:
    """Sizes: in each of ``runs``, a list of ``depth`` documents for each of ``queries``.

    ``judged`` is the number of judged documents per query; ``likeness`` names data of such sizes.
    The fewer ``decimals`` scores have, the more documents are tied. Rows of a list are together,
    roughly best first, unless ``order`` says how they are sorted: each list by score, as most runs
    are, or in no order, as a warehouse exports them.
    """

    queries: int
    likeness: str = ""
    depth: int = 1000
    judged: int = 1
    runs: int = 1
    decimals: int = 4
    order: str = ""


SHAPES = {
    "tiny": Shape(10, depth=10),
    "few": Shape(50, judged=100),
    "small": Shape(700),
    "passages": Shape(6980, "passage ranking"),
    "sorted": Shape(
        6980, "passage ranking, each list sorted by score", order="query ASC, score DESC"
    ),
    "scattered": Shape(6980, "passage ranking, rows in no order", order="hash(i) ASC"),
    "track": Shape(250, "a track of TREC, with many ties", judged=300, decimals=2),
    "recommender": Shape(200_000, "users and items", depth=50, judged=8),
    "runs": Shape(50, "all runs of a track", judged=300, runs=100, decimals=2),
    "large": Shape(105_000),
    "huge": Shape(1_000_000),
}


def generate(shape: Shape, folder: Path) -> None:
    """Write run.parquet and qrels.parquet to the folder, unless they exist."""
    folder.mkdir(parents=True, exist_ok=True)
    depth, judged = shape.depth, shape.judged
    stride = depth // judged
    # the document at a place of a query's list
    document = f"'doc-' || (place * 8800 + hash(query * {depth} + place) % 8800)"
    run_id = "'run-' || run AS run_id," if shape.runs > 1 else ""
    noise = "(i, 'score') % 1000 / 2000" if shape.runs == 1 else "(i, 'score') % 1000 / 50"
    order = f"\n            ORDER BY {shape.order}" if shape.order else ""
    tables = {
        "run": f"""
            SELECT
                {run_id}
                'query-' || query AS query_id,
                {document} AS doc_id,
                round(50 - place * 0.03 + hash{noise}, {shape.decimals})::DOUBLE AS score
            FROM (
                SELECT
                    i,
                    i // {shape.queries * depth} AS run,
                    i // {depth} % {shape.queries} AS query,
                    i % {depth} AS place
                FROM range({shape.runs * shape.queries * depth}) AS t (i)
            ){order}""",
        "qrels": f"""
            SELECT
                'query-' || query AS query_id,
                CASE
                    WHEN hash(i, 'found') % 10 < 7 THEN {document} ELSE 'missed-' || i
                END AS doc_id,
                {"1" if judged == 1 else "hash(i, 'relevance') % 4"} AS relevance
            FROM (
                SELECT
                    i,
                    i // {judged} AS query,
                    i % {judged} * {stride} + hash(i, 'place') % {stride} AS place
                FROM range({shape.queries * judged}) AS t (i)
            )""",
    }
    con = duckdb.connect()
    for name, query in tables.items():
        file = folder / f"{name}.parquet"
        if not file.exists():
            written = file.with_suffix(".part")
            con.execute(f"COPY ({query}) TO '{written}' (FORMAT parquet)")
            written.rename(file)


@click.command()
@click.argument("shapes", nargs=-1, required=True, type=click.Choice(list(SHAPES)))
@click.option("--queries", type=int, help="Number of queries; overrides that of the shape.")
@click.option("--depth", type=int, help="Documents retrieved for each query.")
@click.option("--judged", type=int, help="Documents judged for each query.")
@click.option("--runs", type=int, help="Runs in the table.")
@click.option("--folder", type=Path, default=DATA, help="Gets a folder for each shape.")
def main(shapes: tuple[str, ...], folder: Path, **sizes: int | None) -> None:
    """Write the files of some shapes."""
    for name in shapes:
        shape = replace(SHAPES[name], **{k: v for k, v in sizes.items() if v is not None})
        generate(shape, folder / name)


if __name__ == "__main__":
    main()
