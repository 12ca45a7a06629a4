"""Judgments and runs as users have them: files, tables and frames, as SQL that DuckDB reads."""

from __future__ import annotations

import csv
import glob
import gzip
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from io import TextIOWrapper
from itertools import count, islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import duckdb
import polars as pl

from .catalogue import quote
from .errors import InputError
from .streams import ArrowStream, Stream

Data: TypeAlias = "str | Path | ArrowStream | pl.LazyFrame"
ScoreType: TypeAlias = Literal["float64", "float32"]


@dataclass(frozen=True)
class Kind:
    """What an input holds: what it and its rows are called, its value column, its TREC lines."""

    name: str
    likeness: str
    rows: str
    value: str
    trec_line: str
    trec_pattern: str

    @property
    def columns(self) -> tuple[str, str, str]:
        return ("query_id", "doc_id", self.value)

    @property
    def other(self) -> Kind:
        return RUN if self is QRELS else QRELS


QRELS = Kind(
    "judgments",
    "judgments",
    "judgments",
    "relevance",
    "query_id iteration doc_id relevance",
    r"^\s*(\S+)\s+\S+\s+(\S+)\s+(\S+)\s*$",
)
RUN = Kind(
    "run",
    "a run",
    "documents",
    "score",
    "query_id Q0 doc_id rank score tag",
    r"^\s*(\S+)\s+\S+\s+(\S+)\s+\S+\s+(\S+)\s+\S",
)


@dataclass(frozen=True)
class Source:
    """An input as SQL: ``rows`` is what stands after FROM, with the values still as given.

    ``name`` is how messages call it. Text has ``numbered_rows``, the same with a column ``_line``;
    in delimited text, which then has its ``path``, this is the number of the row.
    """

    name: str
    kind: Kind
    rows: str
    numbered_rows: str | None = None
    has_run_id: bool = False
    path: Path | None = None

    @property
    def is_text(self) -> bool:
        return self.numbered_rows is not None

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


@dataclass(frozen=True)
class Input:
    """A source that was read: the ``query`` of its columns, and the ``table`` that holds them."""

    source: Source
    query: str
    table: str


def _find_line(path: Path, row: int) -> int:
    """The line of a row of a delimited text, in which blank lines and quoted breaks may stand."""
    with path.open("rb") as raw, suppress(UnicodeError, csv.Error):
        is_gzip = raw.read(2) == _GZIP
        raw.seek(0)
        with gzip.open(raw) if is_gzip else raw as file:
            lines = csv.reader(TextIOWrapper(file, encoding="utf-8", newline=""))
            return next(islice((lines.line_num for fields in lines if fields), row, None))
    return row + 1


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn what DuckDB says of an unreadable input into an `InputError` that names it."""
    try:
        yield
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    except duckdb.Error as error:
        said = re.sub(r"^[\w ]+ Error: ", "", str(error))
        if found := _CSV_ERROR.search(said):
            raise InputError(f"cannot read {name} line {found[1]}: {found[2]}") from None
        raise InputError(f"cannot read {name}: {said.splitlines()[0]}") from None


_CSV_ERROR = re.compile(
    r"CSV Error on Line: (\d+)\n.*?^((?:Value|Expected|Invalid|Error|Maximum|Missing).*?)$",
    re.DOTALL | re.MULTILINE,
)
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5"


class Reader:
    """Reads inputs on a connection, and takes away what it left there when ``undo`` closes."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, undo: ExitStack, *, has_tables: bool
    ) -> None:
        self.con = con
        self.undo = undo
        self.has_tables = has_tables

    def find(self, data: Data, kind: Kind, name: str | None = None) -> Source:
        """What the input is and how to read it; ``name`` tells a frame from others."""
        if not isinstance(data, str | Path):
            return self._read_frame(
                data, kind, f"the {kind.name} frame" + (f" {name}" if name else "")
            )
        path = Path(data).expanduser()
        is_table = isinstance(data, str) and self.has_tables and self._has_table(data)
        if is_table and path.is_file():
            raise InputError(f"{data} is a table and a file; pass Path('{data}') for the file")
        if path.is_file():
            with reading(str(path)):
                return self._read_file(path, kind)
        if is_table:
            with reading(f"table {data}"):
                return self._read_table(str(data), kind)
        if path.is_dir() and data != "":
            raise InputError(f"the {kind.name} {data} is a folder; name a file in it")
        if self.has_tables:
            raise InputError(f"the {kind.name} {data} is neither a file nor a table of con")
        hint = "" if path.suffix else "; a table needs its connection, con="
        raise InputError(f"the {kind.name} file {data} does not exist{hint}")

    def read(
        self, source: Source, run_id: str | None = None, score_type: ScoreType = "float64"
    ) -> Input:
        """The columns as metrics want them: text ids, and a number, NULL where there is none.

        Text is read once, into a temporary table; all else stands behind a view.
        """
        value = source.kind.value
        number = f"TRY_CAST({value} AS DOUBLE)"
        columns = [
            "CAST(query_id AS VARCHAR) AS query_id",
            "CAST(doc_id AS VARCHAR) AS doc_id",
            f"{f'CAST({number} AS FLOAT)' if score_type == 'float32' else number} AS {value}",
        ]
        if source.has_run_id:
            columns.insert(0, "CAST(run_id AS VARCHAR) AS run_id")
        elif run_id is not None:
            columns.insert(0, f"{quote(run_id)} AS run_id")
        listed = ",\n    ".join(columns)
        query = f"SELECT\n    {listed}\nFROM {source.rows}"
        with reading(source.name):
            return Input(source, query, self.keep(query, as_table=source.is_text))

    def keep(self, query: str, *, as_table: bool = False) -> str:
        """The name of a temporary table or view of a query."""
        what = "TABLE" if as_table else "VIEW"
        name = _name_temporarily()
        self.con.execute(f"CREATE TEMP {what} {name} AS {query}")
        self._undo(lambda: self.con.execute(f"DROP {what} {name}"))
        return name

    def _undo(self, step: Callable[[], object]) -> None:
        def undo() -> None:
            # an error within a transaction of the user's has undone it already
            with suppress(duckdb.Error):
                step()

        self.undo.callback(undo)

    def _has_table(self, name: str) -> bool:
        """Whether there is a table or view of that name, which may be qualified and quoted."""
        parts = re.findall(r'"((?:[^"]|"")*)"|([^".]+)', name)
        last = (parts[-1][0].replace('""', '"') or parts[-1][1]) if parts else ""
        query = """
            SELECT 1 FROM duckdb_tables() WHERE lower(table_name) = lower($name)
            UNION ALL SELECT 1 FROM duckdb_views() WHERE lower(view_name) = lower($name)
        """
        return bool(self.con.execute(query, {"name": last}).fetchall())

    def _read_table(self, table: str, kind: Kind) -> Source:
        rows = f"query_table({quote(table)})"
        columns = self.con.sql(f"SELECT * FROM {rows} LIMIT 0").columns
        return _require_columns(Source(f"table {table}", kind, rows), columns)

    def _read_frame(self, frame: ArrowStream | pl.LazyFrame, kind: Kind, name: str) -> Source:
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
        columns = getattr(frame, "columns", None)
        if columns is not None:  # as of polars and pandas
            _require_columns(Source(name, kind, ""), [str(column) for column in columns])
        table = _name_temporarily()
        with reading(name):
            self.con.register(table, _settle(frame, kind) if is_pandas else Stream(frame))
            self._undo(lambda: self.con.unregister(table))
            columns = self.con.sql(f"SELECT * FROM {table} LIMIT 0").columns
        return _require_columns(Source(name, kind, table), columns)

    def _read_file(self, path: Path, kind: Kind) -> Source:
        with path.open("rb") as file:
            start = file.read(4)
        # DuckDB takes *, ? and [ in a path for a pattern
        quoted = quote(glob.escape(str(path)))
        if start == b"PAR1":
            rows = f"read_parquet({quoted}, hive_partitioning = false)"
            columns = self.con.sql(f"SELECT * FROM {rows} LIMIT 0").columns
            return _require_columns(Source(str(path), kind, rows), columns)

        compression = {_GZIP: "gzip", _ZSTD: "zstd"}.get(start[:2], "none")
        if compression == "gzip" and duckdb.__version__.startswith("1."):
            _check_gzip(path)
        options = f"auto_detect = false, compression = '{compression}', hive_partitioning = false"
        lines = (
            f"read_csv({quoted}, columns = {{'line': 'VARCHAR'}}, header = false, "
            f"delim = chr(1), quote = '', escape = '', strict_mode = false, {options})"
        )
        query = f"SELECT line FROM {lines} WHERE trim(line) <> '' LIMIT 1"
        first = [line for (line,) in self.con.execute(query).fetchall()]
        if not first:
            raise InputError(f"{path} is empty")
        line = first[0].removeprefix("\ufeff")
        delimiter = max(",\t;|", key=line.count)
        columns = [name.strip() for name in next(csv.reader([line], delimiter=delimiter))]
        if len(line.split()) >= 4 and not {"query_id", "doc_id"} & {c.lower() for c in columns}:
            return _trec_source(path, kind, lines, line)
        source = _require_columns(Source(str(path), kind, "", path=path), columns)
        used = [*kind.columns[:2], *["run_id"] * source.has_run_id]
        names = (
            column if column.lower() in (*used, kind.value) else f"_{number}"
            for number, column in enumerate(columns)
        )
        types = ", ".join(f"{quote(name)}: 'VARCHAR'" for name in names)
        read = (
            f"read_csv({quoted}, columns = {{{types}}}, header = true, "
            f"delim = {quote(delimiter)}, quote = '\"', escape = '\"', {options})"
        )
        # trim keeps DuckDB from reading the values as numbers, which says less when one is not
        rows = f"SELECT {', '.join(used)}, trim({kind.value}) AS {kind.value} FROM {read}"
        numbered = f"(SELECT row_number() OVER () AS _line, * FROM ({rows}))"
        return replace(source, rows=f"({rows})", numbered_rows=numbered)


def _settle(frame: Any, kind: Kind) -> Any:  # noqa: ANN401
    """The needed columns of a pandas frame, copied in order, and objects other than text as text.

    DuckDB takes the type of an object column from a sample of its values.
    """
    needed = [c for c in frame.columns if str(c).lower() in (*kind.columns, "run_id")]
    settled = frame[needed].copy()
    for column in needed:
        values = settled[column]
        infer = sys.modules["pandas"].api.types.infer_dtype
        if values.dtype == object and infer(values, skipna=True) != "string":
            settled[column] = values.map(str, na_action="ignore")
    return settled


def _check_gzip(path: Path) -> None:
    """Refuse what DuckDB before 2.0 takes for whole: a .gz that ends too early."""
    try:
        with gzip.open(path) as file:
            while file.read(1 << 20):
                pass
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from None


def _trec_source(path: Path, kind: Kind, lines: str, first: str) -> Source:
    other = kind.other
    if re.match(other.trec_pattern, first) and not re.match(kind.trec_pattern, first):
        raise _seems_other(str(path), kind, f"lines like '{other.trec_line}'")
    names = ", ".join(map(quote, kind.columns))
    columns = ", ".join(f"nullif(f.{column}, '') AS {column}" for column in kind.columns)
    fields = f"regexp_extract(line, {quote(kind.trec_pattern)}, [{names}]) AS f"
    rows = f"(SELECT {columns} FROM (SELECT {fields} FROM {lines} WHERE trim(line) <> ''))"
    numbers = "row_number() OVER () AS _line, line AS text"
    numbered = (
        f"(SELECT _line, {columns} FROM (SELECT {numbers}, {fields} FROM {lines}) "
        "WHERE trim(text) <> '')"
    )
    return Source(str(path), kind, rows, numbered)


def _require_columns(source: Source, columns: Sequence[str]) -> Source:
    """The source, once it is known to have the columns of its kind."""
    have = [column.lower() for column in columns]
    if twice := [column for column in (*source.kind.columns, "run_id") if have.count(column) > 1]:
        raise InputError(f"{source.name} has the column {twice[0]} twice")
    missing = [column for column in source.kind.columns if column not in have]
    if not missing:
        return replace(source, has_run_id=source.kind is RUN and "run_id" in have)
    other = source.kind.other
    if missing == [source.kind.value] and other.value in have:
        raise _seems_other(source.name, source.kind, f"a column {other.value}")
    lacks = " and no column ".join(missing)
    raise InputError(f"{source.name} has no column {lacks}; it has {', '.join(columns) or 'none'}")


def _seems_other(name: str, kind: Kind, what: str) -> InputError:
    return InputError(
        f"{name} has {what}: it looks like {kind.other.likeness}, not {kind.likeness}; "
        "judgments come first, then runs"
    )


_numbers = count()


def _name_temporarily() -> str:
    """A name that nothing else on a connection has."""
    return f"_sqlmetrics_{next(_numbers)}"
