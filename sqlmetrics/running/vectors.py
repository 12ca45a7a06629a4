"""Vectors: the session that scores on DuckDB what an index returned, by exact neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from ..catalogue import find, find_file, is_own
from ..catalogue.measures import Measure
from ..inputs.columns import EXACT, NEIGHBOURS
from ..inputs.data import Data, Runs
from ..inputs.reader import Input, Reader
from ..inputs.topics import Topics, read_topics
from ..macros.create import list_calls, prepare
from ..macros.install import call_installed
from ..macros.statements import Segments, build
from ..progress import begin
from ..ranking import (
    Judged,
    Neighbours,
    Reach,
    drop_nothing,
    list_neighbours,
    number_exact,
    number_queries,
    place_neighbours,
    read_lists,
)
from .checks import check_run_ids, list_run_ids, refuse, require_finite, require_rows
from .coverage import NOT_KNOWN
from .duckdb import select_exactly, summarize
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
from .session import Question


class DuckDBNeighbours:
    """Scores of neighbours: the exact ones in place of judgments, the returned ones of runs.

    See `Session` for the steps.
    """

    judgments: Input
    runs: dict[str, Input]
    topics: Topics | None = None

    def __init__(self, reader: Reader, question: Question) -> None:
        self.reader = reader
        self.question = question
        self.notes = reader.notes
        self.judged = NOT_KNOWN

    def __str__(self) -> str:
        """The names of the inputs, of which an error of DuckDB may be."""
        return " or ".join(each.name for each in self.inputs)

    @property
    def inputs(self) -> list[Input]:
        found = [getattr(self, "judgments", None), *getattr(self, "runs", {}).values()]
        return [each for each in found if each]

    @property
    def run_ids(self) -> Iterable[str]:
        return self.runs

    def read(self, qrels: Qrels, run: Runs, topics: Data | None = None) -> None:
        exact = qrels.data if isinstance(qrels, Judgments) else qrels
        self.judgments = self.reader.read(exact, EXACT)
        self.runs = self.reader.read_runs(run, kind=NEIGHBOURS)
        if self.question.topic_columns:
            given = exact if topics is None else topics
            about = self.question.segments, self.question.weight
            self.topics = read_topics(self.reader, given, *about)

    def check(self) -> None:
        begin("checking neighbours")
        con, wanted, runs = self.reader.con, self.question.metrics, self.runs.values()
        self._reaches = [*_list_reaches(wanted)]
        self._known, self._placed = place(self.reader, self.judgments, self.runs, self._reaches)
        check_run_ids((each.name, list_run_ids(con, each)) for each in runs)
        _require_ranks(self.reader, runs)
        queries = self._known.queries.select("query_id", num_exact="judged")
        require_enough(self.judgments.name, queries, wanted)
        _require_no_negative(self.reader, self.inputs, wanted)
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += note_queries(self.judgments.name, names, queries, self._placed.lists)
        self.notes += _note_distances(self._known, self._placed)
        ids = self._known.queries.select("query", "query_id")
        listed = self._known.documents.join(ids, on="query")
        for each in runs:
            rows = read_first(self.reader, each, count_sampled(len(self.runs)))
            self.notes += note_ids(each.name, rows, listed)

    def score(self) -> pl.DataFrame:
        begin("scoring")
        per_query = self._score(self.question.metrics)
        if self.topics:
            per_query = self.topics.join(per_query)
            self.notes += self.topics.describe_missing(per_query)
        return per_query

    def _score(self, wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
        parts = (
            _score(self.reader, self._known, self._placed, group, near, segments)
            for near, group in enumerate(_list_reaches(wanted, self._reaches).values())
            if group
        )
        keys = ["run_id", *(segments.columns if segments else ["query_id"])]
        rows = next(parts)
        for part in parts:
            rows = rows.join(part, on=keys, how="left", nulls_equal=True)
        require_finite(rows, wanted, keys[-1], str(self))
        return rows.select(*keys, *(measure.name for measure in wanted)).sort(keys)

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        pooled, wanted = None, self.question.pooled
        if wanted:
            segments = Segments()
            if about := self.topics:
                table = about.table
                if not _keeps_ids(wanted):
                    table = self.reader.register(number_queries(about.frame, self._known))
                segments = Segments(table, about.segments)
            pooled = self._score(wanted, segments)
        return summarize(self.reader, per_query, self.question, pooled)

    @property
    def statement(self) -> str:
        """The SELECT over the inputs as they are, for the macros of `install`."""
        union = "\nUNION ALL BY NAME\n".join(each.query for each in self.runs.values())
        inputs = {"_exact": self.judgments.query, "_found": union}
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
) -> tuple[Judged, Neighbours]:
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


def _score(
    reader: Reader,
    exact: Judged,
    found: Neighbours,
    wanted: Sequence[Measure],
    near: int,
    segments: Segments | None,
) -> pl.DataFrame:
    """The scores of each query, or of segments."""
    columns = None if _keeps_ids(wanted) else _list_columns(wanted)
    ids = {"run_id": found.runs, "query_id": exact.queries["query_id"]}

    def name(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.with_columns(
            ids[key].gather(rows[key]).alias(key) for key in ids if key in rows.columns
        )

    step = max(1, _AT_ONCE // max(1, exact.documents.height))
    parts = []
    for start in range(0, len(found.runs), step):
        runs = range(start, min(start + step, len(found.runs)))
        rows = list_neighbours(exact, found, runs, near, columns)
        table = reader.register(name(rows) if columns is None else rows)
        statement = build(wanted, {"exact": table, "found": table}, segments=segments)
        parts.append(select_exactly(reader, prepare(reader.con, statement, "numbered")))
    return pl.concat(parts if columns is None else map(name, parts))


def _keeps_ids(wanted: Iterable[Measure]) -> bool:
    """Whether ids may be read, as by metrics of the user."""
    files = (measure.metric.file for measure in wanted)
    return any(file.folder == "connection" or is_own(file) for file in files)


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


def _note_distances(exact: Judged, found: Neighbours) -> list[str]:
    """Notes on distances that are smaller than the exact ones, or others."""
    distance = exact.documents["distance"]
    of_lists = found.lists.drop_nulls("query")
    nearest = distance.gather(exact.queries["first"].gather(of_lists["query"]))
    is_nearer = of_lists["nearest"] < nearest - _take_rounding(nearest)
    nearer = of_lists["query"].filter(is_nearer).n_unique()
    both = found.rows.select("exact", "distance").drop_nulls("exact")
    there = distance.gather(both["exact"])
    is_other = (there - both["distance"]).abs() > _take_rounding(there)
    return note_distances(nearer, both.filter(is_other).height)


def _take_rounding(distance: pl.Series) -> pl.Series:
    """Differences from distances that are rounding."""
    return distance.abs().clip(lower_bound=1) * CLOSE
