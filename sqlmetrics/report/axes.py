"""Axes: the scale of a chart, its frame, and numbers as they are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from .markup import Markup, element, trim

Pair = tuple[int, float, float]  # the number of a query, the baseline's score, the run's

WIDTH, HEIGHT = 440, 280
TOP = 12  # room above and below what is drawn
EQUAL = 1e-9


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
    return "up" if difference > EQUAL else "down" if difference < -EQUAL else "tie"


def draw_frame(label: str, *children: object, height: float = HEIGHT, class_: str = "") -> Markup:
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {WIDTH} {trim(height)}",
        role="img",
        aria_label=label,
        class_=class_ or None,
    )


def draw_text(x: float, y: float, text: object, anchor: str = "", class_: str = "") -> Markup:
    return element(
        "text", text, x=float(x), y=float(y), text_anchor=anchor or None, class_=class_ or None
    )
