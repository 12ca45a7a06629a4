"""The page: its templates, in which all text is escaped, and what they are filled with."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from ..errors import show
from ..result import count, show_p
from .charts import MOST_DOTS, MOST_LINES, stack_bars, swarm
from .data import find_data
from .details import find_documents, find_lines, find_segments, find_strips
from .facts import Extras, Facts, Scored
from .origin import describe_conventions, list_versions
from .overview import describe_detectable, find_differences
from .queries import find_queries, show_change
from .words import DASH, join_names, sign, sign_tick, trim

_FUNCTIONS = (
    count,
    describe_conventions,
    describe_detectable,
    find_differences,
    find_documents,
    find_lines,
    find_queries,
    find_segments,
    find_strips,
    list_versions,
    show_change,
    stack_bars,
    swarm,
)


def write_page(scores: Scored, facts: Facts, extras: Extras, title: str | None = None) -> str:
    """The whole page, as HTML."""
    findings = [] if extras.findings is None else [*extras.findings.iter_rows(named=True)]
    page = load_templates().get_template("page.html")
    return page.render(
        scores=scores,
        facts=facts,
        extras=extras,
        title=title or name_page(facts),
        lead=_describe(facts, extras),
        others=facts.metrics[1:],
        notes=[*dict.fromkeys((*scores.notes, *facts.notes, *extras.notes))],
        findings=findings,
        data=find_data(facts),
    )


class _Tight(Extension):
    """Leaves out line breaks and indentation between the tags of a template."""

    def preprocess(self, source: str, *_: object) -> str:
        def write_breaks(found: re.Match[str]) -> str:
            return "{#" + "\n" * found[0].count("\n") + "#}"  # errors still name their line

        return re.sub(r"(?<=[>}])\s*\n\s*(?=[<{])", write_breaks, source)


def _show(value: object) -> object:
    """The value, its control characters as Python writes them."""
    return show(value) if type(value) is str else value  # markup is escaped already


def show_lines(text: str) -> Markup:
    return Markup("\n").join(map(show, text.split("\n")))


@cache
def load_templates() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__),
        extensions=[_Tight],
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_show,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    filters = (join_names, show_lines, show_p, sign, sign_tick, trim)
    made.filters |= {each.__name__: each for each in filters}
    files = resources.files(__package__) / "templates"
    made.globals |= {each.__name__: each for each in _FUNCTIONS}
    made.globals |= {
        "DASH": DASH,
        "MOST_DOTS": MOST_DOTS,
        "MOST_LINES": MOST_LINES,
    }
    for file in ("colours.css", "charts.css", "style.css", "script.js"):
        made.globals[file.replace(".", "_")] = (files / file).read_text("utf-8")
    return made


def name_page(facts: Facts) -> str:
    if len(facts.runs) == 1:
        return facts.runs[0]
    if len(facts.runs) == 2 and facts.baseline:
        return f"{facts.chosen} against {facts.baseline}"
    if facts.baseline:
        return f"{len(facts.others)} runs against {facts.baseline} by {facts.first.name}"
    return f"{len(facts.runs)} runs by {facts.first.name}"


def _describe(facts: Facts, extras: Extras) -> list[str]:
    parts = [
        count(len(facts.runs), "run"),
        count(len(facts.queries), "judged query"),
        count(len(facts.metrics), "metric"),
    ]
    if extras.judged:
        low, high = min(extras.judged.values()), max(extras.judged.values())
        share = f"{low:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"
        parts.append(f"{share} of the first 10 documents judged")
    return parts
