"""Neighbours: what is refused, and what is noted, of exact and returned ones on either engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ..catalogue.measures import Measure
from ..errors import InputError
from ..result import count
from .checks import refuse
from .coverage import note_missing
from .interface import Engine

# Relative differences of distances that are rounding.
CLOSE = 1e-4


def check_neighbours(
    engine: Engine,
    exact: Any,  # noqa: ANN401
    runs: Mapping[str, Any],
    wanted: Sequence[Measure],
    queries: pl.DataFrame,
    lists: pl.DataFrame,
) -> list[str]:
    """Notes on queries that only one side has.

    ``queries`` has a row for each with exact neighbours: query_id, num_exact; sorted. ``lists`` has
    run_id and query_id.

    Raises `InputError` for too few exact neighbours, for distances that metrics cannot use, and if
    no query is on both sides.
    """
    _require_enough(exact.name, queries, wanted)
    if because := _need_distances(wanted):
        refuse(engine, [exact, *runs.values()], "negative_distances", because)
    names = {name: run.name for name, run in runs.items()}
    known = queries.select("query_id", counts=pl.lit(value=True))
    lacks = f"no neighbours for {{}} of {queries.height} queries{{}}; their recall is 0"
    strange = "no exact neighbours for {} of its queries{}; they are left out"
    return note_missing(known, exact.name, lists, names, lacks, strange)[1]


def _require_enough(name: str, queries: pl.DataFrame, wanted: Iterable[Measure]) -> None:
    """Raise `InputError` if a query has fewer exact neighbours than a metric asks for."""
    asked = {
        measure.name: k
        for measure in wanted
        if isinstance(k := dict(measure.arguments).get("k"), int)
        and "denominator" in measure.metric.parameters
        and dict(measure.arguments).get("denominator") != "achievable"
    }
    fewest = queries["num_exact"].arg_min() or 0
    query_id, number = queries.select("query_id", "num_exact").row(fewest)
    for metric, k in asked.items():
        if k > number:
            raise InputError(
                f"{name} has {number} exact neighbours for query {query_id}, and {metric} "
                f"needs {k}; list more or lower the cut-off; if there are no more, as behind a "
                f"filter, ask for it with denominator='achievable'"
            )


def _need_distances(wanted: Iterable[Measure]) -> str:
    """Why distances below 0 are refused: a metric multiplies or divides by them, or nothing."""
    names = [
        measure.name
        for measure in wanted
        if "distance" in measure.metric.file.statement.body
        or dict(measure.arguments).get("relative")
    ]
    return f", and {names[0]} needs distances from 0" if names else ""


def note_nothing(name: str, number: int) -> str:
    """A note on rows where an index found nothing."""
    rows = count(number, "row", "has")
    return f"{name}: {rows} -1 at an infinite distance, where an index found nothing; left out"


def note_distances(nearer: int, other: int) -> list[str]:
    """Notes on distances that cannot be those of exact neighbours, or were measured otherwise.

    ``nearer`` is the number of queries with a nearer neighbour, ``other`` that of neighbours with
    another distance.
    """
    notes = {
        f"a returned neighbour of {count(nearer, 'query')} is nearer than the nearest exact one: "
        "the tables may be swapped, or the distances similarities, which need a minus sign": nearer,
        f"{count(other, 'neighbour', 'has')} another distance in the exact table; measure both in "
        "the same way": other,
    }
    return [note for note, number in notes.items() if number]
