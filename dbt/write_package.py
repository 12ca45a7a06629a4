"""Writes macros/ from sql/: a dbt macro for each metric and relation, for each adapter.

What the arguments of a macro decide is decided in Jinja, when dbt compiles; what is left is the
plain SQL of the adapter.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp, parse_one

from sqlmetrics import catalogue
from sqlmetrics.catalogue.rules import Rule
from sqlmetrics.engines.dialects import write_part
from sqlmetrics.engines.features import ENGINES
from sqlmetrics.engines.plain import Macros, Tree, fold, list_macros, read_body
from sqlmetrics.errors import MetricError

FOLDER = Path(__file__).parent / "macros" / "sqlmetrics"
# databricks takes the macros of spark, and there is no adapter for DataFusion.
ADAPTERS = [name for name in ENGINES if name not in ("databricks", "datafusion")]
# What macros cannot give an adapter, but a whole query has.
WITHOUT = {
    "clickhouse": "its queries need settings",
    "redshift": "it has no frames by RANGE, which tell what is tied",
}
# Words that rules allow and dbt cannot do, and why.
REFUSED = {"input": "the rows of a table have no order; take other ties"}
# How dbt has what headers say of values and tables.
WORDS = {
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
}
# What the rows of a metric are called by.
ALIAS = {"must": "the alias of the rows, such as 'j'", "name": True}
FOLDERS = ("functions", "inputs", "strategies", "relations", "metrics", "expected")


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

    def __init__(self, macros: Macros, values: Mapping[str, set[str]], engine: str) -> None:
        self.macros = macros
        self.values = values
        self.engine = ENGINES[engine]
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

    def weave(self, node: Tree) -> Tree:
        """What Jinja decides in the place of a node."""
        if isinstance(node, Argument):
            return self.keep(f"sqlmetrics.literal({node.name})")
        if isinstance(node, Text):
            return self.keep(str(node.name))
        if isinstance(node, exp.Column) and node.table == "j":
            return self.keep(f"j ~ '.{node.name}'")
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
        if is_error(node) and not node.find(exp.Column, Text):
            return self.keep(f"exceptions.raise_compiler_error({write_message(node)})")
        return node

    def weave_union(self, node: exp.Subquery, asked: str) -> Tree:
        """A union with a part that has rows only for some arguments."""
        first, second = self.write(node.this.this), self.write(node.this.expression)
        both = f"(\n{first}\nUNION ALL\n{second}\n)"
        token = self.keep(Choice(asked, both, f"(\n{first}\n)"))
        return exp.Table(this=exp.to_identifier(token.name), alias=node.args["alias"])

    def weave_case(self, node: exp.Case) -> Tree:
        """A CASE whose first conditions are known becomes the branch that is taken."""
        operand, default = node.args.get("this"), node.args.get("default")
        first, *others = node.args["ifs"]
        condition = first.this if operand is None else exp.EQ(this=operand, expression=first.this)
        known, unknown = split_condition(condition)
        rest = write_rest(operand, others, default)
        if not known:
            if others and node.find(Argument) and operand is None:
                # what is known of further conditions is asked in the branch of all the others
                return exp.Case(ifs=[first], default=rest).transform(self.weave)
            return node
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
            chosen = f"{type(node).__name__.lower()}({written})"
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


def list_files() -> Iterator[tuple[str, catalogue.SqlFile, catalogue.Statement]]:
    """What becomes a macro: functions, relations, and metrics as aggregates."""
    variants = {file.path.stem: file for file in catalogue.find_variants("dbt")}
    for folder in FOLDERS:
        for name, file in catalogue.files()[folder].items():
            if folder != "strategies" or name == "sorting":
                written = variants.get(name, file)
                (statement,) = written.statements
                # the tables that dbt reads are described as it wants them
                yield folder, written if folder == "inputs" else file, statement


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


def find_values(
    macros: Mapping[str, catalogue.Statement], tables: Mapping[str, set[str]]
) -> dict[str, set[str]]:
    """The parameters of each macro that Jinja knows: those that are never given anything else."""
    bodies = {name: read_body(each) for name, each in macros.items()}
    values = {name: {*each.parameters} - {"j"} - tables[name] for name, each in macros.items()}
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
    engine: str,
) -> str:
    """The template of a macro for an engine."""
    tree = read_body(statement)
    if tree.find(exp.With) and tree.args["with_"].recursive:
        raise MetricError("it has no recursion over lists")

    def mark(node: Tree) -> Tree:
        name = node.name
        if isinstance(node, exp.Anonymous) and name == "query_table":
            return node
        if not isinstance(node, exp.Column) or node.table or name not in statement.parameters:
            return node
        if name in values[statement.macro]:
            return Argument(this=exp.to_identifier(name))
        if name == "j" or name in tables[statement.macro]:
            return node
        return Text(this=exp.to_identifier(name))

    writer = Writer(list_macros("dbt"), values, engine)
    body = fold(tree.transform(mark))
    if isinstance(body, exp.Binary | exp.Connector | exp.Unary):  # which may stand within another
        body = exp.Paren(this=body)
    return writer.write_template(writer.write(body))


def write_macro(
    folder: str,
    file: catalogue.SqlFile,
    statement: catalogue.Statement,
    tables: Mapping[str, set[str]],
    values: Mapping[str, set[str]],
) -> str:
    """A file: the macro that users call, and what it is on each adapter."""
    name = statement.macro
    bodies = {}
    for adapter in ADAPTERS:
        try:
            if adapter in WITHOUT:
                instead = f"write the query by sqlmetrics sql --dialect {adapter}"
                raise MetricError(f"{WITHOUT[adapter]}; {instead}")
            text = write_body(statement, tables, values, adapter)
            bodies[adapter] = f"(\n{text}\n)" if statement.is_table else text
        except MetricError as problem:
            said = f"{name} cannot be computed by {adapter}: {problem}"
            bodies[adapter] = f"{{{{ exceptions.raise_compiler_error({quote_text(said)}) }}}}"
    default = Counter(bodies.values()).most_common(1)[0][0]
    parameters = [*statement.parameters]
    is_asked = folder in ("relations", "metrics", "expected")  # by users
    signature = ", ".join(
        p + (f"={write_value(read_default(d))}" if d else "='j'" if p == "j" and is_asked else "")
        for p, d in statement.parameters.items()
    )
    checks = [
        f"{{% do sqlmetrics.require({p!r}, {p}, {write_rule(parameter.rule)}) %}}\n"
        for p in parameters
        if is_asked and p in values[name]
        if (parameter := file.read_parameter(p))
    ]
    if is_asked and "j" in parameters and not statement.is_table:
        checks.insert(0, f"{{% do sqlmetrics.require('j', j, {json.dumps(ALIAS)}) %}}\n")
    listed = ", ".join(parameters)
    parts = [
        f"{{#- {file.summary} -#}}\n"
        f"{{% macro {name}({signature}) %}}\n{''.join(checks)}"
        f"{{{{- return(adapter.dispatch('{name}', 'sqlmetrics')({listed})) -}}}}\n{{% endmacro %}}"
    ]
    for adapter, body in {"default": default, **bodies}.items():
        if adapter == "default" or body != default:
            parts.append(f"{{% macro {adapter}__{name}({listed}) -%}}\n{body}\n{{%- endmacro %}}")
    return "\n\n".join(parts) + "\n"


def write_words(text: str) -> str:
    """What headers say, in the words of dbt."""
    for ours, theirs in WORDS.items():
        text = text.replace(ours, theirs)
    return text


def write_rule(rule: Rule) -> str:
    """What a rule allows, as the macro `require` takes it."""
    allowed: dict[str, object] = {
        "must": str(rule),
        "none": rule.allows_null,
        "truth": rule.kind == "truth",
        "gains": rule.kind == "map",
    }
    if rule.kind in ("number", "whole"):
        most = 2**31 - 1 if rule.kind == "whole" else sys.float_info.max
        low, high = max(rule.low, -most), min(rule.high, most)
        ends = {"from": low, "to": high} if rule.ends else {"above": low, "below": high}
        allowed |= ends | {"whole": rule.kind == "whole"}
    elif rule.words:
        taken = [word for word in rule.words if word not in REFUSED]
        refused = {word: REFUSED[word] for word in rule.words if word in REFUSED}
        allowed |= {"must": f"one of {', '.join(taken)}", "words": taken, "refused": refused}
    written = {key: each for key, each in allowed.items() if each is not False and each != {}}
    return write_words(json.dumps(written, ensure_ascii=False))


def read_default(text: str) -> Tree:
    return parse_one(f"SELECT {text}", read="duckdb").expressions[0]


def keep_needed(
    listed: list[tuple[str, catalogue.SqlFile, catalogue.Statement]],
) -> list[tuple[str, catalogue.SqlFile, catalogue.Statement]]:
    """Without the functions that no metric or relation calls."""
    by_name = {statement.macro: statement for _, _, statement in listed}
    needed: set[str] = set()
    wanted = [statement.macro for folder, _, statement in listed if folder != "functions"]
    while wanted:
        name = wanted.pop()
        if name in by_name and name not in needed:
            needed.add(name)
            wanted += (call.name for call in read_body(by_name[name]).find_all(exp.Anonymous))
    return [each for each in listed if each[2].macro in needed]


def write_package() -> dict[str, str]:
    """The files of the package that are generated, by their paths below macros/sqlmetrics."""
    listed = keep_needed([*list_files()])
    macros = {statement.macro: statement for _, _, statement in listed}
    tables = find_tables(macros)
    values = find_values(macros, tables)
    files = {
        f"{folder}/{statement.macro}.sql": write_macro(folder, file, statement, tables, values)
        for folder, file, statement in listed
    }
    described = (
        describe_macro(file, each, {*each.parameters} - tables[each.macro] - values[each.macro])
        for _, file, each in listed
    )
    files["macros.yml"] = "version: 2\n\nmacros:\n" + "".join(described)
    return files


def describe_macro(
    file: catalogue.SqlFile, statement: catalogue.Statement, texts: Collection[str]
) -> str:
    """A macro's documentation, as dbt has it; ``texts`` are the parameters that are SQL."""
    formula = f" {file.header['formula']}" if "formula" in file.header else ""
    meanings = dict(file.header)
    if "relation" in file.header:
        meanings = {"j": f"alias of the rows of {file.header['relation']}"} | meanings
    lines = [
        f"  - name: {statement.macro}",
        f"    description: {json.dumps(file.summary + formula)}",
    ]
    if statement.parameters:
        lines.append("    arguments:")
    for name, default in statement.parameters.items():
        meaning = meanings.get(name, "")
        if name not in texts:  # which are SQL, and NULL in them is NULL
            meaning = write_words(meaning)
        if default is not None:
            meaning = f"{meaning} (default {write_value(read_default(default))})".strip()
        lines.append(f"      - name: {name}")
        if meaning:
            lines.append(f"        description: {json.dumps(meaning, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    written = write_package()
    shutil.rmtree(FOLDER, ignore_errors=True)
    for path, text in written.items():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_text(text, encoding="utf-8")
