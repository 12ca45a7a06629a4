"""Commands, declared: a function, and what its command adds.

Arguments and options follow from the signatures of the function and of those behind it. Groups of
options that many commands have come by themselves: where to write, what to read, the conventions,
where it runs, and the limits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import click
import cloup

import sqlmetrics

from ..catalogue.conventions import Conventions
from ..progress import collecting_remarks
from .app import app
from .derived import ITEM, Source, derive_argument, derive_option, read_signature
from .ends import FAILED
from .formats import FORMATS
from .inputs import connect, open_inputs
from .output import Output, Shown
from .types import INPUT

# The groups after those of a command alone, and their options, after those of the command.
_CONVENTIONS = "preset ties score_type depth judged_only rel queries no_relevant exclude"
_SHARED = {
    "Output": "",
    "Input": "database columns run_names",
    "Conventions": _CONVENTIONS,
    "Scores of runs": "aggregate by weight topics",
    "Segments": "",
    "Intervals": "",
    "Where it runs": "engine",
    "Limits": "memory_limit threads temp_folder",
}

_OF_RUNS = (Conventions, Conventions.of)


def command(
    section: cloup.Section,
    options: Mapping[str, str],
    *behind: Source,
    name: str = "",
    formats: Sequence[str] = FORMATS,
    writes: str = "format output digits",
    cls: type[cloup.Command] = cloup.Command,
    help: str = "",
    short_help: str | None = None,
    **changes: Mapping[str, Any],
) -> Callable[[Source], Source]:
    """Add the command of a function, with what it says before its parameters as help.

    The function returns what is shown. ``options`` are the command's own, by the titles of their
    groups: parameters of the function or of those ``behind`` it. Shared ones are there if the first
    of these takes them, or any reads inputs by them. ``changes`` are attributes of some.
    """

    def add(function: Source) -> Source:
        changes["format"] = {"type": click.Choice(formats), **changes.get("format", {})}
        own = " ".join(options.values()).split()
        sources: tuple[Source, ...] = (function, *behind, Output, connect, sqlmetrics.evaluate)
        params: list[click.Parameter] = [
            derive_argument(function, each, **changes.get(each, {}))
            for each, parameter in read_signature(function).items()
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and each not in ("to", *own)
        ]
        listed = _list_groups(
            {**options, "Output": f"{options.get('Output', '')} {writes}"}, behind
        )
        for title, names in listed.items():
            group = cloup.OptionGroup(title)
            for each in names:
                other = changes.get(each, {})
                if title == "Conventions":  # a preset may have another default
                    option = derive_option(
                        _OF_RUNS, each, default=None, show_default=False, **other
                    )
                else:
                    option = derive_option(sources, each, **other)
                option.group = group
                params.append(option)
        inputs = [str(each.name) for each in params if each.type is INPUT]
        app.add_command(
            cls(
                name or function.__name__.replace("_", "-"),
                params=params,
                callback=_call(function, inputs, reads="Limits" in listed),
                help=help or ITEM.sub("", inspect.getdoc(function) or ""),
                short_help=short_help,
            ),
            section=section,
        )
        return function

    return add


def _list_groups(groups: Mapping[str, str], behind: Sequence[Source]) -> dict[str, list[str]]:
    """The names of the options of a command by group, in the order of all commands."""
    own = {title: names.split() for title, names in groups.items()}
    signatures = [read_signature(each) for each in behind]
    taken = {*(signatures[0] if signatures else ())}
    taken |= {"columns", "run_names", "exclude"} & {name for each in signatures for name in each}
    if any("con" in each for each in signatures):
        taken |= {*read_signature(connect)}
    if any("ConventionOptions" in str(each.get("options")) for each in signatures):
        taken |= {*_CONVENTIONS.split()}
    taken -= {name for names in own.values() for name in names}
    for title, names in _SHARED.items():
        own[title] = [*own.pop(title, []), *(name for name in names.split() if name in taken)]
    return {title: names for title, names in own.items() if names}


def _call(function: Source, inputs: Sequence[str], *, reads: bool) -> Callable[..., None]:
    """What a command does: call the function with its inputs, and show what that returns."""
    takes_output = "to" in read_signature(function)

    def call(**options: Any) -> None:  # noqa: ANN401
        to = Output.take(options)
        if takes_output:
            options["to"] = to
        reading = open_inputs(options, inputs) if reads else nullcontext(options)
        with reading as given, collecting_remarks() as notes:
            found = function(**given)
        shown = found if isinstance(found, Shown) else Shown(found)
        shown.write(to, notes)
        if shown.has_failed:
            raise click.exceptions.Exit(FAILED)

    return call
