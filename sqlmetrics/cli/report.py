"""What a report shows besides scores: everything about some runs, on one page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import sqlmetrics

from ..catalogue.measures import Measure
from ..report.facts import Facts
from ..report.page import write_page
from .output import Output
from .types import File, Files, Scoring

_CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
_JUDGED = "JUDGEDAT@10"
_NO_CURVE = (
    "Precision over recall is left out, since curves need the default ties, no depth and all "
    "documents"
)


def report(
    to: Output,
    qrels: File,
    run: Files,
    scoring: Scoring,
    *,
    baseline: str | None = None,
    title: str | None = None,
) -> str:
    """Write a page of scores, comparisons, charts and queries.

    It is one file that needs no other files and no network. Charts show the first metric. QRELS and
    RUN are as for evaluate.

    - ``baseline``: the run that the others are compared with; by default the first.
    - ``title``: the title of the page.
    """
    if to.output and to.output.suffix.lower() in (".pdf", ".png", ".svg", ".md", ".docx"):
        raise click.BadParameter("a report is HTML; name it .html", param_hint="--output")
    _require_files([*run, qrels, scoring["topics"], scoring["exclude"]])
    notes: list[str] = []

    def find(what: str, function: Callable[..., Any], *asked: Any, **options: Any) -> Any:  # noqa: ANN401
        try:
            return function(qrels, run, *asked, **options)
        except sqlmetrics.SqlMetricsError as problem:
            notes.extend([f"{what} left out: {problem}"] if what else [])
            return None

    scores = sqlmetrics.evaluate(qrels, run, **scoring)
    agreed = scores.conventions
    reading = {name: scoring[name] for name in ("con", "columns", "run_names")}
    rel = agreed.relevant_from
    findings = sqlmetrics.check(qrels, run, **reading, rel=rel)
    excluding = {**reading, "exclude": agreed.exclude}  # perhaps of a preset
    curve = None
    if agreed.judged_only or agreed.depth or agreed.ties != "descending":
        notes.append(_NO_CURVE)
    else:
        wanted = {"interpolated": True, "averaged": True, "rel": rel, **excluding}
        curve = find("Precision over recall is", sqlmetrics.precision_recall_curve, **wanted)
    weight = {name: scoring[name] for name in ("weight", "topics") if scoring["weight"]}
    asked = _list_cutoffs(scores.metrics[0]), agreed
    cutoffs = find("Scores by cut-off are", sqlmetrics.evaluate, *asked, **reading, **weight)
    judged = find("", sqlmetrics.evaluate, _JUDGED, **excluding) if cutoffs else None
    facts, documents = Facts(scores, baseline), None
    if queries := facts.list_changed():
        why = queries, facts.first.canonical_name, agreed
        documents = find("Documents of queries are", sqlmetrics.explain_query, *why, **reading)
    return write_page(
        facts,
        title=title,
        curve=curve,
        cutoffs=cutoffs,
        judged=dict(judged.mean.select("run_id", _JUDGED).rows()) if judged else {},
        findings=findings,
        documents=documents,
        made_by=shlex.join(["sqlmetrics", *sys.argv[1:]]),
        notes=notes,
        why_baseline="as chosen with --baseline" if baseline else "the first run",
    )


def _list_cutoffs(first: Measure) -> list[str]:
    """The first metric, or nDCG, at the cut-offs of the chart."""
    own = dict(first.arguments).get("k")
    if not isinstance(own, int) or first.summary == "none":
        return [f"nDCG@{k}" for k in _CUTOFFS]
    given = dict(first.arguments)
    cut = (tuple((given | {"k": k}).items()) for k in sorted({*_CUTOFFS, own}))
    return [replace(first, arguments=each, label="").canonical_name for each in cut]


def _require_files(inputs: Iterable[Any]) -> None:
    """Refuse what can be read only once: a report reads its inputs several times."""
    for each in filter(None, inputs):
        (data,) = each.values() if isinstance(each, dict) else (each,)
        path = Path("-" if data is sys.stdin.buffer else data)
        if str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
            raise sqlmetrics.InputError(
                f"a report reads its inputs several times, and {path} can be read only once; write "
                "it to a file first"
            )
