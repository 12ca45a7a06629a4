"""The command that writes a report: everything about some runs, on one page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import click
import cloup

import sqlmetrics

from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..report import Extras, find_facts, write_report
from . import options as take
from .app import START, app
from .inputs import find_first
from .output import call, write

_Inputs: TypeAlias = tuple[Any, Any]

_CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
_JUDGED = "Judged@10"


@app.command(section=START)
@take.qrels
@take.runs
@cloup.option_group(
    "Report",
    take.metrics,
    cloup.option(
        "--baseline", help="The run that the others are compared with; by default the first."
    ),
    cloup.option("--title", help="The title of the page."),
)
@cloup.option_group(
    "Output",
    cloup.option(
        "--output",
        "-o",
        required=True,
        type=take.WRITTEN,
        help="The file to write, whole or not at all.",
    ),
)
@take.reading
@take.conventions
@take.summaries
@take.limits
def report(
    qrels: str,
    runs: tuple[str, ...],
    *,
    output: Path,
    baseline: str | None,
    title: str | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Write a page of scores, comparisons, charts and queries.

    It is one file that needs no other files and no network. Charts show the first metric. QRELS and
    RUN are as for evaluate.
    """
    if output.suffix.lower() in (".pdf", ".png", ".svg", ".md", ".docx"):
        raise click.BadParameter("a report is HTML; name it .html", param_hint="--output")
    _require_files([qrels, *runs, *filter(None, [options["topics"], options["exclude"]])])

    def write_page(judgments: Any, run: Any, metrics: Any, **scoring: Any) -> str:  # noqa: ANN401
        inputs = judgments, run
        given = {name: scoring[name] for name in ("con", "columns", "run_names")}
        scores = sqlmetrics.evaluate(*inputs, metrics, **scoring)
        first = find_first(runs, scores.mean["run_id"].to_list())
        chosen = "as chosen with --baseline" if baseline else "the first run given" if first else ""
        extras = Extras(
            why_baseline=chosen or "the first run by name; --baseline chooses another",
            findings=sqlmetrics.check(*inputs, **given, rel=scores.conventions.relevant_from),
            made_by=shlex.join(["sqlmetrics", *sys.argv[1:]]),
            conventions=scores.conventions,
        )
        scoring["exclude"] = given["exclude"] = scores.conventions.exclude  # perhaps of a preset
        extras = _add_curve(extras, scores.conventions, inputs, given)
        extras = _add_cutoffs(extras, scores.metrics[0], inputs, scoring)
        extras = _add_documents(extras, scores, baseline or first, inputs, scoring)
        return write_report(scores, baseline or first, title=title, extras=extras).html

    page, _ = call(write_page, options, qrels, runs, inputs="topics")
    write(page, output)


def _require_files(inputs: Sequence[str]) -> None:
    """Refuse what can be read only once: a report reads its inputs several times."""
    for each in inputs:
        path = Path(each.partition("=")[2] if "=" in each and not Path(each).exists() else each)
        if str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
            raise sqlmetrics.InputError(
                f"a report reads its inputs several times, and {each} can be read only once; write "
                "it to a file first"
            )


def _add_curve(
    extras: Extras, conventions: Conventions, inputs: _Inputs, given: dict[str, Any]
) -> Extras:
    """Precision over recall, which has a threshold of relevance and no other conventions."""
    if conventions.judged_only or conventions.depth or conventions.ties != "descending":
        return _leave_out(
            extras,
            "Precision over recall is left out, since curves need the default ties, no depth and "
            "all documents",
        )
    try:
        curve = sqlmetrics.precision_recall_curve(
            *inputs, interpolated=True, averaged=True, rel=conventions.relevant_from, **given
        )
    except sqlmetrics.SqlMetricsError as problem:
        return _leave_out(extras, f"Precision over recall is left out: {problem}")
    return replace(extras, curve=curve)


def _add_cutoffs(
    extras: Extras, first: Measure, inputs: _Inputs, scoring: dict[str, Any]
) -> Extras:
    """Scores by cut-off of the first metric, or of nDCG, and the share of judged documents."""
    own = dict(first.arguments).get("k")
    steps = sorted({*_CUTOFFS, *([own] if isinstance(own, int) else [])})
    if isinstance(own, int) and first.summary != "none":
        at = [
            replace(first, arguments=_set_cutoff(first, k), label="").canonical_name for k in steps
        ]
        name = f"{first.canonical_name.rpartition('@')[0]}@k"
    else:
        at, name = [f"nDCG@{k}" for k in steps], "nDCG@k"
    plain = {"aggregate": None, "by": (), "topics": None, "weight": None}
    if scoring["weight"] is not None:
        plain |= {"weight": scoring["weight"], "topics": scoring["topics"]}
    try:
        found = sqlmetrics.evaluate(*inputs, at, **scoring | plain).mean
    except sqlmetrics.SqlMetricsError as problem:
        return _leave_out(extras, f"Scores by cut-off are left out: {problem}")
    columns = {column: str(k) for column, k in zip(found.columns[1:], steps, strict=True)}
    cutoffs = found.rename(columns)
    return replace(extras, cutoffs=cutoffs, cutoff_name=name, judged=_find_judged(inputs, scoring))


def _add_documents(
    extras: Extras,
    scores: sqlmetrics.Scores,
    baseline: str | None,
    inputs: _Inputs,
    scoring: dict[str, Any],
) -> Extras:
    """The documents of the queries that changed most by the first metric."""
    facts = find_facts(scores, baseline)
    queries = facts.list_changed()
    if not queries:
        return extras
    given = {key: scoring[key] for key in ("con", "columns", "run_names")}
    name = facts.first.canonical_name
    try:
        found = sqlmetrics.explain_query(*inputs, queries, name, scores.conventions, **given)
    except sqlmetrics.SqlMetricsError as problem:
        return _leave_out(extras, f"Documents of queries are left out: {problem}")
    return replace(extras, documents=found)


def _leave_out(extras: Extras, note: str) -> Extras:
    return replace(extras, notes=(*extras.notes, note))


def _set_cutoff(measure: Measure, k: int) -> tuple[tuple[str, Any], ...]:
    return tuple((key, k if key == "k" else value) for key, value in measure.arguments)


def _find_judged(inputs: _Inputs, scoring: dict[str, Any]) -> dict[str, float]:
    """For each run the share of its first ten documents that are judged."""
    given = {key: scoring[key] for key in ("con", "columns", "run_names", "exclude")}
    try:
        mean = sqlmetrics.evaluate(*inputs, _JUDGED, **given).mean
    except sqlmetrics.SqlMetricsError:
        return {}
    return dict(mean.select("run_id", _JUDGED).rows())
