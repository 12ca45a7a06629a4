"""Folding: what the constants of a query decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from operator import is_not
from typing import Any, NamedTuple, TypeAlias

from sqlglot import exp

# A node of sqlglot; its attributes depend on its kind.
Tree: TypeAlias = Any

# The call that asks whether a table lacks a column, which is then NULL without a type.
IS_MISSING = "is_missing"


# A value that depends on rows.
_UNKNOWN = object()


def evaluate_constant(node: Tree) -> object:
    """The value of a literal, or `_UNKNOWN`."""
    if type(node) not in _CONSTANTS:  # as most are, which is to be known at once
        return _UNKNOWN
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
        if {*map(type, values)} <= {int, float} and (
            not isinstance(node, exp.Div) or (float in map(type, values) and values[1] != 0)
        ):
            return _ARITHMETIC[type(node)](*values)
        return None if None in values else _UNKNOWN
    if isinstance(node, exp.Pow):
        base, power = evaluate_constant(node.this), evaluate_constant(node.expression)
        if isinstance(base, float) and base > 0 and isinstance(power, int | float):
            with suppress(OverflowError):
                return base**power
    return None if isinstance(node, exp.Null) else _UNKNOWN


def is_known(*values: object) -> bool:
    return _UNKNOWN not in values


def fold(tree: Tree) -> Tree:
    """Evaluate what depends only on constants, from the leaves up."""
    if type(tree) in _LEAVES:
        return tree
    for key, value in list(tree.args.items()):
        if isinstance(value, exp.Expression):
            if (folded := _enclose(tree, fold(value), key)) is not value:
                tree.set(key, folded)
        elif isinstance(value, list):
            listed = [
                _enclose(tree, fold(v)) if isinstance(v, exp.Expression) else v for v in value
            ]
            if any(map(is_not, listed, value)):
                tree.set(key, listed)
    rule = _RULES.get(type(tree))
    folded = rule(tree) if rule else tree
    if folded is not tree and tree.comments:
        folded.add_comments(tree.comments)
    return folded


# what has nothing within that could be folded
_LEAVES = {exp.Column, exp.Identifier, exp.Literal}


def _enclose(parent: Tree, node: Tree, key: str = "") -> Tree:
    """The node, in brackets only where it needs them within its parent."""
    inner = node.this if isinstance(node, exp.Paren) else node
    needs = isinstance(inner, _OPERATIONS) and _needs_brackets(parent, inner, key)
    if isinstance(node, exp.Paren):
        return node if needs or inner.comments else inner
    # operations stay in the order they were written, by precedence
    if needs and node.parent is not parent:
        return exp.Paren(this=node)
    return node


def _needs_brackets(parent: Tree, operation: Tree, key: str) -> bool:
    """Whether a parent needs brackets around this operation."""
    if isinstance(parent, exp.Paren | exp.PropertyEQ | exp.Lambda | exp.Pow):
        return False
    if isinstance(operation, exp.Mul | exp.Div) and isinstance(parent, exp.Mul | exp.Div):
        return key != "this"  # which comes first anyway
    if isinstance(parent, exp.Connector):
        return not isinstance(operation, exp.Predicate | exp.Not)
    return isinstance(parent, exp.Binary | exp.Unary | exp.In | exp.Between | exp.Bracket)


_OPERATIONS = (exp.Binary, exp.Connector, exp.Not, exp.Neg, exp.Between, exp.In)


def _fold_comparison(node: Tree) -> Tree:
    left, right = evaluate_constant(node.this), evaluate_constant(node.expression)
    if None in (left, right) and not isinstance(node, exp.NullSafeEQ):
        return exp.Null()
    if is_known(left, right):
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
    exp.NullSafeEQ: lambda a, b: a == b,
}


def _fold_in(node: Tree) -> Tree:
    value = evaluate_constant(node.this)
    choices = [evaluate_constant(each) for each in node.expressions]
    if choices and is_known(value, *choices):
        return exp.Boolean(this=value in choices)
    return node


def _fold_not(node: Tree) -> Tree:
    value = evaluate_constant(node.this)
    return exp.Boolean(this=not value) if isinstance(value, bool) else _fold_function(node)


def _fold_is(node: Tree) -> Tree:
    value, is_map = evaluate_constant(node.this), isinstance(_uncast(node.this), exp.ToMap)
    if isinstance(node.expression, exp.Null) and (is_known(value) or is_map):
        return exp.Boolean(this=value is None)
    return node


def _uncast(node: Tree) -> Tree:
    return _uncast(node.this) if isinstance(node, exp.Paren | exp.Cast) else node


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
        if value is not None and is_known(value):
            break
    if not kept:
        return exp.Null()
    if _is_never_null(kept[0]):
        return kept[0]
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


def _fold_extreme(node: Tree) -> Tree:
    """The least or greatest, which ignores NULL."""
    kept = [n for n in (node.this, *node.expressions) if evaluate_constant(n) is not None]
    if len(kept) < 2:
        return kept[0] if kept else exp.Null()
    values = [evaluate_constant(each) for each in kept]
    if is_known(*values):
        choose = min if isinstance(node, exp.Least) else max
        return kept[values.index(choose(values))]  # type: ignore[type-var]
    return type(node)(this=kept[0], expressions=kept[1:], ignore_nulls=True)


def _fold_function(node: Tree) -> Tree:
    """A function of NULL is NULL."""
    return exp.Null() if evaluate_constant(node.this) is None else node


def _fold_nullif(node: Tree) -> Tree:
    left, right = evaluate_constant(node.this), evaluate_constant(node.expression)
    if left is None or (is_known(left, right) and left == right):
        return exp.Null()
    return node.this if is_known(left, right) else node


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
            if is_known(asked, value):
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
    if isinstance(node, exp.Add | exp.Sub) and node.expression == exp.Literal.number(0):
        return node.this
    # a formula is clearer than many digits
    if isinstance(value, int | float) and len(repr(value)) <= 6:
        return _write_number(value)
    return node


_ARITHMETIC: dict[type[Any], Callable[..., float]] = {
    exp.Add: lambda a, b: a + b,
    exp.Sub: lambda a, b: a - b,
    exp.Mul: lambda a, b: a * b,
    exp.Div: lambda a, b: a / b,
}


_CONSTANTS = {exp.Literal, exp.Null, exp.Boolean, exp.Neg, exp.Pow, *_ARITHMETIC}
_CONSTANTS |= {exp.Paren, exp.Cast, exp.TryCast, exp.Collate}


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
    terms = _read_terms(node.this)
    if terms is None or terms.numbers is None:
        return node
    return exp.Concat(expressions=[*map(terms.write, terms.numbers)])


class Terms(NamedTuple):
    """A term for each of some whole numbers."""

    variable: str
    first: Tree
    last: Tree
    each: Tree

    @property
    def numbers(self) -> range | None:
        """The numbers, if they do not depend on rows."""
        first, last = evaluate_constant(self.first), evaluate_constant(self.last)
        if not isinstance(first, int) or not isinstance(last, int):
            return None
        return range(first, last + 1)

    def write(self, number: int) -> Tree:
        """The term of a number."""

        def replace(node: Tree) -> Tree:
            is_variable = isinstance(node, exp.Identifier) and node.name == self.variable
            is_whole = not isinstance(node.parent, exp.Column)
            return exp.Literal.number(number) if is_variable and is_whole else node

        return self.each.transform(replace)


def read_sum(node: Tree) -> Terms | None:
    """The terms of a sum over whole numbers, if it is one."""
    is_sum = isinstance(node, exp.Anonymous) and node.name == "list_sum"
    return _read_terms(node.expressions[0]) if is_sum else None


def _read_terms(node: Tree) -> Terms | None:
    if not isinstance(node, exp.Transform) or not isinstance(node.this, exp.GenerateSeries):
        return None
    each = node.expression
    first, last = read_range(node.this)
    return Terms(each.expressions[0].name, first, last, each.this)


def read_range(series: exp.GenerateSeries) -> tuple[Tree, Tree]:
    """The first and the last number of a range, whose end DuckDB may exclude."""
    first, last, one = series.args["start"], series.args["end"], exp.Literal.number(1)
    if not series.args.get("is_end_exclusive"):
        return first, last
    if isinstance(last, exp.Add) and one in (last.this, last.expression):
        return first, (last.this if last.expression == one else last.expression).unnest()
    return first, fold(exp.Sub(this=last.copy(), expression=one))


def _fold_bracket(node: Tree) -> Tree:
    """A lookup in a map of gains, as a CASE."""
    gains = _uncast(node.this)
    if isinstance(gains, exp.Null):
        return exp.Null()
    if isinstance(gains, exp.ToMap):
        ifs = [exp.If(this=p.this, true=p.expression) for p in gains.this.expressions]
        return exp.Case(this=node.expressions[0], ifs=ifs)
    return node


def _fold_call(node: Tree) -> Tree:
    """A column that a table lacks is NULL; of the others, only `simplify` knows."""
    is_asked = node.name == IS_MISSING and isinstance(node.expressions[0].unnest(), exp.Null)
    return exp.true() if is_asked else node


_RULES: dict[type[Any], Callable[[Tree], Tree]] = {
    **dict.fromkeys(_COMPARISONS, _fold_comparison),
    **dict.fromkeys(_ARITHMETIC, _fold_arithmetic),
    exp.In: _fold_in,
    exp.Not: _fold_not,
    exp.Is: _fold_is,
    exp.And: _fold_connector,
    exp.Or: _fold_connector,
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
    exp.Anonymous: _fold_call,
}
