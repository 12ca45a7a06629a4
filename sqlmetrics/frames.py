"""Frames of any library, and what notebooks hold instead of frames, as DuckDB takes them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import polars as pl

from .columns import QRELS, Kind, match_columns
from .errors import InputError
from .streams import ArrowStream, Stream


def make_frame(data: Any, kind: Kind) -> Any:  # noqa: ANN401
    """A frame that can be read more than once, of whatever holds judgments or a run.

    That is any frame with the Arrow PyCapsule interface, a pandas frame, a dict of dicts as of
    pytrec_eval and ranx, or the named tuples of ir_measures and ir_datasets.
    """
    if kind is QRELS and hasattr(data, "qrels_iter"):  # a dataset of ir_datasets
        data = data.qrels_iter()
    if _is_from(data, "ranx"):
        data = data.to_dict()
    if isinstance(data, Mapping):
        return _tabulate_dict(data, kind)
    if is_sequence_of_tuples(data) or isinstance(data, Iterator):
        return _tabulate_tuples(data, kind)
    if isinstance(data, pl.DataFrame | pl.LazyFrame) or _is_from(data, "pandas"):
        return data
    if not isinstance(data, ArrowStream):
        raise InputError(
            f"the {kind.name} cannot be of type {type(data).__name__}; pass a path, a frame of "
            "polars, pandas or Arrow, a dict of dicts, or a table name with its connection"
        )
    # a table stays as it is; what may hand out its rows only once, as a relation, is read now
    is_table = hasattr(data, "num_rows") or hasattr(data, "shape")
    return data if is_table and not _is_from(data, "duckdb") else pl.DataFrame(Stream(data))


def list_columns(frame: Any) -> list[str] | None:  # noqa: ANN401
    """The columns of a frame of polars or pandas."""
    if isinstance(frame, pl.LazyFrame):
        return frame.collect_schema().names()
    if isinstance(frame, pl.DataFrame) or _is_from(frame, "pandas"):
        return [str(column) for column in frame.columns]
    return None


def take_columns(frame: Any, needed: Sequence[str]) -> ArrowStream:  # noqa: ANN401
    """These columns of a frame, as DuckDB takes them."""
    if isinstance(frame, pl.LazyFrame):
        frame = frame.select(needed).collect()
    if isinstance(frame, pl.DataFrame):
        # DuckDB does not scan polars' type for columns without any value
        return Stream(frame.select(pl.col(needed)).with_columns(pl.col(pl.Null).cast(pl.String)))
    return _settle(frame, needed) if _is_from(frame, "pandas") else Stream(frame)


def is_sequence_of_tuples(data: object) -> bool:
    """Whether these are the named tuples of ir_measures or ir_datasets, or their records."""
    return isinstance(data, list | tuple) and bool(data) and hasattr(data[0], "_fields")


def _is_from(data: object, package: str) -> bool:
    return type(data).__module__.lstrip("_").partition(".")[0] == package


def _tabulate_dict(data: Mapping[Any, Any], kind: Kind) -> pl.DataFrame:
    """The rows of ``{query: {document: value}}``."""
    for query_id, documents in data.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"the {kind.name} dict has {documents!r} for the query {query_id!r}; "
                f"it should be {{query_id: {{doc_id: {kind.value}}}}}"
            )
    lengths = pl.Series([len(documents) for documents in data.values()], dtype=pl.Int64)
    queries = pl.DataFrame({"query_id": _read_ids(data), "length": lengths})
    queries = queries.filter(pl.col("length") > 0)
    return queries.select(pl.col("query_id").repeat_by("length").explode()).with_columns(
        _read_ids(chain.from_iterable(data.values())).alias("doc_id"),
        _read_numbers(chain.from_iterable(d.values() for d in data.values())).alias(kind.value),
    )


def _tabulate_tuples(data: Iterable[Any], kind: Kind) -> pl.DataFrame:
    rows = list(data)
    names = getattr(rows[0], "_fields", ()) if rows else kind.columns
    if not names:
        raise InputError(
            f"the {kind.name} rows are of type {type(rows[0]).__name__}; they should be named "
            f"tuples with {', '.join(kind.columns)}, or a frame"
        )
    found = match_columns(f"the {kind.name}", kind, names)
    return pl.DataFrame(
        {
            column: (_read_numbers if ours in ("relevance", "score") else _read_ids)(
                map(attrgetter(column), rows)
            )
            for ours, column in found.items()
        }
    )


def _read_ids(values: Iterable[Any]) -> pl.Series:
    listed = list(values)
    try:
        return pl.Series(listed, dtype=pl.String)
    except TypeError:
        return pl.Series([None if id is None else str(id) for id in listed], dtype=pl.String)


def _read_numbers(values: Iterable[Any]) -> pl.Series:
    listed = list(values)
    try:
        return pl.Series(listed, dtype=pl.Float64)
    except TypeError:  # text is left for the checks, which say where it stands
        return _read_ids(listed)


def _settle(frame: Any, needed: Sequence[str]) -> Any:  # noqa: ANN401
    """The needed columns of a pandas frame, copied in order, and objects other than text as text.

    DuckDB takes the type of an object column from a sample of its values.
    """
    columns = [column for column in frame.columns if str(column) in needed]
    settled = frame[columns].copy()
    for column in columns:
        values = settled[column]
        infer = sys.modules["pandas"].api.types.infer_dtype
        if values.dtype == object and infer(values, skipna=True) != "string":
            settled[column] = values.map(str, na_action="ignore")
    return settled
