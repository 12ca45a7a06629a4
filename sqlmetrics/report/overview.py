"""Overview: what its template shows of the differences from the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..result import show_level
from .charts import Axis, find_interval, find_tone
from .facts import Facts


@dataclass(frozen=True)
class Differences:
    """The rows of a metric by run, None for the baseline, and what their columns are called."""

    rows: dict[str, dict[str, Any] | None]
    axis: Axis
    interval: str
    p: str
    base = find_interval("difference", 0, (None, None), "base")


def find_differences(facts: Facts, metric: str) -> Differences:
    tests = {run: facts.tests[metric, run] for run in facts.others}
    levels = {show_level(row["confidence"]) for row in tests.values()}
    rows = {run: _describe(tests[run], levels) if run in tests else None for run in facts.runs}
    known = [row for row in rows.values() if row]
    ends = [row[key] for row in known for key in ("low", "difference", "high")]
    return Differences(
        rows,
        Axis.over((end for end in ends if end is not None), 4),
        f"{min(levels)} interval" if len(levels) == 1 else "interval",
        "p corrected" if any(row["is_corrected"] for row in known) else "p",
    )


def _describe(row: dict[str, Any], levels: set[str]) -> dict[str, Any]:
    """A row with its class and its interval, with its confidence if others have another."""
    level = f" ({show_level(row['confidence'])})" if len(levels) > 1 else ""
    return row | {
        "interval": find_interval(
            "difference", row["difference"], (row["low"], row["high"]), find_tone(row)
        ),
        "level": level,
        "is_corrected": row["p"] != row["p_corrected"],
    }


def describe_detectable(facts: Facts) -> str | None:
    """The difference that this many queries find, where scores can differ by as much."""
    row = facts.tests.get((facts.first.name, str(facts.chosen)), {})
    found = row.get("detectable")
    axis = facts.find_slope().axis
    if found is None or found > axis.high - axis.low:
        return None
    return (
        f"With this many queries, a difference in {facts.first.name} of {found:.2f} between "
        f"{facts.chosen} and {facts.baseline} would be found four times out of five, at "
        f"{show_level(row['confidence'])} confidence."
    )
