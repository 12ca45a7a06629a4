"""Commands about what users did: experiment and bridge."""

from __future__ import annotations

from typing import Any

import cloup

import sqlmetrics

from . import options as take
from .app import DECIDE, app
from .derived import derive
from .output import ask

_reading = cloup.option_group("Input", take.database, take.columns)


@app.command(section=DECIDE)
@cloup.argument("users")
@cloup.option_group(
    "Experiment",
    *derive(
        sqlmetrics.experiment,
        "control metrics by shares cuped alternative correction alpha",
        metrics={"flags": "--metrics -m"},
        shares={"flags": "--share", "metavar": "VARIANT=SHARE", "example": "A=0.9"},
    ),
)
@take.drawing
@_reading
@take.limits
def experiment(users: str, **options: Any) -> None:  # noqa: ANN401
    """Compare the variants of an A/B test, and check its split.

    USERS is a file (CSV, Parquet, JSON) or table with a row for each user: user_id, variant,
    numerator, denominator for a ratio, and before, if the numerator before the test is known.
    """
    ask(sqlmetrics.experiment, options, users)


@app.command(section=DECIDE)
@cloup.argument("offline")
@cloup.argument("online")
@cloup.option_group(
    "Bridge",
    *derive(
        sqlmetrics.bridge,
        "metrics online_metrics baseline alpha",
        metrics={"flags": "--metrics -m", "help": "Only this one of OFFLINE; may be repeated."},
        online_metrics={"help": "Only this one of ONLINE; may be repeated."},
    ),
)
@take.writing
@_reading
@take.limits
def bridge(offline: str, online: str, **options: Any) -> None:  # noqa: ANN401
    """Test whether an offline metric moves with what users do.

    OFFLINE and ONLINE are files (CSV, Parquet, JSON) or tables with run_id, query_id and a column
    for each metric: the scores that evaluate --per-query -o writes, and clicks per page, say.
    """
    ask(sqlmetrics.bridge, options, offline, online)
