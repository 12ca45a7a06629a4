"""Files of judgments and runs, recognised by their content, as SQL for DuckDB."""

from __future__ import annotations

import codecs
import csv
import glob
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import SEEK_CUR, SEEK_END
from itertools import islice
from math import isinf
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ..catalogue import quote
from ..errors import InputError, SqlMetricsError
from .columns import (
    DOCUMENTS,
    QRELS,
    RUN,
    Columns,
    Kind,
    counts_columns,
    describe_columns,
    is_header,
    match_columns,
    quote_name,
    seems_other,
)
from .workspace import require_space

_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
# other files that people pass by mistake: their first bytes, the offset of these, the message
_UNREADABLE = (
    (b"BZh", 0, "is compressed with bzip2; decompress it, or use .gz or .zst"),
    (b"\xfd7zXZ", 0, "is compressed with xz; decompress it, or use .gz or .zst"),
    (b"PK\x03\x04", 0, "is a zip archive or an Excel workbook; unpack it, or save it as CSV"),
    (b"DUCK", 8, "is a DuckDB database; name a table in it: con=duckdb.connect(…) or --database"),
    (b"SQLite format 3", 0, "is an SQLite database; export the table as CSV or Parquet"),
    (b"ARROW1", 0, "is an Arrow file; read it with polars.read_ipc and pass the frame"),
    (codecs.BOM_UTF16_LE, 0, "is encoded in UTF-16; save it as UTF-8"),
    (codecs.BOM_UTF16_BE, 0, "is encoded in UTF-16; save it as UTF-8"),
)
_HEAD = 1 << 16  # bytes that are enough to recognise a file
_LONGEST = 2_000_000  # longest line that DuckDB reads, in bytes
_LEAST = 4  # what is kept of a text takes at least a quarter of its size


@dataclass(frozen=True)
class Source:
    """An input, or one of its files, as SQL: ``rows`` is what follows FROM.

    ``columns`` are its columns by our names, with the values still as given; ``note`` lists the
    names that they had. Messages use ``name``. Text has ``lines`` and ``numbered_rows``, which are
    ``rows`` with a column ``_line``; with a ``delimiter`` this is only the number of the row.
    ``is_text`` is true for TREC text.
    """

    name: str
    kind: Kind
    rows: str
    columns: tuple[str, ...]
    note: str | None = None
    numbered_rows: str | None = None
    lines: str | None = None
    delimiter: str | None = None
    is_text: bool = False

    def find_rows(
        self, con: duckdb.DuckDBPyConnection, where: str, values: Sequence[str] = ()
    ) -> list[tuple[str, str | None, str | None, str | None]]:
        """The places of the first rows that meet a condition, and their ids and value as given."""
        rows = self.numbered_rows or f"(SELECT NULL AS _line, * FROM {self.rows})"
        columns = ", ".join(f"CAST({column} AS VARCHAR)" for column in self.kind.columns)
        query = f"SELECT _line, {columns} FROM {rows} WHERE {where} LIMIT 3"
        found = con.execute(query, values).fetchall()
        return [(self._name_place(con, number), *ids) for number, *ids in found]

    def _name_place(self, con: duckdb.DuckDBPyConnection, row: int | None) -> str:
        line = row
        if row is not None and self.delimiter:  # blank lines and quoted breaks may come before it
            con.execute(f"SELECT line FROM {self.lines}")
            text = (
                f"{line or ''}\n".replace("\0", " ") for batch in _fetch(con) for (line,) in batch
            )
            parsed = csv.reader(text, delimiter=self.delimiter)
            with suppress(csv.Error):
                line = next(islice((parsed.line_num for fields in parsed if fields), row, None))
        return self.name if line is None else f"{self.name} line {line}"


def _fetch(con: duckdb.DuckDBPyConnection) -> Iterator[list[Any]]:
    return iter(lambda: con.fetchmany(10_000), [])


@contextmanager
def reading(name: object) -> Iterator[None]:
    """Turn errors about an unreadable input into an `InputError` that names it."""
    try:
        yield
    except (duckdb.InterruptException, duckdb.OutOfMemoryException, SqlMetricsError):
        raise
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from None
    except (EOFError, zlib.error, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot read {name}: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise InputError(f"cannot read {name}: it is nested too deeply") from None
    except duckdb.Error as error:
        said = re.sub(r"^[\w ]+ Error: ", "", str(error))
        if found := _CSV_ERROR.search(said):
            raise InputError(f"cannot read {name} line {found[1]}: {found[2]}") from None
        if "state machine" in said:
            said = "it mixes line endings; save it with one kind"
        raise InputError(f"cannot read {name}: {said.splitlines()[0]}") from None


_CSV_ERROR = re.compile(
    r"CSV Error on Line: (\d+)\n.*?^((?:Value|Expected|Invalid|Error|Maximum|Missing).*?)$",
    re.DOTALL | re.MULTILINE,
)


def read_path(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    kind: Kind,
    columns: Columns | None,
    *,
    by_tag: bool,
    name: str | None = None,
) -> Source | Any:  # noqa: ANN401
    """A file as a source; JSON except JSON lines is read and returned, as a dict or its rows."""
    name = name or str(path)
    with path.open("rb") as file:
        start = file.read(16)
    for magic, place, message in _UNREADABLE:
        if start[place:].startswith(magic):
            raise InputError(f"{name} {message}")
    # DuckDB would read *, ? and [ in a path as a pattern
    quoted = quote(glob.escape(str(path)))
    if start.startswith(_PARQUET):
        rows = f"read_parquet({quoted}, hive_partitioning = false, binary_as_string = true)"
        have = con.sql(f"SELECT * FROM {rows} LIMIT 0").columns
        return select_columns(rows, name, kind, have, columns)
    compression = {_GZIP: "gzip", _ZSTD[:2]: "zstd"}.get(start[:2], "none")
    if compression == "gzip" and duckdb.__version__.startswith("1."):
        _check_gzip(path)
    if compression == "zstd" and not _check_zstd(path):
        raise InputError(f"{name} is empty")
    require_space(con, path.stat().st_size // _LEAST, name)
    options = f"compression = '{compression}', hive_partitioning = false, auto_detect = false"
    lines = (
        f"read_csv({quoted}, columns = {{'line': 'VARCHAR'}}, header = false, "
        f"delim = chr(1), quote = '', escape = '', strict_mode = false, {options})"
    )
    head = _decode(_read(path, compression, _HEAD), name, is_whole=False)
    filled = [line for line in re.split("[\r\n]", head) if line.strip(_BLANK)]
    if not filled:
        raise InputError(f"{name} is empty")
    first = filled[0]
    if first.startswith("#") and kind.trec_line and not columns:
        row = next((line for line in filled if not line.startswith("#")), first)
        if len(_split_fields(row)) >= 4 and not is_header(_split_fields(row), columns):
            first = row  # the others are comments
    if first.lstrip(_BLANK).startswith(("{", "[")):
        keys = _read_keys(first)
        if keys is not None:
            _require_short_end(path, compression, name)
            return _read_json_lines(lines, name, kind, keys, columns)
        text = _decode(_read(path, compression), name, is_whole=True)
        try:
            data = json.loads(text, parse_float=_parse_float, object_pairs_hook=_refuse_repeated)
        except ValueError as error:
            raise InputError(f"cannot read {name}: as JSON, {error}") from None
        if isinstance(data, list) and data and isinstance(data[0], dict):
            return iter(data)
        if not isinstance(data, dict):
            raise InputError(
                f"{name} is JSON of an unknown shape; expected {{query_id: {{doc_id: "
                f"{kind.value}}}}}, or objects with {', '.join(kind.columns)}, one per line or in "
                "an array"
            )
        return data
    _require_short_end(path, compression, name)
    read = _read_text(con, quoted, options, lines, name, kind, columns, first, by_tag=by_tag)
    length = len(_split_fields(first))
    for line in filled if read.is_text else ():
        if re.match("#[^ \t]", line) and len(_split_fields(line)) == length:  # it may be a row
            note = f"{name}: skipped lines that begin with # as comments, such as {line[:80]!r}"
            return replace(read, note=note)
    return read


def _split_fields(line: str) -> list[str]:
    """The fields of a line of TREC text."""
    return re.findall(r"[^ \t\f\v]+", line)


def _require_short_end(path: Path, compression: str, name: str) -> None:
    """Refuse a last line so long that DuckDB may drop it; DuckDB refuses other long lines itself.

    Does not look into compressed files.
    """
    if compression != "none" or path.stat().st_size <= _LONGEST:
        return
    with path.open("rb") as file:
        file.seek(-_LONGEST, SEEK_END)
        if not re.search(rb"[\r\n]", file.read().rstrip(b"\r\n")):
            raise InputError(f"the last line of {name} is longer than 2 MB; remove long columns")


def _read(path: Path, compression: str, length: int = -1) -> bytes:
    """The first bytes of a file and the rest of their line, or all."""
    if compression == "zstd":  # Python reads it only from 3.14 on
        read = pl.read_csv(
            path, has_header=False, separator="\1", quote_char=None, infer_schema=False,
            encoding="utf8-lossy" if length > 0 else "utf8", truncate_ragged_lines=True,
            raise_if_empty=False,
            n_rows=100 if length > 0 else None,
        )  # fmt: skip
        return "\n".join(read.to_series().fill_null("")).encode() if read.width else b""
    with gzip.open(path) if compression == "gzip" else path.open("rb") as file:
        return file.read(length) + file.readline(1 << 24)


def _decode(content: bytes, name: str, *, is_whole: bool) -> str:
    if b"\0" in content:
        raise InputError(f"cannot read {name}: it contains a NUL byte, so it is not text")
    return content.decode("utf-8-sig", "strict" if is_whole else "replace")


def select_columns(
    rows: str, name: str, kind: Kind, have: Sequence[str], columns: Columns | None
) -> Source:
    """The source for rows whose columns have names."""
    found = match_columns(name, kind, have, columns)
    note = describe_columns(name, found)
    quoted = {ours: quote_name(column) for ours, column in found.items()}
    listed = ", ".join(_write_columns(quoted, is_text=False))
    return Source(name, kind, f"(SELECT {listed} FROM {rows})", _list_columns(found), note)


def _list_columns(found: Mapping[str, str]) -> tuple[str, ...]:
    return (*found, "score") if "rank" in found and "score" not in found else tuple(found)


def _write_columns(found: Mapping[str, str], *, is_text: bool) -> Iterator[str]:
    """The columns by our names; a run without scores takes them from its ranks."""
    for ours, column in found.items():
        value = _write_number(column) if is_text and ours in _NUMBERS else column
        yield f"{value} AS {quote_name(ours)}"
        if ours == "rank" and "score" not in found:
            number = f"CAST(-{cast_number(value)} AS VARCHAR)"
            yield f"coalesce({number}, 'rank ' || {value}) AS score"


def cast_number(value: str) -> str:
    """A value as a number, or NULL if it is not one; DuckDB would read 1_000 as 1000."""
    is_plain = f"NOT contains(CAST({value} AS VARCHAR), '_')"
    return f"CASE WHEN {is_plain} THEN TRY_CAST({value} AS DOUBLE) END"


_NUMBERS = ("relevance", "score", "rank")


def _write_number(column: str) -> str:
    """A number as text; marks one that is too large, which DuckDB would make infinite."""
    # trim keeps DuckDB from reading the values as numbers, whose errors say less
    return (
        f"CASE WHEN isinf(TRY_CAST({column} AS DOUBLE)) AND {column} NOT ILIKE '%inf%' "
        f"THEN {column} || ' (too large)' ELSE trim({column}) END"
    )


def _read_json_lines(
    lines: str, name: str, kind: Kind, have: Sequence[str], columns: Columns | None
) -> Source:
    found = match_columns(name, kind, have, columns)
    paths = ", ".join(quote("$." + json.dumps(key, ensure_ascii=False)) for key in found.values())
    places = {ours: f"_values[{place}]" for place, ours in enumerate(found, start=1)}
    listed = ", ".join(_write_columns(places, is_text=True))

    def select(lines: str, number: str = "") -> str:
        values = f"{number}json_extract_string(line, [{paths}]) AS _values"
        return f"(SELECT {number}{listed} FROM (SELECT {values} FROM {lines} WHERE {_HAS_TEXT}))"

    note = describe_columns(name, found)
    numbered = select(_number_lines(lines), "_line, ")
    return Source(name, kind, select(lines), _list_columns(found), note, numbered, lines)


def find_broken_line(con: duckdb.DuckDBPyConnection, source: Source) -> str | None:
    """The message for the first line that is not JSON."""
    if not (source.lines and source.numbered_rows) or "json_" not in source.rows:
        return None
    query = f"SELECT _line, line FROM {_number_lines(source.lines)} WHERE {_HAS_TEXT} "
    found = con.execute(query + "AND NOT json_valid(line) LIMIT 1").fetchall()
    return next((f"{source.name} line {n} is not JSON: {line[:80]!r}" for n, line in found), None)


_BLANK = " \t\n\r\v\f"
_HAS_TEXT = "trim(line, ' ' || chr(9)) <> ''"


def _number_lines(lines: str) -> str:
    return f"(SELECT row_number() OVER () AS _line, line FROM {lines})"


def _read_text(
    con: duckdb.DuckDBPyConnection,
    quoted: str,
    options: str,
    lines: str,
    name: str,
    kind: Kind,
    columns: Columns | None,
    line: str,
    *,
    by_tag: bool,
) -> Source:
    """Delimited text or TREC text; the first line decides which."""
    delimiter = max(",\t;|", key=line.count)
    delimiter = delimiter if delimiter in line else " "
    try:
        have = [column.strip() for column in next(csv.reader([line], delimiter=delimiter))]
    except csv.Error:
        raise InputError(f"cannot read {name}: its first line is too long") from None
    has_header = not counts_columns(kind, columns)
    if has_header and not is_header(have, columns):
        if kind is not DOCUMENTS and len(_split_fields(line)) >= 4:
            return _read_trec(con, lines, name, kind, line, by_tag=by_tag)
        raise InputError(
            f"{name} has no header: its first line is {line[:80]!r}. Add one, or give the column "
            f"numbers: columns={{'query_id': 1, 'doc_id': 2, …}} or "
            f"--columns query_id=1,doc_id=2,{kind.value}=3"
        )
    if not has_header:
        have = [f"column {number}" for number in range(1, len(have) + 1)]
    found = match_columns(name, kind, have, columns)
    places = {ours: f"_{have.index(column)}" for ours, column in found.items()}
    types = ", ".join(f"_{place}: 'VARCHAR'" for place in range(len(have)))
    read = (
        f"read_csv({quoted}, columns = {{{types}}}, header = {str(has_header).lower()}, "
        f"delim = {quote(delimiter)}, quote = '\"', escape = '\"', {options})"
    )
    rows = f"(SELECT {', '.join(_write_columns(places, is_text=True))} FROM {read})"
    numbered = (
        f"(SELECT row_number() OVER () {'' if has_header else '- 1'} AS _line, * FROM {rows})"
    )
    note = describe_columns(name, found)
    return Source(name, kind, rows, _list_columns(found), note, numbered, lines, delimiter)


def _read_trec(
    con: duckdb.DuckDBPyConnection, lines: str, name: str, kind: Kind, first: str, *, by_tag: bool
) -> Source:
    length = len(_split_fields(first))
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
    listed = ", ".join(_write_columns({column: column for column in places}, is_text=True))

    def select_fields(lines: str) -> str:
        return (
            f"SELECT *, {fields} FROM (SELECT *, string_split(line, ' ') AS l FROM {lines}) "
            "WHERE NOT starts_with(line, '#')"  # comments, from trec_eval 10 on
        )

    def select(lines: str, number: str = "") -> str:
        taken_rows = f"SELECT {number}{taken} FROM ({select_fields(lines)}) WHERE len(f) > 0"
        return f"(SELECT {number}{listed} FROM ({taken_rows}))"

    numbered = select(_number_lines(lines), "_line, ")
    if with_subgroups:
        _require_one_subgroup(con, name, select_fields(_number_lines(lines)))
    return Source(name, kind, select(lines), tuple(places), None, numbered, lines, is_text=True)


def _require_one_subgroup(con: duckdb.DuckDBPyConnection, name: str, rows: str) -> None:
    """Refuse a group of preferences with several orders of its documents; trec_eval joins them."""
    query = f"""
        SELECT _line, f[1], f[2] FROM ({rows})
        QUALIFY f[3] <> first_value(f[3]) OVER (PARTITION BY f[1], f[2] ORDER BY _line ASC)
        ORDER BY _line ASC LIMIT 1
    """
    for line, query_id, group in con.execute(query).fetchall():
        raise InputError(
            f"{name} line {line}: group {group} of query {query_id} has a second subgroup; use one "
            "subgroup per group, and relevance for the order of its documents"
        )


def _read_keys(line: str) -> list[str] | None:
    """The keys of a line of JSON lines, if it is an object of values rather than of objects."""
    with suppress(ValueError, RecursionError):
        read = json.loads(line)
        if isinstance(read, dict) and not any(isinstance(v, dict) for v in read.values()):
            return list(read)
    return None


def _parse_float(text: str) -> float | str:
    """A number; one that is too large stays text, which the checks refuse."""
    number = float(text)
    return f"{text} (too large)" if isinf(number) else number


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has {next(k for k in keys if keys.count(k) > 1)!r} twice")
    return read


def _check_gzip(path: Path) -> None:
    """Refuse a truncated .gz, which DuckDB before 2.0 accepts."""
    with gzip.open(path) as file:
        while file.read(1 << 20):
            pass


def _check_zstd(path: Path) -> bool:
    """Refuse a truncated .zst, which DuckDB accepts, by the sizes in it.

    Returns whether it holds anything, which polars requires.
    """
    is_filled = False
    size = path.stat().st_size
    with path.open("rb") as file:
        while file.tell() < size:
            magic = int.from_bytes(file.read(4), "little")
            if magic >> 4 == 0x184D2A5:  # a frame to skip
                file.seek(int.from_bytes(file.read(4), "little"), SEEK_CUR)
                continue
            flags = (file.read(1) or b"\0")[0]
            is_single = flags >> 5 & 1
            content = (is_single, 2, 4, 8)[flags >> 6]
            file.seek((1 - is_single) + (0, 1, 2, 4)[flags & 3] + content, SEEK_CUR)
            is_last = False
            while not is_last and file.tell() < size:
                block = int.from_bytes(file.read(3), "little")
                is_last = bool(block & 1)
                is_filled |= block >> 3 > 0
                file.seek(1 if block >> 1 & 3 == 1 else block >> 3, SEEK_CUR)
            file.seek(4 * (flags >> 2 & 1), SEEK_CUR)
            if magic != 0xFD2FB528 or not is_last or file.tell() > size:
                raise EOFError("the compressed file is damaged or truncated")
    return is_filled
