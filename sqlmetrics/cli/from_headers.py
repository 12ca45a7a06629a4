"""Commands of analyses, each made from its header as its function is."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from textwrap import fill
from typing import Any

import click

import sqlmetrics

from ..analyses import describe_returns, group_returns, make_function
from ..catalogue import SqlFile, is_own, list_analyses
from ..plots import can_draw
from . import commands  # noqa: F401 - with theirs, all commands are there
from .app import ANALYSES, OWN, app
from .declared import Command, declare
from .derived import describe_pairs, say
from .formats import CHARTED, FORMATS, RUN_FORMATS, is_run


class _Analysis(Command):
    """A command that takes its tables by their options or, before all options, in their order."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = [*takewhile(lambda word: not word.startswith("-"), args)]
        typed = {word.partition("=")[0] for word in args[len(given) :]}
        tables = self.option_groups[0].options
        tables = [each for each in tables if each.multiple or not typed & {*each.opts}]
        many = [each for each in tables[-1:] if each.multiple]
        places = [*tables, *many * len(given)]
        named = [[option.opts[0], path] for option, path in zip(places, given, strict=False)]
        left: list[str] = super().parse_args(ctx, [*chain(*named), *args[len(named) :]])
        return left


def add_command(file: SqlFile) -> None:
    """Add the command of an analysis: an option for each table, and for each of its options."""
    section = OWN if is_own(file) else ANALYSES[file.folder]
    app.declare(section, file.name, file.summary, partial(_declare, file))


def _declare(file: SqlFile) -> click.Command:
    changes: dict[str, Any] = {
        table: {
            "required": not file.is_optional(table),
            "help": say(file.describe_parameter(table)),
        }
        for table in file.inputs
    }
    for option in file.options.values():
        if option.rule.type == "MAP":
            pair = re.sub(r"\{(\w+): (\w+).*", r"\1=\2", option.rule.limit)
            changes[option.name] = {**describe_pairs(pair), "metavar": pair.upper()}
    returned = [*describe_returns(file)]
    columns = "\n".join(
        fill(f"{names}: {said}.", 76, subsequent_indent="    ")
        for names, said in group_returns(file).items()
    )
    return declare(
        make_function(file.name),
        formats=CHARTED if can_draw(returned) else RUN_FORMATS if is_run(returned) else FORMATS,
        cls=_Analysis,
        arguments=" ".join(file.inputs),
        by_name="Tables, by name or first and in this order",
        help=f"{file.summary}\n\nA table with these columns:\n\n\b\n{columns}",
        **changes,
    )


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
