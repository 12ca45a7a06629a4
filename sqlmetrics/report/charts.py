"""Charts: scales, and where things are on them; the templates and script.js draw."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .words import measure, shorten, trim

Pair = tuple[int, float, float]  # the number of a query, the baseline's score, the run's

EQUAL = 1e-9
MOST_DOTS = 200  # more become bars that count them
MOST_BARS, MOST_LINES = 400, 150  # of gains and losses, and of slopes
NAME_WIDTH = 14  # columns for the name of a query
# The picture of slopes, and where their lines begin and end.
_WIDTH, _LEFT, _TOP, _BOTTOM = 440, 44, 34, 268
# Labels of slopes, how many at least of gains and of losses, the height of one, and its distance.
_NAMED, _LEAST_NAMED, _LINE, _LEADER = 8, 2, 15, 18


@dataclass(frozen=True)
class Axis:
    """A scale with round ends, and its ticks.

    >>> Axis.over([0.02, 0.71]).ticks
    (0.0, 0.2, 0.4, 0.6, 0.8)
    """

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def over(cls, values: Iterable[float], count: int = 4) -> Axis:
        """From the lowest finite value, or 0, to the highest."""
        known = [0.0, *filter(math.isfinite, values)]
        low, high = min(known), max(known)
        if high - low < EQUAL:
            high = low + 1
        power = 10.0 ** math.floor(math.log10((high - low) / count))
        steps = [power * each for each in (1, 2, 2.5, 5, 10)]
        step = next(each for each in steps if (high - low) / each <= count + EQUAL)
        first, last = math.floor(low / step + EQUAL), math.ceil(high / step - EQUAL)
        ticks = tuple(round(n * step, 10) for n in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    def place(self, value: float, length: float) -> float:
        """How far from its low end a value is, on an axis of this length."""
        return (value - self.low) / (self.high - self.low) * length


def tone(difference: float) -> str:
    """The class of a gain, a loss or a tie."""
    return "up" if difference > EQUAL else "down" if difference < -EQUAL else "tie"


# Scores of queries, on a strip that is as wide as the page


def swarm(axis: Axis, scores: Sequence[float], width: int, height: int) -> str:
    """Dots beside each other where scores are close; a dot is a line without length."""
    cells = Counter[int]()
    members = Counter(int(axis.place(score, width) // 9) for score in scores)
    dots = []
    for score in sorted(scores):
        x = axis.place(score, width)
        cell = int(x // 9)
        gap = min(5.0, (height - 10) / max(members[cell] - 1, 1))
        y = height / 2 + (cells[cell] - (members[cell] - 1) / 2) * gap
        cells[cell] += 1
        dots.append(f"M{x:.0f} {trim(y)}h0")
    return "".join(dots)


def stack_bars(axis: Axis, scores: Sequence[float], width: int, height: int) -> str:
    """The scores counted in fifty bars around the middle."""
    number = 50
    found = Counter(min(int(axis.place(score, number)), number - 1) for score in scores)
    most = max(found.values())
    size = width / number
    path = ""
    for cell in range(number):
        if half := found[cell] / most * (height / 2 - 2):
            half = max(half, 0.5)
            y = trim(height / 2 - half)
            path += f"M{trim(cell * size)} {y}h{trim(size - 1)}v{trim(2 * half)}h-{trim(size - 1)}Z"
    return path


# Slopes: each query as a line from the score of the baseline to that of a run


@dataclass(frozen=True)
class Slope:
    """What slopes of all runs share: the axis, and ``right``, where their lines end."""

    axis: Axis
    right: int

    @classmethod
    def of(cls, scores: Iterable[float], queries: Iterable[str]) -> Slope:
        widest = max((measure(shorten(query, NAME_WIDTH)) for query in queries), default=0)
        return cls(Axis.over(scores), int(_WIDTH - _LEADER - 6.5 * (widest + 6)))

    def describe(self) -> dict[str, object]:
        """What script.js draws them by."""
        box = {"left": _LEFT, "right": self.right, "top": _TOP, "bottom": _BOTTOM}
        return {**box, "leader": _LEADER, "ticks": self.axis.ticks, "most": MOST_LINES}

    def name_most(self, pairs: Sequence[Pair]) -> list[tuple[int, float]]:
        """The queries that move most, with the places of their labels, which do not overlap."""
        ordered = sort_by_change(pairs)
        least = max((abs(after - before) for _, before, after in ordered[:1]), default=0) / 4
        moved = [pair for pair in ordered if abs(pair[2] - pair[1]) > max(least, EQUAL)]
        gains, losses = ([p for p in moved if tone(p[2] - p[1]) == kind] for kind in ("up", "down"))
        rarer = min(len(gains), len(losses), _LEAST_NAMED)
        kept = moved[: _NAMED - rarer]
        for part in (gains, losses):
            kept += [pair for pair in part[:rarer] if pair not in kept]
        kept += [pair for pair in moved if pair not in kept][: _NAMED - len(kept)]
        length = _BOTTOM - _TOP
        ends = sorted((_BOTTOM - self.axis.place(after, length), n) for n, _, after in kept)
        places = spread([y for y, _ in ends], _TOP, _BOTTOM)
        return [(number, place) for (_, number), place in zip(ends, places, strict=True)]


def spread(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Places for labels, as near to those wanted as there is room for each, in their order.

    >>> spread([50, 52, 90], 0, 100)
    [43.5, 58.5, 90.0]
    """
    # without the height of those before it, a label may be at the place of another
    groups: list[list[float]] = []
    for number, place in enumerate(wanted):
        groups.append([place - number * _LINE])
        while len(groups) > 1 and _average(groups[-2]) > _average(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    highest = high - (len(wanted) - 1) * _LINE
    free = [min(max(_average(group), low), highest) for group in groups for _ in group]
    return [place + number * _LINE for number, place in enumerate(free)]


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def sort_by_change(pairs: Sequence[Pair]) -> list[Pair]:
    """The largest differences first."""
    return sorted(pairs, key=lambda pair: (-abs(pair[2] - pair[1]), pair[0]))
