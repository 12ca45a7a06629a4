"""Spark: metrics computed by a cluster, over tables that stay there."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import duckdb
import polars as pl
from sqlglot import exp

from ..catalogue.measures import Measure, take_subtopics
from ..catalogue.summaries import write_summary
from ..errors import InputError, MetricError
from ..inputs.columns import (
    QRELS,
    RUN,
    SUBTOPIC_QRELS,
    Columns,
    Kind,
    describe_columns,
    match_columns,
)
from ..inputs.reader import Data, Input, Runs
from ..inputs.streams import Stream
from ..inputs.topics import Topics, read_topics
from ..progress import begin
from .checks import (
    check_coverage,
    check_run_ids,
    describe_row,
    require_finite,
    require_rows,
    takes_one_judgment,
)
from .dialects import (
    GIVEN_QRELS,
    GIVEN_RUN,
    cast_scores,
    make_query,
    name_columns,
    read_table,
    require_engine,
    write,
    write_part,
)
from .duckdb import open_reader, summarize
from .features import ENGINES
from .macros import create_bare_macros, needed_files
from .plain import PlainQuery, Tree
from .session import Question
from .statements import Segments, build

# Of pyspark, classic or Connect, which have no class in common.
Session: TypeAlias = Any
Frame: TypeAlias = Any

_ENGINE = ENGINES["spark"]
_numbers = count()


@contextmanager
def _connect(engine: str | Session) -> Iterator[Session]:
    """The user's session, or one by the address of a master or a Connect server, which is ended.

    Raises `InputError` where there is no Spark.
    """
    if not isinstance(engine, str):
        if not hasattr(engine, "sql") or not hasattr(engine, "table"):
            raise InputError(f"engine must be a SparkSession or its address, not {engine!r:.80}")
        yield engine
        return
    if not re.match(r"(local|spark://|yarn|k8s://|sc://)", engine):
        raise InputError(
            "engine must be a SparkSession or its address, such as spark://host:7077, sc://host "
            f"or local[*], not {engine!r}"
        )
    _require_answer(engine)
    with saying():
        session = _start_session(engine)
    try:
        yield session
    finally:
        session.stop()


def _start_session(engine: str) -> Session:
    import pyspark
    from pyspark.sql import SparkSession

    # there is one context, whichever thread started it; a client of Connect alone has none
    context = getattr(pyspark, "SparkContext", None)
    if SparkSession.getActiveSession() or (context and context._active_spark_context):
        raise InputError(
            "a Spark session is active, and an address would end it; pass the session as engine="
        )
    builder = SparkSession.builder.appName("sqlmetrics")
    if engine.startswith("sc://"):
        return builder.remote(engine).create()
    # what fails is said by us, without Java's trace
    return builder.master(engine).config("spark.log.level", "OFF").getOrCreate()


_PORTS = {"sc": 15002, "spark": 7077}
_PROXIES = {"grpc_proxy", "https_proxy", "http_proxy"}  # through which Connect goes


def _require_answer(engine: str) -> None:
    """Raise `InputError` where nothing answers at an address, for which Spark would wait long."""
    scheme, _, rest = engine.partition("://")
    if scheme not in _PORTS or (scheme == "sc" and not _PROXIES.isdisjoint(os.environ)):
        return
    places, *_ = re.split("[/;]", rest)  # what follows may be a secret
    for place in places.split(","):
        with suppress(OSError, ValueError):
            found = urlsplit(f"//{place}")
            address = found.hostname, found.port or _PORTS[scheme]
            socket.create_connection(address, timeout=10).close()
            return
    raise InputError(f"no answer from {scheme}://{places}; check that it is running, and its port")


class Spark:
    """Scores computed by Spark; see `engines.session.Session` for the steps.

    With ``into`` the scores of queries go to a new table of that name, and stay there.
    """

    judgments: Table
    runs: dict[str, Table]

    def __init__(self, reader: SparkReader, question: Question, into: str | None) -> None:
        self.reader = reader
        self.question = question
        self.notes = reader.notes
        self._into = into
        self.statement = ""
        self._topics: Topics | None = None

    def read(self, qrels: Data, run: Runs, topics: Data | None = None) -> None:
        kind = SUBTOPIC_QRELS if take_subtopics(self.question.metrics) else QRELS
        self.judgments = self.reader.read(qrels, kind)
        self.runs = self.reader.read_runs(run)
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
            _require_usable(self.reader, each, is_run=each is not judgments)
        if any(measure.metric.is_by_subtopic for measure in wanted):
            _check_subtopics(self.reader, wanted, judgments)
        relevance = "max(CAST(relevance AS DOUBLE)) AS relevance"
        best = _group(self.reader, judgments, ["query_id"], relevance)
        with duckdb.connect() as con:
            con.register("best", Stream(best.with_columns(doc_id=pl.lit(""))))
            given = Input(judgments.name, (), "", "best", ())
            named = {
                name: _register_lists(con, self.reader, name, run)
                for name, run in self.runs.items()
            }
            for table in (given, *named.values()):
                require_rows(con, table)
            check_run_ids(con, named.values())
            create_bare_macros(con, needed_files([]))
            lists = " UNION ALL BY NAME ".join(f"FROM {each.table}" for each in named.values())
            con.execute(f"CREATE TEMP VIEW lists AS {lists}")
            self.notes += check_coverage(con, given, named, "lists", self.question.conventions)

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
            self.statement = write(query, _ENGINE)
        except MetricError:
            require_engine(wanted, conventions, "spark")
            raise
        begin("scoring")
        names = ", ".join(each.name for each in (self.judgments, *self.runs.values()))
        with saying(f"{names}: "):
            frame = self.reader.session.sql(_keep_ranks(self.reader, query))
            if "run_id" not in frame.columns:
                frame = frame.selectExpr(f"{_quote_text(self._run_id)} AS run_id", "*")
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
        scores = [f"{_write_summary(m)} AS {_quote_name(m.name)}" for m in self.question.metrics]
        table = write_part(read_table(self._into, _ENGINE), _ENGINE)
        listed = ", ".join(["run_id", *scores])
        return self.reader.ask(f"SELECT {listed} FROM {table} GROUP BY run_id").sort("run_id")

    def _pool(self) -> pl.DataFrame:
        """The score of each run over the rankings of all queries taken together."""
        wanted, conventions = self.question.pooled, self.question.conventions
        statement = build(wanted, conventions, {}, (GIVEN_QRELS, GIVEN_RUN), Segments())
        frame = self.reader.ask(write(PlainQuery(statement, self._inputs, "spark"), _ENGINE))
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
    with _connect(engine) as session, ExitStack() as undo:
        if into is not None:
            _require_into(session, into, question.metrics)
        yield Spark(SparkReader(session, undo, columns), question, into)


@dataclass(frozen=True)
class Table:
    """Judgments or a run on Spark: what it is called, and the query of its columns by our names."""

    name: str
    query: Tree
    columns: tuple[str, ...]


class SparkReader:
    """Finds tables in a session; drops the views that it made when ``undo`` closes."""

    def __init__(self, session: Session, undo: ExitStack, columns: Columns | None) -> None:
        self.session = session
        self.undo = undo
        self.columns = columns
        self.notes: list[str] = []

    def read(self, data: Any, kind: Kind, run_id: str | None = None) -> Table:  # noqa: ANN401
        """The columns of a table, a view, a Parquet file or a frame of Spark."""
        name, frame, table = self._find(data, kind, run_id)
        found = match_columns(name, kind, frame.columns, self.columns)
        if note := describe_columns(name, found):
            self.notes.append(note)
        if kind is RUN and "score" not in found:
            raise InputError(f"{name} has no column score; Spark does not use a rank instead")
        if kind is RUN and dict(frame.dtypes)[found["score"]] == "boolean":
            raise InputError(f"{name} has true and false as scores; scores must be numbers")
        columns = (*kind.columns, *kind.optional)
        named = {ours: found.get(ours) and _quote_name(found[ours]) for ours in columns}
        if kind is SUBTOPIC_QRELS and "subtopic" not in found:
            self.notes.append(f"{name} has no subtopics; each query counts as one")
        query = name_columns(table, named, _ENGINE)
        if run_id is not None and "run_id" not in found:
            for each in query.selects:
                if each.alias == "run_id":
                    each.set("this", exp.Literal.string(run_id))
        return Table(name, query, tuple(found))

    def read_frame(self, data: Any, kind: Kind) -> pl.DataFrame:  # noqa: ANN401
        """The distinct rows of a table of queries, brought here."""
        table = self.read(data, kind)
        query = table.query.distinct()
        return self.ask(query.sql("spark"), table.name)

    def read_runs(self, run: Any) -> dict[str, Table]:  # noqa: ANN401
        """The runs by name: those of a dict, a table, or a list of both."""
        pairs: list[tuple[str, Any]] = []
        for each in run if isinstance(run, Sequence) and not isinstance(run, str) else [run]:
            named = each.items() if isinstance(each, Mapping) else [(_name_run(each), each)]
            pairs += ((str(name), data) for name, data in named)
        if not pairs:
            raise InputError("no run to score; pass at least one")
        if len({name for name, _ in pairs}) < len(pairs):
            raise InputError("two runs have the same name; use the keys of a dict")
        return {name: self.read(data, RUN, name) for name, data in pairs}

    def ask(self, text: str, name: str | None = None) -> pl.DataFrame:
        """Run a statement and bring its rows here; errors name the table."""
        with saying(f"{name}: " if name else ""):
            return pl.DataFrame(self.session.sql(text).toArrow())

    def show(self, frame: Frame) -> str:
        """The name of a view of a frame."""
        name = f"_sqlmetrics_{next(_numbers)}"
        frame.createOrReplaceTempView(name)
        self.undo.callback(self.session.catalog.dropTempView, name)
        return name

    def _find(
        self,
        data: Any,  # noqa: ANN401
        kind: Kind,
        run_id: str | None,
    ) -> tuple[str, Frame, str]:
        if hasattr(data, "createOrReplaceTempView"):
            name = f"the {kind.name} frame" + (f" {run_id}" if run_id not in (None, "run") else "")
            return name, data, self.show(data)
        text = str(data)
        if not isinstance(data, str) and not hasattr(data, "__fspath__"):
            raise InputError(
                f"the {kind.name} on Spark must be a table, a Parquet file or a frame of Spark, "
                f"not a {type(data).__name__}; use session.createDataFrame"
            )
        if text.endswith((".parquet", "/")):
            with saying(f"{text}: "):
                frame = self.session.read.parquet(text)
                frame.columns  # noqa: B018, Connect looks only now
            return text, frame, self.show(frame)
        if "/" in text:
            raise InputError(f"Spark reads tables and Parquet here; make a view of {text}")
        with saying(f"{text}: "):
            if not self.session.catalog.tableExists(text):
                raise InputError(f"the session has no table or view {text}")
            return text, self.session.table(text), text


def _require_into(session: Session, name: str, wanted: Sequence[Measure]) -> None:
    """Raise an error unless scores can go into a new table of this name."""
    for measure in wanted:
        _write_summary(measure)
    *schema, _ = (part.name for part in read_table(name, _ENGINE).parts)
    with saying(f"into={name!r}: "):
        if schema and not session.catalog.databaseExists(".".join(schema)):
            raise InputError(f"into={name!r}: no schema {'.'.join(schema)}; create it first")
        if session.catalog.tableExists(name):
            raise InputError(f"the table {name} already exists; name a new one, or drop it first")


def _quote_name(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


def _quote_text(text: str | None) -> str:
    return write_part(exp.convert(text), _ENGINE)


def _name_run(data: Any) -> str:  # noqa: ANN401
    """The last part of a table's name, or a file's without its ending."""
    if hasattr(data, "createOrReplaceTempView"):
        return "run"
    parts = re.split(r"[./\\]", re.sub(r"(\.parquet)?/?$", "", str(data)))
    return parts[-1].strip("`")


@contextmanager
def saying(prefix: str = "") -> Iterator[None]:
    """Turn Spark's errors into ours, without its traces."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if isinstance(error, ImportError):
            said = str(error).strip().partition("\n")[0]
            raise InputError(
                f"engine= needs Spark: pip install 'sqlmetrics[spark]' ({said})"
            ) from None
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        text = str(error)
        if "[JAVA_GATEWAY_EXITED]" in text:
            raise InputError(
                f"{prefix}Spark did not start; it needs Java 17 or later: see JAVA_HOME"
            ) from None
        if raised := re.search(r"\[USER_RAISED_EXCEPTION\] (.*?)(?: SQLSTATE|;|\n|$)", text):
            raise InputError(prefix + raised[1]) from None
        said = text.strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"{prefix}Spark: {said}") from None


def _find_endless(scores: Frame) -> pl.DataFrame:
    """A row with a score that is no finite number, where there is one."""
    figures = [_quote_name(name) for name, kind in scores.dtypes if kind == "double"]
    # infinity minus itself is not a number
    is_endless = " OR ".join(["FALSE", *(f"isnan({figure} - {figure})" for figure in figures)])
    return pl.DataFrame(scores.where(is_endless).limit(1).toArrow())


def _keep_ranks(reader: SparkReader, query: PlainQuery) -> str:
    """The text of a query, with ranks that several of its parts read computed once.

    Spark writes out a query by name wherever it is read, and would move the run each time. The
    rows are those of judged documents, and stay on the cluster.
    """
    tree = query.tree
    if len([table for table in tree.find_all(exp.Table) if table.name.startswith("scores_")]) < 2:
        return write(query, _ENGINE)
    for name in [cte.alias for cte in tree.ctes if re.fullmatch(r"ranked(_\d+)?", cte.alias)]:
        ranks = reader.session.sql(write(query.cut(name), _ENGINE)).persist()
        reader.undo.callback(ranks.unpersist)
        query.replace(name, reader.show(ranks))
    return write(query, _ENGINE)


def _ask_check(reader: SparkReader, check: str, table: Table) -> list[dict[str, Any]]:
    """The first row that a check finds, if any; values that are not numbers are NULL to it."""
    given = table.query.copy()
    for each in given.selects:
        if each.alias in ("relevance", "score"):
            each.set("this", _try_number(each.this))
    plain = PlainQuery(f"SELECT * FROM {check}(_given) AS c", {"_given": given}, "spark")
    return reader.ask(f"{write(plain, _ENGINE)}\nLIMIT 1", table.name).to_dicts()


def _try_number(value: Tree) -> Tree:
    return exp.TryCast(this=value, to=exp.DataType.build("double"), safe=True)


def _find_value(reader: SparkReader, table: Table, value: str, row: Mapping[str, Any]) -> str:
    """The value of a table that is not a number, in a row that a check found."""
    wanted = [f"CAST({id} AS STRING) <=> {_quote_text(row[id])}" for id in ("query_id", "doc_id")]
    given = write_part(table.query, _ENGINE)
    number = write_part(_try_number(exp.column(value)), _ENGINE)
    text = (
        f"SELECT CAST({value} AS STRING) AS value FROM ({given}) "
        f"WHERE {' AND '.join([*wanted, f'{number} IS NULL'])} LIMIT 1"
    )
    found = reader.ask(text, table.name)["value"].to_list()
    return repr(found[0] if found else None)


def _require_usable(reader: SparkReader, table: Table, *, is_run: bool) -> None:
    """Raise `InputError` for the first row that cannot be used."""
    check = "unusable_documents" if is_run else "unusable_judgments"
    value = "score" if is_run else "relevance"
    for row in _ask_check(reader, check, table):
        given = row[value] if row[value] is not None else _find_value(reader, table, value, row)
        where = f"query {row['query_id']}, document {row['doc_id']}, {value} {given}"
        raise InputError(
            f"{table.name} has a row that cannot be used ({where}): without query or document, "
            f"or with a {value} that is not a {'' if is_run else 'finite '}number"
        )


def _check_subtopics(reader: SparkReader, wanted: Sequence[Measure], judgments: Table) -> None:
    """Raise `InputError` for judgments by subtopic that appear twice, or serve not all metrics."""
    for row in _ask_check(reader, "repeated_judgments", judgments):
        raise InputError(f"{judgments.name}: {describe_row('repeated_judgments', row)}")
    if others := [m.name for m in wanted if m.metric.needs_one_judgment]:
        for row in _ask_check(reader, "judged_by_subtopic", judgments):
            raise takes_one_judgment(judgments.name, row, others)


def _register_lists(
    con: duckdb.DuckDBPyConnection, reader: SparkReader, name: str, run: Table
) -> Input:
    """A table of the lists of a run, each a row."""
    lists = _group(reader, run, ["run_id", "query_id"], "count(*) AS number")
    if "run_id" not in lists.columns:
        lists = lists.with_columns(run_id=pl.lit(name))
    for query_id in lists.filter(pl.col("run_id").is_null())["query_id"].head(1):
        raise InputError(f"{run.name} has no run_id (query {query_id})")
    table = f"lists_{next(_numbers)}"
    con.register(table, Stream(lists.with_columns(doc_id=pl.lit(""), score=pl.lit(0.0))))
    return Input(run.name, (), "", table, ())


def _group(reader: SparkReader, table: Table, keys: Sequence[str], figure: str) -> pl.DataFrame:
    """A score of each of these keys."""
    listed = ", ".join(f"CAST({key} AS VARCHAR) AS {key}" for key in keys)
    statement = f"SELECT {listed}, {figure} FROM _given AS g GROUP BY {', '.join(keys)}"
    query = PlainQuery(statement, {"_given": table.query}, "spark")
    return reader.ask(write(query, _ENGINE), table.name)


def _write_summary(measure: Measure) -> str:
    if measure.summary == "none":
        return "CAST(NULL AS DOUBLE)"
    summary = None
    if measure.summary != "pooled":
        summary = write_summary(_quote_name(measure.name), measure.summary)
    if summary is None:
        raise MetricError(f"{measure.name} cannot be summarized on Spark; remove into")
    return summary
