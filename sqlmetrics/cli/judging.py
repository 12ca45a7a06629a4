"""Commands about judgments: bounds, pool-bias."""

from __future__ import annotations

from typing import Any

import cloup

import sqlmetrics

from . import options as take
from .app import MORE, app
from .derived import derive
from .output import ask, call, take_output


@app.command(section=MORE)
@take.qrels
@take.runs
@cloup.option_group("Bounds", take.metrics, *derive(sqlmetrics.bounds, "max_rel"))
@cloup.option_group(
    "Output",
    cloup.option("--per-query", "-q", is_flag=True, help="Bounds of each query."),
    cloup.option(
        "--undecided", is_flag=True, help="Instead, the pairs of runs whose bounds overlap."
    ),
    *take.charted,
)
@take.reading
@take.conventions
@take.limits
def bounds(
    qrels: str,
    runs: tuple[str, ...],
    *,
    per_query: bool,
    undecided: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Show how far unjudged documents may move scores.

    A score is somewhere between its bounds once all documents are judged. QRELS and runs are as for
    evaluate.
    """
    to = take_output(options)
    found, _ = call(sqlmetrics.bounds, options, qrels, runs)
    if undecided:
        to.show(found.undecided, notes=found.notes)
    else:
        to.show(found, found.per_query if per_query else found.mean, per_query=per_query)


@app.command("pool-bias", section=MORE)
@take.qrels
@take.runs
@cloup.option_group(
    "Pool",
    take.metrics,
    *derive(
        sqlmetrics.pool_bias,
        "pool_depth groups",
        groups={"flags": "--group", "metavar": "RUN=GROUP", "example": "RUN=GROUP"},
    ),
)
@take.writing
@take.reading
@take.conventions
@take.limits
def pool_bias(qrels: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Show pool bias: score each run without what it alone found.

    QRELS and RUN are as for evaluate.
    """
    ask(sqlmetrics.pool_bias, options, qrels, runs)
