"""Plain SQL: writes out the macros that a statement calls as named queries, and simplifies them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from copy import copy
from typing import Any, TypeAlias

from sqlglot import exp, parse_one
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

from ..catalogue import SqlFile, Statement, files, find_variants, remember

# Names keep their case; sqlglot would otherwise assume that DuckDB ignores it.
_DIALECT = "duckdb, normalization_strategy=case_sensitive"

# A node of sqlglot; its attributes depend on its kind.
Tree: TypeAlias = Any


# The call that represents a sum over whole numbers: variable, first, last, term. It has no class of
# its own, since sqlglot's classes cannot be subclassed if they are compiled by sqlglotc.
RANGE_SUM = "_range_sum"

# The macro for a value that is the same in all rows of a query, once per query.
_PER_QUERY = "per_query"


class PlainQuery:
    """A statement without macros: named queries, each with a description, and the final one.

    ``tables`` are the queries that replace the tables in the statement, by their names there.
    ``engine`` has variants of some macros.
    """

    def __init__(self, statement: str, tables: Mapping[str, Tree], engine: str = "duckdb") -> None:
        self._macros = list_macros(engine)
        self._queries: dict[str, Tree] = {}
        self._calls: dict[str, str] = {}
        self._about: dict[str, str] = {}
        self._is_recursive = False
        self._taken = {
            t.name.lower() for query in tables.values() for t in query.find_all(exp.Table)
        }
        self._queries |= {name: query.copy() for name, query in tables.items()}
        tree = self._write_out(self._lift(_parse(statement), ""))
        for name, query in self._queries.items():
            tree = tree.with_(name, as_=query, recursive=self._is_recursive, copy=False)
        self.tree = _simplify(tree)
        # the name of a single run is not needed
        self.tree.set(
            "expressions",
            [
                each
                for each in self.tree.selects
                if each.alias_or_name != "run_id"
                or not _is_known(evaluate_constant(each.unalias()))
            ],
        )

    @property
    def is_recursive(self) -> bool:
        """Whether a query reads itself."""
        return self._is_recursive

    def describe(self, name: str) -> str | None:
        """The description of the query of this name, from the file that it comes from."""
        return self._about.get(name)

    def cut(self, name: str) -> PlainQuery:
        """Only the query of this name, with what it reads."""
        query = copy(self)
        query.tree = exp.select("*").from_(name)
        query.tree.set("with_", self.tree.args["with_"].copy())
        _drop_unread(query.tree)
        return query

    def replace(self, name: str, table: str) -> None:
        """Read a table instead of the query of this name."""
        for cte in self.tree.ctes:
            if cte.alias == name:
                cte.pop()
        _rename_tables(self.tree, {name: table})
        _drop_unread(self.tree)

    def _lift(self, tree: Tree, owner: str) -> Tree:
        """Move a query's named queries to ours, under names that are free."""
        own: dict[str, str] = {}
        is_recursive = bool(tree.args.get("with_") and tree.args["with_"].recursive)
        self._is_recursive |= is_recursive
        for cte in tree.ctes:
            called = owner + cte.alias if owner else cte.alias.lstrip("_")
            if is_recursive:
                own[cte.alias] = called
            _rename_tables(cte.this, own)
            query = self._write_out(self._lift(cte.this, owner))
            query.set("order", None)
            own[cte.alias] = name = self._find_free_name(called)
            self._queries[name] = query
        tree.set("with_", None)
        _rename_tables(tree, own)
        return tree

    def _write_out(self, tree: Tree) -> Tree:
        """The tree without calls of macros."""
        for table in list(tree.find_all(exp.Table)):
            call = table.this
            if not isinstance(call, exp.Anonymous):
                continue
            if call.name == "query_table":
                table.set("this", exp.to_identifier(call.expressions[0].name))
            elif self._macros.has(call.name, is_table=True):
                table.set("this", exp.to_identifier(self._name_call(call)))
        if isinstance(tree, exp.Select) and tree.args.get("group"):
            keys = {(key.table, key.name) for key in tree.args["group"].expressions}
            rows = tree.args["from_"].this.alias_or_name
            is_query = {(rows, "run_id"), (rows, "query_id")} <= keys
            tree = self._count_first(tree, rows, is_query=is_query)
            return fold(self._macros.write_out(tree, is_query=is_query))
        return fold(self._macros.write_out(tree))

    def _count_first(self, tree: exp.Select, rows: str, *, is_query: bool) -> exp.Select:
        """The query, over another that computes aggregates that a formula uses more than once."""
        formulas = {
            each.alias_or_name: formula
            for each in tree.selects
            if (formula := self._macros.find_formula(each.unalias(), is_query=is_query))
        }
        if not formulas:
            return tree
        names: dict[Tree, str] = {}
        counted: list[Tree] = []
        taken: list[Tree] = []
        for each in tree.selects:
            name = each.alias_or_name
            if name not in formulas:
                counted.append(each)
                taken.append(exp.column(each.args.get("alias") or each.this.copy(), rows))
                continue
            formula = formulas[name]
            for call in list(self._macros.list_aggregates(formula)):
                if call not in names:
                    names[call] = _find_free(_name_aggregate(call), {*names.values(), *formulas})
                    counted.append(exp.alias_(call.copy(), names[call]))
                call.replace(exp.column(names[call], rows))
            taken.append(exp.alias_(formula, each.args["alias"].copy()))
        order = tree.args.get("order")
        tree.set("order", None)
        tree.set("expressions", counted)
        self._queries[name := self._find_free_name("counts")] = fold(
            self._macros.write_out(tree, is_query=is_query)
        )
        self._about[name] = "What the formulas are made of."
        select = exp.select(*taken).from_(exp.alias_(exp.to_table(name), rows, table=True))
        select.set("order", order)
        return select

    def _name_call(self, call: exp.Anonymous) -> str:
        """The name of the query for a call of a table macro; equal calls share one query."""
        text = call.sql(_DIALECT)
        if text not in self._calls:
            body = self._macros.insert(call, is_table=True)
            query = self._write_out(self._lift(body, call.name))
            self._calls[text] = name = self._find_free_name(call.name)
            self._queries[name] = query
            self._about[name] = self._macros.describe(call.name)
        return self._calls[text]

    def _find_free_name(self, name: str) -> str:
        return _find_free(name, self._taken.union(self._queries))


def _find_free(name: str, taken: Collection[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _name_aggregate(node: Tree) -> str:
    """The name of an aggregate's column: that of its macro, or of the column it aggregates."""
    return str(node.name if isinstance(node, exp.Anonymous) else node.this.name)


def _parse(text: str) -> Tree:
    return parse_one(text, read=_DIALECT)


class Macros:
    """The macros of plain SQL for an engine: parameters and bodies, parsed when asked for."""

    def __init__(self, engine: str) -> None:
        found = (each for folder, each in files().items() if folder != "strategies")
        listed = [file for each in found for file in each.values()]
        self._found: dict[tuple[str, bool], tuple[SqlFile, Statement]] = {}
        for file in (*listed, files()["strategies"]["sorting"], *find_variants(engine)):
            (statement,) = file.statements
            self._found[statement.macro, statement.is_table] = file, statement
        self._bodies: dict[tuple[str, bool], Tree] = {}
        self._heights: dict[str, int] = {}

    def has(self, name: str, *, is_table: bool) -> bool:
        return (name, is_table) in self._found

    def describe(self, name: str) -> str:
        return self._found[name, True][0].summary

    def list_parameters(self, call: exp.Anonymous) -> list[str]:
        """The parameters of the macro that is called; of a table macro, if one is needed."""
        is_table = isinstance(call.parent, exp.Table)
        return list(self._found[call.name, is_table][1].parameters)

    def insert(self, call: exp.Anonymous, *, is_table: bool) -> Tree:
        """The macro's body with the arguments of a call instead of its parameters."""
        key = call.name, is_table
        statement = self._found[key][1]
        if key not in self._bodies:
            self._bodies[key] = read_body(statement)
        return _insert(statement.parameters, self._bodies[key], call)

    def write_out(self, tree: Tree, *, is_query: bool = False) -> Tree:
        """The tree without calls of macros that are not table macros.

        With ``is_query``, it is over the rows of one query.
        """

        def replace(node: Tree) -> Tree:
            if isinstance(node, exp.Anonymous) and self.has(node.name, is_table=False):
                if is_query and node.name == _PER_QUERY:
                    value = fold(self.write_out(node.expressions[1]))
                    return exp.Max(this=value) if value.find(exp.Column) else value
                inserted = self.insert(node, is_table=False)
                return exp.Paren(this=self.write_out(inserted, is_query=is_query))
            return node

        return tree.transform(replace)

    def find_formula(self, tree: Tree, *, is_query: bool) -> Tree | None:
        """The expression where it first uses an aggregate twice, or None."""
        while tree.find(exp.Anonymous):
            tree = self._open(tree, 0, is_query=is_query)
            found = Counter(self.list_aggregates(tree))
            calls = [call for call in found if isinstance(call, exp.Anonymous)]
            if any(found[call] > 1 for call in calls) and all(map(_is_nameable, found)):
                return tree
            heights = [self._measure(call.name) for call in tree.find_all(exp.Anonymous)]
            if not any(heights):
                break
            tree = self._open(tree, max(heights), is_query=is_query)
        return None

    def list_aggregates(self, tree: Tree) -> Iterator[Tree]:
        """The outermost calls of macros that aggregate, and other aggregates outside of them."""
        if isinstance(tree, exp.AggFunc) or (
            isinstance(tree, exp.Anonymous) and self._measure(tree.name)
        ):
            yield tree
        else:
            for each in tree.iter_expressions():
                yield from self.list_aggregates(each)

    def _open(self, tree: Tree, height: int, *, is_query: bool) -> Tree:
        """The tree with the bodies of macros of this height instead of their calls."""

        def replace(node: Tree) -> Tree:
            is_macro = isinstance(node, exp.Anonymous) and self.has(node.name, is_table=False)
            if not is_macro or self._measure(node.name) != height:
                return node
            if node.name == _PER_QUERY:
                return self.write_out(node, is_query=is_query)
            return exp.Paren(this=self.insert(node, is_table=False))

        before = None
        while before != (before := tree):
            tree = fold(tree.transform(replace))
        return tree

    def _measure(self, name: str) -> int:
        """How many macros deep a macro's body aggregates; 0 where it does not."""
        if not self.has(name, is_table=False):
            return 0
        if name not in self._heights:
            body = read_body(self._found[name, False][1])
            inner = max((self._measure(c.name) for c in body.find_all(exp.Anonymous)), default=0)
            self._heights[name] = inner + 1 if inner or body.find(exp.AggFunc) else 0
        return self._heights[name]


def _is_nameable(node: Tree) -> bool:
    """Whether an aggregate has a single name: of a macro over rows, or of one column."""
    if isinstance(node, exp.Anonymous):
        return not any(each.find(exp.Column) for each in node.expressions[1:])
    return isinstance(node.this, exp.Column)


def read_body(statement: Statement) -> Tree:
    """The body of a macro, parsed."""
    text = statement.body if statement.is_table else f"SELECT {statement.body}"
    body = _parse(text) if statement.is_table else _parse(text).expressions[0]
    return body.transform(_recognise)


@remember
def list_macros(engine: str) -> Macros:
    return Macros(engine)


def _recognise(node: Tree) -> Tree:
    """Write sums over ranges of numbers as calls, and ranges with their last number."""
    if isinstance(node, exp.Anonymous) and node.name == "list_sum":
        numbers = node.expressions[0]
        if isinstance(numbers, exp.Transform) and isinstance(numbers.this, exp.GenerateSeries):
            each = numbers.expression
            return _sum_range(numbers.this, each.expressions[0].name, each.this)
    if isinstance(node, exp.Table) and isinstance(node.this, exp.GenerateSeries):
        first, last = node.this.args["start"], _find_last(node.this)
        node.set("this", exp.GenerateSeries(start=first, end=last))
    if isinstance(node, exp.Subquery) and isinstance(select := node.this, exp.Select):
        source = select.args.get("from_")
        table = source.this if source else None
        if isinstance(table, exp.Table) and isinstance(table.this, exp.GenerateSeries):
            (total,) = select.expressions
            if isinstance(total, exp.Sum):
                alias = table.args["alias"]
                variable = alias.columns[0].name
                each = total.this.transform(
                    lambda n: (
                        exp.to_identifier(variable)
                        if isinstance(n, exp.Column) and n.table == alias.name
                        else n
                    )
                )
                return _sum_range(table.this, variable, each)
    return node


def _sum_range(series: exp.GenerateSeries, variable: str, each: Tree) -> exp.Anonymous:
    first, last = series.args["start"], _find_last(series)
    parts = [exp.to_identifier(variable), first, last, each.transform(_recognise)]
    return exp.Anonymous(this=RANGE_SUM, expressions=parts)


def _find_last(series: exp.GenerateSeries) -> Tree:
    """The last number of a range, whose end DuckDB excludes."""
    end, one = series.args["end"], exp.Literal.number(1)
    if isinstance(end, exp.Add) and one in (end.this, end.expression):
        return end.this if end.expression == one else end.expression
    return exp.Sub(this=end, expression=one)


def _insert(parameters: Mapping[str, str | None], tree: Tree, call: exp.Anonymous) -> Tree:
    given: dict[str, Tree] = {}
    positional = [each for each in call.expressions if not isinstance(each, exp.PropertyEQ)]
    given |= dict(zip(parameters, positional, strict=False))
    for each in call.expressions:
        if isinstance(each, exp.PropertyEQ):
            given[each.this.name] = each.expression
    for name, default in parameters.items():
        if name not in given and default is not None:
            given[name] = _parse(f"SELECT {default}").expressions[0]

    def replace(node: Tree) -> Tree:
        if isinstance(node, exp.Column) and not node.table and node.name in given:
            value = given[node.name].copy()
            return exp.Paren(this=value) if isinstance(value, exp.Binary | exp.Unary) else value
        if isinstance(node, exp.Column) and isinstance(given.get(node.table), exp.Column):
            node.set("table", exp.to_identifier(given[node.table].name))
        return node

    return tree.transform(replace)


def _rename_tables(tree: Tree, names: Mapping[str, str]) -> None:
    """Rename tables, also in arguments of calls and in qualified columns."""
    for column in tree.find_all(exp.Column):
        if column.table in names:
            column.set("table", exp.to_identifier(names[column.table]))
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier) and table.name in names:
            table.set("this", exp.to_identifier(names[table.name]))
        if isinstance(table.this, exp.Anonymous):
            for each in table.this.expressions:
                if isinstance(each, exp.Column) and each.name in names:
                    each.replace(exp.column(names[each.name]))


# Folding: evaluates what depends only on constants.


class _Unknown:
    """A value that depends on rows."""


_UNKNOWN = _Unknown()


def evaluate_constant(node: Tree) -> object:
    """The value of a literal, or `_UNKNOWN`."""
    if isinstance(node, exp.Cast) and not isinstance(node.this, exp.Null):
        return _UNKNOWN
    if isinstance(node, exp.Paren | exp.Cast | exp.Collate):
        return evaluate_constant(node.this)
    if isinstance(node, exp.Literal):
        if node.is_string:
            return node.this
        return int(node.this) if node.this.isdigit() else float(node.this)
    if isinstance(node, exp.Neg):
        value = evaluate_constant(node.this)
        return -value if isinstance(value, int | float) else _UNKNOWN
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if type(node) in _ARITHMETIC:
        values = evaluate_constant(node.this), evaluate_constant(node.expression)
        if all(isinstance(value, int | float) for value in values) and (
            not isinstance(node, exp.Div)
            or (any(isinstance(value, float) for value in values) and values[1] != 0)
        ):
            return _ARITHMETIC[type(node)](*values)
        return None if None in values else _UNKNOWN
    if isinstance(node, exp.Pow):
        base, power = evaluate_constant(node.this), evaluate_constant(node.expression)
        if isinstance(base, float) and base > 0 and isinstance(power, int | float):
            with suppress(OverflowError):
                return base**power
    return None if isinstance(node, exp.Null) else _UNKNOWN


def _is_known(*values: object) -> bool:
    return _UNKNOWN not in values


def fold(tree: Tree) -> Tree:
    """Evaluate what depends only on constants, from the leaves up."""
    for key, value in list(tree.args.items()):
        if _is_tree(value):
            tree.set(key, _enclose(tree, fold(value)))
        elif isinstance(value, list):
            tree.set(key, [_enclose(tree, fold(v)) if _is_tree(v) else v for v in value])
    for kind, rule in _RULES.items():
        if isinstance(tree, kind):
            folded = rule(tree)
            if folded is not tree and tree.comments:
                folded.add_comments(tree.comments)
            return folded
    return tree


def _is_tree(value: object) -> bool:
    return isinstance(value, exp.Expression)


def _enclose(parent: Tree, node: Tree) -> Tree:
    """The node, in brackets only where it needs them within its parent."""
    is_operand = isinstance(parent, exp.Binary | exp.Unary | exp.In | exp.Between | exp.Bracket)
    if isinstance(parent, exp.Paren | exp.PropertyEQ | exp.Lambda):
        is_operand = False
    inner = node.this if isinstance(node, exp.Paren) else node
    needs = is_operand and isinstance(inner, _OPERATIONS)
    if isinstance(parent, exp.Connector) and isinstance(inner, exp.Predicate | exp.Not):
        needs = False
    if isinstance(node, exp.Paren):
        return node if needs or inner.comments else inner
    # operations stay in the order they were written, by precedence
    if needs and node.parent is not parent:
        return exp.Paren(this=node)
    return node


_OPERATIONS = (exp.Binary, exp.Connector, exp.Not, exp.Neg, exp.Between, exp.In)


def _fold_comparison(node: Tree) -> Tree:
    left, right = evaluate_constant(node.this), evaluate_constant(node.expression)
    if None in (left, right):
        return exp.Null()
    if _is_known(left, right):
        return exp.Boolean(this=_COMPARISONS[type(node)](left, right))
    if node.this == node.expression and isinstance(node, exp.EQ | exp.LTE | exp.GTE):
        return exp.Not(this=exp.Is(this=node.this, expression=exp.Null()))
    return node


_COMPARISONS: dict[type[Any], Callable[..., bool]] = {
    exp.EQ: lambda a, b: a == b,
    exp.NEQ: lambda a, b: a != b,
    exp.LT: lambda a, b: a < b,
    exp.LTE: lambda a, b: a <= b,
    exp.GT: lambda a, b: a > b,
    exp.GTE: lambda a, b: a >= b,
}


def _fold_in(node: Tree) -> Tree:
    value = evaluate_constant(node.this)
    choices = [evaluate_constant(each) for each in node.expressions]
    if choices and _is_known(value, *choices):
        return exp.Boolean(this=value in choices)
    return node


def _fold_not(node: Tree) -> Tree:
    value = evaluate_constant(node.this)
    if value is None:
        return exp.Null()
    return exp.Boolean(this=not value) if isinstance(value, bool) else node


def _fold_is(node: Tree) -> Tree:
    value, gains = evaluate_constant(node.this), node.this
    while isinstance(gains, exp.Paren | exp.Cast):
        gains = gains.this
    if isinstance(node.expression, exp.Null) and (_is_known(value) or isinstance(gains, exp.ToMap)):
        return exp.Boolean(this=value is None)
    return node


def _fold_connector(node: Tree) -> Tree:
    decides = isinstance(node, exp.Or)
    left, right = node.this, node.expression
    values = evaluate_constant(left), evaluate_constant(right)
    if any(value is decides for value in values):
        return exp.Boolean(this=decides)
    for value, other in zip(values, (right, left), strict=True):
        if value is (not decides):
            return other
    if left == right:
        return left
    return exp.Null() if values == (None, None) else node


def _fold_coalesce(node: Tree) -> Tree:
    kept = []
    for each in (node.this, *node.expressions):
        value = evaluate_constant(each)
        if value is not None:
            kept.append(each)
        if value is not None and (_is_known(value) or _is_sum_of_known(each)):
            break
    if not kept:
        return exp.Null()
    if _is_never_null(kept[0]):
        return kept[0]
    if len(kept) == 2 and evaluate_constant(kept[1]) == 0:
        _drop_zeros(kept[0])
    return exp.Coalesce(this=kept[0], expressions=kept[1:]) if len(kept) > 1 else kept[0]


def _is_never_null(node: Tree) -> bool:
    """Whether an expression over a group is never NULL: its sums add 0 where no row counts."""
    if isinstance(node, exp.Paren):
        return _is_never_null(node.this)
    if isinstance(node, exp.Sum):
        default = isinstance(node.this, exp.Case) and node.this.args.get("default")
        return bool(default) and isinstance(evaluate_constant(default), int | float)
    if isinstance(node, exp.Div) and not evaluate_constant(node.expression):
        return False
    if type(node) in _ARITHMETIC:
        return _is_never_null(node.this) and _is_never_null(node.expression)
    return isinstance(evaluate_constant(node), int | float)


def _is_sum_of_known(node: Tree) -> bool:
    """Whether it is a sum over numbers that do not depend on rows, and so not NULL."""
    if not isinstance(node, exp.Anonymous) or node.name != RANGE_SUM or node.find(exp.Column):
        return False
    first, last = (evaluate_constant(each) for each in node.expressions[1:3])
    return isinstance(first, int) and isinstance(last, int) and first <= last


def _drop_zeros(ratio: Tree) -> None:
    """In a ratio that is 0 where it is NULL, let sums add nothing instead of 0."""
    whole = ratio.expression if isinstance(ratio, exp.Div) else None
    if not isinstance(whole, exp.Nullif) or evaluate_constant(whole.expression) != 0:
        return
    part = ratio.this.copy()
    sums = [_find_zero(factor) for factor in part.flatten()] if isinstance(part, exp.Mul) else []
    for case in filter(None, [_find_zero(part), *sums]):
        case.set("default", None)
    # else a 0e0 may be all that prevents whole-number division
    if _is_fraction(part):
        ratio.set("this", part)
        if case := _find_zero(whole.this):
            case.set("default", None)


def _find_zero(node: Tree) -> Tree | None:
    """The CASE of a sum that adds 0 if no condition holds."""
    while isinstance(node, exp.Paren):
        node = node.this
    case = node.this if isinstance(node, exp.Sum) else None
    default = case.args.get("default") if isinstance(case, exp.Case) else None
    return case if default is not None and evaluate_constant(default) == 0 else None


def _fold_extreme(node: Tree) -> Tree:
    """The least or greatest, which ignores NULL."""
    kept = [n for n in (node.this, *node.expressions) if evaluate_constant(n) is not None]
    if len(kept) < 2:
        return kept[0] if kept else exp.Null()
    values = [evaluate_constant(each) for each in kept]
    if _is_known(*values):
        choose = min if isinstance(node, exp.Least) else max
        return kept[values.index(choose(values))]  # type: ignore[type-var]
    return type(node)(this=kept[0], expressions=kept[1:], ignore_nulls=True)


def _fold_function(node: Tree) -> Tree:
    """A function of NULL is NULL."""
    return exp.Null() if evaluate_constant(node.this) is None else node


def _fold_nullif(node: Tree) -> Tree:
    left, right = evaluate_constant(node.this), evaluate_constant(node.expression)
    if left is None or (_is_known(left, right) and left == right):
        return exp.Null()
    return node.this if _is_known(left, right) else node


def _fold_case(node: Tree) -> Tree:
    operand, default = node.args.get("this"), node.args.get("default")
    ifs: list[Tree] = []
    for each in node.args["ifs"]:
        if any(each.this == before.this for before in ifs):
            continue
        if operand is None and _is_never_true(each.this):
            continue
        value = evaluate_constant(each.this)
        if operand is not None:
            asked = evaluate_constant(operand)
            if _is_known(asked, value):
                value = asked == value
        if value is True:
            default = each.args["true"]
            break
        if value is _UNKNOWN or (operand is not None and not isinstance(value, bool)):
            ifs.append(each)
    if not ifs:
        return default if default is not None else exp.Null()
    if default is not None and all(each.args["true"] == default for each in ifs):
        return default
    if default is not None and evaluate_constant(default) is None:
        default = None
    if len(ifs) == 1 and default is None and operand is None:
        asked, value = ifs[0].this, ifs[0].args["true"]
        if isinstance(asked, exp.Not) and asked.this == exp.Is(
            this=value.copy(), expression=exp.Null()
        ):
            return value
    return exp.Case(this=operand, ifs=ifs, default=default)


def _is_never_true(condition: Tree) -> bool:
    parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
    values = map(evaluate_constant, parts)
    return any(value is None or value is False for value in values)


def _fold_arithmetic(node: Tree) -> Tree:
    value = evaluate_constant(node)
    if value is None:
        return exp.Null()
    if isinstance(node, exp.Add) and isinstance(node.expression.unnest(), exp.Sub):
        rest = node.expression.unnest()
        if rest.expression == node.this and _is_never_null(node.this):  # x + (y - x)
            return rest.this
    # a formula is clearer than many digits
    if isinstance(value, int | float) and len(repr(value)) <= _SHORT:
        return _write_number(value)
    if isinstance(node, exp.Mul) and _is_fraction(node.expression):
        # the factor that makes a whole number a fraction
        one = evaluate_constant(node.this)
        if isinstance(one, float) and one == 1:
            return node.expression
    return node


def _is_fraction(node: Tree) -> bool:
    """Whether a number is certainly a fraction, which is not known of columns."""
    if isinstance(node, exp.Literal):
        return not node.is_string and not node.is_int
    if isinstance(node, exp.Ln | exp.Exp | exp.Pow | exp.Sqrt):
        return True
    if type(node) in _ARITHMETIC:
        return _is_fraction(node.this) or _is_fraction(node.expression)
    if isinstance(node, exp.Case):
        # each value separately, since engines may give each its own type
        values = [each.args["true"] for each in node.args["ifs"]]
        if default := node.args.get("default"):
            values.append(default)
        return all(map(_is_fraction, values))
    if isinstance(node, exp.Paren | exp.Neg | exp.Sum | exp.Nullif):
        return _is_fraction(node.this)
    return False


_SHORT = 6
_ARITHMETIC: dict[type[Any], Callable[..., float]] = {
    exp.Add: lambda a, b: a + b,
    exp.Sub: lambda a, b: a - b,
    exp.Mul: lambda a, b: a * b,
    exp.Div: lambda a, b: a / b,
}


def _write_number(value: float) -> Tree:
    if value < 0:
        return exp.Neg(this=_write_number(-value))
    text = repr(value)
    if isinstance(value, float) and "e" not in text and math.isfinite(value):
        text = f"{text.removesuffix('.0')}e0"
    return exp.Literal.number(text)


def _fold_text(node: Tree) -> Tree:
    """A text is the same in any collation."""
    return node.this if isinstance(evaluate_constant(node.this), str) else node


def _fold_joined(node: Tree) -> Tree:
    """Expand a text with a term for each of some numbers into these terms."""
    terms = node.this
    if not isinstance(terms, exp.Transform) or not isinstance(terms.this, exp.GenerateSeries):
        return node
    start, end = (evaluate_constant(terms.this.args[key]) for key in ("start", "end"))
    if not isinstance(start, int) or not isinstance(end, int):
        return node
    variable, each = terms.expression.expressions[0].name, terms.expression.this
    written = (insert_number(each, variable, number) for number in range(start, end))
    return exp.Concat(expressions=list(written))


def insert_number(node: Tree, variable: str, number: int) -> Tree:
    """A term with a number instead of its variable."""

    def replace(each: Tree) -> Tree:
        is_variable = isinstance(each, exp.Identifier) and each.name == variable
        is_whole = not isinstance(each.parent, exp.Column)
        return exp.Literal.number(number) if is_variable and is_whole else each

    return node.transform(replace)


def _fold_bracket(node: Tree) -> Tree:
    """A lookup in a map of gains, as a CASE."""
    gains = node.this
    while isinstance(gains, exp.Cast | exp.Paren):
        gains = gains.this
    if isinstance(gains, exp.Null):
        return exp.Null()
    if isinstance(gains, exp.ToMap):
        ifs = [exp.If(this=p.this, true=p.expression) for p in gains.this.expressions]
        return exp.Case(this=node.expressions[0], ifs=ifs)
    return node


_RULES: dict[type[Any], Callable[[Tree], Tree]] = {
    **dict.fromkeys(_COMPARISONS, _fold_comparison),
    **dict.fromkeys(_ARITHMETIC, _fold_arithmetic),
    exp.In: _fold_in,
    exp.Not: _fold_not,
    exp.Is: _fold_is,
    exp.Connector: _fold_connector,
    exp.Coalesce: _fold_coalesce,
    exp.Least: _fold_extreme,
    exp.Greatest: _fold_extreme,
    exp.Nullif: _fold_nullif,
    exp.Case: _fold_case,
    exp.Ln: _fold_function,
    exp.Exp: _fold_function,
    exp.Bracket: _fold_bracket,
    exp.ArrayToString: _fold_joined,
    exp.Collate: _fold_text,
}


# Simplifying: removes what does not change the result.


def _simplify(tree: Tree) -> Tree:
    """Remove columns, joins and queries that change nothing, and give the rest plain names."""
    for union in list(tree.find_all(exp.Union)):
        if union.args.get("by_name"):  # this would add missing columns; none are missing
            union.replace(union.this)
    tree = qualify(
        tree,
        dialect=_DIALECT,
        quote_identifiers=False,
        identify=False,
        validate_qualify_columns=False,
        expand_alias_refs=False,
    )
    before = None
    while before != (before := tree.sql(_DIALECT)):
        _drop_empty(tree)
        _spread_constants(tree)
        tree = fold(tree)
        tree = pushdown_projections(tree)
        _drop_joins(tree)
        _merge(tree)
        _drop_unread(tree)
    for alias in list(tree.find_all(exp.Alias)):
        column = alias.this
        if isinstance(column, exp.Column) and column.this == alias.args["alias"]:
            alias.replace(column)
    for table in tree.find_all(exp.Table):
        if table.alias == table.name:
            table.set("alias", None)
    if order := tree.args.get("order"):
        named = {each.alias_or_name: each for each in tree.selects}
        for each in order.expressions:
            if isinstance(column := named.get(each.this.name), exp.Column):
                each.set("this", column.copy())
    return tree


def _is_false(select: Tree) -> bool:
    where = select.args.get("where")
    return where is not None and evaluate_constant(where.this) is False


def _drop_empty(tree: Tree) -> None:
    """Remove conditions that always hold, and parts of unions where they never do."""
    for where in list(tree.find_all(exp.Where)):
        if evaluate_constant(where.this) is True:
            where.pop()
    for union in reversed(list(tree.find_all(exp.Union))):
        for dropped, kept in ((union.expression, union.this), (union.this, union.expression)):
            if isinstance(dropped, exp.Select) and _is_false(dropped):
                union.replace(kept)
                break
    for join in list(tree.find_all(exp.Join)):
        source = join.this
        if join.side == "LEFT" and isinstance(source, exp.Subquery) and _is_false(source.this):
            select, alias = join.parent, join.alias_or_name
            join.pop()
            for column in list(select.find_all(exp.Column)):
                if column.table == alias:
                    column.replace(exp.Null())


def _spread_constants(tree: Tree) -> None:
    """Replace columns that are always the same constant by this constant."""
    recursive = {
        cte.alias
        for cte in tree.ctes
        if cte.alias in {t.name for t in cte.this.find_all(exp.Table)}
    }
    for scope in traverse_scope(tree):
        select, references = scope.expression, dict(scope.references)
        # rows that an outer join does not find are NULL, which its condition does not see
        missed = {join.alias_or_name: join for join in select.args.get("joins") or [] if join.side}
        for column in scope.columns:
            source, table = scope.sources.get(column.table), references.get(column.table)
            if not isinstance(source, Scope):
                continue
            if isinstance(table, exp.Table) and table.name in recursive:
                continue
            join = missed.get(column.table)
            if join and column.find_ancestor(exp.Join, exp.Select) is not join:
                continue
            value = _find_constant(source.expression, column.name)
            if value is not None:
                _replace(column, value.copy(), select)
        if isinstance(select, exp.Select):
            _drop_constant_keys(select)


def _find_constant(query: Tree, name: str) -> Tree:
    """The constant that a column of a query always has, if there is one."""
    if isinstance(query, exp.Union):
        first, second = (_find_constant(each, name) for each in (query.this, query.expression))
        if first is None or second is None:
            return None
        return first if evaluate_constant(first) == evaluate_constant(second) else None
    if isinstance(query, exp.Subquery):
        return _find_constant(query.this, name)
    for each in query.selects:
        if each.alias_or_name == name:
            inner = each.unalias()
            is_constant = _is_known(evaluate_constant(inner))
            return inner if is_constant and not isinstance(inner, exp.Binary) else None
    return None


def _drop_constant_keys(select: exp.Select) -> None:
    """Remove constants from GROUP BY, PARTITION BY, ORDER BY and join conditions."""
    group = select.args.get("group")
    if group:
        _keep(group, "expressions")
        if not group.expressions:
            select.set("group", None)
    for window in select.find_all(exp.Window):
        if window.find_ancestor(exp.Select) is select:
            _keep(window, "partition_by")
            if order := window.args.get("order"):
                _keep(order, "expressions", lambda ordered: ordered.this)
    if order := select.args.get("order"):
        named = {each.alias_or_name: each.unalias() for each in select.selects}
        _keep(order, "expressions", lambda each: named.get(each.this.name, each.this))
        if not order.expressions:
            select.set("order", None)


def _keep(
    node: Tree,
    key: str,
    take: Callable[[Tree], Tree] = lambda each: each,
) -> None:
    kept = [
        each for each in node.args.get(key) or [] if not _is_known(evaluate_constant(take(each)))
    ]
    node.set(key, kept)


def _drop_joins(tree: Tree) -> None:
    """Remove joins that add neither columns nor rows."""
    for join in list(tree.find_all(exp.Join)):
        select, alias, source = join.parent, join.alias_or_name, join.this
        if not isinstance(source, exp.Subquery) or not isinstance(select, exp.Select):
            continue
        read = (c for c in select.find_all(exp.Column) if c.table == alias)
        if any(column.find_ancestor(exp.Join) is not join for column in read):
            continue
        inner = source.this
        adds_no_row = join.side == "LEFT" and inner.args.get("group")
        # the runs, if there is only one
        is_single = join.kind == "CROSS" and all(
            _is_known(evaluate_constant(each.unalias())) for each in inner.selects
        )
        if adds_no_row or (is_single and inner.args.get("distinct")):
            join.pop()


_CLAUSES = ("where", "group", "having", "distinct", "order", "limit", "joins", "qualify")


def _is_passed_on(select: Tree) -> bool:
    """Whether a query has only columns of one table."""
    if not isinstance(select, exp.Select) or any(select.args.get(key) for key in _CLAUSES):
        return False
    source = select.args["from_"].this if select.args.get("from_") else None
    if isinstance(source, exp.Table) and not isinstance(source.this, exp.Identifier):
        return False
    return source is not None and all(
        isinstance(each.unalias(), exp.Column) for each in select.selects
    )


def _merge(tree: Tree) -> None:
    """Remove queries that only pass columns on."""
    for subquery in reversed(list(tree.find_all(exp.Subquery))):
        inner, outer = subquery.this, subquery.parent_select
        if not subquery.alias or not isinstance(outer, exp.Select) or not _is_passed_on(inner):
            continue
        if subquery.arg_key != "this" or not isinstance(subquery.parent, exp.From | exp.Join):
            continue
        columns = {each.alias_or_name: each.unalias().this for each in inner.selects}
        _rename_columns(outer, subquery.alias, columns)
        source = inner.args["from_"].this
        source.set("alias", exp.TableAlias(this=exp.to_identifier(subquery.alias)))
        subquery.replace(source)
    for cte in tree.ctes:
        source = cte.this.args["from_"].this if _is_passed_on(cte.this) else None
        if not isinstance(source, exp.Table):
            continue
        columns = {each.alias_or_name: each.unalias().this for each in cte.this.selects}
        for table in list(tree.find_all(exp.Table)):
            if table.name == cte.alias and not table.db:
                alias, select = table.alias_or_name, table.parent_select
                if isinstance(select, exp.Select):
                    _rename_columns(select, alias, columns)
                new = source.copy()
                new.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
                table.replace(new)


def _rename_columns(select: exp.Select, table: str, names: Mapping[str, Tree]) -> None:
    for column in list(select.find_all(exp.Column)):
        if column.table == table and names.get(column.name, column.this) != column.this:
            _replace(column, exp.column(names[column.name].copy(), table), select)


def _replace(column: Tree, new: Tree, select: Tree) -> None:
    """Replace a column of a query by something else of the same name."""
    is_output = column.parent is select and column.arg_key == "expressions"
    column.replace(exp.alias_(new, column.name) if is_output else new)


def _drop_unread(tree: Tree) -> None:
    """Remove named queries that nothing reads."""
    for cte in reversed(tree.ctes):
        names = {table.name for table in tree.find_all(exp.Table) if not table.db}
        if cte.alias not in names:
            cte.pop()
    if tree.args.get("with_") and not tree.ctes:
        tree.set("with_", None)
