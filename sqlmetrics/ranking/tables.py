"""Ranked: judgments and ranks as tables of DuckDB, which the SQL of the metrics reads."""

from __future__ import annotations

import polars as pl

from ..inputs.reader import Reader
from .numbers import Judged
from .ranks import Ranks


def tabulate(
    reader: Reader, judgments: pl.DataFrame, judged: Judged, ranks: Ranks
) -> tuple[str, str]:
    """Tables of the judgments, and of the rows of ``ranked`` for each order of ties, by number."""
    documents = judged.documents.select(
        pl.col("query", "document").cast(pl.Int64), "query_id", "doc_id", "relevance"
    )
    numbered = documents
    if "subtopic" in judgments.columns:
        numbered = judgments.join(documents.drop("relevance"), on=["query_id", "doc_id"])
    others = [column for column in ("relevance", "subtopic") if column in numbered.columns]
    qrels = reader.register(numbered.select(*others, query_id="query", doc_id="document"))
    judged_rows = reader.register(documents.drop("query_id", "doc_id"))
    known = ranks.lists.drop_nulls("query").select("run", "query", "num_ret")
    lists = reader.register(known)
    selects = (
        f"""
        SELECT
            _u.run_id, _d.query AS query_id, _d.document AS doc_id, _d.relevance,
            _f.rank, _f.first_rank, _f.num_tied, coalesce(_l.num_ret, 0)::BIGINT AS num_ret,
            '{order}' AS ties
        FROM {judged_rows} AS _d
        CROSS JOIN range({len(ranks.runs)}) AS _u (run_id)
        LEFT JOIN {lists} AS _l ON _u.run_id = _l.run AND _d.query = _l.query
        LEFT JOIN {reader.register(found)} AS _f
            ON _u.run_id = _f.run AND _d.document = _f.document"""
        for order, found in ranks.found.items()
    )
    return qrels, reader.keep(" UNION ALL ".join(selects), as_table=True)


def name_ids(reader: Reader, table: str, judged: Judged, ranks: Ranks | None = None) -> str:
    """The rows of a table of `tabulate` with the ids in place of numbers, as SQL."""
    documents = reader.register(judged.documents.select("document", "query_id", "doc_id"))
    named = ["_d.query_id COLLATE C AS query_id", "_d.doc_id COLLATE C AS doc_id"]
    joined = f"INNER JOIN {documents} AS _d ON _t.doc_id = _d.document"
    if ranks is not None:
        runs = reader.register(pl.DataFrame({"name": ranks.runs}).with_row_index("run"))
        named.append("_u.name COLLATE C AS run_id")
        joined += f" INNER JOIN {runs} AS _u ON _t.run_id = _u.run"
    return f"SELECT _t.* REPLACE ({', '.join(named)}) FROM {table} AS _t {joined}"


def number_queries(topics: pl.DataFrame, judged: Judged) -> pl.DataFrame:
    """Rows of queries with numbers in place of ids; those that are not judged are left out."""
    numbers = dict(judged.queries.select("query_id", "query").iter_rows())
    known = topics.filter(pl.col("query_id").is_in(judged.queries["query_id"].implode()))
    return known.with_columns(pl.col("query_id").replace_strict(numbers, return_dtype=pl.Int64))
