"""Spark: metrics computed by a cluster, over tables that stay there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import polars as pl
from sqlglot import exp

from ..catalogue.measures import Measure, take_subtopics
from ..catalogue.summaries import write_summary
from ..elsewhere.dialects import naming_unable, read_table, require_possible
from ..elsewhere.folding import Tree
from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write, write_part
from ..errors import InputError, MetricError
from ..inputs.columns import EXACT, NEIGHBOURS, QRELS, SUBTOPIC_QRELS, Columns, naming
from ..inputs.data import Data, Runs
from ..inputs.topics import Topics
from ..macros.statements import Segments, build, define
from ..progress import begin
from ..running.checks import require_finite
from ..running.connections import open_reader
from ..running.coverage import NOT_KNOWN, check_coverage
from ..running.duckdb import summarize
from ..running.first_rows import drop_cut, note_ids, note_rows
from ..running.judgments import Judgments, Qrels
from ..running.neighbours import (
    CLOSE,
    is_negative,
    lacks_rank,
    list_of_ratios,
    note_distances,
    note_queries,
    require_enough,
)
from ..running.session import Question
from .checks import group, list_queries, refuse, require_judged_once, require_usable
from .tables import (
    ENGINE,
    Frame,
    Session,
    SparkReader,
    Table,
    connect,
    exclude_from,
    quote_name,
    quote_text,
    saying,
    unite,
)

# The names of the inputs in statements.
_QRELS, _RUN = "_given_qrels", "_given_run"
_GIVEN = {"qrels": _QRELS, "run": _RUN, "exact": _QRELS, "found": _RUN}


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
        self.topics: Topics | None = None

    def read(self, qrels: Qrels, run: Runs, topics: Data | None = None) -> None:
        if isinstance(qrels, Judgments):  # which would bring them here
            qrels = qrels.data
        kind = SUBTOPIC_QRELS if take_subtopics(self.question.metrics) else QRELS
        self.judgments = self.reader.read(qrels, kind)
        if kind is SUBTOPIC_QRELS and "subtopic" not in self.judgments.columns:
            self.notes.append(f"{self.judgments.name} has no subtopics; each query counts as one")
        exclude = self.question.conventions.exclude
        self.runs = exclude_from(self.reader, self.reader.read_runs(run), exclude)
        self._read_topics(qrels if topics is None else topics)

    def _read_topics(self, data: Data) -> None:
        if self.question.topic_columns:
            about = self.question.segments, self.question.weight
            self.topics = self.reader.read_topics(data, *about)

    def check(self) -> None:
        """What it needs of the rows is brought here.

        Repeated documents are found while they are ranked, except in judgments by subtopic.
        """
        begin("checking")
        _ = self._query  # refuse what Spark cannot compute before it computes anything
        wanted, judgments = self.question.metrics, self.judgments
        for each in (judgments, *self.runs.values()):
            require_usable(self.reader, each)
        if any(measure.metric.is_by_subtopic for measure in wanted):
            refuse(self.reader, judgments, ["repeated_judgments"])
            once = [measure.name for measure in wanted if measure.metric.needs_one_judgment]
            require_judged_once(self.reader, judgments, once)
        relevance = "max(CAST(relevance AS DOUBLE)) AS relevance"
        best = group(self.reader, judgments, ["query_id"], relevance)
        if best.is_empty():
            raise InputError(f"{judgments.name} has no rows")
        lists = list_queries(self.reader, self.runs)
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += self._note_first(best["query_id"])
        self.notes += check_coverage(best, judgments.name, lists, names, self.question.conventions)

    def _note_first(self, judged: pl.Series) -> Iterator[str]:
        """The notes of `note_first`, on the rows of each run that Spark takes first."""
        qrels = _write_ids(self.judgments.query)
        for run in self.runs.values():
            more = ["run_id", "score", *(["rank"] if "rank" in run.columns else [])]
            read = f"{_write_ids(run.query.limit(_FIRST), *more)} WHERE query_id IS NOT NULL"
            rows = self.reader.ask(read, run.name)
            with open_reader() as own:
                yield from note_rows(own, run.name, drop_cut(rows, _FIRST), _ASKED)
            ids = ", ".join(map(quote_text, rows["query_id"].unique()))
            wanted = f"SELECT * FROM ({qrels}) WHERE query_id IN ({ids})"
            known = self.reader.ask(wanted, self.judgments.name)
            others = pl.DataFrame({"query_id": judged, "doc_id": None}, known.schema)
            yield from note_ids(run.name, rows, pl.concat([known, others]))

    @property
    def run_ids(self) -> Iterable[str]:
        """The names of the runs; those that a table holds are not known."""
        return self.runs

    @cached_property
    def _inputs(self) -> dict[str, Tree]:
        return {_QRELS: self.judgments.query, _RUN: unite(self.runs.values())}

    @cached_property
    def _query(self) -> PlainQuery:
        """The query of the scores; raises `MetricError` for metrics that Spark cannot compute."""
        wanted = self.question.metrics
        require_possible(self.question, "spark")
        query = self._plan(wanted)
        query.tree.set("order", None)  # which would cost another pass, to find out what is where
        with naming_unable(wanted, self._write, "spark"):
            self.statement = write(query, ENGINE)
        return query

    def score(self) -> pl.DataFrame:
        wanted, query = self.question.metrics, self._query
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
                size = frame.count() * len(frame.columns) * _BYTES
                frame.coalesce(max(1, size // _FILE)).write.saveAsTable(self._into)
                return pl.DataFrame()
            per_query = pl.DataFrame(frame.toArrow())
        require_finite(per_query, wanted, "query_id", self.judgments.name)
        per_query = per_query.sort("run_id", "query_id")
        if self.topics:
            per_query = self.topics.join(per_query)
            self.notes += self.topics.describe_missing(per_query)
        return per_query

    def _write(self, wanted: Sequence[Measure]) -> str:
        return write(self._plan(wanted), ENGINE)

    def _plan(self, wanted: Sequence[Measure], segments: Segments | None = None) -> PlainQuery:
        conventions = replace(self.question.conventions, exclude=None)  # which was done before
        statement = build(wanted, *define(_GIVEN, conventions), segments=segments)
        return PlainQuery(statement, self._inputs, "spark")

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
        wanted = self.question.pooled
        frame = self.reader.ask(write(self._plan(wanted, Segments()), ENGINE))
        if "run_id" not in frame.columns:
            frame = frame.select(pl.lit(self._run_id).alias("run_id"), pl.all())
        require_finite(frame, wanted, "run_id", self.judgments.name)
        return frame


class SparkNeighbours(Spark):
    """The same of neighbours: the exact ones in place of judgments, the returned ones of runs."""

    def read(self, qrels: Qrels, run: Runs, topics: Data | None = None) -> None:
        exact = qrels.data if isinstance(qrels, Judgments) else qrels
        given = self.reader.read(exact, EXACT)
        others = (exp.alias_(exp.Null(), name) for name in NEIGHBOURS.optional)
        self.judgments = replace(given, query=given.query.select(*others))
        self.runs = self.reader.read_runs(run, NEIGHBOURS)
        self._read_topics(exact if topics is None else topics)

    def check(self) -> None:
        begin("checking neighbours")
        _ = self._query
        wanted, exact = self.question.metrics, self.judgments
        nearest = "min(CAST(distance AS DOUBLE)) AS nearest"
        for each in (exact, *self.runs.values()):
            require_usable(self.reader, each)
            refuse(self.reader, each, ["repeated_neighbours"])
        queries = group(self.reader, exact, ["query_id"], f"count(*) AS num_exact, {nearest}")
        if queries.is_empty():
            raise InputError(f"{exact.name} has no rows")
        queries = queries.sort("query_id")
        lists = list_queries(self.reader, self.runs, nearest)
        for each in self.runs.values():
            for found in self._find(each, "rank IS NULL") if "rank" in each.columns else ():
                raise lacks_rank(each.name, *found[:2])
        require_enough(exact.name, queries, wanted)
        ratios = list_of_ratios(wanted)
        for each in (exact, *self.runs.values()) if ratios else ():
            for found in self._find(each, "CAST(distance AS DOUBLE) < 0"):
                raise is_negative((each.name, *found), ratios)
        names = {name: run.name for name, run in self.runs.items()}
        known = queries.select("query_id", exact="nearest").with_row_index("query")
        lists = lists.join(known, on="query_id", how="left")
        self.notes += note_queries(exact.name, names, queries, lists)
        rounding = pl.max_horizontal(pl.col("exact").abs(), 1.0) * CLOSE
        is_nearer = pl.col("nearest") < pl.col("exact") - rounding
        self.notes += note_distances(
            lists.filter(is_nearer)["query"].n_unique(), self._count_others()
        )

    def _find(self, table: Table, where: str) -> list[tuple[Any, ...]]:
        """The first row that meets a condition: query_id, doc_id, distance."""
        columns = ", ".join(f"CAST({name} AS STRING) AS {name}" for name in NEIGHBOURS.columns)
        rows = write_part(table.query, ENGINE)
        return self.reader.ask(f"SELECT {columns} FROM ({rows}) WHERE {where} LIMIT 1").rows()

    def _count_others(self) -> int:
        """How many neighbours have another distance in the exact table."""
        statement = f"""
            SELECT count(*) AS number
            FROM neighbour_lists({_RUN}) AS f
            INNER JOIN exact_neighbours({_QRELS}) AS e
                ON f.query_id = e.query_id AND f.doc_id = e.doc_id
            WHERE abs(e.distance - f.distance) > {CLOSE} * greatest(abs(e.distance), 1)"""
        query = PlainQuery(statement, self._inputs, "spark")
        number: int = self.reader.ask(write(query, ENGINE)).item()
        return number


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
        of_neighbours = any(m.metric.kind == "neighbours" for m in question.metrics)
        kind = SparkNeighbours if of_neighbours else Spark
        yield kind(SparkReader(session, undo, named), question, into)


def _write_ids(rows: Tree, *more: str) -> str:
    listed = (f"CAST({each} AS STRING) AS {each}" for each in ("query_id", "doc_id", *more))
    return f"SELECT {', '.join(listed)} FROM ({write_part(rows, ENGINE)})"


_ASKED = ("ranks_as_scores", "contradicting_ranks", "vanished_scores")
_FIRST = 1000  # rows of each run that are looked at
_BYTES = 16  # of a score or an id, about
_FILE = 1 << 27  # as many bytes of a file as Spark reads at once


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
