"""Finds and reads the SQL files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

from .literals import read_literal
from .rules import TYPES, Rule, Value, read_rule

Given = ParamSpec("Given")
Result = TypeVar("Result")

# What the folders of a domain of metrics hold: such a file is known by its folder, all others by
# their domain.
_KINDS = ("functions", "tables", "relations", "metrics", "expected", "checks")
_OF_METRICS = ("shared", "ranking", "recommendations", "neighbours", "clicks")

# Domains of analyses, and of statistics, which are aggregates over the rows of a relation.
STATISTICS = (
    "ranking",
    "recommendations",
    "neighbours",
    "comparisons",
    "clicks",
    "experiments",
    "pools",
    "agreement",
    "fusion",
)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default, its rule, and its meaning."""

    name: str
    default: Value
    rule: Rule
    meaning: str

    @property
    def is_required(self) -> bool:
        """Whether the default breaks the rule, so that a value must be given."""
        return self.rule.find_problem(self.default) is not None

    def find_problem(self, value: Value) -> str | None:
        """What is wrong with ``value``, or None."""
        return self.rule.find_problem(value)

    def __str__(self) -> str:
        return f"{self.rule.text}; {self.meaning}"


@dataclass(frozen=True)
class Statement:
    """A CREATE MACRO statement: its name, whether it is a table macro, its defaults, its SQL.

    ``types`` are those of its parameters that have one.
    """

    macro: str
    is_table: bool
    parameters: dict[str, str | None]
    types: dict[str, str]
    body: str

    @property
    def inputs(self) -> list[str]:
        """The parameters without a default: tables, relations or rows."""
        return [name for name, default in self.parameters.items() if default is None]


class _Header(dict[str, str]):
    """The lines of a header by key; raises ValueError, with the file, for one that it lacks."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def __missing__(self, key: str) -> str:
        raise ValueError(f"{self.path}: the header has no line '{key}'")


@dataclass(frozen=True)
class SqlFile:
    """A file in ``sql/``: a header of comment lines, then the macros of that name.

    ``folder`` is what it is, such as metrics, or the domain of statistics and analyses.
    """

    folder: str
    path: Path
    # its text, if it is not on disk
    given: str | None = None

    @property
    def name(self) -> str:
        """That of the macro, and of the file."""
        return self.path.stem

    @cached_property
    def statement(self) -> Statement:
        """The only one, except in a user's file that is refused."""
        (statement,) = self.statements
        return statement

    @property
    def parameters(self) -> dict[str, str | None]:
        return self.statement.parameters

    @property
    def inputs(self) -> list[str]:
        return self.statement.inputs

    def call(self, inputs: Iterable[str], given: Mapping[str, str]) -> str:
        """A call of the macro with its inputs, and those of the other arguments that it takes."""
        own = (name for name, default in self.parameters.items() if default is not None)
        named = (f"{name} := {given[name]}" for name in own if name in given)
        return f"{self.name}({', '.join([*inputs, *named])})"

    @property
    def is_analysis(self) -> bool:
        """Whether its rows are an answer, ready to read, as those of any table macro of users."""
        return self.path.parent.name == "analyses" or (self.folder == "relations" and is_own(self))

    def list_names(self, key: str) -> list[str]:
        """The names in a line of the header; none without such a line."""
        return [name for name in self.header.get(key, "").split(", ") if name]

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8") if self.given is None else self.given

    @cached_property
    def summary(self) -> str:
        return self._lines[0][1]

    @cached_property
    def header(self) -> dict[str, str]:
        """The ``-- key: value`` lines; ``-- a, b: value`` counts as two.

        Raises ValueError, with file and line, for a key that is not allowed in this file.
        """
        header = _Header(self.path)
        folder = "metrics" if self.folder == "connection" else self.folder
        allowed = {*KEYS.get(folder, ()), *VARIANTS}.union(*(s.parameters for s in self.statements))
        for number, line in self._lines[1:]:
            keys, colon, value = line.partition(": ")
            prefix = "returns " if keys.startswith("returns ") else ""
            for name in keys.removeprefix(prefix).split(", "):
                key, problem = f"{prefix}{name}", None
                if not colon:
                    problem = "is not 'key: value'"
                elif key in header:
                    problem = f"repeats the key '{key}'"
                elif not prefix and name not in allowed:
                    problem = f"has unknown key '{key}'"
                if problem:
                    raise ValueError(f"{self.path}:{number}: the header line {problem}: {line}")
                header[key] = value
        return header

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        """The header by number and line; an indented line continues the one before."""
        lines: list[tuple[int, str]] = []
        comment = takewhile(lambda line: line.startswith("-- "), self.text.splitlines())
        for number, line in enumerate(comment, start=1):
            text = line.removeprefix("-- ")
            if text.startswith("    "):
                lines[-1] = (lines[-1][0], f"{lines[-1][1]} {text.strip()}")
            else:
                lines.append((number, text))
        return lines

    @cached_property
    def options(self) -> dict[str, Parameter]:
        """The parameters that have a type and a default.

        Their header lines are ``limit; meaning``, or the meaning alone. ``as for cwl_measure``
        takes both from the header of that macro. Raises ValueError for what is not a limit.
        """
        types = self.statement.types
        typed = ((name, each) for name, each in self.parameters.items() if name in types)
        return {name: self._read_option(name, each, types[name]) for name, each in typed if each}

    def _read_option(self, name: str, default: str, kind: str) -> Parameter:
        word = kind.partition("(")[0]
        if word not in TYPES:
            known = ", ".join(TYPES)
            raise ValueError(
                f"{self.path}: the parameter '{name}' has the type {kind}, not {known}"
            )
        limit, meaning = self._read_line(name)
        rule = read_rule(word, default, limit)
        if rule is None:
            raise ValueError(
                f"{self.path}: the line for '{name}' must begin with a limit, such as 1 or more; "
                "or, if it is VARCHAR, with the words that are allowed"
            )
        return Parameter(name, read_literal(default), rule, meaning)

    def is_optional(self, table: str) -> bool:
        """Whether a table of an analysis may be missing, which is then one without rows."""
        return self.describe_parameter(table).startswith("optional; ")

    def describe_parameter(self, name: str) -> str:
        """What its line says of a parameter, with what another macro says written out."""
        line = self.header[name]
        if other := re.fullmatch(r"as for (\w+)(?:[;,] (.*))?", line):
            said = find_file(other[1]).describe_parameter(name)
            return f"{said}; {other[2]}" if other[2] else said
        return line

    def _read_line(self, name: str) -> tuple[str, str]:
        """The limit of a parameter, empty if there is none, and its meaning."""
        line = self.header[name]
        if other := re.fullmatch(r"as for (\w+)(?:; (.*))?", line):
            limit, meaning = find_file(other[1])._read_line(name)
            return limit, other[2] or meaning
        limit, semicolon, meaning = line.partition("; ")
        return (limit, meaning) if semicolon else ("", line)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        heads = [*_HEAD.finditer(self.text)]
        ends = [*(head.start() for head in heads[1:]), None]
        return tuple(
            _read_statement(h, self.text[h.end() : e]) for h, e in zip(heads, ends, strict=True)
        )


def _read_statement(head: re.Match[str], body: str) -> Statement:
    """Read ``CREATE OR REPLACE MACRO name(a, b BIGINT := 1) AS`` and what follows it."""
    parameters: dict[str, str | None] = {}
    types: dict[str, str] = {}
    for name, kind, default in map(re.Match.groups, _PARAMETER.finditer(head["parameters"])):
        parameters[name] = default and default.strip()
        if kind:
            types[name] = re.sub(r"\s", "", kind).upper()
    text = re.sub(r" -- noqa.*", "", body).strip().removesuffix(";")
    return Statement(head["name"], bool(head["table"]), parameters, types, text)


_HEAD = re.compile(
    r"^CREATE\b[\w\s]* MACRO (?P<name>\w+)\s*\((?P<parameters>.*?)\)\s+AS\b(?P<table>\s+TABLE\b)?",
    re.DOTALL | re.MULTILINE,
)
# Text in quotes or brackets may have commas.
_PARAMETER = re.compile(
    r"(\w+)(?:\s+(\w+(?:\s*\([^)]*\))?))?(?:\s*:=\s*((?:'(?:[^']|'')*'|\([^)]*\)|[^,'(])+))?"
)

# The variants of `choose`, which any header may have.
VARIANTS = (
    *("bare", "numbered", "counted", "two_sums", "plain", "no_lists", "splits", "recursive"),
    *("windows", "duckdb", "spark", "datafusion", "clickhouse", "sqlite", "redshift", "bounded"),
)

# The other keys that headers may have besides parameters and returned columns (``returns rank``).
_ROWS = ("refuses", "groups", "once", "all", "pages", "rows", "judgments", "empty", "source")
KEYS = {
    "metrics": (
        *("name", "formula", "aliases", "relation", "judgments", "range", "better", "no relevant"),
        *("aggregate", "differs", "not", "most used", "source"),
    ),
    "expected": ("source",),
    "tables": ("needs",),
    "relations": _ROWS,
    "checks": ("severity", "noted", "remedy", "option", "column", "values"),
    **dict.fromkeys(
        STATISTICS,
        (
            *(*_ROWS, "formula", "relation", "same as", "range", "differs"),
            *("severity", "remedy", "column", "needs", "tried", "example"),
        ),
    ),
}


def find_root() -> Path:
    """The folder of the SQL files: in the installed package, or next to it in a checkout."""
    package = Path(__file__).parent.parent
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / "ranking" / "relations" / "judged.sql").is_file():
            return folder
    raise FileNotFoundError(f"SQL files of sqlmetrics not found in {package}; reinstall it")


def remember(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Cache what a function returns until a file is added."""
    remembering = lru_cache(_MOST)(function)
    _remembering.append(remembering)
    return cast("Callable[Given, Result]", remembering)


_remembering: list[Any] = []

# More than there are files; what users ask may be of any number.
_MOST = 4096


_added: dict[str, SqlFile] = {}


@remember
def files() -> dict[str, dict[str, SqlFile]]:
    """All SQL files by folder and name."""
    root = find_root()
    found: dict[str, dict[str, SqlFile]] = {folder: {} for folder in (*_KINDS, *STATISTICS)}
    for path in root.rglob("*.sql"):
        domain, kind, *_ = path.relative_to(root).parts
        if domain != "engines":
            folder = kind if kind in _KINDS and domain in _OF_METRICS else domain
            if folder not in found:
                raise ValueError(f"{path}: add the domain {domain} to STATISTICS in {__file__}")
            found[folder][path.stem] = SqlFile(folder, path)
    for name, file in _added.items():
        found["metrics" if file.folder == "connection" else file.folder][name] = file
    return {folder: dict(sorted(each.items())) for folder, each in found.items()}


def add(file: SqlFile) -> None:
    """Add a file; replaces one of the same name that was added before."""
    _added[file.name] = file
    _forget()


def remove(name: str) -> None:
    """Remove a file that was added."""
    del _added[name]
    _forget()


@contextmanager
def knowing(files: Iterable[SqlFile]) -> Iterator[None]:
    """Add these files of metrics within the context."""
    with _adding:
        before = dict(_added)
        _added.update({file.name: file for file in files})
        _forget()
        try:
            yield
        finally:
            _added.clear()
            _added.update(before)
            _forget()


_adding = Lock()


def list_added() -> list[str]:
    """The names of the files that were added."""
    return [*_added]


def _forget() -> None:
    for each in _remembering:
        each.cache_clear()


def is_own(file: SqlFile) -> bool:
    """Whether a file was added, rather than part of the package."""
    return file in _added.values()


@remember
def choose(file: SqlFile, *variants: str) -> SqlFile:
    """What is used instead of a file in some ``variants``, the last of which wins.

    It is a file of the same name in ``sql/engines``, or a line in the header with another body.
    ``bare`` is for rows that were checked, ``numbered`` for tables whose ids are numbers,
    ``counted`` for what another engine counted, ``two_sums`` for ratios as two sums, ``plain`` for
    plain SQL, ``no_lists`` for that of all engines except DuckDB, ``splits`` for engines that split
    text, ``recursive`` for those with windows in recursive queries; the others are for one engine.
    """
    for variant in reversed(variants):
        if other := _list_variants().get((variant, file.name)):
            return other
        if variant in file.header and variant not in file.parameters:
            head = re.match(r".*?MACRO \w+\(.*?\) AS( TABLE)?", file.text, re.DOTALL)
            return SqlFile(file.folder, file.path, f"{head and head[0]} {file.header[variant]};\n")
    return file


@remember
def _list_variants() -> dict[tuple[str, str], SqlFile]:
    """The files in ``sql/engines`` by folder and name."""
    paths = (find_root() / "engines").glob("*/*.sql")
    return {(path.parent.name, path.stem): SqlFile("engines", path) for path in paths}


@remember
def macros() -> dict[str, SqlFile]:
    """The file of each macro."""
    return {name: file for found in files().values() for name, file in found.items()}


@remember
def list_analyses() -> dict[str, SqlFile]:
    """The files of analyses by name."""
    return {name: file for name, file in macros().items() if file.is_analysis}


def find_file(name: str) -> SqlFile:
    """The file of a macro, in any folder."""
    if name not in macros():
        raise ValueError(f"no file named {name}.sql")
    return macros()[name]
