"""The result of a gate: its checks, and the forms in which they are written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import polars as pl

from ..errors import show
from ..result import Layout, Result, Table, show_level

Status: TypeAlias = Literal["passed", "failed", "unsure"]

_MARKS = {"passed": "✅", "failed": "❌", "unsure": "⚠️"}


@dataclass(frozen=True, repr=False)
class Gate(Result):
    """The result of `gate`; true unless a check failed.

    - ``checks``: a row for each check, of all queries (null in the columns of ``by``) and of each
      segment: ``check`` in words, its ``kind`` (``"floor"``, ``"loss"`` or ``"query loss"``),
      ``metric``, the columns of ``by``, ``status`` (``"passed"``, ``"failed"`` or ``"unsure"``),
      ``value`` (the mean score, its difference from the baseline, or the share of queries that lose
      more than allowed), its interval from ``low`` to ``high``, ``limit``, ``queries`` (their
      number), ``wins``, ``ties``, ``losses`` and ``detectable``, the loss that this many queries
      find four times out of five; these four are for a ``"loss"``, else null.
    - ``worst``: the queries that lost most, with ``metric``, ``query_id``, ``baseline_score``,
      ``score`` and ``difference``.
    - ``strict``: whether unsure checks fail.
    - ``alpha``: how often a check may pass, or fail, by chance; intervals have 1 - 2 · alpha
      confidence.
    - ``method``: what the intervals and the statuses promise, in a sentence.
    - ``notes``: remarks, one a line.
    """

    checks: pl.DataFrame
    worst: pl.DataFrame
    by: tuple[str, ...] = ()
    strict: bool = False
    alpha: float = 0.05

    @property
    def status(self) -> Status:
        """``"failed"`` if any check failed, else ``"unsure"`` if any is, else ``"passed"``."""
        found = {*self.checks["status"]}
        if "failed" in found or (self.strict and "unsure" in found):
            return "failed"
        return "unsure" if "unsure" in found else "passed"

    def __bool__(self) -> bool:
        return self.status != "failed"

    @property
    def below(self) -> tuple[str, ...]:
        """What is written below the first table."""
        return (self.status, self.method)

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """The checks for people, as text."""
        rows = []
        for row in self.checks.iter_rows(named=True):
            segments = {c: "all" if row[c] is None else str(row[c]) for c in self.by}
            rows.append(
                {"status": row["status"], "check": row["check"], **segments}
                | {"result": _describe(row, digits), "queries": str(row["queries"])}
            )
        yield Table(pl.DataFrame(rows), right=["queries"])

    def write(self, layout: Layout = "plain", digits: int = 4, **options: Any) -> str:  # noqa: ANN401
        """The checks, the status and the method; Markdown is for the summary of a CI job."""
        if layout == "markdown":
            return self.write_markdown(digits)
        return super().write(layout, digits, **options)

    def write_markdown(self, digits: int = 4) -> str:
        """The checks and the queries that lost most, for the summary of a CI job."""
        (table,) = self.tables(digits)
        checks = table.frame.with_columns(pl.col("status").replace_strict(_MARKS))
        parts = [
            f"### Search quality: {self.status}",
            Table(checks.rename({"status": " "}), right=table.right).write("markdown"),
        ]
        if not self.worst.is_empty():
            rows = Table(self.worst).write("markdown", digits)
            summary = "<details><summary>Queries that lost most</summary>"
            parts += [f"{summary}\n\n{rows}\n</details>\n"]
        parts += [f"- {show(note)}" for note in (self.method, *self.notes)]
        return "\n".join(parts)

    def write_json(self) -> str:
        """The checks, the queries that lost most, and the status, as JSON."""
        found = {
            "status": self.status,
            "checks": self.checks.to_dicts(),
            "worst": self.worst.to_dicts(),
            "method": self.method,
            "notes": self.notes,
        }
        return json.dumps(found, indent=2, ensure_ascii=False, default=str) + "\n"

    def write_junit(self, digits: int = 4) -> str:
        """The checks as test cases in JUnit's XML; an unsure one is skipped, or fails if strict."""
        from xml.etree import ElementTree

        suite = ElementTree.Element("testsuite", name="sqlmetrics")
        numbers = {"tests": self.checks.height, "failures": 0, "errors": 0, "skipped": 0}
        for row in self.checks.iter_rows(named=True):
            named = ", ".join(f"{c} {row[c]}" for c in self.by if row[c] is not None)
            name = row["check"] + (f" [{named}]" if named else "")
            case = ElementTree.SubElement(
                suite, "testcase", classname="sqlmetrics", name=_clean(name)
            )
            said = _describe(row, digits)
            if row["status"] == "unsure" and not self.strict:
                numbers["skipped"] += 1
                ElementTree.SubElement(case, "skipped", message=_clean(f"unsure: {said}"))
            elif row["status"] != "passed":
                numbers["failures"] += 1
                ElementTree.SubElement(case, "failure", message=_clean(f"{row['status']}: {said}"))
            ElementTree.SubElement(case, "system-out").text = _clean(said)
        for key, number in numbers.items():
            suite.set(key, str(number))
        ElementTree.indent(suite)
        return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def describe_promise(checks: pl.DataFrame, alpha: float) -> str:
    """What the intervals and the statuses of checks promise, in a sentence."""
    text = f"In brackets: {show_level(1 - 2 * alpha)} intervals."
    if "loss" in checks["kind"]:
        text += (
            f" A run that truly loses more than the limit passes at most {100 * alpha:g}% of the "
            "time. Can detect: the smallest loss that these queries show, with 80% power."
        )
    return text


def _describe(row: Mapping[str, Any], digits: int) -> str:
    """What a check found: +0.0120 (-0.0040 to +0.0280), wins/ties/losses 12/5/3."""
    form = {"loss": f"+.{digits}f", "query loss": ".1%"}.get(row["kind"], f".{digits}f")
    text = format(row["value"], form)
    if row["kind"] == "query loss":
        text = f"{round(row['value'] * row['queries'])} of {row['queries']} do"
    if row["low"] is not None:
        text += f" ({format(row['low'], form)} to {format(row['high'], form)})"
    if row["kind"] == "loss":
        text += f", wins/ties/losses {row['wins']}/{row['ties']}/{row['losses']}"
    if row["detectable"] is not None:
        text += f", can detect {row['detectable']:.{digits}f}"
    return text


def _clean(text: str) -> str:
    """Text without the characters that XML cannot have."""
    return re.sub(
        r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\N{REPLACEMENT CHARACTER}", text
    )
