"""The SQL files: found, read, listed, and installed as macros on a DuckDB connection."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import duckdb
import polars as pl

Value = int | float | str | None

# In the order of installation: DuckDB refuses a macro that calls one which does not exist yet.
FOLDERS = ("functions", "inputs", "plans", "relations", "metrics", "expected", "checks")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a metric: its default, and what its header line says of it and allows."""

    name: str
    default: Value
    meaning: str

    def find_problem(self, value: Value) -> str | None:
        """What is wrong with ``value``, or None.

        The rule is what the header line says before its semicolon: quoted words to choose from, or
        a ``number`` or ``whole number`` that is ``1 or more``, ``above 0`` or ``between 0 and 1``.
        """
        rule, _, _ = self.meaning.partition(";")
        if value is None:
            fits = "NULL" in rule
        elif isinstance(value, int | float) and not isinstance(value, bool) and "number" in rule:
            limits = [float(limit) for limit in re.findall(r"\d+", rule)]
            low, high = limits if "between" in rule else (limits[0], math.inf)
            fits = low < value < high or ("or more" in rule and value == low)
            fits = fits and (isinstance(value, int) or "whole" not in rule)
        else:
            fits = value in re.findall(r"'([\w-]+)'", rule)
        return None if fits else f"it must be {'a ' * ('number' in rule)}{rule}"


@dataclass(frozen=True)
class Statement:
    """One CREATE MACRO statement: its name, whether it makes a table macro, its defaults."""

    macro: str
    is_table: bool
    parameters: dict[str, str | None]

    @property
    def inputs(self) -> list[str]:
        """The parameters without default: tables, relations or rows."""
        return [name for name, default in self.parameters.items() if default is None]


@dataclass(frozen=True)
class SqlFile:
    """A file of ``sql/``: comment lines that say what it is, then the macros of that name."""

    path: Path

    @property
    def folder(self) -> str:
        return self.path.parent.name

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def summary(self) -> str:
        return self._comment[0]

    @cached_property
    def header(self) -> dict[str, str]:
        """The ``-- key: value`` lines."""
        header: dict[str, str] = {}
        for number, line in enumerate(self._comment[1:], start=2):
            key, colon, value = line.partition(": ")
            if not colon or key in header:
                problem = "is not 'key: value'" if not colon else f"repeats the key '{key}'"
                raise ValueError(f"{self.path}:{number}: the header line {problem}: {line}")
            header[key] = value
        return header

    @cached_property
    def _comment(self) -> list[str]:
        lines = []
        for line in self.text.splitlines():
            if not line.startswith("-- "):
                break
            lines.append(line.removeprefix("-- "))
        return lines

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        body = "\n".join(self.text.splitlines()[len(self._comment) :])
        starts = [position for position, _ in duckdb.tokenize(body)]
        ends = [*starts[1:], len(body)]
        tokens = [body[a:b].strip() for a, b in zip(starts, ends, strict=True)]
        firsts = [place for place, word in enumerate(tokens) if word == "CREATE"]
        return tuple(_read_signature(tokens[first:]) for first in firsts)


def _read_signature(tokens: list[str]) -> Statement:
    """Read the tokens of ``CREATE OR REPLACE MACRO name(a, b := 1) AS …``."""
    opening, closing = tokens.index("("), tokens.index(")")
    parameters: dict[str, str | None] = {}
    for parameter in " ".join(tokens[opening + 1 : closing]).split(" , "):
        name, _, default = parameter.partition(" := ")
        parameters[name] = default or None
    return Statement(tokens[opening - 1], tokens[closing + 2] == "TABLE", parameters)


@dataclass(frozen=True)
class Metric:
    """A metric: an aggregate over the rows of a relation, and the query of the same name."""

    file: SqlFile

    @property
    def macro(self) -> str:
        return self.file.path.stem

    @property
    def relation(self) -> str:
        return self.file.header["relation"]

    @property
    def is_summed(self) -> bool:
        """Whether a run's figure is the sum over its queries instead of their mean."""
        return self.file.header.get("over queries") == "sum"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The canonical names: at most one with a cut-off, ``P@k``, and one without, ``SetP``."""
        return _split(self.file.header["name"])

    @cached_property
    def aliases(self) -> tuple[str, ...]:
        """Other names that are understood, spelled like the canonical ones: ``Precision``."""
        return _split(self.file.header.get("aliases", ""))

    @cached_property
    def trec_names(self) -> tuple[str, ...]:
        """trec_eval's names, with and without a cut-off: ``P_k``, ``set_P``."""
        return _split(self.file.header.get("trec_eval", ""))

    @cached_property
    def own_parameters(self) -> dict[str, Parameter]:
        """The parameters of the aggregate."""
        return self._read_parameters(is_table=False, meanings=self.file.header)

    @cached_property
    def relation_parameters(self) -> dict[str, Parameter]:
        """The parameters that the query passes on to the relation, whose header explains them."""
        meanings = find("relations", self.relation).header | self.file.header
        parameters = self._read_parameters(is_table=True, meanings=meanings)
        return {k: v for k, v in parameters.items() if k not in self.own_parameters}

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        return {**self.own_parameters, **self.relation_parameters}

    def _read_parameters(self, *, is_table: bool, meanings: dict[str, str]) -> dict[str, Parameter]:
        (statement,) = (s for s in self.file.statements if s.is_table == is_table)
        return {
            name: Parameter(name, _read_literal(default), meanings[name])
            for name, default in statement.parameters.items()
            if default is not None
        }


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name)


def quote(value: Value) -> str:
    """A value as a SQL literal; fractions in a form that no engine takes for a decimal."""
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return repr(value) if "e" in repr(value) else f"{value!r}e0"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


def _read_literal(text: str) -> Value:
    value: Value = None if text == "NULL" else ast.literal_eval(text)
    return value


def _folder() -> Path:
    """Where the SQL files are: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / "relations" / "judged.sql").is_file():
            return folder
    raise FileNotFoundError(f"sqlmetrics has lost its SQL files: there are none below {package}")


@cache
def files() -> dict[str, dict[str, SqlFile]]:
    """All SQL files by folder and name, in the order of installation."""
    root = _folder()
    return {
        folder: {path.stem: SqlFile(path) for path in sorted((root / folder).glob("*.sql"))}
        for folder in FOLDERS
    }


def find(folder: str, name: str) -> SqlFile:
    return files()[folder][name]


@cache
def all_metrics() -> tuple[Metric, ...]:
    return tuple(Metric(file) for file in files()["metrics"].values())


def needed_files(
    metrics: Iterable[Metric] | None = None, *, plan: str = "sorting", expected: bool = False
) -> Iterator[SqlFile]:
    """The files that define ``metrics`` or their expected scores, callees before callers.

    Without metrics, all files but the other plans.
    """
    wanted = {"plans": {plan}}
    if metrics is not None:
        macros = {metric.macro for metric in metrics}
        wanted["metrics"] = macros
        wanted["expected"] = {f"expected_{macro}" for macro in macros if expected}
        checks = files()["checks"].items()
        wanted["checks"] = {name for name, file in checks if file.header["severity"] == "error"}
    for folder, found in files().items():
        yield from (file for name, file in found.items() if name in wanted.get(folder, found))


def create_macros(
    con: duckdb.DuckDBPyConnection, files: Iterable[SqlFile], *, temporary: bool
) -> None:
    kind = "TEMP MACRO" if temporary else "MACRO"
    for file in files:
        con.execute(file.text.replace("CREATE OR REPLACE MACRO", f"CREATE OR REPLACE {kind}"))


@contextmanager
def dropping_macros(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Drop the temporary macros that are created meanwhile."""
    query = """
        SELECT DISTINCT function_name, function_type = 'table_macro' FROM duckdb_functions()
        WHERE database_name = 'temp' AND NOT internal
    """
    before = set(con.execute(query).fetchall())
    try:
        yield
    finally:
        with suppress(duckdb.Error):  # in a transaction of the user's that an error has ended
            for name, is_table in set(con.execute(query).fetchall()) - before:
                con.execute(f"DROP MACRO {'TABLE ' * is_table}temp.{name}")


def install(con: duckdb.DuckDBPyConnection, *, temporary: bool = False) -> None:
    """Create all macros on a DuckDB connection, replacing those of the same names.

    They stay in the database, and in its file if it has one. ``temporary`` macros vanish with the
    connection, need no right to write, and are not seen by ``con.cursor()``.

    >>> import duckdb
    >>> con = duckdb.connect()
    >>> install(con)
    >>> ids = "SELECT 'q' AS query_id, 'd' AS doc_id"
    >>> _ = con.execute(f"CREATE TABLE qrels AS {ids}, 1 AS relevance")
    >>> _ = con.execute(f"CREATE TABLE run AS {ids}, 0.5 AS score")
    >>> con.execute("FROM rr(qrels, run)").fetchall()
    [('run', 'q', 1.0)]
    """
    create_macros(con, needed_files(), temporary=temporary)


def write_macros(files: Iterable[SqlFile]) -> str:
    """The macros as one script, with their summaries as comments that DuckDB keeps."""
    parts = []
    for file in files:
        comments = (
            f"COMMENT ON MACRO {'TABLE ' if s.is_table else ''}{s.macro} IS {quote(file.summary)};"
            for s in file.statements
        )
        parts.append("\n".join([file.text.rstrip(), *comments]))
    return "\n\n".join(parts) + "\n"


def metrics() -> pl.DataFrame:
    """The catalogue: a row per metric, read from the headers of the SQL files.

    Columns, all text: ``name`` as in results (``@k`` where a cut-off goes), ``aliases`` that are
    understood, too, ``macro`` its name in SQL, ``summary``, ``parameters`` with defaults,
    ``range``, ``empty`` the value when the query has nothing relevant, ``over_queries`` how a run's
    figure comes from its queries' (mean or sum), ``agrees`` the tools that give the same figures,
    ``source``.

    >>> metrics().row(by_predicate=pl.col("macro") == "rr", named=True)["name"]
    'RR, RR@k'
    """
    return pl.DataFrame(
        {
            "name": ", ".join(metric.names),
            "aliases": ", ".join((*metric.aliases, *metric.trec_names)),
            "macro": metric.macro,
            "summary": metric.file.summary,
            "parameters": ", ".join(
                f"{p.name} = {'NULL' if p.default is None else repr(p.default)}"
                for p in metric.parameters.values()
            ),
            "range": metric.file.header["range"],
            "empty": metric.file.header["empty"],
            "over_queries": "sum" if metric.is_summed else "mean",
            "agrees": metric.file.header.get("agrees", ""),
            "source": metric.file.header["source"],
        }
        for metric in all_metrics()
    )
