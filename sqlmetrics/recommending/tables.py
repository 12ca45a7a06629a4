"""Tables of recommendations: lists and what they are compared with, on DuckDB or Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Protocol

import duckdb
import polars as pl

from ..catalogue.measures import Measure
from ..engines import refuse_options
from ..inputs.columns import Columns
from ..inputs.data import Data, RunNames
from ..inputs.reader import Reader
from ..inputs.source import reading
from ..inputs.topics import Topics, read_topics
from ..macros.create import prepare
from ..macros.install import call_installed
from ..macros.statements import (
    build_recommended,
    list_table_checks,
    list_tables,
    take_items,
)
from ..progress import begin
from ..running.checks import (
    check_run_ids,
    list_run_ids,
    note_strangers,
    refuse,
    require_judged_once,
    require_one_run,
)
from ..running.connections import open_reader
from ..running.duckdb import select_exactly
from ..running.first_rows import note_first
from ..running.judgments import Judgments
from ..running.relations import keep
from ..running.session import Session


class Tables(Protocol):
    """What metrics of recommendations are over, where it is: read and checked.

    ``names`` are what the inputs are called, for messages, ``run_ids`` the runs as given.
    ``reader`` has the connection on which scores of users are summarized.
    """

    names: list[str]
    run_ids: list[str]
    notes: list[str]
    reader: Reader

    @property
    def named(self) -> Mapping[str, str]:
        """The names of the tables in queries, by the parameters of relations."""

    @property
    def statement(self) -> str:
        """The SELECT of the scores of runs."""

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        """The columns of a table of users."""

    def keep(self, query: str) -> str:
        """The name in queries of the rows of a query that calls our macros, computed once."""

    def ask(self, query: str) -> pl.DataFrame:
        """The rows of such a query."""

    def show(self, frame: pl.DataFrame) -> str:
        """The name in queries of a frame."""


# The variants of macros that DuckDB runs.
_VARIANTS = "duckdb"


class DuckDBTables:
    """Tables on a connection; see `Tables`."""

    def __init__(
        self,
        reader: Reader,
        wanted: Sequence[Measure],
        given: Mapping[str, Any],
        session: Session | None,
    ) -> None:
        self.reader = reader
        self.notes = reader.notes
        self._wanted = wanted
        self._are_checked = session is not None
        self._runs = session.runs if session else reader.read_runs(given["run"])
        self.run_ids = [*self._runs]
        kinds = list_tables(wanted, given)
        known = {"qrels": session.judgments} if session else {}
        self._inputs = {
            name: known.get(name) or reader.read(given[name], kind) for name, kind in kinds.items()
        }
        needs_baseline = any("baseline" in measure.metric.tables for measure in wanted)
        self._baselines = reader.read_runs(given["baseline"]) if needs_baseline else {}
        read = (*self._runs.values(), *self._inputs.values(), *self._baselines.values())
        self.names = [each.name for each in read]
        self.named: dict[str, str] = {}

    def check(self) -> None:
        """Raise `InputError` for what would make a score wrong."""
        con = self.reader.con
        begin("checking recommendations")
        if not self._are_checked:
            refuse(con, self._runs.values())
            check_run_ids((each.name, list_run_ids(con, each)) for each in self._runs.values())
            self.notes += note_first(self.reader, self._runs.values())
        for name, each in self._inputs.items():
            refuse(con, [each], list_table_checks(self._wanted, name))
        if judgments := self._inputs.get("qrels"):
            asked = [m.name for m in self._wanted if "qrels" in m.metric.tables]
            require_judged_once(con, judgments, asked)
        refuse(con, self._baselines.values())
        found = [id for each in self._baselines.values() for id in list_run_ids(con, each)]
        require_one_run("the baseline", found)
        tables = {name: each.table for name, each in self._inputs.items()}
        tables["run"] = self.reader.unite(self._runs.values())
        if self._baselines:
            tables["baseline"] = self.reader.unite(self._baselines.values())
        self.notes += note_strangers(con, tables, [("query_id",), ("doc_id",)])
        self.named = take_items(tables)

    @property
    def statement(self) -> str:
        """The SELECT over the inputs as they are, for the macros of `install`."""
        union = "\nUNION ALL BY NAME\n"
        queries = {f"_{name}": each.query for name, each in self._inputs.items()}
        queries["_run"] = union.join(each.query for each in self._runs.values())
        if self._baselines:
            queries["_baseline"] = union.join(each.query for each in self._baselines.values())
        called = take_items({name.lstrip("_"): name for name in queries})
        return call_installed(build_recommended(self._wanted, called, queries, on_duckdb=True))

    def read_topics(self, data: Data, segments: tuple[str, ...], weight: str | None) -> Topics:
        return read_topics(self.reader, data, segments, weight)

    def keep(self, query: str) -> str:
        return keep(self.reader, query, _VARIANTS)

    def ask(self, query: str) -> pl.DataFrame:
        return select_exactly(self.reader, prepare(self.reader.con, query, _VARIANTS))

    def show(self, frame: pl.DataFrame) -> str:
        return self.reader.register(frame)


@contextmanager
def open_tables(
    wanted: Sequence[Measure],
    given: Mapping[str, Any],
    session: Session | None = None,
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    engine: Any = None,  # noqa: ANN401
) -> Iterator[Tables]:
    """Read the tables that metrics need, and refuse what would give a wrong score.

    ``given`` has those that there are, by name. They are on DuckDB, or on the Spark of ``engine``;
    what a ``session`` has read is not read again, except tables on Spark.
    """
    if isinstance(qrels := given.get("qrels"), Judgments):
        given = {**given, "qrels": qrels.data}
    if engine is not None:
        from ..spark.recommended import open_spark_tables  # pyspark is an extra

        refuse_options(con, run_names)
        with open_spark_tables(wanted, given, engine, columns, session) as spark_tables:
            yield spark_tables
        return
    with nullcontext(session.reader) if session else open_reader(con, columns, run_names) as reader:
        tables = DuckDBTables(reader, wanted, given, session)
        with reading(" or ".join(tables.names)):
            tables.check()
            yield tables
