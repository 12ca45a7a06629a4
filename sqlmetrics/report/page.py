"""The page: its templates, in which all text is escaped, and what they are filled with."""

from __future__ import annotations

import platform
import re
from functools import cache
from importlib import resources

import duckdb
import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from ..errors import show
from ..inputs.excluded import is_self
from ..macros.install import find_version
from ..result import count, show_level, show_p
from ..tables import show_cells
from .charts import MOST_DOTS, MOST_LINES, stack_bars, swarm, tone
from .data import find_data
from .facts import MOST_METRICS, Extras, Facts, Scored
from .sections import find_differences, find_lines, find_segments, find_strips
from .words import DASH, join_names, sign, sign_tick, trim

_FILTERS = (join_names, show_level, show_p, sign, sign_tick, tone, trim)
_FUNCTIONS = (
    *(count, find_data, find_differences, find_lines, find_segments, find_strips, is_self),
    *(show_cells, stack_bars, swarm),
)
_VERSIONS = {
    "sqlmetrics": find_version(),
    "DuckDB": duckdb.__version__,
    "polars": pl.__version__,
    "Python": platform.python_version(),
}


def write_page(scores: Scored, facts: Facts, extras: Extras, title: str | None = None) -> str:
    """The whole page, as HTML."""
    page = load_templates().get_template("page.html")
    return page.render(scores=scores, facts=facts, extras=extras, title=title)


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
    made.filters |= {each.__name__: each for each in (*_FILTERS, show_lines)}
    files = resources.files(__package__) / "templates"
    made.globals |= {each.__name__: each for each in _FUNCTIONS}
    made.globals |= {
        "DASH": DASH,
        "MOST_DOTS": MOST_DOTS,
        "MOST_LINES": MOST_LINES,
        "MOST_METRICS": MOST_METRICS,
        "VERSIONS": _VERSIONS,
    }
    for file in ("colours.css", "charts.css", "style.css", "script.js"):
        made.globals[file.replace(".", "_")] = (files / file).read_text("utf-8")
    return made
