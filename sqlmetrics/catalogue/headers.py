"""Finds and reads the SQL files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

import duckdb

from .literals import read_literal
from .rules import TYPES, Rule, Value, read_rule

Given = ParamSpec("Given")


Result = TypeVar("Result")


# Folders with relations, and with aggregates over their rows by family.
STATISTICS = (
    "ranking",
    "comparisons",
    "clicks",
    "experiments",
    "pools",
    "agreement",
    "fusion",
)

FOLDERS = (
    "functions",
    "inputs",
    "relations",
    "metrics",
    "expected",
    "checks",
    *STATISTICS,
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


@dataclass(frozen=True)
class SqlFile:
    """A file in ``sql/``: a header of comment lines, then the macros of that name."""

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
        header: dict[str, str] = {}
        folder = "metrics" if self.folder == "connection" else self.folder
        allowed = {*KEYS.get(folder, ()), *self._parameters}
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
    def _parameters(self) -> set[str]:
        # without reading the statements, since every name of a metric needs its header
        heads = re.findall(r"MACRO \w+(\(.*?\)) AS\b", self.text, re.DOTALL)
        return {name for head in heads for name in re.findall(r"[(,]\s*(\w+)", head)}

    @cached_property
    def _comment(self) -> list[str]:
        """The lines of the header, unchanged."""
        return list(takewhile(lambda line: line.startswith("-- "), self.text.splitlines()))

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        """The header by number and line; an indented line continues the one before."""
        lines: list[tuple[int, str]] = []
        for number, line in enumerate(self._comment, start=1):
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
        if (line := self.header.get(name)) is None:
            raise ValueError(f"{self.path}: the header has no line for the parameter {name}")
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
        body = "\n".join(self.text.splitlines()[len(self._comment) :])
        tokens = split_tokens(body)
        firsts = [place for place, word in enumerate(tokens) if word.strip() == "CREATE"]
        lasts = [*firsts[1:], len(tokens)]
        return tuple(_read_statement(tokens[a:b]) for a, b in zip(firsts, lasts, strict=True))


def split_tokens(text: str) -> list[str]:
    """The tokens of SQL, each with the blanks and comments after it."""
    starts = [position for position, _ in duckdb.tokenize(text)]
    encoded = text.encode()  # positions count bytes
    ends = [*starts[1:], len(encoded)]
    return [encoded[start:end].decode() for start, end in zip(starts, ends, strict=True)]


def _read_statement(spaced: list[str]) -> Statement:
    """Read the tokens of ``CREATE OR REPLACE MACRO name(a, b BIGINT := 1) AS …``."""
    tokens = [token.strip() for token in spaced]
    opening = tokens.index("(")
    listed = split_arguments(tokens[opening + 1 :])
    body = opening + sum(map(len, listed)) + len(listed) + 2
    parameters: dict[str, str | None] = {}
    types: dict[str, str] = {}
    for name, *more in filter(None, listed):
        kind = list(takewhile(lambda word: word != ":=", more))
        parameters[name] = " ".join(more[len(kind) + 1 :]) or None
        if kind:
            types[name] = "".join(kind).upper()
    is_table = tokens[body] == "TABLE"
    text = "".join(spaced[body + is_table :]).strip().removesuffix(";")
    return Statement(tokens[opening - 1], is_table, parameters, types, text)


def split_arguments(words: Sequence[str]) -> list[list[str]]:
    """The arguments of a call whose bracket is open, each as its words."""
    listed: list[list[str]] = [[]]
    depth = 1
    for word in words:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(word, 0)
        if not depth:
            break
        if word == "," and depth == 1:
            listed.append([])
        else:
            listed[-1].append(word)
    return listed


# The keys that headers may have besides parameters and returned columns (``returns rank``).
KEYS = {
    "metrics": (
        *("name", "formula", "aliases", "relation", "judgments", "range", "better", "no relevant"),
        *("aggregate", "differs", "not", "source"),
    ),
    "expected": ("source",),
    "relations": ("refuses", "groups", "once", "all", "judgments", "empty", "source"),
    "checks": ("severity", "noted", "remedy", "column", "values"),
    **dict.fromkeys(
        STATISTICS,
        (
            *("formula", "relation", "same as", "judgments", "range", "differs", "source"),
            *("refuses", "groups", "once", "all", "pages", "severity", "remedy", "column", "empty"),
        ),
    ),
}


def find_root() -> Path:
    """The folder of the SQL files: in the installed package, or next to it in a checkout."""
    package = Path(__file__).parent.parent
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / "relations" / "judged.sql").is_file():
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
    found = {
        folder: {path.stem: SqlFile(folder, path) for path in (root / folder).rglob("*.sql")}
        for folder in FOLDERS
    }
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
def find_variants(*folders: str, checked: bool = True) -> tuple[SqlFile, ...]:
    """The files in ``sql/engines`` that are used instead of others, by macro; later ones win.

    Those in ``bare`` are for rows that were ``checked``, those in ``numbered`` for tables whose ids
    are numbers, those in ``counted`` for what another engine counted, those in ``parts`` for ratios
    as two sums, those in ``flat`` for plain SQL, those in ``plain`` for that of all engines except
    DuckDB, the others for one engine.
    """
    root = find_root() / "engines"
    wanted = ["bare"] * checked + [*folders]
    paths = (path for each in wanted for path in sorted((root / each).glob("*.sql")))
    return tuple(SqlFile("engines", path) for path in paths)


@remember
def macros() -> dict[str, SqlFile]:
    """The file of each macro."""
    return {name: file for found in files().values() for name, file in found.items()}


@remember
def list_analyses() -> dict[str, SqlFile]:
    """The files of analyses by name."""
    return {name: file for name, file in macros().items() if file.is_analysis}


def find(folder: str, name: str) -> SqlFile:
    return files()[folder][name]


def find_file(name: str) -> SqlFile:
    """The file of a macro, in any folder."""
    if name not in macros():
        raise ValueError(f"no file named {name}.sql")
    return macros()[name]
