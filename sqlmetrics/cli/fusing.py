"""Commands about fusion: fuse."""

from __future__ import annotations

from typing import Any, get_args

import click
import cloup

import sqlmetrics

from ..fusing import list_methods, list_normalizations
from . import options as take
from .commands import app
from .derived import derive
from .formats import Format
from .output import ask


@app.command()
@take.runs
@cloup.option_group(
    "Fusion",
    *derive(
        sqlmetrics.fuse,
        "method normalization weights k p sigma gamma depth",
        method={"type": click.Choice(list_methods()), "flags": "--method -m", "help": "How."},
        normalization={"type": click.Choice(list_normalizations())},
        weights={"flags": "--weight", "metavar": "RUN=WEIGHT", "example": "RUN=WEIGHT"},
    ),
)
@cloup.option_group("Output", take.format_of("a table", get_args(Format)), take.output, take.digits)
@take.reading
@take.limits
def fuse(runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Fuse runs: one from several RUNs, to be evaluated as any other.

    With -f trec it is written as TREC text, else as a table with a header.
    """
    ask(sqlmetrics.fuse, options, runs)
