"""Writes what the playground takes from the package into a folder: its macros, and facts as JSON.

Metrics, their names, the names of columns and the examples are defined in the package alone.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import Spelling
from sqlmetrics.catalogue.metric import Metric, all_metrics
from sqlmetrics.catalogue.names import fold, folded_names, list_plain, list_spellings
from sqlmetrics.catalogue.parsing import find_metric, parse
from sqlmetrics.catalogue.rules import Value
from sqlmetrics.errors import MetricError
from sqlmetrics.inputs.columns import NAMES, QRELS, REVERSED, RUN, SUBTOPIC_QRELS, Kind

ROOT = Path(__file__).parents[1]
# What the page shows at once, and another choice; judgments come first.
EXAMPLES = {
    "Recipes, two runs": ["examples/qrels.csv", "examples/bm25.csv", "examples/neural.csv"],
    "One run, of the pages about metrics": ["docs/example/qrels.csv", "docs/example/run.csv"],
}


def describe(metric: Metric) -> dict[str, Any]:
    """A metric as the page lists and calls it."""
    least, most = metric.range
    return {
        "choices": list_choices(metric),
        "family": metric.family,
        "summary": metric.file.summary,
        "formula": metric.file.header.get("formula", ""),
        "cutoff": metric.cutoff,
        "own": [*metric.own_parameters],
        "ranking": [*metric.relation_parameters],
        "relation": metric.relation,
        "sum": metric.is_summed,
        "loss": metric.is_loss,
        # how far two scores can be apart, if that is known
        "most": most - least if most - least < float("inf") else None,
    }


def list_names(metrics: Collection[str]) -> dict[str, list[Any]]:
    """What each name stands for, as it is or as `fold` writes it.

    A macro, the arguments that the name implies, whether it needs a cut-off, and, if the name alone
    means something else, that: a list of metrics, such as trec_eval's ``P``, or why it is refused.
    """
    found = {}
    for known in (folded_names(), list_plain()):
        for text, names in known.items():
            if len({(name.metric, name.arguments) for name in names}) == 1:
                found[text] = names[0]
    for name in list_spellings():  # ndcg_cut_{k}
        if name.slots == (name.metric.cutoff,) and "(" not in name.text:
            found.setdefault(fold(name.stem), name)
    return {text: _write(text, name, metrics) for text, name in found.items()}


# What metrics need that are not of runs.
_OTHERS = {
    "clicks": "a click log",
    "recommendations": "the history of users",
    "neighbours": "exact neighbours",
}


def _write(text: str, name: Spelling, metrics: Collection[str]) -> list[Any]:
    macro = name.metric.macro
    written = [macro, _quote(name.arguments), name.has_cutoff]
    if needed := _OTHERS.get(name.metric.kind):
        return [*written, f"'{text}' needs {needed}, which the playground does not read"]
    if macro not in metrics:
        return [*written, f"'{text}' is text; ask for it in SQL: FROM {macro}(qrels, runs)"]
    try:
        alone = parse(text)
    except MetricError as problem:
        return [*written, str(problem)]
    if any(measure.aggregate for measure in alone):
        return [*written, f"'{text}' is not a mean; the playground has means and sums alone"]
    listed = [[m.canonical_name, m.metric.macro, _quote(m.arguments)] for m in alone]
    return written if [each[1] for each in listed] == [macro] else [*written, listed]


def _quote(arguments: Iterable[tuple[str, Value]]) -> dict[str, str]:
    return {key: catalogue.quote(value) for key, value in arguments}


def list_choices(metric: Metric) -> list[str]:
    """The names of a metric with a usual cut-off, if it needs no other parameter."""
    at = "@10" if metric.cutoff == "k" else "@0.5"
    names = (re.sub("@.*", at, name) for name in metric.names)
    return [name for name in names if find_metric(name) is metric]


def list_columns(kind: Kind) -> dict[str, Any]:
    return {"columns": kind.columns, "optional": kind.optional}


def find_facts() -> dict[str, Any]:
    metrics = {
        metric.macro: describe(metric)
        for metric in all_metrics("runs")
        if metric.file.header.get("range") != "text"
    }
    files = dict.fromkeys(path for paths in EXAMPLES.values() for path in paths)
    return {
        "version": sqlmetrics.__version__,
        "metrics": metrics,
        "names": list_names(metrics),
        "columns": NAMES,
        "reversed": REVERSED,
        "kinds": {
            "qrels": list_columns(QRELS) | {"optional": SUBTOPIC_QRELS.optional},
            "run": list_columns(RUN),
        },
        "noted": [
            check.name for check in catalogue.files()["checks"].values() if "noted" in check.header
        ],
        "examples": EXAMPLES,
        "files": {path: (ROOT / path).read_text("utf-8") for path in files},
    }


def main(folder: Path) -> None:
    database = folder / "metrics.duckdb"
    database.unlink(missing_ok=True)
    sqlmetrics.install(database)  # in a form that DuckDB 1.5 reads, too
    facts = json.dumps(find_facts(), ensure_ascii=False)
    (folder / "facts.json").write_text(facts, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
