"""Responses of search engines, as runs, and requests of the Ranking Evaluation API, as judgments.

A file has a response per line, or is one JSON value, or several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, ValuesView
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import chain, islice, repeat
from math import inf
from typing import Any, TypeAlias

import polars as pl

from ..errors import InputError
from .columns import (
    QRELS,
    RUN,
    Columns,
    Kind,
    choose_columns,
    describe_columns,
    find_column,
    note_columns,
    seems_other,
)

_Path = tuple[str, ...]  # keys, from the outside in


@dataclass(frozen=True)
class _Form:
    """Where a response has its documents, and a document its id and value."""

    name: str
    kind: Kind
    hits: _Path
    doc_id: _Path
    value: _Path


_ELASTICSEARCH = _Form("Elasticsearch", RUN, ("hits", "hits"), ("_id",), ("_score",))
_SOLR = _Form("Solr", RUN, ("response", "docs"), ("id",), ("score",))
_ENGINES = (_ELASTICSEARCH, _SOLR)
# The keys of an object that is one of their responses, or holds one.
_HOLDERS = {"response", "responses", *(form.hits[0] for form in _ENGINES)}
_EVALUATION = _Form("Ranking Evaluation", RUN, ("hits",), ("hit", "_id"), ("hit", "_score"))
_REQUESTS = _Form("Ranking Evaluation", QRELS, ("ratings",), ("_id",), ("rating",))

_ADD = (
    'put it beside the response, as in {"query_id": "q1", "response": {…}}, or name the key '
    "that has it: columns={'query_id': '…'} or --columns query_id=…"
)
# How to add the id of a query, by the key of a value that holds several responses.
_ADDING = {
    "responses": "list one for each of the responses, in the order of the searches, as in "
    '{"query_ids": ["q1", "q2"], "responses": [{…}, {…}]}',
    "details": "",
    "requests": 'name the request, as in {"id": "q1", "ratings": […]}',
}

# What else responses say: the query, how many documents match (before Elasticsearch 7, the total
# was a number), where the page starts, from 0, and what is true of those that may lack documents.
_QUERY = ("responseHeader", "params", "q")
_MATCHES = (("hits", "total", "value"), ("hits", "total"), ("response", "numFound"))
_STARTS = (("from",), ("response", "start"))
_IS_PARTIAL = (("timed_out",), ("_shards", "failed"), ("responseHeader", "partialResults"))
_WHOLE = (None, False, "0", "false")

_MARKS = "hits docs responses requests details error _shards responseHeader"
_MARK = re.compile(rf'"({_MARKS.replace(" ", "|")})"\s*:\s*[{{\[]')
_SAMPLE = 100  # responses that are enough to recognise a file
_FIRST = 10  # and an object, since every dict is asked


def may_be_responses(head: str) -> bool:
    """Whether a file of JSON that begins like this may be of responses."""
    return _MARK.search(head) is not None


def hold_responses(data: Any) -> bool:  # noqa: ANN401
    """Whether these are responses as clients of search engines return them.

    One, a list of them, or ``{query_id: response}``: dicts, or objects with a dict as ``body``.
    """
    several = data.values() if isinstance(data, Mapping) else data
    first = islice(several, _FIRST) if isinstance(several, list | tuple | ValuesView) else ()
    return _is_response(data) or any(map(_is_response, first))


def write_responses(data: Any) -> str:  # noqa: ANN401
    """What `hold_responses` found, as a JSON array that `read_responses` reads."""
    answers = [data] if _is_response(data) else data
    if isinstance(answers, Mapping):
        answers = [{"query_id": id, "response": answer} for id, answer in answers.items()]
    return json.dumps([*answers], default=lambda each: getattr(each, "body", str(each)))


def _is_response(value: Any) -> bool:  # noqa: ANN401
    """Whether this is a response, or holds one beside the id of its query."""
    held = getattr(value, "body", value)
    if not isinstance(held, Mapping) or held.keys().isdisjoint(_HOLDERS):
        return False  # as most dicts, which are of scores
    holders = [value, _take(value, "response"), _take(_take(value, "responses"), 0)]
    lists = (reduce(_take, form.hits, each) for each in holders for form in _ENGINES)
    return any(
        isinstance(hits, list) and all(isinstance(hit, Mapping) for hit in hits) for hits in lists
    )


def _take(value: Any, key: str | int) -> Any:  # noqa: ANN401
    """An item of a dict, of an object's body or of a list; None if there is none."""
    held = getattr(value, "body", value)
    if isinstance(held, Mapping):
        return held.get(key)
    return held[0] if isinstance(held, list) and held and key == 0 else None


def _follow(value: Any, *paths: tuple[str | int, ...]) -> Any:  # noqa: ANN401
    """What the first of several paths leads to that leads to something."""
    found = (reduce(_take, path, value) for path in paths)
    return next((each for each in found if each is not None), None)


# Of each query, whether scores rank its documents, the lowest of them and the highest.
Pages: TypeAlias = dict[str, tuple[bool, float, float]]


@dataclass(frozen=True)
class Responses:
    """The documents that responses list, as text with ``_line``, and how ``pages`` rank queries."""

    rows: pl.DataFrame
    note: str
    pages: Pages


@dataclass
class _Page:
    """What a response says, and where it is; ``before`` it come documents of other pages."""

    place: str
    line: int | None
    query_id: str
    doc_ids: list[str | None]
    values: list[str | None]
    is_partial: bool
    matches: int | None
    start: int | None
    before: int = 0

    @cached_property
    def scores(self) -> list[float]:
        given = pl.Series(self.values, dtype=pl.String)
        return given.cast(pl.Float64, strict=False).fill_nan(None).drop_nulls().to_list()

    @property
    def falls(self) -> bool:
        """Whether all documents have a score, none above one before."""
        has_others = len(self.scores) < len(self.values)  # what is not a number is refused later
        is_sorted = has_others or self.scores == sorted(self.scores, reverse=True)
        return None not in self.values and is_sorted


def read_responses(
    texts: Iterable[tuple[int | None, str]], name: str, kind: Kind, columns: Columns | None
) -> Responses | None:
    """Read JSON texts, such as lines, with their numbers; None if they are of something else.

    Raises `InputError` for a response that is an error, has no list of documents or no id of its
    query, for pages without an order, and for responses in place of judgments or the other way
    round.
    """
    parsed = ((line, text, _parse(text)) for line, text in texts if text.strip())
    first = [*islice(parsed, _SAMPLE)]
    structure = _outline(value for _, _, values in first for value in values or ())
    form, holder = _find_form(structure)
    if form is None:
        return None
    if form.kind.is_judged != kind.is_judged:
        what = "ratings" if form.kind.is_judged else "responses"
        raise seems_other(name, kind, f"{form.name} {what}")
    form, key = _find_names(form, holder, structure, name, columns)
    pages: dict[str, list[_Page]] = {}
    for line, text, values in chain(first, parsed):
        if values is None:
            raise InputError(f"{name} line {line} is not JSON: {text[:80]!r}")
        for page in _list_pages(form, holder, key, values, name, line):
            pages.setdefault(page.query_id, []).append(page)
    ranked = {query_id: _rank_pages(several) for query_id, several in pages.items()}
    found = {"query_id": key} if key else {}
    found |= {"doc_id": ".".join(form.doc_id), kind.value: ".".join(form.value)}
    notes = [describe_columns(name, found, kind) or f"{name}: read {form.name} responses"]
    notes += _list_remarks(pages, ranked) if kind is RUN else ()
    return Responses(_list_documents(pages, ranked, kind), "; ".join(notes), ranked)


def refuse_scattered(found: Mapping[str, Pages]) -> None:
    """Raise `InputError` for pages of one query in several files, unless their scores fall.

    ``found`` are the pages by file, in order.
    """
    seen: dict[str, tuple[str, float]] = {}
    for name, pages in found.items():
        for query_id, (by_score, least, most) in pages.items():
            other, lowest = seen.get(query_id, ("", inf))
            if other and not (by_score and most <= lowest):
                raise InputError(
                    f"{name}: query {query_id} has documents in {other}, too, and their scores do "
                    "not fall from one to the other; put its responses into one file, in the order "
                    "of pages"
                )
            if least <= most or not by_score:  # it has documents
                seen[query_id] = name, least if by_score else -inf


# numbers stay as they are written
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


def _parse(text: str) -> list[Any] | None:
    """The JSON values in a text, those of an array or one after another; None if it is broken."""
    values, end = [], 0
    with suppress(ValueError, RecursionError):
        while end < len(text):
            value, end = _DECODER.raw_decode(text, end)
            values += value if isinstance(value, list) else [value]
            end += len(text[end : end + 1_000]) - len(text[end : end + 1_000].lstrip())
        return values
    return None


def _outline(values: Iterable[Any]) -> Any:  # noqa: ANN401
    """What values have in common: the keys of objects, and of lists the outline of the items."""
    filled = [value for value in values if value is not None]
    if filled and all(isinstance(value, dict) for value in filled):
        keys = dict.fromkeys(chain.from_iterable(filled))
        return {key: _outline([value.get(key) for value in filled]) for key in keys}
    if filled and all(isinstance(value, list) for value in filled):
        return [_outline(item for value in filled for item in value[:_SAMPLE])]
    return ""


def _find_form(structure: Any) -> tuple[_Form | None, str]:  # noqa: ANN401
    """The form of values, and the key that holds their responses; None for something else."""
    if isinstance(several := _take(structure, "responses"), list):
        return _find_engine(several[0]) or _ELASTICSEARCH, "responses"
    if form := _find_engine(structure):
        return form, ""
    if form := _find_engine(_take(structure, "response")):
        return form, "response"
    if _follow(structure, ("requests", 0, "ratings")) is not None:
        return _REQUESTS, "requests"
    return (_EVALUATION if _take(structure, "metric_score") == "" else None), "details"


def _find_engine(structure: Any) -> _Form | None:  # noqa: ANN401
    """The form of a response by itself."""
    if not isinstance(structure, dict):
        return None
    has_value = "" in structure.values()
    for form in _ENGINES:
        hits = _follow(structure, form.hits)
        if isinstance(hits, list) or (hits is not None and has_value):
            return form
    if "responseHeader" in structure:
        return _SOLR
    is_error = isinstance(structure.get("error"), dict)
    is_known = is_error or structure.keys() & {"timed_out", "_shards"}
    return _ELASTICSEARCH if has_value and is_known else None


def _find_names(
    form: _Form,
    holder: str,
    structure: Any,  # noqa: ANN401
    name: str,
    columns: Columns | None,
) -> tuple[_Form, str]:
    """The form with the id of documents that the user names, and the key of the query's id.

    The id of a document is its own key, or one of its source.
    """
    if form not in _ENGINES:
        return form, "id" if form is _REQUESTS else ""
    ((response, *_), _) = _list_answers(structure, holder)
    beside = response if holder == "responses" else structure
    keys = [key for key in _list_keys(beside) if beside[key] == ""]
    key = find_column(name, "query_id", keys, columns) or ""
    hit = _follow(response, (*form.hits, 0))
    fields = [*_list_keys(hit), *_list_keys(_take(hit, "_source"))]
    note_columns(columns, "doc_id", name, fields)
    own = choose_columns(columns, RUN).get("doc_id")
    for path in ((own,), ("_source", own)) if isinstance(own, str) else ():
        if _follow(hit, path) == "":
            return replace(form, doc_id=path), key
    return form, key


def _list_pages(
    form: _Form, holder: str, key: str, values: list[Any], name: str, line: int | None
) -> Iterator[_Page]:
    """The responses in the values of a line; raises `InputError` for one that cannot be read."""
    listed = [
        (value, answer, own_id, len(answers), len(ids))
        for value in values
        for answers, ids in [_list_answers(value, holder)]
        for answer, own_id in zip(answers, chain(ids, repeat(None)), strict=False)
    ]
    for part, (value, answer, own_id, number, ids) in enumerate(listed, start=1):
        what = "request" if form.kind.is_judged else "response"
        place = f"{name} line {line}" if line else name
        place += f", {what} {part}" if len(listed) > 1 else ""
        beside = value if holder in ("", "response") else answer
        given = (_take(beside, key), own_id, _follow(answer, _QUERY))
        query_id = next((_write(each) for each in given if each is not None), None)
        error, hits = _take(answer, "error"), _follow(answer, form.hits)
        problem = ""
        if error is not None:
            said = _follow(error, ("reason",), ("msg",), ())
            problem = f"the response is an error: {_write(said)}; search again, or remove it"
        elif not isinstance(hits, list):
            problem = f"no list {'.'.join(form.hits)}, where {form.name} has documents"
        elif ids not in (0, number):
            problem = f"{ids} query_ids for {number} responses: {_ADDING.get(holder, _ADD)}"
        elif not query_id:
            problem = f"no query_id: {_ADDING.get(holder, _ADD)}"
        if problem:
            raise InputError(f"{place}: {problem}")
        yield _Page(
            place,
            line,
            str(query_id),
            _list_values(hits, form.doc_id),
            _list_values(hits, form.value),
            is_partial=any(_follow(answer, path) not in _WHOLE for path in _IS_PARTIAL),
            matches=_count(_follow(answer, *_MATCHES)),
            start=_count(_follow(answer, *_STARTS) or _take(value, "from")),
        )


def _list_keys(value: Any) -> list[str]:  # noqa: ANN401
    return [*value] if isinstance(value, dict) else []


def _list_values(hits: list[Any], path: _Path) -> list[str | None]:
    """What a path leads to in each document, as text."""
    for key in path:
        hits = [hit.get(key) if isinstance(hit, dict) else None for hit in hits]
    return [*map(_write, hits)]


def _list_answers(value: Any, holder: str) -> tuple[list[Any], list[Any]]:  # noqa: ANN401
    """The responses in a value, and the ids of their queries, if it lists these."""
    held = _take(value, holder) if holder else value
    if holder == "details":
        failures = _take(value, "failures")
        by_query = {id: each[id] for each in (held, failures) for id in _list_keys(each)}
        return [*by_query.values()], [*by_query]
    ids = _take(value, "query_ids")
    return (held, ids if isinstance(ids, list) else []) if isinstance(held, list) else ([held], [])


def _rank_pages(pages: list[_Page]) -> tuple[bool, float, float]:
    """Whether scores rank the documents of a query, the lowest of them and the highest.

    They do if all have one and none rises on the way down; otherwise positions rank. The pages are
    in the order of ``start`` where one says so, or else of the file. Raises `InputError` where that
    is no order.
    """
    has_starts = any(page.start for page in pages)  # with a cursor, every page starts at 0
    if has_starts:
        pages.sort(key=lambda page: inf if page.start is None else page.start)
    number, lowest, highest, by_score = 0, inf, -inf, True
    fall_alone = all(page.falls for page in pages)
    for page in pages:
        page.before, is_placed = number, has_starts and page.start is not None
        least, most = min(page.scores, default=inf), max(page.scores, default=-inf)
        is_above = most > lowest
        problem = ""
        if page.matches and not any(each.values for each in pages):
            problem = (
                f"{page.matches} documents match and none is listed; search with a size above 0"
            )
        elif is_placed and page.start != number:
            problem = (
                f"the page starts after {page.start} documents of query {page.query_id}, and "
                f"{number} come before; put all its pages into the file, each once"
            )
        elif is_above and fall_alone and not is_placed:
            problem = (
                f"the scores of query {page.query_id} are higher than on a page before; say where "
                'each page starts: {"query_id": "q1", "from": 10, "response": {…}}'
            )
        if problem:
            raise InputError(f"{page.place}: {problem}")
        by_score &= page.falls and not is_above
        number += len(page.values)
        lowest, highest = min(lowest, least), max(highest, most)
    return by_score, lowest, highest


def _list_documents(pages: Mapping[str, list[_Page]], ranked: Pages, kind: Kind) -> pl.DataFrame:
    """The documents as text; a run has ranks, of which scores are made where it has none."""
    schema: dict[str, Any] = {"_line": pl.Int64, "query_id": pl.String, "doc_id": pl.String}
    schema |= {kind.value: pl.String, "rank": pl.Int64}
    columns: list[list[Any]] = [[] for _ in schema]
    for query_id, several in pages.items():
        for page in several:
            number = len(page.values)
            ranks = [*range(page.before + 1, page.before + number + 1)]
            by_value = ranked[query_id][0] or kind is not RUN
            values = page.values if by_value else [str(-rank) for rank in ranks]
            lines, ids = [page.line] * number, [query_id] * number
            parts: tuple[list[Any], ...] = (lines, ids, page.doc_ids, values, ranks)
            for column, part in zip(columns, parts, strict=True):
                column += part
    frame = pl.DataFrame(dict(zip(schema, columns, strict=True)), schema)
    return frame.cast({"rank": pl.String}) if kind is RUN else frame.drop("rank")


def _list_remarks(pages: Mapping[str, list[_Page]], ranked: Pages) -> Iterator[str]:
    """What to know about the ranking of responses."""
    listed = [page for several in pages.values() for page in several]
    if partial := [page.query_id for page in listed if page.is_partial]:
        yield (
            f"{len(partial)} of {len(listed)} responses may lack documents, since the search ran "
            f"out of time or shards failed, such as that for query {min(partial)}"
        )
    if by_rank := [query_id for query_id, (by_score, *_) in ranked.items() if not by_score]:
        yield (
            f"{len(by_rank)} of {len(ranked)} queries are ranked by position, since their scores "
            "are missing or do not fall"
        )


def _write(value: Any) -> str | None:  # noqa: ANN401
    """A value as text; anything but text and numbers as JSON."""
    is_text = value is None or isinstance(value, str)
    return value if is_text else json.dumps(value, separators=(",", ":"))


def _count(value: Any) -> int | None:  # noqa: ANN401
    with suppress(TypeError, ValueError):
        return int(value)
    return None
