"""The page: its templates, in which all text is escaped, and what they are filled with."""

from __future__ import annotations

import platform
import re
from functools import cache
from importlib import resources

import duckdb
import polars as pl
from jinja2 import Environment, FunctionLoader, StrictUndefined

import sqlmetrics

from .. import result
from ..errors import show
from ..inputs.tables import is_self
from . import charts, embedded, facts, sections, words

_TEMPLATES = resources.files(__package__) / "templates"
_VERSIONS = {
    "sqlmetrics": sqlmetrics.__version__,
    "DuckDB": duckdb.__version__,
    "polars": pl.__version__,
    "Python": platform.python_version(),
}


def _read(file: str) -> str:
    """A template without line breaks and indentation between tags; errors still name its lines."""
    text = (_TEMPLATES / file).read_text("utf-8")
    between = r"(?<=[>}])\s*\n\s*(?=[<{])"
    return re.sub(between, lambda found: "{#" + "\n" * found[0].count("\n") + "#}", text)


def _show(value: object) -> object:
    """The value, its control characters as Python writes them."""
    return show(value) if type(value) is str else value  # markup is escaped already


@cache
def load_templates() -> Environment:
    made = Environment(
        loader=FunctionLoader(_read), undefined=StrictUndefined, autoescape=True, finalize=_show
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    made.globals |= {"is_self": is_self, "VERSIONS": _VERSIONS}
    for module in (charts, embedded, facts, result, sections, words):  # what templates call
        name = module.__name__
        own = {n: f for n, f in vars(module).items() if getattr(f, "__module__", name) == name}
        made.globals |= own
        made.filters |= own
    for file in ("colours.css", "charts.css", "style.css", "script.js"):
        made.globals[file.replace(".", "_")] = (_TEMPLATES / file).read_text("utf-8")
    return made
