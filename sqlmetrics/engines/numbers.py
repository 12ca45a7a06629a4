"""Numbers: they stand for ids while scores are computed, in the order of the ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Judged:
    """The queries and documents of judgments, by number.

    ``queries`` has query and query_id; ``documents`` has a row for each judged document: document,
    query, query_id, doc_id, relevance (the highest of its subtopics) and hash.
    """

    queries: pl.DataFrame
    documents: pl.DataFrame


def number_judgments(judgments: pl.DataFrame) -> Judged:
    """Number the queries and documents of judgments: query_id, doc_id, relevance."""
    queries = judgments.select(pl.col("query_id").unique().sort()).with_row_index("query")
    documents = (
        judgments.join(queries, on="query_id", nulls_equal=True)
        .select("query", "query_id", "doc_id", "relevance")
        .sort("query", "doc_id")
    )
    if not find_changes(documents, ["query", "doc_id"]).all():
        keys = ["query", "query_id", "doc_id"]
        documents = documents.group_by(keys, maintain_order=True).agg(pl.col("relevance").max())
    documents = documents.with_row_index("document")
    return Judged(queries, documents.with_columns(hash=hash_ids(documents["doc_id"])))


def hash_ids(ids: pl.Series) -> pl.Series:
    """Numbers that differ only if the ids do; the ids decide whether they are the same."""
    return ids.hash()


def are_usable(judgments: pl.DataFrame) -> bool:
    """Whether it is certain that all judgments can be used, and none is repeated."""
    ids = [column for column in ("query_id", "doc_id", "subtopic") if column in judgments.columns]
    return not (
        judgments.is_empty()
        # whitespace sorts before '!'
        or any((judgments[id] < "!").fill_null(value=True).any() for id in ("query_id", "doc_id"))
        or not judgments["relevance"].is_finite().fill_null(value=False).all()
        or judgments.select(ids).is_duplicated().any()
    )


def find_changes(rows: pl.DataFrame, columns: Iterable[str]) -> pl.Series:
    """Whether a row differs from the one before it; true for the first."""
    changes = [rows[column].ne_missing(rows[column].shift(1)) for column in columns]
    is_changed = changes[0]
    for each in changes[1:]:
        is_changed |= each
    return is_changed.scatter(0, values=True) if len(is_changed) else is_changed
