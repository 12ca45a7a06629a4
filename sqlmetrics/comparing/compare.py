"""Comparisons: whether a run is better than another, query by query, or whether it is chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..catalogue import quote
from ..engine.connections import open_reader
from ..engine.draws import ENUMERATED, flip, permute, require_seed, resample
from ..engine.relations import Rows, relate, require
from ..errors import InputError, find_word, require_name, require_one_of, require_truth
from ..progress import begin
from ..result import count, shorten, show_level
from .comparison import Comparison
from .pairs import find_ranges, join_segments, list_losses, place, sort_segments, take_scores, weigh

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

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

# The draws where nothing is drawn of the pairs of runs.
_NO_DRAWS = pl.DataFrame(schema=dict.fromkeys(("metric", "run_id", "baseline"), pl.String))
NAMES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}


def compare(
    scores: Any,  # noqa: ANN401
    baseline: str | None = None,
    *,
    all_pairs: bool = False,
    metrics: str | Iterable[str] = (),
    by: str | Iterable[str] | None = None,
    weight: str | None = None,
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
    - ``baseline``: the run that the others are compared with; by default the first one.
    - ``all_pairs``: compare every pair of runs; a mean shows the letters of the runs that it beats.
    - ``metrics``: which of them; all by default.
    - ``by``: columns that divide the queries; else those of `evaluate`, or a column segment.
    - ``weight``: the column that says how much each query counts, such as how often it is asked; by
      default that of `evaluate`, or a column weight. It needs the test and interval ``"t"``.
    - ``test``: the paired ``"t"``-test, dependable for means; ``"randomization"``, which assumes
      nothing about the distribution; ``"wilcoxon"`` and ``"sign"``, which compare ranks and wins;
      ``"tukey"``, the randomized Tukey HSD test of all runs together.
    - ``correction``: for many comparisons: ``"holm"`` and ``"bonferroni"`` keep the chance of any
      false discovery below ``alpha``, ``"bh"`` and ``"by"`` the share of them; ``"none"``.
    - ``family``: what is corrected together: the comparisons of a ``"metric"``, or ``"all"``.
    - ``alpha``: the significance level. An interval has the confidence at which the correction
      tests its row: 1 - alpha for a single comparison, more for one of several.
    - ``interval``: from Student's ``"t"``, or ``"percentile"`` or ``"bca"`` of bootstrap samples;
      those of ``"tukey"`` hold for all pairs together.
    - ``within``: treat scores that differ by at most this as ties; by default, a billionth of the
      largest.
    - ``common_queries``: leave out queries that not all runs have scores of; an error otherwise.
    - ``permutations``: how many are drawn for the tests ``"randomization"`` and ``"tukey"``.
    - ``samples``: how many are drawn for the intervals ``"percentile"`` and ``"bca"``.
    - ``seed``: the seed of random draws, which do not depend on the order of rows or the number of
      threads.

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
    test = find_word(test, get_args(Test))
    correction = find_word(correction, get_args(Correction))
    require_options(locals())
    require_name("baseline", baseline, "a run")
    long, segments, notes = take_scores(scores, metrics, by, weight, con, columns)
    is_weighted = "weight" in long.columns
    if is_weighted and (test, interval) != ("t", "t"):
        raise InputError(f"with weights, test and interval are 't', not {test!r} and {interval!r}")
    if common_queries:
        long, left = _keep_common(long, segments)
        notes += left
    begin("comparing", long.height)
    baseline = baseline if baseline is not None or all_pairs else long["run_id"][0]
    with open_reader() as reader:
        divided = join_segments(long, segments)
        pairs = relate(reader, "paired", {"scores": divided}, baseline=baseline, within=within)
        given = f"{quote(test)}, {quote(correction)}, {quote(family)}, {quote(float(alpha))}"
        drawn = reader.register(_draw(pairs, test, alpha, permutations, seed))
        rows = weigh(pairs, baseline, within)
        found = f"_found AS (FROM weighted_statistics({rows}, {quote(test)}))"
        levels = reader.create(f"WITH {found} FROM leveled(_found, {drawn}, {given})")
        ends = reader.register(_resample(pairs, levels, interval, samples, seed))
        given = f"{quote(test)}, {quote(float(alpha))}, {quote(interval)}"
        tested = reader.run(f"FROM tested({levels}, {ends}, {given})")
        per_query = pairs.read()
    # a difference is within that of two scores
    ranges = find_ranges(long, scores)
    most = pl.col("metric").replace_strict({m: high - low for m, (low, high) in ranges.items()})
    tested = tested.with_columns(pl.col("low", "high").clip(-most, most))
    tested = tested.sort(place(long["run_id"], "baseline"), place(long["run_id"], "run_id"))
    tested = sort_segments(tested, divided, ["run", "interval", "change"])
    tests = tested.select(
        *("metric", *segments, "run_id", "baseline", "queries"),
        *(["effective_queries"] * is_weighted + ["mean", "baseline_mean"]),
        *("difference", "low", "high", "confidence", "wins", "ties", "losses", "effect"),
        *("p", "p_corrected", "significant", "detectable"),
    )
    keys = ["metric", *segments, "run_id", "baseline", "query_id"]
    per_query = sort_segments(per_query, divided).select(
        *keys, "score", "baseline_score", "difference", "outcome"
    )
    if losses := list_losses(tests["metric"].unique(maintain_order=True), scores):
        notes.append(f"{', '.join(losses)}: lower is better, so wins and ▲ are of the worse run")
    notes += _note_limits(tested, segments)
    return Comparison(
        tests,
        per_query.sort(keys),
        baseline,
        segments,
        alpha,
        tuple(losses),
        method=_describe_method(
            tests, baseline, test, correction, family, interval, alpha, permutations
        ),
        notes=tuple(notes),
    )


def require_options(options: Mapping[str, Any]) -> None:
    """Raise `InputError` for options that `compare` does not take; others are not looked at."""
    require_truth(**{name: options[name] for name in ("all_pairs", "common_queries")})
    if options["all_pairs"] and options["baseline"] is not None:
        raise InputError("all_pairs (--all-pairs) has no baseline; leave out one of them")
    require_seed(options["seed"])
    require_one_of("interval", options["interval"], get_args(Interval))
    names = ["test", "correction", "family", "alpha", "within", "permutations", "samples"]
    require("compared", **{name: options[name] for name in names})
    if options["test"] == "tukey" and options["interval"] != "t":
        raise InputError(
            f"interval cannot be {options['interval']!r} with the test 'tukey', whose own "
            "intervals hold for all pairs together"
        )


def _keep_common(long: pl.DataFrame, segments: tuple[str, ...]) -> tuple[pl.DataFrame, list[str]]:
    """The scores of queries that all runs have."""
    runs = pl.col("run_id").n_unique()
    kept = long.filter(runs.over("metric", *segments, "query_id") == runs.over("metric", *segments))
    left = long["query_id"].n_unique() - kept["query_id"].n_unique()
    if kept.is_empty():
        raise InputError("no query has scores for all runs")
    return kept, [f"left out {count(left, 'query')} that not all runs have"] if left else []


def _draw(pairs: Rows, test: Test, alpha: float, permutations: int, seed: int) -> pl.DataFrame:
    """The p of each pair by a test of draws, and the margin of its interval; nothing by others."""
    if test == "randomization":
        return flip(pairs, permutations, seed)
    if test != "tukey":
        return _NO_DRAWS
    differences = pairs.compute({"difference": "mean_difference(p)"})
    drawn, ranges = permute(pairs, differences, permutations, seed)
    margin = {"margin": f"tukey_margin(p, confidence := {float(1 - alpha)!r})"}
    by = [key for key in pairs.groups if key in ranges.columns]
    margins = pairs.compute(margin, rows=pairs.reader.register(ranges), by=by)
    return drawn.join(margins, on=by)


def _resample(
    pairs: Rows, levels: str, interval: Interval, samples: int, seed: int
) -> pl.DataFrame:
    """The ends of intervals from bootstrap samples, each at the level of its pair."""
    if interval == "t":
        return _NO_DRAWS
    given = pairs.reader.run(f"SELECT {', '.join(pairs.groups)}, confidence FROM {levels}")
    macro = "bootstrap_interval" if interval == "percentile" else "bca_interval"
    asked = {"ends": f"{macro}(p, confidence := g.confidence)"}
    ends = resample(pairs, asked, samples, seed, given)
    return ends.with_columns(low=pl.col("ends").list.get(0), high=pl.col("ends").list.get(1))


def _describe_method(
    tests: pl.DataFrame,
    baseline: str | None,
    test: Test,
    correction: Correction,
    family: Family,
    interval: Interval,
    alpha: float,
    permutations: int,
) -> str:
    """How it was tested, in a sentence."""
    number = tests.height if family == "all" else max(tests.group_by("metric").len()["len"])
    metrics = tests["metric"].n_unique()
    text = f"p-values are from {_TESTS[test]}"
    many = tests.filter(pl.col("wins") + pl.col("losses") > ENUMERATED).height
    drawn = f"{permutations:,}" if many or test == "tukey" else "all"
    text += f" ({drawn} permutations)" * (test in ("randomization", "tukey"))
    if test == "tukey":
        text += ", which cover all pairs of runs together"
    else:
        what = "comparisons" if family == "all" else "comparisons of each metric"
        of_all = f" for the {number} {what}" * (number > 1)
        if correction == "none":
            text += f", not corrected{of_all}"
        elif of_all:
            text += f", corrected by {NAMES[correction]}{of_all}"
    if family == "metric" and metrics > 1 and correction != "none":
        how = " (choose family all for that)" * (test != "tukey")
        text += f", not corrected for the {metrics} metrics{how}"
    kind = {
        "t": " (from Student's t)" * (test not in ("t", "tukey")),
        "bca": " (BCa, from bootstrap samples)",
        "percentile": " (from bootstrap samples)",
    }
    levels = (tests["confidence"].min(), tests["confidence"].max())
    shown = " to ".join(dict.fromkeys(map(show_level, levels)))
    text += f"; intervals{kind[interval]} have {shown} confidence"
    if test == "tukey":
        text += " for all pairs of a metric together"
    elif not tests["p"].equals(tests["p_corrected"]):
        text += ", corrected as the p-values are"
    if baseline is None:
        return f"{text}. Letters: the runs that it beats significantly, at {alpha:g}."
    return f"{text}. W/T/L: queries won, tied, lost. ▲▼: significant at {alpha:g}."


def _note_limits(tests: pl.DataFrame, segments: tuple[str, ...]) -> list[str]:
    """What the tests cannot say."""
    is_same = (pl.col("queries") > 1) & (pl.col("wins") + pl.col("losses") == 0)
    pairs = tests.group_by("run_id", "baseline", maintain_order=True)
    same = pairs.agg(is_same.all() & (pl.len() > 1)).filter("queries")["run_id", "baseline"].rows()
    notes = [
        f"{run_id} and {baseline} have the same score for every query by every metric; are these "
        "the runs that you meant?"
        for run_id, baseline in same
    ]
    for row in tests.drop_nulls("note").iter_rows(named=True):
        if (row["run_id"], row["baseline"]) not in same:
            where = "".join(f", {column} {row[column]}" for column in segments)
            what = f"{row['run_id']} and {row['baseline']} by {row['metric']}{where}"
            notes.append(f"{what}: {row['note']}")
    cautions = tests["caution"].drop_nulls().unique(maintain_order=True).to_list()
    return shorten(notes) + shorten(cautions)
