"""Responses of search engines, as runs, and requests of the Ranking Evaluation API, as judgments.

A file has a response per line, or is one JSON value. DuckDB reads it once, into a table with a row
per response and the list of its documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice
from typing import Any

import duckdb

from ..catalogue import quote
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
from .source import Source, write_columns
from .text import HAS_TEXT, find_broken_text, number_lines

# JSON with types in place of values: what json_structure returns and json_transform takes
_Structure = dict[str, Any]
_Path = tuple[str, ...]  # keys, from the outside in


@dataclass(frozen=True)
class _Form:
    """Where a JSON value ``r`` has responses, and where a response ``a`` has documents.

    ``key`` is that of the query's id, in the value or, if that is of several responses, in each;
    ``add`` says how to add one. ``hits`` leads to the documents in a response, ``doc_id`` and
    ``value`` to those of a document. ``others`` is what else is read of a response: the
    ``query_id`` where it has no other, whether it ``is_partial``, the ``number`` of documents that
    match, and the place where the page ``start``s, from 0.
    """

    name: str
    kind: Kind
    hits: _Path
    doc_id: _Path
    value: _Path
    others: _Structure = field(default_factory=dict)
    query_id: str = "NULL"
    is_partial: str = "false"
    number: str = "NULL"
    start: str = "NULL"
    container: str = ""
    key: str | None = None
    add: str = (
        'put it beside the response, as in {"query_id": "q1", "response": {…}}, or name the key '
        "that has it: columns={'query_id': '…'} or --columns query_id=…"
    )

    @property
    def found(self) -> dict[str, str]:
        """The names that our columns have."""
        found = {"query_id": self.key} if self.key else {}
        return found | {"doc_id": ".".join(self.doc_id), self.kind.value: ".".join(self.value)}


_ELASTICSEARCH = _Form(
    "Elasticsearch",
    RUN,
    ("hits", "hits"),
    ("_id",),
    ("_score",),
    {
        "timed_out": "BOOLEAN",
        "_shards": {"failed": "BIGINT"},
        "hits": {"total": "JSON"},
        "from": "BIGINT",
    },
    is_partial="coalesce(a.timed_out, false) OR coalesce(a._shards.failed > 0, false)",
    # before version 7, the total was a number
    number="TRY_CAST(coalesce(a.hits.total ->> '$.value', a.hits.total ->> '$') AS BIGINT)",
    start='a."from"',
)
_SOLR = _Form(
    "Solr",
    RUN,
    ("response", "docs"),
    ("id",),
    ("score",),
    {
        "responseHeader": {"partialResults": "VARCHAR", "params": {"q": "VARCHAR"}},
        "response": {"numFound": "BIGINT", "start": "BIGINT"},
    },
    query_id="a.responseHeader.params.q",
    is_partial="coalesce(a.responseHeader.partialResults <> 'false', false)",
    number="a.response.numFound",
    start="a.response.start",
)
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

# The responses in a value by what holds them, and their queries if it lists these.
_ANSWERS = {
    "": ("[r]", "NULL"),
    "response": ("[r.response]", "NULL"),
    "responses": ("r.responses", "r.query_ids"),
    "requests": ("r.requests", "NULL"),
    "details": (
        "map_values(r.details) || coalesce(map_values(r.failures), [])",
        "map_keys(r.details) || coalesce(map_keys(r.failures), [])",
    ),
}

_MARKS = "hits docs responses requests details error _shards responseHeader"
_MARK = re.compile(rf'"({_MARKS.replace(" ", "|")})"\s*:\s*[{{\[]')
_SAMPLE = 100  # responses that are enough to recognise a file
_FIRST = 10  # and an object, since every dict is asked

# The longest values, one of which is tried after the other: the buffers take twice as much.
_LONGEST = (16 << 20, 256 << 20, (1 << 32) - 1)


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


def write_responses(data: Any) -> Iterator[bytes]:  # noqa: ANN401
    """What `hold_responses` found, as a JSON array that `read_responses` reads."""
    answers = [data] if _is_response(data) else data
    if isinstance(answers, Mapping):
        answers = [{"query_id": id, "response": answer} for id, answer in answers.items()]
    for number, answer in enumerate(answers):
        text = json.dumps(answer, default=lambda each: getattr(each, "body", str(each)))
        yield f"{',' if number else '['}\n{text}".encode()
    yield b"\n]"


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


def read_responses(
    con: duckdb.DuckDBPyConnection,
    keep: Callable[..., str],
    file: str,
    lines: str,
    name: str,
    kind: Kind,
    columns: Columns | None,
    *,
    is_lines: bool,
) -> Source | None:
    """The documents that responses list, or None if the file is of something else.

    ``keep`` creates a temporary table of a query. ``file`` are the parameters of a function that
    reads it; ``lines`` has its lines, of which each is JSON, or else the whole file is.

    Raises `InputError` for a response that is an error, has no list of documents or no id of its
    query, and for responses in place of judgments or the other way round.
    """
    # of lines that are not JSON, DuckDB makes NULL; of the whole, it refuses the rest
    format = "'newline_delimited', ignore_errors = true" if is_lines else "'unstructured'"
    form = None
    for longest in _LONGEST:
        values = f"read_json_objects({file}, format = {format}, maximum_object_size = {longest})"
        try:
            form, table = _read_values(con, keep, values, name, kind, columns, is_lines=is_lines)
            break
        except duckdb.InvalidInputException as error:
            if "maximum_object_size" not in str(error):
                return None  # json.loads says where it is wrong
    if form is None:
        return None
    numbered = f"(SELECT _line, line FROM {number_lines(lines)} WHERE {HAS_TEXT})"
    places = f"(SELECT _line, row_number() OVER () AS n FROM {numbered})"
    if not is_lines:
        places = f"(SELECT CAST(NULL AS BIGINT) AS _line, n FROM (SELECT DISTINCT n FROM {table}))"
    _refuse_problems(con, name, form, table, places, lines if is_lines else None)
    rows = (
        "SELECT *, before + position AS rank FROM (SELECT n, query_id, by_score, before, "
        f"generate_subscripts(hits, 1) AS position, unnest(hits) AS hit FROM {table})"
    )
    found = {"query_id": "query_id", "doc_id": "hit.doc_id", kind.value: "hit.value"}
    if kind is RUN:
        found["score"] = "CASE WHEN by_score THEN hit.value ELSE CAST(-rank AS VARCHAR) END"
        found["rank"] = "CAST(rank AS VARCHAR)"
    listed = ", ".join(write_columns(found, kind, is_text=True))
    note = describe_columns(name, form.found, kind) or f"{name}: read {form.name} responses"
    return Source(
        name,
        kind,
        f"(SELECT {listed} FROM ({rows}))",
        tuple(found),
        "; ".join([note, *(_list_remarks(con, table) if kind is RUN else ())]),
        f"(SELECT _line, {listed} FROM ({rows}) INNER JOIN {places} USING (n))",
        pages=table if kind is RUN else None,
    )


def refuse_scattered(con: duckdb.DuckDBPyConnection, found: Mapping[str, str]) -> None:
    """Raise `InputError` for pages of one query in several files, unless their scores fall.

    ``found`` are the tables of the responses by file, in order.
    """
    tables = " UNION ALL ".join(
        f"SELECT {place} AS place, {quote(name)} AS name, * FROM {table}"
        for place, (name, table) in enumerate(found.items())
    )
    query = f"""
        SELECT query_id, before, name
        FROM (
            SELECT
                *,
                lag(name) OVER pages AS before,
                lag(least) OVER pages AS least_before
            FROM (
                SELECT
                    query_id, place, name, bool_and(by_score) AS by_score,
                    min(least) AS least, max(most) AS most
                FROM ({tables})
                WHERE len(hits) > 0
                GROUP BY query_id, place, name
            )
            WINDOW pages AS (PARTITION BY query_id ORDER BY place ASC)
        )
        WHERE before IS NOT NULL AND NOT (by_score AND coalesce(most <= least_before, false))
        ORDER BY place ASC, query_id ASC LIMIT 1
    """
    for query_id, before, name in con.execute(query).fetchall():
        raise InputError(
            f"{name}: query {query_id} has documents in {before}, too, and their scores do not "
            "fall from one to the other; put its responses into one file, in the order of pages"
        )


def _read_values(
    con: duckdb.DuckDBPyConnection,
    keep: Callable[..., str],
    values: str,
    name: str,
    kind: Kind,
    columns: Columns | None,
    *,
    is_lines: bool,
) -> tuple[_Form | None, str]:
    """The form of the values, and a table of the responses in them."""
    # of a large value, the first takes five times as long
    merged, number = (
        ("json_group_structure(json)", _SAMPLE) if is_lines else ("json_structure(json)", 1)
    )
    query = f"SELECT {merged} FROM (SELECT json FROM {values} LIMIT {number})"
    structure = json.loads(con.execute(query).fetchall()[0][0])
    is_array = isinstance(structure, list)
    form = _find_form(structure[0] if is_array else structure, name, columns)
    if form is None:
        return None, ""
    if form.kind.is_judged != kind.is_judged:
        what = "ratings" if form.kind.is_judged else "responses"
        raise seems_other(name, kind, f"{form.name} {what}")
    return form, keep(_select_answers(form, values, is_array=is_array), as_table=True)


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
        return _EVALUATION if isinstance(structure.get("metric_score"), str) else None
    keys = [key for key, type in beside.items() if isinstance(type, str)]
    key = find_column(name, "query_id", keys, columns)
    hit = _take_first(_follow(response, form.hits))
    source = hit.get("_source")
    fields = [*hit, *(source if isinstance(source, dict) else ())]
    note_columns(columns, "doc_id", name, fields)
    return replace(form, key=key, doc_id=_find_document(hit, columns) or form.doc_id)


def _find_engine(structure: Any) -> _Form | None:  # noqa: ANN401
    """The form of a response by itself."""
    if not isinstance(structure, dict):
        return None
    has_value = any(isinstance(type, str) for type in structure.values())
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


def _find_document(hit: _Structure, columns: Columns | None) -> _Path | None:
    """Where a document has the id that the user names: its own key, or one of its source."""
    own = choose_columns(columns, RUN).get("doc_id")
    if not isinstance(own, str):
        return None
    paths = ((own,), ("_source", own))
    return next((path for path in paths if isinstance(_follow(hit, path), str)), None)


def _follow(structure: Any, path: _Path) -> Any:  # noqa: ANN401
    for key in path:
        structure = structure.get(key) if isinstance(structure, dict) else None
    return structure


def _take_first(structure: Any) -> _Structure:  # noqa: ANN401
    """The structure that the items of a list have; empty if they are not objects."""
    item = structure[0] if isinstance(structure, list) else None
    return item if isinstance(item, dict) else {}


def _select_answers(form: _Form, values: str, *, is_array: bool) -> str:
    """The responses in order: their place, query and documents, and what is wrong with them.

    A query's documents are ranked ``by_score`` or, if scores are missing or rise on the way down,
    by position; ``before`` is the number of those on earlier pages of its results, which are in the
    order of ``start`` where a page says so, or else of the file.
    """
    answers, ids = _ANSWERS[form.container]
    is_one = form.container in ("", "response")
    key = f"{'r' if is_one else 'a'}{_write_path((form.key,))}" if form.key else "NULL"
    read = json.dumps([_list_read(form)] if is_array else _list_read(form))
    transformed = f"json_transform(json, {quote(read)})"
    first = f"row_number() OVER () AS n, 1 AS item, {transformed} AS r"
    parsed = f"SELECT {first}, json IS NULL AS is_broken"
    if is_array:
        items = "unnest(_items) AS r, generate_subscripts(_items, 1) AS item"
        values = f"(SELECT {transformed} AS _items FROM {values})"
        parsed = f"SELECT 1 AS n, {items}, false AS is_broken"
    doc_id, value = f"h{_write_path(form.doc_id)}", f"h{_write_path(form.value)}"
    start = f'coalesce({form.start}, r."from")' if form.container == "response" else form.start
    hits = f"[{{doc_id: {doc_id}, value: {value}}} FOR h IN a{_write_path(form.hits)}]"
    return f"""
        SELECT
            *,
            bool_and(is_falling AND NOT is_above) OVER (PARTITION BY query_id) AS by_score,
            bool_and(is_falling) OVER (PARTITION BY query_id) AS is_each_falling,
            sum(len(hits)) OVER (PARTITION BY query_id) AS number_listed
        FROM (
            SELECT
                * EXCLUDE (given, scores),
                list_count(given) = len(hits)
                -- one that is not a number is refused later
                AND (list_count(scores) < len(hits) OR scores = list_reverse_sort(scores))
                    AS is_falling,
                list_min(scores) AS least,
                list_max(scores) AS most,
                coalesce(list_max(scores) > min(list_min(scores)) OVER pages, false) AS is_above,
                coalesce(sum(len(hits)) OVER pages, 0) AS before
            FROM (
            SELECT
                *,
                [h.value FOR h IN hits] AS given,
                [TRY_CAST(h.value AS DOUBLE) FOR h IN hits] AS scores,
                -- with a cursor, every page starts at 0
                CASE WHEN max(given_start) OVER (PARTITION BY query_id) > 0 THEN given_start END
                    AS start
            FROM (
                SELECT
                    n,
                    item,
                    part,
                    is_broken,
                    len(ids) AS number_ids,
                    number_answers,
                    coalesce({key}, ids[part], {form.query_id}) AS query_id,
                    a.error,
                    {form.is_partial} AS is_partial,
                    {form.number} AS number,
                    {start} AS given_start,
                    {hits} AS hits
                FROM (
                    SELECT
                        *,
                        unnest(answers) AS a,
                        len(answers) AS number_answers,
                        generate_subscripts(answers, 1) AS part
                    FROM (
                        SELECT
                            *,
                            coalesce({answers}, [NULL]) AS answers,
                            CAST({ids} AS VARCHAR[]) AS ids
                        FROM ({parsed} FROM {values})
                    )
                )
            )
            )
            WINDOW pages AS (
                PARTITION BY query_id ORDER BY start ASC, n ASC, item ASC, part ASC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            )
        )
        ORDER BY n ASC, item ASC, part ASC
    """


def _list_read(form: _Form) -> _Structure:
    """What is read of a value."""
    hit = _merge(_nest(form.doc_id, "VARCHAR"), _nest(form.value, "VARCHAR"))
    response = _merge({"error": "JSON"}, form.others, _nest(form.hits, [hit]))
    beside = {form.key: "VARCHAR"} if form.key else {}
    match form.container:
        case "":
            return response | beside
        case "response":
            return {"from": "BIGINT", "response": response} | beside
        case "details":
            by_query = f"MAP(VARCHAR, {_write_type(response)})"
            return {"details": by_query, "failures": by_query}
        case several:
            return {"query_ids": ["VARCHAR"], several: [response | beside]}


def _write_type(structure: Any) -> str:  # noqa: ANN401
    """A structure as a type of SQL."""
    if isinstance(structure, list):
        return f"{_write_type(structure[0])}[]"
    if isinstance(structure, dict):
        return f"STRUCT({', '.join(f'{key} {_write_type(structure[key])}' for key in structure)})"
    return str(structure)


def _nest(path: _Path, inner: Any) -> _Structure:  # noqa: ANN401
    key, *rest = path
    return {key: _nest(tuple(rest), inner) if rest else inner}


def _merge(*parts: _Structure) -> _Structure:
    """The keys of all parts; an object that several have has the keys of all."""
    merged: _Structure = {}
    for part in parts:
        for key, inner in part.items():
            merged[key] = _merge(merged[key], inner) if key in merged else inner
    return merged


def _write_path(path: _Path) -> str:
    return "".join('."' + key.replace('"', '""') + '"' for key in path)


def _refuse_problems(
    con: duckdb.DuckDBPyConnection,
    name: str,
    form: _Form,
    table: str,
    places: str,
    lines: str | None,
) -> None:
    """Refuse the first response that cannot be read."""
    where = f"no list {'.'.join(form.hits)}, where {form.name} has documents"
    query = f"""
        SELECT
            n,
            is_broken,
            CASE
                WHEN count(*) OVER (PARTITION BY n) > 1
                    THEN row_number() OVER (PARTITION BY n ORDER BY item ASC, part ASC)
            END,
            CASE
                WHEN error <> 'null' THEN concat(
                    'the response is an error: ',
                    coalesce(error ->> '$.reason', error ->> '$.msg', error ->> '$'),
                    '; search again, or remove it'
                )
                WHEN hits IS NULL THEN {quote(where)}
                WHEN number_ids > 0 AND number_ids <> number_answers THEN concat(
                    number_ids, ' query_ids for ', number_answers, ' responses: ', {quote(form.add)}
                )
                WHEN coalesce(query_id, '') = '' THEN {quote(f"no query_id: {form.add}")}
                WHEN number_listed = 0 AND number > 0 THEN concat(
                    number, ' documents match and none is listed; search with a size above 0'
                )
                WHEN start <> before THEN concat(
                    'the page starts after ', start, ' documents of query ', query_id, ', and ',
                    before, ' come before; put all its pages into the file, each once'
                )
                WHEN is_above AND is_each_falling AND start IS NULL THEN concat(
                    'the scores of query ', query_id, ' are higher than on a page before; say '
                    'where each page starts: {{"query_id": "q1", "from": 10, "response": {{…}}}}'
                )
            END AS problem
        FROM {table}
        QUALIFY problem IS NOT NULL
        ORDER BY n ASC, item ASC, part ASC LIMIT 1
    """
    item = "request" if form.kind.is_judged else "response"
    for n, is_broken, number, problem in con.execute(query).fetchall():
        if is_broken and lines and (said := find_broken_text(con, name, lines)):
            raise InputError(said)
        ((line,),) = con.execute(f"SELECT _line FROM {places} WHERE n = ?", [n]).fetchall()
        place = f"{name} line {line}" if line else name
        raise InputError(f"{place}{f', {item} {number}' if number else ''}: {problem}")


def _list_remarks(con: duckdb.DuckDBPyConnection, table: str) -> Iterator[str]:
    """What to know about the ranking of responses."""
    query = f"""
        SELECT
            count(*),
            count(*) FILTER (is_partial),
            min(query_id) FILTER (is_partial),
            count(DISTINCT query_id),
            count(DISTINCT query_id) FILTER (NOT by_score)
        FROM {table}
    """
    ((number, partial, example, queries, by_rank),) = con.execute(query).fetchall()
    if partial:
        yield (
            f"{partial} of {number} responses may lack documents, since the search ran out of time "
            f"or shards failed, such as that for query {example}"
        )
    if by_rank:
        yield (
            f"{by_rank} of {queries} queries are ranked by position, since their scores are "
            "missing or do not fall"
        )
