"""Corrections for many tests: of their p-values, and of the confidence of the intervals beside."""

from __future__ import annotations

from typing import Literal, TypeAlias

import polars as pl

from ..catalogue import quote
from ..inputs.reader import Reader
from ..result import show_level
from ..running.relations import ask

Correction: TypeAlias = Literal["holm", "bonferroni", "bh", "by", "none"]

NAMES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}


def correct(
    reader: Reader, tests: pl.DataFrame, correction: Correction, alpha: float, family: pl.Expr
) -> pl.DataFrame:
    """The tests with ``p_corrected``, ``significant``, and the ``confidence`` of their intervals.

    ``family`` is what is corrected together. The macro ``corrected_levels`` says how.
    """
    rows = tests.with_row_index("_row")
    listed = reader.register(rows.select("_row", "p", family=family))
    found = ask(
        reader.con,
        "SELECT _row, p_corrected, significant, confidence "
        f"FROM corrected_levels({listed}, {quote(correction)}, {quote(float(alpha))})",
    )
    return rows.join(found, on="_row", maintain_order="left").drop("_row")


def describe_correction(correction: Correction, number: int, what: str = "comparisons") -> str:
    """Whether this many tests were corrected, as the end of a sentence."""
    if number == 1:
        return ", not corrected" if correction == "none" else ""
    if correction == "none":
        return f", not corrected for the {number} {what}"
    return f", corrected by {NAMES[correction]} for the {number} {what}"


def describe_confidence(tests: pl.DataFrame) -> str:
    """The confidence of the intervals: ``95% confidence``, or a range if it differs."""
    levels = (tests["confidence"].min(), tests["confidence"].max())
    shown = " to ".join(dict.fromkeys(show_level(level) for level in levels))
    return f"{shown} confidence"
