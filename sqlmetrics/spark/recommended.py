"""Tables of recommendations on a cluster: read and checked there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from ..catalogue.measures import Measure
from ..elsewhere.dialects import write_plain
from ..inputs.columns import Columns, naming
from ..macros.statements import list_table_checks, list_tables
from ..progress import begin
from ..running.checks import require_one_run
from ..running.session import Question, Session
from .checks import check_runs, check_subtopics, refuse, require_rows, require_usable
from .select import SparkTables
from .tables import ENGINE, SparkReader, Table, connect, unite


@contextmanager
def open_spark_lists(
    wanted: Sequence[Measure],
    given: Mapping[str, Any],
    engine: Any,  # noqa: ANN401
    columns: Columns | None,
    session: Session | None,
) -> Iterator[SparkTables]:
    """Tables, views, Parquet files and frames of Spark, read and checked there.

    Raises `MetricError` for a metric that Spark cannot compute.
    """
    for measure in {each.metric: each for each in wanted}.values():  # scores are summarized here
        write_plain(Question((replace(measure, aggregate=None),)), ENGINE.dialect)
    with ExitStack() as undo:
        if session:
            reader = session.reader
        else:
            named = undo.enter_context(naming(columns))
            spark = undo.enter_context(connect(engine))
            reader = SparkReader(spark, undo, named)
        runs = session.runs if session else reader.read_runs(given["run"])
        kinds = list_tables(wanted, given)
        inputs = {name: reader.read(given[name], kind) for name, kind in kinds.items()}
        needs_baseline = any("baseline" in measure.metric.tables for measure in wanted)
        baselines = reader.read_runs(given["baseline"]) if needs_baseline else {}
        begin("checking recommendations")
        check_runs(reader, runs)
        for name, each in inputs.items():
            _check(reader, wanted, name, each)
        tables = SparkTables(reader)
        for name, each in inputs.items():
            tables.add(name, each.name, each.query)
        tables.add("run", _join_names(runs), unite(runs.values()), [*runs])
        if baselines:
            require_one_run("the baseline", check_runs(reader, baselines))
            tables.add("baseline", _join_names(baselines), unite(baselines.values()))
        yield tables


def _check(reader: SparkReader, wanted: Sequence[Measure], name: str, each: Table) -> None:
    """Raise `InputError` for what would make a score wrong in a table other than lists."""
    require_rows(reader, each)
    if name == "qrels":
        require_usable(reader, each)
        check_subtopics(reader, [m for m in wanted if "qrels" in m.metric.tables], each)
    else:
        refuse(reader, each, list_table_checks(wanted, name))


def _join_names(runs: Mapping[str, Table]) -> str:
    return " or ".join(each.name for each in runs.values())
