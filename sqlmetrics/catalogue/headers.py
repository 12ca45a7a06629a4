"""The SQL files: found, and read."""

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


FOLDERS = (
    "functions",
    "inputs",
    "strategies",
    "relations",
    "metrics",
    "curves",
    "expected",
    "checks",
)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default, what it may be, and what it means."""

    name: str
    default: Value
    rule: Rule
    meaning: str

    @property
    def is_required(self) -> bool:
        """Whether the default breaks the rule, so that a value has to be given."""
        return self.rule.find_problem(self.default) is not None

    def find_problem(self, value: Value) -> str | None:
        """What is wrong with ``value``, or None."""
        return self.rule.find_problem(value)

    def __str__(self) -> str:
        return f"{self.rule.text}; {self.meaning}"


@dataclass(frozen=True)
class Statement:
    """One CREATE MACRO statement: its name, whether of a table macro, its defaults, its SQL."""

    macro: str
    is_table: bool
    parameters: dict[str, str | None]
    text: str
    body: str

    @property
    def inputs(self) -> list[str]:
        """The parameters without default: tables, relations or rows."""
        return [name for name, default in self.parameters.items() if default is None]


@dataclass(frozen=True)
class SqlFile:
    """A file of ``sql/``: comment lines that say what it is, then the macros of that name."""

    folder: str
    path: Path
    # what it says, where it is not on disk
    given: str | None = None

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8") if self.given is None else self.given

    @cached_property
    def summary(self) -> str:
        return self._lines[0][1]

    @cached_property
    def header(self) -> dict[str, str]:
        """The ``-- key: value`` lines; ``-- a, b: value`` are two.

        Raises ValueError, with file and line, for a key that such a file does not have.
        """
        header: dict[str, str] = {}
        for number, line in self._lines[1:]:
            keys, colon, value = line.partition(": ")
            prefix, _, names = keys.rpartition(" ") if keys.startswith("in ") else ("", "", keys)
            if keys.startswith("returns "):
                prefix, names = "returns", keys.removeprefix("returns ")
            for name in names.split(", "):
                key = f"{prefix} {name}" if prefix else name
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
                    problem = f"has the key '{key}', which is neither a parameter nor known"
                if problem:
                    raise ValueError(f"{self.path}:{number}: the header line {problem}: {line}")
                header[key] = value
        return header

    @cached_property
    def _parameters(self) -> set[str]:
        return {name for statement in self.statements for name in statement.parameters}

    @cached_property
    def _comment(self) -> list[str]:
        """The lines of the header, as they stand."""
        return list(takewhile(lambda line: line.startswith("-- "), self.text.splitlines()))

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        """The header by number and line; what is indented goes on with the line before."""
        lines: list[tuple[int, str]] = []
        for number, line in enumerate(self._comment, start=1):
            text = line.removeprefix("-- ")
            if text.startswith("    "):
                lines[-1] = (lines[-1][0], f"{lines[-1][1]} {text.strip()}")
            else:
                lines.append((number, text))
        return lines

    def read_parameter(self, name: str, default: str | None = None) -> Parameter | None:
        """The parameter of this name, or None where the header states no rule for it.

        The rule may be another's: ``as for cwl_measure`` is what that macro's header says.
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
        """The same; raises ValueError where there is no rule."""
        parameter = self.read_parameter(name, default)
        if parameter is None:
            raise ValueError(f"{self.path}: the line of '{name}' does not begin with a rule")
        return parameter

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        body = "\n".join(self.text.splitlines()[len(self._comment) :])
        starts = [position for position, _ in duckdb.tokenize(body)]
        encoded = body.encode()  # positions are those of bytes
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
    for parameter in " ".join(tokens[opening + 1 : closing]).split(" , "):
        name, _, default = parameter.partition(" := ")
        parameters[name] = default or None
    is_table = tokens[closing + 2] == "TABLE"
    body = "".join(spaced[closing + 2 + is_table :]).strip().removesuffix(";")
    return Statement(tokens[opening - 1], is_table, parameters, "".join(spaced), body)


# What headers may say besides their parameters, the columns that they return (``returns rank``) and
# what a tool calls the metric (``in trec_eval``).
KEYS = {
    "metrics": (
        *("name", "formula", "aliases", "relation", "judgments", "range", "no relevant"),
        *("aggregate", "differs", "source"),
    ),
    "expected": ("source",),
    "relations": ("refuses",),
    "checks": ("severity", "says", "remedy"),
}


def _folder() -> Path:
    """Where the SQL files are: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / "relations" / "judged.sql").is_file():
            return folder
    raise FileNotFoundError(f"sqlmetrics has lost its SQL files: there are none below {package}")


def remember(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Keep what a function returns for as long as no metric is added."""
    remembering = cache(function)
    _remembering.append(remembering)
    return cast("Callable[Given, Result]", remembering)


_remembering: list[Any] = []


_added: dict[str, SqlFile] = {}


@remember
def files() -> dict[str, dict[str, SqlFile]]:
    """All SQL files by folder and name."""
    root = _folder()
    found = {
        folder: {path.stem: SqlFile(folder, path) for path in (root / folder).rglob("*.sql")}
        for folder in FOLDERS
    }
    found["metrics"] |= _added
    return {folder: dict(sorted(each.items())) for folder, each in found.items()}


def add(file: SqlFile) -> None:
    """Add the file of a metric, in the place of one that was added by its name before."""
    _added[file.path.stem] = file
    _forget()


def remove(name: str) -> None:
    """Take away the file of a metric that was added."""
    del _added[name]
    _forget()


@contextmanager
def knowing(files: Iterable[SqlFile]) -> Iterator[None]:
    """Know these files of metrics meanwhile."""
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
    """Whether a file was added, and does not come with the package."""
    return file in _added.values()


def find_variants(engine: str) -> list[SqlFile]:
    """The files that `evaluate`, or plain SQL for an engine, takes in the place of others.

    Those in ``bare`` are for all that need not refuse what the shell refuses, those in ``flat`` for
    plain SQL, those in ``plain`` for that of all engines but DuckDB.
    """
    folders = ["bare"]
    if engine != "evaluate":
        folders.append("flat")
    if engine not in ("evaluate", "duckdb"):
        folders += ["plain", engine.replace("databricks", "spark")]
    root = _folder() / "engines"
    return [SqlFile("engines", path) for f in folders for path in sorted((root / f).glob("*.sql"))]


def find(folder: str, name: str) -> SqlFile:
    return files()[folder][name]


def find_file(name: str) -> SqlFile:
    """The file of a macro's name, in whichever folder."""
    for found in files().values():
        if name in found:
            return found[name]
    raise ValueError(f"there is no file {name}.sql")
