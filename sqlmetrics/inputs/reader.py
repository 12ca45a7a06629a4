"""Reads judgments and runs in any form - files, tables, frames - as SQL for DuckDB."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ..catalogue import quote
from ..catalogue.conventions import Repeated, ScoreType
from ..errors import InputError, refuse
from ..progress import begin
from ..result import count
from .columns import IDS, KEYS, RUN, Kind, match_columns, quote_name
from .data import (
    Data,
    Runs,
    expand_home,
    is_url,
    name_columns,
    name_file,
    name_some,
    split_key,
    split_name,
)
from .files import open_utf16, read_path
from .frames import ScoreDict, is_list_of_rows, open_frame
from .grades import repeating
from .lists import are_hits, is_by_place, is_one_run, require_distinct
from .parts import File, Parts, find_files, group_files, read_partition, refuse_part, scan_table
from .responses import hold_responses, read_responses, refuse_scattered, write_responses
from .reused import OWN, name_temporarily
from .source import (
    Connected,
    Input,
    Source,
    cast_column,
    find_others,
    reading,
    select_columns,
)
from .streams import UNREAD, ArrowStream, Stream
from .text import refuse_broken_line
from .unread import name_rows, note_unread, order_rows, refuse_repeated_ranks
from .workspace import read_setting


@dataclass(eq=False)
class Reader(Connected):
    """Reads inputs; ``notes`` collects what to know about them."""

    repeated: Repeated = field(default_factory=repeating.get)
    notes: list[str] = field(default_factory=list)
    # what judgments and runs were read from, with what they are
    _taken: dict[tuple[object, str], tuple[Any, Kind, str]] = field(default_factory=dict)
    _judged: list[Source] = field(default_factory=list)
    _found: dict[File, Source] = field(default_factory=dict)
    _given: set[str] = field(default_factory=set)  # names of runs

    def read(
        self, data: Data, kind: Kind, run_id: str | None = None, score_type: ScoreType = "float64"
    ) -> Input:
        """The columns as metrics need them: ids as text, and a number, or NULL if there is none.

        ``run_id`` names a run that has no such column. Text is read once, into a temporary table;
        everything else becomes a view.
        """
        sources = tuple(self.find(data, kind, run_id))
        if run_id is not None:
            sources = tuple(name_rows(self.con, sources, run_id, is_given=run_id in self._given))
        if kind is RUN:
            sources = tuple(self._keep_first(order_rows(self.con, each)) for each in sources)
        if kind.is_judged:
            self._judged += sources
        for each in sources:
            with reading(each.name):
                for rows, (noun, what) in each.left_out.items():
                    ((number,),) = self.con.execute(f"SELECT count(*) FROM {rows}").fetchall()
                    said = f"{each.name}: {count(number, noun)} {what}; left out"
                    self.notes += [said] * (number > 0)
        if pages := [each.pages for each in sources if each.pages is not None]:
            refuse_scattered(pages)
        self.notes += dict.fromkeys(source.note for source in sources if source.note)
        have = {column for source in sources for column in source.columns}
        wanted = ["run_id"] * (run_id is not None or "run_id" in have)
        wanted += kind.columns
        if self.with_ranks and all("rank" in source.columns for source in sources):
            wanted.append("rank")
        wanted += (c for c in kind.optional if c in have and (kind.is_log or c == "subtopic"))
        selects = []
        for source in sources:
            types = self._find_types(source)
            listed = ",\n    ".join(
                cast_column(column, source, types.get(column, ""), score_type, self.grades)
                if column in source.columns
                else f"{quote(run_id or '') if column == 'run_id' else 'NULL'} AS "
                f"{quote_name(column)}"
                for column in dict.fromkeys(wanted)
            )
            selects.append(f"SELECT\n    {listed}\nFROM {source.rows}")
        query = "\nUNION ALL\n".join(selects)
        name = sources[0].name if len(sources) == 1 else str(data)
        unread = {"distance"} if "rank" in wanted else {"distance", "rank"}
        columns = tuple(column for column in sources[0].columns if column not in unread)

        def create() -> str:
            begin(f"reading {name}")
            are_text = any(source.lines for source in sources)  # which is read once
            with reading(name):
                try:
                    table = self.keep(query, as_table=are_text)
                except duckdb.InvalidInputException:
                    for each in sources:
                        refuse_broken_line(self.con, each)
                    raise
                if are_text:
                    self._refuse_nul(found, table)
            return table

        found = Input(name, sources, query, create, columns, run_id, score_type, grades=self.grades)
        if kind.is_judged:
            frame = self._collect(found)
            return replace(found, frame=frame, create=lambda: self.register(frame))
        if not all(source.frame is not None for source in sources):
            _ = found.table  # report what cannot be read now
        return found

    def _collect(self, judgments: Input) -> pl.DataFrame:
        """The rows of judgments, by polars if it reads them all."""
        sources = judgments.sources
        given = [each.frame for each in sources if isinstance(each.frame, pl.LazyFrame)]
        if len(given) == len(sources) and len({each.columns for each in sources}) == 1:
            with suppress(pl.exceptions.PolarsError):  # which DuckDB reports
                return pl.concat(judgments.cast(each.collect()) for each in given)
        with reading(judgments.name):
            return pl.DataFrame(Stream(self.con.sql(f"FROM {judgments.table}")))

    def read_runs(
        self, run: Runs, score_type: ScoreType = "float64", kind: Kind = RUN
    ) -> dict[str, Input]:
        """Read the runs, by name; of another kind, they have other values than scores."""
        runs = self._list_runs(run, kind)
        before, self.notes[:] = [*self.notes], []
        read = {name: self.read(data, kind, name, score_type) for name, data in runs.items()}
        for found in read.values() if kind is RUN else ():
            with reading(found.name):
                for source in found.sources:
                    self.notes += note_unread(self.con, self._judged, source)
                if all(s.made_of in ("rank", "doc_id") and s.pages is None for s in found.sources):
                    refuse_repeated_ranks(self.con, found)
        remarks: dict[str, list[str]] = {}
        for note in self.notes:
            name, _, remark = note.partition(": ")
            remarks.setdefault(remark, []).append(name)
        self.notes[:] = before + [f"{name_some(names)}: {r}" for r, names in remarks.items()]
        return read

    def _find_types(self, source: Source) -> dict[str, str]:
        """The types of the columns; not of a plain source, where nothing depends on them.

        Raises `InputError` for ids that are bytes, which DuckDB would partly write as escapes, for
        ids that are nested or booleans, and for scores that are booleans.
        """
        if source.frame is not None and not source.lines and not self.with_ranks:
            return {}
        with reading(source.name):
            listed = ", ".join(map(quote_name, source.columns))
            relation = self.con.sql(f"SELECT {listed} FROM {source.rows} LIMIT 0")
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        for column, kind in types.items():
            if _UNREAD.match(kind):
                raise InputError(f"{source.name} has {column} of type {kind}; make it text")
            if (column in IDS and _NESTED.match(kind)) or (column in KEYS and kind == "BOOLEAN"):
                raise InputError(
                    f"{source.name} has {column} of type {kind}; ids are text or whole numbers, "
                    "and documents may be in one list per query; groups (StRecall) have a subtopic"
                )
        if types.get("score") == "BOOLEAN":
            raise InputError(f"{source.name} has true and false as scores; scores must be numbers")
        return types

    def _refuse_nul(self, found: Input, table: str) -> None:
        """Raise `InputError` for text with NUL bytes: it is damaged, or in another encoding."""
        ids = (column for column in found.columns if column in ("query_id", "doc_id"))
        where = " OR ".join(f"contains({column}, chr(0))" for column in ids)
        if self.con.execute(f"SELECT 1 FROM {table} WHERE {where} LIMIT 1").fetchall():
            ((place, *_), *_) = found.find_rows(self.con, where)
            raise InputError(f"{place} has a NUL byte; the file is damaged or not text")

    def _keep_first(self, source: Source) -> Source:
        """A run without the rows of a document after its best; a note has their number."""
        if self.repeated != "first":
            return source
        ids = ", ".join(c for c in ("run_id", "query_id", "doc_id") if c in source.columns)
        order = "TRY_CAST(score AS DOUBLE) DESC NULLS FIRST, _place"
        time = f"row_number() OVER (PARTITION BY {ids} ORDER BY {order})"
        rows = f"(SELECT *, row_number() OVER () AS _place FROM {source.rows}) QUALIFY {time}"
        left = {**source.left_out, f"(FROM {rows} > 1)": ("row", "of documents with a better one")}
        kept = f"(SELECT * EXCLUDE _place FROM {rows} = 1 ORDER BY _place)"
        return replace(source, rows=kept, given=None, left_out=left)

    def keep(self, query: str, name: str = "", *, as_table: bool = False) -> str:
        """Create a temporary table or view of a query; returns its name."""
        what, name = "TABLE" if as_table else "VIEW", name or name_temporarily()
        self.con.execute(f"CREATE TEMP {what} {name} AS {query}")
        self._undo(lambda: self.con.execute(f"DROP {what} temp.{name}"))
        return name

    def name(self, table: str, name: str) -> None:
        """Give a table another name; raises `InputError` if a temporary one has it."""
        try:
            self.keep(f"FROM {table}", quote_name(name))
        except duckdb.CatalogException:
            raise InputError(
                f"the connection has a temporary table named {name}; choose another name"
            ) from None

    def unite(self, inputs: Iterable[Input]) -> str:
        """Create a view of all rows of several inputs; returns its name."""
        return self.keep(" UNION ALL BY NAME ".join(f"FROM {each.table}" for each in inputs))

    def _list_runs(self, run: Any, kind: Kind) -> dict[str, Data]:  # noqa: ANN401
        """The runs by name: the keys of a dict, or the names of files or tables."""
        is_list = isinstance(run, Sequence) and not isinstance(run, str | bytes)
        named: list[tuple[str | None, Data]] = []
        is_one = is_list_of_rows(run) or is_by_place(run) or hold_responses(run)
        for data in [*run] if is_list and not is_one else [run]:
            if isinstance(data, Mapping) and not hold_responses(data) and not is_one_run(data):
                named += [(str(name), each) for name, each in data.items()]
            else:
                named += [(None, each) for each in self._divide(data, kind)]
        runs, self._given = [data for _, data in named], {name for name, _ in named if name}
        names = [name or self._name_run(data) for name, data in named]
        if len(set(names)) < len(names):
            names = [
                name or (str(data) if isinstance(data, str | Path | Parts) else f"run {place}")
                for place, (name, data) in enumerate(named, 1)
            ]
        if not runs:
            raise InputError("no run to score; pass at least one")
        if twice := [name for name in names if names.count(name) > 1]:
            same = [data for name, data in zip(names, runs, strict=True) if name == twice[0]]
            if isinstance(same[0], str | Path) and {*map(str, same)} == {str(same[0])}:
                raise InputError(f"{same[0]} is given twice; give each run once")
            raise InputError(
                f"two runs are named {twice[0]!r}; give them different names: rename the files, "
                "or use the keys of a dict in Python, name=file on the command line"
            )
        return dict(zip(names, runs, strict=True))

    def _name_run(self, data: Data) -> str:
        """The name of a table without its schema, or of a file without its extensions."""
        if self._has_table(data):
            return split_name(str(data))[-1]
        return data.name if isinstance(data, Parts) else name_file(data)

    def _divide(self, data: Any, kind: Kind) -> list[Any]:  # noqa: ANN401
        """The runs that a folder or pattern holds; anything else unchanged."""
        files = self._list_files(data)
        if not files:
            return [data]
        found = [*group_files(files)]
        if len(found) > 1 and self._are_one(found, kind):
            folder = Path(os.path.commonpath([file.folder for file in files]))
            reason = "as no query is in two of them"
            found = [Parts(name_file(folder.resolve()), folder, tuple(files), reason)]
        for each in found:
            if (number := len(each.files)) > 1:
                some = name_some([file.path.name for file in each.files])
                self.notes += [f"{each.name}: {number} files are one table, {each.reason}: {some}"]
        return [each.folder if each.folder.is_file() else each for each in found]

    def _are_one(self, found: Sequence[Parts], kind: Kind) -> bool:
        """Whether groups of files are one table: no query, or none of a run, is in two of them."""
        with suppress(InputError, duckdb.Error):  # which is reported when the file is read
            for file in (file for each in found for file in each.files):
                self._found[file] = self._find_named(file.path, kind, file)
            sources = [[self._found[file] for file in each.files] for each in found]
            have_runs = all("run_id" in each.columns for group in sources for each in group)
            if have_runs and self._overlap(sources, "run_id"):
                return not self._overlap(sources, "run_id", "query_id")
            is_seen = self._overlap(sources, "query_id", limit="LIMIT 1000")  # usually says it all
            return not (is_seen or self._overlap(sources, "query_id"))
        return False

    def _overlap(self, found: Iterable[Iterable[Source]], *ids: str, limit: str = "") -> bool:
        """Whether a value of these ids is in two groups of sources."""
        listed = ", ".join(f"CAST({each} AS VARCHAR) AS {each}" for each in ids)
        groups = []
        for sources in found:
            queries = (f"(SELECT {listed} FROM {each.rows} {limit})" for each in sources)
            rows = self.con.sql(f"SELECT DISTINCT * FROM ({' UNION ALL '.join(queries)})")
            groups.append(pl.DataFrame(Stream(rows)).drop_nulls())
        return bool(pl.concat(groups).is_duplicated().any())

    def _list_files(self, data: Any) -> list[File]:  # noqa: ANN401
        """The files of a folder or pattern; none for anything else."""
        if not isinstance(data, str | Path) or is_url(data) or self._has_table(data):
            return []
        path = expand_home(data)
        with reading(str(data)[:200]):
            if data == "" or path.is_file() or not (path.is_dir() or glob.has_magic(str(path))):
                return []
            files = find_files(path)
            if not files and path.is_dir():
                has_folders = any(each.is_dir() for each in path.iterdir())
                hint = f"; for those of its folders, give '{path}/*'" if has_folders else ""
                raise InputError(f"folder {data} has no files{hint}")
        return files

    def find(self, data: Any, kind: Kind, name: str | None = None) -> Iterator[Source]:  # noqa: ANN401
        """A source for each file of the input."""
        files = data.files if isinstance(data, Parts) else self._list_files(data)
        for part in files or [data]:
            for source in self._find_sources(part, kind, name):
                self._take(part, source)
                yield source

    def _take(self, part: Any, source: Source) -> None:  # noqa: ANN401
        """Raise `InputError` if a column makes the same data judgments and a run."""
        kind, ours = source.kind, source.made_of
        column = source.read.get(ours, "")
        is_dict = isinstance(part, Mapping) and not (hold_responses(part) or are_hits(part))
        if not (kind.is_judged or kind is RUN) or not (column or is_dict):
            return
        path = part.path if isinstance(part, File) else part
        place = str(path) if isinstance(path, str | Path) else id(part)
        made_of = "its values" if is_dict else column
        _, before, theirs = self._taken.setdefault((place, made_of), (part, kind, ours))
        if before.is_judged == kind.is_judged:
            return
        remedy = "Give another one"
        if not is_dict:
            both = name_columns({f"{before.prefix}.{theirs}": "…", f"{kind.prefix}.{ours}": "…"})
            remedy = f"Give another table or, if this one has both, name a column for each: {both}"
        raise InputError(
            f"{source.name}: {made_of} would be both the judgments and the run. {remedy}"
        )

    def _find_sources(self, part: Any, kind: Kind, name: str | None) -> Iterator[Source]:  # noqa: ANN401
        """The sources of a part of an input: one, unless it is the URL of several files."""
        if isinstance(part, File):
            known = self._found.pop(part) if part in self._found else None
            yield known or self._find_named(part.path, kind, part)
        elif is_url(part):
            yield from self._read_url(str(part), kind)
        elif isinstance(part, str | Path):
            yield self._find_named(part, kind)
        elif hasattr(part, "read") and not hasattr(part, "__arrow_c_stream__"):
            called = getattr(part, "name", None)
            called = called if isinstance(called, str) else f"the {kind.name}"
            yield self._read_file(part, kind, called.replace("<stdin>", "standard input"))
        else:
            is_iterator = isinstance(part, Iterator) and not isinstance(part, ArrowStream)
            called = f"the {kind.name} object" + f" {name}" * (name not in (None, "run"))
            yield self._read_object([*part] if is_iterator else part, kind, called)

    def _read_object(self, rows: Any, kind: Kind, name: str) -> Source:  # noqa: ANN401
        """Responses as clients return them, or rows in another form."""
        require_distinct(rows, name)
        text = [(None, write_responses(rows))] if hold_responses(rows) else []
        if found := read_responses(self, text, name, kind):
            return found
        form = f" {type(rows).__name__}" if isinstance(rows, dict | list) else " frame"
        what = f"the {kind.name}" + form * (kind.is_log or not kind.is_read_whole)
        return self._read_frame(rows, kind, name.replace(f"the {kind.name} object", what))

    def _find_named(self, data: str | Path, kind: Kind, part: File | None = None) -> Source:
        if "\n" in str(data):
            raise InputError(
                f"expected a file name, not several lines of text that start with "
                f"{str(data)[:40]!r}; pass io.StringIO(text) to read it"
            )
        path, is_table = expand_home(data), self._has_table(data)
        with reading(str(data)[:200]):
            is_there = path.exists()
        what = "folder" if path.is_dir() else "file"
        said = f"{data} is both a table and a {what}; pass Path('{data}') for the {what}"
        refuse({said: is_table and is_there})
        if path.is_file() or part:
            if part is None:
                refuse_part(path)
            return self._read_file(path, kind, part=part)
        if is_table:
            with reading(called := f"table {data}"):
                return self.select_all(f"query_table({quote(str(data))})", called, kind)
        if is_there and not path.is_dir():  # a pipe
            return self._read_file(path, kind)
        if self.has_tables or kind.is_read_whole:
            shown = f"; {self._show_tables(str(data))}" if self.has_tables else ""
            raise InputError(f"No file or table named {str(data)!r}{shown}")
        if glob.has_magic(str(path)):
            raise InputError(f"No files match {data}")
        how = "for a table, pass its connection as con="
        how = "pass one table of both twice, then the metrics" if "@" in str(data) else how
        how = "" if path.suffix else f"; {how}"
        raise InputError(f"{kind.name} file {data} does not exist{how}")

    def _read_file(self, path: Any, kind: Kind, name: str = "", part: File | None = None) -> Source:  # noqa: ANN401
        """A file, or a folder that is a table; what can only be read once is copied."""
        name, partition = name or str(path), read_partition(path, part, self.columns)
        with reading(name):
            if isinstance(path, Path) and path.is_dir():
                return self._read_object(scan_table(path), kind, name)
            if not isinstance(path, Path) or not path.is_file():
                path = self.copy_once(path)
            if file := open_utf16(path):
                with file:
                    path = self.copy_once(file)
            read = read_path(self, path, kind, name, partition)
        return read if isinstance(read, Source) else self._read_object(read, kind, name)

    def _read_url(self, url: str, kind: Kind) -> Iterator[Source]:
        """The files of a URL; all except Parquet are fetched whole and recognised by content."""
        with suppress(duckdb.InvalidInputException):  # the settings are locked
            if read_setting(self.con, _DOWNLOADS):  # of extensions, behind one's back
                self.con.execute(f"SET {_DOWNLOADS} = false")
                self._undo(lambda: self.con.execute(f"SET {_DOWNLOADS} = true"))
        if re.search(r"\.parquet($|\?)", url):  # DuckDB fetches only the parts that it needs
            rows = f"read_parquet({quote(url)}, hive_partitioning = false, binary_as_string = true)"
            with reading(url):
                yield self.select_all(rows, url, kind)
            return
        with reading(url):
            query = "SELECT filename, content FROM read_blob(?) ORDER BY filename"
            files = self.con.execute(query, [url]).fetchall()
        if not files:
            raise InputError(f"No file at {url}")
        for name, content in files if len(files) > 1 else [(url, files[0][1])]:
            yield self._read_file(BytesIO(content), kind, name)

    def _has_table(self, name: object) -> bool:
        """Whether a table or view of this name exists; the name may be qualified and quoted."""
        if not isinstance(name, str) or not self.has_tables:
            return False
        parts = [part.lower() for part in split_name(name)]
        tables = ([*map(str.lower, names)] for names in self.con.execute(_TABLES).fetchall())
        return any(parts in (names, names[::2], names[1:], names[2:]) for names in tables)

    def _show_tables(self, name: str) -> str:
        """The user's tables, those with similar names first."""
        query = f"""
            SELECT concat_ws(
                '.', nullif(d, current_database()), nullif(s, current_schema()), name
            ) FROM ({_TABLES}) AS t(d, s, name) WHERE NOT starts_with(name, '{OWN}')
            ORDER BY jaro_winkler_similarity(lower(name), lower(?)) DESC, d, s, name
        """
        names = [table for (table,) in self.con.execute(query, [name]).fetchall()]
        more = f" and {len(names) - 10} more" * (len(names) > 10)
        return f"the database has {', '.join(names[:10]) or 'no tables'}{more}"

    def _read_frame(self, data: Data, kind: Kind, name: str) -> Source:
        with reading(name):
            frame = open_frame(data, kind, name)
            if isinstance(frame, ScoreDict):
                have, table = frame.collect_schema().names(), self.register(frame)
                return select_columns(table, name, kind, have, self.columns, frame)
            have, lists = frame.columns, frame.lists
            found = match_columns(name, kind, have, self.columns, lists)
            taken = dict.fromkeys(find_others(found, have, kind, frame.plain), "")
            for ours, column in found.items():
                taken |= dict.fromkeys(split_key(column), ours)
            rows = frame.take(taken, kind, name)
            table, plain = self.register(rows), rows.lazy()
            read = select_columns(table, name, kind, have, self.columns, plain, lists, frame.plain)
            return replace(read, is_listed=read.is_listed or frame.is_listed)


_TABLES = "SELECT database, schema, name FROM (SHOW ALL TABLES)"  # and views
_DOWNLOADS = "autoinstall_known_extensions"
_NESTED = re.compile(r"STRUCT|MAP|UNION|.*\]$")
_UNREAD = re.compile(f"{UNREAD}|BLOB")
