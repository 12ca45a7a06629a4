"""The user's own metrics: a file like those of the package, or a macro on a connection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from os import PathLike
from pathlib import Path

import duckdb

from . import catalogue
from .catalogue import Metric, SqlFile, all_metrics
from .catalogue.conventions import Conventions
from .catalogue.measures import Measure
from .catalogue.parsing import parse
from .errors import InputError, MetricError
from .inputs.connection import require_connection
from .macros.create import bare, create_bare_macros, list_definitions
from .macros.statements import build

_REQUIRED = ("name", "relation")


def add_metric(path: str | PathLike[str]) -> None:
    """Add your own metric, for use in all functions; `remove_metric` removes it.

    ``path`` is an SQL file like those of the package: a line that describes the metric, header
    lines ``-- key: value`` (``name`` and ``relation``, and for each parameter what it is limited to
    and its meaning, such as ``k: 1 or more; cut-off rank``), and the aggregate over the rows ``j``
    of the relation: ``CREATE OR REPLACE MACRO my_metric(j, k BIGINT := NULL) AS …``, named like the
    file. It may call the metrics and functions of the package. It replaces a file of the same name
    that was added before.

    Raises `MetricError`, with file and line, if the file cannot be read or computed, or if a metric
    of the package has the same name.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "found.sql"
    >>> _ = path.write_text('''-- Whether anything relevant was retrieved.
    ... -- name: Found
    ... -- relation: judged(rel)
    ... CREATE OR REPLACE MACRO found(j) AS ratio(tp(j, NULL), tp(j, NULL));
    ... ''')
    >>> add_metric(path)
    >>> from sqlmetrics import evaluate
    >>> evaluate({"q": {"a": 1}}, {"q": {"a": 0.5}}, "Found").mean.rows()
    [('run', 1.0)]
    >>> remove_metric("found")
    """
    if not isinstance(path, str | PathLike):
        raise InputError(f"path must be the name of a file, not {path!r}")
    file = SqlFile("metrics", Path(path))
    try:
        metric = _check(file)
    except OSError as error:
        raise MetricError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise MetricError(f"{path} is not UTF-8 text") from None
    except (ValueError, KeyError) as problem:
        said = str(problem.args[0]) if problem.args else "not a metric"
        raise MetricError(said if said.startswith(str(path)) else f"{path}: {said}") from None
    _require_free_names(metric)
    _try(file, metric)
    catalogue.add(file)


def remove_metric(name: str) -> None:
    """Remove a metric that `add_metric` added, by the name of its file without ``.sql``.

    Raises `MetricError` if no metric of this name was added.
    """
    if name not in catalogue.list_added():
        raise MetricError(f"No metric named '{name}' was added")
    catalogue.remove(name)


def _check(file: SqlFile) -> Metric:
    """The metric in a file; raises ValueError if something in it is missing or unknown."""
    if not file.text.startswith("-- "):
        raise ValueError("the first line must describe the metric: -- The share of …")
    statements = file.statements
    if len(statements) != 1 or statements[0].is_table or statements[0].inputs != ["j"]:
        raise ValueError("expected one statement: CREATE OR REPLACE MACRO name(j, …) AS …")
    if statements[0].macro != file.path.stem:
        raise ValueError(f"the macro {statements[0].macro} and the file must have the same name")
    if missing := [key for key in _REQUIRED if key not in file.header]:
        raise ValueError(f"the header has no line '{missing[0]}'")
    metric = Metric(file)
    if metric.relation not in catalogue.files()["relations"]:
        raise ValueError(f"no relation named {metric.relation}")
    for name in file.parameters:
        if name != "j" and name not in file.header:
            raise ValueError(f"the header has no line for the parameter {name}")
    _ = metric.parameters, metric.names, metric.aliases, metric.tools
    return metric


def _require_free_names(metric: Metric) -> None:
    own = {name.partition("@")[0].lower() for name in (*metric.names, metric.macro)}
    for other in all_metrics():
        if catalogue.is_own(other.file) and other.macro == metric.macro:
            continue
        taken = {name.partition("@")[0].lower() for name in (*other.names, other.macro)}
        taken.update(alias.text.lower() for alias in other.aliases)
        for name in sorted(own & taken):
            raise MetricError(f"{metric.file.path}: the name '{name}' is taken by {other.names[0]}")


def _try(file: SqlFile, metric: Metric) -> None:
    """Raise `MetricError` for SQL that cannot be bound over the rows of its relation."""
    with duckdb.connect() as con:
        for table, column in (("qrels", "relevance"), ("run", "score")):
            ids = "'' AS query_id, '' AS doc_id"
            con.execute(f"CREATE TEMP TABLE {table} AS SELECT {ids}, 1 AS {column} LIMIT 0")
        try:
            create_bare_macros(con, list_definitions([metric]))
            statement = build([Measure(metric)], Conventions(), tables=("qrels", "run"))
            con.execute(f"EXPLAIN {bare(statement, [metric.macro])}")
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
