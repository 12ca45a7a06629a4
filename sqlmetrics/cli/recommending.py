"""The command recommendations."""

from __future__ import annotations

from typing import Any

import cloup

import sqlmetrics

from . import options as take
from .app import SCORE, app
from .derived import derive
from .formats import LAYOUTS
from .output import compute, note_whole

_TABLES = ("history", "items", "qrels", "baseline")


@app.command("recommendations", section=SCORE)
@take.runs
@cloup.option_group(
    "Metrics", *derive(sqlmetrics.recommendations, "metrics", metrics={"flags": "--metrics -m"})
)
@cloup.option_group(
    "Tables",
    *derive(sqlmetrics.recommendations, " ".join(_TABLES)),
)
@take.writing_queries
@take.reading
@take.summaries
@cloup.option_group("Where it runs", take.engine)
@take.limits
def score_recommendations(
    runs: tuple[str, ...],
    *,
    per_query: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Score recommendations beyond accuracy.

    Each RUN is as for evaluate, where a query_id is a user and a doc_id an item, so topics are
    about users. Tables are files, URLs, or tables of --database.
    """
    names = (*_TABLES, "topics")
    given = [options.pop(name) for name in names]

    def score(run: Any, *tables: Any, **more: Any) -> sqlmetrics.Scores:  # noqa: ANN401
        named = dict(zip(names, tables, strict=True))
        return sqlmetrics.recommendations(run, **named, **more)

    to, scores, notes = compute(score, options, runs, *given)
    if to.format in LAYOUTS and not per_query:
        to.show(scores, notes=notes)
    elif per_query:
        to.show(scores.per_query, notes=[*notes, *scores.notes, *note_whole(scores)])
    else:
        to.show(scores.mean, notes=[*notes, *scores.notes])
