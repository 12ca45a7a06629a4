"""Text: TREC and delimited files and JSON lines, as rows with their line numbers."""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl

from ..catalogue import quote
from ..errors import InputError
from .columns import (
    DOCUMENTS,
    EXCLUDED,
    QRELS,
    RUN,
    Columns,
    Kind,
    counts_columns,
    is_header,
    lacks_header,
    match_columns,
    seems_other,
    split_key,
)
from .lists import count_padded, require_lists
from .source import Source, select_columns, write_columns

# a line of JSON lines that is not blank
HAS_TEXT = "trim(line, ' ' || chr(9)) <> ''"


def split_fields(line: str) -> list[str]:
    """The fields of a line of TREC text."""
    return re.findall(r"[^ \t\f\v]+", line)


def read_json_lines(
    con: duckdb.DuckDBPyConnection,
    lines: str,
    name: str,
    kind: Kind,
    have: Mapping[str, str],
    lists: Container[str],
    columns: Columns | None,
    added: Mapping[str, str],
) -> Source:
    """JSON lines with the keys ``have``, by path, of which ``lists`` hold lists.

    ``added`` are other columns of all lines, in SQL.
    """
    found = match_columns(name, kind, [*have, *added], columns, lists)
    read = [key for each in found.values() for key in split_key(each) if key in have]
    values = {key: f"json_extract_string(line, {quote(path)})" for key, path in have.items()}
    # the paths of a line are read at once
    values |= {key: f"_values[{place}]" for place, key in enumerate(read, start=1)} | dict(added)
    of_lists = [key for key in found.values() if key in lists]
    values |= {key: f"json_extract_string(line, {quote(have[key] + '[*]')})" for key in of_lists}
    documents = found.get("doc_id", "")
    if documents in lists:
        require_lists(con, name, number_lines(lines), documents, have[documents])
    paths = ", ".join(quote(have[key]) for key in read)

    def select(lines: str) -> str:
        read = f"json_extract_string(line, [{paths}]) AS _values"
        return f"(SELECT *, {read} FROM {lines} WHERE {HAS_TEXT})"

    source = select_columns(
        select(lines),
        name,
        kind,
        [*have, *(each for each in added if each not in have)],
        columns,
        None,
        lists,
        have,
        write=values.__getitem__,
        numbered=select(number_lines(lines)),
    )
    given = f"(FROM {lines} WHERE contains(line, '-1') AND json_valid(line))"
    padded = source.padded and count_padded(given, {"doc_id": values[documents]}, ("doc_id",))
    return replace(source, lines=lines, padded=padded)


def find_broken_line(con: duckdb.DuckDBPyConnection, source: Source) -> str | None:
    """The message for the first line that is not JSON."""
    if not (source.lines and source.numbered_rows) or "json_" not in source.rows:
        return None
    query = f"SELECT _line, line FROM {number_lines(source.lines)} WHERE {HAS_TEXT} "
    found = con.execute(query + "AND NOT json_valid(line) LIMIT 1").fetchall()
    return next((f"{source.name} line {n} is not JSON: {line[:80]!r}" for n, line in found), None)


BLANK = " \t\n\r\v\f"


def number_lines(lines: str) -> str:
    return f"(SELECT row_number() OVER () AS _line, line FROM {lines})"


def read_text(
    con: duckdb.DuckDBPyConnection,
    quoted: str,
    options: str,
    lines: str,
    name: str,
    kind: Kind,
    columns: Columns | None,
    line: str,
    added: Mapping[str, str],
    *,
    by_tag: bool,
) -> Source:
    """Delimited text or TREC text; the first line decides which.

    ``added`` are other columns of all rows of delimited text, in SQL.
    """
    delimiter = max(",\t;|", key=line.count)
    delimiter = delimiter if delimiter in line else " "
    try:
        have = [column.strip() for column in next(csv.reader([line], delimiter=delimiter))]
    except csv.Error:
        raise InputError(f"cannot read {name}: its first line is too long") from None
    has_header = not counts_columns(kind, columns)
    if has_header and not is_header(have, columns, kind):
        if kind is not DOCUMENTS and len(split_fields(line)) >= 4:
            return _read_trec(con, lines, name, kind, line, by_tag=by_tag)
        raise lacks_header(name, kind, line)
    if not has_header:
        have = [f"column {number}" for number in range(1, len(have) + 1)]
    values = dict(added) | {column: f"_{place}" for place, column in enumerate(have)}
    types = ", ".join(f"_{place}: 'VARCHAR'" for place in range(len(have)))
    rows = (
        f"read_csv({quoted}, columns = {{{types}}}, header = {str(has_header).lower()}, "
        f"delim = {quote(delimiter)}, quote = '\"', escape = '\"', {options})"
    )
    number = f"row_number() OVER (){'' if has_header else ' - 1'} AS _line"
    source = select_columns(
        rows,
        name,
        kind,
        [*have, *(column for column in added if column not in have)],
        columns,
        beside=have,
        write=values.__getitem__,
        numbered=f"(SELECT {number}, * FROM {rows})",
    )
    return replace(source, lines=lines, delimiter=delimiter)


def _read_trec(
    con: duckdb.DuckDBPyConnection, lines: str, name: str, kind: Kind, first: str, *, by_tag: bool
) -> Source:
    length = len(split_fields(first))
    if kind is EXCLUDED:  # of judgments or a run, which have both ids
        kind = RUN if length >= 6 else QRELS
    if kind.is_judged and length >= 6:
        raise seems_other(name, kind, f"lines like '{RUN.trec_line}'")
    if kind is RUN and length == 4:
        raise seems_other(name, kind, f"lines like '{QRELS.trec_line}'")
    if not kind.trec_line:
        raise InputError(f"{name} is TREC text, which has no column {kind.value}; pass a table")
    places = {"query_id": 1, "doc_id": 3, kind.value: 4 if kind.is_judged else 5}
    with_subgroups = "subtopic" in kind.optional and length == 5  # preferences
    if with_subgroups:
        kind = replace(kind, trec_line="query_id group subgroup doc_id relevance")
        places |= {"doc_id": 4, kind.value: 5}
    if "subtopic" in kind.optional:
        places["subtopic"] = 2
    if kind is RUN:
        places["rank"] = 4
        if by_tag:
            places["run_id"] = 6
    if not (length == 4 + with_subgroups if kind.is_judged else length >= 6):
        raise InputError(
            f"{name}: expected lines like '{kind.trec_line}'; its first line is {first[:80]!r}"
        )
    # a tag may contain spaces; a space in a document id would put something else in place 4
    is_whole = f"len(f) = {4 + with_subgroups}"
    if kind is RUN:
        is_whole = "(len(f) = 6 OR (len(f) > 6 AND TRY_CAST(f[4] AS DOUBLE) IS NOT NULL))"
    # splitting at single spaces is quick; only lines with other spacing need more
    spaces = " OR ".join(f"contains(line, chr({code}))" for code in (9, 11, 12, 13))
    fields = f"""
        CASE
            WHEN list_contains(l, '') OR {spaces}
                THEN regexp_extract_all(line, '[^ \\t\\f\\r\\v]+')
            ELSE l
        END AS f"""
    taken = ", ".join(
        f"CASE WHEN {is_whole} THEN f[{place}] END AS {column}" for column, place in places.items()
    )
    listed = ", ".join(write_columns({column: column for column in places}, kind, is_text=True))
    is_tagged = kind is RUN and not by_tag
    if is_tagged:
        taken += ", f[6] AS tag"

    def select_fields(lines: str) -> str:
        return (
            f"SELECT *, {fields} FROM (SELECT *, string_split(line, ' ') AS l FROM {lines}) "
            "WHERE NOT starts_with(line, '#')"  # comments, from trec_eval 10 on
        )

    def select(lines: str, number: str = "", more: str = "") -> str:
        taken_rows = f"SELECT {number}{taken} FROM ({select_fields(lines)}) WHERE len(f) > 0"
        return f"(SELECT {number}{listed}{more} FROM ({taken_rows}))"

    numbered = select(number_lines(lines), "_line, ")
    if with_subgroups:
        _require_one_subgroup(con, name, select_fields(number_lines(lines)))
    return Source(
        name,
        kind,
        select(lines),
        tuple(places),
        None,
        numbered,
        lines,
        is_text=True,
        read={column: column for column in places},
        wide=select(lines, more=", tag") if is_tagged else "",
    )


def scan_trec(path: Path, *, by_tag: bool) -> pl.LazyFrame | None:
    """The columns of a run in TREC text whose fields seem to be separated by single spaces.

    `is_usual` says of the rows whether they are; None if other characters could separate fields.
    """
    with path.open("rb") as file:
        while chunk := file.read(1 << 24):
            if any(byte in chunk for byte in _SEPARATORS):
                return None
    names = ["query_id", "_q0", "doc_id", "_rank", "score", "run_id" if by_tag else "_tag"]
    return pl.scan_csv(
        path,
        glob=False,
        separator=" ",
        has_header=False,
        quote_char=None,
        schema={name: pl.Float64 if name == "score" else pl.String for name in names},
    )


_SEPARATORS = (b"\t", b"\r", b"\v", b"\f", b"\0", b"\xef\xbb\xbf")


def is_usual(rows: pl.DataFrame) -> bool:
    """Whether rows of `scan_trec` are lines of six fields, none of them a comment."""
    has_gaps = any(rows[column].has_nulls() for column in rows.columns)
    query_id = rows["query_id"]
    is_comment = (query_id >= "#") & (query_id < "$")
    return not (has_gaps or is_comment.any() or rows["score"].is_infinite().any())


def _require_one_subgroup(con: duckdb.DuckDBPyConnection, name: str, rows: str) -> None:
    """Refuse a group of preferences with several orders of its documents.

    trec_eval joins them to a partial order, which grades cannot hold.
    """
    query = f"""
        SELECT _line, f[1], f[2] FROM ({rows})
        QUALIFY f[3] <> first_value(f[3]) OVER (PARTITION BY f[1], f[2] ORDER BY _line ASC)
        ORDER BY _line ASC LIMIT 1
    """
    for line, query_id, group in con.execute(query).fetchall():
        raise InputError(
            f"{name} line {line}: group {group} of query {query_id} has a second subgroup, which "
            "only trec_eval joins to a partial order; use one subgroup per group, and relevance "
            "for the order of its documents"
        )
