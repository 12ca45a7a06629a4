"""Facts: what a report shows, from scores and their comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import polars as pl

from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..catalogue.summaries import write_summary
from ..comparing import Comparison, compare
from ..errors import InputError
from ..inputs.columns import quote_name
from ..inputs.scores import take_per_query
from .charts import MOST_BARS, MOST_DOTS, Pair, Slope, name_classes, sort_by_change, tone
from .words import DASH, shorten, shorten_each

Scored: TypeAlias = Any  # the Scores of `evaluate`, which stands above
Explained: TypeAlias = Any  # what `explain_query` returns, likewise

# Metrics in the table of queries, and scores that a page holds for the choice of another run.
MOST_METRICS, _MOST_SCORES = 5, 30_000
# Queries in the table, if there are more than 1,000.
_MANY, _MOST_QUERIES = 1000, 500


@dataclass(frozen=True)
class Extras:
    """What a report shows that scores alone do not hold.

    - ``curve``: interpolated, averaged precision over recall.
    - ``cutoffs``: the mean scores of each run by a metric at several cut-offs: ``run_id`` and a
      column for each cut-off; ``cutoff_name`` is the name of the metric, ``nDCG@k``.
    - ``judged``: for each run, the share of its first ten documents that are judged.
    - ``findings``: what `check` returns.
    - ``documents``: what `explain_query` returns for some queries.
    - ``conventions``: those of the scores.
    - ``made_by``: the command or call.
    - ``notes``: remarks, such as why something is missing.
    - ``why_baseline``: why this run is the baseline: ``the first run given``.
    """

    curve: pl.DataFrame | None = None
    cutoffs: pl.DataFrame | None = None
    cutoff_name: str = ""
    judged: Mapping[str, float] = field(default_factory=dict)
    findings: pl.DataFrame | None = None
    documents: Explained = None
    conventions: Conventions | None = None
    made_by: str = ""
    notes: tuple[str, ...] = ()
    why_baseline: str = ""


@dataclass(frozen=True)
class Facts:
    """What a report shows.

    ``runs`` have the highest mean by the first metric first; ``scores`` are those of a metric and a
    run, a score for each of ``queries`` or None; ``labels`` are the segments of queries, and
    ``segments`` their means. ``tests`` are the rows of the comparison over all queries, by metric
    and run, and of that in segments, by these, too. ``chosen`` is the best run other than the
    baseline.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Measure, ...]
    means: Mapping[tuple[str, str], float | None]
    scores: Mapping[tuple[str, str], list[float | None]]
    labels: Mapping[str, list[str]]
    segments: pl.DataFrame
    comparison: Comparison | None
    tests: Mapping[tuple[Any, ...], dict[str, Any]]
    notes: tuple[str, ...]

    @property
    def baseline(self) -> str | None:
        return self.comparison.baseline if self.comparison else None

    @property
    def chosen(self) -> str | None:
        return self.others[0] if self.baseline else None

    @property
    def first(self) -> Measure:
        """The metric of the charts."""
        return self.measures[0]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(m.name for m in self.measures)

    @property
    def digits(self) -> dict[str, int]:
        """How many decimals the scores of a metric have: counts have none."""
        return {m.name: 0 if m.metric.is_summed and not m.aggregate else 4 for m in self.measures}

    def shorten(self, run: str, width: int) -> str:
        """The name of a run in this many columns, still different from the others."""
        return shorten_each(self.runs, width).get(run) or shorten(run, width)

    @property
    def others(self) -> list[str]:
        """The runs without the baseline."""
        return [run for run in self.runs if run != self.baseline]

    @property
    def classes(self) -> dict[str, str]:
        """The class of each run, which is its colour: grey for the baseline."""
        return dict.fromkeys(self.runs, "base") | name_classes(self.others)

    @property
    def has_choice(self) -> bool:
        """Whether the page can show another run than the best beside the baseline."""
        number = len(self.queries) * len(self.runs) * min(len(self.measures), MOST_METRICS)
        is_small = len(self.queries) <= MOST_BARS and number <= _MOST_SCORES
        return len(self.others) > 1 and self.baseline is not None and is_small

    @property
    def has_tips(self) -> bool:
        """Whether the page holds the scores of all runs, to name the query of a dot."""
        return self.has_choice or len(self.queries) <= MOST_DOTS

    def show(self, metric: str, value: float | None) -> str:
        """A score as text."""
        return DASH if value is None else f"{value:.{self.digits[metric]}f}"

    def is_best(self, metric: str, run: str) -> bool:
        """Whether no other run has a better mean, as shown."""
        (measure,) = (m for m in self.measures if m.name == metric)
        known = [(self.means[metric, each], each) for each in self.runs]
        shown = {each: float(self.show(metric, mean)) for mean, each in known if mean is not None}
        best = min if measure.metric.is_loss else max
        return bool(shown) and shown.get(run) == best(shown.values())

    def list_known(self, metric: str, run: str) -> list[tuple[float, str]]:
        """The scores that there are, with their queries."""
        found = zip(self.scores[metric, run], self.queries, strict=True)
        return [(x, query) for x, query in found if x is not None]

    def list_pairs(self, metric: str, run: str | None) -> list[Pair]:
        """The queries that the baseline and a run have: their number and both scores."""
        before, after = self.scores[metric, str(self.baseline)], self.scores[metric, str(run)]
        return [
            (n, a, b)
            for n, (a, b) in enumerate(zip(before, after, strict=True))
            if a is not None and b is not None
        ]

    def find_change(self, metric: str, number: int) -> float | None:
        """The difference of a query between the baseline and the chosen run."""
        runs = (str(self.baseline), str(self.chosen))
        before, after = (self.scores[metric, run][number] for run in runs)
        return None if before is None or after is None else after - before

    def list_changed(self, number: int = 3) -> list[str]:
        """The queries that lose most, then those that gain most, this many of each."""
        if self.chosen is None:
            return []
        pairs = sort_by_change(self.list_pairs(self.first.name, self.chosen))
        kinds = {kind: [p for p in pairs if tone(p[2] - p[1]) == kind] for kind in ("down", "up")}
        return [self.queries[n] for found in kinds.values() for n, *_ in found[:number]]

    def order_queries(self) -> list[int]:
        """The largest losses first, or the lowest scores of the best run; the most, if many."""
        first = self.first.name
        scores = self.scores[first, self.runs[0]]
        numbers = sorted(range(len(self.queries)), key=lambda n: scores[n] or 0)
        kept = _MOST_QUERIES if len(numbers) > _MANY else len(numbers)
        if not self.chosen:
            return numbers[:kept]
        change = {n: self.find_change(first, n) or 0 for n in sorted(numbers)}
        most = sorted(change, key=lambda n: -abs(change[n]))[:kept]
        return sorted(most, key=lambda n: (change[n], n))

    def find_slope(self) -> Slope:
        name = self.first.name
        known = (x for run in self.runs for x, _ in self.list_known(name, run))
        return Slope.of(known, self.queries)


def find_facts(scores: Scored, baseline: str | None) -> Facts:
    """What there is to show; ``baseline`` is by default the first of several runs.

    Raises `InputError` for an unknown baseline, and if no metric is a number.
    """
    take_per_query(scores)
    names = scores.mean["run_id"].unique(maintain_order=True).to_list()
    if baseline is not None and baseline not in names:
        raise InputError(
            f"no run named {baseline!r}; the runs are {', '.join(names)}; name one of them"
        )
    known = scores.per_query.schema
    why = {
        m.name: "text" if m.name in known else "of a whole run, not of its queries"
        for m in scores.metrics
        if m.name not in known or not known[m.name].is_numeric()
    }
    numeric = [m for m in scores.metrics if m.name not in why]
    if scores.per_query.is_empty() or not numeric:
        said = "there are no scores of queries"
        if not numeric:
            said = f"{', '.join(why)} is {next(iter(why.values()))}"
        raise InputError(f"nothing to report: {said}")
    notes = [f"{name} is left out, since it is {said}" for name, said in why.items()]
    metrics = [m.name for m in numeric]
    frame = scores.per_query.with_columns(pl.col(metrics).cast(pl.Float64))
    means = take_means(scores, frame, numeric)
    comparison, rows, more = _compare(scores, metrics, baseline or names[0])
    notes += more
    queries = frame["query_id"].unique(maintain_order=True)
    aligned = pl.DataFrame({"query_id": queries})
    kept: dict[tuple[str, str], list[float | None]] = {}
    for (run,), part in frame.group_by("run_id"):
        columns = aligned.join(part, on="query_id", how="left", maintain_order="left")
        kept |= {(m, str(run)): columns[m].to_list() for m in metrics}
    once = frame.unique("query_id", keep="first", maintain_order=True)
    keys = ["run_id", *scores.segments]
    sizes = frame.group_by(keys, maintain_order=True).agg(_queries=pl.len())
    segments = scores.mean.select(*keys, *metrics)
    return Facts(
        tuple(sorted(names, key=lambda run: (-(means[metrics[0], run] or 0), run))),
        tuple(queries.to_list()),
        tuple(numeric),
        means,
        kept,
        {column: ["" if v is None else str(v) for v in once[column]] for column in scores.segments},
        segments.join(sizes, on=keys, nulls_equal=True, maintain_order="left"),
        comparison,
        {(r["metric"], r["run_id"], *(r[c] for c in scores.segments if c in r)): r for r in rows},
        tuple(notes),
    )


def _compare(
    scores: Scored, metrics: Sequence[str], baseline: str
) -> tuple[Comparison | None, list[dict[str, Any]], list[str]]:
    """The comparison over all queries, the tests of it and of segments, and what is left out."""
    if scores.mean["run_id"].n_unique() == 1:
        return None, [], []
    try:
        try:
            found = compare(scores, baseline, metrics=metrics, by=())
            shared = False
        except InputError:
            found = compare(scores, baseline, metrics=metrics, by=(), common_queries=True)
            shared = True
    except InputError as problem:
        return None, [], [f"The runs are not compared: {problem}"]
    rows, notes = found.tests.rows(named=True), [*found.notes]
    if scores.segments:
        try:
            parts = compare(scores, baseline, metrics=metrics, common_queries=shared)
            rows += parts.tests.rows(named=True)
        except InputError as problem:
            notes.append(f"Segments are not compared: {problem}")
    return found, rows, notes


def take_means(
    scores: Scored, frame: pl.DataFrame, numeric: Sequence[Measure]
) -> dict[tuple[str, str], float | None]:
    """The score of each run by each metric; over all segments, where means and sums have one."""
    mean = scores.mean
    if scores.segments:
        ways = {m.name: m.summary if m.summary in ("mean", "sum") else "none" for m in numeric}
        named = {name: quote_name(name) for name in ways}
        weight = None if scores.weight is None else quote_name(scores.weight)
        sums = (f"{write_summary(named[x], ways[x], weight)} AS {named[x]}" for x in ways)
        mean = frame.sql(f"SELECT run_id, {', '.join(sums)} FROM self GROUP BY run_id")
    return {
        (m.name, row["run_id"]): row[m.name] for row in mean.iter_rows(named=True) for m in numeric
    }
