"""Exit codes and error messages of commands.

0: done. 1: what was asked for is not so: a check of `gate` failed, `check` found an error. 2: wrong
usage, input or output. 128 and the number of a signal: ended by it, or by a closed pipe.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click
import duckdb

from ..errors import SqlMetricsError, clean, suggest
from ..inputs.connection import listening
from ..inputs.workspace import remove_temporary
from .bar import drawn
from .output import say

FAILED = 1
_WRONG = 2
_INTERRUPTED = 128 + signal.SIGINT
_PIPE_CLOSED = 128 + 13  # SIGPIPE, which Windows does not have


@contextmanager
def ending() -> Iterator[None]:
    """Turn what ends a command into its status, which click ends it with."""
    try:
        yield
    except click.exceptions.Exit:
        raise
    except KeyboardInterrupt:
        raise click.exceptions.Exit(_INTERRUPTED) from None
    except BrokenPipeError:  # as in "sqlmetrics … | head"
        _discard_output()
        raise click.exceptions.Exit(_PIPE_CLOSED) from None
    except Exception as error:
        if isinstance(error, OSError):
            _discard_output()
        say("error: " + re.sub(r"\n(?! )", "; ", clean(_explain(error))))
        raise click.exceptions.Exit(_WRONG) from None


def _explain(error: Exception) -> str:
    """What went wrong, in a sentence."""
    match error:
        case SqlMetricsError():
            return str(error)
        case click.NoSuchOption(ctx=ctx) if ctx:
            names = [each.opts[0] for each in ctx.command.params]
            places = {each: f"{each.upper()} without an option" for each in names if each[0] != "-"}
            flags = {each.lstrip("-"): places.get(each, each) for each in names}
            hint = suggest("option", error.option_name, flags, flags.__getitem__)
            hint = hint or f"see {ctx.command_path} --help"
            return f"{ctx.info_name} has no option {error.option_name}; {hint}"
        case click.ClickException():
            said = " ".join(error.format_message().split()).rstrip(".")
            of = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
            is_value = isinstance(error, click.BadParameter) and type(error) is click.BadParameter
            return f"{said}; see {of} --help" if of and not is_value else said
        case OSError(filename=None):
            closed = "it is closed" if sys.__stdout__ is None else None
            return f"cannot write to standard output: {closed or error.strerror or error}"
        case OSError():
            return f"{error.filename}: {error.strerror}"
        case duckdb.OutOfMemoryException():
            said = str(error).partition("\n")[0].partition(": ")[2]
            hint = "raise --memory-limit, lower --threads, or name a roomier --temp-folder"
            return f"not enough memory; {hint} (DuckDB: {said})"
        case duckdb.Error():
            return f"DuckDB: {' '.join(str(error).split())}"
    traceback.print_exception(error)
    return "this is a bug in sqlmetrics; please report it with the lines above"


def _discard_output() -> None:
    """Leave unwritten what is left to write, which would fail again when Python ends."""
    with suppress(OSError):  # it has no number, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(app: click.Group) -> None:
    """Run the commands, which end as above."""
    _replace_closed()
    _received.clear()
    for number in _ENDING:  # polars, if loaded, has replaced Python's handler
        signal.signal(number, _end)
    try:
        with listening(_ENDING, _end_stuck):
            app()
    finally:
        if _received:  # whatever the interrupt has become on its way
            _leave(*_received)


def _replace_closed() -> None:
    """Take the places of closed streams, which would be those of the next files opened.

    Nothing can be written to what takes that of standard output.
    """
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open()  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115


_ENDING = (signal.SIGINT, signal.SIGTERM)
_received: list[int] = []  # the signal that ends the command


def _end(number: int, _frame: object) -> None:
    """End the command by an exception, so that it tidies up; once, or tidying up would end, too."""
    if not _received:
        _received.append(number)
        raise KeyboardInterrupt


def _end_stuck(number: int) -> None:
    """End a command that has not ended by itself."""
    drawn.close()
    _leave(number)


def _leave(number: int) -> None:
    """End without waiting for threads that are still at work."""
    remove_temporary()
    os._exit(128 + number)
