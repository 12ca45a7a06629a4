"""Scores of queries, as `evaluate` or another tool gives them: a row per run and query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from ..catalogue.parsing import find_metric
from ..errors import InputError
from .columns import SCORES, Columns, fits, has_documents
from .data import expand_home, name_file
from .files import open_file
from .reader import Reader
from .responses import may_be_responses
from .tables import list_names, read_table, require_among
from .text import BLANK, split_header

_KEYS = ("run_id", "query_id")
# What means reads besides.
_MORE = ("weight", "lowest", "highest")


def is_evaluated(scores: Any) -> bool:  # noqa: ANN401
    """Whether they are what `evaluate` returned."""
    return hasattr(scores, "per_query") and hasattr(scores, "metrics")


def take_per_query(scores: Any) -> pl.DataFrame:  # noqa: ANN401
    """The scores of queries that `evaluate` returned; raises `InputError` for those of a log."""
    found: pl.DataFrame = scores.per_query
    if "run_id" not in scores.mean.columns:
        raise InputError("these are scores of a click log, which has no runs; take them from mean")
    return found


def read_scores(
    reader: Reader,
    data: Any,  # noqa: ANN401
    metrics: Sequence[str] = (),
    others: Sequence[str] = (),
    weight: str | None = "",
) -> pl.DataFrame:
    """The scores as rows of run_id, query_id, the columns ``others``, metric and score.

    ``data`` is what `evaluate` returned, or has a column for each metric, or the columns metric and
    score, and those that `means` reads besides; ``weight`` is one, "" where `evaluate` has none.
    All columns of numbers are metrics by default. One run without run_id has the file's name.

    Raises `InputError` for a missing column and for a metric that is not a number.
    """
    if is_evaluated(data):
        if weight == "" and data.weight is not None:
            raise InputError(f"no weights are taken here; score without weight={data.weight!r}")
        known = take_per_query(data)
        numbers = known.select(pl.selectors.numeric()).columns
        listed = [each.name for each in data.metrics if each.name in numbers]
        return read_scores(reader, known, metrics or listed, others, weight or data.weight)
    table = read_table(reader, data, SCORES, [*others, *([weight] if weight else [])])
    name, frame = table.name, table.frame
    for key in {*others} & {*_KEYS, *map(table.found.get, _KEYS)}:
        raise InputError(f"{key} cannot divide the queries; name a column that several have")
    is_long = {"metric", "score"} <= {*frame.columns}
    for each in filter(None, ["score" * is_long, weight]):
        if not frame[each].dtype.is_numeric():
            raise InputError(f"{name}: {each} is text; it must be a number")
    if weight:
        frame = frame.with_columns(weight=weight).drop({weight} - {"weight", *others})
    if "run_id" not in frame.columns:
        if has_documents(name, frame.columns):
            raise InputError(f"{name}: there are documents; pass judgments and runs, or scores")
        frame = frame.with_columns(run_id=pl.lit(name_file(data)))
    frame = frame.with_columns(pl.col(_KEYS).cast(pl.String))
    for key in _KEYS:
        if (frame[key].fill_null("") == "").any():
            raise InputError(f"{name}: a row has no {key}")
    if is_long:
        more = [each for each in _MORE if each in frame.columns and each not in others]
        require_among(frame["metric"].cast(pl.String), metrics, f"{name}: no scores of")
        score = pl.col("score").cast(pl.Float64)
        long = frame.select(*_KEYS, *others, pl.col("metric").cast(pl.String), score, *more)
        return long.filter(pl.col("metric").is_in([*metrics])) if metrics else long
    is_weighted = "weight" in {*frame.select(pl.selectors.numeric()).columns} - {*metrics}
    keys = [*_KEYS, *others, *(["weight"] * is_weighted)]
    long, left = _take_wide(frame, metrics, keys, name)
    reader.notes += [f"{name}: {list_names(left)} not compared: not numbers"] if left else []
    return long


def add_ranges(scores: pl.DataFrame) -> pl.DataFrame:
    """The scores with the ``lowest`` and the ``highest`` that each metric can have, if known."""
    found = {name: find_metric(name) for name in scores["metric"].unique()}
    rows = [(name, *metric.range) for name, metric in found.items() if metric]
    ends = dict.fromkeys(("lowest", "highest"), pl.Float64)
    known = pl.DataFrame(rows, {"metric": pl.String, **ends}, orient="row")
    new = known.drop(end for end in ends if end in scores.columns)
    return scores.join(new, on="metric", how="left", maintain_order="left")


def _take_wide(
    frame: pl.DataFrame, metrics: Sequence[str], keys: list[str], name: str
) -> tuple[pl.DataFrame, list[str]]:
    rest = [column for column in frame.columns if column not in keys]
    numbers = [column for column in rest if frame[column].dtype.is_numeric()]
    require_among(rest, metrics, f"{name}: no scores of")
    if texts := [metric for metric in metrics if metric not in numbers]:
        raise InputError(f"{name}: {texts[0]} is not a number; compare metrics that are numbers")
    if not numbers:
        raise InputError(f"{name}: no column of numbers to compare; there are {list_names(rest)}")
    # not by unpivot: a metric may be called score
    long = pl.concat(
        frame.select(*keys, metric=pl.lit(metric), score=pl.col(metric).cast(pl.Float64))
        for metric in metrics or numbers
    )
    return long, [] if metrics else [column for column in rest if column not in numbers]


def holds_scores(path: str, columns: Columns | None = None) -> bool:
    """Whether a file holds scores of queries rather than a run: it has no documents."""
    if not expand_home(path).is_file():
        return False
    have = _list_columns(expand_home(path))
    return fits(path, SCORES, have, columns) and not has_documents(path, have, columns)


def _list_columns(path: Path) -> list[str]:
    """The columns of a file, by its beginning: a run may have millions of rows."""
    with suppress(InputError, OSError, EOFError, ValueError, pl.exceptions.PolarsError):
        text = open_file(path, str(path))
        if isinstance(text, pl.LazyFrame):
            return text.collect_schema().names()
        first = text.head.lstrip(f"{BLANK}[").partition("\n")[0]
        if not first.startswith("{"):
            return split_header(first)[1]
        if not may_be_responses(first):
            return re.findall(r'"([^"]*)"\s*:', first)
    return []
