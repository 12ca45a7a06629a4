"""Commands about fusion: fuse and tune."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import cloup

import sqlmetrics

from ..fusing import (
    describe_parameters,
    learns,
    list_methods,
    list_normalizations,
    uses_scores,
)
from . import options as take
from .app import INPUT, MORE, app
from .derived import derive
from .output import ask


def _name_methods(are: Callable[[str], bool]) -> str:
    return ", ".join(filter(are, list_methods()))


@app.command(section=MORE)
@take.runs
@cloup.option_group(
    "Fusion",
    *derive(
        sqlmetrics.fuse,
        " ".join(("method normalization weights depth", *describe_parameters())),
        method={
            "type": click.Choice(list_methods()),
            "flags": "--method -m",
            "help": "How runs are fused.",
        },
        normalization={
            "type": click.Choice(list_normalizations()),
            "help": f"For {_name_methods(uses_scores)}: what makes the scores of different runs "
            "comparable; by default min_max.",
        },
        weights={
            "flags": "--weight",
            "metavar": "RUN=WEIGHT",
            "example": "RUN=WEIGHT",
            "help": "The weight of each run, such as bm25=0.3, 1 without; may be repeated. Methods "
            "that learn take none.",
        },
        **{name: {"help": said} for name, said in describe_parameters().items()},
    ),
    cloup.option(
        "--qrels",
        type=INPUT,
        help=f"For {_name_methods(learns)}, which learn: judgments of other queries.",
    ),
    cloup.option(
        "--training",
        multiple=True,
        metavar="RUN",
        type=INPUT,
        callback=lambda _context, _option, runs: runs or None,
        help="For the same: what these runs retrieved for those queries, under the same names; may "
        "be repeated.",
    ),
)
@take.writing_runs
@take.reading
@take.limits
def fuse(runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Make one run from several RUNs.

    It is evaluated as any other.

    With -f trec, and to files called .trec, .run or .txt, it is written as TREC text.
    """
    ask(sqlmetrics.fuse, options, runs, inputs="qrels training")


@app.command(section=MORE)
@take.qrels
@take.runs
@cloup.option_group(
    "Tuning",
    *derive(
        sqlmetrics.tune,
        "methods metric step share depth alpha seed",
        methods={"type": click.Choice(list_methods()), "flags": "--method"},
        metric={"flags": "--metric -m"},
    ),
)
@take.writing
@take.reading
@take.limits
def tune(qrels: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Find the best way to fuse runs.

    Many are tried on some queries, and the best is tested on the others. QRELS and RUNs are as for
    evaluate. Data formats have a row for each way.
    """
    ask(sqlmetrics.tune, options, qrels, runs)
