"""Conventions: how a run is ranked and which queries count, set singly or as a tool's preset."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

import polars as pl

from ..errors import InputError, OptionError, find_word, is_many, is_number, require_one_of
from .headers import find_file
from .literals import read_literal
from .rules import Value

if TYPE_CHECKING:
    from typing_extensions import Unpack

ScoreType: TypeAlias = Literal["float64", "float32"]
Ties: TypeAlias = Literal["descending", "ascending", "input", "rank", "best", "worst", "expected"]
Queries: TypeAlias = Literal["judged", "answered", "relevant", "answered, relevant"]
Repeated: TypeAlias = Literal["refuse", "first"]
_QUERIES = ("judged", "answered", "relevant")


class ConventionChanges(TypedDict, total=False):
    """Conventions as keywords; see `Conventions`. None is the default."""

    ties: Ties | None
    score_type: ScoreType | None
    depth: int | None
    judged_only: bool | None
    rel: float | None
    queries: Queries | Collection[str] | None
    no_relevant: float | None
    exclude: Any
    grades: Mapping[str, float] | str | None
    repeated: Repeated | None


class ConventionOptions(ConventionChanges, total=False):
    """The same, and the preset that they change."""

    preset: str | None


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How documents are ranked, and which documents and queries count.

    Make one and use it in many calls: ``evaluate(qrels, run, metrics, conventions)``. `evaluate`
    and `sql` take the same words as keywords, too, which take precedence.

    - ``ties``: documents of the same score are ranked by document id, ``"descending"`` (the
      default, as in trec_eval) or ``"ascending"``; as in the ``"input"``; by its column
      ``"rank"``; relevant ones first (``"best"``) or last (``"worst"``); ``"expected"`` gives the
      mean score over all their orders.
    - ``score_type``: ``"float32"`` compares scores as trec_eval did up to version 9, where close
      scores are tied; ``"float64"`` is the default.
    - ``depth``: rank only this many documents of each query.
    - ``judged_only``: leave unjudged documents out of the ranking.
    - ``rel``: the relevance from which a document is relevant, 1 by default; a metric's name may
      have another.
    - ``queries``: which queries count: all that are ``"judged"`` (the default), only those also
      ``"answered"`` by the run, only those with something ``"relevant"``, or both:
      ``"answered, relevant"``.
    - ``no_relevant``: the score of a query with nothing relevant, 0 by default.
    - ``exclude``: documents that are left out of runs before they are ranked, such as those that a
      user already had: a table with query_id and doc_id in any form that `evaluate` takes, or
      ``"self"``: a query does not find itself. Judgments of these documents stay.
    - ``grades``: the grades of words in judgments, ``{"relevant": 1, "not relevant": 0}``;
      ``"esci"`` has Amazon's: exact 3, substitute 2, complement 1, irrelevant 0, or their initials.
    - ``repeated``: whether to ``"refuse"`` a list that repeats a document, the default, or to keep
      the ``"first"`` of each, at its best rank.

    `Conventions.of` has those of a tool. ``parameters`` are what a preset gives metrics whose names
    do not say otherwise.

    Raises `InputError` for a value that does not exist.

    >>> deep = Conventions(depth=100, ties="ascending")
    >>> deep.depth, deep.score_type
    (100, 'float64')
    """

    ties: Ties = "descending"
    score_type: ScoreType = "float64"
    depth: int | None = None
    judged_only: bool = False
    rel: float | None = None
    queries: Queries | Collection[str] = "judged"
    no_relevant: float = 0
    exclude: Any = field(default=None, compare=False)  # a frame is not compared as one value
    grades: Mapping[str, float] | str | None = field(default=None, hash=False)
    repeated: Repeated = "refuse"
    parameters: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "queries", _read_queries(self.queries))
        if self.rel is not None:
            _require("rel", self.rel)
            rel = int(self.rel) if self.rel == int(self.rel) else self.rel  # names say 2, not 2.0
            others = (p for p in self.parameters if p[0] != "rel")
            object.__setattr__(self, "parameters", (*others, ("rel", rel)))
        require_one_of("score_type", self.score_type, get_args(ScoreType))
        require_one_of("repeated", self.repeated, get_args(Repeated))
        if not self.expects:
            _require("ties", self.ties)
        _require("depth", self.depth)
        _require("judged_only", self.judged_only)
        if not isinstance(self.grades, str | Mapping | None):
            raise InputError(f"grades says what words mean, as a dict, not {self.grades!r:.80}")
        if not is_number(self.no_relevant) or not math.isfinite(self.no_relevant):
            raise InputError(f"no_relevant must be a number, such as 1, not {self.no_relevant!r}")
        if self.expects and self.judged_only and self.depth is not None:
            raise InputError("expected scores can use depth or judged_only, not both")

    @classmethod
    def of(cls, preset: str, **changes: Unpack[ConventionChanges]) -> Conventions:
        """The conventions of a tool. Other keywords replace what it has.

        - ``preset``: conventions of a tool, such as ``"trec_eval-9"``; `presets` lists all.

        Raises `InputError` for a preset or value that does not exist.

        >>> Conventions.of("trec_eval-9", depth=100).score_type
        'float32'
        """
        given = {name: value for name, value in changes.items() if value is not None}
        row = presets(preset).row(0, named=True)
        pairs = (pair.split("=") for pair in row["parameters"].split())
        agreed: dict[str, Any] = {each: row[each] or None for each in ("ties", "exclude")}
        agreed |= {each: row[each] for each in ("score_type", "queries")}
        agreed["parameters"] = tuple((key, read_literal(value)) for key, value in pairs)
        return cls(**(agreed | given))

    @property
    def expects(self) -> bool:
        """Whether scores are expectations over all orders of tied documents."""
        return isinstance(self.ties, str) and self.ties == "expected"

    @property
    def arguments(self) -> tuple[tuple[str, Value], ...]:
        """The arguments for ``judged`` that are not its defaults."""
        given = {"ties": self.ties, "depth": self.depth, "judged_only": self.judged_only}
        if self.expects:
            del given["ties"]
        return tuple((k, v) for k, v in given.items() if v != getattr(Conventions, k))

    def give(self, own: Iterable[tuple[str, Value]]) -> dict[str, Value]:
        """The arguments of a metric: its own, then those of the conventions."""
        return dict(self.arguments) | dict(own)

    @property
    def relevant_from(self) -> float:
        """The lowest relevance that counts as relevant."""
        rel = dict(self.parameters).get("rel")
        return rel if isinstance(rel, int | float) else 1


def choose(conventions: Conventions | None, given: ConventionOptions) -> Conventions:
    """The conventions, with those replaced that are given as keywords and not None.

    Raises `OptionError` for a keyword that does not exist, `InputError` for a preset with
    ``conventions``.
    """
    if not isinstance(conventions, Conventions | None):
        said = f"conventions are made by Conventions(…), not {conventions!r:.80}"
        several = "give several runs as one list or dict before the metrics: [old, new]"
        raise InputError(several if isinstance(conventions, str) else said)
    known = [*ConventionOptions.__annotations__]
    for name in given:
        if name not in known:
            raise OptionError(f"no option {name!r}; there are {', '.join(known)}", known)
    changes: dict[str, Any] = {name: v for name, v in given.items() if v is not None}
    preset = changes.pop("preset", None)
    if preset is not None and conventions is not None:
        raise InputError("give conventions or a preset, not both: Conventions.of(preset, …)")
    if preset is not None:
        return Conventions.of(preset, **changes)
    return replace(conventions or Conventions(), **changes)


def _require(name: str, value: Value) -> None:
    """Refuse a value that the header of ``judged`` does not allow."""
    if problem := find_file("judged").options[name].find_problem(value):
        more = ", or 'expected'" if name == "ties" else ""
        said = f"{name} cannot be {value!r}; {problem}{more}".replace("NULL", "None")
        raise InputError(said.replace("TRUE or FALSE", "True or False"))


def _read_queries(queries: object) -> tuple[str, ...]:
    words = queries.replace(",", " ").split() if isinstance(queries, str) else queries
    words = [*words] if is_many(words) else []
    if not words or any(not isinstance(word, str) or word not in _QUERIES for word in words):
        raise InputError(
            f"queries must be 'judged', 'answered' (with results in the run), 'relevant' (with "
            f"relevant documents) or 'answered, relevant', not {queries!r}"
        )
    return tuple(dict.fromkeys(words))


def presets(preset: str | None = None) -> pl.DataFrame:
    """The conventions of other tools: a row for each preset, or for one.

    Columns, all text: ``preset``, ``ties``, ``score_type``, ``queries``, ``exclude``,
    ``parameters`` (defaults of its metrics that differ from ours), ``tool``. A preset changes no
    formula.

    Raises `InputError` for a preset that does not exist.

    >>> presets("pytrec_eval")["score_type"].item()
    'float32'
    """
    path = Path(__file__).with_name("presets.csv")
    found = pl.read_csv(path, infer_schema=False).fill_null("")
    if preset is None:
        return found
    preset = find_word(preset, found["preset"])
    require_one_of("preset", preset, found["preset"])
    return found.filter(preset=preset)
