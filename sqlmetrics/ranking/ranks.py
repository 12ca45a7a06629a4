"""Ranking: the ranks of judged documents, from one reading of the runs, a part at a time.

Per row there are only numbers: the list, the document's hash, and a key that is the list's number
above the score's bits, best first. One sort of the keys ranks all lists of a part: the rows before
the first equal key are the documents above, equal keys are tied. Ids are compared where hashes
agree, and scores where keys do, so ranks are those of ``sql/ranking/tables/ranked.sql``.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import polars as pl

from ..inputs.frames import ScoreDict
from .numbers import NumberedJudgments, are_filled, find_changes, hash_ids
from .stretches import LIST

Given = TypeVar("Given", "pl.DataFrame", "pl.DataFrame | ScoreDict")
T = TypeVar("T")

_PLACES = ("rank", "first_rank", "num_tied")


@dataclass(frozen=True)
class Ranks:
    """What the runs found, by numbers: ``run`` is the place of a run in ``runs``.

    ``lists`` has a row for each list: run, run_id, query_id, query (null if it is not judged) and
    num_ret. ``found`` has, by the order of ties, a row for each judged document that was retrieved:
    run, document, rank, first_rank, num_tied; of neighbours, see `place_neighbours`. ``is_whole``:
    no list was split across parts. ``is_clean``: all rows are certainly valid and unique.
    """

    runs: pl.Series
    lists: pl.DataFrame
    found: dict[str, pl.DataFrame]
    is_whole: bool
    is_clean: bool


def rank(
    parts: Iterable[tuple[str | None, pl.DataFrame | ScoreDict]],
    judged: NumberedJudgments,
    orders: Collection[str],
    *,
    is_sorted: bool = True,
) -> Ranks:
    """Rank the documents of runs with ties in these orders.

    The runs are given in parts of whole lists, each with the name of the run if no column has it.
    The rows of a list are next to each other if the parts are sorted.
    """
    find = find_lists if is_sorted else _number_lists

    def step(name: str | None, part: pl.DataFrame | ScoreDict) -> Part | None:
        if isinstance(part, ScoreDict):
            if found := _rank_dict(name, part, judged, orders):
                return found
            part = part.frame
        part = part.rechunk()
        # most parts that are in no order are found out by their first rows
        first = [part.head(_SMALL)] if part.height > _SMALL else []
        for rows in (*first, part):
            lists, number = find(rows)
            if are_repeated(lists):
                return None
        return _rank_part(name, part, lists, number, judged, orders)

    return rank_parts(parts, step)


def rank_parts(
    parts: Iterable[tuple[str | None, Given]], step: Callable[[str | None, Given], Part | None]
) -> Ranks:
    """What runs found from what a step found in each part; None if this has a list twice."""
    ranked: list[Part] = []
    for part in _work(parts, step):
        if part is None:  # its lists may be as many as its rows
            return _rank_nothing(is_whole=False)
        ranked.append(part)
    if not ranked:
        return _rank_nothing(is_whole=True)
    lists = pl.concat([part.lists for part in ranked])
    runs = lists["run_id"].unique().sort()
    lists = lists.hstack([runs.search_sorted(lists["run_id"]).alias("run")])
    found: dict[str, list[pl.DataFrame]] = {order: [] for order in ranked[0].found}
    start = 0
    for part in ranked:
        of_part = lists["run"].slice(start, part.lists.height)
        start += part.lists.height
        for order, rows in part.found.items():
            found[order].append(rows.select(of_part[rows["list"]], pl.exclude("list")))
    return Ranks(
        runs,
        lists,
        {order: pl.concat(rows) for order, rows in found.items()},
        is_whole=len(ranked) == 1 or not _has_repeated(lists),
        is_clean=all(part.is_clean for part in ranked),
    )


def _rank_nothing(*, is_whole: bool) -> Ranks:
    return Ranks(pl.Series(dtype=pl.String), pl.DataFrame(), {}, is_whole=is_whole, is_clean=False)


def _has_repeated(lists: pl.DataFrame) -> bool:
    """Whether a list appears twice; for judged queries, numbers say so."""
    is_judged = pl.col("query").is_not_null()
    judged = lists.filter(is_judged).select("run", "query")
    others = lists.filter(~is_judged).select("run", "query_id")
    return bool(judged.is_duplicated().any() or others.is_duplicated().any())


@dataclass(frozen=True)
class Part:
    """The same of a part of the runs, where ``list`` is the place of a list in ``lists``."""

    lists: pl.DataFrame
    found: dict[str, pl.DataFrame]
    is_clean: bool


def _rank_part(
    name: str | None,
    part: pl.DataFrame,
    lists: pl.DataFrame,
    number: pl.Series,
    judged: NumberedJudgments,
    orders: Collection[str],
) -> Part:
    """The ranks of a part with these lists, of which each row has the number of one."""
    doc_id, score = part["doc_id"], _drop_signs(part["score"])
    hashes = hash_ids(doc_id)
    is_clean = are_filled(lists["query_id"], doc_id) and not (
        ("run_id" in lists.columns and lists["run_id"].has_nulls())
        or score.has_nulls()
        or score.is_nan().any()
    )
    is_distinct = are_distinct(number, hashes)
    lists = find_queries(lists, judged.queries)
    if "run_id" not in lists.columns:
        lists = lists.with_columns(run_id=pl.lit(name))
    rows = match(lists, number, hashes, doc_id, judged)
    keys, bits = _make_keys(score, number, lists.height)
    own = keys[rows["row"]]
    found = _find_places(rows, own, keys, lists, number, bits)
    is_tied = found["num_tied"] > 1
    if is_tied.any():
        tied = _take_tied(part, score, keys, bits, lists, number, found.filter(is_tied), judged)
        placed = {order: _settle(found, _order(tied, order)) for order in orders}
    else:
        placed = dict.fromkeys(orders, found)
    placed = {order: rows.select("list", "document", *_PLACES) for order, rows in placed.items()}
    lists = lists.select(*LIST, "query", "num_ret")
    return Part(lists, placed, is_clean and is_distinct)


def _drop_signs(score: pl.Series) -> pl.Series:
    """The scores with 0.0 for -0.0."""
    if not (is_zero := score == 0).any():
        return score
    return score.zip_with(~is_zero.fill_null(value=False), pl.Series([0.0]))


# Where more of the documents are judged, most lists have judged documents that are tied.
_FEW_JUDGED = 1 / 16


def _rank_dict(
    name: str | None, run: ScoreDict, judged: NumberedJudgments, orders: Collection[str]
) -> Part | None:
    """The ranks of a run in a dict, where judged documents are looked up.

    Only lists in which one of them is tied need the ids of the others. None if that may be most
    lists, or if it is not certain that all rows can be used.
    """
    given = {query_id: documents for query_id, documents in run.given.items() if documents}
    if not _are_ids(given):
        return None
    num_ret = pl.Series([*map(len, given.values())], dtype=pl.UInt32)
    start = num_ret.cast(pl.Int64).cum_sum() - num_ret
    lists = pl.DataFrame({"query_id": [*given], "start": start, "num_ret": num_ret})
    lists = find_queries(lists.with_row_index("list"), judged.queries)
    score = _drop_signs(run.score)
    is_clean = not (score.has_nulls() or score.is_nan().any())
    if lists["judged"].sum() > _FEW_JUDGED * len(score) or not is_clean:
        return None
    if not all(map(_are_ids, given.values())):
        return None
    ids, scores = judged.documents["doc_id"].to_list(), list[float | None]()
    asked = lists.drop_nulls("query").select("query_id", "first", "judged")
    for query_id, first, length in asked.iter_rows():
        scores += map(given[query_id].get, ids[first : first + length])
    found = _list_wanted(lists).with_columns(score=_drop_signs(pl.Series(scores, dtype=pl.Float64)))
    found = found.drop_nulls("score")
    number = _number_rows(start, len(score))
    keys, bits = _make_keys(score, number, lists.height)
    own, _ = _make_keys(found["score"], found["list"], lists.height)
    found = _find_places(found, own, keys, lists, number, bits).select("list", "document", *_PLACES)
    tied = found.filter(pl.col("num_tied") > 1)["list"].unique().sort()
    placed = dict.fromkeys(orders, found)
    if len(tied):
        is_tied = pl.Series([False]).new_from_index(0, lists.height).scatter(tied, values=True)
        some = {query_id: given[query_id] for query_id in lists["query_id"].gather(tied)}
        stretches = lists.select("start", "num_ret")[tied].iter_rows()
        rows = ScoreDict(some, pl.concat([run.score.slice(*each) for each in stretches])).frame
        part = _rank_part(name, rows, *find_lists(rows), judged, orders)
        others = found.filter(~is_tied.gather(found["list"]))
        for order, places in part.found.items():
            again = places.select(tied.gather(places["list"]), "document", *_PLACES)
            placed[order] = pl.concat([others, again])
    lists = lists.select("query_id", "query", "num_ret", run_id=pl.lit(name))
    return Part(lists.select(*LIST, "query", "num_ret"), placed, is_clean=True)


def _are_ids(ids: Collection[Any]) -> bool:
    """Whether it is certain that ids are text, as they are in a frame, and not blank."""
    try:
        first = min(ids)
    except TypeError:  # not all of them are text
        return False
    # what is derived from text may become other text; whitespace sorts before '!'
    return type(next(iter(ids))) is type(first) is str and first >= "!"


def name_keys(rows: pl.DataFrame) -> list[str]:
    return [key for key in LIST if key in rows.columns]


def are_repeated(lists: pl.DataFrame) -> bool:
    """Whether a list is in two places of a part."""
    return bool(lists.select(name_keys(lists)).is_duplicated().any())


def find_lists(part: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The lists of a sorted part, and the number of the list of each row."""
    keys = name_keys(part)
    starts = find_changes(part, keys).arg_true()
    number = _number_rows(starts, part.height)
    lists = pl.DataFrame(
        {
            "list": pl.int_range(len(starts), dtype=pl.UInt32, eager=True),
            **{key: part[key][starts] for key in keys},
            "start": starts.cast(pl.Int64),
            "num_ret": starts.shift(-1, fill_value=part.height) - starts,
        }
    )
    return lists, number


def _number_rows(starts: pl.Series, height: int) -> pl.Series:
    """The number of the list of each row."""
    marks = pl.Series([0], dtype=pl.UInt32).new_from_index(0, height)
    return marks.scatter(starts.tail(-1), 1).cum_sum().set_sorted()


def _number_lists(part: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The same for a part in any order; ``start`` is the number of rows in the lists before."""
    keys = name_keys(part)
    lists = part.group_by(keys, maintain_order=True).agg(num_ret=pl.len()).with_row_index("list")
    number = part.select(keys).join(
        lists, on=keys, how="left", nulls_equal=True, maintain_order="left"
    )["list"]
    num_ret = pl.col("num_ret").cast(pl.Int64)
    return lists.with_columns(start=num_ret.cum_sum() - num_ret), number


def are_distinct(number: pl.Series, hashes: pl.Series) -> bool:
    """Whether it is certain that no list has a document twice."""
    if number.flags["SORTED_ASC"]:
        is_distinct = (
            pl.DataFrame({"list": number, "hash": hashes})
            .group_by("list", maintain_order=True)
            .agg(pl.col("hash").n_unique() == pl.len())["hash"]
        )
        return is_distinct.all()
    return _mix(number, hashes).n_unique() == len(hashes)


def find_queries(lists: pl.DataFrame, queries: pl.DataFrame) -> pl.DataFrame:
    """The lists with the columns of their queries, null where a query is not judged."""
    ids = queries["query_id"]  # which are sorted
    near = ids.search_sorted(lists["query_id"])
    near = near.set(near == len(ids), len(ids) - 1)
    places = near.set(ids[near].ne_missing(lists["query_id"]), None)
    return lists.hstack(queries[["query", "first", "judged"]][places])


def _list_wanted(lists: pl.DataFrame) -> pl.DataFrame:
    """The judged documents of the lists: list, document."""
    after = pl.col("first") + pl.col("judged")
    return (
        lists.drop_nulls("query")
        .select("list", document=pl.int_ranges("first", after, dtype=pl.UInt32))
        .explode("document")
    )


def match(
    lists: pl.DataFrame,
    number: pl.Series,
    hashes: pl.Series,
    doc_id: pl.Series,
    judged: NumberedJudgments,
) -> pl.DataFrame:
    """The rows of judged documents: row, list, document."""
    row = judged.known.find(hashes)
    if len(row) < len(hashes):
        hashes, number = hashes[row], number[row]
    wanted = _list_wanted(lists)
    known_hashes = judged.documents["hash"][wanted["document"]]
    found = pl.DataFrame({"row": row, "both": _mix(number, hashes), "there": number}).join(
        wanted.with_columns(both=_mix(wanted["list"], known_hashes)), on="both"
    )
    known_ids = judged.documents["doc_id"][found["document"]]
    is_same = (found["there"] == found["list"]) & (doc_id[found["row"]] == known_ids)
    return found.filter(is_same).select("row", "list", "document")


def _mix(number: pl.Series, hashes: pl.Series) -> pl.Series:
    return hashes ^ (number.cast(pl.UInt64) * 0x9E3779B97F4A7C15)


def _make_keys(score: pl.Series, number: pl.Series, lists: int) -> tuple[pl.Series, int]:
    """Keys that sort by list, best score first, and the number of bits below that of the list."""
    bits = 64 - max(1, (lists - 1).bit_length())
    raw = pl.col("score").reinterpret(dtype=pl.UInt64)
    # the bits of positive numbers sort upwards, those of negative ones downwards
    best_first = pl.when(raw < 1 << 63).then((1 << 63) - 1 - raw).otherwise(raw)
    keys = pl.DataFrame({"score": score, "list": number}).select(
        best_first // (1 << (64 - bits)) + pl.col("list").cast(pl.UInt64) * (1 << bits)
    )
    return keys.to_series(), bits


def _find_places(
    rows: pl.DataFrame,
    own: pl.Series,
    keys: pl.Series,
    lists: pl.DataFrame,
    number: pl.Series,
    bits: int,
) -> pl.DataFrame:
    """The rows with the place of their own key in their list, and the number of equal keys."""
    start = lists["start"]
    if keys.is_sorted():
        in_order = keys
    elif 0 < len(rows) < len(keys) / 8 and len(keys) > _SMALL:
        # sort only down to the last judged document of each list
        upwards = own.arg_sort()
        last = pl.Series([0], dtype=keys.dtype).new_from_index(0, lists.height)
        last = last.scatter(rows["list"][upwards], own[upwards])
        in_order = keys.filter(keys <= last[number]).sort()
        start = in_order.search_sorted(lists["list"].cast(keys.dtype) * (1 << bits))
    else:
        in_order = keys.sort()
    first = in_order.search_sorted(own, side="left").cast(pl.Int64)
    after = in_order.search_sorted(own, side="right").cast(pl.Int64)
    first_rank = first - start[rows["list"]] + 1
    return rows.hstack(
        [
            own.alias("key"),
            first_rank.alias("rank"),
            first_rank.alias("first_rank"),
            (after - first).alias("num_tied"),
        ]
    )


def _take_tied(
    part: pl.DataFrame,
    score: pl.Series,
    keys: pl.Series,
    bits: int,
    lists: pl.DataFrame,
    number: pl.Series,
    found: pl.DataFrame,
    judged: NumberedJudgments,
) -> pl.DataFrame:
    """All rows with the same key as one of a judged document that has such a neighbour."""
    tied = found["key"].unique().sort()
    is_of_tied = lists["list"].is_in((tied // (1 << bits)).unique().cast(pl.UInt32).implode())
    rows = is_of_tied[number].arg_true()
    rows = rows.filter(keys[rows].is_in(tied.implode()))
    taken = pl.DataFrame(
        {"row": rows, "key": keys[rows], "score": score[rows], "doc_id": part["doc_id"][rows]}
    )
    if "rank" in part.columns:
        taken = taken.with_columns(listed_rank=part["rank"][rows])
    relevance = judged.documents.select("document", "relevance")
    judged_rows = found.select("row", "document").join(relevance, on="document")
    return taken.join(judged_rows.select("row", "relevance"), on="row", how="left")


def _order(tied: pl.DataFrame, ties: str) -> pl.DataFrame:
    """The rows of equal keys in order: how far each is behind the first, also of its score."""
    orders = {  # before their ids do, lowest first, as in `tie_order`
        "input": pl.col("row"),
        "rank": pl.col("listed_rank"),
        "best": -pl.col("relevance"),
        "worst": pl.col("relevance").fill_null(-17e307),
    }
    order = orders.get(ties, pl.lit(0))
    is_descending = ties != "ascending"
    tied = tied.select("row", "key", "score", "doc_id", order=order).sort(
        "key",
        "score",
        "order",
        "doc_id",
        descending=[False, True, False, is_descending],
        nulls_last=True,
    )
    of_key = _measure(tied, ["key"])
    of_score = _measure(tied, ["key", "score"])
    place = pl.int_range(tied.height, dtype=pl.Int64, eager=True)
    return pl.DataFrame(
        {
            "row": tied["row"],
            "behind": place - of_key["start"],
            "above": of_score["start"] - of_key["start"],
            "same": of_score["length"],
        }
    )


def _measure(rows: pl.DataFrame, columns: Iterable[str]) -> pl.DataFrame:
    """For each row, the start and length of the stretch of equal rows that it is in."""
    is_first = find_changes(rows, columns)
    starts = is_first.arg_true().cast(pl.Int64)
    stretches = pl.DataFrame(
        {"start": starts, "length": starts.shift(-1, fill_value=rows.height) - starts}
    )
    number = is_first.cast(pl.UInt32).cum_sum() - 1
    return stretches[number]


def _settle(found: pl.DataFrame, tied: pl.DataFrame) -> pl.DataFrame:
    """The rows with the places of those among equal keys."""
    return found.join(tied, on="row", how="left", maintain_order="left").with_columns(
        pl.col("rank") + pl.col("behind").fill_null(0),
        pl.col("first_rank") + pl.col("above").fill_null(0),
        num_tied=pl.coalesce("same", "num_tied"),
    )


# A part of fewer rows takes less time than to wait for a thread.
_SMALL = 1 << 16


def _work(
    parts: Iterable[tuple[str | None, Given]], step: Callable[[str | None, Given], T]
) -> Iterator[T]:
    """The results of a step for all parts, in order; a few at a time, side by side."""
    workers = min(4, os.cpu_count() or 1)
    waiting: deque[Future[T]] = deque()
    pool = ThreadPoolExecutor(workers)
    try:
        for name, part in parts:
            if part.height < _SMALL:
                future: Future[T] = Future()
                waiting.append(future)
                future.set_result(step(name, part))
            else:
                waiting.append(pool.submit(step, name, part))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:  # after an interrupt, what is under way is not waited for
        pool.shutdown(wait=False, cancel_futures=True)
