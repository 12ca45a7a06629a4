"""The page: its templates, in which all text is escaped, and what they are filled with."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import duckdb
import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from ..errors import show
from ..inputs.tables import is_self
from ..macros.install import find_version
from ..result import count, show_cells, show_level, show_p, show_range
from .charts import MOST_DOTS, stack_bars, swarm, tone
from .embedded import MOST_LINES, find_data
from .facts import MOST_METRICS, Facts
from .scored import Evaluated
from .sections import find_differences, find_lines, find_segments, find_strips
from .words import DASH, join_names, sign, sign_tick, trim

# What templates call.
_CALLED: tuple[Callable[..., Any], ...] = (
    *(count, find_data, find_differences, find_lines, find_segments, find_strips, is_self),
    *(join_names, show_cells, show_level, show_p, show_range, sign, sign_tick, stack_bars, swarm),
    *(tone, trim),
)
_VERSIONS = {
    "sqlmetrics": find_version(),
    "DuckDB": duckdb.__version__,
    "polars": pl.__version__,
    "Python": platform.python_version(),
}


def write_page(
    facts: Facts,
    title: str | None = None,
    *,
    curve: pl.DataFrame | None = None,
    cutoffs: Evaluated = None,
    judged: Mapping[str, float] | None = None,
    findings: pl.DataFrame | None = None,
    documents: Any = None,  # noqa: ANN401
    made_by: str = "",
    notes: Sequence[str] = (),
    why_baseline: str = "",
) -> str:
    """The whole page, as HTML, with what scores alone do not hold.

    - ``curve``: interpolated, averaged precision over recall.
    - ``cutoffs``: what `evaluate` returned for a metric at several cut-offs.
    - ``judged``: for each run, the share of its first ten documents that are judged.
    - ``findings``: what `check` returns.
    - ``documents``: what `explain_query` returns for some queries.
    - ``made_by``: the command or call.
    - ``notes``: remarks, such as why something is missing.
    - ``why_baseline``: why this run is the baseline: ``the first run given``.
    """
    return load_templates().get_template("page.html").render(locals())


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
    called = {each.__name__: each for each in (*_CALLED, show_lines)}
    made.filters |= called
    made.globals |= called | {"DASH": DASH, "MOST_DOTS": MOST_DOTS, "MOST_LINES": MOST_LINES}
    made.globals |= {"MOST_METRICS": MOST_METRICS, "VERSIONS": _VERSIONS}
    files = resources.files(__package__) / "templates"
    for file in ("colours.css", "charts.css", "style.css", "script.js"):
        made.globals[file.replace(".", "_")] = (files / file).read_text("utf-8")
    return made
