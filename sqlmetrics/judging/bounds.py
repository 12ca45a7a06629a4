"""Bounds: how low and how high scores can be, once unjudged documents are judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from ..catalogue import all_metrics, macros
from ..catalogue.conventions import Conventions, choose
from ..catalogue.measures import Measure, write_call
from ..catalogue.rules import Value
from ..comparing.pairs import place
from ..engine.judged import JudgedRuns, open_duckdb
from ..engine.relations import require, write_statistics
from ..engine.session import order_runs
from ..errors import MetricError, refuse
from ..inputs.columns import Columns
from ..inputs.data import RunNames, Runs
from ..progress import begin, warn
from ..result import Result, Table, shorten
from ..score import DEFAULT_METRICS, make_request

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

    from ..catalogue.conventions import ConventionOptions
    from ..comparing.comparison import Comparison
    from ..engine.judgments import Qrels


@dataclass(frozen=True, repr=False)
class Bounds(Result):
    """The result of `bounds`.

    - ``mean``: a row for each run and metric: ``run_id``, ``metric``, ``score`` (unjudged documents
      are not relevant), and the mean of the ``low`` and ``high`` bounds of its queries.
    - ``per_query``: a row for each run, query and metric: ``run_id``, ``query_id``, ``metric``,
      ``score``, ``low``, ``high``, and ``unjudged``, the number of unjudged documents that the
      metric looks at.
    - ``undecided``: a row for each metric and two runs whose bounds overlap: ``metric``,
      ``run_id``, ``other`` (which scores no more), the ``difference`` of their scores, and the
      ``overlap``: how far the lowest of the first is below the highest of the other.
    - ``notes``: remarks about the inputs.

    Printed, it is a table, ``0.651 … 0.740``; `write` gives it as Markdown, LaTeX or HTML, too.
    """

    mean: pl.DataFrame
    per_query: pl.DataFrame

    @property
    def undecided(self) -> pl.DataFrame:
        return self._pair().select(
            *("metric", "run_id", "other"),
            difference=pl.col("score") - pl.col("score_other"),
            overlap=pl.col("high_other") - pl.col("low"),
        )

    def _pair(self) -> pl.DataFrame:
        """The rows of ``mean``, each with an ``other`` below it whose bounds overlap."""
        rows = self.mean.sort("score", "run_id", descending=[True, False]).with_row_index("place")
        others = rows.rename({"run_id": "other"})
        pairs = rows.join(others, on="metric", suffix="_other").filter(
            pl.col("place") < pl.col("place_other"), pl.col("high_other") > pl.col("low")
        )
        return pairs.sort(place(self.mean["metric"]), "place", "place_other")

    def compare(self, baseline: str | None = None, **options: Any) -> Comparison:  # noqa: ANN401
        """`compare` of the scores, with a note for each pair of runs whose bounds overlap."""
        from ..comparing.compare import compare

        scores = self.per_query.select("run_id", "query_id", "metric", "score")
        found = compare(scores, baseline, **options)
        wanted = [*found.tests["metric"]]
        said = [
            f"unjudged documents may reverse {row['run_id']} and {row['other']} by "
            f"{row['metric']}: {_show(row['low'], row['high'])} and "
            f"{_show(row['low_other'], row['high_other'])}"
            for row in self._pair().iter_rows(named=True)
            if row["metric"] in wanted and found.baseline in (None, row["run_id"], row["other"])
        ]
        return replace(found, notes=(*found.notes, *shorten(said)))

    def tables(self, digits: int = 4, *, per_query: bool = False) -> Iterator[Table]:
        """The table for people, as text: a row for each run, or each of its queries."""
        keys = ["run_id", "query_id"] if per_query else ["run_id"]
        rows = self.per_query if per_query else self.mean
        cells = [_show(row["low"], row["high"], digits) for row in rows.iter_rows(named=True)]
        shown = rows.select(*keys, "metric", pl.Series("cell", cells, dtype=pl.String))
        yield Table(shown.pivot("metric", index=keys, values="cell", maintain_order=True))


def bounds(
    qrels: Qrels,
    run: Runs,
    metrics: str | Iterable[str] | None = None,
    conventions: Conventions | None = None,
    *,
    max_rel: float | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    **options: Unpack[ConventionOptions],
) -> Bounds:
    """How low and how high scores can be, once the unjudged documents of runs are judged.

    Each unjudged document that a metric looks at - those down to its cut-off, or all that the run
    retrieved - gets the grades, from 0 to ``max_rel``, that make the score of the query lowest and
    highest. Documents that the run did not retrieve stay as they are.

    - ``qrels``, ``run``, ``conventions``, ``con``, ``columns``, ``run_names``: as for `evaluate`.
    - ``metrics``: those with bounds: nDCG@10, DCG, AP, RR, P@10, R@10, Success, RBP, ERR, with
      their cut-offs; nDCG@10 AP RR P@10 R@100 by default.
    - ``max_rel``: the highest grade that a document can get; by default the highest of ``qrels``,
      or 1 if none is above 0 there. Below ``rel``, no document can become relevant.

    Returns `Bounds`. Raises `InputError` for data that cannot be read or would give a wrong number,
    `MetricError` for a metric, or an argument of one, without bounds.

    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> run = {"q1": {"c": 3.0, "b": 2.0, "a": 1.0}}
    >>> found = bounds(qrels, run, "RR P@2")
    >>> found.mean.select("metric", "score", "low", "high").rows()
    [('RR', 0.3333333333333333, 0.3333333333333333, 1.0), ('P@2', 0.0, 0.0, 0.5)]
    """
    wanted = make_request(
        DEFAULT_METRICS if metrics is None else metrics, choose(conventions, options)
    )
    agreed = wanted.conventions
    refuse(
        {
            "bounds need an order of tied documents, not the expected score": agreed.expects,
            "judged_only leaves out the documents that bounds are about": agreed.judged_only,
            "bounds need no_relevant=0, as documents may be relevant": agreed.no_relevant,
        }
    )
    require("cascade", max_rel=max_rel)
    names = [measure.name for measure in wanted.metrics]
    asked: dict[_Arguments, dict[str, str]] = {}
    for measure in wanted.metrics:
        arguments, written = _write_ends(measure, wanted.conventions, max_rel)
        asked.setdefault(arguments, {}).update(written)
    with open_duckdb(wanted, con=con, columns=columns, run_names=run_names) as session:
        session.read(qrels, run)
        session.check()
        scores = session.score()
        mean = session.summarize(scores)
        begin("computing bounds")
        per_query = order_runs(_bound(session, asked, scores, names), session.run_ids)
        notes, run_ids = [*session.notes], session.run_ids
        warn(notes)
    if metrics is None:
        notes.insert(0, f"no metrics given; these are {DEFAULT_METRICS}")
    means = mean.unpivot(index="run_id", variable_name="metric", value_name="score")
    keys = ["run_id", "metric"]
    ends = per_query.group_by(keys).agg(pl.col("low", "high").sort().mean())
    means = means.join(ends, on=keys, how="left", maintain_order="left")
    means = means.sort("run_id", place(names))
    return Bounds(order_runs(means, run_ids), per_query, notes=tuple(notes))


# The arguments of ``bounded`` for a metric, and those of metrics that are among them.
_Arguments: TypeAlias = tuple[tuple[str, Value], ...]
_OF_ROWS = ("rel", "gains", "ties", "depth")


def _write_ends(
    measure: Measure, conventions: Conventions, max_rel: float | None
) -> tuple[_Arguments, dict[str, str]]:
    """The arguments of ``bounded`` for a measure, and what to compute of its rows, by column.

    Raises `MetricError` if the measure has no bounds.
    """
    known = macros()
    low, high = (known.get(f"{end}_{measure.metric.macro}") for end in ("lowest", "highest"))
    if high is None:
        able = (m.names[0] for m in all_metrics() if f"highest_{m.macro}" in known)
        names = sorted(each.partition("@")[0] for each in able)
        raise MetricError(f"{measure.name} has no bounds; these metrics have: {', '.join(names)}")
    if measure.summary != "mean":
        raise MetricError(
            f"{measure.name}: bounds are for means, not for aggregate={measure.summary!r}"
        )
    given = conventions.give(measure.arguments)
    own = high.parameters
    taken: dict[str, Value] = {name: given[name] for name in _OF_ROWS if name in given}
    depths = [each for each in (taken.get("depth"), given.get("k")) if isinstance(each, int)]
    if depths:
        taken["depth"] = min(depths)
    name = measure.metric.names[0].partition("@")[0]
    if max_rel is not None:
        taken["max_rel"] = max_rel
        has_scale = "max_rel" in own
        scale = given.get("max_rel", high.options["max_rel"].default) if has_scale else None
        if isinstance(scale, int | float) and max_rel > scale:
            raise MetricError(
                f"{measure.name}: its grades go up to {scale:g}, so there are no bounds with "
                f"max_rel={max_rel:g}; write {name}(max_rel={max_rel:g})"
            )
    _require_growth(measure, given.get("gains"))
    for option, value in measure.arguments:
        parameter = high.options.get(option) if own.get(option) else None
        if option not in (*_OF_ROWS, "k") and parameter is None:
            raise MetricError(f"{measure.name}: there are no bounds with another {option}")
        if parameter and (problem := parameter.find_problem(value)):
            raise MetricError(f"{measure.name}: bounds need {option} as {problem}")
    if "k" in own and "k" not in given and not high.options["k"].rule.allows_null:
        raise MetricError(f"{measure.name} has no bounds without a cut-off; write {name}@10")
    ends = {
        f"{end} {measure.name}": write_call(
            file.name, ["b"], [(n, given[n]) for n in file.parameters if n in given]
        )
        for end, file in (("low", low), ("high", high))
        if file
    }
    return tuple(taken.items()), {f"unjudged {measure.name}": "count(b.unjudged_above)", **ends}


def _require_growth(measure: Measure, gains: Value) -> None:
    """Raise `MetricError` for gains of which the highest relevance does not have the highest."""
    mapped = dict(gains) if isinstance(gains, tuple) else {}
    pairs = sorted({0.0: 0.0, **mapped}.items())
    if pairs[0] != (0.0, 0.0) or any(low > high for (_, low), (_, high) in pairwise(pairs)):
        raise MetricError(f"{measure.name}: bounds need gains that grow with relevance, from 0 on")


def _bound(
    session: JudgedRuns,
    asked: Mapping[_Arguments, Mapping[str, str]],
    scores: pl.DataFrame,
    names: Sequence[str],
) -> pl.DataFrame:
    """A row for each run, query and metric, with its score and its bounds."""
    keys = ["run_id", "query_id"]
    for arguments, columns in asked.items():
        rows = f"{write_call('bounded', session.tables, arguments)} AS b"
        found = session.run_sql(write_statistics(columns, rows, [f"b.{key}" for key in keys]))
        scores = scores.join(found, on=keys, how="left", maintain_order="left")
    parts = (
        scores.select(
            *keys,
            metric=pl.lit(name),
            score=name,
            # no further in than the score, to the last digit; it is the lowest where there is none
            low=pl.min_horizontal(name, pl.selectors.by_name(f"low {name}", require_all=False)),
            high=pl.max_horizontal(name, f"high {name}"),
            unjudged=pl.col(f"unjudged {name}").fill_null(0),
        )
        for name in names
    )
    return pl.concat(parts).sort(*keys, place(names))


def _show(low: float, high: float, digits: int = 4) -> str:
    shown = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return shown[0] if shown[0] == shown[1] else " … ".join(shown)
