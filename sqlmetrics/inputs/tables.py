"""Tables that are read whole: scores of queries, users of an experiment, interleaved pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import polars.selectors as cs

from ..errors import InputError
from .columns import (
    IDS,
    KEYS,
    STRATA,
    Columns,
    Kind,
    are_values,
    describe_columns,
    describe_floats,
    join_key,
    lacks_header,
    match_columns,
    split_key,
)
from .connection import require_connection
from .data import expand_home
from .files import open_file, read_bytes
from .frames import take_frame
from .source import reading
from .streams import read_relation
from .text import split_header
from .workspace import read_memory_limit, show_bytes, show_memory_limit

_NO_ID = cs.nested() | cs.binary() | cs.duration()
_NO_NUMBER = _NO_ID | cs.temporal()


@dataclass(frozen=True)
class Table:
    """A table that was read: ``frame`` has our names of columns, ``found`` the names they had."""

    name: str
    frame: pl.DataFrame
    found: dict[str, str]

    @property
    def notes(self) -> list[str]:
        note = describe_columns(self.name, self.found)
        floats = [each for each in KEYS if self.frame.schema.get(each, pl.String()).is_float()]
        return [*([note] if note else []), *describe_floats(self.name, floats)]


def read_table(
    data: Any,  # noqa: ANN401
    kind: Kind,
    others: Sequence[str] = (),
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Table:
    """The rows of a frame, a table of ``con`` or a file in CSV, Parquet or JSON.

    Raises `InputError` for a missing column, also of ``others``, and for a table without rows.
    """
    if con is not None:
        require_connection(con)
    name, frame = _read_frame(data, kind, con, columns)
    found = match_columns(name, kind, frame.columns, columns)
    for theirs in found.values():
        if len(split_key(theirs)) > 1:
            frame = frame.with_columns(join_key(theirs))
    frame = frame.rename({theirs: ours for ours, theirs in found.items()})
    if missing := [each for each in others if each not in frame.columns]:
        raise InputError(f"{name}: no column {missing[0]}; there are {list_names(frame.columns)}")
    for ours, theirs in found.items():
        unfit = _NO_ID if ours in IDS else _NO_NUMBER
        if ours in KEYS:
            unfit |= cs.boolean()
        if kind.are_numbers:
            unfit |= cs.string() | cs.boolean()
        if cs.expand_selector(frame, cs.by_name(ours) & unfit):
            what = "text" if ours in IDS else "numbers"
            raise InputError(f"{name} has {theirs} of type {frame[ours].dtype}; make it {what}")
    frame = frame.with_columns(
        cs.by_dtype(pl.Null).cast(pl.String),  # DuckDB reads no such type
        (cs.float() & cs.by_name(IDS, require_all=False)).fill_nan(None),
    )
    if frame.is_empty():
        raise InputError(f"{name}: no rows")
    return Table(name, frame, found)


def list_names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _read_frame(
    data: Any,  # noqa: ANN401
    kind: Kind,
    con: duckdb.DuckDBPyConnection | None,
    columns: Columns | None,
) -> tuple[str, pl.DataFrame]:
    """The name of an input, for messages, and its rows."""
    if not isinstance(data, str | Path):
        called = f"the {kind.name}"
        with reading(called):
            frame = take_frame(data, called)
            if not frame:
                raise InputError(
                    f"unsupported type {type(data).__name__} for {kind.name}; pass "
                    f"{'what evaluate returns, ' * (kind.name == 'scores')}a frame, or a file"
                )
            found = match_columns(called, kind, frame.columns, columns)
            named = {theirs: ours for ours, theirs in found.items()}
            return called, frame.take(dict.fromkeys(frame.columns, "") | named, kind, called)
    path = expand_home(data)
    with reading(str(data)):
        if not path.is_file():
            if con is not None and isinstance(data, str):
                return data, read_relation(con.table(data))
            raise InputError(f"No file or table named {str(data)!r}")
        text = open_file(path, str(data))
        if con is not None:
            _require_room(con, path, is_parquet=text is None)
        if text is None:
            return str(data), pl.read_parquet(path, hive_partitioning=False, glob=False)
        content, header = read_bytes(path, text.compression), text.filled[0]
        if header.lstrip().startswith(("[", "{")):
            read = pl.read_json if header.lstrip().startswith("[") else pl.read_ndjson
            return str(data), read(BytesIO(content))
        skipped = text.head.splitlines().index(header)
        if kind is STRATA and not columns and len(header.split()) == 5 and "," not in header:
            content = _write_table(content, str(data))
            header, skipped = content[: content.index(b"\n")].decode(), 0
        delimiter, names = split_header(header)
        if kind.columns and are_values(names, columns, kind):
            raise lacks_header(str(data), kind, header, counts=False)
        found = match_columns(str(data), kind, names, columns)
        return str(data), pl.read_csv(
            BytesIO(content),
            separator=delimiter,
            skip_lines=skipped,
            infer_schema_length=None,
            schema_overrides={  # 007 is an id
                part: pl.String for each in found if each in IDS for part in split_key(found[each])
            },
        )


def _require_room(con: duckdb.DuckDBPyConnection, path: Path, *, is_parquet: bool) -> None:
    """Raise `InputError` if a file that is read whole does not fit in a connection's memory limit.

    It takes about three times the bytes of the file and of its rows: as read, and as frames.
    """
    rows = size = path.stat().st_size
    if is_parquet:
        sizes = "SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata(?)"
        ((rows,),) = con.execute(sizes, [str(path)]).fetchall()
    if (needed := 3 * (size + rows)) > read_memory_limit(con):
        raise InputError(
            f"{path} takes about {show_bytes(needed)} of memory, and the limit is "
            f"{show_memory_limit(con)}; raise the limit (--memory-limit)"
        )


def _write_table(text: bytes, name: str) -> bytes:
    """Sampled judgments in TREC text as a table with a header."""
    rows = [b"query_id iteration doc_id stratum relevance".split()]
    for number, line in enumerate(text.splitlines(), start=1):
        rows.append(line.split())
        if len(rows[-1]) != 5:
            raise InputError(
                f"{name}, line {number} has {len(rows[-1])} words; it needs five: query, "
                "iteration, document, stratum, relevance"
            )
    return b"\n".join(map(b"\t".join, rows))
