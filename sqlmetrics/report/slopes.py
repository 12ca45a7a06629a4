"""Slopes: each query as a line from the score of the baseline to that of a run.

`draw_slope` is drawn again by script.js when another run is chosen, from what `Slope` holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .axes import EQUAL, HEIGHT, TOP, WIDTH, Axis, Pair, draw_frame, draw_text, show, sign, tone
from .markup import Markup, element, join, measure, shorten, trim

MOST_LINES = 150  # more hide each other
_SLOPE_LEFT, _SLOPE_TOP = 44, 34
# Labels of a slope plot, how many at least of gains and of losses, and the height of one.
_NAMED, _LEAST_NAMED, _LINE = 8, 2, 15
NAME_WIDTH = 14  # columns for the name of a query
_LEADER = 18  # from the end of a line to its label


@dataclass(frozen=True)
class Slope:
    """What slope plots of all runs share: the axis, and ``right``, where their lines end."""

    axis: Axis
    right: int

    @classmethod
    def of(cls, scores: Iterable[float], queries: Iterable[str]) -> Slope:
        widest = max((measure(shorten(query, NAME_WIDTH)) for query in queries), default=0)
        return cls(Axis.over(scores), int(WIDTH - _LEADER - 6.5 * (widest + 6)))

    def find_y(self, value: float) -> float:
        length = HEIGHT - _SLOPE_TOP - TOP
        return _SLOPE_TOP + length - self.axis.place(value, length)

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
        ends = sorted((self.find_y(after), number) for number, _, after in kept)
        places = spread([y for y, _ in ends], _SLOPE_TOP, HEIGHT - TOP)
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


def draw_slope(
    slope: Slope,
    pairs: Sequence[Pair],
    queries: Sequence[str],
    runs: Sequence[tuple[str, str]],
    digits: int = 4,
) -> Markup:
    """Each query, from the score of the baseline to that of a run; those that move most, named.

    ``runs`` are the names of both, and what is shown of these.
    """
    before, after = runs
    grid = [
        join(
            element(
                "line", class_="grid", x1=_SLOPE_LEFT, x2=slope.right, y1=slope.find_y(tick),
                y2=slope.find_y(tick),
            ),
            draw_text(_SLOPE_LEFT - 9, slope.find_y(tick) + 4, f"{tick:g}", "end"),
        )
        for tick in slope.axis.ticks
    ]  # fmt: skip
    return draw_frame(
        f"Scores of queries, from {before[0]} to {after[0]}",
        *grid,
        _head(_SLOPE_LEFT, *before, "start"),
        _head(slope.right, *after, "middle", class_="after"),
        element("g", draw_slopes(slope, pairs, queries, digits), class_="marks"),
        class_="slope",
    )


def _head(x: float, run: str, short: str, anchor: str, class_: str = "") -> Markup:
    return element(
        "text",
        element("title", run),
        short,
        x=x,
        y=14,
        text_anchor=anchor,
        class_=f"ink {class_}".rstrip(),
    )


def draw_slopes(slope: Slope, pairs: Sequence[Pair], queries: Sequence[str], digits: int) -> Markup:
    named = dict(slope.name_most(pairs))
    marks = []
    for number, before, after in reversed(sort_by_change(pairs)[:MOST_LINES]):
        y1, y2 = slope.find_y(before), slope.find_y(after)
        marks.append(
            element(
                "g",
                element(
                    "title", f"{queries[number]}: {show(before, digits)} → {show(after, digits)}"
                ),
                element("path", d=f"M{_SLOPE_LEFT} {trim(y1)}L{slope.right} {trim(y2)}"),
                class_=tone(after - before) + (" most" if number in named else ""),
            )
        )
    scores = {number: (before, after) for number, before, after in pairs}
    for number, place in named.items():
        before, after = scores[number]
        end = f"M{slope.right + 3} {trim(slope.find_y(after))}L{slope.right + 14} {trim(place)}"
        change = element("tspan", sign(after - before, min(digits, 2)), class_=tone(after - before))
        name = join(shorten(queries[number], NAME_WIDTH), " ", change)
        marks += [
            element("path", d=end, class_="leader"),
            draw_text(slope.right + _LEADER, place + 4, name, class_="ink"),
        ]
    return join(*marks)
