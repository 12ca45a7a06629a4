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

# A gain map is a tuple of (relevance, gain), so that measures can be compared and hashed.
Value = int | float | str | tuple[tuple[float, float], ...] | None

# In the order of installation: DuckDB refuses a macro that calls one which does not exist yet.
FOLDERS = ("functions", "inputs", "plans", "relations", "metrics", "curves", "expected", "checks")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a metric: its default, and what its header line says of it and allows."""

    name: str
    default: Value
    meaning: str

    @property
    def is_required(self) -> bool:
        """Whether the default is none that the rule allows."""
        return self.find_problem(self.default) is not None

    def find_problem(self, value: Value) -> str | None:
        """What is wrong with ``value``, or None.

        The rule is what the header line says before its semicolon: quoted words to choose from, a
        ``{relevance: gain, …}``, TRUE or FALSE, or a ``number`` or ``whole number`` that may be
        ``1 or more``, ``above 0``, ``between 0 and 1`` or, with its ends, ``from 0 to 1``.
        """
        rule, _, _ = self.meaning.partition(";")
        if value is None:
            fits = "NULL" in rule
        elif isinstance(value, bool):
            fits = "TRUE" in rule
        elif isinstance(value, tuple):
            fits = "{" in rule
        elif isinstance(value, int | float) and "number" in rule:
            limits = [float(limit) for limit in re.findall(r"\d+", rule)]
            low, high = limits if len(limits) == 2 else ((limits or [-math.inf])[0], math.inf)
            ends = "or more" in rule or "from" in rule
            fits = low < value < high or (ends and value in (low, high))
            fits = fits and abs(value) < 2**31 if "whole" in rule else fits and math.isfinite(value)
            fits = fits and (isinstance(value, int) or "whole" not in rule)
        else:
            fits = value in re.findall(r"'([\w-]+)'", rule)
        return None if fits else f"it must be {'a ' * ('number' in rule)}{rule}"


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

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def summary(self) -> str:
        return self._comment[0]

    @cached_property
    def header(self) -> dict[str, str]:
        """The ``-- key: value`` lines; ``-- a, b: value`` are two."""
        header: dict[str, str] = {}
        for number, line in enumerate(self._comment[1:], start=2):
            keys, colon, value = line.partition(": ")
            for key in keys.split(", "):
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
    """A metric: an aggregate over the rows of a relation, and the query of the same name."""

    file: SqlFile

    @property
    def macro(self) -> str:
        return self.file.path.stem

    @property
    def family(self) -> str:
        return self.file.path.parent.name

    @property
    def relation(self) -> str:
        return self.file.header["relation"]

    @property
    def summary(self) -> str:
        """How a run's figure comes from those of its queries: ``mean`` or ``sum``."""
        return self.file.header.get("over queries", "mean").partition(" or ")[0]

    @property
    def can_pool(self) -> bool:
        """Whether its aggregate over the rows of many queries is the figure of all together."""
        return "pooled" in self.file.header.get("over queries", "")

    @property
    def is_by_subtopic(self) -> bool:
        """Whether it takes judgments of a document for several subtopics of a query."""
        return "subtopics" in list_relations(self.relation)

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
        """How each tool that computes the same figures writes the metric."""
        keys = (key for key in self.file.header if key not in KEYS and key not in self.parameters)
        return {tool: self.spell(tool) for tool in keys}

    def spell(self, tool: str) -> tuple[Spelling, ...]:
        """How a tool writes the metric; nothing where it has no such figures."""
        return _read_spellings(self.file.header.get(tool, ""))

    @cached_property
    def own_parameters(self) -> dict[str, Parameter]:
        """The parameters of the aggregate."""
        return self._read_parameters(is_table=False, meanings=self.file.header)

    @cached_property
    def relation_parameters(self) -> dict[str, Parameter]:
        """The parameters that the query passes on to its relations, whose headers explain them."""
        meanings: dict[str, str] = {}
        for name in reversed(list_relations(self.relation)):
            meanings |= find("relations", name).header
        parameters = self._read_parameters(is_table=True, meanings=meanings | self.file.header)
        return {k: v for k, v in parameters.items() if k not in self.own_parameters}

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        return {**self.own_parameters, **self.relation_parameters}

    @cached_property
    def conventions(self) -> dict[str, Parameter]:
        """How documents are ranked: parameters of its relations that any metric takes."""
        defaults = find("relations", "condensed").statements[0].parameters
        meanings = find("relations", "judged").header
        taken = {n for r in list_relations(self.relation) for n in _list_parameters(r)}
        return {
            name: Parameter(name, _read_literal(default), meanings[name])
            for name, default in defaults.items()
            if default is not None and name in taken
        }

    def _read_parameters(self, *, is_table: bool, meanings: dict[str, str]) -> dict[str, Parameter]:
        (statement,) = (s for s in self.file.statements if s.is_table == is_table)
        return {
            name: Parameter(name, _read_literal(default), meanings[name])
            for name, default in statement.parameters.items()
            if default is not None
        }


def write_arguments(arguments: Iterable[tuple[str, Value]]) -> str:
    """``rel=2, gain='exponential', gains={1: 10}``; `read_arguments` reads it back."""
    return ", ".join(f"{key}={_write_value(value)}" for key, value in arguments)


def _write_value(value: Value) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{level}: {gain}" for level, gain in value) + "}"
    return repr(value)


def _list_parameters(relation: str) -> list[str]:
    return list(find("relations", relation).statements[0].parameters)


def list_relations(relation: str) -> list[str]:
    """A relation and all that it is built on."""
    below = find("relations", relation).statements[0].inputs
    return [relation, *(r for n in below if n not in ("qrels", "run") for r in list_relations(n))]


# A metric's header has these keys, its parameters, and the tools that agree with it.
KEYS = {
    "name",
    "formula",
    "aliases",
    "nicknames",
    "relation",
    "range",
    "empty",
    "over queries",
    "differs",
    "source",
}


@cache
def _read_spellings(text: str) -> tuple[Spelling, ...]:
    """``map; map_cut_{k}; gm_map with over='geometric'; success_{k} by 1, 5, 10``."""
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


@cache
def files() -> dict[str, dict[str, SqlFile]]:
    """All SQL files by folder and name, in the order of installation."""
    root = _folder()
    return {
        folder: {
            path.stem: SqlFile(folder, path)
            for path in sorted((root / folder).rglob("*.sql"), key=lambda path: path.stem)
        }
        for folder in FOLDERS
    }


def find_variants(engine: str) -> list[SqlFile]:
    """The files that plain SQL for an engine takes in the place of those of the same name.

    Those in ``plain`` are for all engines but DuckDB.
    """
    folders = [] if engine == "duckdb" else ["plain", engine.replace("databricks", "spark")]
    root = _folder() / "engines"
    return [SqlFile("engines", path) for f in folders for path in sorted((root / f).glob("*.sql"))]


def find(folder: str, name: str) -> SqlFile:
    return files()[folder][name]


@cache
def all_metrics() -> tuple[Metric, ...]:
    return tuple(Metric(file) for file in files()["metrics"].values())


def needed_files(
    metrics: Iterable[Metric] | None = None,
    *,
    plan: str = "sorting",
    expected: bool = False,
    curve: SqlFile | None = None,
) -> Iterator[SqlFile]:
    """The files that define ``metrics`` or their expected scores, callees before callers.

    With them come the checks that must pass, and what these and the notes on a run ask.
    Without metrics: all files but the other plans.
    """
    wanted = [files()["plans"][plan]]
    if metrics is None:
        wanted += (
            file
            for folder, found in files().items()
            if folder != "plans"
            for file in found.values()
        )
    else:
        relations = {"coverage"}
        for metric in metrics:
            relations.update(list_relations(metric.relation))
            wanted.append(metric.file)
            if expected:
                wanted.append(find("expected", f"expected_{metric.macro}"))
        wanted += (find("relations", name) for name in relations)
        checks = files()["checks"].values()
        wanted += (file for file in checks if file.header["severity"] == "error")
        wanted += [curve] if curve else []
    known = set(wanted)
    while wanted:
        callees = set(_list_callees(wanted.pop())) - known
        known |= callees
        wanted += callees
    for found in files().values():
        yield from (file for file in found.values() if file in known)


@cache
def _list_callees(file: SqlFile) -> tuple[SqlFile, ...]:
    """The files of the macros that a file's own call."""
    code = "\n".join(line for line in file.text.splitlines() if not line.startswith("--"))
    words = set(re.findall(r"(\w+)\(", code))
    folders = (found for folder, found in files().items() if folder != "plans")
    return tuple(found[word] for found in folders for word in words if word in found)


def create_macros(
    con: duckdb.DuckDBPyConnection,
    files: Iterable[SqlFile],
    *,
    temporary: bool,
    aggregates_only: bool = False,
) -> None:
    """Create the macros of files; ``aggregates_only`` leaves out the metrics as queries."""
    kind = "TEMP MACRO" if temporary else "MACRO"
    for file in files:
        for statement in file.statements:
            if not (aggregates_only and file.folder == "metrics" and statement.is_table):
                before = "CREATE OR REPLACE MACRO"
                con.execute(statement.text.replace(before, f"CREATE OR REPLACE {kind}"))


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

    Columns, all text: ``name`` as in results (``@k`` where a cut-off goes), ``family``, ``macro``
    its name in SQL, ``summary``, ``formula``, ``parameters`` with their defaults and meaning, a
    line each, ``range``, ``empty`` the value when the query has nothing relevant, ``over_queries``
    how a run's figure comes from its queries' (mean or sum), ``aliases`` that are understood, too,
    ``agrees`` the tools that give the same figures with their names for it, a line each,
    ``differs`` what goes by the same name and is not the same, ``source``.

    >>> metrics().row(by_predicate=pl.col("macro") == "rr", named=True)["name"]
    'RR, RR@k'
    """
    return pl.DataFrame(
        {
            "name": ", ".join(metric.names),
            "family": metric.family,
            "macro": metric.macro,
            "summary": metric.file.summary,
            "formula": metric.file.header["formula"],
            "parameters": "\n".join(
                f"{p.name} = {quote(p.default)}: {p.meaning}" for p in metric.parameters.values()
            ),
            "range": metric.file.header["range"],
            "empty": metric.file.header["empty"],
            "over_queries": metric.summary,
            "aliases": _write_spellings(metric.aliases),
            "agrees": "\n".join(
                f"{tool}: {_write_spellings(spellings)}" for tool, spellings in metric.tools.items()
            ),
            "differs": metric.file.header.get("differs", ""),
            "source": metric.file.header["source"],
        }
        for metric in all_metrics()
    )


def _write_spellings(spellings: Iterable[Spelling]) -> str:
    """``map, map_cut_k, gm_map (over='geometric')``."""
    return ", ".join(
        re.sub(r"[{}]", "", spelling.text)
        + (f" ({write_arguments(spelling.arguments)})" if spelling.arguments else "")
        for spelling in spellings
    )
