"""Lists: the rows of a run in parts, each of whole lists, to be ranked a part at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import reduce
from operator import or_

import duckdb
import polars as pl

from ..inputs.frames import ScoreDict
from ..inputs.source import Input, Source, reading
from ..inputs.streams import list_batches
from ..inputs.workspace import read_memory_limit

# rows of a part: few enough for the caches of a processor, enough to be fast
_AT_ONCE = 1 << 21

LIST = ("run_id", "query_id")


def read_lists(
    con: duckdb.DuckDBPyConnection, run: Input, *, is_sorted: bool = True
) -> Iterator[pl.DataFrame]:
    """The rows of a run, in order, in parts of one or more lists.

    The columns are run_id, unless ``run`` has the name of all rows, query_id, doc_id, score or
    distance and, if it was read, rank. If the run is not sorted, all rows are one part, or its
    lists are brought together, where the rows of each keep their order.
    """
    if is_sorted:
        yield from _cut(_read(con, run))
    elif (rows := _read_whole(con, run)) is not None:
        yield rows
    else:
        yield from _cut(_read_together(con, run))


def take_dict(run: Input) -> ScoreDict | None:
    """The run if it is a dict, whose rows are those of `read_lists` as one part."""
    given = run.sources[0].frame
    return given if isinstance(given, ScoreDict) and run.score_type == "float64" else None


def _read(con: duckdb.DuckDBPyConnection, run: Input) -> Iterator[pl.DataFrame]:
    are_frames = all(source.frame is not None for source in run.sources)
    if are_frames and "rank" not in run.columns:
        yield from (part for source in run.sources for part in _read_frame(con, source, run))
        return
    with _writing_views(con):
        yield from list_batches(con.sql(_write_rows(run)))


def _write_rows(run: Input) -> str:
    dropped = "" if run.has_names else "EXCLUDE (run_id)"
    value = run.kind.value
    return f"SELECT * {dropped} REPLACE (CAST({value} AS DOUBLE) AS {value}) FROM {run.table}"


def _read_whole(con: duckdb.DuckDBPyConnection, run: Input) -> pl.DataFrame | None:
    """All rows; None if they may not fit in memory."""
    parts, size, most = [], 0.0, read_memory_limit(con) / 4
    for part in _read(con, run):
        parts.append(part)
        size += part.estimated_size()
        if size > most:
            return None
    return pl.concat(parts, rechunk=True)


def _read_together(con: duckdb.DuckDBPyConnection, run: Input) -> Iterator[pl.DataFrame]:
    """The same by DuckDB, which needs little memory."""
    keys = ", ".join(LIST[not run.has_names :])
    query = f"""
        SELECT * EXCLUDE (_place)
        FROM (SELECT *, row_number() OVER () AS _place FROM ({_write_rows(run)}))
        ORDER BY hash({keys}), {keys}, _place"""
    with _writing_views(con):
        yield from list_batches(con.sql(query))


def _read_frame(
    con: duckdb.DuckDBPyConnection, source: Source, run: Input
) -> Iterator[pl.DataFrame]:
    """The rows of a source by polars, and by DuckDB from where polars cannot read them."""
    frame = source.frame if source.frame is not None else pl.LazyFrame()
    if isinstance(frame, ScoreDict):
        frame = frame.frame.lazy()
    done = 0
    try:
        for rows in frame.collect_batches(chunk_size=_AT_ONCE // 2, maintain_order=True):
            part = run.cast(rows)
            if source.is_trec and not _is_usual(rows, part):
                break
            yield part
            done += rows.height
        else:
            return
    except pl.exceptions.PolarsError:
        if done and not source.lines:
            raise
    columns = [column for column in (*LIST, "doc_id", run.kind.value) if column in source.columns]
    rest = f" WHERE _line > {done}" if done else ""
    with reading(source.name), _writing_views(con):
        found = con.sql(f"SELECT {', '.join(columns)} FROM {source.rows}{rest}")
        for rows in list_batches(found):
            yield run.cast(rows)


@contextmanager
def _writing_views(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let DuckDB write text in the form in which polars holds it, twice as fast."""
    wanted = {"produce_arrow_string_view": True, "arrow_output_version": "1.4"}
    names = ", ".join(f"current_setting('{name}')" for name in wanted)
    (before,) = con.execute(f"SELECT {names}").fetchall()
    try:
        _set(con, wanted.items())
        yield
    finally:
        with suppress(duckdb.ConnectionException):  # closed while an interrupt ended the work
            _set(con, zip(wanted, before, strict=True))


def _set(con: duckdb.DuckDBPyConnection, settings: Iterable[tuple[str, object]]) -> None:
    for name, value in settings:
        con.execute(f"SET {name} = '{value}'")


def _cut(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, cut where a list ends."""
    rest: list[pl.DataFrame] = []
    for frame in frames:
        rest.append(frame)
        if sum(each.height for each in rest) < _AT_ONCE // 2:
            continue
        part = pl.concat(rest)
        is_other = (part[key].ne_missing(part[key][-1]) for key in LIST if key in part.columns)
        others = reduce(or_, is_other).arg_true()
        end = int(others[-1]) + 1 if len(others) else 0
        if end:
            yield part.head(end)
        rest = [part.slice(end)]
    if rest:
        yield pl.concat(rest)


def _is_usual(rows: pl.DataFrame, ranked: pl.DataFrame) -> bool:
    """Whether rows of TREC text are lines of six fields and no comments, with numbers as scores."""
    are_filled = not any(each.has_nulls() for each in (*rows, ranked["score"]))
    queries = rows["query_id"]
    are_odd = queries.str.contains(_ODD) | rows["doc_id"].str.contains(_ODD)
    is_comment = (queries >= "#") & (queries < "$")
    return are_filled and not (are_odd | is_comment).any()


_ODD = r"[\x00\t\v\f\r]"
