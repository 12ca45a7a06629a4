"""Hostile data: what pandas, Excel, exports and mistakes make of clean tables, by what is done.

`SHAPES` give a frame in another shape, `IDS`, `VALUES` and the like give a column other values.
`NAMES`, of hostile.json, are given in place of an id everywhere; `OPTIONS` in place of any option.
"""

from __future__ import annotations

import datetime
import decimal
import io
import json
import math
import uuid
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset

import sqlmetrics as sm

_LISTED = json.loads(Path(__file__).with_name("hostile.json").read_text())
NAMES = _LISTED["names"] | {
    name: word * times for name, (word, times) in _LISTED["repeated"].items()
}


def wrap(value):
    """An array without dimensions."""
    held = np.empty((), dtype=object)
    held[()] = value
    return held


def _itself():
    held = {}
    held["x"] = held
    return held


def nest(frame):
    """Runs, a run or judgments as dicts of dicts; None for other frames."""
    have = [column for column in frame.columns if column != "run_id"]
    if have[:2] != ["query_id", "doc_id"] or len(have) != 3 or frame[have[2]].dtype == pl.String:
        return None
    if "run_id" in frame.columns:
        parts = frame.partition_by("run_id", as_dict=True, include_key=False)
        return {name: nest(rows) for (name,), rows in parts.items()}
    found = {}
    for query, doc, value in frame.rows():
        found.setdefault(query, {})[doc] = value
    return found


def nest_each(frame, make):
    """The same with other values for the dicts of documents, or None."""
    nested = nest(frame)
    return nested and {name: make(documents) for name, documents in nested.items()}


def index(frame, number):
    return frame.to_pandas().set_index(frame.columns[:number])


def save(frame, folder, form="csv"):
    path = folder / f"given.{form}"
    getattr(frame, f"write_{form}")(path)
    return path


# By what is done: functions of a clean frame and a folder; None where there is nothing to do.
SHAPES = {
    "polars, lazy": lambda f, _: f.lazy(),
    "polars, rechunked": lambda f, _: pl.concat([f[:2], f[2:]], rechunk=False),
    "polars, one series": lambda f, _: f.to_series(0),
    "pandas": lambda f, _: f.to_pandas(),
    "pandas, arrow": lambda f, _: f.to_pandas(use_pyarrow_extension_array=True),
    "pandas, objects": lambda f, _: f.to_pandas().astype(object),
    "pandas, best types": lambda f, _: f.to_pandas().convert_dtypes(),
    "pandas, index of one": lambda f, _: index(f, 1),
    "pandas, index of two": lambda f, _: index(f, 2),
    "pandas, index of all": lambda f, _: index(f, len(f.columns)),
    "pandas, index that repeats": lambda f, _: f.to_pandas().set_axis([0] * f.height),
    "pandas, a series by index": lambda f, _: index(f, len(f.columns) - 1).iloc[:, 0],
    "pandas, a series": lambda f, _: f.to_pandas().iloc[:, 0],
    "pandas, columns in levels": lambda f, _: f.to_pandas().set_axis(
        pd.MultiIndex.from_tuples([(c, "") for c in f.columns]), axis=1
    ),
    "pandas, grouped": lambda f, _: f.to_pandas().groupby(f.columns[0]),
    "pandas, columns as numbers": lambda f, _: f.to_pandas().set_axis(
        range(len(f.columns)), axis=1
    ),
    "pandas, a column twice": lambda f, _: pd.concat(
        [f.to_pandas(), f.to_pandas().iloc[:, :1]], axis=1
    ),
    "pandas, named by bytes": lambda f, _: f.to_pandas().set_axis(
        [c.encode() for c in f.columns], axis=1
    ),
    "pandas, empty": lambda f, _: f.to_pandas()[:0],
    "pandas, nothing": lambda f, _: pd.DataFrame(),
    "polars, empty": lambda f, _: f[:0],
    "polars, nothing": lambda f, _: pl.DataFrame(),
    "arrow": lambda f, _: f.to_arrow(),
    "arrow, batch": lambda f, _: f.to_arrow().combine_chunks().to_batches()[0],
    "arrow, batches": lambda f, _: f.to_arrow().to_batches(),
    "arrow, reader": lambda f, _: f.to_arrow().to_reader(),
    "arrow, dataset": lambda f, _: pyarrow.dataset.dataset(f.to_arrow()),
    "arrow, scanner": lambda f, _: pyarrow.dataset.dataset(f.to_arrow()).scanner(),
    "arrow, column": lambda f, _: f.to_arrow().column(0),
    "arrow, dictionaries": lambda f, _: f.with_columns(
        pl.col(pl.String).cast(pl.Categorical)
    ).to_arrow(),
    "numpy, structured": lambda f, _: f.to_numpy(structured=True),
    "numpy, records": lambda f, _: f.to_pandas().to_records(index=False),
    "numpy, objects": lambda f, _: f.to_numpy(),
    "numpy, 0-d": lambda f, _: np.array(f.to_pandas(), dtype=object),
    "numpy, 0-d of a frame": lambda f, _: wrap(f),
    "duckdb": lambda f, _: duckdb.connect().from_arrow(f.to_arrow()),
    "dicts of dicts": lambda f, _: nest(f),
    "dicts of lists of pairs": lambda f, _: nest_each(f, lambda docs: [*docs.items()]),
    "list of that": lambda f, _: nest(f) and [nest(f)],
    "dicts of series": lambda f, _: nest_each(f, pd.Series),
    "dicts of counters": lambda f, _: ("run_id" not in f.columns and nest_each(f, Counter)) or None,
    "list of dicts": lambda f, _: f.to_dicts(),
    "list of tuples": lambda f, _: f.rows(),
    "list of lists": lambda f, _: [list(row) for row in f.rows()],
    "list of named tuples": lambda f, _: [*f.to_pandas().itertuples(index=False)],
    "tuples by generator": lambda f, _: f.to_pandas().itertuples(index=False),
    "dicts by generator": lambda f, _: (row for row in f.to_dicts()),
    "dict of columns": lambda f, _: f.to_dict(as_series=False),
    "dict of arrays": lambda f, _: {c: f[c].to_numpy() for c in f.columns},
    "dict of series": lambda f, _: f.to_dict(),
    "dict of one frame": lambda f, _: {"x": f.drop("run_id", strict=False)},
    "dict of paths": lambda f, folder: {"x": [save(f, folder), save(f, folder, "parquet")]},
    "list of one frame": lambda f, _: [f],
    "text of CSV": lambda f, _: f.write_csv(),
    "bytes of CSV": lambda f, _: f.write_csv().encode(),
    "file of text": lambda f, _: io.StringIO(f.write_csv()),
    "file of bytes": lambda f, _: io.BytesIO(f.write_csv().encode()),
    "CSV": lambda f, folder: save(f, folder),
    "CSV by name": lambda f, folder: str(save(f, folder)),
    "CSV by bytes": lambda f, folder: str(save(f, folder)).encode(),
    "open CSV": lambda f, folder: save(f, folder).open(),
    "Parquet": lambda f, folder: save(f, folder, "parquet"),
    "open Parquet": lambda f, folder: save(f, folder, "parquet").open("rb"),
    "JSON lines": lambda f, folder: save(f, folder, "ndjson"),
    "JSON": lambda f, folder: save(f, folder, "json"),
    "Arrow IPC": lambda f, folder: save(f, folder, "ipc"),
    "Judgments": lambda f, _: sm.Judgments(f),
    "series of rows": lambda f, _: pd.Series(f.to_dicts()),
    "rows upside down": lambda f, _: f.reverse(),
    "more columns": lambda f, _: f.with_columns(pl.lit(None).alias("x"), pl.lit([[1]]).alias("y")),
    "columns in upper case": lambda f, _: f.rename(str.upper),
    "columns with blanks": lambda f, _: f.rename(lambda c: f" {c} "),
    "a column in another case, too": lambda f, _: f.with_columns(
        pl.col(f.columns[0]).alias(f.columns[0].upper())
    ),
    "polars, structs": lambda f, _: f.select(pl.struct(pl.all())),
    "polars, grouped": lambda f, _: f.group_by(f.columns[0]).all(),
    "polars, grouper": lambda f, _: f.group_by(f.columns[0]),
    "a type": lambda f, _: pl.DataFrame,
    "a function": lambda f, _: lambda: f,
    "itself": lambda f, _: _itself(),
}


def put(frame, column, values, *, as_pandas=False):
    """The frame with other values in a column: of polars, or of objects in one of pandas."""
    if not as_pandas:
        return frame.with_columns(pl.Series(column, values, strict=False))
    return frame.to_pandas().assign(**{column: pd.Series([*values], dtype=object)})


def first(value, *, as_pandas=True):
    """Another value in the first row."""
    return lambda f, c: put(f, c, [value, *f[c].to_list()[1:]], as_pandas=as_pandas)


def each(change, *, as_pandas=False):
    """Each value changed."""
    return lambda f, c: put(
        f, c, [None if v is None else change(v) for v in f[c]], as_pandas=as_pandas
    )


def cast(kind):
    return lambda f, c: f.with_columns(pl.col(c).cast(kind))


def cast_pandas(kind):
    return lambda f, c: f.to_pandas().astype({c: kind})


IDS = {
    "floats": cast(pl.Float64),
    "floats in pandas": cast_pandas(float),
    "float32": cast(pl.Float32),
    "floats, one NaN": lambda f, c: put(f, c, [math.nan, *map(float, f[c][1:])]),
    "floats in pandas, one NaN": lambda f, c: f.to_pandas().assign(
        **{c: [math.nan, *map(float, f[c][1:])]}
    ),
    "floats as objects": each(float, as_pandas=True),
    "floats as text": each(lambda v: f"{v}.0"),
    "floats as categories": lambda f, c: f.to_pandas().astype({c: float}).astype({c: "category"}),
    "whole numbers": cast(pl.Int64),
    "whole numbers of 8 bits": cast(pl.UInt8),
    "whole numbers of 128 bits": cast(pl.Int128),
    "whole numbers as objects": each(int, as_pandas=True),
    "whole numbers of numpy as objects": each(np.int64, as_pandas=True),
    "whole numbers that may be NA": cast_pandas("Int64"),
    "decimals": cast(pl.Decimal(12, 2)),
    "decimals without places": cast(pl.Decimal(12, 0)),
    "decimals as objects": each(decimal.Decimal, as_pandas=True),
    "text and numbers": lambda f, c: put(
        f, c, [int(v) if n % 2 else v for n, v in enumerate(f[c])], as_pandas=True
    ),
    "floats and numbers": lambda f, c: put(
        f, c, [int(v) if n % 2 else float(v) for n, v in enumerate(f[c])], as_pandas=True
    ),
    "categories": cast(pl.Categorical),
    "an enum": lambda f, c: f.with_columns(pl.col(c).cast(pl.Enum(f[c].unique().sort()))),
    "categories of pandas": cast_pandas("category"),
    "bytes": cast(pl.Binary),
    "bytes as objects": each(str.encode, as_pandas=True),
    "text of numpy": each(np.str_, as_pandas=True),
    "objects": each(lambda v: type("Id", (), {"__str__": lambda _: v})(), as_pandas=True),
    "objects in polars": lambda f, c: f.with_columns(
        pl.Series(c, [decimal.Decimal(v) for v in f[c]], dtype=pl.Object)
    ),
    "lists of one": each(lambda v: [v]),
    "tuples": each(lambda v: (v,), as_pandas=True),
    "structs": lambda f, c: f.with_columns(pl.struct(pl.col(c)).alias(c)),
    "a blank at the end": each(lambda v: f"{v} "),
    "a blank at the start": each(lambda v: f" {v}"),
    "a no-break space": each(lambda v: f"{v}\u00a0"),
    "a zero-width space": each(lambda v: f"{v}\u200b"),
    "a carriage return": each(lambda v: f"{v}\r"),
    "a leading zero": each(lambda v: f"0{v}"),
    "a prefix": each(lambda v: f"D{v}"),
    "in quotes": each(lambda v: f'"{v}"'),
    "full width": each(lambda v: "".join(chr(ord(d) + 0xFEE0) for d in v)),
    "dates": each(lambda v: datetime.date(2024, 1, int(v[-2:]) % 28 + 1)),
    "times": each(lambda v: datetime.datetime(2024, 1, int(v[-2:]) % 28 + 1, 12)),
    "times of pandas": each(lambda v: pd.Timestamp(2024, 1, int(v[-2:]) % 28 + 1), as_pandas=True),
    "durations": each(lambda v: datetime.timedelta(int(v))),
    "UUIDs": each(lambda v: uuid.UUID(int=int(v)), as_pandas=True),
    "true and false": each(lambda v: v == "1"),
    "complex": each(complex, as_pandas=True),
    "one None": first(None, as_pandas=False),
    "one None in pandas": first(None),
    "one NaN": first(math.nan),
    "one NaT": first(pd.NaT),
    "one NA": first(pd.NA),
    "one is empty": first(""),
    "one is blank": first("  "),
    "all None": each(lambda v: None),
    "all NaN": lambda f, c: f.to_pandas().assign(**{c: math.nan}),
}


VALUES = {
    "text": each(str),
    "text in pandas": each(str, as_pandas=True),
    "text of whole numbers": each(lambda v: str(int(v)) if v == int(v) else str(v)),
    "text with blanks": each(lambda v: f" {v} "),
    "text with a no-break space": each(lambda v: f"{v}\u00a0"),
    "text with a decimal comma": each(lambda v: str(v).replace(".", ",")),
    "text with a thousands separator": each(lambda v: f"{v * 1000:,}"),
    "text with an underscore": each(lambda v: f"0_{v}"),
    "text with an exponent": each(lambda v: f"{v:e}"),
    "text with a plus": each(lambda v: f"+{v}"),
    "text with a unit": each(lambda v: f"{v}%"),
    "text in base 16": each(lambda v: hex(int(v))),
    "text in other digits": each(
        lambda v: "".join(chr(ord(d) + 0x630) if d.isdigit() else d for d in str(v))
    ),
    "text with a minus sign": each(lambda v: f"\u2212{v}"),
    "text in quotes": each(lambda v: f"'{v}'"),
    "categories": lambda f, c: f.with_columns(pl.col(c).cast(pl.String).cast(pl.Categorical)),
    "categories of pandas": cast_pandas("category"),
    "float32": cast(pl.Float32),
    "bytes": each(lambda v: str(v).encode()),
    "bytes as objects": each(lambda v: str(v).encode(), as_pandas=True),
    "decimals": cast(pl.Decimal(12, 4)),
    "decimals as objects": each(lambda v: decimal.Decimal(str(v)), as_pandas=True),
    "numbers of numpy as objects": each(np.float64, as_pandas=True),
    "arrays of one": each(lambda v: np.array(v), as_pandas=True),
    "lists of one": each(lambda v: [v]),
    "text and numbers": lambda f, c: put(
        f, c, [str(v) if n % 2 else v for n, v in enumerate(f[c])], as_pandas=True
    ),
    "true and false": each(bool),
    "true and false as objects": each(bool, as_pandas=True),
    "true and false that may be NA": lambda f, c: f.to_pandas().assign(
        **{c: (f[c] > 0).to_pandas().astype("boolean")}
    ),
    "TRUE and FALSE": each(lambda v: str(bool(v)).upper()),
    "yes and no": each(lambda v: "yes" if v else "no"),
    "dates": each(lambda v: datetime.date(2024, 1, int(v) % 28 + 1)),
    "times": each(lambda v: datetime.datetime(2024, 1, int(v) % 28 + 1)),
    "durations": each(lambda v: datetime.timedelta(v)),
    "durations of pandas": each(lambda v: pd.Timedelta(v), as_pandas=True),
    "complex": each(complex, as_pandas=True),
    "minus zero": each(lambda v: v or -0.0),
    **{
        f"one {name}": first(value)
        for name, value in {
            "None": None,
            "NaN": math.nan,
            "NaT": pd.NaT,
            "NA": pd.NA,
            "text nan": "nan",
            "null": "NULL",
            "N/A": "#N/A",
            "empty": "",
            "blank": " ",
            "dash": "-",
            "object": object(),
            "True": True,
            "decimal NaN": decimal.Decimal("NaN"),
            "itself": _itself(),
        }.items()
    },
    "one NaN in polars": first(math.nan, as_pandas=False),
    "one null in polars": first(None, as_pandas=False),
    "all None": each(lambda v: None),
    "all NaN": lambda f, c: f.to_pandas().assign(**{c: math.nan}),
}
# Ids that may be what they say.
OTHER_IDS = {
    f"one is {value!r:.20}": first(value)
    for value in (
        "nan",
        "None",
        object(),
        _itself(),
        1.0,
        True,
        b"1",
        (1,),
        -1,
        10**40,
        1e300,
        datetime.date(2024, 1, 5),
    )
}
OTHER_IDS |= {"the first twice": lambda f, c: pl.concat([f[:1], f])}
# Values that change what is right: only what is neither a number nor a message is wrong.
EXTREMES = {
    f"one {value!r}": first(value)
    for value in (
        math.inf,
        -math.inf,
        "inf",
        "-Infinity",
        10**30,
        -(10**30),
        10**400,
        1e308,
        -1e308,
        1e-320,
        5e-324,
        2**53 + 1,
        decimal.Decimal("1e400"),
        np.float32(1e38),
    )
} | {
    "all 1e308": each(lambda v: 1e308),
    "all 0": each(lambda v: 0.0),
    "all negative": each(lambda v: -abs(v) - 1),
    "1e-320 each": each(lambda v: v * 1e-320),
    "all alike": each(lambda v: 1.0),
}


# In place of any option; `make_alike` are other forms of the right value.
OPTIONS = (
    *(None, 5, -0.5, 10**30, math.nan, math.inf, True, 1 + 2j, b"AP", object(), int, len),
    *([], [None], {}, {5}, {5: 5}, {"AP": None}, {"AP": math.nan}, {"AP": {}}, {"AP": wrap(0.1)}),
    *(pl.DataFrame(), pl.Series(["AP"]), pl.lit(1), pd.DataFrame({"a": [1]}), pd.Series(["AP"])),
    *(np.array("AP"), np.array(1), np.array([]), np.array([[1, 2]]), wrap(None), np.bool_(1)),
    *(pd.NA, pd.NaT, np.datetime64("2024-01-01"), decimal.Decimal(1), datetime.date(2024, 1, 1)),
    *(pa.array(["AP"]), pa.scalar(1), Path("AP"), range(3), [["AP"]], [b"AP"], {"x": None, "y": 1}),
    *("", " ", "AP", "1", "nan", "AP=0.1", "query_id", "x" * 300, "a\0b\x1b[31mc\nd", "(" * 3000),
    *("\udcff", "' --", "\u2028", "\u00c0P"),
)


def make_alike(value):
    """Other forms of a value: arrays without dimensions, and numbers of NumPy."""
    yield wrap(value)
    if isinstance(value, str | int | float):
        yield np.array(value)
    if isinstance(value, float):
        yield np.float64(value)
    if isinstance(value, int):
        yield np.int64(value)


# What text may be given to any option of a command.
TEXTS = (
    *("", "x" * 300, "a\x1b[31mc\nd", "(" * 3000, "\udcff", "nan", "-1", "1e999", "AP=-1", "-"),
    *("missing.csv", "empty.csv", "binary.csv", "a folder.csv", "qrels0.csv"),
)
