"""Tables: read whole, such as scores of queries, users of an experiment, or data about queries.

Also of the documents that runs are scored without, such as those that a user already had.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import polars as pl

from ..catalogue.parsing import find_metric
from ..errors import InputError, read_names
from .columns import EXCLUDED, IDS, KEYS, SCORES, Columns, Kind, has_documents, quote_name
from .data import Data, expand_home, name_file
from .frames import read_relation
from .reader import Reader
from .source import Input, Source, reading
from .streams import Stream


@dataclass(frozen=True)
class Table:
    """A table that was read: ``frame`` has our names of columns, ``found`` the names they had."""

    name: str
    frame: pl.DataFrame
    found: dict[str, str]


def read_table(
    reader: Reader,
    data: Any,  # noqa: ANN401
    kind: Kind,
    others: Sequence[str] = (),
) -> Table:
    """All columns of a table, in text with numbers where all values of a column are.

    Raises `InputError` for a missing column, also of ``others``, and for a table without rows.
    """
    more = [each for each in others if each not in (*kind.columns, *kind.optional)]
    sources = [*reader.find(data, replace(kind, optional=(*kind.optional, *more)))]
    frame = pl.concat([_read(reader, each) for each in sources], how="diagonal_relaxed")
    name = sources[0].name if len(sources) == 1 else str(data)
    found = {ours: theirs for each in sources for ours, theirs in each.read.items()}
    own = {theirs.lower(): ours for ours, theirs in found.items()}
    read = {each: own.get(each.lower()) for each in more if each not in frame.columns}
    frame = frame.with_columns(pl.col(ours).alias(each) for each, ours in read.items() if ours)
    require_among(frame.columns, more, f"{name}: no column")
    cs = pl.selectors
    for ours, theirs in ((ours, theirs) for ours, theirs in found.items() if ours not in more):
        held, what = frame.schema[ours], "text" if ours in IDS else "numbers"
        is_unfit = held.is_nested() or held in (pl.Binary, pl.Duration)
        is_unfit |= held.is_temporal() and ours not in IDS
        is_unfit |= held == pl.Boolean and (ours in KEYS or kind.are_numbers)
        if is_unfit or (held == pl.String and kind.are_numbers):
            raise InputError(f"{name} has {theirs} of type {held}; make it {what}")
    frame = frame.with_columns(
        cs.by_dtype(pl.Null).cast(pl.String),  # DuckDB reads no such type
        (cs.float() & cs.by_name(IDS, require_all=False)).fill_nan(None),
    )
    if frame.is_empty():
        raise InputError(f"{name}: no rows")
    reader.notes += dict.fromkeys(each.note for each in sources if each.note)
    return Table(name, frame, found)


def _read(reader: Reader, source: Source) -> pl.DataFrame:
    """The rows of a source, with our names of columns."""
    with reading(source.name):
        if isinstance(source.given, pl.LazyFrame):
            ours = (pl.col(column).alias(each) for each, column in source.read.items())
            frame = source.given.select(*ours, *source.others).collect()
        else:
            frame = read_relation(reader.con.sql(f"FROM {source.rows}")).drop("_line", strict=False)
        if source.lines is None:
            return frame
        if source.is_trec and frame["query_id"].has_nulls():
            ((place, *_), *_) = source.find_rows(reader.con, "query_id IS NULL")
            raise InputError(f"{place} is not of the form '{source.kind.trec_line}'")
        return frame.with_columns(_read_text(frame[c]) for c in frame.columns if c not in IDS)


def _read_text(values: pl.Series) -> pl.Series:
    """Text as numbers or truths, if all values are."""
    truths = values.replace_strict(["true", "false"], [True, False], default=None)
    read = (values.cast(pl.Int64, strict=False), values.cast(pl.Float64, strict=False), truths)
    are_read = (each for each in read if each.null_count() == values.null_count() < len(values))
    return next(are_read, values)


def require_among(have: Iterable[str], names: Iterable[str], lacks: str) -> None:
    """Raise `InputError` for the first of the names that is not there."""
    for missing in (each for each in names if each not in have):
        raise InputError(f"{lacks} {missing}; there are {', '.join(have) or 'none'}")


_KEYS = ("run_id", "query_id")
# What analyses read besides.
_MORE = ("segment", "weight", "lowest", "highest")


def is_evaluated(scores: Any) -> bool:  # noqa: ANN401
    """Whether they are what `evaluate` returned."""
    return hasattr(scores, "per_query") and hasattr(scores, "metrics")


def take_per_query(scores: Any) -> pl.DataFrame:  # noqa: ANN401
    """The scores of queries that `evaluate` returned; raises `InputError` for those of a log."""
    found: pl.DataFrame = scores.per_query
    if "run_id" not in scores.mean.columns:
        raise InputError("these are scores of a click log, which has no runs; take them from mean")
    return found


def read_scores(
    reader: Reader,
    data: Any,  # noqa: ANN401
    metrics: Sequence[str] = (),
    others: Sequence[str] = (),
    weight: str | None = "",
) -> pl.DataFrame:
    """The scores as rows of run_id, query_id, the columns ``others``, metric and score.

    ``data`` is what `evaluate` returned, or has a column for each metric, or a column score and
    perhaps metric; and those that analyses read besides. ``weight`` is one, "" for none. All
    columns of numbers are metrics by default. One run without run_id has the file's name.

    Raises `InputError` for a missing column and for a metric that is not a number.
    """
    if is_evaluated(data):
        if weight == "" and data.weight is not None:
            raise InputError(
                f"weights are not supported here; score without weight={data.weight!r}"
            )
        known = take_per_query(data)
        numbers = known.select(pl.selectors.numeric()).columns
        listed = [each.name for each in data.metrics if each.name in numbers]
        return read_scores(reader, known, metrics or listed, others, weight or data.weight)
    table = read_table(reader, data, SCORES, [*others, *([weight] if weight else [])])
    name, frame = table.name, table.frame
    for key in {*others} & {*_KEYS, *map(table.found.get, _KEYS), "metric", "score", "weight"}:
        raise InputError(f"{key} cannot divide the queries; name another column")
    if "score" in frame.columns and {*metrics} <= {"score"} and "metric" not in frame.columns:
        numbers = frame.select(pl.selectors.numeric()).columns
        if unread := {*numbers} - {*_KEYS, *others, *_MORE, weight, "score"}:
            said = f"{name}: {', '.join(sorted(unread))} not compared; name them as metrics"
            reader.notes.append(f"{said}, or leave out the column score")
        frame = frame.with_columns(metric=pl.lit("score"))
    is_long = {"metric", "score"} <= {*frame.columns}
    for each in frame.select(~pl.selectors.numeric()).columns:
        if each in ("score" * is_long, weight or "weight"):
            kind = str(frame[each].dtype).lower()
            raise InputError(f"{name}: {each} must be numbers, not of type {kind}")
    if weight:
        frame = frame.with_columns(weight=weight).drop({weight} - {"weight", *others})
    if "run_id" not in frame.columns:
        if has_documents(name, frame.columns):
            said = "scores of queries are needed, as evaluate returns, or writes with --per-query"
            raise InputError(f"{name}: there are documents; {said}")
        frame = frame.with_columns(run_id=pl.lit(name_file(data)))
    frame = frame.with_columns(pl.col(_KEYS).cast(pl.String))
    for key in _KEYS:
        if (frame[key].fill_null("") == "").any():
            raise InputError(f"{name}: a row has no {key}")
    more = [c for c in _MORE if c in frame.columns and c not in (*others, *metrics)]
    more = [c for c in more if frame[c].dtype.is_numeric() or (c == "segment" and not others)]
    if "weight" in more and weight == "":
        raise InputError(f"{name}: weights are not supported here; leave out the column weight")
    if "weight" in more and frame["weight"].eq(0).all():
        raise InputError(f"{name} has no query with a weight above 0")
    keys = [*_KEYS, *others, *more]
    if is_long:
        named = frame["metric"].cast(pl.String).unique(maintain_order=True)
        require_among(named, metrics, f"{name}: no scores of")
        score = pl.col("score").cast(pl.Float64)
        long = frame.select(*keys, pl.col("metric").cast(pl.String), score)
        return long.filter(pl.col("metric").is_in([*metrics])) if metrics else long
    return _take_wide(reader, frame, metrics, keys, name)


def add_ranges(scores: pl.DataFrame) -> pl.DataFrame:
    """The scores with the ``lowest`` and the ``highest`` that each metric can have, if known."""
    found = {name: find_metric(name) for name in scores["metric"].unique()}
    rows = [(name, *metric.range) for name, metric in found.items() if metric]
    ends = dict.fromkeys(("lowest", "highest"), pl.Float64)
    known = pl.DataFrame(rows, {"metric": pl.String, **ends}, orient="row")
    new = known.drop(end for end in ends if end in scores.columns)
    return scores.join(new, on="metric", how="left", maintain_order="left")


def _take_wide(
    reader: Reader, frame: pl.DataFrame, metrics: Sequence[str], keys: list[str], name: str
) -> pl.DataFrame:
    rest = [column for column in frame.columns if column not in keys]
    numbers = [column for column in rest if frame[column].dtype.is_numeric()]
    require_among(rest, metrics, f"{name}: no scores of")
    if texts := [metric for metric in metrics if metric not in numbers]:
        raise InputError(f"{name}: {texts[0]} is not a number; compare metrics that are numbers")
    if not numbers:
        raise InputError(
            f"{name}: no column of numbers to compare; there are {', '.join(rest) or 'none'}"
        )
    left = [column for column in rest if column not in numbers and not metrics]
    reader.notes += [f"{name}: {', '.join(left)} not compared: not numbers"] * bool(left)
    # not by unpivot: a metric may be called score
    return pl.concat(
        frame.select(*keys, metric=pl.lit(metric), score=pl.col(metric).cast(pl.Float64))
        for metric in metrics or numbers
    )


def holds_scores(path: str, columns: Columns | None = None) -> bool:
    """Whether a file holds scores of queries rather than a run: it has no documents."""
    if expand_home(path).is_file():
        with suppress(InputError), duckdb.connect() as con, ExitStack() as undo:
            reader = Reader(con, undo, has_tables=False, columns=columns)
            read = ([*each.read.values(), *each.others] for each in reader.find(path, SCORES))
            return not any(has_documents(path, have, columns) for have in read)
    return False


@dataclass(frozen=True)
class Topics:
    """A row per query: its query_id, segments and weight."""

    name: str
    frame: pl.DataFrame
    segments: tuple[str, ...]
    weight: str | None

    def join(self, per_query: pl.DataFrame) -> pl.DataFrame:
        """Add the topics' columns to the scores of queries."""
        joined = per_query.join(self.frame, on="query_id", how="left", maintain_order="left")
        names = dict.fromkeys(["run_id", *self.frame.columns, *per_query.columns])
        if self.weight:
            self.describe_missing(per_query)  # each query must have one
            weight = pl.col(self.weight)
            totals = joined.group_by("run_id", *self.segments).agg(weight.sum())
            unusable = totals.filter((weight == 0) | weight.is_infinite())
            for useless in unusable.iter_rows(named=True):
                where = "".join(f" of {c} {useless[c]}" for c in self.segments)
                total = useless[self.weight]
                raise InputError(f"{self.name}: {self.weight} of all queries{where} is {total:g}")
        return joined.select(*names)

    def describe_missing(self, per_query: pl.DataFrame) -> list[str]:
        """Notes on queries that the topics lack."""
        unknown = per_query.join(self.frame, on="query_id", how="anti")["query_id"].unique().sort()
        if unknown.is_empty():
            return []
        if self.weight:
            raise InputError(f"{self.name} has no {self.weight} for query {unknown[0]}")
        return [
            f"{self.name} lacks {len(unknown)} of the queries, such as {unknown[0]}; "
            "their segment is null"
        ]


def read_segments(option: str, given: object, metrics: Sequence[str]) -> tuple[str, ...]:
    """The columns that an option names, each once; a metric cannot have the name of one."""
    columns = tuple(dict.fromkeys(read_names(option, given)))
    for column in columns:
        if not column:
            raise InputError(f"{option} has an empty name")
        if column.lower() in map(str.lower, metrics):  # names of columns in SQL have no case
            raise InputError(f"{column} is a metric and a column; give the column another name")
    return columns


def read_topics(
    reader: Reader, data: Data, segments: tuple[str, ...], weight: str | None
) -> Topics:
    """Read the columns ``segments`` and ``weight`` of a table of queries.

    Segments keep their types; in text, whole numbers are numbers where all values of a column are.

    Raises `InputError` if a column is missing, or a query has two values in one.
    """
    columns = dict.fromkeys([*segments, *([weight] if weight else [])])
    for column in columns:
        if column.lower() in ("run_id", "query_id"):
            raise InputError(f"{column!r} cannot be a segment or weight; choose another column")
    kind = Kind("topics", "a table of queries", ("query_id", *columns))
    found = reader.read(data, kind)
    with reading(found.name):
        listed = ", ".join(write_column(reader, found, column) for column in kind.columns)
        query = f"SELECT DISTINCT {listed} FROM {found.table} WHERE query_id IS NOT NULL"
        frame = pl.DataFrame(Stream(reader.con.sql(query)))
    twice = frame.filter(pl.col("query_id").is_duplicated()).sort("query_id")
    if twice.height:
        first = twice.filter(query_id=twice["query_id"][0])
        column = next(c for c in columns if first[c].n_unique() > 1)
        values = " and ".join(map(str, first[column].unique().sort().head(2)))
        raise InputError(
            f"{found.name} has two values of {column} for query {twice['query_id'][0]}: {values}"
        )
    if weight:
        number = pl.col(weight).cast(pl.String).cast(pl.Float64, strict=False)  # no date is one
        is_usable = ((number >= 0) & number.is_finite()).fill_null(value=False)
        for query_id, value in frame.filter(~is_usable).select("query_id", weight).iter_rows():
            said = f"must be a number, 0 or more, not {'empty' if value is None else value}"
            raise InputError(f"{found.name}: {weight} of query {query_id} {said}")
        frame = frame.with_columns(number)
    return Topics(found.name, frame, segments, weight)


def write_column(reader: Reader, found: Input, column: str) -> str:
    """A column as it is to be; text is compared byte by byte."""
    name = quote_name(column)
    query = f"SELECT any_value(typeof({name})) FROM {found.table}"
    ((kind,),) = reader.con.execute(query).fetchall()
    if kind != "VARCHAR":
        return name
    if column != "query_id" and any(source.lines for source in found.sources):
        is_whole = f"bool_and({name} = CAST(TRY_CAST({name} AS BIGINT) AS VARCHAR))"
        query = f"SELECT {is_whole} FROM {found.table} WHERE {name} IS NOT NULL"
        if reader.con.execute(query).fetchall() == [(True,)]:
            return f"CAST({name} AS BIGINT) AS {name}"
    return f"{name} COLLATE C AS {name}"


@dataclass(frozen=True)
class Excluded:
    """The documents of a table, or each query itself where there is none.

    ``query`` is the table in SQL, ``frame`` has its rows.
    """

    query: str | None = None
    frame: pl.DataFrame | None = None

    def leave_out(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows of a run, in order, without these documents."""
        if self.frame is None:
            is_itself = pl.col("query_id") == pl.col("doc_id")
            return rows.filter(~is_itself.fill_null(value=False))  # what lacks an id is refused
        return rows.join(self.frame, on=self.frame.columns, how="anti", maintain_order="left")


def read_excluded(reader: Reader, exclude: Any) -> Excluded | None:  # noqa: ANN401
    """Read the table of ``exclude``, unless it is ``"self"`` or None.

    Raises `InputError` for a table without these columns, or a row that lacks an id.
    """
    if exclude is None:
        return None
    if is_self(exclude):
        return Excluded()
    found = reader.read(exclude, EXCLUDED)
    ids = ", ".join(EXCLUDED.columns)
    frame = pl.DataFrame(Stream(reader.con.sql(f"SELECT DISTINCT {ids} FROM {found.table}")))
    lacks = f"{' IS NULL OR '.join(EXCLUDED.columns)} IS NULL"
    for place, *given in found.find_rows(reader.con, lacks):
        column = EXCLUDED.columns[given.index(None)]
        raise InputError(f"{place} has no {column}; exclude= needs both ids in each row")
    return Excluded(found.query, frame)


def is_self(exclude: object) -> bool:
    """Whether no query finds itself, as in BEIR; a table of this name is given as a path."""
    return isinstance(exclude, str) and exclude == "self"
