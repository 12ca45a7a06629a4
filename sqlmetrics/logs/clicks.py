"""Scores of a log of clicks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import duckdb
import polars as pl

from ..catalogue import parsing
from ..catalogue.measures import Measure, require_kind
from ..errors import InputError, MetricError, require_number, require_truth
from ..inputs.columns import Columns
from ..inputs.data import Data
from ..inputs.topics import read_segments
from ..macros.statements import build_clicks
from ..progress import begin
from .intervals import add_intervals
from .log import open_duckdb_log, open_log

# What is scored when no metric is named.
DEFAULT_METRICS = "Pages CTR CTR@1 ClickRR Abandonment ZeroResults"


def clicks(
    log: Data,
    metrics: str | Iterable[str] | None = None,
    *,
    by: str | Sequence[str] = (),
    con: duckdb.DuckDBPyConnection | None = None,
    intervals: bool = False,
    alpha: float = 0.05,
    columns: Columns | None = None,
    engine: Any = None,  # noqa: ANN401
) -> pl.DataFrame:
    """Score a log of clicks: a frame with a row, or one per segment, and a column per metric.

    - ``log``: a row for each document that was shown, with page_id (one view of results for a
      query), query_id, doc_id, position (1, 2, …) and clicked (1 or 0); and where there are any,
      time_to_click and dwell_time in seconds and response_time of the page. A page without clicks
      has rows with clicked 0; one without results is a row without doc_id and position. A file
      (CSV, Parquet, JSON lines), several by a pattern, a frame, or with ``con`` a table's name.
    - ``metrics``: names such as ``"CTR@1 ClickRR TimeToClick@95"``, which `metrics` lists in the
      family clicks; by default Pages CTR CTR@1 ClickRR Abandonment ZeroResults.
    - ``by``: columns of the log; there is a row for each of their values, sorted. All rows of a
      page must have the same one.
    - ``intervals``: whether to add the confidence interval of each share and mean, in two columns
      such as CTR_low and CTR_high. They are over users, by the column user_id of the log, since
      pages of one user are alike; without such a column over pages. Counts, percentiles and
      SlowAbandonment have none.
    - ``alpha``: intervals contain the true score with 1 - alpha.
    - ``columns``: which column is which, as for `evaluate`.
    - ``engine``: a Spark session or its address, as for `evaluate`, which computes everything; the
      log is one of its tables, views or frames, or a Parquet file that it can read.

    A score is null where it has no meaning, such as ClickRank without clicks.

    Raises `InputError` for a log that cannot be read or would give a wrong score, `MetricError` for
    a metric that does not exist or is not one of clicks. An interval is null for fewer than two
    users or pages, and where a score without an upper limit does not vary.

    >>> log = pl.DataFrame({
    ...     "page_id": [1, 1, 1, 2, 2, 2, 2],
    ...     "query_id": ["q"] * 7,
    ...     "doc_id": ["a", "b", "c", "a", "b", "c", "d"],
    ...     "position": [1, 2, 3, 1, 2, 3, 4],
    ...     "clicked": [0, 1, 0, 0, 0, 0, 1],
    ... })
    >>> clicks(log, "ClickRR CTR@1").rows()
    [(0.375, 0.0)]
    """
    wanted, segments = ask_clicks(DEFAULT_METRICS if metrics is None else metrics, by)
    require_number("alpha", alpha, 0, 1)
    require_truth(intervals=intervals)
    if not intervals:
        with open_log(log, segments, con=con, columns=columns, engine=engine) as found:
            begin("scoring")
            return found.ask(build_clicks(wanted, found.table, segments)).sort(segments)
    if engine is not None:
        raise InputError("intervals works only with DuckDB; remove it or engine")
    with open_duckdb_log(log, segments, con=con, columns=columns, has_users=True) as log_here:
        begin("scoring")
        scores = log_here.ask(build_clicks(wanted, log_here.table, segments)).sort(segments)
        begin("computing intervals")
        return add_intervals(log_here, scores, wanted, segments, alpha)


def ask_clicks(
    metrics: str | Iterable[str], by: str | Sequence[str] = ()
) -> tuple[list[Measure], tuple[str, ...]]:
    """The metrics and segments that are asked for; what does not go together is refused."""
    wanted = parsing.parse(metrics)
    require_kind(wanted, "clicks")
    if summed := [measure.name for measure in wanted if measure.aggregate]:
        raise MetricError(f"{summed[0]}: a metric of clicks has no aggregate; it covers all pages")
    return wanted, read_segments("by", by, [measure.name for measure in wanted])
