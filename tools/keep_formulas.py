"""Formulas: writes ``sql/formulas.json``, from which `engine.formulas` reads them.

There is one for each metric with its defaults, and with each word that one of its parameters may be
instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from sqlmetrics.catalogue import Metric, all_metrics, files, quote
from sqlmetrics.engine.formulas import SUM, is_filled, name_call
from sqlmetrics.translate.expand import Macros, parse
from sqlmetrics.translate.features import ENGINES
from sqlmetrics.translate.simplify import fold
from sqlmetrics.translate.writer import write_part


def write_formulas() -> str:
    """What the file is to contain: JSON with an aggregate for each call."""
    texts = {
        name: text for metric in all_metrics("runs") for name, text in list_formulas(metric).items()
    }
    return json.dumps(dict(sorted(texts.items())), indent=0, ensure_ascii=False) + "\n"


def list_formulas(metric: Metric) -> dict[str, str]:
    """The formulas of a metric and of its expected scores, by call."""
    macros = Macros("plain", "numbered", kept=[SUM])
    prefixes = ["", "expected_"] if f"expected_{metric.macro}" in files()["expected"] else [""]
    return {name: text for each in prefixes for name, text in _list_calls(macros, metric, each)}


def _list_calls(macros: Macros, metric: Metric, prefix: str) -> Iterator[tuple[str, str]]:
    """The names of calls, and the aggregates that they stand for."""
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
    engine = ENGINES["duckdb"]
    if prefix:  # a sum is the same for all documents of a score, and a subquery is evaluated once
        engine = replace(engine, sums=f"(SELECT {engine.sums})")
    changes = [{}, *({name: word} for name, listed in words.items() for word in listed)]
    for values, change in product(product(*ways), changes):
        own = dict(zip(parameters, values, strict=True)) | change
        listed = (
            f"{name} := {f'_number_{name}' if is_filled(metric, name, value) else quote(value)}"
            for name, value in own.items()
        )
        call = f"{macro}({', '.join(['j', *listed])})"
        query = parse(f"SELECT {call} FROM _rows AS j GROUP BY j.run_id, j.query_id")
        (tree,) = fold(macros.write_out(query, is_query=True)).selects
        text = " ".join(write_part(tree, engine).split())
        yield name_call(macro, metric, own), re.sub(r"\b_number_(\w+)", r"$\1", text)
