"""Commands about judgments: bounds, leave-out, estimate."""

from __future__ import annotations

from typing import Any

import cloup
import polars as pl

import sqlmetrics

from ..errors import require_number
from ..progress import remark
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


@app.command("leave-out", section=MORE)
@take.qrels
@take.runs
@cloup.option_group(
    "Pool",
    take.metrics,
    *derive(
        sqlmetrics.leave_out,
        "pool_depth groups",
        groups={"flags": "--group", "metavar": "RUN=GROUP", "example": "RUN=GROUP"},
    ),
)
@take.writing
@take.reading
@take.conventions
@take.limits
def leave_out(qrels: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Show pool bias: score each run without what it alone found.

    QRELS and RUN are as for evaluate.
    """
    ask(sqlmetrics.leave_out, options, qrels, runs)


@app.command(section=MORE)
@cloup.argument("automatic", metavar="AUTOMATIC")
@cloup.argument("human", metavar="HUMAN")
@take.runs
@cloup.option_group("Estimate", take.metrics, *derive(sqlmetrics.estimate, "alpha"))
@take.writing
@take.reading
@take.conventions
@take.limits
def estimate(
    automatic: str,
    human: str,
    runs: tuple[str, ...],
    *,
    alpha: float,
    **options: Any,  # noqa: ANN401
) -> None:
    """Estimate scores from few judgments by people.

    AUTOMATIC are the machine's judgments of all queries, HUMAN those by people of a random sample
    of them.
    """
    require_number("alpha", alpha, 0, 1)  # before anything is scored

    def score(*qrels: Any, run: Any, **given: Any) -> pl.DataFrame:  # noqa: ANN401
        scores = [sqlmetrics.evaluate(each, run, **given) for each in qrels]
        remark(note for each in scores for note in each.notes)
        return sqlmetrics.estimate(*scores, alpha=alpha)

    ask(score, options | {"run": runs}, automatic, human, inputs="run")
