"""Tables of recommendations on a cluster: read, checked, and asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import polars as pl

from ..catalogue.measures import Measure
from ..elsewhere.dialects import write_plain_recommended
from ..elsewhere.folding import Tree
from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write
from ..errors import MetricError
from ..inputs.columns import Columns, naming
from ..inputs.topics import Topics
from ..macros.statements import build_recommended, list_table_checks, list_tables, take_items
from ..progress import begin
from ..running.checks import require_one_run
from ..running.connections import open_reader
from ..running.session import Session
from .checks import check_runs, check_subtopics, refuse, require_rows, require_usable
from .tables import ENGINE, Frame, SparkReader, connect, saying, unite


class SparkTables:
    """Tables on Spark; see `recommending.tables.Tables`."""

    def __init__(
        self,
        reader: SparkReader,
        wanted: Sequence[Measure],
        given: Mapping[str, Any],
        session: Session | None,
    ) -> None:
        self._reader = reader
        self.notes = reader.notes
        self._wanted = wanted
        self._runs = session.runs if session else reader.read_runs(given["run"])
        self.run_ids = [*self._runs]
        kinds = list_tables(wanted, given)
        self._inputs = {name: reader.read(given[name], kind) for name, kind in kinds.items()}
        needs_baseline = any("baseline" in measure.metric.tables for measure in wanted)
        self._baselines = reader.read_runs(given["baseline"]) if needs_baseline else {}
        read = (*self._runs.values(), *self._inputs.values(), *self._baselines.values())
        self.names = [each.name for each in read]
        self.reader = reader.undo.enter_context(open_reader())
        self._tables: dict[str, Tree] = {}
        self.named: dict[str, str] = {}

    def check(self) -> None:
        """Raise `InputError` for what would make a score wrong."""
        begin("checking recommendations")
        check_runs(self._reader, self._runs)
        for name, each in self._inputs.items():
            require_rows(self._reader, each)
            if name == "qrels":
                require_usable(self._reader, each)
                judged = [m for m in self._wanted if "qrels" in m.metric.tables]
                check_subtopics(self._reader, judged, each)
            else:
                refuse(self._reader, each, list_table_checks(self._wanted, name))
        if self._baselines:
            require_one_run("the baseline", check_runs(self._reader, self._baselines))
        # a column of a view is not a constant, as the name of a single run would be
        views = {name: self._add(self._select(query)) for name, query in self._queries.items()}
        self.named = take_items(views)

    @property
    def _queries(self) -> dict[str, Tree]:
        queries = {name: each.query for name, each in self._inputs.items()}
        queries["run"] = unite(self._runs.values())
        if self._baselines:
            queries["baseline"] = unite(self._baselines.values())
        return queries

    @property
    def statement(self) -> str:
        """The SELECT without macros; empty where Spark does not have an aggregate of the scores."""
        inputs = {f"_given_{name}": query for name, query in self._queries.items()}
        called = take_items({name: f"_given_{name}" for name in self._queries})
        try:
            query = PlainQuery(build_recommended(self._wanted, called), inputs, "spark")
        except MetricError:
            return ""
        return write(query, ENGINE)

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        return self._reader.read_topics(data, segments, weight)

    def keep(self, query: str) -> str:
        frame = self._select(PlainQuery(query, self._tables, "spark")).persist()
        self._reader.undo.callback(frame.unpersist)
        return self._add(frame)

    def ask(self, query: str) -> pl.DataFrame:
        text = write(PlainQuery(query, self._tables, "spark"), ENGINE)
        return self._reader.ask(text, ", ".join(self.names))

    def show(self, frame: pl.DataFrame) -> str:
        return self._add(self._reader.session.createDataFrame(frame.to_arrow()))

    def _select(self, query: PlainQuery | Tree) -> Frame:
        text = write(query, ENGINE) if isinstance(query, PlainQuery) else query.sql("spark")
        with saying(f"{', '.join(self.names)}: "):
            return self._reader.session.sql(text)

    def _add(self, frame: Frame) -> str:
        name = f"_rows_{len(self._tables) + 1}"
        self._tables[name] = self._reader.select(frame)
        return name


@contextmanager
def open_spark_tables(
    wanted: Sequence[Measure],
    given: Mapping[str, Any],
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
    session: Session | None,
) -> Iterator[SparkTables]:
    """Tables, views, Parquet files and frames of Spark, read and checked there.

    Raises `MetricError` for a metric that Spark cannot compute.
    """
    for measure in {each.metric: each for each in wanted}.values():  # scores are summarized here
        write_plain_recommended([replace(measure, aggregate=None)], ENGINE.dialect)
    with ExitStack() as undo:
        if session:
            reader = session.reader
        else:
            named = undo.enter_context(naming(columns))
            spark = undo.enter_context(connect(engine))
            reader = SparkReader(spark, undo, named)
        tables = SparkTables(reader, wanted, given, session)
        tables.check()
        yield tables
