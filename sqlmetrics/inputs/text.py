"""Text: TREC and delimited files and JSON lines, as rows with their line numbers."""

from __future__ import annotations

import csv
import glob
import re
from collections.abc import Collection, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import duckdb
import polars as pl

from ..catalogue import quote
from ..errors import InputError
from .columns import (
    DOCUMENTS,
    EXCLUDED,
    NAMES,
    QRELS,
    RUN,
    Kind,
    counts_columns,
    is_header,
    match_columns,
    seems_other,
)
from .data import Key, name_columns, split_key
from .grades import Grades
from .parts import Partition
from .source import NUMBERS, Connected, Source, select_columns, write_columns

BLANK = " \t\n\r\v\f"
COMMENTS = ("#", "<SYSDESC>")  # of trec_eval from 10 on, and of NTCIR
# a line of JSON lines that is not blank
HAS_TEXT = "(starts_with(line, '{') OR trim(line, ' ' || chr(9)) <> '')"  # trim is slow


def split_fields(line: str) -> list[str]:
    """The fields of a line of TREC text."""
    return re.findall(r"[^ \t\f\v]+", line)


@dataclass(frozen=True)
class Text:
    """A text file, its first lines, its name in messages, and how it is compressed for DuckDB.

    Folders name the columns of its ``partition``.
    """

    path: Path
    head: str
    name: str
    compression: str
    partition: Partition
    longest: int = 16_000_000  # bytes of a line that DuckDB reads

    @cached_property
    def filled(self) -> list[str]:
        """Those of the first lines that are not blank."""
        return [line for line in re.split("[\r\n]", self.head) if line.strip(BLANK)]

    def read_csv(self, columns: Iterable[str], form: str, shift: str = "") -> str:
        """The rows in SQL, numbered as ``_line``, which costs nothing unless it is selected."""
        types = ", ".join(f"{column}: 'VARCHAR'" for column in columns)
        # DuckDB would read *, ? and [ in a path as a pattern
        read = f"read_csv({quote(glob.escape(str(self.path)))}, columns = {{{types}}}, {form}"
        options = "hive_partitioning = false, auto_detect = false, buffer_size = 32000000"
        read += f", max_line_size = {self.longest}, compression = '{self.compression}', {options})"
        return f"(SELECT row_number() OVER (){shift} AS _line, * FROM {read})"

    @property
    def lines(self) -> str:
        """The lines in SQL."""
        return self.read_csv(
            ["line"], "header = false, delim = chr(1), quote = '', escape = '', strict_mode = false"
        )

    def scan(self, names: Iterable[str], delimiter: str, skipped: int = 0) -> pl.LazyFrame:
        """The rows for polars, where each line is one and nothing is quoted."""
        return pl.scan_csv(
            self.path,
            glob=False,
            has_header=False,
            skip_lines=skipped,
            separator=delimiter,
            quote_char=None,
            null_values=["", "\\N"],
            schema=dict.fromkeys(names, pl.String),
            missing_columns="insert",
        )

    def are_rows(self, row: str, least: int) -> bool:
        """Whether all lines are rows by a regular expression, and have this many bytes."""
        if {*re.findall("\r\n|\r|\n", self.head)} not in ({"\n"}, {"\r\n"}, set()):
            return False
        line = pl.col("line")
        is_row = line.str.contains(row) & (line.str.len_bytes() >= least)
        lines = pl.scan_lines(self.path, glob=False, name="line")
        with suppress(pl.exceptions.PolarsError):  # DuckDB says why
            return bool(lines.select(is_row.all()).collect(engine="streaming").item())
        return False


def write_partition(partition: Partition, have: Container[str]) -> dict[str, str]:
    """The columns that only folders name, in SQL."""
    named = {name: value for name, value in partition.items() if name not in have}
    none = "CAST(NULL AS VARCHAR)"
    return {name: none if value is None else quote(value) for name, value in named.items()}


def read_json_lines(
    reader: Connected, text: Text, kind: Kind, have: Mapping[str, str], lists: Collection[str]
) -> Source:
    """JSON lines with the keys ``have``, by path, and ``lists``."""
    added = write_partition(text.partition, have)
    name, lines, columns = text.name, text.lines, reader.columns
    found = match_columns(name, kind, [*have, *added], columns, lists)
    lists = lists if found.get("doc_id") in lists else ()
    read = [key for each in found.values() for key in split_key(each) if key in have]
    values = {key: f"json_extract_string(line, {quote(path)})" for key, path in have.items()}
    # the paths of a line are read at once
    values |= {key: f"_values[{place}]" for place, key in enumerate(read, start=1)}
    for key in lists:
        of = _ID if key == found["doc_id"] else (r"[^\[{]", "numbers")
        values[key] = _LIST.format(quote(have[key]), quote(f"{have[key]}[*]"), *of)
    values |= added
    paths = ", ".join(quote(have[key]) for key in read)
    given = f"SELECT *, json_extract_string(line, [{paths}]) AS _values FROM {lines}"
    rows, every, write = f"({given} WHERE {HAS_TEXT})", [*have, *added], values.__getitem__
    return select_columns(
        rows, name, kind, every, columns, None, lists, have, write=write, lines=lines
    )


_ID = (r'"|-?\d+$|null$', "ids: text or whole numbers; groups (StRecall) have a subtopic")
_LIST = """CASE WHEN NOT json_valid(line)
    THEN error(concat('line ', _line, ' is not JSON: ', line[:80]))
    WHEN json_type(line, {0}) NOT IN ('ARRAY', 'NULL') OR NOT list_bool_and(list_transform(
        json_extract(line, {1}), lambda _i: regexp_matches(CAST(_i AS VARCHAR), '^({2})')))
    THEN error(concat('line ', _line, ' has ', json_extract(line, {0}), '; expected a list of {3}'))
    ELSE json_extract_string(line, {1}) END"""


def refuse_broken_line(con: duckdb.DuckDBPyConnection, source: Source) -> None:
    """Raise `InputError` for the first line that is not JSON."""
    if not source.lines or "json_" not in source.rows:
        return
    query = f"SELECT _line, line FROM {source.lines} WHERE {HAS_TEXT} "
    for number, line in con.execute(query + "AND NOT json_valid(line) LIMIT 1").fetchall():
        raise InputError(f"{source.name} line {number} is not JSON: {line[:80]!r}") from None


def read_text(reader: Connected, text: Text, kind: Kind, line: str) -> Source:
    """Delimited text or TREC text; the first line decides which."""
    name, columns = text.name, reader.columns
    delimiter, words = split_header(line, " ")
    have = [column.strip() for column in words]
    has_header = not counts_columns(kind, columns)
    are_words = len(have) > 1 and all(re.fullmatch(r"[^\W\d][^\d<>]*", word) for word in have)
    if has_header and not (are_words or is_header(have, columns, kind)):
        is_either = kind.is_judged or kind is RUN
        numbered = _number_columns(text, kind, delimiter, reader.grades) if is_either else {}
        if (
            not numbered
            and kind is not DOCUMENTS
            and (kind.trec_line or not kind.is_read_whole)
            and len(split_fields(line)) >= 4
        ):
            return _read_trec(reader, text, kind, line)
        columns = {**(columns or {}), **numbered}
        if has_header := not counts_columns(kind, columns):
            raise lacks_header(name, kind, line, counts=not kind.is_read_whole)
    if not has_header:
        have = [f"column {number}" for number in range(1, len(have) + 1)]
    places = {column: f"_{place}" for place, column in enumerate(have)}
    blank = text.head[: -len(text.head.lstrip(BLANK))] if has_header else ""
    above = len(re.findall("\r\n|\r|\n", blank))
    form = f"header = {str(has_header).lower()}, " + f"skip = {above}, " * (above > 0)
    form += f"delim = {quote(delimiter)}"
    form += ", quote = '\"', escape = '\"', nullstr = ['', '\\N']"  # the latter of MySQL
    rows = text.read_csv(places.values(), form, "" if has_header else " - 1")
    added = write_partition(text.partition, have)
    written = added | places
    has_commas = delimiter == ";" and re.search(r"\d,\d", text.head) is not None
    if has_commas and kind.value_is_number:  # as Excel writes decimals where it writes semicolons
        for ours, column in match_columns(name, kind, have, columns).items():
            if ours in NUMBERS:
                written[column] = f"regexp_replace({written[column]}, {_DECIMAL}, '\\1.\\2')"
    every, write = [*have, *added], written.__getitem__
    source = select_columns(
        rows, name, kind, every, columns, beside=have, write=write, lines=text.lines
    )
    source = replace(source, delimiter=delimiter)
    is_whole = kind.value_is_number and {*kind.columns} <= {*source.read}
    has_key = any(isinstance(column, Key) for column in source.read.values())
    is_plain = '"' not in text.head and not (has_key or has_commas)
    if is_plain and (is_whole or kind.is_read_whole):
        cell = f'[^{delimiter}"\\x00]*'
        row = f"^{cell}(?:[{delimiter}]{cell}){{{len(have) - 1}}}$"
        if text.are_rows(row, len(have)):
            scanned = text.scan(places.values(), delimiter, above + has_header)
            own = {name: pl.lit(value, pl.String) for name, value in text.partition.items()}
            own |= {name: pl.col(place) for name, place in places.items()}
            return replace(source, given=scanned.select(**own))
    return source


def _number_columns(text: Text, kind: Kind, delimiter: str, grades: Grades) -> dict[str, int]:
    """The numbers of the columns query, document and value, if the values say what they are.

    Ranks are 1, 2, 3 … for each query, scores have fractions, and grades are other whole numbers. A
    run may have ranks before its scores, as of ColBERT.
    """
    words, meant = dict(grades if kind.is_judged else ()), list[str]()
    with suppress(ValueError, csv.Error):  # of text, or of rows of several lengths
        _, _, *last = zip(*csv.reader(text.filled, delimiter=delimiter), strict=True)
        for column in last:
            values = [float(words.get(each.strip().lower(), each)) for each in column]
            are_ranks = all(each in (1, before + 1) for before, each in pairwise([0, *values]))
            are_whole = all(each % 1 == 0 for each in values)
            is_grade = are_whole and not (are_ranks and max(values) > 1)
            value = "rank" if are_ranks else "score" * (not are_whole)
            meant.append("relevance" * is_grade if kind.is_judged else value)
        places = enumerate(("query_id", "doc_id", *meant), start=1)
        if meant in (["relevance"], ["rank"], ["score"], ["rank", "score"]):
            return {f"{kind.prefix}.{each}": place for place, each in places}
    return {}


def lacks_header(name: str, kind: Kind, line: str, *, counts: bool = True) -> InputError:
    """The error for a file whose columns have no names; ``counts`` if numbers may name them."""
    said = f"{name} seems to have no header: its first line is {line[:80]!r}. Add one"
    if not counts or not NAMES.keys() >= {*kind.columns}:
        return InputError(f"{said} with the columns {', '.join(kind.columns)}")
    places = {column: place for place, column in enumerate(kind.columns, start=1)}
    other = "; rank=3 in place of score, if the smallest is the best" * (kind is RUN)
    return InputError(f"{said}, or give the column numbers: {name_columns(places)}{other}")


_DECIMAL = r"'^\s*([+-]?\d*),(\d+)\s*$'"


def split_header(line: str, other: str = ",") -> tuple[str, list[str]]:
    """The delimiter of a table, or an ``other`` without one, and the words of its first line."""
    delimiter = max(",\t;|", key=line.count)
    delimiter = delimiter if delimiter in line else other
    try:
        return delimiter, next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        raise ValueError("its first line is too long") from None


def _read_trec(reader: Connected, text: Text, kind: Kind, first: str) -> Source:
    name, length = text.name, len(split_fields(first))
    if kind is EXCLUDED:  # of judgments or a run, which have both ids
        kind = RUN if length >= 6 else QRELS
    if (kind.is_judged and length >= 6) or (kind is RUN and length == 4):
        raise seems_other(name, kind, f"lines like '{kind.other.trec_line}'")
    if not kind.trec_line:
        raise InputError(f"{name} is TREC text, which has no column {kind.value}; pass a table")
    fields = kind.trec_line.split()
    if kind is RUN and reader.by_tag:
        fields[-1] = "run_id"
    if "subtopic" in kind.optional and length == 5:  # preferences
        kind = replace(kind, trec_line="query_id group subgroup doc_id relevance")
        fields.insert(2, "subgroup")
    if not (length >= 6 if kind is RUN else length == len(fields)):
        raise InputError(
            f"{name}: expected lines like '{kind.trec_line}'; its first line is {first[:80]!r}"
        )
    # a tag may contain spaces; a space in a document id would put something else in place 4
    is_whole = f"len(f) = {len(fields)}"
    if kind is RUN:
        is_whole = "(len(f) = 6 OR (len(f) > 6 AND TRY_CAST(f[4] AS DOUBLE) IS NOT NULL))"
    # splitting at single spaces is quick; only lines with other spacing need more
    spaces = " OR ".join(f"contains(line, chr({code}))" for code in (9, 11, 12, 13))
    split = f"""
        CASE
            WHEN list_contains(l, '') OR {spaces}
                THEN regexp_extract_all(line, '[^ \\t\\f\\r\\v]+')
            ELSE l
        END AS f"""
    taken = ", ".join(
        f"CASE WHEN {is_whole} THEN f[{place}] END AS {field}"
        for place, field in enumerate(fields, start=1)
    )

    rows = f"""(
        SELECT _line, {taken}
        FROM (SELECT *, {split} FROM (SELECT *, string_split(line, ' ') AS l FROM {text.lines}))
        WHERE len(f) > 0 AND NOT (starts_with(line, '#') OR starts_with(line, '{COMMENTS[1]}'))
    )"""
    if "subgroup" in fields:
        _require_one_subgroup(reader.con, name, rows)
    given = text.scan(fields, " ") if kind is RUN else None
    have = [field for field in fields if field in {*kind.columns, *kind.optional}]
    source = select_columns(rows, name, kind, have, None, given, lines=text.lines)
    listed = ", ".join(["_line", *write_columns(source.read, kind, is_text=True), "tag"])
    tagged = f"(SELECT {listed} FROM {rows})" if "tag" in fields else source.rows
    return replace(source, is_trec=True, rows=tagged)


def _require_one_subgroup(con: duckdb.DuckDBPyConnection, name: str, rows: str) -> None:
    """Refuse a group of preferences with several orders of its documents.

    trec_eval joins them to a partial order, which grades cannot hold.
    """
    query = f"""
        SELECT _line, query_id, subtopic FROM {rows}
        QUALIFY subgroup <> arg_min(subgroup, _line) OVER (PARTITION BY query_id, subtopic)
        ORDER BY _line LIMIT 1
    """
    for line, query_id, group in con.execute(query).fetchall():
        raise InputError(
            f"{name} line {line}: group {group} of query {query_id} has a second subgroup, which "
            "only trec_eval joins to a partial order; use one subgroup per group, and relevance "
            "for the order of its documents"
        )
