"""Lists: a row per query that holds all its documents, as ids in their order."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, count
from numbers import Integral, Real
from typing import Any
from uuid import UUID

import polars as pl

from ..errors import InputError
from .columns import RUN, Kind, find_order, is_known, tell_lists
from .data import name_some


def is_list(kind: type) -> bool:
    """Whether values of a type are lists: of Python, or arrays and series of any library."""
    is_array = hasattr(kind, "__array__") and hasattr(kind, "__len__")
    return issubclass(kind, list | tuple | set | frozenset) or (
        is_array and not issubclass(kind, str) and not hasattr(kind, "columns")
    )


def read_lists(
    lists: Sequence[Any], queries: Iterable[Any], kind: Kind, name: str, *, holds_ids: bool = True
) -> pl.Series:
    """Lists of ids, or of numbers, as text; None stays None.

    Raises `InputError` for what is not a list or not an id, and for a set as a ranking.
    """
    for query_id, ids in zip(queries, lists, strict=True):
        if ids is None:
            continue
        if not is_list(type(ids)) or not getattr(ids, "ndim", 1):
            keys = name_some([*map(str, queries)])
            raise InputError(
                f"{name} has {ids!r:.80} for query {query_id!r}, of the queries {keys}; expected "
                f"a list for each, or else rows with {', '.join(kind.columns)}"
            )
        if isinstance(ids, set | frozenset) and not kind.is_judged:
            raise InputError(
                f"{name} has a set for query {query_id!r}, which has no order; give a list, the "
                "best document first"
            )
        if holds_ids and not all(map(is_id, {*map(type, ids)})):
            wrong = next(id for id in ids if not is_id(type(id)))
            remedy = f"For {kind.value}s, give {{query_id: {{doc_id: {kind.value}}}}}"
            if kind.is_judged and is_list(type(wrong)):
                remedy = "Groups, any document of which answers, are for StRecall@k"
            raise InputError(
                f"{name} has {wrong!r:.80} in the list of query {query_id!r}; expected ids, which "
                f"are text or whole numbers. {remedy}"
            )
    listed = [
        None if ids is None else [None if i is None else str(i) for i in ids] for ids in lists
    ]
    return pl.Series(listed, dtype=pl.List(pl.String))


def is_id(kind: type) -> bool:
    """Whether values of a type are written in one way only, or are None."""
    is_one = issubclass(kind, str | Integral | UUID | date | type(None))
    return is_one and not issubclass(kind, bool)


def sketch(data: Any) -> str:  # noqa: ANN401
    """What an object is made of, by levels: ``{ { f`` is a dict of dicts of fractions.

    Dicts are {, lists [, ids that are text a, whole numbers i, fractions f, truths b, None -, named
    tuples t, responses of clients o, all else ?; the letters of a level are in this order.
    """
    levels: list[str] = []
    items = [data]
    while items and len(levels) < _DEPTH:
        letters = {
            kind: next((letter for letter, fits in _LETTERS.items() if fits(kind)), "?")
            for kind in {*map(type, items)}
        }
        levels.append("".join(sorted({*letters.values()})))
        if not {*letters.values()} & {"[", "{"}:
            break
        held = (
            each for each in items if letters[type(each)] in "[{" and getattr(each, "ndim", True)
        )
        inner = (each.values() if isinstance(each, Mapping) else each for each in held)
        items = [*chain.from_iterable(inner)]
    return " ".join(levels)


_DEPTH = 4
_LETTERS: dict[str, Callable[[type], bool]] = {
    "t": lambda kind: hasattr(kind, "_fields"),
    "{": lambda kind: issubclass(kind, Mapping),
    "[": is_list,
    "b": lambda kind: issubclass(kind, bool),
    "-": lambda kind: kind is type(None),
    "i": lambda kind: issubclass(kind, Integral),
    "a": is_id,
    "f": lambda kind: issubclass(kind, Real),
    "o": lambda kind: hasattr(kind, "body"),
}


def has_form(data: Any, *forms: str) -> bool:  # noqa: ANN401
    """Whether the `sketch` of an object is of one of these forms, regular expressions."""
    return re.fullmatch("|".join(forms), sketch(data)) is not None


def is_list_of_lists(data: Any) -> bool:  # noqa: ANN401
    """Whether these are lists of ids, or of grades, by the places of their queries."""
    is_by_place = has_form(data, r"\[ \[( [-abfi]+)?") and not are_tuples(data)
    return is_by_place and not any(getattr(getattr(data, "index", None), "names", ()))


def are_tuples(data: Any) -> bool:  # noqa: ANN401
    """Whether these are tuples of a query, a document and a value, as a cursor fetches them."""
    is_list = isinstance(data, list) and {*map(type, data)} == {tuple}
    return is_list and all(len(row) == 3 and isinstance(row[2], Real) for row in data)


def are_grades(data: Any) -> bool:  # noqa: ANN401
    """Whether the lists of a dict are of numbers, or of words that repeat, as no ids would."""
    is_repeated = has_form(data, r"\{ \[ a") and any(
        len({*each}) < len(each) for each in data.values()
    )
    return is_repeated or has_form(data, r"\{ \[( [bfi]+)?")


def are_hits(data: Any) -> bool:  # noqa: ANN401
    """Whether these are objects, a document each, in a list for each query, by place or by id.

    Or an object for each query with the lists of both, such as relevant and retrieved.
    """
    if not has_form(data, r"[\[{] \[ \{.*", r"\{ \{ \[.*"):
        return False
    held = data.values() if isinstance(data, Mapping) else data
    if isinstance(first := next(iter(held)), Mapping):
        return {"qrels", "run"} <= {of for key in first for of in tell_lists(str(key))}
    return not is_known(next(chain.from_iterable(held)), ("query_id",))


def is_by_place(data: Any) -> bool:  # noqa: ANN401
    """Whether these are lists of ids, of grades or of hits, by the places of their queries."""
    return is_list_of_lists(data) or (are_hits(data) and not isinstance(data, Mapping))


def is_one_run(data: Mapping[Any, Any]) -> bool:
    """Whether this is ``{query: {document: score}}`` or ``{query: [document, …]}``.

    Otherwise it holds runs by name, of which one may be ``{query: response}``.
    """
    forms = r"\{ [^ ]*\[[^ ]*( [^{t].*)?", r"\{ \{( [^[{o ]*| [^ ]*[fi].*)?"
    is_one = has_form(data, *forms) and not any(map(are_tuples, data.values()))
    return is_one or are_hits(data)


def flatten(value: dict[str, Any], before: str = "", path: str = "$") -> dict[str, Any]:
    """The values of an object and of those inside it, by their names, with their paths."""
    flat: dict[str, Any] = {}
    for key, inner in value.items():
        here = f"{path}.{json.dumps(key, ensure_ascii=False)}"
        if isinstance(inner, dict):
            flat = flatten(inner, f"{before}{key}.", here) | flat
        else:
            flat[before + key] = here, inner
    return flat


def holds_rows(value: Any) -> bool:  # noqa: ANN401
    """Whether an object has a list of others, such as the documents of its query."""
    lists = value.values() if isinstance(value, Mapping) else ()
    return any(isinstance(each, list) and each and isinstance(each[0], dict) for each in lists)


def list_rows(data: Any, kind: Kind) -> Any:  # noqa: ANN401
    """What holds rows in other ways, as dicts or tuples of rows; all else as it is.

    Lists of ids by the places of their queries; tuples of a query, a document and a value; pairs of
    a document and a value for each query; documents by their grades; a data set of LlamaIndex;
    groups, each a subtopic, any document of which answers.
    """
    if are_hits(data):
        by_id = data.items() if isinstance(data, Mapping) else enumerate(data, start=1)
        held = ((id, each if isinstance(each, Mapping) else {"hits": each}) for id, each in by_id)
        data = [{"query_id": str(id), **each} for id, each in held]
    if isinstance(data, list) and any(map(holds_rows, data[:100])):
        return pl.DataFrame(data, infer_schema_length=None, strict=False)
    names: tuple[str, ...] = ("query_id", "doc_id", kind.value)
    rows: list[tuple[Any, ...]] = []
    if isinstance(data, Mapping):
        items = data.items()
        if kind.is_judged and {"queries", "corpus", "relevant_docs"} <= data.keys():
            return data["relevant_docs"]
        if "subtopic" in kind.optional and has_form(data, r"\{ \[ \[ [ai]+"):
            names = (*names, "subtopic")
            rows = [(q, id, 1, n) for q, all in items for n, ids in enumerate(all, 1) for id in ids]
        elif has_form(data, r"\{ \[ \[ a[fi]+"):
            rows = [(query_id, *pair) for query_id, pairs in items for pair in pairs]
        elif kind.is_judged and has_form(data, r"\{ \{ \[( .*)?"):
            graded = ((q, grade, ids) for q, grades in items for grade, ids in grades.items())
            rows = [
                (q, id, int(g) if str(g).isdecimal() else g) for q, g, ids in graded for id in ids
            ]
    elif are_tuples(data):
        rows = data
    if rows and all(len(row) == len(names) and isinstance(row[2], Real) for row in rows):
        if kind is RUN and _are_ranks(rows):
            names = ("query_id", "doc_id", "rank")
        return [dict(zip(names, row, strict=True)) for row in rows]
    if is_list_of_lists(data):
        return {place: [*ids] for place, ids in enumerate(data, start=1)}
    return data


def _are_ranks(rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the values of each query, in the order of its rows, are 1, 2, 3 and so on."""
    places = defaultdict[Any, Iterator[int]](lambda: count(1))
    are_counted = all(value == next(places[query_id]) for query_id, _, value in rows)
    return are_counted and len(places) < len(rows)


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
        once = f"DISTINCT ON ({', '.join(columns.values())}) {number}{listed}, '1' AS {kind.value}"
        return f"(SELECT {once} FROM {rows})", {c: c for c in taken}
    # what a list is may take long to read, so it has a name
    whole = {ours: f"{columns[ours]} AS _all_{ours}" for ours in columns if ours in lists}
    rows = f"(SELECT *, {', '.join(whole.values())} FROM {rows})"
    is_found = "lambda _n: CAST(_all_doc_id[_n] AS VARCHAR) IS DISTINCT FROM '-1'"
    last = f"coalesce(list_max(list_filter(range(1, len(_all_doc_id) + 1), {is_found})), 0)"
    end = f"CASE WHEN {is_padded('_all_doc_id')} THEN {last} ELSE {_ANY_LENGTH} END"
    taken = {
        ours: f"unnest(_all_{ours}[: _end])" if ours in whole else columns[ours] for ours in columns
    }
    if kind.value not in columns and find_order(columns, kind) is None:
        place = "CAST(unnest(range(1, len(_all_doc_id[: _end]) + 1)) AS VARCHAR)"
        taken |= {"relevance": "'1'"} if kind.is_judged else {"rank": place}
    listed = ", ".join(f"{value} AS {ours}" for ours, value in taken.items())
    ends = f"(SELECT *, {end} AS _end FROM {rows})"
    return f"(SELECT {number}{listed} FROM {ends})", {ours: ours for ours in taken}


_ANY_LENGTH = 1 << 31  # lists are shorter


def is_padded(documents: str) -> str:
    """The condition for lists that end with an id of -1."""
    return f"CAST({documents}[-1] AS VARCHAR) = '-1'"


def require_distinct(data: Any, name: str) -> None:  # noqa: ANN401
    """Raise `InputError` for a dict whose queries are different keys, but the same text."""
    known = {str(key): key for key in data} if isinstance(data, Mapping) else {}
    if known and len(known) < len(data):
        one, other = next((k, known[str(k)]) for k in data if known[str(k)] is not k)
        raise InputError(
            f"{name} has the keys {one!r} and {other!r}, which are one id, since ids are text; "
            "keep one of them"
        )
