"""Data: what script.js draws and writes, the scores of queries and the places of their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len

from ..result import count
from .charts import EQUAL, MOST_BARS, NAME_WIDTH, Axis, spread, thin, tone
from .facts import MOST_METRICS, Facts, Pair
from .words import shorten

MOST_LINES = 150  # of slopes
_OUTCOMES = {"wins": "gain", "ties": "tie", "losses": "loss"}
# The picture of slopes, and where their lines begin and end.
_WIDTH, _LEFT, _TOP, _BOTTOM = 440, 44, 34, 268
# Labels of slopes, how many at least of gains and of losses, and their distance from the lines.
_NAMED, _LEAST_NAMED, _LEADER = 8, 2, 18


def find_data(facts: Facts) -> dict[str, Any]:
    """The scores, and for each run that can be beside the baseline what its charts need.

    Scores are whole numbers, which have three decimals more than are shown. Of many queries there
    are those that the charts show.
    """
    first, base, chosen = facts.first.name, facts.baseline, facts.chosen
    if chosen is None or base is None:
        return _find_scores(facts, facts.runs, range(len(facts.queries))) if facts.has_tips else {}
    drawn = facts.others if facts.has_choice else [chosen]
    pairs = {run: facts.list_pairs(first, run) for run in drawn}
    axis = Axis.over(x for run in facts.runs for x, _ in facts.list_known(first, run))
    named = {run: _name_most(pairs[run], axis) for run in drawn}
    kept, bars = [*range(len(facts.queries))], None
    if len(kept) > MOST_BARS:
        ordered = sorted(pairs[chosen], key=lambda pair: (pair[1] - pair[2], pair[0]))
        bars = [n for n, *_ in thin(ordered)]
        lines = _sort_by_change(pairs[chosen])[:MOST_LINES]
        kept = sorted({*bars, *(n for n, *_ in lines), *(n for n, _ in named[chosen])})
    places = {n: place for place, n in enumerate(kept)}
    runs = facts.runs if facts.has_tips else [base, chosen]
    charts = {
        runs.index(run): {
            "outcomes": ", ".join(
                count(facts.tests[first, run][kind], word) for kind, word in _OUTCOMES.items()
            ),
            "head": facts.shorten(run, 22),
            "column": facts.shorten(run, 16),
            # no half of the axis is empty
            "ticks": Axis.over((after - before for _, before, after in pairs[run]), 5).ticks,
            "bars": bars and [places[n] for n in bars],
            "named": [
                (places[n], shorten(facts.queries[n], NAME_WIDTH), round(y, 1))
                for n, y in named[run]
            ],
        }
        for run in drawn
    }
    widest = max(cell_len(shorten(query, NAME_WIDTH)) for query in facts.queries)
    right = int(_WIDTH - _LEADER - 6.5 * (widest + 6))
    box = {"left": _LEFT, "right": right, "top": _TOP, "bottom": _BOTTOM}
    return _find_scores(facts, runs, kept) | {
        "baseline": runs.index(base),
        "chosen": runs.index(chosen),
        "head": facts.shorten(base, 22),
        "slope": {**box, "leader": _LEADER, "ticks": axis.ticks, "most": MOST_LINES},
        "charts": charts,
    }


def _find_scores(facts: Facts, runs: Sequence[str], kept: Sequence[int]) -> dict[str, Any]:
    metrics = facts.metrics[: MOST_METRICS if facts.has_choice else 1]

    def list_whole(metric: str, run: str) -> list[int | None]:
        power = 10 ** (facts.digits[metric] + 3)
        scores = (facts.scores[metric, run][n] for n in kept)
        return [None if score is None else round(score * power) for score in scores]

    return {
        "queries": [facts.queries[n] for n in kept],
        "runs": runs,
        "labels": len(facts.labels),
        "digits": [facts.digits[metric] for metric in metrics],
        "scores": [[list_whole(metric, run) for run in runs] for metric in metrics],
    }


def _sort_by_change(pairs: Sequence[Pair]) -> list[Pair]:
    """The largest differences first."""
    return sorted(pairs, key=lambda pair: (-abs(pair[2] - pair[1]), pair[0]))


def _name_most(pairs: Sequence[Pair], axis: Axis) -> list[tuple[int, float]]:
    """The queries that move most, with the places of their labels, which do not overlap."""
    changes = [(n, after, after - before) for n, before, after in _sort_by_change(pairs)]
    least = max([EQUAL, *(abs(change) / 4 for *_, change in changes[:1])])
    moved = [each for each in changes if abs(each[2]) > least]
    kinds = [[each for each in moved if tone(each[2]) == kind] for kind in ("up", "down")]
    rarer = min(*map(len, kinds), _LEAST_NAMED)
    first = [each for kind in kinds for each in kind[:rarer]]
    kept = [*dict.fromkeys([*first, *moved])][:_NAMED]
    ends = sorted((_BOTTOM - axis.place(after, _BOTTOM - _TOP), n) for n, after, _ in kept)
    places = spread([y for y, _ in ends], _TOP, _BOTTOM)
    return [(n, place) for (_, n), place in zip(ends, places, strict=True)]
