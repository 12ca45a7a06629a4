"""Plain SQL: writes out the macros that a statement calls as named queries, and simplifies them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from functools import cache

from sqlglot import exp, parse_one
from sqlglot.optimizer.eliminate_ctes import eliminate_ctes

from ..catalogue import SqlFile, Statement, files, find_variants, remember
from .features import find_engine
from .folding import IS_MISSING, RANGE_SUM, Tree, evaluate_constant, fold, is_known
from .merging import DIALECT, drop_empty_parts, simplify

# The macro for a value that is the same in all rows of a query, once per query.
_ONCE = "once_per_query"

# The macro that reads a table of the user.
_READING = "with_columns"


class PlainQuery:
    """A statement without macros: named queries, each with a description, and the final one.

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
        self._about: dict[str, str] = {}
        self._is_recursive = False
        self._taken = {
            t.name.lower() for query in tables.values() for t in query.find_all(exp.Table)
        }
        self._queries |= {name: query.copy() for name, query in tables.items()}
        given = parse(statement) if isinstance(statement, str) else statement
        tree = self._write_out(self._lift(given, ""))
        for name, query in self._queries.items():
            tree = tree.with_(name, as_=query, recursive=self._is_recursive, copy=False)
        self.tree = simplify(tree)
        # the name of a single run is not needed
        self.tree.set(
            "expressions",
            [
                each
                for each in self.tree.selects
                if each.alias_or_name != "run_id" or not is_known(evaluate_constant(each.unalias()))
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
        eliminate_ctes(query.tree)
        return query

    def replace(self, name: str, table: str) -> None:
        """Read a table instead of the query of this name."""
        for cte in self.tree.ctes:
            if cte.alias == name:
                cte.pop()
        _rename_tables(self.tree, {name: table})
        eliminate_ctes(self.tree)

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
            if not any(map(query.args.get, ("limit", "offset", "fetch", "distinct"))):
                query.set("order", None)  # it chooses no rows
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
        columns = [each.alias_or_name for each in tree.selects]
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
                    names[call] = _find_free(_name_aggregate(call), [*names.values(), *columns])
                    counted.append(exp.alias_(call.copy(), names[call]))
                call.replace(exp.column(names[call], rows))
            taken.append(exp.alias_(formula, each.args["alias"].copy()))
        order = tree.args.get("order")
        tree.set("order", None)
        tree.set("expressions", counted)
        self._queries[name := self._find_free_name("counts")] = fold(
            self._macros.write_out(tree, is_query=is_query)
        )
        self._about[name] = "The values that the formulas use."
        select = exp.select(*taken).from_(exp.alias_(exp.to_table(name), rows, table=True))
        select.set("order", order)
        return select

    def _name_call(self, call: exp.Anonymous) -> str:
        """The name of the query for a call of a table macro; equal calls share one query."""
        text = call.sql(DIALECT)
        if text not in self._calls:
            query = self._answer(call, self._queries)
            if query is None:
                if call.name == _READING:
                    body = self._read_columns(*call.expressions)
                else:
                    body = drop_empty_parts(self._macros.insert(call, is_table=True))
                query = self._write_out(self._lift(body, call.name))
            self._calls[text] = name = self._find_free_name(call.name)
            self._queries[name] = query
            self._about[name] = self._macros.describe(call.name)
        return self._calls[text]

    def _read_columns(self, table: Tree, columns: Tree) -> exp.Select:
        """The columns of a table that a macro looks for, NULL where it lacks one."""
        have = self._list_columns(table.name)
        names = [each.this.name for each in columns.find_all(exp.PropertyEQ)]
        listed = [
            exp.column(name, "_t") if have is None or name in have else exp.alias_("NULL", name)
            for name in names
        ]
        return exp.select(*listed).from_(f"{table.name} AS _t")

    def _list_columns(self, name: str) -> set[str] | None:
        """The columns of a query of this name; None where they are not known."""
        query = self._queries.get(name)
        if query is None or not query.is_star:
            return None if query is None else {*query.named_selects}
        return self._list_columns(query.args["from_"].this.name)

    def _find_free_name(self, name: str) -> str:
        return _find_free(name, self._taken.union(self._queries))


def _find_free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken: to engines, ``fp`` and ``FP`` may be one name."""
    free, number = name, 1
    lowered = {*_RESERVED, *(each.lower() for each in taken)}
    while free.lower() in lowered:
        number += 1
        free = f"{name}_{number}"
    return free


# names of our macros that an engine reads as something else; this one is Redshift
_RESERVED = ("without",)


def _name_aggregate(node: Tree) -> str:
    """The name of an aggregate's column: that of its macro, or of the column it aggregates."""
    return str(node.name if isinstance(node, exp.Anonymous) else node.this.name)


def parse(text: str) -> Tree:
    """A query, or an expression, parsed."""
    tree = parse_one(text, read=DIALECT)
    for node in tree.walk():
        node.meta.clear()  # where it is in the text, which is slow to copy
    return tree


class Macros:
    """Macros with some of their variants: parameters and bodies, parsed when asked for.

    Calls of those in ``kept`` stay calls.
    """

    def __init__(self, *variants: str, kept: Collection[str] = ()) -> None:
        listed = [file for each in files().values() for file in each.values()]
        self._found: dict[tuple[str, bool], tuple[SqlFile, Statement]] = {}
        for file in (*listed, *find_variants(*variants, checked=False)):
            statement = file.statement
            if statement.macro not in kept:
                self._found[statement.macro, statement.is_table] = file, statement
        self._bodies: dict[tuple[str, bool], Tree] = {}
        self._heights: dict[str, int] = {}

    def has(self, name: str, *, is_table: bool) -> bool:
        return (name, is_table) in self._found

    def find_name(self, name: str, *, is_table: bool) -> str | None:
        """The macro of this name, whose case does not matter; None if there is none."""
        if self.has(name, is_table=is_table):
            return name
        known = (macro for macro, kind in self._found if kind == is_table)
        return next((macro for macro in known if macro.lower() == name.lower()), None)

    def describe(self, name: str) -> str:
        return self._found[name, True][0].summary

    def list_parameters(self, call: exp.Anonymous) -> dict[str, str | None]:
        """The parameters and defaults of the macro called; of a table macro, if one is needed."""
        is_table = isinstance(call.parent, exp.Table)
        return self._found[call.name, is_table][1].parameters

    def insert(self, call: exp.Anonymous, *, is_table: bool) -> Tree:
        """The macro's body with the arguments of a call instead of its parameters."""
        key = call.name, is_table
        statement = self._found[key][1]
        if key not in self._bodies:
            self._bodies[key] = read_body(statement)
        return _insert(statement.parameters, self._bodies[key], call)

    def write_out(self, tree: Tree, *, is_query: bool = False) -> Tree:
        """The tree without calls of macros that are not table macros; changes the tree.

        With ``is_query``, it is over the rows of one query.
        """

        def replace(node: Tree) -> Tree:
            if isinstance(node, exp.Anonymous) and self.has(node.name, is_table=False):
                if is_query and node.name == _ONCE:
                    value = fold(self.write_out(node.expressions[1]))
                    return exp.Max(this=value) if value.find(exp.Column) else value
                inserted = self.insert(node, is_table=False)
                return exp.Paren(this=self.write_out(inserted, is_query=is_query))
            return node

        return tree.transform(replace, copy=False)

    def find_formula(self, tree: Tree, *, is_query: bool) -> Tree | None:
        """The expression where it first uses an aggregate twice, or None."""
        tree = tree.copy()
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
        """The tree with bodies instead of calls of macros of this height; changes the tree."""

        def is_opened(node: Tree) -> bool:
            is_macro = isinstance(node, exp.Anonymous) and self.has(node.name, is_table=False)
            return is_macro and self._measure(node.name) == height

        def replace(node: Tree) -> Tree:
            if not is_opened(node):
                return node
            if node.name == _ONCE:
                return self.write_out(node, is_query=is_query)
            return exp.Paren(this=self.insert(node, is_table=False))

        tree = fold(tree)
        while any(map(is_opened, tree.find_all(exp.Anonymous))):
            tree = fold(tree.transform(replace, copy=False))
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
    """The body of a macro, parsed; only a copy of it may be changed."""
    return _read(statement.body, is_table=statement.is_table)


@cache
def _read(text: str, *, is_table: bool = False) -> Tree:
    """A query or an expression, parsed once."""
    tree = parse(text) if is_table else parse(f"SELECT {text}").expressions[0]
    return tree.transform(_recognise)


@remember
def list_macros(engine: str) -> Macros:
    """The macros of plain SQL for an engine."""
    return Macros(*find_engine(engine).variants, kept=[IS_MISSING])


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
            given[name] = _read(default)

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
