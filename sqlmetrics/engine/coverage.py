"""Coverage: what judgments and runs share: notes on queries, and on documents near the top."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import polars as pl

from ..catalogue import quote
from ..catalogue.conventions import Conventions
from ..catalogue.measures import Measure
from ..errors import InputError
from ..inputs.data import name_some
from ..inputs.source import Input
from ..progress import Doubt
from ..ranking import NumberedJudgments, Ranks
from ..result import count
from .connections import DuckDB
from .first_rows import find_first

# From this difference on, unjudged documents may be what makes runs differ: if they are relevant as
# often as judged ones, a third of the time, it is worth .03 of P@10.
_UNEVEN = 0.1
_MOST_NAMED = 20  # runs whose queries notes name


def make_unknown() -> pl.DataFrame:
    """How much of runs is judged, where that is not known."""
    return pl.DataFrame(schema={"run_id": pl.String, "k": pl.Int64, "judged": pl.Float64})


def check_coverage(
    judgments: pl.DataFrame,
    judged_by: str,
    lists: pl.DataFrame,
    names: Mapping[str, str],
    conventions: Conventions,
) -> list[str]:
    """Notes on queries that do not count or score 0.

    ``judgments`` has query_id, relevance and perhaps doc_id, ``lists`` run_id and query_id;
    ``judged_by`` and ``names`` are what the judgments and the runs are called.

    Raises `InputError` if a run has no results for any judged query.
    """
    lowest = conventions.relevant_from
    documents = judgments["doc_id"] if "doc_id" in judgments.columns else None
    best = judgments.group_by("query_id").agg(pl.col("relevance").max())
    are_relevant = best["relevance"] >= lowest
    counts = are_relevant if "relevant" in conventions.queries else pl.lit(value=True)
    known = best.select("query_id", counts=counts)
    counted = known["counts"].sum()
    what = "they are left out" if "answered" in conventions.queries else "they score 0"
    if conventions.no_relevant and what == "they score 0":
        what += f", or {conventions.no_relevant} without relevant documents"
    lacks = f"no results for {{}} of {best.height} judged queries{{}}; {what}"
    strange = "no judgments for {} of its queries{}; they are left out"
    missing, notes = note_missing(known, judged_by, lists, names, lacks, strange, documents)
    for run_id, number in missing.items():
        if counted == number > 0 and "answered" in conventions.queries:
            raise InputError(
                f"{names.get(run_id, f'run {run_id}')} has no results for any query with relevant "
                f"documents in {judged_by}"
            )
    without = (~are_relevant).sum()
    graded = judgments["relevance"].filter(judgments["relevance"] > 0)
    below = int((graded < lowest).sum())
    least = min(graded, default=lowest)
    advice = f"name the lowest relevant grade (rel={least:g} at least) or score gains (nDCG)"
    if without == best.height:
        hint = f"; {advice}" if len(graded) else ""
        notes.append(Doubt(f"AP and others are 0: no relevance is {lowest:g} or more{hint}"))
    elif below > len(graded) / 2 and lowest == 1:  # which nobody has named
        notes.append(
            Doubt(
                f"{below} of {len(graded)} judgments above 0 are below {lowest:g}, so they do not "
                f"count as relevant; {advice}"
            )
        )
    if "relevant" in conventions.queries:
        if without == best.height:
            raise InputError(f"{judged_by} has no relevance of {lowest} or more")
        if without:
            notes.append(
                f"{without} of {best.height} judged queries have no relevant documents; "
                "they are left out"
            )
    return notes


def note_missing(
    known: pl.DataFrame,
    judged_by: str,
    lists: pl.DataFrame,
    names: Mapping[str, str],
    lacks: str,
    strange: str,
    documents: pl.Series | None = None,
) -> tuple[dict[str, int], list[str]]:
    """How many queries that count each run lacks, and notes on these and on others that it has.

    ``known`` has query_id and counts, ``documents`` are judged, ``lacks`` and ``strange`` remarks.

    Raises `InputError` if a run has no results for any of these queries.
    """
    counts = pl.col("counts")
    found = (
        lists.join(known, on="query_id", how="left")
        .group_by("run_id")
        .agg(
            missing=known["counts"].sum() - counts.sum(),
            extra=counts.null_count(),
            queries=pl.len(),
        )
        .sort("run_id")
    )
    for run_id in found.filter(pl.col("extra") == pl.col("queries"))["run_id"].head(1):
        name, theirs = names.get(run_id, f"run {run_id}"), lists.filter(run_id=run_id)["query_id"]
        raise InputError(
            f"{name} and {judged_by} have no query in common; {judged_by} has "
            f"{_show_ids(known['query_id'])}, {name} has {_show_ids(theirs)}"
            + explain_unmatched(theirs, known["query_id"], documents)
        )
    notes = []
    for column, remark in (("missing", lacks), ("extra", strange)):
        named, runs = {}, found.filter(pl.col(column) > 0)["run_id"]
        for run_id in runs if len(runs) <= _MOST_NAMED else ():
            own, counted = lists.filter(run_id=run_id), known.filter("counts")
            one, other = (counted, own) if column == "missing" else (own, known)
            queries = one.join(other, on="query_id", how="anti")["query_id"].sort()
            named[run_id] = f" ({name_some(queries.to_list())})"
        notes += note_runs(dict(found["run_id", column].rows()), remark, named)
    return dict(found["run_id", "missing"].rows()), notes


def note_grades(
    reader: DuckDB,
    judgments: Input,
    grades: pl.Series,
    metrics: Iterable[Measure],
    conventions: Conventions,
) -> Iterator[str]:
    """Notes on ratings that all count as relevant, small grades, and those below 0."""
    names = {source.read.get("relevance", "").lower() for source in judgments.sources}
    rel, rated = conventions.relevant_from, judgments.frame
    if names & _RATED and (grades >= rel).sum() > 0.9 * len(grades):  # half stars are below
        table = reader.register(rated.filter(pl.col("relevance") >= rel))
        said = find_first(reader, judgments.name, f"all_relevant({table}, rel := {quote(rel)})")
        yield from [Doubt(said)] if said else []
    of_gains = [measure for measure in metrics if "gains" in measure.metric.parameters]
    fixed = [m.name for m in of_gains if "rel" not in m.metric.parameters]
    if rel != 1 and fixed:
        yield f"rel does not change {name_some(fixed)}: any grade above 0 gains; make others 0"
    asked = [m.name for m in of_gains if conventions.give(m.arguments).get("gains") is None]
    lowest, least = grades.bottom_k(1)[0], grades.filter(grades > 0).min()
    if asked and isinstance(least, float) and least < 1e-12:
        said = "gains this small lose digits where they are added; multiply all by one number"
        yield Doubt(f"{judgments.name}: a relevance is {least:g}; {said}")
    if asked and (number := int((grades < 0).sum())):
        yield (
            f"{judgments.name}: {count(number, 'judgment')} below 0 gain nothing, as of documents "
            f"that are pooled but not judged; to count them in {asked[0]}, give their gains: "
            f"gains={{{lowest:g}: {lowest:g}, …}}"
        )


# What columns are called that hold ratings, in which the lowest is the worst.
_RATED = {"rating", "ratings", "stars", "star", "stars_given", "star_rating"}


def note_runs(
    numbers: Mapping[str, int], remark: str, which: Mapping[str, str] | None = None
) -> list[str]:
    """A remark about runs with a number of each, and which these are: a line for few runs."""
    runs = [run_id for run_id, number in numbers.items() if number]
    groups: dict[tuple[int, str], list[str]] = {}
    for run_id in runs:
        groups.setdefault((numbers[run_id], (which or {}).get(run_id, "")), []).append(run_id)
    if len(groups) > 3:
        span = " to ".join(dict.fromkeys(str(number) for number, _ in (min(groups), max(groups))))
        return [f"{name_some(runs)}: {remark.format(span, '')}"]
    return [f"{name_some(runs)}: {remark.format(*said)}" for said, runs in groups.items()]


def find_unmatched(
    reader: DuckDB, judgments: Input, runs: str, unmatched: Sequence[str]
) -> list[str]:
    """Notes on runs that retrieved none of the judged documents; ``runs`` is a table of all.

    Raises `InputError` if a run has them by ids that differ only in case, zeros or a prefix `x::`.
    """
    judged = f"judgments({judgments.table})"
    query = f"""
        WITH r AS (
            SELECT *, unnest([doc_id, regexp_replace(doc_id, '.*::', '')]) AS part
            FROM retrieved({runs}) WHERE run_id IN ({", ".join(map(quote, unmatched))})
        )
        SELECT
            run_id, r.doc_id, coalesce(q.doc_id, (SELECT min(doc_id) FROM {judged})),
            q.doc_id IS NOT NULL
        FROM r LEFT JOIN {judged} AS q
            ON r.query_id = q.query_id AND fold_id(r.part) = fold_id(q.doc_id)
        ORDER BY q.doc_id IS NULL, run_id <> {quote(unmatched[0])}, 2, 3 LIMIT 1
    """
    ((run, theirs, ours, is_there),) = reader.run(query).rows()
    said = (
        f"{run if is_there else name_some(unmatched)}: none of the judged documents was retrieved; "
        f"ids in {run} look like {theirs!r}, those in {judgments.name} like {ours!r}"
        + explain_unmatched([theirs], [ours])
    )
    if is_there:
        raise InputError(said)
    return [Doubt(said)]


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
    return min([min(cutoffs, key=lambda k: (abs(k - 10), k)), *depths]) if cutoffs else None


def measure_judged(ranks: Ranks, judged: NumberedJudgments, k: int) -> pl.DataFrame:
    """The mean share of the first ``k`` documents of each run that are judged: run_id, k, judged.

    It is the mean over the judged queries that the run has results for, as in the check
    ``unjudged_at_10``.
    """
    found = next(iter(ranks.found.values()))
    documents = judged.documents[["query", "relevance"]][found["document"]]
    is_counted = (found["rank"] <= k) & (documents["relevance"] >= 0)
    lists = ranks.lists[["run", "query", "num_ret"]].drop_nulls()
    top = pl.DataFrame([found["run"], documents["query"]]).filter(is_counted)
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


# How ids of two tools differ, and what makes them the same.
_FOLDS: dict[str, Callable[[pl.Expr], pl.Expr]] = {
    "spaces": lambda each: each.str.strip_chars(),
    "upper and lower case": lambda each: each.str.to_lowercase(),
    "a .0 at the end, as pandas writes whole numbers where one is missing (.astype('Int64'))": (
        lambda each: each.str.replace(r"\.0+$", "")
    ),
    "zeros at the beginning": lambda each: each.str.replace(r"^0+([0-9])", "$1"),
    "Unicode forms": lambda each: each.str.normalize("NFC"),
    "what comes before two colons": lambda each: each.str.replace("^.*::", ""),
    "what comes before the number": lambda each: each.str.replace(r"^\D+", ""),
}


def explain_unmatched(
    theirs: Iterable[str], ours: Iterable[str], documents: pl.Series | None = None
) -> str:
    """Why ids of a run are not those of the judgments, as the end of a message, if it is seen.

    ``documents`` are the judged ones, where the ids are of queries.
    """
    run, judged = (
        pl.DataFrame({"id": [*ids]}, schema={"id": pl.String}).unique() for ids in (theirs, ours)
    )
    if documents is not None and run["id"].is_in(documents.unique().implode()).any():
        return "; the run's queries are documents in the judgments: are the columns swapped?"
    for what, fold in _FOLDS.items():
        folded = [
            rows.select(fold(pl.col("id"))).filter(pl.col("id") != "") for rows in (run, judged)
        ]
        if folded[0].join(folded[1], on="id", how="semi").height:
            return f"; they differ in {what}: make them the same"
    return ""


def _show_ids(ids: pl.Series) -> str:
    shown = [repr(each) for each in ids.unique().sort().head(4)]
    return ", ".join(shown[:3] + ["…"] * (len(shown) > 3))
