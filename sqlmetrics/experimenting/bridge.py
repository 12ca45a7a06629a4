"""The bridge: whether an offline metric moves with what users do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from ..comparing.scores import place, take_scores
from ..errors import require_name, require_number
from ..inputs.columns import naming
from ..progress import begin
from ..result import Result, count, name_interval, shorten, show_number, show_range
from ..running.connections import open_reader
from ..running.relations import ENDS, relate
from ..tables import Table

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns


@dataclass(frozen=True, repr=False)
class Bridge(Result):
    """The result of `bridge`.

    - ``tests``: a row for each offline metric, online metric and pair of runs: ``metric``,
      ``online_metric``, ``run_id``, ``baseline``, ``queries`` (how many both tables have),
      ``correlation`` of the two differences with its confidence interval from ``low`` to ``high``,
      ``moved`` (how many queries differ in both) and ``agreement`` (the share of these that differ
      the same way). What cannot be computed is null.
    - ``per_query``: a row for each of these and query, with ``difference`` and
      ``online_difference``, ``outcome`` and ``online_outcome`` (1 a win, 0 a tie, -1 a loss).
    - ``method``: how it was computed, in a sentence.
    - ``notes``: what it cannot say, one remark a line.

    Printed, it is a table for people; `write` gives it as Markdown, LaTeX or HTML, too.
    """

    tests: pl.DataFrame
    per_query: pl.DataFrame
    alpha: float = 0.05

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """The table for people, as text."""
        sign = partial(show_number, digits=digits, signed=True)
        rows = [
            {
                "metric": row["metric"],
                "online metric": row["online_metric"],
                "run": row["run_id"],
                "baseline": row["baseline"],
                "queries": str(row["queries"]),
                "correlation": sign(row["correlation"]),
                name_interval(1 - self.alpha): show_range(row["low"], row["high"], sign),
                "both differ": str(row["moved"]),
                "agreement": show_number(row["agreement"], digits),
            }
            for row in self.tests.iter_rows(named=True)
        ]
        right = ("queries", "correlation", "both differ", "agreement")
        yield Table(pl.DataFrame(rows), right=right)


def bridge(
    offline: Any,  # noqa: ANN401
    online: Any,  # noqa: ANN401
    baseline: str | None = None,
    *,
    metrics: str | Iterable[str] = (),
    online_metrics: str | Iterable[str] = (),
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Bridge:
    """Whether the offline metric moves, query by query, with what users do.

    - ``offline``: scores of queries as for `compare`: what `evaluate` returns, a frame, a table of
      ``con`` or a file with run_id, query_id and a column for each metric.
    - ``online``: the same for what users did with each run: clicks per page of each query, say.
    - ``baseline``: the run that the others are compared with; without it, every pair is compared.
    - ``metrics``, ``online_metrics``: which of them; all by default.
    - ``alpha``: intervals contain the true correlation with 1 - alpha.

    Queries that are missing from one of the tables are left out, with a note.

    Raises `InputError` for scores that cannot be compared, such as a run that online lacks.

    >>> offline = pl.DataFrame({
    ...     "run_id": ["a"] * 4 + ["b"] * 4,
    ...     "query_id": ["1", "2", "3", "4"] * 2,
    ...     "AP": [0.1, 0.2, 0.3, 0.4, 0.2, 0.4, 0.3, 0.3],
    ... })
    >>> online = offline.select("run_id", "query_id", clicks=pl.col("AP") * 2)
    >>> found = bridge(offline, online, "a")
    >>> found.tests.select("queries", "moved", "agreement").rows()
    [(4, 3, 1.0)]
    >>> round(found.tests["correlation"][0], 4)
    1.0
    """
    require_number("alpha", alpha, 0, 1)
    require_name("baseline", baseline, "a run")
    tables: dict[str, pl.DataFrame] = {}
    notes: list[str] = []
    given = (("offline", offline, metrics), ("online", online, online_metrics))
    with naming(columns) as named:
        for name, data, wanted in given:
            tables[name], _, found = take_scores(data, wanted, (), con, named)
            notes += found
    begin("comparing", sum(each.height for each in tables.values()))
    with open_reader() as reader:
        rows = relate(reader, "bridged", tables, baseline=baseline)
        tests = rows.ask(
            {
                "queries": "count(*)",
                "correlation": "move_correlation(p)",
                "ends": f"move_interval(p, confidence := {float(1 - alpha)!r})",
                "moved": "moved_queries(p)",
                "agreement": "move_agreement(p)",
            }
        )
        per_query = rows.read()
    metrics_first = (
        place(tables["offline"]["metric"]),
        place(tables["online"]["metric"], "online_metric"),
    )
    tests = tests.sort(*metrics_first, "run_id", "baseline").select(
        *rows.groups, "queries", "correlation", *ENDS, "moved", "agreement"
    )
    queries = {name: {*each["query_id"]} for name, each in tables.items()}
    for name, other in (("offline", "online"), ("online", "offline")):
        if left := len(queries[name] - queries[other]):
            notes.append(f"left out: {count(left, 'query', 'has')} scores {name} only")
    said = (
        "Correlations are Pearson's, between the queries' offline and online differences; "
        "agreement is the share that differs the same way, among the queries where both differ."
    )
    notes += shorten(_describe_limits(tests))
    per_query = per_query.sort(*rows.groups, "query_id")
    return Bridge(tests, per_query, alpha, method=said, notes=tuple(notes))


def _describe_limits(tests: pl.DataFrame) -> list[str]:
    """What the correlations cannot say."""
    notes = []
    for row in tests.iter_rows(named=True):
        what = (
            f"{row['run_id']} and {row['baseline']} by {row['metric']} and {row['online_metric']}"
        )
        if row["correlation"] is None:
            notes.append(
                f"{what}: no correlation, since one of them has the same difference for all queries"
            )
        elif row["low"] is not None and row["low"] < 0 < row["high"]:
            notes.append(f"{what}: {row['queries']} queries do not show whether they move together")
    return notes
