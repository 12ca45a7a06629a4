"""What macros are given: data of users as tables of an engine, read and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from ..catalogue import SqlFile
from ..catalogue.conventions import ScoreType
from ..errors import InputError
from ..inputs.columns import (
    IDS,
    KINDS,
    LOG,
    QRELS,
    RANGED_SCORES,
    RUN,
    SCORES,
    STRATA,
    SUBTOPIC_QRELS,
    USERS,
    Kind,
    name_log,
)
from ..inputs.data import Runs
from ..inputs.source import Input, reading
from ..inputs.tables import Table, add_ranges, read_scores, read_table, require_among, write_column
from ..macros.calls import Call
from ..macros.create import sort_files
from ..progress import begin
from .checks import (
    check_run_ids,
    check_runs,
    note_strangers,
    note_warnings,
    refuse,
    refuse_tables,
    require_judged_once,
)
from .connections import DuckDB
from .interface import Engine, Given
from .judgments import Judgments


def find_kind(parameter: str, macro: SqlFile) -> Kind | None:
    """What the table is that a macro takes by this parameter, if that is known."""
    kind = KINDS.get(parameter)
    if kind is QRELS:
        said = {file.header.get("judgments") for file in _list_relations(macro)}
        return next((_JUDGMENTS[each] for each in _JUDGMENTS if each in said), QRELS)
    if kind is SCORES and "weight" not in macro.describe_parameter(parameter):
        return replace(kind, optional=("run_id",))
    # analyses read no other columns of a log, but from files of any number, with lines
    return name_log((), has_users=True) if kind is LOG and macro.is_analysis else kind


# Other judgments, by what the headers of their relations say.
_JUDGMENTS = {"by subtopic": SUBTOPIC_QRELS, "sampled": STRATA}


def is_run(parameter: str) -> bool:
    """Whether a macro takes runs by this parameter."""
    return KINDS.get(parameter) is RUN


def _list_relations(macro: SqlFile) -> list[SqlFile]:
    """The relations that a macro is over, or calls."""
    return [file for file in sort_files([macro]) if file.path.parent.name == "relations"]


def read_tables(
    engine: Engine,
    tables: Mapping[str, Any],
    kinds: Mapping[str, Kind | None],
    exclude: Any = None,  # noqa: ANN401
    metrics: Sequence[str] = (),
    by: Sequence[str] = (),
    known: Mapping[str, Given] | None = None,
    once: Sequence[str] = (),
) -> dict[str, Given]:
    """Data by name, of a kind or as they are; runs without the documents of ``exclude``.

    Of scores and users, only these ``metrics``, in segments ``by`` columns. ``known`` were read
    before. ``once`` are metrics that need one judgment of each document.

    Raises `InputError` for what cannot be read, and for what would give a wrong number in tables
    whose rows can be looked up in files.
    """
    read: dict[str, Given] = {}
    for name in sorted(tables, key=lambda name: kinds.get(name) is RUN):  # judgments before runs
        judged = [each.judged for each in read.values() if each.judged is not None]
        data, kind = tables[name], kinds.get(name)
        begin(f"reading {name}")
        if known and name in known:
            read[name] = known[name]
        elif data is None and kind:
            read[name] = Given(engine.register(make_empty(kind)), name)
        elif kind is RUN:
            read[name] = read_runs(engine, data, judged[0] if judged else None, exclude)
        elif kind and not kind.is_read_whole:
            read[name] = read_judgments(engine, data, kind, once)
        else:
            whole = kind or Kind(name, name, (), is_read_whole=True)
            read[name] = _read_whole(engine, data, whole, name, metrics, by)
    looked = {name: each.table for name, each in read.items() if _can_look_up(each)}
    engine.notes += note_strangers(engine, looked)
    return read


def read_unchecked(reader: DuckDB, data: Any, name: str) -> Input | str:  # noqa: ANN401
    """Data for a parameter of macros: an input whose rows can be looked up, or a table."""
    kind = KINDS[name]
    if kind is LOG or not kind.is_read_whole:
        return reader.read(data, kind)
    return _read_whole(reader, data, kind, name).table


def _read_whole(
    engine: Engine,
    data: Any,  # noqa: ANN401
    kind: Kind,
    name: str,
    metrics: Sequence[str] = (),
    by: Sequence[str] = (),
) -> Given:
    """All columns of a table; those of segments as one, as relations take them.

    One that is not the engine's is read here.
    """
    if engine.dialect:
        if metrics or by:
            raise InputError(
                "metrics and by are for tables that are read here; give engine= a table of these "
                "metrics, with its segments in a column segment"
            )
        is_name = isinstance(data, str) and not Path(data).is_file()
        if is_name or hasattr(data, "createOrReplaceTempView"):
            found = engine.read(data, kind)
            divided = dict.fromkeys({"segment"} & {*found.columns})
            return Given(found.table, found.name, inputs=(found,), segments=divided)
    reader = engine.open_here()
    if kind.prefix == "scores":
        weight = None if "weight" in kind.optional else ""  # that of evaluate, or none
        frame = read_scores(reader, data, metrics, by, weight)
        frame = add_ranges(frame) if kind is RANGED_SCORES else frame
    else:
        table = read_table(reader, data, kind, by if kind is USERS else ())
        name, frame = table.name, table.frame
        if kind is USERS:
            frame = _take_metrics(table, metrics, by)
    segments = {}
    if kind.prefix == "scores" or kind is USERS:
        segments = {column: frame.schema[column] for column in by or ["segment"] if column in frame}
        frame = frame.select(pl.exclude(*by), segment=pl.struct(by)) if by else frame
    sampled = frame.cast(dict.fromkeys(QRELS.columns[:2], pl.String)) if kind is STRATA else None
    return Given(engine.register(frame), name, judged=sampled, segments=segments)


def read_judgments(
    engine: Engine,
    data: Any,  # noqa: ANN401
    kind: Kind = QRELS,
    once: Sequence[str] = (),
) -> Given:
    """Judgments, or rows of another kind that `refuse` checks; they may have been read."""
    found = data.data if isinstance(data, Judgments) else data
    if not isinstance(found, Input):
        found = engine.read(found, kind)
    with reading(found.name):
        begin(f"checking {found.name}")
        refuse(engine, [found])
        if kind.is_judged:
            require_judged_once(engine, found, once)
        if kind.is_log:
            engine.notes += note_warnings(engine, found)
        table = _type_log(engine, found) if kind.is_log else found.table
    judged = found.frame if kind is QRELS and isinstance(found, Input) else None
    return Given(table, found.name, is_checked=True, judged=judged, inputs=(found,))


def _type_log(engine: Engine, found: Any) -> str:  # noqa: ANN401
    """The rows of a log that is here: text is compared by bytes, whole numbers are numbers."""
    if not isinstance(found, Input):
        return str(found.table)
    kind, reader = found.kind, engine.open_here()
    keys = ["page_id", *(column for column in kind.columns if column not in LOG.columns)]
    written = (write_column(reader, found, column) for column in keys)
    listed = ", ".join(column for column in written if " AS " in column)
    query = f"SELECT * REPLACE ({listed}) FROM {found.table}"
    return str(reader.keep(query)) if listed else found.table


def read_runs(
    engine: Engine,
    data: Runs,
    judged: pl.DataFrame | None = None,
    exclude: Any = None,  # noqa: ANN401
    *,
    score_type: ScoreType = "float64",
) -> Given:
    """Runs, without the documents of ``exclude``; notes ids that are nearly those ``judged``."""
    runs = engine.read_runs(data, score_type)
    run_ids = check_runs(engine, runs.values(), judged)
    united = take_runs(engine, runs)
    if exclude is not None:
        united = replace(united, table=engine.leave_out(united.table, exclude))
        left = engine.run(f"SELECT DISTINCT r.run_id FROM {united.table} AS r")["run_id"]
        check_run_ids([(united.name, run_ids)], {*left})
    return replace(united, run_ids=run_ids)


def take_runs(engine: Engine, runs: Mapping[str, Any]) -> Given:
    """Runs that were read and checked, as one table."""
    inputs = tuple(runs.values())
    name = " or ".join(each.name for each in inputs)
    return Given(engine.unite(inputs), name, is_checked=True, run_ids=[*runs], inputs=inputs)


def _can_look_up(given: Given) -> bool:
    """Whether a table was read from rows that are here, and checked or judgments of a sample."""
    is_read = given.is_checked or given.judged is not None
    return is_read and all(isinstance(each, Input) for each in given.inputs)


def refuse_calls(
    engine: Engine, calls: Iterable[Call], given: Mapping[str, Given]
) -> list[SqlFile]:
    """The relations of calls whose tables were all read; raises `InputError` for these."""
    found = []
    for call in calls:
        named = {name: given[table] for name, table in call.tables.items() if table in given}
        checked = [parameter for parameter, each in named.items() if each.is_checked]
        for file in call.relations:
            if {*file.inputs} <= named.keys():
                tables = {name: named[name].table for name in file.inputs}
                own = {name: value for name, value in file.parameters.items() if value is not None}
                refuse_tables(engine, file, tables, {**own, **call.options}, checked)
                found.append(file)
    return found


def make_empty(kind: Kind) -> pl.DataFrame:
    """A table of a kind without rows."""
    types = {column: pl.String if column in IDS else pl.Float64 for column in kind.columns}
    return pl.DataFrame(schema=types)


def _take_metrics(table: Table, metrics: Sequence[str], by: Sequence[str]) -> pl.DataFrame:
    """The users of some metrics; a metric without a name has that of its columns."""
    frame = table.frame
    if "metric" not in frame.columns:
        names = [table.found[each] for each in ("numerator", "denominator") if each in table.found]
        name = " / ".join(names)
        frame = frame.with_columns(metric=pl.lit("value" if name == "numerator" else name))
    elif frame["metric"].null_count():
        raise InputError(f"{table.name}: a row has no metric")
    have = ("metric", "segment", *by, *USERS.columns, *USERS.optional)
    frame = frame.select(name for name in dict.fromkeys(have) if name in frame.columns)
    frame = frame.with_columns(pl.col("user_id", "variant", "metric").cast(pl.String))
    known = frame["metric"].unique(maintain_order=True).to_list()
    require_among(known, metrics, f"{table.name}: no metric named")
    return frame.filter(pl.col("metric").is_in(metrics)) if metrics else frame
