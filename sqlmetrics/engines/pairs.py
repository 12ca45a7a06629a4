"""Pairs: runs compared query by query, by the files of ``sql/comparisons``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from ..catalogue import files, find, quote
from ..inputs.columns import quote_name
from ..inputs.reader import Reader
from ..inputs.streams import Stream
from .checks import refuse_tables
from .draws import AT_ONCE, divide, require_memory
from .macros import bare, create_bare_macros, sort_files

KEYS = ("metric", "run_id", "baseline")


@dataclass(frozen=True)
class Pairs:
    """Rows of ``paired`` on a connection."""

    reader: Reader
    scores: str
    table: str

    def ask(
        self,
        statistics: Mapping[str, str],
        rows: str | None = None,
        given: pl.DataFrame | None = None,
    ) -> pl.DataFrame:
        """Statistics of each metric, run and baseline: columns, and how each is computed of ``p``.

        ``rows`` are those of a relation over the pairs, which take their place. ``given`` has a row
        for each metric, run and baseline, whose other columns the statistics may use, such as
        ``g.confidence``.
        """
        columns = ", ".join(f"{how} AS {name}" for name, how in statistics.items())
        keys = ", ".join(f"p.{key}" for key in KEYS)
        source, groups = f"{rows or self.table} AS p", keys
        if given is not None:
            table = self.reader.register(Stream(given))
            source += f" JOIN {table} AS g ON " + " AND ".join(f"p.{key} = g.{key}" for key in KEYS)
            groups += "".join(f", g.{quote_name(c)}" for c in given.columns if c not in KEYS)
        return self.select(f"SELECT {keys}, {columns} FROM {source} GROUP BY {groups}")

    def resample(
        self, statistics: Mapping[str, str], samples: int, seed: int, given: pl.DataFrame
    ) -> pl.DataFrame:
        """Statistics over the rows of ``resampled``, as of `ask`."""
        pairs, queries = self._count(f"count(DISTINCT ({', '.join(KEYS)}))", self.table)
        # an aggregate sorts a list of the samples
        require_memory(self.reader.con, 32 * pairs * samples, f"{samples:,} bootstrap samples")
        kept = None
        size = max(1, AT_ONCE // queries)
        for first, number in divide("drawing bootstrap samples", samples, size):
            options = f"samples := {number}, seed := {seed}, first := {first}"
            rows = f"resampled({self.table}, {options})"
            if number == samples:
                return self.ask(statistics, rows, given)
            if kept is None:
                kept = self.reader.keep(bare(f"FROM {rows}"), as_table=True)
            else:
                self.reader.con.execute(bare(f"INSERT INTO {kept} FROM {rows}"))
        return self.ask(statistics, kept, given)

    def flip(self, permutations: int, seed: int) -> pl.DataFrame:
        """The p-values of ``randomization``."""
        most, queries = self._count(
            "max(num_different)",
            f"(SELECT *, count(CASE WHEN difference <> 0 THEN 1 END) "
            f"OVER (PARTITION BY {', '.join(KEYS)}) AS num_different FROM {self.table})",
        )
        # all permutations of few queries are taken, however many are to be drawn
        last = permutations if most > 16 else 1
        size = 64 * max(1, AT_ONCE // (16 * queries))  # 64 signs are drawn at once
        counted = [
            self.ask(
                {"p": "randomization(p)", "number": "count(*)"},
                f"flipped({self.table}, permutations := {number if first else number - 1}, "
                f"seed := {seed}, first := {first})",
            )
            for first, number in divide("drawing permutations", last + 1, size)
        ]
        return _add(counted, 0)

    def permute(
        self, tests: pl.DataFrame, permutations: int, seed: int
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The p-values of ``tukey``, and the ranges that they are from.

        ``tests`` has metric, run_id, baseline and difference. The ranges are rows of metric,
        permutation and mean_range; of more permutations than memory should hold, the first.
        """
        metrics, cells = self._count(
            "count(DISTINCT metric)", self.scores, "count(DISTINCT (run_id, query_id))"
        )
        kept = max(10_000, 4_000_000 // metrics)
        size = max(1, AT_ONCE // cells)
        table = self.reader.register(Stream(tests))
        counted, ranges = [], []
        for first, number in divide("drawing permutations", permutations, size):
            given = f"permutations := {number}, seed := {seed}, first := {first}"
            drawn = self.select(f"FROM permuted({self.scores}, {given})")
            self.reader.con.register(_DRAWN, Stream(drawn))
            found = self.select(
                "SELECT t.metric, t.run_id, t.baseline, tukey(p, difference := t.difference) AS p, "
                f"count(*) AS number FROM {table} AS t JOIN {_DRAWN} AS p ON p.metric = t.metric "
                "GROUP BY t.metric, t.run_id, t.baseline, t.difference"
            )
            counted.append(found)
            if first < kept:
                ranges.append(drawn)
        self.reader.con.unregister(_DRAWN)
        return _add(counted, 1), pl.concat(ranges)

    def _count(self, groups: str, rows: str, each: str = "count(DISTINCT query_id)") -> list[int]:
        """A number of groups, and one of what is drawn for."""
        (found,) = self.reader.con.execute(f"SELECT {groups}, {each} FROM {rows}").fetchall()
        return [*found]

    def select(self, query: str) -> pl.DataFrame:
        return pl.DataFrame(Stream(self.reader.con.sql(bare(query))))


# The name of the rows that were just drawn.
_DRAWN = "_sqlmetrics_drawn"


def _add(portions: list[pl.DataFrame], own: int) -> pl.DataFrame:
    """The p-values of permutations in portions: of ``own`` + number, ``own`` + p of them count."""
    number = own + pl.col("number")
    counts = pl.concat(portions).with_columns(counted=(number * pl.col("p")).round() - own)
    sums = counts.group_by(KEYS).agg(pl.col("counted", "number").sum())
    return sums.select(*KEYS, p=(own + pl.col("counted")) / number)


def pair(
    reader: Reader, scores: pl.DataFrame, baseline: str | None, within: float | None = None
) -> Pairs:
    """The runs in pairs: each with the baseline, or every two without one.

    ``scores`` has metric, run_id, query_id and score.

    Raises `InputError` for scores that cannot be compared.
    """
    create_bare_macros(reader.con, sort_files(files()["comparisons"].values()))
    table = reader.register(Stream(scores))
    named = {} if baseline is None else {"baseline": quote(baseline)}
    refuse_tables(reader.con, find("comparisons", "paired"), {"scores": table}, named)
    options = named if within is None else {**named, "within": repr(float(within))}
    given = ", ".join([table, *(f"{name} := {value}" for name, value in options.items())])
    call = f"paired({given})"
    pairs = reader.keep(bare(f"FROM {call}"), as_table=True)
    return Pairs(reader, table, pairs)
