"""Sessions: where scores are computed. Each engine is one way through the same five steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import polars as pl

from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..inputs.data import Data, Runs
from ..inputs.topics import Topics
from .coverage import NOT_KNOWN
from .judgments import Qrels


@dataclass(frozen=True)
class Question:
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

    def take(self, kind: str) -> Question | None:
        """The same of its metrics of a kind, if it has any."""
        wanted = tuple(measure for measure in self.metrics if measure.metric.kind == kind)
        if len(wanted) == len(self.metrics):
            return self
        return replace(self, metrics=wanted) if wanted else None

    @property
    def pooled(self) -> tuple[Measure, ...]:
        """The metrics whose score of a run is over the rankings of all queries taken together."""
        return tuple(measure for measure in self.metrics if measure.summary == "pooled")


class Part(NamedTuple):
    """The scores of metrics of one kind, as in `Scores`."""

    per_query: pl.DataFrame
    mean: pl.DataFrame
    statement: str
    notes: list[str]
    judged: pl.DataFrame = NOT_KNOWN


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


class Session(Protocol):
    """An engine at work on one question: read, check, score, summarize, in this order.

    Opening it connects, and closing it removes what it left. ``notes`` collects remarks about the
    inputs, ``judged`` has how much of the runs is judged, as in `Scores`. What it has read is there
    for metrics of other kinds, too.
    """

    notes: list[str]
    judged: pl.DataFrame
    topics: Topics | None

    @property
    def reader(self) -> Any:  # noqa: ANN401
        """What reads inputs."""

    @property
    def judgments(self) -> Any:  # noqa: ANN401
        """The judgments, as the reader knows them."""

    @property
    def runs(self) -> Mapping[str, Any]:
        """The runs, by name."""

    @property
    def run_ids(self) -> Iterable[str]:
        """The names of the runs, in the order in which they were given."""

    @property
    def statement(self) -> str:
        """The SQL of the scores, once they are there."""

    def read(self, qrels: Qrels, run: Runs, topics: Data | None) -> None:
        """Find the inputs, and which of their columns is which."""

    def check(self) -> None:
        """Raise `InputError` for what would give a wrong number."""

    def score(self) -> pl.DataFrame:
        """The scores of each query: run_id, query_id, the columns of topics, the metrics."""

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        """The scores of each run, or of each run and segment, of those of its queries."""
