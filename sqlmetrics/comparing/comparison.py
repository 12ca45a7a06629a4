"""The result of a comparison: frames, and a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from string import ascii_lowercase
from typing import Any

import polars as pl

from ..tables import Layout, write_table
from .correction import show_level
from .scores import settle


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`.

    - ``tests``: a row for each metric (and segment) and pair of runs: ``metric``, the columns of
      ``by``, ``run_id``, ``baseline``, ``queries`` (their number), ``mean`` and ``baseline_mean``,
      ``difference`` of the two and its interval from ``low`` to ``high`` with its ``confidence``,
      ``wins``, ``ties`` and ``losses`` of the run, ``effect`` (the difference divided by the
      standard deviation of the queries' differences), ``p`` and ``p_corrected``, ``significant``
      (``p_corrected`` is below alpha and the interval does not contain 0), and ``detectable``, the
      difference that this many queries find four times out of five at that confidence. What cannot
      be computed is null.
    - ``per_query``: a row for each metric (and segment), pair and query, with ``score``,
      ``baseline_score``, ``difference`` and ``outcome`` (1 a win, 0 a tie, -1 a loss).
    - ``method``: how it was tested, in a sentence.
    - ``notes``: what a test cannot say, one remark a line.

    Printed, it is a table for people; `write` gives it as Markdown or LaTeX, too.
    """

    tests: pl.DataFrame
    per_query: pl.DataFrame
    method: str
    baseline: str | None
    by: tuple[str, ...] = ()
    alpha: float = 0.05
    notes: tuple[str, ...] = ()

    def write(self, layout: Layout = "plain", digits: int = 4) -> str:
        """The table for people, as ``"plain"`` text, ``"markdown"`` or ``"latex"``."""
        return write_table(self.tabulate(digits), layout, digits, RIGHT)

    def tabulate(self, digits: int = 4) -> pl.DataFrame:
        """The table for people, as text: differences from the baseline, or letters without one.

        The letters next to a mean are those of the runs that it beats significantly.
        """
        return self._mark_letters(digits) if self.baseline is None else self._tabulate(digits)

    def rank_queries(self, number: int = 5) -> pl.DataFrame:
        """The queries of each metric and pair that gain and lose most, ``number`` of each.

        The rows of ``per_query``, with ``change``: ``"better"`` or ``"worse"``.
        """
        keys = ["metric", *self.by, "run_id", "baseline"]
        order = {"better": (True, 1), "worse": (False, -1)}
        size = pl.max_horizontal(pl.col("score", "baseline_score").abs())
        parts = [
            self.per_query.filter(pl.col("outcome") == outcome)
            .sort(settle("difference", size).over(keys), "query_id", descending=[falling, False])
            .group_by(keys, maintain_order=True)
            .head(number)
            .with_columns(change=pl.lit(change))
            for change, (falling, outcome) in order.items()
        ]
        found = pl.concat(parts)
        places = self.tests.select(keys).with_row_index("place")
        found = places.join(found, on=keys, nulls_equal=True, maintain_order="left_right")
        numbers = ("baseline_score", "score", "difference")
        return found.sort("place", maintain_order=True).select(
            *keys, "query_id", "change", *numbers
        )

    def _tabulate(self, digits: int) -> pl.DataFrame:
        rows: list[dict[str, str]] = []
        for _, part in self.tests.group_by("metric", *self.by, maintain_order=True):
            first = part.row(0, named=True)
            segment = {column: _show(first[column]) for column in self.by}
            head = {"metric": first["metric"], **segment}
            mean = f"{first['baseline_mean']:.{digits}f}"
            rows.append({**head, "run": first["baseline"], "mean": mean, "": "baseline"})
            rows += [{**head, **_describe(row, digits)} for row in part.iter_rows(named=True)]
        names = ["metric", *self.by, *_COLUMNS]
        frame = pl.DataFrame([{name: row.get(name, "") for name in names} for row in rows])
        if (frame["p"] == frame["p corrected"]).all():
            frame = frame.drop("p corrected")
        if self.tests["confidence"].n_unique() == 1:
            title = f"{show_level(self.tests['confidence'][0])} interval"
            return frame.drop("confidence").rename({"interval": title})
        return frame

    def _mark_letters(self, digits: int) -> pl.DataFrame:
        """A row for each run (and segment), its letter, and its mean by each metric."""
        keys = ["run", *self.by, "metric"]
        means = pl.concat(
            self.tests.select(
                pl.col(run).alias("run"), *self.by, "metric", pl.col(mean).alias("mean")
            )
            for run, mean in (("run_id", "mean"), ("baseline", "baseline_mean"))
        ).unique(keys, maintain_order=True)
        best = means.group_by("run", maintain_order=True).agg(pl.col("mean").first())
        runs = best.sort("mean", descending=True, maintain_order=True)["run"].to_list()
        letters = {run: _name_letter(number) for number, run in enumerate(runs)}
        beaten: dict[tuple[object, ...], list[str]] = {}
        for row in self.tests.filter("significant").iter_rows(named=True):
            pair = [row["run_id"], row["baseline"]]
            winner, loser = pair if row["difference"] > 0 else reversed(pair)
            group = (winner, *(row[column] for column in self.by), row["metric"])
            beaten.setdefault(group, []).append(letters[loser])
        cells = [
            f"{mean:.{digits}f} {_join_letters(beaten.get(tuple(group), []))}".rstrip()
            for *group, mean in means.iter_rows()
        ]
        places = {run: place for place, run in enumerate(runs)}
        return (
            means.with_columns(cell=pl.Series(cells, dtype=pl.String))
            .pivot("metric", index=["run", *self.by], values="cell")
            .with_columns(pl.col(self.by).cast(pl.String), pl.exclude(self.by).fill_null(""))
            .sort(pl.col("run").replace_strict(places, return_dtype=pl.Int64), maintain_order=True)
            .select(pl.col("run").replace_strict(letters).alias(""), pl.all())
        )

    def __str__(self) -> str:
        return "\n".join([self.write().rstrip(), "", self.method, *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from tabulate import tabulate

        frame = self.tabulate()
        table = tabulate(frame.rows(), frame.columns, "html", disable_numparse=True)
        return table + "".join(f"<p>{escape(each)}</p>" for each in (self.method, *self.notes))


_COLUMNS = (
    *("run", "mean", "difference", "interval", "confidence", "wins/ties/losses", "effect", "p"),
    *("p corrected", ""),
)


# The columns of the table for people that are numbers.
RIGHT = (*("mean", "difference", "confidence", "wins/ties/losses", "effect", "p", "p corrected"),)


def _describe(row: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The cells of a test."""

    def sign(value: float | None, places: int = digits) -> str:
        return "" if value is None else f"{value:+.{places}f}"

    mark = ("▲" if row["difference"] > 0 else "▼") if row["significant"] else ""
    low, high = sign(row["low"]), sign(row["high"])
    return {
        "run": row["run_id"],
        "mean": f"{row['mean']:.{digits}f}",
        "difference": sign(row["difference"]),
        "interval": f"{low} to {high}" if low else "",
        "confidence": show_level(row["confidence"]) if low else "",
        "wins/ties/losses": f"{row['wins']}/{row['ties']}/{row['losses']}",
        "effect": sign(row["effect"], 2),
        "p": show_p(row["p"]),
        "p corrected": show_p(row["p_corrected"]),
        "": mark,
    }


def show_p(p: float | None) -> str:
    """A p-value to three decimals."""
    if p is None:
        return ""
    return "<.001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 0.9995 else "1"


def _show(value: object) -> str:
    return "" if value is None else str(value)


def _name_letter(number: int) -> str:
    """a, b, … z, aa, ab, …."""
    name = ascii_lowercase[number % 26]
    return name if number < 26 else _name_letter(number // 26 - 1) + name


def _join_letters(letters: Iterable[str]) -> str:
    between = " " if any(len(each) > 1 for each in letters) else ""
    return between.join(sorted(letters, key=lambda each: (len(each), each)))
