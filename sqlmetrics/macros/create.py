"""Macros: creates them from the SQL files, on a connection or as a script.

A file contains a formula and trusts its rows. The macros that users call are derived from it: an
aggregate that refuses rows that are not one whole ranking, a relation that refuses what the checks
find, both with the rules of their parameters, and a query over judgments and a run for each metric.
`evaluate` runs all these checks itself, and uses the files unchanged, under names of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field

import duckdb

from ..catalogue import (
    SqlFile,
    all_metrics,
    choose,
    find_file,
    is_own,
    list_relations,
    macros,
    remember,
)
from ..inputs.source import Input
from ..progress import setting

# The prefixes of macros that users do not call; `evaluate` calls those with the second.
HELPER, _BARE = "_sqlmetrics_", "_sqlmetrics_bare_"

# The end of the comment on our macros, which identifies them.
MARK = "[sqlmetrics]"

# The macro that writes the query for what users name: a table, a file, or a list of them.
READER = "table_query"


def sort_files(wanted: Iterable[SqlFile] | None = None) -> list[SqlFile]:
    """The files and all that they need, callees before callers, as DuckDB must create them.

    Without ``wanted``: all files.
    """
    return _sort(macros().values() if wanted is None else wanted, _list_needed)


def _sort(
    wanted: Iterable[SqlFile], list_needed: Callable[[SqlFile], Iterable[str]], *variants: str
) -> list[SqlFile]:
    known = macros()
    listed: dict[SqlFile, None] = {}

    def add(file: SqlFile) -> None:
        taken = choose(file, *variants)
        if taken not in listed:
            for name in sorted(list_needed(taken)):
                add(known[name])
            listed[taken] = None

    for file in wanted:
        add(file)
    return list(listed)


@remember
def list_calls(file: SqlFile) -> frozenset[str]:
    """The macros that a file calls."""
    calls = {name for s in file.statements for name in re.findall(r"\b(\w+)\(", s.body)}
    return frozenset(calls & macros().keys())


@remember
def list_refused(file: SqlFile) -> list[str]:
    """The checks whose findings a relation refuses.

    An analysis refuses what the relations that it reads refuse of its tables.
    """
    refused = file.list_names("refuses")
    if file.is_analysis:
        read = map(find_file, sorted(list_calls(file)))
        asked = (each for r in read for each in match_checks(list_refused(r), r.inputs))
        refused += (check.name for check, tables in asked if {*tables} <= {*file.inputs})
    return [*dict.fromkeys(refused)]


def match_checks(
    checks: Iterable[str], tables: Iterable[str]
) -> Iterator[tuple[SqlFile, tuple[str, ...]]]:
    """The checks that a relation refuses, each with those of its tables that it is asked of.

    A check of one table that the relation has by another name is asked of each of its tables.
    """
    tables = [*tables]
    for check in map(find_file, checks):
        asked = check.inputs
        if {*asked} <= {*tables}:
            yield check, tuple(asked)
        else:
            yield from ((check, (table,)) for table in tables)


@remember
def list_needs(file: SqlFile) -> dict[str, dict[str, str]]:
    """The columns that a macro needs of each of its tables, with what their reader calls these."""
    if columns := file.list_names("needs"):
        (table,) = file.inputs
        return {table: dict.fromkeys(columns, table)}
    needs: dict[str, dict[str, str]] = {}
    for name, given in _TABLES.findall(file.statement.body):
        if (called := macros().get(name)) and called.statement.is_table:
            needed = list_needs(called)
            for table, own in zip(called.inputs, given.split(", "), strict=False):
                if table in needed and own in file.inputs:
                    needs.setdefault(own, {}).update(needed[table])
    return needs


# A call, and the names that are its first arguments.
_TABLES = re.compile(r"\b(\w+)\((\w+(?:, \w+)*)")


def _list_needed(file: SqlFile) -> frozenset[str]:
    """What the macros for users need from other files: refusals, and the relations of a metric."""
    needed = list_calls(file).union(list_refused(file))
    if is_public(file.name):
        needed |= {"must_be", "must_hold", "is_whole", "number_of"}
        needed |= {READER, "table_problem"} if file.statement.is_table else {*_PROBLEMS}
    if relation := find_relation(file):
        needed = needed.union(list_relations(relation))
    return needed


def find_relation(file: SqlFile) -> str:
    """The relation whose rows a macro aggregates; none if it is not an aggregate."""
    if file.folder == "expected":
        file = find_file(file.name.removeprefix("expected_"))
    return file.header.get("relation", "").partition("(")[0]


# The macros that say what is wrong with the rows of a metric or statistic.
_PROBLEMS = (
    "mixed_group", "repeated_row", "left_out_rows", "ranking_problem", "page_problem",
)  # fmt: skip


def prepare(
    con: duckdb.DuckDBPyConnection, query: str, *variants: str, is_marked: bool = False
) -> str:
    """The query as it runs on the connection, by names that `bare` gives macros.

    These are created as temporary ones of unchanged files, or of their ``variants``, with those
    that they call. Rows of relations are marked for a macro of the connection, which may call those
    that `install` created.
    """
    known = macros()
    called = (known[name] for name in dict.fromkeys(_CALL.findall(query)) if name in known)
    for file in _sort(called, list_calls, "bare", *variants):
        create(con, _write_bare(file, is_marked=is_marked))
    return bare(query)


def take_any_gain(con: duckdb.DuckDBPyConnection) -> None:
    """Let sums use numbers of any size, after one was too large for the fast way."""
    for file in sort_files([find_file("exact_sum")]):
        create(con, _write_bare(file))


@dataclass(frozen=True)
class Macro:
    """A macro as it is created; ``about`` is what users read of it, if it is for them."""

    name: str
    parameters: tuple[str, ...]
    is_table: bool
    body: str
    about: str = ""

    @property
    def kind(self) -> str:
        return "TABLE " * self.is_table

    def write(self, *, temporary: bool = False) -> str:
        """The statement that creates it."""
        how = "CREATE OR REPLACE TEMP MACRO" if temporary else "CREATE OR REPLACE MACRO"
        listed = ", ".join(self.parameters)
        if len(self.name) + len(listed) > _LONG:
            listed = "\n    " + ",\n    ".join(self.parameters) + "\n"
        return f"{how} {self.name}({listed}) AS {self.kind}\n{self.body}"


_LONG = 85  # characters of a head


def create(con: duckdb.DuckDBPyConnection, macro: Macro) -> None:
    """Create a temporary macro, unless it is there."""
    created = _created.get()
    before = created.macros.get((macro.name, macro.is_table)) if created else None
    if before != macro:
        con.execute(macro.write(temporary=True))
    if created:
        if before and before != macro:
            created.on_change()
        created.macros[macro.name, macro.is_table] = macro


@remember
def _write_bare(file: SqlFile, *, is_marked: bool = False) -> Macro:
    statement = file.statement
    body = bare(statement.body)
    if is_marked and file.folder == "relations" and is_public(file.name):
        body = mark_rows(file.name, f"FROM (\n    {indent(body)}\n) AS _c")
    listed = list_parameters(statement.parameters)
    return Macro(_BARE + file.name, listed, statement.is_table, body)


def bare(statement: str) -> str:
    """The statement with calls of the macros that `prepare` creates."""
    return rename_calls(statement, lambda name: _BARE + name)


@dataclass(frozen=True)
class Created:
    """What `prepare` has created on a connection.

    To list the macros of a connection takes DuckDB longer than to create them again. ``on_change``
    is called after one of them was replaced: statements that were prepared before still have the
    old one.
    """

    macros: dict[tuple[str, bool], Macro] = field(default_factory=dict)
    on_change: Callable[[], None] = lambda: None


_created: ContextVar[Created | None] = ContextVar("_created", default=None)


def remembering_macros(created: Created) -> AbstractContextManager[object]:
    """Create macros within the context only if they are not in ``created``, and add them to it."""
    return setting(_created, created)


@contextmanager
def dropping_bare_macros(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Drop what `prepare` creates within the context."""
    created = Created()
    try:
        with remembering_macros(created):
            yield
    finally:
        with suppress(duckdb.Error):  # in a transaction of the user that an error has ended
            for macro in created.macros.values():
                con.execute(f"DROP MACRO {macro.kind}IF EXISTS temp.{macro.name}")


@remember
def is_public(name: str) -> bool:
    """Whether users call a macro: metrics, their relations, checks, statistics and analyses."""
    file = macros().get(name)
    if file is None:
        return False
    if file.folder == "relations":
        return "refuses" in file.header or is_own(file) or name in _list_related()
    return file.path.parent.name not in ("functions", "tables")


@remember
def _list_related() -> frozenset[str]:
    """The relations of metrics; to find them takes the headers of all."""
    return frozenset().union(*(list_relations(metric.relation) for metric in all_metrics()))


def list_parameters(parameters: Mapping[str, str | None]) -> tuple[str, ...]:
    """Parameters with their defaults: ``k := NULL``."""
    return tuple(name if each is None else f"{name} := {each}" for name, each in parameters.items())


def rename_calls(text: str, name: Callable[[str], str]) -> str:
    """The text with other names for our macros that it calls."""
    known = macros()
    return _CALL.sub(lambda m: name(m[1]) if m[1] in known else m[0], text)


# Outside quotes and comments: an unqualified word before a bracket.
_CALL = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|(?<![\w."])(\w+)(?=\()""")


def mark_rows(relation: str, rows: str) -> str:
    """The rows ``_c`` of a relation with the column by which metrics recognise them."""
    return (
        "SELECT\n    _c.*,\n"
        "    CASE\n"
        "        WHEN row_number() OVER (PARTITION BY _c.run_id, _c.query_id) = 1\n"
        "            THEN count(*) OVER (PARTITION BY _c.run_id, _c.query_id)\n"
        f'        ELSE 0\n    END AS "{name_rows(relation)}"\n'
        f"{rows}"
    )


def name_rows(relation: str) -> str:
    """The column that only rows of a relation have: their number, in one row of each ranking.

    DuckDB refuses a metric over other rows, and names this column.
    """
    return f"rows from {find_file(relation).header.get('rows', relation)}"


def indent(text: str) -> str:
    return text.replace("\n", "\n    ")


def write_without(run: str, exclude: str | None) -> str:
    """The rows of a run without the documents of a table, or where there is none, each query."""
    if exclude is None:
        is_other = "CAST(r.query_id AS VARCHAR) COLLATE C <> CAST(r.doc_id AS VARCHAR) COLLATE C"
        return f"SELECT r.* FROM {run} AS r WHERE coalesce({is_other}, TRUE)"
    return f"SELECT * FROM without({run}, {exclude})"


def unite_queries(inputs: Iterable[Input]) -> str:
    """The query of all rows of several inputs."""
    return "\nUNION ALL BY NAME\n".join(each.query for each in inputs)
