"""The gate: whether a run is good enough to be released."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..catalogue.literals import read_number
from ..errors import (
    InputError,
    read_names,
    require_dict,
    require_name,
    require_number,
    require_one_of,
    require_truth,
)
from ..running.connections import open_reader
from ..running.relations import relate
from .correction import NAMES, Correction, correct
from .scores import (
    FEW,
    find_ranges,
    join_segments,
    list_losses,
    note_apart,
    settle,
    sort_segments,
    take_scores,
)
from .verdict import Gate, describe_promise

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

# What is refused unless it is allowed by name.
Allowed: TypeAlias = Literal["changed-queries", "one-query", "no-spread"]
# The largest loss of a metric, as a number or as a share of the baseline's score; of a query, as a
# number or with the share of the queries that may lose more.
Limit: TypeAlias = "float | str"
# The scores of a run that is compared with a number.
_NOTHING = "baseline"
# From this many checks on, failures by luck are worth a note.
_MANY = 5


def gate(
    scores: Any,  # noqa: ANN401
    run: str | None = None,
    *,
    baseline: Any = None,  # noqa: ANN401
    fail_under: Mapping[str, float] | None = None,
    max_loss: Mapping[str, Limit] | None = None,
    max_query_loss: Mapping[str, Limit] | None = None,
    by: str | Iterable[str] | None = None,
    alpha: float = 0.05,
    correction: Correction = "none",
    strict: bool = False,
    allow: Iterable[Allowed] = (),
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Gate:
    """Whether a run reaches the scores required, and loses no more than allowed to a baseline.

    - ``scores``: of the run, as for `compare`; they may hold the baseline, too.
    - ``run``: which run; needed if there are several besides the baseline.
    - ``baseline``: the name of another run of the scores, or scores kept from an earlier release: a
      file, a frame or what `evaluate` returned.
    - ``fail_under``: the lowest mean of a metric that passes: ``{"nDCG@10": 0.45}``.
    - ``max_loss``: how much a metric may lose: ``{"nDCG@10": 0.02}``, or ``{"nDCG@10": "3%"}`` of
      the baseline's mean. It *passed* if the true difference is above that with 1 - ``alpha``
      confidence (non-inferiority), and *failed* if it is below with the same confidence; else the
      queries are too few, and it is *unsure*. For a share, the interval includes the uncertainty of
      the baseline's mean.
    - ``max_query_loss``: how much a single query may lose: ``{"nDCG@10": 0.3}``, or
      ``{"nDCG@10": "0.3 in 5%"}`` if that share of the queries may lose more. It is about these
      queries; the interval is that of the share among all queries.
    - ``by``: check each segment, as well as all queries together.
    - ``alpha``: how often a larger loss may pass, and a smaller one fail.
    - ``correction``: of the failures for the number of ``max_loss`` checks, as in `compare`. Passes
      need none: a run that loses too much by one metric must pass that check to pass all.
    - ``strict``: fail unsure checks, too.
    - ``allow``: allow what is refused otherwise: ``"changed-queries"`` (compare those that both
      have), ``"one-query"`` and ``"no-spread"`` (the same difference for every query, such as a run
      against itself), which are then decided by the difference alone.

    In a test: ``assert sm.gate(scores, baseline="kept.parquet", max_loss={"nDCG@10": 0.02})``.

    Raises `InputError` for scores that cannot be compared and for limits that make no sense.

    >>> scores = pl.DataFrame({"run_id": "new", "query_id": ["1", "2"], "AP": [0.5, 0.7]})
    >>> found = gate(scores, fail_under={"AP": 0.55})
    >>> found.status, bool(found)
    ('passed', True)
    """
    floors, losses, query_losses = read_limits(fail_under, max_loss, max_query_loss)
    require_number("alpha", alpha, 0, 0.5)
    require_one_of("correction", correction, get_args(Correction))
    require_truth(strict=strict)
    require_name("run", run, "a run")
    allowed: set[Any] = {*read_names("allow", allow)}
    for each in allowed:
        require_one_of("allow", each, get_args(Allowed))
    if not floors and not losses and not query_losses:
        raise InputError(
            "nothing to check; give fail_under (--fail-under), max_loss (--max-loss) or "
            "max_query_loss (--max-query-loss)"
        )
    if (losses or query_losses) and baseline is None:
        option = "max_loss (--max-loss)" if losses else "max_query_loss (--max-query-loss)"
        raise InputError(f"{option} needs a baseline")
    by_query = [*dict.fromkeys([*losses, *query_losses])]
    if harms := list_losses([*floors, *by_query], scores):
        raise InputError(
            f"a lower {harms[0]} is better, and a gate is for metrics of which a higher score is; "
            "check another one"
        )
    wanted = [*dict.fromkeys([*floors, *by_query])]
    own, segments, notes = take_scores(scores, wanted, by, con, columns)
    kept, before = own, baseline
    runs = own["run_id"].unique().sort().to_list()
    if baseline is not None and not (isinstance(baseline, str) and baseline in runs):
        kept, before, more = _read_baseline(baseline, runs, by_query, con, columns)
        notes += more
        _require_same_scale(own, kept, by_query)
    name = _choose_run(runs, run, before if kept is own else None)
    if kept is not own:
        notes += note_apart(scores, name, baseline)
    new = own.filter(run_id=name).with_columns(run_id=pl.lit("run"))
    groups: list[tuple[str, ...]] = [(), segments] if segments else [()]
    ranges = find_ranges(own, scores)
    _require_possible(floors, losses, query_losses, ranges)
    rows = [
        row
        for each in groups
        for row in _check_floors(
            new.filter(pl.col("metric").is_in([*floors])), floors, ranges, each, alpha
        )
    ]
    worst = pl.DataFrame()
    if by_query:
        old = kept.filter(run_id=before).with_columns(run_id=pl.lit(_NOTHING))
        both = _match_queries(new, old, segments, by_query, allowed)
        names = f"{name} and {before}"
        checked = [
            row
            for each in groups
            for row in _check_losses(both, losses, ranges, each, alpha, allowed, names)
        ]
        notes += _decide(checked, alpha, correction)
        rows += checked
        rows += [r for each in groups for r in _check_queries(both, query_losses, each, alpha)]
        worst = _list_worst(both)
    schema = _make_schema(new, segments)
    checks = pl.DataFrame([{key: row.get(key) for key in schema} for row in rows], schema)
    if "unsure" in checks["status"]:
        notes.append("unsure: the interval reaches beyond the limit; more queries would decide")
    if min(row["queries"] for row in rows) < FEW and losses:
        notes.append(
            f"with fewer than {FEW} queries, intervals are a rough guide: they assume differences "
            "that are nearly normal"
        )
    method = describe_promise(checks, alpha)
    return Gate(checks, worst, segments, strict, alpha, method=method, notes=tuple(notes))


def _read_baseline(
    baseline: object,
    runs: Sequence[str],
    metrics: Sequence[str],
    con: duckdb.DuckDBPyConnection | None,
    columns: Columns | None,
) -> tuple[pl.DataFrame, str, list[str]]:
    """The scores of an earlier release, the name of their run, and notes."""
    if isinstance(baseline, str) and not re.search(r"[./]", baseline) and con is None:
        raise InputError(f"no run or file named {baseline!r}; the runs are {', '.join(runs)}")
    kept, _, notes = take_scores(baseline, metrics, (), con, columns)
    names = kept["run_id"].unique().sort()
    if len(names) != 1:
        raise InputError(f"the baseline has several runs: {', '.join(names)}; keep one")
    return kept, names[0], notes


def _require_same_scale(own: pl.DataFrame, kept: pl.DataFrame, metrics: Sequence[str]) -> None:
    """Raise `InputError` if one of the scores has left a metric's range, and the other has not."""
    checked = pl.col("metric").is_in(metrics)
    new, old = (find_ranges(each.filter(checked)) for each in (own, kept))
    differ = new.join(old, on="metric").filter(pl.col("highest") != pl.col("highest_right"))
    for metric in differ["metric"]:
        raise InputError(
            f"the run and the baseline have {metric} on different scales, such as 0.5 and 50; one "
            "of them is not within the range of the metric"
        )


def _make_schema(new: pl.DataFrame, segments: Sequence[str]) -> dict[str, Any]:
    numbers = dict.fromkeys(["value", "low", "high", "limit", "detectable"], pl.Float64)
    counts = dict.fromkeys(["queries", "wins", "ties", "losses"], pl.Int64)
    kept = {column: new.schema[column] for column in segments}
    texts = {"check": pl.String, "kind": pl.String, "metric": pl.String}
    return {**texts, **kept, "status": pl.String, **numbers, **counts}


def read_limits(
    fail_under: object, max_loss: object, max_query_loss: object
) -> tuple[dict[str, float], dict[str, tuple[float, bool]], dict[str, tuple[float, float]]]:
    """The limits as numbers; raises `InputError` for what is none."""
    return _read_floors(fail_under), _read_losses(max_loss), _read_query_losses(max_query_loss)


def _read_floors(given: object) -> dict[str, float]:
    found = {}
    for metric, least in require_dict("fail_under", given, "{'AP': 0.3}").items():
        if (number := read_number(least)) is None:
            raise InputError(f"fail_under of {metric} must be a score such as 0.45, not {least!r}")
        found[str(metric)] = number[0]
    return found


def _read_losses(given: object) -> dict[str, tuple[float, bool]]:
    """By metric, the limit, and whether it is a share of the baseline's mean."""
    found = {}
    for metric, limit in require_dict("max_loss", given, "{'AP': 0.02}").items():
        if (number := read_number(limit)) is None:
            raise InputError(
                f"max_loss of {metric} must be a loss such as 0.02 or '3%', not {limit!r}"
            )
        if number[0] <= 0:
            raise InputError(f"max_loss of {metric} must be above 0, not {limit!r}")
        found[str(metric)] = number
    return found


def _read_query_losses(given: object) -> dict[str, tuple[float, float]]:
    """By metric, the loss that a query may have, and the share of queries that may lose more."""
    found = {}
    for metric, limit in require_dict("max_query_loss", given, "{'AP': 0.3}").items():
        words = re.split(r"\s+in\s+", limit) if isinstance(limit, str) else [limit]
        loss, share = (read_number(each) for each in [*words, 0][:2])
        if loss is None or share is None or loss[1] or len(words) > 2:
            raise InputError(
                f"max_query_loss of {metric} must be a loss such as 0.3 or '0.3 in 5%', not "
                f"{limit!r}"
            )
        if loss[0] <= 0 or not 0 <= share[0] < 1:
            raise InputError(
                f"max_query_loss of {metric} must be above 0, in less than 100% of the queries, "
                f"not {limit!r}"
            )
        found[str(metric)] = loss[0], share[0]
    return found


def _require_possible(
    floors: Mapping[str, float],
    losses: Mapping[str, tuple[float, bool]],
    query_losses: Mapping[str, tuple[float, float]],
    ranges: pl.DataFrame,
) -> None:
    """Raise `InputError` for limits that every run is within, or none, whatever its scores."""
    for metric, lowest, highest in ranges.iter_rows():
        least = floors.get(metric, lowest)
        if not lowest <= least <= highest:
            raise InputError(
                f"fail_under of {metric} is {least:g}, and its scores are from {lowest:g} to "
                f"{highest:g}"
            )
        loss, is_share = losses.get(metric, (0, False))
        if is_share and loss > 1 and lowest >= 0:
            raise InputError(
                f"max_loss of {metric} is {100 * loss:g}% of the baseline's score, more than it "
                "can lose"
            )
        for option, most in (
            ("max_loss", 0 if is_share else loss),
            ("max_query_loss", query_losses.get(metric, (0, 0))[0]),
        ):
            if most > highest - lowest:
                raise InputError(
                    f"{option} of {metric} is {most:g}, more than it can lose"
                    + f"; write {most:g}% for a share of the baseline's score"
                    * (option == "max_loss")
                )


def _choose_run(runs: Sequence[str], run: str | None, baseline: str | None) -> str:
    names = [name for name in runs if name != baseline]
    if run is None and len(names) == 1:
        return names[0]
    if run is None:
        raise InputError(f"which run should pass? Name one of {', '.join(names) or 'none'}")
    if run not in names:
        raise InputError(f"no run named {run!r}; the runs are {', '.join(names)}")
    return run


def _match_queries(
    new: pl.DataFrame,
    old: pl.DataFrame,
    segments: Sequence[str],
    metrics: Sequence[str],
    allowed: set[Allowed],
) -> pl.DataFrame:
    """The scores of both by these metrics, with the segments of the run's queries."""
    new, old = (frame.filter(pl.col("metric").is_in(metrics)) for frame in (new, old))
    now, then = ({*frame["query_id"]} for frame in (new, old))
    if not now & then:
        raise InputError("the run and the baseline have no query in common")
    if now != then and "changed-queries" not in allowed:
        changes = [
            f"{len(ids)} {what}, such as {min(ids)}"
            for what, ids in (("only in the run", now - then), ("only in the baseline", then - now))
            if ids
        ]
        raise InputError(
            f"the queries have changed: {'; '.join(changes)}. To compare those that both have, "
            "allow changed-queries"
        )
    known = new.select("query_id", *segments).unique()
    columns = ["run_id", "query_id", "metric", "score"]
    both = pl.concat([new.select(columns), old.select(columns)]).join(known, on="query_id")
    return both.filter(pl.col("run_id").n_unique().over("metric", "query_id") == 2)


def _check_floors(
    new: pl.DataFrame,
    floors: Mapping[str, float],
    ranges: pl.DataFrame,
    segments: Sequence[str],
    alpha: float,
) -> Iterator[dict[str, Any]]:
    """Each metric against its floor, by the run's mean."""
    for row in _ask_means(new, ranges, segments, alpha):
        least = floors[row["metric"]]
        yield {
            **row,
            "check": f"{row['metric']} at least {least:g}",
            "kind": "floor",
            "status": "passed" if row["value"] >= least else "failed",
            "limit": least,
        }


def _check_queries(
    both: pl.DataFrame,
    losses: Mapping[str, tuple[float, float]],
    segments: Sequence[str],
    alpha: float,
) -> Iterator[dict[str, Any]]:
    """The share of queries that lose too much by each metric, against the share that may."""
    keys = ["metric", "query_id", *segments]
    wide = both.pivot("run_id", index=keys, values="score")
    limit = pl.col("metric").replace_strict(
        {metric: loss for metric, (loss, _) in losses.items()}, default=None
    )
    largest = pl.max_horizontal(pl.col("baseline", "run").abs()).max().over("metric")
    loses = (pl.col("baseline") - pl.col("run") > limit + 1e-9 * largest).cast(pl.Float64)
    lost = wide.filter(limit.is_not_null()).select(*keys, run_id=pl.lit("run"), score=loses)
    ranges = pl.DataFrame({"metric": [*losses], "lowest": 0.0, "highest": 1.0}, strict=False)
    for row in _ask_means(lost, ranges, segments, alpha):
        loss, share = losses[row["metric"]]
        often = f"in at most {100 * share:g}% of queries" if share else "in no query"
        yield {
            **row,
            "check": f"{row['metric']} loses more than {loss:g} {often}",
            "kind": "query loss",
            "status": "passed" if row["value"] <= share else "failed",
            "limit": share,
        }


# A metric without limits has no such interval.
_HIGHEST = "CASE WHEN isfinite(g.highest - g.lowest) THEN g.highest END"


def _ask_means(
    new: pl.DataFrame, ranges: pl.DataFrame, segments: Sequence[str], alpha: float
) -> Iterator[dict[str, Any]]:
    """The mean of each metric, and segment, with an interval within the metric's range."""
    if new.is_empty():
        return
    nothing = new.with_columns(run_id=pl.lit(_NOTHING), score=pl.lit(0.0))
    confidence = 1 - 2 * alpha
    found = _ask(
        pl.concat([new, nothing]),
        segments,
        {
            "queries": "count(*)",
            "value": "avg(p.score)",
            "margin": f"margin_of_error(p, confidence := {float(confidence)!r})",
            "ends": f"mean_interval(p, g.lowest, {_HIGHEST}, confidence := {float(confidence)!r})",
            **{name: f"g.{name}" for name in ("lowest", "highest")},
        },
        ranges,
    )
    for row in found:
        low, high = row["value"] - (row["margin"] or 0), row["value"] + (row["margin"] or 0)
        if row["highest"] - row["lowest"] < inf:
            low, high = row["ends"] or (None, None)
        elif not row["margin"]:
            low = high = None
        else:
            low = max(low, row["lowest"])
        yield {
            **{key: row[key] for key in ("metric", *segments, "value", "queries")},
            "low": low,
            "high": high,
        }


def _ask(
    both: pl.DataFrame,
    segments: Sequence[str],
    statistics: Mapping[str, str],
    given: pl.DataFrame | None = None,
) -> list[dict[str, Any]]:
    """Statistics of the run against the baseline by each metric, and segment.

    ``given`` has numbers for each metric, which the statistics use as ``g.limit``.
    """
    with open_reader() as reader:
        scores = join_segments(both, segments)
        pairs = relate(reader, "paired", {"scores": scores}, baseline=_NOTHING)
        found = pairs.ask(statistics, given=given)
    return [*sort_segments(found, both, segments).iter_rows(named=True)]


def _check_losses(
    both: pl.DataFrame,
    losses: Mapping[str, tuple[float, bool]],
    ranges: pl.DataFrame,
    segments: Sequence[str],
    alpha: float,
    allowed: set[Allowed],
    names: str,
) -> Iterator[dict[str, Any]]:
    """Each metric against its largest loss, with p of a larger loss and of a smaller one."""
    both = both.filter(pl.col("metric").is_in([*losses]))
    if both.is_empty():
        return
    found = _ask(
        both,
        segments,
        {
            "queries": "count(*)",
            "baseline_mean": "avg(p.baseline_score)",
            "difference": "mean_difference(p)",
            "wins": "wins(p)",
            "ties": "ties(p)",
            "losses": "losses(p)",
            "varies": "varies(p)",
        },
    )
    for row in found:
        _require_sense(row, segments, allowed, names)
        limit, is_share = losses[row["metric"]]
        if not is_share and limit > 1 and row["baseline_mean"] <= 1:
            raise InputError(
                f"max_loss of {row['metric']} is {limit:g}, more than it can lose; write "
                f"{limit:g}% for a share of the baseline's score"
            )
        if is_share and row["baseline_mean"] <= 0:
            raise InputError(
                f"max_loss of {row['metric']} is a share of the baseline's score, which is "
                f"{row['baseline_mean']:g}; give a number such as 0.02"
            )
    # a share of the baseline's mean is lost if run - (1 - share) · baseline is below 0, whose
    # spread includes that of the baseline
    shares = {metric: limit for metric, (limit, is_share) in losses.items() if is_share}
    kept = 1 - pl.col("metric").replace_strict(shares, default=0.0, return_dtype=pl.Float64)
    is_old = pl.col("run_id") == _NOTHING
    scaled = both.with_columns(
        score=pl.when(is_old).then(pl.col("score") * kept).otherwise("score")
    )
    limits = {metric: 0.0 if is_share else -limit for metric, (limit, is_share) in losses.items()}
    against = _ask(
        scaled,
        segments,
        {
            "margin": f"margin_of_error(p, confidence := {float(1 - 2 * alpha)!r})",
            "detectable": f"detectable_difference(p, alpha := {float(2 * alpha)!r})",
            "p_pass": "paired_t(p, margin := g.\"limit\", alternative := 'greater')",
            "p_fail": "paired_t(p, margin := g.\"limit\", alternative := 'less')",
        },
        pl.DataFrame({"metric": [*limits], "limit": [*limits.values()]}),
    )
    widths = {metric: highest - lowest for metric, lowest, highest in ranges.iter_rows()}
    for row, test in zip(found, against, strict=True):
        metric, difference = row["metric"], row["difference"]
        limit, is_share = losses[metric]
        most = limit * row["baseline_mean"] if is_share else limit
        shown = f"{100 * limit:g}% ({most:.4f})" if is_share else f"{limit:g}"
        can_vary = row["queries"] > 1 and row["varies"]
        yield {
            **{key: row[key] for key in ("metric", *segments, "queries", "wins", "ties", "losses")},
            "check": f"{metric} loses at most {shown}",
            "kind": "loss",
            "value": difference,
            "low": max(difference - test["margin"], -widths[metric]) if can_vary else None,
            "high": min(difference + test["margin"], widths[metric]) if can_vary else None,
            "limit": -most,
            "detectable": test["detectable"] if can_vary else None,
            "p_pass": test["p_pass"] if can_vary else float(difference < -most),
            "p_fail": test["p_fail"] if can_vary else float(difference >= -most),
        }


def _require_sense(
    row: Mapping[str, Any], segments: Sequence[str], allowed: set[Allowed], names: str
) -> None:
    """Raise `InputError` for differences that no interval can be made of, unless allowed."""
    where = row["metric"] + "".join(f", {column} {row[column]}" for column in segments)
    if row["queries"] < 2 and "one-query" not in allowed:
        raise InputError(f"{where}: one query cannot decide; to decide anyway, allow one-query")
    if row["queries"] > 1 and not row["varies"] and "no-spread" not in allowed:
        same = "difference" if row["wins"] + row["losses"] else "score"
        raise InputError(
            f"{where}: {names} have the same {same} for every query; are these the runs that you "
            "meant? To decide anyway, allow no-spread"
        )


def _decide(rows: list[dict[str, Any]], alpha: float, correction: Correction) -> list[str]:
    """Add the status of each check, and return remarks."""
    if not rows:
        return []
    tests = pl.DataFrame({"p": [row["p_fail"] for row in rows]})
    with open_reader() as reader:
        tests = correct(reader, tests, correction, alpha, pl.lit("all"))
    for row, p in zip(rows, tests["p_corrected"], strict=True):
        row["status"] = "passed" if row["p_pass"] <= alpha else "failed" if p < alpha else "unsure"
    spared = sum(row["p_fail"] < alpha and row["status"] == "unsure" for row in rows)
    if spared:
        return [
            f"{spared} of {len(rows)} checks would fail alone, but not when corrected by "
            f"{NAMES[correction]} for their number"
        ]
    if correction == "none" and len(rows) >= _MANY:
        return [
            f"{len(rows)} checks are not corrected for their number: a run at its limits fails one "
            "by luck more often; a correction (--correction holm) prevents that"
        ]
    return []


def _list_worst(both: pl.DataFrame, number: int = 5) -> pl.DataFrame:
    """The queries that lost most by each metric."""
    scores = both.pivot("run_id", index=["metric", "query_id"], values="score")
    found = scores.select(
        *("metric", "query_id"),
        baseline_score=pl.col("baseline"),
        score=pl.col("run"),
        difference=pl.col("run") - pl.col("baseline"),
    ).filter(pl.col("difference") < 0)
    size = pl.max_horizontal(pl.col("score", "baseline_score").abs())
    order = [settle("difference", size).over("metric"), pl.col("query_id")]
    return found.sort(order).group_by("metric", maintain_order=True).head(number)
