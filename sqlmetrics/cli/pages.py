"""Pages: everything about a metric, in Markdown, from its header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import dropwhile

from ..catalogue import INPUTS, Metric, Spelling, quote, write_arguments
from ..catalogue.parsing import parse
from ..engine.session import Request
from ..errors import MetricError, show
from ..macros.guards import show_relation
from ..report.words import join_names


def describe(metric: Metric) -> str:
    """The page of a metric: formula, parameters, tools that agree or differ, source, the SQL."""
    header, relation = metric.file.header, f"`{show_relation(metric.relation)}`"
    facts = {
        "Formula": header.get("formula", ""),
        "Range": header.get("range", ""),
        "Nothing relevant": header.get("no relevant", ""),
        "A run's score": _tell_summary(metric),
        "Rows from": relation,
        "Also called": _list(metric.aliases),
        "Differs": header.get("differs", ""),
        "Source": header.get("source", ""),
    }
    listed = [(f"**{name}**", text) for name, text in facts.items() if text]
    parts = [f"# {', '.join(metric.names)}", metric.file.summary, write_table(["", ""], listed)]
    if metric.parameters:
        parts += ["## Parameters", write_table(*_list_parameters(metric))]
    if metric.tools:
        spelled = [
            (tool, f"`{each.text}`", f"`{each.ours}`")
            for tool, spellings in metric.tools.items()
            for each in spellings
        ]
        parts += ["## The same scores", write_table(["tool", "there", "here"], spelled)]
    example, lines = name_example(metric), metric.file.text.rstrip().splitlines()
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


def _list_parameters(metric: Metric) -> tuple[Sequence[str], list[Sequence[str]]]:
    """The head of a table of parameters, and its rows."""
    rows: list[Sequence[str]] = []
    for each in metric.parameters.values():
        default = "required" if each.is_required else f"`{quote(each.default)}`"
        rows.append((f"`{each.name}`", default, each.rule.text, each.meaning))
    return ["parameter", "default", "value", "meaning"], rows


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
    tables = [f"`{table}`" for table in sorted(metric.tables, key=INPUTS.index)]
    return f"the table{'s' * (len(tables) > 1)} {join_names(tables)}"


def _write_query(example: str) -> str:
    # sqlglot takes as long to import as all of ours
    from ..translate.dialects import write_plain

    try:
        return f"{write_plain(Request(tuple(parse(example))), 'duckdb')};"
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
