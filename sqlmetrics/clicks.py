"""Scores of a click log, and their intervals: how far ratios of sums may be by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from .catalogue.measures import Measure
from .engine.connections import DuckDB
from .engine.given import read_tables
from .engine.interface import Engine
from .engine.intervals import bound
from .engine.session import Part, Request
from .errors import InputError, MetricError
from .inputs.columns import name_log
from .inputs.data import Data
from .inputs.source import reading
from .macros.statements import Segments, build
from .progress import begin, warn
from .result import note_few

# What is scored when no metric is named.
DEFAULT_METRICS = "Pages CTR CTR@1 ClickRR Abandonment ZeroResults"

_UNIT = "_unit"  # a column beside those of the log


def score_log(request: Request, log: Data, alpha: float | None, place: Engine) -> Part:
    """The scores of a log, in one row or in one for each segment; with ``alpha``, intervals."""
    wanted, segments = request.metrics, request.segments
    asked = Segments(columns=segments)
    kinds = {"log": name_log(segments, has_users=alpha is not None)}
    given = read_tables(place, {"log": log}, kinds)
    name, table = given["log"].name, given["log"].table
    with reading(name):
        begin("scoring")
        scores = place.run(build(wanted, {"log": table}, segments=asked)).sort(segments)
        notes = place.notes
        if alpha is not None:
            begin("computing intervals")
            reader = place.open_here()
            unit = _find_unit(reader, name, table)
            scores, others = _add_intervals(reader, table, unit, scores, request, alpha)
            notes = [*notes, *others]
    warn(notes)
    statement = place.write(build(wanted, {"log": "_log"}, segments=asked), given)
    return Part(pl.DataFrame(), scores, statement, notes)


def _add_intervals(
    reader: DuckDB, table: str, unit: str, mean: pl.DataFrame, request: Request, alpha: float
) -> tuple[pl.DataFrame, list[str]]:
    """The scores, those of shares and means followed by the ends of their intervals, and notes.

    A ratio of sums is a mean of the ratios of users or pages, each weighted by what it adds to the
    denominator.
    """
    rates = [measure for measure in request.metrics if measure.is_rate]
    if not rates:
        raise MetricError("intervals are of shares and means; name one, such as CTR")
    parts = _divide(reader, table, unit, rates, request.segments)
    scores = {}
    for measure in rates:
        part, whole = (pl.col(measure.name).struct.field(each) for each in ("part", "whole"))
        scores[measure] = pl.when(whole > 0).then(part / whole), whole
    found, bounded = bound(mean, request.segments, parts, _UNIT, scores, alpha, rates)
    others = [measure for measure in request.metrics if not measure.is_rate]
    return bounded, [*_describe(found, unit, others)]


def _find_unit(reader: DuckDB, name: str, table: str) -> str:
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


def _divide(
    reader: DuckDB, log: str, unit: str, rates: Sequence[Measure], segments: Sequence[str]
) -> pl.DataFrame:
    """What each user or page adds to the parts of each ratio."""
    of_page = "concat('page ', page_id)"  # also of a page whose user is not known
    key = of_page
    if unit == "user":
        key = f"CASE WHEN user_id IS NULL THEN {of_page} ELSE concat('user ', user_id) END"
    table = reader.keep(f"SELECT *, {key} AS {_UNIT} FROM {log}")
    by = Segments(columns=(*segments, _UNIT))
    return reader.run(build(rates, {"log": table}, segments=by), "two_sums")


def _describe(found: pl.DataFrame, unit: str, others: Sequence[Measure]) -> Iterator[str]:
    if unit == "page":
        yield (
            "intervals treat each page as another user's; where users have several, "
            "name the column of users: columns={'user_id': '…'} or --columns user_id=…"
        )
    yield from note_few(found["queries"].min(), f"{unit}s")
    if others:
        yield f"no interval for {', '.join(measure.name for measure in others)}"
