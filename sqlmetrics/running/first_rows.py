"""First rows: what they show of a run that `check` looks for in all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import polars as pl

from ..inputs.reader import Input, Reader
from ..inputs.source import cast_number
from ..inputs.streams import Stream
from ..progress import Doubt
from .checks import find_problems

# How many rows of each run are looked at, and of all runs, for what `check` looks for in all.
_ROWS, _ALL_ROWS = 20_000, 100_000


def count_sampled(runs: int) -> int:
    """How many rows of each of several runs are looked at."""
    return max(1000, min(_ROWS, _ALL_ROWS // max(runs, 1)))


def note_rows(name: str, rows: pl.DataFrame, judgments: pl.DataFrame) -> Iterator[str]:
    """Notes on the first rows of a run that show scores to be places, or ids to be like others.

    ``rows`` are in the order of the run: query_id, doc_id, score.
    """
    lists = ["run_id", "query_id"] if "run_id" in rows.columns else ["query_id"]
    place = pl.int_range(1, pl.len() + 1).over(lists)
    shift = place - pl.col("score")
    places = rows.select(
        are=((shift == shift.first()) & shift.first().is_in([0.0, 1.0])).all(),
        most=place.max(),
    )
    if places["are"].item() and rows.height > 2 and places["most"].item() > 1:
        yield Doubt(
            f"{name}: the scores of each query are 1, 2, 3 …, so the last document ranks first; if "
            "they are places, call the column rank: columns={'rank': '…'} or --columns rank=…"
        )
    judged = judgments.join(rows.select("query_id").unique(), on="query_id", how="semi")
    yield from _note_similar(
        name, rows.select("query_id").unique(), judgments.select("query_id").unique()
    )
    yield from _note_similar(
        name, rows.select("query_id", "doc_id"), judged.select("query_id", "doc_id")
    )


def note_ranks(reader: Reader, runs: Iterable[Input]) -> Iterator[str]:
    """A note for each run whose first rows have ranks that contradict their scores."""
    for run in runs:
        for source in run.sources:
            if source.made_of != "score" or "rank" not in source.columns:
                continue
            ids = ["run_id"] * ("run_id" in source.columns) + ["query_id"]
            listed = ", ".join([*ids, "doc_id", "score", "rank"])
            rows = f"(SELECT {listed} FROM {source.rows} LIMIT {_ROWS})"
            numbers = f"{cast_number('score')} AS score, {cast_number('rank')} AS rank"
            read = pl.DataFrame(
                Stream(reader.con.sql(f"SELECT {', '.join(ids)}, {numbers} FROM {rows}"))
            )
            ranked = read.drop_nulls().sort(
                [*ids, "rank", "score"], descending=[*[False] * len(ids), False, True]
            )
            if not (ranked.select((pl.col("score").diff() > 0).over(ids).any())).item():
                continue
            number, found = find_problems(
                reader.con, f"contradicting_ranks({reader.keep(f'FROM {rows}')})"
            )
            for row in found[:1]:
                more = f" (and {number - 1} more like this)" if number > 1 else ""
                yield f"{run.name}: {row['problem']}{more}; the score decides"


def note_underflow(reader: Reader, runs: Iterable[Input], names: Collection[str]) -> Iterator[str]:
    """A note for each of these runs whose scores are text too small for a number: 1e-400."""
    for run in runs:
        for source in run.sources if run.name in names else ():
            if not source.lines or source.made_of != "score":
                continue
            small = f"{cast_number('score')} = 0 AND regexp_matches(score, '^[^eE]*[1-9]')"
            rows = f"(SELECT score FROM {source.rows} LIMIT {_ROWS}) WHERE {small} LIMIT 1"
            for (score,) in reader.con.execute(f"SELECT score FROM {rows}").fetchall():
                yield (
                    f"{run.name}: the score {score} is too small for a number, and counts as 0, as "
                    "others may; give logarithms"
                )


def _note_similar(name: str, rows: pl.DataFrame, judged: pl.DataFrame) -> Iterator[str]:
    """A note if ids differ from those of judgments only in what `fold_id` leaves out."""
    *keys, id = rows.columns
    is_folded = (fold_id(pl.col(id)) == pl.col(id)).all()
    if all(each.select(is_folded).item() for each in (rows, judged)):
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


def fold_id(ids: pl.Expr) -> pl.Expr:
    """Ids as the macro of this name has them."""
    plain = ids.str.normalize("NFC").str.to_lowercase()
    bare = plain.str.replace_all(r"^[\s\p{Z}]+|[\s\p{Z}]+$", "")
    return bare.str.replace_all(r"^0+([0-9])|\.0+$", "$1")
