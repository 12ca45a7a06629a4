"""Tables that are read whole: scores of queries, users of an experiment, interleaved pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ..errors import InputError
from .columns import IDS, KEYS, Kind
from .frames import read_relation
from .reader import Reader
from .source import Source, describe_floats, reading

# What text may be besides text, if all values of a column are: a type of polars.
_FORMS = {
    r"^[+-]?\d+$": "Int64",
    r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?inf$|^NaN$": "Float64",
    "^(true|false)$": "Boolean",
}


@dataclass(frozen=True)
class Table:
    """A table that was read: ``frame`` has our names of columns, ``found`` the names they had."""

    name: str
    frame: pl.DataFrame
    found: dict[str, str]


def read_table(
    reader: Reader,
    data: Any,  # noqa: ANN401
    kind: Kind,
    others: Sequence[str] = (),
) -> Table:
    """All columns of a table, in text with numbers where all values of a column are.

    Raises `InputError` for a missing column, also of ``others``, and for a table without rows.
    """
    sources = [*reader.find(data, kind)]
    frame = pl.concat([_read(reader, each) for each in sources], how="diagonal_relaxed")
    name = sources[0].name if len(sources) == 1 else str(data)
    found = {ours: theirs for each in sources for ours, theirs in each.read.items()}
    own = {theirs.lower(): ours for ours, theirs in found.items()}
    own |= {column.lower(): column for column in frame.columns}
    more = {each: own.get(each.lower(), each) for each in others if each not in frame.columns}
    require_among(frame.columns, more.values(), f"{name}: no column")
    frame = frame.with_columns(pl.col(column).alias(each) for each, column in more.items())
    frame = frame.drop({*more.values()} - found.keys())  # in other case
    cs = pl.selectors
    for ours, theirs in found.items():
        unfit = cs.nested() | cs.binary() | cs.duration()
        if ours not in IDS:
            unfit |= cs.temporal()
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
    floats = [each for each in KEYS if frame.schema.get(each, pl.String()).is_float()]
    reader.notes += dict.fromkeys(each.note for each in sources if each.note)
    reader.notes += describe_floats(name, floats)
    return Table(name, frame, found)


def _read(reader: Reader, source: Source) -> pl.DataFrame:
    """The rows of a source, with our names of columns."""
    with reading(source.name):
        if isinstance(source.given, pl.LazyFrame):
            frame = source.given.collect()
        else:
            frame = read_relation(reader.con.sql(source.whole))
        frame = frame.rename({theirs: ours for ours, theirs in source.read.items()})
        if source.lines is None:
            return frame
        if source.is_trec and frame["query_id"].has_nulls():
            ((place, *_), *_) = source.find_rows(reader.con, "query_id IS NULL")
            raise InputError(f"{place} is not of the form '{source.kind.trec_line}'")
        return frame.with_columns(_read_text(frame[c]) for c in frame.columns if c not in IDS)


def _read_text(values: pl.Series) -> pl.Series:
    """Text as numbers or truths, if all values are."""
    for form, kind in _FORMS.items():
        if values.null_count() < len(values) and values.str.contains(form).all():
            dtype = getattr(pl, kind)
            read = values.cast(dtype, strict=False) if dtype != pl.Boolean else values == "true"
            if read.null_count() == values.null_count():  # a number may be too large
                return read
    return values


def require_among(have: Iterable[str], names: Iterable[str], lacks: str) -> None:
    """Raise `InputError` for the first of the names that is not there."""
    for missing in (each for each in names if each not in have):
        raise InputError(f"{lacks} {missing}; there are {list_names(have)}")


def list_names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
