"""Lists: a row per query that holds all its documents, as ids in their order."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from numbers import Integral
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
    listed judgment without relevance is 1. Lists are as long as the longest of their row, so that
    checks find what others lack. They end before ids of -1, where an index found nothing.
    """
    if "doc_id" not in lists:
        return rows, dict(columns)
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
    kinds = "('VARCHAR', 'BIGINT', 'UBIGINT', 'HUGEINT', 'NULL')"
    query = f"""
        SELECT _line, json_extract(line, {quote(path)})
        FROM {lines}
        WHERE
            json_valid(line)
            AND (
                coalesce(json_type(line, {quote(path)}) NOT IN ('ARRAY', 'NULL'), false)
                OR len(
                    list_filter(
                        json_extract(line, {quote(path + "[*]")}),
                        lambda each: json_type(each) NOT IN {kinds}
                    )
                ) > 0
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
