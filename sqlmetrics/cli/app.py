"""The application: sections of commands in the order of use, and what is shown without one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import click
import cloup

import sqlmetrics

from ..catalogue import list_analyses, parsing
from ..errors import refuse, suggest
from .ends import ending


class _Commands(cloup.Group):
    add_file: Callable[[str], None] = staticmethod(sqlmetrics.add)
    declarations: ClassVar[dict[str, Callable[[], click.Command]]] = {}

    def declare(
        self, section: cloup.Section, name: str, said: str, make: Callable[[], click.Command]
    ) -> None:
        """Add a command that is made when it is asked for; help of all has its first sentence."""
        name = name.replace("_", "-")
        self.declarations[name] = make
        first = re.split("[:.]", said)[0]
        self.add_command(cloup.Command(name, short_help=f"{first}."), section=section)

    def make(self, name: str) -> click.Command:
        """The command of this name."""
        if name in self.declarations:
            self.commands[name] = self.declarations.pop(name)()
        return self.commands[name]

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        return self.make(name) if name in self.commands else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:  # noqa: ANN401
        """The command; one that does not exist is refused with the one that is meant."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            hint = suggest("command", args[0], self.commands, f"{ctx.command_path} {{}}".format)
            metric = parsing.find_metric(args[0])
            of_logs = ["--log"] * bool(metric and metric.kind == "clicks")
            words = [*of_logs, *args[1:], "-m", args[0]] if metric else []
            words = args if Path(args[0]).is_file() else words
            hint = f"write {ctx.command_path} evaluate {shlex.join(words)}" if words else hint
            said = f"No such command {args[0]!r}"
            raise click.UsageError(f"{said}; {hint}" if hint else said, None if hint else ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *given: Any, **more: Any) -> click.Context:  # noqa: ANN401
        with ending():
            return super().make_context(*given, **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Add the files of ``--sql`` before the command is looked for; name ``--run-from``."""
        left, given = [], iter(args)
        for word in given:
            option, sign, value = word.partition("=")
            if option == "--run-from":
                left.append(f"--columns=run_id={value if sign else next(given, '')}")
            elif option == "--sql":
                path = value if sign else next(given, "")
                refuse({"--sql adds a FILE; to print SQL, write sqlmetrics sql METRIC": not path})
                self.add_file(path)
            else:
                left.append(word)
        return super().parse_args(ctx, left)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        with ending():
            return super().invoke(ctx)


@cloup.group(
    cls=_Commands,
    context_settings={
        "help_option_names": ["-h", "--help", "--help-all"],
        # a longer name has a line of its own, so that the others keep their room
        "formatter_settings": cloup.HelpFormatter.settings(col1_max_width=20),
    },
    invoke_without_command=True,
)
@click.option(
    "--sql",
    metavar="FILE",
    help="Add your own metric, table macro or check; may be repeated, and after the command.",
)
@click.version_option(
    package_name="duckdb", message=f"sqlmetrics {sqlmetrics.__version__}, duckdb %(version)s"
)
@click.pass_context
def app(ctx: click.Context, sql: str | None) -> None:  # noqa: ARG001 - taken by parse_args
    """Ranking metrics as SQL, run by DuckDB or where the data is."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


# A command names its section: @command(START, …). Help has them, and their commands, in this order.
START = app.section("Start here")
ANALYSES = {
    domain: app.section(f"Analyses: {domain}")
    for domain in dict.fromkeys(file.folder for file in list_analyses().values())
}
MORE = app.section("More")
OWN = app.section("Your own")
