"""Responses of search engines, as runs, and requests of the Ranking Evaluation API, as judgments.

A file has a response per line, or is one JSON value, or several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from itertools import chain, islice, repeat
from math import inf
from typing import Any

import polars as pl

from ..errors import InputError, refuse
from .columns import (
    KINDS,
    RUN,
    Columns,
    Kind,
    choose_columns,
    find_column,
    note_columns,
    seems_other,
)
from .data import read_as, read_rows
from .source import Connected, Source, describe_columns, write_columns


@dataclass(frozen=True)
class _Form:
    """What an engine's responses are: a line of forms.csv, whose paths have dots.

    Each response has ``hits``, a document per item: its ``doc_id``, and its ``value``, which is a
    score or a grade, or none where the order says all; a key of ``source`` may be its id instead. A
    value of JSON has ``several`` responses, in a list or by the ids of their queries, or is a
    response, or has one as ``response``. What else one may have: the ``query``, how many documents
    ``matches``, the ``start`` of its page, from 0, what is true if it is ``partial``, and ``marks``
    by which one is known that has no documents, or documents with any keys. The path ``.`` is the
    value itself, and ``*`` whatever key there is.
    """

    engine: str
    kind: str
    several: tuple[str, ...]
    hits: tuple[str, ...]
    doc_id: str
    value: str
    source: str
    query: tuple[str, ...]
    matches: tuple[str, ...]
    start: tuple[str, ...]
    partial: tuple[str, ...]
    marks: tuple[str, ...]

    @property
    def is_alone(self) -> bool:
        """Whether a response may be by itself, and has the id of its query beside it."""
        return "responses" in self.several


def _split(path: str) -> Sequence[str]:
    """The keys of a path; one of Azure's own has a dot in it."""
    return [path] if path.startswith("@") else [key for key in path.split(".") if key]


_FORMS = [read_as(_Form, row) for row in read_rows("forms.csv")]
# The keys of objects that are responses, or hold one.
_PATHS = {"response"}.union(*((*form.hits, *form.several, *form.marks) for form in _FORMS))
_KEYS = {key for path in _PATHS for key in _split(path)} - {"*"}
KEY = re.compile(rf'"({"|".join(map(re.escape, _KEYS))})"\s*:\s*[{{\[]')
_SAMPLE = 100  # responses that are enough to recognise a file
_FIRST = 10  # and an object, since every dict is asked

_ADD = (
    'put it beside the response, as in {"query_id": "q1", "response": {…}}, or name the key '
    "that has it: columns={'query_id': '…'} or --columns query_id=…"
)
# The same where a value holds several responses, or requests.
_ADD_LIST = (
    "list one for each of the responses, in the order of the searches, as in "
    '{"query_ids": ["q1", "q2"], "responses": […, …]}'
)
_ADD_REQUEST = 'name the request, as in {"id": "q1", "ratings": […]}'
_WHOLE = (None, False, "0", "false")


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
    if not isinstance(held, Mapping) or held.keys().isdisjoint(_KEYS):
        return False  # as most dicts, which are of scores
    return any(_lists_hits(held, form) for form in _FORMS)


def _lists_hits(value: Any, form: _Form) -> bool:  # noqa: ANN401
    """Whether a value has a response with documents, or with none."""
    kind = str if form.doc_id == "." else Mapping
    for answer, _, _ in _list_answers(value, form):
        path = next((path for path in form.hits if _follow(answer, path) is not None), "")
        hits = _follow(answer, path) if path else None
        if isinstance(hits, list) and all(isinstance(hit, kind) for hit in hits):
            is_named = any(_follow(hit, form.value or form.doc_id) is not None for hit in hits)
            if len(_split(path)) > 1 or (is_named and kind is Mapping) or _is_marked(value, form):
                return True
    return False


def _is_marked(value: Any, form: _Form) -> bool:  # noqa: ANN401
    """Whether a value has a response that may lack documents, such as an error."""
    answers = [value, _take(value, "response"), *(each[0] for each in _list_answers(value, form))]
    return any(_follow(each, *form.marks) is not None for each in answers)


def _take(value: Any, key: str) -> Any:  # noqa: ANN401
    """An item of a dict or of an object's body; None if there is none."""
    held = getattr(value, "body", value)
    if key == "*" and isinstance(held, Mapping):
        key = next(iter(held), key)
    found = held.get(key) if isinstance(held, Mapping) else None
    return getattr(found, "body", found)


def _follow(value: Any, *paths: str) -> Any:  # noqa: ANN401
    """What the first of several paths leads to that leads to something."""
    found = (reduce(_take, _split(path), value) for path in paths)
    return next((each for each in found if each is not None), None)


def _list_answers(value: Any, form: _Form) -> list[tuple[Any, Any, Any]]:  # noqa: ANN401
    """The responses in a value, each with what is beside it, and the id of its query if listed."""
    inner = _take(value, "response")
    is_inside = isinstance(inner, Mapping) and not isinstance(_follow(value, *form.hits), list)
    answer = inner if is_inside else value
    held, ids = [_follow(answer, path) for path in form.several], _take(answer, "query_ids")
    for several in held:
        if isinstance(several, list):
            given = chain(ids if isinstance(ids, list) else (), repeat(None))
            beside = [value] if len(several) == 1 and not isinstance(ids, list) else several
            return [*zip(several, beside, given, strict=False)]
    if not form.is_alone:
        by_query = [each.items() for each in held if isinstance(each, Mapping)]
        return [(answer, answer, id) for id, answer in chain(*by_query)]
    return [(answer, value, None)]


# What a response says, and where it is.
_PAGE: dict[str, Any] = {
    "place": str,
    "_line": int,
    "query_id": str,
    "doc_id": list[str],
    "value": list[str],
    "is_partial": bool,
    "matches": str,
    "start": str,
}


def read_responses(
    reader: Connected, texts: Iterable[tuple[int | None, str]], name: str, kind: Kind
) -> Source | None:
    """Read JSON texts, such as lines, with their numbers; None if they are of something else.

    Raises `InputError` for a response that is an error, has
    no list of documents or no id of its query, for pages without an order, and for responses in
    place of judgments or the other way round.
    """
    parsed = ((line, text, _parse(text)) for line, text in texts if text.strip())
    first = [*islice(parsed, _SAMPLE)]
    sample = [value for *_, values in first for value in (values or ())[:_SAMPLE]]
    forms = [f for f in _FORMS if any(_lists_hits(v, f) for v in sample)]
    # without documents, forms of one key would be known by keys that any row may have
    sure = (f for f in _FORMS if "." in f.hits[0][1:] or not f.is_alone)
    forms += (f for f in sure if any(_is_marked(v, f) for v in sample))
    if not forms:
        return None
    form = forms[0]
    if KINDS[form.kind].is_judged != kind.is_judged:
        what = "responses" if kind.is_judged else "ratings"
        raise seems_other(name, kind, f"{form.engine} {what}")
    key, doc_id = _find_names(form, sample, name, reader.columns)
    pages: list[tuple[Any, ...]] = []
    for line, text, values in chain(first, parsed):
        if values is None:
            raise InputError(f"{name} line {line} is not JSON: {text[:80]!r}")
        pages += _list_pages(form, key, doc_id, values, name, line)
    found = {"query_id": key, "doc_id": ".".join(doc_id), kind.value: form.value}
    found = {ours: theirs for ours, theirs in found.items() if theirs}
    note = describe_columns(name, found, kind) or f"{name}: read {form.engine} responses"
    ranked = _rank_pages(pl.DataFrame(pages, _PAGE, orient="row"))
    if kind is RUN:
        note = "; ".join([note, *_list_remarks(ranked, are_scored=bool(form.value))])
    filled = ranked.filter(pl.col("number") > 0).with_columns(file=pl.lit(name))
    rows = _list_documents(filled, kind)
    have = tuple(rows.columns[1:])  # without _line
    listed = ", ".join(write_columns({each: each for each in have}, kind, is_text=True))
    selected = f"(SELECT _line, {listed} FROM {reader.register(rows)})"
    return Source(name, kind, selected, have, note, pages=filled)


def refuse_scattered(files: Sequence[pl.DataFrame]) -> None:
    """Raise `InputError` for pages of one query in several files, unless their scores fall."""
    pages, query = pl.concat(files), pl.col("query_id")
    pages = pages.with_columns(other=pl.col("file").first().over(query))
    lowest = pl.col("lowest").cum_min().shift(1, fill_value=inf).over(query)
    falls = pl.col("by_score").all().over(query) & (pl.col("highest") <= lowest)
    for page in pages.filter(pl.col("file") != pl.col("other"), ~falls).iter_rows(named=True):
        where = f"{page['file']}: query {page['query_id']} has documents in {page['other']}, too"
        said = "their scores do not fall from one to the other; put its responses into one file"
        raise InputError(f"{where}, and {said}, in the order of pages")


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


def _find_names(
    form: _Form, sample: list[Any], name: str, columns: Columns | None
) -> tuple[str, tuple[str, ...]]:
    """The key of the query's id, and the path to a document's: its own key, or one of its source.

    The user may name both.
    """
    own = tuple(_split(form.doc_id))
    if not form.is_alone:
        return "".join(form.query), own
    answers = [each for value in sample for each in _list_answers(value, form)]
    without = [beside for _, beside, id in answers if id is None]
    key = find_column(name, "query_id", _list_keys(without), columns) if without else None
    lists = (_follow(answer, *form.hits) for answer, _, _ in answers)
    hits = [*chain.from_iterable(each for each in lists if isinstance(each, list))]
    places: dict[tuple[str, ...], list[str]] = {(): _list_keys(hits)}
    if form.source:
        places |= {(form.source,): _list_keys(_follow(hit, form.source) for hit in hits)}
    note_columns(columns, "doc_id", name, [*chain(*places.values())])
    named = str(choose_columns(columns, RUN).get("doc_id"))
    paths = ((*place, named) for place, keys in places.items() if named in keys)
    path = next(paths, own)
    if hits and not any(_list_values(hits, path)):
        found = find_column(name, "doc_id", places[()], columns)
        if found is None:
            raise InputError(
                f"{name}: no id in {form.engine}'s documents, which have {', '.join(places[()])}; "
                "name the key that has it: columns={'doc_id': '…'} or --columns doc_id=…"
            )
        path = (found,)
    return key or "", path


def _list_keys(values: Iterable[Any]) -> list[str]:
    """The keys of objects that have neither objects nor lists."""
    items = [item for each in values if isinstance(each, Mapping) for item in each.items()]
    nested = {key for key, value in items if isinstance(value, dict | list)}
    return [key for key in dict.fromkeys(key for key, _ in items) if key not in nested]


def _list_pages(
    form: _Form, key: str, doc_id: Sequence[str], values: list[Any], name: str, line: int | None
) -> Iterator[tuple[Any, ...]]:
    """The responses in the values of a line; raises `InputError` for one that cannot be read."""
    listed = [(value, *each) for value in values for each in _list_answers(value, form)]
    for part, (value, answer, beside, own_id) in enumerate(listed, start=1):
        place = f"{name} line {line}" if line else name
        what = "request" if form.kind == "qrels" else "response"
        place += f", {what} {part}" if len(listed) > 1 else ""
        given = (own_id, _take(beside, key), _follow(answer, *form.query))
        query_id = next((_write(each) for each in given if each is not None), None)
        error, hits = _take(answer, "error"), _follow(answer, *form.hits)
        matches = _write(_follow(answer, *form.matches))
        if hits is None and matches == "0":  # which Vespa leaves out
            hits = []
        names = ("query_ids", *form.several)
        lists = {each: _follow(value, each, f"response.{each}") for each in names}
        held = {name: len(each) for name, each in lists.items() if isinstance(each, list)}
        ids = held.pop("query_ids", None)
        numbers = [ids, *held.values()][:2] if held and ids is not None else [0, 0]
        several = next(iter(held), "")
        add = _ADD_LIST.replace('responses"', f'{several}"') if several else _ADD
        add = _ADD_REQUEST if several == "requests" else add
        said = _write(_follow(error, "reason", "msg") or error)
        problems = {
            f"the response is an error: {said}; search again, or remove it": error is not None,
            f"no list {form.hits[0]}, as {form.engine} has": not isinstance(hits, list),
            f"{numbers[0]} query_ids for {numbers[1]} responses: {add}": numbers[0] != numbers[1],
            f"no query_id: {add}": not query_id,
        }
        refuse(problems, f"{place}: ")
        yield (
            place,
            line,
            query_id,
            _list_values(hits, doc_id),
            _list_values(hits, _split(form.value)) if form.value else [None] * len(hits),
            any(_follow(answer, path) not in _WHOLE for path in form.partial),
            matches,
            _write(_follow(answer, *form.start) or _take(value, "from")),
        )


def _list_values(hits: list[Any], path: Sequence[str]) -> list[str | None]:
    """What a path leads to in each document, as text."""
    return [_write(reduce(_take, path, hit)) for hit in hits]


def _rank_pages(pages: pl.DataFrame) -> pl.DataFrame:
    """The pages in order, with whether scores rank the documents of their query: ``by_score``.

    They do if all have one and none rises on the way down; otherwise positions rank. The order is
    that of ``start`` where one says so, or else of the file. Raises `InputError` where that is no
    order.
    """
    query, number, start = pl.col("query_id"), pl.col("value").list.len(), pl.col("start")
    as_number = pl.element().cast(pl.Float64, strict=False).fill_nan(None)
    scores = pl.col("value").list.eval(as_number).list.drop_nulls()
    # what is not a number is refused later
    is_sorted = (scores.list.len() < number) | (scores == scores.list.sort(descending=True))
    pages = pages.cast({"matches": pl.Int64, "start": pl.Int64}, strict=False)
    pages = pages.with_columns(
        # with a cursor, every page starts at 0
        pl.when((start > 0).any().over(query)).then(start),
        first=pl.int_range(pl.len()).min().over(query),
        number=number.cast(pl.Int64),
        lowest=scores.list.min().fill_null(inf),
        highest=scores.list.max().fill_null(-inf),
        falls=is_sorted & ~pl.col("value").list.contains(None),
    ).sort("first", "start", nulls_last=True, maintain_order=True)
    lowest = pl.col("lowest").cum_min().shift(1, fill_value=inf).over(query)
    pages = pages.with_columns(
        before=(pl.col("number").cum_sum() - pl.col("number")).over(query),
        is_above=pl.col("highest") > lowest,
    )
    falls, is_above = pl.col("falls"), pl.col("is_above")
    are_empty = (pl.col("number") == 0).all().over(query)
    problems = {
        "{matches} documents match and none is listed; search with a size above 0": (
            (pl.col("matches") > 0) & are_empty
        ),
        "the page starts after {start} documents of query {query_id}, and {before} come before; "
        "put all its pages into the file, each once": start != pl.col("before"),
        "the scores of query {query_id} are higher than on a page before; say where each page "
        'starts: {{"query_id": "q1", "from": 10, "response": {{…}}}}': (
            is_above & falls.all().over(query) & start.is_null()
        ),
    }
    for problem, is_wrong in problems.items():
        for page in pages.filter(is_wrong).iter_rows(named=True):
            raise InputError(f"{page['place']}: {problem.format_map(page)}")
    return pages.with_columns(by_score=(falls & ~is_above).all().over(query))


def _list_documents(pages: pl.DataFrame, kind: Kind) -> pl.DataFrame:
    """The documents as text; a run has ranks, of which scores are made where it has none."""
    rows = pages.explode("doc_id", "value").rename({"value": kind.value})
    rank = pl.int_range(1, pl.len() + 1).over("query_id")
    by_value = pl.when("by_score").then(kind.value).otherwise((-rank).cast(pl.String))
    ranked = [by_value.alias(kind.value), rank.cast(pl.String).alias("rank")]
    listed = ranked if kind is RUN else [pl.col(kind.value)]
    return rows.select("_line", "query_id", "doc_id", *listed)


def _list_remarks(pages: pl.DataFrame, *, are_scored: bool) -> Iterator[str]:
    """What to know about the ranking of responses."""
    if partial := pages.filter("is_partial")["query_id"].to_list():
        yield (
            f"{len(partial)} of {len(pages)} responses may lack documents, since the search ran "
            f"out of time or shards failed, such as that for query {min(partial)}"
        )
    by_rank = pages.filter(~pl.col("by_score"))["query_id"].n_unique()
    if are_scored and by_rank:
        yield (
            f"{by_rank} of {pages['query_id'].n_unique()} queries are ranked by position, since "
            "their scores are missing or do not fall"
        )


def _write(value: Any) -> str | None:  # noqa: ANN401
    """A value as text; anything but text and numbers as JSON."""
    is_text = value is None or isinstance(value, str)
    return value if is_text else json.dumps(value, separators=(",", ":"))
