"""Responses of search engines, as runs, and requests of the Ranking Evaluation API, as judgments.

A file has a response per line, or is one JSON value, or several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, ValuesView
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, islice, repeat
from typing import Any

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
    """Where a JSON value has responses, and where a response has documents.

    ``container`` is the key that holds the responses, and ``key`` that of the query's id, beside
    it or, if it holds several, in each; ``add`` says how to add one. ``hits`` leads to the
    documents in a response, ``doc_id`` and ``value`` to those of a document.
    """

    name: str
    kind: Kind
    hits: _Path
    doc_id: _Path
    value: _Path
    container: str = ""
    key: str = ""
    add: str = (
        'put it beside the response, as in {"query_id": "q1", "response": {…}}, or name the key '
        "that has it: columns={'query_id': '…'} or --columns query_id=…"
    )

    @property
    def found(self) -> dict[str, str]:
        """The names that our columns have."""
        found = {"query_id": self.key} if self.key else {}
        return found | {"doc_id": ".".join(self.doc_id), self.kind.value: ".".join(self.value)}


_ELASTICSEARCH = _Form("Elasticsearch", RUN, ("hits", "hits"), ("_id",), ("_score",))
_SOLR = _Form("Solr", RUN, ("response", "docs"), ("id",), ("score",))
_ENGINES = (_ELASTICSEARCH, _SOLR)
_EVALUATION = _Form(
    "Ranking Evaluation", RUN, ("hits",), ("hit", "_id"), ("hit", "_score"), container="details"
)
_REQUESTS = _Form(
    "Ranking Evaluation",
    QRELS,
    ("ratings",),
    ("_id",),
    ("rating",),
    container="requests",
    key="id",
    add='name the request, as in {"id": "q1", "ratings": […]}',
)
_ADD_TO_SEVERAL = (
    "list one for each of the responses, in the order of the searches, as in "
    '{"query_ids": ["q1", "q2"], "responses": [{…}, {…}]}'
)

# What else responses say: the query, how many documents match (before Elasticsearch 7, the total
# was a number), where the page starts, from 0, and what is true of those that may lack documents.
_QUERY = (("responseHeader", "params", "q"),)
_MATCHES = (("hits", "total", "value"), ("hits", "total"), ("response", "numFound"))
_STARTS = (("from",), ("response", "start"))
_IS_PARTIAL = (("timed_out",), ("_shards", "failed"), ("responseHeader", "partialResults"))

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
    if _is_response(data):
        return True
    several = data.values() if isinstance(data, Mapping) else data
    if not isinstance(several, list | tuple | ValuesView):
        return False
    return any(map(_is_response, islice(several, _FIRST)))


def write_responses(data: Any) -> str:  # noqa: ANN401
    """What `hold_responses` found, as a JSON array that `read_responses` reads."""
    answers = [data] if _is_response(data) else data
    if isinstance(answers, Mapping):
        answers = [{"query_id": id, "response": answer} for id, answer in answers.items()]
    return json.dumps([*answers], default=lambda each: getattr(each, "body", str(each)))


def _is_response(value: Any) -> bool:  # noqa: ANN401
    """Whether this is a response, or holds one beside the id of its query."""
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


@dataclass(frozen=True)
class Responses:
    """The documents that responses list, as text with ``_line``, and how ``pages`` rank queries."""

    rows: pl.DataFrame
    note: str
    pages: pl.DataFrame


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
    form = _find_form(_outline(v for _, _, values in first for v in values or ()), name, columns)
    if form is None:
        return None
    if form.kind.is_judged != kind.is_judged:
        what = "ratings" if form.kind.is_judged else "responses"
        raise seems_other(name, kind, f"{form.name} {what}")
    found: list[tuple[Any, ...]] = []
    for line, text, values in chain(first, parsed):
        if values is None:
            raise InputError(f"{name} line {line} is not JSON: {text[:80]!r}")
        found += _list_pages(form, line, values)
    listed = {
        column: pl.Series([page[place] for page in found]).cast(dtype)
        for place, (column, dtype) in enumerate(_PAGE.items())
    }
    pages = _rank_pages(pl.DataFrame(listed))
    for line, part, problem in pages.drop_nulls("problem").select("line", "part", "problem").rows():
        what = "request" if form.kind.is_judged else "response"
        place = f"{name} line {line}" if line else name
        raise InputError(f"{place}{f', {what} {part}' if part else ''}: {problem}")
    note = describe_columns(name, form.found, kind) or f"{name}: read {form.name} responses"
    remarks = _list_remarks(pages) if kind is RUN else ()
    return Responses(_list_documents(pages, kind), "; ".join([note, *remarks]), pages)


def refuse_scattered(found: Mapping[str, pl.DataFrame]) -> None:
    """Raise `InputError` for pages of one query in several files, unless their scores fall.

    ``found`` are the pages by file, in order.
    """
    queries = pl.concat(
        pages.filter(pl.col("number") > 0)
        .group_by("query_id")
        .agg(pl.first("by_score"), pl.min("least"), pl.max("most"), file=pl.lit(name))
        .sort("query_id")
        for name, pages in found.items()
    )
    falls = pl.col("by_score") & (pl.col("most") <= pl.col("least").shift()).fill_null(value=False)
    scattered = queries.with_columns(
        other=pl.col("file").shift().over("query_id"), falls=falls.over("query_id")
    ).filter(pl.col("other").is_not_null() & ~pl.col("falls"))
    for query_id, name, other in scattered.select("query_id", "file", "other").rows():
        raise InputError(
            f"{name}: query {query_id} has documents in {other}, too, and their scores do not "
            "fall from one to the other; put its responses into one file, in the order of pages"
        )


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


def _find_form(structure: Any, name: str, columns: Columns | None) -> _Form | None:  # noqa: ANN401
    """The form of values, or None if they are something else."""
    if not isinstance(structure, dict):
        return None
    beside = response = structure
    if isinstance(structure.get("responses"), list):
        beside = response = _take_first(structure["responses"])
        found = _find_engine(response) or _ELASTICSEARCH
        form = replace(found, container="responses", add=_ADD_TO_SEVERAL)
    elif found_here := _find_engine(structure):
        form = found_here
    elif found_inside := _find_engine(structure.get("response")):
        response = structure["response"]
        form = replace(found_inside, container="response")
    elif "ratings" in _take_first(structure.get("requests")):
        return _REQUESTS
    else:
        return _EVALUATION if structure.get("metric_score") == "" else None
    keys = [key for key, inner in beside.items() if inner == ""]
    key = find_column(name, "query_id", keys, columns) or ""
    hit = _take_first(_follow(response, form.hits))
    source = hit.get("_source")
    fields = [*hit, *(source if isinstance(source, dict) else ())]
    note_columns(columns, "doc_id", name, fields)
    return replace(form, key=key, doc_id=_find_document(hit, columns) or form.doc_id)


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
    if has_value and (is_error or structure.keys() & {"timed_out", "_shards"}):
        return _ELASTICSEARCH
    return None


def _find_document(hit: dict[str, Any], columns: Columns | None) -> _Path | None:
    """Where a document has the id that the user names: its own key, or one of its source."""
    own = choose_columns(columns, RUN).get("doc_id")
    if not isinstance(own, str):
        return None
    paths = ((own,), ("_source", own))
    return next((path for path in paths if _follow(hit, path) == ""), None)


def _follow(structure: Any, path: _Path) -> Any:  # noqa: ANN401
    for key in path:
        structure = structure.get(key) if isinstance(structure, dict) else None
    return structure


def _take_first(structure: Any) -> dict[str, Any]:  # noqa: ANN401
    """The first item of a list; empty if it is not an object."""
    item = structure[0] if isinstance(structure, list) else None
    return item if isinstance(item, dict) else {}


# The line and, if it has several, the number of a response; its documents, and what it says.
_PAGE: dict[str, Any] = {
    "line": pl.Int64,
    "part": pl.Int64,
    "query_id": pl.String,
    "doc_id": pl.List(pl.String),
    "value": pl.List(pl.String),
    "is_partial": pl.Boolean,
    "matches": pl.Int64,
    "start": pl.Int64,
    "problem": pl.String,
}


def _list_pages(form: _Form, line: int | None, values: list[Any]) -> Iterator[tuple[Any, ...]]:
    """The responses in the values of a line, and what is wrong with each."""
    listed = [
        (value, answer, query_id, len(answers), len(ids))
        for value in values
        for answers, ids in [_list_answers(form, value)]
        for answer, query_id in zip(answers, chain(ids, repeat(None)), strict=False)
    ]
    for part, (value, answer, own_id, number, ids) in enumerate(listed, start=1):
        holder = value if form.container in ("", "response") else answer
        given = (_follow(holder, (form.key,)), own_id, _find(answer, _QUERY))
        query_id = next((each for each in given if each is not None), None)
        error, hits = _follow(answer, ("error",)), _follow(answer, form.hits)
        problem = None
        if error is not None:
            said = _find(error, (("reason",), ("msg",)))
            said = _write(error if said is None else said)
            problem = f"the response is an error: {said}; search again, or remove it"
        elif not isinstance(hits, list):
            problem = f"no list {'.'.join(form.hits)}, where {form.name} has documents"
        elif ids and ids != number:
            problem = f"{ids} query_ids for {number} responses: {form.add}"
        elif query_id in (None, ""):
            problem = f"no query_id: {form.add}"
        hits = hits if isinstance(hits, list) else []
        start = _find(answer, _STARTS)
        yield (
            line,
            part if len(listed) > 1 else None,
            _write(query_id),
            _list_values(hits, form.doc_id),
            _list_values(hits, form.value),
            any(_follow(answer, p) not in (None, False, "0", "false") for p in _IS_PARTIAL),
            _count(_find(answer, _MATCHES)),
            _count(_find(value, _STARTS) if start is None else start),
            problem,
        )


def _list_values(hits: list[Any], path: _Path) -> pl.Series:
    """What a path leads to in each document, as text."""
    for key in path:
        hits = [hit.get(key) if isinstance(hit, dict) else None for hit in hits]
    return pl.Series([*map(_write, hits)], dtype=pl.String)


def _list_answers(form: _Form, value: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401
    """The responses in a value, and the ids of their queries, if it lists these."""
    held = _follow(value, (form.container,)) if form.container else value
    if form.container == "details":
        by_query = [*(held or {}).items(), *(_follow(value, ("failures",)) or {}).items()]
        return [answer for _, answer in by_query], [query_id for query_id, _ in by_query]
    if not isinstance(held, list):
        return [held], []
    ids = _follow(value, ("query_ids",))
    return held, ids if isinstance(ids, list) else []


def _rank_pages(pages: pl.DataFrame) -> pl.DataFrame:
    """The pages with the ``number`` of their documents and how many come ``before``.

    A query's documents are ranked ``by_score`` or, if scores are missing or rise on the way down,
    by position. Its pages are in the order of ``start`` where one says so, or else of the file.
    """
    col = pl.col
    scores = col("value").list.eval(pl.element().cast(pl.Float64, strict=False).fill_nan(None))
    # one that is not a number is refused later
    has_others = scores.list.drop_nulls().list.len() < col("value").list.len()
    has_all = col("value").list.drop_nulls().list.len() == col("value").list.len()
    above = col("most") > col("least").cum_min().forward_fill().shift()
    is_falling = has_all & (has_others | (scores.list.diff().list.max() <= 0).fill_null(value=True))
    ranked = (
        pages.with_row_index("place")
        .with_columns(
            number=col("value").list.len().cast(pl.Int64),
            least=scores.list.min(),
            most=scores.list.max(),
            is_falling=is_falling,
            # with a cursor, every page starts at 0
            start=pl.when(col("start").max().over("query_id") > 0).then("start"),
        )
        .sort("start", nulls_last=True, maintain_order=True)
        .with_columns(
            before=(col("number").cum_sum() - col("number")).over("query_id"),
            is_above=above.over("query_id").fill_null(value=False),
        )
        .with_columns(by_score=(col("is_falling") & ~col("is_above")).all().over("query_id"))
        .sort("place")
    )
    number_listed = col("number").sum().over("query_id")
    fall_alone = col("is_falling").all().over("query_id")
    problem = (
        pl.when((number_listed == 0) & (col("matches") > 0))
        .then(
            pl.format(
                "{} documents match and none is listed; search with a size above 0", "matches"
            )
        )
        .when(col("start") != col("before"))
        .then(
            pl.format(
                "the page starts after {} documents of query {}, and {} come before; put all its "
                "pages into the file, each once",
                "start",
                "query_id",
                "before",
            )
        )
        .when(col("is_above") & fall_alone & col("start").is_null())
        .then(
            pl.format(
                "the scores of query {} are higher than on a page before; say where each page "
                "starts: {}",
                "query_id",
                pl.lit('{"query_id": "q1", "from": 10, "response": {…}}'),
            )
        )
    )
    return ranked.with_columns(pl.coalesce("problem", problem))


def _list_documents(pages: pl.DataFrame, kind: Kind) -> pl.DataFrame:
    """The documents as text; a run has ranks, of which scores are made where it has none."""
    before, number = pl.col("before"), pl.col("number")
    rows = (
        pages.filter(number > 0)
        .with_columns(rank=pl.int_ranges(before + 1, before + number + 1))
        .explode("doc_id", "value", "rank")
    )
    by_rank = (-pl.col("rank")).cast(pl.String)
    columns: dict[str, Any] = {
        "_line": "line",
        "query_id": "query_id",
        "doc_id": "doc_id",
        kind.value: "value",
    }
    if kind is not RUN:
        return rows.select(**columns)
    rank = pl.col("rank").cast(pl.String)
    score = pl.when("by_score").then("value").otherwise(by_rank)
    return rows.select(**columns | {"score": score, "rank": rank})


def _list_remarks(pages: pl.DataFrame) -> Iterator[str]:
    """What to know about the ranking of responses."""
    if partial := pages.filter("is_partial")["query_id"].to_list():
        yield (
            f"{len(partial)} of {len(pages)} responses may lack documents, since the search ran "
            f"out of time or shards failed, such as that for query {min(partial)}"
        )
    if by_rank := pages.filter(~pl.col("by_score"))["query_id"].n_unique():
        yield (
            f"{by_rank} of {pages['query_id'].n_unique()} queries are ranked by position, since "
            "their scores are missing or do not fall"
        )


def _find(value: Any, paths: Iterable[_Path]) -> Any:  # noqa: ANN401
    """What the first of several paths leads to that leads to something."""
    found = (_follow(value, path) for path in paths)
    return next((each for each in found if each is not None), None)


def _write(value: Any) -> str | None:  # noqa: ANN401
    """A value as text; anything but text and numbers as JSON."""
    return (
        value
        if value is None or isinstance(value, str)
        else json.dumps(value, separators=(",", ":"))
    )


def _count(value: Any) -> int | None:  # noqa: ANN401
    with suppress(TypeError, ValueError):
        return int(value)
    return None
