"""Installation: macros on a connection of the user's, or in a script."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path

import duckdb

from ..catalogue import SqlFile, macros, quote, remember
from ..errors import InputError, read_synonyms, require_truth, suggest
from ..inputs.connection import require_connection
from .create import (
    HELPER,
    MARK,
    Macro,
    create,
    is_public,
    list_parameters,
    rename_calls,
    sort_files,
)
from .guards import (
    CHECKS,
    list_checks_within,
    show_checks,
    write_aggregate,
    write_checks,
    write_table,
)
from .statements import write_own_table


def install(
    con: duckdb.DuckDBPyConnection | str | PathLike[str],
    *,
    schema: str | None = None,
    temporary: bool = False,
) -> None:
    """Create all macros on a DuckDB connection, or in a database file; `uninstall` removes them.

    They stay in the database, and in its file if it has one. A file that does not exist is created;
    ``duckdb metrics.duckdb`` opens it at once, and other databases attach it. ``schema`` is created
    if it does not exist; call its macros as ``lab.ndcg(j)``, ``FROM lab.judged(…)``. ``temporary``
    macros vanish with the connection, need no write permission, and are not visible to
    ``con.cursor()``. Macros of an earlier installation are replaced, others never; all are created
    or none. Macros that are not for users have names that begin with ``_sqlmetrics_``.

    Raises `InputError` if a macro that is not ours has one of our names, or if the file cannot be
    written.

    >>> import duckdb
    >>> con = duckdb.connect()
    >>> install(con)
    >>> ids = "SELECT 'q' AS query_id, 'd' AS doc_id"
    >>> _ = con.execute(f"CREATE TABLE qrels AS {ids}, 1 AS relevance")
    >>> _ = con.execute(f"CREATE TABLE run AS {ids}, 0.5 AS score")
    >>> con.execute("FROM rr(qrels, run)").fetchall()
    [('run', 'q', 1.0)]
    """
    require_truth(temporary=temporary)
    if temporary and schema is not None:
        raise InputError("temporary macros cannot have a schema; use only one of both options")
    files = sort_files()
    try:
        with _open(con) as opened, _in_one_transaction(opened):
            for statement in _list_statements(files, schema, temporary=temporary):
                opened.execute(statement)
    except duckdb.InvalidInputException as error:
        raise InputError(str(error).partition(": ")[2]) from None


def uninstall(
    con: duckdb.DuckDBPyConnection | str | PathLike[str], *, schema: str | None = None
) -> None:
    """Drop all macros that `install` created, or those of one schema.

    Raises `InputError` if the database file does not exist or cannot be written.

    >>> import duckdb
    >>> con = duckdb.connect()
    >>> install(con)
    >>> uninstall(con)
    >>> con.execute("SELECT count(*) FROM duckdb_functions() WHERE NOT internal").fetchall()
    [(0,)]
    """
    query = """
        SELECT DISTINCT database_name, schema_name, function_name, function_type = 'table_macro'
        FROM duckdb_functions()
        WHERE
            NOT internal AND schema_name = coalesce($schema, schema_name)
            AND (ends_with(comment, $mark) OR starts_with(function_name, $helper))
    """
    _require_schema(schema)
    values = {"schema": schema, "mark": MARK, "helper": HELPER}
    with _open(con, is_there=True) as opened, _in_one_transaction(opened):
        for *names, is_table in opened.execute(query, values).fetchall():
            name = ".".join(map(_quote_name, names))
            opened.execute(f"DROP MACRO {'TABLE ' * is_table}IF EXISTS {name}")


@contextmanager
def _open(
    con: duckdb.DuckDBPyConnection | str | PathLike[str], *, is_there: bool = False
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The connection, or one to the file of this name; a new file is there whole or not at all."""
    if not isinstance(con, str | PathLike):
        yield con
        return
    path = new = Path(con)
    options = " (TYPE duckdb)"  # else a table in a file would be a database, too
    try:
        with duckdb.connect() as opened:
            if not path.exists():
                if is_there:
                    raise InputError(f"{path} does not exist")
                new = path.with_name(f".{path.name}.{os.getpid()}")
                options = " (STORAGE_VERSION 'v1.2.0')"  # which DuckDB 1.5 reads, too
            opened.execute(f"ATTACH {quote(str(new))} AS _macros{options}")
            opened.execute("USE _macros")
            yield opened
        if new != path:
            _move(new, path)
    except FileExistsError:
        raise InputError(f"{path} appeared meanwhile, and is left as it is; try again") from None
    except (duckdb.InvalidInputException, InputError):
        raise
    except (duckdb.Error, OSError, ValueError) as error:
        said = str(error).splitlines()[0].replace(str(new), str(path))
        name = str(path) if str(path).isprintable() else repr(str(path))
        raise InputError(f"cannot write {name:.300}: {said:.300}") from None
    finally:
        if new != path:
            for left in (new, new.with_name(f"{new.name}.wal")):
                with suppress(OSError, ValueError):
                    left.unlink()


def _move(new: Path, path: Path) -> None:
    """Give a file its name, and raise `FileExistsError` if that is taken by now."""
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        path.open("xb").close()
        new.replace(path)


@contextmanager
def _in_one_transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit at the end, once, unless there is a transaction of the user's."""
    require_connection(con)
    query = "SELECT txid_current()"  # another one for each statement outside of a transaction
    first, second = (con.execute(query).fetchall() for _ in range(2))
    if first == second:
        yield
        return
    con.begin()
    try:
        yield
    except BaseException:
        con.rollback()
        raise
    con.commit()


def write_script(files: Collection[SqlFile], schema: str | None = None) -> str:
    """The macros as one script, which stops if it would replace a macro that is not ours."""
    statements = _list_statements(files, schema, temporary=False)
    return "\n\n".join(f"{statement};" for statement in statements) + "\n"


def write_removal(schema: str | None = None) -> str:
    """A script that removes what `write_script` creates, and stops at macros that are not ours."""
    _require_schema(schema)
    macros = [*_list_macros(sort_files(), schema)]
    drops = [f"DROP MACRO {m.kind}IF EXISTS {m.name};" for m in macros]
    others = _refuse_others(macros, schema, "drop the macros of sqlmetrics one by one")
    return "\n".join([f"{others};", *drops]) + "\n"


def create_guarded_macros(
    con: duckdb.DuckDBPyConnection,
    files: Iterable[SqlFile],
    checked: Iterable[SqlFile] = (),
    *,
    is_own: bool = True,
) -> None:
    """Create the macros of `install` that some files need, as temporary ones.

    Those of ``checked`` files are only called with tables that have passed their checks. What
    `install` created as temporary macros is used as it is; raises `InputError` for other macros of
    these names.
    """
    macros = _write_guarded(tuple(files), frozenset(checked))
    there = {} if is_own else _list_temporary(con)
    if same := {macro.name for macro in macros} & there.keys():
        for name in same:
            if not (there[name] or name.startswith(HELPER)):
                raise InputError(f"the connection has a temporary macro named {name}; drop it")
        return
    for macro in macros:
        create(con, macro)


def _list_temporary(con: duckdb.DuckDBPyConnection) -> dict[str, bool]:
    """The temporary macros of a connection, and whether users call them as ours."""
    query = f"""
        SELECT function_name, bool_or(coalesce(ends_with(comment, {quote(MARK)}), FALSE))
        FROM duckdb_functions() WHERE database_name = 'temp' AND NOT internal GROUP BY ALL
    """
    return dict(con.execute(query).fetchall())


@remember
def _write_guarded(files: tuple[SqlFile, ...], checked: frozenset[SqlFile]) -> list[Macro]:
    return [*_list_macros(sort_files(files), None, checked)]


def call_installed(statement: str, schema: str | None = None) -> str:
    """The statement with calls of the macros of `install` or `write_script`."""

    def call(name: str) -> str:
        return _qualify(schema) + (name if is_public(name) else HELPER + name)

    return rename_calls(statement, call)


def _list_statements(
    wanted: Collection[SqlFile], schema: str | None, *, temporary: bool
) -> Iterator[str]:
    """The statements that create the macros and comment on them."""
    yield _REFUSE_OLD
    _require_schema(schema)
    if schema is not None:
        yield f"CREATE SCHEMA IF NOT EXISTS {_quote_name(schema)}"
    advice = "install into another schema" if schema else "install into a schema"
    macros = [*_list_macros(wanted, schema)]
    yield _refuse_others(macros, schema, advice, temporary=temporary)
    for macro in macros:
        yield macro.write(temporary=temporary)
        if macro.about:
            about = quote(f"{macro.about} {MARK}")
            yield f"COMMENT ON MACRO {macro.kind}{macro.name} IS {about}"


def _list_macros(
    wanted: Collection[SqlFile], schema: str | None, checked: Collection[SqlFile] = ()
) -> Iterator[Macro]:
    """The macros that files become; those of ``checked`` files do not check their tables.

    Each is there without refusals, for the others. What users call refuses what is wrong.
    """
    import sqlmetrics  # which knows its version

    before = _qualify(schema)

    def place(macro: Macro) -> Macro:
        body = rename_calls(macro.body, lambda name: f"{before}{HELPER}{name}")
        return replace(macro, name=f"{before}{macro.name}", body=body)

    complete = [macro for macro in CHECKS if {*list_checks_within(macro)} <= {*wanted}]
    for file in wanted:
        statement, listed = file.statement, list_parameters(file.parameters)
        yield place(Macro(f"{HELPER}{file.name}", listed, statement.is_table, statement.body))
        if is_public(file.name) and statement.is_table:
            advice = show_checks(file)
            is_there = advice.partition("(")[0] in complete and "exact" not in file.header
            advice = f". FROM {before}{advice} lists all problems" if is_there else ""
            yield place(write_table(file, advice, checks_tables=file not in checked))
        elif is_public(file.name):
            yield place(write_aggregate(file))
        if written := write_own_table(file):
            parameters, body = list_parameters(written[0]), call_installed(written[1], schema)
            yield Macro(f"{before}{file.name}", parameters, True, body, file.summary)
    about = "The version of sqlmetrics that these macros are of."
    yield Macro(f"{before}sqlmetrics_version", (), False, quote(sqlmetrics.__version__), about)
    yield from map(place, map(write_checks, complete))
    if len(complete) == len(CHECKS):  # all macros, not those of some metrics
        yield from map(place, _list_refusals())


def _list_refusals() -> Iterator[Macro]:
    """Macros with names of other tools, which say what to write instead."""
    anything = tuple(f"{name} := NULL" for name in ("qrels", "run", "k", "rel", "baseline"))
    for row in (*read_synonyms("macro"), *read_synonyms("table macro")):
        for name in dict.fromkeys(row["there"].lower().split()):
            said = f"no macro named {name}; {suggest(row['kind'], name, macros(), str)}"
            refusal = f"error({quote(said)})"
            listed = f"NULL AS {name}, NULL AS run_id, NULL AS query_id"
            yield Macro(name, anything, True, f"SELECT {listed} WHERE {refusal} IS NULL", said)
            if row["kind"] == "macro":  # others have the name of a function of DuckDB
                yield Macro(name, anything, False, refusal, said)


# An older version creates macros that call functions it lacks.
_REFUSE_OLD = """\
SET VARIABLE _sqlmetrics = (
    SELECT error(concat('sqlmetrics needs DuckDB 1.5 or later; this is ', ltrim(version(), 'v')))
    WHERE regexp_matches(version(), '^v(0|1[.][0-4])[.]')
)"""


def _refuse_others(
    macros: Iterable[Macro], schema: str | None, advice: str, *, temporary: bool = False
) -> str:
    """A query that fails if a macro that is not ours has one of these names."""
    names = {macro.name.rpartition(".")[2] for macro in macros if macro.about}
    listed = ", ".join(map(quote, sorted(names)))
    place = "current_schema()" if schema is None else quote(schema)
    there = f"\n    AND database_name = current_database() AND schema_name = {place}"
    where = "" if temporary else there
    # a SELECT would print an empty table in a shell
    return f"""\
SET VARIABLE _sqlmetrics = (SELECT error(concat(
    'the database already has other macros with these names: ',
    string_agg(DISTINCT function_name, ', ' ORDER BY function_name ASC), '; {advice}'
))
FROM duckdb_functions()
WHERE
    NOT internal AND coalesce(NOT ends_with(comment, {quote(MARK)}), TRUE){where}
    AND function_name IN ({listed})
HAVING count(*) > 0)"""


def _qualify(schema: str | None) -> str:
    return "" if schema is None else f"{_quote_name(schema)}."


def _require_schema(schema: object) -> None:
    if schema is not None and not (isinstance(schema, str) and re.fullmatch(_SCHEMA, schema)):
        raise InputError(f"schema must be a name of letters, digits, _ and -, not {schema!r}")


_SCHEMA = r"\w[\w -]*"


def _quote_name(name: str) -> str:
    return name if re.fullmatch(r"[a-z_]\w*", name) else '"' + name.replace('"', '""') + '"'
