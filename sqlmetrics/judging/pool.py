"""Pool bias: how much judgments depend on single runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from ..catalogue import quote
from ..catalogue.conventions import choose
from ..comparing.pairs import place, settle
from ..engine.session import order_runs
from ..errors import InputError, require_dict, require_whole
from ..inputs.frames import require_again
from ..inputs.grades import graded, read_grades, repeating
from ..progress import begin, collecting_remarks, remark, setting
from ..query import run_query
from ..score import Scores, evaluate

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

    from ..catalogue.conventions import ConventionOptions
    from ..inputs.columns import Columns
    from ..inputs.data import Data, RunNames, Runs

_ALONE = """SELECT _q.query_id, _q.doc_id, _q.relevance, _a.run_id AS found_by, _a.relevant
FROM judgments(qrels) AS _q
LEFT JOIN found_alone(qrels, run, rel := {rel}, depth := {depth}, groups := {groups}) AS _a
ON _q.query_id = _a.query_id AND _q.doc_id = _a.doc_id"""


def pool_bias(
    qrels: Data,
    run: Runs,
    metrics: str | Iterable[str] | None = None,
    *,
    pool_depth: int = 100,
    groups: Mapping[str, str] | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    run_names: RunNames = "file",
    **options: Unpack[ConventionOptions],
) -> pl.DataFrame:
    """How much each run depends on its own judgments: its scores without what it alone found.

    A run that was not pooled is scored with judgments that lack what only it retrieves. To see how
    much that matters, each run in turn is left out: judged documents that only it has among its
    first ``pool_depth`` become unjudged, and all runs are scored again (Zobel 1998).

    A row for each run and metric: ``run_id``, ``metric``, ``alone`` (judged documents that only it,
    or its group, has), ``relevant_alone`` (how many of these are relevant), ``score``,
    ``score_without``, the ``change``, and its ``rank`` and ``rank_without`` among the runs.

    - ``qrels``, ``run``, ``metrics``, ``con``, ``columns``, ``run_names``: as for `evaluate`, as
      are its conventions.
    - ``pool_depth``: how deep the runs were pooled.
    - ``groups``: the group of each run, such as ``{"bm25": "lucene", "bm25+rm3": "lucene"}``: the
      runs of a group are left out together.

    Raises `InputError` as `evaluate` does, and for fewer than two runs or groups.

    >>> qrels = {"q1": {"a": 1, "b": 1, "c": 1}}
    >>> runs = {"old": {"q1": {"a": 2.0, "b": 1.0}}, "new": {"q1": {"a": 2.0, "c": 1.0}}}
    >>> found = pool_bias(qrels, runs, "P@2")
    >>> found.select("run_id", "alone", "score", "score_without").rows()
    [('old', 1, 1.0, 0.5), ('new', 1, 1.0, 0.5)]
    """
    require_whole("pool_depth", pool_depth)
    example = "{'bm25': 'lucene'}"
    known = {name: str(each) for name, each in require_dict("groups", groups, example).items()}
    require_again(run, "these runs", "they are scored several times here")
    given: dict[str, Any] = {"con": con, "columns": columns, "run_names": run_names}
    pairs: Any = tuple(known.items())
    chosen = choose(None, options)
    asked = _ALONE.format(
        rel=float(chosen.relevant_from), depth=pool_depth, groups=quote(pairs or None)
    )

    def score(relevance: pl.Expr) -> Scores:
        rows = judged.select("query_id", "doc_id", relevance=relevance)
        return evaluate(rows, run, metrics, **given, **options)

    words = setting(graded, read_grades(options.get("grades")))
    with words, setting(repeating, chosen.repeated), collecting_remarks():
        tables = {"qrels": qrels, "run": run}
        judged = run_query(asked, tables, is_analysis=True, exclude=chosen.exclude, **given)
        whole = score(pl.col("relevance"))
    remark(whole.notes)
    runs = whole.mean["run_id"].to_list()
    if unknown := [name for name in known if name not in runs]:
        raise InputError(f"no run named {unknown[0]}; there are {', '.join(sorted(runs))}")
    named = {known.get(name, name) for name in runs}
    if len(named) < 2:
        raise InputError("leaving one out needs two runs or groups")
    parts = []
    for group in sorted(named):
        begin(f"leaving out {group}")
        mine = pl.col("found_by").eq_missing(group)
        with collecting_remarks():
            # below 0 is not judged, and the query still counts
            without = score(pl.when(mine).then(-1.0).otherwise("relevance"))
        own = judged.filter(mine)["relevant"]
        parts.append(
            _rank(without.mean)
            .filter(pl.col("run_id").replace(known) == group)
            .with_columns(alone=pl.lit(own.len()), relevant_alone=pl.lit(int(own.sum())))
        )
    found = _rank(whole.mean).join(pl.concat(parts), on=["run_id", "metric"], suffix="_without")
    found = found.select(
        *("run_id", "metric", "alone", "relevant_alone", "score", "score_without"),
        *((pl.col("score_without") - pl.col("score")).alias("change"), "rank", "rank_without"),
    )
    return order_runs(found.sort("run_id", place(whole)), runs)


def _rank(mean: pl.DataFrame) -> pl.DataFrame:
    """The scores of the runs in rows, with their rank by each metric; equal scores share one."""
    numbers = mean.with_columns(pl.selectors.string().exclude("run_id").cast(pl.Float64))  # null
    rows = numbers.unpivot(index="run_id", variable_name="metric", value_name="score")
    rank = settle("score", pl.col("score").abs()).rank("min", descending=True).over("metric")
    return rows.with_columns(rank=rank.cast(pl.Int64))
