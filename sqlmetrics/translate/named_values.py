"""Named values: `let` as a column of a lower query, for engines without lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlglot import exp

from ..errors import MetricError
from .simplify import Tree, fold, read_sum

# The macro for a formula with a name for a value.
LET = "let"
MISPLACED = "a statistic in HAVING, ORDER BY or a subquery; select it in WITH s AS (SELECT …) first"
_VALUES = (exp.AggFunc, exp.Window, exp.Subquery)


def name_values(tree: Tree) -> list[str]:
    """Put queries below those that call `let`, with columns for values; changes the tree.

    Returns the names of queries of the points of an integral.
    """
    taken = {each.name.lower() for each in tree.find_all(exp.Identifier)}
    listed: list[exp.CTE] = []
    points: dict[Tree, str] = {}
    for cte in (*tree.ctes, None):
        select = cte.this if cte else tree
        columns, when = list[str](), dict[str, Tree]()
        below = [*_lower(select, taken, when)]
        for query in (*(each.this for each in below), select):
            _add_up(query, columns, points, taken, when)
            fold(query)
            columns += [name for name in query.named_selects if name != "*"]
        listed += [*below, cte] if cte else below
    listed = [*(_make_query(name, numbers) for numbers, name in points.items()), *listed]
    if len(listed) > len(tree.ctes):
        tree.set("with_", exp.With(expressions=listed))
    return [*points.values()]


def _make_query(name: str, query: Tree) -> exp.CTE:
    """A named query; an engine would otherwise write its values out again where they are used."""
    alias = exp.TableAlias(this=exp.to_identifier(name))
    return exp.CTE(this=query, alias=alias, materialized=True)


def _add_up(
    select: Tree, names: list[str], points: dict[Tree, str], taken: set[str], when: dict[str, Tree]
) -> None:
    """Write sums that name values of numbers as sums over points with these; changes the query.

    ``names`` are the columns of the query that it reads, which it joins with the points.
    """
    table = ""
    while call := next(filter(_list_variables, select.find_all(exp.Anonymous)), None):
        variables, terms = _list_variables(call), call.expressions[0]
        *values, formula = terms.expression.this.expressions
        number = exp.TableAlias(this="_numbers", columns=terms.expression.expressions)
        numbers = exp.select(*map(exp.alias_, values, variables))
        numbers = numbers.from_(exp.Table(this=terms.this, alias=number))
        points[numbers] = table = points.get(numbers) or take_name("points", taken)
        each = _guard(call, formula.this.copy(), when)  # a CASE leaves out no row of a sum
        for variable in variables:
            each = _put_in(each, variable, exp.column(variable, table))
        if call.parent_select is not select:
            raise MetricError(MISPLACED)
        call.replace(exp.Sum(this=each))
    if table:
        select.set("joins", [exp.Join(this=exp.to_table(table), kind="CROSS")])
        select.set("group", exp.Group(expressions=[*map(exp.column, names)]))


def _list_variables(call: exp.Anonymous) -> list[str]:
    """The names that a sum over numbers has for values of each; none where it is another call."""
    terms = read_sum(call)
    if not terms or not isinstance(terms.each, exp.Anonymous) or terms.each.name != LET:
        return []
    return [variable.name for variable in terms.each.expressions[-1].expressions]


def _lower(select: Tree, taken: set[str], when: dict[str, Tree]) -> Iterator[exp.CTE]:
    """The queries below one, each over the one before; changes the query to be over the last."""
    calls = [*select.find_all(exp.Anonymous)] if isinstance(select, exp.Select) else []
    if all(call.name != LET for call in calls):
        return
    group, read = select.args.get("group"), set[str]()
    keys = [key.copy() for key in group.expressions] if group else []
    known = {variable for call in calls for variable in _list_variables(call)}
    names = _name(select, keys, known)
    # what each row has of its own, as it is joined to others
    order_by = exp.Order(expressions=[exp.Ordered(this=key.copy()) for key in [*names][:1]])
    rows = keys or [exp.Window(this=exp.RowNumber(), order=order_by)]
    for key in rows:
        name = take_name(_describe(key) if keys else "row", known)
        names[key] = names.get(key) or exp.to_identifier(name)
        read.add(names[key].name)
    below = take_rows(select, names, "group", "having")
    values = {exp.column(name): exp.Paren(this=value) for value, name in names.items()}
    first = below

    def put_back(node: Tree) -> Tree:
        return values[node].copy() if node in values else node

    while True:
        columns: dict[Tree, str] = {}
        while not columns and (calls := [c for each in select.selects for c in _list_lets(each)]):
            for call in calls:
                *given, formula = call.expressions
                body = formula.this
                if isinstance(body, exp.Identifier):  # the value itself
                    call.replace(given[0])
                    continue
                guard, new = _guard(call, exp.true()), {*columns.values()}
                if any(each.name in new for each in guard.find_all(exp.Column)):
                    continue  # for the next query
                for value, variable in zip(given, formula.expressions, strict=True):
                    asked = _guard(call, value.copy(), when)
                    if not isinstance(value, exp.Column):
                        columns[asked] = columns.get(asked) or take_name(variable.name, known)
                        value = exp.column(columns[asked])
                        when[value.name] = guard
                    body = _put_in(body, variable.name, value)
                call.replace(exp.Paren(this=body))
            for value in [each for each in columns if values and not each.find(exp.Transform)]:
                whole = value.transform(put_back)
                below.select(exp.alias_(whole, columns.pop(value)), copy=False)
            values.clear()
        name = take_name("named", taken)
        yield _make_query(name, below)
        select.set("from_", exp.From(this=exp.to_table(name)))
        read |= {each.name for query in (*columns, select) for each in query.find_all(exp.Column)}
        if not columns:
            first.set("expressions", [each for each in first.selects if each.alias_or_name in read])
            return
        below = exp.select(
            f"{name}.*", *(exp.alias_(value, name) for value, name in columns.items())
        )
        below.set("from_", select.args["from_"].copy())


def take_rows(select: Tree, names: Mapping[Tree, Tree], *clauses: str) -> exp.Select:
    """A query of values by their names, with the rows of another; changes that."""
    below = exp.select(*(exp.alias_(value, name) for value, name in names.items()))
    for key in ("from_", "joins", "where", *clauses):
        below.set(key, select.args.get(key))
        select.set(key, None)
    return below


def _name(select: Tree, found: list[Tree], known: set[str], rows: str = "") -> dict[Tree, Tree]:
    """Put columns in place of what a query is to find below; returns their names.

    Where its ``rows`` have a name, it groups them itself.
    """
    names: dict[Tree, Tree] = {}
    group, having, order = map(select.args.get, ("group", "having", "order"))
    places = [*select.selects, *filter(None, (group, having) if rows else ())]
    for place in [*places, *(order.expressions if order else ())]:
        for value in [*_list_values(place, found, () if rows else _VALUES)]:
            is_named = isinstance(place, exp.Ordered) and isinstance(value, exp.Column)
            if value in names or value.args.get("table") or not is_named:  # a name here
                name = names.get(value) or take_name(_describe(value), known)
                is_quoted = isinstance(value, exp.Column) and value.this.quoted
                names[value] = exp.to_identifier(name, quoted=is_quoted)
                put_column(names[value], rows, value, select)
    return names


def lower_windows(tree: Tree) -> None:
    """Put windows that aggregates or other windows use into queries below; changes the tree.

    They are over the rows of a group.
    """
    while windows := [each for each in tree.find_all(exp.Window) if _is_lowest(each)]:
        select = windows[0].parent_select
        group = select.args.get("group")
        for window in windows:
            if window.parent_select is select:
                keys = [key.copy() for key in group.expressions] if group else []
                window.set("partition_by", [*keys, *(window.args.get("partition_by") or [])])
        rows = select.args["from_"].this.alias_or_name
        names = _name(select, windows, set(), rows)
        select.set("from_", exp.From(this=take_rows(select, names).subquery(rows)))


def _is_lowest(window: exp.Window) -> bool:
    """Whether an aggregate or another window of its query uses a window, and it uses none."""
    around = window.find_ancestor(exp.AggFunc, exp.Window, exp.Select)
    return not isinstance(around, exp.Select) and not any(
        each is not window and each.parent_select is window.parent_select
        for each in window.find_all(exp.Window)
    )


def put_column(name: Tree, rows: str, value: Tree, select: Tree) -> None:
    """Put a column in place of a value of a query; an output keeps its name."""
    column = exp.column(name.copy(), rows or None)
    value.replace(exp.alias_(column, value.this.copy()) if value.parent is select else column)


def _list_lets(tree: Tree) -> list[Tree]:
    """The calls of `let` whose value needs no other one."""
    if isinstance(tree, exp.Anonymous) and tree.name == LET:
        return [let for each in tree.expressions[:-1] for let in _list_lets(each)] or [tree]
    if isinstance(tree, exp.Lambda):  # its values are not those of a row
        return []
    return [let for each in tree.iter_expressions() for let in _list_lets(each)]


def _list_values(tree: Tree, keys: list[Tree], kinds: tuple[type[Any], ...]) -> Iterator[Tree]:
    """The outermost parts of a formula that a query over its rows or groups computes."""
    if isinstance(tree, (*kinds, exp.Column)) or tree in keys:
        yield tree
    else:
        for each in tree.iter_expressions():
            yield from _list_values(each, keys, kinds)


def _describe(value: Tree) -> str:
    """A name for a value: that of its column, behind that of its aggregate."""
    value = value.this if isinstance(value, exp.Window) else value
    columns = [each.name for each in value.find_all(exp.Column)]
    if isinstance(value, exp.AggFunc | exp.RowNumber):
        columns[:1] = ["_".join([value.sql_name().lower(), *columns[:1]])]
    return re.sub(r"\W+", "_", columns[0]).strip("_") if columns else "value"


def take_name(name: str, taken: set[str]) -> str:
    taken.add(free := find_free(name, taken))
    return free


def find_free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken: to engines, ``fp`` and ``FP`` may be one name."""
    free, number = name, 1
    lowered = {each.lower() for each in taken}
    while free.lower() in lowered:
        number += 1
        free = f"{name}_{number}"
    return free


def _guard(node: Tree, value: Tree, when: dict[str, Tree] | None = None) -> Tree:
    """The value where the branches around it are taken, and NULL elsewhere.

    Where its columns are NULL elsewhere, too, by ``when``, it needs no CASE for that.
    """
    if when is not None and not value.find(exp.Coalesce, exp.Greatest, exp.Least, exp.Is):
        guard = _guard(node, exp.true())
        if all(when.get(column.name) == guard for column in value.find_all(exp.Column)):
            return value
    while not isinstance(node, exp.Select):
        parent = node.parent
        case = parent.parent if isinstance(parent, exp.If) else parent
        if isinstance(case, exp.Case) and (case is not parent or node.arg_key == "default"):
            branches = case.args["ifs"]
            place = branches.index(parent) if case is not parent else len(branches)
            ifs = [exp.If(this=each.this.copy(), true=exp.Null()) for each in branches[:place]]
            if ifs and not case.this:
                ifs = [exp.If(this=exp.or_(*(each.this for each in ifs)), true=exp.Null())]
            if node.arg_key == "true":
                ifs.append(exp.If(this=parent.this.copy(), true=value))
            default = None if node.arg_key == "true" else value
            operand = case.this and case.this.copy()
            value = exp.Case(this=operand, ifs=ifs, default=default) if ifs else value
            parent = case
        node = parent
    return value


def _put_in(formula: Tree, variable: str, column: Tree) -> Tree:
    """The formula, with a column for its variable."""

    def replace(node: Tree) -> Tree:
        is_named = isinstance(node, exp.Identifier) and node.name == variable
        return column.copy() if is_named and not isinstance(node.parent, exp.Column) else node

    return formula.transform(replace)
