"""Ranked: judgments and ranks as tables of DuckDB, which the SQL of the metrics reads."""

from __future__ import annotations

import polars as pl

from ..inputs.reader import Reader
from .numbers import NumberedJudgments
from .ranks import Ranks

# Rows that polars holds at once; DuckDB writes what it holds to temporary files if memory is short.
_AT_ONCE = 1 << 22


def tabulate(
    reader: Reader, judgments: pl.DataFrame, judged: NumberedJudgments, ranks: Ranks
) -> tuple[str, str]:
    """Tables of the judgments, and of the rows of ``ranked`` for each order of ties, by number.

    DuckDB sorts these numbers, of 32 bits, faster than longer ones.
    """
    documents = numbered = judged.documents
    if "subtopic" in judgments.columns:
        numbered = judgments.join(documents.drop("relevance"), on=["query_id", "doc_id"])
    others = [column for column in ("relevance", "subtopic") if column in numbered.columns]
    qrels = reader.register(numbered.select(*others, query_id="query", doc_id="document"))
    at_once = max(1, _AT_ONCE // max(1, documents.height))
    parts = [
        (order, range(start, min(start + at_once, len(ranks.runs))))
        for order in ranks.found
        for start in range(0, len(ranks.runs), at_once)
    ]
    table = ""
    for order, runs in parts:
        rows = reader.register(_list_ranked(judged, ranks, order, runs))
        if len(parts) == 1:
            return qrels, rows
        if table:
            reader.con.execute(f"INSERT INTO {table} FROM {rows}")
        else:
            table = reader.keep(f"FROM {rows}", as_table=True)
    return qrels, table


def _list_ranked(judged: NumberedJudgments, ranks: Ranks, order: str, runs: range) -> pl.DataFrame:
    """The rows of ``ranked`` of these runs: all documents of the first, then those of the next."""
    found, lists = ranks.found[order], ranks.lists.drop_nulls("query")
    if len(runs) < len(ranks.runs):
        is_one = pl.col("run").is_between(runs.start, runs.stop - 1)
        found, lists = found.filter(is_one), lists.filter(is_one)
    documents, queries = judged.documents.height, judged.queries.height
    place = pl.int_range(documents * len(runs), dtype=pl.UInt32, eager=True)
    run, document = place // documents, place % documents
    query = judged.documents["query"][document]
    of_found = (found["run"] - runs.start) * documents + found["document"]
    of_list = (lists["run"] - runs.start) * queries + lists["query"]
    none, zero = pl.Series([None], dtype=pl.Int64), pl.Series([0], dtype=pl.Int64)
    retrieved = zero.new_from_index(0, queries * len(runs)).scatter(of_list, lists["num_ret"])
    placed = {
        name: none.new_from_index(0, len(place)).scatter(of_found, found[name])
        for name in ("rank", "first_rank", "num_tied")
    }
    return pl.DataFrame(
        {
            "run_id": run + runs.start,
            "query_id": query,
            "doc_id": document,
            "relevance": judged.documents["relevance"][document],
            **placed,
            "num_ret": retrieved[run * queries + query],
            "ties": pl.Series([order]).new_from_index(0, len(place)),
        }
    )


def name_ids(
    reader: Reader, table: str, judged: NumberedJudgments, ranks: Ranks | None = None
) -> str:
    """The rows of a table of `tabulate` with the ids in place of numbers, as SQL."""
    documents = reader.register(judged.documents.select("document", "query_id", "doc_id"))
    named = ["_d.query_id COLLATE C AS query_id", "_d.doc_id COLLATE C AS doc_id"]
    joined = f"INNER JOIN {documents} AS _d ON _t.doc_id = _d.document"
    if ranks is not None:
        runs = reader.register(pl.DataFrame({"name": ranks.runs}).with_row_index("run"))
        named.append("_u.name COLLATE C AS run_id")
        joined += f" INNER JOIN {runs} AS _u ON _t.run_id = _u.run"
    return f"SELECT _t.* REPLACE ({', '.join(named)}) FROM {table} AS _t {joined}"


def number_queries(topics: pl.DataFrame, judged: NumberedJudgments) -> pl.DataFrame:
    """Rows of queries with numbers in place of ids; those that are not judged are left out."""
    numbers = dict(judged.queries.select("query_id", "query").iter_rows())
    known = topics.filter(pl.col("query_id").is_in(judged.queries["query_id"].implode()))
    return known.with_columns(pl.col("query_id").replace_strict(numbers, return_dtype=pl.UInt32))
