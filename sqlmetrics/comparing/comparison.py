"""The results of compare and gate: frames, tables for people, and the forms of checks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Any, Literal, TypeAlias

import polars as pl

from ..errors import show
from ..result import (
    Result,
    Table,
    find_best,
    mark,
    name_interval,
    show_level,
    show_p,
    show_range,
    show_signed,
)
from .pairs import take_most

Status: TypeAlias = Literal["passed", "failed", "unsure"]

# Whether a check is of all queries: those of segments, which may be null, come after it.
_IS_ALL = pl.struct("metric", "kind").is_first_distinct()
_MARKS = {"passed": "✅", "failed": "❌", "unsure": "⚠️"}


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """The result of `compare`.

    - ``tests``: a row for each metric (and segment) and pair of runs: ``metric``, the columns of
      ``by``, ``run_id``, ``baseline``, ``queries`` (their number; with weights, as many as are
      ``effective_queries``), ``mean`` and ``baseline_mean``,
      ``difference`` of the two and its interval from ``low`` to ``high`` with its ``confidence``,
      ``wins``, ``ties`` and ``losses`` of the run, ``effect`` (the difference divided by the
      standard deviation of the queries' differences), ``p`` and ``p_corrected``, ``significant``
      (``p_corrected`` is below alpha and the interval does not contain 0), and ``detectable``, the
      difference that this many queries find four times out of five at that confidence. What cannot
      be computed is null.
    - ``per_query``: a row for each metric (and segment), pair and query, with ``score``,
      ``baseline_score``, ``difference`` and ``outcome`` (1 a win, 0 a tie, -1 a loss).
    - ``lower``: the metrics of which a lower score is better.
    - ``method``: how it was tested, in a sentence.
    - ``notes``: what a test cannot say, one remark a line.

    Printed, it is a table for people; `write` gives it as Markdown, LaTeX or HTML, too.
    """

    tests: pl.DataFrame
    per_query: pl.DataFrame
    baseline: str | None
    by: tuple[str, ...] = ()
    alpha: float = 0.05
    lower: tuple[str, ...] = ()

    def tables(self, digits: int = 4, queries: int | None = None) -> Iterator[Table]:
        """The tables for people, as text: differences from the baseline, or letters without one.

        The letters next to a mean are those of the runs that it beats significantly. ``queries``:
        also those that gain and lose most, this many of each.
        """
        yield self._list_letters(digits) if self.baseline is None else self._list_tests(digits)
        if queries is not None:
            rows = self.rank_queries(queries)
            rows = rows if self.baseline is None else rows.drop("baseline")
            yield Table(rows, "No query has changed." if rows.is_empty() else "")

    def rank_queries(self, number: int = 5) -> pl.DataFrame:
        """The queries of each metric and pair that gain and lose most, ``number`` of each.

        The rows of ``per_query``, with ``change``: ``"better"`` or ``"worse"``.
        """
        keys = ["metric", *self.by, "run_id", "baseline"]
        parts = [
            take_most(
                self.per_query.filter(outcome=outcome), keys, number, gains=outcome == 1
            ).with_columns(change=pl.lit(change))
            for change, outcome in (("better", 1), ("worse", -1))
        ]
        tests, found = self.tests.select(keys), pl.concat(parts)
        found = tests.join(found, on=keys, nulls_equal=True, maintain_order="left_right")
        return found.select(*keys, "query_id", "change", "baseline_score", "score", "difference")

    def _list_tests(self, digits: int) -> Table:
        """A row for each baseline, and for each run below it."""
        rows: list[dict[str, str]] = []
        for _, part in self.tests.group_by("metric", *self.by, maintain_order=True):
            first = part.row(0, named=True)
            segment = {
                each: "" if (value := first[each]) is None else str(value) for each in self.by
            }
            head = {"metric": first["metric"], **segment}
            mean = f"{first['baseline_mean']:.{digits}f}"
            tests = [{**head, **_describe(row, digits)} for row in part.iter_rows(named=True)]
            blank = dict.fromkeys(tests[0], "")
            other = {"run": first["baseline"], "mean": mean, "difference": "baseline"}
            rows += [{**blank, **head, **other}, *tests]
        title = name_interval(*self.tests["confidence"])
        frame = pl.DataFrame(rows).rename({"interval": title})
        best = find_best(frame, ["mean"], digits, metric="metric", within=self.by, lower=self.lower)
        left = ("metric", *self.by, "run", title, "")
        right = {*frame.columns} - {*left}
        return Table(frame, right=right, scores=["mean"], best=best)

    def _list_letters(self, digits: int) -> Table:
        """A row for each run (and segment), its letter, and its mean by each metric."""
        keys = ["run", *self.by, "metric"]
        means = pl.concat(
            self.tests.select(
                pl.col(run).alias("run"), *self.by, "metric", pl.col(mean).alias("mean")
            )
            for run, mean in (("run_id", "mean"), ("baseline", "baseline_mean"))
        ).unique(keys, maintain_order=True)
        ordered = means.group_by("run", maintain_order=True).agg(pl.col("mean").first())
        runs = ordered.sort("mean", descending=True, maintain_order=True)["run"].to_list()
        letters = {run: _name_letter(number) for number, run in enumerate(runs)}
        beaten: dict[tuple[object, ...], list[str]] = {}
        for row in self.tests.filter("significant").iter_rows(named=True):
            pair = [row["run_id"], row["baseline"]]
            is_better = (row["difference"] > 0) is not (row["metric"] in self.lower)
            winner, loser = pair if is_better else reversed(pair)
            group = (winner, *(row[column] for column in self.by), row["metric"])
            beaten.setdefault(group, []).append(letters[loser])
        cells = [
            f"{mean:.{digits}f} {_join_letters(beaten.get(tuple(group), []))}".rstrip()
            for *group, mean in means.iter_rows()
        ]
        places = {run: place for place, run in enumerate(runs)}
        frame = (
            means.with_columns(cell=pl.Series(cells, dtype=pl.String))
            .pivot("metric", index=["run", *self.by], values="cell")
            .with_columns(pl.col(self.by).cast(pl.String), pl.exclude(self.by).fill_null(""))
            .sort(pl.col("run").replace_strict(places, return_dtype=pl.Int64), maintain_order=True)
            .select(pl.col("run").replace_strict(letters).alias(""), pl.all())
        )
        metrics = [*frame.columns[2 + len(self.by) :]]
        best = find_best(frame, metrics, digits, within=self.by, lower=self.lower)
        return Table(frame, scores=metrics, best=best)


def _describe(row: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The cells of a test."""
    sign = partial(show_signed, digits=digits)
    return {
        "run": row["run_id"],
        "mean": f"{row['mean']:.{digits}f}",
        "difference": sign(row["difference"]),
        "interval": show_range(row["low"], row["high"], sign),
        "W/T/L": f"{row['wins']}/{row['ties']}/{row['losses']}",
        "effect": show_signed(row["effect"], 2),
        "p": show_p(row["p_corrected"]),
        "": mark(row["difference"], significant=row["significant"]),
    }


def _name_letter(number: int) -> str:
    """a, b, … z, aa, ab, …."""
    name = ascii_lowercase[number % 26]
    return name if number < 26 else _name_letter(number // 26 - 1) + name


def _join_letters(letters: Iterable[str]) -> str:
    between = " " if any(len(each) > 1 for each in letters) else ""
    return between.join(sorted(letters, key=lambda each: (len(each), each)))


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
        for row in self.checks.with_columns(is_all=_IS_ALL).iter_rows(named=True):
            segments = {c: "all" if row["is_all"] else str(row[c]) for c in self.by}
            rows.append(
                {"status": row["status"], "check": row["check"], **segments}
                | {"result": _describe_check(row, digits), "queries": str(row["queries"])}
            )
        yield Table(pl.DataFrame(rows), right=["queries"])

    def _write_markdown(self, digits: int = 4) -> str:
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

    def _write_json(self, *_: int) -> str:
        """The checks, the queries that lost most, and the status, as JSON."""
        found = {
            "status": self.status,
            "checks": self.checks.to_dicts(),
            "worst": self.worst.to_dicts(),
            "method": self.method,
            "notes": self.notes,
        }
        return json.dumps(found, indent=2, ensure_ascii=False, default=str) + "\n"

    def _write_junit(self, digits: int = 4) -> str:
        """The checks as test cases in JUnit's XML; an unsure one is skipped, or fails if strict."""
        from xml.etree import ElementTree

        suite = ElementTree.Element("testsuite", name="sqlmetrics")
        numbers = {"tests": self.checks.height, "failures": 0, "errors": 0, "skipped": 0}
        for row in self.checks.with_columns(is_all=_IS_ALL).iter_rows(named=True):
            named = ", ".join(f"{c} {row[c]}" for c in self.by if not row["is_all"])
            name = row["check"] + (f" [{named}]" if named else "")
            case = ElementTree.SubElement(
                suite, "testcase", classname="sqlmetrics", name=_clean(name)
            )
            said = _describe_check(row, digits)
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


def _describe_check(row: Mapping[str, Any], digits: int) -> str:
    """What a check found: +0.0120 (-0.0040 to +0.0280), wins/ties/losses 12/5/3."""
    form = {"loss": f"+.{digits}f", "query loss": ".1%"}.get(row["kind"], f".{digits}f")
    text, number = format(row["value"], form), row["value"] * row["queries"]
    if row["kind"] == "query loss" and abs(number - round(number)) < 1e-9:  # no weighted share
        text = f"{round(number)} of {row['queries']} do"
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
