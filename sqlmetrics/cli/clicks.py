"""Commands for logs of clicks: clicks, check-log, judge, examination and replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click
import cloup
import polars as pl

import sqlmetrics

from ..logs import DEFAULT_METRICS, ClickModel
from ..progress import collecting_remarks, remark
from . import options as take
from .commands import app, show_findings
from .inputs import connect, find_input, take_reading
from .output import ask, take_output

_log = cloup.argument("log")

_smallest = cloup.option(
    "--least-pages",
    type=click.IntRange(2),
    default=20,
    show_default=True,
    help="Documents on fewer pages are left out, as too little is known about each.",
)
_steps = cloup.option(
    "--steps",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many times to estimate attraction and examination in turn.",
)


@app.command("clicks")
@_log
@cloup.option_group(
    "Metrics",
    cloup.option(
        "--metrics",
        "-m",
        multiple=True,
        help=f"Such as 'CTR@1 ClickRR TimeToClick@95'; by default {DEFAULT_METRICS}.",
    ),
    cloup.option(
        "--by", multiple=True, help="A row per value of this column of the log; may be repeated."
    ),
)
@take.writing
@take.log_reading
@take.limits
def score_clicks(
    log: str,
    *,
    metrics: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> None:
    """Score a log of clicks.

    LOG has a row for each document that was shown: page_id, query_id, doc_id, position, clicked. A
    file, URL or table as for evaluate; see docs/clicks.md.
    """
    ask(sqlmetrics.clicks, {"metrics": metrics or None, **options}, log)


@app.command("check-log")
@_log
@cloup.option_group(
    "Checks", cloup.option("--strict", is_flag=True, help="End with status 1 for warnings, too.")
)
@cloup.option_group("Output", take.format_of("a report", take.LISTS), take.output)
@take.log_reading
@take.limits
def check_log(
    log: str,
    *,
    strict: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Look for problems in a log of clicks.

    Errors would make scores wrong, and end with status 1; warnings are about what is odd. LOG is as
    for clicks.
    """
    to = take_output(options)
    database = options["database"]
    limits, columns = take_reading(options)
    with connect(*limits) as con, collecting_remarks() as notes:
        findings = sqlmetrics.check_log(find_input(log, database), con=con, columns=columns)
    show_findings(to, findings, strict=strict, notes=notes)


@app.command()
@_log
@cloup.option_group(
    "Model",
    cloup.option(
        "--model",
        type=click.Choice(get_args(ClickModel)),
        default="coec",
        show_default=True,
        help="coec: clicks over expected clicks; sdbn: simplified dynamic Bayesian network; dcm: "
        "dependent click model; pbm: clicks over examination.",
    ),
    cloup.option(
        "--smoothing",
        type=click.FloatRange(0),
        default=1,
        show_default=True,
        help="Draws documents with few pages towards 1 (coec) or a half; 0 turns it off.",
    ),
    _steps,
    _smallest,
)
@take.writing
@take.log_reading
@take.limits
def judge(log: str, **options: Any) -> None:  # noqa: ANN401
    """Make judgments from a log of clicks.

    Write them with -o qrels.csv, for evaluate. LOG is as for clicks.
    """
    ask(sqlmetrics.judge, options, log)


@app.command()
@_log
@cloup.option_group("Model", _steps, _smallest)
@take.writing
@take.log_reading
@take.limits
def examination(log: str, **options: Any) -> None:  # noqa: ANN401
    """Estimate how likely users are to look at each position, from a log of clicks.

    LOG is as for clicks.
    """
    ask(sqlmetrics.examination, options, log)


@app.command()
@_log
@take.runs
@cloup.option_group(
    "Replay",
    cloup.option(
        "--examination",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A file with position and examination; by default it is estimated from the log.",
    ),
    cloup.option("-k", type=click.IntRange(1), help="Cut-off rank of DCG."),
    cloup.option(
        "--clip",
        type=click.FloatRange(1),
        default=100,
        show_default=True,
        help="Highest weight of a click.",
    ),
)
@take.writing
@take.log_reading
@take.limits
def replay(
    log: str,
    runs: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> None:
    """Score runs with the clicks on other rankings.

    LOG is as for clicks, each RUN as for evaluate.
    """

    def score(*inputs: Any, **given: Any) -> pl.DataFrame:  # noqa: ANN401
        scores = sqlmetrics.replay(*inputs, **given)
        said = scores.drop_nulls("note").select("run_id", "note").rows()
        remark(f"{run_id}: {note}" for run_id, note in said)
        return scores.drop("note")

    ask(score, options, log, runs)
