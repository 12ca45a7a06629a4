"""What macros are given: data of users as tables of a connection, read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    STRATA,
    SUBTOPIC_QRELS,
    USERS,
    Kind,
    name_log,
)
from ..inputs.data import Data, Runs
from ..inputs.excluded import read_excluded, write_without
from ..inputs.reader import Input, Reader, unite_queries
from ..inputs.scores import add_ranges, read_scores, take_per_query
from ..inputs.source import reading
from ..inputs.tables import Table, list_names, read_table
from ..inputs.topics import write_column
from ..macros.create import sort_files
from ..progress import begin
from .checks import check_runs, note_strangers, note_warnings, refuse, require_judged_once
from .judgments import Judgments
from .relations import keep


def find_kind(parameter: str, macro: SqlFile) -> Kind | None:
    """What the table is that a macro takes by this parameter, if that is known."""
    kind = KINDS.get(parameter)
    if kind is QRELS:
        said = {file.header.get("judgments") for file in _list_relations(macro)}
        return next((_JUDGMENTS[each] for each in _JUDGMENTS if each in said), QRELS)
    return _ANALYSED if kind is LOG and macro.is_analysis else kind


# What analyses read of a log: not its other columns, but from files of any number, with lines.
_ANALYSED = name_log((), has_users=True)


# Other judgments, by what the headers of their relations say.
_JUDGMENTS = {"by subtopic": SUBTOPIC_QRELS, "sampled": STRATA}


def is_run(parameter: str) -> bool:
    """Whether a macro takes runs by this parameter."""
    return KINDS.get(parameter) is RUN


def _list_relations(macro: SqlFile) -> list[SqlFile]:
    """The relations that a macro is over, or calls."""
    return [file for file in sort_files([macro]) if file.path.parent.name == "relations"]


@dataclass(frozen=True)
class Given:
    """A table of a connection, by our names of columns; ``is_checked`` if its rows are right.

    ``name`` is what it is called in messages; ``judged`` has the rows of judgments, ``run_ids`` the
    names of runs, as given, and ``segments`` the columns that divide it, with their types. What SQL
    reads as it is has the ``query`` of its columns.
    """

    table: str
    name: str
    is_checked: bool = False
    judged: pl.DataFrame | None = None
    run_ids: Sequence[str] = ()
    segments: Mapping[str, pl.DataType] = field(default_factory=dict)
    query: str = ""


def read_tables(
    reader: Reader,
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
        read[name] = (known or {}).get(name) or _read(
            reader, tables[name], kinds.get(name), name, judged, exclude, metrics, by, once
        )
    named = {name: each.table for name, each in read.items() if each.is_checked}
    reader.notes += note_strangers(reader.con, named)
    return read


def read_unchecked(reader: Reader, data: Any, name: str) -> Input | str:  # noqa: ANN401
    """Data for a parameter of macros: an input whose rows can be looked up, or a table."""
    kind = KINDS[name]
    if kind is LOG or not (kind.is_scores or kind.is_read_whole):
        return reader.read(data, kind)
    return _read(reader, data, kind, name, []).table


def _read(
    reader: Reader,
    data: Any,  # noqa: ANN401
    kind: Kind | None,
    name: str,
    judged: Sequence[pl.DataFrame],
    exclude: Any = None,  # noqa: ANN401
    metrics: Sequence[str] = (),
    by: Sequence[str] = (),
    once: Sequence[str] = (),
) -> Given:
    con = reader.con if reader.has_tables else None
    if data is None and kind:
        return Given(reader.register(make_empty(kind)), name)
    if kind and kind.is_scores:
        if hasattr(data, "per_query") and hasattr(data, "metrics"):  # what evaluate returns
            if data.weight is not None:
                raise InputError(
                    f"these scores are weighted by {data.weight}, and the means of analyses are "
                    "not; evaluate without weight"
                )
            listed = (each.name for each in data.metrics)
            data = take_per_query(data)
            metrics = metrics or [name for name in listed if data.schema[name].is_numeric()]
        long, notes = read_scores(data, metrics, by, con=con, columns=reader.columns)
        reader.notes += notes
        return _divide(reader, add_ranges(long) if kind is RANGED_SCORES else long, name, by)
    if kind is USERS:
        table = read_table(data, kind, by, con=con, columns=reader.columns)
        reader.notes += table.notes
        return _divide(reader, _take_metrics(table, metrics, by), table.name, by)
    if kind is None or kind.is_read_whole:
        table = read_table(data, kind or Kind(name, name, ()), con=con, columns=reader.columns)
        reader.notes += table.notes
        sampled = table.frame if kind is STRATA else None
        return Given(reader.register(table.frame), table.name, judged=sampled)
    if kind is RUN:
        return read_runs(reader, data, judged[0] if judged else None, exclude)
    if kind.is_log:
        log, rows = _read_log(reader, data, kind)
        begin(f"checking {log.name}")
        refuse(reader.con, [log])
        reader.notes += note_warnings(reader.con, log)
        return Given(rows, log.name, is_checked=True, query=log.query)
    return read_judgments(reader, data, kind, once)


def read_judgments(
    reader: Reader,
    data: Any,  # noqa: ANN401
    kind: Kind = QRELS,
    once: Sequence[str] = (),
) -> Given:
    """Judgments, or rows of another kind that `refuse` checks; they may have been read."""
    if isinstance(data, Judgments):
        data = data.data
    found = data if isinstance(data, Input) else reader.read(data, kind)
    with reading(found.name):
        refuse(reader.con, [found])
        if kind.is_judged:
            require_judged_once(reader.con, found, once)
    judged = found.frame if kind is QRELS else None
    return Given(found.table, found.name, is_checked=True, judged=judged, query=found.query)


def read_runs(
    reader: Reader,
    data: Runs,
    judged: pl.DataFrame | None = None,
    exclude: Any = None,  # noqa: ANN401
    *,
    score_type: ScoreType = "float64",
) -> Given:
    """Runs, without the documents of ``exclude``; notes ids that are nearly those ``judged``."""
    runs = reader.read_runs(data, score_type)
    run_ids = check_runs(reader, runs.values(), judged)
    united = take_runs(reader, runs)
    if excluded := read_excluded(reader, exclude):
        others = excluded.query and reader.keep(excluded.query)
        left = keep(reader, write_without(united.table, others))
        united = replace(united, table=left)
    return replace(united, run_ids=run_ids)


def take_runs(reader: Reader, runs: Mapping[str, Input]) -> Given:
    """Runs that were read and checked, as one table."""
    name = " or ".join(each.name for each in runs.values())
    table, query = reader.unite(runs.values()), unite_queries(runs.values())
    return Given(table, name, is_checked=True, run_ids=[*runs], query=query)


def make_empty(kind: Kind) -> pl.DataFrame:
    """A table of a kind without rows."""
    types = {column: pl.String if column in IDS else pl.Float64 for column in kind.columns}
    return pl.DataFrame(schema=types)


def _read_log(reader: Reader, data: Data, kind: Kind) -> tuple[Input, str]:
    """A log, and the name of its rows: text is compared by bytes, whole numbers are numbers."""
    found = reader.read(data, kind)
    with reading(found.name):
        keys = ["page_id", *(column for column in kind.columns if column not in LOG.columns)]
        written = (write_column(reader, found, column) for column in keys)
        listed = ", ".join(column for column in written if " AS " in column)
        table = found.table
        return found, reader.keep(f"SELECT * REPLACE ({listed}) FROM {table}") if listed else table


def _divide(reader: Reader, frame: pl.DataFrame, name: str, by: Sequence[str]) -> Given:
    """The rows with the columns of their segments as one, as relations take them."""
    segments = {column: frame.schema[column] for column in by or ["segment"] if column in frame}
    divided = frame.with_columns(segment=pl.struct(by)) if by else frame
    return Given(reader.register(divided), name, segments=segments)


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
    if missing := [metric for metric in metrics if metric not in known]:
        raise InputError(
            f"{table.name}: no metric named {missing[0]}; there are {list_names(known)}"
        )
    return frame.filter(pl.col("metric").is_in(metrics)) if metrics else frame
