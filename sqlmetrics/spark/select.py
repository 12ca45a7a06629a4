"""A SELECT over the macros, on tables of a cluster: read and checked there, as on DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl
from sqlglot import exp

from ..catalogue import find_variants, macros
from ..elsewhere.folding import Tree
from ..elsewhere.merging import DIALECT
from ..elsewhere.plain import PlainQuery, parse, read_body
from ..elsewhere.writer import write, write_part
from ..errors import MetricError
from ..inputs.columns import (
    LOG,
    RANGED_SCORES,
    RUN,
    SUBTOPIC_QRELS,
    Columns,
    Kind,
    naming,
    quote_name,
)
from ..inputs.reader import Reader
from ..inputs.scores import add_ranges, read_scores, take_per_query
from ..inputs.tables import read_table
from ..inputs.topics import Topics
from ..macros.calls import Call
from ..macros.create import list_asked_of, list_calls, list_refused
from ..macros.statements import take_items
from ..progress import begin
from ..running.checks import write_refusal
from ..running.connections import open_reader
from ..running.given import make_empty
from ..running.relations import ask, keep
from .checks import check_runs, refuse_kind, require_judged_once
from .tables import ENGINE, Frame, SparkReader, Table, connect, exclude_from, saying, unite


@contextmanager
def open_spark_tables(
    tables: Mapping[str, Any],
    kinds: Mapping[str, Kind | None],
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
    exclude: Any,  # noqa: ANN401
    known: Any = None,  # noqa: ANN401
    once: Sequence[str] = (),
) -> Iterator[SparkTables]:
    """Read tables of a cluster by name; see `given.read_tables`. ``known`` has read runs."""
    with ExitStack() as undo:
        if known:
            reader = known.reader
        else:
            named = undo.enter_context(naming(columns))
            reader = SparkReader(undo.enter_context(connect(engine)), undo, named)
        there = SparkTables(reader)
        for name, data in tables.items():
            begin(f"checking {name}")
            given = known.runs if known and name == "run" else data
            there.given[name] = there.read(given, kinds.get(name), name, exclude, once)
        yield there


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


@dataclass(frozen=True)
class Given:
    """A table of the cluster, by our names of columns; see `running.given.Given`.

    Where its ``query`` is of a view of ours, ``source`` is that of the rows as users have them.
    """

    query: Tree
    name: str
    is_checked: bool = False
    run_ids: Sequence[str] = ()
    source: Tree | None = None


@dataclass(frozen=True)
class SparkTables:
    """Tables of a cluster; see `running.select.Tables`."""

    reader: SparkReader
    given: dict[str, Given] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        return self.reader.notes

    @property
    def named(self) -> Mapping[str, str]:
        return take_items({name: name for name in self.given})

    def run(self, sql: str, calls: Sequence[Call], *, is_checked: bool) -> pl.DataFrame:  # noqa: ARG002
        for call in calls:
            self._refuse(call)
        try:
            return _sort(self.ask(sql), sql, calls)
        except MetricError as error:  # which does not say what of
            raise MetricError(f"Spark cannot compute this: {error}") from None

    def read(
        self,
        data: Any,  # noqa: ANN401
        kind: Kind | None,
        name: str,
        exclude: Any,  # noqa: ANN401
        once: Sequence[str],
    ) -> Given:
        """Find a table of a kind; raises `InputError` for what would give a wrong number."""
        if data is None and kind:
            return Given(self._show(make_empty(kind)), "")
        if kind is RUN:
            runs = self.reader.read_runs(data)
            found = check_runs(self.reader, runs)
            runs = exclude_from(self.reader, runs, exclude)
            called = next(iter(runs.values())).name if len(runs) == 1 else name
            run_ids = [*runs] if {*runs} == {*found} else found
            rows = unite(runs.values())
            return Given(self._keep(rows, called), called, True, run_ids, rows)
        if kind and kind.is_log:
            read = self.reader.read_whole if kind is LOG else self.reader.read
            log = _type_log(self.reader, read(data, kind))
            refuse_kind(self.reader, log, kind)
            return Given(log.query, log.name, is_checked=True)
        if kind and not (kind.is_read_whole or kind.is_scores):
            table = self.reader.read(data, SUBTOPIC_QRELS if kind.is_judged else kind)
            refuse_kind(self.reader, table, kind)
            if kind.is_judged:
                require_judged_once(self.reader, table, once)
            return Given(table.query, table.name, is_checked=True)
        kind = kind or Kind(name, name, ())
        if hasattr(data, "createOrReplaceTempView") or (
            isinstance(data, str) and not Path(data).is_file()
        ):
            table = self.reader.read_whole(data, kind)
            return Given(table.query, table.name)
        if kind.is_scores:
            scores = take_per_query(data) if hasattr(data, "per_query") else data
            frame, notes = read_scores(scores, columns=self.reader.columns)
            frame = add_ranges(frame) if kind is RANGED_SCORES else frame
        else:
            here = read_table(data, kind, columns=self.reader.columns)
            name, frame, notes = here.name, here.frame, here.notes
        self.reader.notes += notes
        return Given(self._show(frame), name)

    def _refuse(self, call: Call) -> None:
        """Raise `InputError` for what the relations of a call refuse of its tables."""
        names = {parameter: name for parameter, name in call.tables.items() if name in self.given}
        checked = {each for each, name in names.items() if self.given[name].is_checked}
        for file in call.relations:
            if not {*file.inputs} <= names.keys():
                continue
            options = {name: value for name, value in file.parameters.items() if value is not None}
            options |= call.options
            for check, asked in list_asked_of(list_refused(file), file.inputs):
                if len(asked) == 1 and {*asked} <= checked and check.folder == "checks":
                    continue
                own = [f"{k} := {v}" for k, v in options.items() if k in check.parameters]
                passed = ", ".join([*(names[each] for each in asked), *own])
                found = self.ask(f"SELECT * FROM {check.name}({passed}) AS c").sort(pl.all())
                for problem in found["problem"].head(1):
                    place = asked if len(file.inputs) > 1 else ()
                    raise write_refusal(check, place, problem, found.height)

    def ask(self, sql: str) -> pl.DataFrame:
        queries = {name: each.query for name, each in self.given.items()}
        return self._ask(PlainQuery(sql, queries, "spark", self._answer))

    def keep(self, sql: str) -> str:
        queries = {name: each.query for name, each in self.given.items()}
        frame = self._select(write(PlainQuery(sql, queries, "spark"), ENGINE)).persist()
        self.reader.undo.callback(frame.unpersist)
        return self._name(self.reader.select(frame))

    def show(self, frame: pl.DataFrame) -> str:
        return self._name(self._show(frame))

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        return self.reader.read_topics(data, segments, weight)

    def open_here(self) -> Reader:
        return self.reader.undo.enter_context(open_reader())

    def write(self, sql: str) -> str:
        queries = {f"_{name}": each.source or each.query for name, each in self.given.items()}
        return write(PlainQuery(sql, queries, "spark"), ENGINE)

    def _name(self, rows: Tree) -> str:
        name = f"_rows_{len(self.given) + 1}"
        self.given[name] = Given(rows, "")
        return name

    def _select(self, text: str) -> Frame:
        with saying(f"{', '.join(each.name for each in self.given.values() if each.name)}: "):
            return self.reader.session.sql(text)

    def _ask(self, query: PlainQuery) -> pl.DataFrame:
        name = ", ".join(each.name for each in self.given.values() if each.name)
        return self.reader.ask(write(query, ENGINE), name)

    def _answer(self, call: exp.Anonymous, queries: Mapping[str, Tree]) -> Tree | None:
        """The rows of a macro that runs here, over what is counted on the cluster."""
        file = macros().get(call.name)
        counting = {*list_calls(file)} & _list_counted() if file else {*()}
        if not counting:
            return None
        (count,) = counting
        (table, *options) = (each.sql(DIALECT) for each in call.expressions)
        counts = self._ask(PlainQuery(f"SELECT * FROM {count}({table}) AS c", queries, "spark"))
        with open_reader() as own:
            passed = ", ".join([own.register(counts), *options])
            rows = keep(own, f"FROM {call.name}({passed})", "counted")
            return self._show(ask(own.con, f"FROM {rows}"))

    def _show(self, frame: pl.DataFrame) -> Tree:
        """The query of a table that is here."""
        return self.reader.select(self.reader.session.createDataFrame(frame.to_arrow()))

    def _keep(self, rows: Tree, name: str) -> Tree:
        """The query of a view: its columns are not constants, as the name of a run would be."""
        with saying(f"{name}: "):
            return self.reader.select(self.reader.session.sql(write_part(rows, ENGINE)))


def _list_counted() -> set[str]:
    """The macros whose rows the cluster counts for those that it cannot run."""
    others = {file.name for file in find_variants()}
    return {file.name for file in find_variants("counted")} - others


# How the columns of a log are read, so that a check finds what is not valid.
_READ = {
    "page_id": "CAST(g.page_id AS VARCHAR)",
    "position": "position_of(g.position)",
    "clicked": "click_of(g.clicked)",
    **{name: f"number_or_nan(g.{name})" for name in LOG.optional},
}


def _type_log(reader: SparkReader, given: Table) -> Table:
    """A log whose columns are as the macros read them."""
    names = given.query.named_selects
    columns = (f"{_READ.get(n, f'g.{quote_name(n)}')} AS {quote_name(n)}" for n in names)
    rows = f"SELECT {', '.join(columns)} FROM _given AS g"
    text = write(PlainQuery(rows, {"_given": given.query}, "spark"), ENGINE)
    return replace(given, query=reader.select(reader.session.sql(text)))
