"""Engines: DuckDB or Spark."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import duckdb

from .engine.connections import DuckDB, open_reader
from .engine.interface import Engine
from .engine.session import Request, Session
from .errors import InputError
from .inputs.columns import Columns, naming
from .inputs.data import RunNames
from .inputs.grades import WORDS, graded
from .inputs.source import reading


@contextmanager
def open_engine(
    engine: Any = None,  # noqa: ANN401
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    with_ranks: bool = False,
) -> Iterator[Engine]:
    """DuckDB, or the Spark of ``engine``; the other options are of `evaluate`."""
    if engine is None:
        with open_reader(con, columns, run_names, with_ranks=with_ranks) as reader:
            yield reader
        return
    from .spark.addresses import connect  # pyspark is an extra
    from .spark.views import Spark

    given = ["con"] * (con is not None) + ["run_names"] * (run_names != "file")
    given += ["grades"] * (graded.get() != WORDS)
    if given:
        work, them = ("works", "it") if len(given) == 1 else ("work", "them")
        raise InputError(f"{' and '.join(given)} {work} only with DuckDB; remove {them} or engine")
    with naming(columns) as named, connect(engine) as session, ExitStack() as undo:
        yield Spark(session, undo, named)


def find_engine(engine: Any, tables: Iterable[Any]) -> Any | None:  # noqa: ANN401
    """The engine that is asked for, or the session of the first frame of Spark among tables."""
    if engine is not None or "pyspark" not in sys.modules:
        return engine
    for table in tables:
        runs = [*table.values()] if isinstance(table, Mapping) else table
        for each in runs if isinstance(runs, list | tuple) else [runs]:
            if hasattr(each, "createOrReplaceTempView"):
                return each.sparkSession
    return None


@contextmanager
def open_session(place: Engine, request: Request, into: str | None = None) -> Iterator[Session]:
    """What scores runs by judgments, or returned neighbours by exact ones, on an engine."""
    are_neighbours = request.take("neighbours") is not None
    session: Session
    if isinstance(place, DuckDB):
        if into is not None:
            raise InputError("into (--into) needs engine (--engine)")
        from .engine.judged import JudgedRuns
        from .engine.vectors import FoundNeighbours

        session = (FoundNeighbours if are_neighbours else JudgedRuns)(place, request)
    elif request.conventions.grades or request.conventions.repeated == "first":
        raise InputError("grades and repeated work only with DuckDB; elsewhere, make views")
    else:
        from .spark.cluster import ClusterNeighbours, ClusterRuns

        kind = ClusterNeighbours if are_neighbours else ClusterRuns
        session = kind(place, request, into)  # type: ignore[arg-type]
    with reading(session):
        yield session
