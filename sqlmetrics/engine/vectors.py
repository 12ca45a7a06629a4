"""Vectors: the session that scores on DuckDB what an index returned, by exact neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ..catalogue import find_file
from ..catalogue.measures import Measure
from ..inputs.source import Input
from ..macros.create import list_calls
from ..macros.statements import Segments, build
from ..progress import begin
from ..ranking import (
    RETURNED,
    NumberedJudgments,
    Ranks,
    Tolerance,
    drop_nothing,
    list_neighbours,
    number_exact,
    place_neighbours,
    read_lists,
)
from .checks import check_run_ids, list_run_ids, refuse, require_finite, require_rows
from .connections import DuckDB
from .first_rows import count_sampled, note_ids, read_first
from .judged import JudgedRuns
from .neighbours import CLOSE, check_neighbours, note_distances, note_nothing
from .session import Session, join_scores


class FoundNeighbours(JudgedRuns):
    """Scores of neighbours: the exact ones in place of judgments, the returned ones of runs."""

    @property
    def run_ids(self) -> Iterable[str]:
        return self.runs

    def check(self) -> None:
        begin("checking neighbours")
        wanted, runs = self.request.metrics, self.runs.values()
        self._reaches = [*_list_reaches(wanted)]
        self._judged, self._ranks = place(self.reader, self.judgments, self.runs, self._reaches)
        check_run_ids((each.name, list_run_ids(self.reader, each)) for each in runs)
        queries = self._judged.queries.select("query_id", num_exact="judged")
        self.notes += check_neighbours(
            self.reader, self.judgments, self.runs, wanted, queries, self._ranks.lists
        )
        self.notes += _note_distances(self._judged, self._ranks)
        ids = self._judged.queries.select("query", "query_id")
        listed = self._judged.documents.join(ids, on="query")
        for each in runs:
            rows = read_first(self.reader, each, count_sampled(len(self.runs)))
            self.notes += note_ids(each.name, rows, listed)

    def score(self) -> pl.DataFrame:
        return Session.score(self)

    def compute(self, wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
        parts = (
            self._compute_near(group, near, segments)
            for near, group in enumerate(_list_reaches(wanted, self._reaches).values())
            if group
        )
        keys = ["run_id", *(segments.columns if segments else ["query_id"])]
        rows = join_scores(parts, keys)
        require_finite(rows, wanted, keys[-1], str(self))
        return rows.select(*keys, *(measure.name for measure in wanted))

    def _compute_near(
        self, wanted: Sequence[Measure], near: int, segments: Segments | None
    ) -> pl.DataFrame:
        """The scores by the tolerance in this place."""
        exact, placed = self._judged, self._ranks
        columns = None if self._keeps_ids else _list_columns(wanted)
        step = max(1, _AT_ONCE // max(1, exact.documents.height))
        parts = []
        for start in range(0, len(placed.runs), step):
            runs = range(start, min(start + step, len(placed.runs)))
            rows = list_neighbours(exact, placed, runs, near, columns)
            table = self.reader.register(self._name_numbers(rows) if self._keeps_ids else rows)
            statement = build(wanted, {"exact": table, "found": table}, segments=segments)
            parts.append(self.reader.run(statement, "numbered"))
        return self._name(pl.concat(parts))


def _list_reaches(
    wanted: Iterable[Measure], tolerances: Iterable[Tolerance] = ()
) -> dict[Tolerance, list[Measure]]:
    """The metrics by how far a neighbour may be, those that do not ask for it with the first."""
    of_relation = find_file("neighbours").parameters
    usual = {"epsilon": of_relation["epsilon"], "relative": of_relation["relative"] == "TRUE"}
    groups: dict[Tolerance, list[Measure]] = {tolerance: [] for tolerance in tolerances}
    for measure in sorted(wanted, key=lambda each: "epsilon" not in each.metric.parameters):
        given: dict[str, Any] = {**usual, **dict(measure.arguments)}
        tolerance = float(given["epsilon"]), bool(given["relative"])
        if "epsilon" not in measure.metric.parameters:
            tolerance = next(iter(groups), tolerance)
        groups.setdefault(tolerance, []).append(measure)
    return groups


def place(
    reader: DuckDB, exact: Input, runs: Mapping[str, Input], tolerances: Sequence[Tolerance]
) -> tuple[NumberedJudgments, Ranks]:
    """The exact neighbours and the returned ones, by number; raises `InputError` for wrong rows."""
    inputs = [exact, *runs.values()]
    for each in inputs:
        require_rows(reader, each)
    nothing: dict[str, int] = {}

    def read(*given: Input, is_sorted: bool = True) -> Iterator[tuple[str | None, pl.DataFrame]]:
        for each in given:
            nothing[each.name] = 0
            for part in read_lists(reader.con, each, is_sorted=is_sorted):
                found = drop_nothing(part)
                nothing[each.name] += part.height - found.height
                yield each.run_id, found

    known, is_clean = number_exact(rows for _, rows in read(exact))
    found = place_neighbours(read(*inputs[1:]), known, tolerances)
    if not found.is_whole:
        again = read(*inputs[1:], is_sorted=False)
        found = place_neighbours(again, known, tolerances, is_sorted=False)
    if not (is_clean and found.is_clean):
        refuse(reader, inputs)
    reader.notes += (note_nothing(name, number) for name, number in nothing.items() if number)
    return known, found


# Rows that DuckDB aggregates at once, unless a run has more.
_AT_ONCE = 1 << 22


def _list_columns(wanted: Iterable[Measure]) -> set[str]:
    """The columns of the relation that metrics read."""
    files = dict.fromkeys(measure.metric.file for measure in wanted)
    waiting = [*files]
    while waiting:
        called = (find_file(name) for name in list_calls(waiting.pop()))
        waiting += (file for file in called if file not in files)
        files |= dict.fromkeys(waiting)
    return {name for file in files for s in file.statements for name in _COLUMN.findall(s.body)}


_COLUMN = re.compile(r"\bj\.(\w+)")


def _note_distances(exact: NumberedJudgments, found: Ranks) -> list[str]:
    """Notes on distances that are smaller than the exact ones, or others."""
    distance = exact.documents["distance"]
    of_lists = found.lists.drop_nulls("query")
    nearest = distance.gather(exact.queries["first"].gather(of_lists["query"]))
    is_nearer = of_lists["nearest"] < nearest - _take_rounding(nearest)
    nearer = of_lists["query"].filter(is_nearer).n_unique()
    both = found.found[RETURNED].select("exact", "distance").drop_nulls("exact")
    there = distance.gather(both["exact"])
    is_other = (there - both["distance"]).abs() > _take_rounding(there)
    return note_distances(nearer, both.filter(is_other).height)


def _take_rounding(distance: pl.Series) -> pl.Series:
    """Differences from distances that are rounding."""
    return distance.abs().clip(lower_bound=1) * CLOSE
