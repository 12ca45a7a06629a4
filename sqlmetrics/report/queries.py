"""The table of queries: its columns, which queries it has, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

from .charts import tone
from .facts import MOST_METRICS, Facts
from .words import DASH, join_names, sign

# Queries in the table, if there are more than 1,000.
_MANY, _MOST_QUERIES = 1000, 500


@dataclass(frozen=True)
class Queries:
    """Of a pair of runs a column for each and for the difference, by each metric."""

    is_pair: bool
    metrics: tuple[str, ...]
    columns: list[tuple[str, str]]  # metric and run
    order: list[int]
    remarks: str


def find_queries(facts: Facts) -> Queries:
    metrics = facts.metrics
    is_pair = facts.chosen is not None
    if is_pair:
        metrics = metrics[:MOST_METRICS]
        columns = [
            (metric, str(run)) for metric in metrics for run in (facts.baseline, facts.chosen)
        ]
    elif len(facts.runs) == 1:
        metrics = metrics[:8]
        columns = [(metric, facts.runs[0]) for metric in metrics]
    else:
        columns = [(facts.first.name, run) for run in facts.runs[:10]]
        metrics = metrics[:1]
    remarks = []
    if len(facts.queries) > _MANY:
        kind = "that changed most" if is_pair else "with the lowest scores"
        remarks.append(f"The {_MOST_QUERIES} queries {kind}, of {len(facts.queries):,}.")
    if len(metrics) < len(facts.metrics):
        remarks.append(f"Scores by {join_names(metrics)}.")
    order = _order_queries(facts, columns[0], is_pair=is_pair)
    return Queries(is_pair, metrics, columns, order, " ".join(remarks))


def _order_queries(facts: Facts, column: tuple[str, str], *, is_pair: bool) -> list[int]:
    """The largest losses first, or the lowest scores; of many queries the largest differences."""

    def find_change(number: int) -> float:
        return _subtract(facts, column[0], number) or 0

    numbers = [*range(len(facts.queries))]
    kept = _MOST_QUERIES if len(numbers) > _MANY else len(numbers)
    if is_pair:
        most = sorted(numbers, key=lambda n: -abs(find_change(n)))[:kept]
        return sorted(most, key=lambda n: (find_change(n), n))
    return sorted(numbers, key=lambda n: facts.scores[column][n] or 0)[:kept]


def _subtract(facts: Facts, metric: str, number: int) -> float | None:
    runs = (str(facts.baseline), str(facts.chosen))
    before, after = (facts.scores[metric, run][number] for run in runs)
    return None if before is None or after is None else after - before


def show_change(facts: Facts, metric: str, number: int) -> tuple[str, str]:
    """The difference of a query as text, and its class."""
    found = _subtract(facts, metric, number)
    if found is None:
        return DASH, ""
    return sign(found, facts.digits[metric]), tone(found).removeprefix("tie")
