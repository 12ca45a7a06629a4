"""Conventions: how a run is ranked and which queries count, set singly or as a tool's preset."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl

from ..errors import InputError
from .headers import find
from .rules import Value

ScoreType: TypeAlias = Literal["float64", "float32"]
Ties: TypeAlias = Literal["descending", "ascending", "input", "rank", "best", "worst", "expected"]

_QUERIES = ("judged", "answered", "relevant")


@dataclass(frozen=True)
class Conventions:
    """How documents are ranked, and which documents and queries count.

    ``parameters`` apply to metrics whose names do not give others; ``no_relevant`` is the score of
    a query with no relevant documents.
    """

    ties: Ties = "descending"
    score_type: ScoreType = "float64"
    depth: int | None = None
    judged_only: bool = False
    queries: tuple[str, ...] = ("judged",)
    parameters: tuple[tuple[str, Value], ...] = ()
    no_relevant: float = 0

    @property
    def expects(self) -> bool:
        """Whether scores are expectations over all orders of tied documents."""
        return self.ties == "expected"

    @property
    def arguments(self) -> tuple[tuple[str, Value], ...]:
        """The arguments for ``judged`` that are not its defaults."""
        told = {"ties": self.ties, "depth": self.depth, "judged_only": self.judged_only}
        if self.expects:
            del told["ties"]
        return tuple((k, v) for k, v in told.items() if v != _DEFAULTS[k])

    def give(self, own: Iterable[tuple[str, Value]]) -> dict[str, Value]:
        """The arguments of a metric: its own, then those of the conventions."""
        return dict(self.arguments) | dict(own)

    @property
    def rel(self) -> float:
        """The lowest relevance that counts as relevant."""
        rel = dict(self.parameters).get("rel")
        return rel if isinstance(rel, int | float) else 1


_DEFAULTS = {field.name: field.default for field in fields(Conventions)}


def choose(preset: str | None = None, *, rel: float | None = None, **given: Any) -> Conventions:  # noqa: ANN401
    """The conventions of a preset, overridden by those that are given and not None.

    Raises `InputError` for an unknown preset or an invalid value.
    """
    conventions = _find_preset(preset) if preset is not None else Conventions()
    changes = {name: value for name, value in given.items() if value is not None}
    if "queries" in changes:
        changes["queries"] = _read_queries(changes["queries"])
    if rel is not None:
        _require("rel", rel)
        rel = int(rel) if rel == int(rel) else rel  # names have 2, not 2.0
        changes["parameters"] = (
            *(p for p in conventions.parameters if p[0] != "rel"),
            ("rel", rel),
        )
    conventions = replace(conventions, **changes)
    if conventions.score_type not in ("float64", "float32"):
        raise InputError(
            f"score_type must be 'float64' or 'float32', not {conventions.score_type!r}"
        )
    if not conventions.expects:
        _require("ties", conventions.ties)
    _require("depth", conventions.depth)
    if not isinstance(conventions.judged_only, bool):
        raise InputError(f"judged_only must be True or False, not {conventions.judged_only!r}")
    if (
        isinstance(conventions.no_relevant, bool)
        or not isinstance(conventions.no_relevant, int | float)
        or not math.isfinite(conventions.no_relevant)
    ):
        raise InputError(
            f"no_relevant must be a finite number, such as 1, not {conventions.no_relevant!r}"
        )
    if conventions.expects and conventions.judged_only and conventions.depth is not None:
        raise InputError("expected scores can use depth or judged_only, not both")
    return conventions


def _require(name: str, value: Value) -> None:
    """Refuse a value that the header of ``judged`` does not allow."""
    parameter = find("relations", "judged").require_parameter(name)
    if problem := parameter.find_problem(value):
        more = ", or 'expected'" if name == "ties" else ""
        raise InputError(f"{name} cannot be {value!r}; {problem}{more}".replace("NULL", "None"))


def _read_queries(queries: str | Iterable[str]) -> tuple[str, ...]:
    words: list[Any] = []
    if isinstance(queries, str):
        words = queries.replace(",", " ").split()
    elif isinstance(queries, Iterable):
        words = [*queries]
    if not words or any(word not in _QUERIES for word in words):
        raise InputError(
            f"queries must be 'judged', 'answered' (with results in the run), 'relevant' (with "
            f"relevant documents) or 'answered, relevant', not {queries!r}"
        )
    return tuple(dict.fromkeys(words))


def presets() -> pl.DataFrame:
    """The presets: a row per tool, with its conventions.

    Columns, all text: ``preset``, ``ties``, ``score_type``, ``queries``, ``parameters`` (defaults
    of its metrics that differ from ours), ``tool``. A preset changes no formula.

    >>> presets().row(by_predicate=pl.col("preset") == "pytrec_eval", named=True)["score_type"]
    'float32'
    """
    return pl.read_csv(Path(__file__).with_name("presets.csv"), infer_schema=False).fill_null("")


def _find_preset(name: str) -> Conventions:
    for row in presets().iter_rows(named=True):
        if row["preset"].replace("_", "-") == str(name).lower().replace("_", "-").replace(" ", "-"):
            pairs = (pair.split("=") for pair in row["parameters"].split())
            return Conventions(
                ties=row["ties"],
                score_type=row["score_type"],
                queries=_read_queries(row["queries"]),
                parameters=tuple((key, _read_value(value)) for key, value in pairs),
            )
    names = presets()["preset"].to_list()
    near = get_close_matches(str(name), names, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise InputError(f"No preset named {name!r}; {hint}presets: {', '.join(names)}")


def _read_value(text: str) -> Value:
    try:
        value: Value = ast.literal_eval(text)
    except ValueError:
        return text
    return value
