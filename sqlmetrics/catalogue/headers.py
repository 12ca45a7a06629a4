"""Finds and reads the SQL files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

import duckdb

from .literals import read_literal
from .rules import Rule, Value, read_rule

Given = ParamSpec("Given")


Result = TypeVar("Result")


# Folders with relations, and with aggregates over their rows by family.
STATISTICS = ("comparisons", "clicks", "experiments", "pools", "agreement")

FOLDERS = (
    "functions",
    "inputs",
    "relations",
    "metrics",
    "curves",
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
    """A CREATE MACRO statement: its name, whether it is a table macro, its defaults, its SQL."""

    macro: str
    is_table: bool
    parameters: dict[str, str | None]
    text: str
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
        for number, line in self._lines[1:]:
            keys, colon, value = line.partition(": ")
            prefix = "returns " if keys.startswith("returns ") else ""
            for name in keys.removeprefix(prefix).split(", "):
                key = f"{prefix}{name}"
                problem = None
                if not colon:
                    problem = "is not 'key: value'"
                elif key in header:
                    problem = f"repeats the key '{key}'"
                elif not (
                    prefix
                    or name
                    in KEYS.get("metrics" if self.folder == "connection" else self.folder, ())
                    or name in self._parameters
                ):
                    problem = f"has unknown key '{key}'"
                if problem:
                    raise ValueError(f"{self.path}:{number}: the header line {problem}: {line}")
                header[key] = value
        return header

    @cached_property
    def _parameters(self) -> set[str]:
        # without reading the statements, since every name of a metric needs its header
        heads = re.findall(r"MACRO \w+\(([^)]*)\)", self.text)
        return {part.partition(":=")[0].strip() for head in heads for part in head.split(",")}

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

    def read_parameter(self, name: str, default: str | None = None) -> Parameter | None:
        """The parameter of this name, or None if the header states no rule for it.

        ``as for cwl_measure`` takes the rule from the header of that macro.
        """
        line = self.header[name]
        if other := re.fullmatch(r"as for (\w+)(?:; (.*))?", line):
            known = find_file(other[1]).read_parameter(name, default)
            if known is None or other[2] is None:
                return known
            return replace(known, meaning=other[2])
        text, _, meaning = line.partition("; ")
        rule = read_rule(text)
        value = None if default is None else read_literal(default)
        return None if rule is None else Parameter(name, value, rule, meaning)

    def require_parameter(self, name: str, default: str | None = None) -> Parameter:
        """The same, but raises ValueError if there is no rule."""
        parameter = self.read_parameter(name, default)
        if parameter is None:
            raise ValueError(f"{self.path}: the line for '{name}' must begin with a rule")
        return parameter

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        body = "\n".join(self.text.splitlines()[len(self._comment) :])
        starts = [position for position, _ in duckdb.tokenize(body)]
        encoded = body.encode()  # positions count bytes
        ends = [*starts[1:], len(encoded)]
        tokens = [encoded[a:b].decode() for a, b in zip(starts, ends, strict=True)]
        firsts = [place for place, word in enumerate(tokens) if word.strip() == "CREATE"]
        lasts = [*firsts[1:], len(tokens)]
        return tuple(_read_statement(tokens[a:b]) for a, b in zip(firsts, lasts, strict=True))


def _read_statement(spaced: list[str]) -> Statement:
    """Read the tokens of ``CREATE OR REPLACE MACRO name(a, b := 1) AS …``."""
    tokens = [token.strip() for token in spaced]
    opening, closing = tokens.index("("), tokens.index(")")
    parameters: dict[str, str | None] = {}
    for parameter in filter(None, " ".join(tokens[opening + 1 : closing]).split(" , ")):
        name, _, default = parameter.partition(" := ")
        parameters[name] = default or None
    is_table = tokens[closing + 2] == "TABLE"
    body = "".join(spaced[closing + 2 + is_table :]).strip().removesuffix(";")
    return Statement(tokens[opening - 1], is_table, parameters, "".join(spaced), body)


# The keys that headers may have besides parameters and returned columns (``returns rank``).
KEYS = {
    "metrics": (
        *("name", "formula", "aliases", "relation", "judgments", "range", "better", "no relevant"),
        *("aggregate", "differs", "source"),
    ),
    "expected": ("source",),
    "relations": ("refuses",),
    "checks": ("severity", "says", "remedy"),
    **dict.fromkeys(
        STATISTICS,
        (
            *("formula", "relation", "same as", "range", "differs", "source"),
            *("refuses", "groups", "once", "all", "pages", "severity", "says", "remedy"),
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
    """Cache what a function returns until a metric is added."""
    remembering = cache(function)
    _remembering.append(remembering)
    return cast("Callable[Given, Result]", remembering)


_remembering: list[Any] = []


_added: dict[str, SqlFile] = {}


@remember
def files() -> dict[str, dict[str, SqlFile]]:
    """All SQL files by folder and name."""
    root = find_root()
    found = {
        folder: {path.stem: SqlFile(folder, path) for path in (root / folder).rglob("*.sql")}
        for folder in FOLDERS
    }
    found["metrics"] |= _added
    return {folder: dict(sorted(each.items())) for folder, each in found.items()}


def add(file: SqlFile) -> None:
    """Add the file of a metric; replaces one of the same name that was added before."""
    _added[file.path.stem] = file
    _forget()


def remove(name: str) -> None:
    """Remove the file of a metric that was added."""
    del _added[name]
    _forget()


@contextmanager
def knowing(files: Iterable[SqlFile]) -> Iterator[None]:
    """Add these files of metrics within the context."""
    with _adding:
        before = dict(_added)
        _added.update({file.path.stem: file for file in files})
        _forget()
        try:
            yield
        finally:
            _added.clear()
            _added.update(before)
            _forget()


_adding = Lock()


def list_added() -> list[str]:
    """The names of the metrics that were added."""
    return [*_added]


def _forget() -> None:
    for each in _remembering:
        each.cache_clear()


def is_own(file: SqlFile) -> bool:
    """Whether a file was added, rather than part of the package."""
    return file in _added.values()


@remember
def find_variants(engine: str) -> tuple[SqlFile, ...]:
    """The files that `evaluate`, or plain SQL for an engine, uses instead of others.

    Those in ``bare`` are for uses that need no refusals, those in ``numbered`` for tables whose ids
    are numbers, those in ``flat`` for plain SQL, those in ``plain`` for plain SQL on all engines
    except DuckDB.
    """
    own = {"evaluate": [], "numbered": ["numbered"], "duckdb": ["flat"]}
    others = ["flat", "plain", engine.replace("databricks", "spark")]
    folders = ["bare", *own.get(engine, others)]
    root = find_root() / "engines"
    paths = (path for folder in folders for path in sorted((root / folder).glob("*.sql")))
    return tuple(SqlFile("engines", path) for path in paths)


def find(folder: str, name: str) -> SqlFile:
    return files()[folder][name]


def find_file(name: str) -> SqlFile:
    """The file of a macro, in any folder."""
    for found in files().values():
        if name in found:
            return found[name]
    raise ValueError(f"no file named {name}.sql")
