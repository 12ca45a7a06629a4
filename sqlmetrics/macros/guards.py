"""Guards: what users call, with refusals, derived from the files.

They call macros by the names of their files, as these do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..catalogue import Metric, SqlFile, files, find_file, macros, quote
from ..catalogue.rules import Rule
from .create import (
    READER,
    Macro,
    find_relation,
    indent,
    list_calls,
    list_needs,
    list_parameters,
    list_refused,
    mark_rows,
    match_checks,
    name_rows,
)


def write_aggregate(file: SqlFile) -> Macro:
    """An aggregate for users: with refusals.

    The header of its relation says which columns a group has in common, which ones are different in
    each row, and which one counts the rows that must be there.
    """
    macro, rows = quote(file.name), file.inputs[0]
    related = find_file(find_relation(file))
    listed = [*list_parameters(file.parameters)]
    guards, pooled = _guard_arguments(file), "FALSE"
    is_metric = file.folder in ("metrics", "expected")
    can_pool = is_metric and Metric(find_file(file.name.removeprefix("expected_"))).can_pool
    if can_pool:
        listed.append("pooled := FALSE")
        pooled = "pooled"
        guards.append(_guard(file.name, pooled, Rule("BOOLEAN")))
    problems = [*_list_problems(related.header, macro, rows)]
    if counted := _find_count(file, related):
        problems.append(f"page_problem({macro}, {rows}.{counted}, {rows}.page_id)")
    if _is_ranking(related):
        marked = f'{rows}."{name_rows(related.name)}"'
        said = f"{macro}, {marked}, {rows}.run_id, {rows}.query_id, {pooled}, {quote(can_pool)}"
        problems.append(f"ranking_problem({said})")
    guards += (f"must_hold({problem})" for problem in problems)
    about = file.summary
    if file.folder == "metrics":
        about += f" Rows from: {show_relation(related.name)}."
    body = _write_case(guards, _call(file, file.inputs))
    return Macro(file.name, (*listed,), is_table=False, body=body, about=about)


def _find_count(file: SqlFile, related: SqlFile) -> str | None:
    """The column that counts pages, whose rows must all be there, where an aggregate needs it."""
    counted = related.header.get("pages")
    if counted or "log" not in related.inputs:
        return counted
    called = map(find_file, list_calls(file))
    has_count = "page_rows" in file.statement.body
    return "page_rows" if has_count or any(_find_count(each, related) for each in called) else None


def show_relation(relation: str) -> str:
    """A relation with what it is built on: ``cascade(judged)``."""
    inputs = find_file(relation).inputs
    return f"{relation}({', '.join(inputs)})"


def _list_problems(relation: Mapping[str, str], macro: str, rows: str) -> Iterator[str]:
    """What may be wrong with a group of rows of a relation, by its header."""
    groups = [column for column in relation.get("groups", "").split(", ") if column]
    for column in groups:
        # most tables have no segments
        by = [f"{rows}.{each}" for each in groups if each != "segment" or column == "segment"]
        advice = quote(f"; use GROUP BY {', '.join(by)}")
        what = quote(_name_several(column))
        yield f"mixed_group({macro}, {what}, {rows}.{column}, {advice})"
    if once := relation.get("once"):
        said = f"{macro}, {quote(once.removesuffix('_id'))}, {rows}.{once}"
        yield f"repeated_row({said})"
    if number := relation.get("all"):
        what = number.removeprefix("num_")
        yield f"left_out_rows({macro}, {quote(what)}, {rows}.{number})"


def _is_ranking(relation: SqlFile) -> bool:
    """Whether the rows of a relation are those of whole rankings, and marked."""
    if relation.folder == "relations" and not relation.is_analysis:
        is_other = "once" in relation.header or "log" in relation.inputs
        return "rows" in relation.header or not is_other
    return relation.header.get("groups") == "run_id, query_id"


def _name_several(column: str) -> str:
    """What a column with several values has: runs, queries."""
    name = column.removesuffix("_id")
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def write_table(file: SqlFile, advice: str, *, checks_tables: bool) -> Macro:
    """A relation, check or analysis for users: the rows of its macro, with refusals.

    The tables have queries of their own at the top: within other queries, DuckDB would mistake the
    bare name of a table for a column of that name.
    """
    inputs = _name_inputs(file.name, file.inputs)
    query = f"FROM {_call(file, inputs.values())} AS _c"
    is_relation, guards = file.folder != "checks", []
    checks = list_refused(file) if is_relation else []
    optional = [each for each in inputs if file.is_analysis and file.is_optional(each)]
    filled = [each for each in inputs if checks and each not in optional]
    found = [*_find_problems(inputs, list_needs(file), filled)] if checks_tables else []
    if is_relation:
        guards += _guard_arguments(file)
        guards += (g for each in inputs.items() for g in _refuse_partial(file.name, *each))
        if checks_tables:
            own = advice if file.folder == "relations" or file.is_analysis else ""
            found += _find_refused(checks, inputs, own, file.parameters)
    if found:
        guards.append(_refuse(found))
    if guards:
        query += "\nWHERE\n    " + "\n    AND ".join(map(indent, guards))
    if is_relation and _is_ranking(file):
        query = mark_rows(file.name, query)
    body = _name_tables(inputs, file.name if is_relation else "") + query
    return Macro(file.name, list_parameters(file.parameters), True, body, file.summary)


def _name_inputs(macro: str, inputs: Iterable[str]) -> dict[str, str]:
    """The names of the queries for the tables that a table macro is given."""
    return {each: f"_{macro}_{each}" for each in inputs}


def _name_tables(inputs: Mapping[str, str], macro: str = "") -> str:
    """The queries of tables; where one lacks a column of a relation, DuckDB names ``macro``."""
    named = []
    for each, name in inputs.items():
        query = f"SELECT * FROM query({READER}({each}))"
        if columns := _list_marks(each) if macro else []:
            listed = ", ".join(f'"{macro}"."{column}"' for column in columns)
            query += f' AS "{macro}" WHERE row({listed}) IS NOT NULL'
        named.append(f"    {name} AS NOT MATERIALIZED ({query})")
    return "WITH\n" + ",\n".join(named) + "\n"


# What a value of another type is, until its guard refuses it: DuckDB types a body before it runs.
_CASTS = {
    "BIGINT": "TRY_CAST({} AS BIGINT)",
    "BOOLEAN": "TRY_CAST({} AS BOOLEAN)",
    "VARCHAR": "CAST({} AS VARCHAR)",
    "MAP(DOUBLE,DOUBLE)": "TRY_CAST(CAST({} AS VARCHAR) AS MAP (DOUBLE, DOUBLE))",
}


def _call(file: SqlFile, inputs: Iterable[str]) -> str:
    """The call of the macro of a file with some tables, and its own parameters."""
    types = file.statement.types
    given = {name: _CASTS.get(types.get(name, ""), "{}").format(name) for name in file.parameters}
    return file.call(inputs, given)


def _guard_arguments(file: SqlFile) -> list[str]:
    """The calls that refuse arguments that break the rule of their parameter."""
    guards = (_guard(file.name, name, each.rule) for name, each in file.options.items())
    return list(filter(None, guards))


def _guard(macro: str, name: str, rule: Rule) -> str:
    if not (fits := rule.write_condition(name)):
        return ""
    said = f"{quote(f'{macro}: {name}')}, {quote(str(rule).replace('{', 'MAP {'))}, {name}"
    return f"must_be({said}, {fits})"


def _write_case(guards: Iterable[str], body: str) -> str:
    conditions = "\n        AND ".join(map(indent, guards))
    if not conditions:
        return body
    return f"CASE\n    WHEN\n        {conditions}\n    THEN\n        {indent(body)}\nEND"


def _refuse(found: Iterable[str]) -> str:
    """A condition that fails if a query finds a problem."""
    united = "\nUNION ALL\n".join(f"({each})" for each in found)
    return f"must_hold((\n    {indent(united)}\n    LIMIT 1\n))"


def _find_problems(
    inputs: Mapping[str, str], needs: Mapping[str, Mapping[str, str]], filled: Collection[str]
) -> Iterator[str]:
    """A query that finds tables without columns that they need, or if they are ``filled``, rows."""
    asked = []
    for each, table in inputs.items():
        columns = needs.get(each, {})
        if columns or each in filled:
            called = next(iter(columns.values()), each)
            listed = ", ".join(map(quote, columns))
            empty = quote(f"{each}: the table has no rows") if each in filled else "NULL"
            given = f"({table}, {quote(called)}, [{listed}], {empty})"
            asked.append(f"SELECT * FROM table_problem{given}")
    if asked:
        named = "string_agg(_p.problem, chr(10) ORDER BY _p.problem ASC) AS problem"
        yield f"SELECT {named} FROM ({' UNION ALL '.join(asked)}) AS _p HAVING count(*) > 0"


def _find_refused(
    checks: Iterable[str],
    inputs: Mapping[str, str],
    advice: str,
    options: Collection[str],
) -> Iterator[str]:
    """Queries that find what checks find; ``options`` are those that these may be passed."""
    same = {name: name for name in options}
    for check, tables in match_checks(checks, inputs):
        place = quote(f"{' and '.join(tables)}: ")
        remedy = quote(f"; {check.header['remedy']}{advice}")
        given = map(inputs.__getitem__, tables)
        yield (
            f"SELECT concat({place}, _f.problem, {remedy}) AS problem\n"
            f"FROM (SELECT * FROM {check.call(given, same)} LIMIT 1) AS _f"
        )


def _refuse_partial(macro: str, relation: str, table: str) -> Iterator[str]:
    """A condition that fails if the rows of a relation, which another takes, are not whole.

    What is not a relation's name is a table of the user's, of any rows.
    """
    if (found := _find_relation(relation)) is None:
        return
    once = found.header.get("once", "")
    if _is_ranking(found):
        keys, row = ["query_id", "run_id"], "row"
        marks = f'_r."{name_rows(relation)}"'
        partial = f"sum({marks}) <> count(*) OR count(CASE WHEN {marks} > 0 THEN 1 END) <> 1"
    elif once:
        keys = found.list_names("groups")
        row = once.removesuffix("_id")
        partial = f"count(*) <> count(DISTINCT _r.{once})"
    else:
        return
    named = [
        f"' of {key.removesuffix('_id')} ' || CAST(_r.{key} AS VARCHAR)" for key in keys
    ]  # NULL, and so left out, for rows without segments
    said = [quote(f"{macro}: {relation} must have each {row}"), *named, quote(_PARTIAL)]
    grouped = f"\nGROUP BY {', '.join(f'_r.{key}' for key in keys)}" if keys else ""
    yield (
        f"must_hold((\n    SELECT concat({', '.join(said)})\n"
        f"    FROM {table} AS _r{grouped}\n    HAVING {partial}\n    LIMIT 1\n))"
    )


def _find_relation(name: str) -> SqlFile | None:
    found = macros().get(name)
    return found if found and found.path.parent.name == "relations" else None


def _list_marks(relation: str) -> list[str]:
    """Columns by which the rows of a relation are recognised; none for a table of the user's."""
    if (found := _find_relation(relation)) is None:
        return []
    return [name_rows(relation)] if _is_ranking(found) else found.list_names("groups")


_PARTIAL = " exactly once; a WHERE, a JOIN or a UNION has left out or repeated rows"


# The macros that run all checks of some inputs, and these.
CHECKS = {"check_input": ("qrels", "run"), "check_log": ("log",)}


def list_checks_within(macro: str) -> list[SqlFile]:
    """The checks that one of `CHECKS` runs."""
    checks = files()["checks"].values()
    return [each for each in checks if {*each.inputs} <= {*CHECKS[macro]}]


def show_checks(relation: SqlFile) -> str:
    """How to call the macro that runs the checks of a relation's inputs."""
    macro = "check_log" if "log" in relation.inputs else "check_input"
    return f"{macro}({', '.join(CHECKS[macro])})"


def write_checks(macro: str) -> Macro:
    """The rows that the checks of one of `CHECKS` find, errors first."""
    parameters: dict[str, str | None] = dict.fromkeys(CHECKS[macro])
    inputs = _name_inputs(macro, parameters)
    found: list[str] = []
    needs: dict[str, dict[str, str]] = {}
    for check in list_checks_within(macro):
        for table, columns in list_needs(check).items():
            needs.setdefault(table, {}).update(columns)
        own = check.parameters
        parameters |= {name: default for name, default in own.items() if default is not None}
        asked, tables = check.inputs, inputs
        if len(asked) > 1:  # runs are scored with one judgment per document
            tables = {**inputs, "qrels": _ONCE}
        found.append(
            f"SELECT\n    {quote(check.header['severity'])} AS severity,\n"
            f'    {quote(check.name)} AS "check",\n'
            f"    {quote(asked[0] if len(asked) == 1 else '')} AS input,\n"
            f"    any_value(_f._number) AS number,\n"
            f"    {quote(check.summary)} AS meaning,\n"
            "    string_agg(_f.problem, chr(10) ORDER BY _f._place ASC) AS examples\n"
            "FROM (\n    SELECT *, row_number() OVER () AS _place FROM (\n"
            "        SELECT *, count(*) OVER () AS _number\n"
            f"        FROM {check.call(map(tables.__getitem__, asked), {n: n for n in own})}\n"
            "        ORDER BY ALL LIMIT 3\n    ) AS _t\n) AS _f\nHAVING count(*) > 0"
        )
    united = "\nUNION ALL\n".join(found)
    named = _name_tables(inputs).rstrip()
    if "qrels" in inputs:
        named += f",\n    {_ONCE} AS (SELECT * FROM judgments_once({inputs['qrels']}))"
    some = _refuse(_find_problems(inputs, needs, inputs))
    body = (
        f"{named}\nSELECT * FROM (\n{united}\n) AS _a\nWHERE {some}\n"
        'ORDER BY severity ASC, starts_with("check", \'unusable\') DESC, "check" ASC'
    )
    about = "Problems in the input: a row for each check that finds any."
    return Macro(macro, list_parameters(parameters), True, body, about)


_ONCE = "_check_input_once"
