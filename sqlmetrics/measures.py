"""Measures: a metric with its parameters, read from names such as ``AP(rel=2)@100``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from .catalogue import (
    Metric,
    Spelling,
    Value,
    all_metrics,
    quote,
    read_arguments,
    write_arguments,
)
from .errors import MeasureError
from .summaries import find_problem

# Further values after a comma belong to the name before them: P.5,10 and AP@5,10.
_FURTHER = r"(?:\s*,\s*[-+]?[\d.]+(?:=[-+]?[\d.]+)?(?:-l\d+)?(?=[\s,]|$))*"
_MEASURE = re.compile(
    rf"""(?P<name>[^\s,()@]+{_FURTHER})
    (?:\((?P<arguments>(?:[^()'"]|'[^']*'|"[^"]*")*)\))?
    (?:@(?P<at>[^\s,()]+{_FURTHER}))?""",
    re.VERBOSE,
)
_SEPARATOR = re.compile(r"[\s,]*")
# What trec_eval takes when no cut-off is named.
_SERIES = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

Arguments = dict[str, Value]


@dataclass(frozen=True, repr=False)
class Measure:
    """A metric, the arguments that are not its defaults, and how a run's figure comes about.

    ``over`` is None for what the metric has: a mean, or a sum.
    """

    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()
    over: str | None = None

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The canonical name; reading it gives the same measure again."""
        at = dict(self.arguments).get(self.metric.cutoff)
        forms = {"@" in name: name.partition("@")[0] for name in reversed(self.metric.names)}
        shown = {key: v for key, v in self.arguments if key != self.metric.cutoff}
        if self.over:
            shown["over"] = self.over
        arguments = write_arguments(shown.items())
        stem = forms.get(at is not None, self.metric.names[0].partition("@")[0])
        return stem + (f"({arguments})" if arguments else "") + (f"@{at}" if at is not None else "")

    @property
    def summary(self) -> str:
        """How a run's figure comes from those of its queries."""
        return self.over or self.metric.summary

    @property
    def trec_name(self) -> str:
        """trec_eval's name, or the canonical one where trec_eval has no such measure."""
        arguments = dict(self.arguments) | ({"over": self.over} if self.over else {})
        for spelling in self.metric.spell("trec_eval"):
            in_slots = {
                slot: arguments.get(slot, _default(self.metric, slot)) for slot in spelling.slots
            }
            others = {key: value for key, value in arguments.items() if key not in in_slots}
            if others == dict(spelling.arguments) and None not in in_slots.values():
                return spelling.text.format(
                    **{
                        slot: _print_trec(
                            value, is_point=any(isinstance(v, float) for v in spelling.series)
                        )
                        for slot, value in in_slots.items()
                    }
                )
        return self.name

    def write_aggregate(self, row: str, prefix: str = "") -> str:
        """The aggregate over a relation whose alias is ``row``, as SQL."""
        own = self.metric.own_parameters
        given = [(key, value) for key, value in self.arguments if key in own]
        return write_call(prefix + self.metric.macro, [row], given)


def _default(metric: Metric, parameter: str) -> Value:
    return metric.parameters[parameter].default


def _print_trec(value: Value, *, is_point: bool) -> str:
    if isinstance(value, tuple):
        return ",".join(f"{level}={gain}" for level, gain in value)
    return f"{value:.2f}" if isinstance(value, int | float) and is_point else str(value)


def write_call(macro: str, inputs: Iterable[str], arguments: Iterable[tuple[str, Value]]) -> str:
    """A macro's call as SQL."""
    named = (f"{key} := {quote(value)}" for key, value in arguments)
    return f"{macro}({', '.join([*inputs, *named])})"


def parse(
    names: str | Iterable[str],
    defaults: Iterable[tuple[str, Value]] = (),
    over: str | None = None,
) -> list[Measure]:
    """Read measures, each once, in the order given.

    ``defaults`` and ``over`` stand in for parameters that a name does not give.

    Names are those of ir_measures (``AP(rel=2)@5,10`` are two), of trec_eval (``ndcg_cut_10``,
    ``P.5,10``, ``-m official``) and of ranx (``map@100-l2``), in any case that is unambiguous.

    Raises `MeasureError` with everything that is wrong with any of them.

    >>> [measure.name for measure in parse("ndcg@10 map P.5,10 gm_map mrr-l2")]
    ['nDCG@10', 'AP', 'P@5', 'P@10', "AP(over='geometric')", 'RR(rel=2)']
    """
    if over is not None and (problem := find_problem(over)):
        raise MeasureError(problem)
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
    for found in _split(names):
        if isinstance(found, str):
            problems.append(f"'{found}' is not written like a measure: nDCG@10 or AP(rel=2)@100")
            continue
        try:
            measures |= dict.fromkeys(_parse_one(found, dict(defaults), over))
        except MeasureError as problem:
            problems.append(str(problem))
    if not measures and not problems:
        problems.append("no measure is named; name one or more, like 'nDCG@10 AP'")
    if problems:
        raise MeasureError("\n".join(problems))
    return list(measures)


def _split(names: str) -> Iterator[re.Match[str] | str]:
    """The measures of a text; what is not written like one, as it is."""
    position = len(_separate(names, 0))
    while position < len(names):
        found = _MEASURE.match(names, position)
        if found and names[found.end() : found.end() + 1] in ("", ",", *" \t\r\n"):
            position = found.end()
            if found[0] != "-m":  # as on trec_eval's command line
                yield found
        else:
            text = names[position:].split()[0]
            position += len(text)
            yield text
        position += len(_separate(names, position))


def _separate(names: str, position: int) -> str:
    return _SEPARATOR.match(names, position)[0]  # type: ignore[index]


@dataclass(frozen=True)
class _Name:
    """A name that is understood, and what it stands for."""

    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()
    # whether it goes with a cut-off only (True) or without one only (False)
    has_cutoff: bool | None = None
    is_alias: bool = False


def _parse_one(
    found: re.Match[str], defaults: Mapping[str, Value], over: str | None
) -> Iterator[Measure]:
    text = found[0]
    named, at, level = re.sub(r"\s", "", found["name"]), found["at"], None
    if is_level := re.fullmatch(r"(.+)-l(\d+)", at or named):  # of ranx
        level = int(is_level[2])
        named, at = (named, is_level[1]) if at else (is_level[1], None)
    try:
        given = read_arguments(found["arguments"] or "")
    except ValueError as problem:
        raise MeasureError(f"'{text}': {problem}") from None
    if level is not None:
        given = _merge(text, given, {"rel": level})
    for metric, arguments in _find(text, named, at, given):
        if over is not None and metric.summary == "mean":
            arguments = {"over": over, **arguments}
        yield _make(text, metric, arguments, defaults)


def _find(
    text: str, named: str, at: str | None, given: Arguments
) -> Iterator[tuple[Metric, Arguments]]:
    """The metrics of a name, with the arguments that it implies, those given and those after @."""
    if named in _nicknames() and at is None and not given:
        yield from _nicknames()[named]
        return
    in_series = [(m, s) for m, s in _trec_series() if s.stem.lower() == named.lower()]
    exact = [(m, s) for m, s in in_series if s.stem == named] or in_series
    name = _look_up(named)
    if (
        at is None
        and exact
        and exact[0][0].cutoff not in given
        and (name is None or name.has_cutoff or exact[0][1].stem == named)
    ):
        metric, spelling = exact[0]
        yield from ((metric, _merge(text, filled, given)) for filled in _fill(spelling))
        return
    if name is None:
        filled_ones = list(_match_spellings(text, named))
        if not filled_ones:
            raise MeasureError(_say_unknown(named))
        for metric, filled in filled_ones:
            yield from (
                (metric, _merge(text, filled, more)) for more in _read_at(text, metric, at, given)
            )
        return
    name, given = _translate(text, named, name, given)
    has_cutoff = at is not None or given.get(name.metric.cutoff) is not None
    _check_form(text, named, name, has_cutoff=has_cutoff)
    for more in _read_at(text, name.metric, at, given):
        if name.is_alias:  # F2 is its beta, while a tool's rbp has its p unless one is given
            yield name.metric, _merge(text, dict(name.arguments), more)
        else:
            yield name.metric, dict(name.arguments) | more


def _fill(spelling: Spelling) -> list[Arguments]:
    """A metric as trec_eval computes it unasked: at each of its cut-offs, with its defaults."""
    own, slots = dict(spelling.arguments), spelling.slots
    return [{slots[0]: value} | own for value in _list_values(spelling)] if slots else [own]


def _list_values(spelling: Spelling) -> tuple[Value, ...]:
    """What trec_eval puts in the place of a parameter that is not named."""
    return spelling.series or (_SERIES if spelling.slots == ("k",) else ())


def _read_at(text: str, metric: Metric, at: str | None, given: Arguments) -> Iterator[Arguments]:
    """The arguments given, with each of the values after @."""
    if at is None:
        yield given
        return
    for value in at.split(","):
        if metric.cutoff == "k" and not re.fullmatch(r"\s*[-+]?\d+\s*", value, re.ASCII):
            raise MeasureError(f"'{text}': the cut-off '{value.strip()}' is not a whole number")
        yield _merge(text, given, {metric.cutoff: _read_number(text, value)})


def _read_number(text: str, value: str) -> Value:
    if re.fullmatch(r"\s*[-+]?\d+\s*", value, re.ASCII):
        return int(value)
    if re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", value, re.ASCII):
        return float(value)
    raise MeasureError(f"'{text}': '{value}' is not a number")


def _merge(text: str, arguments: Arguments, more: Arguments) -> Arguments:
    for key in more:
        if key in arguments:
            raise MeasureError(f"'{text}' gives {key} twice")
    return arguments | more


def _translate(text: str, named: str, name: _Name, given: Arguments) -> tuple[_Name, Arguments]:
    """ir_measures' arguments as ours: ``nDCG(dcg='exp-log2')`` is ``nDCG(gain='exponential')``."""
    for metric, spelling in _called():
        stem, _, theirs = spelling.text.partition("(")
        wanted = read_arguments(re.sub(r"\{\w+\}", "None", theirs.rpartition(")")[0]))
        if stem.lower() == named.lower() and all(
            key in given and value in (None, given[key]) for key, value in wanted.items()
        ):
            rest = {k: v for k, v in given.items() if wanted.get(k) is None}
            return _Name(metric), _merge(text, dict(spelling.arguments), rest)
    return name, given


@cache
def _called() -> tuple[tuple[Metric, Spelling], ...]:
    """The names of ir_measures that have arguments of its own: ``SetP(relative=True)``."""
    return tuple(
        (metric, spelling)
        for metric in all_metrics()
        for spelling in metric.spell("ir_measures")
        if "(" in spelling.text
    )


def _match_spellings(text: str, named: str) -> Iterator[tuple[Metric, Arguments]]:
    """Names that contain their parameters: ``P_5``, ``utility.1,-1,0,0``, ``rbp.95``."""
    for metric, spelling, pattern in _patterns():
        if not (found := pattern.fullmatch(named)):
            continue
        filled = dict(spelling.arguments)
        if len(spelling.slots) > 1:
            yield metric, filled | {s: _read_number(text, found[s]) for s in spelling.slots}
        elif spelling.slots == ("gains",):
            yield metric, filled | _read_gains(text, spelling.slots[0], found)
        else:
            for value in found[spelling.slots[0]].split(","):
                yield metric, filled | {spelling.slots[0]: _read_number(text, value)}
        return


def _read_gains(text: str, slot: str, found: re.Match[str]) -> Arguments:
    """trec_eval's ``1=3,2=9`` as an argument: ``gains={1: 3, 2: 9}``."""
    try:
        return read_arguments(f"{slot}={{{found[slot].replace('=', ': ')}}}")
    except ValueError:
        raise MeasureError(f"'{text}': write gains as 1=3,2=9") from None


def _make(text: str, metric: Metric, given: Arguments, defaults: Mapping[str, Value]) -> Measure:
    given = dict(given)
    over = given.pop("over", None)
    if over is not None and (problem := find_problem(over)):
        raise MeasureError(f"'{text}': {problem}")
    if over is not None and metric.summary == "none":
        raise MeasureError(f"'{text}': {metric.names[0]} has no figure of a run")
    if over == "pooled" and not metric.can_pool:
        able = ", ".join(each.names[0] for each in all_metrics() if each.can_pool)
        raise MeasureError(f"'{text}': {metric.names[0]} cannot be pooled; {able} can")
    known = metric.parameters | metric.conventions
    for key, value in given.items():
        parameter = known.get(key)
        if parameter is None:
            what = "takes no cut-off" if key == "k" else f"has no parameter '{key}'"
            raise MeasureError(f"'{text}' {what}; {_list_parameters(metric)}")
        if problem := parameter.find_problem(value):
            raise MeasureError(f"'{text}': {key} cannot be {value!r}; {problem}")
        replaced = re.search(r"in place of (\w+)$", parameter.meaning)
        if value is not None and replaced and replaced[1] in given:
            raise MeasureError(f"'{text}': {key} is in place of {replaced[1]}; give one of them")
    for key, parameter in metric.parameters.items():
        if key not in given and parameter.is_required:
            raise MeasureError(f"'{text}' needs {key}: write {key}=…, a {parameter.meaning}")
    fitting = {k: v for k, v in _list_defaults(metric, defaults).items() if k in metric.parameters}
    arguments = fitting | given
    # a default is told where another one was agreed on
    agreed = [k for k in given if k in metric.conventions or k in fitting]
    ordered = ((p, arguments[p.name]) for p in known.values() if p.name in arguments)
    told = tuple((p.name, value) for p, value in ordered if value != p.default or p.name in agreed)
    return Measure(metric, told, None if over == metric.summary else str(over) if over else None)


def _list_defaults(metric: Metric, defaults: Mapping[str, Value]) -> Arguments:
    """What stands in for parameters not given: ``rel`` for any metric, ``ndcg.gain`` for one."""
    parts = ((key.rpartition("."), value) for key, value in defaults.items())
    return {key: value for (macro, _, key), value in parts if macro in ("", metric.macro)}


def _check_form(text: str, named: str, name: _Name, *, has_cutoff: bool) -> None:
    """Some names go with a cut-off only, some without one only: ``P@10`` but ``SetP``."""
    if name.has_cutoff is None or name.has_cutoff == has_cutoff:
        return
    parameter = name.metric.cutoff
    other = [form for form in name.metric.names if ("@" in form) == has_cutoff]
    instead = f"; {'with' if has_cutoff else 'without'} one it is {other[0]}" if other else ""
    if has_cutoff:
        raise MeasureError(f"'{text}': {named} takes no cut-off{instead}")
    example = "10" if parameter == "k" else "0.5"
    raise MeasureError(f"'{text}' needs a cut-off, like {named}@{example}{instead}")


def _list_parameters(metric: Metric) -> str:
    names = ", ".join(name for name in metric.parameters if name != "k")
    cutoff = "a cut-off like @10" if "k" in metric.parameters else ""
    return "it has " + (" and ".join(filter(None, [names, cutoff])) or "none")


@cache
def _names() -> dict[str, list[_Name]]:
    """What each name without parameters in it may stand for."""
    names: dict[str, list[_Name]] = {}

    def add(name: str, meant: _Name) -> None:
        if meant not in names.setdefault(name, []):
            names[name].append(meant)

    for metric in all_metrics():
        stems = [name.partition("@")[0] for name in metric.names]
        for name, stem in zip(metric.names, stems, strict=True):
            add(stem, _Name(metric, (), "@" in name if stems.count(stem) == 1 else None))
        for alias in metric.aliases:
            add(alias.text, _Name(metric, alias.arguments, is_alias=True))
        for spelling in metric.spell("trec_eval"):
            if not spelling.slots:
                add(spelling.text, _Name(metric, spelling.arguments))
    for metric in all_metrics():  # what is a name of ours already keeps its meaning
        for tool in ("ir_measures", "ranx"):
            for spelling in metric.spell(tool):
                stem = re.sub(r"@\{\w+\}$", "", spelling.text)
                if "{" not in stem and "(" not in stem and stem not in names:
                    add(stem, _Name(metric, spelling.arguments))
        if metric.macro not in names:
            add(metric.macro, _Name(metric))
    return names


@cache
def _nicknames() -> dict[str, list[tuple[Metric, Arguments]]]:
    """trec_eval's names for several measures."""
    nicknames: dict[str, list[tuple[Metric, Arguments]]] = {}
    for metric in all_metrics():
        for nickname in filter(None, metric.file.header.get("nicknames", "").split(", ")):
            name, *stems = nickname.split()
            spellings = metric.spell("trec_eval")
            meant = (s for s in spellings if not stems or s.stem in stems)
            filled = ((metric, arguments) for s in meant for arguments in _fill(s))
            nicknames.setdefault(name, []).extend(filled)
    return nicknames


@cache
def _trec_series() -> tuple[tuple[Metric, Spelling], ...]:
    """What trec_eval computes for a series of values when none is given: ``P``, ``recall``."""
    return tuple(
        (metric, spelling)
        for metric in all_metrics()
        for spelling in metric.spell("trec_eval")
        if spelling.slots and _list_values(spelling)
    )


@cache
def _patterns() -> tuple[tuple[Metric, Spelling, re.Pattern[str]], ...]:
    """The names that contain their parameters, as patterns; trec_eval asks P.5 and prints P_5."""
    patterns = []
    for metric in all_metrics():
        for tool in ("trec_eval", "ranx"):
            for spelling in metric.spell(tool):
                if spelling.slots and "@" not in spelling.text:
                    text = re.escape(spelling.text.replace("{", "<").replace("}", ">"))
                    text = re.sub(r"_(?=<|p=)", "[._]", text)
                    text = text.replace("<gains>", r"(?P<gains>[-+.\d]+=[-+.,=\d]+)")
                    text = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>[-+.,\\d]+)", text)
                    patterns.append((metric, spelling, re.compile(text, re.IGNORECASE)))
    return tuple(patterns)


def _look_up(named: str) -> _Name | None:
    """What a name stands for, in any case that is unambiguous."""
    candidates = _names().get(named) or [
        name
        for known, names in _names().items()
        if known.lower() == named.lower()
        for name in names
    ]
    if len({(name.metric, name.arguments) for name in candidates}) > 1:
        meant = dict.fromkeys(Measure(name.metric, name.arguments).name for name in candidates)
        raise MeasureError(f"'{named}' may be {' or '.join(meant)}; name one of them")
    return candidates[0] if candidates else None


def find_metrics(names: Iterable[str]) -> list[Metric]:
    """The metrics of these names, as they are listed or as they are asked for.

    Raises `MeasureError` for a name that there is not.
    """
    listed = {form: m for m in all_metrics() for n in m.names for form in (n.partition("@")[0], n)}
    found: dict[Metric, None] = {}
    for name in names:
        try:
            metrics = [listed[name]] if name in listed else [m.metric for m in parse(name)]
        except MeasureError:  # what another tool calls it, which is not read as a measure
            stem = re.split(r"[(@{]", name)[0].lower()
            metrics = [m for m in all_metrics() if stem in _stems(m)]
            if not metrics:
                raise
        found |= dict.fromkeys(metrics)
    return list(found)


@cache
def _stems(metric: Metric) -> set[str]:
    """The names that tools have for a metric, without arguments."""
    spellings = (spelling for each in metric.tools.values() for spelling in each)
    return {re.split(r"[(@{]", spelling.text)[0].rstrip("_.").lower() for spelling in spellings}


def _say_unknown(named: str) -> str:
    lowered = {known.lower(): names[0].metric.names[0] for known, names in _names().items()}
    near = dict.fromkeys(lowered[n] for n in get_close_matches(named.lower(), lowered))
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"there is no metric '{named}'; {hint}'sqlmetrics metrics' lists all"
