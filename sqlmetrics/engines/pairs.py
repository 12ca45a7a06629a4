"""Pairs: runs compared query by query, by the files of ``sql/comparisons``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from ..catalogue import files, find, quote
from ..inputs.reader import Reader
from ..inputs.streams import Stream
from .checks import refuse_tables
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
        relation: str | None = None,
        *,
        given: pl.DataFrame | None = None,
        **options: object,
    ) -> pl.DataFrame:
        """Statistics of each metric, run and baseline: columns, and how each is computed of ``p``.

        ``relation`` is one over the pairs, such as ``flipped``, with its options. ``given`` has a
        row for each metric, run and baseline, whose other columns the statistics may use, as
        ``g.confidence``.
        """
        rows = self.table
        if relation is not None:
            listed = ", ".join(f"{name} := {value}" for name, value in options.items())
            rows = f"{relation}({self.table}, {listed})"
        columns = ", ".join(f"{how} AS {name}" for name, how in statistics.items())
        keys = ", ".join(f"p.{key}" for key in KEYS)
        groups = keys
        if given is not None:
            table = self.reader.register(Stream(given))
            same = " AND ".join(f"p.{key} = g.{key}" for key in KEYS)
            rows = f"{rows} AS p JOIN {table} AS g ON {same}"
            groups += "".join(f", g.{name}" for name in given.columns if name not in KEYS)
        else:
            rows = f"{rows} AS p"
        return self.select(f"SELECT {keys}, {columns} FROM {rows} GROUP BY {groups}")

    def select(self, query: str) -> pl.DataFrame:
        return pl.DataFrame(Stream(self.reader.con.sql(bare(query))))


def pair(reader: Reader, scores: pl.DataFrame, baseline: str | None, within: float) -> Pairs:
    """The runs in pairs: each with the baseline, or every two without one.

    ``scores`` has metric, run_id, query_id and score.

    Raises `InputError` for scores that cannot be compared.
    """
    create_bare_macros(reader.con, sort_files(files()["comparisons"].values()))
    table = reader.register(Stream(scores))
    named = {} if baseline is None else {"baseline": quote(baseline)}
    refuse_tables(reader.con, find("comparisons", "paired"), {"scores": table}, named)
    options = {**named, "within": repr(float(within))}
    given = ", ".join(f"{name} := {value}" for name, value in options.items())
    call = f"paired({table}, {given})"
    pairs = reader.keep(bare(f"FROM {call}"), as_table=True)
    return Pairs(reader, table, pairs)
