"""Interleaving: which of two rankings earns the clicks, when a page shows documents of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import polars as pl

from ..errors import require_number, require_one_of
from ..inputs.columns import PAGES
from ..inputs.tables import read_table
from ..progress import begin
from ..result import Result, mark, name_interval, show_number, show_p, show_range
from ..running.connections import open_reader
from ..running.relations import ENDS, relate
from ..tables import Table

if TYPE_CHECKING:
    import duckdb

    from ..inputs.columns import Columns

Method: TypeAlias = Literal["team", "balanced"]
Unit: TypeAlias = Literal["page", "user"]

_METHODS = {"team": "team draft", "balanced": "balanced interleaving"}


@dataclass(frozen=True, repr=False)
class Interleaving(Result):
    """The result of `interleaving`.

    - ``tests``: one row: ``units`` (the number of pages or users), ``clicked`` (how many of them
      have a click that counts), ``wins``, ``ties`` and ``losses`` of ranking b, ``preference``
      (the share of units that it wins, ties as half, minus a half) with its confidence interval
      from ``low`` to ``high``, ``p`` of the sign test, and ``significant``.
    - ``per_unit``: a row for each page or user, with the columns of ``paired``: ``query_id`` is its
      id, ``score`` the clicks that b earned, ``baseline_score`` those of a.
    - ``method``: how it was tested, in a sentence.
    - ``notes``: what it cannot say, one remark a line.

    Printed, it is a table for people; `write` gives it as Markdown, LaTeX or HTML, too.
    """

    tests: pl.DataFrame
    per_unit: pl.DataFrame
    unit: Unit = "page"
    alpha: float = 0.05

    def tables(self, digits: int = 4) -> Iterator[Table]:
        """The table for people, as text."""
        sign = partial(show_number, digits=digits, signed=True)
        (row,) = self.tests.iter_rows(named=True)
        cells = {
            "ranking": "b",
            f"{self.unit}s": str(row["units"]),
            "wins/ties/losses": f"{row['wins']}/{row['ties']}/{row['losses']}",
            "preference": sign(row["preference"]),
            name_interval(1 - self.alpha): show_range(row["low"], row["high"], sign),
            "p": show_p(row["p"]),
            "": mark(row["preference"], significant=row["significant"]),
        }
        right = (f"{self.unit}s", "wins/ties/losses", "preference", "p")
        yield Table(pl.DataFrame([cells]), right=right, scores=["preference"])


def interleaving(
    log: Any,  # noqa: ANN401
    *,
    method: Method | None = None,
    unit: Unit = "page",
    alpha: float = 0.05,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
) -> Interleaving:
    """Decide which of two rankings, a and b, users prefer, from clicks on pages that mix them.

    - ``log``: a row for each document shown: a frame, a table of ``con`` or a file (CSV, Parquet,
      JSON) with ``page_id`` and ``clicked`` (0 or 1).
    - ``method``: ``"team"`` draft, for a column ``team`` (a, b, or null for documents of both);
      ``"balanced"``, for the columns ``position``, ``rank_a`` and ``rank_b``; by default the one
      that fits the columns.
    - ``unit``: whether a ``"page"`` counts once, or a ``"user"`` with all pages, by ``user_id``.
      Pages of one user are not independent; users are.
    - ``alpha``: the significance level.
    - ``columns``: which column is which, where their names do not say so.

    Credit is that of Radlinski, Kurup and Joachims 2008 (team draft) and Chapelle, Joachims,
    Radlinski and Yue 2012.

    Raises `InputError` for a log that cannot be counted, such as one with an unknown team.

    >>> log = pl.DataFrame({
    ...     "page_id": [1, 1, 2, 2, 3, 3, 4, 4],
    ...     "team": ["a", "b", "a", "b", "b", "a", "a", "b"],
    ...     "clicked": [0, 1, 0, 1, 0, 0, 1, 0],
    ... })
    >>> interleaving(log).tests.select("wins", "ties", "losses", "preference").rows()
    [(2, 1, 1, 0.125)]
    """
    require_number("alpha", alpha, 0, 1)
    require_one_of("unit", unit, get_args(Unit))
    if method is not None:
        require_one_of("method", method, get_args(Method))
    table = read_table(log, PAGES, con=con, columns=columns)
    frame = table.frame.select(
        each for each in (*PAGES.columns, *PAGES.optional) if each in table.found
    )
    if method is None:
        is_balanced = "rank_a" in frame.columns and "team" not in frame.columns
        method = "balanced" if is_balanced else "team"
    begin("comparing", frame.height)
    with open_reader() as reader:
        rows = relate(reader, f"{method}_credit", {"log": frame}, unit=unit)
        tests = rows.ask(
            {
                "units": "count(*)",
                "clicked": "count(CASE WHEN p.score + p.baseline_score > 0 THEN 1 END)",
                "wins": "wins(p)",
                "ties": "ties(p)",
                "losses": "losses(p)",
                "preference": "preference(p)",
                "ends": f"preference_interval(p, confidence := {float(1 - alpha)!r})",
                "p": "sign_test(p)",
            }
        )
        per_unit = rows.read().sort("query_id")
    tests = tests.select(
        *("units", "clicked", "wins", "ties", "losses", "preference"),
        *ENDS,
        "p",
        significant=pl.col("p") < alpha,
    )
    notes = table.notes
    if without := tests["units"][0] - tests["clicked"][0]:
        notes.append(
            f"{without} of {tests['units'][0]} {unit}s have no click that counts: they are ties"
        )
    said = (
        f"Clicks are credited by {_METHODS[method]}; above 0, {unit}s prefer b. The p-value is "
        "from a sign test of wins and losses, and the interval from the exact ones of their shares."
        f" ▲▼: significant at {alpha:g}."
    )
    return Interleaving(tests, per_unit, unit, alpha, method=said, notes=tuple(notes))
