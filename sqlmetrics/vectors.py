"""Vectors: how many of the exact nearest neighbours an index returned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import duckdb
import polars as pl

from .catalogue import find, find_file, is_own
from .catalogue.conventions import Conventions
from .catalogue.measures import Measure
from .engines import open_session
from .inputs.columns import EXACT, NEIGHBOURS, Columns
from .inputs.data import Data, RunNames, Runs
from .inputs.reader import Input, Reader
from .inputs.source import reading
from .inputs.topics import read_topics
from .macros.create import list_calls, prepare
from .macros.install import call_installed
from .macros.statements import Segments, build
from .progress import begin
from .ranking import (
    Judged,
    Neighbours,
    Reach,
    UnusualError,
    drop_nothing,
    list_neighbours,
    number_exact,
    number_queries,
    place_neighbours,
    read_lists,
    replace_plain,
)
from .running.checks import check_run_ids, list_run_ids, refuse, require_finite, require_rows
from .running.connections import open_reader
from .running.duckdb import select_exactly, summarize
from .running.first_rows import count_sampled, note_ids, read_first
from .running.neighbours import (
    CLOSE,
    is_negative,
    lacks_rank,
    list_of_ratios,
    note_distances,
    note_nothing,
    note_queries,
    require_enough,
)
from .running.session import order_runs
from .score import Aggregate, Scores, ask

# What is scored when no metric is named.
DEFAULT_METRICS = "ANNRecall@10 ANNRecall(aggregate='median')@10 ANNRecall(aggregate='p5')@10"


def neighbours(
    exact: Data,
    found: Runs,
    metrics: str | Iterable[str] | None = None,
    *,
    aggregate: Aggregate | None = None,
    by: str | Sequence[str] = (),
    weight: str | None = None,
    topics: Data | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    engine: Any = None,  # noqa: ANN401
) -> Scores:
    """Score what a vector index returned against the exact nearest neighbours; returns `Scores`.

    - ``exact``: a row for each exact neighbour of a query, with query_id, doc_id and distance, as
      many as the highest cut-off or more. The smallest distance is the nearest; an inner product
      or a cosine similarity is one with the sign turned. Files, tables and frames are as for
      `evaluate`.
    - ``found``: the same of what one or more indexes returned, with the distances measured in the
      same way: by the exact vectors, where an index has compressed ones. A column rank has the
      order of the index, where it is not that of the distances. Several are several runs.
    - ``metrics``: names such as ``"ANNRecall@10 IDRecall(within=100)@10 DistanceRatio@10"``, which
      `metrics` lists in the family neighbours; by default ANNRecall@10, as mean, median and 5th
      percentile over the queries.
    - ``aggregate``: how a run's score comes from its queries', as for `evaluate`: ``"mean"``,
      ``"median"``, ``"p5"``, ``"min"`` or another.
    - ``by``: one or more columns of ``topics``; ``mean`` has a row per run and segment.
    - ``weight``: the column of ``topics`` that says how much each query counts in a mean.
    - ``topics``: a table with a query_id; without it these are columns of ``exact``.
    - ``con``, ``columns``, ``run_names``: as for `evaluate`.
    - ``engine``: a Spark session or its address, as for `evaluate`, which computes everything; the
      tables are its tables and views, Parquet files that it can read, or its frames.

    Every query of ``exact`` counts: with nothing returned, its recall is 0 and its DistanceRatio
    null, which no mean has.

    Raises `InputError` for tables that cannot be read or would give a wrong score, such as fewer
    exact neighbours than the cut-off, `MetricError` for a metric that does not exist or is not one
    of neighbours.

    >>> exact = {"q": {"a": 0.1, "b": 0.2, "c": 0.3}}
    >>> index = {"q": {"a": 0.1, "c": 0.3}}
    >>> neighbours(exact, index, "ANNRecall@2 IDRecall(within=3)@3").mean.rows()
    [('run', 0.5, 0.6666666666666666)]
    """
    question = ask(
        DEFAULT_METRICS if metrics is None else metrics,
        Conventions(),
        aggregate,
        by=by,
        weight=weight,
        topics=topics,
        con=con,
        kinds=("neighbours",),
    )
    if engine is not None:
        with open_session(
            question, engine, con=con, columns=columns, run_names=run_names
        ) as session:
            session.read(exact, found, topics)
            session.check()
            per_query = order_runs(session.score(), session.run_ids)
            mean = order_runs(session.summarize(per_query), session.run_ids)
            return Scores(
                per_query,
                mean,
                session.statement,
                question.metrics,
                question.segments,
                question.weight,
                notes=(*_note_defaults(metrics), *session.notes),
            )
    with open_reader(con, columns, run_names, with_ranks=True) as reader:
        given = reader.read(exact, EXACT)
        runs = reader.read_runs(found, kind=NEIGHBOURS)
        inputs = [given, *runs.values()]
        with reading(" or ".join(each.name for each in inputs)):
            begin("checking neighbours")
            reaches = _list_reaches(question.metrics)
            known, placed = place(reader, given, runs, [*reaches])
            check_run_ids((each.name, list_run_ids(reader.con, each)) for each in runs.values())
            _require_ranks(reader, runs.values())
            queries = known.queries.select("query_id", num_exact="judged")
            require_enough(given.name, queries, question.metrics)
            _require_no_negative(reader, inputs, question.metrics)
            names = {name: run.name for name, run in runs.items()}
            notes = [*reader.notes, *note_queries(given.name, names, queries, placed.lists)]
            notes += _note_distances(known, placed)
            most = count_sampled(len(runs))
            listed = known.documents.join(known.queries.select("query", "query_id"), on="query")
            for each in runs.values():
                notes += note_ids(each.name, read_first(reader, each, most), listed)
            about = None
            if question.topic_columns:
                source = exact if topics is None else topics
                about = read_topics(reader, source, question.segments, question.weight)
            begin("scoring")

            def score(wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
                parts = (
                    _score(reader, known, placed, group, near, segments)
                    for near, group in enumerate(_list_reaches(wanted, reaches).values())
                    if group
                )
                keys = ["run_id", *(segments.columns if segments else ["query_id"])]
                rows = next(parts)
                for part in parts:
                    rows = rows.join(part, on=keys, how="left", nulls_equal=True)
                require_finite(rows, wanted, keys[-1], " or ".join(each.name for each in inputs))
                return rows.select(*keys, *(measure.name for measure in wanted)).sort(keys)

            per_query, pooled = score(question.metrics), None
            if about:
                per_query = about.join(per_query)
                notes += about.describe_missing(per_query)
            if question.pooled:
                segments = Segments()
                if about:
                    table = about.table
                    if not _keeps_ids(question.pooled):
                        table = reader.register(number_queries(about.frame, known))
                    segments = Segments(table, about.segments)
                pooled = score(question.pooled, segments)
            mean = order_runs(summarize(reader, per_query, question, pooled), runs)
        return Scores(
            order_runs(per_query, runs),
            mean,
            _write_statement(question.metrics, given, runs),
            question.metrics,
            question.segments,
            question.weight,
            notes=(*_note_defaults(metrics), *notes),
        )


def _note_defaults(metrics: object) -> list[str]:
    return [f"no metrics given; these are {DEFAULT_METRICS}"] if metrics is None else []


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

    def number() -> tuple[Judged, bool, Neighbours]:
        known, is_clean = number_exact(read_found(inputs[0]))
        return known, is_clean, place_neighbours(read(is_sorted=True), known, reaches)

    try:
        known, is_clean, found = number()
    except UnusualError:
        inputs = [*map(replace_plain, inputs)]
        known, is_clean, found = number()
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
        statement = build(wanted, Conventions(), tables=(table, table), segments=segments)
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


def _write_statement(wanted: Sequence[Measure], exact: Input, runs: Mapping[str, Input]) -> str:
    """The SELECT over the inputs as they are, for the macros of `install`."""
    union = "\nUNION ALL BY NAME\n".join(each.query for each in runs.values())
    inputs = {"_exact": exact.query, "_found": union}
    statement = build(wanted, Conventions(), inputs, ("_exact", "_found"), shares_ranks=False)
    return call_installed(statement)
