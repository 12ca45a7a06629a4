"""Nearest: exact and returned neighbours with their ranks, without a sort where lists are sorted.

It gives the rows of ``sql/neighbours/relations/neighbours.sql``, from parts of whole lists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import polars as pl

from .numbers import NumberedJudgments, are_filled, find_changes, hash_ids
from .ranks import (
    Part,
    Ranks,
    are_distinct,
    are_repeated,
    find_lists,
    find_queries,
    match,
    name_keys,
    rank_parts,
)
from .stretches import LIST

# How far a returned neighbour may be behind an exact one: epsilon, and whether it is relative.
Tolerance = tuple[float, bool]


def number_exact(parts: Iterable[pl.DataFrame]) -> tuple[NumberedJudgments, bool]:
    """Number the exact neighbours, nearest first, and whether it is certain that they are clean.

    In place of a relevance, ``documents`` has distance, rank, first_rank and level.
    """
    rows = pl.concat([*parts], rechunk=True).select("query_id", "doc_id", "distance")
    lists, number = find_lists(rows)
    if are_repeated(lists):
        rows = rows.sort("query_id", maintain_order=True)
        lists, number = find_lists(rows)
    rows = _sort_lists(rows, number)
    hashes = hash_ids(rows["doc_id"])
    is_clean = _are_usable(rows, lists) and are_distinct(number, hashes)
    in_order = lists["query_id"].arg_sort()
    queries = lists.select(pl.all().gather(in_order)).select(
        pl.int_range(pl.len(), dtype=pl.UInt32).alias("query"),
        "query_id",
        first="start",
        judged=pl.col("num_ret").cast(pl.Int64),
    )
    query = in_order.arg_sort().cast(pl.UInt32).gather(number)
    rank = _count_from(lists["start"], number)
    is_first = find_changes(pl.DataFrame({"list": number, "distance": rows["distance"]}), _TIED)
    level = is_first.cast(pl.Int32).cum_sum()
    documents = pl.DataFrame(
        {
            "query": query,
            "doc_id": rows["doc_id"],
            "distance": rows["distance"],
            "rank": rank,
            "first_rank": rank.set(~is_first, None).forward_fill(),
            "level": level - level.gather(lists["start"].gather(number)) + 1,
            "hash": hashes,
        }
    )
    return NumberedJudgments(queries, documents), is_clean


_TIED = ("list", "distance")


def drop_nothing(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows without those where an index found nothing, as in `neighbour_lists`."""
    is_endless = (rows["distance"].abs() >= _ENDLESS).fill_null(value=True)  # also NaN
    if not is_endless.any():
        return rows
    return rows.filter(~(is_endless & rows["doc_id"].eq_missing("-1")))


_ENDLESS = 3.4e38  # about the largest number of 32 bits


def place_neighbours(
    parts: Iterable[tuple[str | None, pl.DataFrame]],
    exact: NumberedJudgments,
    tolerances: Sequence[Tolerance],
    *,
    is_sorted: bool = True,
) -> Ranks:
    """Place returned neighbours among the exact ones, in parts as for `rank`.

    ``lists`` also has nearest, the smallest distance. ``found`` has, under ``RETURNED``, a row for
    each neighbour of a query with exact ones: run, query, doc_id, distance, rank, exact (its place
    among these, null without one) and, by the place of a tolerance, near_0, near_1, ….
    """
    ends = [_widen(exact.documents["distance"], tolerance) for tolerance in tolerances]

    def step(name: str | None, part: pl.DataFrame) -> Part | None:
        part = part.rechunk()
        lists, number = find_lists(part)
        if are_repeated(lists):
            if is_sorted:
                return None
            part = part.sort(name_keys(part), maintain_order=True)
            lists, number = find_lists(part)
        return _place_part(name, part, lists, number, exact, ends)

    return rank_parts(parts, step)


RETURNED = "returned"


def list_neighbours(
    exact: NumberedJudgments, found: Ranks, runs: range, near: int, columns: Collection[str] | None
) -> pl.DataFrame:
    """The rows of the relation neighbours of these runs, with numbers for run_id and query_id.

    ``near`` is the place of the tolerance; ``columns`` are those wanted besides, or None for all.
    """
    is_ours = pl.col("run").is_between(runs.start, runs.stop - 1)
    rows, lists = found.found[RETURNED], found.lists.drop_nulls("query")
    if len(runs) < len(found.runs):
        rows, lists = rows.filter(is_ours), lists.filter(is_ours)
    queries = exact.queries.height
    of_list = (pl.col("run").cast(pl.Int64) - runs.start) * queries + pl.col("query")
    none = pl.Series([0], dtype=pl.UInt32).new_from_index(0, queries * len(runs))
    num_ret = none.scatter(lists.select(of_list).to_series(), lists["num_ret"])
    shared = [
        pl.col("run").alias("run_id"),
        pl.col("query").alias("query_id"),
        pl.col("doc_id"),
        pl.lit(exact.queries["judged"].cast(pl.Int32)).gather("query").alias("num_exact"),
        pl.lit(num_ret.cast(pl.Int32)).gather(of_list).alias("num_ret"),
    ]
    ideal = (
        pl.LazyFrame({"run": pl.Series([*runs], dtype=pl.UInt32)})
        .join(exact.documents.lazy(), how="cross")
        .select(*shared, ideal_rank="rank", ideal_distance="distance")
    )
    true = {"true_rank": "rank", "true_first_rank": "first_rank", "true_level": "level"}
    known = {ours: pl.lit(exact.documents[name]).gather("exact") for ours, name in true.items()}
    returned = rows.lazy().select(*shared, "rank", "distance", near_from=f"near_{near}", **known)
    both = pl.concat([ideal, returned], how="diagonal")
    if columns is not None:
        listed = both.collect_schema().names()
        both = both.select(name for name in listed if name in {"run_id", "query_id", *columns})
    return both.collect()


def _place_part(
    name: str | None,
    part: pl.DataFrame,
    lists: pl.DataFrame,
    number: pl.Series,
    exact: NumberedJudgments,
    ends: Sequence[pl.Series],
) -> Part:
    part = _sort_lists(part, number)
    doc_id, distance = part["doc_id"], part["distance"]
    hashes = hash_ids(doc_id)
    is_clean = _are_usable(part, lists) and are_distinct(number, hashes)
    lists = find_queries(lists, exact.queries)
    if "run_id" not in lists.columns:
        lists = lists.with_columns(run_id=pl.lit(name))
    pairs = match(lists, number, hashes, doc_id, exact)
    none = pl.Series([None], dtype=pl.UInt32).new_from_index(0, part.height)
    rows = pl.DataFrame(
        {
            "list": number,
            "query": lists["query"].gather(number),
            "doc_id": doc_id,
            "distance": distance,
            "rank": _count_from(lists["start"], number),
            "exact": none.scatter(pairs["row"], pairs["document"]),
        }
    )
    smallest = rows.group_by("list", maintain_order=True).agg(pl.col("distance").min())
    lists = lists.with_columns(nearest=smallest["distance"])
    rows = rows.drop_nulls("query")
    first, judged = (lists[column].gather(rows["list"]) for column in ("first", "judged"))
    near = {
        f"near_{place}": _count_below(end, first, judged, rows["distance"]) + 1
        for place, end in enumerate(ends)
    }
    lists = lists.select(*LIST, "query", "num_ret", "nearest")
    return Part(lists, {RETURNED: rows.with_columns(**near)}, is_clean)


def _widen(distance: pl.Series, tolerance: Tolerance) -> pl.Series:
    """How far a neighbour may be to be as near as the one at this distance."""
    epsilon, is_relative = tolerance
    return (1 + epsilon) * distance if is_relative else distance + epsilon


def _count_below(
    ends: pl.Series, first: pl.Series, number: pl.Series, values: pl.Series
) -> pl.Series:
    """How many of the sorted ends of a list, which starts at ``first``, are below each value."""
    count = pl.Series([0], dtype=pl.Int64).new_from_index(0, len(values))
    most = 0 if number.is_empty() else number.sort()[-1]
    step = 1 << most.bit_length()
    while step := step // 2:
        more = count + step
        last = (first + more - 1).clip(upper_bound=len(ends) - 1)
        count = more.zip_with((more <= number) & (ends.gather(last) < values), count)
    return count.cast(pl.Int32)


def _sort_lists(rows: pl.DataFrame, number: pl.Series) -> pl.DataFrame:
    """The rows with those of each list by rank, if there is one, and distance; larger ids first."""
    rows = rows.with_columns(pl.col("distance") + 0.0)  # -0.0 is 0.0
    keys = [key for key in ("rank", "distance") if key in rows.columns]
    is_late = pl.col("doc_id") > pl.col("doc_id").shift(1)
    for key in reversed(keys):
        before = pl.col(key).shift(1)
        is_late = (pl.col(key) < before) | ((pl.col(key) == before) & is_late)
    late = rows.select(is_late).to_series() & (number == number.shift(1))
    if not late.any():
        return rows
    of_lists = pl.Series([False]).new_from_index(0, int(number[-1]) + 1)
    places = of_lists.scatter(number.filter(late), values=True).gather(number).arg_true()
    unsorted = rows.select(pl.col(*keys, "doc_id").gather(places)).with_columns(
        list=number.gather(places), place=places
    )
    descending = [*(False for _ in ("list", *keys)), True]
    in_order = unsorted.sort("list", *keys, "doc_id", descending=descending, nulls_last=True)
    order = pl.int_range(rows.height, dtype=pl.UInt32, eager=True)
    order = order.scatter(places, in_order["place"])
    return rows.select(pl.all().gather(order))


def _are_usable(rows: pl.DataFrame, lists: pl.DataFrame) -> bool:
    """Whether it is certain that all rows can be used."""
    return (
        rows.height > 0
        and are_filled(rows["doc_id"], *(lists[key] for key in name_keys(lists)))
        and not any(rows[key].has_nulls() for key in ("distance", "rank") if key in rows.columns)
        and bool(rows["distance"].is_finite().all())
    )


def _count_from(starts: pl.Series, number: pl.Series) -> pl.Series:
    """1, 2, … in each list."""
    place = pl.int_range(len(number), dtype=pl.Int64, eager=True)
    return (place - starts.gather(number) + 1).cast(pl.Int32)
