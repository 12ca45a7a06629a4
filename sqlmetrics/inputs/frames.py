"""Frames of any library, and what notebooks use instead, in a form that DuckDB reads."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from math import isnan
from typing import Any

import duckdb
import polars as pl

from ..catalogue.parsing import find_metric
from ..errors import InputError
from .columns import EXCLUDED, HISTORY, IDS, KEYS, NAMES, QRELS, RUN, Kind, is_known, quote_name
from .lists import are_tuples, find_lists, flatten, has_form, is_id, is_list, list_rows, read_lists
from .streams import UNREAD, ArrowStream, Stream


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
        queries = _read_objects(self.given, "query_id").repeat_by(lengths)
        return pl.DataFrame(
            {
                "query_id": queries.explode(empty_as_null=False),
                "doc_id": _read_objects(chain.from_iterable(self.given.values()), "doc_id"),
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


@dataclass(frozen=True)
class Frame:
    """A frame of any library: its columns, and their types in the words of the library.

    ``select`` reads some of them into a frame of polars. If that takes long, it ``is_lazy``. It
    ``is_listed`` if its rows stood in a list for each query.
    """

    columns: list[str]
    types: Sequence[object]
    select: Callable[[list[str]], pl.DataFrame]
    is_lazy: bool = False
    is_listed: bool = False

    @property
    def lists(self) -> list[str]:
        """The columns that hold lists."""
        return find_lists(self.columns, self.types)

    @property
    def plain(self) -> list[str]:
        """The columns whose values are text, whole numbers or truths, unless reading takes long."""
        pairs = zip(self.columns, self.types, strict=True)
        return [] if self.is_lazy else [name for name, kind in pairs if _PLAIN.match(str(kind))]

    def take(self, ours: Mapping[str, str], kind: Kind, name: str) -> pl.DataFrame:
        """Columns, of which ``ours`` has our names, in types that DuckDB reads.

        Raises `InputError` for objects that are neither ids nor numbers nor lists of them.
        """
        taken = self.select([*ours])
        lists = [each for each in self.lists if each in ours and taken[each].dtype == pl.Object]
        has_documents = any(ours[each] == "doc_id" for each in lists)
        if has_documents and kind.describes_documents:
            raise InputError(f"{name} has lists of documents; give a row for each document")
        queries = next((taken[each] for each in ours if ours[each] == "query_id"), ())
        read = []
        for column, own in ours.items():
            values = taken[column]
            if column in lists and has_documents:
                values = read_lists([*values], queries, kind, name, holds_ids=own in IDS)
            elif column in lists and kind.describes_documents:
                cells = (v if v is None or is_list(type(v)) else [v] for v in values)
                listed = [v if v is None else [*map(str, v)] for v in cells]
                values = pl.Series(listed, dtype=pl.List(pl.String))
            elif values.dtype == pl.Object:
                values = _read_objects(values, own)
            elif values.dtype.is_float() and own in IDS:
                values = values.fill_nan(None)
            elif values.dtype == pl.Duration and not own:
                values = values.dt.to_string()
            elif values.dtype in (pl.Null, pl.Int128):
                values = values.cast(pl.String)
            read.append(values.alias(column))
        return pl.DataFrame(read)


_PLAIN = re.compile(r"U?Int\d|integer|String|Categorical|Enum|Bool", re.IGNORECASE)


def open_frame(data: Any, kind: Kind, name: str) -> Frame | ScoreDict:  # noqa: ANN401
    """The columns of data of a kind.

    ``data`` is a frame with the Arrow PyCapsule interface, a pandas frame, a dict of dicts as in
    pytrec_eval and ranx, a dict of lists of ids, named tuples as in ir_measures and ir_datasets, or
    dicts like these.
    """
    if kind.is_judged and hasattr(data, "qrels_iter"):  # a dataset of ir_datasets
        data = [*data.qrels_iter()]
    if _is_from(data, "ranx"):
        data = data.to_dict()
    takes_dicts, given = kind.value_is_number or kind in (EXCLUDED, HISTORY), data
    if kind.is_judged or kind is RUN:
        data = _unpivot(unnest_rows(list_rows(data, kind), kind), kind)
    is_listed = data is not given and not are_tuples(given)
    if isinstance(data, Mapping) and takes_dicts:
        data = _tabulate_dict(data, kind if kind.value_is_number else QRELS, name)
        if isinstance(data, ScoreDict):
            return data
    elif kind.describes_documents and is_list(type(data)) and all(map(is_id, {*map(type, data)})):
        data = pl.DataFrame({"doc_id": _read_objects(data, "doc_id")})
    elif isinstance(data, list | tuple) and (not data or has_form(data[:1], r"\[ [{t].*")):
        return replace(_take_rows(data, kind, name), is_listed=is_listed)
    if _is_from(data, "pyspark"):
        raise InputError(
            f"{name}: a frame of Spark, whose rows would all come here; give "
            "engine=frame.sparkSession where a function has it, or pass frame.toArrow()"
        )
    if frame := _take_frame(data):
        return replace(frame, is_listed=is_listed)
    called = re.sub(" (frame|list|dict)( .*)?$", "", name)
    raise InputError(
        f"unsupported type {type(data).__name__} for {called}; "
        f"pass {'what evaluate returns, judgments and runs, ' * (kind.prefix == 'scores')}a path, "
        "a polars, pandas or Arrow frame, "
        f"{'a dict of dicts or of lists of ids, ' * takes_dicts}or a table name with its connection"
    )


def _take_frame(data: Any) -> Frame | None:  # noqa: ANN401
    """The columns of a frame of any library; None for what is none."""
    if isinstance(data, pl.DataFrame | pl.LazyFrame):
        schema, rows = data.collect_schema(), data.lazy()
        is_lazy = isinstance(data, pl.LazyFrame)
        return Frame(schema.names(), schema.dtypes(), lambda c: rows.select(c).collect(), is_lazy)
    if _is_from(data, "duckdb"):  # read at once: DuckDB would wait for itself if con made it
        return Frame(
            data.columns,
            data.types,
            lambda needed: read_relation(data.project(", ".join(map(quote_name, needed)))),
            is_lazy=True,
        )
    if _is_from(data, "pandas"):
        return _take_pandas(data)
    is_series = isinstance(data, type) or hasattr(data, "dtype")  # which is a stream, too
    if is_series or not (isinstance(data, ArrowStream) or hasattr(data, "__arrow_c_array__")):
        return None
    from arro3.core import Table  # needed only for these frames

    table = Table.from_arrow(data)
    fields = map(table.field, range(table.num_columns))
    types = [str(field.type).partition("<")[2] for field in fields]
    return Frame(table.column_names, types, lambda needed: pl.DataFrame(table.select(needed)))


def read_relation(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """The rows of a relation of DuckDB; columns of a type that polars does not read are text."""
    columns = ", ".join(
        f"CAST({quoted} AS VARCHAR) AS {quoted}" if re.match(UNREAD, str(kind)) else quoted
        for quoted, kind in zip(map(quote_name, relation.columns), relation.types, strict=True)
    )
    return pl.DataFrame(Stream(relation.project(columns)))


def unnest_rows(frame: Any, kind: Kind) -> Any:  # noqa: ANN401
    """A row for each document of a frame that has them in structs, or in one column of lists."""
    if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
        return frame
    schema = frame.collect_schema()
    nested = {n: str(held) for n, held in schema.items() if held.is_nested()}
    structs = [name for name, held in nested.items() if held.startswith("Struct")]
    listed = [name for name, held in nested.items() if held.startswith("List(Struct")]
    is_flat = not (structs or listed) or is_known({*schema} - {*structs, *listed}, ("doc_id",))
    if is_flat or len(listed) > 1:
        return frame
    if structs:
        return unnest_rows(frame.unnest(structs, separator="."), kind)
    inside = [each.name for each in schema[listed[0]].inner.fields]  # type: ignore[attr-defined]
    is_last = "List(Struct" not in str(schema[listed[0]].inner)  # type: ignore[attr-defined]
    if kind is RUN and is_last and not is_known({*schema, *inside}, ("score", "rank", "distance")):
        frame = frame.with_columns(rank=pl.int_ranges(1, pl.col(listed[0]).list.len() + 1))
        listed.append("rank")
    rows = frame.explode(listed).drop_nulls(listed)
    rows = rows.select(pl.exclude(*inside)).unnest(listed[0])
    rows = rows.drop(pl.selectors.by_dtype(pl.Null))  # as documents of Haystack have null scores
    own = next((name for name in ("id", "_id") if name in inside), "")
    is_named = not own or is_known(inside, ("doc_id",), 5)  # by an id, which no title is
    return unnest_rows(rows if is_named else rows.rename({own: "doc_id"}), kind)


def _unpivot(data: Any, kind: Kind) -> Any:  # noqa: ANN401
    """A row for each number of a frame of pandas, queries by documents; all else as it is."""
    if not _is_from(data, "pandas") or getattr(data, "ndim", 0) != 2:
        return data
    index, names = data.index, [*map(str, data.columns)]
    has_ids = data.columns.name is not None or (index.name is None and index.dtype.kind == "O")
    is_flat = names and index.nlevels == data.columns.nlevels == 1
    if not (is_flat and has_ids) or any(each.kind not in "iuf" for each in data.dtypes):
        return data
    if is_known(names, NAMES) or any(map(find_metric, names)):
        return data
    rows = data.rename_axis(index="query_id", columns="doc_id").stack().dropna()
    return rows.rename(kind.value).reset_index()


def _take_pandas(data: Any) -> Frame | None:  # noqa: ANN401
    """A frame of pandas, or a series with the levels of its index that have names as columns."""
    if not hasattr(data, "reset_index"):  # of a group
        return None
    have = getattr(data, "columns", ())
    named = [name for name in data.index.names if name is not None and name not in have]
    frame = data.reset_index(level=named) if named else data
    if not hasattr(frame, "columns"):
        return None
    infer = sys.modules["pandas"].api.types.infer_dtype
    names = [str(column) for column in frame.columns]
    columns = [frame.iloc[:, place] for place in range(len(names))]
    inferred = ((infer(values, skipna=True), values) for values in columns)
    unclear = ("mixed", "unknown-array")  # the latter of Arrow
    types = [_find_type(values) if kind in unclear else kind for kind, values in inferred]

    def select(needed: list[str]) -> pl.DataFrame:
        read = (_read_pandas(columns[names.index(name)]).alias(name) for name in needed)
        return pl.DataFrame(read)

    return Frame(names, types, select)


def _read_pandas(values: Any) -> pl.Series:  # noqa: ANN401
    """A column of pandas; polars reads some types of it only with pyarrow."""
    if values.dtype == object:
        return pl.Series(values.to_list(), dtype=pl.Object)
    with suppress(ImportError):
        return pl.Series(values)
    return pl.Series(values.astype(object).where(values.notna(), None).to_list())


def can_be_read_once(data: Any) -> bool:  # noqa: ANN401
    """Whether the rows may be gone once they are read; of several runs, those of one."""
    if isinstance(data, ArrowStream):  # a table of any library has one of these
        return not hasattr(data, "num_rows") and not hasattr(data, "shape")
    if isinstance(data, list | dict):
        runs = data.values() if isinstance(data, dict) else data
        return any(map(can_be_read_once, islice(runs, 50)))
    return isinstance(data, Iterator) or hasattr(data, "read") or getattr(data, "is_fifo", bool)()


def require_again(data: Any, what: str, why: str) -> None:  # noqa: ANN401
    """Raise `InputError` for what can be read only once, where it is read again: ``why`` it is."""
    if can_be_read_once(data):
        raise InputError(f"{what} can be read only once; {why}")


def is_list_of_rows(data: object) -> bool:
    """Whether these are named tuples, as of ir_measures and ir_datasets, or dicts like these."""
    first = data[:1] if isinstance(data, list | tuple) else ()
    is_row = has_form(first, r"\[ \{ .*[abfi].*") and is_known(first[0])  # not a run by its name
    return is_row or has_form(first, r"\[ t") or are_tuples(data)


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
        return pl.DataFrame({"query_id": _read_objects(data, "query_id"), "doc_id": listed})
    for query_id, found in data.items():
        if not isinstance(found, Mapping) or isinstance(next(iter(found.values()), 0), Mapping):
            raise InputError(
                f"{name} has {found!r:.80} for query {query_id!r}; expected "
                f"{{query_id: {{doc_id: {kind.value}}}}} or {{query_id: [doc_id, …]}}"
            )
    values = chain.from_iterable([documents.values() for documents in data.values()])
    read = ScoreDict(data, _read_numbers(values, kind.value))
    return read if kind is RUN and read.score.dtype == pl.Float64 else read.frame


def _take_rows(rows: Sequence[Any], kind: Kind, name: str) -> Frame:
    """Named tuples or dicts, whose columns are those of the first."""
    dicts = [each._asdict() if hasattr(each, "_fields") else each for each in rows]
    if dicts and isinstance(dicts[0], dict) and {*map(type, dicts[0].values())} & {dict}:
        flat = (flatten(each) if isinstance(each, dict) else each for each in dicts)
        rows = dicts = [{key: value for key, (_, value) in each.items()} for each in flat]
    columns = [*dicts[0]] if dicts else kind.columns
    for number, (row, each) in enumerate(zip(rows, dicts, strict=True), start=1):
        if not isinstance(each, Mapping) or (each is not row and not {*columns} <= each.keys()):
            raise InputError(
                f"row {number} of {name} is {row!r:.80}; expected named tuples or dicts "
                f"with {', '.join(columns)}"
            )
    values = {column: [each.get(column) for each in dicts] for column in columns}

    def select(needed: list[str]) -> pl.DataFrame:
        return pl.DataFrame([pl.Series(each, values[each], pl.Object) for each in needed])

    return Frame([*columns], [*map(_find_type, values.values())], select, is_lazy=True)


def _find_type(values: Iterable[Any]) -> str:
    return "List()" if any(map(is_list, {*map(type, values)})) else ""


def _read_objects(values: Iterable[Any], column: str) -> pl.Series:
    """Values as text, unless all are numbers or truths and no ids.

    Raises `InputError` for keys of other types, which may be written otherwise, as may floats among
    other ids.
    """
    listed = list(values)
    if {*map(type, listed)} <= {str}:
        return pl.Series(listed, dtype=pl.String)
    nothing = ("NoneType", "NAType", "NaTType")  # the others are of pandas and NumPy
    is_none = (type(v).__name__ in nothing or (isinstance(v, float) and isnan(v)) for v in listed)
    listed = [None if none else value for none, value in zip(is_none, listed, strict=True)]
    found = {*map(type, listed)} - {type(None)}
    are_truths = found == {bool} and column != "score"
    if column not in IDS and found and (found <= {int, float} or are_truths):
        numbers = pl.Series(listed, dtype=pl.Boolean if are_truths else None, strict=False)
        # whole numbers beyond 64 bits are text, or polars and DuckDB would lose them
        if numbers.dtype != pl.Int128 and numbers.null_count() == listed.count(None):
            return numbers
    kinds = {kind for kind in found if not is_id(kind)}
    is_mixed = len(found) > 1 and any(issubclass(kind, float) for kind in kinds)
    if kinds and (column in KEYS or (is_mixed and column in IDS)):
        wrong = next(value for value in listed if type(value) in kinds)
        raise InputError(f"{column} {wrong!r:.80} is not an id: ids are text or whole numbers")
    return _write(listed)


def _write(values: Iterable[Any]) -> pl.Series:
    """Values as text; None stays None."""
    return pl.Series([None if v is None else str(v) for v in values], dtype=pl.String)


def _read_numbers(values: Iterable[Any], column: str) -> pl.Series:
    """Numbers; other values become text, which the checks refuse with its place."""
    listed = list(values)
    kinds = {*map(type, listed)}
    are_truths = column == "score" and any(kind.__name__ in ("bool", "bool_") for kind in kinds)
    # polars crashes on a list or dict that contains itself
    if not (are_truths or any(issubclass(k, Container) and k is not str for k in kinds)):
        with suppress(TypeError, ValueError):
            return pl.Series(column, listed, dtype=pl.Float64)
    return _write(listed).alias(column)
