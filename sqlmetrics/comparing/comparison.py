"""The result of a comparison: frames, and a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Any

import polars as pl

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


@dataclass(frozen=True, repr=False)
class Comparison(Result):
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
        found = pl.concat(parts)
        places = self.tests.select(keys).with_row_index("place")
        found = places.join(found, on=keys, nulls_equal=True, maintain_order="left_right")
        numbers = ("baseline_score", "score", "difference")
        return found.sort("place", maintain_order=True).select(
            *keys, "query_id", "change", *numbers
        )

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
            rows += [{**blank, **head, "run": first["baseline"], "mean": mean, "": "baseline"}]
            rows += tests
        frame = pl.DataFrame(rows)
        if (frame["p"] == frame["p corrected"]).all():
            frame = frame.drop("p corrected")
        title = name_interval(*self.tests["confidence"])
        if title != "interval":
            frame = frame.drop("confidence").rename({"interval": title})
        best = find_best(frame, ["mean"], digits, metric="metric", within=self.by, lower=self.lower)
        left = ("metric", *self.by, "run", "interval", title, "")
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
    interval = show_range(row["low"], row["high"], sign)
    return {
        "run": row["run_id"],
        "mean": f"{row['mean']:.{digits}f}",
        "difference": sign(row["difference"]),
        "interval": interval,
        "confidence": show_level(row["confidence"]) if interval else "",
        "wins/ties/losses": f"{row['wins']}/{row['ties']}/{row['losses']}",
        "effect": show_signed(row["effect"], 2),
        "p": show_p(row["p"]),
        "p corrected": show_p(row["p_corrected"]),
        "": mark(row["difference"], significant=row["significant"]),
    }


def _name_letter(number: int) -> str:
    """a, b, … z, aa, ab, …."""
    name = ascii_lowercase[number % 26]
    return name if number < 26 else _name_letter(number // 26 - 1) + name


def _join_letters(letters: Iterable[str]) -> str:
    between = " " if any(len(each) > 1 for each in letters) else ""
    return between.join(sorted(letters, key=lambda each: (len(each), each)))
