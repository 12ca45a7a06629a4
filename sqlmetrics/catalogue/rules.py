"""Rules: the values that a parameter allows, by its type and what its header line says."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import TypeAlias

# A gain map is a tuple of (relevance, gain), so that metrics can be compared and hashed.
Value: TypeAlias = int | float | str | tuple[tuple[float | str, float], ...] | None

_LARGEST = 2**31 - 1  # largest whole number in every engine

# The types, and what messages call their values; those of VARCHAR are named one by one. ANY is for
# macros of a connection, which refuse what they do not take.
TYPES = {
    "BIGINT": "whole number",
    "DOUBLE": "number",
    "BOOLEAN": "TRUE or FALSE",
    "MAP": "{relevance: gain, …}",
    "ANY": "any value",
    "VARCHAR": "",
}
_LIMIT = re.compile(r"(\d+) or more|above (\d+)|between (\d+) and (\d+)|from (\d+) to (\d+)")
_WORDS = re.compile(r"'[\w-]+'(?:, '[\w-]+')*(?: or '[\w-]+')?|the name of an? \w+")
_PAIRS = re.compile(r"(?:\{\w+: \w+, …\})?")


@dataclass(frozen=True)
class Rule:
    """The values that a parameter of a type allows.

    ``limit`` is ``1 or more``, ``above 0``, ``between 0 and 1``, ``from 0 to 1`` or, for VARCHAR,
    words in quotes or ``the name of a run``; for MAP, ``{variant: share, …}``.
    """

    type: str
    limit: str = ""
    allows_null: bool = False

    @property
    def is_number(self) -> bool:
        return self.type in ("BIGINT", "DOUBLE")

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(re.findall(r"'([\w-]+)'", self.limit))

    @property
    def limits(self) -> tuple[tuple[str, int], ...]:
        """The limits of a number: ``(">=", 1)``."""
        numbers = map(int, re.findall(r"\d+", self.limit)) if self.is_number else ()
        is_open = self.limit.startswith(("above", "between"))
        return tuple(zip((">", "<") if is_open else (">=", "<="), numbers, strict=False))

    def find_problem(self, value: Value) -> str | None:
        """What is wrong with ``value``, or None."""
        if value is None or self.type == "ANY":
            fits = self.allows_null
        elif isinstance(value, bool):
            fits = self.type == "BOOLEAN"
        elif isinstance(value, tuple):
            fits = self.type == "MAP"
        elif isinstance(value, str):
            fits = self.type == "VARCHAR" and (not self.words or value in self.words)
        elif not isinstance(value, int | float):
            fits = False
        elif self.type == "BIGINT":
            fits = isinstance(value, int) and abs(value) <= _LARGEST and self._holds(value)
        else:
            fits = self.type == "DOUBLE" and math.isfinite(value) and self._holds(value)
        return None if fits else f"it must be {self}"

    def _holds(self, number: float) -> bool:
        return all(_COMPARE[sign](number, end) for sign, end in self.limits)

    def write_condition(self, name: str) -> str | None:
        """A condition in SQL: true if a parameter of this name has the type and follows the rule.

        Macros that users call have no types: a database file of the default storage version takes
        none, and a value of another type is refused by name.
        """
        if self.type == "ANY" or (self.type == "VARCHAR" and not self.words and self.allows_null):
            return None
        if self.is_number:
            x = f"number_of({name})"
            whole = [f"is_whole({x})" if self.type == "BIGINT" else f"isfinite({x})"]
            fits = " AND ".join([*whole, *(f"{x} {sign} {end}" for sign, end in self.limits)])
        elif self.words:
            fits = f"CAST({name} AS VARCHAR) IN ({', '.join(map(repr, self.words))})"
        elif self.type == "VARCHAR":
            fits = f"{name} IS NOT NULL"
        else:
            fits = f"starts_with(typeof({name}), '{self.type}') AND {name} IS NOT NULL"
        return f"{name} IS NULL OR {fits}" if self.allows_null else fits

    @property
    def text(self) -> str:
        """The rule in words: ``whole number, 1 or more, or NULL``."""
        comma = ", " if self.limit[:1].isdigit() else " "
        said = f"{TYPES[self.type]}{comma}{self.limit}".strip()
        if self.type == "MAP" and self.limit:
            said = self.limit
        return f"{said}, or NULL" if self.allows_null and self.type != "ANY" else said

    def __str__(self) -> str:
        """The rule as part of a sentence: ``a whole number, 1 or more``."""
        return f"a {self.text}" if self.is_number else self.text


_COMPARE = {">": gt, ">=": ge, "<": lt, "<=": le}


def read_rule(kind: str, default: str, text: str) -> Rule | None:
    """The rule of a parameter of a type with a default, or None if the text is not a limit.

    NULL is allowed if it is the default, unless the text begins with ``required``, or if it ends
    with ``or NULL``.

    >>> read_rule("BIGINT", "NULL", "1 or more").find_problem(0)
    'it must be a whole number, 1 or more, or NULL'
    >>> read_rule("BIGINT", "NULL", "how many documents there are")
    """
    needed = re.sub(r"^required(, |$)", "", text)
    limit = re.sub(r"(, |^)or NULL$", "", needed)
    rule = Rule(kind, limit, limit != needed or (default == "NULL" and needed == text))
    forms = {"VARCHAR": _WORDS, "MAP": _PAIRS, "BOOLEAN": re.compile(""), "ANY": re.compile("")}
    form = forms.get(kind, _LIMIT)
    is_missing = not limit and kind != "VARCHAR"
    return rule if is_missing or form.fullmatch(limit) else None
