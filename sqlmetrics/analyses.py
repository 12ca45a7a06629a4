"""Analyses: a function of each table macro whose rows are an answer, made from its header.

What it takes, allows and returns is what the SQL file says; nothing here names an analysis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from textwrap import fill
from typing import Any

import polars as pl

from .catalogue import SqlFile, find_file, quote, remember
from .catalogue.headers import Parameter as Option
from .catalogue.literals import read_number
from .engine.given import is_run
from .engine.relations import require
from .errors import InputError, find_word, read_names
from .inputs.columns import KINDS, QRELS
from .inputs.grades import graded, read_grades
from .progress import remark, setting
from .query import run_query

Analysis = Callable[..., "pl.DataFrame"]


@remember
def make_function(name: str) -> Analysis:
    """The function of an analysis: tables first, then options by name."""
    file = find_file(name)
    signature = sign(file)

    def analyse(*given: Any, **options: Any) -> pl.DataFrame:  # noqa: ANN401
        arguments = signature.bind(*given, **options).arguments
        tables = {table: arguments.pop(table, None) for table in file.inputs}
        for table in tables:
            if tables[table] is None and not file.is_optional(table):
                raise InputError(f"{name} needs {table}, not None")
        known = list_reading(file)
        reading = {each: arguments.pop(each) for each in known & arguments.keys()}
        if "by" in known and reading.get("by") is None:  # those of evaluate
            reading["by"] = [c for t in tables.values() for c in getattr(t, "segments", ())]
        for column in {*read_names("by", reading.get("by"))} & {*describe_returns(file)}:
            if column != "segment":
                raise InputError(f"by: {column} is a column of the result; rename the table's")
        call, empty = write_call(file, arguments), write_refusal(file, arguments)
        with setting(graded, read_grades(reading.pop("grades", None))):
            found = run_query(call, tables, is_analysis=True, empty=empty, **reading)
        for each in {*file.options} & {*found.columns}:
            is_name = file.options[each].rule.limit.startswith("the name")
            if is_name and options.get(each) is None and found[each].n_unique() == 1:
                remark([f"the {each} is {found[each][0]}; name another by {each}= (--{each})"])
        return found

    analyse.__name__ = analyse.__qualname__ = name
    analyse.__signature__ = signature  # type: ignore[attr-defined]
    analyse.__doc__ = describe(file)
    return analyse


def write_call(file: SqlFile, options: Mapping[str, Any]) -> str:
    """The query of an analysis; raises `InputError` for an option that is not allowed."""
    read = {name: _read_value(file.options[name], value) for name, value in options.items()}
    require(file.name, **read)
    given = [f"{name} := {quote(value)}" for name, value in read.items()]
    return f"FROM {file.name}({', '.join([*file.inputs, *given])})"


def _read_value(option: Option, value: Any) -> Any:  # noqa: ANN401
    """The value of an option: pairs of a name and a number if it is a dict; a name as text."""
    if not isinstance(value, Mapping):
        is_name = option.rule.limit.startswith("the name") and value is not None
        return str(value) if is_name else find_word(value, option.rule.words)
    read = {str(key): read_number(number) for key, number in value.items()}
    for (key, found), number in zip(read.items(), value.values(), strict=False):
        if found is None:
            raise InputError(f"{option.name}: {key} must be a number, not {number!r}")
    return tuple((key, found[0]) for key, found in read.items() if found)


def write_refusal(file: SqlFile, options: Mapping[str, Any]) -> str | None:
    """The error of an analysis without rows, if it has one; its tables are in braces."""
    values: dict[str, Any] = {option.name: option.default for option in file.options.values()}
    values |= options
    said = file.header.get("empty")
    return said and _BRACES.sub(lambda name: str(values.get(name[1], name[0])), said)


_BRACES = re.compile(r"\{(\w+)\}")


def list_reading(file: SqlFile) -> dict[str, str]:
    """The options that say how the tables are read, and what they mean."""
    reading = {
        "con": "a DuckDB connection whose tables can be named",
        **dict.fromkeys(("columns", "engine"), "as for `evaluate`"),
    }
    if QRELS in map(KINDS.get, file.inputs):
        reading["grades"] = "as for `evaluate`"
    if any(map(is_run, file.inputs)):
        reading |= dict.fromkeys(("run_names", "exclude"), "as for `evaluate`")
    returned = describe_returns(file)
    if "metric" in returned:
        reading["metrics"] = "which metrics of the table; all by default"
    if "metric" in returned and {"segment", "segments"} & returned.keys():
        reading["by"] = "columns that divide the rows; else those of `evaluate`, or segment"
    return reading


def sign(file: SqlFile) -> Signature:
    """The signature of the function of an analysis."""
    last = next((i for i, name in enumerate(file.inputs[::-1]) if not file.is_optional(name)), 0)
    needed = len(file.inputs) - last  # what comes after these may be left out
    tables = [
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD,
            default=Parameter.empty if place < needed else None,
            annotation=_write_type(
                "Runs" if is_run(name) else "Data" if KINDS.get(name) is QRELS else "object",
                file.is_optional(name),
            ),
        )
        for place, name in enumerate(file.inputs)
    ]
    own = file.options.values()
    types = {each.name: _write_type(_find_type(each), each.default is None) for each in own}
    types |= {name: _write_type(_READING.get(name, "object"), True) for name in list_reading(file)}
    defaults = {option.name: option.default for option in own}
    options = (
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=kind)
        for name, kind in types.items()
    )
    return Signature([*tables, *options], return_annotation="pl.DataFrame")


_TYPES = {"BIGINT": "int", "DOUBLE": "float", "BOOLEAN": "bool", "VARCHAR": "str"}
_READING = {
    "con": "duckdb.DuckDBPyConnection",
    "columns": "Columns",
    "run_names": "RunNames",
    "exclude": "Data",
    **dict.fromkeys(("metrics", "by"), "str | list[str]"),
}


def _find_type(option: Option) -> str:
    words = ", ".join(f'"{word}"' for word in option.rule.words)
    return f"Literal[{words}]" if words else _TYPES.get(option.rule.type, "object")


def _write_type(kind: str, is_optional: bool) -> str:
    return f"{kind} | None" if is_optional and kind != "object" else kind


def describe(file: SqlFile) -> str:
    """The docstring of an analysis, from its header."""
    items = {table: file.describe_parameter(table) for table in file.inputs}
    items |= {name: str(option).replace("NULL", "None") for name, option in file.options.items()}
    items |= list_reading(file)
    parts = [
        file.summary,
        _list_items(items),
        "The columns of the frame:",
        _list_items(group_returns(file, "``, ``")),
        "Raises `InputError` for data that cannot be read or would give a wrong number.",
    ]
    if source := file.header.get("source"):
        parts.append(f"Source: {source}.")
    return "\n\n".join(parts)


def describe_returns(file: SqlFile) -> dict[str, str]:
    """The columns that an analysis returns, and what they mean."""
    return {
        key.removeprefix("returns "): said
        for key, said in file.header.items()
        if key.startswith("returns ")
    }


def group_returns(file: SqlFile, mark: str = ", ") -> dict[str, str]:
    """What the columns mean, by their names; those that mean something together are one item."""
    groups: dict[str, list[str]] = {}
    for name, said in describe_returns(file).items():
        groups.setdefault(said, []).append(name)
    return {mark.join(names): said for said, names in groups.items()}


def _list_items(items: Mapping[str, str]) -> str:
    return "\n".join(
        fill(f"- ``{name}``: {said}.", 100, subsequent_indent="  ", break_on_hyphens=False)
        for name, said in items.items()
    )
