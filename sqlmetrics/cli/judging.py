"""Commands about judgments: bounds, to-judge, leave-out, agree and estimate."""

from __future__ import annotations

from typing import Any, get_args

import click
import cloup

import sqlmetrics

from ..judging import Order, Resample
from ..progress import collecting_remarks
from . import options as take
from .commands import app
from .inputs import connect, find_input, find_inputs, read_pairs, take_reading
from .output import ask, take_output

_alpha = cloup.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Intervals contain the true value with 1 - alpha.",
)


@app.command()
@take.qrels
@take.runs
@cloup.option_group(
    "Bounds",
    take.metrics,
    take.metric_files,
    cloup.option(
        "--max-rel",
        type=click.FloatRange(0, min_open=True),
        help="The highest grade that a document can get; by default the highest in QRELS.",
    ),
)
@cloup.option_group(
    "Output",
    cloup.option("--per-query", "-q", is_flag=True, help="Bounds of each query."),
    cloup.option(
        "--undecided", is_flag=True, help="Instead, the pairs of runs whose bounds overlap."
    ),
    take.format_of("a table"),
    take.output,
    take.digits,
)
@take.reading
@take.conventions
@take.limits
def bounds(
    qrels: str,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    per_query: bool,
    undecided: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Show how low and high scores can be, once unjudged documents are judged.

    QRELS and runs are as for evaluate.
    """
    to = take_output(options)
    database = options["database"]
    limits, columns = take_reading(options)
    with connect(*limits) as con:
        inputs = find_inputs(qrels, runs, database)
        found = sqlmetrics.bounds(*inputs, metrics or None, con=con, columns=columns, **options)
    if undecided:
        to.show(found.undecided, notes=found.notes)
    else:
        to.show(found, found.per_query if per_query else found.mean, per_query=per_query)


@app.command("to-judge")
@take.qrels
@take.runs
@cloup.option_group(
    "Choice",
    cloup.option(
        "--budget", "-n", type=click.IntRange(1), help="No more than this many documents."
    ),
    cloup.option(
        "--order",
        type=click.Choice(get_args(Order)),
        default="scores",
        show_default=True,
        help="First those that can most change the scores of all runs, or the order of the runs; "
        "by best rank (depth-k pooling); from runs that have just found something (move-to-front).",
    ),
    cloup.option(
        "--depth",
        type=click.IntRange(1),
        default=10,
        show_default=True,
        help="How far down to look in each run.",
    ),
    cloup.option(
        "--rel",
        type=float,
        default=1,
        show_default=True,
        help="Relevance from which a document is relevant.",
    ),
    cloup.option(
        "--queries",
        type=click.Choice(["judged", "all"]),
        default="judged",
        show_default=True,
        help="Only queries with judgments, or all that the runs have.",
    ),
)
@take.writing
@take.reading
@take.limits
def to_judge(qrels: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Choose the documents to judge next.

    They are unjudged, and near the top of a RUN. Write them with -o batch.csv, fill in the column
    relevance, add the rows to QRELS, and ask again. Without judgments, give none as QRELS.
    """
    ask(sqlmetrics.to_judge, options, None if qrels == "none" else qrels, runs)


@app.command("leave-out")
@take.qrels
@take.runs
@cloup.option_group(
    "Pool",
    take.metrics,
    take.metric_files,
    cloup.option(
        "--pool-depth",
        type=click.IntRange(1),
        default=100,
        show_default=True,
        help="How deep the runs were pooled.",
    ),
    cloup.option(
        "--group",
        multiple=True,
        metavar="RUN=GROUP",
        help="The runs of a group are left out together; may be repeated.",
    ),
)
@take.writing
@take.reading
@take.conventions
@take.limits
def leave_out(
    qrels: str,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    pool_depth: int,
    group: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> None:
    """Score each run without the judged documents that it alone found, to see pool bias."""
    groups = read_pairs(group, "--group", "RUN=GROUP")
    given = {"metrics": metrics or None, "pool_depth": pool_depth, "groups": groups or None}
    ask(sqlmetrics.leave_out, options | given, qrels, runs)


@app.command()
@take.qrels
@take.runs
@cloup.option_group(
    "Scores",
    cloup.option(
        "-k",
        "cutoffs",
        type=click.IntRange(1),
        multiple=True,
        default=(10,),
        show_default=True,
        help="Cut-off rank of inferred precision; may be repeated.",
    ),
    cloup.option(
        "--depth",
        type=click.IntRange(1),
        default=1000,
        show_default=True,
        help="Rank only this many documents of each query.",
    ),
)
@cloup.option_group(
    "Output",
    cloup.option("--per-query", "-q", is_flag=True, help="Scores of each query."),
    take.format_of("a table"),
    take.output,
    take.digits,
)
@take.reading
@take.limits
def infer(qrels: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Infer scores from judgments of a random sample of the pool, as sample_eval.pl does.

    QRELS has query_id, doc_id, stratum and relevance, below 0 for what is pooled but not judged; or
    it is TREC text with the stratum before the relevance.
    """
    ask(sqlmetrics.infer, options, qrels, runs)


@app.command()
@cloup.argument("first")
@cloup.argument("second", required=False)
@cloup.argument("runs", metavar="[RUN...]", nargs=-1)
@cloup.option_group(
    "Agreement",
    take.metrics,
    take.metric_files,
    cloup.option(
        "--resample",
        type=click.Choice(get_args(Resample)),
        default="queries",
        show_default=True,
        help="What bootstrap samples are drawn from, for the intervals.",
    ),
    _alpha,
    cloup.option(
        "--samples",
        type=click.IntRange(1),
        default=2_000,
        show_default=True,
        help="How many to draw.",
    ),
    cloup.option("--seed", type=int, default=0, show_default=True, help="For random draws."),
)
@cloup.option_group(
    "Output",
    cloup.option(
        "--show",
        type=click.Choice(["coefficients", "queries", "confusion", "orders", "turned"]),
        help="Only this table; data formats have the coefficients by default.",
    ),
    take.format_of("tables"),
    take.output,
    take.digits,
)
@take.reading
@take.conventions
@take.limits
def agree(
    first: str,
    second: str | None,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    show: str | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Report how far judges agree, and how that changes the order of runs.

    FIRST and SECOND are judgments of two judges, such as people and a language model; without
    SECOND, FIRST is a table of ratings: query_id, doc_id, judge, relevance.
    """
    to = take_output(options)
    database = options["database"]
    limits, columns = take_reading(options)
    with connect(*limits) as con:
        found = sqlmetrics.agree(
            find_input(first, database),
            None if second is None else find_input(second, database),
            find_inputs(first, runs, database)[1] if runs else None,
            metrics or None,
            con=con,
            columns=columns,
            **options,
        )
    if show is None:
        to.show(found, found.coefficients)
    else:
        frame = found.per_query if show == "queries" else getattr(found, show)
        to.show(frame, notes=[found.method, *found.notes])


@app.command()
@cloup.argument("automatic", metavar="AUTOMATIC")
@cloup.argument("human", metavar="HUMAN")
@take.runs
@cloup.option_group("Estimate", take.metrics, take.metric_files, _alpha)
@take.writing
@take.reading
@take.conventions
@take.limits
def estimate(
    automatic: str,
    human: str,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    alpha: float,
    **options: Any,  # noqa: ANN401
) -> None:
    """Estimate mean scores from many judgments by a machine and a few by people.

    AUTOMATIC are the machine's judgments of all queries, HUMAN those by people of a random sample
    of them.
    """
    to = take_output(options)
    database = options["database"]
    limits, columns = take_reading(options)
    with connect(*limits) as con, collecting_remarks() as notes:
        found = [find_inputs(each, runs, database) for each in (automatic, human)]
        scores = [
            sqlmetrics.evaluate(*each, metrics or None, con=con, columns=columns, **options)
            for each in found
        ]
        frame = sqlmetrics.estimate(*scores, alpha=alpha)
    to.show(frame, notes=[note for each in scores for note in each.notes] + notes)
