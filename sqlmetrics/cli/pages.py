"""Pages: everything about a metric, in Markdown, from its header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..catalogue import INPUTS, Metric, Spelling, quote, write_arguments
from ..catalogue.parsing import parse
from ..errors import MetricError, show
from ..macros.guards import show_relation
from ..running.session import Question


def describe(metric: Metric) -> str:
    """The page of a metric: formula, parameters, tools that agree or differ, source, the SQL."""
    header = metric.file.header
    facts = [
        ("Formula", header.get("formula", "")),
        ("Range", header.get("range", "")),
        ("Nothing relevant", header.get("no relevant", "")),
        ("A run's score", _tell_summary(metric)),
        ("Rows from", f"`{show_relation(metric.relation)}`"),
        ("Also called", _list(metric.aliases)),
        ("Differs", header.get("differs", "")),
        ("Source", header.get("source", "")),
    ]
    parts = [
        f"# {', '.join(metric.names)}",
        metric.file.summary,
        write_table(["", ""], [(f"**{name}**", text) for name, text in facts if text]),
    ]
    if metric.parameters:
        rows = [
            (
                f"`{p.name}`",
                "required" if p.is_required else f"`{quote(p.default)}`",
                p.rule.text,
                p.meaning,
            )
            for p in metric.parameters.values()
        ]
        parts += ["## Parameters", write_table(["parameter", "default", "value", "meaning"], rows)]
    if metric.tools:
        spelled = [
            (tool, f"`{spelling.text}`", f"`{spelling.ours}`")
            for tool, spellings in metric.tools.items()
            for spelling in spellings
        ]
        parts += ["## The same scores", write_table(["tool", "there", "here"], spelled)]
    example = name_example(metric)
    parts += [
        "## SQL",
        f"The formula, as an aggregate over the rows `j` of `{show_relation(metric.relation)}`:",
        f"```sql\n{_take_code(metric)}\n```",
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
    if metric.kind == "runs":
        return "the table `run` by the judgments in the table `qrels`"
    if metric.kind == "neighbours":
        return "the neighbours in the table `found` by the exact ones in the table `exact`"
    *others, last = (f"`{table}`" for table in sorted(metric.tables, key=INPUTS.index))
    return f"the tables {', '.join(others)} and {last}" if others else f"the table {last}"


def _write_query(example: str) -> str:
    # sqlglot takes as long to import as all of ours
    from ..elsewhere.dialects import write_plain

    try:
        return f"{write_plain(Question(tuple(parse(example))), 'duckdb')};"
    except MetricError as problem:
        return f"-- {show(str(problem))}"


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, whose cells may have Markdown in them."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines
    )


def _list(spellings: Iterable[Spelling]) -> str:
    return ", ".join(
        f"`{s.text}`" + (f" for `{write_arguments(s.arguments)}`" if s.arguments else "")
        for s in spellings
    )


def _tell_summary(metric: Metric) -> str:
    if metric.summary == "none":
        return "none"
    if metric.kind == "clicks" or metric.is_of_runs:
        return ""
    pooled = "; `aggregate='pooled'` takes all rankings together" if metric.can_pool else ""
    return f"{metric.summary} of its queries' scores, unless `aggregate` says otherwise{pooled}"


def _take_code(metric: Metric) -> str:
    """The SQL without its header."""
    lines = metric.file.text.rstrip().splitlines()
    first = next(n for n, line in enumerate(lines) if not line.startswith("-- "))
    return "\n".join(lines[first:])
