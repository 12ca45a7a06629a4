"""Logs of clicks on a cluster: read, checked, and asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ..catalogue import Value, find_file, quote
from ..elsewhere.folding import Tree
from ..elsewhere.plain import PlainQuery
from ..elsewhere.writer import write
from ..errors import InputError
from ..inputs import tables as here
from ..inputs.columns import LOG, Columns, Kind, name_log, naming, quote_name
from ..macros.create import list_asked_of, list_calls, list_refused
from ..progress import begin, remark
from ..running.checks import list_checks, write_refusal
from ..running.connections import open_reader
from ..running.relations import Rows, keep, list_groups, require, write_statistics
from .checks import check_runs
from .tables import ENGINE, SparkReader, Table, connect, unite

_LOG, _GIVEN, _RUN = "_log", "_given_log", "_run"

# How the columns of a log are read, so that a check finds what is not valid.
_READ = {
    "page_id": "CAST(g.page_id AS VARCHAR)",
    "position": "position_of(g.position)",
    "clicked": "click_of(g.clicked)",
    **{name: f"number_or_nan(g.{name})" for name in LOG.optional},
}

# What is brought here where the steps of a model cannot be taken there.
_COUNTS = "shown_counts"


class SparkLog:
    """A log of clicks on Spark; see `logs.log.DuckDBLog`."""

    table = _LOG

    def __init__(self, reader: SparkReader, given: Table, segments: Sequence[str]) -> None:
        self.reader = reader
        self.name = given.name
        own = (*LOG.columns, *LOG.optional)
        columns = [f"{_READ.get(name, f'g.{name}')} AS {name}" for name in own]
        columns += (f"g.{quote_name(name)}" for name in segments if name not in own)
        self._rows = f"SELECT {', '.join(columns)} FROM {_GIVEN} AS g"
        self._tables: dict[str, Tree] = {_GIVEN: given.query}
        self.run_ids: list[str] = []

    def ask(self, query: str) -> pl.DataFrame:
        """The rows of a query that calls our macros over `table`."""
        plain = PlainQuery(f"WITH {_LOG} AS ({self._rows}) {query}", self._tables, "spark")
        return self.reader.ask(write(plain, ENGINE), self.name)

    def refuse(self) -> None:
        """Raise `InputError` for what would make a score wrong."""
        if self.ask(f"SELECT 1 AS one FROM {_LOG} AS l LIMIT 1").is_empty():
            raise InputError(f"{self.name} has no rows")
        for check in list_checks("error"):
            if [*check.parameters] == [LOG.parameter]:
                query = f"SELECT c.problem FROM {check.name}({_LOG}) AS c LIMIT 1"
                for (problem,) in self.ask(query).rows():
                    raise InputError(f"{self.name}: {problem}; {check.header['remedy']}")

    def read_runs(self, run: Any) -> str:  # noqa: ANN401
        """The name in queries of all rows of runs, which are checked."""
        runs = self.reader.read_runs(run)
        self.run_ids = check_runs(self.reader, runs)
        self._tables[_RUN] = unite(runs.values())
        return _RUN

    def read_table(self, data: Any, kind: Kind) -> here.Table:  # noqa: ANN401
        """The rows of a small table, brought here unless they are."""
        is_theirs = hasattr(data, "createOrReplaceTempView")
        if is_theirs or (isinstance(data, str) and not Path(data).is_file()):
            found = self.reader.read(data, kind)
            rows = self.reader.ask(found.query.sql("spark"), found.name)
            return here.Table(found.name, rows, {name: name for name in found.columns})
        return here.read_table(data, kind, columns=self.reader.columns)

    def relate(
        self,
        relation: str,
        tables: Mapping[str, pl.DataFrame | str] | None = None,
        **options: Value,
    ) -> Rows | SparkRows:
        """The rows of a relation over the log."""
        require(relation, **options)
        file = find_file(relation)
        given = [f"{name} := {quote(value)}" for name, value in options.items()]
        if _COUNTS in list_calls(file):
            counts = self.ask(f"SELECT * FROM {_COUNTS}({_LOG}) AS c")
            own = self.reader.undo.enter_context(open_reader())
            call = f"FROM {relation}({', '.join([own.register(counts), *given])})"
            return Rows(own, keep(own, call, "counted"), {}, list_groups(relation))
        named = {LOG.parameter: _LOG}
        for name, table in (tables or {}).items():
            named[name] = table if isinstance(table, str) else self._show(name, table)
        checked = {LOG.parameter, "run"}
        for check, asked in list_asked_of(list_refused(file), named):
            if {*asked} <= checked:
                continue
            call = f"{check.name}({', '.join(named[name] for name in asked)})"
            found = self.ask(f"SELECT * FROM {call} AS c")
            for problem in found.sort(pl.all())["problem"].head(1):
                raise write_refusal(check, asked, problem, found.height)
        call = f"{relation}({', '.join([*named.values(), *given])})"
        return SparkRows(self, call, list_groups(relation))

    def _show(self, name: str, frame: pl.DataFrame) -> str:
        """The name in queries of a small table that is here."""
        there = self.reader.session.createDataFrame(frame.to_arrow())
        self._tables[f"_{name}"] = self.reader.select(there)
        return f"_{name}"


@dataclass(frozen=True)
class SparkRows:
    """The rows of a relation over a log on Spark; see `running.relations.Rows`."""

    log: SparkLog
    call: str
    groups: tuple[str, ...]

    def read(self) -> pl.DataFrame:
        """All of them."""
        return self.log.ask(f"SELECT * FROM {self.call} AS p")

    def ask(self, statistics: Mapping[str, str]) -> pl.DataFrame:
        """Statistics of each group: columns, and how each is computed of ``p``."""
        keys = [f"p.{quote_name(key)}" for key in self.groups]
        found = self.log.ask(write_statistics(statistics, f"{self.call} AS p", keys))
        if "run_id" in self.groups and "run_id" not in found.columns:  # of a single run
            found = found.select(pl.lit(self.log.run_ids[0]).alias("run_id"), pl.all())
        return found


@contextmanager
def open_spark_log(
    log: Any,  # noqa: ANN401
    segments: Sequence[str],
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
) -> Iterator[SparkLog]:
    """A log that is a table, a view, a Parquet file or a frame of Spark, read and checked there."""
    with naming(columns) as named, connect(engine) as session, ExitStack() as undo:
        reader = SparkReader(session, undo, named)
        given = reader.read(log, name_log(segments))
        remark(reader.notes)
        begin(f"checking {given.name}")
        found = SparkLog(reader, given, segments)
        found.refuse()
        yield found
