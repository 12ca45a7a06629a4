"""Tables of Spark: found, read by our names, and asked."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import polars as pl
from sqlglot import exp, parse_one

from ..elsewhere.dialects import name_columns
from ..elsewhere.features import ENGINES
from ..elsewhere.folding import Tree
from ..elsewhere.writer import write_part
from ..errors import InputError
from ..inputs.columns import (
    EXCLUDED,
    RUN,
    Columns,
    Kind,
    describe_columns,
    match_columns,
    split_key,
)
from ..inputs.excluded import is_self
from ..inputs.topics import Topics, read_topics
from ..running.connections import open_reader

# Of pyspark, classic or Connect, which have no class in common.
Session: TypeAlias = Any

Frame: TypeAlias = Any

ENGINE = ENGINES["spark"]

numbers = count()


@contextmanager
def connect(engine: str | Session) -> Iterator[Session]:
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
    # we report failures ourselves, without Java's trace
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
        """The columns of a table, a view, a Parquet file or a frame of Spark, or what was read."""
        if isinstance(data, Table):
            return data
        name, frame, table = self._find(data, kind, run_id)
        found, lists = self._match(name, frame, kind)
        if kind is RUN and "score" not in found:
            raise InputError(
                f"{name} has no column score; Spark does not use a rank or a distance instead: "
                "add a column score, such as -distance"
            )
        if kind is RUN and dict(frame.dtypes)[found["score"]] == "boolean":
            raise InputError(f"{name} has true and false as scores; scores must be numbers")
        columns = [*kind.columns, *kind.optional]
        if kind is RUN:
            columns.remove("distance")
        named = {ours: found.get(ours) and quote_name(found[ours]) for ours in columns}
        query = name_columns(table, named, ENGINE)
        for each in query.selects if kind.describes_documents else ():
            if found.get(each.alias) in lists:  # which SQL splits at the bars
                text = f"array_join(CAST({quote_name(found[each.alias])} AS ARRAY<STRING>), '|')"
                each.set("this", parse_one(text, read="spark"))
        if kind.is_of_neighbours:  # without those that neighbour_lists leaves out
            id, distance = (quote_name(found[each]) for each in ("doc_id", "distance"))
            endless = f"coalesce(abs(TRY_CAST({distance} AS DOUBLE)), 3.4e38) >= 3.4e38"
            nothing = f"CASE WHEN CAST({id} AS STRING) = '-1' AND {endless} THEN 0 ELSE 1 END = 1"
            query = query.where(nothing, dialect="spark")
        if run_id is not None and "run_id" not in found:
            for each in query.selects:
                if each.alias == "run_id":
                    each.set("this", exp.Literal.string(run_id))
        return Table(name, query, tuple(found))

    def read_whole(self, data: Any, kind: Kind) -> Table:  # noqa: ANN401
        """A table with all its columns, those of a kind by our names."""
        name, frame, _ = self._find(data, kind, None)
        found, _ = self._match(name, frame, kind)
        types = dict(frame.dtypes)
        for theirs in found.values() if kind.are_numbers else ():
            if types[theirs] == "string":
                raise InputError(f"{name} has {theirs} of type string; make it numbers")
        ours = {theirs: column for column, theirs in found.items()}
        listed = [f"{quote_name(c)} AS {quote_name(ours.get(c, c))}" for c in frame.columns]
        listed += [f"NULL AS {column}" for column in kind.optional if column not in found]
        with saying(f"{name}: "):
            query = self.select(frame.selectExpr(*listed))
        return Table(name, query, tuple(found))

    def _match(self, name: str, frame: Frame, kind: Kind) -> tuple[dict[str, str], list[str]]:
        """Our names of the columns, and the columns that hold lists."""
        lists = [column for column, type_ in frame.dtypes if type_.startswith("array")]
        found = match_columns(name, kind, frame.columns, self.columns, lists)
        if found.get("doc_id") in lists:
            raise InputError(
                f"{name}: {found['doc_id']} holds lists; on Spark, give a row for each document, "
                "with posexplode, whose position is the rank"
            )
        if keys := [column for column in found.values() if len(split_key(column)) > 1]:
            raise InputError(f"{name}: on Spark, make one column of {keys[0]}, with concat_ws")
        if note := describe_columns(name, found, kind):
            self.notes.append(note)
        return found, lists

    def read_frame(self, data: Any, kind: Kind) -> pl.DataFrame:  # noqa: ANN401
        """The distinct rows of a table of queries, brought here."""
        table = self.read(data, kind)
        query = table.query.distinct()
        return self.ask(query.sql("spark"), table.name)

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        """The columns of a table of queries, brought here."""
        columns = dict.fromkeys([*segments, *([weight] if weight else [])])
        rows = self.read_frame(data, Kind("topics", "a table of queries", ("query_id", *columns)))
        with open_reader() as own:
            return read_topics(own, rows, segments, weight)

    def read_runs(self, run: Any, kind: Kind = RUN) -> dict[str, Table]:  # noqa: ANN401
        """The runs by name: those of a dict, a table, or a list of both."""
        pairs: list[tuple[str, Any]] = []
        for each in run if isinstance(run, Sequence) and not isinstance(run, str) else [run]:
            named = each.items() if isinstance(each, Mapping) else [(_name_run(each), each)]
            pairs += ((str(name), data) for name, data in named)
        if not pairs:
            raise InputError("no run to score; pass at least one")
        if len({name for name, _ in pairs}) < len(pairs):
            raise InputError("two runs have the same name; use the keys of a dict")
        return {name: self.read(data, kind, name) for name, data in pairs}

    def ask(self, text: str, name: str | None = None) -> pl.DataFrame:
        """Run a statement and bring its rows here; errors name the table."""
        with saying(f"{name}: " if name else ""):
            return pl.DataFrame(self.session.sql(text).toArrow())

    def show(self, frame: Frame) -> str:
        """The name of a view of a frame."""
        name = f"_sqlmetrics_{next(numbers)}"
        frame.createOrReplaceTempView(name)
        self.undo.callback(self.session.catalog.dropTempView, name)
        return name

    def select(self, frame: Frame) -> Tree:
        """The query of the columns of a frame, in a view."""
        names = (exp.column(exp.to_identifier(name, quoted=True)) for name in frame.columns)
        return exp.select(*names).from_(self.show(frame))

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
                f"the {kind.name} on Spark must be a table, a Parquet file or a Spark frame, "
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


def exclude_from(
    reader: SparkReader,
    runs: Mapping[str, Table],
    exclude: Any,  # noqa: ANN401
) -> dict[str, Table]:
    """Runs without the documents of a table, or, with self, each without the query's own."""
    if exclude is None:
        return {**runs}
    table = None if is_self(exclude) else reader.read(exclude, EXCLUDED).query
    return {name: replace(each, query=_leave_out(each.query, table)) for name, each in runs.items()}


def _leave_out(run: Tree, exclude: Tree | None) -> Tree:
    """The rows of a run without those of a table; without one, no query finds itself."""
    rows = exp.select(*(f"_d.{name}" for name in run.named_selects)).from_(run.subquery("_d"))
    query_id, doc_id = (f"CAST(_d.{name} AS VARCHAR)" for name in EXCLUDED.columns)
    if exclude is None:
        return rows.where(f"coalesce({query_id} <> {doc_id}, TRUE)")
    ids = (f"CAST(_x.{name} AS VARCHAR) AS {name}" for name in EXCLUDED.columns)
    seen = exp.select(*ids).distinct().from_(exclude.subquery("_x")).subquery("_e")
    on = f"{query_id} = _e.query_id AND {doc_id} = _e.doc_id"
    return rows.join(seen, on=on, join_type="left").where("_e.doc_id IS NULL")


def unite(tables: Iterable[Table]) -> Tree:
    """The query of all rows of several tables."""
    queries = [each.query for each in tables]
    return exp.union(*queries, distinct=False) if len(queries) > 1 else queries[0]


def quote_name(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


def quote_text(text: str | None) -> str:
    return write_part(exp.convert(text), ENGINE)


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
