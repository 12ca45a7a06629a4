"""Charts: what is drawn, and where it is on its scale; the templates and script.js draw it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from ..result import count, show_range
from .words import measure, shorten, shorten_each, sign, trim

Pair = tuple[int, float, float]  # the number of a query, the baseline's score, the run's

EQUAL = 1e-9
MOST_DOTS = 200  # more become bars that count them
MOST_BARS, MOST_LINES = 400, 150  # of gains and losses, and of slopes
NAME_WIDTH = 14  # columns for the name of a query or of a line
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
        """How far from its low end a value is, on an axis of this length; at most at an end."""
        inside = min(max(value, self.low), self.high)
        return (inside - self.low) / (self.high - self.low) * length


def tone(difference: float) -> str:
    """The class of a gain, a loss or a tie."""
    return "up" if difference > EQUAL else "down" if difference < -EQUAL else "tie"


@dataclass(frozen=True)
class Chart:
    """What a macro of charts.svg draws, in a box of this size, and what is written around it."""

    macro: str
    title: str
    below: str
    axis: Axis
    parts: Mapping[str, Any]
    width: int = 440
    height: int = 280


def name_classes(names: Iterable[str]) -> dict[str, str]:
    """The class of each name, which is its colour."""
    return {name: f"c{n % 10}" + " again" * (n > 9) for n, name in enumerate(names)}


def find_tone(test: Mapping[str, Any]) -> str:
    """The class of a difference, that of a tie unless it is significant."""
    return tone(test["difference"]) if test["significant"] else "tie"


# Rows on one axis: the scores of queries, or intervals


class Strip(NamedTuple):
    """Scores, with the names of their queries."""

    name: str
    scores: Sequence[tuple[float, str]]
    mean: float | None


class Interval(NamedTuple):
    """A value and the ends of its interval, also in words."""

    name: str
    value: float
    low: float | None
    high: float | None
    tone: str
    ends: str
    label: str


def find_interval(
    name: str,
    value: float,
    ends: tuple[float | None, float | None],
    tone: str,
    show: Callable[[float], str] = sign,
) -> Interval:
    said = show_range(*ends, show)
    label = f"{name} {show(value)}" + f", interval {said}" * bool(said)
    return Interval(name, value, *ends, tone, said, label)


def draw_rows(
    title: str, below: str, rows: Sequence[Strip] | Sequence[Interval], axis: Axis | None = None
) -> Chart:
    """Rows on an axis, by default on that of their scores."""
    strips = [row for row in rows if isinstance(row, Strip)]
    axis = axis or Axis.over((x for row in strips for x, _ in row.scores), 5)
    macro = "strips" if strips else "intervals"
    parts = {"rows": rows, "names": shorten_each([row.name for row in rows], 24)}
    return Chart(macro, title, below, axis, parts, 608, 32 * len(rows) + 32)


def swarm(
    axis: Axis, scores: Sequence[tuple[float, str]], width: int, height: int
) -> Iterator[tuple[str, str]]:
    """Dots beside each other where scores are close; a dot is a line without length."""
    cells = Counter[int]()
    members = Counter(int(axis.place(score, width) // 9) for score, _ in scores)
    for score, name in sorted(scores):
        x = axis.place(score, width)
        cell = int(x // 9)
        gap = min(5.0, (height - 10) / max(members[cell] - 1, 1))
        y = height / 2 + (cells[cell] - (members[cell] - 1) / 2) * gap
        cells[cell] += 1
        yield f"M{x:.0f} {trim(y)}h0", f"{name}: {score:.4f}"


def stack_bars(
    axis: Axis, scores: Sequence[tuple[float, str]], width: int, height: int
) -> Iterator[tuple[str, str]]:
    """The scores counted in fifty bars around the middle."""
    number = 50
    found = Counter(min(int(axis.place(score, number)), number - 1) for score, _ in scores)
    size = width / number
    for cell, members in sorted(found.items()):
        half = max(members / max(found.values()) * (height / 2 - 2), 0.5)
        across = f"h{trim(size - 1)}v{trim(2 * half)}h-{trim(size - 1)}Z"
        yield f"M{trim(cell * size)} {trim(height / 2 - half)}{across}", count(members, "query")


# A line for each name


def draw_lines(
    title: str, below: str, rows: Iterable[tuple[str, float, float]], classes: Mapping[str, str]
) -> Chart:
    """Lines through rows of a name, a place across and a height; those of cut-offs have dots.

    Cut-offs are as far apart as their logarithms. Names of lines that end in the same place are in
    the order of their means.
    """
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in classes}
    for name, x, y in rows:
        if math.isfinite(x) and math.isfinite(y):
            points[name].append((x, y))
    points = {name: each for name, each in points.items() if each}
    across = sorted({x for each in points.values() for x, _ in each})
    ends = Axis.over(across)
    ticks, place = ends.ticks, {x: ends.place(x, 1) for x in across}
    if has_dots := below == "cut-off":
        ticks, place = tuple(across), {x: math.log(x) / math.log(across[-1]) for x in across}
    axis = Axis.over(y for each in points.values() for _, y in each)
    order = {name: (-each[-1][1], -fmean([y for _, y in each])) for name, each in points.items()}
    names = sorted(order, key=lambda name: order[name]) if len(order) > 1 else []
    wanted = [238 - axis.place(-order[name][0], 226) for name in names]
    parts = {
        "ticks": [(place[tick] if has_dots else ends.place(tick, 1), tick) for tick in ticks],
        "points": {name: [(place[x], y) for x, y in each] for name, each in points.items()},
        "classes": classes,
        "names": shorten_each([*points], NAME_WIDTH),
        "places": dict(zip(names, spread(wanted, 12, 238), strict=True)),
        "has_dots": has_dots,
    }
    return Chart("lines", title, below, axis, parts)


# Gains and losses


def draw_gains(title: str, below: str, axis: Axis, changes: Sequence[tuple[str, float]]) -> Chart:
    """A bar for the difference of each query, with its name and class."""
    changes = sorted(changes)
    kept = sample([(n, 0, change) for n, (_, change) in enumerate(changes)])
    bars = [(*changes[n], tone(changes[n][1])) for n in kept]
    return Chart("gains", title, below, axis, {"bars": bars})


def sample(pairs: Sequence[Pair]) -> list[int]:
    """Queries for bars, evenly from the largest gain to the largest loss."""
    ordered = sorted(pairs, key=lambda pair: (pair[1] - pair[2], pair[0]))
    number = min(len(ordered), MOST_BARS)
    return [ordered[place * len(ordered) // number][0] for place in range(number)]


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
        while len(groups) > 1 and fmean(groups[-2]) > fmean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    highest = high - (len(wanted) - 1) * _LINE
    free = [min(max(fmean(group), low), highest) for group in groups for _ in group]
    return [place + number * _LINE for number, place in enumerate(free)]


def sort_by_change(pairs: Sequence[Pair]) -> list[Pair]:
    """The largest differences first."""
    return sorted(pairs, key=lambda pair: (-abs(pair[2] - pair[1]), pair[0]))
