"""Judgments and runs as users have them: files, tables and frames, as SQL that DuckDB reads."""

from __future__ import annotations

import csv
import glob
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Literal, TypeAlias

import duckdb
import polars as pl

from .catalogue import quote
from .errors import InputError
from .streams import ArrowStream, Stream

Data: TypeAlias = "str | Path | ArrowStream | pl.LazyFrame"
ScoreType: TypeAlias = Literal["float64", "float32"]


@dataclass(frozen=True)
class Kind:
    """What an input holds: its value column, and a line of it in TREC's text format."""

    name: str
    value: str
    trec_line: str
    trec_pattern: str

    @property
    def columns(self) -> tuple[str, str, str]:
        return ("query_id", "doc_id", self.value)


QRELS = Kind(
    "judgments",
    "relevance",
    "query_id iteration doc_id relevance",
    r"^\s*(\S+)\s+\S+\s+(\S+)\s+(\S+)\s*$",
)
RUN = Kind(
    "run",
    "score",
    "query_id Q0 doc_id rank score tag",
    r"^\s*(\S+)\s+\S+\s+(\S+)\s+\S+\s+(\S+)\s+\S",
)


@dataclass(frozen=True)
class Source:
    """An input as SQL: ``rows`` is what stands after FROM, with the values still as given.

    ``name`` is how messages call it. ``numbered_rows`` is for text: the same rows with their line.
    """

    name: str
    kind: Kind
    rows: str
    numbered_rows: str | None = None
    has_run_id: bool = False

    @property
    def is_text(self) -> bool:
        return self.numbered_rows is not None

    def select(self, run_id: str | None = None, score_type: ScoreType = "float64") -> str:
        """The columns as metrics want them: text ids, and a number, NULL where there is none."""
        number = f"TRY_CAST({self.kind.value} AS DOUBLE)"
        if score_type == "float32":
            number = f"CAST({number} AS FLOAT)"
        columns = [
            "CAST(query_id AS VARCHAR) AS query_id",
            "CAST(doc_id AS VARCHAR) AS doc_id",
            f"{number} AS {self.kind.value}",
        ]
        if self.has_run_id:
            columns.insert(0, f"coalesce(CAST(run_id AS VARCHAR), {quote(run_id)}) AS run_id")
        elif run_id is not None:
            columns.insert(0, f"{quote(run_id)} AS run_id")
        listed = ",\n    ".join(columns)
        return f"SELECT\n    {listed}\nFROM {self.rows}"

    def find_rows(
        self, con: duckdb.DuckDBPyConnection, where: str, values: Sequence[str] = ()
    ) -> list[tuple[str, str | None, str | None, str | None]]:
        """Where the first rows that meet a condition stand, and their ids and value as given."""
        rows = self.numbered_rows or f"(SELECT NULL AS line, * FROM {self.rows})"
        columns = ", ".join(f"CAST({column} AS VARCHAR)" for column in self.kind.columns)
        query = f"SELECT line, {columns} FROM {rows} WHERE {where} LIMIT 3"
        return [
            (self.name if line is None else f"{self.name} line {line}", query_id, doc_id, value)
            for line, query_id, doc_id, value in con.execute(query, values).fetchall()
        ]


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn what DuckDB says of an unreadable input into an `InputError` that names it."""
    try:
        yield
    except duckdb.Error as error:
        said = str(error)
        if found := re.search(r"CSV Error on Line: (\d+)\n(?:Original Line: .*\n)?(.+)", said):
            raise InputError(f"cannot read {name} line {found[1]}: {found[2]}") from None
        raise InputError(f"cannot read {name}: {said.splitlines()[0]}") from None


class Reader:
    """Reads inputs on a connection, and takes away what it left there when ``undo`` closes."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, undo: ExitStack, *, has_tables: bool
    ) -> None:
        self.con = con
        self.undo = undo
        self.has_tables = has_tables

    def read(self, data: Data, kind: Kind) -> Source:
        """Find out what the input is and how to read it."""
        if not isinstance(data, str | Path):
            return self._read_frame(data, kind)
        path = Path(data).expanduser()
        if path.is_file():
            with reading(str(data)):
                return self._read_file(path, kind)
        if self.has_tables and isinstance(data, str):
            return self._read_table(data, kind)
        if path.is_dir():
            raise InputError(f"the {kind.name} {data} is a folder; name a file in it")
        raise InputError(f"the {kind.name} file {data} does not exist")

    def keep(self, select: str, *, as_table: bool) -> str:
        """A temporary table (read once) or view (read as needed) of the rows; its quoted name."""
        what = "TABLE" if as_table else "VIEW"
        name = _name_temporarily()
        self.con.execute(f"CREATE TEMP {what} {name} AS {select}")
        self.undo.callback(self.con.execute, f"DROP {what} {name}")
        return name

    def _read_table(self, table: str, kind: Kind) -> Source:
        rows = f"query_table({quote(table)})"
        try:
            columns = self.con.sql(f"SELECT * FROM {rows} LIMIT 0").columns
        except duckdb.Error:
            raise InputError(f"the {kind.name} {table} is neither a file nor a table") from None
        return _with_columns(Source(f"table {table}", kind, rows), columns)

    def _read_frame(self, frame: ArrowStream | pl.LazyFrame, kind: Kind) -> Source:
        if isinstance(frame, pl.LazyFrame):
            frame = frame.collect()
        if isinstance(frame, pl.DataFrame):
            # DuckDB does not scan polars' type for columns without any value
            frame = frame.with_columns(pl.col(pl.Null).cast(pl.String))
        is_pandas = type(frame).__module__.partition(".")[0] == "pandas"
        if not is_pandas and not isinstance(frame, ArrowStream):
            raise InputError(
                f"the {kind.name} cannot be of type {type(frame).__name__}; pass a path, "
                "a table name with its connection, or a polars or pandas frame"
            )
        name = _name_temporarily()
        self.con.register(name, frame if is_pandas else Stream(frame))
        self.undo.callback(self.con.unregister, name)
        columns = self.con.sql(f"SELECT * FROM {name} LIMIT 0").columns
        return _with_columns(Source(f"the {kind.name} frame", kind, name), columns)

    def _read_file(self, path: Path, kind: Kind) -> Source:
        with path.open("rb") as file:
            start = file.read(4)
        # DuckDB takes *, ? and [ in a path for a pattern
        quoted = quote(glob.escape(str(path)))
        if start == b"PAR1":
            rows = f"read_parquet({quoted})"
            columns = self.con.sql(f"SELECT * FROM {rows} LIMIT 0").columns
            return _with_columns(Source(str(path), kind, rows), columns)

        compression = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}.get(start[:2], "none")
        options = f"auto_detect = false, compression = '{compression}'"
        lines = (
            f"read_csv({quoted}, columns = {{'line': 'VARCHAR'}}, header = false, "
            f"delim = chr(1), quote = '', escape = '', {options})"
        )
        first = self.con.execute(
            f"SELECT line FROM {lines} WHERE trim(line) <> '' LIMIT 1"
        ).fetchone()
        if first is None:
            raise InputError(f"{path} is empty")
        first_line = first[0].removeprefix("\ufeff")
        if _is_trec(first_line):
            return _trec_source(path, kind, lines)
        delimiter = max(",\t;|", key=first_line.count)
        columns = next(csv.reader([first_line], delimiter=delimiter))
        types = ", ".join(f"{quote(column)}: 'VARCHAR'" for column in columns)
        rows = (
            f"read_csv({quoted}, columns = {{{types}}}, header = true, "
            f"delim = {quote(delimiter)}, quote = '\"', escape = '\"', {options})"
        )
        numbered = f"(SELECT 1 + row_number() OVER () AS line, * FROM {rows})"
        return _with_columns(Source(str(path), kind, rows, numbered), columns)


def _is_trec(line: str) -> bool:
    """Whether a line has the fields of a TREC file, a number in its place, and not a header."""
    fields = line.split()
    if len(fields) < 4:
        return False
    try:
        float(fields[3] if len(fields) < 6 else fields[4])
    except ValueError:
        return False
    return True


def _trec_source(path: Path, kind: Kind, lines: str) -> Source:
    names = ", ".join(map(quote, kind.columns))
    columns = ", ".join(f"nullif(f.{column}, '') AS {column}" for column in kind.columns)
    fields = f"regexp_extract(line, {quote(kind.trec_pattern)}, [{names}]) AS f"
    rows = f"(SELECT {columns} FROM (SELECT {fields} FROM {lines} WHERE trim(line) <> ''))"
    numbers = "row_number() OVER () AS line, line AS text"
    numbered = (
        f"(SELECT line, {columns} FROM (SELECT {numbers}, {fields} FROM {lines}) "
        "WHERE trim(text) <> '')"
    )
    return Source(str(path), kind, rows, numbered)


def _with_columns(source: Source, columns: Sequence[str]) -> Source:
    """The source, once it is known to have the columns of its kind."""
    have = {column.lower() for column in columns}
    missing = [column for column in source.kind.columns if column not in have]
    if not missing:
        return replace(source, has_run_id=source.kind is RUN and "run_id" in have)
    other = RUN if source.kind is QRELS else QRELS
    if missing == [source.kind.value] and other.value in have:
        raise InputError(
            f"{source.name} has a column {other.value} instead of {source.kind.value}: "
            f"it looks like a {other.name}; judgments come first, then runs"
        )
    lacks = " and no column ".join(missing)
    raise InputError(f"{source.name} has no column {lacks}; it has {', '.join(columns)}")


_numbers = count()


def _name_temporarily() -> str:
    """A name that nothing else on a connection has."""
    return f"_sqlmetrics_{next(_numbers)}"
