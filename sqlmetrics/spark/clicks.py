"""Scores of a log of clicks, computed by a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import polars as pl

from ..catalogue.measures import Measure
from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write
from ..errors import InputError
from ..inputs.columns import LOG, Columns, name_log, quote_name
from ..macros.statements import build_clicks
from ..progress import begin, remark
from ..running.checks import list_checks
from .tables import ENGINE, SparkReader, Table, connect


def score_clicks(
    log: Any,  # noqa: ANN401
    wanted: Sequence[Measure],
    segments: Sequence[str],
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
) -> pl.DataFrame:
    """The scores of `clicks`, of a table, a view, a Parquet file or a frame of Spark."""
    with connect(engine) as session, ExitStack() as undo:
        reader = SparkReader(session, undo, columns)
        found = reader.read(log, name_log(segments))
        remark(reader.notes)
        begin(f"checking {found.name}")
        _refuse(reader, found, segments)
        begin("scoring")
        return _ask(reader, found, segments, build_clicks(wanted, _LOG, segments)).sort(segments)


_LOG, _GIVEN = "_log", "_given_log"

# How the columns of a log are read, so that a check finds what is not valid.
_READ = {
    "page_id": "CAST(g.page_id AS VARCHAR)",
    "position": "position_of(g.position)",
    "clicked": "click_of(g.clicked)",
    **{name: f"number_or_nan(g.{name})" for name in LOG.optional},
}


def _ask(reader: SparkReader, log: Table, segments: Sequence[str], query: str) -> pl.DataFrame:
    """The rows of a query over the log."""
    own = (*LOG.columns, *LOG.optional)
    columns = [f"{_READ.get(name, f'g.{name}')} AS {name}" for name in own]
    columns += (f"g.{quote_name(name)}" for name in segments if name not in own)
    listed = ", ".join(columns)
    text = f"WITH {_LOG} AS (SELECT {listed} FROM {_GIVEN} AS g) {query}"
    return reader.ask(write(PlainQuery(text, {_GIVEN: log.query}, "spark"), ENGINE), log.name)


def _refuse(reader: SparkReader, log: Table, segments: Sequence[str]) -> None:
    """Raise `InputError` for what would make a score wrong."""
    if _ask(reader, log, segments, f"SELECT 1 AS one FROM {_LOG} AS l LIMIT 1").is_empty():
        raise InputError(f"{log.name} has no rows")
    for check in list_checks("error"):
        if check.parameters == [LOG.parameter]:
            query = f"SELECT c.problem FROM {check.name}({_LOG}) AS c LIMIT 1"
            for (problem,) in _ask(reader, log, segments, query).rows():
                raise InputError(f"{log.name}: {problem}; {check.file.header['remedy']}")
