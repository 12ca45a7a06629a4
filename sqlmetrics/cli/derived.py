"""Derived options and arguments: a command's, from the functions behind it.

Names, types, choices and defaults are those of a signature, and help is what the docstring says of
a parameter in the first sentence. What a value may be is for the function to say.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import click
import cloup

from .inputs import read_columns, read_pairs
from .types import INPUT, METRIC, NUMBER, PRESET

Source: TypeAlias = Callable[..., Any]

# What an option is in all commands, besides what functions say of it.
_KNOWN: Mapping[str, Mapping[str, Any]] = {
    "columns": {
        "flags": "--columns -c",
        "help": "Which column is which, where their names do not say so: query_id=q,doc_id=sku; by "
        "number without a header: query_id=1,doc_id=2,score=3.",
        "callback": lambda _context, _option, given: read_columns(given),
    },
    "database": {"flags": "--database -d"},
    "engine": {"type": str},
    "exclude": {"metavar": "TABLE|self", "type": str},
    "format": {"flags": "--format -f"},
    "metric": {"flags": "--metric -m"},
    "metrics": {"flags": "--metrics -m", "type": METRIC},
    "output": {"flags": "--output -o"},
    "per_query": {"flags": "--per-query -q"},
    "preset": {
        "type": PRESET,
        "help": "Conventions of a tool, such as trec_eval-9; 'sqlmetrics presets' lists all.",
    },
}


@cache
def read_signature(source: Source) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function by name."""
    return inspect.signature(source).parameters


def derive_argument(source: Source, name: str, **changes: Any) -> click.Argument:  # noqa: ANN401
    """The argument for a parameter of a function; a list is several of them."""
    parameter = read_signature(source)[name]
    given = _read_type(source, parameter)
    several = -1 if given.pop("multiple", False) else 1
    is_required = parameter.default is parameter.empty
    given = {"nargs": several, "required": is_required, "type": given["type"]}
    if several < 0:
        given["metavar"] = f"{name.upper()}..."
    return cloup.Argument([name], **given | changes)


def derive_option(sources: Iterable[Source], name: str, **changes: Any) -> cloup.Option:  # noqa: ANN401
    """The option for a parameter of the first function that says what it is.

    What may be several values is an option that may be repeated. ``changes`` are other attributes:
    ``flags`` of an option that is not named as its parameter, an ``example`` of a pair of a dict.
    """
    changes = {**_KNOWN.get(name, {}), **changes}
    flags = changes.pop("flags", f"--{name.replace('_', '-')}")
    example = changes.pop("example", "")
    said = next(filter(None, (_describe(source, name) for source in sources)), {})
    given = {"default": None, "type": changes.get("type"), **said}
    default = given["default"]
    if given.get("is_flag"):
        flags += "" if default is False else f"/--no-{flags.removeprefix('--')}"
    elif given.get("multiple"):
        given |= {"default": default or None, "show_default": bool(default)}
        given["callback"] = lambda _context, _option, found: found or default
    elif given["type"] is not INPUT:
        given["show_default"] = default is not None
    if example:
        given["callback"] = lambda _context, option, pairs: (
            read_pairs(pairs or (), option.opts[0], example) or default
        )
    given |= changes
    if given.get("required"):  # None would be a value
        del given["default"]
    if given.get("multiple"):
        given["help"] = f"{given['help'].rstrip('.')}; may be repeated."
    return cloup.Option([name, *flags.split()], **given)


@cache
def _describe(source: Source, name: str) -> dict[str, Any]:
    """What a function says of an option, if anything."""
    said, parameter = read_help(source).get(name), read_signature(source).get(name)
    if not parameter or not said or said.startswith("As for evaluate"):
        return {}
    default = None if parameter.default is parameter.empty else parameter.default
    return {"default": default, "help": said, **_read_type(source, parameter)}


def say(text: str) -> str:
    """The text as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def _read_type(source: Source, parameter: inspect.Parameter) -> dict[str, Any]:
    """What the annotation of a parameter says of an option."""
    words = {*parameter.annotation.split(" | ")}
    if words & {"Data", "File", "Files", "Runs", "object"}:
        return {"type": INPUT, "metavar": "FILE", "multiple": bool(words & {"Files", "Runs"})}
    names = {"Literal": Literal} | vars(sys.modules[source.__module__])
    kind = eval(parameter.annotation, names)  # noqa: S307 - ours
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    kinds = tuple(each for each in kinds if each is not NoneType)
    if bool in kinds:
        return {"is_flag": True}
    many = [each for each in kinds if get_origin(each) in (Iterable, Mapping, Sequence, list)]
    kinds = get_args(many[0])[:1] if many else kinds
    return {"type": _find_type(*kinds), "multiple": bool(many)}


def _find_type(kind: object, *others: object) -> Any:  # noqa: ANN401
    """What click takes for values of these kinds: text, if there are several."""
    if get_origin(kind) is Annotated:
        return get_args(kind)[1]
    if get_origin(kind) is Literal and not others:
        return click.Choice(get_args(kind))
    return NUMBER if kind is float else kind if kind in (int, str) else str


@cache
def read_help(function: Source) -> dict[str, str]:
    """What the docstring of a function says of each parameter, in its first sentence."""
    found: dict[str, str] = {}
    for names, text in ITEM.findall(inspect.getdoc(function) or ""):
        said = _SENTENCE.split(" ".join(text.split()).rstrip("."))[0]
        said = _PAIR.sub(_write_pair, say(said))
        said = _MARKUP.sub(lambda mark: mark[1] or mark[2] or "", said)
        for name in re.findall(r"\w+", names):
            found.setdefault(name, said)
    return found


def _write_pair(pair: re.Match[str]) -> str:
    """``{"nDCG@10": "3%"}`` as on the command line."""
    text = f"{pair[1]}={pair[2]}"
    return f"'{text}'" if " " in text else text


# What a docstring says of parameters: - ``name``, ``other``: …
ITEM = re.compile(r"^- (``\w+``(?:, ``\w+``)*): (.*?)(?=^- ``|^\S|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"\.\s+(?=[A-Z`])")
_PAIR = re.compile(r'\{?"([^"{}]+)": "?([^"{},]+)"?\}?')
_MARKUP = re.compile(r'``"?([^`"]*)"?``|`(\w+)`')
