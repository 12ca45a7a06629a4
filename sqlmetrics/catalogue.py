"""The SQL files: found, read, listed, and installed as macros on a DuckDB connection."""

from __future__ import annotations

import ast
import math
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
import polars as pl

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
        value = None if default is None else _read_literal(default)
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


@dataclass(frozen=True)
class Spelling:
    """How a tool writes a metric: ``success_{k}``, with the arguments of ours that it stands for.

    ``series`` is what stands in the braces, one after the other, when a user names none.
    """

    text: str
    arguments: tuple[tuple[str, Value], ...] = ()
    series: tuple[Value, ...] = ()

    @property
    def stem(self) -> str:
        """The name without what is in braces, and without the character before it."""
        return self.text.partition("{")[0].rstrip("@_=.") if self.slots else self.text

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The parameters in braces."""
        return tuple(re.findall(r"{(\w+)}", self.text))


@dataclass(frozen=True)
class Metric:
    """A metric: an aggregate over the rows of a relation."""

    file: SqlFile

    @property
    def macro(self) -> str:
        return self.file.path.stem

    @property
    def family(self) -> str:
        return "own" if is_own(self.file) else self.file.path.parent.name

    @property
    def relation(self) -> str:
        """The relation whose rows it aggregates."""
        return self.file.header["relation"].partition("(")[0]

    @property
    def aggregate(self) -> Statement:
        (statement,) = self.file.statements
        return statement

    @property
    def summary(self) -> str:
        """How a run's score comes from those of its queries: ``mean`` or ``sum``."""
        return self.file.header.get("aggregate", "mean").partition(" or ")[0]

    @property
    def can_pool(self) -> bool:
        """Whether its aggregate over the rows of many queries is the score of all together."""
        return "pooled" in self.file.header.get("aggregate", "")

    @property
    def is_by_subtopic(self) -> bool:
        """Whether it takes judgments of a document for several subtopics of a query."""
        return "subtopics" in list_relations(self.relation)

    @property
    def needs_one_judgment(self) -> bool:
        """Whether a document may be judged only once for a query, whatever the subtopics."""
        return not self.is_by_subtopic and self.file.header.get("judgments") != "any"

    @property
    def is_summed(self) -> bool:
        return self.summary == "sum"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The canonical names: at most one with a cut-off, ``P@k``, and one without, ``SetP``."""
        return tuple(name.strip() for name in self.file.header["name"].split(","))

    @cached_property
    def cutoff(self) -> str:
        """The parameter that is written after @."""
        return next((name.partition("@")[2] for name in self.names if "@" in name), "k")

    @cached_property
    def aliases(self) -> tuple[Spelling, ...]:
        """Other names that are understood: ``MAP``, or ``F2 with beta=2``."""
        return _read_spellings(self.file.header.get("aliases", ""))

    @cached_property
    def tools(self) -> dict[str, tuple[Spelling, ...]]:
        """How each tool that computes the same scores writes the metric."""
        keys = (key.removeprefix("in ") for key in self.file.header if key.startswith("in "))
        return {tool: self.spell(tool) for tool in keys}

    def spell(self, tool: str) -> tuple[Spelling, ...]:
        """How a tool writes the metric; nothing where it has no such scores."""
        return _read_spellings(self.file.header.get(f"in {tool}", ""))

    @cached_property
    def own_parameters(self) -> dict[str, Parameter]:
        """The parameters of the aggregate."""
        return {
            name: self.file.require_parameter(name, default)
            for name, default in self.aggregate.parameters.items()
            if default is not None
        }

    @cached_property
    def relation_parameters(self) -> dict[str, Parameter]:
        """The parameters of its relations that change its scores, as its header lists them."""
        _, _, listed = self.file.header["relation"].rstrip(")").partition("(")
        known = _read_relation_parameters(self.relation)
        return {name: known[name] for name in filter(None, listed.split(", "))}

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        return {**self.own_parameters, **self.relation_parameters}

    @cached_property
    def conventions(self) -> dict[str, Parameter]:
        """How documents are ranked: parameters of its relations that any metric takes."""
        ranking = find("relations", "truncated").statements[0].parameters
        known = _read_relation_parameters(self.relation)
        return {name: known[name] for name in ranking if name in known}


@cache
def _read_relation_parameters(relation: str) -> dict[str, Parameter]:
    """The parameters of a relation and of those that it is built on."""
    parameters = {}
    for name in list_relations(relation):
        file = find("relations", name)
        for key, default in file.statements[0].parameters.items():
            if default is not None and key not in parameters:
                parameters[key] = file.require_parameter(key, default)
    return parameters


def write_arguments(arguments: Iterable[tuple[str, Value]]) -> str:
    """``rel=2, gain='exponential', gains={1: 10}``; `read_arguments` reads it back."""
    return ", ".join(f"{key}={_write_value(value)}" for key, value in arguments)


def _write_value(value: Value) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{level}: {gain}" for level, gain in value) + "}"
    return repr(value)


def list_relations(relation: str) -> list[str]:
    """A relation and all that it is built on."""
    below = find("relations", relation).statements[0].inputs
    return [relation, *(r for n in below if n not in ("qrels", "run") for r in list_relations(n))]


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


@cache
def _read_spellings(text: str) -> tuple[Spelling, ...]:
    """``map; map_cut_{k}; gm_map with aggregate='geometric'; success_{k} by 1, 5, 10``."""
    spellings = []
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        spelling, _, arguments = entry.partition(" with ")
        name, _, series = spelling.partition(" by ")
        values = tuple(ast.literal_eval(value.strip()) for value in series.split(",") if value)
        spellings.append(Spelling(name, tuple(read_arguments(arguments).items()), values))
    return tuple(spellings)


def read_arguments(text: str) -> dict[str, Value]:
    """``rel=2, gain='exponential', gains={1: 10}`` as a dict; words need no quotes.

    Raises ValueError, saying what is not written so.
    """
    arguments: dict[str, Value] = {}
    try:
        call = ast.parse(f"f({text})", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"write '{text}' as name=value") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ValueError(f"write '{text}' as name=value")
    for bare in call.args:
        raise ValueError(f"write '{ast.unparse(bare)}' as name=value")
    for keyword in call.keywords:
        if keyword.arg is None:
            raise ValueError(f"write '{ast.unparse(keyword)}' as name=value")
        if keyword.arg in arguments:
            raise ValueError(f"{keyword.arg} is given twice")
        arguments[keyword.arg] = _read_value(keyword.value)
    return arguments


def _read_value(node: ast.expr) -> Value:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):  # a word, or what has no hash
        word = ast.unparse(node)
        return {"TRUE": True, "FALSE": False, "NULL": None}.get(word, word)
    if isinstance(value, dict) and isinstance(node, ast.Dict):
        numbers = [n for pair in value.items() for n in pair]
        if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
            raise ValueError(f"write gains as {{relevance: gain}}, not {ast.unparse(node)}")
        if len(value) < len(node.keys):
            raise ValueError(f"{ast.unparse(node)} has a relevance twice")
        return tuple(sorted(value.items()))
    return value if isinstance(value, int | float | str | None) else ast.unparse(node)


def quote(value: Value) -> str:
    """A value as a SQL literal; fractions in a form that no engine takes for a decimal."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        text = repr(value)
        return text if "e" in text else f"{text.removesuffix('.0')}e0"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, tuple):
        return f"MAP {{{', '.join(f'{quote(float(a))}: {quote(float(b))}' for a, b in value)}}}"
    return str(value).upper()  # TRUE


def _read_literal(text: str) -> Value:
    words = {"NULL": None, "TRUE": True, "FALSE": False}
    value: Value = words[text] if text in words else ast.literal_eval(text)
    return value


def _folder() -> Path:
    """Where the SQL files are: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
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


@remember
def all_metrics() -> tuple[Metric, ...]:
    return tuple(Metric(file) for file in files()["metrics"].values())


def metrics() -> pl.DataFrame:
    """The catalogue: a row per metric, read from the headers of the SQL files.

    Columns, all text: ``name`` as in results (``@k`` where a cut-off goes), ``family``, ``macro``
    its name in SQL, ``summary``, ``formula``, ``parameters`` with their defaults and meaning, a
    line each, ``range``, ``no_relevant`` the value when the query has nothing relevant,
    ``aggregate`` how a run's score comes from its queries' (mean or sum), ``aliases`` that are
    understood, too, ``agrees`` the tools that give the same scores with their names for it, a line
    each, ``differs`` what goes by the same name and is not the same, ``source``.

    >>> metrics().row(by_predicate=pl.col("macro") == "rr", named=True)["name"]
    'RR, RR@k'
    """
    return pl.DataFrame(
        {
            "name": ", ".join(metric.names),
            "family": metric.family,
            "macro": metric.macro,
            "summary": metric.file.summary,
            "formula": metric.file.header.get("formula", ""),
            "parameters": "\n".join(
                f"{p.name} = {quote(p.default)}: {p}" for p in metric.parameters.values()
            ),
            "range": metric.file.header.get("range", ""),
            "no_relevant": metric.file.header.get("no relevant", ""),
            "aggregate": metric.summary,
            "aliases": _write_spellings(metric.aliases),
            "agrees": "\n".join(
                f"{tool}: {_write_spellings(spellings)}" for tool, spellings in metric.tools.items()
            ),
            "differs": metric.file.header.get("differs", ""),
            "source": metric.file.header.get("source", ""),
        }
        for metric in all_metrics()
    )


def _write_spellings(spellings: Iterable[Spelling]) -> str:
    """``map, map_cut_k, gm_map (aggregate='geometric')``."""
    return ", ".join(
        re.sub(r"[{}]", "", spelling.text)
        + (f" ({write_arguments(spelling.arguments)})" if spelling.arguments else "")
        for spelling in spellings
    )
