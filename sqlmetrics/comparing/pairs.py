"""The scores that are compared: rows of run, query, metric and segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl

from ..catalogue import quote
from ..catalogue.parsing import find_metric
from ..engine.connections import open_reader
from ..engine.coverage import note_uneven
from ..engine.relations import Rows
from ..errors import InputError, read_names
from ..inputs.tables import is_evaluated, read_scores

if TYPE_CHECKING:
    from ..catalogue import Metric
    from ..inputs.columns import Columns

# The beginning of a note, before a column.
WEIGHTED = "means and differences are weighted by"


def take_scores(
    scores: Any,  # noqa: ANN401
    metrics: str | Iterable[str] = (),
    by: str | Iterable[str] | None = None,
    weight: str | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> tuple[pl.DataFrame, tuple[str, ...], list[str]]:
    """The scores by run_id, query_id, segments, metric and perhaps weight; the segments; notes."""
    own = scores.metrics if is_evaluated(scores) else ()
    if isinstance(metrics, str):
        metrics = [metrics] if metrics in {m.name for m in own} else metrics.split()
    wanted = read_names("metrics", metrics)
    segments = tuple(read_names("by", getattr(scores, "segments", ()) if by is None else by))
    weight = weight or (name if isinstance(name := (columns or {}).get("weight"), str) else None)
    with open_reader(con, None if own else columns) as reader:
        long, notes = read_scores(reader, scores, wanted, segments, weight), reader.notes
    segments = segments or ("segment",) * ("segment" in long.columns)
    if "weight" in long.columns:
        notes.append(f"{WEIGHTED} {weight or getattr(scores, 'weight', None) or 'weight'}")
    if own:
        notes += note_uneven(scores.judged)
        texts = [m.name for m in own if scores.per_query.schema.get(m.name) == pl.String]
        if texts and not wanted:
            notes.append(f"{', '.join(texts)} not compared: not a number")
        compared = {*long["metric"]}
        if other := [m.name for m in own if m.name in compared and m.summary != "mean"]:
            notes.append(f"{', '.join(other)}: compared by the mean of the queries")
    return long, segments, notes


def list_losses(metrics: Iterable[str], scores: Any) -> list[str]:  # noqa: ANN401
    """Those of the metrics whose lower score is better."""
    found = ((name, _find_metric(name, scores)) for name in metrics)
    return [name for name, metric in found if metric and metric.is_loss]


def _find_metric(name: str, scores: Any) -> Metric | None:  # noqa: ANN401
    """The metric of this name; ``scores`` may be what `evaluate` returned."""
    own = (each.metric for each in getattr(scores, "metrics", ()) if each.name == name)
    return next(own, None) or find_metric(name)


def find_ranges(long: pl.DataFrame, scores: Any = None) -> dict[str, tuple[float, float]]:  # noqa: ANN401
    """The lowest and the highest score that each metric can have.

    They are infinite for a name that is not a metric's, and where the finite scores prove that it
    means something else, such as nDCG in per cent. ``scores`` are what `evaluate` returned, if they
    are.
    """
    finite = pl.col("score").filter(pl.col("score").is_finite())
    found = {}
    for metric, low, high in (
        long.group_by("metric").agg(low=finite.min(), high=finite.max()).iter_rows()
    ):
        named = _find_metric(metric, scores)
        lowest, highest = named.range if named else (-inf, inf)
        holds = low is not None and lowest <= low and high <= highest
        found[metric] = (lowest, highest) if holds else (-inf, inf)
    return found


def note_apart(scores: Any, run: str, baseline: Any) -> list[str]:  # noqa: ANN401
    """What `note_uneven` says of a run and a baseline that were scored apart.

    It is known of what `evaluate` returns, and not of scores in files and frames.
    """
    known = [getattr(each, "judged", None) for each in (scores, baseline)]
    parts = [each for each in known if isinstance(each, pl.DataFrame)]
    if len(parts) < 2:
        return []
    new, old = parts
    new = new.filter(run_id=run).with_columns(run_id=pl.lit("the run"))
    old = old.with_columns(run_id=pl.lit("the baseline"))
    return note_uneven(new.vstack(old)) if new["k"].equals(old["k"]) else []


def weigh(pairs: Rows, baseline: str | None, within: float | None = None) -> str:
    """The table of the rows as what they add to means, where queries have weights."""
    query = f"SELECT *, CAST(NULL AS DOUBLE) AS weight FROM {pairs.table}"
    scores = pairs.inputs["scores"]
    if "weight" in pairs.reader.run(f"FROM {scores} LIMIT 0").columns:
        query = f"FROM weighted({scores}, {quote(baseline)}, {quote(within)})"
    try:
        return pairs.reader.create(query)
    except duckdb.InvalidInputException as error:  # from error() in a macro
        raise InputError(str(error).partition(": ")[2]) from None


def join_segments(long: pl.DataFrame, segments: Sequence[str]) -> pl.DataFrame:
    """The rows with the columns of their segments as one, as relations take them."""
    return long.select(pl.exclude(segments), segment=pl.struct(segments)) if segments else long


def read_segments(joined: pl.DataFrame) -> dict[str, Any]:
    """The columns of the segments that `join_segments` made one, with their types."""
    types = joined.schema.get("segment")
    return {**types.to_schema()} if isinstance(types, pl.Struct) else {}


def sort_segments(
    found: pl.DataFrame, joined: pl.DataFrame, shown: Iterable[str] = ()
) -> pl.DataFrame:
    """What was found of them by metric and segment; ``shown`` are columns beside the segments'."""
    if segments := read_segments(joined):
        for name in {*segments} & {*found.columns, *shown} - {"segment"}:
            raise InputError(f"by: {name} is a column of the result; rename the table's")
        found = found.unnest("segment").cast(pl.Schema(segments))
    return found.sort(place(joined["metric"]), *segments, nulls_last=True, maintain_order=True)


def place(names: Iterable[str], column: str = "metric") -> pl.Expr:
    """What sorts rows by a column of names, in the order in which these are given."""
    return pl.col(column).cast(pl.Enum([*dict.fromkeys(names)]))


def take_most(
    rows: pl.DataFrame, keys: Sequence[str], number: int, *, gains: bool = False
) -> pl.DataFrame:
    """The queries of each group that lose most, or that gain most, this many."""
    size = pl.max_horizontal(pl.col("score", "baseline_score").abs())
    order = settle("difference", size).over(keys)
    found = rows.sort(order, "query_id", descending=[gains, False])
    return found.group_by(keys, maintain_order=True).head(number)


def settle(column: str, size: pl.Expr) -> pl.Expr:
    """The place of each number, 0 for the lowest; numbers that are nearly equal share one.

    ``size`` is that of the scores that the numbers are computed from, which were rounded.
    """
    numbers = pl.col(column)
    is_next = numbers.sort().diff().fill_null(0) > 1e-12 * size.max()
    return is_next.cum_sum().cast(pl.Int64).gather(numbers.arg_sort().arg_sort())
