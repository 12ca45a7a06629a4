"""The command for vector indexes: neighbours."""

from __future__ import annotations

from typing import Any

import cloup

import sqlmetrics

from . import options as take
from .app import SCORE, app
from .derived import derive
from .output import compute


@app.command(section=SCORE)
@cloup.argument("exact")
@take.runs
@cloup.option_group(
    "Metrics",
    *derive(sqlmetrics.neighbours, "metrics", metrics={"flags": "--metrics -m"}),
)
@take.writing_queries
@take.reading
@take.summaries
@cloup.option_group("Where it runs", take.engine)
@take.limits
def neighbours(
    exact: str,
    runs: tuple[str, ...],
    *,
    per_query: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Score a vector index against the exact neighbours.

    EXACT and each RUN have a row for each neighbour: query_id, doc_id, distance, the smallest the
    nearest. Files, tables and names of runs are as for evaluate; see docs/vectors.md.
    """
    to, found, _ = compute(sqlmetrics.neighbours, options, exact, runs)
    to.show(found.per_query if per_query else found.mean, notes=found.notes)
