"""Spark: metrics computed by a cluster, over tables that stay there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import polars as pl
from sqlglot import exp

from ..catalogue.measures import Measure
from ..catalogue.summaries import write_summary
from ..engine.checks import check_run_ids, list_run_ids, refuse, require_finite, require_judged_once
from ..engine.coverage import check_coverage
from ..engine.first_rows import drop_cut, note_ids, note_rows
from ..engine.neighbours import CLOSE, check_neighbours, note_distances
from ..engine.session import Request, Session
from ..errors import InputError, MetricError
from ..inputs.columns import EXCLUDED
from ..inputs.tables import is_self
from ..macros.statements import Segments, build, define
from ..progress import begin
from ..translate.dialects import naming_unable, read_table, require_possible
from ..translate.expand import PlainQuery
from ..translate.simplify import Tree
from ..translate.writer import write, write_part
from .addresses import Frame, saying
from .addresses import Session as SparkSession
from .views import ENGINE, Spark, Table, quote_name, quote_text, unite

# The names of the inputs in statements.
_QRELS, _RUN = "_given_qrels", "_given_run"
_GIVEN = {"qrels": _QRELS, "run": _RUN, "exact": _QRELS, "found": _RUN}


class ClusterRuns(Session):
    """Scores computed by Spark; see `engine.session.Session` for the steps.

    With ``into`` the scores of queries go to a new table of that name, and stay there.
    """

    judgments: Table

    def __init__(self, reader: Spark, request: Request, into: str | None = None) -> None:
        super().__init__(reader, request)
        self.reader = reader
        if request.topic_columns and (into is not None or request.pooled):
            raise InputError("on Spark, by and weight do not support into or pooled metrics")
        if into is not None:
            _require_into(reader.session, into, request.metrics)
        self._into = into
        self.statement = ""

    def exclude(self, exclude: Any) -> None:  # noqa: ANN401
        """Leave documents out of the runs."""
        given = exclude if is_self(exclude) else self.reader.read(exclude, EXCLUDED)
        for name, each in self.runs.items():
            left = self.reader.tables[self.reader.leave_out(each.table, given)]
            known = [(each.name, list_run_ids(self.reader, each))]
            check_run_ids(known, list_run_ids(self.reader, left))
            self.runs[name] = left

    def check(self) -> None:
        """What it needs of the rows is brought here.

        Repeated documents are found while they are ranked, except in judgments by subtopic.
        """
        begin("checking")
        _ = self._query  # refuse what Spark cannot compute before it computes anything
        wanted, judgments = self.request.metrics, self.judgments
        refuse(self.reader, [judgments, *self.runs.values()], looks_for_repeated=False)
        if any(measure.metric.is_by_subtopic for measure in wanted):
            refuse(self.reader, [judgments], "repeated_judgments")
            once = [measure.name for measure in wanted if measure.metric.needs_one_judgment]
            require_judged_once(self.reader, judgments, once)
        relevance = "max(CAST(g.relevance AS DOUBLE)) AS relevance"
        best = self._group(judgments.table, ["query_id"], relevance)
        lists = self._list_queries()
        names = {name: run.name for name, run in self.runs.items()}
        self.notes += self._note_first(best["query_id"])
        self.notes += check_coverage(best, judgments.name, lists, names, self.request.conventions)

    def _list_queries(self, rows: str = "{}", column: str = "count(*) AS number") -> pl.DataFrame:
        """The lists of all runs, or of rows of theirs: run_id, query_id, and a column."""
        listed = [(each.name, list_run_ids(self.reader, each)) for each in self.runs.values()]
        check_run_ids(listed)
        united = rows.format(self.reader.unite(self.runs.values()))
        return self._group(united, ["run_id", "query_id"], column)

    def _group(self, table: str, keys: Sequence[str], column: str) -> pl.DataFrame:
        """A column of the rows of each of these keys."""
        ids = ", ".join(f"CAST(g.{key} AS VARCHAR) AS {key}" for key in keys)
        groups = ", ".join(f"g.{key}" for key in keys)
        return self.reader.run(f"SELECT {ids}, {column} FROM {table} AS g GROUP BY {groups}")

    def _note_first(self, judged: pl.Series) -> Iterator[str]:
        """The notes of `note_first`, on the rows of each run that Spark takes first."""
        qrels = _write_ids(self.judgments.query)
        for run in self.runs.values():
            more = ["run_id", "score", *(["rank"] if "rank" in run.columns else [])]
            read = f"{_write_ids(run.query.limit(_FIRST), *more)} WHERE query_id IS NOT NULL"
            rows = self.reader.bring(read, run.name)
            here = self.reader.open_here()
            yield from note_rows(here, run.name, drop_cut(rows, _FIRST), _ASKED)
            ids = ", ".join(map(quote_text, rows["query_id"].unique()))
            wanted = f"SELECT * FROM ({qrels}) WHERE query_id IN ({ids})"
            known = self.reader.bring(wanted, self.judgments.name)
            others = pl.DataFrame({"query_id": judged, "doc_id": None}, known.schema)
            yield from note_ids(run.name, rows, pl.concat([known, others]))

    @cached_property
    def _inputs(self) -> dict[str, Tree]:
        return {_QRELS: self.judgments.query, _RUN: unite(self.runs.values())}

    @cached_property
    def _query(self) -> PlainQuery:
        """The query of the scores; raises `MetricError` for metrics that Spark cannot compute."""
        wanted = self.request.metrics
        require_possible(self.request, "spark")
        query = self._plan(wanted)
        query.tree.set("order", None)  # which would cost another pass, to find out what is where
        with naming_unable(wanted, self._write, "spark"):
            self.statement = write(query, ENGINE)
        return query

    def score(self) -> pl.DataFrame:
        wanted, query = self.request.metrics, self._query
        begin("scoring")
        with saying(f"{self}: "):
            frame = self._open(_keep_ranks(self.reader, query))
            if self._into is not None:
                frame = frame.persist()
                self.reader.undo.callback(frame.unpersist)
                require_finite(_find_endless(frame), wanted, "query_id", self.judgments.name)
                size = frame.count() * len(frame.columns) * _BYTES
                frame.coalesce(max(1, size // _FILE)).write.saveAsTable(self._into)
                return pl.DataFrame()
            per_query = pl.DataFrame(frame.toArrow())
        require_finite(per_query, wanted, "query_id", self.judgments.name)
        return self.join_topics(per_query.sort("run_id", "query_id"))

    def _open(self, statement: str) -> Frame:
        """The rows of a statement, with the name of the only run where they have none."""
        frame = self.reader.session.sql(statement)
        if "run_id" in frame.columns:
            return frame
        (name,) = self.runs
        return frame.selectExpr(f"{quote_text(name)} AS run_id", "*")

    def _write(self, wanted: Sequence[Measure]) -> str:
        return write(self._plan(wanted), ENGINE)

    def _plan(self, wanted: Sequence[Measure], segments: Segments | None = None) -> PlainQuery:
        conventions = replace(self.request.conventions, exclude=None)  # which was done before
        statement = build(wanted, *define(_GIVEN, conventions), segments=segments)
        return PlainQuery(statement, self._inputs, "spark")

    def summarize(self, per_query: pl.DataFrame) -> pl.DataFrame:
        if self._into is None:
            return super().summarize(per_query)
        scores = [f"{_write_summary(m)} AS {quote_name(m.name)}" for m in self.request.metrics]
        table = write_part(read_table(self._into, ENGINE), ENGINE)
        listed = ", ".join(["run_id", *scores])
        return self.reader.bring(f"SELECT {listed} FROM {table} GROUP BY run_id").sort("run_id")

    def compute(self, wanted: Sequence[Measure], segments: Segments | None = None) -> pl.DataFrame:
        """The score of each run over the rankings of all queries taken together."""
        with saying(f"{self}: "):
            text = write(self._plan(wanted, segments), ENGINE)
            found = pl.DataFrame(self._open(text).toArrow())
        require_finite(found, wanted, "run_id", self.judgments.name)
        return found


class ClusterNeighbours(ClusterRuns):
    """The same of neighbours: the exact ones in place of judgments, the returned ones of runs."""

    def check(self) -> None:
        begin("checking neighbours")
        _ = self._query
        wanted, exact = self.request.metrics, self.judgments
        nearest = "min(g.distance) AS nearest"
        refuse(self.reader, self.inputs)
        counted = f"count(*) AS num_exact, {nearest}"
        queries = self._group(f"exact_neighbours({exact.table})", ["query_id"], counted)
        queries = queries.sort("query_id")
        known = queries.select("query_id", exact="nearest").with_row_index("query")
        lists = self._list_queries("neighbour_lists({})", nearest)
        lists = lists.join(known, on="query_id", how="left")
        self.notes += check_neighbours(self.reader, exact, self.runs, wanted, queries, lists)
        rounding = pl.max_horizontal(pl.col("exact").abs(), 1.0) * CLOSE
        is_nearer = pl.col("nearest") < pl.col("exact") - rounding
        self.notes += note_distances(
            lists.filter(is_nearer)["query"].n_unique(), self._count_others()
        )

    def _count_others(self) -> int:
        """How many neighbours have another distance in the exact table."""
        number: int = self.reader.run(f"""
            SELECT count(*) AS number
            FROM neighbour_lists({self.reader.unite(self.runs.values())}) AS f
            INNER JOIN exact_neighbours({self.judgments.table}) AS e
                ON f.query_id = e.query_id AND f.doc_id = e.doc_id
            WHERE abs(e.distance - f.distance) > {CLOSE} * greatest(abs(e.distance), 1)
        """).item()
        return number


def _write_ids(rows: Tree, *more: str) -> str:
    listed = (f"CAST({each} AS STRING) AS {each}" for each in ("query_id", "doc_id", *more))
    return f"SELECT {', '.join(listed)} FROM ({write_part(rows, ENGINE)})"


_ASKED = ("ranks_as_scores", "contradicting_ranks", "vanished_scores")
_FIRST = 1000  # rows of each run that are looked at
_BYTES = 16  # of a score or an id, about
_FILE = 1 << 27  # as many bytes of a file as Spark reads at once


def _require_into(session: SparkSession, name: str, wanted: Sequence[Measure]) -> None:
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


def _keep_ranks(reader: Spark, query: PlainQuery) -> str:
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
