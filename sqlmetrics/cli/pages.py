"""Pages: everything about a metric, in Markdown, from its header."""

from __future__ import annotations

from itertools import dropwhile

import sqlmetrics

from ..catalogue import INPUTS, Metric, all_metrics
from ..catalogue.parsing import parse
from ..engine.session import Request
from ..errors import MetricError, show
from ..macros.guards import show_relation
from ..report.words import join_names
from ..score import note_same_names

# What a page says of a metric, by the columns of the catalogue.
_FACTS = {
    "formula": "Formula",
    "range": "Range",
    "no_relevant": "Nothing relevant",
    "aggregate": "A run's score",
    "aliases": "Also called",
    "differs": "Differs",
    "source": "Source",
}


def list_most_used() -> list[Metric]:
    """The metrics that most people look for, in the order of their headers."""
    found = [metric for metric in all_metrics() if "most used" in metric.file.header]
    return sorted(found, key=lambda metric: int(metric.file.header["most used"]))


def describe(metric: Metric, asked: str = "") -> str:
    """The page of a metric; the example is what was ``asked`` for, if that has a cut-off."""
    row, relation = sqlmetrics.metrics(metric.names[0]).row(0, named=True), metric.relation
    relation = f"`{show_relation(relation)}`"
    row["aggregate"] += ", or pooled over all rankings" * metric.can_pool
    facts = [f"- **{title}**: {row[key]}" for key, title in _FACTS.items() if row[key]]
    example = asked if "@" in asked else name_example(metric)
    lines = metric.file.text.rstrip().splitlines()
    in_sql = f"- **In SQL**: `{parse(example)[0].write_aggregate('j')}`, over {relation} as `j`"
    said = [*note_same_names(parse(example))]
    parts = [f"# {row['name']}", *said, row["summary"], "\n".join([in_sql, *facts])]
    for key, title in (("parameters", "Parameters"), ("agrees", "The same scores")):
        pairs = (line.partition(": ") for line in row[key].splitlines())
        if items := [f"- **{name}**: {said}" for name, _, said in pairs]:
            parts += [f"## {title}", "\n".join(items)]
    code = dropwhile(lambda line: line.startswith("-- "), lines)
    parts += [
        "## SQL",
        f"The formula, as an aggregate over the rows `j` of {relation}:",
        "\n".join(["```sql", *code, "```"]),
        f"The whole query: `{example}` of {_name_tables(metric)}, in any DuckDB, without macros "
        "and without their checks:",
        f"```sql\n{_write_query(example)}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def name_example(metric: Metric) -> str:
    """The metric with a cut-off, where it takes one, and what else it requires."""
    name = next((name for name in metric.names if "@" in name), metric.names[0])
    stem, at, cutoff = name.partition("@")
    at_value = {"k": 10, "rank": 1, "percentile": 95}.get(cutoff, 0.5)
    required = [f"{p.name}=1000" for p in metric.parameters.values() if p.is_required]
    arguments = f"({', '.join(required)})" if required else ""
    return f"{stem}{arguments}" + (f"@{at_value}" if at else "")


def _name_tables(metric: Metric) -> str:
    tables = {"runs": ["qrels", "run"], "neighbours": ["exact", "found"]}.get(metric.kind)
    named = tables or sorted(metric.tables, key=INPUTS.index)
    return f"the table{'s' * (len(named) > 1)} {join_names([f'`{name}`' for name in named])}"


def _write_query(example: str) -> str:
    # sqlglot takes as long to import as all of ours
    from ..translate.dialects import write_plain

    try:
        return f"{write_plain(Request(tuple(parse(example))), 'duckdb')};"
    except MetricError as problem:
        return f"-- {show(str(problem))}"
