"""Plain SQL: writes out the macros that a statement calls as named queries, and simplifies them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from functools import cache

from sqlglot import exp, parse_one
from sqlglot.optimizer.eliminate_ctes import eliminate_ctes
from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries

from ..catalogue import SqlFile, Statement, choose, files, find_file, macros, remember
from ..errors import InputError
from ..macros.statements import write_own_table
from .features import find_engine
from .named_values import LET, find_free, name_values, put_column, take_name, take_rows
from .prune import DIALECT, drop_empty_parts, name_simply, simplify
from .simplify import IS_MISSING, Tree, evaluate_constant, fold, is_known

# The macro for a value that is the same in all rows of a query, once per query.
_ONCE = "once_per_query"

# The macro that reads a table of the user.
_READING = "with_columns"


class PlainQuery:
    """A statement without macros: named queries, what each is ``about``, and the final one.

    It ``is_recursive`` if one of them reads itself.

    ``tables`` are the queries that replace the tables in the statement, by their names there.
    ``engine`` has variants of some macros. ``answer`` may have the rows of a call of a table macro,
    given the call and the queries that it may read.
    """

    def __init__(
        self,
        statement: str | Tree,
        tables: Mapping[str, Tree],
        engine: str = "duckdb",
        answer: Callable[[exp.Anonymous, Mapping[str, Tree]], Tree | None] = lambda *_: None,
    ) -> None:
        self._macros = list_macros(engine)
        self._answer = answer
        self._queries: dict[str, Tree] = {}
        self._calls: dict[str, str] = {}
        self.about: dict[str, str] = {}
        self.is_recursive = False
        self._queries |= {name: query.copy() for name, query in tables.items()}
        given = eliminate_subqueries(parse(statement) if isinstance(statement, str) else statement)
        read = [t for query in (given, *tables.values()) for t in query.find_all(exp.Table)]
        # one of our macros is a word of Redshift
        self._taken = {"without", *(t.name.lower() for t in read if not _is_query(t))}
        tree = self._write_out(self._lift(given, ""))
        for name, query in self._queries.items():
            tree = tree.with_(name, as_=query, recursive=self.is_recursive, copy=False)
            tree.ctes[-1].set("materialized", query.meta.get("once"))
        self.tree = simplify(tree)
        # the name of a single run is not needed
        for each in list(self.tree.expressions):
            if each.alias_or_name == "run_id" and is_known(evaluate_constant(each.unalias())):
                each.pop()
        for points in name_values(self.tree):
            self.about[points] = find_file("quadrature").summary
        name_simply(self.tree)

    def cut(self, name: str) -> PlainQuery:
        """Only the query of this name, with what it reads."""
        query = copy(self)
        query.tree = exp.select("*").from_(name)
        query.tree.set("with_", self.tree.args["with_"].copy())
        eliminate_ctes(query.tree)
        return query

    def replace(self, name: str, table: str) -> None:
        """Read a table instead of the query of this name."""
        _rename_tables(self.tree, {name: table})
        eliminate_ctes(self.tree)

    def _lift(self, tree: Tree, owner: str) -> Tree:
        """Move a query's named queries to ours, under names that are free."""
        own: dict[str, str] = {}
        is_recursive = bool(tree.args.get("with_") and tree.args["with_"].recursive)
        self.is_recursive |= is_recursive
        for cte in tree.ctes:
            called = owner + cte.alias if owner else cte.alias.lstrip("_")
            if is_recursive:
                own[cte.alias] = called
            _rename_tables(cte.this, own)
            query = self._write_out(self._lift(cte.this, owner))
            if not any(map(query.args.get, ("limit", "offset", "fetch", "distinct"))):
                query.set("order", None)  # it chooses no rows
            query.meta["once"] = cte.args.get("materialized")
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
            elif found := self._macros.find(call):
                table.set("this", exp.to_identifier(self._name_call(call, found.summary)))
        if isinstance(tree, exp.Select) and tree.args.get("group"):
            named = tree.args["group"].find_all(exp.Column)
            keys = {(key.table, key.name) for key in named if key.parent is tree.args["group"]}
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
        names: dict[Tree, Tree] = {}
        taken = {*tree.named_selects}
        for each in list(tree.selects):
            formula = formulas.get(each.alias_or_name)
            values = [each.unalias()]
            if formula:  # aggregates are named by their macro, or by their column
                each.set("this", formula)
                values = [*self._macros.list_aggregates(formula)]
            for value in values:
                found = value.name if isinstance(value, exp.Anonymous) else value.this.name
                if formula and value not in names:
                    names[value] = exp.to_identifier(take_name(found, taken))
                names[value] = names.get(value) or each.args.get("alias") or each.this
                put_column(names[value], rows, value, tree)
        self._queries[name := self._find_free_name("counts")] = fold(
            self._macros.write_out(take_rows(tree, names, "group", "having"), is_query=is_query)
        )
        self.about[name] = "The values that the formulas use."
        return tree.from_(exp.alias_(exp.to_table(name), rows, table=True))

    def _name_call(self, call: exp.Anonymous, about: str) -> str:
        """The name of the query for a call of a table macro; equal calls share one query."""
        text = call.sql(DIALECT)
        if text not in self._calls:
            query = self._answer(call, self._queries)
            if query is None:
                if call.name == _READING:
                    body = self._read_columns(*call.expressions)
                else:
                    body = drop_empty_parts(self._macros.insert(call))
                query = self._write_out(self._lift(body, call.name))
            self._calls[text] = name = self._find_free_name(call.name)
            self._queries[name] = query
            self.about[name] = about
        return self._calls[text]

    def _read_columns(self, table: Tree, columns: Tree) -> exp.Select:
        """The known columns of a table, and NULL where it lacks one that is asked for."""
        have = self._list_columns(table.name)
        asked = [each.this.name for each in columns.find_all(exp.PropertyEQ)]
        listed = [
            exp.column(name, "_t") if have is None or name in have else exp.alias_("NULL", name)
            for name in dict.fromkeys([*asked, *(have or ())])
        ]
        return exp.select(*listed).from_(f"{table.name} AS _t")

    def _list_columns(self, name: str) -> list[str] | None:
        """The columns of a query of this name; None where they are not known."""
        query = self._queries.get(name)
        if query is None or not query.is_star:
            return None if query is None else query.named_selects
        return self._list_columns(query.args["from_"].this.name)

    def _find_free_name(self, name: str) -> str:
        return find_free(name, self._taken.union(self._queries))


def write_tables(tree: Tree) -> None:
    """Write out metrics that are called as tables: ``FROM ndcg(qrels, run, k := 10)``."""
    for call in list(tree.find_all(exp.Anonymous)):
        file, table = macros().get(call.name.lower()), call.parent
        if file and isinstance(table, exp.Table) and (own := write_own_table(file)):
            given = {name: parse(value) for name, value in own[0].items() if value is not None}
            given |= read_arguments(call, own[0])
            query = parse(own[1])
            for column in list(query.find_all(exp.Column)):
                if not column.table and column.name in given and column.arg_key != "this":
                    column.replace(given[column.name].copy())
            table.replace(query.subquery(table.alias or file.name))


def read_arguments(call: exp.Anonymous, parameters: Mapping[str, str | None]) -> dict[str, Tree]:
    """The arguments; raises `InputError` for what a macro does not have, lacks or does not allow.

    Names the parameters as the macro does: DuckDB ignores case, and takes ``=>`` for ``:=``.
    """
    macro, called = call.name, {name.lower(): name for name in parameters}
    known = f"{macro}({', '.join(parameters)})"
    given: dict[str, Tree] = {}
    is_named = False
    for place, each in enumerate(call.expressions):
        names = [each.this.name] if isinstance(each, exp.PropertyEQ | exp.Kwarg) else []
        if isinstance(each, exp.EQ) and isinstance(each.this, exp.Column):
            raise InputError(f"{macro}: write {each.this.name} := …, not {each.sql(DIALECT)}")
        if not names and (is_named or place >= len(parameters)):
            what = "comes after a named one" if is_named else "is one too many"
            raise InputError(f"{macro}: the argument {each.sql(DIALECT)} {what}; it is {known}")
        if names and names[0].lower() not in called:
            raise InputError(f"{macro} has no parameter {names[0]}; it is {known}")
        is_named |= bool(names)
        name = called[names[0].lower()] if names else [*parameters][place]
        if name in given:
            raise InputError(f"{macro}: {name} is given twice")
        given[name] = each.expression if names else each
        if names:
            each.replace(exp.PropertyEQ(this=exp.to_identifier(name), expression=given[name]))
    if missing := [n for n, default in parameters.items() if default is None and n not in given]:
        raise InputError(f"{macro}: {missing[0]} is missing; it is {known}")
    file = find_file(macro)
    for name, tree in given.items():
        if own := file.options.get(name):
            value = evaluate_constant(tree)
            if is_known(value) and (problem := own.find_problem(value)):  # type: ignore[arg-type]
                raise InputError(f"{macro}: {name} := {tree.sql(DIALECT)}: {problem}")
    return given


def parse(text: str) -> Tree:
    """A query, or an expression, parsed."""
    tree = parse_one(text, read=DIALECT)
    for node in tree.walk():
        node._meta = None  # where it is in the text, which is slow to copy
    return tree


class Macros:
    """Macros with some of their variants: parameters and bodies, parsed when asked for.

    Calls of those in ``kept`` stay calls.
    """

    def __init__(self, *variants: str, kept: Collection[str] = ()) -> None:
        listed = [file for each in files().values() for file in each.values()]
        self._found: dict[tuple[str, bool], SqlFile] = {}
        for file in listed:
            if file.name not in kept:
                chosen = choose(file, *variants)
                self._found[file.name, chosen.statement.is_table] = chosen
        self._heights: dict[str, int] = {}

    def find(self, call: exp.Anonymous) -> SqlFile | None:
        """The macro that is called, whatever the case of its name; None if it is none."""
        return self._found.get(_key(call))

    def insert(self, call: exp.Anonymous) -> Tree:
        """The body of the macro that is called, with its arguments instead of parameters."""
        statement = self._found[_key(call)].statement
        return _insert(statement.parameters, read_body(statement), call)

    def write_out(
        self, tree: Tree, *, is_query: bool = False, heights: Collection[int] | None = None
    ) -> Tree:
        """The tree without calls of macros that are not table macros; changes the tree.

        With ``is_query``, it is over the rows of one query. ``heights``: only those of these.
        """

        def replace(node: Tree) -> Tree:
            if not isinstance(node, exp.Anonymous) or not self.find(node):
                return node
            if heights is not None and self._measure(node.name) not in heights:
                return node
            if is_query and node.name == _ONCE:
                value = fold(self.write_out(node.expressions[1]))
                return exp.Max(this=value) if value.find(exp.Column) else value
            body = self.write_out(self.insert(node), is_query=is_query, heights=heights)
            return exp.Paren(this=body)

        return tree.transform(replace, copy=False)

    def find_formula(self, tree: Tree, *, is_query: bool) -> Tree | None:
        """The expression where it first uses an aggregate twice, or None."""
        tree, height = tree.copy(), 0
        while tree.find(exp.Anonymous):
            tree = fold(self.write_out(tree, is_query=is_query, heights=(0, height)))
            found = Counter(self.list_aggregates(tree))
            calls = [call for call in found if isinstance(call, exp.Anonymous)]
            if any(found[call] > 1 for call in calls) and all(map(_is_nameable, found)):
                return tree
            height = max((self._measure(call.name) for call in calls), default=0)
            if not height:
                break
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

    def _measure(self, name: str) -> int:
        """How many macros deep a macro's body aggregates; 0 where it does not."""
        if (name, False) not in self._found:
            return 0
        if name not in self._heights:
            body = read_body(self._found[name, False].statement)
            inner = max((self._measure(c.name) for c in body.find_all(exp.Anonymous)), default=0)
            self._heights[name] = inner + 1 if inner or body.find(exp.AggFunc) else 0
        return self._heights[name]


def _key(call: exp.Anonymous) -> tuple[str, bool]:
    return call.name.lower(), isinstance(call.parent, exp.Table)


def _is_nameable(node: Tree) -> bool:
    """Whether an aggregate has a single name: of a macro over rows, or of one column."""
    if isinstance(node, exp.Anonymous):
        return not any(each.find(exp.Column) for each in node.expressions[1:])
    return isinstance(node.this, exp.Column)


def read_body(statement: Statement) -> Tree:
    """The body of a macro, parsed; only a copy of it may be changed."""
    return _read(statement.body, is_table=statement.is_table)


@cache
def _read(text: str, *, is_table: bool = False) -> Tree:
    """A query or an expression, parsed once."""
    return parse(text) if is_table else parse(f"SELECT {text}").expressions[0]


@remember
def list_macros(engine: str) -> Macros:
    """The macros of plain SQL for an engine."""
    known = find_engine(engine)
    return Macros(*known.variants, kept=[IS_MISSING] if known.is_duckdb else [IS_MISSING, LET])


def _insert(parameters: Mapping[str, str | None], tree: Tree, call: exp.Anonymous) -> Tree:
    positional = [each for each in call.expressions if not isinstance(each, exp.PropertyEQ)]
    given: dict[str, Tree] = dict(zip(parameters, positional, strict=False))
    for each in call.expressions:
        if isinstance(each, exp.PropertyEQ):
            given[each.this.name] = each.expression
    for name, default in parameters.items():
        if name not in given and default is not None:
            given[name] = _read(default)

    def replace(node: Tree) -> Tree:
        if isinstance(node, exp.Column) and not node.table and node.name in given:
            value = given[node.name].copy()
            return exp.Paren(this=value) if isinstance(value, exp.Binary | exp.Unary) else value
        if isinstance(node, exp.Column) and isinstance(given.get(node.table), exp.Column):
            node.set("table", exp.to_identifier(given[node.table].name))
        return node

    return tree.transform(replace)


def _is_query(table: Tree) -> bool:
    """Whether rows are those of a call or of a named query, which others do not see in itself."""
    own = table.find_ancestor(exp.CTE)
    named = {cte.alias for cte in table.root().find_all(exp.CTE) if cte is not own}
    return isinstance(table.this, exp.Anonymous) or table.name in named


def _rename_tables(tree: Tree, names: Mapping[str, str]) -> None:
    """Rename tables, also in arguments of calls and in qualified columns."""
    for column in tree.find_all(exp.Column):
        if column.table in names:
            column.set("table", exp.to_identifier(names[column.table]))
    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier) and table.name in names:
            if table.alias == table.name:
                table.set("alias", None)
            table.set("this", exp.to_identifier(names[table.name]))
        if isinstance(table.this, exp.Anonymous):
            for each in table.this.expressions:
                if isinstance(each, exp.Column) and each.name in names:
                    each.replace(exp.column(names[each.name]))
