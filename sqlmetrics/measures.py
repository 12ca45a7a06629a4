"""Measures: a metric with its parameters, read from names such as ``AP(rel=2)@100``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from .catalogue import Metric, Value, all_metrics, quote
from .errors import MeasureError

_MEASURE = re.compile(r"(?P<name>[^\s()@]+)(\((?P<arguments>.*)\))?(@(?P<k>.+))?", re.DOTALL)
# Names are parted by blanks and commas, but not within the brackets of one measure.
_SEPARATOR = re.compile(r"[\s,]+(?![^(]*\))")


@dataclass(frozen=True, repr=False)
class Measure:
    """A metric and the arguments that are not its defaults."""

    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()

    def __repr__(self) -> str:
        return self.name

    @property
    def k(self) -> Value:
        return dict(self.arguments).get("k")

    @property
    def name(self) -> str:
        """The canonical name; reading it gives the same measure again."""
        stem = self._choose(self.metric.names, "@k") or self.metric.macro
        arguments = ", ".join(f"{key}={value!r}" for key, value in self.arguments if key != "k")
        return stem + (f"({arguments})" if arguments else "") + (f"@{self.k}" if self.k else "")

    @property
    def trec_name(self) -> str:
        """trec_eval's name, or the canonical one where trec_eval has no such measure."""
        stem = self._choose(self.metric.trec_names, "_k")
        if stem is None or any(key != "k" for key, _ in self.arguments):
            return self.name
        return f"{stem}_{self.k}" if self.k else stem

    def _choose(self, names: Iterable[str], mark: str) -> str | None:
        """Of the names, the one for this measure with or without cut-off."""
        found = [name for name in names if name.endswith(mark) == bool(self.k)]
        return found[0].removesuffix(mark) if found else None

    def write_aggregate(self, row: str, prefix: str = "") -> str:
        """The aggregate over a relation whose alias is ``row``, as SQL."""
        given = self._given(self.metric.own_parameters)
        return write_call(prefix + self.metric.macro, [row], given)

    @property
    def relation_arguments(self) -> tuple[tuple[str, Value], ...]:
        return self._given(self.metric.relation_parameters)

    def _given(self, parameters: Iterable[str]) -> tuple[tuple[str, Value], ...]:
        return tuple((key, value) for key, value in self.arguments if key in parameters)


def write_call(macro: str, inputs: Iterable[str], arguments: Iterable[tuple[str, Value]]) -> str:
    """A macro's call as SQL."""
    named = (f"{key} := {quote(value)}" for key, value in arguments)
    return f"{macro}({', '.join([*inputs, *named])})"


def parse(names: str | Iterable[str], defaults: Iterable[tuple[str, Value]] = ()) -> list[Measure]:
    """Read measures, each once, in the order given; ``defaults`` stand in for parameters not given.

    Raises `MeasureError` with everything that is wrong with any of them.

    >>> [measure.name for measure in parse("ndcg@10 map P_5")]
    ['nDCG@10', 'AP', 'P@5']
    """
    if not isinstance(names, str):
        listed = list(names) if isinstance(names, Iterable) else [names]
        # measures of ir_measures print as the names that they have here, too
        listed = [str(n) if type(n).__module__.startswith("ir_measures") else n for n in listed]
        if strange := [name for name in listed if not isinstance(name, str)]:
            kind = type(strange[0]).__name__
            raise MeasureError(f"metrics are names like 'nDCG@10', not {strange[0]!r} ({kind})")
        names = " ".join(listed)
    measures: dict[Measure, None] = {}
    problems = []
    for name in filter(None, _SEPARATOR.split(names)):
        try:
            measures[_parse_one(name, dict(defaults))] = None
        except MeasureError as problem:
            problems.append(str(problem))
    if not measures and not problems:
        problems.append("no measure is named; name one or more, like 'nDCG@10 AP'")
    if problems:
        raise MeasureError("\n".join(problems))
    return list(measures)


def _parse_one(text: str, defaults: Mapping[str, Value]) -> Measure:
    found = _MEASURE.fullmatch(text)
    if not found:
        raise MeasureError(f"'{text}' is not written like a measure: nDCG@10 or AP(rel=2)@100")
    metric, k = _find_metric(found["name"])
    given = _read_arguments(text, found["arguments"] or "")
    if found["k"] and not found["k"].lstrip("-").isdecimal():
        raise MeasureError(f"'{text}': the cut-off '{found['k']}' is not a whole number")
    given += [("k", int(cutoff)) for cutoff in (k, found["k"]) if cutoff]
    arguments = dict(given)
    if len(arguments) < len(given):
        twice = next(key for key, _ in given if [k for k, _ in given].count(key) > 1)
        raise MeasureError(f"'{text}' gives {twice} twice")
    for key, value in arguments.items():
        parameter = metric.parameters.get(key)
        if parameter is None:
            what = "takes no cut-off" if key == "k" else f"has no parameter '{key}'"
            raise MeasureError(f"'{text}' {what}; {_list_parameters(metric)}")
        if problem := parameter.find_problem(value):
            raise MeasureError(f"'{text}': {key} cannot be {value!r}; {problem}")
    _check_form(text, found["name"], metric, has_cutoff="k" in arguments)
    arguments = {k: v for k, v in defaults.items() if k in metric.parameters} | arguments
    ordered = ((p, arguments[p.name]) for p in metric.parameters.values() if p.name in arguments)
    return Measure(metric, tuple((p.name, value) for p, value in ordered if value != p.default))


def _check_form(text: str, name: str, metric: Metric, *, has_cutoff: bool) -> None:
    """Some names go with a cut-off only, some without one only: ``P@10`` but ``SetP``."""
    forms = {form.lower(): form for form in metric.names}
    bare, cut = name.lower(), f"{name.lower()}@k"
    other = [form for form in metric.names if form.endswith("@k") == has_cutoff]
    if has_cutoff and bare in forms and cut not in forms:
        raise MeasureError(f"'{text}': {forms[bare]} takes no cut-off; with one it is {other[0]}")
    if not has_cutoff and cut in forms and bare not in forms:
        raise MeasureError(
            f"'{text}' needs a cut-off, like {forms[cut][:-1]}10; without one it is {other[0]}"
        )


def _read_arguments(text: str, arguments: str) -> list[tuple[str, Value]]:
    """``rel=2, gain='exponential'`` as pairs; words need no quotes."""
    read: list[tuple[str, Value]] = []
    for argument in filter(None, (part.strip() for part in arguments.split(","))):
        key, equals, value = (part.strip() for part in argument.partition("="))
        if not equals:
            raise MeasureError(f"'{text}': write '{argument}' as name=value")
        try:
            read.append((key, ast.literal_eval(value)))
        except (ValueError, SyntaxError):
            read.append((key, value))
    return read


def _list_parameters(metric: Metric) -> str:
    names = ", ".join(name for name in metric.parameters if name != "k")
    cutoff = "a cut-off like @10" if "k" in metric.parameters else ""
    return "it has " + (" and ".join(filter(None, [names, cutoff])) or "none")


@cache
def _names() -> dict[str, Metric]:
    """Every name that is understood; a cut-off that is part of a name stands as ``_k``."""
    return {
        name.removesuffix("@k"): metric
        for metric in all_metrics()
        for name in (metric.macro, *metric.aliases, *metric.trec_names, *metric.names)
    }


def _find_metric(name: str) -> tuple[Metric, str | None]:
    """The metric of that name, and the cut-off if the name contains it, as in ``P_5``."""
    stem, _, k = name.rpartition("_")
    spellings = [(name, None)] + ([(f"{stem}_k", k)] if k.isdecimal() else [])
    for spelling, cutoff in spellings:
        if metric := _names().get(spelling):
            return metric, cutoff
        like = {m for n, m in _names().items() if n.lower() == spelling.lower()}
        if len(like) == 1:
            return like.pop(), cutoff
    lowered = {known.lower(): metric.names[0] for known, metric in _names().items()}
    near = dict.fromkeys(lowered[n] for n in get_close_matches(name.lower(), lowered))
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise MeasureError(f"there is no metric '{name}'; {hint}'sqlmetrics metrics' lists all")
