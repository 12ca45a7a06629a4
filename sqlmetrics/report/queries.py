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
    metrics: list[str]
    columns: list[tuple[str, str]]  # metric and run
    order: list[int]
    remarks: str


def find_queries(facts: Facts) -> Queries:
    metrics = [m.name for m in facts.measures]
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
    order = [*range(len(facts.queries))]
    remarks = []

    def find_change(number: int) -> float:
        return _subtract(facts, metrics[0], number) or 0.0

    if len(order) > _MANY:
        kind = "that changed most" if is_pair else "with the lowest scores"
        remarks.append(f"The {_MOST_QUERIES} queries {kind}, of {len(order):,}.")
        if is_pair:
            order = sorted(order, key=lambda n: -abs(find_change(n)))[:_MOST_QUERIES]
    # the largest losses first, or the lowest scores
    order.sort(key=find_change if is_pair else lambda n: facts.scores[columns[0]][n] or 0)
    if len(metrics) < len(facts.measures):
        remarks.append(f"Scores by {join_names(metrics)}.")
    return Queries(
        is_pair,
        metrics,
        columns,
        order[:_MOST_QUERIES] if len(order) > _MANY else order,
        " ".join(remarks),
    )


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
