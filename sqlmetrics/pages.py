"""Pages: what there is to know of a metric, in Markdown, from its header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .catalogue import Metric, Spelling, quote, write_arguments


def describe(metric: Metric) -> str:
    """The page of a metric: formula, parameters, the tools that agree or differ, source."""
    header = metric.file.header
    facts = [
        ("Formula", header["formula"]),
        ("Range", header["range"]),
        ("Nothing relevant", header["empty"]),
        ("A run's figure", _tell_summary(metric)),
        ("Also called", _list(metric.aliases)),
        ("Differs", header.get("differs", "")),
        ("Source", header["source"]),
    ]
    parts = [
        f"# {', '.join(metric.names)}",
        metric.file.summary,
        write_table(["", ""], [(f"**{name}**", text) for name, text in facts if text]),
    ]
    if metric.parameters:
        rows = [
            (f"`{p.name}`", "required" if p.is_required else f"`{quote(p.default)}`", p.meaning)
            for p in metric.parameters.values()
        ]
        parts += ["## Parameters", write_table(["parameter", "default", "meaning"], rows)]
    if metric.tools:
        rows = [
            (tool, f"`{spelling.text}`", f"`{write_measure(metric, spelling)}`")
            for tool, spellings in metric.tools.items()
            for spelling in spellings
        ]
        parts += ["## The same figures", write_table(["tool", "there", "here"], rows)]
    parts += ["## SQL", f"```sql\n{_take_code(metric)}\n```"]
    return "\n\n".join(parts) + "\n"


def write_measure(metric: Metric, spelling: Spelling) -> str:
    """The measure that a tool's spelling stands for: ``AP(denominator='found')@{k}``."""
    has_cutoff = metric.cutoff in spelling.slots
    forms = [name for name in metric.names if ("@" in name) == has_cutoff] or list(metric.names)
    stem, at, cutoff = forms[0].partition("@")
    slots = [slot for slot in spelling.slots if slot != cutoff or not at]
    arguments = [f"{slot}={{{slot}}}" for slot in slots]
    arguments += filter(None, [write_arguments(spelling.arguments)])
    return (
        stem + (f"({', '.join(arguments)})" if arguments else "") + (f"@{{{cutoff}}}" if at else "")
    )


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
    pooled = "; `over='pooled'` takes all rankings together" if metric.can_pool else ""
    return f"{metric.summary} of its queries', unless `over` says otherwise{pooled}"


def _take_code(metric: Metric) -> str:
    """The SQL without its header."""
    lines = metric.file.text.rstrip().splitlines()
    first = next(n for n, line in enumerate(lines) if not line.startswith("-- "))
    return "\n".join(lines[first:])
