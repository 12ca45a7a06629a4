"""Corrections for many tests: of their p-values, and of the confidence of the intervals beside."""

from __future__ import annotations

from typing import Literal, TypeAlias

import polars as pl

from ..inputs.reader import Reader
from ..result import show_level
from ..running.relations import relate

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

    An interval of that confidence leaves out 0 where ``p_corrected`` is below ``alpha``, and only
    there, since it is the level at which the correction tests the row. ``family`` is what is
    corrected together. Holm's tests the smallest p
    of m at alpha / m, the next at alpha / (m - 1), …, and stops at the first that is not
    significant (Holm 1979, Scandinavian Journal of Statistics 6, 65-70). Benjamini and Hochberg's
    tests all at alpha · r / m, where r are significant (Benjamini and Yekutieli 2005,
    doi:10.1198/016214504000001907).
    """
    rows = tests.with_columns(_family=family).with_row_index("_row")
    if correction == "none":
        rows = rows.with_columns(p_corrected=pl.col("p"))
    else:
        listed = rows.select("_row", "p", family="_family")
        found = relate(reader, "corrected", {"tests": listed}, checked=["tests"]).read()
        corrected = found.select("_row", p_corrected=correction)
        rows = rows.join(corrected, on="_row", maintain_order="left")
    number = pl.col("p").count()
    is_found = pl.col("p_corrected") < alpha
    some = is_found.sum().clip(1)
    harmonic = (1 / pl.int_range(1, number + 1)).sum()
    steps = {
        "none": pl.lit(1),
        "bonferroni": number,
        "holm": number - pl.min_horizontal(pl.col("p").rank("min") - 1, is_found.sum()),
        "bh": number / some,
        "by": number / some * harmonic,
    }
    tested = rows.with_columns(confidence=1 - alpha / steps[correction].clip(1).over("_family"))
    return tested.drop("_row", "_family").with_columns(significant=is_found)


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
