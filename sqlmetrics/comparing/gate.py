"""The gate: whether a run is good enough to be released."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..catalogue import find_file, quote
from ..catalogue.literals import read_number
from ..engine.checks import refuse_tables
from ..engine.connections import DuckDB, open_reader
from ..engine.relations import Rows
from ..errors import (
    InputError,
    read_names,
    require_dict,
    require_name,
    require_number,
    require_one_of,
    require_truth,
)
from ..result import note_few
from .compare import NAMES, Correction
from .comparison import Gate, describe_promise
from .pairs import (
    WEIGHTED,
    find_ranges,
    join_segments,
    list_losses,
    note_apart,
    read_segments,
    sort_segments,
    take_most,
    take_scores,
    weigh,
)

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

# What is refused unless it is allowed by name.
Allowed: TypeAlias = Literal["changed-queries", "one-query", "no-spread"]
# The largest loss of a metric, as a number or as a share of the baseline's score; of a query, as a
# number or with the share of the queries that may lose more.
Loss: TypeAlias = "float | str"
# A check, by the columns of the result.
Row: TypeAlias = dict[str, Any]
# The columns of the result, between the two those of segments.
_TEXTS = dict.fromkeys(["check", "kind", "metric"], pl.String)
_COLUMNS: dict[str, Any] = {
    "status": pl.String,
    **dict.fromkeys(["value", "low", "high", "limit", "detectable"], pl.Float64),
    **dict.fromkeys(["queries", "wins", "ties", "losses"], pl.Int64),
}
# From this many checks on, failures by chance are worth a note.
_MANY = 5

# What the limits of an option look like, and an example of them.
_FORMS = {
    "fail_under": ("a score such as 0.45", "{'AP': 0.3}"),
    "max_loss": ("a loss such as 0.02 or '3%'", "{'AP': 0.02}"),
    "max_query_loss": ("a loss such as 0.3 or '0.3 in 5%'", "{'AP': 0.3}"),
}


@dataclass(frozen=True)
class Limit:
    """What an option requires of a metric.

    - ``number``: the lowest mean, or the largest loss of the mean or of a query.
    - ``share``: of ``max_loss``, the share of the baseline's mean that may be lost instead; of
      ``max_query_loss``, the share of the queries that may lose more.
    """

    option: str
    metric: str
    number: float
    share: float = 0.0


def gate(
    scores: Any,  # noqa: ANN401
    run: str | None = None,
    *,
    baseline: Any = None,  # noqa: ANN401
    fail_under: Mapping[str, float] | None = None,
    max_loss: Mapping[str, Loss] | None = None,
    max_query_loss: Mapping[str, Loss] | None = None,
    by: str | Iterable[str] | None = None,
    weight: str | None = None,
    correction: Correction = "none",
    alpha: float = 0.05,
    strict: bool = False,
    allow: Iterable[Allowed] = (),
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Gate:
    """Whether a run reaches the scores required, and loses no more than allowed to a baseline.

    - ``scores``: of the run, as for `compare`; they may hold the baseline, too.
    - ``run``: which run; needed if there are several besides the baseline.
    - ``baseline``: the name of another run of the scores, by default the first that
      `evaluate` was given, or scores kept from an earlier release: a file, a frame or a result.
    - ``fail_under``: the lowest mean of a metric that passes: ``{"nDCG@10": 0.45}``.
    - ``max_loss``: how much a metric may lose: ``{"nDCG@10": 0.02}``, or ``{"nDCG@10": "3%"}`` of
      the baseline's mean. The check *passes* if the true difference is above that with 1 -
      ``alpha`` confidence (non-inferiority), and *fails* if it is below with the same confidence;
      else the queries are too few, and it is *unsure*. For a share, the interval includes the
      uncertainty of the baseline's mean.
    - ``max_query_loss``: how much a single query may lose: ``{"nDCG@10": 0.3}``, or
      ``{"nDCG@10": "0.3 in 5%"}`` if that share of the queries may lose more. It is about these
      queries; the interval is that of the share among all queries.
    - ``by``: check each segment, as well as all queries together.
    - ``weight``: as for `compare`: means, losses and shares of queries are weighted by it.
    - ``correction``: correct failures for the number of ``max_loss`` checks, as in `compare`.
      Passes need none: a run that loses too much by one metric must pass that check to pass all.
    - ``alpha``: how often a larger loss may pass, and a smaller one fail.
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
    asked = {"fail_under": fail_under, "max_loss": max_loss, "max_query_loss": max_query_loss}
    limits, allowed = read_options(alpha, correction, strict, allow, **asked)
    require_name("run", run, "a run")
    if not limits:
        raise InputError(
            "nothing to check; give a limit: max_loss={'nDCG@10': '2%'} or --max-loss nDCG@10=2%, "
            "fail_under={'nDCG@10': 0.4} or --fail-under nDCG@10=0.4"
        )
    floors, losses, query_losses = (
        {each.metric: each for each in limits if each.option == option} for option in _FORMS
    )
    paired = [*dict.fromkeys([*losses, *query_losses])]
    wanted = [*dict.fromkeys([*floors, *paired])]
    if harms := list_losses(wanted, scores):
        raise InputError(
            f"a lower {harms[0]} is better, and a gate needs metrics where higher is better; "
            "check another one"
        )
    own, segments, notes = take_scores(scores, wanted, by, weight, con, columns)
    own = join_segments(own, segments)
    runs = own["run_id"].unique(maintain_order=True).to_list()
    if baseline is None and run != runs[0] and getattr(scores, "in_order", False):
        baseline = runs[0] if len(runs) == 2 or (paired and len(runs) > 1) else None
    if paired and baseline is None:  # of runs of a table, it is not known which came first
        how = "give its run before the other"
        if len(runs) > 1:
            how = f"name it with baseline= (--baseline), one of {', '.join(runs)}"
        loss = "max_loss (--max-loss)" if losses else "max_query_loss (--max-query-loss)"
        raise InputError(f"{loss} needs a baseline; {how}")
    kept, before = own, baseline
    if baseline is not None and not (isinstance(baseline, str) and baseline in runs):
        kept, before, more = _read_baseline(baseline, runs, paired, con, columns)
        notes += more
        _require_same_scale(own, kept, paired)
    name = _choose_run(runs, run, before if kept is own else None)
    if kept is not own:
        notes += note_apart(scores, name, baseline)
    ranges = find_ranges(own, scores)
    _require_possible(limits, ranges)
    new = own.filter(run_id=name).with_columns(run_id=pl.lit("run"))
    old = kept.filter(pl.col("run_id").eq_missing(pl.lit(before)))
    old = old.with_columns(run_id=pl.lit("baseline"))
    both = _match_queries(new, old, paired, allowed)
    wide = _widen(both)
    shares = dict.fromkeys(query_losses, (0.0, 1.0))
    lost = _find_lost(wide, query_losses)
    rows: list[Row] = []
    with open_reader() as reader:
        for limited, scored, known in (
            (floors, new, ranges),
            (losses, both, ranges),
            (query_losses, lost, shares),
        ):
            if limited:
                found = _check(reader, scored, limited, known, correction, alpha)
                rows += ({**row, **_decide(row, limited[row["metric"]])} for row in found)
    tested = [row for row in rows if row["kind"] == "loss"]
    _require_sense(tested, losses, segments, allowed, f"{name} and {before}")
    notes += _note_number(tested, alpha, correction)
    checks = pl.DataFrame(rows, {**_TEXTS, **read_segments(new), **_COLUMNS})
    if "unsure" in checks["status"] and not strict:
        notes.append("unsure: too few queries to decide; it fails only if strict (--strict)")
    if losses:
        fewest = min(row.get("effective_queries") or row["queries"] for row in rows)
        notes += note_few(fewest, what="differences")
    method = f"Run: {name}{f', baseline: {before}' if paired else ''}. "
    method += describe_promise(checks, alpha)
    worst = take_most(wide.filter(pl.col("difference") < 0), ["metric"], 5)
    worst = worst.select("metric", "query_id", "baseline_score", "score", "difference")
    return Gate(checks, worst, segments, strict, alpha, method=method, notes=tuple(notes))


def read_options(
    alpha: float, correction: Correction, strict: bool, allow: Iterable[Allowed], **limits: object
) -> tuple[list[Limit], set[Allowed]]:
    """The limits of each option, and what is allowed; raises `InputError` for what is none."""
    found = [
        _read_limit(option, str(metric), limit)
        for option, given in limits.items()
        for metric, limit in require_dict(option, given, _FORMS[option][1]).items()
    ]
    require_number("alpha", alpha, 0, 0.5)
    require_one_of("correction", correction, get_args(Correction))
    require_truth(strict=strict)
    allowed: set[Any] = {*read_names("allow", allow)}
    for each in allowed:
        require_one_of("allow", each, get_args(Allowed))
    return found, allowed


def _read_limit(option: str, metric: str, limit: object) -> Limit:
    words = [limit]
    if option == "max_query_loss":  # no query, unless it says more
        words = re.split(r"\s+in\s+", limit) if isinstance(limit, str) else [limit]
        words += [0] * (len(words) == 1)
    needed = _FORMS[option][0]
    match option, [read_number(each) for each in words]:
        case "fail_under", [(score, _)]:
            return Limit(option, metric, score)
        case "max_loss", [(loss, is_share)]:
            if loss > 0:
                return Limit(option, metric, 0, loss) if is_share else Limit(option, metric, loss)
            needed = "above 0"
        case "max_query_loss", [(loss, False), (share, _)]:
            if loss > 0 and 0 <= share < 1:
                return Limit(option, metric, loss, share)
            needed = "above 0, in less than 100% of the queries"
    raise InputError(f"{option} of {metric} must be {needed}, not {limit!r}")


def _require_possible(limits: Sequence[Limit], ranges: Mapping[str, tuple[float, float]]) -> None:
    """Raise `InputError` for limits that every run is within, or none, whatever its scores."""
    for limit in limits:
        said, (lowest, highest) = f"{limit.option} of {limit.metric} is", ranges[limit.metric]
        if limit.option == "fail_under" and not lowest <= limit.number <= highest:
            raise InputError(
                f"{said} {limit.number:g}, and its scores are from {lowest:g} to {highest:g}"
            )
        if limit.option == "max_loss" and limit.share > 1 and lowest >= 0:
            raise InputError(
                f"{said} {100 * limit.share:g}% of the baseline's score, more than it can lose"
            )
        if limit.option != "fail_under" and limit.number > highest - lowest:
            hint = f"; write {limit.number:g}% for a share of the baseline's score"
            raise InputError(
                f"{said} {limit.number:g}, more than it can lose"
                + hint * (limit.option == "max_loss")
            )


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
    kept, _, notes = take_scores(baseline, metrics, (), None, con, columns)
    kept = kept.select("run_id", "query_id", "metric", "score")
    names = kept["run_id"].unique().sort()
    if len(names) != 1:
        raise InputError(f"the baseline has several runs: {', '.join(names)}; keep one")
    said = "only the weights of the run count, not those of the baseline's file"
    return kept, names[0], [said if each.startswith(WEIGHTED) else each for each in notes]


def _require_same_scale(own: pl.DataFrame, kept: pl.DataFrame, metrics: Sequence[str]) -> None:
    """Raise `InputError` if one of the scores has left a metric's range, and the other has not."""
    new, old = find_ranges(own), find_ranges(kept)
    for metric in metrics:
        if new[metric] != old[metric]:
            raise InputError(
                f"the run and the baseline have {metric} on different scales, such as 0.5 and 50; "
                "one of them is not within the range of the metric"
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
    new: pl.DataFrame, old: pl.DataFrame, metrics: Sequence[str], allowed: set[Allowed]
) -> pl.DataFrame:
    """The scores of both by these metrics, with the segments (and weights) of the run's queries."""
    new, old = (frame.filter(pl.col("metric").is_in(metrics)) for frame in (new, old))
    now, then = ({*frame["query_id"]} for frame in (new, old))
    if metrics and not now & then:
        raise InputError("the run and the baseline have no query in common")
    if now != then and "changed-queries" not in allowed:
        changes = [
            f"{len(ids)} {what}, such as {min(ids)}"
            for what, ids in (("only in the run", now - then), ("only in the baseline", then - now))
            if ids
        ]
        raise InputError(
            f"the queries have changed: {'; '.join(changes)}. To compare those that both have: "
            "allow='changed-queries' or --allow changed-queries"
        )
    known = new.drop("run_id", "score", *{"weight"} & {*old.columns}).unique()
    old = old.drop("segment", strict=False)
    old = old.join(known, on=["metric", "query_id"], maintain_order="left")
    both = pl.concat([new, old.select(new.columns)])
    return both.filter(pl.col("run_id").n_unique().over("metric", "query_id") == 2)


def _widen(both: pl.DataFrame) -> pl.DataFrame:
    """The run's scores, each with the ``baseline_score`` and the ``difference`` beside."""
    before = both.filter(run_id="baseline").select("metric", "query_id", baseline_score="score")
    found = both.filter(run_id="run").join(before, on=["metric", "query_id"])
    return found.with_columns(difference=pl.col("score") - pl.col("baseline_score"))


def _find_lost(both: pl.DataFrame, limits: Mapping[str, Limit]) -> pl.DataFrame:
    """1 for each query that loses too much by a metric, and 0 for others, as scores."""
    numbers = {metric: limit.number for metric, limit in limits.items()}
    most = pl.col("metric").replace_strict(numbers, default=None, return_dtype=pl.Float64)
    largest = pl.max_horizontal(pl.col("score", "baseline_score").abs()).max().over("metric")
    loses = -pl.col("difference") > most + 1e-9 * largest
    return both.with_columns(score=loses.cast(pl.Float64))


def _check(
    reader: DuckDB,
    scores: pl.DataFrame,
    limits: Mapping[str, Limit],
    ranges: Mapping[str, tuple[float, float]],
    correction: Correction,
    alpha: float,
) -> list[Row]:
    """What is found by each metric that has a limit, of all queries and then of each segment.

    Raises `InputError` for scores that are not numbers, and for a query that has two.
    """
    numbers = dict.fromkeys(["number", "share", "lowest", "highest"], pl.Float64)
    listed = [(m, each.number, each.share, *ranges[m]) for m, each in limits.items()]
    limited = pl.DataFrame(listed, {"metric": pl.String, **numbers}, orient="row")
    scores = scores.join(limited, on="metric")
    table = reader.register(scores.drop("segment", strict=False))
    refuse_tables(reader, find_file("means"), {"scores": table}, {})
    if "segment" in scores.columns:  # of all queries it is null
        both = [scores.with_columns(segment=None), scores]
        table = reader.register(pl.concat(both, how="vertical_relaxed"))
    if "max_loss" in {each.option for each in limits.values()}:
        pairs = reader.create(f"FROM paired({table}, baseline := 'baseline')")
        rows = weigh(Rows(reader, pairs, {"scores": table}, ()), "baseline")
        given = f"{rows}, {reader.register(limited)}, {quote(correction)}, {quote(float(alpha))}"
        found = reader.run(f"FROM tested_losses({given})")
    else:
        query = f"SELECT *, mean AS value FROM means({table}, alpha := {quote(2 * float(alpha))})"
        found = reader.run(query)
    found = found.with_columns(is_part=pl.col("segment").is_not_null())
    found = sort_segments(found, scores, [*_TEXTS, *_COLUMNS, "result"])
    return found.sort("is_part", maintain_order=True).to_dicts()


def _decide(row: Row, limit: Limit) -> Row:
    """What a check is called, its kind, its limit and its status."""
    metric, share = limit.metric, limit.share
    if limit.option == "max_loss":
        shown = f"{100 * share:g}% ({-row['limit']:.4f})" if share else f"{limit.number:g}"
        return {"check": f"{metric} loses at most {shown}", "kind": "loss"}
    if limit.option == "fail_under":
        kind, least = "floor", limit.number
        check = f"{metric} at least {least:g}"
    else:
        kind, least = "query loss", share
        most = f"at most {100 * share:g}% of queries lose" if share else "no query loses"
        check = f"{metric}: {most} more than {limit.number:g}"
    passes = isclose(row["value"], least) or (row["value"] > least) == (kind == "floor")
    return {"check": check, "kind": kind, "limit": least, "status": ("failed", "passed")[passes]}


def _require_sense(
    tested: Sequence[Row],
    losses: Mapping[str, Limit],
    segments: Sequence[str],
    allowed: set[Allowed],
    names: str,
) -> None:
    """Raise `InputError` for differences that nothing follows from, unless allowed."""
    for row in tested:
        limit = losses[row["metric"]]
        divided = segments if row["is_part"] else ()
        where = row["metric"] + "".join(f", {column} {row[column]}" for column in divided)
        if row["queries"] < 2 and "one-query" not in allowed:
            raise InputError(
                f"{where}: one query cannot decide; to decide anyway: "
                "allow='one-query' or --allow one-query"
            )
        if row["queries"] > 1 and not row["varies"] and "no-spread" not in allowed:
            same = "difference" if row["wins"] + row["losses"] else "score"
            raise InputError(
                f"{where}: {names} have the same {same} for every query; are these the runs that "
                "you meant? To decide anyway: allow='no-spread' or --allow no-spread"
            )
        if limit.number > 1 and row["baseline_mean"] <= 1:
            raise InputError(
                f"max_loss of {limit.metric} is {limit.number:g}, more than it can lose; write "
                f"{limit.number:g}% for a share of the baseline's score"
            )
        if limit.share and row["baseline_mean"] <= 0:
            raise InputError(
                f"max_loss of {limit.metric} is a share of the baseline's score, which is "
                f"{row['baseline_mean']:g}; give a number such as 0.02"
            )


def _note_number(tested: Sequence[Row], alpha: float, correction: Correction) -> list[str]:
    """What the number of tests means for failures."""
    number = len(tested)
    if spared := sum(row["p_fail"] < alpha and row["status"] == "unsure" for row in tested):
        return [
            f"{spared} of {number} checks would fail alone, but not when corrected by "
            f"{NAMES[correction]} for their number"
        ]
    if correction == "none" and number >= _MANY:
        return [
            f"{number} checks are not corrected for their number: a run at its limits fails one "
            "by chance more often; a correction (--correction holm) prevents that"
        ]
    return []
