"""Frames of any library, and what notebooks use instead, in a form that DuckDB reads."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import isnan
from numbers import Number
from typing import Any

import polars as pl

from ..errors import InputError
from .columns import (
    EXCLUDED,
    HISTORY,
    IDS,
    KEYS,
    QRELS,
    RUN,
    Columns,
    Kind,
    is_known,
    join_key,
    match_columns,
    quote_name,
    split_key,
)
from .lists import find_lists, is_id, is_list, read_lists
from .streams import ArrowStream, Stream, list_names, list_types


@dataclass(frozen=True)
class ScoreDict:
    """A run as ``{query: {document: score}}``: its ids become columns only where they are needed.

    ``score`` has the scores of all documents, in order.
    """

    given: Mapping[Any, Mapping[Any, float]]
    score: pl.Series

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The rows."""
        lengths = pl.Series([*map(len, self.given.values())], dtype=pl.Int64)
        return pl.DataFrame(
            {
                "query_id": _repeat(_read_ids(self.given, "query_id"), lengths),
                "doc_id": _read_ids(chain.from_iterable(self.given.values()), "doc_id"),
                self.score.name: self.score,
            }
        )

    @property
    def height(self) -> int:
        return len(self.score)

    def head(self, number: int) -> pl.DataFrame:
        """The first rows, at least this many unless there are fewer, of whole queries."""
        taken, rows = {}, 0
        for query_id, documents in self.given.items():
            taken[query_id], rows = documents, rows + len(documents)
            if rows >= number:
                break
        return ScoreDict(taken, self.score.head(rows)).frame

    def collect_schema(self) -> pl.Schema:
        return pl.Schema({"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


def make_frame(data: Any, kind: Kind, name: str, columns: Columns | None) -> Any:  # noqa: ANN401
    """A frame of judgments or a run that can be read more than once.

    ``data`` is a frame with the Arrow PyCapsule interface, a pandas frame, a dict of dicts as in
    pytrec_eval and ranx, a dict of lists of ids, named tuples as in ir_measures and ir_datasets, or
    dicts like these.
    """
    if kind.is_judged and hasattr(data, "qrels_iter"):  # a dataset of ir_datasets
        data = data.qrels_iter()
    if _is_from(data, "ranx"):
        data = data.to_dict()
    refuse_spark(data, name)
    takes_dicts = kind.value_is_number or kind in (EXCLUDED, HISTORY)
    if isinstance(data, Mapping):
        if not takes_dicts:
            columns_needed = " and ".join(kind.columns)
            raise InputError(f"{name} is a dict; pass a frame or a file with {columns_needed}")
        return _tabulate_dict(data, kind if kind.value_is_number else QRELS, name)
    if kind.describes_documents and is_list(type(data)) and all(map(is_id, {*map(type, data)})):
        return pl.DataFrame({"doc_id": _read_ids(data, "doc_id")})
    if is_list_of_rows(data) or (isinstance(data, Iterator) and not isinstance(data, ArrowStream)):
        return _tabulate_rows(list(data), kind, name, columns)
    data = take_index(data)
    if _is_from(data, "pandas") and is_table(data):
        return _tabulate_pandas(data, kind, name, columns)
    if isinstance(data, pl.DataFrame | pl.LazyFrame):
        return data
    if hasattr(data, "__arrow_c_array__") and not isinstance(data, ArrowStream):
        return pl.DataFrame(data)  # a record batch
    if not is_table(data):
        raise InputError(
            f"unsupported type {type(data).__name__} for the {kind.name}; pass a path, a polars, "
            f"pandas or Arrow frame, {'a dict of dicts or of lists of ids, ' * takes_dicts}or a "
            "table name with its connection"
        )
    return pl.DataFrame(Stream(data)) if can_be_read_once(data) else data


def refuse_spark(data: Any, name: str) -> None:  # noqa: ANN401
    """Raise `InputError` for a frame of Spark, whose rows would all come here."""
    if _is_from(data, "pyspark"):
        raise InputError(
            f"{name}: a frame of Spark, whose rows would all come here; give "
            "engine=frame.sparkSession where a function has it, or pass frame.toArrow()"
        )


def is_table(data: object) -> bool:
    """Whether these are columns: a series is a stream, too."""
    if _is_from(data, "pandas"):
        return hasattr(data, "columns")
    is_series = isinstance(data, type) or hasattr(data, "dtype")
    return isinstance(data, ArrowStream | pl.LazyFrame) and not is_series


def take_index(data: Any) -> Any:  # noqa: ANN401
    """A frame or series of pandas with the levels of its index that have names as columns."""
    if not _is_from(data, "pandas") or not hasattr(data, "reset_index"):
        return data
    have = getattr(data, "columns", ())
    levels = [name for name in data.index.names if name is not None and name not in have]
    return data.reset_index(level=levels) if levels else data


def can_be_read_once(data: Any) -> bool:  # noqa: ANN401
    """Whether the rows may be gone once they are read."""
    if isinstance(data, ArrowStream):  # a table of any library has one of these
        return not hasattr(data, "num_rows") and not hasattr(data, "shape")
    return isinstance(data, Iterator) or hasattr(data, "read")


def require_again(run: Any, what: str) -> None:  # noqa: ANN401
    """Raise `InputError` for runs that can be read only once, where ``what`` needs them again."""
    if any(map(can_be_read_once, run if isinstance(run, list) else [run])):
        raise InputError(f"these runs can be read only once; they are {what} here")


def list_columns(frame: Any) -> list[str]:  # noqa: ANN401
    """The columns of a frame or a relation."""
    if isinstance(frame, pl.LazyFrame | ScoreDict):
        return frame.collect_schema().names()
    if isinstance(frame, pl.DataFrame) or _is_from(frame, "pandas") or _is_from(frame, "duckdb"):
        return [str(column) for column in frame.columns]
    return list_names(frame)


def find_list_columns(frame: Any) -> list[str]:  # noqa: ANN401
    """The columns of a frame or a relation that hold lists."""
    if isinstance(frame, pl.DataFrame | pl.LazyFrame | ScoreDict):
        schema = frame.collect_schema()
        return find_lists(schema.names(), schema.dtypes())
    if _is_from(frame, "duckdb"):
        return find_lists(frame.columns, frame.types)
    return [] if _is_from(frame, "pandas") else find_lists(list_columns(frame), list_types(frame))


def list_plain(frame: Any) -> list[str]:  # noqa: ANN401
    """The columns of a frame of polars or pandas whose values are text, whole numbers or truths."""
    if isinstance(frame, pl.DataFrame):
        return [
            name
            for name, kind in frame.schema.items()
            if kind.is_integer() or kind in (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
        ]
    if not _is_from(frame, "pandas"):
        return []
    infer = sys.modules["pandas"].api.types.infer_dtype
    kinds = {
        name: infer(frame[name], skipna=True)
        for name in set(frame.columns)
        if isinstance(name, str) and [*frame.columns].count(name) == 1
    }
    return [
        name
        for name, kind in kinds.items()
        if kind in ("string", "integer", "boolean", "categorical")
    ]


def take_columns(frame: Any, ours: Mapping[str, str]) -> ArrowStream:  # noqa: ANN401
    """Columns of a frame, of which ``ours`` has our names, in a form that DuckDB reads."""
    needed = list(ours)
    if _is_from(frame, "duckdb"):  # read now: DuckDB would wait for itself if con made it
        frame = pl.DataFrame(Stream(frame.project(", ".join(map(quote_name, needed)))))
    if isinstance(frame, pl.LazyFrame):
        frame = frame.select(needed).collect()
    if isinstance(frame, pl.DataFrame):
        return Stream(pl.DataFrame([_convert(frame[column], ours[column]) for column in needed]))
    return _settle(frame, ours) if _is_from(frame, "pandas") else Stream(frame)


def is_list_of_rows(data: object) -> bool:
    """Whether these are named tuples, as of ir_measures and ir_datasets, or dicts like these."""
    if not isinstance(data, list | tuple) or not data:
        return False
    row = data[0]
    if not isinstance(row, Mapping):
        return hasattr(row, "_fields")
    is_row = any(isinstance(value, str | Number) for value in row.values())
    return is_row and is_known(row)  # and not a run's file by its name


def _convert(values: pl.Series, ours: str) -> pl.Series:
    """The column in a type that DuckDB reads; it does not read objects, nulls or huge numbers."""
    if values.dtype == pl.Object:
        return _read_ids(values, ours).alias(values.name)
    if values.dtype.is_float() and ours in IDS:
        values = values.fill_nan(None)
    return values.cast(pl.String) if values.dtype in _UNREAD else values


# The types that DuckDB, or polars from DuckDB, does not read.
_UNREAD = (pl.Null, pl.Int128, pl.Duration)


def _is_from(data: object, package: str) -> bool:
    return type(data).__module__.lstrip("_").partition(".")[0] == package


def _tabulate_dict(data: Mapping[Any, Any], kind: Kind, name: str) -> pl.DataFrame | ScoreDict:
    """The rows of ``{query: {document: value}}``, or of ``{query: [document, …]}``."""
    if any(is_list(type(documents)) for documents in data.values()):
        if kind.is_of_neighbours:
            raise InputError(
                f"{name} has lists of ids, which have no distances; give {{query_id: {{doc_id: "
                "distance}}, or evaluate R@k, with the exact neighbours as judgments"
            )
        listed = read_lists([*data.values()], data, kind, name)
        return pl.DataFrame({"query_id": _read_ids(data, "query_id"), "doc_id": listed})
    for query_id, documents in data.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"{name} has {documents!r:.80} for query {query_id!r}; expected "
                f"{{query_id: {{doc_id: {kind.value}}}}} or {{query_id: [doc_id, …]}}"
            )
    values = chain.from_iterable([documents.values() for documents in data.values()])
    found = ScoreDict(data, _read_numbers(values, kind.value))
    return found if kind is RUN and found.score.dtype == pl.Float64 else found.frame


def _repeat(values: pl.Series, times: pl.Series) -> pl.Series:
    """Each value as many times."""
    has_rows = times > 0
    values, times = values.filter(has_rows), times.filter(has_rows)
    marks = pl.Series([0], dtype=pl.UInt32).new_from_index(0, int(times.sum()))
    return values.gather(marks.scatter(times.cum_sum().head(-1), 1).cum_sum())


def _tabulate_rows(
    rows: Sequence[Any], kind: Kind, name: str, columns: Columns | None
) -> pl.DataFrame:
    names = _list_fields(rows[0]) if rows else kind.columns
    lists = [c for c in names if any(map(is_list, {type(_take(row, c)) for row in rows}))]
    found = match_columns(name, kind, names, columns, lists) if names else {}
    for number, row in enumerate(rows, start=1):
        if number > 1 and type(row) is type(rows[0]):
            continue
        have = _list_fields(row)
        needed = {part for column in found.values() for part in split_key(column)}
        if not have or not (isinstance(row, Mapping) or set(have).issuperset(needed)):
            raise InputError(
                f"row {number} of {name} is {row!r:.80}; expected named tuples or dicts "
                f"with {', '.join(found.values() or kind.columns)}"
            )
    values = {column: [_take(row, column) for row in rows] for column in found.values()}
    return _tabulate_values(values, found, lists, kind, name)


def _tabulate_pandas(frame: Any, kind: Kind, name: str, columns: Columns | None) -> Any:  # noqa: ANN401
    """A frame of polars instead of one of pandas whose documents are in lists."""
    infer = sys.modules["pandas"].api.types.infer_dtype
    lists = [
        str(column)
        for column, values in zip(frame.columns, map(frame.get, frame.columns), strict=True)
        if hasattr(values, "dtype")  # not two columns of this name
        and infer(values, skipna=True) in ("mixed", "unknown-array")  # the latter of Arrow
        and any(map(is_list, {*map(type, values)}))
    ]
    if not lists or not (kind.value_is_number or kind.describes_documents):
        return frame
    found = match_columns(name, kind, list_columns(frame), columns, lists)
    if found["doc_id"] not in lists and not kind.describes_documents:
        return frame
    values = {
        str(column): frame[column].astype(object).where(frame[column].notna(), None).tolist()
        for column in frame.columns
        if str(column) in found.values()
    }
    return _tabulate_values(values, found, lists, kind, name)


def _tabulate_values(
    values: Mapping[str, list[Any]],
    found: Mapping[str, str],
    lists: Container[str],
    kind: Kind,
    name: str,
) -> pl.DataFrame:
    """A frame of the columns that were found: ids, numbers, and lists of both as text."""
    if kind.describes_documents and found.get("doc_id") in lists:
        raise InputError(f"{name} has lists of documents; give a row for each document")
    read = {}
    for ours, column in found.items():
        if column in lists and found.get("doc_id") in lists:
            queries = values[found["query_id"]]
            read[column] = read_lists(values[column], queries, kind, name, holds_ids=ours in IDS)
        elif column in lists and kind.describes_documents:
            cells = (v if v is None or is_list(type(v)) else [v] for v in values[column])
            listed = [v if v is None else [*map(str, v)] for v in cells]
            read[column] = pl.Series(listed, dtype=pl.List(pl.String))
        else:
            read[column] = (_read_ids if ours in IDS else _read_numbers)(values[column], ours)
    return pl.DataFrame(read)


def _take(row: Any, column: str) -> Any:  # noqa: ANN401
    if len(parts := split_key(column)) > 1:
        return join_key(_take(row, part) for part in parts)
    return row.get(column) if isinstance(row, Mapping) else getattr(row, column, None)


def _list_fields(row: object) -> Sequence[str]:
    return list(row) if isinstance(row, Mapping) else getattr(row, "_fields", [])


def _read_ids(values: Iterable[Any], column: str) -> pl.Series:
    """Ids as text; raises `InputError` for keys of other types, which may be written otherwise.

    So may floats among other values of any column.
    """
    listed = list(values)
    if {*map(type, listed)} <= {str}:
        return pl.Series(listed, dtype=pl.String)
    listed = [None if _is_missing(value) else value for value in listed]
    found = {*map(type, listed)} - {type(None)}
    kinds = {kind for kind in found if not is_id(kind)}
    is_mixed = len(found) > 1 and any(issubclass(kind, float) for kind in kinds)
    if kinds and (column in KEYS or (is_mixed and column in IDS)):
        wrong = next(value for value in listed if type(value) in kinds)
        raise InputError(f"{column} {wrong!r:.80} is not an id: ids are text or whole numbers")
    return _write(listed)


def _is_missing(value: object) -> bool:
    """Whether a value is one of those that stand for none: of Python, NumPy or pandas."""
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _write(values: Iterable[Any]) -> pl.Series:
    """Values as text; None stays None."""
    return pl.Series([None if v is None else str(v) for v in values], dtype=pl.String)


def _read_numbers(values: Iterable[Any], column: str) -> pl.Series:
    """Numbers; other values become text, which the checks refuse with its place."""
    listed = list(values)
    with suppress(TypeError, ValueError, OverflowError):
        # what can be added to numbers is a number, except True and False
        if type(sum(listed)) is float:
            numbers = pl.Series(column, listed, dtype=pl.Float64)
            if column != "score" or not ((numbers == 0) | (numbers == 1)).any():
                return numbers
    if not any(_is_other(kind, column) for kind in {*map(type, listed)}):
        with suppress(TypeError, ValueError):
            return pl.Series(column, listed, dtype=pl.Float64)
    return _write(listed).alias(column)


def _is_other(kind: type, column: str) -> bool:
    """Whether values of a type are not numbers, although polars would read them as numbers."""
    if kind.__name__ in ("bool", "bool_"):
        return column == "score"
    # polars crashes on a list or dict that contains itself
    return issubclass(kind, Container) and not issubclass(kind, str)


def _settle(frame: Any, ours: Mapping[str, str]) -> Any:  # noqa: ANN401
    """These columns of a pandas frame, copied in order, with objects as text.

    DuckDB guesses the type of an object column from a sample of its values.
    """
    columns = [column for column in frame.columns if str(column) in ours]
    settled = frame[columns].copy()
    infer = sys.modules["pandas"].api.types.infer_dtype
    for column in columns:
        values = settled[column]
        if values.dtype == object and infer(values, skipna=True) != "string":
            settled[column] = _read_ids(values, ours[str(column)]).to_list()
    return settled
