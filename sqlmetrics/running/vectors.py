"""Vectors: the session that scores on DuckDB what an index returned, by exact neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from ..catalogue import find, find_file
from ..catalogue.measures import Measure
from ..inputs.columns import EXACT, NEIGHBOURS, Kind
from ..inputs.data import Data, Runs
from ..inputs.reader import Input, Reader, unite_queries
from ..macros.create import list_calls, prepare
from ..macros.install import call_installed
from ..macros.statements import Segments, build
from ..progress import begin
from ..ranking import (
    RETURNED,
    Judged,
    Ranks,
    Reach,
    drop_nothing,
    list_neighbours,
    number_exact,
    place_neighbours,
    read_lists,
)
from .checks import check_run_ids, list_run_ids, refuse, require_finite, require_rows
from .duckdb import DuckDB, select_exactly
from .first_rows import count_sampled, note_ids, read_first
from .judgments import Judgments, Qrels
from .neighbours import (
    CLOSE,
    is_negative,
    lacks_rank,
    list_of_ratios,
    note_distances,
    note_nothing,
    note_queries,
    require_enough,
)
from .session import join_scores


class DuckDBNeighbours(DuckDB):
    """Scores of neighbours: the exact ones in place of judgments, the returned ones of runs."""

    def read(
        self, qrels: Qrels, run: Runs, topics: Data | None = None, kind: Kind | None = EXACT
    ) -> None:
        exact = qrels.data if isinstance(qrels, Judgments) else qrels
        self.judgments = self.reader.read(exact, kind or EXACT)
        self.runs = self.reader.read_runs(run, kind=NEIGHBOURS)
        self._read_topics(exact if topics is None else topics)

    @property
    def run_ids(self) -> Iterable[str]:
        return self.runs

    def check(self) -> None:
        begin("checking neighbours")
        wanted, runs = self.question.metrics, self.runs.values()
        self._reaches = [*_list_reaches(wanted)]
        self._judged, self._ranks = place(self.reader, self.judgments, self.runs, self._reaches)
        check_run_ids((each.name, list_run_ids(self.con, each)) for each in runs)
        _require_ranks(self.reader, runs)
        queries = self._judged.queries.select("query_id", num_exact="judged")
        require_enough(self.judgments.name, queries, wanted)
        _require_no_negative(self.reader, self.inputs, wanted)
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += note_queries(self.judgments.name, names, queries, self._ranks.lists)
        self.notes += _note_distances(self._judged, self._ranks)
        ids = self._judged.queries.select("query", "query_id")
        listed = self._judged.documents.join(ids, on="query")
        for each in runs:
            rows = read_first(self.reader, each, count_sampled(len(self.runs)))
            self.notes += note_ids(each.name, rows, listed)

    def score(self) -> pl.DataFrame:
        begin("scoring")
        return self._join_topics(self._ask(self.question.metrics))

    def _ask(
        self,
        wanted: Sequence[Measure],
        segments: Segments | None = None,
        formulas: Mapping[Measure, str] | None = None,  # noqa: ARG002
    ) -> pl.DataFrame:
        parts = (
            self._ask_near(group, near, segments)
            for near, group in enumerate(_list_reaches(wanted, self._reaches).values())
            if group
        )
        keys = ["run_id", *(segments.columns if segments else ["query_id"])]
        rows = join_scores(parts, keys)
        require_finite(rows, wanted, keys[-1], str(self))
        return rows.select(*keys, *(measure.name for measure in wanted))

    def _ask_near(
        self, wanted: Sequence[Measure], near: int, segments: Segments | None
    ) -> pl.DataFrame:
        """The scores by the reach in this place."""
        exact, placed = self._judged, self._ranks
        columns = None if self._keeps_ids else _list_columns(wanted)
        step = max(1, _AT_ONCE // max(1, exact.documents.height))
        parts = []
        for start in range(0, len(placed.runs), step):
            runs = range(start, min(start + step, len(placed.runs)))
            rows = list_neighbours(exact, placed, runs, near, columns)
            table = self.reader.register(self._name_numbers(rows) if self._keeps_ids else rows)
            statement = build(wanted, {"exact": table, "found": table}, segments=segments)
            parts.append(select_exactly(self.reader, prepare(self.con, statement, "numbered")))
        return self._name(pl.concat(parts))

    @property
    def statement(self) -> str:
        inputs = {"_exact": self.judgments.query, "_found": unite_queries(self.runs.values())}
        tables = {"exact": "_exact", "found": "_found"}
        return call_installed(build(self.question.metrics, tables, definitions=inputs))


def _list_reaches(
    wanted: Iterable[Measure], reaches: Iterable[Reach] = ()
) -> dict[Reach, list[Measure]]:
    """The metrics by how far a neighbour may be, those that do not ask for it with the first."""
    defaults = find("relations", "neighbours").parameters
    default = float(str(defaults["epsilon"])), defaults["relative"] == "TRUE"
    groups: dict[Reach, list[Measure]] = {reach: [] for reach in reaches}
    for measure in sorted(wanted, key=lambda each: "epsilon" not in each.metric.parameters):
        given = dict(measure.arguments)
        reach = float(given.get("epsilon", default[0])), bool(given.get("relative", default[1]))  # type: ignore[arg-type]
        if "epsilon" not in measure.metric.parameters:
            reach = next(iter(groups), default)
        groups.setdefault(reach, []).append(measure)
    return groups


def place(
    reader: Reader, exact: Input, runs: Mapping[str, Input], reaches: Sequence[Reach]
) -> tuple[Judged, Ranks]:
    """The exact neighbours and the returned ones, by number; raises `InputError` for wrong rows."""
    inputs = [exact, *runs.values()]
    for each in inputs:
        require_rows(reader.con, each)
    nothing: dict[str, int] = {}

    def read_found(given: Input, *, is_sorted: bool = True) -> Iterator[pl.DataFrame]:
        nothing[given.name] = 0
        for part in read_lists(reader.con, given, is_sorted=is_sorted):
            found = drop_nothing(part)
            nothing[given.name] += part.height - found.height
            yield found

    def read(*, is_sorted: bool) -> Iterator[tuple[str | None, pl.DataFrame]]:
        for run in inputs[1:]:
            for part in read_found(run, is_sorted=is_sorted):
                yield run.run_id, part

    known, is_clean = number_exact(read_found(inputs[0]))
    found = place_neighbours(read(is_sorted=True), known, reaches)
    if not found.is_whole:
        found = place_neighbours(read(is_sorted=False), known, reaches, is_sorted=False)
    if not (is_clean and found.is_clean):
        refuse(reader.con, inputs)
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


def _require_ranks(reader: Reader, runs: Iterable[Input]) -> None:
    """Raise `InputError` for a returned neighbour without the rank that others have."""
    for each in runs:
        if "rank" not in each.columns:
            continue
        if not reader.con.execute(
            f"SELECT 1 FROM {each.table} WHERE rank IS NULL LIMIT 1"
        ).fetchall():
            continue
        ((place, query_id, doc_id, _), *_) = each.find_rows(
            reader.con, "TRY_CAST(rank AS DOUBLE) IS NULL"
        )
        raise lacks_rank(place, query_id, doc_id)


def _require_no_negative(
    reader: Reader, inputs: Iterable[Input], wanted: Iterable[Measure]
) -> None:
    """Raise `InputError` for distances below 0 where a metric multiplies or divides by them."""
    names = list_of_ratios(wanted)
    for each in inputs if names else ():
        for row in each.find_rows(reader.con, "TRY_CAST(distance AS DOUBLE) < 0"):
            raise is_negative(row, names)


def _note_distances(exact: Judged, found: Ranks) -> list[str]:
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
