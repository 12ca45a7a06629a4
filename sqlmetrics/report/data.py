"""Data: what script.js draws and writes, the scores of queries and the places of their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..result import count
from .charts import MOST_BARS, MOST_LINES, NAME_WIDTH, Axis, Pair, sample, sort_by_change, tone
from .facts import MOST_METRICS, Facts
from .words import shorten


def find_data(facts: Facts) -> dict[str, Any]:
    """The scores, and for each run that can be beside the baseline what its charts need.

    Scores are whole numbers, which have three decimals more than are shown. Of many queries there
    are those that the charts show.
    """
    first, base, chosen = facts.first.name, facts.baseline, facts.chosen
    if chosen is None or base is None:
        return _find_scores(facts, facts.runs, range(len(facts.queries))) if facts.has_tips else {}
    pairs = {
        run: facts.list_pairs(first, run)
        for run in (facts.others if facts.has_choice else [chosen])
    }
    slope = facts.find_slope()
    named = {run: slope.name_most(pairs[run]) for run in pairs}
    kept, bars = [*range(len(facts.queries))], None
    if len(kept) > MOST_BARS:
        bars = sample(pairs[chosen])
        lines = sort_by_change(pairs[chosen])[:MOST_LINES]
        kept = sorted({*bars, *(n for n, *_ in lines), *(n for n, _ in named[chosen])})
    places = {n: place for place, n in enumerate(kept)}
    runs = facts.runs if facts.has_tips else (base, chosen)
    charts = {
        runs.index(run): {
            "outcomes": _count_outcomes(pairs[run]),
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
        for run in pairs
    }
    return _find_scores(facts, runs, kept) | {
        "baseline": runs.index(base),
        "chosen": runs.index(chosen),
        "head": facts.shorten(base, 22),
        "slope": slope.describe(),
        "charts": charts,
    }


def _find_scores(facts: Facts, runs: Sequence[str], kept: Sequence[int]) -> dict[str, Any]:
    metrics = facts.metrics[: MOST_METRICS if facts.has_choice else 1]
    return {
        "queries": [facts.queries[n] for n in kept],
        "runs": runs,
        "labels": len(facts.labels),
        "digits": [facts.digits[metric] for metric in metrics],
        "scores": [
            [
                [
                    None if score is None else round(score * 10 ** (facts.digits[metric] + 3))
                    for score in map(facts.scores[metric, run].__getitem__, kept)
                ]
                for run in runs
            ]
            for metric in metrics
        ],
    }


def _count_outcomes(pairs: Sequence[Pair]) -> str:
    """How many queries gain, are the same and lose."""
    kinds = [tone(after - before) for _, before, after in pairs]
    words = {"up": "gain", "tie": "tie", "down": "loss"}
    return ", ".join(count(kinds.count(kind), word) for kind, word in words.items())
