"""Files of judgments and runs, recognised by their content, as SQL for DuckDB."""

from __future__ import annotations

import codecs
import glob
import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from io import SEEK_END
from math import isinf
from pathlib import Path
from typing import IO, Any, cast
from zipfile import ZipFile, is_zipfile

import duckdb
import polars as pl

from ..catalogue import quote
from ..errors import InputError
from .columns import RUN, Columns, Kind, is_header, quote_name
from .frames import unnest_rows
from .lists import flatten, holds_rows
from .parts import Partition
from .responses import KEY, read_responses
from .source import Connected, Source
from .text import BLANK, COMMENTS, Text, read_json_lines, read_text, split_fields, write_partition
from .workspace import read_setting, require_memory

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_PARQUET, _ARROW, _ZIP = b"PAR1", b"ARROW1", b"PK\x03\x04"

# other files that people pass by mistake: their first bytes, the offset of these, the message
_UNREADABLE = (
    (b"BZh", 0, "is compressed with bzip2; decompress it, or use .gz or .zst"),
    (b"\xfd7zXZ", 0, "is compressed with xz; decompress it, or use .gz or .zst"),
    (_ZIP, 0, "is a zip archive or an Excel workbook; unpack it, or save it as CSV"),
    (b"DUCK", 8, "is a DuckDB database; name a table in it: con=duckdb.connect(…) or --database"),
    (b"SQLite format 3", 0, "is an SQLite database; export the table as CSV or Parquet"),
)

_TEMPORARY = "raise it, or SET temp_directory to a folder for what does not fit"
_HEAD = 1 << 16  # bytes that are enough to recognise a file


def read_path(
    reader: Connected, path: Path, kind: Kind, name: str, partition: Partition
) -> Source | Any:  # noqa: ANN401
    """A file as a source; JSON except JSON lines, and Arrow, are returned as objects.

    ``partition`` has columns that the file lacks.
    """
    con, columns = reader.con, reader.columns
    text = open_file(path, name, partition)
    is_parquet = read_start(path).startswith(_PARQUET)
    is_arrow = isinstance(text, pl.LazyFrame) and not is_parquet
    if kind.is_read_whole or is_arrow:
        unpacked = size = path.stat().st_size
        if is_parquet:
            sizes = "SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata(?)"
            ((unpacked,),) = con.execute(sizes, [str(path)]).fetchall()
        needed = 3 * (size + unpacked)  # as read, and as frames
        require_memory(con, needed, f"{path} takes", "raise the limit (--memory-limit)")
    if isinstance(text, pl.LazyFrame):
        have = text.collect_schema().names()
        added = write_partition(partition, have)
        frame = text.with_columns(**{each: pl.lit(partition[each], pl.String) for each in added})
        if is_arrow or unnest_rows(frame, kind) is not frame:
            return frame
        # DuckDB would read *, ? and [ in a path as a pattern
        quoted = quote(glob.escape(str(path)))
        table = f"read_parquet({quoted}, hive_partitioning = false, binary_as_string = true)"
        beside = "".join(f", {value} AS {quote_name(each)}" for each, value in added.items())
        return reader.select_all(f"(SELECT *{beside} FROM {table})", name, kind, frame)
    if not read_setting(con, "temp_directory"):  # at least a quarter of a text is kept
        require_memory(con, path.stat().st_size // 4, f"{name} takes", _TEMPORARY)
    filled = text.filled
    first = filled[0]
    if first.startswith(COMMENTS) and kind.trec_line and not columns:
        row = next((line for line in filled if not line.startswith(COMMENTS)), first)
        if len(split_fields(row)) >= 4 and not is_header(split_fields(row), columns, kind):
            first = row  # the others are comments
    if first.lstrip(BLANK).startswith(("{", "[")):
        if (kind is RUN or kind.is_judged) and KEY.search(text.head):
            is_lines = _read_line(first) is not None
            whole = "" if is_lines else _decode(read_bytes(path, text.compression), "strict")
            texts = _list_lines(path) if is_lines else [(None, whole)]
            if responses := read_responses(reader, texts, name, kind):
                return responses
        keys, lists = _read_keys(filled, columns, kind)
        if holds_rows(_read_line(first)):
            lines = ((number, line) for number, line in _list_lines(path) if line.strip())
            return [_read_json(line, f"{name} line {number}") for number, line in lines]
        if keys:
            _require_short_end(text)
            return read_json_lines(reader, text, kind, keys, lists)
        data = _read_json(_decode(read_bytes(path, text.compression), "strict"), name)
        if isinstance(data, list) and partition:
            return [{**partition, **each} if isinstance(each, dict) else each for each in data]
        return data
    _require_short_end(text)
    read = read_text(reader, text, kind, first)
    length = len(split_fields(first))
    for line in filled if read.is_trec else ():
        if re.match("#[^ \t]" if len(split_fields(line)) == length else COMMENTS[1], line):
            said = f"skipped lines that begin with {line[0]} as comments, such as {line[:80]!r}"
            return replace(read, note=f"{name}: {said}")
    return read


def open_file(path: Path, name: str, partition: Partition) -> Text | pl.LazyFrame:
    """A text by its beginning, or the rows of a file of columns.

    Raises `InputError` for an empty file, and for one that is neither.
    """
    start = read_start(path)
    if is_zipfile(path) and "xl/workbook.xml" in ZipFile(path).namelist():
        return pl.read_excel(path).lazy()  # its first sheet
    for magic, place, message in _UNREADABLE:
        if start[place:].startswith(magic):
            raise InputError(f"{name} {message}")
    if start.startswith(b"\xff" * 4):  # a stream of Arrow, as data sets of Hugging Face
        return pl.read_ipc_stream(path).lazy()
    if start.startswith((_PARQUET, _ARROW)):
        scan = pl.scan_parquet if start.startswith(_PARQUET) else pl.scan_ipc
        return scan(path, hive_partitioning=False, glob=False)
    compression = {_GZIP: "gzip", _ZSTD[:2]: "zstd"}.get(start[:2], "none")
    if compression == "zstd" or (compression == "gzip" and duckdb.__version__.startswith("1.")):
        try:  # DuckDB reads what is there of a truncated file
            pl.scan_lines(path, glob=False).select(pl.len()).collect(engine="streaming")
        except (OSError, pl.exceptions.PolarsError):
            raise EOFError("the compressed file is damaged or truncated") from None
    head = _decode(read_bytes(path, compression, _HEAD), "replace")
    text = Text(path, head, name, compression, partition)
    if not text.filled:
        raise InputError(f"{name} is empty")
    return text


def read_start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def open_utf16(path: Path) -> IO[str] | None:
    """A text that is UTF-16, also in gzip; None for all else."""
    opened: Any = gzip.open if read_start(path).startswith(_GZIP) else open
    with suppress(OSError, EOFError, zlib.error), opened(path, "rb") as file:  # as is said later
        if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return cast("IO[str]", opened(path, "rt", encoding="utf-16"))
    return None


def _list_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text, which may be compressed, with their numbers."""
    batches = pl.scan_lines(path, glob=False, name="line").collect_batches(maintain_order=True)
    lines = (line for batch in batches for line in batch.to_series())
    return enumerate((line.removeprefix("\ufeff") for line in lines), start=1)


def _require_short_end(text: Text) -> None:
    """Refuse a last line so long that DuckDB may drop it; DuckDB refuses other long lines itself.

    Does not look into compressed files.
    """
    if text.compression == "none" and text.path.stat().st_size > text.longest:
        with text.path.open("rb") as file:
            file.seek(-text.longest, SEEK_END)
            if not re.search(rb"[\r\n]", file.read().rstrip(b"\r\n")):
                said = f"the last line of {text.name} is longer than {text.longest / 1e6:.0f} MB"
                raise InputError(f"{said}; remove long columns")


def read_bytes(path: Path, compression: str, length: int = -1) -> bytes:
    """The first bytes of a file and the rest of their line, or all."""
    if compression == "zstd":  # Python reads it only from 3.14 on
        lines = pl.scan_lines(path, glob=False, n_rows=100 if length > 0 else None)
        return "\n".join(lines.collect()["line"]).encode()
    with gzip.open(path) if compression == "gzip" else path.open("rb") as file:
        return file.read(length) + file.readline(1 << 24)


def _decode(content: bytes, errors: str) -> str:
    if b"\0" in content:
        raise ValueError("it contains a NUL byte, so it is not text")
    return content.decode("utf-8-sig", errors)


def _read_keys(
    lines: Iterable[str], columns: Columns | None, kind: Kind
) -> tuple[dict[str, str], set[str]]:
    """The keys of JSON lines with their paths, and those of lists, if the first is of values.

    One of lists alone, or a single one of objects without known names, is JSON as a whole. A key in
    an object that a line holds has a name with dots.
    """
    values = map(_read_line, lines)
    objects: list[dict[str, Any]] = [each if isinstance(each, dict) else {} for each in values]
    first, second = [*objects, {}][:2]
    kinds = {*map(type, first.values())}
    has_objects = kinds == {dict} or (dict in kinds and not is_header([*first], columns, kind))
    if kinds <= {list} or (has_objects and not second):
        return {}, set()
    flat = [*map(flatten, objects)]
    keys = {key: path for key, (path, _) in flat[0].items()}
    nested = {key: path for each in flat for key, (path, _) in each.items() if "." in key}
    lists = {key for each in flat for key, (_, value) in each.items() if isinstance(value, list)}
    return keys | nested | keys, lists


def _read_json(text: str, name: str) -> Any:  # noqa: ANN401
    """The value of a text, which is a file or a line."""
    try:
        return json.loads(text, parse_float=_parse_float, object_pairs_hook=_refuse_repeated)
    except ValueError as error:
        raise InputError(f"cannot read {name}: as JSON, {error}") from None


def _read_line(line: str) -> Any:  # noqa: ANN401
    """The value of a line of JSON lines; None if it is not JSON."""
    with suppress(ValueError, RecursionError):
        return json.loads(line)
    return None


def _parse_float(text: str) -> float | str:
    """A number; one that is too large stays text, which the checks refuse."""
    number = float(text)
    return text if isinf(number) else number


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has {next(k for k in keys if keys.count(k) > 1)!r} twice")
    return read
