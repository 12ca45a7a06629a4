"""Facts: what a report shows, from scores and their comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ..comparing.compare import compare
from ..comparing.comparison import Comparison
from ..errors import InputError
from ..inputs.tables import take_per_query
from ..result import find_best
from .charts import MOST_BARS, MOST_DOTS, name_classes
from .scored import Evaluated, Scored
from .words import DASH, shorten, shorten_each

Pair = tuple[int, float, float]  # the number of a query, the baseline's score, the run's

# Metrics in the table of queries, and scores that a page holds for the choice of another run.
MOST_METRICS, _MOST_SCORES = 5, 30_000
# Queries in the table, if there are more than 1,000.
_MANY, _MOST_QUERIES = 1000, 500


class Facts(Scored):
    """What a report shows; ``baseline`` is by default the first of several runs.

    ``runs`` are as given, and ``others`` lack the baseline; ``chosen`` has the highest mean of
    these by the first metric. ``tests`` are the rows of the comparison over all queries, by
    metric and run, and of that in segments, by these, too. ``labels`` are the segments of queries.

    Raises `InputError` for an unknown baseline, and if no metric is a number.
    """

    def __init__(self, scores: Evaluated, baseline: str | None = None) -> None:
        known = _write(take_per_query(scores), scores.segments)
        scores = replace(scores, mean=_write(scores.mean, scores.segments), per_query=known)
        super().__init__(scores)
        if baseline not in (None, *self.runs):
            raise InputError(
                f"no run named {baseline!r}; the runs are {', '.join(self.runs)}; name one of them"
            )
        self.source = scores
        self.notes = self._name_others()
        self.first = self.measures[0]  # the metric of the charts
        # counts have no decimals
        self.digits = {
            m.name: 0 if m.metric.is_summed and not m.aggregate else 4 for m in self.measures
        }
        means = {run: self.means[self.first.name, run] or 0 for run in self.runs}
        compared = self._compare(baseline or self.runs[0])
        self.comparison = compared[0] if compared else None
        self.notes += self.comparison.notes if self.comparison else ()
        self.baseline = self.comparison.baseline if self.comparison else None
        self.others = [run for run in self.runs if run != self.baseline]
        self.chosen = max(self.others, key=lambda run: means[run]) if self.baseline else None
        self.tests = {
            tuple(row[key] for key in ("metric", "run_id", *each.by)): row
            for each in compared
            for row in each.tests.iter_rows(named=True)
        }
        # the colour of each run, grey for the baseline
        self.classes = dict.fromkeys(self.runs, "base") | name_classes(self.others)
        # whether the page can show another run than the best beside the baseline
        number = len(self.queries) * len(self.runs) * min(len(self.measures), MOST_METRICS)
        is_small = len(self.queries) <= MOST_BARS and number <= _MOST_SCORES
        self.has_choice = len(self.others) > 1 and self.chosen is not None and is_small
        # whether it holds the scores of all runs, to name the query of a dot
        self.has_tips = self.has_choice or len(self.queries) <= MOST_DOTS
        once = known.unique("query_id", keep="first", maintain_order=True)
        self.labels = {each: once[each].fill_null("").to_list() for each in scores.segments}

    def _name_others(self) -> list[str]:
        """Notes on metrics that are left out; raises `InputError` if that is all of them."""
        known = self.source.per_query
        why = {
            m.name: "text" if m.name in known.columns else "of a whole run, not of its queries"
            for m in self.source.metrics
            if m not in self.measures
        }
        if not self.measures:
            said = f"{', '.join(why)} is {next(iter(why.values()))}"
            raise InputError(f"nothing to report: {said}")
        if known.is_empty():
            raise InputError("nothing to report: there are no scores of queries")
        return [f"{name} is left out, since it is {said}" for name, said in why.items()]

    def _compare(self, baseline: str) -> list[Comparison]:
        """The comparison over all queries, then that of segments, if there are any."""
        found: list[Comparison] = []
        options: Any = {"metrics": self.metrics, "common_queries": True}
        parts = dict.fromkeys(((), self.source.segments))  # one, without segments
        try:
            for by in [*parts] * (len(self.runs) > 1):
                rest = self.source.per_query.drop({*self.source.segments} - {*by})
                scores = replace(self.source, per_query=rest)
                found += [compare(scores, baseline, by=by, **options)]
        except InputError as problem:
            self.notes.append(f"{'Segments' if found else 'The runs'} are not compared: {problem}")
        return found

    def shorten(self, run: str, width: int) -> str:
        """The name of a run in this many columns, still different from the others."""
        return shorten_each(self.runs, width).get(run) or shorten(run, width)

    def show(self, metric: str, value: float | None) -> str:
        """A score as text."""
        return DASH if value is None else f"{value:.{self.digits[metric]}f}"

    def find_best(self) -> set[tuple[str, str]]:
        """The metrics and runs whose means are the best."""
        means = {name: [self.means[name, run] for run in self.runs] for name in self.metrics}
        lower = [m.name for m in self.measures if m.metric.is_loss]
        found = find_best(pl.DataFrame(means), self.metrics, 4, lower=lower)
        return {(metric, self.runs[number]) for number, metric in found}

    def list_pairs(self, metric: str, run: str | None) -> list[Pair]:
        """The queries that the baseline and a run have: their number and both scores."""
        both = (self.scores[metric, str(each)] for each in (self.baseline, run))
        return [
            (n, before, after)
            for n, (before, after) in enumerate(zip(*both, strict=True))
            if before is not None and after is not None
        ]

    def find_changes(self, metrics: Sequence[str]) -> dict[str, dict[int, float]]:
        """The differences of queries between the baseline and the chosen run, by metric."""
        pairs = {name: self.list_pairs(name, self.chosen) for name in metrics if self.chosen}
        return {name: {n: b - a for n, a, b in each} for name, each in pairs.items()}

    def list_changed(self) -> list[str]:
        """The queries that lose most, then those that gain most, three of each."""
        if self.comparison is None or self.chosen is None:
            return []
        found = self.comparison.rank_queries(3).filter(metric=self.first.name, run_id=self.chosen)
        found = found.sort(pl.col("change") == "better", maintain_order=True)
        return found["query_id"].to_list()

    def order_queries(self) -> list[int]:
        """The largest losses first, or the lowest scores of the first run; the most, if many."""
        numbers = range(len(self.queries))
        kept = _MOST_QUERIES if len(numbers) > _MANY else len(numbers)
        if self.chosen is None:
            scores = self.scores[self.first.name, self.runs[0]]
            return sorted(numbers, key=lambda n: scores[n] or 0)[:kept]
        (found,) = self.find_changes([self.first.name]).values()
        most = sorted(numbers, key=lambda n: -abs(found.get(n, 0)))[:kept]
        return sorted(most, key=lambda n: (found.get(n, 0), n))


def _write(frame: pl.DataFrame, segments: Iterable[str]) -> pl.DataFrame:
    """Scores with segments as text, as which also lists and NaN are keys."""
    texts = {name: [v if v is None else str(v) for v in frame[name].to_list()] for name in segments}
    return frame.with_columns(*pl.DataFrame(texts, dict.fromkeys(segments, pl.String)))
