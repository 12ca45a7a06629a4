"""Dialects: writes the plain SQL of `plain` for each engine, and refuses what it cannot do."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..catalogue.summaries import write_summary
from ..errors import InputError, MetricError
from ..inputs.columns import NAMES, QRELS, RUN, quote_name
from .features import Engine, find_engine
from .plain import RANGE_SUM, PlainQuery, Tree, evaluate_constant, insert_number
from .statements import build, list_ties

# The names of the inputs until the names of the user's tables replace them.
GIVEN_QRELS, GIVEN_RUN, GIVEN_TOPICS = "_given_qrels", "_given_run", "_given_topics"


@dataclass(frozen=True)
class Summary:
    """A row per run, or per run and segment, instead of one per query.

    ``topics`` is the table of queries with the columns of ``segments`` and ``weight``.
    """

    segments: tuple[str, ...] = ()
    weight: str | None = None
    topics: str | None = None


def write_plain(
    wanted: Sequence[Measure],
    conventions: Conventions,
    dialect: str,
    tables: tuple[str, str] = ("qrels", "run"),
    columns: Mapping[str, str] | None = None,
    summary: Summary | None = None,
) -> str:
    """The SELECT of all metrics over two tables, in a dialect, without macros.

    Raises `InputError` for an unknown dialect or an invalid name, `MetricError` for a metric that
    the engine cannot compute.
    """
    engine = find_engine(dialect)
    names: dict[str, str | None] = {n: n for n in ("query_id", "doc_id", "relevance", "score")}
    names |= _read_names({} if columns is None else columns)
    qrels, run = tables
    of_qrels = {name: names[name] for name in QRELS.columns}
    by_subtopic = any(measure.metric.is_by_subtopic for measure in wanted)
    if by_subtopic:
        of_qrels["subtopic"] = names.get("subtopic")
    of_run = {"run_id": names.get("run_id"), **{name: names[name] for name in RUN.columns}}
    of_run["rank"] = names.get("rank", "rank") if "rank" in list_ties(wanted, conventions) else None
    inputs = {
        GIVEN_QRELS: name_columns(qrels, of_qrels, engine),
        GIVEN_RUN: cast_scores(name_columns(run, of_run, engine), conventions, dialect),
    }
    if summary and (summary.segments or summary.weight):
        of_topics: dict[str, str | None] = {"query_id": names["query_id"]}
        asked = (name for name in (*summary.segments, summary.weight) if name)
        of_topics |= {read_column(name, engine).name: name for name in asked}
        inputs[GIVEN_TOPICS] = name_columns(summary.topics or qrels, of_topics, engine)
    query = make_query(wanted, conventions, dialect, inputs, summary)
    if engine.plain_names:
        words = _write_words([measure.name for measure in wanted])
        for identifier in query.tree.find_all(exp.Identifier):
            if identifier.quoted and identifier.name in words:
                identifier.set("this", words[identifier.name])
    about = _ABOUT_RUNS if names.get("run_id") else _ABOUT_RUN
    if by_subtopic and not names.get("subtopic"):
        about += _ABOUT_SUBTOPIC
    try:
        return f"-- {about}\n{write(query, engine)}"
    except MetricError:
        require_engine(wanted, conventions, dialect)
        raise


# Assumptions about the input, which a SELECT alone cannot check.
_ABOUT_RUN = "For one run, with each document once per query; for several runs, name the run_id."
_ABOUT_RUNS = "For runs with each document once per query."
_ABOUT_SUBTOPIC = " For judgments without subtopics; if they have any, name the subtopic."


def require_engine(wanted: Iterable[Measure], conventions: Conventions, dialect: str) -> None:
    """Raise `MetricError` for the first metric that an engine cannot compute."""
    engine = find_engine(dialect)
    of_qrels, of_run = (*QRELS.columns, "subtopic"), ("run_id", *RUN.columns, "rank")
    inputs = {
        GIVEN_QRELS: name_columns("qrels", dict.fromkeys(of_qrels, "x"), engine),
        GIVEN_RUN: name_columns("run", dict.fromkeys(of_run, "x"), engine),
    }
    for measure in wanted:
        try:
            write(make_query([measure], conventions, dialect, inputs), engine)
        except MetricError as problem:
            name = measure.name
            raise MetricError(f"{name} cannot be computed by {dialect}: {problem}") from None


def make_query(
    wanted: Sequence[Measure],
    conventions: Conventions,
    dialect: str,
    inputs: Mapping[str, Tree],
    summary: Summary | None = None,
) -> PlainQuery:
    """The query of all metrics over ``inputs``: judgments, a run, and the topics of a summary."""
    if "input" in list_ties(wanted, conventions) and dialect != "duckdb":
        raise InputError(f"rows of a table in {dialect} have no order; use other ties than 'input'")
    statement = build(wanted, conventions, {}, (GIVEN_QRELS, GIVEN_RUN))
    if summary:
        statement = _summarize(statement, wanted, summary, dialect)
    return PlainQuery(statement, inputs, dialect)


def cast_scores(run: Tree, conventions: Conventions, dialect: str) -> Tree:
    """The query of a run, with scores as the conventions compare them."""
    if conventions.score_type != "float32":
        return run
    if not find_engine(dialect).has_float32:
        raise InputError(f"{dialect} has no 32-bit numbers, which score_type='float32' needs")
    run = run.copy()
    for each in run.find_all(exp.Alias):
        if each.alias == "score":
            each.set("this", exp.cast(each.this, exp.DType.FLOAT))
    return run


def _write_words(names: Sequence[str]) -> dict[str, str]:
    """Names of metrics as unique words."""
    words: dict[str, str] = {}
    for name in names:
        word = stem = re.sub(r"\W+", "_", name).strip("_")
        number = 1
        while word in words.values():
            number += 1
            word = f"{stem}_{number}"
        words[name] = word
    return words


def _read_names(columns: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(columns, Mapping):
        raise InputError(f"columns= must map our names to yours in a dict, not {columns!r:.80}")
    for ours, theirs in columns.items():
        if ours not in NAMES:
            raise InputError(f"columns= has unknown key {ours!r}; known: {', '.join(NAMES)}")
        if not isinstance(theirs, str) or not theirs:
            raise InputError(f"columns= must give a column name for {ours}, not {theirs!r}")
    return dict(columns)


def _summarize(statement: str, wanted: Sequence[Measure], summary: Summary, dialect: str) -> str:
    engine = find_engine(dialect)
    keys = ["s.run_id", *(f"t.{_write_name(column, engine)}" for column in summary.segments)]
    weight = f"t.{_write_name(summary.weight, engine)}" if summary.weight else None
    figures = []
    for measure in wanted:
        figure = write_summary(f"s.{quote_name(measure.name)}", measure.summary, weight)
        if figure is None or (measure.summary == "std" and not engine.has_deviation):
            raise MetricError(
                f"{measure.name}: aggregate='{measure.summary}'"
                f"{' with a weight' if weight else ''} is not supported for {dialect}"
            )
        figures.append(f"{figure} AS {quote_name(measure.name)}")
    query = f"SELECT {', '.join([*keys, *figures])} FROM _scores AS s"
    if summary.segments or summary.weight:
        asked = (name for name in (*summary.segments, summary.weight) if name)
        others = ", ".join(_write_name(name, engine) for name in asked)
        columns = f"CAST(query_id AS VARCHAR) COLLATE C AS query_id, {others}"
        topics = f"SELECT DISTINCT {columns} FROM {GIVEN_TOPICS} AS t"
        query += f" LEFT JOIN ({topics}) AS t ON s.query_id = t.query_id"
    order = ", ".join(f"{key} ASC" for key in keys)
    return f"WITH _scores AS ({statement}) {query} GROUP BY {', '.join(keys)} ORDER BY {order}"


def _write_name(column: str, engine: Engine) -> str:
    """A column's name; a plain word is not quoted, as some engines would then read another name."""
    return column if _is_plain(column) else quote_name(read_column(column, engine).name)


def _is_plain(column: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_]\w*", column)) and column.lower() not in _RESERVED.split()


# Words that most engines do not accept as a name unless they are quoted.
_RESERVED = (
    "all and as asc between by case check column create default desc distinct else end for from "
    "grant group having in index into is join like limit not null on or order primary references "
    "select set table then to union user using values when where with"
)


def read_table(name: str, engine: Engine) -> exp.Table:
    """A table's name as the engine writes it, such as ``schema.run``; for DuckDB also a file."""
    is_file = bool(_FILE.search(name)) and not re.search("[\"'`]", name)
    try:
        table = None if is_file else exp.to_table(name, dialect=engine.dialect)
        if table is not None:
            exp.parse_identifier(
                table.name, dialect="duckdb"
            )  # as sqlglot reads it when it names the rows
    except (SqlglotError, ValueError, TypeError):
        table = None
    is_name = isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier)
    if table is not None and is_name and not _has_comment(table):
        return table
    if engine.dialect == "duckdb":
        return exp.Table(this=exp.to_identifier(name, quoted=True))
    hint = "load the file into a table" if is_file else "quote names that are not plain words"
    raise InputError(f"invalid table name {name!r}; {hint}")


_FILE = re.compile(r"/|\.(csv|tsv|txt|json|jsonl|ndjson|parquet|gz)$", re.IGNORECASE)


def read_column(name: str, engine: Engine) -> Tree:
    """A column's name as the engine writes it, quoted if necessary."""
    if _is_plain(name):
        return exp.to_identifier(name)
    try:
        column = exp.to_column(name, dialect=engine.dialect)
    except (SqlglotError, ValueError, TypeError):
        column = None
    is_bare = isinstance(column, exp.Column) and not column.table and not _has_comment(column)
    if column is not None and is_bare and column.this.args.get("quoted"):
        return column.this
    return exp.to_identifier(name, quoted=True)


def _has_comment(tree: Tree) -> bool:
    """Whether something after a name, such as --, would be dropped silently."""
    return any(node.comments for node in tree.walk())


def name_columns(table: str, columns: Mapping[str, str | None], engine: Engine) -> exp.Select:
    """The query of a table's columns by our names; a column that is None becomes NULL."""
    named = [
        exp.alias_(exp.column(read_column(theirs, engine)) if theirs else exp.Null(), ours)
        for ours, theirs in columns.items()
    ]
    return exp.Select(expressions=named).from_(read_table(table, engine))


def write(query: PlainQuery, engine: Engine) -> str:
    """The text of a plain query, in an engine's dialect.

    Raises `MetricError` if the engine lacks a feature that it needs.
    """
    if query.is_recursive and not engine.has_lists:
        raise MetricError("it does not support recursive queries over arrays")
    ctes = query.tree.ctes
    final = query.tree.copy()
    final.set("with_", None)
    parts = []
    for cte in ctes:
        comment = f"-- {about}\n" if (about := query.describe(cte.alias)) else ""
        body = write_part(cte.this, engine).replace("\n", "\n    ")
        name = write_part(cte.args["alias"].this, engine)
        parts.append(f"{comment}{name} AS (\n    {body}\n)")
    before = (
        f"WITH{' RECURSIVE' * query.is_recursive}\n" + ",\n".join(parts) + "\n" if parts else ""
    )
    text = before + write_part(final, engine)
    return text + (f"\n{engine.settings}" if engine.settings else "")


def write_part(tree: Tree, engine: Engine) -> str:
    """The text of a part of a query, in an engine's dialect."""
    tree = tree.copy()
    for select in tree.find_all(exp.Select):
        for column in select.selects:
            _raise_comments(column, engine)
    for table in list(tree.find_all(exp.Table)):
        if isinstance(table.this, exp.GenerateSeries):
            table.replace(exp.Var(this=_write_series(table, engine)))
    for window in list(tree.find_all(exp.Window)):
        spec = window.args.get("spec")
        if spec and spec.args.get("kind") == "RANGE" and not engine.has_range:
            raise MetricError("it does not support RANGE frames")
    if not engine.has_lists:
        if tree.find(exp.Lambda):
            raise MetricError("it does not support lambda functions over arrays")
        for values in list(tree.find_all(exp.Values)):
            values.replace(_select_values(values))
    if engine.has_unsigned:  # and also names columns by their tables
        for branch in list(tree.find_all(exp.If, exp.Case)):
            for key in ("true", "default"):
                if (value := branch.args.get(key)) and value.is_int:
                    branch.set(key, exp.cast(value.copy(), exp.DType.BIGINT))
        for count in list(tree.find_all(*_COUNTS)):
            whole = count.parent if isinstance(count.parent, exp.Window) else count
            whole.replace(exp.cast(whole.copy(), exp.DType.BIGINT))
        for select in list(tree.find_all(exp.Select)):
            for column in select.selects:
                if isinstance(column, exp.Column):
                    column.replace(exp.alias_(column.copy(), column.name))
    return _Writer(engine).write(tree)


def _raise_comments(column: Tree, engine: Engine) -> None:
    """Move comments on a column behind it; drop those on a collation that is not written."""
    part = column
    while isinstance(part, exp.Alias | exp.Collate | exp.Cast):
        is_dropped = isinstance(part, exp.Collate) and not engine.collation
        part = part.this
        comments = part.pop_comments()
        if not is_dropped:
            column.add_comments(comments)


def _write_series(table: Tree, engine: Engine) -> str:
    if engine.series is None:
        raise MetricError("it does not support tables of numbers such as generate_series")
    first, last = (write_part(table.this.args[key], engine) for key in ("start", "end"))
    alias = table.args["alias"]
    names = {"alias": alias.name, "column": alias.columns[0].name}
    return engine.series.format(first=first, last=last, **names)


_COUNTS = (exp.Count, exp.RowNumber, exp.Rank, exp.DenseRank)


def _select_values(values: exp.Values) -> exp.Subquery:
    """A table of values as a union, as not all engines can name the columns of VALUES."""
    alias = values.args["alias"]
    rows = [
        exp.select(
            *(
                exp.alias_(v.copy(), c.name)
                for v, c in zip(row.expressions, alias.columns, strict=True)
            )
        )
        for row in values.expressions
    ]
    return exp.union(*rows, distinct=False).subquery(alias.name)


class _Writer:
    """Writes trees in an engine's dialect, by our rules where there is one, else by sqlglot.

    sqlglot's generators are compiled if ``sqlglotc`` is installed, and cannot be subclassed then.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._generator = Dialect.get_or_raise(engine.dialect).generator(
            pretty=True,
            indent=4,
            pad=4,
            normalize_functions="lower",
            max_text_width=80,
            unsupported_level=ErrorLevel.RAISE,
        )

    def write(self, tree: Tree) -> str:
        """The text of a tree; changes the tree."""
        return self._generator.generate(self._weave(tree), copy=False)

    def write_within(self, part: Tree) -> str:
        """The text of a part of the tree that is being written."""
        return self._generator.sql(self._weave(part))

    def _weave(self, tree: Tree) -> Tree:
        return tree.transform(self._apply_rule, copy=False)

    def _apply_rule(self, node: Tree) -> Tree:
        rule = _RULES.get(type(node))
        text = rule(self, node) if rule else None
        if text is None:
            return node
        written = exp.Var(this=text)
        written.add_comments(node.comments)
        return written


def _write_not(writer: _Writer, node: exp.Not) -> str:
    inner = node.this
    if isinstance(inner, exp.Is):
        value, other = map(writer.write_within, (inner.this, inner.expression))
        return f"{value} IS NOT {other}"
    return f"NOT {writer.write_within(inner)}"


def _write_paren(writer: _Writer, node: exp.Paren) -> str | None:
    text = writer.write_within(node.this)
    if "\n" not in text:
        return f"({text})"
    node.set("this", exp.Var(this=text))
    return None


def _write_ordered(writer: _Writer, node: exp.Ordered) -> str:
    """State where NULL sorts, whatever the engine's default."""
    key, way = writer.write_within(node.this), "DESC" if node.args.get("desc") else "ASC"
    if not isinstance(node.find_ancestor(exp.Window, exp.Select), exp.Window):
        return f"{key} {way}"
    if not writer.engine.orders_nulls:  # NULL comes first
        if way == "DESC":
            return f"{key} DESC"
        return f"CASE WHEN {key} IS NULL THEN 1 ELSE 0 END ASC, {key} {way}"
    return f"{key} {way} NULLS LAST"


def _write_literal(writer: _Writer, node: exp.Literal) -> str | None:
    is_fraction = not node.is_string and not node.is_int
    return f"{node.this}{writer.engine.numbers}" if is_fraction else None


def _write_collate(writer: _Writer, node: exp.Collate) -> str:
    collation = writer.engine.collation
    return writer.write_within(node.this) + (f" COLLATE {collation}" if collation else "")


def _write_div(writer: _Writer, node: exp.Div) -> str:
    # unchanged: one of the two is a fraction
    return f"{writer.write_within(node.this)} / {writer.write_within(node.expression)}"


def _write_call(writer: _Writer, node: exp.Anonymous) -> str | None:
    if node.name == "error":
        message = writer.write_within(node.expressions[0])
        return writer.engine.raises.format(message=message)
    return _write_sum(writer, node) if node.name == RANGE_SUM else None


def _write_sum(writer: _Writer, node: exp.Anonymous) -> str:
    engine = writer.engine
    if engine.sums is None or (engine.sums_alone and node.find(exp.Column)):
        return writer.write_within(_write_terms(*node.expressions))
    variable, first, last, each = map(writer.write_within, node.expressions)
    return engine.sums.format(variable=variable, first=first, last=last, each=each)


def _write_terms(variable: exp.Identifier, start: Tree, end: Tree, each: Tree) -> Tree:
    """A short sum term by term."""
    first, last = evaluate_constant(start), evaluate_constant(end)
    if not isinstance(first, int) or not isinstance(last, int):
        raise MetricError("it does not support sums over a variable number of ranks")
    if last - first >= _TERMS:
        raise MetricError(f"it does not support sums over more than {_TERMS} ranks")
    terms = (insert_number(each, variable.name, number) for number in range(first, last + 1))
    total = next(terms, exp.Null())
    for term in terms:
        total = exp.Add(this=total, expression=term)
    return exp.Paren(this=total)


_TERMS = 20


def _write_concat(writer: _Writer, node: exp.Concat) -> str:
    # a CASE here chooses between texts
    texts = (
        each if each.is_string or isinstance(each, exp.Case) else exp.cast(each, exp.DType.TEXT)
        for each in node.expressions
    )
    return " || ".join(map(writer.write_within, texts))


def _write_extreme(writer: _Writer, node: exp.Least | exp.Greatest) -> str:
    # of numbers that are not NULL
    name = writer.engine.extremes[isinstance(node, exp.Greatest)]
    return f"{name}({', '.join(map(writer.write_within, (node.this, *node.expressions)))})"


def _write_exp(writer: _Writer, node: exp.Exp) -> str:
    power = writer.write_within(node.this)
    if writer.engine.underflows:
        power = f"least(greatest({power}, -700), 700)"
    return f"exp({power})"


def _write_pow(writer: _Writer, node: exp.Pow) -> str:
    number, times = evaluate_constant(node.this), evaluate_constant(node.expression)
    is_of_rows = node.this.find(exp.Column) is not None
    base, power = map(writer.write_within, (node.this, node.expression))
    if not writer.engine.underflows or is_of_rows:
        return f"power({base}, {power})"
    if not isinstance(number, int | float):  # as in a template
        logarithm = f"exp(greatest(ln(nullif({base}, 0)) * ({power}), -700))"
        none = f"CASE WHEN {power} = 0 THEN 1 ELSE 0 END"
        return f"CASE WHEN {base} = 0 THEN {none} ELSE {logarithm} END"
    if not 0 < number < 1:
        return f"power({base}, {power})"
    most = math.floor(-690 / math.log(number))
    if isinstance(times, int | float):
        return f"power({base}, {min(times, most)})"
    return f"power({base}, least({power}, {most}))"


_RULES: dict[Any, Callable[[_Writer, Any], str | None]] = {
    exp.Not: _write_not,
    exp.Paren: _write_paren,
    exp.Ordered: _write_ordered,
    exp.Literal: _write_literal,
    exp.Collate: _write_collate,
    exp.Div: _write_div,
    exp.Concat: _write_concat,
    exp.Least: _write_extreme,
    exp.Greatest: _write_extreme,
    exp.Exp: _write_exp,
    exp.Pow: _write_pow,
    exp.Anonymous: _write_call,
}
