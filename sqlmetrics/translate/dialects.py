"""Dialects: writes the plain SQL of `expand` for each engine, and refuses what it cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache

from sqlglot import exp
from sqlglot.errors import OptimizeError, SqlglotError, UnsupportedError

from ..catalogue import INPUTS, SqlFile, files, find_file, quote
from ..catalogue.measures import Measure
from ..catalogue.summaries import read_percentile, takes_weight, write_summary
from ..engine.session import Request
from ..errors import InputError, MetricError, refuse, require_one_of
from ..inputs.columns import (
    IDS,
    KINDS,
    LOG,
    NAMES,
    Kind,
    find_order,
    find_reversed,
    quote_name,
)
from ..inputs.data import name_some
from ..macros.create import list_needs, list_refused, match_checks
from ..macros.statements import Segments, build, define, list_ties
from .expand import Macros, PlainQuery, list_macros, parse, read_arguments, read_body, write_tables
from .features import Engine, find_engine
from .prune import DIALECT
from .simplify import Tree
from .writer import RESERVED, name_plainly, write


def write_plain(
    request: Request,
    dialect: str,
    tables: Mapping[str, str] | None = None,
    columns: Mapping[str, str] | None = None,
    *,
    mean: bool = False,
    style: str | None = None,
) -> str:
    """The SELECT of all metrics, which are of one kind, in a dialect, without macros.

    With ``mean``, segments or a weight it has a row per run, or per run and segment, instead of one
    per query. ``tables`` are the names of the tables by their parameters, where they have others;
    segments and weights are columns of ``topics``, those of clicks of the log. Raises `InputError`
    for an unknown dialect or an invalid name, `MetricError` for a metric that the engine cannot
    compute.
    """
    engine = find_engine(dialect)
    require_one_of("names", style or "snake", ("snake",))
    wanted = request.metrics
    kind = wanted[0].metric.kind
    names = _read_names(columns)
    require_possible(request, dialect)
    own = {name: name for name in (*INPUTS, "exclude")}
    keys, segments = {}, None
    if kind == "clicks":
        keys = {read_column(column, engine).name: column for column in request.segments}
        segments = Segments(columns=(*keys,))

    def write_metrics(asked: Sequence[Measure], *, summarized: bool = False) -> str:
        defined, is_one = define(own, request.conventions), not names.get("run_id")
        statement = build(asked, *defined, segments=segments, is_one_run=is_one)
        if summarized:
            statement = _summarize(statement, request, dialect, names)
        query = _plan(parse(statement), dialect, names, own | dict(tables or {}), keys)
        if engine.plain_names or style:
            taken = ["run_id", "query_id", *request.topic_columns]
            name_plainly(query.tree, [each.name for each in asked], taken, snake=bool(style))
        return write(query, engine)

    about = _ABOUT_LOG if kind == "clicks" else _ABOUT_RUN
    if kind != "clicks" and names.get("run_id"):
        about = _ABOUT_RUNS
    if any(measure.metric.is_by_subtopic for measure in wanted) and not names.get("subtopic"):
        about += _ABOUT_SUBTOPIC
    summarized = kind != "clicks" and (mean or bool(request.topic_columns))
    with naming_unable(wanted, write_metrics, dialect):
        return f"-- {about}\n{write_metrics(wanted, summarized=summarized)}"


def require_possible(request: Request, dialect: str) -> None:
    """Raise `InputError` for conventions that an engine cannot follow."""
    engine = find_engine(dialect)
    if "input" in list_ties(request.metrics, request.conventions) and not engine.is_duckdb:
        raise InputError(f"rows of a table in {dialect} have no order; use other ties than 'input'")
    if request.conventions.score_type == "float32" and not engine.has_float32:
        raise InputError(f"{dialect} has no 32-bit numbers, which score_type='float32' needs")


@contextmanager
def naming_unable(
    wanted: Sequence[Measure], write_query: Callable[[Sequence[Measure]], str], dialect: str
) -> Iterator[None]:
    """Where metrics cannot be written, raise `MetricError` for the first that cannot be alone."""
    try:
        yield
    except MetricError:
        for measure in wanted:
            try:
                write_query([measure])
            except MetricError as problem:
                name = measure.name
                raise MetricError(f"{name} cannot be computed by {dialect}: {problem}") from None
        raise


def translate(query: str, dialect: str, columns: Mapping[str, str] | None = None) -> str:
    """A SELECT over our macros, in a dialect, without macros.

    Raises `InputError` for what cannot be read, `MetricError` for what the engine cannot compute.
    """
    engine = find_engine(dialect)
    try:
        tree = parse(query)
    except RecursionError:
        raise InputError("the query cannot be read: it is nested too deeply") from None
    except SqlglotError as error:
        said = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"the query cannot be read: {said}") from None
    # runs that the SELECT does not name are one list; checks name ids in a CAST
    own = {c.name for c in tree.find_all(exp.Column) if not isinstance(c.parent, exp.Cast)}
    names = {each: each for each in own & {"run_id"}} | _read_names(columns)
    try:
        return write(_plan(tree, dialect, names), engine)
    except (UnsupportedError, MetricError) as error:
        raise MetricError(f"{dialect} cannot compute this: {error}") from None
    except OptimizeError as error:
        hint = "list the columns of a table: WITH t AS (SELECT a, b FROM lab.t)"
        raise MetricError(f"this cannot be written as plain SQL ({error}); {hint}") from None


def _plan(
    tree: Tree,
    dialect: str,
    names: Mapping[str, str],
    tables: Mapping[str, str] | None = None,
    keys: Mapping[str, str] | None = None,
) -> PlainQuery:
    """The plain query of a SELECT over our macros; changes the tree.

    ``names`` are the columns of its tables by ours, ``tables`` the tables by their names in it, and
    ``keys`` other columns of a log.
    """
    known, engine, tables = list_macros(dialect), find_engine(dialect), tables or {}
    write_tables(tree)
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    called: list[tuple[exp.Anonymous, SqlFile]] = []
    for call in tree.find_all(exp.Anonymous):
        if found := known.find(call):
            call.set("this", found.name)
            read_arguments(call, found.statement.parameters)
            called.append((call, find_file(call.name)))
    ties = (each.expression for each in tree.find_all(exp.PropertyEQ) if each.name == "ties")
    if any(each.name == "rank" for each in ties):
        names = {"rank": "rank", "score": "score"} | dict(names)
    inputs: dict[str, Tree] = {}

    def name_input(parameter: str, table: str, file: SqlFile | None = None) -> str:
        kind = KINDS[parameter]
        wanted = choose_read(kind, names) | dict(keys or {} if kind is LOG else {})
        needed = [*list_needs(file).get(parameter, ())] if file else []
        needed += ["team"] if parameter == "pages" and "rank_a" not in names else []
        wanted |= {name: names.get(name, name) for name in needed if " or " not in name}
        if table == "NULL":  # one that may be missing
            types = {column: "TEXT" if column in IDS else "DOUBLE" for column in wanted}
            listed = (f"CAST(NULL AS {held}) AS {column}" for column, held in types.items())
            rows = exp.select(*listed).where("FALSE")
        else:
            rows = name_columns(tables.get(table, table), wanted, engine)
        same = [name for name, known in inputs.items() if known == rows]
        name = same[0] if same else f"_given_{len(inputs) + 1}"
        inputs[name] = rows
        return name

    for call, file in called:
        if not isinstance(call.parent, exp.Table):
            continue
        is_table = (KINDS.keys() & {*file.inputs}).__contains__
        for parameter, given in zip(file.parameters, call.expressions, strict=False):
            if not is_table(parameter) or isinstance(given, exp.PropertyEQ) or given.name in own:
                continue
            table = given.name if isinstance(given, exp.Literal) else given.sql(DIALECT)
            given.replace(exp.column(name_input(parameter, table, file)))
    for table in list(tree.find_all(exp.Table)):
        if table.name in tables and table.name not in own:
            is_known = table.name in KINDS.keys() - {"topics"}  # whose other columns are read, too
            new = read_table(tables[table.name], engine)
            new = exp.to_table(name_input(table.name, table.name)) if is_known else new
            new.set("alias", table.args.get("alias"))
            table.replace(new)
    said = "call a macro in FROM, as in FROM ndcg(qrels, run, k := 10), or name only a metric"
    refuse({said: not any(isinstance(call.parent, exp.Table) for call, _ in called)})
    _spell_out(tree, known)
    return PlainQuery(tree, inputs, dialect)


def write_checks(
    asked: Iterable[tuple[SqlFile, Mapping[str, str], Mapping[str, str]]],
    dialect: str,
    columns: Mapping[str, str] | None = None,
) -> str:
    """The SELECT of what relations refuse of tables, and of what is noted of these.

    Each relation comes with the names of its tables and its options, as SQL. Raises `MetricError`
    for a check that the engine cannot make.
    """
    calls: dict[str, SqlFile] = {}
    unable: list[str] = []
    for relation, tables, options in asked:
        noted = [
            name
            for name, file in files()["checks"].items()
            if "noted" in file.header and {*file.inputs} <= {*relation.inputs}
        ]
        for check, inputs in match_checks([*list_refused(relation), *noted], relation.inputs):
            if not {*inputs} <= tables.keys():
                if {*inputs} <= KINDS.keys() & {*relation.inputs} and check.name not in noted:
                    raise InputError(
                        f"{relation.name}: checks need the name of a table for "
                        f"{name_some([*inputs])}, such as {inputs[0]} or 'lab.{inputs[0]}'"
                    )
                continue
            given = [quote(tables[name]) for name in inputs]
            known = {
                name: value
                for name, value in {**relation.parameters, **options}.items()
                if value and value != "NULL"  # which says that the data decides
            }
            call = check.call(given, known)
            with suppress(MetricError) if check.name in noted else nullcontext():
                translate(f"SELECT * FROM {call}", dialect, columns)
                calls[call] = check
            unable += [] if call in calls else [check.name]
    if not calls:
        raise InputError("nothing to check: name metrics, or a SELECT that reads tables")
    found = {call: read_body(check.statement).named_selects for call, check in calls.items()}
    wanted = ("run_id", "query_id", "doc_id", "page_id")
    ids = [name for name in wanted if any(name in columns for columns in found.values())]
    selects = []
    for call, check in calls.items():
        values = (f"c.{name}" if name in found[call] else "NULL" for name in ids)
        listed = (
            f"CAST({value} AS VARCHAR) AS {name}" for value, name in zip(values, ids, strict=True)
        )
        row = ", ".join([f"{quote(check.name)} AS check_name", *listed, "c.problem AS problem"])
        selects.append(f"SELECT {row} FROM {call} AS c")
    about = "Problems of the tables, a row each: without any, the scores can be trusted."
    if unable:
        others = ", ".join(sorted({*unable}))
        about += f"\n-- Not looked for here, but by sqlmetrics check: {others}."
    return f"-- {about}\n{translate(' UNION ALL '.join(selects), dialect, columns)}"


def _spell_out(tree: Tree, macros: Macros) -> None:
    """Name each column, and list those of GROUP BY ALL and ORDER BY ALL; changes the tree."""
    for select in tree.find_all(exp.Select):
        for place, each in enumerate(select.selects):
            if not each.alias and not isinstance(each, exp.Column | exp.Star):
                each.replace(exp.alias_(each.copy(), f"_col_{place}"))
        group, order = select.args.get("group"), select.args.get("order")
        groups_all = group is not None and group.args.get("all")
        orders_all = order is not None and order.expressions[0].this.sql().upper() == "ALL"
        if (groups_all or orders_all) and select.is_star:
            raise InputError("GROUP BY ALL and ORDER BY ALL need the names of columns, not *")
        if groups_all:
            keys = [each.unalias().copy() for each in select.selects]
            keys = [key for key in keys if not any(macros.list_aggregates(key))]
            select.set("group", exp.Group(expressions=keys) if keys else None)
        if orders_all:
            (ordered,) = order.expressions
            listed = [ordered.copy() for _ in select.selects]
            for each, column in zip(listed, select.selects, strict=True):
                each.set("this", exp.column(column.alias) if column.alias else column.copy())
            order.set("expressions", listed)


def choose_read(kind: Kind, names: Mapping[str, str]) -> dict[str, str]:
    """The columns of a table of a kind, by our names: those that it needs, and others by name."""
    needed = [*kind.columns, *(kind.optional if kind is LOG else ())]
    if kind.prefix == "scores":
        needed = ["run_id", "metric", "query_id", "score"]
    others = names.keys() & {*kind.optional, *_list_read(kind)}
    needed = [name for name in needed if name != "score" or not find_order(names, kind)]
    return {name: names.get(name, name) for name in [*needed, *sorted(others - {*needed})]}


@cache
def _list_read(kind: Kind) -> frozenset[str]:
    """The columns that macros look for in a table of a kind."""
    bodies = (file.statement.body for each in files().values() for file in each.values())
    called = (call for body in bodies for call in _WITH_COLUMNS.finditer(body))
    found = (call[2] for call in called if KINDS.get(call[1]) is kind)
    return frozenset(name for listed in found for name in re.findall(r"'(\w+)'", listed))


_WITH_COLUMNS = re.compile(r"with_columns\(\s*(\w+),\s*\{(.*?)\}", re.DOTALL)


# Assumptions about the input, which a SELECT alone cannot check.
_ABOUT_RUN = "For one run, with each document once per query; for several runs, name the run_id."
_ABOUT_RUNS = "For runs with each document once per query."
_ABOUT_LOG = "For a log with each document shown once per page, and clicked 1 or 0."
_ABOUT_SUBTOPIC = " For judgments without subtopics; if they have any, name the subtopic."


def _read_names(columns: Mapping[str, str] | None) -> dict[str, str]:
    for ours, theirs in (columns or {}).items():
        if ours not in NAMES and not any(ours in _list_read(kind) for kind in KINDS.values()):
            raise InputError(f"columns= has unknown key {ours!r}; known: {', '.join(NAMES)}")
        if not isinstance(theirs, str) or not theirs:
            raise InputError(f"columns= must give a column name for {ours}, not {theirs!r}")
        if ours == "score" and (order := find_reversed(theirs)):
            raise InputError(
                f"plain SQL puts the largest score first; name the {order} in place of the score: "
                f"columns={{'{order}': '{theirs}'}} or --columns {order}={theirs}"
            )
    return dict(columns or {})


def _summarize(statement: str, request: Request, dialect: str, names: Mapping[str, str]) -> str:
    """The SELECT of the scores of runs, or of their segments, from those of their queries."""
    engine = find_engine(dialect)
    others = {name: read_column(name, engine).sql(DIALECT) for name in request.topic_columns}
    keys = ["s.run_id", *(f"t.{others[name]}" for name in request.segments)]
    weight = f"t.{others[request.weight]}" if request.weight else None
    summaries = []
    for measure in request.metrics:
        way, x = measure.summary, f"s.{quote_name(measure.name)}"
        share = 50 if way == "median" else read_percentile(way)
        written = f"deviation_of({x})" if way == "std" else write_summary(x, way, weight)
        if share is not None:
            written = f"percentile_of({x}, {share})"
        if written is None or (weight and not takes_weight(way)):
            said = "with a weight" if weight else "in SQL"
            raise MetricError(f"{measure.name}: aggregate='{way}' is not supported {said}")
        summaries.append(f"{written} AS {quote_name(measure.name)}")
    query = f"SELECT {', '.join([*keys, *summaries])} FROM _scores AS s"
    if others:
        query_id = read_column(names.get("query_id", "query_id"), engine).sql(DIALECT)
        columns = [f"CAST(t.{query_id} AS VARCHAR) COLLATE C AS query_id"]
        columns += (f"t.{name}" for name in others.values())
        topics = f"SELECT DISTINCT {', '.join(columns)} FROM topics AS t"
        query += f" LEFT JOIN ({topics}) AS t ON s.query_id = t.query_id"
    order = ", ".join(f"{key} ASC" for key in keys)
    return f"WITH _scores AS ({statement}) {query} GROUP BY {', '.join(keys)} ORDER BY {order}"


def read_table(name: str, engine: Engine) -> exp.Table:
    """A table's name as the engine writes it, such as ``schema.run``; for DuckDB also a file.

    In dbt it is that of a model, or of a source and a table in it.
    """
    if engine.is_dbt:
        parts = name.split(".")
        if len(parts) > 2 or not all(re.fullmatch(r"[A-Za-z_]\w*", part) for part in parts):
            raise InputError(
                f"invalid table name {name!r}; for dbt, name a model or seed, such as runs, or a "
                "source and its table, such as raw.runs"
            )
        call = "ref" if len(parts) == 1 else "source"
        named = ", ".join(f"'{part}'" for part in parts)
        return exp.Table(this=exp.to_identifier(f"{{{{ {call}({named}) }}}}", quoted=False))
    is_file = bool(_FILE.search(name)) and not re.search("[\"'`]", name)
    table = None if is_file else _parse_name(_parse_table, name, engine.dialect)
    if isinstance(table, exp.Table) and all(map(_is_word, table.parts)):
        return table
    if engine.dialect == "duckdb":
        return exp.Table(this=exp.to_identifier(name, quoted=True))
    hint = "load the file into a table" if is_file else "quote names that are not plain words"
    raise InputError(f"invalid table name {name!r}; {hint}")


_FILE = re.compile(r"/|\.(csv|tsv|txt|json|jsonl|ndjson|parquet|gz)$", re.IGNORECASE)


def _is_word(part: Tree) -> bool:
    """Whether a part of a name is quoted or a word; BigQuery's projects have hyphens."""
    if not isinstance(part, exp.Identifier):
        return False
    return bool(part.args.get("quoted") or re.fullmatch(r"[^\W\d][\w$-]*", part.name))


def read_column(name: str, engine: Engine) -> Tree:
    """A column's name as the engine writes it; a plain word in quotes could be another name."""
    if re.fullmatch(r"[A-Za-z_]\w*", name) and name.lower() not in RESERVED.split():
        return exp.to_identifier(name)
    column = _parse_name(exp.to_column, name, engine.dialect)
    is_bare = isinstance(column, exp.Column) and not column.table
    is_quoted = is_bare and column.this.args.get("quoted")
    return column.this if is_quoted else exp.to_identifier(name, quoted=True)


def _parse_table(name: str, dialect: str) -> Tree:
    table = exp.to_table(name, dialect=dialect)
    exp.parse_identifier(table.name, dialect="duckdb")  # as sqlglot does when it names the rows
    return table


def _parse_name(parse_as: Callable[..., Tree], name: str, dialect: str) -> Tree:
    """A name as a dialect has it; None if it is none, or a comment in it would be dropped."""
    try:
        tree = parse_as(name, dialect=dialect)
    except (SqlglotError, ValueError, TypeError):
        return None
    return None if any(node.comments for node in tree.walk()) else tree


def name_columns(table: str, columns: Mapping[str, str | None], engine: Engine) -> exp.Select:
    """The query of a table's columns by our names; a column that is None becomes NULL."""
    named = [
        exp.alias_(exp.column(read_column(theirs, engine)) if theirs else exp.Null(), ours)
        for ours, theirs in columns.items()
    ]
    return exp.Select(expressions=named).from_(read_table(table, engine))
