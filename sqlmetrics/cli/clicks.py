"""The command for logs of clicks."""

from __future__ import annotations

from typing import Any

import cloup

import sqlmetrics

from . import options as take
from .app import MORE, app
from .derived import derive
from .output import ask

_log = cloup.argument("log")


@app.command("clicks", section=MORE)
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
