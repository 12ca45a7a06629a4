"""Sources: what a file, table or frame is, and how to read it."""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ..catalogue.conventions import ScoreType
from ..errors import InputError, SqlMetricsError
from .columns import RUN, Columns, Kind, find_order, is_batch, match_columns, quote_name
from .connection import is_interrupt
from .data import Cells, Key, split_key, write_column
from .frames import ScoreDict
from .grades import WORDS, Grades, cast_number, grade_words, graded
from .lists import find_lists, is_padded, unnest_lists
from .reused import Reused, name_temporarily
from .streams import Stream
from .workspace import open_workspace


@dataclass(frozen=True)
class Source:
    """An input, or one of its files, as SQL: ``rows`` is what follows FROM.

    ``columns`` are its columns by our names, with the values still as given; ``note`` lists the
    names that they had. Messages use ``name``. Text has ``lines``, and its rows, as those of
    ``pages``, the responses of search engines, have a column ``_line``; with a ``delimiter`` this
    is only the number of the row. ``is_trec`` is true for TREC text, ``is_listed`` for rows
    that stood in lists. ``read`` are the names that its columns have in the input; rows of a run
    have ``others``, which nothing reads, under these names, too, as has a table that is read whole.
    ``given`` has the columns by their own names for polars, if it reads them as DuckDB does.
    ``left_out`` are rows, with what each is, and why.
    """

    name: str
    kind: Kind
    rows: str
    columns: tuple[str, ...]
    note: str | None = None
    lines: str | None = None
    delimiter: str | None = None
    is_trec: bool = False
    read: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    is_listed: bool = False
    pages: pl.DataFrame | None = None
    given: pl.LazyFrame | ScoreDict | None = None
    left_out: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def made_of(self) -> str:
        """What makes it judgments or a run, by our name: grades, scores, ranks, or else lists."""
        kind = self.kind
        return kind.value if kind.value in self.read else find_order(self.read, kind) or "doc_id"

    @cached_property
    def frame(self) -> pl.LazyFrame | ScoreDict | None:
        """The rows for polars, if ids are text or whole numbers and values are numbers.

        In text they are text, and lines of TREC have all their fields.
        """
        found, value = self.read, self.kind.value
        if self.is_trec:
            return self.given
        if isinstance(self.given, ScoreDict):
            return self.given if all(ours == column for ours, column in found.items()) else None
        is_whole = value in _VALUES and {"query_id", "doc_id", value} <= found.keys()
        if self.given is None or not is_whole or self.left_out:
            return None
        known = ("run_id", "query_id", "doc_id", "subtopic", "rank", value)
        taken = [column for column in known if column in found]
        selected = self.given.select(pl.col(found[ours]).alias(ours) for ours in taken)
        with suppress(pl.exceptions.PolarsError):
            for ours, held in selected.collect_schema().items():
                is_number = held.is_integer() or (ours in ("rank", value) and held.is_float())
                is_text = held == pl.String and (ours != value or self.lines is not None)
                if not (is_number or is_text):
                    return None
            return selected
        return None

    def find_rows(
        self, con: duckdb.DuckDBPyConnection, where: str, values: Sequence[str] = ()
    ) -> list[tuple[str, str | None, str | None, str | None]]:
        """The places of the first rows that meet a condition, and their ids and value as given."""
        line = "NULL" if self.lines is None and self.pages is None else "_line"
        columns = ", ".join(f"CAST({column} AS VARCHAR)" for column in self.kind.columns)
        query = f"SELECT {line}, {columns} FROM {self.rows} WHERE {where} LIMIT 3"
        found = con.execute(query, values).fetchall()
        return [(self._name_place(con, number), *ids) for number, *ids in found]

    def _name_place(self, con: duckdb.DuckDBPyConnection, row: int | None) -> str:
        line = row
        if row is not None and self.delimiter:  # blank lines and quoted breaks may come before it
            lines = con.execute(f"SELECT line FROM {self.lines}")
            batches = iter(lambda: lines.fetchmany(10_000), [])
            text = (f"{line or ''}\n".replace("\0", " ") for batch in batches for (line,) in batch)
            parsed = csv.reader(text, delimiter=self.delimiter)
            with suppress(csv.Error):
                filled = (
                    parsed.line_num for each in parsed if len(each) > 1 or "".join(each).strip()
                )
                line = next(islice(filled, row, None))
        return self.name if line is None else f"{self.name} line {line}"


@dataclass(frozen=True)
class Input:
    """Judgments or a run that were read, from one or several sources such as files of a folder.

    ``query`` selects the columns, and ``create`` creates a table or view of them. ``run_id`` names
    the run where no column does, and ``score_type`` is what scores are read as. Judgments are also
    in ``frame``, and words among them have ``grades``.
    """

    name: str
    sources: tuple[Source, ...]
    query: str
    create: Callable[[], str]
    columns: tuple[str, ...]
    run_id: str | None = None
    score_type: ScoreType = "float64"
    frame: pl.DataFrame = field(default_factory=lambda: pl.DataFrame())
    grades: Grades = WORDS

    @cached_property
    def table(self) -> str:
        """The name of a table or view of the columns, created when it is first asked for."""
        return self.create()

    @property
    def kind(self) -> Kind:
        return self.sources[0].kind

    @property
    def as_given(self) -> str:
        """The query of the columns with the values as given, such as text."""
        return " UNION ALL BY NAME ".join(f"SELECT * FROM {each.rows}" for each in self.sources)

    @property
    def has_names(self) -> bool:
        """Whether a column names the run of each row."""
        return "run_id" in self.columns or self.run_id is None

    def cast(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows of the `frame` of a source, as ``query`` has them."""
        kind, value = self.kind, pl.col(self.kind.value)
        if (text := rows[kind.value]).dtype == pl.String:
            number = read_number(text)
            if kind.is_judged and number.null_count() > text.null_count():
                words = text.str.strip_chars().str.to_lowercase()
                graded = words.replace_strict(dict(self.grades), default=None)
                number = number.fill_null(graded.cast(pl.Float64))
            rows = rows.with_columns(number)
        if self.score_type == "float32":
            short = value.cast(pl.Float32)  # one that is too large is refused, as DuckDB casts it
            value = pl.when(short.is_infinite() & value.cast(pl.Float64).is_finite()).then(None)
            value = value.otherwise(short).alias(kind.value)
        columns = [pl.col("query_id", "doc_id").cast(pl.String), value.cast(pl.Float64)]
        if kind.is_judged:
            columns += [pl.col("subtopic").cast(pl.String)] * ("subtopic" in self.columns)
        elif self.has_names:
            is_named = "run_id" in rows.columns
            run_id = pl.col("run_id").cast(pl.String) if is_named else pl.lit(self.run_id)
            columns.append(run_id.alias("run_id"))
        return rows.select(columns)

    def find_rows(
        self, con: duckdb.DuckDBPyConnection, where: str, values: Sequence[str] = ()
    ) -> list[tuple[str, str | None, str | None, str | None]]:
        """The places of the first rows that meet a condition, and their ids and value as given."""
        found = (row for source in self.sources for row in source.find_rows(con, where, values))
        return [row for _, row in zip(range(3), found, strict=False)]


@contextmanager
def reading(name: object) -> Iterator[None]:
    """Turn errors about an unreadable input into an `InputError` that names it."""
    where = ""
    try:
        yield
        return
    except (duckdb.OutOfMemoryException, SqlMetricsError):
        raise
    except OSError as error:
        said = error.strerror or str(error)
    except (EOFError, zlib.error, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        said = str(error)
    except ImportError as error:
        extra = "excel" if "excel" in str(error) else "lake"
        said = f'install what reads it: pip install "sqlmetrics[{extra}]"'
    except RecursionError:
        said = "it is nested too deeply"
    except duckdb.Error as error:
        if is_interrupt(error):
            raise
        said = re.sub(r"^[\w ]+ Error: ", "", str(error))
        if found := _CSV_ERROR.search(said):
            where, said = f" line {found[1]}", found[2]
        elif found := re.search(r"INSTALL (\w+)", said):
            how = f"python -c \"import duckdb; duckdb.sql('INSTALL {found[1]}')\""
            said = f"it needs DuckDB's extension {found[1]}; install it once: {how}"
        elif "state machine" in said:
            said = "it mixes line endings; save it with one kind"
    raise InputError(f"cannot read {name}{where}: {''.join(said.splitlines()[:1])}") from None


_CSV_ERROR = re.compile(
    r"CSV Error on Line: (\d+)\n.*?^((?:Value|Expected|Invalid|Error|Maximum|Missing).*?)$",
    re.DOTALL | re.MULTILINE,
)


def select_columns(
    rows: str,
    name: str,
    kind: Kind,
    have: Sequence[str],
    columns: Columns | None,
    given: pl.LazyFrame | ScoreDict | None = None,
    lists: Container[str] = (),
    beside: Container[str] | None = None,
    *,
    write: Callable[[str], str] = quote_name,
    lines: str | None = None,
) -> Source:
    """The source for rows whose columns have names, and of which ``lists`` hold lists.

    ``given`` has the same for polars. Of the columns that nothing reads, ``rows`` have those
    ``beside``, or all of them. ``write`` is what a column is in SQL. Text has ``lines``, and its
    rows ``_line``.
    """
    found = match_columns(name, kind, have, columns, lists)
    note = describe_columns(name, found, kind)
    written = {ours: write_column(column, write) for ours, column in found.items()}
    of_lists = {
        ours for ours, column in found.items() if column in lists or isinstance(column, Cells)
    }
    line = "_line, " if lines else ""
    if kind.is_judged and kind.value not in found and "doc_id" not in of_lists:
        said = "each row is a relevant document, as it has no relevance"
        note = f"{note}; {said}" if note else f"{name}: {said}"
    unnested, taken = unnest_lists(rows, written, of_lists, kind, line)
    keys = [column for column in found.values() if isinstance(column, Key)]
    others = {} if of_lists else find_others(found, have, kind, beside)
    named = [f"{write(c)} AS {o}" for c, o in others.items() if kind is RUN or kind.is_read_whole]
    listed = line + ", ".join([*write_columns(taken, kind, is_text=bool(lines)), *named])
    selected, left_out = f"SELECT {listed} FROM {unnested}", dict[str, tuple[str, str]]()
    if is_batch(have, kind):
        empty = is_none("relevance")
        left_out[f"({selected}) WHERE {empty}"] = "row", "not judged yet"
        selected = f"FROM ({selected}) WHERE NOT {empty}"
    if found.get("doc_id") in lists:
        padded = f"{rows} WHERE {is_padded(written['doc_id'])}"
        left_out[padded] = "end", "of lists with -1, where an index found nothing"
    return Source(
        name,
        kind,
        f"({selected})",
        (*taken, "score") if find_order(taken, kind) else tuple(taken),
        note,
        lines,
        read=found,
        others=others,
        given=None if keys else given,
        left_out=left_out,
        is_listed="doc_id" in of_lists,
    )


@dataclass(eq=False)
class Connected:
    """A connection to read inputs on; removes what it created there when ``undo`` closes.

    ``columns`` maps our names to columns that have others, ``grades`` words to numbers; ``by_tag``
    names runs of TREC text by their tags. ``reused`` is what our own connection keeps for calls.
    """

    con: duckdb.DuckDBPyConnection
    undo: ExitStack
    _: KW_ONLY
    has_tables: bool
    columns: Columns | None = None
    grades: Grades = field(default_factory=graded.get)
    by_tag: bool = False
    with_ranks: bool = False
    reused: Reused | None = None
    _copied: dict[Any, Path] = field(default_factory=dict)

    def select_all(
        self, rows: str, name: str, kind: Kind, given: pl.LazyFrame | None = None
    ) -> Source:
        """The source for rows whose columns have names in DuckDB."""
        found = self.con.sql(f"SELECT * FROM {rows} LIMIT 0")
        lists = find_lists(found.columns, found.types)
        return select_columns(rows, name, kind, found.columns, self.columns, given, lists)

    def copy_once(self, source: Any) -> Path:  # noqa: ANN401
        """Copy what can only be read once, a file or the path of a pipe, to a temporary file."""
        if source not in self._copied:
            path = self.undo.enter_context(open_workspace()) / "input"
            file = source.open("rb") if isinstance(source, Path) else nullcontext(source)
            with file as read, path.open("wb") as copy:
                while chunk := read.read(1 << 20):
                    copy.write(chunk.encode() if isinstance(chunk, str) else chunk)
            self._copied[source] = path
        return self._copied[source]

    def register(self, frame: pl.DataFrame | ScoreDict) -> str:
        """A name for the rows of a frame."""
        if self.reused:
            named = self.reused.take(frame)
            self.undo.callback(self.reused.free, named)
            return named.name
        table = name_temporarily()
        self.con.register(table, Stream(frame))
        self._undo(lambda: self.con.unregister(table))
        return table

    def _undo(self, step: Callable[[], object]) -> None:
        def undo() -> None:
            # an error in a transaction of the user has undone it already
            with suppress(duckdb.Error):
                step()

        self.undo.callback(undo)


def describe_columns(name: str, found: Mapping[str, str], kind: Kind = RUN) -> str | None:
    """A note on the columns that have other names than ours."""
    renamed = [
        f"{column} as {ours}" + ", as lists" * isinstance(column, Cells)
        for ours, column in found.items()
        if column.lower() != ours.lower()
    ]
    if order := find_order(found, kind):
        first = ", the smallest first" if order == "distance" else ""
        renamed.append(f"score from {order}{first}")
    return f"{name}: read {', '.join(renamed)}" if renamed else None


def find_others(
    found: Mapping[str, str], have: Sequence[str], kind: Kind, beside: Container[str] | None = None
) -> dict[str, str]:
    """The columns that nothing reads, with their names beside ours; a whole table keeps its own."""
    if not (kind.is_judged or kind is RUN):
        taken = {*found, *map(str.lower, found.values())}
        rest = [column for column in have if kind.is_read_whole and column.lower() not in taken]
        return {column: quote_name(column) for column in rest}
    read = {part for column in found.values() for part in split_key(column)}
    unread = (c for c in dict.fromkeys(have) if c not in read and (beside is None or c in beside))
    return {column: f"_other_{place}" for place, column in enumerate(unread)}


def write_columns(found: Mapping[str, str], kind: Kind, *, is_text: bool) -> Iterator[str]:
    """The columns by our names; a run without scores takes them from its order."""
    order = find_order(found, kind)
    for ours, column in found.items():
        # trim keeps DuckDB from reading the values as numbers, whose errors say less
        value = f"trim({column})" if is_text and ours in NUMBERS else column
        yield f"{value} AS {quote_name(ours)}"
        if ours == order:
            number = f"CAST(-{cast_number(value)} AS VARCHAR)"
            yield f"coalesce({number}, '{ours} ' || {value}) AS score"


def is_none(value: str) -> str:
    """The condition for a value that stands for none."""
    return f"coalesce(lower(trim(CAST({value} AS VARCHAR))), '') IN ('', 'nan', 'null', 'none')"


FLOAT = re.compile(r"DOUBLE|FLOAT|DECIMAL\(\d+,[1-9]")


def cast_column(
    column: str, source: Source, held: str, score_type: ScoreType, grades: Grades
) -> str:
    """An id as text, a value as a number, or NULL if it is not one; what is about them as it is."""
    kind, name = source.kind, quote_name(column)
    is_about = (column != "query_id" and "doc_id" not in kind.columns) or kind.is_log
    if is_about or (kind.describes_documents and column != "doc_id"):
        return name
    if column != "rank" and (column != kind.value or not kind.value_is_number):
        text = f"CAST({name} AS VARCHAR)"
        return f"nullif({text}, 'nan') AS {name}" if FLOAT.match(held) else f"{text} AS {name}"
    number = cast_number(column) if held == "VARCHAR" else f"TRY_CAST({column} AS DOUBLE)"
    if column == "score" and score_type == "float32":
        number = f"TRY_CAST({number} AS FLOAT)"
    if column == "relevance" and held == "VARCHAR":
        number = grade_words(column, number, grades)
    return f"{number} AS {column}"


def read_number(text: pl.Series) -> pl.Series:
    """The same in polars; of text that is too large for a number, NULL as well."""
    number = text.cast(pl.Float64, strict=False)
    if number.null_count() > text.null_count():
        number = text.str.strip_chars().cast(pl.Float64, strict=False)
    is_large = number.is_infinite()
    if is_large.any():
        is_large &= ~text.str.contains("(?i)inf")
        number = number.set(is_large.fill_null(value=False), None)
    return number


_VALUES = ("relevance", "score", "distance")
NUMBERS = (*_VALUES, "rank")
