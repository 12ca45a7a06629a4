"""The command about what users did."""

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
