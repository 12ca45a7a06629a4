"""Intervals of the scores of a log: how far ratios of sums over users, or pages, may be by luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from ..catalogue import quote
from ..catalogue.measures import Measure
from ..comparing.scores import FEW
from ..errors import InputError, MetricError
from ..inputs.columns import quote_name
from ..macros.create import TooLarge, prepare, take_any_gain
from ..macros.statements import build_clicks
from ..progress import remark
from ..running.relations import ENDS, Rows, keep, list_groups
from .log import DuckDBLog

_UNIT = "_unit"  # a column beside those of the log
_ALL = "_all"


def add_intervals(
    log: DuckDBLog,
    scores: pl.DataFrame,
    wanted: Sequence[Measure],
    segments: Sequence[str],
    alpha: float,
) -> pl.DataFrame:
    """The scores, those of shares and means followed by the ends of their intervals."""
    rates = [measure for measure in wanted if measure.is_rate]
    if not rates:
        raise MetricError("intervals are of shares and means; name one, such as CTR")
    unit = _find_unit(log)
    found = _bound(_linearize(log, unit, rates, segments), rates, segments, alpha)
    remark(_describe(found, unit, [measure for measure in wanted if not measure.is_rate]))
    keys = list(segments) or [_ALL]
    if not segments:
        found, scores = (frame.with_columns(pl.lit(0).alias(_ALL)) for frame in (found, scores))
    columns = list(segments)
    for measure in wanted:
        columns.append(measure.name)
        if measure.is_rate:
            ends = {f"{measure.name}_{end}": end for end in ("low", "high")}
            own = found.filter(metric=measure.name).select(*keys, **ends)
            scores = scores.join(own, on=keys, how="left", nulls_equal=True, maintain_order="left")
            columns += ends
    return scores.select(columns)


def _find_unit(log: DuckDBLog) -> str:
    """Whose rows belong together: users, or pages where the log does not know them."""
    if "user_id" not in log.given.columns:
        return "page"
    query = f"""
        SELECT page_id, min(user_id), max(user_id) FROM {log.table}
        GROUP BY page_id HAVING min(user_id) <> max(user_id) LIMIT 1
    """
    for page, one, other in log.con.execute(query).fetchall():
        raise InputError(
            f"{log.given.name}: page {page} has users {one} and {other}; give each view of results "
            "a page_id of its own"
        )
    return "user"


def _linearize(
    log: DuckDBLog, unit: str, rates: Sequence[Measure], segments: Sequence[str]
) -> Rows:
    """What each user or page adds to the parts of each ratio, as scores."""
    of_page = "concat('page ', page_id)"  # also of a page whose user is not known
    key = of_page
    if unit == "user":
        key = f"CASE WHEN user_id IS NULL THEN {of_page} ELSE concat('user ', user_id) END"
    table = log.reader.keep(f"SELECT *, {key} AS {_UNIT} FROM {log.table}")
    query = prepare(log.con, build_clicks(rates, table, [*segments, _UNIT]), "parts")
    try:
        parts = log.reader.keep(query, as_table=True)
    except TooLarge:
        take_any_gain(log.con)
        parts = log.reader.keep(query, as_table=True)
    packed = ", ".join(f"{quote_name(column)} := {quote_name(column)}" for column in segments)
    segment = f"struct_pack({packed}) AS segment, " * bool(segments)
    users = " UNION ALL ".join(
        f"SELECT {segment}{quote(measure.name)} AS metric, 'all' AS variant, {_UNIT} AS user_id, "
        f"{name}.part AS numerator, {name}.whole AS denominator FROM {parts}"
        for measure in rates
        for name in [quote_name(measure.name)]
    )
    rows = keep(log.reader, f"FROM linearized({log.reader.keep(users)})")
    return Rows(log.reader, rows, {}, list_groups("linearized"))


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
