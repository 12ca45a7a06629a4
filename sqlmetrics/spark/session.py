"""Spark: metrics computed by a cluster, over tables that stay there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import polars as pl
from sqlglot import exp

from ..catalogue.measures import Measure, take_subtopics
from ..catalogue.summaries import write_summary
from ..elsewhere.dialects import (
    GIVEN_QRELS,
    GIVEN_RUN,
    cast_scores,
    leave_out,
    make_query,
    read_table,
    require_engine,
)
from ..elsewhere.folding import Tree
from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write, write_part
from ..errors import InputError, MetricError
from ..inputs.columns import EXCLUDED, QRELS, SUBTOPIC_QRELS, Columns, Kind, naming
from ..inputs.data import Data, Runs
from ..inputs.excluded import is_self
from ..inputs.topics import Topics, read_topics
from ..macros.statements import Segments, build
from ..progress import begin
from ..running.checks import require_finite
from ..running.connections import open_reader
from ..running.coverage import NOT_KNOWN, check_coverage
from ..running.duckdb import summarize
from ..running.judgments import Judgments, Qrels
from ..running.session import Question
from .checks import check_subtopics, group, list_queries, require_usable
from .tables import (
    ENGINE,
    Frame,
    Session,
    SparkReader,
    Table,
    connect,
    quote_name,
    quote_text,
    saying,
)


class Spark:
    """Scores computed by Spark; see `running.session.Session` for the steps.

    With ``into`` the scores of queries go to a new table of that name, and stay there.
    """

    judgments: Table
    runs: dict[str, Table]

    def __init__(self, reader: SparkReader, question: Question, into: str | None) -> None:
        self.reader = reader
        self.question = question
        self.notes = reader.notes
        self.judged = NOT_KNOWN  # which would cost another pass
        self._into = into
        self.statement = ""
        self._topics: Topics | None = None

    def read(self, qrels: Qrels, run: Runs, topics: Data | None = None) -> None:
        if isinstance(qrels, Judgments):  # which would bring them here
            qrels = qrels.data
        kind = SUBTOPIC_QRELS if take_subtopics(self.question.metrics) else QRELS
        self.judgments = self.reader.read(qrels, kind)
        self.runs = self.reader.read_runs(run)
        if (exclude := self.question.conventions.exclude) is not None:
            table = None if is_self(exclude) else self.reader.read(exclude, EXCLUDED).query
            self.runs = {
                name: replace(each, query=leave_out(each.query, table))
                for name, each in self.runs.items()
            }
        if about := self.question.topic_columns:
            columns = Kind("topics", "a table of queries", ("query_id", *about))
            rows = self.reader.read_frame(qrels if topics is None else topics, columns)
            with open_reader() as own:
                self._topics = read_topics(own, rows, self.question.segments, self.question.weight)

    def check(self) -> None:
        """What it needs of the rows is brought here.

        Repeated documents are found while they are ranked, except in judgments by subtopic.
        """
        begin("checking")
        wanted, judgments = self.question.metrics, self.judgments
        for each in (judgments, *self.runs.values()):
            require_usable(self.reader, each, is_run=each is not judgments)
        if any(measure.metric.is_by_subtopic for measure in wanted):
            check_subtopics(self.reader, wanted, judgments)
        relevance = "max(CAST(relevance AS DOUBLE)) AS relevance"
        best = group(self.reader, judgments, ["query_id"], relevance)
        if best.is_empty():
            raise InputError(f"{judgments.name} has no rows")
        lists = list_queries(self.reader, self.runs)
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += check_coverage(best, judgments.name, lists, names, self.question.conventions)

    @cached_property
    def _inputs(self) -> dict[str, Tree]:
        queries = [each.query for each in self.runs.values()]
        union = exp.union(*queries, distinct=False) if len(queries) > 1 else queries[0]
        run = cast_scores(union, self.question.conventions, "spark")
        return {GIVEN_QRELS: self.judgments.query, GIVEN_RUN: run}

    def score(self) -> pl.DataFrame:
        wanted, conventions = self.question.metrics, self.question.conventions
        query = make_query(wanted, conventions, "spark", self._inputs)
        query.tree.set("order", None)  # which would cost another pass, to find out what is where
        try:
            self.statement = write(query, ENGINE)
        except MetricError:
            require_engine(wanted, conventions, "spark")
            raise
        begin("scoring")
        names = ", ".join(each.name for each in (self.judgments, *self.runs.values()))
        with saying(f"{names}: "):
            frame = self.reader.session.sql(_keep_ranks(self.reader, query))
            if "run_id" not in frame.columns:
                frame = frame.selectExpr(f"{quote_text(self._run_id)} AS run_id", "*")
            if self._into is not None:
                frame = frame.persist()
                self.reader.undo.callback(frame.unpersist)
                require_finite(_find_endless(frame), wanted, "query_id", self.judgments.name)
                frame.write.saveAsTable(self._into)
                return pl.DataFrame()
            per_query = pl.DataFrame(frame.toArrow())
        require_finite(per_query, wanted, "query_id", self.judgments.name)
        per_query = per_query.sort("run_id", "query_id")
        if self._topics:
            per_query = self._topics.join(per_query)
            self.notes += self._topics.describe_missing(per_query)
        return per_query

    @property
    def _run_id(self) -> str:
        """The name of the only run, of rows that have none."""
        (name,) = self.runs
        return name

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        pooled = self._pool() if self.question.pooled else None
        if self._into is None:
            with open_reader() as own:
                return summarize(own, per_query, self.question, pooled)
        scores = [f"{_write_summary(m)} AS {quote_name(m.name)}" for m in self.question.metrics]
        table = write_part(read_table(self._into, ENGINE), ENGINE)
        listed = ", ".join(["run_id", *scores])
        return self.reader.ask(f"SELECT {listed} FROM {table} GROUP BY run_id").sort("run_id")

    def _pool(self) -> pl.DataFrame:
        """The score of each run over the rankings of all queries taken together."""
        wanted, conventions = self.question.pooled, self.question.conventions
        statement = build(wanted, conventions, {}, (GIVEN_QRELS, GIVEN_RUN), Segments())
        frame = self.reader.ask(write(PlainQuery(statement, self._inputs, "spark"), ENGINE))
        if "run_id" not in frame.columns:
            frame = frame.select(pl.lit(self._run_id).alias("run_id"), pl.all())
        require_finite(frame, wanted, "run_id", self.judgments.name)
        return frame


@contextmanager
def open_spark(
    question: Question,
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
    into: str | None,
) -> Iterator[Spark]:
    """A session on the user's Spark, or on one that is started at an address and ended."""
    if question.topic_columns and (into is not None or question.pooled):
        raise InputError("on Spark, by and weight do not support into or pooled metrics")
    with naming(columns) as named, connect(engine) as session, ExitStack() as undo:
        if into is not None:
            _require_into(session, into, question.metrics)
        yield Spark(SparkReader(session, undo, named), question, into)


def _require_into(session: Session, name: str, wanted: Sequence[Measure]) -> None:
    """Raise an error unless scores can go into a new table of this name."""
    for measure in wanted:
        _write_summary(measure)
    *schema, _ = (part.name for part in read_table(name, ENGINE).parts)
    with saying(f"into={name!r}: "):
        if schema and not session.catalog.databaseExists(".".join(schema)):
            raise InputError(f"into={name!r}: no schema {'.'.join(schema)}; create it first")
        if session.catalog.tableExists(name):
            raise InputError(f"the table {name} already exists; name a new one, or drop it first")


def _find_endless(scores: Frame) -> pl.DataFrame:
    """A row with a score that is not finite, if there is one."""
    columns = [quote_name(name) for name, kind in scores.dtypes if kind == "double"]
    # infinity minus itself is not a number
    is_endless = " OR ".join(["FALSE", *(f"isnan({column} - {column})" for column in columns)])
    return pl.DataFrame(scores.where(is_endless).limit(1).toArrow())


def _keep_ranks(reader: SparkReader, query: PlainQuery) -> str:
    """The text of a query, with ranks that several of its parts read computed once.

    Spark writes out a query by name wherever it is read, and would move the run each time. The
    rows are those of judged documents, and stay on the cluster.
    """
    tree = query.tree
    if len([table for table in tree.find_all(exp.Table) if table.name.startswith("scores_")]) < 2:
        return write(query, ENGINE)
    for name in [cte.alias for cte in tree.ctes if re.fullmatch(r"ranked(_\d+)?", cte.alias)]:
        ranks = reader.session.sql(write(query.cut(name), ENGINE)).persist()
        reader.undo.callback(ranks.unpersist)
        query.replace(name, reader.show(ranks))
    return write(query, ENGINE)


def _write_summary(measure: Measure) -> str:
    if measure.summary == "none":
        return "CAST(NULL AS DOUBLE)"
    summary = None
    if measure.summary != "pooled":
        summary = write_summary(quote_name(measure.name), measure.summary)
    if summary is None:
        raise MetricError(f"{measure.name} cannot be summarized on Spark; remove into")
    return summary
