"""Commands, declared: a function, and the functions behind it, whose parameters are its options.

Options that many commands have are in the same groups, in the same order, in each of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click
import cloup

import sqlmetrics

from ..catalogue import list_analyses
from ..catalogue.conventions import ConventionChanges, ConventionOptions, Conventions
from ..progress import collecting_remarks
from .app import app
from .derived import Source, derive_argument, derive_option, read_signature, read_text
from .ends import FAILED
from .formats import FORMATS
from .inputs import INPUTS, connect, open_connection
from .output import Output, Shown
from .types import TABLE, Words

# The groups in the order of all commands, with their options; the others are of a command alone.
_GROUPS = {
    "Metrics": "metrics metric",
    "Options": "",
    "Output": "per_query sort show_queries undecided format output junit summary digits",
    "Input": "database columns run_names",
    "Other tables": "",
    "Means and segments": "aggregate by weight topics",
    "Details": "interval within permutations samples resample seed steps least_pages",
    "Conventions": " ".join(["preset", *ConventionChanges.__annotations__]),
    "Where it runs": "engine into",
    "Limits": "memory_limit threads temp_folder",
}
# Those that few people need, which only --help-all shows.
_LATER = ("Details", "Conventions", "Where it runs", "Limits")
_TITLES = {name: title for title, names in _GROUPS.items() for name in names.split()}
_PLACES = {name: place for place, name in enumerate(_TITLES)}
# What says how runs are ranked, where a preset does not.
_CONVENTIONS: tuple[Source, ...] = (Conventions, Conventions.of)
_AGREED = {"default": None, "show_default": False, "required": False}
# Options of functions that read runs, though they are options of others behind a command.
_READING = ("columns", "run_names", "exclude")
# What evaluate takes of any command.
_SCORING = ("con", "columns", "run_names", *ConventionOptions.__annotations__)
# Parameters that are no options.
_IN_PYTHON = ("to", "scoring", "con", "conventions", "options")


def command(section: cloup.Section, *behind: Source, **how: Any) -> Callable[[Source], Source]:  # noqa: ANN401
    """Add the command of a function, declared as `declare` does, to a section of help."""

    def add(function: Source) -> Source:
        make = partial(declare, function, *behind, **how)
        app.declare(section, function.__name__, read_text(function), make)
        return function

    return add


# What is typed, a line for each example in help; headers of analyses have theirs.
_EXAMPLES = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").splitlines()


class Command(cloup.Command):
    """A command whose help leaves out what few people need, except for its name."""

    def format_params(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups, is_all = self.option_groups, "--help-all" in sys.argv
        self.option_groups = [each for each in groups if is_all or each.title not in _LATER]
        super().format_params(ctx, formatter)
        later = (each for each in groups if each not in self.option_groups)
        left = [option.opts[0] for each in later for option in each.options]
        self.option_groups = groups
        if left:
            formatter.write_paragraph()
            formatter.write_text(f"With --help-all: {', '.join(left)}.")


def declare(
    function: Source,
    *behind: Source,
    arguments: str = "qrels run",
    also: str = "",
    formats: Sequence[str] = FORMATS,
    writes: str = "format output digits",
    cls: type[Command] = Command,
    by_name: str = "",
    help: str = "",
    **changes: Mapping[str, Any] | None,
) -> cloup.Command:
    """The command of a function, with what its docstring says before parameters as help.

    The function returns what is shown. Its parameters are ``arguments``, or else options. If it
    takes ``**options``, they are those of the first function ``behind`` it. Of `evaluate`, those
    are options that are ``also`` named and, of any function that reads or ranks, how it does so.
    ``changes`` are attributes of some, or None for what is not an option. Tables that may be given
    ``by_name``, too, are options in a group of that title.
    """
    changes["format"] = {"type": Words(formats), **(changes.get("format") or {})}
    params: list[click.Parameter] = []
    groups: dict[str, list[cloup.Option]] = {title: [] for title in (by_name, *_GROUPS)}
    for each, said in _find_sources(function, behind, also, writes).items():
        change, is_argument = changes.get(each, {}), each in arguments.split()
        if is_argument and not by_name:
            params.append(derive_argument(function, each, **(change or {})))
        elif change is not None:
            agreed = _AGREED if said is _CONVENTIONS else {}
            option = derive_option(said, each, **{**agreed, **change})
            groups[by_name if is_argument else _find_title(option, said)].append(option)
    for title, options in groups.items():
        group = cloup.OptionGroup(title or "Options")
        for option in options:
            option.group = group
        params += options
    name, help = function.__name__.replace("_", "-"), help or read_text(function)
    file = list_analyses().get(function.__name__)
    typed = file and file.header.get("example")
    lines = [f"sqlmetrics {name} {typed}"] if typed else _EXAMPLES
    if examples := [f"\n  {line}" for line in lines if line.split()[1] == name]:
        help += f"\n\n\b\nExamples:{''.join(examples)}"
    callback = _call(function, params, {*also.split(), *_SCORING})
    return cls(name, params=params, callback=callback, help=help)


def _find_sources(
    function: Source, behind: Sequence[Source], also: str, writes: str
) -> dict[str, tuple[Source, ...]]:
    """The parameters of a command in order, and the functions that say what each is."""
    own = read_signature(function)
    scored = (sqlmetrics.evaluate,) if "scoring" in own else ()
    read: tuple[Source, ...] = (function, *behind, *scored)
    signatures = [read_signature(each) for each in read]
    names = [*own, *writes.split()]
    if behind and "options" in own:
        first = signatures[1].values()
        names += [each.name for each in first if each.default is not each.empty]
    if any("con" in signature for signature in signatures):
        names += read_signature(connect)
    names += [each for each in _READING if any(each in signature for signature in signatures)]
    saying: tuple[Source, ...] = (*read, Output, connect, sqlmetrics.evaluate, Conventions)
    sources = dict.fromkeys(names, saying)
    sources |= dict.fromkeys(also.split(), (function, *scored))
    if any("ConventionOptions" in str(signature.get("options")) for signature in signatures):
        sources |= dict.fromkeys(ConventionOptions.__annotations__, _CONVENTIONS)
    order = sorted(sources, key=lambda name: _PLACES.get(name, -1))
    return {name: sources[name] for name in order if name not in _IN_PYTHON}


def _find_title(option: cloup.Option, said: Sequence[Source]) -> str:
    """The group of an option."""
    title = _TITLES.get(str(option.name))
    if title == "Conventions" and said is not _CONVENTIONS and option.name != "exclude":
        title = None
    return title or ("Other tables" if option.type in (*INPUTS, TABLE) else "Options")


def _call(
    function: Source, params: Sequence[click.Parameter], scoring: Set[str]
) -> Callable[..., None]:
    """What a command does: call the function, and show what that returns."""
    taken = read_signature(function)
    reads = any(each.name == "threads" for each in params)

    def call(**options: Any) -> None:  # noqa: ANN401
        to = Output.take(options)
        reading = open_connection(options) if reads else nullcontext(options)
        with reading as given, collecting_remarks() as notes:
            if "scoring" in taken:
                given["scoring"] = {name: given.pop(name) for name in scoring & given.keys()}
            if "to" in taken:
                given["to"] = to
            found = function(**given)
        shown = found if isinstance(found, Shown) else Shown(found)
        shown.write(to, notes)
        if shown.has_failed:
            raise click.exceptions.Exit(FAILED)

    return call
