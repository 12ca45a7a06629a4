"""First rows: what they show of a run that `check` looks for in all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

import polars as pl

from ..inputs.frames import ScoreDict
from ..inputs.source import Input, Source, read_number
from ..inputs.streams import Stream
from ..progress import Doubt
from ..ranking import name_keys, take_dict
from .connections import DuckDB
from .interface import Engine

# How many rows of each run are looked at, and of all runs, for what `check` looks for in all.
FIRST, _ALL_ROWS = 20_000, 100_000


def count_sampled(runs: int) -> int:
    """How many rows of each of several runs are looked at."""
    return max(1000, min(FIRST, _ALL_ROWS // max(runs, 1)))


def note_first(
    reader: DuckDB,
    runs: Collection[Input],
    judgments: pl.DataFrame | None = None,
    read: Mapping[str, pl.DataFrame] | None = None,
) -> Iterator[str]:
    """Notes on what the first rows of runs show: places as scores, ids like judged ones, and more.

    ``read`` has the first rows of each run by its name, up to ``FIRST`` in order, if they were
    read.
    """
    most = count_sampled(len(runs))
    for run in runs:
        rows = (read[run.name] if read else read_first(reader, run, most)).head(most)
        if _may_be_places(whole := drop_cut(rows, most)):
            yield from note_rows(reader, run.name, whole, ["ranks_as_scores"])
        if judgments is not None:
            yield from note_ids(run.name, rows, judgments)
        for source in run.sources:
            yield from _note_given(reader, run, source, has_zeros=(rows["score"] == 0).any())


def _may_be_places(rows: pl.DataFrame) -> bool:
    """Whether scores of a list are whole from 0 or 1 on, and it does not begin with the highest."""
    score = pl.col("score")
    are_whole = score.min().is_in([0.0, 1.0]) & (score % 1 == 0).all()
    lists = rows.group_by(name_keys(rows)).agg(are_whole & (score.first() < score.max()))
    return bool(lists["score"].any())


def read_first(reader: DuckDB, run: Input, number: int) -> pl.DataFrame:
    """The first rows of a run: run_id, query_id, doc_id and its value."""
    if given := take_dict(run):
        return given.head(number)
    return pl.DataFrame(Stream(reader.con.sql(f"FROM {run.table} LIMIT {number}")))


# What a run is asked, with what a note adds to the problem.
_CHECKS = {
    "ranks_as_scores": ": columns={'rank': '…'} or --columns rank=…",
    "contradicting_ranks": "; the score decides, unless you leave it out: columns={'score': ''} or "
    "--columns score=",
    "vanished_scores": "",
    "several_tags": "; run_names='tag' or --run-names tag reads a run of each",
}


def note_rows(
    reader: DuckDB, name: str, rows: pl.DataFrame, checks: Collection[str]
) -> Iterator[str]:
    """A note for each of these checks that finds something in rows of a run."""
    table = reader.register(rows) if checks else ""
    for check in checks:
        if said := find_first(reader, name, f"{check}({table})"):
            note = said + _CHECKS[check]
            yield Doubt(note) if check == "ranks_as_scores" else note


def find_first(engine: Engine, name: str, call: str) -> str | None:
    """The first of what a check finds in an input, and how many more there are."""
    number, rows = engine.problems(call)
    more = f" (and {number - 1} more like this)" if number > 1 else ""
    return f"{name}: {rows[0]['problem']}{more}" if rows else None


def drop_cut(rows: pl.DataFrame, most: int) -> pl.DataFrame:
    """The rows without the last list, if as many were read as asked for: it may lack some."""
    if rows.height < most or rows["query_id"].n_unique() == 1:
        return rows
    return rows.filter(pl.col("query_id") != rows["query_id"][-1])


def note_ids(name: str, rows: pl.DataFrame, judgments: pl.DataFrame) -> Iterator[str]:
    """Notes on ids of queries, and of documents, that differ from judged ones only in form."""
    queries, ids = rows[["query_id"]].unique(), ["query_id", "doc_id"]
    yield from _note_similar(name, queries, judgments[["query_id"]].unique())
    judged = judgments[ids].join(queries, on="query_id", how="semi")
    yield from _note_similar(name, rows[ids], judged)


def _note_given(reader: DuckDB, run: Input, source: Source, *, has_zeros: bool) -> Iterator[str]:
    """Notes on what the first rows of a source show as they are given.

    That is ranks that contradict scores, or would order those that tie; several tags of a query;
    and scores that are too small for a number, such as 1e-400, or tie in 32 bits alone.
    """
    is_scored = source.made_of == "score"
    has_ranks = is_scored and "rank" in source.columns
    has_tags = source.is_trec and "run_id" not in source.columns
    may_vanish = is_scored and has_zeros and not isinstance(source.frame, ScoreDict)
    if not (has_ranks or has_tags or may_vanish):
        return
    ids = ["run_id"] * ("run_id" in source.columns) + ["query_id"]
    more = ["doc_id", "score", *["rank"] * has_ranks, *["tag"] * has_tags]
    rows = _read_given(reader, source, ids + more)
    rises, ties, near = _compare_ranks(rows, ids) if has_ranks else (False, False, False)
    found = {
        "contradicting_ranks": rises,
        "several_tags": has_tags and rows["tag"].n_unique() > 1,
        "vanished_scores": may_vanish and rows["score"].dtype == pl.String,
    }
    yield from note_rows(reader, source.name, rows, [each for each in found if found[each]])
    if near and source.is_trec and run.score_type == "float64":
        said = "some scores differ only beyond 32 bits, in which trec_eval up to 9 reads them"
        yield f"{source.name}: {said}; for its order: preset='trec_eval-9' or --preset trec_eval-9"
    if ties and not (source.is_trec or reader.with_ranks or rises):
        said = "documents of the same score are in the order of their ids"
        yield f"{source.name}: {said}; for that of their ranks: ties='rank' or --ties rank"


def _read_given(reader: DuckDB, source: Source, columns: Sequence[str]) -> pl.DataFrame:
    """The first rows of a source, with the values as given."""
    frame = source.frame
    if isinstance(frame, pl.LazyFrame) and {*columns} <= {*frame.collect_schema()}:
        with suppress(pl.exceptions.PolarsError):
            rows = frame.select(columns).head(FIRST).collect()
            if not any(each.has_nulls() for each in rows):  # of which polars may see others
                return rows
    query = f"SELECT {', '.join(columns)} FROM {source.rows} LIMIT {FIRST}"
    return pl.DataFrame(Stream(reader.con.sql(query)))


def _compare_ranks(rows: pl.DataFrame, ids: Sequence[str]) -> tuple[bool, ...]:
    """Whether scores rise with the rank, tie in another order than ours, or tie in 32 bits."""
    texts = [name for name in ("score", "rank") if rows[name].dtype == pl.String]
    rows = rows.with_columns(read_number(rows[name]) for name in texts)
    ranked = rows.drop_nulls().sort(
        [*ids, "rank", "score"], descending=[*[False] * len(ids), False, True]
    )
    is_same = pl.all_horizontal(pl.col(id) == pl.col(id).shift() for id in ids)
    change, single = (pl.col("score").cast(kind).diff() for kind in (pl.Float64, pl.Float32))
    id = pl.col("doc_id").cast(pl.String)  # of the same score, the last comes first
    ties = (change == 0) & (id > id.shift())
    asked = {"rises": change > 0, "ties": ties, "near": (change != 0) & (single == 0)}
    return ranked.select((is_same & each).any().alias(name) for name, each in asked.items()).row(0)


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
