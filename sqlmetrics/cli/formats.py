"""Formats: results as people and programs read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from textwrap import fill, indent
from typing import Any, Literal, TypeAlias, get_args

import polars as pl

from ..catalogue.measures import Measure, TrecLine
from ..errors import InputError, clean, show
from ..result import Layout, Table
from ..score import Scores

Format: TypeAlias = Literal[
    "table", "csv", "json", "jsonl", "parquet", "markdown", "latex", "svg", "html", "png", "trec"
]
CHARTS = ("svg", "html", "png")
# Those of all results; those of results with a chart, too; those of runs.
FORMATS = tuple(name for name in get_args(Format) if name not in (*CHARTS, "trec"))
CHARTED = (*FORMATS, *CHARTS)
RUN_FORMATS = (*FORMATS, "trec")
LISTS = ("table", "csv", "json", "jsonl", "markdown")
LAYOUTS: dict[str | None, Layout] = {"table": "plain", "markdown": "markdown", "latex": "latex"}
# What the name of a file says of its format.
SUFFIXES: dict[str, Format] = {"": "table", ".txt": "table", ".md": "markdown", ".tex": "latex"}
SUFFIXES |= {f".{name}": name for name in get_args(Format)} | {".ndjson": "jsonl", ".run": "trec"}


def format_frame(frame: pl.DataFrame, format: Format, digits: int = 4) -> str | bytes:
    """The frame as text, or as the bytes of a Parquet file; a run also as TREC text."""
    match format:
        case "trec":
            tag = "run_id" if "run_id" in frame.columns else pl.lit("fused")
            line = pl.format("{} Q0 {} {} {} {}", "query_id", "doc_id", "rank", "score", tag)
            for column in ("query_id", "doc_id"):
                odd = frame.filter(pl.col(column).str.contains(r"[\s]|^$|^#"))
                if not odd.is_empty():
                    raise InputError(
                        f"TREC text cannot hold {column} {odd[column][0]!r}, since spaces divide "
                        "its fields and # begins a comment; write .csv or .parquet"
                    )
            return "".join(f"{each}\n" for each in frame.select(line).to_series())
        case "csv" | "json" | "jsonl" | "parquet":
            write = frame.write_ndjson if format == "jsonl" else getattr(frame, f"write_{format}")
            write(buffer := BytesIO())
            return buffer.getvalue() + b"\n" * (format == "json")
        case _:
            return Table(frame).write(LAYOUTS[format], digits)


def is_run(columns: Iterable[str]) -> bool:
    """Whether a frame with these columns is a run, which other commands read again."""
    return {"run_id", "query_id", "doc_id", "score", "rank"} <= {*columns}


def format_findings(findings: pl.DataFrame) -> str:
    """The report of the doctor: what was found, what it means, the first rows, and the sum."""
    lines = []
    for found in findings.iter_rows(named=True):
        place = f" in {found['input']}" if found["input"] else ""
        lines.append(f"{found['severity']}: {found['check']}{place}: {found['number']}")
        examples = found["examples"].splitlines()
        lines += [indent(fill(found["meaning"], 76, break_on_hyphens=False), "    ")]
        lines += [f"    - {example}" for example in examples]
        if (more := found["number"] - len(examples)) > 0:
            lines.append(f"    - and {more} more")
    numbers = {s: findings.filter(severity=s).height for s in ("error", "warning")}
    counted = [f"{n} {name}{'s' * (n != 1)}" for name, n in numbers.items()]
    end = ": scores would be wrong" if numbers["error"] else ""
    return clean("\n".join([*lines, ", ".join(counted) + end])) + "\n"


def format_trec(scores: Scores, lines: Iterable[TrecLine], digits: int, *, per_query: bool) -> str:
    """What trec_eval prints of each run: name, query, score; queries first, then all of them.

    The name of the run comes with the lines of all, where one of ``lines`` is for it, and where
    there are several runs.
    """
    lines = [*lines]
    names_run = scores.mean.height > 1 or not all(line.measure for line in lines)

    def list_scores(query: str, row: dict[str, Any], part: str) -> Iterator[tuple[str, str, str]]:
        for line in lines:
            measure = line.measure if line.printed in (part, "both") else None
            # a geometric mean, say, is nothing that a query has
            if measure and not (part == "queries" and measure.aggregate):
                for end in ("", "_low", "_high"):
                    if (score := row.get(measure.name + end)) is not None:
                        yield line.name + end, query, _show_score(score, measure, digits)

    found: list[tuple[str, str, str]] = []
    for mean in scores.mean.iter_rows(named=True):
        if per_query:
            for row in scores.per_query.filter(run_id=mean["run_id"]).iter_rows(named=True):
                found += list_scores(show(row["query_id"]), row, "queries")
        if names_run:
            found.append(("runid", "all", show(mean["run_id"])))
        found += list_scores("all", mean, "all")
    return "".join(f"{name:<22}\t{query}\t{value}\n" for name, query, value in found)


def _show_score(score: float | str, measure: Measure, digits: int) -> str:
    if isinstance(score, str):
        return f"'{score}'"
    is_count = measure.metric.is_summed and score.is_integer()
    return f"{score:.0f}" if is_count and not measure.aggregate else f"{score:6.{digits}f}"
