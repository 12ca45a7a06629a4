"""Reports: scores and their comparison as one page, which needs no other file and no network."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any

from ..catalogue.parsing import parse
from ..errors import InputError, SqlMetricsError, is_typed
from ..inputs.frames import can_be_read_once
from ..inputs.tables import is_evaluated
from ..inputs.workspace import replace_file
from .facts import Facts
from .scored import Evaluated

_CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
_ALONE = "Only scores are shown: the inputs are on another engine, or can be read only once"
# Precision at each recall, as trec_eval reports it.
_RECALLS = [each.name for each in parse("official") if "recall" in each.metric.parameters]


@dataclass(frozen=True, repr=False)
class Report:
    """A page with scores, comparisons and charts, as ``html``; a notebook shows it."""

    html: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file."""
        replace_file(Path(path).expanduser().resolve(), self.html.encode(errors="backslashreplace"))

    def __repr__(self) -> str:
        return "Report; save it with .save('report.html')"

    def _repr_html_(self) -> str:
        style = "width:100%;height:760px;border:0"
        return f'<iframe title="Report" srcdoc="{escape(self.html)}" style="{style}"></iframe>'


def report(
    scores: Evaluated,
    baseline: str | None = None,
    *,
    title: str | None = None,
    given: Mapping[str, Any] | None = None,
) -> Report:
    """A page with means, comparisons with ``baseline``, charts and the scores of all queries.

    - ``scores``: judgments, runs and metrics, as for `evaluate`, or what it returned.
    - ``baseline``: the run that the others are compared with; by default the first.
    - ``title``: the title of the page.
    - ``given``: the arguments of `evaluate`, if ``scores`` are its result: they give precision over
      recall, scores by cut-off, documents of queries, and what `check` finds.

    Raises `InputError` for an unknown baseline, and where no metric is a number.
    """
    from .page import load_templates  # and jinja2, which other functions need not wait for

    if not is_evaluated(scores):
        raise InputError("a report needs what evaluate returned, or judgments, runs and metrics")
    facts = Facts(scores, baseline)
    chosen = f", baseline={baseline!r}" if baseline else ""
    call = f"report(qrels, runs, {' '.join(scores)!r}{chosen})"
    shown = {
        "title": title,
        "made_by": shlex.join(["sqlmetrics", *sys.argv[1:]]) if is_typed.get() else call,
        "why_baseline": "as chosen" if baseline else "the first run",
        **_find_more(facts, given or {}),
    }
    return Report(load_templates().get_template("page.html").render(shown, facts=facts))


def _find_more(facts: Facts, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is found in the inputs, None where nothing can be, and notes on why."""
    from sqlmetrics import check, evaluate, explain_query  # which stand above

    first, agreed, notes = facts.first, facts.source.conventions, list[str]()
    known = {**given, **vars(agreed), "rel": agreed.relevant_from, "conventions": agreed}

    def find(what: str, function: Callable[..., Any], **asked: Any) -> Any:  # noqa: ANN401
        taken = {name: known[name] for name in signature(function).parameters if name in known}
        try:
            return function(**taken | asked)
        except SqlMetricsError as problem:
            notes.append(f"No {what}: {problem}")

    found: dict[str, Any] = dict.fromkeys(("curve", "cutoffs", "documents", "findings"))
    if given.get("engine") or can_be_read_once([*known.values()]):
        notes.append(_ALONE)
    elif given:
        k = dict(first.arguments).get("k") if first.summary != "none" else None
        stem = first.canonical_name.removesuffix(f"@{k}") if k else "nDCG"
        cut = [f"{stem}@{each}" for each in sorted({*_CUTOFFS, k or 10})]
        found["cutoffs"] = find("scores by cut-off", evaluate, metrics=cut)
        if first.metric.kind == "neighbours":  # which have no judgments
            return {**found, "notes": notes}
        found["findings"] = find("findings of check", check)
        found["curve"] = find("precision over recall", evaluate, metrics=_RECALLS, aggregate=None)
        if queries := facts.list_changed():
            asked: dict[str, Any] = {"query": queries, "metric": first.canonical_name}
            found["documents"] = find("documents of queries", explain_query, **asked)
    return {**found, "notes": notes}
