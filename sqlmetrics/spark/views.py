"""Spark as an engine: tables that stay on a cluster, read by our names and asked by our macros."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import polars as pl
from sqlglot import exp, parse_one

from ..catalogue import SqlFile, choose, macros
from ..engine.connections import DuckDB, open_reader
from ..engine.interface import Given
from ..errors import InputError, MetricError
from ..inputs import columns
from ..inputs.columns import (
    EXCLUDED,
    LOG,
    RUN,
    Columns,
    Kind,
    match_columns,
)
from ..inputs.data import split_key
from ..inputs.source import describe_columns
from ..inputs.tables import Topics, is_self
from ..macros.calls import Call
from ..macros.create import list_calls
from ..progress import remark
from ..result import count as count_rows
from ..translate.dialects import name_columns
from ..translate.expand import PlainQuery, parse, read_body
from ..translate.features import ENGINES
from ..translate.prune import DIALECT
from ..translate.simplify import Tree
from ..translate.writer import write, write_part
from .addresses import Frame, Session, saying

ENGINE = ENGINES["spark"]

_numbers = count()


@dataclass(frozen=True)
class Table:
    """Rows on Spark: what they are called, their name in queries, and the query of our columns.

    ``run_id`` names the run where no column does.
    """

    name: str
    kind: Kind | None
    table: str
    query: Tree
    columns: tuple[str, ...]
    run_id: str | None = None

    @property
    def has_names(self) -> bool:
        """Whether a column names the run of each row."""
        return "run_id" in self.columns or self.run_id is None


class Spark:
    """Spark as an engine, as `engine.connections.DuckDB` is one.

    It finds tables in a session, and drops the views that it made when ``undo`` closes.
    """

    dialect = "spark"

    def __init__(self, session: Session, undo: ExitStack, columns: Columns | None) -> None:
        self.session = session
        self.undo = undo
        self.columns = columns
        self.notes: list[str] = []
        self.tables: dict[str, Table] = {}

    def read(self, data: Any, kind: Kind, run_id: str | None = None) -> Table:  # noqa: ANN401
        """The columns of a table, a view, a Parquet file or a frame of Spark, or what was read.

        Those of a kind that is read whole are all there are.
        """
        if isinstance(data, Table):
            return data
        name, frame, table = self._find(data, kind, run_id)
        found, lists = self._match(name, frame, kind)
        types = dict(frame.dtypes)
        if kind is RUN and "score" not in found:
            raise InputError(
                f"{name} has no column score; Spark does not use a rank or a distance instead: "
                "add a column score, such as -distance"
            )
        if kind is RUN and types[found["score"]] == "boolean":
            raise InputError(f"{name} has true and false as scores; scores must be numbers")
        for theirs in found.values() if kind.are_numbers else ():
            if types[theirs] == "string":
                raise InputError(f"{name} has {theirs} of type string; make it numbers")
        listed = [*kind.columns, *kind.optional]
        named = {ours: found.get(ours) and quote_name(found[ours]) for ours in listed}
        if kind.is_read_whole:
            ours = {theirs: column for column, theirs in found.items()}
            named = {ours.get(each, each): quote_name(each) for each in frame.columns}
        query = name_columns(table, named, ENGINE)
        for each in query.selects if kind.describes_documents else ():
            if found.get(each.alias) in lists:  # which SQL splits at the bars
                text = f"array_join(CAST({quote_name(found[each.alias])} AS ARRAY<STRING>), '|')"
                each.set("this", parse_one(text, read="spark"))
        if run_id is not None and "run_id" not in found:
            for each in query.selects:
                if each.alias == "run_id":
                    each.set("this", exp.Literal.string(run_id))
        if _is_of_clicks(kind):
            query = self._read_log(query)
        have = tuple(named if kind.is_read_whole else found)
        return self._add(query, name, kind, have, run_id)

    def read_runs(
        self,
        run: Any,  # noqa: ANN401
        score_type: str = "float64",  # noqa: ARG002, which queries narrow
        kind: Kind = RUN,
    ) -> dict[str, Table]:
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

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        """The columns of a table of queries, brought here."""
        columns = dict.fromkeys([*segments, *([weight] if weight else [])])
        found = self.read(data, Kind("topics", "a table of queries", ("query_id", *columns)))
        rows = self.bring(found.query.distinct().sql("spark"), found.name)
        return self.open_here().read_topics(rows, segments, weight)

    def unite(self, inputs: Iterable[Table]) -> str:
        """The name of a view of all rows of several tables.

        Its columns are not constants, as the name of a run would be.
        """
        tables = [*inputs]
        names = " or ".join(each.name for each in tables)
        with saying(f"{names}: "):
            query = self._view(self.session.sql(write_part(unite(tables), ENGINE)))
        return self._add(query, names, RUN).table

    def leave_out(self, run: str, exclude: Any) -> str:  # noqa: ANN401
        """The name of the rows of a run without the documents of a table, or the query's own."""
        known, rows = self.tables[run], self.tables[run].query
        rows = exp.select(*(f"_d.{n}" for n in rows.named_selects)).from_(rows.subquery("_d"))
        query_id, doc_id = (f"CAST(_d.{name} AS VARCHAR)" for name in EXCLUDED.columns)
        if is_self(exclude):
            rows = rows.where(f"coalesce({query_id} <> {doc_id}, TRUE)")
        else:
            ids = (f"CAST(_x.{name} AS VARCHAR) AS {name}" for name in EXCLUDED.columns)
            table = self.read(exclude, EXCLUDED).query.subquery("_x")
            seen = exp.select(*ids).distinct().from_(table).subquery("_e")
            on = f"{query_id} = _e.query_id AND {doc_id} = _e.doc_id"
            rows = rows.join(seen, on=on, join_type="left").where("_e.doc_id IS NULL")
        return self._add(rows, known.name, known.kind, known.columns, known.run_id).table

    def run(self, sql: str, *_: str) -> pl.DataFrame:
        """The rows of a query that calls our macros."""
        called = dict.fromkeys(each.name for each in self._find_tables(sql) if each.name)
        return self.bring(write(self.plan(sql), ENGINE), ", ".join(called))

    def create(self, sql: str, *_: str) -> str:
        """The name of the rows of a query, computed once; they stay on the cluster."""
        with saying():
            frame = self.session.sql(write(self.plan(sql), ENGINE)).persist()
        self.undo.callback(frame.unpersist)
        return self._add(self._view(frame)).table

    def register(self, frame: pl.DataFrame) -> str:
        """A name for the rows of a frame that is here."""
        return self._add(self._show(frame)).table

    def problems(self, call: str) -> tuple[int, list[dict[str, Any]]]:
        """The number of rows that a check finds, and the first of them."""
        found = self.run(f"SELECT * FROM {call} AS c LIMIT 1")
        if found.is_empty():  # which is known before all are counted
            return 0, []
        (number,) = self.run(f"SELECT count(*) AS number FROM {call} AS c")["number"]
        keys = ", ".join(f"c.{columns.quote_name(key)} ASC" for key in found.columns)
        return number, self.run(f"SELECT * FROM {call} AS c ORDER BY {keys} LIMIT 3").to_dicts()

    def write(self, sql: str, given: Mapping[str, Given]) -> str:
        """A query as users may run it, where the name of a table begins with ``_``."""
        queries = {f"_{name}": unite(each.inputs) for name, each in given.items()}
        return write(PlainQuery(sql, queries, "spark"), ENGINE)

    def select(
        self,
        sql: str,
        calls: Sequence[Call],
        given: Mapping[str, Given],
        checked: Collection[SqlFile] | None,
    ) -> pl.DataFrame:
        """The rows of a query of the user; see `DuckDB.select`."""
        for name, each in given.items():
            self.tables[name] = replace(self.tables[each.table], table=name)
        try:
            return _sort(self.run(sql), sql, calls)
        except MetricError as error:  # which does not say what of
            if checked is None and not any(map(_is_large, given.values())):
                return self._select_here(sql, calls, given)
            raise MetricError(f"Spark cannot compute this: {error}") from None

    def _select_here(
        self, sql: str, calls: Sequence[Call], given: Mapping[str, Given]
    ) -> pl.DataFrame:
        """The rows of an analysis that Spark cannot compute, of tables that are not large."""
        here, brought = self.open_here(), {}
        for name, each in given.items():
            rows = self.run(f"SELECT * FROM {each.table}")
            rows = rows.select(column for column in rows if column.dtype != pl.Null)
            brought[name] = Given(here.register(rows), each.name)
            if each.name and (each.inputs or rows.height):
                number, macro = count_rows(rows.height, "row"), calls[0].macro.name
                remark([f"{each.name}: {number} brought here, since Spark cannot compute {macro}"])
        return here.select(sql, calls, brought, None)

    def open_here(self) -> DuckDB:
        """A connection for what is computed here."""
        here = self.undo.enter_context(open_reader(columns=self.columns))
        here.notes = self.notes
        return here

    def plan(self, sql: str) -> PlainQuery:
        """A query that calls our macros, without them."""
        queries = {each.table: each.query for each in self._find_tables(sql)}
        return PlainQuery(sql, queries, "spark", self._answer)

    def bring(self, text: str, name: str = "") -> pl.DataFrame:
        """The rows of a statement of Spark; errors name the table."""
        with saying(f"{name}: " if name else ""):
            return pl.DataFrame(self.session.sql(text).toArrow())

    def show(self, frame: Frame) -> str:
        """The name of a view of a frame."""
        name = f"_sqlmetrics_{next(_numbers)}"
        frame.createOrReplaceTempView(name)
        self.undo.callback(self.session.catalog.dropTempView, name)
        return name

    def _add(
        self,
        query: Tree,
        name: str = "",
        kind: Kind | None = None,
        columns: tuple[str, ...] = (),
        run_id: str | None = None,
    ) -> Table:
        table = Table(name, kind, f"_given_{len(self.tables)}", query, columns, run_id)
        self.tables[table.table] = table
        return table

    def _find_tables(self, sql: str) -> list[Table]:
        """The tables that a query may read."""
        return [each for name, each in self.tables.items() if name.lower() in sql.lower()]

    def _answer(self, call: exp.Anonymous, queries: Mapping[str, Tree]) -> Tree | None:
        """The rows of a macro that runs here, over what is counted on the cluster."""
        file = macros().get(call.name)
        called = [macros()[name] for name in list_calls(file)] if file else []
        counting = [each.name for each in called if choose(each, "counted") != each]
        if not counting:
            return None
        (counted,) = counting
        (table, *options) = (each.sql(DIALECT) for each in call.expressions)
        rows = f"SELECT * FROM {counted}({table}) AS c"
        counts = self.bring(write(PlainQuery(rows, queries, "spark"), ENGINE))
        with open_reader() as own:
            passed = ", ".join([own.register(counts), *options])
            return self._show(own.run(f"FROM {call.name}({passed})", "counted"))

    def _show(self, frame: pl.DataFrame) -> Tree:
        """The query of a table that is here."""
        return self._view(self.session.createDataFrame(frame.to_arrow()))

    def _view(self, frame: Frame) -> Tree:
        """The query of the columns of a frame, in a view."""
        names = (exp.column(exp.to_identifier(name, quoted=True)) for name in frame.columns)
        return exp.select(*names).from_(self.show(frame))

    def _read_log(self, query: Tree) -> Tree:
        """The columns of a log as the macros read them."""
        names = query.named_selects
        quoted = {name: columns.quote_name(name) for name in names}
        read = (f"{_READ.get(n, f'g.{quoted[n]}')} AS {quoted[n]}" for n in names)
        rows = f"SELECT {', '.join(read)} FROM _given AS g"
        text = write(PlainQuery(rows, {"_given": query}, "spark"), ENGINE)
        return self._view(self.session.sql(text))

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

    def _find(self, data: Any, kind: Kind, run_id: str | None) -> tuple[str, Frame, str]:  # noqa: ANN401
        """What a table is called, its frame, and its name in queries."""
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


def _is_large(given: Given) -> bool:
    """Whether a table stays on the cluster: a run, or a log."""
    kinds = [each.kind for each in given.inputs if each.kind]
    return any(kind is RUN or _is_of_clicks(kind) for kind in kinds)


def _is_of_clicks(kind: Kind) -> bool:
    return {*LOG.columns} <= {*kind.columns}


def _sort(found: pl.DataFrame, sql: str, calls: Sequence[Call]) -> pl.DataFrame:
    """The rows in the order of an analysis, which is lost where its macro is written out."""
    order = None
    if len(calls) == 1 and calls[0].macro.is_analysis and not parse(sql).args.get("order"):
        order = read_body(calls[0].macro.statement).args.get("order")
    keys = order.expressions if order else []
    names = [key.this.name for key in keys]
    if not names or not {*names} <= {*found.columns}:
        return found
    descending = [bool(key.args.get("desc")) for key in keys]
    return found.sort(names, descending=descending, nulls_last=True, maintain_order=True)


# How the columns of a log are read, so that a check finds what is not valid.
_READ = {
    "page_id": "CAST(g.page_id AS VARCHAR)",
    "position": "position_of(g.position)",
    "clicked": "click_of(g.clicked)",
    **{name: f"number_or_nan(g.{name})" for name in LOG.optional},
}
