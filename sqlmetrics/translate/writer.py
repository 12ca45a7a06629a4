"""Writer: a query as text of an engine."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.dialect import Dialect

from ..errors import MetricError
from .expand import PlainQuery
from .features import ENGINES, Engine
from .named_values import LET, MISPLACED, find_free
from .simplify import Terms, Tree, evaluate_constant, is_known, read_range, read_sum


def write(query: PlainQuery, engine: Engine) -> str:
    """The text of a plain query, in an engine's dialect.

    Raises `MetricError` if the engine lacks a feature that it needs.
    """
    if query.is_recursive and "recursive" not in engine.variants:
        raise MetricError(engine.recursion)
    numbered = query.tree.find_all(exp.RowNumber)
    if not engine.is_duckdb and not all(each.parent.args.get("order") for each in numbered):
        raise MetricError("rows of its tables have no order")
    ctes = query.tree.ctes
    final = query.tree.copy()
    final.set("with_", None)
    parts = []
    for cte in ctes:
        comment = f"-- {about}\n" if (about := query.about.get(cte.alias)) else ""
        body = write_part(cte.this, engine).replace("\n", "\n    ")
        name = write_part(cte.args["alias"].this, engine)
        once = engine.computes_once if cte.args.get("materialized") else ""
        parts.append(f"{comment}{name} AS {once}(\n    {body}\n)")
    text = write_part(final, engine)
    if any(" _digits " in part for part in (*parts, text)):
        parts.insert(0, f"_digits AS (\n    {' UNION ALL '.join(_DIGITS)}\n)")
    if parts:
        text = f"WITH{' RECURSIVE' * query.is_recursive}\n" + ",\n".join(parts) + f"\n{text}"
    return _fit(text) + (f"\n{engine.settings}" if engine.settings else "")


def _fit(text: str) -> str:
    """Put on one line what fits there: brackets, branches, and columns beside each other."""
    lines = text.split("\n")
    for first in reversed(range(len(lines))):
        head, last = lines[first], first + 1
        margin = head[: len(head) - len(head.lstrip())]
        while last < len(lines) and lines[last].startswith(f"{margin} "):
            last += 1
        block = lines[first + 1 : last]
        ends = [margin + end for end in (")", "END")] if block else [f"{margin}THEN"]
        last += last < len(lines) and lines[last].startswith((*ends,))
        joined = reduce(_append, map(str.strip, lines[first + 1 : last]), head)
        others = [line.strip() for line in block[1:] if not line.startswith(f"{margin}     ")]
        if len(joined) <= _WIDTH and "/*" not in joined:
            lines[first:last] = [joined]
        elif others and head.endswith(("(", "SELECT")) and all(x[0] in ")E" for x in others):
            end = reduce(
                _append, map(str.strip, lines[first + 1 + len(block) : last]), block[-1][4:]
            )
            inner = (line[4:] for line in block[1:-1])
            lines[first:last] = [_append(head, block[0].strip()), *inner, end]
    filled = lines[:1]
    for line in lines[1:]:
        joined = f"{filled[-1]} {line.strip()}"
        is_short = len(joined) <= _WIDTH and _COLUMNS.fullmatch(joined)
        filled[len(filled) - bool(is_short) :] = [joined if is_short else line]
    return "\n".join(filled)


# columns, and functions of one
_COLUMNS = re.compile(r" +((?!(CASE|END)\b)[\w.\"`]+(\([\w.\"`*]*\))?( AS [\w\"`]+)?(, |,?$))+")


def _append(line: str, part: str) -> str:
    return line + " " * (not line.endswith("(") and not part.startswith(")")) + part


# How wide a line may be.
_WIDTH = 120

_DIGITS = ("SELECT 0 AS n", *(f"SELECT {digit}" for digit in range(1, 10)))


def name_plainly(tree: Tree, names: Iterable[str], taken: Iterable[str], *, snake: bool) -> None:
    """Name columns by plain words, with a number for one that is taken.

    With ``snake``, ``nDCG@10`` is ``ndcg_10``, without quotes.
    """
    words: dict[str, str] = {}
    for name in names:
        word = re.sub(r"\W+", "_", name).strip("_")
        word = re.sub(r"^(?=\d)|__+", "_", word.lower()) if snake else word
        words[name] = find_free(word, [*taken, *words.values()])
    for identifier in tree.find_all(exp.Identifier):
        if identifier.quoted and identifier.name in words:
            word = words[identifier.name]
            identifier.set("this", word)
            identifier.set("quoted", not snake or word in RESERVED.split())


# Words that most engines do not accept as a name unless they are quoted.
RESERVED = (
    "all and as asc between by case check column create default desc distinct else end for from "
    "grant group having in index into is join like limit not null on or order primary references "
    "select set table then to union user using values when where with"
)


def write_part(tree: Tree, engine: Engine) -> str:
    """The text of a part of a query, in an engine's dialect."""
    tree = tree.copy()
    for select in tree.find_all(exp.Select):
        for column in select.selects:
            _raise_comments(column, engine)
    for having in tree.find_all(exp.Having):
        if engine.groups_having and not having.parent.args.get("group"):
            having.parent.set("group", exp.Group(expressions=[exp.Null()]))
    for same in [] if engine.dialect else list(tree.find_all(exp.NullSafeEQ)):
        same.replace(exp.paren(same.copy()))  # DataFusion reads an AND behind it as its part
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
                if isinstance(column, exp.Column) and not column.is_star:
                    column.replace(exp.alias_(column.copy(), column.name))
    return _Writer(engine).write(tree)


def _raise_comments(column: Tree, engine: Engine) -> None:
    """Move comments on a column behind it; drop those on a collation that is not written."""
    part, comments = column, column.pop_comments()
    while isinstance(part, exp.Alias | exp.Collate | exp.Cast):
        part = part.this
        comments += part.pop_comments()
    if engine.collation or not isinstance(column.unalias(), exp.Collate):
        column.add_comments(comments)


_COUNTS = (exp.Count, exp.RowNumber, exp.Rank, exp.DenseRank)


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
        return self._generator.generate(tree.transform(self._apply_rule, copy=False), copy=False)

    def write_within(self, part: Tree) -> str:
        """The text of a part of the tree that is being written."""
        return self._generator.sql(part.transform(self._apply_rule, copy=False))

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
        return f"{writer.write_within(inner.this)} IS NOT {writer.write_within(inner.expression)}"
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


def _write_try(writer: _Writer, node: exp.TryCast) -> str | None:
    if node.to.is_type("float") and not writer.engine.has_float32:
        raise MetricError("it has no 32-bit numbers")
    if writer.engine.tries is None or isinstance(node.this, exp.Null):
        return None
    value, number = map(writer.write_within, (node.this, exp.cast(node.this.copy(), node.to)))
    return writer.engine.tries.format(value=value, number=number)


def _write_div(writer: _Writer, node: exp.Div) -> str:
    # unchanged: one of the two is a fraction
    return f"{writer.write_within(node.this)} / {writer.write_within(node.expression)}"


def _write_table(writer: _Writer, node: exp.Table) -> str | None:
    if not isinstance(node.this, exp.GenerateSeries):
        return None
    alias = node.args["alias"]
    return _write_series(writer, *read_range(node.this), alias.name, alias.columns[0].name)


def _write_series(writer: _Writer, first: Tree, last: Tree, alias: str, column: str) -> str:
    series, ends = writer.engine.series, (evaluate_constant(first), evaluate_constant(last))
    if "_digits" in series and not (is_known(*ends) and ends[1] - ends[0] < 1000):  # type: ignore[operator]
        raise MetricError("it has no sums over more than 1,000 ranks, or an unknown number")
    first, last = map(writer.write_within, (first, last))
    return series.format(first=first, last=last, alias=alias, column=column)


def _write_frame(writer: _Writer, node: exp.WindowSpec) -> str | None:
    kind, ends = node.args.get("kind"), (node.args.get("start"), node.args.get("end"))
    if kind == "RANGE" and not writer.engine.has_range:
        raise MetricError("it does not support RANGE frames")
    # Snowflake has no BETWEEN for it
    return f"{kind} CURRENT ROW" if ends == ("CURRENT ROW", "CURRENT ROW") else None


def _write_call(writer: _Writer, node: exp.Anonymous) -> str | None:
    if node.name == "error":
        message = writer.write_within(node.expressions[0])
        return writer.engine.raises.format(message=message)
    if node.name == "isfinite":
        value = writer.write_within(node.expressions[0])
        return f"(abs({value}) <= 1.7e308{writer.engine.numbers})"
    terms = read_sum(node)
    return _write_sum(writer, terms) if terms else _refuse(writer, node)


def _refuse(writer: _Writer, node: Tree) -> str | None:
    """Raise `MetricError` for what other engines than DuckDB lack, or have in another way."""
    name = node.name if isinstance(node, exp.Anonymous) else node.key.removeprefix("to")  # map
    if not writer.engine.is_duckdb and name not in writer.engine.functions.split():
        if name == LET:
            raise MetricError(MISPLACED)
        if isinstance(node, exp.Lambda | exp.Struct) or name.startswith("list_"):
            raise MetricError("it does not support lambda functions over arrays")
        raise MetricError(f"it has no function like {name} of DuckDB")
    return None


def _write_sum(writer: _Writer, terms: Terms) -> str:
    engine, variable = writer.engine, terms.variable
    if engine.sums_alone and any(map(_has_column, terms[1:])):
        return writer.write_within(_add(terms))
    if engine.sums is None:
        series = _write_series(writer, terms.first, terms.last, f"_series{variable}", variable)
        return f"(SELECT sum({writer.write_within(terms.each)}) FROM {series})"
    first, last, each = map(writer.write_within, terms[1:])
    return engine.sums.format(variable=variable, first=first, last=last, each=each)


def _has_column(tree: Tree) -> bool:
    return tree.find(exp.Column) is not None


def _add(terms: Terms) -> Tree:
    """A short sum term by term."""
    if terms.numbers is None:
        raise MetricError("it does not support sums over a variable number of ranks")
    listed = [*map(terms.write, terms.numbers)] or [exp.Null()]
    return exp.Paren(this=reduce(lambda x, y: exp.Add(this=x, expression=y), listed))


def _write_concat(writer: _Writer, node: exp.Concat) -> str:
    # an engine may read the text of an error for rows without one
    is_error = isinstance(node.parent, exp.Anonymous) and node.parent.name == "error"
    parts = (_write_text(each, nullable=is_error) for each in node.expressions)
    return " || ".join(map(writer.write_within, parts))


def _write_text(part: Tree, *, nullable: bool) -> Tree:
    """A part of a text, which is empty where it is NULL, unless it is ``nullable``."""
    part = part.unnest()
    if _is_text(part):
        return part
    text = exp.cast(part, exp.DType.TEXT)
    if nullable or isinstance(part, exp.Count):
        return text
    return exp.Coalesce(this=text, expressions=[exp.Literal.string("")])


def _is_text(node: Tree) -> bool:
    """Whether a value is a text and not NULL, as far as that can be seen."""
    node = node.unnest()
    if isinstance(node, exp.Case):
        chosen = [*(each.args["true"] for each in node.args["ifs"]), node.args.get("default")]
        return all(each is not None and _is_text(each) for each in chosen)
    if isinstance(node, exp.Coalesce):
        return _is_text(node.expressions[-1])
    return node.is_string or isinstance(node, exp.Concat)


# sqlglot would write what they are of NULL, too, which is never asked
_EXTREMES = {"Least": "least", "Greatest": "greatest"}
_PERCENTILES = (exp.PercentileCont, exp.Median)


def _write_name(writer: _Writer, node: exp.Func) -> str | None:
    if "windows" in writer.engine.variants and isinstance(node, _PERCENTILES):
        raise MetricError("it has no such function of exact percentiles; use percentile_of(x, 50)")
    name = {**_EXTREMES, **writer.engine.names}.get(type(node).__name__)
    return name and f"{name}({', '.join(map(writer.write_within, node.iter_expressions()))})"


def _write_md5(writer: _Writer, node: exp.MD5) -> str:
    if writer.engine.md5 is None:
        raise MetricError("it has no md5, which draws the samples")
    return writer.engine.md5.format(text=writer.write_within(node.this))


def _write_exp(writer: _Writer, node: exp.Exp) -> str:
    has_column = _has_column(node)  # as it is before it is written
    power = writer.write_within(node.this)
    if writer.engine.underflows and has_column:
        power = f"least(greatest({power}, -700), 700)"
    return f"exp({power})"


def _write_pow(writer: _Writer, node: exp.Pow) -> str:
    number, times = evaluate_constant(node.this), evaluate_constant(node.expression)
    is_of_rows = node.this.find(exp.Column) is not None
    base, power = map(writer.write_within, (node.this, node.expression))
    if not writer.engine.underflows or is_of_rows or isinstance(times, int):
        return f"power({base}, {power})"
    if not isinstance(number, int | float):  # as in a template
        logarithm = f"exp(greatest(ln(nullif({base}, 0)) * ({power}), -700))"
        none = f"CASE WHEN {power} = 0 THEN 1 ELSE 0 END"
        return f"CASE WHEN {base} = 0 THEN {none} ELSE {logarithm} END"
    if not 0 < number < 1:
        return f"power({base}, {power})"
    most = math.floor(-690 / math.log(number))
    return f"power({base}, least({power}, {most}))"


_RULES: dict[Any, Callable[[_Writer, Any], str | None]] = {
    exp.Table: _write_table,
    exp.WindowSpec: _write_frame,
    exp.Not: _write_not,
    exp.Paren: _write_paren,
    exp.Ordered: _write_ordered,
    exp.Literal: _write_literal,
    exp.Collate: _write_collate,
    exp.TryCast: _write_try,
    exp.Div: _write_div,
    exp.Concat: _write_concat,
    **{getattr(exp, name): _write_name for name in (*_EXTREMES, *ENGINES["datafusion"].names)},
    **dict.fromkeys(_PERCENTILES, _write_name),
    exp.Exp: _write_exp,
    exp.MD5: _write_md5,
    exp.Pow: _write_pow,
    **dict.fromkeys((exp.ArgMax, exp.ArgMin, exp.Lambda, exp.Struct, exp.ToMap), _refuse),
    **dict.fromkeys((exp.Format, exp.RegexpLike, exp.RegexpReplace), _refuse),
    exp.Anonymous: _write_call,
}
