"""Numbers: they stand for ids while scores are computed, in the order of the ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import polars as pl


@dataclass(frozen=True)
class NumberedJudgments:
    """The queries and documents of judgments, by number.

    ``documents`` has a row for each judged document: document, query, query_id, doc_id, relevance
    (the highest of its subtopics) and hash. ``queries`` has query, query_id, and where the
    documents of the query are: the ``first``, and the number ``judged``.
    """

    queries: pl.DataFrame
    documents: pl.DataFrame

    @cached_property
    def known(self) -> HashFilter:
        """The hashes of the documents."""
        return HashFilter(self.documents["hash"])


class HashFilter:
    """The hashes of judged documents."""

    def __init__(self, hashes: pl.Series) -> None:
        self._has: pl.Series | None = None
        if len(hashes) <= _FEW:  # of more, hardly any would be the same
            ends = (hashes % _FEW).cast(pl.UInt32).unique().sort()
            if len(ends) <= _FEW / 20:
                self._has = pl.Series([False]).new_from_index(0, _FEW).scatter(ends, values=True)

    def find(self, hashes: pl.Series) -> pl.Series:
        """The places of these hashes, and perhaps of some others, among many."""
        places = pl.int_range(len(hashes), dtype=pl.UInt32, eager=True)
        if self._has is None:
            return places
        return places.filter(self._has[hashes % _FEW])


# Hashes mostly differ in their last bits, if the judged documents are much fewer than this.
_FEW = 1 << 20


def number_judgments(judgments: pl.DataFrame) -> NumberedJudgments:
    """Number the queries and documents of judgments: query_id, doc_id, relevance."""
    stretches = judgments["query_id"].rle().struct.field("value")
    ids = pl.DataFrame({"query_id": stretches.unique().sort()}).with_row_index("query")
    of_stretch = pl.DataFrame({"query_id": stretches}).join(
        ids, on="query_id", how="left", nulls_equal=True, maintain_order="left"
    )
    query = of_stretch["query"][judgments["query_id"].rle_id()]
    documents = judgments.select(query, "query_id", "doc_id", "relevance").sort("query", "doc_id")
    if not find_changes(documents, ["query", "doc_id"]).all():
        keys = ["query", "query_id", "doc_id"]
        documents = documents.group_by(keys, maintain_order=True).agg(pl.col("relevance").max())
    first = find_changes(documents, ["query"]).arg_true().cast(pl.Int64)
    queries = ids.with_columns(
        first=first, judged=first.shift(-1, fill_value=documents.height) - first
    )
    documents = documents.with_row_index("document")
    return NumberedJudgments(queries, documents.with_columns(hash=hash_ids(documents["doc_id"])))


def are_usable(judgments: pl.DataFrame, judged: NumberedJudgments) -> bool:
    """Whether it is certain that all judgments can be used, and none is repeated."""
    have_grades = judgments["relevance"].is_finite().fill_null(value=False).all()
    if judgments.is_empty() or not (have_grades and are_filled(*judgments.select(_IDS))):
        return False
    if judged.documents.height == judgments.height:
        return True
    keys = [*_IDS, "subtopic"]
    return {*keys} <= {*judgments.columns} and not judgments.select(keys).is_duplicated().any()


_IDS = ("query_id", "doc_id")


def are_filled(*ids: pl.Series) -> bool:
    """Whether it is certain that no id is missing or blank."""
    # whitespace sorts before '!'
    return not any(each.has_nulls() or (each < "!").any() for each in ids)


def hash_ids(ids: pl.Series) -> pl.Series:
    """Numbers that differ only if the ids do; the ids decide whether they are the same."""
    return ids.hash()


def find_changes(rows: pl.DataFrame, columns: Iterable[str]) -> pl.Series:
    """Whether a row differs from the one before it; true for the first."""
    is_changed = pl.Series([False]).new_from_index(0, max(rows.height - 1, 0))
    for values in (rows[column] for column in columns):
        before, after = values.head(-1), values.slice(1)
        is_changed |= after.ne_missing(before) if values.has_nulls() else after != before
    return pl.concat([pl.Series([True]).head(rows.height), is_changed], rechunk=True)
