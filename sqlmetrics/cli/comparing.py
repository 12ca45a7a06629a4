"""Commands that compare runs: compare and gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

import click
import cloup

import sqlmetrics

from ..catalogue import parsing
from ..catalogue.measures import Measure
from ..comparing import Allowed, Correction, Family, Interval, Test, read_limits
from ..inputs.scores import holds_scores
from . import options as take
from .commands import app
from .ends import FAILED
from .inputs import connect, find_first, find_input, find_inputs, read_pairs, take_reading
from .output import take_output, write

_segments = cloup.option_group(
    "Segments",
    cloup.option(
        "--by",
        multiple=True,
        help="Compare within each value of this column of the topics; may be repeated.",
    ),
    cloup.option(
        "--topics",
        help="A file or table of queries, with query_id and these columns; without it they are "
        "columns of the judgments.",
    ),
)


def _evaluate(
    work: ExitStack,
    qrels: str,
    runs: Sequence[str],
    metrics: Sequence[str],
    options: dict[str, Any],
) -> sqlmetrics.Scores:
    """The scores of the inputs of a command, whose options are taken out.

    The limits among them hold for what is done until ``work`` ends.
    """
    database, topics = options["database"], options.pop("topics")
    limits, columns = take_reading(options)
    con = work.enter_context(connect(*limits))
    return sqlmetrics.evaluate(
        *find_inputs(qrels, runs, database, topics),
        metrics or None,
        con=con,
        columns=columns,
        topics=topics and find_input(topics, database),
        **options,
    )


def _bound(
    work: ExitStack,
    qrels: str,
    runs: Sequence[str],
    metrics: Sequence[str],
    options: dict[str, Any],
) -> sqlmetrics.Bounds:
    """The scores with their bounds."""
    database = options["database"]
    limits, columns = take_reading(options)
    del options["by"], options["topics"]
    con = work.enter_context(connect(*limits))
    inputs = find_inputs(qrels, runs, database)
    return sqlmetrics.bounds(*inputs, metrics or None, con=con, columns=columns, **options)


def _name_baseline(
    scores: sqlmetrics.Scores | sqlmetrics.Bounds, given: str | None, runs: Sequence[str]
) -> str:
    """The name of the run that others are compared with: the one given, else the first."""
    known = scores.mean["run_id"].unique().sort().to_list()
    name = given or find_first(runs, known)
    if name in known:
        return str(name)
    said = f"no run named {given}" if given else f"{runs[0]} holds several runs"
    raise click.BadParameter(
        f"{said}; name the baseline: {', '.join(known)}", param_hint="--baseline"
    )


@app.command()
@take.qrels
@cloup.argument("runs", metavar="BASELINE RUN...", nargs=-1, required=True)
@cloup.option_group(
    "Comparison",
    take.metrics,
    take.metric_files,
    cloup.option("--baseline", help="The run to compare with; by default the first one."),
    cloup.option(
        "--all-pairs",
        is_flag=True,
        help="Compare every pair of runs; a mean shows the letters of the runs that it beats.",
    ),
    cloup.option(
        "--test",
        type=click.Choice(get_args(Test)),
        default="t",
        show_default=True,
        help="t: paired t-test; randomization: without assumptions; wilcoxon, sign: not about "
        "means; tukey: all runs together.",
    ),
    cloup.option(
        "--correction",
        type=click.Choice(get_args(Correction)),
        default="holm",
        show_default=True,
        help="For many comparisons: holm and bonferroni bound the chance of a false discovery, bh "
        "and by the share of them.",
    ),
    cloup.option(
        "--family",
        type=click.Choice(get_args(Family)),
        default="metric",
        show_default=True,
        help="What is corrected together: the comparisons of a metric, or all.",
    ),
    cloup.option(
        "--alpha",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        help="The significance level.",
    ),
    cloup.option(
        "--interval",
        type=click.Choice(get_args(Interval)),
        default="t",
        show_default=True,
        help="From Student's t, or from bootstrap samples.",
    ),
    cloup.option(
        "--permutations",
        type=click.IntRange(1),
        default=10_000,
        show_default=True,
        help="For randomization and tukey.",
    ),
    cloup.option("--seed", type=int, default=0, show_default=True, help="For random draws."),
    cloup.option(
        "--common-queries", is_flag=True, help="Leave out queries that not all runs have."
    ),
    cloup.option(
        "--bounds",
        is_flag=True,
        help="Also report which runs unjudged documents may reverse, by the bounds of scores.",
    ),
)
@cloup.option_group(
    "Output",
    cloup.option(
        "--show-queries",
        type=click.IntRange(1),
        help="Also the queries that gain and lose most, this many of each.",
    ),
    take.format_of("a table"),
    take.output,
    take.digits,
)
@_segments
@take.reading
@take.conventions
@take.limits
def compare(
    qrels: str,
    runs: tuple[str, ...],
    *,
    metrics: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    bounds: bool,
    show_queries: int | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Compare runs query by query, and report whether a difference may be luck.

    Each RUN is compared with BASELINE: the difference of the means with its interval, wins, ties
    and losses, the effect, and p-values. QRELS and runs are as for evaluate.
    """
    if all_pairs and baseline:
        raise click.BadParameter("--all-pairs has no baseline; remove --baseline")
    to = take_output(options)
    names = ("test", "correction", "family", "alpha", "interval", "permutations", "seed")
    asked = {name: options.pop(name) for name in (*names, "common_queries")}
    if bounds and (options["by"] or options["topics"]):
        raise click.BadParameter("bounds are for all queries; remove --by and --topics")
    with ExitStack() as work:
        scores = (_bound if bounds else _evaluate)(work, qrels, runs, metrics, options)
        if scores.mean["run_id"].n_unique() < 2:
            raise sqlmetrics.InputError("a comparison needs two runs: QRELS BASELINE RUN...")
        name = None if all_pairs else _name_baseline(scores, baseline, runs)
        found = scores.compare(name, **asked)
    frame = found.tests if show_queries is None else found.rank_queries(show_queries)
    to.show(found, frame, notes=scores.notes, queries=show_queries)


def _read_limits(pairs: Sequence[str], option: str) -> dict[str, str]:
    """``nDCG@10=0.45`` by metric."""

    def identify(metric: str) -> Measure:
        measures = parsing.parse(metric)
        if len(measures) > 1:
            problem = f"{metric} names {len(measures)} metrics; give each a limit of its own"
            raise click.BadParameter(problem, param_hint=option)
        return measures[0]

    return read_pairs(pairs, option, "nDCG@10=0.45", identify)


@app.command()
@take.qrels
@cloup.argument("runs", metavar="[BASELINE] RUN", nargs=-1, required=True)
@cloup.option_group(
    "Checks",
    cloup.option(
        "--fail-under",
        multiple=True,
        metavar="METRIC=SCORE",
        help="The lowest mean score that passes: nDCG@10=0.45; may be repeated.",
    ),
    cloup.option(
        "--max-loss",
        multiple=True,
        metavar="METRIC=LOSS",
        help="The largest loss against BASELINE: nDCG@10=0.02, or nDCG@10=3% of its score; may be "
        "repeated.",
    ),
    cloup.option(
        "--max-query-loss",
        multiple=True,
        metavar="METRIC=LOSS",
        help="The largest loss of a single query: nDCG@10=0.3, or 'nDCG@10=0.3 in 5%' if that "
        "share of the queries may lose more; may be repeated.",
    ),
    take.metrics,
    take.metric_files,
    cloup.option(
        "--alpha",
        type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        help="How often a larger loss may pass, and a smaller one fail.",
    ),
    cloup.option(
        "--correction",
        type=click.Choice(get_args(Correction)),
        default="none",
        show_default=True,
        help="Of failures, for the number of --max-loss checks.",
    ),
    cloup.option("--strict", is_flag=True, help="Fail unsure checks, too."),
    cloup.option(
        "--allow",
        multiple=True,
        type=click.Choice(get_args(Allowed)),
        help="Decide anyway if queries have changed, there is only one, or all have the same "
        "difference.",
    ),
)
@cloup.option_group(
    "Output",
    take.format_of("a table", ("table", "json", "markdown")),
    take.output,
    cloup.option(
        "--junit",
        type=take.WRITTEN,
        help="Also write the checks to this file, as JUnit's XML.",
    ),
    cloup.option(
        "--summary",
        type=take.WRITTEN,
        help='Also append them to this file, as Markdown: "$GITHUB_STEP_SUMMARY".',
    ),
    take.digits,
)
@_segments
@take.reading
@take.conventions
@take.limits
def gate(
    qrels: str,
    runs: tuple[str, ...],
    *,
    fail_under: tuple[str, ...],
    max_loss: tuple[str, ...],
    max_query_loss: tuple[str, ...],
    metrics: tuple[str, ...],
    alpha: float,
    correction: Correction,
    strict: bool,
    allow: tuple[Any, ...],
    junit: Path | None,
    summary: Path | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Decide whether a run is good enough to be released.

    Ends with status 0 if no check fails, 1 if one fails, 2 if it cannot be decided because the
    input or an option is wrong. BASELINE is another run, or the scores of an earlier
    release: what evaluate --per-query -o kept.parquet wrote. QRELS and runs are as for evaluate.
    """
    if len(runs) > 2:
        raise click.BadParameter("a gate takes one RUN, and at most one BASELINE before it")
    floors = _read_limits(fail_under, "--fail-under")
    losses = _read_limits(max_loss, "--max-loss")
    query_losses = _read_limits(max_query_loss, "--max-query-loss")
    read_limits(floors, losses, query_losses)  # before anything is scored
    to = take_output(options)
    if to.format not in ("table", "json", "markdown"):
        raise click.BadParameter(
            f"a gate cannot be written as {to.format}; use table, json or markdown"
        )
    if (losses or query_losses) and len(runs) < 2:
        option = "--max-loss" if losses else "--max-query-loss"
        raise click.BadParameter(f"{option} needs a BASELINE before RUN")
    limited = [*floors, *losses, *query_losses]
    asked = parsing.parse([*(metrics or ()), *limited]) if limited else []
    kept = runs[0] if len(runs) == 2 and holds_scores(runs[0]) else None
    names = [measure.name for measure in asked]
    with ExitStack() as work:
        scores = _evaluate(work, qrels, runs[1:] if kept else runs, names, options)
        baseline: Any = None
        if len(runs) == 2:
            baseline = Path(kept) if kept else _name_baseline(scores, None, runs)
        found = sqlmetrics.gate(
            scores,
            baseline=baseline,
            fail_under=_name_metrics(floors, scores),
            max_loss=_name_metrics(losses, scores),
            max_query_loss=_name_metrics(query_losses, scores),
            alpha=alpha,
            correction=correction,
            strict=strict,
            allow=allow,
        )
    if to.format == "json":
        write(found.write_json(), to.file)
    else:
        to.show(found, notes=scores.notes)
    if junit:
        write(found.write_junit(to.digits), junit)
    if summary:
        write(found.write_markdown(to.digits), summary, after=True)
    if not found:
        raise click.exceptions.Exit(FAILED)


def _name_metrics(limits: Mapping[str, Any], scores: sqlmetrics.Scores) -> dict[str, Any]:
    """The limits by the names that the scores have."""
    named = {}
    for metric, limit in limits.items():
        (measure,) = parsing.parse(metric)
        name = next(m.name for m in scores.metrics if m == measure)
        named[name] = limit
    return named
