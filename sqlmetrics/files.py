"""Files of judgments and runs, recognised by their content, as SQL that DuckDB reads."""

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
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, Any

import duckdb

from .catalogue import quote
from .columns import (
    QRELS,
    RUN,
    Columns,
    Kind,
    counts_columns,
    describe_columns,
    is_header,
    match_columns,
    seems_other,
)
from .errors import InputError

_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
# what else people pass by mistake: the first bytes, where they stand, what to say
_UNREADABLE = (
    (b"BZh", 0, "is compressed with bzip2; unpack it, or use .gz or .zst"),
    (b"\xfd7zXZ", 0, "is compressed with xz; unpack it, or use .gz or .zst"),
    (b"PK\x03\x04", 0, "is a zip archive or an Excel workbook; unpack it, or save it as CSV"),
    (b"DUCK", 8, "is a DuckDB database; name a table in it: con=duckdb.connect(…) or --database"),
    (b"SQLite format 3", 0, "is an SQLite database; export the table as CSV or Parquet"),
    (b"ARROW1", 0, "is an Arrow file; read it with polars.read_ipc and pass the frame"),
    (codecs.BOM_UTF16_LE, 0, "is in UTF-16; save it as UTF-8"),
    (codecs.BOM_UTF16_BE, 0, "is in UTF-16; save it as UTF-8"),
)
_HEAD = 1 << 16  # so many bytes tell what a file is


@dataclass(frozen=True)
class Source:
    """An input, or one file of it, as SQL: ``rows`` is what stands after FROM.

    Its columns are ``columns``, by our names and with the values still as given; ``note`` says
    which other names they had. ``name`` is how messages call it. Text has ``numbered_rows``, the
    same with a column ``_line``; ``path`` is there when this is only the number of the row.
    """

    name: str
    kind: Kind
    rows: str
    columns: tuple[str, ...]
    note: str | None = None
    numbered_rows: str | None = None
    path: Path | None = None
    is_text: bool = False

    def find_rows(
        self, con: duckdb.DuckDBPyConnection, where: str, values: Sequence[str] = ()
    ) -> list[tuple[str, str | None, str | None, str | None]]:
        """Where the first rows that meet a condition stand, and their ids and value as given."""
        rows = self.numbered_rows or f"(SELECT NULL AS _line, * FROM {self.rows})"
        columns = ", ".join(f"CAST({column} AS VARCHAR)" for column in self.kind.columns)
        query = f"SELECT _line, {columns} FROM {rows} WHERE {where} LIMIT 3"
        return [
            (self._name_place(number), query_id, doc_id, value)
            for number, query_id, doc_id, value in con.execute(query, values).fetchall()
        ]

    def _name_place(self, number: int | None) -> str:
        if number is None:
            return self.name
        return f"{self.name} line {_find_line(self.path, number) if self.path else number}"


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn what DuckDB says of an unreadable input into an `InputError` that names it."""
    try:
        yield
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except (EOFError, zlib.error) as error:
        raise InputError(f"cannot read {name}: {error}") from None
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from None
    except duckdb.Error as error:
        said = re.sub(r"^[\w ]+ Error: ", "", str(error))
        if found := _CSV_ERROR.search(said):
            raise InputError(f"cannot read {name} line {found[1]}: {found[2]}") from None
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
) -> Source | dict[str, Any]:
    """A file as a source; JSON of one object per query is read, and returned, as a dict."""
    name = name or str(path)
    with path.open("rb") as file:
        start = file.read(16)
    for magic, place, message in _UNREADABLE:
        if start[place:].startswith(magic):
            raise InputError(f"{name} {message}")
    # DuckDB takes *, ? and [ in a path for a pattern
    quoted = quote(glob.escape(str(path)))
    if start.startswith(_PARQUET):
        return read_parquet(con, quoted, name, kind, columns)
    compression = {_GZIP: "gzip", _ZSTD[:2]: "zstd"}.get(start[:2], "none")
    if compression == "gzip" and duckdb.__version__.startswith("1."):
        _check_gzip(path)
    head = None
    if compression != "zstd":
        with _open(path) as file:
            head = file.read(_HEAD).decode(errors="replace")
        if "\0" in head:
            raise InputError(f"cannot read {name}: it is not text, as it has a NUL byte")
        if head.removeprefix("\ufeff").lstrip().startswith("{") and not _is_json_lines(head):
            return _load_json(path)
    return read_text(
        con, quoted, name, kind, columns, compression, by_tag=by_tag, head=head, path=path
    )


def read_parquet(
    con: duckdb.DuckDBPyConnection, quoted: str, name: str, kind: Kind, columns: Columns | None
) -> Source:
    rows = f"read_parquet({quoted}, hive_partitioning = false)"
    have = con.sql(f"SELECT * FROM {rows} LIMIT 0").columns
    return select_columns(rows, name, kind, have, columns)


def select_columns(
    rows: str, name: str, kind: Kind, have: Sequence[str], columns: Columns | None
) -> Source:
    """The source of what has its columns named in its own way."""
    found = match_columns(name, kind, have, columns)
    note = describe_columns(name, found)
    listed = ", ".join(_write_columns(found, is_text=False))
    return Source(name, kind, f"(SELECT {listed} FROM {rows})", _list_columns(found), note)


def _list_columns(found: Mapping[str, str]) -> tuple[str, ...]:
    return (*found, "score") if "rank" in found and "score" not in found else tuple(found)


def _write_columns(found: Mapping[str, str], *, is_text: bool) -> Iterator[str]:
    """The columns by our names; a run without scores is scored by its ranks."""
    for ours, column in found.items():
        name = '"' + column.replace('"', '""') + '"'
        # trim keeps DuckDB from reading the values as numbers, which says less when one is not
        value = f"trim({name})" if is_text and ours in ("relevance", "score", "rank") else name
        yield f"{value} AS {ours}"
        if ours == "rank" and "score" not in found:
            yield f"-TRY_CAST({value} AS DOUBLE) AS score"


def read_text(
    con: duckdb.DuckDBPyConnection,
    quoted: str,
    name: str,
    kind: Kind,
    columns: Columns | None,
    compression: str,
    *,
    by_tag: bool,
    head: str | None = None,
    path: Path | None = None,
) -> Source:
    """JSON lines, delimited text or TREC text, by its first line."""
    shared = f"compression = '{compression}', hive_partitioning = false"
    options = f"{shared}, auto_detect = false"
    lines = (
        f"read_csv({quoted}, columns = {{'line': 'VARCHAR'}}, header = false, "
        f"delim = chr(1), quote = '', escape = '', strict_mode = false, {options})"
    )
    # what is not UTF-8 is for DuckDB to refuse
    if head is None or "\n" not in head or "\ufffd" in head:
        query = f"SELECT line FROM {lines} WHERE trim(line) <> '' LIMIT 1"
        first = [line for (line,) in con.execute(query).fetchall()]
    else:
        first = [line for line in head.splitlines() if line.strip()]
    if not first:
        raise InputError(f"{name} is empty")
    line = first[0].removeprefix("\ufeff")
    if line.lstrip().startswith(("{", "[")) and (have := _read_keys(line, head)) is not None:
        types = ", ".join(f"{quote(key)}: 'VARCHAR'" for key in have)
        form = "array" if line.lstrip().startswith("[") else "newline_delimited"
        read = f"read_json({quoted}, format = '{form}', columns = {{{types}}}, {shared})"
        return _number_rows(read, name, kind, have, columns, path)
    delimiter = max(",\t;|", key=line.count)
    have = [column.strip() for column in next(csv.reader([line], delimiter=delimiter))]
    has_header = not counts_columns(kind, columns)
    if has_header and not is_header(have, columns):
        if len(line.split()) >= 4:
            return _read_trec(lines, name, kind, line, by_tag=by_tag)
        raise InputError(
            f"{name} has no header: its first line is {line[:80]!r}. Give it one, or say by number "
            f"which column is which: columns={{'query_id': 1, 'doc_id': 2, …}} or "
            f"--columns query_id=1,doc_id=2,{kind.value}=3"
        )
    if not has_header:
        have = [f"column {number}" for number in range(1, len(have) + 1)]
    used = match_columns(name, kind, have, columns).values()
    types = ", ".join(
        f"{quote(column if column in used else f'_{number}')}: 'VARCHAR'"
        for number, column in enumerate(have)
    )
    read = (
        f"read_csv({quoted}, columns = {{{types}}}, header = {str(has_header).lower()}, "
        f"delim = {quote(delimiter)}, quote = '\"', escape = '\"', {options})"
    )
    return _number_rows(read, name, kind, have, columns, path, has_header=has_header)


def _number_rows(
    read: str,
    name: str,
    kind: Kind,
    have: Sequence[str],
    columns: Columns | None,
    path: Path | None,
    *,
    has_header: bool = True,
) -> Source:
    found = match_columns(name, kind, have, columns)
    rows = f"(SELECT {', '.join(_write_columns(found, is_text=True))} FROM {read})"
    numbered = f"(SELECT row_number() OVER () AS _line, * FROM {rows})"
    note = describe_columns(name, found)
    return Source(
        name, kind, rows, _list_columns(found), note, numbered, path if has_header else None, True
    )


def _read_trec(lines: str, name: str, kind: Kind, first: str, *, by_tag: bool) -> Source:
    length = len(first.split())
    if kind is QRELS and length >= 6:
        raise seems_other(name, kind, f"lines like '{RUN.trec_line}'")
    if kind is RUN and length == 4:
        raise seems_other(name, kind, f"lines like '{QRELS.trec_line}'")
    places = {"query_id": 1, "doc_id": 3, kind.value: {QRELS: 4, RUN: 5}[kind]}
    if kind is RUN:
        places["rank"] = 4
        if by_tag:
            places["run_id"] = 6
    is_whole = "len(f) = 4" if kind is QRELS else "len(f) >= 6"
    # splitting at single blanks is quick; only lines that are spaced otherwise need more
    fields = r"""
        CASE
            WHEN list_contains(l, '') OR contains(line, chr(9)) OR contains(line, chr(12))
                OR contains(line, chr(13)) THEN regexp_extract_all(line, '[^ \t\f\r]+')
            ELSE l
        END AS f"""
    columns = ", ".join(
        f"CASE WHEN {is_whole} THEN f[{place}] END AS {column}" for column, place in places.items()
    )
    split = f"SELECT *, {fields} FROM (SELECT *, string_split(line, ' ') AS l FROM {{}})"
    rows = f"(SELECT {columns} FROM ({split.format(lines)}) WHERE trim(line) <> '')"
    numbered = (
        f"(SELECT _line, {columns} FROM ("
        + split.format(f"(SELECT row_number() OVER () AS _line, line FROM {lines})")
        + ") WHERE trim(line) <> '')"
    )
    return Source(name, kind, rows, tuple(places), None, numbered, None, True)


def _read_keys(line: str, head: str | None) -> list[str] | None:
    """The keys of the first object of JSON lines or of a JSON array."""
    start = line if line.lstrip().startswith("{") else (head or line)
    with suppress(ValueError):
        first, _ = json.JSONDecoder().raw_decode(start.lstrip("\ufeff[ \t\r\n"))
        return list(first) if isinstance(first, dict) else None
    return None


def _is_json_lines(head: str) -> bool:
    """Whether the first line is a whole object that holds values rather than objects."""
    first = next(line for line in head.removeprefix("\ufeff").splitlines() if line.strip())
    with suppress(ValueError):
        read = json.loads(first)
        return not read or not all(isinstance(value, dict) for value in read.values())
    return False


def _load_json(path: Path) -> dict[str, Any]:
    with _open(path) as file:
        try:
            data: dict[str, Any] = json.load(file)
        except ValueError as error:
            raise InputError(f"cannot read {path}: as JSON, {error}") from None
    return data


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        is_gzip = file.read(2) == _GZIP
    return gzip.open(path) if is_gzip else path.open("rb")  # type: ignore[return-value]


def _find_line(path: Path, row: int) -> int:
    """The line of a row of a text with a header, in which blank lines and breaks may stand."""
    with suppress(UnicodeError, csv.Error), _open(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        is_json = text.read(1) == "{"
        text.seek(0)
        if is_json:
            numbers = (number for number, line in enumerate(text, start=1) if line.strip())
            return next(islice(numbers, row - 1, None))
        lines = csv.reader(text)
        return next(islice((lines.line_num for fields in lines if fields), row, None))
    return row + 1


def _check_gzip(path: Path) -> None:
    """Refuse what DuckDB before 2.0 takes for whole: a .gz that ends too early."""
    with gzip.open(path) as file:
        while file.read(1 << 20):
            pass
