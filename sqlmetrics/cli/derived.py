"""Derived options: a command's, from the parameters of the function behind it.

Names, types, choices and defaults are those of its signature, and help is what its docstring says
of a parameter in the first sentence. What a value may be is for the function to say.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from os import PathLike
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import click
import cloup

from ..catalogue.literals import read_number
from .inputs import read_pairs


class _Number(click.ParamType):  # type: ignore[type-arg] # no generic in click 8.2
    """A number: 0.02, 2% or 2e-2."""

    name = "number"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        if (found := read_number(value)) is None:
            self.fail(f"{value} is not a number", param, ctx)
        return found[0]


NUMBER = _Number()


def derive(
    function: Callable[..., Any],
    names: str,
    **changes: Mapping[str, Any],
) -> list[Callable[[Any], Any]]:
    """Options for these parameters of a function; ``changes`` are other attributes of some.

    ``flags`` are those of an option that is not named as its parameter. What may be several values
    is an option that may be repeated, unless it is an input; a dict has an ``example`` of a pair.
    """
    return [_derive(function, name, **changes.get(name, {})) for name in names.split()]


def _derive(
    function: Callable[..., Any],
    name: str,
    *,
    flags: str = "",
    example: str = "",
    **changes: Any,  # noqa: ANN401
) -> Callable[[Any], Any]:
    parameter = inspect.signature(function).parameters[name]
    kinds = _list_kinds(function, parameter)
    default = None if parameter.default is parameter.empty else parameter.default
    given: dict[str, Any] = {"default": default, "help": _read_help(function).get(name)}
    flags = flags or f"--{name.replace('_', '-')}"
    if bool in kinds:
        given["is_flag"] = True
        flags += "" if default is False else f"/--no-{flags.removeprefix('--')}"
    elif any(get_origin(kind) is PathLike for kind in kinds):  # an input
        given["type"] = str
    elif many := [kind for kind in kinds if get_origin(kind) not in (None, Literal)]:
        values = get_args(many[0])
        given |= {"multiple": True, "help": f"{given['help'].rstrip('.')}; may be repeated."}
        given |= {"default": default or None, "show_default": bool(default)}
        if get_origin(many[0]) is not Mapping:
            given["type"] = _read_type(values[0])
            given["callback"] = lambda _context, _option, found: found or default
        else:
            given["callback"] = lambda _context, _option, pairs: (
                read_pairs(pairs or (), flags, example) or default
            )
    else:
        given |= {"type": _read_type(kinds[0]), "show_default": default is not None}
    return cloup.option(name, *flags.split(), **given | changes)


def say(text: str) -> str:
    """The text as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def _list_kinds(function: Callable[..., Any], parameter: inspect.Parameter) -> list[Any]:
    """The types that a parameter may have, but None."""
    kind = eval(parameter.annotation, vars(sys.modules[function.__module__]))  # noqa: S307 - ours
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [each for each in kinds if each is not NoneType]


def _read_type(kind: object) -> Any:  # noqa: ANN401
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    return NUMBER if kind is float else kind if kind in (int, str) else str


@cache
def _read_help(function: Callable[..., Any]) -> dict[str, str]:
    """What the docstring of a function says of each parameter, in its first sentence."""
    found: dict[str, str] = {}
    for names, text in _ITEM.findall(inspect.getdoc(function) or ""):
        said = _SENTENCE.split(" ".join(text.split()).rstrip("."))[0]
        first = "" if said.startswith('``"') else said[0].upper()  # a value stays as it is
        said = _PAIR.sub(_write_pair, first + said[len(first) :])
        said = _MARKUP.sub(lambda mark: mark[1] or mark[2] or "", said)
        found |= dict.fromkeys(re.findall(r"\w+", names), f"{said}.")
    return found


def _write_pair(pair: re.Match[str]) -> str:
    """``{"nDCG@10": "3%"}`` as on the command line."""
    text = f"{pair[1]}={pair[2]}"
    return f"'{text}'" if " " in text else text


_ITEM = re.compile(r"^- (``\w+``(?:, ``\w+``)*): (.*?)(?=^- ``|^\S|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"\.\s+(?=[A-Z`])")
_PAIR = re.compile(r'\{?"([^"{}]+)": "?([^"{},]+)"?\}?')
_MARKUP = re.compile(r'``"?([^`"]*)"?``|`(\w+)`')
