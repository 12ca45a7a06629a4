"""The user's own SQL: files like those of the package, or a macro on a connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from os import PathLike
from pathlib import Path

import duckdb

from . import catalogue
from .catalogue import Metric, SqlFile, all_metrics
from .catalogue.measures import Measure
from .catalogue.parsing import parse
from .engine.given import find_kind
from .errors import InputError, MetricError
from .inputs.connection import require_connection
from .macros.create import prepare
from .macros.statements import build


def add(path: str | PathLike[str]) -> None:
    """Add your own metric, table macro or check, for use in all functions; `remove` removes it.

    ``path`` is an SQL file like those of the package: a line that describes it, header lines ``--
    key: value``, and the macro, named like the file. It may call the macros of the package. It
    replaces a file of the same name that was added before. What it is follows from the macro:

    - an aggregate over rows ``j`` is a metric: its header has ``name`` and ``relation``;
    - a table macro is an analysis: a function and a command of its name, which read and check its
      tables. A metric may also name it as its relation;
    - a table macro whose header has ``severity`` is a check, which `check` runs, too.

    The header has a line for each parameter, and ``returns doc_id: …`` for each column.

    Raises `MetricError`, with file and line, if the file cannot be read or computed, or if another
    macro or metric has the same name.
    """
    if not isinstance(path, str | PathLike):
        raise InputError(f"path must be the name of a file, not {path!r}")
    try:
        file = _read(Path(path))
    except OSError as error:
        raise MetricError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as problem:
        said = "not UTF-8 text" if isinstance(problem, UnicodeDecodeError) else str(problem)
        raise MetricError(said if said.startswith(str(path)) else f"{path}: {said}") from None
    tables, query = file.inputs, f"FROM {file.name}({', '.join(file.inputs)})"
    if file.folder == "metrics":
        tables = [*Metric(file).tables]
        query = build([Measure(Metric(file))], {name: name for name in tables})
    _try(file, tables, query)
    catalogue.add(file)


def remove(name: str) -> None:
    """Remove what `add` added, by the name of its file without ``.sql``.

    Raises `MetricError` if nothing of this name was added.
    """
    if name not in catalogue.list_added():
        raise MetricError(f"Nothing named '{name}' was added")
    catalogue.remove(name)


def _read(path: Path) -> SqlFile:
    """The file, in the folder of what it is.

    Raises ValueError if it is none of these, and KeyError for what its header lacks.
    """
    file = SqlFile("metrics", path)
    if not file.text.startswith("-- "):
        raise ValueError("the first line must describe the macro: -- The share of …")
    statements = file.statements
    if len(statements) != 1 or not (statements[0].is_table or statements[0].inputs == ["j"]):
        raise ValueError(
            "expected one statement: CREATE OR REPLACE MACRO name(j, …) AS … for a metric, or "
            "CREATE OR REPLACE MACRO name(run, …) AS TABLE … for an analysis"
        )
    if file.statement.macro != path.stem:
        raise ValueError(f"the macro {file.statement.macro} and the file must have the same name")
    other = catalogue.macros().get(path.stem)
    if other and not catalogue.is_own(other) and other.folder != "metrics":
        raise ValueError(f"the name '{path.stem}' is taken by a macro of the package")
    if file.statement.is_table:
        is_check = re.search("^-- severity: ", file.text, re.MULTILINE)
        file = SqlFile("checks" if is_check else "relations", path)
    for name in file.parameters:
        if name != "j":
            file.describe_parameter(name)
        if name not in (*file.inputs, *file.options):
            raise ValueError(f"the parameter '{name}' needs a type, such as BIGINT")
    if file.folder == "metrics":
        _require_metric(Metric(file))
    elif not any(key.startswith("returns ") for key in file.header):
        raise ValueError("the header has no line 'returns column: meaning'")
    elif file.header.get("severity", "error") not in ("error", "warning"):
        raise ValueError(f"severity must be error or warning, not {file.header['severity']}")
    return file


def _require_metric(metric: Metric) -> None:
    """Raise ValueError if something in the header of a metric is unknown, or its name taken."""
    names = {each.text.lower() for each in metric.stems} | {metric.macro}
    if metric.relation not in catalogue.files()["relations"]:
        raise ValueError(f"no relation named {metric.relation}")
    _ = metric.parameters, metric.aliases, metric.tools
    for other in all_metrics():
        if catalogue.is_own(other.file) and other.macro == metric.macro:
            continue
        taken = {each.text.lower() for each in (*other.stems, *other.aliases)} | {other.macro}
        for name in sorted(names & taken):
            raise ValueError(f"the name '{name}' is taken by {other.names[0]}")


def _try(file: SqlFile, tables: Sequence[str], query: str) -> None:
    """Raise `MetricError` for SQL that cannot be bound over tables without rows."""
    kinds = {name: find_kind(name, file) for name in tables}
    with duckdb.connect() as con:
        for name, kind in kinds.items():
            if kind is None:  # a table of the user's own, of any columns
                return
            columns = ", ".join(f"'' AS {each}" for each in (*kind.columns, *kind.optional))
            con.execute(f"CREATE TEMP TABLE {name} AS SELECT {columns} LIMIT 0")
        try:
            with catalogue.knowing([file]):
                con.execute(f"EXPLAIN {prepare(con, query)}")
        except duckdb.Error as error:
            said = str(error).partition("\n")[0]
            raise MetricError(f"{file.path}: {said}") from None


@contextmanager
def knowing_macros(
    con: duckdb.DuckDBPyConnection | None, names: str | Iterable[str]
) -> Iterator[None]:
    """Treat macros on the user's connection as metrics within the context, if their names are used.

    They aggregate rows of judged, unless the macro's comment has ``Rows from: …``.
    """
    files = []
    if con is not None:
        require_connection(con)
        text = names if isinstance(names, str) else " ".join(map(str, names))
        unknown = [word for word in re.findall(r"[A-Za-z_]\w*", text) if not _is_known(word)]
        files = _find_macros(con, unknown)
    with catalogue.knowing(files) if files else nullcontext():
        yield


def _is_known(word: str) -> bool:
    try:
        parse(word)
    except MetricError as problem:
        return not str(problem).startswith("No metric named")
    return True


def _find_macros(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[SqlFile]:
    if not names:
        return []
    query = """
        SELECT DISTINCT function_name, parameters, coalesce(comment, '') AS said
        FROM duckdb_functions()
        WHERE
            function_type = 'macro' AND NOT internal AND parameters[1] = 'j'
            AND function_name IN (SELECT unnest(?))
        ORDER BY ALL
    """
    return [_describe_macro(*row) for row in con.execute(query, [[*names]]).fetchall()]


def _describe_macro(name: str, parameters: Sequence[str], comment: str) -> SqlFile:
    """A file that describes a macro; the formula stays on the connection."""
    relation = re.search(r"rows from:? (\w+)", comment, re.IGNORECASE)
    if relation and relation[1] not in catalogue.files()["relations"]:
        raise MetricError(f"the comment on macro {name}: no relation named {relation[1]}")
    own = parameters[1:]
    lines = [
        "-- A macro of the connection.",
        f"-- name: {name}" + f", {name}@k" * ("k" in own),
        f"-- relation: {relation[1] if relation else 'judged'}",
        *(f"-- {each}: as the macro takes it" for each in own),
        f"CREATE OR REPLACE MACRO {name}(j{''.join(f', {p} ANY := NULL' for p in own)}) AS NULL;",
    ]
    return SqlFile("connection", Path(f"{name}.sql"), "\n".join(lines))
