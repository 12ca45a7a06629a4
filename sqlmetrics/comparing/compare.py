"""Comparisons: whether a run is better than another, query by query, or whether it is luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

import polars as pl

from ..errors import InputError, require_name, require_number, require_one_of, require_truth
from ..progress import begin
from ..result import count, shorten
from ..running.connections import open_reader
from ..running.draws import flip, permute, require_seed, resample
from ..running.relations import ENDS, Rows, relate, require
from .comparison import Comparison
from .correction import Correction, correct, describe_confidence, describe_correction
from .scores import FEW, find_ranges, join_segments, list_losses, sort_segments, take_scores

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

Test: TypeAlias = Literal["t", "randomization", "wilcoxon", "sign", "tukey"]
Family: TypeAlias = Literal["metric", "all"]
Interval: TypeAlias = Literal["t", "percentile", "bca"]

_TESTS = {
    "t": "paired t-tests",
    "randomization": "randomization tests",
    "wilcoxon": "Wilcoxon's signed-rank tests",
    "sign": "sign tests",
    "tukey": "randomized Tukey HSD tests",
}
# From this many queries on, small differences are significant.
_MANY = 1000
# With fewer queries, an interval from bootstrap samples is too narrow (docs/compare.md).
_FEW_RESAMPLED = 25


class CompareOptions(TypedDict, total=False):
    """The options of `compare`, as of `Scores.compare`."""

    metrics: str | Iterable[str]
    by: str | Iterable[str] | None
    test: Test
    correction: Correction
    family: Family
    alpha: float
    interval: Interval
    within: float | None
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
    within: float | None = None,
    common_queries: bool = False,
    permutations: int = 10_000,
    samples: int = 2_000,
    seed: int = 0,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Comparison:
    """Compare runs query by query: differences, intervals, wins, effects and p-values.

    - ``scores``: what `evaluate` returns, or scores from any tool: a frame, a table of ``con`` or a
      file (CSV, Parquet, JSON) with run_id, query_id and a column for each metric, or with the
      columns metric and score.
    - ``baseline``: the run that the others are compared with; without it, every pair is compared.
    - ``metrics``: which of them; all by default.
    - ``by``: columns that divide the queries into segments; those of `evaluate` by default.
    - ``test``: the paired ``"t"``-test, dependable for means; ``"randomization"``, which assumes
      nothing about the distribution; ``"wilcoxon"`` and ``"sign"``, which are not about means;
      ``"tukey"``, the randomized Tukey HSD test of all runs together.
    - ``correction``: for many comparisons: ``"holm"`` and ``"bonferroni"`` keep the chance of any
      false discovery below ``alpha``, ``"bh"`` and ``"by"`` their share; ``"none"``.
    - ``family``: what is corrected together: the comparisons of a ``"metric"``, or ``"all"``.
    - ``alpha``: the significance level. An interval has the confidence at which the correction
      tests its row: 1 - alpha for a single comparison, more for one of several.
    - ``interval``: from Student's ``"t"``, or ``"percentile"`` or ``"bca"`` of bootstrap samples;
      those of ``"tukey"`` hold for all pairs together.
    - ``within``: scores that differ by no more are tied; by default, a billionth of the largest.
    - ``common_queries``: leave out queries that not all runs have; they are an error otherwise.
    - ``permutations``: how many are drawn for the tests ``"randomization"`` and ``"tukey"``.
    - ``samples``: how many are drawn for the intervals ``"percentile"`` and ``"bca"``.
    - ``seed``: of random draws, which are the same each time, whatever the order of rows and the
      number of threads.

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
    require_options(
        {
            "test": test,
            "correction": correction,
            "family": family,
            "alpha": alpha,
            "interval": interval,
            "within": within,
            "common_queries": common_queries,
            "permutations": permutations,
            "samples": samples,
            "seed": seed,
        }
    )
    require_name("baseline", baseline, "a run")
    long, segments, notes = take_scores(scores, metrics, by, con, columns)
    if common_queries:
        long, left = _keep_common(long, segments)
        notes += left
    begin("comparing", long.height)
    with open_reader() as reader:
        divided = join_segments(long, segments)
        pairs = relate(reader, "paired", {"scores": divided}, baseline=baseline, within=within)
        tests = _test(pairs, test, alpha, permutations, seed)
        together = pl.col("metric") if family == "metric" else pl.lit("all")
        tests = correct(reader, tests, "none" if test == "tukey" else correction, alpha, together)
        tests = _find_intervals(pairs, tests, test, interval, samples, seed)
        per_query = pairs.read()
    tests = _bound(tests, find_ranges(long, scores))
    contains_0 = ((pl.col("low") <= 0) & (pl.col("high") >= 0)).fill_null(value=False)
    tests = tests.with_columns(significant=pl.col("significant") & ~contains_0)
    tests = tests.sort("baseline", "mean", "run_id", descending=[False, True, False])
    tests = sort_segments(tests, long, segments).select(
        *("metric", *segments, "run_id", "baseline", "queries", "mean", "baseline_mean"),
        *("difference", "low", "high", "confidence", "wins", "ties", "losses", "effect"),
        *("p", "p_corrected", "significant", "detectable"),
    )
    keys = ["metric", *segments, "run_id", "baseline", "query_id"]
    per_query = sort_segments(per_query, long, segments).select(
        *keys, "score", "baseline_score", "difference", "outcome"
    )
    if losses := list_losses(tests["metric"].unique(maintain_order=True), scores):
        notes.append(f"{', '.join(losses)}: lower is better, so wins and ▲ are of the worse run")
    notes += _describe_limits(tests, segments, test, interval, alpha)
    return Comparison(
        tests,
        per_query.sort(keys),
        baseline,
        segments,
        alpha,
        tuple(losses),
        method=_describe_method(tests, baseline, test, correction, family, interval, alpha),
        notes=tuple(notes),
    )


def require_options(options: CompareOptions) -> None:
    """Raise `InputError` for options that `compare` does not take."""
    test, interval = options["test"], options["interval"]
    require_one_of("test", test, get_args(Test))
    require_one_of("correction", options["correction"], get_args(Correction))
    require_one_of("family", options["family"], get_args(Family))
    require_one_of("interval", interval, get_args(Interval))
    require_truth(common_queries=options["common_queries"])
    require_number("alpha", options["alpha"], 0, 1)
    require("paired", within=options["within"])
    require("flipped", permutations=options["permutations"])
    require_seed(options["seed"])
    require("resampled", samples=options["samples"])
    if test == "tukey" and interval != "t":
        raise InputError(
            f"interval cannot be {interval!r} with the test 'tukey', whose own intervals hold for "
            "all pairs together"
        )


def _keep_common(long: pl.DataFrame, segments: tuple[str, ...]) -> tuple[pl.DataFrame, list[str]]:
    """The scores of queries that all runs have."""
    runs = pl.col("run_id").n_unique()
    kept = long.filter(runs.over("metric", *segments, "query_id") == runs.over("metric", *segments))
    left = long["query_id"].n_unique() - kept["query_id"].n_unique()
    if kept.is_empty():
        raise InputError("no query has scores for all runs")
    return kept, [f"left out {count(left, 'query')} that not all runs have"] if left else []


def _test(pairs: Rows, test: Test, alpha: float, permutations: int, seed: int) -> pl.DataFrame:
    """The statistics of each metric and pair, with p."""
    found = {
        "queries": "count(*)",
        "mean": "avg(p.score)",
        "baseline_mean": "avg(p.baseline_score)",
        "difference": "mean_difference(p)",
        "wins": "wins(p)",
        "ties": "ties(p)",
        "losses": "losses(p)",
        "effect": "cohen_dz(p)",
        "varies": "varies(p)",
    }
    simple = {"t": "paired_t(p)", "wilcoxon": "wilcoxon(p)", "sign": "sign_test(p)"}
    if test in simple:
        found["p"] = simple[test]
    tests = pairs.ask(found)
    if test == "randomization":
        tests = tests.join(flip(pairs, permutations, seed), on=pairs.groups)
    elif test == "tukey":
        drawn = tests.select(*pairs.groups, "difference")
        p, ranges = permute(pairs, drawn, permutations, seed)
        table = pairs.reader.register(ranges)
        margin = {"tukey_margin": f"tukey_margin(p, confidence := {float(1 - alpha)!r})"}
        by = [key for key in pairs.groups if key in ranges.columns]
        tests = tests.join(pairs.ask(margin, rows=table, by=by), on=by)
        tests = tests.join(p, on=pairs.groups)
    return tests


def _find_intervals(
    pairs: Rows, tests: pl.DataFrame, test: Test, interval: Interval, samples: int, seed: int
) -> pl.DataFrame:
    """The tests with the interval of each, from ``low`` to ``high``, and what it can detect."""
    given = tests.select(*pairs.groups, "confidence")
    asked = {
        "margin": "margin_of_error(p, confidence := g.confidence)",
        "detectable": "detectable_difference(p, alpha := 1 - g.confidence)",
    }
    tests = tests.join(pairs.ask(asked, given=given), on=pairs.groups)
    margin, detectable = pl.col("margin"), pl.col("detectable")
    if test == "tukey":
        detectable += pl.col("tukey_margin") - margin
        margin = pl.col("tukey_margin")
    low, high = pl.col("difference") - margin, pl.col("difference") + margin
    if interval != "t":
        macro = "bootstrap_interval" if interval == "percentile" else "bca_interval"
        ends = {"ends": f"{macro}(p, confidence := g.confidence)"}
        found = resample(pairs, ends, samples, seed, given)
        tests = tests.join(found, on=pairs.groups)
        low, high = ENDS
    return tests.with_columns(low=low, high=high, detectable=detectable)


def _bound(tests: pl.DataFrame, ranges: Mapping[str, tuple[float, float]]) -> pl.DataFrame:
    """The tests with intervals within what the difference of two scores can be."""
    widths = {metric: highest - lowest for metric, (lowest, highest) in ranges.items()}
    most = pl.col("metric").replace_strict(widths)
    can_vary = (pl.col("queries") > 1) & pl.col("varies")
    return tests.with_columns(pl.when(can_vary).then(pl.col("low", "high").clip(-most, most)))


def _describe_method(
    tests: pl.DataFrame,
    baseline: str | None,
    test: Test,
    correction: Correction,
    family: Family,
    interval: Interval,
    alpha: float,
) -> str:
    """How it was tested, in a sentence."""
    number = tests.height if family == "all" else max(tests.group_by("metric").len()["len"])
    metrics = tests["metric"].n_unique()
    text = f"p-values are from {_TESTS[test]}"
    if test == "tukey":
        text += ", which cover all pairs of runs together"
    else:
        what = "comparisons" if family == "all" else "comparisons of each metric"
        text += describe_correction(correction, number, what)
    if family == "metric" and metrics > 1 and correction != "none":
        text += f", not corrected for the {metrics} metrics"
    kind = {
        "t": "",
        "bca": " (BCa, from bootstrap samples)",
        "percentile": " (from bootstrap samples)",
    }
    text += f"; intervals{kind[interval]} have {describe_confidence(tests)}"
    if test == "tukey":
        text += " for all pairs of a metric together"
    elif not tests["p"].equals(tests["p_corrected"]):
        text += ", corrected as the p-values are"
    if baseline is None:
        return f"{text}. Letters: the runs that it beats significantly, at {alpha:g}."
    return f"{text}. ▲▼: significant at {alpha:g}."


def _describe_limits(
    tests: pl.DataFrame, segments: tuple[str, ...], test: Test, interval: Interval, alpha: float
) -> list[str]:
    """What the tests cannot say."""
    is_same = (pl.col("queries") > 1) & (pl.col("wins") + pl.col("losses") == 0)
    pairs = tests.group_by("run_id", "baseline", maintain_order=True)
    same = pairs.agg(is_same.all() & (pl.len() > 1)).filter("queries")["run_id", "baseline"].rows()
    notes = [
        f"{run_id} and {baseline} have the same score for every query by every metric; are these "
        "the runs that you meant?"
        for run_id, baseline in same
    ]
    for row in tests.iter_rows(named=True):
        if (row["run_id"], row["baseline"]) in same:
            continue
        what = f"{row['run_id']} and {row['baseline']} by {row['metric']}"
        what += "".join(f", {column} {row[column]}" for column in segments)
        different = row["wins"] + row["losses"]
        if row["queries"] < 2:
            notes.append(f"{what}: one query; a test needs two or more")
        elif not different:
            notes.append(f"{what}: the same score for every query")
        elif row["low"] is None:
            notes.append(f"{what}: the same difference for every query, so no test is possible")
        elif row["significant"] != (row["p_corrected"] < alpha):
            notes.append(f"{what}: not marked, since the interval of the mean contains 0")
        elif test in ("wilcoxon", "sign", "randomization") and 2 * 0.5**different >= alpha:
            notes.append(
                f"{what}: only {different} queries differ; p cannot be below "
                f"{2 * 0.5**different:.3g}"
            )
    notes = shorten(notes)
    least, most = tests["queries"].min(), tests["queries"].max()
    if isinstance(least, int) and interval != "t" and least < _FEW_RESAMPLED:
        notes.append(
            f"with fewer than {_FEW_RESAMPLED} queries, intervals from bootstrap samples are too "
            "narrow; those by t (interval) are not"
        )
    elif isinstance(least, int) and least < FEW:
        notes.append(
            f"with fewer than {FEW} queries, intervals and p-values are a rough guide: they "
            "assume differences that are nearly normal"
        )
    if isinstance(most, int) and most >= _MANY and tests["significant"].any():
        notes.append(
            f"with {most} queries even small differences are significant; look at the difference "
            "and the effect"
        )
    return notes
