"""Named values: `let` as a column of a lower query, for engines without lists."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlglot import exp

from .simplify import Tree

# The macro for a formula with a name for a value.
LET = "let"
_VALUES = (exp.AggFunc, exp.Window, exp.Subquery)


def name_values(tree: Tree) -> None:
    """Put queries below those that call `let`, with columns for values; changes the tree."""
    taken = {each.name.lower() for each in tree.find_all(exp.Identifier)}
    listed: list[exp.CTE] = []
    for cte in tree.ctes:
        listed += [*_lower(cte.this, taken), cte]
    listed += _lower(tree, taken)
    if len(listed) > len(tree.ctes):
        tree.set("with_", None)
        for cte in listed:
            tree.with_(cte.alias, as_=cte.this, copy=False)
            tree.ctes[-1].set("materialized", cte.args.get("materialized"))


def _lower(select: Tree, taken: set[str]) -> Iterator[exp.CTE]:
    """The queries below one, each over the one before; changes the query to be over the last."""
    if not isinstance(select, exp.Select) or not any(map(_list_lets, select.selects)):
        return
    group, order = select.args.get("group"), select.args.get("order")
    keys = [key.copy() for key in group.expressions] if group else []
    names: dict[Tree, str] = {}
    known: set[str] = set()
    places = [*select.selects, *(order.expressions if order else ())]
    for each in places:
        for value in [*_list_values(each, keys)]:
            if value.args.get("table") or not isinstance(each, exp.Ordered):  # a name here
                names[value] = names.get(value) or _take_name(_describe(value), known)
    for place in places:
        for value in [*_list_values(place, keys)]:
            if value in names:
                column = exp.column(names[value])
                is_output = value.parent is select and names[value] != value.name
                value.replace(exp.alias_(column, value.name) if is_output else column)
    below = exp.select(*(exp.alias_(value, name) for value, name in names.items()))
    for key in ("from_", "joins", "where", "group", "having"):
        below.set(key, select.args.get(key))
        select.set(key, None)
    guards: dict[Tree, str] = {}
    while True:
        columns: dict[Tree, str] = {}
        while not columns and (calls := [c for each in select.selects for c in _list_lets(each)]):
            for call in calls:
                *values, formula = call.expressions
                body = formula.this
                if isinstance(body, exp.Identifier):  # the value itself
                    call.replace(values[0])
                    continue
                guard, new = _guard(call, exp.true()), {*columns.values()}
                waits = any(each.name in new for each in guard.find_all(exp.Column))
                if not waits and guard != exp.true() and guard not in guards and _list_lets(body):
                    columns[guard] = guards[guard] = _take_name("applies", known)
                if waits or guards.get(guard) in columns.values():  # for the next query
                    continue
                for value, variable in zip(values, formula.expressions, strict=True):
                    asked = _guard(call, value.copy())
                    if guard in guards:
                        asked = exp.case().when(exp.column(guards[guard]), value.copy())
                    if not isinstance(value, exp.Column):
                        columns[asked] = columns.get(asked) or _take_name(variable.name, known)
                        value = exp.column(columns[asked])
                    body = _name(body, variable.name, value)
                call.replace(exp.Paren(this=body))
        name = _take_name("named", taken)
        cte = exp.CTE(this=below, alias=exp.TableAlias(this=exp.to_identifier(name)))
        cte.set("materialized", True)  # else an engine writes values out again where they are used
        yield cte
        select.set("from_", exp.From(this=exp.to_table(name)))
        if not columns:
            return
        below = exp.select("*", *(exp.alias_(value, name) for value, name in columns.items()))
        below.set("from_", select.args["from_"].copy())


def _list_lets(tree: Tree) -> list[Tree]:
    """The calls of `let` whose value needs no other one."""
    if isinstance(tree, exp.Anonymous) and tree.name == LET:
        return [let for each in tree.expressions[:-1] for let in _list_lets(each)] or [tree]
    if isinstance(tree, exp.Lambda):  # its values are not those of a row
        return []
    return [let for each in tree.iter_expressions() for let in _list_lets(each)]


def _list_values(tree: Tree, keys: list[Tree]) -> Iterator[Tree]:
    """The outermost parts of a formula that a query over its rows or groups computes."""
    if isinstance(tree, (*_VALUES, exp.Column)) or tree in keys:
        yield tree
    else:
        for each in tree.iter_expressions():
            yield from _list_values(each, keys)


def _describe(value: Tree) -> str:
    """A name for a value: that of its column, behind that of its aggregate."""
    columns = [each.name for each in value.find_all(exp.Column)]
    if isinstance(value, exp.AggFunc):
        return "_".join([value.sql_name().lower(), *columns[:1]])
    return columns[0] if columns else "value"


def _take_name(name: str, taken: set[str]) -> str:
    taken.add(free := find_free(name, taken))
    return free


def find_free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken: to engines, ``fp`` and ``FP`` may be one name."""
    free, number = name, 1
    lowered = {*_RESERVED, *(each.lower() for each in taken)}
    while free.lower() in lowered:
        number += 1
        free = f"{name}_{number}"
    return free


# names of our macros that an engine reads as something else; this one is Redshift
_RESERVED = ("without",)


def _guard(node: Tree, value: Tree) -> Tree:
    """The value where the branches around it are taken, and NULL elsewhere."""
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


def _name(formula: Tree, variable: str, column: Tree) -> Tree:
    """The formula, with a column for its variable."""

    def replace(node: Tree) -> Tree:
        is_named = isinstance(node, exp.Identifier) and node.name == variable
        return column.copy() if is_named and not isinstance(node.parent, exp.Column) else node

    return formula.transform(replace)
