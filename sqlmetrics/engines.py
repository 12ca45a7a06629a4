"""Engines: DuckDB or Spark, for the same five steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import duckdb

from .errors import InputError
from .inputs.columns import Columns, Kind
from .inputs.data import RunNames
from .running.connections import open_reader
from .running.given import read_tables, take_runs
from .running.judgments import Judgments
from .running.session import Question, Session

if TYPE_CHECKING:
    from .running.select import Tables


@contextmanager
def open_session(
    question: Question,
    engine: Any = None,  # noqa: ANN401
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    into: str | None = None,
) -> Iterator[Session]:
    """A session on DuckDB, or on the Spark of ``engine``; the other options are of `evaluate`."""
    if engine is None:
        if into is not None:
            raise InputError("into (--into) needs engine (--engine)")
        from .running.duckdb import open_duckdb

        where: dict[str, Any] = {"con": con, "columns": columns, "run_names": run_names}
        if question.take("neighbours"):
            from .running.vectors import DuckDBNeighbours

            where |= {"with_ranks": True, "kind": DuckDBNeighbours}
        with open_duckdb(question, **where) as session:
            yield session
    else:
        from .spark.session import open_spark  # pyspark is an extra

        refuse_options(con, run_names)
        with open_spark(question, engine, columns, into) as spark_session:
            yield spark_session


def refuse_options(con: object, run_names: str = "file") -> None:
    """Raise `InputError` for options that an engine other than DuckDB does not have."""
    given = ["con"] * (con is not None) + ["run_names"] * (run_names != "file")
    if given:
        work, them = ("works", "it") if len(given) == 1 else ("work", "them")
        raise InputError(f"{' and '.join(given)} {work} only with DuckDB; remove {them} or engine")


@contextmanager
def open_tables(
    tables: Mapping[str, Any],
    kinds: Mapping[str, Kind | None],
    engine: Any = None,  # noqa: ANN401
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    exclude: Any = None,  # noqa: ANN401
    session: Session | None = None,
    once: Sequence[str] = (),
    **chosen: Sequence[str],
) -> Iterator[Tables]:
    """Read tables by name, of these kinds; what is ``chosen`` is for `given.read_tables`.

    ``session`` has read judgments and runs. ``once`` are metrics that need one judgment of each
    document.

    Raises `InputError` for what cannot be read, and for what would give a wrong number.
    """
    tables = {
        name: data.data if isinstance(data, Judgments) else data for name, data in tables.items()
    }
    if engine is None:
        from .running.select import DuckDBTables

        with (
            nullcontext(session.reader)
            if session
            else open_reader(con, columns, run_names) as reader
        ):
            known = {"run": take_runs(reader, session.runs)} if session else {}
            if session and "qrels" in tables:
                tables["qrels"] = session.judgments
            read = read_tables(reader, tables, kinds, exclude, known=known, once=once, **chosen)
            yield DuckDBTables(reader, read)
        return
    from .spark.select import open_spark_tables  # pyspark is an extra

    refuse_options(con, run_names)
    if any(chosen.values()):
        raise InputError(
            "metrics and by are for tables that are read here; give engine= a table of these "
            "metrics, with its segments in a column segment"
        )
    with open_spark_tables(tables, kinds, engine, columns, exclude, session, once) as spark_tables:
        yield spark_tables
