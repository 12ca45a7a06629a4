"""Data: the types of what users have, and what it is called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, Union

from .streams import ArrowStream

if TYPE_CHECKING:
    import duckdb

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
