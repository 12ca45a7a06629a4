"""The gate: whether a run is good enough to be released."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..engines.connections import open_reader
from ..engines.pairs import pair
from ..errors import InputError
from .scores import label_metrics, require_number, take_scores
from .verdict import Gate, Status

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

# What is refused unless it is allowed by name.
Allowed: TypeAlias = Literal["changed-queries", "one-query", "no-spread"]
# The largest loss of a metric, as a number or as a share of the baseline's score.
Limit: TypeAlias = "float | str"


def gate(
    scores: Any,  # noqa: ANN401
    run: str | None = None,
    *,
    baseline: Any = None,  # noqa: ANN401
    fail_under: Mapping[str, float] | None = None,
    max_loss: Mapping[str, Limit] | None = None,
    by: str | Iterable[str] | None = None,
    alpha: float = 0.05,
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
      confidence (non-inferiority); it *failed* if it is below, or if the difference is below and is
      a significant loss; else the queries are too few, and it is *unsure*.
    - ``by``: check each segment, as well as all queries together.
    - ``strict``: unsure checks fail.
    - ``allow``: what is refused otherwise: ``"changed-queries"`` (compare those that both have),
      ``"one-query"`` and ``"no-spread"`` (the same difference for every query, such as a run
      against itself), which are then decided by the difference alone.

    In a test: ``assert sm.gate(scores, baseline="kept.parquet", max_loss={"nDCG@10": 0.02})``.

    Raises `InputError` for scores that cannot be compared and for limits that make no sense.

    >>> scores = pl.DataFrame({"run_id": "new", "query_id": ["1", "2"], "AP": [0.5, 0.7]})
    >>> found = gate(scores, fail_under={"AP": 0.55})
    >>> found.status, bool(found)
    ('passed', True)
    """
    floors = _read_floors(fail_under or {})
    losses = _read_losses(max_loss or {})
    require_number("alpha", alpha, 0, 0.5)
    allowed = {*([allow] if isinstance(allow, str) else allow)}
    if strange := allowed - {*get_args(Allowed)}:
        raise InputError(f"allow cannot be {min(strange)!r}; it is {', '.join(get_args(Allowed))}")
    if not floors and not losses:
        raise InputError(
            "nothing to check; give fail_under (--fail-under) or max_loss (--max-loss)"
        )
    if losses and baseline is None:
        raise InputError("max_loss (--max-loss) needs a baseline")
    wanted = [*dict.fromkeys([*floors, *losses])]
    own, segments, notes = take_scores(scores, wanted, by, con, columns)
    kept, before = own, baseline
    runs = own["run_id"].unique().sort().to_list()
    if baseline is not None and not (isinstance(baseline, str) and baseline in runs):
        kept, before, more = _read_baseline(baseline, runs, [*losses], con, columns)
        notes += more
    name = _choose_run(runs, run, before if kept is own else None)
    new = own.filter(run_id=name).with_columns(run_id=pl.lit("run"))
    groups: list[tuple[str, ...]] = [(), segments] if segments else [()]
    rows = [row for each in groups for row in _check_floors(new, floors, each, alpha)]
    worst = pl.DataFrame()
    if losses:
        old = kept.filter(run_id=before).with_columns(run_id=pl.lit("baseline"))
        both = _match_queries(new, old, segments, [*losses], allowed)
        names = f"{name} and {before}"
        rows += [
            r for each in groups for r in _check_losses(both, losses, each, alpha, allowed, names)
        ]
        worst = _list_worst(both)
    schema = _make_schema(new, segments)
    checks = pl.DataFrame([{key: row.get(key) for key in schema} for row in rows], schema)
    if "unsure" in checks["status"]:
        notes.append("unsure: the interval reaches beyond the limit; more queries would decide")
    return Gate(checks, worst, segments, strict, tuple(notes))


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


def _make_schema(new: pl.DataFrame, segments: Sequence[str]) -> dict[str, Any]:
    numbers = dict.fromkeys(["value", "low", "high", "limit", "detectable"], pl.Float64)
    counts = dict.fromkeys(["queries", "wins", "ties", "losses"], pl.Int64)
    kept = {column: new.schema[column] for column in segments}
    texts = {"check": pl.String, "metric": pl.String}
    return {**texts, **kept, "status": pl.String, **numbers, **counts}


def _read_floors(given: Mapping[str, float]) -> dict[str, float]:
    for metric, least in given.items():
        if isinstance(least, bool) or not isinstance(least, int | float) or least != least:
            raise InputError(f"fail_under of {metric} must be a number, not {least!r}")
    return dict(given)


def _read_losses(given: Mapping[str, Limit]) -> dict[str, tuple[float, bool]]:
    """By metric, the limit, and whether it is a share of the baseline's mean."""
    found = {}
    for metric, limit in given.items():
        if isinstance(limit, bool):
            raise InputError(
                f"max_loss of {metric} must be a loss such as 0.02 or '3%', not {limit!r}"
            )
        if isinstance(limit, int | float):
            found[metric] = (float(limit), False)
        elif isinstance(limit, str) and (
            share := re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(%?)\s*", limit)
        ):
            found[metric] = (float(share[1]) / (100 if share[2] else 1), bool(share[2]))
        else:
            raise InputError(
                f"max_loss of {metric} must be a loss such as 0.02 or '3%', not {limit!r}"
            )
        if not 0 < found[metric][0] < float("inf"):
            raise InputError(f"max_loss of {metric} must be above 0, not {limit!r}")
    return found


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
    new: pl.DataFrame, floors: Mapping[str, float], segments: Sequence[str], alpha: float
) -> Iterator[dict[str, Any]]:
    """Each metric against its floor, by the run's mean; the interval is by Student's t."""
    new = new.filter(pl.col("metric").is_in([*floors]))
    if new.is_empty():
        return
    nothing = new.with_columns(run_id=pl.lit("baseline"), score=pl.lit(0.0))
    for row in _ask(pl.concat([new, nothing]), segments, alpha / 2):
        metric, least = row["metric"], floors[row["metric"]]
        yield {
            "check": f"{metric} at least {least:g}",
            "metric": metric,
            **{column: row[column] for column in segments},
            "status": "passed" if row["difference"] >= least else "failed",
            "value": row["difference"],
            **_take_interval(row),
            "limit": least,
            "queries": row["queries"],
        }


def _ask(both: pl.DataFrame, segments: Sequence[str], tail: float) -> Iterator[dict[str, Any]]:
    """The differences of each metric, and segment; intervals have ``tail`` beyond each end."""
    labelled, labels = label_metrics(both, segments)
    with open_reader() as reader:
        found = pair(reader, labelled, "baseline", 1e-9).ask(
            {
                "queries": "count(*)",
                "baseline_mean": "avg(p.baseline_score)",
                "difference": "mean_difference(p)",
                "margin": f"margin_of_error(p, confidence := {1 - 2 * tail!r})",
                "wins": "wins(p)",
                "ties": "ties(p)",
                "losses": "losses(p)",
                "detectable": f"detectable_difference(p, alpha := {2 * tail!r})",
                "varies": "has_spread(p.difference)",
            }
        )
    places = labels.with_row_index("place")
    rows = places.join(found.rename({"metric": "label"}), on="label")
    yield from rows.sort("place").iter_rows(named=True)


def _take_interval(row: Mapping[str, Any]) -> dict[str, float | None]:
    if row["queries"] < 2 or not row["varies"]:
        return {"low": None, "high": None}
    return {"low": row["difference"] - row["margin"], "high": row["difference"] + row["margin"]}


def _check_losses(
    both: pl.DataFrame,
    losses: Mapping[str, tuple[float, bool]],
    segments: Sequence[str],
    alpha: float,
    allowed: set[Allowed],
    names: str,
) -> Iterator[dict[str, Any]]:
    """Each metric against its largest loss."""
    for row in _ask(both, segments, alpha):
        metric = row["metric"]
        limit, is_share = losses[metric]
        _require_sense(row, segments, allowed, names)
        if not is_share and limit > 1 and row["baseline_mean"] <= 1:
            raise InputError(
                f"max_loss of {metric} is {limit:g}, more than it can lose; write {limit:g}% for a "
                "share of the baseline's score"
            )
        margin = limit * abs(row["baseline_mean"]) if is_share else limit
        ends = _take_interval(row)
        shown = f"{100 * limit:g}% ({margin:.4f})" if is_share else f"{limit:g}"
        yield {
            "check": f"{metric} loses at most {shown}",
            "metric": metric,
            **{column: row[column] for column in segments},
            "status": _decide(row["difference"], ends["low"], ends["high"], margin),
            "value": row["difference"],
            **ends,
            "limit": -margin,
            **{key: row[key] for key in ("queries", "wins", "ties", "losses", "detectable")},
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


def _decide(difference: float, low: float | None, high: float | None, margin: float) -> Status:
    if low is None or high is None:
        return "passed" if difference >= -margin else "failed"
    if low >= -margin:
        return "passed"
    return "failed" if high < -margin or (difference < -margin and high < 0) else "unsure"


def _list_worst(both: pl.DataFrame, number: int = 5) -> pl.DataFrame:
    """The queries that lost most by each metric."""
    scores = both.pivot("run_id", index=["metric", "query_id"], values="score")
    found = scores.select(
        *("metric", "query_id"),
        baseline_score=pl.col("baseline"),
        score=pl.col("run"),
        difference=pl.col("run") - pl.col("baseline"),
    ).filter(pl.col("difference") < 0)
    order = [pl.col("difference").round(12), pl.col("query_id")]
    return found.sort(order).group_by("metric", maintain_order=True).head(number)
