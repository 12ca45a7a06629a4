"""Formulas: the aggregates of metrics without macros, as ``sql/formulas.json`` has them.

DuckDB plans them three times as fast as macros, but the library that writes them out takes longer
to import than DuckDB. So they are written once: for each metric with its defaults, and with each
word that one of its parameters may be instead. Numbers are filled in; other calls stay macros.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from ..catalogue import Metric, files, find_root, is_own, quote, ranking_metrics
from ..catalogue.measures import Measure
from ..catalogue.rules import Value

if TYPE_CHECKING:
    from .plain import Macros

NAME = "formulas.json"

# The only macro that formulas call: there is another way to sum where numbers are very large.
SUM = "exact_sum"

# The folders that formulas are written from.
_SOURCES = ("functions", "metrics", "expected", "engines/bare", "engines/numbered")

# Files newer than the formulas by more seconds than a clone takes have been changed since.
_SECONDS = 10


def write_formula(measure: Measure, prefix: str = "") -> str | None:
    """The aggregate of a measure over the rows ``j`` of one query, or None if it is not known."""
    metric = measure.metric
    if is_own(metric.file) or metric.file.folder != "metrics":
        return None
    given = dict(measure.arguments)
    defaults = metric.aggregate.parameters
    own = {name: given.get(name, p.default) for name, p in metric.own_parameters.items()}
    text = _read().get(_name(prefix + metric.macro, metric, own))

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        return quote(given[name]) if name in given else str(defaults[name])

    return None if text is None else re.sub(r"\$(\w+)", fill, text)


def write_formulas() -> str:
    """What the file is to contain: JSON with an aggregate for each call."""
    texts = {
        name: text for metric in ranking_metrics() for name, text in list_formulas(metric).items()
    }
    return json.dumps(dict(sorted(texts.items())), indent=0, ensure_ascii=False) + "\n"


def list_formulas(metric: Metric) -> dict[str, str]:
    """The formulas of a metric and of its expected scores, by call."""
    from .plain import Macros  # which needs the library that takes long to import

    macros = Macros("numbered", kept=[SUM])
    prefixes = ["", "expected_"] if f"expected_{metric.macro}" in files()["expected"] else [""]
    return {name: text for each in prefixes for name, text in _list_calls(macros, metric, each)}


def _list_calls(macros: Macros, metric: Metric, prefix: str) -> Iterator[tuple[str, str]]:
    """The names of calls, and the aggregates that they stand for."""
    from .features import ENGINES
    from .folding import fold
    from .plain import parse
    from .writer import write_part

    macro = prefix + metric.macro
    parameters = metric.own_parameters
    ways = [
        [p.default] if not p.rule.is_number else [None, 0] if p.rule.allows_null else [0]
        for p in parameters.values()
    ]
    words = {
        name: [word for word in (p.rule.words or (True, False)) if word != p.default]
        for name, p in parameters.items()
        if p.rule.words or p.rule.type == "BOOLEAN"
    }
    changes = [{}, *({name: word} for name, listed in words.items() for word in listed)]
    for values, change in product(product(*ways), changes):
        own = dict(zip(parameters, values, strict=True)) | change
        listed = (
            f"{name} := {f'_number_{name}' if _is_filled(metric, name, value) else quote(value)}"
            for name, value in own.items()
        )
        call = f"{macro}({', '.join(['j', *listed])})"
        query = parse(f"SELECT {call} FROM _rows AS j GROUP BY j.run_id, j.query_id")
        (tree,) = fold(macros.write_out(query, is_query=True)).selects
        text = " ".join(write_part(tree, ENGINES["duckdb"]).split())
        yield _name(macro, metric, own), re.sub(r"\b_number_(\w+)", r"$\1", text)


def _is_filled(metric: Metric, name: str, value: Value) -> bool:
    """Whether a parameter is a number that is filled in."""
    return metric.own_parameters[name].rule.is_number and value is not None


def _name(macro: str, metric: Metric, own: Mapping[str, Value]) -> str:
    """The name of calls that differ only in numbers."""
    listed = []
    for name, value in sorted(own.items()):
        parameter = metric.own_parameters[name]
        if _is_filled(metric, name, value):
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
        sources = (path for folder in _SOURCES for path in (root / folder).rglob("*.sql"))
        changed = max(path.stat().st_mtime for path in sources)
        if changed > file.stat().st_mtime + _SECONDS:
            return {}
    texts: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return texts
