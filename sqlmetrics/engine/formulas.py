"""Formulas: the aggregates of metrics without macros, as ``sql/formulas.json`` has them.

DuckDB plans them three times as fast as macros, but the library that writes them out takes longer
to import than DuckDB. So `translate.formulas` writes them once. Numbers are filled in; other calls
stay macros.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache

from ..catalogue import Metric, find_root, is_own, quote, remember
from ..catalogue.measures import Measure
from ..catalogue.rules import Value

NAME = "formulas.json"

# The only macro that formulas call: there is another way to sum where numbers are very large.
SUM = "exact_sum"

# The files that formulas are written from.
_SOURCES = (
    *(f"*/{folder}/**/*.sql" for folder in ("functions", "metrics", "expected")),
    *(f"engines/{variant}/*.sql" for variant in ("bare", "plain", "numbered")),
)

# Files newer than the formulas by more seconds than a clone takes have been changed since.
_SECONDS = 10


@remember
def write_formula(measure: Measure, prefix: str = "") -> str | None:
    """The aggregate of a measure over the rows ``j`` of one query, or None if it is not known."""
    metric = measure.metric
    if is_own(metric.file) or metric.file.folder != "metrics":
        return None
    given = dict(measure.arguments)
    defaults = metric.file.parameters
    own = {name: given.get(name, p.default) for name, p in metric.own_parameters.items()}
    text = _read().get(name_call(prefix + metric.macro, metric, own))

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        return quote(given[name]) if name in given else str(defaults[name])

    return None if text is None else re.sub(r"\$(\w+)", fill, text)


def is_filled(metric: Metric, name: str, value: Value) -> bool:
    """Whether a parameter is a number that is filled in."""
    return metric.own_parameters[name].rule.is_number and value is not None


def name_call(macro: str, metric: Metric, own: Mapping[str, Value]) -> str:
    """The name of calls that differ only in numbers."""
    listed = []
    for name, value in sorted(own.items()):
        parameter = metric.own_parameters[name]
        if is_filled(metric, name, value):
            listed += [name] if parameter.rule.allows_null else []
        elif value != parameter.default or parameter.rule.is_number:
            listed.append(f"{name}={quote(value)}")
    return f"{macro}({', '.join(listed)})"


@cache
def _read() -> dict[str, str]:
    """The formulas by call; none if SQL files were changed since they were written."""
    root = find_root()
    file = root / NAME
    if not file.exists():
        return {}
    if root.parent.joinpath("pyproject.toml").exists():  # in a checkout
        sources = (path for files in _SOURCES for path in root.glob(files))
        changed = max(path.stat().st_mtime for path in sources)
        if changed > file.stat().st_mtime + _SECONDS:
            return {}
    texts: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return texts
