"""Coverage: what judgments and runs share: notes on queries, and on documents near the top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import duckdb
import polars as pl

from ..catalogue import quote
from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..errors import InputError
from ..inputs.data import name_some
from ..inputs.reader import Input
from ..macros.create import prepare
from ..ranking import Judged, Ranks

# From this difference on, unjudged documents may be what makes runs differ: if they are relevant as
# often as judged ones, a third of the time, it is worth .03 of P@10.
_UNEVEN = 0.1

NOT_KNOWN = pl.DataFrame(schema={"run_id": pl.String, "k": pl.Int64, "judged": pl.Float64})


def check_coverage(
    judgments: pl.DataFrame,
    judged_by: str,
    lists: pl.DataFrame,
    names: Mapping[str, str],
    conventions: Conventions,
) -> list[str]:
    """Notes on queries that do not count or score 0.

    ``judgments`` has query_id and relevance, ``lists`` run_id and query_id; ``judged_by`` and
    ``names`` are what the judgments and the runs are called.

    Raises `InputError` if a run has no results for any judged query.
    """
    notes: list[str] = []
    missing: dict[str, int] = {}
    extra: dict[str, int] = {}
    lowest = conventions.relevant_from
    best = judgments.group_by("query_id").agg(pl.col("relevance").max())
    counts = (
        pl.col("relevance") >= lowest if "relevant" in conventions.queries else pl.lit(value=True)
    )
    counted = best.filter(counts).height
    found = (
        lists.join(best, on="query_id", how="left")
        .group_by("run_id")
        .agg(
            scored=(pl.col("relevance").is_not_null() & counts).sum(),
            both=pl.col("relevance").is_not_null().sum(),
            extra=pl.col("relevance").is_null().sum(),
        )
        .sort("run_id")
    )
    for run_id, scored, both, unjudged in found.iter_rows():
        name = names.get(run_id, f"run {run_id}")
        if not both:
            raise InputError(
                f"{name} and {judged_by} have no query in common; "
                f"the judgments have {_show_queries(judgments)}, the run has "
                + _show_queries(lists.filter(run_id=run_id))
            )
        if counted and not scored and "answered" in conventions.queries:
            raise InputError(
                f"{name} has no results for any query with relevant documents in {judged_by}"
            )
        if counted > scored:
            missing[run_id] = counted - scored
        if unjudged:
            extra[run_id] = unjudged
    what = "they are left out" if "answered" in conventions.queries else "they score 0"
    if conventions.no_relevant and what == "they score 0":
        what += f", or {conventions.no_relevant} without relevant documents"
    notes += note_runs(missing, f"no results for {{}} of {best.height} judged queries; {what}")
    notes += note_runs(extra, "no judgments for {} of its queries; they are left out")
    without = best.filter(pl.col("relevance") < lowest).height
    if without == best.height:
        notes.append(f"no relevant documents: no relevance is {lowest} or more")
    if "relevant" in conventions.queries:
        if without == best.height:
            raise InputError(f"{judged_by} has no relevance of {lowest} or more")
        if without:
            notes.append(
                f"{without} of {best.height} judged queries have no relevant documents; "
                "they are left out"
            )
    return notes


def note_runs(numbers: Mapping[str, int], remark: str) -> list[str]:
    """A remark about runs with a number of each: a line for few, one for all of many."""
    by_number: dict[int, list[str]] = {}
    for run_id, number in numbers.items():
        by_number.setdefault(number, []).append(run_id)
    if len(by_number) > 3:
        span = f"{min(by_number)} to {max(by_number)}"
        return [f"{name_some([*numbers])}: {remark.format(span)}"]
    return [f"{name_some(runs)}: {remark.format(n)}" for n, runs in by_number.items()]


def find_unmatched(
    con: duckdb.DuckDBPyConnection,
    judgments: Input,
    runs: str,
    unmatched: Sequence[str],
) -> list[str]:
    """Notes on runs that retrieved none of the judged documents; ``runs`` is a table of all."""
    retrieved = f"SELECT * FROM retrieved({runs}) WHERE run_id = {quote(unmatched[0])}"
    query = f"""
        SELECT r.doc_id, q.doc_id
        FROM ({retrieved}) AS r
        INNER JOIN judgments({judgments.table}) AS q
            ON r.query_id = q.query_id AND fold_id(r.doc_id) = fold_id(q.doc_id)
        ORDER BY ALL LIMIT 1
    """
    first = f"""
        SELECT (SELECT min(doc_id) FROM ({retrieved})), min(doc_id)
        FROM judgments({judgments.table})
    """
    found = con.execute(prepare(con, query)).fetchall()
    found = found or con.execute(prepare(con, first)).fetchall()
    ((theirs, ours),) = found
    return [
        f"{name_some(unmatched)}: none of the judged documents was retrieved; ids in "
        f"{unmatched[0]} look like {theirs!r}, those in {judgments.name} like {ours!r}"
    ]


def choose_cutoff(metrics: Iterable[Measure], conventions: Conventions) -> int | None:
    """How far down it matters what is judged: 10, or the cut-off nearest to it if all have others.

    None if unjudged documents are left out of the ranking.
    """
    cutoffs, depths = [], []
    for measure in metrics:
        given = conventions.give(measure.arguments)
        if given.get("judged_only"):
            continue
        known = measure.metric.parameters.get("k")
        cutoff = given.get("k", known and known.default)
        cutoffs.append(cutoff if isinstance(cutoff, int) else 10)
        if isinstance(depth := given.get("depth"), int):
            depths.append(depth)
    if not cutoffs:
        return None
    return min([min(cutoffs, key=lambda k: (abs(k - 10), k)), *depths])


def measure_judged(ranks: Ranks, judged: Judged, k: int) -> pl.DataFrame:
    """The mean share of the first ``k`` documents of each run that are judged: run_id, k, judged.

    It is the mean over the judged queries that the run has results for, as in the check
    ``unjudged_at_10``.
    """
    found = next(iter(ranks.found.values()))
    documents = judged.documents[["query", "relevance"]][found["document"]]
    is_counted = (found["rank"] <= k) & (documents["relevance"] >= 0)
    top = pl.DataFrame([found["run"], documents["query"]]).filter(is_counted)
    lists = ranks.lists.drop_nulls("query").select("run", "query", "num_ret")
    if (lists["num_ret"] >= k).all():  # which spares a join
        top = top.with_columns(num_ret=pl.lit(k))
    else:
        top = top.join(lists, on=["run", "query"], how="left")
    shares = top.group_by("run").agg(judged=(1 / pl.col("num_ret").clip(upper_bound=k)).sum())
    mean = lists.group_by("run").len().join(shares, on="run", how="left").sort("run")
    return mean.select(
        ranks.runs.gather(mean["run"]).alias("run_id"),
        k=pl.lit(k, pl.Int64),
        judged=pl.col("judged").fill_null(0) / pl.col("len"),
    )


def note_uneven(judged: pl.DataFrame) -> list[str]:
    """A note if runs differ much in how many of their first documents are judged.

    ``judged`` has the rows of `measure_judged`, all of the same k.
    """
    if judged.height < 2:
        return []
    rows = judged.sort("judged", "run_id", descending=[True, False]).rows()
    (most, k, high), (least, _, low) = rows[0], rows[-1]
    if high - low < _UNEVEN - 1e-9:
        return []
    first = "first documents" if k == 1 else f"first {k} documents"
    return [
        f"{most} has {high:.0%} of its {first} judged, {least} {low:.0%}: differences may come "
        "from documents that are not judged; see bounds"
    ]


def _show_queries(rows: pl.DataFrame) -> str:
    ids = [repr(query_id) for query_id in rows["query_id"].unique().sort().head(4)]
    return ", ".join(ids[:3] + ["…"] * (len(ids) > 3))
