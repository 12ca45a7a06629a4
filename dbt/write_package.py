"""Writes macros/sqlmetrics from sql/: a dbt macro for each metric, method, relation; the version.

What the arguments of a macro decide is decided in Jinja, when dbt compiles; what is left is plain
SQL. Where adapters differ in a word, such as how a number is written, a macro of `WORDS` has it;
where they differ in more, an adapter has a macro of its own.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sqlglot import exp, parse_one

from sqlmetrics import __version__, catalogue
from sqlmetrics.catalogue.rules import Rule
from sqlmetrics.elsewhere import plain
from sqlmetrics.elsewhere.features import ENGINES, Engine
from sqlmetrics.elsewhere.folding import RANGE_SUM, Tree, evaluate_constant, fold
from sqlmetrics.elsewhere.plain import Macros
from sqlmetrics.elsewhere.writer import write_part
from sqlmetrics.errors import MetricError

FOLDER = Path(__file__).parent / "macros" / "sqlmetrics"
PROJECT = Path(__file__).parent / "dbt_project.yml"
# databricks takes the macros of spark, and there is no adapter for DataFusion. ClickHouse and
# Redshift need what macros cannot give, as the macro `start` says.
WITHOUT = {"databricks", "datafusion", "clickhouse", "redshift"}
ADAPTERS = [name for name in ENGINES if name not in WITHOUT]
# Words that rules allow and dbt cannot do, and why.
REFUSED = {"input": "the rows of a table have no order; use other ties"}
# How dbt has what headers say of values and tables.
PHRASES = {
    "NULL": "none",
    "TRUE": "true",
    "FALSE": "false",
    ", in SQL a MAP": "",
    "MAP {": "{",
    "table or file": "relation",
    "and, when it holds several runs, run_id": "and run_id",
    "; without it there is one subtopic": "",
    **{f"'{word}', ": "" for word in REFUSED},
    "as they stand in the run, ": "",
    ". If it has a rank, this is the order of the index": "",
    "and, if there are any, time_to_click": "time_to_click",
    "response_time of the page, and other columns to group by": "and response_time of the page, "
    "which may be NULL; and other columns to group by",
}
# The columns that relations must have, by the macros that all others of judgments and runs call.
_RUN = ["run_id", "query_id", "doc_id", "score"]
COLUMNS = {
    "restricted": {"qrels": ["query_id", "doc_id", "relevance"], "run": _RUN},
    "rankings": {"run": _RUN},
}
# The columns that a table may have, by macros with a parameter that is whether it has one.
OPTIONAL = {"run_weights": {"weighted": ("run", "weight")}}
# The files of the package, and what of sql/ is in them; users call none of the parts.
FILES = {
    "parts": ("functions", "inputs"),
    "relations": ("relations",),
    "metrics": ("metrics",),
    "expected": ("expected",),
    "fusion": ("fusion",),
}


def put_in(name: str) -> exp.Var:
    return exp.Var(this=f"{{{{ {name} }}}}")


def write_order(engine: Engine, *, desc: bool) -> str:
    key = exp.Ordered(this=put_in("key"), desc=desc)
    window = exp.Window(this=exp.Var(this="_"), order=exp.Order(expressions=[key]))
    return write_part(window, engine).partition("ORDER BY ")[2].removesuffix(")")


def write_sum(engine: Engine) -> str:
    parts = [put_in(name) for name in ("variable", "first", "last", "each")]
    return write_part(exp.Anonymous(this=RANGE_SUM, expressions=parts), engine)


# Words in which adapters differ: macros with parameters, and how each engine has them.
WORDS: dict[str, tuple[str, Callable[[Engine], str]]] = {
    "real": ("", lambda e: e.numbers),
    "text": ("value", lambda e: write_part(exp.cast(put_in("value"), exp.DType.TEXT), e)),
    "exp": ("power", lambda e: write_part(exp.Exp(this=put_in("power")), e)),
    "power": (
        "base, power",
        lambda e: write_part(exp.Pow(this=put_in("base"), expression=put_in("power")), e),
    ),
    "range_sum": ("variable, first, last, each", write_sum),
    "ascending": ("key", lambda e: write_order(e, desc=False)),
    "descending": ("key", lambda e: write_order(e, desc=True)),
    "error": ("message", lambda e: e.raises.format(message="{{ message }}")),
}


# What our SQL has none of stands for a value that Jinja knows when it compiles, such as a cut-off,
# and for SQL that Jinja puts in: a column of the rows ``j``, or what a macro was called with.
Argument, Text = exp.Parameter, exp.Placeholder


@dataclass(frozen=True)
class Choice:
    """One of two texts."""

    condition: str
    first: str
    second: str


class Writer:
    """Writes a body in the words of an engine, with Jinja where arguments matter.

    Parts that Jinja decides stand in a text as tokens, until it is known where the text goes: into
    a template, or into an expression.
    """

    def __init__(
        self, macros: Macros, values: Mapping[str, set[str]], rows: set[str], engine: Engine
    ) -> None:
        self.macros = macros
        self.values = values
        # the parameters that are aliases of rows
        self.rows = rows
        # a word of ours says of what type a number is
        self.engine = replace(engine, numbers="")
        self.parts: dict[str, str | Choice] = {}

    def write(self, tree: Tree) -> str:
        """The text with tokens."""
        return write_part(tree.transform(self.weave), self.engine)

    def write_template(self, text: str) -> str:
        def replace(match: re.Match[str]) -> str:
            part = self.parts[match[0]]
            if isinstance(part, str):
                return f"{{{{ {part} }}}}"
            first, second = self.write_template(part.first), self.write_template(part.second)
            if not second:
                return f"{{% if {part.condition} %}}{first}{{% endif %}}"
            if second.startswith("{% if ") and second.endswith("{% endif %}") and is_one(second):
                return f"{{% if {part.condition} %}}{first}{{% el{second[3:]}"
            return f"{{% if {part.condition} %}}{first}{{% else %}}{second}{{% endif %}}"

        return re.sub(TOKEN, replace, text)

    def write_expression(self, text: str) -> str:
        """The text as an expression of Jinja."""
        pieces = []
        for piece in re.split(f"({TOKEN})", re.sub(r"\s*\n\s*", " ", text)):
            part = self.parts.get(piece)
            if isinstance(part, Choice):
                first, second = map(self.write_expression, (part.first, part.second))
                pieces.append(f"({first} if {part.condition} else {second})")
            elif part is not None:
                pieces.append(part)
            elif piece:
                pieces.append(quote_text(piece))
        return " ~ ".join(pieces) or "''"

    def keep(self, part: str | Choice) -> exp.Var:
        token = f"__jinja_{len(self.parts)}__"
        self.parts[token] = part
        return exp.Var(this=token)

    def keep_word(self, word: str, *values: Tree) -> exp.Var:
        written = ", ".join(self.write_expression(self.write(value)) for value in values)
        return self.keep(f"sqlmetrics.{word}({written})")

    def weave(self, node: Tree) -> Tree:
        """What Jinja decides instead of a node."""
        if isinstance(node, Argument):
            return self.keep(f"sqlmetrics.literal({node.name})")
        if isinstance(node, Text):
            return self.keep(str(node.name))
        if isinstance(node, exp.Column) and node.table in self.rows:
            return self.keep(f"{node.table} ~ '.{node.name}'")
        if (replaced := self.weave_word(node)) is not None:
            return replaced
        if isinstance(node, exp.Anonymous) and self.macros.has(node.name, is_table=False):
            return self.keep(self.write_call(node))
        if isinstance(node, exp.Case):
            return self.weave_case(node)
        if isinstance(node, exp.Coalesce | exp.Least | exp.Greatest):
            return self.weave_chosen(node)
        if isinstance(node, exp.Bracket) and (gains := node.this.find(Argument)):
            return self.weave_gains(node, gains.name)
        if isinstance(node, exp.Subquery) and (asked := find_condition(node.this.args)):
            return self.weave_union(node, asked)
        if isinstance(node, exp.Table) and isinstance(call := node.this, exp.Anonymous):
            is_given = call.name == "query_table"
            part = call.expressions[0].name if is_given else self.write_call(call)
            node.set("this", exp.to_identifier(self.keep(part).name))
            if not node.alias:  # which some engines want
                node.set("alias", exp.TableAlias(this=exp.to_identifier("_r")))
        return node

    def weave_word(self, node: Tree) -> Tree | None:
        """A word in which adapters differ, or None."""
        if isinstance(node, exp.Literal) and not (node.is_string or node.is_int):
            return exp.Var(this=f"{node.this}{self.keep('real')}")
        if isinstance(node, exp.Ordered) and isinstance(node.parent.parent, exp.Window):
            return self.keep_word("descending" if node.args.get("desc") else "ascending", node.this)
        if isinstance(node, exp.Exp):
            return self.keep_word("exp", node.this)
        if isinstance(node, exp.Pow):
            base, power = node.this, node.expression
            if isinstance(evaluate_constant(base), float):
                return exp.Anonymous(this="power", expressions=[base, power]).transform(self.weave)
            base = base.transform(self.weave)
            return None if base.find(exp.Column) else self.keep_word("power", base, power)
        if isinstance(node, exp.Concat):
            return exp.Var(this=" || ".join(map(self.write_text, node.expressions)))
        if is_error(node) and not node.find(exp.Column, Text):
            return self.keep(f"exceptions.raise_compiler_error({write_message(node)})")
        if is_error(node):
            return self.keep_word("error", node.expressions[0])
        if isinstance(node, exp.Anonymous) and node.name == RANGE_SUM:
            first, last = map(evaluate_constant, node.expressions[1:3])
            is_fixed = isinstance(first, int) and isinstance(last, int)
            return None if is_fixed else self.keep_word("range_sum", *node.expressions)
        return None

    def write_text(self, node: Tree) -> str:
        if node.is_string or isinstance(node, exp.Case):
            return self.write(node)
        return str(self.keep_word("text", node))

    def weave_union(self, node: exp.Subquery, asked: str) -> Tree:
        """A union with a part that has rows only for some arguments."""
        first, second = self.write(node.this.this), self.write(node.this.expression)
        more = self.keep(Choice(asked, f"\nUNION ALL\n{second}", ""))
        both = exp.Var(this=f"(\n{first}{more}\n)")
        return exp.Table(this=both, alias=node.args["alias"])

    def weave_case(self, node: exp.Case) -> Tree:
        """A CASE whose first conditions are known becomes the branch that is taken."""
        operand, default = node.args.get("this"), node.args.get("default")
        first, *others = node.args["ifs"]
        condition = first.this
        if operand is not None:  # a copy, since a node has one place
            condition = exp.EQ(this=operand.copy(), expression=first.this.copy())
        known, unknown = split_condition(condition)
        if not known and not (others and node.find(Argument) and operand is None):
            return node
        rest = write_rest(operand, others, default)
        if not known:
            # what is known of further conditions is asked in the branch of all the others
            return exp.Case(ifs=[first], default=rest).transform(self.weave)
        taken = first.args["true"]
        if unknown is not None:
            # what asks the same again is never reached
            left = [each for each in others if each.this != unknown]
            reached = write_rest(operand, left, default)
            taken = exp.Case(ifs=[exp.If(this=unknown, true=taken)], default=reached)
        second = self.write_operand(exp.Null() if rest is None else rest)
        return self.keep(Choice(" and ".join(known), self.write_operand(taken), second))

    def weave_chosen(self, node: Tree) -> Tree:
        """Arguments that are none are left out."""
        values = [node.this, *node.expressions]
        known = next((value for value in values if isinstance(value, Argument)), None)
        if known is None:
            return node
        others = [value for value in values if value is not known]
        without = others[0]
        if len(others) > 1:
            without = type(node)(this=others[0], expressions=others[1:])
        if isinstance(node, exp.Coalesce) and values[0] is known:
            chosen = self.write(known)
        else:
            written = ", ".join(map(self.write, values))
            chosen = self.write(type(node)(this=exp.Var(this=written), expressions=[]))
        return self.keep(Choice(f"{known.name} is none", self.write_operand(without), chosen))

    def weave_gains(self, node: exp.Bracket, name: str) -> Tree:
        value = self.write_expression(self.write(node.expressions[0]))
        return self.keep(f"sqlmetrics.map_gains({value}, {name})")

    def write_operand(self, tree: Tree) -> str:
        text = self.write(tree)
        return f"({text})" if isinstance(tree, exp.Binary | exp.Connector | exp.Unary) else text

    def write_call(self, call: exp.Anonymous) -> str:
        """A call of another macro, with values and texts as it takes them."""
        parameters = self.macros.list_parameters(call)
        arguments = []
        for each, parameter in zip(call.expressions, parameters, strict=False):
            name, value = "", each
            if isinstance(each, exp.PropertyEQ):
                name, value = f"{each.this.name}=", each.expression
                parameter = each.this.name
            if parameter in self.values[call.name]:
                written = write_value(value) or str(write_condition(value))
            elif isinstance(value, exp.Column) and not value.table:  # a relation
                written = repr(value.name) if value.name.startswith("_") else value.name
            else:
                written = self.write_expression(self.write_operand(value))
            arguments.append(name + written)
        return f"sqlmetrics.{call.name}({', '.join(arguments)})"


TOKEN = r"__jinja_\d+__"  # noqa: S105


def write_rest(operand: Tree | None, ifs: list[exp.If], default: Tree | None) -> Tree | None:
    """The rest of a CASE."""
    return exp.Case(this=operand, ifs=ifs, default=default) if ifs else default


def is_error(node: Tree) -> bool:
    return isinstance(node, exp.Anonymous) and node.name == "error"


def write_message(error: Tree) -> str:
    """The message of an error of arguments, as Jinja."""
    message = error.expressions[0]
    pieces = message.expressions if isinstance(message, exp.Concat) else [message]
    return " ~ ".join(str(write_value(piece)) for piece in pieces)


def quote_text(text: str) -> str:
    return '"' + text + '"' if '"' not in text else "'" + text.replace("'", "\\'") + "'"


def is_one(template: str) -> bool:
    """Whether all of a template is one choice."""
    depth = 0
    for match in re.finditer(r"{% (if|endif)\b.*?%}", template):
        depth += 1 if match[1] == "if" else -1
        if depth == 0:
            return match.end() == len(template)
    return False


def write_value(node: Tree) -> str | None:
    if isinstance(node, Argument):
        return str(node.name)
    if isinstance(node, exp.Paren):
        return write_value(node.this)
    if isinstance(node, exp.Neg):
        value = write_value(node.this)
        return value and f"-{value}"
    if isinstance(node, exp.Null):
        return "none"
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    if isinstance(node, exp.Literal):
        return repr(node.this) if node.is_string else str(ast.literal_eval(node.this))
    return None


OPERATORS = {exp.EQ: "==", exp.NEQ: "!=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}


def write_condition(node: Tree) -> str | None:
    """A condition that arguments decide, as Jinja; None where rows do."""
    if isinstance(node, exp.Paren):
        return write_condition(node.this)
    if isinstance(node, Argument | exp.Boolean):
        return write_value(node)
    if isinstance(node, exp.Not):
        asked = write_condition(node.this)
        return asked and f"not ({asked})"
    if isinstance(node, exp.And | exp.Or):
        both = [write_condition(node.this), write_condition(node.expression)]
        joined = f" {node.key} ".join(f"({each})" for each in both)
        return None if None in both else joined
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        value = write_value(node.this)
        return value and f"{value} is none"
    if isinstance(node, exp.In):
        values = [write_value(each) for each in (node.this, *node.expressions)]
        return None if None in values else f"{values[0]} in ({', '.join(map(str, values[1:]))},)"
    if type(node) in OPERATORS:
        values = [write_value(node.this), write_value(node.expression)]
        if None in values:
            return None
        is_order = not isinstance(node, exp.EQ | exp.NEQ)
        known = [f"{n.name} is not none and " for n in node.find_all(Argument)] if is_order else []
        return f"{''.join(known)}{values[0]} {OPERATORS[type(node)]} {values[1]}"
    return None


def split_condition(node: Tree) -> tuple[list[str], Tree]:
    """The parts of a condition that arguments decide, and the rest, None if there is none."""
    parts = list(node.flatten()) if isinstance(node, exp.And) else [node]
    asked = [(part, write_condition(part)) for part in parts]
    unknown = [part for part, text in asked if text is None]
    return [text for _, text in asked if text], exp.and_(*unknown) if unknown else None


def find_condition(union: Mapping[str, Tree]) -> str | None:
    """What arguments must be for the second part of a union to have rows."""
    second = union.get("expression")
    where = second.args.get("where") if isinstance(second, exp.Select) else None
    known = split_condition(where.this)[0] if where else []
    return " and ".join(known) or None


VARIANTS = ("flat", "plain", "dbt")


@cache
def list_macros() -> Macros:
    return Macros(*VARIANTS)


Listed = tuple[str, catalogue.SqlFile, catalogue.Statement]


def list_files() -> Iterator[Listed]:
    """What becomes a macro, with the file of the package that it is in."""
    variants = {file.name: file for file in catalogue.find_variants(*VARIANTS)}
    for name, folders in FILES.items():
        for folder in folders:
            for stem, file in catalogue.files()[folder].items():
                if stem == "with_columns":  # see read_body
                    continue
                written = variants.get(stem, file)
                family = file.path.parent.name
                place = "parts" if family == "functions" else name
                if family != "checks":
                    # the tables that dbt reads are described as it wants them
                    yield place, written if folder == "inputs" else file, written.statement


def read_body(statement: catalogue.Statement) -> Tree:
    """The body of a macro; a relation has all columns that are read of it."""

    def take_rows(node: Tree) -> Tree:
        if isinstance(node, exp.Anonymous) and node.name == "with_columns":
            return exp.Anonymous(this="query_table", expressions=node.expressions[:1])
        return node

    return plain.read_body(statement).transform(take_rows)


# The macro called, its parameter, and what is given for it.
Given = tuple[str, str, Tree]


def list_given(body: Tree, macros: Mapping[str, catalogue.Statement]) -> Iterator[Given]:
    """What a body gives to the parameters of other macros."""
    for call in body.find_all(exp.Anonymous):
        if call.name in macros:
            for name, value in zip(macros[call.name].parameters, call.expressions, strict=False):
                if isinstance(value, exp.PropertyEQ):
                    yield call.name, value.this.name, value.expression
                else:
                    yield call.name, name, value


def find_tables(macros: Mapping[str, catalogue.Statement]) -> dict[str, set[str]]:
    """The parameters of each macro that stand for rows, in its own text or in what it calls."""
    bodies = {name: read_body(each) for name, each in macros.items()}
    tables = {
        name: {
            call.expressions[0].name
            for call in body.find_all(exp.Anonymous)
            if call.name == "query_table"
        }
        for name, body in bodies.items()
    }
    before = None
    while before != (before := {name: len(known) for name, known in tables.items()}):
        for name, body in bodies.items():
            tables[name] |= {
                value.name
                for called, parameter, value in list_given(body, macros)
                if parameter in tables[called] and value.name in macros[name].parameters
            }
    return tables


def find_rows(statement: catalogue.Statement) -> set[str]:
    """The parameters of a macro that are aliases of rows, whose columns it names."""
    named = {column.table for column in read_body(statement).find_all(exp.Column)}
    return {"j", *named} & {*statement.parameters}


def find_values(
    macros: Mapping[str, catalogue.Statement], tables: Mapping[str, set[str]]
) -> dict[str, set[str]]:
    """The parameters of each macro that Jinja knows: those that are never given anything else."""
    bodies = {name: read_body(each) for name, each in macros.items()}
    values = {
        name: {*each.parameters} - find_rows(each) - tables[name] for name, each in macros.items()
    }
    before = None
    while before != (before := {name: len(known) for name, known in values.items()}):
        for name, body in bodies.items():
            for called, parameter, value in list_given(body, macros):
                is_own = isinstance(value, exp.Column) and not value.table
                is_known = isinstance(value, exp.Literal | exp.Null | exp.Boolean | exp.Predicate)
                if not (is_known or (is_own and value.name in values[name])):
                    values[called].discard(parameter)
    return values


def write_body(
    statement: catalogue.Statement,
    tables: Mapping[str, set[str]],
    values: Mapping[str, set[str]],
    engine: Engine,
) -> str:
    """The template of a macro for an engine."""
    tree = read_body(statement)
    if tree.find(exp.With) and tree.args["with_"].recursive:
        raise MetricError("it does not support recursive queries over arrays")

    rows = find_rows(statement)

    def mark(node: Tree) -> Tree:
        name = node.name
        if isinstance(node, exp.Anonymous) and name == "query_table":
            return node
        if not isinstance(node, exp.Column) or node.table or name not in statement.parameters:
            return node
        if name in values[statement.macro]:
            return Argument(this=exp.to_identifier(name))
        if name in rows or name in tables[statement.macro]:
            return node
        return Text(this=exp.to_identifier(name))

    writer = Writer(list_macros(), values, rows, engine)
    body = fold(tree.transform(mark))
    if isinstance(body, exp.Binary | exp.Connector | exp.Unary):  # which may stand within another
        body = exp.Paren(this=body)
    text = writer.write_template(writer.write(body))
    if statement.is_table:
        text = f"(\n{text}\n)"
    return "{%- set real = sqlmetrics.real() -%}\n" * ("real" in writer.parts.values()) + text


def write_macro(
    name: str,
    file: catalogue.SqlFile,
    statement: catalogue.Statement,
    tables: Mapping[str, set[str]],
    values: Mapping[str, set[str]],
    rules: dict[str, dict[str, object]],
) -> str:
    """The macro that users call, and what it is on adapters that have one of their own."""
    macro, is_asked = statement.macro, name != "parts"
    bodies = write_bodies(macro, lambda e: write_body(statement, tables, values, e))
    parameters = [*statement.parameters]
    alias = parameters[0] if is_asked and not statement.is_table else None
    signature = ", ".join(
        p + (f"={write_value(read_default(d))}" if d else f"={p!r}" if p == alias else "")
        for p, d in statement.parameters.items()
    )
    checks = ""
    if is_asked:
        named = [alias] * (alias is not None) + [repr(alias)] * (alias not in (None, "j"))
        checks = f"{{%- do sqlmetrics.start({', '.join([repr(macro), *named])}) -%}}\n"
        for each in parameters:
            if each in values[macro] and (parameter := file.read_parameter(each)):
                rule = write_rule(parameter.rule)
                must = str(rule.pop("must"))
                if rules.setdefault(must, rule) != rule:
                    raise ValueError(f"{must!r} means two things")
                checks += f"{{%- do sqlmetrics.require({each!r}, {each}, {quote_text(must)}) -%}}\n"
    for each, (table, column) in OPTIONAL.get(macro, {}).items():
        checks += f"{{%- set {each} = sqlmetrics.has_column({table}, {column!r}) -%}}\n"
    for table, columns in COLUMNS.get(macro, {}).items():
        checks += f"{{%- do sqlmetrics.require_columns({table!r}, {table}, {columns!r}) -%}}\n"
    return write_dispatch(macro, signature, ", ".join(parameters), checks, bodies)


def write_bodies(macro: str, write: Callable[[Engine], str]) -> dict[str, str]:
    """What a macro is on each adapter."""
    bodies = {}
    for adapter in ADAPTERS:
        try:
            bodies[adapter] = write(ENGINES[adapter])
        except MetricError as problem:
            bodies[adapter] = f"{{{{ sqlmetrics.refuse({macro!r}, {quote_text(str(problem))}) }}}}"
    return bodies


def write_dispatch(
    macro: str, signature: str, listed: str, checks: str, bodies: Mapping[str, str]
) -> str:
    """A macro, and those of adapters if they differ."""
    default = Counter(bodies.values()).most_common(1)[0][0]
    if len(set(bodies.values())) == 1:
        return f"{{% macro {macro}({signature}) -%}}\n{checks}{default}\n{{%- endmacro %}}\n"
    call = f"{{{{- adapter.dispatch('{macro}', 'sqlmetrics')({listed}) -}}}}"
    parts = [f"{{% macro {macro}({signature}) -%}}\n{checks}{call}\n{{%- endmacro %}}\n"]
    for adapter, body in {"default": default, **bodies}.items():
        if adapter == "default" or body != default:
            parts.append(
                f"{{% macro {adapter}__{macro}({listed}) -%}}\n{body}\n{{%- endmacro %}}\n"
            )
    return "".join(parts)


def write_words(text: str) -> str:
    """What headers say, in the words of dbt."""
    for ours, theirs in PHRASES.items():
        text = text.replace(ours, theirs)
    return text


def write_rule(rule: Rule) -> dict[str, object]:
    """What a rule allows, as the macro `require` takes it."""
    allowed: dict[str, object] = {
        "must": write_words(str(rule)),
        "none": rule.allows_null,
        "truth": rule.type == "BOOLEAN",
        "gains": rule.type == "MAP",
    }
    if rule.is_number:
        is_whole = rule.type == "BIGINT"
        most = 2**31 - 1 if is_whole else sys.float_info.max
        signs, ends = zip(*rule.limits, strict=True) if rule.limits else ((), (-most,))
        keys = ("above", "below") if ">" in signs else ("from", "to")
        allowed |= dict(zip(keys, (*ends, most), strict=False)) | {"whole": is_whole}
    elif rule.words:
        taken = [word for word in rule.words if word not in REFUSED]
        refused = {word: REFUSED[word] for word in rule.words if word in REFUSED}
        allowed |= {"must": f"one of {', '.join(taken)}", "words": taken, "refused": refused}
    return {key: each for key, each in allowed.items() if each is not False and each != {}}


def read_default(text: str) -> Tree:
    return parse_one(f"SELECT {text}", read="duckdb").expressions[0]


def keep_needed(listed: Iterable[Listed]) -> list[Listed]:
    """Without the functions that no metric or relation calls."""
    listed = [*listed]
    by_name = {statement.macro: statement for _, _, statement in listed}
    needed: set[str] = set()
    wanted = [each.macro for name, file, each in listed if name != "parts" or each.is_table]
    while wanted:
        name = wanted.pop()
        if name in by_name and name not in needed:
            needed.add(name)
            wanted += (call.name for call in read_body(by_name[name]).find_all(exp.Anonymous))
    return [each for each in listed if each[2].macro in needed]


def write_package() -> dict[str, str]:
    """The files of the package that are generated, by their names."""
    listed = keep_needed(list_files())
    macros = {statement.macro: statement for _, _, statement in listed}
    tables = find_tables(macros)
    values = find_values(macros, tables)
    rules: dict[str, dict[str, object]] = {"the alias of the rows, such as 'j'": {"name": True}}
    texts: dict[str, list[str]] = {name: [] for name in FILES}
    described = []
    for name, file, each in listed:
        text = write_macro(name, file, each, tables, values, rules)
        if name == "parts":
            text = f"{{#- {file.summary} -#}}\n{text}"
        else:
            columns = {*each.parameters} - tables[each.macro] - values[each.macro]
            described.append(describe_macro(file, each, columns))
        texts[name].append(text)
    files = {f"{name}.sql": "\n".join(parts) for name, parts in texts.items()}
    files["words.sql"] = "\n".join(
        write_dispatch(word, parameters, parameters, "", write_bodies(word, write))
        for word, (parameters, write) in WORDS.items()
    )
    lines = (f"{json.dumps(must)}: {json.dumps(rule)}" for must, rule in sorted(rules.items()))
    files["rules.sql"] = (
        "{#- What arguments must be, in words, and what is allowed. -#}\n"
        "{% macro rules() -%}\n{{ return({\n" + ",\n".join(lines) + "\n}) }}\n{%- endmacro %}\n"
    )
    files["macros.yml"] = "version: 2\n\nmacros:\n" + name_repeated("".join(described))
    return files


def describe_macro(
    file: catalogue.SqlFile, statement: catalogue.Statement, columns: Collection[str]
) -> str:
    """A macro's documentation, as dbt has it; ``columns`` are the parameters that are SQL."""
    formula = f" {file.header['formula']}" if "formula" in file.header else ""
    meanings = dict(file.header)
    if "relation" in file.header:
        alias = next(iter(statement.parameters))
        meanings = {alias: f"alias of the rows of {file.header['relation']}"} | meanings
    lines = [
        f"  - name: {statement.macro}",
        f"    description: {json.dumps(file.summary + formula)}",
    ]
    if statement.parameters:
        lines.append("    arguments:")
    for name, default in statement.parameters.items():
        parameter = file.read_parameter(name)
        meaning = str(parameter or meanings.get(name, ""))
        if name not in columns:  # which are SQL, and NULL in them is NULL
            meaning = write_words(meaning)
        if default is not None:
            meaning = f"{meaning} (default {write_value(read_default(default))})".strip()
        told = json.dumps(meaning, ensure_ascii=False)
        lines.append(f"      - {{name: {name}, description: {told}}}")
    return "\n".join(lines) + "\n"


def name_repeated(text: str) -> str:
    """YAML in which a line that comes again is an alias of the first."""
    count = Counter(text.splitlines())
    names: dict[str, str] = {}
    lines = []
    for line in text.splitlines():
        if line in names:
            lines.append(f"      - *{names[line]}")
        elif count[line] > 1 and (found := re.match(r"      - (\{name: (\w+),.*)", line)):
            names[line] = f"{found[2]}{len(names)}"
            lines.append(f"      - &{names[line]} {found[1]}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def write_project() -> str:
    """The project file, with the version of sqlmetrics."""
    text = PROJECT.read_text(encoding="utf-8")
    return re.sub(r"^version: .*$", f"version: {__version__}", text, flags=re.MULTILINE)


if __name__ == "__main__":
    PROJECT.write_text(write_project(), encoding="utf-8")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for name, text in write_package().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
