"""Rules: the values that a parameter allows, as its header line states before the semicolon."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

# A gain map is a tuple of (relevance, gain), so that metrics can be compared and hashed.
Value: TypeAlias = int | float | str | tuple[tuple[float | str, float], ...] | None

_LARGEST = 2**31 - 1  # largest whole number in every engine

_NUMBER = re.compile(
    r"(?:a )?(?P<kind>whole number|number)"
    r"(?:,? (?:(?P<least>\d+) or more|above (?P<above>\d+)"
    r"|between (?P<low>\d+) and (?P<high>\d+)|from (?P<first>\d+) to (?P<last>\d+)))?"
)
_WORDS = re.compile(r"'[\w-]+'(?:, '[\w-]+')*(?: or '[\w-]+')?")
_OR_NULL = re.compile(r",? or NULL$")


@dataclass(frozen=True)
class Rule:
    """The values that a parameter allows.

    A ``number`` or ``whole`` number is between ``low`` and ``high``, inclusive if ``ends`` is true;
    a ``word`` is one of ``words``; a ``truth`` is TRUE or FALSE; a ``map`` gives gains by
    relevance; ``any`` value is allowed in macros of the user.
    """

    text: str
    kind: Literal["number", "whole", "word", "truth", "map", "any"]
    words: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    ends: bool = True
    allows_null: bool = False

    def find_problem(self, value: Value) -> str | None:
        """What is wrong with ``value``, or None."""
        if value is None or self.kind == "any":
            fits = self.allows_null or self.kind == "any"
        elif isinstance(value, bool):
            fits = self.kind == "truth"
        elif isinstance(value, tuple):
            fits = self.kind == "map"
        elif isinstance(value, str):
            fits = value in self.words
        elif not isinstance(value, int | float):
            fits = False
        elif self.kind == "whole":
            fits = isinstance(value, int) and self._holds(value) and abs(value) <= _LARGEST
        else:
            fits = self.kind == "number" and self._holds(value) and math.isfinite(value)
        return None if fits else f"it must be {self}"

    def _holds(self, number: float) -> bool:
        is_end = self.ends and number in (self.low, self.high)
        return is_end or self.low < number < self.high

    def __str__(self) -> str:
        """The rule as part of a sentence: ``a whole number, 1 or more``."""
        return f"a {self.text}" if self.kind in ("number", "whole") else self.text

    def write_condition(self, name: str) -> str:
        """A condition in DuckDB's SQL: true if the parameter of this name follows the rule."""
        if self.kind == "any":
            return "TRUE"
        if self.kind == "word":
            listed = ", ".join(f"'{word}'" for word in self.words)
            fits = f"CAST({name} AS VARCHAR) IN ({listed})"
        elif self.kind == "truth":
            fits = f"typeof({name}) = 'BOOLEAN' AND {name} IS NOT NULL"
        elif self.kind == "map":
            fits = f"typeof({name}) LIKE 'MAP(%' AND {name} IS NOT NULL"
        else:
            number = f"TRY_CAST(CAST({name} AS VARCHAR) AS DOUBLE)"
            limits = [f"typeof({name}) <> 'VARCHAR'", f"isfinite({number})"]
            if self.kind == "whole":
                limits += [f"{number} = floor({number})", f"abs({number}) <= {_LARGEST}"]
            if self.low > -math.inf:
                limits.append(f"{number} {'>=' if self.ends else '>'} {self.low:g}")
            if self.high < math.inf:
                limits.append(f"{number} {'<=' if self.ends else '<'} {self.high:g}")
            fits = " AND ".join(limits)
        if self.allows_null:
            return f"{name} IS NULL OR coalesce({fits}, FALSE)"
        return f"coalesce({fits}, FALSE)"


def read_rule(text: str) -> Rule | None:
    """Read a text as a rule; None if it is not exactly a rule.

    >>> read_rule("whole number, 1 or more, or NULL").find_problem(0)
    'it must be a whole number, 1 or more, or NULL'
    >>> read_rule("how many documents there are")
    """
    bare = _OR_NULL.sub("", text)
    allows_null = bare != text
    if bare == "any value":
        return Rule(text, "any", allows_null=True)
    if bare == "TRUE or FALSE":
        return Rule(text, "truth", allows_null=allows_null)
    if bare == "{relevance: gain, …}":
        return Rule(text, "map", allows_null=allows_null)
    if _WORDS.fullmatch(bare):
        return Rule(text, "word", tuple(re.findall(r"'([\w-]+)'", bare)), allows_null=allows_null)
    found = _NUMBER.fullmatch(bare)
    if not found:
        return None
    low = found["least"] or found["above"] or found["low"] or found["first"]
    high = found["high"] or found["last"]
    return Rule(
        text,
        "whole" if found["kind"] == "whole number" else "number",
        low=int(low) if low else -math.inf,
        high=int(high) if high else math.inf,
        ends=not (found["above"] or found["low"]),
        allows_null=allows_null,
    )
