"""Lists: a row per query that holds all its documents, as ids in their order."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from numbers import Integral, Real
from typing import Any
from uuid import UUID

import duckdb
import polars as pl

from ..catalogue import quote
from ..errors import InputError
from .columns import Kind, find_order


def is_list(kind: type) -> bool:
    """Whether values of a type are lists: of Python, or arrays and series of any library."""
    is_array = hasattr(kind, "__array__") and hasattr(kind, "__len__")
    return issubclass(kind, list | tuple | set | frozenset) or (
        is_array and not issubclass(kind, str) and not hasattr(kind, "columns")
    )


def read_lists(
    lists: Sequence[Any],
    queries: Iterable[Any],
    kind: Kind,
    name: str,
    *,
    holds_ids: bool = True,
) -> pl.Series:
    """Lists of ids, or of numbers, as text; None stays None.

    Raises `InputError` for what is not a list or not an id, and for a set as a ranking.
    """
    for query_id, ids in zip(queries, lists, strict=True):
        if ids is None:
            continue
        if not is_list(type(ids)) or not getattr(ids, "ndim", 1):
            raise InputError(
                f"{name} has {ids!r:.80} for query {query_id!r}; expected a list, as for "
                "other queries"
            )
        if isinstance(ids, set | frozenset) and not kind.is_judged:
            raise InputError(
                f"{name} has a set for query {query_id!r}, which has no order; give a list, the "
                "best document first"
            )
        if holds_ids and not all(map(is_id, {*map(type, ids)})):
            wrong = next(id for id in ids if not is_id(type(id)))
            raise InputError(
                f"{name} has {wrong!r:.80} in the list of query {query_id!r}; expected ids, which "
                f"are text or whole numbers. For {kind.value}s, give "
                f"{{query_id: {{doc_id: {kind.value}}}}}"
            )
    listed = [
        None if ids is None else [None if i is None else str(i) for i in ids] for ids in lists
    ]
    return pl.Series(listed, dtype=pl.List(pl.String))


def is_id(kind: type) -> bool:
    """Whether values of a type are written in one way only, or are None."""
    is_one = issubclass(kind, str | Integral | UUID | date | type(None))
    return is_one and not issubclass(kind, bool)


def is_list_of_lists(data: Any) -> bool:  # noqa: ANN401
    """Whether these are lists of ids, or of grades, by the places of their queries."""
    if not is_list(type(data)) or hasattr(data, "_fields") or not getattr(data, "ndim", 1):
        return False
    are_lists = [is_list(type(each)) and not hasattr(each, "_fields") for each in data]
    return (
        bool(are_lists)
        and all(are_lists)
        and all(
            is_id(kind) or issubclass(kind, Real) for each in data for kind in {*map(type, each)}
        )
    )


def list_rows(data: Any, kind: Kind) -> Any:  # noqa: ANN401
    """What holds rows in other ways, as dicts or tuples of rows; all else as it is.

    Lists of ids by the places of their queries; tuples of a query, a document and a value; pairs of
    a document and a value for each query; documents by their grades; a data set of LlamaIndex.
    """
    if isinstance(data, Mapping):
        if kind.is_judged and {"queries", "corpus", "relevant_docs"} <= data.keys():
            return data["relevant_docs"]
        values = [*data.values()]
        if values and all(map(_holds_pairs, values)):
            return [
                dict(zip(("query_id", "doc_id", kind.value), (query_id, *pair), strict=True))
                for query_id, pairs in data.items()
                for pair in pairs
            ]
        if kind.is_judged and values and all(map(_is_by_grade, values)):
            return [
                {"query_id": query_id, "doc_id": doc_id, "relevance": grade}
                for query_id, by_grade in data.items()
                for grade, ids in by_grade.items()
                for doc_id in ids
            ]
    elif isinstance(data, list) and data and all(_is_row(each) for each in data):
        names = ("query_id", "doc_id", kind.value)
        return [dict(zip(names, each, strict=True)) for each in data]
    elif is_list_of_lists(data):
        return {place: [*ids] for place, ids in enumerate(data, start=1)}
    return data


def _is_row(each: Any) -> bool:  # noqa: ANN401
    """Whether this is a query, a document and a number, and not three ids."""
    if type(each) is not tuple or len(each) != 3 or not all(is_id(type(id)) for id in each[:2]):
        return False
    return _is_number(each[2]) and {*map(type, each)} != {int}


def _holds_pairs(each: Any) -> bool:  # noqa: ANN401
    """Whether these are pairs of a document and a number."""
    return (
        isinstance(each, list)
        and len(each) > 0
        and all(is_list(type(pair)) and len(pair) == 2 for pair in each)
        and all(isinstance(pair[0], str) and _is_number(pair[1]) for pair in each)
    )


def _is_by_grade(each: Any) -> bool:  # noqa: ANN401
    """Whether this has lists of ids by their grades."""
    pairs = [*each.items()] if isinstance(each, Mapping) else []
    return bool(pairs) and all(str(k).isdecimal() and is_list(type(ids)) for k, ids in pairs)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def find_lists(columns: Sequence[str], types: Iterable[object]) -> list[str]:
    """The columns whose types in DuckDB, polars or Arrow are lists or arrays."""
    return [name for name, kind in zip(columns, types, strict=True) if _LIST.match(str(kind))]


_LIST = re.compile(r"(Large|FixedSize)?(List|ListView|Array)\(|.*\]$")


def unnest_lists(
    rows: str, columns: Mapping[str, str], lists: Container[str], kind: Kind, number: str = ""
) -> tuple[str, dict[str, str]]:
    """Rows with one document each, and their columns; unchanged unless documents are in lists.

    ``columns`` are what our columns are in ``rows``, and ``lists`` those of ours that hold lists.
    A document's place in its list is its rank, unless the run has scores, ranks or distances; a
    judgment without relevance is 1. Lists are as long as the longest of their row, so that
    checks find what others lack. They end before ids of -1, where an index found nothing.
    """
    if "doc_id" not in lists:
        if not kind.is_judged or kind.value in columns:
            return rows, dict(columns)
        listed = ", ".join(f"{value} AS {ours}" for ours, value in columns.items())
        taken = dict.fromkeys((*columns, kind.value))
        return f"(SELECT {number}{listed}, '1' AS {kind.value} FROM {rows})", {c: c for c in taken}
    documents = columns["doc_id"]
    is_found = f"lambda _n: CAST({documents}[_n] AS VARCHAR) IS DISTINCT FROM '-1'"
    last = f"coalesce(list_max(list_filter(range(1, len({documents}) + 1), {is_found})), 0)"
    end = f"CASE WHEN {_is_padded(documents)} THEN {last} ELSE {_ANY_LENGTH} END"
    whole = {ours: f"list_slice({columns[ours]}, 1, {end})" for ours in columns if ours in lists}
    taken = {ours: f"unnest({whole[ours]})" if ours in whole else columns[ours] for ours in columns}
    if kind.value not in columns and find_order(columns, kind) is None:
        place = f"CAST(unnest(range(1, len({whole['doc_id']}) + 1)) AS VARCHAR)"
        taken |= {"relevance": "'1'"} if kind.is_judged else {"rank": place}
    listed = ", ".join(f"{value} AS {ours}" for ours, value in taken.items())
    return f"(SELECT {number}{listed} FROM {rows})", {ours: ours for ours in taken}


_ANY_LENGTH = 1 << 31  # lists are shorter


def count_padded(rows: str, columns: Mapping[str, str], lists: Container[str]) -> str | None:
    """The query of how many lists end with ids of -1; None unless documents are in lists."""
    if "doc_id" not in lists:
        return None
    return f"SELECT count(*) FROM {rows} WHERE {_is_padded(columns['doc_id'])}"


def _is_padded(documents: str) -> str:
    return f"CAST({documents}[-1] AS VARCHAR) = '-1'"


def require_distinct(data: Mapping[Any, Any], name: str) -> None:
    """Raise `InputError` for queries that are different keys, but the same text."""
    known = {str(key): key for key in data}
    if len(known) < len(data):
        one, other = next((k, known[str(k)]) for k in data if known[str(k)] is not k)
        raise InputError(
            f"{name} has the keys {one!r} and {other!r}, which are one id, since ids are text; "
            "keep one of them"
        )


def require_lists(
    con: duckdb.DuckDBPyConnection, name: str, lines: str, column: str, path: str
) -> None:
    """Raise `InputError` for a line of JSON whose value is not a list of ids."""
    query = f"""
        SELECT _line, json_extract(line, {quote(path)}) FROM {lines}
        WHERE json_valid(line) AND (
            json_type(line, {quote(path)}) NOT IN ('ARRAY', 'NULL')
            OR list_has_any(
                json_type(line, {quote(path + "[*]")}), ['ARRAY', 'BOOLEAN', 'DOUBLE', 'OBJECT']
            )
        )
        LIMIT 1
    """
    for line, value in con.execute(query).fetchall():
        raise InputError(
            f"{name} line {line}: {column} is {str(value)[:80]}; expected a list of ids, which are "
            "text or whole numbers"
        )


def is_one_run(data: Mapping[Any, Any]) -> bool:
    """Whether this is ``{query: {document: score}}`` or ``{query: [document, …]}``.

    Otherwise it holds runs by name, of which one may be ``{query: response}``.
    """
    if any(is_list(type(each)) and not _holds_rows(each) for each in data.values()):
        return True
    if not data or not all(isinstance(documents, Mapping) for documents in data.values()):
        return False
    firsts = {type(next(iter(each.values()), 0)) for each in data.values()}
    if firsts <= {int, float}:  # other values are then wrong
        return True
    kinds = {*map(type, chain.from_iterable(each.values() for each in data.values()))}
    return not any(
        issubclass(kind, Mapping) or is_list(kind) or hasattr(kind, "body") for kind in kinds
    )


def _holds_rows(each: Any) -> bool:  # noqa: ANN401
    """Whether these are named tuples or dicts, or one of the former."""
    first = next(iter(each), None)
    return hasattr(each, "_fields") or hasattr(first, "_fields") or isinstance(first, Mapping)
