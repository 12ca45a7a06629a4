"""Scores of a log of clicks, and their intervals: how far ratios of sums may be by luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from .catalogue.measures import Measure
from .engines import open_tables
from .errors import InputError, MetricError
from .inputs.columns import name_log
from .inputs.data import Data
from .inputs.source import reading
from .macros.create import prepare
from .macros.statements import Segments, build
from .progress import begin, warn
from .running.duckdb import select_exactly
from .running.intervals import FEW, place_ends
from .running.relations import ENDS, Rows, keep, list_groups
from .running.session import Part, Question

if TYPE_CHECKING:
    from .inputs.reader import Reader

# What is scored when no metric is named.
DEFAULT_METRICS = "Pages CTR CTR@1 ClickRR Abandonment ZeroResults"

_UNIT = "_unit"  # a column beside those of the log


def score_log(
    question: Question,
    log: Data,
    alpha: float | None,
    engine: Any,  # noqa: ANN401
    **where: Any,  # noqa: ANN401
) -> Part:
    """The scores of a log, in one row or in one for each segment; with ``alpha``, intervals.

    ``where`` are options of `open_tables`.
    """
    wanted, segments = question.metrics, question.segments
    asked = Segments(columns=segments)
    if alpha is not None and engine is not None:
        raise InputError("intervals works only with DuckDB; remove it or engine")
    kinds = {"log": name_log(segments, has_users=alpha is not None)}
    with open_tables({"log": log}, kinds, engine, **where) as there:
        name = there.given["log"].name
        with reading(name):
            begin("scoring")
            table = there.named["log"]
            scores = there.ask(build(wanted, {"log": table}, segments=asked)).sort(segments)
            notes = there.notes
            if alpha is not None:
                begin("computing intervals")
                unit = _find_unit(there.reader, name, table)
                scores, others = _add_intervals(there.reader, table, unit, scores, question, alpha)
                notes = [*notes, *others]
        warn(notes)
        statement = there.write(build(wanted, {"log": "_log"}, segments=asked))
    return Part(pl.DataFrame(), scores, statement, notes)


def _add_intervals(
    reader: Reader, table: str, unit: str, scores: pl.DataFrame, question: Question, alpha: float
) -> tuple[pl.DataFrame, list[str]]:
    """The scores, those of shares and means followed by the ends of their intervals, and notes."""
    wanted, segments = question.metrics, question.segments
    rates = [measure for measure in wanted if measure.is_rate]
    if not rates:
        raise MetricError("intervals are of shares and means; name one, such as CTR")
    found = _bound(_linearize(reader, table, unit, rates, segments), rates, segments, alpha)
    notes = [*_describe(found, unit, [measure for measure in wanted if not measure.is_rate])]
    return place_ends(scores, found, segments, rates), notes


def _find_unit(reader: Reader, name: str, table: str) -> str:
    """Whose rows belong together: users, or pages where the log does not know them."""
    if "user_id" not in reader.con.sql(f"FROM {table} LIMIT 0").columns:
        return "page"
    query = f"""
        SELECT page_id, min(user_id), max(user_id) FROM {table}
        GROUP BY page_id HAVING min(user_id) <> max(user_id) LIMIT 1
    """
    for page, one, other in reader.con.execute(query).fetchall():
        raise InputError(
            f"{name}: page {page} has users {one} and {other}; give each view of results a page_id "
            "of its own"
        )
    return "user"


def _linearize(
    reader: Reader, log: str, unit: str, rates: Sequence[Measure], segments: Sequence[str]
) -> Rows:
    """What each user or page adds to the parts of each ratio, as scores."""
    of_page = "concat('page ', page_id)"  # also of a page whose user is not known
    key = of_page
    if unit == "user":
        key = f"CASE WHEN user_id IS NULL THEN {of_page} ELSE concat('user ', user_id) END"
    table = reader.keep(f"SELECT *, {key} AS {_UNIT} FROM {log}")
    by = Segments(columns=(*segments, _UNIT))
    query = prepare(reader.con, build(rates, {"log": table}, segments=by), "parts")
    parts = select_exactly(reader, query)
    users = pl.concat(
        parts.select(
            *([pl.struct(segments).alias("segment")] if segments else []),
            metric=pl.lit(measure.name),
            variant=pl.lit("all"),
            user_id=_UNIT,
            numerator=pl.col(measure.name).struct.field("part"),
            denominator=pl.col(measure.name).struct.field("whole"),
        )
        for measure in rates
    )
    rows = keep(reader, f"FROM linearized({reader.register(users)})")
    return Rows(reader, rows, {}, list_groups("linearized"))


def _bound(
    rows: Rows, rates: Sequence[Measure], segments: Sequence[str], alpha: float
) -> pl.DataFrame:
    """The interval of each metric and segment, and the number of its users or pages."""
    limits = [(measure.name, *map(float, measure.metric.range)) for measure in rates]
    columns = {"metric": pl.String, "lowest": pl.Float64, "highest": pl.Float64}
    confidence = f"confidence := {float(1 - alpha)!r}"
    found = rows.ask(
        {
            "units": "count(*)",
            "mean": "avg(p.score)",
            "margin": f"margin_of_error(p, {confidence})",
            "ends": f"mean_interval(p, lowest := g.lowest, highest := g.highest, {confidence})",
            "lowest": "g.lowest",
            "highest": "g.highest",
        },
        given=pl.DataFrame(limits, columns, orient="row"),
        by=["metric", *(["segment"] if segments else [])],
    )
    has_limits = pl.col("highest").is_finite()
    found = found.with_columns(
        pl.when(has_limits)
        .then(ENDS[place])
        .when(pl.col("margin") > 0)
        .then((pl.col("mean") + side * pl.col("margin")).clip("lowest", "highest"))
        .alias(end)
        for place, (end, side) in enumerate({"low": -1, "high": 1}.items())
    )
    return found.unnest("segment") if segments else found


def _describe(found: pl.DataFrame, unit: str, others: Sequence[Measure]) -> Iterator[str]:
    if unit == "page":
        yield (
            "intervals are over pages, as if each were by another user; where users have several, "
            "name the column of users: columns={'user_id': '…'} or --columns user_id=…"
        )
    fewest = found.sort("units", "metric").head(1)
    for metric, units in fewest.select("metric", "units").rows():
        if units < FEW:
            yield (
                f"{metric} has an interval from {units} {unit}s: with fewer than {FEW}, it is a "
                "rough guide"
            )
    if others:
        yield f"no interval for {', '.join(measure.name for measure in others)}"
