"""Charts: SVG by hand, coloured by the classes of style.css, light by short coordinates.

`draw_gains` is drawn again by script.js when another run is chosen, from the ticks of its axis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .axes import HEIGHT, TOP, WIDTH, Axis, Pair, draw_frame, draw_text, sign, tone
from .markup import Markup, element, join, trim

MOST_DOTS, MOST_BARS = 200, 400  # more dots become bars, and more bars an area
_LEFT, _BOTTOM = 40, 26  # room for the labels of axes


# Gains and losses


def find_gains_axis(pairs: Sequence[Pair]) -> Axis:
    """The scale of gains and losses: no half of it is empty."""
    return Axis.over((after - before for _, before, after in pairs), 5)


def draw_gains(
    pairs: Sequence[Pair], queries: Sequence[str], label: str, digits: int = 4
) -> Markup:
    """The differences of queries, from the largest gain to the largest loss."""
    axis = find_gains_axis(pairs)
    return draw_frame(
        label,
        element("g", _draw_gains_grid(axis), class_="ticks"),
        element("g", draw_bars(axis, pairs, queries, digits), class_="marks"),
        class_="gains",
    )


def _draw_gains_grid(axis: Axis) -> Markup:
    length = HEIGHT - 2 * TOP
    parts = []
    for tick in axis.ticks:
        y = TOP + length - axis.place(tick, length)
        parts += [
            element("line", class_="zero" if not tick else "grid", x1=48, x2=WIDTH, y1=y, y2=y),
            draw_text(40, y + 4, sign_tick(tick), "end"),
        ]
    return join(*parts)


def sign_tick(tick: float) -> str:
    return f"{tick:+g}".replace("-", "\N{MINUS SIGN}") if tick else "0"


def draw_bars(axis: Axis, pairs: Sequence[Pair], queries: Sequence[str], digits: int) -> Markup:
    length, left = HEIGHT - 2 * TOP, 52.0
    rows = sorted(pairs, key=lambda pair: (pair[1] - pair[2], pair[0]))
    step = (WIDTH - left) / max(len(rows), 1)
    zero = TOP + length - axis.place(0, length)
    if len(rows) > MOST_BARS:
        return _draw_area(axis, [after - before for _, before, after in rows], left, length)
    width = min(step * 0.78, 30)
    bars = []
    for place, (number, before, after) in enumerate(rows):
        difference = after - before
        end = TOP + length - axis.place(difference, length)
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
    zero = TOP + length - axis.place(0, length)
    number = min(len(differences), WIDTH)
    parts = []
    for kind in ("up", "down"):
        points = []
        for place in range(number):
            value = differences[place * len(differences) // number]
            if tone(value) == kind:
                x = left + (WIDTH - left) * place / number
                y = TOP + length - axis.place(value, length)
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
    length = bottom - TOP

    def find_x(value: float) -> float:
        return _LEFT + value * (WIDTH - _LEFT - 10)

    parts = []
    for tick in axis.ticks:
        y = bottom - axis.place(tick, length)
        parts += [
            element("line", class_="grid", x1=_LEFT, x2=WIDTH - 10, y1=y, y2=y),
            draw_text(_LEFT - 8, y + 4, f"{tick:g}", "end"),
        ]
    parts += [draw_text(find_x(at), bottom + 18, text, "middle") for at, text in names]
    parts.append(draw_text(find_x(0.5), HEIGHT - 5, title, "middle"))
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
    return draw_frame(label, *parts)


# Scores of queries


def draw_strip(axis: Axis, scores: Sequence[float], mean: float | None, label: str) -> Markup:
    """A dot for each score, or bars of their numbers, and a line at the mean.

    It is as wide as the page allows: lines keep their width, and dots are lines without length.
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
