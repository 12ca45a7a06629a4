"""Commands for logs of clicks: clicks, judge, examination and replay."""

from __future__ import annotations

from typing import Any

import cloup
import polars as pl

import sqlmetrics

from ..progress import remark
from . import options as take
from .app import CLICKS, app
from .derived import derive
from .output import ask

_log = cloup.argument("log")

_learning = derive(sqlmetrics.examination, "steps least_pages")


@app.command("clicks", section=CLICKS)
@_log
@cloup.option_group(
    "Metrics",
    *derive(
        sqlmetrics.clicks,
        "metrics by intervals alpha",
        metrics={"flags": "--metrics -m"},
    ),
)
@take.writing
@take.log_reading
@cloup.option_group("Where it runs", take.engine)
@take.limits
def score_clicks(log: str, **options: Any) -> None:  # noqa: ANN401
    """Score a log of clicks.

    LOG has a row for each document that was shown: page_id, query_id, doc_id, position, clicked. A
    file, URL or table as for evaluate; see docs/clicks.md.
    """
    ask(sqlmetrics.clicks, options, log)


@app.command(section=CLICKS)
@_log
@cloup.option_group("Model", *derive(sqlmetrics.judge, "model smoothing"), *_learning)
@take.writing
@take.log_reading
@cloup.option_group("Where it runs", take.engine)
@take.limits
def judge(log: str, **options: Any) -> None:  # noqa: ANN401
    """Make judgments from a log of clicks.

    Write them with -o qrels.csv, for evaluate. LOG is as for clicks.
    """
    ask(sqlmetrics.judge, options, log)


@app.command(section=CLICKS)
@_log
@cloup.option_group("Model", *_learning)
@take.drawing
@take.log_reading
@cloup.option_group("Where it runs", take.engine)
@take.limits
def examination(log: str, **options: Any) -> None:  # noqa: ANN401
    """Estimate how likely users are to look at each position.

    LOG is as for clicks.
    """
    ask(sqlmetrics.examination, options, log)


@app.command(section=CLICKS)
@_log
@take.runs
@cloup.option_group("Replay", *derive(sqlmetrics.replay, "examination k clip", k={"flags": "-k"}))
@take.writing
@take.log_reading
@cloup.option_group("Where it runs", take.engine)
@take.limits
def replay(log: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Score runs with the clicks on other rankings.

    LOG is as for clicks, each RUN as for evaluate.
    """

    def score(*inputs: Any, **given: Any) -> pl.DataFrame:  # noqa: ANN401
        scores = sqlmetrics.replay(*inputs, **given)
        said = scores.drop_nulls("note").select("run_id", "note").rows()
        remark(f"{run_id}: {note}" for run_id, note in said)
        return scores.drop("note")

    ask(score, options, log, runs)
