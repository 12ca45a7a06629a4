"""Charts: SVG by hand, coloured by the classes of style.css, light by short coordinates.

`draw_slope` and `draw_gains` are drawn again by script.js when another run is chosen, from what
`Slope` and `Gains` hold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .markup import Markup, element, join, measure, shorten, trim

Pair = tuple[int, float, float]  # the number of a query, the baseline's score, the run's

WIDTH, HEIGHT = 440, 280
# More lines than these hide each other, and more dots become bars.
MOST_LINES, MOST_DOTS, MOST_BARS = 150, 200, 400
_EQUAL = 1e-9
_LEFT, _TOP, _BOTTOM = 40, 12, 26  # room for the labels of axes
_SLOPE_LEFT, _SLOPE_TOP = 44, 34
# Labels of a slope plot, how many at least of gains and of losses, and the height of one.
_NAMED, _LEAST_NAMED, _LINE = 8, 2, 15
NAME_WIDTH = 14  # columns for the name of a query
_LEADER = 18  # from the end of a line to its label


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
        """From the lowest value, or 0, to the highest."""
        known = [0.0, *values]
        low, high = min(known), max(known)
        if high - low < _EQUAL:
            high = low + 1
        power = 10.0 ** math.floor(math.log10((high - low) / count))
        steps = [power * each for each in (1, 2, 2.5, 5, 10)]
        step = next(each for each in steps if (high - low) / each <= count + _EQUAL)
        first, last = math.floor(low / step + _EQUAL), math.ceil(high / step - _EQUAL)
        ticks = tuple(round(n * step, 10) for n in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    def place(self, value: float, length: float) -> float:
        """How far from its low end a value is, on an axis of this length."""
        return (value - self.low) / (self.high - self.low) * length


def show(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}f}"


def sign(value: float, digits: int = 4) -> str:
    """A difference with its sign, and a true minus.

    >>> sign(0.25, 2), sign(-0.25, 1) == "\N{MINUS SIGN}0.2", sign(-0.0, 1)
    ('+0.25', True, '0.0')
    """
    text = f"{value:+.{digits}f}"
    return text[1:] if not float(text) else text.replace("-", "\N{MINUS SIGN}")


def tone(difference: float) -> str:
    """The class of a gain, a loss or a tie."""
    return "up" if difference > _EQUAL else "down" if difference < -_EQUAL else "tie"


def _frame(label: str, *children: object, height: float = HEIGHT, class_: str = "") -> Markup:
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {WIDTH} {trim(height)}",
        role="img",
        aria_label=label,
        class_=class_ or None,
    )


def _text(x: float, y: float, text: object, anchor: str = "", class_: str = "") -> Markup:
    return element(
        "text", text, x=float(x), y=float(y), text_anchor=anchor or None, class_=class_ or None
    )


# Slopes


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
        length = HEIGHT - _SLOPE_TOP - _TOP
        return _SLOPE_TOP + length - self.axis.place(value, length)

    def name_most(self, pairs: Sequence[Pair]) -> list[tuple[int, float]]:
        """The queries that move most, with the places of their labels, none upon another."""
        ordered = sort_by_change(pairs)
        least = max((abs(after - before) for _, before, after in ordered[:1]), default=0) / 4
        moved = [pair for pair in ordered if abs(pair[2] - pair[1]) > max(least, _EQUAL)]
        gains, losses = ([p for p in moved if tone(p[2] - p[1]) == kind] for kind in ("up", "down"))
        rarer = min(len(gains), len(losses), _LEAST_NAMED)
        kept = moved[: _NAMED - rarer]
        for part in (gains, losses):
            kept += [pair for pair in part[:rarer] if pair not in kept]
        kept += [pair for pair in moved if pair not in kept][: _NAMED - len(kept)]
        ends = sorted((self.find_y(after), number) for number, _, after in kept)
        places = spread([y for y, _ in ends], _SLOPE_TOP, HEIGHT - _TOP)
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
            _text(_SLOPE_LEFT - 9, slope.find_y(tick) + 4, f"{tick:g}", "end"),
        )
        for tick in slope.axis.ticks
    ]  # fmt: skip
    return _frame(
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
            _text(slope.right + _LEADER, place + 4, name, class_="ink"),
        ]
    return join(*marks)


# Gains and losses


def find_gains_axis(pairs: Sequence[Pair]) -> Axis:
    """The scale of gains and losses: no half of it is empty."""
    return Axis.over((after - before for _, before, after in pairs), 5)


def draw_gains(
    pairs: Sequence[Pair], queries: Sequence[str], label: str, digits: int = 4
) -> Markup:
    """The differences of queries, from the largest gain to the largest loss."""
    axis = find_gains_axis(pairs)
    return _frame(
        label,
        element("g", _draw_gains_grid(axis), class_="ticks"),
        element("g", draw_bars(axis, pairs, queries, digits), class_="marks"),
        class_="gains",
    )


def _draw_gains_grid(axis: Axis) -> Markup:
    length = HEIGHT - 2 * _TOP
    parts = []
    for tick in axis.ticks:
        y = _TOP + length - axis.place(tick, length)
        parts += [
            element("line", class_="zero" if not tick else "grid", x1=48, x2=WIDTH, y1=y, y2=y),
            _text(40, y + 4, sign_tick(tick), "end"),
        ]
    return join(*parts)


def sign_tick(tick: float) -> str:
    return f"{tick:+g}".replace("-", "\N{MINUS SIGN}") if tick else "0"


def draw_bars(axis: Axis, pairs: Sequence[Pair], queries: Sequence[str], digits: int) -> Markup:
    length, left = HEIGHT - 2 * _TOP, 52.0
    rows = sorted(pairs, key=lambda pair: (pair[1] - pair[2], pair[0]))
    step = (WIDTH - left) / max(len(rows), 1)
    zero = _TOP + length - axis.place(0, length)
    if len(rows) > MOST_BARS:
        return _draw_area(axis, [after - before for _, before, after in rows], left, length)
    width = min(step * 0.78, 30)
    bars = []
    for place, (number, before, after) in enumerate(rows):
        difference = after - before
        end = _TOP + length - axis.place(difference, length)
        x = left + step * place + (step - width) / 2
        is_tie = tone(difference) == "tie"
        bars.append(
            element(
                "rect",
                element("title", f"{queries[number]}: {sign(difference, digits)}"),
                class_=tone(difference),
                x=x,
                y=zero - 1 if is_tie else min(zero, end),
                width=width,
                height=2.0 if is_tie else max(abs(zero - end), 1.0),
            )
        )
    return join(*bars)


def _draw_area(axis: Axis, differences: Sequence[float], left: float, length: float) -> Markup:
    """The differences as two areas, where bars would be too thin."""
    zero = _TOP + length - axis.place(0, length)
    number = min(len(differences), WIDTH)
    parts = []
    for kind in ("up", "down"):
        points = []
        for place in range(number):
            value = differences[place * len(differences) // number]
            if tone(value) == kind:
                x = left + (WIDTH - left) * place / number
                y = _TOP + length - axis.place(value, length)
                points.append((x, y))
        if points:
            line = "L".join(f"{trim(x)} {trim(y)}" for x, y in points)
            start, end = trim(points[0][0]), trim(points[-1][0] + 1)
            parts.append(
                element("path", class_=kind, d=f"M{start} {trim(zero)}L{line}H{end}V{trim(zero)}Z")
            )
    return join(*parts)


# Lines of runs


def draw_lines(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    classes: Mapping[str, str],
    label: str,
    names: Sequence[tuple[float, str]],
    title: str,
    *,
    dots: bool = False,
) -> Markup:
    """A line for each run through points from 0 to 1; ``names`` are the ticks below, with text."""
    axis = Axis.over(y for points in lines.values() for _, y in points)
    bottom = HEIGHT - _BOTTOM - 16
    length = bottom - _TOP

    def find_x(value: float) -> float:
        return _LEFT + value * (WIDTH - _LEFT - 10)

    parts = []
    for tick in axis.ticks:
        y = bottom - axis.place(tick, length)
        parts += [
            element("line", class_="grid", x1=_LEFT, x2=WIDTH - 10, y1=y, y2=y),
            _text(_LEFT - 8, y + 4, f"{tick:g}", "end"),
        ]
    parts += [_text(find_x(at), bottom + 18, text, "middle") for at, text in names]
    parts.append(_text(find_x(0.5), HEIGHT - 5, title, "middle"))
    for run, points in reversed([*lines.items()]):
        placed = [(trim(find_x(x)), trim(bottom - axis.place(y, length))) for x, y in points]
        path = "L".join(f"{x} {y}" for x, y in placed)
        marks = "".join(f"M{x} {y}h0" for x, y in placed) if dots else ""
        parts.append(
            element(
                "g",
                element("title", run),
                element("path", d=f"M{path}"),
                element("path", d=marks, class_="dots") if marks else None,
                class_=f"line {classes[run]}",
            )
        )
    return _frame(label, *parts)


# Scores of queries


def draw_strip(axis: Axis, scores: Sequence[float], mean: float | None, label: str) -> Markup:
    """A dot for each score, or bars of their numbers, and a line at the mean.

    It is as wide as the page lets it be: lines keep their width, and dots are lines without length.
    """
    width, height = 1000, 28
    grid = "".join(f"M{axis.place(tick, width):.0f} 0V{height}" for tick in axis.ticks)
    if len(scores) > MOST_DOTS:
        marks = element("path", d=_stack_bars(axis, scores, width, height), class_="heap")
    else:
        marks = element("path", d=_swarm(axis, scores, width, height), class_="dots")
    at = None if mean is None else f"{axis.place(mean, width):.0f}"
    return element(
        "svg",
        element("title", label),
        element("path", d=grid, class_="grid"),
        marks,
        element("path", d=f"M{at} 3V{height - 3}", class_="mean") if at else None,
        viewBox=f"0 0 {width} {height}",
        preserveAspectRatio="none",
        role="img",
        aria_label=label,
    )


def _swarm(axis: Axis, scores: Sequence[float], width: int, height: int) -> str:
    """Dots beside each other where scores are close."""
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


def _stack_bars(axis: Axis, scores: Sequence[float], width: int, height: int) -> str:
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


# Intervals


def draw_interval(
    axis: Axis, low: float | None, mean: float, high: float | None, class_: str
) -> Markup:
    """A difference and its confidence interval, around the baseline."""
    width, height = 1000, 22
    parts = [
        element("path", d=f"M{axis.place(0, width):.0f} 0V{height}", class_="zero"),
        element("path", d=f"M{axis.place(mean, width):.0f} 11h0", class_="point"),
    ]
    label = f"difference {sign(mean)}"
    if low is not None and high is not None:
        ends = (f"{axis.place(each, width):.0f}" for each in (low, high))
        parts.insert(1, element("path", d="M{} 11H{}".format(*ends), class_="range"))
        label += f", interval {sign(low)} to {sign(high)}"
    return element(
        "svg",
        element("title", label),
        *parts,
        viewBox=f"0 0 {width} {height}",
        preserveAspectRatio="none",
        role="img",
        class_=f"interval {class_}",
    )


def draw_ticks(axis: Axis, *, signed: bool = False) -> Markup:
    """The labels of a wide axis, as HTML; of one with signs only the ends and 0."""
    labels = [
        element(
            "span",
            sign_tick(tick) if signed else f"{tick:g}",
            style=f"left:{trim(axis.place(tick, 100))}%",
        )
        for tick in axis.ticks
        if not signed or tick in (axis.low, 0, axis.high)
    ]
    return element("div", *labels, class_="axis", aria_hidden="true")
