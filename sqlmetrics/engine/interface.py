"""The interface of engines: what reads tables, and runs SQL that calls our macros over them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import polars as pl

from ..catalogue import SqlFile
from ..inputs.columns import Kind
from ..inputs.tables import Topics
from ..macros.calls import Call


@dataclass(frozen=True)
class Given:
    """A table of an engine, by our names of columns; ``is_checked`` if its rows are right.

    ``table`` is its name in queries, ``name`` what it is called in messages. ``judged`` has the
    rows of judgments, ``run_ids`` the names of runs, as given, and ``segments`` the columns that
    divide it, with their types. What SQL reads as it is has its ``inputs``.
    """

    table: str
    name: str
    is_checked: bool = False
    judged: pl.DataFrame | None = None
    run_ids: Sequence[str] = ()
    segments: Mapping[str, pl.DataType | None] = field(default_factory=dict)
    inputs: tuple[Any, ...] = ()


class Engine(Protocol):
    """DuckDB or Spark. What it reads has a name, a kind, columns and, for queries, a table.

    ``notes`` are remarks on what was read. ``dialect`` is that of plain SQL, unless it has macros,
    whose ``variants`` are for DuckDB.
    """

    notes: list[str]

    @property
    def dialect(self) -> str: ...

    def read(self, data: Any, kind: Kind, run_id: str | None = None) -> Any:  # noqa: ANN401
        """A table of a kind, or what was read before."""

    def read_runs(self, run: Any, score_type: Any = "float64", kind: Kind = ...) -> dict[str, Any]:  # noqa: ANN401
        """Runs by name."""

    def unite(self, inputs: Iterable[Any]) -> str:
        """The name of all rows of several tables."""

    def leave_out(self, run: str, exclude: Any) -> str:  # noqa: ANN401
        """The name of the rows of a run without the documents of ``exclude``."""

    def read_topics(self, data: Any, segments: tuple[str, ...], weight: str | None) -> Topics:  # noqa: ANN401
        """The columns of a table of queries."""

    def run(self, sql: str, *variants: str) -> pl.DataFrame:
        """The rows of a query."""

    def create(self, sql: str, *variants: str) -> str:
        """The name of the rows of a query, computed once."""

    def register(self, frame: pl.DataFrame) -> str:
        """The name of a frame that is here."""

    def problems(self, call: str) -> tuple[int, list[dict[str, Any]]]:
        """The number of rows that a check finds, and the first of them."""

    def select(
        self,
        sql: str,
        calls: Sequence[Call],
        given: Mapping[str, Given],
        checked: Collection[SqlFile] | None,
    ) -> pl.DataFrame:
        """The rows of a query of the user over tables by name, whose calls refuse what they do.

        ``checked`` are relations whose tables were; None if nothing else in it can be wrong.
        """

    def open_here(self) -> Any:  # noqa: ANN401
        """DuckDB, for what is computed here."""

    def write(self, sql: str, given: Mapping[str, Given]) -> str:
        """A query as users may run it, where the name of a table begins with ``_``."""
