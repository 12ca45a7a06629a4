"""Data: the types of what users have, and what it is called."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, Union

from ..catalogue import quote
from .streams import ArrowStream

if TYPE_CHECKING:
    import duckdb
    from _typeshed import DataclassInstance

RunNames: TypeAlias = Literal["file", "tag"]


class SparkFrame(Protocol):
    """A frame of Spark, classic or Connect, which have no class in common."""

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802


class SearchResponse(Protocol):
    """What a client of a search engine returns, unless it is a dict."""

    @property
    def body(self) -> Any:  # noqa: ANN401
        """The response as a dict."""


# A path, URL or table; an open file; a frame of polars, pandas, Arrow, DuckDB or Spark; a dict of
# dicts as of pytrec_eval, or of lists of ids; named tuples as of ir_measures; a response.
Data: TypeAlias = Union[
    str,
    PathLike[str],
    IO[str],
    IO[bytes],
    ArrowStream,
    SparkFrame,
    "duckdb.DuckDBPyRelation",
    Mapping[str, Mapping[str, float]],
    Mapping[str, Collection[str]],
    Iterable[NamedTuple],
    SearchResponse,
]

# One or more runs: a list of them, or a dict by name.
Runs: TypeAlias = Data | Sequence[Data] | Mapping[str, Data]


def name_some(names: Sequence[str]) -> str:
    """Up to three of the names, and how many more there are."""
    return ", ".join(names[:3]) + f" and {len(names) - 3} more" * (len(names) > 3)


def name_columns(named: Mapping[str, object]) -> str:
    """How to name columns, in Python and on the command line."""
    option = ",".join(f"{ours}={column}" for ours, column in named.items())
    return f"columns={named} or --columns {option}"


def expand_home(data: str | Path) -> Path:
    with suppress(RuntimeError):  # no such user
        return Path(data).expanduser()
    return Path(data)


def is_url(data: Data) -> bool:
    return isinstance(data, str) and bool(re.match(r"[a-z][a-z0-9+.-]+://", data))


_ENDS = "gz|zst|csv|tsv|txt|trec|run|parquet|arrow|feather|xlsx|jsonl?"
_SUFFIX = re.compile(rf"\.({_ENDS})$", re.IGNORECASE)


def split_name(name: str) -> list[str]:
    """The parts of a table name, without quotes."""
    found = re.findall(r'"((?:[^"]|"")*)"|([^".]+)', name)
    return [quoted.replace('""', '"') or plain for quoted, plain in found]


def name_file(data: Any) -> str:  # noqa: ANN401
    if not isinstance(data, str | Path):
        data = getattr(data, "name", None) if hasattr(data, "read") else None
        if not isinstance(data, str) or data == "<stdin>":
            return "run"
    name = Path(str(data).partition("?")[0] if is_url(data) else data).name
    while _SUFFIX.search(name) and not name.startswith("."):
        name = name.rpartition(".")[0]
    return name


def read_rows(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def read_as(kind: type[_Row], row: Mapping[str, str]) -> _Row:
    """A row of such a table as an object, whose fields say how a cell is read."""
    return kind(**{each.name: _CELLS[each.type](row[each.name]) for each in fields(kind)})


_Row = TypeVar("_Row", bound="DataclassInstance")
_CELLS: dict[Any, Callable[[str], Any]] = {
    "str": str,
    "bool": bool,
    "tuple[str, ...]": lambda cell: tuple(cell.split()),
}


class Key(str):
    """Several columns that are one of ours together; as text, ``conversation_id+turn``."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]

    def __new__(cls, parts: Iterable[str]) -> Key:
        key = super().__new__(cls, "+".join(listed := tuple(parts)))
        key.parts = listed
        return key


class Cells(Key):
    """Several columns that are a list together."""

    __slots__ = ()


class Cell(Cells):
    """A list in the text of a column, ``a b c`` or ``['a']``; others show what divides, too."""

    __slots__ = ()

    def __new__(cls, parts: Iterable[str]) -> Cell:
        cell = str.__new__(cls, next(iter(listed := tuple(parts))))
        cell.parts = listed
        return cell


def split_key(column: str) -> tuple[str, ...]:
    """The columns of an input that one of ours is read from: itself, or those of a key."""
    return column.parts if isinstance(column, Key) else (column,)


def write_column(column: str, write: Callable[[str], str]) -> str:
    """A column in SQL, by what writes one; of a key, its values joined by +, unambiguously."""
    if isinstance(column, Cell):
        cells = [f"trim({_BUILTIN.format(write(each))}, '[](){{}} ')" for each in column.parts]
        divided = " ".join(_DIVIDED.format(f"regexp_extract({each}, {_BARE})") for each in cells)
        form = _OBJECTS.format(cells[0], quote(column))
        form += f" WHEN NOT regexp_matches({cells[0]}, {_BARE}) THEN {_QUOTED} {divided}"
        form += f" {_UNCLEAR.format(cells[0], quote(column))} ELSE '\\S+'"
        items = f"regexp_extract_all({cells[0]}, CASE {form} END)"
        listed = f"list_transform({items}, lambda _item: trim(_item, ' ''\"'))"
        return f"list_filter({listed}, lambda _item: _item <> '')"
    if isinstance(column, Cells):
        listed = ", ".join(map(write, column.parts))
        return f"list_filter([{listed}], lambda _item: _item IS NOT NULL)"
    if not isinstance(column, Key):
        return write(column)
    escaped = r"replace(replace(CAST({} AS VARCHAR), '\', '\\'), '+', '\+')"
    return " || '+' || ".join(escaped.format(write(part)) for part in column.parts)


# What an item of a cell is: what is in quotes or else what is between semicolons or bars, if there
# are any in the column, or commas, or those that the other columns have, or spaces.
_BARE = """'(?s)^[^''"].*'"""
_QUOTED = r"""'''[^'']*''|"[^"]*"|[^\s,;|''"]+'"""
_DIVIDED = """WHEN bool_or(regexp_matches({0}, '[;|]')) OVER () THEN '[^;|]+'
    WHEN bool_or(contains({0}, ',')) OVER () THEN '[^,]+'"""
# Words alone may be one id, such as New York.
_UNCLEAR = r"""
    WHEN contains({0}, ' ') AND bool_and(regexp_matches({0}, '^(\p{{L}}{{2,}} ?)*$')) OVER ()
    THEN error(concat({1}, ' has ', {0}, ', which may be one id or several; end each id with ;'))"""
_OBJECTS = r"""WHEN bool_or(regexp_matches({0}, '(^|[{{,])\s*[''"][^''"]*[''"]\s*:')) OVER ()
    THEN error(concat({1}, ' holds objects as text; make JSON lines with DuckDB: COPY (',
        'SELECT * REPLACE ("', {1}, '"::JSON AS "', {1}, '") FROM ''….csv'') TO ''x.jsonl'''))"""
# A list as text, with values of numpy as Python's own.
_BUILTIN = r"regexp_replace(CAST({} AS VARCHAR), '\b(?:np\.\w+\(([^()]*)\)|set\(\))', '\1', 'g')"
