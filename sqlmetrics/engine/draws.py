"""Draws: random permutations and samples in portions, which need little memory and end soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from ..errors import InputError
from ..inputs.workspace import require_memory
from ..macros.create import prepare
from ..progress import begin
from .connections import DuckDB
from .relations import Rows

# Random numbers of a portion: DuckDB draws 2,048 rows of them, or all of a portion, at once, in
# memory that it does not count, and without an end to be interrupted at.
AT_ONCE = 1 << 20
ENUMERATED = 20  # of this many queries that differ, all permutations are taken


def divide(step: str, number: int, size: int) -> Iterator[tuple[int, int]]:
    """The first of each portion of draws, and how many it has; reports their progress."""
    for first in range(0, number, size):
        begin(step, number, first if number > size else None)
        yield first, min(size, number - first)


def require_seed(seed: object) -> None:
    """Raise `InputError` unless the seed is a whole number, of any size."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"seed must be a whole number, not {seed!r}")


def resample(
    pairs: Rows, statistics: Mapping[str, str], samples: int, seed: int, given: pl.DataFrame
) -> pl.DataFrame:
    """Statistics over the rows of ``resampled``, as `Rows.compute`; ``pairs`` are of ``paired``."""
    number, queries = _count(pairs, pairs.table, pairs.groups, ["query_id"])
    # an aggregate sorts a list of the samples
    needed, takes = 32 * number * samples, f"{samples:,} bootstrap samples need"
    require_memory(pairs.reader.con, needed, takes, "draw fewer")
    portions = divide("drawing bootstrap samples", samples, max(1, AT_ONCE // queries))
    call = f"resampled({pairs.table}, samples := {{}}, seed := {seed}, first := {{}})"
    return pairs.compute(statistics, rows=_keep(pairs.reader, call, portions), given=given)


def _keep(reader: DuckDB, call: str, portions: Iterator[tuple[int, int]]) -> str:
    """The name of a table with the rows of all portions."""
    table = ""
    for first, number in portions:
        rows = f"FROM {call.format(number, first)}"
        if table:
            reader.con.execute(prepare(reader.con, f"INSERT INTO {table} {rows}"))
        else:
            table = reader.create(rows)
    return table


def flip(pairs: Rows, permutations: int, seed: int) -> pl.DataFrame:
    """The p-values of ``randomization`` of the rows of ``paired``."""
    differing = f"(SELECT * FROM {pairs.table} WHERE difference <> 0)"
    different = pairs.compute({"queries": "count(*)"}, rows=differing)["queries"].to_list()
    _, queries = _count(pairs, pairs.table, pairs.groups, ["query_id"])
    last = permutations if max(different, default=0) > ENUMERATED else 1
    size = 64 * max(1, AT_ONCE // (16 * queries))  # 64 signs are drawn at once
    portions = []
    for first, number in divide("drawing permutations", last + 1, size):
        given = f"permutations := {number if first else number - 1}, seed := {seed}"
        rows = f"flipped({pairs.table}, {given}, first := {first})"
        asked = {"p": "randomization(p)", "number": "count(*)"}
        portions.append(pairs.compute(asked, rows=rows))
    draws = pl.col("number")
    extreme = (draws * pl.col("p")).round().sum()
    return pl.concat(portions).group_by(pairs.groups).agg(p=extreme / draws.sum())


def permute(
    pairs: Rows, tests: pl.DataFrame, permutations: int, seed: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The p-values of ``tukey`` of the rows of ``paired``, and the ranges that they are from.

    ``tests`` has the groups and their difference. The ranges are rows of metric, permutation and
    mean_range; of more permutations than memory should hold, the first.
    """
    by = [key for key in pairs.groups if key not in ("run_id", "baseline")]
    scores = pairs.inputs["scores"]
    metrics, cells = _count(pairs, scores, by, ["run_id", "query_id"])
    portions = divide("drawing permutations", permutations, max(1, AT_ONCE // cells))
    call = f"permuted({scores}, permutations := {{}}, seed := {seed}, first := {{}})"
    drawn = _keep(pairs.reader, call, portions)
    asked = {"p": "tukey(p, difference := g.difference)"}
    asked |= {name: f"g.{name}" for name in ("run_id", "baseline")}
    found = pairs.compute(asked, rows=drawn, given=tests, by=by)
    kept = max(10_000, 4_000_000 // metrics)
    ranges = pairs.reader.run(f"FROM {drawn} WHERE permutation < {kept}")
    return found.select(*pairs.groups, "p"), ranges


def _count(pairs: Rows, rows: str, groups: Sequence[str], drawn: Sequence[str]) -> tuple[int, int]:
    """How many groups the rows are of, and for how many ids something is drawn."""
    counts = (f"count(DISTINCT ({', '.join(ids)}))" for ids in (groups, drawn))
    ((first, second),) = pairs.reader.con.execute(
        f"SELECT {', '.join(counts)} FROM {rows}"
    ).fetchall()
    return first, second
