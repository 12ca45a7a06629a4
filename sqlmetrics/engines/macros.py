"""Macros: creates them from the SQL files, on a connection or as a script.

A file contains a formula and trusts its rows. The macros that users call are derived from it: an
aggregate that refuses rows that are not one whole ranking, a relation that refuses what the checks
find, both with the rules of their parameters, and a query over judgments and a run for each metric.
`evaluate` runs all these checks itself, and uses the files unchanged, under names of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

import duckdb

from ..catalogue import (
    Metric,
    SqlFile,
    all_metrics,
    files,
    find,
    find_variants,
    list_relations,
    quote,
    remember,
)
from ..catalogue.rules import Rule
from ..errors import InputError

# The prefixes of macros that users do not call; `evaluate` calls those with the second.
_HELPER, _BARE = "_sqlmetrics_", "_sqlmetrics_bare_"
# The end of the comment on our macros, which identifies them.
_MARK = "[sqlmetrics]"

# Returns the name by which to call a macro.
Names = Callable[[str], str]


def needed_files(
    metrics: Iterable[Metric] | None = None,
    *,
    strategy: str = "sorting",
    expected: bool = False,
    curve: SqlFile | None = None,
) -> list[SqlFile]:
    """The files that define ``metrics`` or their expected scores, callees before callers.

    Includes the checks that must pass, and everything that these and the notes on a run need.
    Without metrics: all files except the other strategies.
    """
    if metrics is None:
        return sort_files(_callable().values(), strategy)
    relations = {"query_coverage"}
    wanted = []
    for metric in metrics:
        relations.update(list_relations(metric.relation))
        wanted.append(metric.file)
        if expected:
            wanted.append(find("expected", f"expected_{metric.macro}"))
    wanted += (find("relations", name) for name in sorted(relations))
    wanted += (f for f in files()["checks"].values() if f.header["severity"] == "error")
    wanted += [curve] if curve else []
    return sort_files(wanted, strategy)


def sort_files(wanted: Iterable[SqlFile], strategy: str = "sorting") -> list[SqlFile]:
    """The files and all that they need, callees before callers, as DuckDB must create them."""
    return _sort(wanted, _list_needed, find("strategies", strategy), {})


def _sort(
    wanted: Iterable[SqlFile],
    list_needed: Callable[[SqlFile], Iterable[str]],
    strategy: SqlFile,
    variants: Mapping[str, SqlFile],
) -> list[SqlFile]:
    known = {**_callable(), "ranked": strategy}
    listed: dict[SqlFile, None] = {}

    def add(file: SqlFile) -> None:
        taken = variants.get(file.path.stem, file)
        if taken not in listed:
            for name in sorted(list_needed(taken)):
                add(known[name])
            listed[taken] = None

    for file in wanted:
        add(file)
    return list(listed)


@remember
def _callable() -> dict[str, SqlFile]:
    """The file of each macro except ``ranked``, which every strategy defines."""
    found = (each for folder, each in files().items() if folder != "strategies")
    return {name: file for each in found for name, file in each.items()}


@remember
def list_calls(file: SqlFile) -> frozenset[str]:
    """The macros that a file calls."""
    calls = {name for s in file.statements for name in re.findall(r"\b(\w+)\(", s.body)}
    return frozenset(calls & {*_callable(), "ranked"})


def _list_refused(file: SqlFile) -> list[str]:
    """The checks whose findings a relation refuses."""
    return [name for name in file.header.get("refuses", "").split(", ") if name]


def _list_needed(file: SqlFile) -> frozenset[str]:
    """What the macros for users need from other files: refusals, and the relations of a metric."""
    needed = list_calls(file).union(_list_refused(file))
    if file.folder in ("metrics", "expected"):
        needed |= {"ranking_problem"}
    return needed.union(list_relations(Metric(file).relation) if file.folder == "metrics" else ())


def create_bare_macros(con: duckdb.DuckDBPyConnection, files: Iterable[SqlFile]) -> None:
    """Create temporary macros of unchanged files, under the names that `bare` gives them.

    If a metric is a macro of the connection, rows of relations are marked, since it may call macros
    that `install` created.
    """
    files = [*files]
    is_marked = any(file.folder == "connection" for file in files)
    for file in _take_variants(file for file in files if file.folder != "connection"):
        name, body = file.path.stem, bare(file.statements[0].body)
        if is_marked and file.folder == "relations" and _is_public(name):
            body = _mark_rows(name, f"FROM (\n    {_indent(body)}\n) AS _c")
        _create_bare(con, file, body)


def _take_variants(wanted: Iterable[SqlFile]) -> list[SqlFile]:
    """The files that `evaluate` uses instead of these, with the functions that they call."""
    wanted = [*wanted]
    variants = {file.path.stem: file for file in find_variants("evaluate")}
    strategies = (file for file in wanted if file.folder == "strategies")
    callers = [file for file in wanted if file.folder != "functions"]
    return _sort(
        callers or wanted, list_calls, next(strategies, find("strategies", "sorting")), variants
    )


def take_any_gain(con: duckdb.DuckDBPyConnection) -> None:
    """Let sums use numbers of any size, after one was too large for the fast way."""
    for file in sort_files([find("functions", "total")]):
        _create_bare(con, file, bare(file.statements[0].body))


def _create_bare(con: duckdb.DuckDBPyConnection, file: SqlFile, body: str) -> None:
    (statement,) = file.statements
    head = _sign(_BARE + statement.macro, statement.parameters)
    text = f"{head} AS {'TABLE ' * statement.is_table}{body}"
    con.execute(text.replace("CREATE", "CREATE OR REPLACE TEMP", 1))


def bare(statement: str, also: Iterable[str] = ()) -> str:
    """The statement with calls of the macros of `create_bare_macros`, ``also`` of other metrics."""
    return _rename_calls(statement, lambda name: _BARE + name, also)


@contextmanager
def dropping_bare_macros(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Drop what `create_bare_macros` creates within the context."""
    query = """
        SELECT DISTINCT function_name, function_type = 'table_macro' FROM duckdb_functions()
        WHERE database_name = 'temp' AND starts_with(function_name, ?)
    """
    try:
        yield
    finally:
        with suppress(duckdb.Error):  # in a transaction of the user that an error has ended
            for name, is_table in con.execute(query, [_BARE]).fetchall():
                con.execute(f"DROP MACRO {'TABLE ' * is_table}temp.{name}")


def install(
    con: duckdb.DuckDBPyConnection, *, schema: str | None = None, temporary: bool = False
) -> None:
    """Create all macros on a DuckDB connection; `uninstall` removes them.

    They stay in the database, and in its file if it has one. ``schema`` is created if it does not
    exist; call its macros as ``lab.ndcg(j)``, ``FROM lab.judged(…)``. ``temporary`` macros vanish
    with the connection, need no write permission, and are not visible to ``con.cursor()``. Macros
    of an earlier installation are replaced, others never. Macros that are not for users have names
    that begin with ``_sqlmetrics_``.

    Raises `InputError` if a macro that is not ours has one of our names.

    >>> import duckdb
    >>> con = duckdb.connect()
    >>> install(con)
    >>> ids = "SELECT 'q' AS query_id, 'd' AS doc_id"
    >>> _ = con.execute(f"CREATE TABLE qrels AS {ids}, 1 AS relevance")
    >>> _ = con.execute(f"CREATE TABLE run AS {ids}, 0.5 AS score")
    >>> con.execute("FROM rr(qrels, run)").fetchall()
    [('run', 'q', 1.0)]
    """
    if temporary and schema is not None:
        raise InputError("temporary macros cannot have a schema; use only one of both options")
    files = needed_files()
    try:
        for statement in _list_statements(files, schema, temporary=temporary):
            con.execute(statement)
    except duckdb.InvalidInputException as error:
        raise InputError(str(error).partition(": ")[2]) from None


def uninstall(con: duckdb.DuckDBPyConnection, *, schema: str | None = None) -> None:
    """Drop all macros that `install` created, or those of one schema.

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
        WHERE NOT internal AND ends_with(comment, ?) AND schema_name = coalesce(?, schema_name)
    """
    for *names, is_table in con.execute(query, [_MARK, schema]).fetchall():
        name = ".".join(map(_quote_name, names))
        con.execute(f"DROP MACRO {'TABLE ' * is_table}IF EXISTS {name}")


def write_script(files: Iterable[SqlFile], schema: str | None = None) -> str:
    """The macros as one script, which stops if it would replace a macro that is not ours."""
    statements = _list_statements(files, schema, temporary=False)
    return "\n\n".join(f"{statement};" for statement in statements) + "\n"


def write_removal(schema: str | None = None) -> str:
    """A script that removes what `write_script` creates, and stops at macros that are not ours."""
    files = needed_files()
    drops = dict.fromkeys(
        f"DROP MACRO {'TABLE ' * is_table}IF EXISTS {_qualify(schema)}{name};"
        for name, is_table in _list_names(files)
    )
    others = _refuse_others(files, schema, "drop the macros of sqlmetrics one by one")
    return "\n".join([f"{others};", *drops]) + "\n"


def call_installed(statement: str, schema: str | None = None) -> str:
    """The statement with calls of the macros of `install` or `write_script`."""

    def call(name: str) -> str:
        return _qualify(schema) + (name if _is_public(name) else _HELPER + name)

    return _rename_calls(statement, call)


def _list_statements(
    wanted: Iterable[SqlFile], schema: str | None, *, temporary: bool
) -> Iterator[str]:
    """The statements that create the macros and comment on them."""
    wanted = list(wanted)
    if schema is not None:
        yield f"CREATE SCHEMA IF NOT EXISTS {_quote_name(schema)}"
    advice = "install into another schema" if schema else "install into a schema"
    yield _refuse_others(wanted, schema, advice, temporary=temporary)
    before = _qualify(schema)
    how = "CREATE OR REPLACE TEMP MACRO" if temporary else "CREATE OR REPLACE MACRO"

    def call_inner(name: str) -> str:
        return f"{before}{_HELPER}{name}"

    def call_outer(name: str) -> str:
        return f"{before}{name}" if _is_public(name) else call_inner(name)

    advice = ""
    if all_of_it := {*_list_asked()} <= {*wanted}:
        advice = f". FROM {before}{_CHECK_INPUT}(qrels, run) lists all problems"
    for file in wanted:
        (statement,) = file.statements
        name, kind = statement.macro, "TABLE " * statement.is_table
        written = []
        # curves use relations that refuse bad input
        calls = call_outer if file.folder == "curves" else call_inner
        head = _sign(call_inner(name), statement.parameters)
        written.append((head, kind, _rename_calls(statement.body, calls)))
        if _is_public(name):
            if statement.is_table:
                parameters, body = _write_table(file, call_inner, advice)
            else:
                parameters, body = _write_aggregate(file, call_inner)
            written.append((_sign(call_outer(name), parameters), kind, body))
        if file.folder == "metrics":
            parameters, body = write_query(Metric(file))
            head = _sign(call_outer(name), parameters)
            written.append((head, "TABLE ", _rename_calls(body, call_outer)))
        for head, kind, body in written:
            yield from _create(how, head, kind, body, _describe(file, is_table=bool(kind)))
    if all_of_it:
        parameters, body = _write_check_input(call_inner)
        head = _sign(f"{before}{_CHECK_INPUT}", parameters)
        about = "Problems in judgments and runs: a row for each check that finds any."
        yield from _create(how, head, "TABLE ", body, f"{about} {_MARK}")


def _create(how: str, head: str, kind: str, body: str, about: str) -> Iterator[str]:
    """The statements that create a macro and comment on it."""
    yield f"{head} AS {kind}\n{body}".replace("CREATE MACRO", how, 1)
    name = head.removeprefix("CREATE MACRO ").partition("(")[0]
    yield f"COMMENT ON MACRO {kind}{name} IS {quote(about)}"


def _describe(file: SqlFile, *, is_table: bool) -> str:
    rows = ""
    if file.folder == "metrics" and not is_table:
        rows = f" Rows from: {show_relation(Metric(file).relation)}."
    return f"{file.summary}{rows} {_MARK}"


def show_relation(relation: str) -> str:
    """A relation with what it is built on: ``cascade(judged)``."""
    inputs = find("relations", relation).statements[0].inputs
    return f"{relation}({', '.join(inputs)})"


def _refuse_others(
    wanted: Iterable[SqlFile], schema: str | None, advice: str, *, temporary: bool = False
) -> str:
    """A query that fails if a macro that is not ours has one of these names."""
    names = sorted({name for name, _ in _list_names(wanted)})
    listed = ", ".join(map(quote, names))
    place = "current_schema()" if schema is None else quote(schema)
    where = (
        ""
        if temporary
        else f"\n    AND database_name = current_database() AND schema_name = {place}"
    )
    # a SELECT would print an empty table in a shell
    return f"""\
SET VARIABLE _sqlmetrics = (SELECT error(concat(
    'the database already has other macros with these names: ',
    string_agg(DISTINCT function_name, ', ' ORDER BY function_name ASC), '; {advice}'
))
FROM duckdb_functions()
WHERE
    NOT internal AND coalesce(NOT ends_with(comment, {quote(_MARK)}), TRUE){where}
    AND function_name IN ({listed})
HAVING count(*) > 0)"""


def _list_names(wanted: Iterable[SqlFile]) -> Iterator[tuple[str, bool]]:
    """The macros that are created from files, and whether they are table macros."""
    for file in wanted:
        (statement,) = file.statements
        yield _HELPER + statement.macro, statement.is_table
        if _is_public(statement.macro):
            yield statement.macro, statement.is_table
        if file.folder == "metrics":
            yield statement.macro, True
    yield _CHECK_INPUT, True


@remember
def _list_public() -> frozenset[str]:
    """The macros that users call: metrics, the relations that they aggregate, curves, checks."""
    folders = ("metrics", "curves", "expected", "checks")
    names = {name for folder in folders for name in files()[folder]}
    return frozenset(names.union(*(list_relations(metric.relation) for metric in all_metrics())))


def _is_public(name: str) -> bool:
    return name in _list_public()


def _qualify(schema: str | None) -> str:
    return "" if schema is None else f"{_quote_name(schema)}."


def _quote_name(name: str) -> str:
    return name if re.fullmatch(r"[a-z_]\w*", name) else '"' + name.replace('"', '""') + '"'


def _sign(name: str, parameters: Mapping[str, str | None]) -> str:
    """``CREATE MACRO name(a, b := 1)``."""
    listed = [p if default is None else f"{p} := {default}" for p, default in parameters.items()]
    head = f"CREATE MACRO {name}({', '.join(listed)})"
    if len(head) <= 100:
        return head
    return f"CREATE MACRO {name}(\n    " + ",\n    ".join(listed) + "\n)"


def _rename_calls(text: str, names: Names, also: Iterable[str] = ()) -> str:
    """The text with other names for our macros that it calls."""
    known = {*_callable(), "ranked", *also}
    return _CALL.sub(lambda m: names(m[1]) if m[1] in known else m[0], text)


# An unqualified word before a bracket, outside quotes and comments.
_CALL = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|(?<![\w."])(\w+)(?=\()""")


def write_query(metric: Metric) -> tuple[dict[str, str | None], str]:
    """The query of a metric over judgments and a run: its parameters and its text."""
    parameters = dict(metric.aggregate.parameters)
    own = [name for name in parameters if name != "j"]
    del parameters["j"]
    queries: dict[str, str] = {}

    def call(relation: str) -> str:
        statement = find("relations", relation).statements[0]
        inputs = []
        for each in statement.inputs:
            if each in ("qrels", "run"):
                inputs.append(each)
            else:
                below = call(each)
                queries[f"_{each}"] = f"SELECT * FROM {below}"
                inputs.append(f"_{each}")
        given = {p: d for p, d in statement.parameters.items() if d is not None}
        for name, default in given.items():
            parameters.setdefault(name, default)
        return f"{relation}({', '.join([*inputs, *(f'{p} := {p}' for p in given)])})"

    source = call(metric.relation)
    before = ",\n".join(f"    {name} AS ({query})" for name, query in queries.items())
    score = f"{metric.macro}({', '.join(['j', *(f'{p} := {p}' for p in own)])})"
    query = (
        f"{f'WITH{chr(10)}{before}{chr(10)}' if before else ''}"
        f"SELECT j.run_id, j.query_id, {score} AS {metric.macro}\n"
        f"FROM {source} AS j\n"
        "GROUP BY j.run_id, j.query_id"
    )
    return {"qrels": None, "run": None, **parameters}, query


# The parameters of a macro with their defaults, and its body.
Written = tuple[dict[str, str | None], str]


def _write_aggregate(file: SqlFile, names: Names) -> Written:
    """The aggregate of a metric for users: with refusals."""
    (statement,) = file.statements
    parameters = dict(statement.parameters)
    refusals = _refuse_arguments(file)
    metric = Metric(find("metrics", statement.macro.removeprefix("expected_")))
    pooled = "FALSE"
    if metric.can_pool:
        parameters["pooled"], pooled = "FALSE", "pooled"
        refusals.append(_refuse_argument(statement.macro, "pooled", _TRUTH))
    rows = f'j."{_name_rows(metric.relation)}"'
    said = f"{quote(statement.macro)}, {rows}, j.run_id, j.query_id, {pooled}, {metric.can_pool}"
    problem = f"{names('ranking_problem')}({said})"
    refusals.append(f"WHEN {problem} IS NOT NULL\n    THEN error({problem})")
    call = f"{names(statement.macro)}({', '.join(_pass_on(file))})"
    return parameters, _write_case(refusals, call)


def _write_table(file: SqlFile, names: Names, advice: str) -> Written:
    """A relation, check or curve for users: the rows of its macro, with refusals.

    The tables have queries of their own at the top: within other queries, DuckDB would mistake the
    bare name of a table for a column of that name.
    """
    (statement,) = file.statements
    name, inputs = statement.macro, _name_inputs(statement.macro, statement.inputs)
    query = f"FROM {names(name)}({', '.join(_pass_on(file, inputs))}) AS _c"
    if file.folder == "relations":
        refusals = _refuse_arguments(file)
        conditions = [_write_case(refusals, "TRUE")] if refusals else []
        if checks := _list_refused(file):
            conditions.append(_refuse_found(checks, inputs, names, advice))
        where = "\nWHERE\n    " + "\n    AND ".join(map(_indent, conditions)) if conditions else ""
        query = _mark_rows(name, f"{query}{where}")
    return statement.parameters, _name_tables(inputs) + query


def _name_inputs(macro: str, inputs: Iterable[str]) -> dict[str, str]:
    """The names of the queries for the tables that a table macro is given."""
    return {each: f"_{macro}_{each}" for each in inputs}


def _name_tables(inputs: Mapping[str, str]) -> str:
    named = (
        f"    {name} AS NOT MATERIALIZED (SELECT * FROM query_table({each}))"
        for each, name in inputs.items()
    )
    return "WITH\n" + ",\n".join(named) + "\n"


def _mark_rows(relation: str, rows: str) -> str:
    """The rows ``_c`` of a relation with the column by which metrics recognise them."""
    return (
        "SELECT\n    _c.*,\n"
        "    CASE\n"
        "        WHEN row_number() OVER (PARTITION BY _c.run_id, _c.query_id) = 1\n"
        "            THEN count(*) OVER (PARTITION BY _c.run_id, _c.query_id)\n"
        f'        ELSE 0\n    END AS "{_name_rows(relation)}"\n'
        f"{rows}"
    )


def _name_rows(relation: str) -> str:
    """The column that only rows of a relation have: their number, in one row of each ranking.

    DuckDB refuses a metric over other rows, and names this column.
    """
    return f"rows from {relation}"


def _pass_on(file: SqlFile, inputs: Mapping[str, str] | None = None) -> Iterator[str]:
    """The arguments with which a macro calls one of the same parameters, cast to their types."""
    for name, default in file.statements[0].parameters.items():
        if default is None:
            yield (inputs or {}).get(name, name)
            continue
        parameter = file.read_parameter(name, default)
        kind = _TYPES.get(parameter.rule.kind) if parameter else None
        yield f"{name} := TRY_CAST({name} AS {kind})" if kind else f"{name} := {name}"


# Types of values that must reach the rule's refusal, rather than one by DuckDB.
_TYPES = {"whole": "BIGINT", "map": "MAP(DOUBLE, DOUBLE)", "truth": "BOOLEAN"}
_TRUTH = Rule("TRUE or FALSE", "truth")


def _refuse_arguments(file: SqlFile) -> list[str]:
    """The branches that refuse arguments that break the rule of their parameter."""
    (statement,) = file.statements
    found = (file.read_parameter(name, d) for name, d in statement.parameters.items() if d)
    return [_refuse_argument(statement.macro, each.name, each.rule) for each in found if each]


def _refuse_argument(macro: str, name: str, rule: Rule) -> str:
    mark = f"CASE WHEN typeof({name}) = 'VARCHAR' THEN chr(39) END"
    given = f"{mark}, coalesce(CAST({name} AS VARCHAR), 'NULL'), {mark}"
    said = quote(f"{macro}: {name} must be {rule}, not ".replace("{", "MAP {"))
    return f"WHEN NOT ({rule.write_condition(name)})\n    THEN error(concat({said}, {given}))"


def _write_case(refusals: Iterable[str], body: str) -> str:
    branches = "\n".join(refusals)
    return f"CASE\n    {_indent(branches)}\n    ELSE\n        {_indent(_indent(body))}\nEND"


def _refuse_found(
    checks: Iterable[str], inputs: Mapping[str, str], names: Names, advice: str
) -> str:
    """A condition that fails if a check finds a row, or if a table has no rows."""
    found = [
        f"SELECT '{each}: the table has no rows' AS message\n"
        f"WHERE NOT EXISTS (SELECT 1 FROM {table})"
        for each, table in inputs.items()
    ]
    for check in (find("checks", name) for name in checks):
        asked = check.statements[0].inputs
        said = [
            quote(f"{' and '.join(asked)}: "),
            *_write_example(check),
            quote(f"; {check.header['remedy']}{advice}"),
        ]
        found.append(
            f"SELECT concat({', '.join(said)}) AS message\n"
            f"FROM (SELECT * FROM {_ask(check, inputs, names)} LIMIT 1) AS _f"
        )
    united = "\nUNION ALL\n".join(f"({each})" for each in found)
    return (
        "(\n    SELECT CAST(error(_e.message) AS BOOLEAN)\n"
        f"    FROM (\n{united}\nLIMIT 1\n) AS _e\n) IS NULL"
    )


def _ask(check: SqlFile, inputs: Mapping[str, str], names: Names) -> str:
    """The call of a check with its tables."""
    parameters = check.statements[0].parameters
    given = (inputs[p] if default is None else f"{p} := {p}" for p, default in parameters.items())
    return f"{names(check.path.stem)}({', '.join(given)})"


def _write_example(check: SqlFile) -> list[str]:
    """The parts of a check's message about a row ``_f`` that it found."""
    pieces = []
    for text, name, form in re.findall(r"([^{]*)(?:{(\w+):?([^}]*)})?", check.header["says"]):
        value = f"_f.{name}"
        if form.endswith("%"):
            value = f"format('{{:{form[:-1]}f}}%', 100e0 * {value})"
        elif form:
            value = f"format('{{:{form}}}', {value})"
        pieces += [quote(text)] * bool(text)
        pieces += [f"coalesce(CAST({value} AS VARCHAR), 'NULL')"] * bool(name)
    if "returns subtopic" in check.header:
        pieces.append("' and subtopic ' || _f.subtopic")
    if check.statements[0].inputs == ["run"]:  # a run without run_id has no name
        pieces.append("' in run ' || nullif(_f.run_id, 'run')")
    return pieces


# The macro that runs all checks of judgments and runs.
_CHECK_INPUT = "check_input"


def _list_asked() -> list[SqlFile]:
    """The checks that need only judgments and a run."""
    checks = files()["checks"].values()
    return [each for each in checks if {*each.statements[0].inputs} <= {"qrels", "run"}]


def _write_check_input(names: Names) -> Written:
    """The rows of all checks that need only judgments and a run, errors first."""
    parameters: dict[str, str | None] = {"qrels": None, "run": None}
    inputs = _name_inputs(_CHECK_INPUT, parameters)
    found = []
    for check in _list_asked():
        own = check.statements[0].parameters
        parameters |= {name: default for name, default in own.items() if default is not None}
        asked, tables = check.statements[0].inputs, inputs
        if len(asked) > 1:  # runs are scored with one judgment per document
            tables = {**inputs, "qrels": _ONCE}
        found.append(
            f"SELECT\n    {quote(check.header['severity'])} AS severity,\n"
            f'    {quote(check.path.stem)} AS "check",\n'
            f"    {quote(asked[0] if len(asked) == 1 else '')} AS input,\n"
            f"    any_value(_f._number) AS number,\n"
            f"    {quote(check.summary)} AS meaning,\n"
            f"    string_agg(\n        concat({', '.join(_write_example(check))}),\n"
            "        chr(10) ORDER BY _f._place ASC\n    ) AS examples\n"
            "FROM (\n    SELECT *, row_number() OVER () AS _place FROM (\n"
            "        SELECT *, count(*) OVER () AS _number\n"
            f"        FROM {_ask(check, tables, names)}\n"
            "        ORDER BY ALL LIMIT 3\n    ) AS _t\n) AS _f\nHAVING count(*) > 0"
        )
    once = f",\n    {_ONCE} AS (SELECT * FROM {names('judgments_once')}({inputs['qrels']}))\n"
    united = "\nUNION ALL\n".join(found)
    named = _name_tables(inputs).rstrip() + once
    some = _refuse_found([], inputs, names, "")
    return parameters, (
        f"{named}SELECT * FROM (\n{united}\n) AS _a\nWHERE {some}\n"
        'ORDER BY severity ASC, starts_with("check", \'unusable\') DESC, "check" ASC'
    )


_ONCE = "_check_input_once"


def _indent(text: str) -> str:
    return text.replace("\n", "\n    ")
