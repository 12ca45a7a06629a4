"""Commands that compare runs: compare, explain-query and gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import cloup

import sqlmetrics

from ..catalogue import parsing
from ..catalogue.measures import Measure
from ..comparing import Correction, read_limits, require_options
from ..inputs.scores import holds_scores
from ..progress import remark
from . import options as take
from .app import START, app
from .derived import derive
from .ends import FAILED
from .inputs import find_first, read_columns, read_pairs
from .output import ask, call, take_output, write

_segments = cloup.option_group(
    "Segments",
    cloup.option(
        "--by",
        multiple=True,
        help="Compare within each value of this column of the topics; may be repeated.",
    ),
    take.topics,
)


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


_TESTS = "test correction family alpha interval within permutations samples seed common_queries"


@app.command(section=START)
@take.qrels
@cloup.argument("runs", metavar="BASELINE RUN...", nargs=-1, required=True)
@cloup.option_group(
    "Comparison",
    take.metrics,
    *derive(
        sqlmetrics.compare,
        f"baseline {_TESTS}",
        baseline={"help": "The run to compare with; by default the first one."},
    ),
    cloup.option(
        "--all-pairs",
        is_flag=True,
        help="Compare every pair of runs; a mean shows the letters of the runs that it beats.",
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
    *take.charted,
)
@take.reading
@take.conventions
@_segments
@take.limits
def compare(
    qrels: str,
    runs: tuple[str, ...],
    *,
    baseline: str | None,
    all_pairs: bool,
    bounds: bool,
    show_queries: int | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Compare runs query by query, and test the differences.

    Each RUN is compared with BASELINE: the difference of the means with its interval, wins, ties
    and losses, the effect, and p-values. QRELS and runs are as for evaluate.
    """
    if all_pairs and baseline:
        raise click.BadParameter("--all-pairs has no baseline; remove --baseline")
    asked: Any = {name: options.pop(name) for name in _TESTS.split()}
    require_options(asked)  # before anything is scored
    if bounds and (options.pop("by") or options.pop("topics")):
        raise click.BadParameter("bounds are for all queries; remove --by and --topics")

    def score(*inputs: Any, **given: Any) -> sqlmetrics.Comparison:  # noqa: ANN401
        scores = (sqlmetrics.bounds if bounds else sqlmetrics.evaluate)(*inputs, **given)
        remark(scores.notes)
        if scores.mean["run_id"].n_unique() < 2:
            raise sqlmetrics.InputError("a comparison needs two runs: QRELS BASELINE RUN...")
        name = None if all_pairs else _name_baseline(scores, baseline, runs)
        return scores.compare(name, **asked)

    to = take_output(options)
    found, notes = call(score, options, qrels, runs, inputs="" if bounds else "topics")
    frame = found.tests if show_queries is None else found.rank_queries(show_queries)
    to.show(found, frame, notes=notes, queries=show_queries)


def _read_limits(
    _context: click.Context, option: click.Parameter, pairs: Sequence[str]
) -> dict[str, str]:
    """``nDCG@10=0.45`` by metric."""
    hint = option.opts[0]

    def identify(metric: str) -> Measure:
        measures = parsing.parse(metric)
        if len(measures) > 1:
            problem = f"{metric} names {len(measures)} metrics; give each a limit of its own"
            raise click.BadParameter(problem, param_hint=hint)
        return measures[0]

    example = "nDCG@10=0.45" if hint == "--fail-under" else "nDCG@10=2%"
    return read_pairs(pairs or (), hint, example, identify)


_LIMITS = (("fail_under", "SCORE"), ("max_loss", "LOSS"), ("max_query_loss", "LOSS"))


@app.command("explain-query", section=START)
@take.qrels
@take.runs
@cloup.option_group(
    "Query",
    *derive(
        sqlmetrics.explain_query,
        "query metric k",
        query={"flags": "--query -q", "required": True},
        metric={"flags": "--metric -m"},
        k={"flags": "-k"},
    ),
)
@take.writing
@take.reading
@take.conventions
@take.limits
def explain_query(qrels: str, runs: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Show why a query won or lost, document by document.

    The documents of RUNs are beside each other, with what each adds to the score.

    QRELS and RUNs are as for evaluate. Data formats have a row for each document and run.
    """
    ask(sqlmetrics.explain_query, options, qrels, runs)


@app.command(section=START)
@take.qrels
@cloup.argument("runs", metavar="[BASELINE] RUN", nargs=-1, required=True)
@cloup.option_group(
    "Checks",
    take.metrics_of(
        "Such as 'nDCG@10 AP', if each of them must have a limit; all metrics with a limit are "
        "checked anyway."
    ),
    *derive(
        sqlmetrics.gate,
        "fail_under max_loss max_query_loss correction alpha strict allow",
        **{
            name: {"callback": _read_limits, "metavar": f"METRIC={limit}"}
            for name, limit in _LIMITS
        },
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
@take.reading
@take.conventions
@_segments
@take.limits
def gate(
    qrels: str,
    runs: tuple[str, ...],
    *,
    fail_under: dict[str, str],
    max_loss: dict[str, str],
    max_query_loss: dict[str, str],
    metrics: tuple[str, ...] | None,
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
    limits = {"fail_under": fail_under, "max_loss": max_loss, "max_query_loss": max_query_loss}
    read_limits(**limits)  # before anything is scored
    to = take_output(options)
    if (max_loss or max_query_loss) and len(runs) < 2:
        option = "--max-loss" if max_loss else "--max-query-loss"
        raise click.BadParameter(f"{option} needs a BASELINE before RUN")
    given = [*fail_under, *max_loss, *max_query_loss]
    limited = parsing.parse(given) if given else []
    for measure in parsing.parse(metrics) if metrics else ():
        if measure not in limited:
            said = f"no limit for {measure.name}; add --fail-under {measure.name}=…, or --max-loss"
            raise click.BadParameter(said, param_hint="--metrics")
    columns = read_columns(options["columns"])
    kept = runs[0] if len(runs) == 2 and holds_scores(runs[0], columns) else None
    options["metrics"] = [measure.name for measure in limited] or None

    def decide(*inputs: Any, **given: Any) -> sqlmetrics.Gate:  # noqa: ANN401
        scores = sqlmetrics.evaluate(*inputs, **given)
        remark(scores.notes)
        baseline: Any = None
        if len(runs) == 2:
            baseline = Path(kept) if kept else _name_baseline(scores, None, runs)
        return sqlmetrics.gate(
            scores,
            baseline=baseline,
            fail_under=_name_metrics(fail_under, scores),
            max_loss=_name_metrics(max_loss, scores),
            max_query_loss=_name_metrics(max_query_loss, scores),
            alpha=alpha,
            correction=correction,
            strict=strict,
            allow=allow,
        )

    found, notes = call(decide, options, qrels, runs[1:] if kept else runs, inputs="topics")
    if to.format == "json":
        write(found.write_json(), to.file)
    else:
        to.show(found, notes=notes)
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
