"""First rows: what they show of a run that `check` looks for in all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import polars as pl

from ..inputs.reader import Input, Reader
from ..inputs.source import cast_number
from ..inputs.streams import Stream
from ..progress import Doubt
from ..ranking import take_dict
from .problems import find_problems

# How many rows of each run are looked at, and of all runs, for what `check` looks for in all.
FIRST, _ALL_ROWS = 20_000, 100_000


def count_sampled(runs: int) -> int:
    """How many rows of each of several runs are looked at."""
    return max(1000, min(FIRST, _ALL_ROWS // max(runs, 1)))


def note_first(
    reader: Reader,
    runs: Collection[Input],
    judgments: pl.DataFrame | None = None,
    read: Mapping[str, pl.DataFrame] | None = None,
) -> Iterator[str]:
    """Notes on runs whose first rows show scores to be places, or ids to be like judged ones.

    Also where their ranks contradict scores, and where scores are too small for a number. ``read``
    has the first rows of each run by its name, up to ``FIRST`` in order, if they were read.
    """
    most = count_sampled(len(runs))
    given = read or {run.name: read_first(reader, run, most) for run in runs}
    read = {name: rows.head(most) for name, rows in given.items()}
    for name, rows in read.items():
        yield from note_places(name, rows, is_cut=rows.height >= most)
        if judgments is not None:
            yield from note_ids(name, rows, judgments)
    yield from _note_ranks(reader, runs, given)
    zeros = {name for name, rows in read.items() if (rows["score"] == 0).any()}
    yield from _note_underflow(reader, runs, zeros)


def read_first(reader: Reader, run: Input, number: int) -> pl.DataFrame:
    """The first rows of a run: run_id, query_id, doc_id and its value."""
    if given := take_dict(run):
        return given.head(number)
    return pl.DataFrame(Stream(reader.con.sql(f"FROM {run.table} LIMIT {number}")))


def note_places(name: str, rows: pl.DataFrame, *, is_cut: bool) -> Iterator[str]:
    """A note for each run whose scores are places, as of the check ``ranks_as_scores``.

    If the rows are cut, the last list may lack some of its own.
    """
    score = pl.col("score")
    if rows["score"].min() not in (0, 1) and "run_id" not in rows.columns:
        return
    run_id = ["run_id"] if "run_id" in rows.columns else []
    lists = rows.group_by(*run_id, "query_id", maintain_order=True).agg(
        number=pl.len(),
        first=score.first(),
        lowest=score.min(),
        highest=score.max(),
        are_whole=(score == score.floor()).all() & score.is_unique().all(),
    )
    if is_cut and lists.height > 1:
        lists = lists.head(-1)
    span = pl.col("highest") - pl.col("lowest") + 1
    number, lowest = pl.col("number"), pl.col("lowest")
    groups = lists.group_by(run_id, maintain_order=True) if run_id else [((), lists)]
    for key, group in groups:
        are_places = (
            ((span == number) & pl.col("are_whole")).all()
            & (lowest.n_unique() == 1)
            & lowest.first().is_in([0.0, 1.0])
            & (number.sum() > 2)
            & (pl.col("first") < pl.col("highest")).any()
        )
        if group.select(are_places).item():
            start = int(group["lowest"][0])
            of = f" of run {key[0]}" if key and lists["run_id"].n_unique() > 1 else ""
            yield Doubt(
                f"{name}: the scores of each query{of} are {start}, {start + 1}, {start + 2} …, "
                f"and {start} ranks last; if they are places, call the column rank: "
                "columns={'rank': '…'} or --columns rank=…"
            )


def note_ids(name: str, rows: pl.DataFrame, judgments: pl.DataFrame) -> Iterator[str]:
    """Notes on ids of queries, and of documents, that differ from judged ones only in form."""
    queries = rows.select("query_id").unique()
    judged = judgments.join(queries, on="query_id", how="semi")
    yield from _note_similar(name, queries, judgments.select("query_id").unique())
    yield from _note_similar(
        name, rows.select("query_id", "doc_id"), judged.select("query_id", "doc_id")
    )


def _note_ranks(
    reader: Reader, runs: Iterable[Input], given: Mapping[str, pl.DataFrame]
) -> Iterator[str]:
    """A note for each run whose first rows have ranks that contradict their scores.

    They are read for this, except those of ``given`` that have what TREC text calls their rank.
    """
    for run in runs:
        for source in run.sources:
            if source.made_of != "score" or "rank" not in source.columns:
                continue
            ids = ["run_id"] * ("run_id" in source.columns) + ["query_id"]
            listed = ", ".join([*ids, "doc_id", "score", "rank"])
            rows = f"(SELECT {listed} FROM {source.rows} LIMIT {FIRST})"
            first = given[run.name]
            if "_rank" in first.columns:
                rank = pl.col("_rank").cast(pl.Float64, strict=False).alias("rank")
                ranked = first.select(*ids, "score", rank)
            else:
                numbers = f"{cast_number('score')} AS score, {cast_number('rank')} AS rank"
                ranked = pl.DataFrame(
                    Stream(reader.con.sql(f"SELECT {', '.join(ids)}, {numbers} FROM {rows}"))
                )
            if not _contradict(ranked, ids):
                continue
            number, found = find_problems(
                reader.con, f"contradicting_ranks({reader.keep(f'FROM {rows}')})"
            )
            for row in found[:1]:
                more = f" (and {number - 1} more like this)" if number > 1 else ""
                yield f"{run.name}: {row['problem']}{more}; the score decides"


def _contradict(rows: pl.DataFrame, ids: Sequence[str]) -> bool:
    """Whether a score is above one of a better rank in the same list."""
    ranked = rows.drop_nulls().sort(
        [*ids, "rank", "score"], descending=[*[False] * len(ids), False, True]
    )
    is_same = pl.all_horizontal(pl.col(id) == pl.col(id).shift() for id in ids)
    return bool(ranked.select((is_same & (pl.col("score").diff() > 0)).any()).item())


def _note_underflow(reader: Reader, runs: Iterable[Input], names: Collection[str]) -> Iterator[str]:
    """A note for each of these runs whose scores are text too small for a number: 1e-400."""
    for run in runs:
        for source in run.sources if run.name in names else ():
            if not source.lines or source.made_of != "score":
                continue
            small = f"{cast_number('score')} = 0 AND regexp_matches(score, '^[^eE]*[1-9]')"
            rows = f"(SELECT score FROM {source.rows} LIMIT {FIRST}) WHERE {small} LIMIT 1"
            for (score,) in reader.con.execute(f"SELECT score FROM {rows}").fetchall():
                yield (
                    f"{run.name}: the score {score} is too small for a number, and counts as 0, as "
                    "others may; give logarithms"
                )


def _note_similar(name: str, rows: pl.DataFrame, judged: pl.DataFrame) -> Iterator[str]:
    """A note if ids differ from those of judgments only in what `fold_id` leaves out."""
    *keys, id = rows.columns
    if any(_have_none(rows[id], judged[id], odd) for odd in _ODD):
        return  # then ids that differ differ in more
    if keys and not rows.join(judged, on=rows.columns, how="semi").height:
        return  # which has a note of its own
    others = rows.join(judged, on=rows.columns, how="anti")
    missing = judged.join(rows, on=rows.columns, how="anti")
    folded = fold_id(pl.col(id)).alias("folded")
    pairs = others.with_columns(folded).join(
        missing.with_columns(folded), on=[*keys, "folded"], suffix="_judged"
    )
    if pairs.height:
        first = pairs.sort(pl.all()).row(0, named=True)
        what = id.removesuffix("_id").replace("doc", "document")
        more = f" (and {pairs.height - 1} more like this)" if pairs.height > 1 else ""
        yield (
            f"{name}: {what} {first[id]!r} does not match the judged {first[f'{id}_judged']!r}"
            f"{more}; ids must be the same to the character: see check"
        )


# Ids that may be folded to another one's form, if all letters are small, or all are large.
_ODD = tuple(rf"[^{usual}]|^0[0-9]|\.0+$" for usual in (r"!-@\[-~", r"!-`{-~"))


def _have_none(ids: pl.Series, others: pl.Series, odd: str) -> bool:
    return not (ids.str.contains(odd).any() or others.str.contains(odd).any())


def fold_id(ids: pl.Expr) -> pl.Expr:
    """Ids as the macro of this name has them."""
    plain = ids.str.normalize("NFC").str.to_lowercase()
    bare = plain.str.replace_all(r"^[\s\p{Z}]+|[\s\p{Z}]+$", "")
    return bare.str.replace_all(r"^0+([0-9])|\.0+$", "$1")
