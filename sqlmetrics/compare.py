"""Comparisons: whether a run is better than another, query by query, or whether it is luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

import polars as pl

from .engines.duckdb import open_reader
from .engines.pairs import KEYS, Pairs, pair
from .errors import InputError
from .inputs.scores import read_scores
from .inputs.streams import Stream
from .progress import begin
from .tables import Layout, write_table

if TYPE_CHECKING:
    import duckdb

    from .inputs.columns import Columns

Test: TypeAlias = Literal["t", "randomization", "wilcoxon", "sign", "tukey"]
Correction: TypeAlias = Literal["holm", "bonferroni", "bh", "by", "none"]
Family: TypeAlias = Literal["metric", "all"]
Interval: TypeAlias = Literal["t", "percentile", "bca"]

_TESTS = {
    "t": "paired t-tests",
    "randomization": "randomization tests",
    "wilcoxon": "Wilcoxon's signed-rank tests",
    "sign": "sign tests",
    "tukey": "randomized Tukey HSD tests",
}
_CORRECTIONS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}
# From this many queries on, small differences are significant.
_MANY = 1000


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`.

    - ``tests``: a row for each metric (and segment) and pair of runs: ``metric``, the columns of
      ``by``, ``run_id``, ``baseline``, ``queries`` (their number), ``mean`` and ``baseline_mean``,
      ``difference`` of the two and its confidence interval from ``low`` to ``high``, ``wins``,
      ``ties`` and ``losses`` of the run, ``effect`` (the difference in standard deviations of the
      queries' differences), ``p`` and ``p_corrected``, ``significant``, and ``detectable``, the
      difference that this many queries find four times out of five. What cannot be computed is null.
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

        The letters beside a mean are those of the runs that it beats significantly.
        """
        return self._mark_letters(digits) if self.baseline is None else self._tabulate(digits)

    def rank_queries(self, number: int = 5) -> pl.DataFrame:
        """The queries of each metric and pair that gain and lose most, ``number`` of each.

        The rows of ``per_query``, with ``change``: ``"better"`` or ``"worse"``.
        """
        keys = ["metric", *self.by, "run_id", "baseline"]
        order = {"better": (True, 1), "worse": (False, -1)}
        parts = [
            self.per_query.filter(pl.col("outcome") == outcome)
            .sort(pl.col("difference").round(12), "query_id", descending=[falling, False])
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
        level = round(100 * (1 - self.alpha), 10)
        titles = {"interval": f"{level:g}% interval"}
        frame = pl.DataFrame([{name: row.get(name, "") for name in names} for row in rows])
        if (frame["p"] == frame["p corrected"]).all():
            frame = frame.drop("p corrected")
        return frame.rename(
            {ours: title for ours, title in titles.items() if ours in frame.columns}
        )

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
    *("run", "mean", "difference", "interval", "wins/ties/losses", "effect", "p"),
    *("p corrected", ""),
)


# The columns of the table for people that are numbers.
RIGHT = ("mean", "difference", "wins/ties/losses", "effect", "p", "p corrected")


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


class CompareOptions(TypedDict, total=False):
    """The options of `compare`, as of `Scores.compare`."""

    metrics: str | Iterable[str]
    by: str | Iterable[str] | None
    test: Test
    correction: Correction
    family: Family
    alpha: float
    interval: Interval
    within: float
    common_queries: bool
    permutations: int
    samples: int
    seed: int


def compare(
    scores: Any,  # noqa: ANN401
    baseline: str | None = None,
    *,
    metrics: str | Iterable[str] = (),
    by: str | Iterable[str] | None = None,
    test: Test = "t",
    correction: Correction = "holm",
    family: Family = "metric",
    alpha: float = 0.05,
    interval: Interval = "t",
    within: float = 1e-9,
    common_queries: bool = False,
    permutations: int = 10_000,
    samples: int = 2_000,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Comparison:
    """Compare runs query by query: differences, intervals, wins, effects and p-values.

    - ``scores``: what `evaluate` returns, or scores of any tool: a frame, a table of ``con`` or a
      file (CSV, Parquet, JSON) with run_id, query_id and a column for each metric, or with the
      columns metric and score.
    - ``baseline``: the run that the others are compared with; without it every two are compared.
    - ``metrics``: which of them; all by default.
    - ``by``: columns that divide the queries in segments; those of `evaluate` by default.
    - ``test``: the paired ``"t"``-test, dependable for means; ``"randomization"``, which assumes
      nothing about the distribution; ``"wilcoxon"`` and ``"sign"``, which are not about means;
      ``"tukey"``, the randomized Tukey HSD test of all runs together.
    - ``correction``: for many comparisons: ``"holm"`` and ``"bonferroni"`` keep the chance of any
      false discovery below ``alpha``, ``"bh"`` and ``"by"`` their share; ``"none"``.
    - ``family``: what is corrected together: the comparisons of a ``"metric"``, or ``"all"``.
    - ``alpha``: the significance level; intervals contain the true difference with 1 - alpha.
    - ``interval``: by Student's ``"t"``, or ``"percentile"`` or ``"bca"`` of bootstrap samples.
    - ``within``: scores that differ by no more are tied.
    - ``common_queries``: leave out queries that not all runs have; they are an error otherwise.
    - ``permutations``, ``samples``, ``seed``: for what is drawn at random, which is the same each
      time, whatever the order of rows and the number of threads.

    Raises `InputError` for scores that cannot be compared, such as a run that lacks queries.

    >>> scores = pl.DataFrame({
    ...     "run_id": ["a"] * 4 + ["b"] * 4,
    ...     "query_id": ["1", "2", "3", "4"] * 2,
    ...     "AP": [0.1, 0.2, 0.3, 0.4, 0.2, 0.4, 0.3, 0.7],
    ... })
    >>> found = compare(scores, "a")
    >>> found.tests.select("run_id", "wins", "ties", "losses").rows()
    [('b', 3, 1, 0)]
    >>> round(found.tests["p"][0], 4)
    0.1027
    """
    _require_options(
        test=(test, Test),
        correction=(correction, Correction),
        family=(family, Family),
        interval=(interval, Interval),
    )
    require_number("alpha", alpha, 0, 1)
    _require_numbers(within=within, permutations=permutations, samples=samples)
    if not isinstance(seed, int):
        raise InputError(f"seed must be a whole number, not {seed!r}")
    long, segments, notes = take_scores(scores, metrics, by, con, columns)
    if baseline is not None and not isinstance(baseline, str):
        raise InputError(f"baseline must be the name of a run, not {baseline!r}")
    if common_queries:
        long, left = _keep_common(long, segments)
        notes += left
    labelled, labels = label_metrics(long, segments)
    begin("comparing", labelled.height)
    with open_reader() as reader:
        pairs = pair(reader, labelled, baseline, within)
        tests = _test(pairs, test, interval, alpha, permutations, samples, seed)
        tests = tests.rename({"metric": "label"}).join(labels, on="label")
        tests = _correct(pairs, tests, "none" if test == "tukey" else correction, family)
        per_query = pairs.select(f"FROM {pairs.table}")
    tests = tests.with_columns(significant=pl.col("p_corrected") < alpha)
    tests = _sort(tests, labels, segments)
    per_query = per_query.rename({"metric": "label"}).join(labels, on="label")
    keys = ["metric", *segments, "run_id", "baseline", "query_id"]
    per_query = per_query.select(*keys, "score", "baseline_score", "difference", "outcome")
    notes += _describe_limits(tests, segments, test, alpha)
    return Comparison(
        tests,
        per_query.sort(keys),
        _describe_method(tests, test, correction, family, interval, alpha),
        baseline,
        segments,
        alpha,
        tuple(notes),
    )


def take_scores(
    scores: Any,  # noqa: ANN401
    metrics: str | Iterable[str] = (),
    by: str | Iterable[str] | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> tuple[pl.DataFrame, tuple[str, ...], list[str]]:
    """The scores as rows of run_id, query_id, segments, metric and score; the segments; notes."""
    wanted = metrics.split() if isinstance(metrics, str) else [*metrics]
    per_query = getattr(scores, "per_query", None)
    if by is None:
        by = getattr(scores, "segments", ())
    segments = (by,) if isinstance(by, str) else tuple(by)
    if isinstance(per_query, pl.DataFrame):  # what `evaluate` returns
        if scores.weight is not None:
            raise InputError(
                f"these scores are weighted by {scores.weight}, and no test here is of weighted "
                "means; evaluate without weight to compare"
            )
        texts = [m.name for m in scores.metrics if per_query[m.name].dtype == pl.String]
        own = [m.name for m in scores.metrics if m.name not in texts]
        if not wanted and own:
            wanted = own
        long, notes = read_scores(per_query, wanted, segments)
        return (
            long,
            segments,
            [f"{', '.join(texts)} not compared, since not a number"] * bool(texts),
        )
    long, notes = read_scores(scores, wanted, segments, con=con, columns=columns)
    return long, segments, notes


def _keep_common(long: pl.DataFrame, segments: tuple[str, ...]) -> tuple[pl.DataFrame, list[str]]:
    """The scores of queries that all runs have."""
    runs = pl.col("run_id").n_unique()
    kept = long.filter(runs.over("metric", *segments, "query_id") == runs.over("metric", *segments))
    left = long["query_id"].n_unique() - kept["query_id"].n_unique()
    if kept.is_empty():
        raise InputError("no query has scores of all runs")
    what = "query" if left == 1 else "queries"
    return kept, [f"{left} {what} left out, which not all runs have"] if left else []


def label_metrics(long: pl.DataFrame, segments: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The scores with each metric in each segment as a metric of its own, and what these are.

    Metrics come as given, segments sorted.
    """
    label = pl.col("metric")
    for column in segments:
        value = pl.col(column).cast(pl.String).fill_null("null")
        label = pl.concat_str([label, pl.lit(f", {column} "), value])
    metrics = long.select("metric").unique(maintain_order=True)
    groups = long.select("metric", *segments).unique(maintain_order=True)
    if segments:
        groups = groups.sort(segments, nulls_last=True, maintain_order=True)
    labels = metrics.join(groups, on="metric", maintain_order="left_right").with_columns(
        label=label
    )
    if labels["label"].is_duplicated().any():
        raise InputError("two segments look the same when written; give them different names")
    keys = ["metric", *segments]
    labelled = long.join(labels, on=keys, nulls_equal=True, maintain_order="left")
    return labelled.select(pl.col("label").alias("metric"), "run_id", "query_id", "score"), labels


def _test(
    pairs: Pairs,
    test: Test,
    interval: Interval,
    alpha: float,
    permutations: int,
    samples: int,
    seed: int,
) -> pl.DataFrame:
    """The statistics of each metric and pair, with p."""
    confidence = f"confidence := {1 - alpha!r}"
    found = {
        "queries": "count(*)",
        "mean": "avg(p.score)",
        "baseline_mean": "avg(p.baseline_score)",
        "difference": "mean_difference(p)",
        "margin": f"margin_of_error(p, {confidence})",
        "wins": "wins(p)",
        "ties": "ties(p)",
        "losses": "losses(p)",
        "effect": "cohen_dz(p)",
        "detectable": f"detectable_difference(p, alpha := {alpha!r})",
        "varies": "has_spread(p.difference)",
    }
    simple = {"t": "paired_t(p)", "wilcoxon": "wilcoxon(p)", "sign": "sign_test(p)"}
    if test in simple:
        found["p"] = simple[test]
    tests = pairs.ask(found)
    if interval == "t":
        margin = pl.col("margin")
        low, high = pl.col("difference") - margin, pl.col("difference") + margin
    else:
        macro = "bootstrap_interval" if interval == "percentile" else "bca_interval"
        begin("drawing bootstrap samples")
        ends = pairs.ask(
            {"ends": f"{macro}(p, {confidence})"}, "resampled", samples=samples, seed=seed
        )
        tests = tests.join(ends, on=KEYS)
        low, high = pl.col("ends").list.get(0), pl.col("ends").list.get(1)
    can_vary = (pl.col("queries") > 1) & pl.col("varies")
    tests = tests.with_columns(low=pl.when(can_vary).then(low), high=pl.when(can_vary).then(high))
    if test == "randomization":
        begin("drawing permutations")
        p = pairs.ask({"p": "randomization(p)"}, "flipped", permutations=permutations, seed=seed)
        tests = tests.join(p, on=KEYS)
    elif test == "tukey":
        begin("drawing permutations")
        table = pairs.reader.register(Stream(tests))
        ranges = f"permuted({pairs.scores}, permutations := {permutations}, seed := {seed})"
        p = pairs.select(
            "SELECT t.metric, t.run_id, t.baseline, tukey(p, difference := t.difference) AS p "
            f"FROM {table} AS t JOIN {ranges} AS p ON p.metric = t.metric "
            "GROUP BY t.metric, t.run_id, t.baseline, t.difference"
        )
        tests = tests.join(p, on=KEYS)
    return tests


def _correct(
    pairs: Pairs, tests: pl.DataFrame, correction: Correction, family: Family
) -> pl.DataFrame:
    if correction == "none":
        return tests.with_columns(p_corrected=pl.col("p"))
    group = pl.col("metric") if family == "metric" else pl.lit("all")
    rows = tests.with_row_index("row")
    found = pairs.correct(rows.select("row", "p", group.alias("family")))
    corrected = found.select("row", pl.col(correction).alias("p_corrected"))
    return rows.join(corrected, on="row").drop("row")


def _sort(tests: pl.DataFrame, labels: pl.DataFrame, segments: tuple[str, ...]) -> pl.DataFrame:
    """By metric and segment as given, then the best run first."""
    order = labels.select("label").with_row_index("place")
    tests = tests.join(order, on="label").sort(
        "place", "baseline", "mean", "run_id", descending=[False, False, True, False]
    )
    return tests.select(
        *("metric", *segments, "run_id", "baseline", "queries", "mean", "baseline_mean"),
        *("difference", "low", "high", "wins", "ties", "losses", "effect"),
        *("p", "p_corrected", "significant", "detectable"),
    )


def _describe_method(
    tests: pl.DataFrame,
    test: Test,
    correction: Correction,
    family: Family,
    interval: Interval,
    alpha: float,
) -> str:
    """How it was tested, in a sentence."""
    number = tests.height if family == "all" else max(tests.group_by("metric").len()["len"])
    text = f"p-values are of {_TESTS[test]}"
    if test == "tukey":
        text += ", which hold for all pairs of runs together"
    elif correction != "none" and number != 1:
        what = "comparisons" if family == "all" else "comparisons of each metric"
        text += f", corrected by {_CORRECTIONS[correction]} for the {number} {what}"
    else:
        text += ", not corrected"
    if interval != "t":
        kind = "BCa" if interval == "bca" else "percentile"
        text += f"; intervals are {kind} intervals of bootstrap samples"
    return f"{text}. ▲▼: significant at {alpha:g}."


def _describe_limits(
    tests: pl.DataFrame, segments: tuple[str, ...], test: Test, alpha: float
) -> list[str]:
    """What the tests cannot say."""
    notes = []
    for row in tests.iter_rows(named=True):
        what = f"{row['run_id']} and {row['baseline']} by {row['metric']}"
        what += "".join(f", {column} {row[column]}" for column in segments)
        different = row["wins"] + row["losses"]
        if row["queries"] < 2:
            notes.append(f"{what}: one query; a test needs two or more")
        elif not different:
            notes.append(f"{what}: the same score for every query")
        elif row["low"] is None:
            notes.append(f"{what}: the same difference for every query, which no test can judge")
        elif test in ("wilcoxon", "sign", "randomization") and 2 * 0.5**different >= alpha:
            notes.append(
                f"{what}: only {different} queries differ; p cannot be below "
                f"{2 * 0.5**different:.3g}"
            )
    if len(notes) > 5:
        notes = [*notes[:4], f"… and {len(notes) - 4} more notes like these"]
    most = tests["queries"].max()
    if isinstance(most, int) and most >= _MANY and tests["significant"].any():
        notes.append(
            f"with {most} queries even small differences are significant; look at the difference "
            "and the effect"
        )
    return notes


def _require_options(**options: tuple[object, Any]) -> None:
    for name, (value, choices) in options.items():
        if value not in get_args(choices):
            *others, last = map(repr, get_args(choices))
            raise InputError(f"{name} must be {', '.join(others)} or {last}, not {value!r}")


def require_number(name: str, value: object, low: float, high: float) -> None:
    """Raise `InputError` unless it is a number between ``low`` and ``high``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
        raise InputError(f"{name} must be a number between {low:g} and {high:g}, not {value!r}")


def _require_numbers(*, within: object, **counts: object) -> None:
    if isinstance(within, bool) or not isinstance(within, int | float) or not within >= 0:
        raise InputError(f"within must be a number, 0 or more, not {within!r}")
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(f"{name} must be a whole number, 1 or more, not {value!r}")
