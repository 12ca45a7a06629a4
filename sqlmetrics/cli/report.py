"""The command that writes a report: everything about some runs, on one page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import sqlmetrics

from ..catalogue.measures import Measure
from ..report import Extras, find_facts, write_report
from .app import START
from .declared import command
from .inputs import find_first
from .output import Output
from .types import File, Files

_CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
_JUDGED = "Judged@10"
_NO_CURVE = (
    "Precision over recall is left out, since curves need the default ties, no depth and all "
    "documents"
)


@command(
    START,
    {"Report": "metrics baseline title", "Scores of runs": "aggregate by weight topics"},
    sqlmetrics.Scores.report,
    sqlmetrics.evaluate,
    writes="output",
    output={"required": True, "help": "The file to write, whole or not at all."},
)
def report(
    to: Output,
    qrels: File,
    run: Files,
    *,
    baseline: str | None = None,
    title: str | None = None,
    **options: Any,  # noqa: ANN401
) -> str:
    """Write a page of scores, comparisons, charts and queries.

    It is one file that needs no other files and no network. Charts show the first metric. QRELS and
    RUN are as for evaluate.

    - ``baseline``: the run that the others are compared with; by default the first.
    - ``title``: the title of the page.
    """
    if to.output and to.output.suffix.lower() in (".pdf", ".png", ".svg", ".md", ".docx"):
        raise click.BadParameter("a report is HTML; name it .html", param_hint="--output")
    given = click.get_current_context().params
    _require_files([*given["run"], *filter(None, map(given.get, ("qrels", "topics", "exclude")))])
    notes: list[str] = []

    def find(what: str, function: Callable[..., Any], *asked: Any, **options: Any) -> Any:  # noqa: ANN401
        try:
            return function(qrels, run, *asked, **options)
        except sqlmetrics.SqlMetricsError as problem:
            notes.extend([f"{what} left out: {problem}"] if what else [])
            return None

    scores = sqlmetrics.evaluate(qrels, run, **options)
    agreed, measure = scores.conventions, scores.metrics[0]
    reading = {name: options[name] for name in ("con", "columns", "run_names")}
    rel = agreed.relevant_from
    findings = sqlmetrics.check(qrels, run, **reading, rel=rel)
    excluding = {**reading, "exclude": agreed.exclude}  # perhaps of a preset
    curve = None
    if agreed.judged_only or agreed.depth or agreed.ties != "descending":
        notes.append(_NO_CURVE)
    else:
        wanted = {"interpolated": True, "averaged": True, "rel": rel, **excluding}
        curve = find("Precision over recall is", sqlmetrics.precision_recall_curve, **wanted)
    name, at = _list_cutoffs(measure)
    unlike = {"metrics", "aggregate", "by", *(["topics"] if options["weight"] is None else [])}
    plain = {key: options[key] for key in options.keys() - unlike} | excluding
    cutoffs = find("Scores by cut-off are", sqlmetrics.evaluate, [*at], **plain)
    judged = find("", sqlmetrics.evaluate, _JUDGED, **excluding) if cutoffs else None
    first = find_first(given["run"], scores.mean["run_id"].to_list())
    chosen = "as chosen with --baseline" if baseline else "the first run given" if first else ""
    facts, documents = find_facts(scores, baseline or first), None
    if queries := facts.list_changed():
        asked = queries, facts.first.canonical_name, agreed
        documents = find("Documents of queries are", sqlmetrics.explain_query, *asked, **reading)
    extras = Extras(
        curve=curve,
        cutoffs=cutoffs and cutoffs.mean.rename(at),
        cutoff_name=name,
        judged=dict(judged.mean.select("run_id", _JUDGED).rows()) if judged else {},
        findings=findings,
        documents=documents,
        conventions=agreed,
        made_by=shlex.join(["sqlmetrics", *sys.argv[1:]]),
        notes=tuple(notes),
        why_baseline=chosen or "the first run by name; --baseline chooses another",
    )
    return write_report(scores, facts, extras, title).html


def _list_cutoffs(first: Measure) -> tuple[str, dict[str, str]]:
    """What the chart of cut-offs shows: the first metric or nDCG, and its cut-offs by name."""
    own = dict(first.arguments).get("k")
    if not isinstance(own, int) or first.summary == "none":
        return "nDCG@k", {f"nDCG@{k}": str(k) for k in _CUTOFFS}
    found = {}
    for k in sorted({*_CUTOFFS, own}):
        arguments = tuple((key, k if key == "k" else value) for key, value in first.arguments)
        found[replace(first, arguments=arguments, label="").canonical_name] = str(k)
    return f"{first.canonical_name.rpartition('@')[0]}@k", found


def _require_files(inputs: Sequence[str]) -> None:
    """Refuse what can be read only once: a report reads its inputs several times."""
    for each in inputs:
        path = Path(each.partition("=")[2] if "=" in each and not Path(each).exists() else each)
        if str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
            raise sqlmetrics.InputError(
                f"a report reads its inputs several times, and {each} can be read only once; write "
                "it to a file first"
            )
