"""Charts: what is drawn, and where it is on its scale; the templates and script.js draw it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

import polars as pl

from ..result import count
from .words import shorten_each, trim

Row = TypeVar("Row")

EQUAL = 1e-9
MOST_DOTS = 200  # more become bars that count them
MOST_BARS = 400  # of gains and losses
NAME_WIDTH = 14  # columns for the name of a query or of a line
_LINE = 15  # the height of a label


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
        steps = (power * each for each in (1, 2, 2.5, 5, 10))
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


def find_tone(test: Mapping[str, Any]) -> str:
    """The class of a difference, that of a tie unless it is significant, or else of a score."""
    if "significant" not in test:
        return str(test.get("tone", "c0"))
    return tone(test["difference"]) if test["significant"] else "tie"


def name_classes(names: Iterable[str]) -> dict[str, str]:
    """The class of each name, which is its colour."""
    return {name: f"c{n % 10}" + " again" * (n > 9) for n, name in enumerate(names)}


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


# Rows on one axis


def draw_rows(
    macro: str, title: str, below: str, axis: Axis, rows: Sequence[Mapping[str, Any]]
) -> Chart:
    """Rows with a ``name`` each, on one axis.

    Those of ``strips`` have ``scores``, with the names of their queries, and their ``mean``; those
    of ``intervals`` a ``value``, the ends ``low`` and ``high``, and what may ``show`` them.
    """
    parts = {"rows": rows, "names": shorten_each([row["name"] for row in rows], 24)}
    return Chart(macro, title, below, axis, parts, 608, 32 * len(rows) + 32)


def draw_intervals(
    rows: pl.DataFrame, keys: Sequence[str], value: str, show: Callable[[float], str]
) -> Iterator[Chart]:
    """A chart for each metric and segment, all on one axis; the rows have a ``name``."""
    ends = (x for column in ("low", value, "high") for x in rows[column].drop_nulls())
    axis = Axis.over(ends, 5)
    for key, part in rows.group_by(keys, maintain_order=True):
        shown = [row | {"value": row[value], "show": show} for row in part.to_dicts()]
        yield draw_rows("intervals", ", ".join(map(str, key)), value, axis, shown)


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
    axis = Axis.over(y for each in points.values() for _, y in each)
    ends, has_dots = Axis.over(across), below == "cut-off"

    def place(x: float) -> float:
        return math.log(x) / math.log(across[-1]) if has_dots else ends.place(x, 1)

    order = {name: (-each[-1][1], -fmean(y for _, y in each)) for name, each in points.items()}
    names = sorted(order, key=lambda name: order[name]) if len(order) > 1 else []
    wanted = [238 - axis.place(-order[name][0], 226) for name in names]
    parts = {
        "ticks": [(place(tick), tick) for tick in (across if has_dots else ends.ticks)],
        "points": {name: [(place(x), y) for x, y in each] for name, each in points.items()},
        "classes": classes,
        "names": shorten_each([*points], NAME_WIDTH),
        "places": dict(zip(names, spread(wanted, 12, 238), strict=True)),
        "has_dots": has_dots,
    }
    return Chart("lines", title, below, axis, parts)


def draw_curve(
    found: pl.DataFrame, x: str, y: str, classes: Mapping[str, str] | None = None
) -> Chart:
    """A line for each run and query through the rows of two columns."""
    names = [column for column in ("run_id", "query_id") if column in found.columns]
    name = pl.concat_str(names, separator=", ") if names else pl.lit(y)
    name = name.str.strip_suffix(", all").alias("name")
    rows = found.select(name, pl.col(x, y).cast(pl.Float64)).drop_nulls()
    classes = classes or name_classes(rows["name"].unique(maintain_order=True))
    return draw_lines(f"{y} over {x}", x, rows.rows(), classes)


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


# Gains and losses


def draw_gains(title: str, below: str, axis: Axis, changes: pl.DataFrame) -> Chart:
    """A bar for the ``difference`` of each query, the largest gain first."""
    ordered = changes.sort("difference", "query_id", descending=[True, False])
    bars = thin(ordered.select("query_id", "difference").rows())
    return Chart("gains", title, below, axis, {"bars": bars})


def thin(rows: Sequence[Row]) -> list[Row]:
    """As many rows as there are bars, evenly from the first to the last."""
    number = min(len(rows), MOST_BARS)
    return [rows[place * len(rows) // number] for place in range(number)]
