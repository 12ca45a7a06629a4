"""Commands of analyses, each made from its header as its function is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, takewhile
from pathlib import Path
from textwrap import fill
from typing import Any

import click
import cloup

import sqlmetrics

from ..analyses import (
    describe_returns,
    group_returns,
    list_reading,
    make_function,
)
from ..catalogue import Parameter, SqlFile, is_own, list_analyses
from ..plots import can_draw
from ..running.given import is_run
from . import options as take
from .app import ANALYSES, INPUT, OWN, app
from .derived import NUMBER, say
from .formats import is_run as writes_run
from .inputs import read_pairs
from .output import ask


class _Analysis(app.command_class):  # type: ignore[misc, name-defined]
    """A command that takes its tables by their options or, before all options, in their order."""

    def __init__(self, *given: Any, tables: Sequence[str], **more: Any) -> None:  # noqa: ANN401
        super().__init__(*given, **more)
        self.tables = [each for each in self.params if each.name in tables]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = [*takewhile(lambda word: not word.startswith("-"), args)]
        tables = self.tables
        places = [*tables, *tables[-1:] * len(given)] if tables[-1].multiple else tables
        named = [[option.opts[0], path] for option, path in zip(places, given, strict=False)]
        left: list[str] = super().parse_args(ctx, [*chain(*named), *args[len(named) :]])
        return left


def add_command(file: SqlFile) -> None:
    """Add the command of an analysis: an option for each table, and for each of its options."""
    own = file.options.values()
    chosen = [*map(_take_option, own), *_take_names(file)]
    has_runs = any(map(is_run, file.inputs))
    reading = [take.reading] if has_runs else [cloup.option_group("Input", *take.tables)]
    parts = [
        cloup.option_group(_TABLES, *(_take_table(file, name) for name in file.inputs)),
        *([cloup.option_group("Options", *chosen)] if chosen else []),
        _choose_writing(describe_returns(file)),
        *reading,
        *([cloup.option_group("Conventions", take.exclude)] if has_runs else []),
        cloup.option_group("Where it runs", take.engine),
        take.limits,
    ]
    unset = {*(option.name for option in own), "exclude", "metrics", "by"}

    def show(**options: Any) -> None:  # noqa: ANN401
        for name in unset & options.keys():
            if options[name] in (None, ()):
                del options[name]
        ask(make_function(file.name), options, inputs=" ".join(file.inputs))

    for decorate in reversed(parts):
        show = decorate(show)
    columns = "\n".join(
        fill(f"{names}: {said}.", 76, subsequent_indent="    ")
        for names, said in group_returns(file).items()
    )
    app.command(
        file.name.replace("_", "-"),
        help=f"{file.summary}\n\nA table with these columns:\n\n\b\n{columns}",
        cls=_Analysis,
        tables=file.inputs,
        short_help=f"{_TITLE.split(file.summary)[0]}.",
        section=OWN if is_own(file) else ANALYSES[file.folder],
    )(show)


def _choose_writing(columns: Iterable[str]) -> Callable[[Any], Any]:
    """The options of output, by the columns that are returned."""
    if can_draw(columns):
        return take.drawing
    return take.writing_runs if writes_run(columns) else take.writing


def _take_table(file: SqlFile, name: str) -> Callable[[Any], Any]:
    return cloup.option(
        f"--{name.replace('_', '-')}",
        name,
        required=not file.is_optional(name),
        multiple=is_run(name),
        type=INPUT,
        metavar="FILE",
        help=say(file.describe_parameter(name) + "; may be repeated" * is_run(name)),
    )


def _take_names(file: SqlFile) -> list[Callable[[Any], Any]]:
    said = list_reading(file)
    return [
        cloup.option(
            *flags, multiple=True, help=f"{say(said[flags[0][2:]])[:-1]}; may be repeated."
        )
        for flags in (("--metrics", "-m"), ("--by",))
        if flags[0][2:] in said
    ]


def _take_option(option: Parameter) -> Callable[[Any], Any]:
    flag = f"--{option.name.replace('_', '-')}"
    types = {"BIGINT": int, "DOUBLE": NUMBER, "BOOLEAN": bool}
    given: dict[str, Any] = {"type": types.get(option.rule.type, str), "default": None}
    if option.rule.words:
        given["type"] = click.Choice(option.rule.words)
    if option.rule.type == "MAP":
        pair = re.sub(r"\{(\w+): (\w+).*", r"\1=\2", option.rule.limit)
        given = {"multiple": True, "default": (), "metavar": pair.upper()}
        given["callback"] = lambda _context, _option, pairs: read_pairs(pairs, flag, pair) or None
    if option.rule.type == "BOOLEAN":
        flag, given = f"{flag}/--no-{flag[2:]}", {"default": None}
    shown = "" if option.default is None else f" [default: {option.default}]"
    return cloup.option(flag, option.name, help=say(str(option)) + shown, **given)


_TABLES = "Tables, by name or first and in this order"
_TITLE = re.compile(r"[:.]")


def _add_file(path: str) -> None:
    """Add a user's file and, if it is an analysis, its command."""
    sqlmetrics.add(path)
    own = list_analyses().get(Path(path).stem)
    if own is None:
        return
    name = own.name.replace("_", "-")
    if OWN.commands.pop(name, None):
        del app.commands[name]
    elif name in app.commands:
        raise sqlmetrics.MetricError(f"{path}: sqlmetrics has a command {name}; rename the macro")
    add_command(own)


app.add_file = _add_file
for _file in list_analyses().values():
    add_command(_file)
