"""Merging: a query without what nothing reads, and in as few parts as it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.optimizer.eliminate_ctes import eliminate_ctes
from sqlglot.optimizer.eliminate_joins import eliminate_joins
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

from .named_values import lower_windows
from .simplify import IS_MISSING, Tree, evaluate_constant, fold, is_known

# Names keep their case; sqlglot would otherwise assume that DuckDB ignores it.
DIALECT = Dialect.get_or_raise("duckdb, normalization_strategy=case_sensitive")
DIALECT.SUPPORTS_ORDER_BY_ALL = False  # it would take a column "all" for ALL


def simplify(tree: Tree) -> Tree:
    """Remove columns, joins and queries that change nothing, and give the rest plain names."""
    lower_windows(tree)
    tree = qualify(
        tree,
        dialect=DIALECT,
        quote_identifiers=False,
        identify=False,
        validate_qualify_columns=False,
        expand_alias_refs=False,
    )
    before = None
    while before != (before := hash(tree)):
        _drop_empty(tree)
        _spread_constants(tree)
        _drop_missing(tree)
        tree = fold(tree)
        tree = pushdown_projections(tree)
        _drop_single_runs(tree)
        tree = eliminate_joins(tree)
        _merge(tree)
        tree = eliminate_ctes(tree)
        if before == hash(tree):  # what is not known to be missing is there
            for call in list(tree.find_all(exp.Anonymous)):
                if call.name == IS_MISSING:
                    call.replace(exp.false())
    _keep_order(tree)
    return tree


def name_simply(tree: Tree) -> None:
    """Drop names that are those of the columns and tables themselves; changes the tree."""
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


def _has_no_rows(query: Tree, empty: Collection[str] = ()) -> bool:
    """Whether a query has no rows, whatever the tables; ``empty`` are names of such queries."""
    query = query.unnest()
    if isinstance(query, exp.Union):
        return _has_no_rows(query.this, empty) and _has_no_rows(query.expression, empty)
    if not isinstance(query, exp.Select):
        return query.name in empty
    joins = query.args.get("joins") or []
    for asked in filter(None, (query.args.get("where"), query.args.get("having"))):
        if evaluate_constant(fold(asked.this.copy())) is False:
            return True
    found = query.find_all(exp.AggFunc) if not query.args.get("group") else ()
    if not all(isinstance(each.parent, exp.Window) for each in found):
        return False
    needed = [join.this for join in joins if not join.side]
    if query.args.get("from_") and not any(join.side in ("RIGHT", "FULL") for join in joins):
        needed.append(query.args["from_"].this)
    return any(_has_no_rows(each, empty) for each in needed)


def drop_empty_parts(tree: Tree, empty: Collection[str] = ()) -> Tree:
    """A query without those parts of unions that have no rows, whatever the tables."""
    for union in reversed(list(tree.find_all(exp.Union))):
        for dropped, kept in ((union.expression, union.this), (union.this, union.expression)):
            if _has_no_rows(dropped, empty):
                for part in ("with_", "order", "limit"):
                    kept.set(part, union.args.get(part) or kept.args.get(part))
                tree = kept.pop() if union is tree else tree
                union.replace(kept)
                break
    return tree


def _drop_empty(tree: Tree) -> None:
    """Remove conditions that always hold, and parts of unions and joins where they never do."""
    for where in list(tree.find_all(exp.Where, exp.Having)):
        if evaluate_constant(where.this) is True and not isinstance(where.parent, exp.Filter):
            where.pop()
    empty: list[str] = []
    for cte in tree.ctes:
        empty += [cte.alias] if _has_no_rows(cte.this, empty) else []
    drop_empty_parts(tree, empty)
    for join in list(tree.find_all(exp.Join)):
        if join.side == "LEFT" and _has_no_rows(join.this, empty):
            select, alias = join.parent, join.alias_or_name
            join.pop()
            for column in list(select.find_all(exp.Column)):
                if column.table == alias:
                    _replace(column, exp.Null(), select)


def _drop_missing(tree: Tree) -> None:
    """Replace aggregates of values that are all NULL by what they are, and errors without text."""
    for each in list(tree.find_all(exp.Min, exp.Max, exp.Sum, exp.Avg, exp.Count, exp.Anonymous)):
        whole = each.parent if isinstance(each.parent, exp.Window) else each
        value = each.this.expressions[0] if isinstance(each.this, exp.Distinct) else each.this
        if each.name == "error":
            each.replace(exp.Null() if evaluate_constant(each.expressions[0]) is None else each)
        elif evaluate_constant(value) is None and (
            whole is not each or (each.parent_select or tree).args.get("group")
        ):
            whole.replace(exp.Literal.number(0) if isinstance(each, exp.Count) else exp.Null())
        elif evaluate_constant(value) is None and isinstance(each, exp.Max | exp.Min):
            place = each.find_ancestor(exp.Subquery)
            if place and isinstance(place.parent, exp.Is) and each.parent is place.selects[0]:
                place.replace(exp.Null())


def _spread_constants(tree: Tree) -> None:
    """Replace columns that are always the same constant by this constant."""
    recursive = {cte.alias for cte in tree.ctes if cte.alias in _list_read(cte)}
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
    for each in query.selects:
        if each.alias_or_name == name:
            inner = each.unalias()
            is_constant = is_known(evaluate_constant(inner))
            return inner if is_constant and not isinstance(inner, exp.Binary) else None
    return None


def _drop_constant_keys(select: exp.Select) -> None:
    """Remove constants from GROUP BY, PARTITION BY, ORDER BY and join conditions."""
    group = select.args.get("group")
    if group and group.expressions:  # and not ALL
        _keep(group, "expressions")
        if not group.expressions:
            select.set("group", None)
    for window in select.find_all(exp.Window):
        if window.find_ancestor(exp.Select) is select:
            _keep(window, "partition_by")
            if order := window.args.get("order"):
                keys = order.expressions
                _keep(order, "expressions", lambda ordered: ordered.this)
                if not order.expressions:  # a rank needs an order, though all are equal
                    order.set("expressions", keys)
    if order := select.args.get("order"):
        named = {each.alias_or_name: each.unalias() for each in select.selects}
        _keep(order, "expressions", lambda each: named.get(each.this.name, each.this))
        if not order.expressions:
            select.set("order", None)


def _keep(node: Tree, key: str, take: Callable[[Tree], Tree] = lambda each: each) -> None:
    kept = [
        each for each in node.args.get(key) or [] if not is_known(evaluate_constant(take(each)))
    ]
    node.set(key, kept)


def _drop_single_runs(tree: Tree) -> None:
    """Remove joins with the runs, if there is only one."""
    for join in list(tree.find_all(exp.Join)):
        source = join.this
        if join.kind == "CROSS" and isinstance(source, exp.Subquery):
            values = (evaluate_constant(each.unalias()) for each in source.this.selects)
            if source.this.args.get("distinct") and all(map(is_known, values)):
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
    named = {cte.alias: cte.this for cte in tree.ctes}
    for place in reversed(list(tree.find_all(exp.Subquery, exp.Table))):
        is_named = isinstance(place, exp.Table)
        query: Tree = named.get(place.name if not place.db else "") if is_named else place.this
        select = place.parent_select
        is_whole = isinstance(place.parent, exp.From) and _is_passed_on(select)
        is_own = is_whole and not is_named and isinstance(query, exp.Select)
        made = {e.alias_or_name for e in query.selects if e.find(exp.Explode)} if is_own else set()
        is_own = is_own and made <= {e.unalias().name for e in select.selects}  # else rows are lost
        if is_own and not any(map(query.args.get, (*_CHOOSING, "order"))):
            _put_in_place(select, query)
            continue
        if not isinstance(place.parent, exp.From | exp.Join) or not _is_passed_on(query):
            continue
        source = query.args["from_"].this.copy()
        if is_named and not isinstance(source, exp.Table):
            continue
        columns = {each.alias_or_name: each.unalias().this for each in query.selects}
        _rename_columns(select, place.alias_or_name, columns)
        source.set("alias", exp.TableAlias(this=exp.to_identifier(place.alias_or_name)))
        place.replace(source)


def _put_in_place(select: Tree, query: Tree) -> None:
    """Put a query in place of a SELECT that only passes its columns on."""
    columns = {each.alias_or_name: each.unalias() for each in query.selects}
    for each in select.selects:
        if isinstance(column := each.unalias(), exp.Column):
            each.replace(exp.alias_(columns[column.name].copy(), each.alias_or_name))
    for name in ("from_", *_CLAUSES):
        select.set(name, query.args.get(name))


_CHOOSING = ("distinct", "limit", "offset", "fetch")


def _keep_order(tree: Tree) -> None:
    """Put a named query whose rows have an order in place of a SELECT that only passes them on."""
    source = tree.args["from_"].this if tree.args.get("from_") else tree
    inner = next((cte.this for cte in tree.ctes if cte.alias == source.name), exp.select())
    order = inner.args.get("order")
    if not order or any(map(inner.args.get, _CHOOSING)) or any(map(tree.args.get, _CLAUSES)):
        return
    passed = {e.alias: e.this.name for e in tree.selects if isinstance(e.this, exp.Column)}
    fixed = [e.alias_or_name for e in tree.selects if is_known(evaluate_constant(e.unalias()))]
    kept = [key for key in order.expressions if key.this.name not in fixed]
    order.set("expressions", kept or order.expressions)
    keys = {k.this.name for k in kept if isinstance(k.this, exp.Column) and not k.this.table}
    if _list_read(tree).count(source.name) > 1 or any(passed.get(key) != key for key in keys):
        return
    if isinstance(inner, exp.Union):  # which is in one place with the keys alone
        tree.set("order", order.pop())
        return
    _put_in_place(tree, inner)
    eliminate_ctes(tree)


def _rename_columns(select: exp.Select, table: str, names: Mapping[str, Tree]) -> None:
    for column in list(select.find_all(exp.Column)):
        if column.table == table and names.get(column.name, column.this) != column.this:
            _replace(column, exp.column(names[column.name].copy(), table), select)


def _replace(column: Tree, new: Tree, select: Tree) -> None:
    """Replace a column of a query by something else of the same name."""
    is_output = column.parent is select and column.arg_key == "expressions"
    column.replace(exp.alias_(new, column.name) if is_output else new)


def _list_read(tree: Tree) -> list[str]:
    """The names of the tables that a query reads, each as often as it reads it."""
    return [table.name for table in tree.find_all(exp.Table) if not table.db]
