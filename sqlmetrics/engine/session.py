"""Sessions: what an engine does for one request: read, check, score, summarize."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure, take_subtopics
from ..catalogue.summaries import write_summary
from ..inputs.columns import EXACT, NEIGHBOURS, QRELS, RUN, SUBTOPIC_QRELS, Kind, quote_name
from ..inputs.data import Data, Runs
from ..inputs.frames import require_again
from ..inputs.tables import Topics
from ..macros.statements import Segments
from ..progress import begin
from .connections import DuckDB
from .coverage import make_unknown
from .interface import Engine
from .judgments import Judgments, Qrels


@dataclass(frozen=True)
class Request:
    """What to compute from judgments and runs.

    ``segments`` and ``weight`` are columns of the topics, for the scores of runs.
    """

    metrics: tuple[Measure, ...] = ()
    conventions: Conventions = field(default_factory=Conventions)
    segments: tuple[str, ...] = ()
    weight: str | None = None

    @property
    def topic_columns(self) -> tuple[str, ...]:
        return (*self.segments, *([] if self.weight is None else [self.weight]))

    @property
    def keys(self) -> list[str]:
        """The columns that name a row of the mean scores."""
        return ["run_id", *self.segments]

    def take(self, kind: str) -> Request | None:
        """The same of its metrics of a kind, if it has any."""
        wanted = tuple(measure for measure in self.metrics if measure.metric.kind == kind)
        if len(wanted) == len(self.metrics):
            return self
        return replace(self, metrics=wanted) if wanted else None

    @property
    def pooled(self) -> tuple[Measure, ...]:
        """The metrics whose score of a run is over the rankings of all queries taken together."""
        return tuple(measure for measure in self.metrics if measure.summary == "pooled")


@dataclass(frozen=True)
class Part:
    """The scores of metrics of one kind, as in `Scores`."""

    per_query: pl.DataFrame
    mean: pl.DataFrame
    statement: str
    notes: list[str]
    judged: pl.DataFrame = field(default_factory=make_unknown)


def order_runs(frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The rows with runs in the order in which these were given; others follow by name."""
    have = {*frame["run_id"]} if "run_id" in frame.columns else set[str]()
    given = [name for name in names if name in have]
    if given == sorted(given):  # as they are
        return frame
    runs = [*given, *sorted(have - {*given})]
    return frame.sort(pl.col("run_id").cast(pl.Enum(runs)), maintain_order=True)


def join_scores(frames: Iterable[pl.DataFrame], keys: Sequence[str]) -> pl.DataFrame:
    """The scores of several metrics side by side, sorted; a row that some lack has nulls."""
    rows, *others = frames
    for other in others:
        rows = rows.join(other, on=keys, how="full", coalesce=True, nulls_equal=True)
    return rows.sort(keys)


class Session:
    """An engine at work on one request: read, check, score, summarize, in this order.

    ``notes`` collects remarks about the inputs, ``judged`` has how much of the runs is judged, as
    in `Scores`. What it has read is there for metrics of other kinds, too.
    """

    judgments: Any
    statement: str
    means: pl.DataFrame | None = None  # those that came with the scores

    def __init__(self, engine: Engine, request: Request) -> None:
        self.engine = engine
        self.request = request
        self.notes = engine.notes
        self.judged = make_unknown()
        self.topics: Topics | None = None
        self.runs: dict[str, Any] = {}

    def __str__(self) -> str:
        """The names of the inputs, of which an error of an engine may be."""
        return " or ".join(each.name for each in self.inputs)

    @property
    def are_neighbours(self) -> bool:
        """Whether the runs are what an index returned, and the judgments exact neighbours."""
        return any(measure.metric.kind == "neighbours" for measure in self.request.metrics)

    @property
    def inputs(self) -> list[Any]:
        return [*([self.judgments] if hasattr(self, "judgments") else []), *self.runs.values()]

    @property
    def run_ids(self) -> Iterable[str]:
        """The names of the runs, in the order in which they were given, if they are known."""
        return self.runs

    def read(
        self, qrels: Qrels, run: Runs, topics: Data | None = None, kind: Kind | None = None
    ) -> None:
        """Read the columns that the request needs; ``kind`` is that of other judgments."""
        wanted = self.request.metrics
        data = qrels.data if isinstance(qrels, Judgments) else qrels
        if topics is None and self.request.topic_columns:
            require_again(data, "these judgments", "give by and weight their topics")
        are_neighbours = self.are_neighbours
        usual = EXACT if are_neighbours else SUBTOPIC_QRELS if take_subtopics(wanted) else QRELS
        self.read_judgments(qrels, kind or usual)
        score_type = self.request.conventions.score_type
        self.runs = self.engine.read_runs(run, score_type, NEIGHBOURS if are_neighbours else RUN)
        if self.request.conventions.exclude is not None:
            self.exclude(self.request.conventions.exclude)
        if self.request.topic_columns:
            about = self.request.segments, self.request.weight
            self.topics = self.engine.read_topics(data if topics is None else topics, *about)
        is_by_subtopic = any(measure.metric.is_by_subtopic for measure in wanted)
        if is_by_subtopic and "subtopic" not in self.judgments.columns:
            self.notes.append(f"{self.judgments.name} has no subtopics; each query counts as one")

    def read_judgments(self, qrels: Qrels, kind: Kind) -> None:
        """Read judgments, or exact neighbours."""
        data = qrels.data if isinstance(qrels, Judgments) else qrels
        self.judgments = self.engine.read(data, kind)

    def exclude(self, exclude: Any) -> None:  # noqa: ANN401
        """Leave documents out of the runs."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise `InputError` for what would give a wrong number."""
        raise NotImplementedError

    def compute(self, wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
        """The scores of each query, or of each run and segment; sorted."""
        raise NotImplementedError

    def score(self) -> pl.DataFrame:
        """The scores of each query: run_id, query_id, the columns of topics, the metrics."""
        begin("scoring")
        return self.join_topics(self.compute(self.request.metrics))

    def join_topics(self, per_query: pl.DataFrame) -> pl.DataFrame:
        """The scores of queries with the columns of topics."""
        if self.topics:
            per_query = self.topics.join(per_query)
            self.notes += self.topics.describe_missing(per_query)
        return per_query

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        """The scores of each run, or of each run and segment, of those of its queries; sorted."""
        keys, pooled = self.request.keys, self.request.pooled
        if (mean := self.means) is None:
            mean = summarize(self.engine.open_here(), per_query, self.request)
        if pooled:
            of_all = self.compute(pooled, self.divide())
            mean = mean.join(of_all, on=keys, how="left", nulls_equal=True)
        return mean.sort(keys).select(*keys, *(m.name for m in self.request.metrics))

    def divide(self) -> Segments:
        """The segments of queries that are pooled."""
        return Segments()


def summarize(reader: DuckDB, per_query: pl.DataFrame, request: Request) -> pl.DataFrame:
    """A row per run, or per run and segment, of the scores of its queries."""
    return reader.run(write_means(request, reader.register(per_query), per_query.schema))


def write_means(request: Request, scores: str, schema: Mapping[str, object]) -> str:
    """The SELECT of the same over a table of scores; ``schema`` has the types of the keys."""
    names = ((key, quote_name(key)) for key in request.keys)
    keys = [f"{x}{' COLLATE C' * (schema[key] == pl.String)} AS {x}" for key, x in names]
    weight = None if request.weight is None else quote_name(request.weight)
    wanted = [(quote_name(m.name), m.summary) for m in request.metrics if m.summary != "pooled"]
    summaries = [f"{write_summary(x, how, weight, exact=True)} AS {x}" for x, how in wanted]
    return f"SELECT {', '.join([*keys, *summaries])} FROM {scores} GROUP BY ALL"
