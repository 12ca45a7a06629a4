"""Tables of recommendations: lists and what they are compared with, read and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import duckdb

from ..catalogue.measures import Measure
from ..engines import refuse_options
from ..inputs.columns import Columns
from ..inputs.data import RunNames
from ..inputs.reader import Input, Reader
from ..inputs.source import reading
from ..macros.statements import list_table_checks, list_tables
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
from ..running.first_rows import note_first
from ..running.given import Given
from ..running.judgments import Judgments
from ..running.select import DuckDBTables, Tables
from ..running.session import Session


@contextmanager
def open_lists(
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
        from ..spark.recommended import open_spark_lists  # pyspark is an extra

        refuse_options(con, run_names)
        with open_spark_lists(wanted, given, engine, columns, session) as spark_tables:
            yield spark_tables
        return
    with nullcontext(session.reader) if session else open_reader(con, columns, run_names) as reader:
        runs = session.runs if session else reader.read_runs(given["run"])
        known = {"qrels": session.judgments} if session else {}
        inputs = {
            name: known.get(name) or reader.read(given[name], kind)
            for name, kind in list_tables(wanted, given).items()
        }
        needs_baseline = any("baseline" in measure.metric.tables for measure in wanted)
        baselines = reader.read_runs(given["baseline"]) if needs_baseline else {}
        read = (*runs.values(), *inputs.values(), *baselines.values())
        with reading(" or ".join(each.name for each in read)):
            begin("checking recommendations")
            if not session:
                refuse(reader.con, runs.values())
                check_run_ids((each.name, list_run_ids(reader.con, each)) for each in runs.values())
                reader.notes += [*note_first(reader, runs.values())]
            _check(reader, wanted, inputs, baselines.values())
            found = {
                name: Given(each.table, each.name, query=each.query)
                for name, each in inputs.items()
            }
            found["run"] = _unite(reader, runs)
            if baselines:
                found["baseline"] = _unite(reader, baselines)
            tables = {name: each.table for name, each in found.items()}
            matched = [("query_id",), ("doc_id",)]
            reader.notes += [*note_strangers(reader.con, tables, matched)]
            yield DuckDBTables(reader, found)


def _check(
    reader: Reader,
    wanted: Sequence[Measure],
    inputs: Mapping[str, Input],
    baselines: Iterable[Input],
) -> None:
    """Raise `InputError` for what would make a score wrong in tables other than lists."""
    for name, each in inputs.items():
        refuse(reader.con, [each], list_table_checks(wanted, name))
    if judgments := inputs.get("qrels"):
        asked = [m.name for m in wanted if "qrels" in m.metric.tables]
        require_judged_once(reader.con, judgments, asked)
    refuse(reader.con, baselines)
    found = [run_id for each in baselines for run_id in list_run_ids(reader.con, each)]
    require_one_run("the baseline", found)


def _unite(reader: Reader, runs: Mapping[str, Input]) -> Given:
    """All rows of some runs."""
    query = "\nUNION ALL BY NAME\n".join(each.query for each in runs.values())
    name = " or ".join(each.name for each in runs.values())
    return Given(reader.unite(runs.values()), name, run_ids=[*runs], query=query)
