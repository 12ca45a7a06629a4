"""Formats: results as people and programs read them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from textwrap import fill
from typing import Any, Literal, TypeAlias

import polars as pl

from ..catalogue.measures import Measure, TrecLine
from ..score import Scores

Format: TypeAlias = Literal["table", "csv", "json", "jsonl", "parquet", "markdown", "latex", "trec"]


def format_frame(frame: pl.DataFrame, format: Format, digits: int = 4) -> str | bytes:
    """The frame as text, or as the bytes of a Parquet file."""
    match format:
        case "csv":
            return frame.write_csv()
        case "json":
            return frame.write_json() + "\n"
        case "jsonl":
            return frame.write_ndjson()
        case "parquet":
            buffer = BytesIO()
            frame.write_parquet(buffer)
            return buffer.getvalue()
        case "markdown":
            return _tabulate(frame, "pipe", digits)
        case "latex":
            return _tabulate(frame, "latex_booktabs", digits)
        case _:
            return _tabulate(frame, "plain", digits)


def _tabulate(
    frame: pl.DataFrame, layout: Literal["plain", "pipe", "latex_booktabs"], digits: int
) -> str:
    from tabulate import tabulate

    header, *rows = show_cells(frame, digits)
    if layout == "pipe":
        header, *rows = ([_escape_markdown(cell) for cell in row] for row in (header, *rows))
    if layout == "plain":  # as a row, since a header is padded
        header, rows = [], [header, *rows]
    text = tabulate(
        rows,
        header,
        layout,
        colalign=[justify(dtype) for dtype in frame.dtypes],
        disable_numparse=True,  # 007 and 1e5 are ids
        preserve_whitespace=True,
    )
    return (_protect_latex(text) if layout == "latex_booktabs" else text) + "\n"


def show_cells(frame: pl.DataFrame, digits: int) -> list[list[str]]:
    """The names of the columns, then the cells of each row, as text on one line."""
    return [
        [_show_cell(cell, digits) for cell in row] for row in (frame.columns, *frame.iter_rows())
    ]


def _show_cell(cell: object, digits: int) -> str:
    if isinstance(cell, float):
        return f"{cell:.{digits}f}"
    return "" if cell is None else show(str(cell))


def show(text: str) -> str:
    """The text, its line breaks and other control characters as Python writes them."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def justify(dtype: pl.DataType) -> Literal["left", "right"]:
    return "right" if dtype.is_float() else "left"


def _escape_markdown(cell: str) -> str:
    return re.sub(r"([\\|`*_~$&<>\[\]])", r"\\\1", cell)


def _protect_latex(table: str) -> str:
    """Escape what tabulate leaves: a bar, hyphens that make a dash, and [ or * after a line end."""
    starts = re.sub(r"^( *)([\[*])", r"\1{\2}", table, flags=re.MULTILINE)
    return re.sub(r"(?<=-)(?=-)", "{}", starts).replace("|", r"\textbar{}")


def format_findings(findings: pl.DataFrame) -> str:
    """The report of the doctor: what was found, what it means, the first rows, and the sum."""
    lines = []
    for found in findings.iter_rows(named=True):
        place = f" in {found['input']}" if found["input"] else ""
        lines.append(f"{found['severity']}: {found['check']}{place}: {found['number']}")
        lines += fill(
            found["meaning"], 96, initial_indent="    ", subsequent_indent="    "
        ).splitlines()
        lines += [f"    - {example}" for example in found["examples"].splitlines()]
        if (more := found["number"] - len(found["examples"].splitlines())) > 0:
            lines.append(f"    - and {more} more")
    numbers = {s: findings.filter(severity=s).height for s in ("error", "warning")}
    counted = [f"{n} {name}{'s' * (n != 1)}" for name, n in numbers.items()]
    end = ": scores would be wrong" if numbers["error"] else ""
    return "\n".join([*lines, ", ".join(counted) + end]) + "\n"


def format_trec(scores: Scores, lines: Iterable[TrecLine], digits: int, *, per_query: bool) -> str:
    """What trec_eval prints of each run: name, query, score; queries first, then all of them.

    The name of the run comes with the lines of all, where one of ``lines`` is for it, and where
    there are several runs.
    """

    def write_line(name: str, query_id: str, value: str) -> str:
        return f"{name:<22}\t{query_id}\t{value}\n"

    def write_scores(query_id: str, row: dict[str, Any], part: str) -> str:
        return "".join(
            write_line(line.name, query_id, _write_trec_score(score, line.measure, digits))
            for line in lines
            if line.measure
            and line.printed in (part, "both")
            # a geometric mean, say, is nothing that a query has
            and not (part == "queries" and line.measure.aggregate)
            and (score := row[line.measure.name]) is not None
        )

    lines = list(lines)
    names_run = scores.mean.height > 1 or not all(line.measure for line in lines)
    parts = []
    for mean in scores.mean.iter_rows(named=True):
        if per_query:
            own = scores.per_query.filter(pl.col("run_id") == mean["run_id"])
            parts += [
                write_scores(show(row["query_id"]), row, "queries")
                for row in own.iter_rows(named=True)
            ]
        if names_run:
            parts.append(write_line("runid", "all", show(mean["run_id"])))
        parts.append(write_scores("all", mean, "all"))
    return "".join(parts)


def _write_trec_score(score: float | str, measure: Measure, digits: int) -> str:
    if isinstance(score, str):
        return f"'{score}'"
    is_count = measure.metric.is_summed and score.is_integer()
    return f"{score:.0f}" if is_count and not measure.aggregate else f"{score:6.{digits}f}"
