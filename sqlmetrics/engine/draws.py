"""Draws: random permutations and samples in portions, which need little memory and end soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import duckdb
import polars as pl

from ..errors import InputError
from ..inputs.workspace import read_memory_limit, show_bytes, show_memory_limit
from ..macros.create import prepare
from ..progress import begin
from .relations import Rows

# Random numbers of a portion: DuckDB draws 2,048 rows of them, or all of a portion, at once, in
# memory that it does not count, and without an end to be interrupted at.
AT_ONCE = 1 << 20


def divide(step: str, number: int, size: int) -> Iterator[tuple[int, int]]:
    """The first of each portion of draws, and how many it has; reports their progress."""
    for first in range(0, number, size):
        begin(step, number, first if number > size else None)
        yield first, min(size, number - first)


def require_memory(con: duckdb.DuckDBPyConnection, needed: int, what: str) -> None:
    """Raise `InputError` if results that have to be in memory do not fit."""
    if needed > read_memory_limit(con):
        raise InputError(
            f"{what} need about {show_bytes(needed)} of memory, and the limit is "
            f"{show_memory_limit(con)}; draw fewer"
        )


def require_seed(seed: object) -> None:
    """Raise `InputError` unless the seed is a whole number, of any size."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"seed must be a whole number, not {seed!r}")


def resample(
    pairs: Rows, statistics: Mapping[str, str], samples: int, seed: int, given: pl.DataFrame
) -> pl.DataFrame:
    """Statistics over the rows of ``resampled``, as `Rows.compute`; ``pairs`` are of ``paired``."""
    (number, queries) = _count(
        pairs.reader.con, f"count(DISTINCT ({', '.join(pairs.groups)}))", pairs.table
    )
    # an aggregate sorts a list of the samples
    require_memory(pairs.reader.con, 32 * number * samples, f"{samples:,} bootstrap samples")
    kept = None
    for first, drawn in divide("drawing bootstrap samples", samples, max(1, AT_ONCE // queries)):
        rows = f"resampled({pairs.table}, samples := {drawn}, seed := {seed}, first := {first})"
        if drawn == samples:
            return pairs.compute(statistics, rows=rows, given=given)
        if kept is None:
            kept = pairs.reader.create(f"FROM {rows}")
        else:
            pairs.reader.con.execute(prepare(pairs.reader.con, f"INSERT INTO {kept} FROM {rows}"))
    return pairs.compute(statistics, rows=kept, given=given)


def flip(pairs: Rows, permutations: int, seed: int) -> pl.DataFrame:
    """The p-values of ``randomization`` of the rows of ``paired``."""
    most, queries = _count(
        pairs.reader.con,
        "max(num_different)",
        "(SELECT *, count(CASE WHEN difference <> 0 THEN 1 END) "
        f"OVER (PARTITION BY {', '.join(pairs.groups)}) AS num_different FROM {pairs.table})",
    )
    # all permutations of few queries are taken, however many are to be drawn
    last = permutations if most > 20 else 1
    size = 64 * max(1, AT_ONCE // (16 * queries))  # 64 signs are drawn at once
    counted = [
        pairs.compute(
            {"p": "randomization(p)", "number": "count(*)"},
            rows=f"flipped({pairs.table}, permutations := {number if first else number - 1}, "
            f"seed := {seed}, first := {first})",
        )
        for first, number in divide("drawing permutations", last + 1, size)
    ]
    return _add(counted, pairs.groups, 0)


def permute(
    pairs: Rows, tests: pl.DataFrame, permutations: int, seed: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The p-values of ``tukey`` of the rows of ``paired``, and the ranges that they are from.

    ``tests`` has the groups and their difference. The ranges are rows of metric, permutation and
    mean_range; of more permutations than memory should hold, the first.
    """
    con, scores = pairs.reader.con, pairs.inputs["scores"]
    cells = "count(DISTINCT (run_id, query_id))"
    by = [key for key in pairs.groups if key not in ("run_id", "baseline")]
    metrics, cells_of_all = _count(con, f"count(DISTINCT ({', '.join(by)}))", scores, cells)
    kept = max(10_000, 4_000_000 // metrics)
    asked = {"p": "tukey(p, difference := g.difference)", "number": "count(*)"}
    asked |= {name: f"g.{name}" for name in ("run_id", "baseline")}
    counted, ranges, drawn = [], [], None
    for first, number in divide(
        "drawing permutations", permutations, max(1, AT_ONCE // cells_of_all)
    ):
        given = f"permutations := {number}, seed := {seed}, first := {first}"
        rows = f"FROM permuted({scores}, {given})"
        if drawn is None:
            drawn = pairs.reader.create(rows)
        else:
            con.execute(prepare(con, f"CREATE OR REPLACE TEMP TABLE {drawn} AS {rows}"))
        counted.append(pairs.compute(asked, rows=drawn, given=tests, by=by))
        if first < kept:
            ranges.append(pairs.reader.run(f"FROM {drawn}"))
    return _add(counted, pairs.groups, 1), pl.concat(ranges)


def _count(
    con: duckdb.DuckDBPyConnection,
    groups: str,
    rows: str,
    each: str = "count(DISTINCT query_id)",
) -> tuple[int, int]:
    """A number of groups, and one of what is drawn for."""
    ((first, second),) = con.execute(f"SELECT {groups}, {each} FROM {rows}").fetchall()
    return first, second


def _add(portions: list[pl.DataFrame], groups: tuple[str, ...], own: int) -> pl.DataFrame:
    """The p-values of permutations in portions: of ``own`` + number, ``own`` + p of them count."""
    number = own + pl.col("number")
    counts = pl.concat(portions).with_columns(counted=(number * pl.col("p")).round() - own)
    sums = counts.group_by(groups).agg(pl.col("counted", "number").sum())
    return sums.select(*groups, p=(own + pl.col("counted")) / number)
