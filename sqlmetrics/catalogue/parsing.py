"""Parsing: metrics read from names such as ``AP(rel=2)@100``."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from itertools import pairwise
from math import isclose
from typing import Any, TypeAlias

from ..errors import SEVERAL, MetricError, fold, is_many, read_names, suggest
from .arguments import check_form, list_parameters, make, merge, read_number
from .headers import list_analyses, remember
from .literals import Arguments, read_arguments
from .measures import Measure, TrecLine, write_trec
from .metric import Metric, Spelling, all_metrics
from .names import (
    folded_names,
    is_name_of_ours,
    list_of,
    list_plain,
    list_stems,
    list_values,
    stems,
    trec_measures,
    unmeasured,
    write_pattern,
)
from .rules import Value
from .summaries import find_problem

# More values after a comma belong to the name before them: P.5,10 and AP@5,10.
_FURTHER = r"(?:\s*,\s*[-+]?[\d.]+(?:=[-+]?[\d.]+)?(?=[\s,]|$))*"

_PART = re.compile(
    rf"""(?P<name>[^\s,()@]+{_FURTHER})
    (?:\((?P<arguments>(?:[^()'"]|'[^']*'|"[^"]*")*)\))?
    (?:@(?P<at>[^\s,()]+{_FURTHER}))?(?:\s+[Aa][Ss]\s+(?P<chosen>[^\s,]+))?(?=[\s,]|$)
    | [^\s,]\S*""",
    re.VERBOSE,
)

_OPTION = re.compile(r"(?<![^\s,])-m")  # as on trec_eval's command line: -mP.5 -m map

# A metric, the arguments of a name, and what trec_eval prints if the name is one of its own.
_Found: TypeAlias = tuple[Metric, Arguments, str]


def parse(
    names: str | Iterable[str],
    defaults: Iterable[tuple[str, Value]] = (),
    aggregate: str | None = None,
) -> list[Measure]:
    """Read metrics, each once, in the order given.

    ``defaults`` and ``aggregate`` apply where a name does not give these parameters.

    Names are those of ir_measures (``AP(rel=2)@5,10`` is two), of trec_eval (``ndcg_cut_10``,
    ``P.5,10``, ``-m official``) and of ranx (``hit_rate@10``), in any letter case that is
    unambiguous, and ``map_at_100``. The column of ``nDCG@10 AS quality`` is ``quality``.

    Raises `MetricError` with all problems of all names.

    >>> metrics = parse("ndcg@10 map P.5,10 gm_map mrr")
    >>> [metric.name for metric in metrics]
    ['ndcg@10', 'map', 'P_5', 'P_10', 'gm_map', 'mrr']
    >>> [metric.canonical_name for metric in metrics]
    ['nDCG@10', 'AP', 'P@5', 'P@10', "AP(aggregate='geometric')", 'RR']
    """
    return [*_parse(_join(names, aggregate), tuple(defaults), aggregate)]


@remember
def _parse(
    names: str, defaults: tuple[tuple[str, Value], ...], aggregate: str | None
) -> tuple[Measure, ...]:
    read = _read(names, dict(defaults), aggregate)
    return tuple({measure.name: measure for measure, _ in read if measure}.values())


def list_trec_lines(
    names: str | Iterable[str],
    defaults: Iterable[tuple[str, Value]] = (),
    aggregate: str | None = None,
) -> list[TrecLine]:
    """The lines that trec_eval prints for these names, in its order; `parse` reads the names.

    Two names of one metric give two lines; metrics that trec_eval lacks come last.
    """
    places = {stem: place for place, stem in enumerate(trec_measures())}
    lines: dict[str, TrecLine] = {}
    agreed = dict(defaults)
    for measure, text in _read(_join(names, aggregate), agreed, aggregate):
        name = text or (measure.write_trec_name(agreed.items()) if measure else "")
        stems = [stem for stem in places if name == stem or name.startswith(f"{stem}_")]
        stem = max(stems, key=len, default="")
        printed = trec_measures()[stem].printed if stem else "both"
        lines.setdefault(name, TrecLine(name, stem, printed, measure))

    def find_place(line: TrecLine) -> tuple[int, float]:
        parameter = line.name.removeprefix(line.stem).removeprefix("_")
        is_number = line.stem and re.fullmatch(r"\d+(\.\d+)?", parameter)
        return places.get(line.stem, len(places)), float(parameter) if is_number else 0.0

    return sorted(lines.values(), key=find_place)


def _join(names: str | Iterable[str], aggregate: str | None) -> str:
    """The names in one text; raises `MetricError` for what is not text, and a wrong aggregate."""
    if aggregate is not None and (problem := find_problem(aggregate)):
        raise MetricError(problem)
    if isinstance(names, str):
        return names
    is_run = any(hasattr(names, own) for own in ("keys", "columns", "suffix"))  # or a path
    listed: list[Any] = [*names] if is_many(names) and not is_run else [names]
    # metrics of ir_measures print as names that we read
    listed = [str(n) if type(n).__module__.startswith("ir_measures") else n for n in listed]
    if strange := [name for name in listed if not isinstance(name, str)]:
        said = f"a {type(names).__name__}; {SEVERAL}" if is_run else f"{strange[0]!r:.80}"
        raise MetricError(f"metrics must be names like 'nDCG@10', not {said}")
    return " ".join(listed)


def _read(
    names: str, defaults: Mapping[str, Value], aggregate: str | None
) -> list[tuple[Measure | None, str]]:
    """The metrics in the order asked; None for lines of trec_eval that are not metrics.

    Each comes with the name that trec_eval prints, if it was asked for by a trec_eval name.
    """
    read: list[tuple[Measure | None, str]] = []
    problems, chosen = [], set()
    for found in _PART.finditer(_OPTION.sub("", names)):
        if not found["name"]:
            problems.append(f"Invalid metric '{found[0]}'; the form is nDCG@10 or AP(rel=2)@100")
            continue
        try:
            read += _parse_one(found, defaults, aggregate)
            chosen.add((found["chosen"] or "").lower())
        except MetricError as problem:
            problems.append(str(problem))
    if not any(measure for measure, _ in read) and not problems:
        problems.append("no metrics; name at least one, such as 'nDCG@10 AP'")
    if problems:
        raise MetricError("\n".join(problems))
    return [*_name_apart(read, chosen)]


def _name_apart(
    read: Iterable[tuple[Measure | None, str]], chosen: Container[str]
) -> Iterator[tuple[Measure | None, str]]:
    """The metrics under names that differ by more than letter case, as SQL needs them."""
    known: dict[str, Measure] = {}
    for measure, text in read:
        named = measure and known.setdefault(measure.name.lower(), measure)
        if measure and named != measure:
            if measure.name.lower() in chosen:
                raise MetricError(f"two metrics are named '{measure.name}'; choose with AS")
            bare = replace(measure, label="")
            named = known.setdefault(bare.name.lower(), bare)
        yield named, text


def _parse_one(
    found: re.Match[str], defaults: Mapping[str, Value], aggregate: str | None
) -> Iterator[tuple[Measure | None, str]]:
    text, named, at = found[0], re.sub(r"\s", "", found["name"]), found["at"]
    try:
        given = read_arguments(found["arguments"] or "")
    except ValueError as problem:
        has = [list_parameters(known.metric)] if (known := _look_up(named)) else []
        raise MetricError("; ".join([f"'{text}': {problem}", *has])) from None
    version = defaults.get(f"{named}.version")  # of trec_eval
    stems = [named] if named in unmeasured() else list_stems(named, version)
    if stems and at is None and not given:
        yield from ((None, stem) for stem in stems if stem in unmeasured())
        meant = [each for stem in stems for each in _expand(stem)]
    else:
        meant = [*_find(text, named, at, given)]
    chosen = found["chosen"] or ""
    if (chosen and len(meant) > 1) or not re.fullmatch(r"(?i)(?!(run|query)_id$)\w*", chosen):
        said = "AS takes a name of letters, digits and _ for one column of scores"
        raise MetricError(f"'{text}': {said}")
    for metric, arguments, name in meant:
        label = chosen or (text if len(meant) == 1 else name)
        if aggregate is not None and metric.summary == "mean" and "aggregate" not in arguments:
            arguments, name = {"aggregate": aggregate, **arguments}, ""
        yield replace(make(text, metric, arguments, defaults), label=label), chosen or name


def _expand(stem: str) -> list[_Found]:
    """Everything that trec_eval prints for one of its metrics."""
    same = [each for each in list_of("trec_eval") if each.stem == stem]
    return [found for each in [s for s in same if not s.slots] or same for found in _fill(each)]


def _fill(spelling: Spelling) -> list[_Found]:
    """A metric as trec_eval computes it by default: at each of its cut-offs, with its defaults."""
    metric, own, slots = spelling.metric, dict(spelling.arguments), spelling.slots
    if not slots:
        return [(metric, own, spelling.text)]
    filled: list[Arguments] = [{slots[0]: value} for value in list_values(spelling)]
    return [(metric, own | each, write_trec(spelling, each)) for each in filled]


def _find(text: str, named: str, at: str | None, given: Arguments) -> Iterator[_Found]:
    """The metrics of a name, with the arguments that it implies, those given, and those after @."""
    spelling, series = _look_up(named), _find_series(named) if at is None else None
    if (
        series
        and series.metric.cutoff not in given
        and (spelling is None or spelling.has_cutoff or series.stem == named)
    ):
        for metric, filled, name in _fill(series):
            yield metric, merge(text, filled, given), "" if given else name
    elif spelling:
        spelling, own = _translate(text, named, spelling, given)
        metric, implied = spelling.metric, dict(spelling.arguments)
        has_cutoff = at is not None or own.get(metric.cutoff) is not None
        check_form(text, named, spelling, has_cutoff=has_cutoff)
        name = spelling.text if spelling.tool == "trec_eval" and not (at or given) else ""
        for more in _read_at(text, metric, at, own):
            # F2 fixes its beta, while a tool's rbp has a p unless one is given
            yield metric, implied | more if spelling.tool else merge(text, implied, more), name
    elif filled_ones := [*_match_spellings(text, named)]:
        for metric, filled, name in filled_ones:
            for more in _read_at(text, metric, at, given):
                yield metric, merge(text, filled, more), "" if more else name
    elif at is None and (parts := _AT.fullmatch(named)):
        yield from _find(text, parts[1], parts[2], given)
    else:
        raise MetricError(_say_unknown(named))


_AT = re.compile(r"(.*?[^_\d.,])(?:_at_|_|)([\d.,]+)")  # P_at_10, P_10, P10


def _find_series(named: str) -> Spelling | None:
    """The metric that trec_eval prints at each of its cut-offs for this name."""
    same = [each for each in list_of("trec_eval") if each.stem.lower() == named.lower()]
    known = [each for each in same if list_values(each)] if all(s.slots for s in same) else []
    return min(known, key=lambda each: each.stem != named, default=None)


def _read_at(text: str, metric: Metric, at: str | None, given: Arguments) -> Iterator[Arguments]:
    """The arguments given, combined with each of the values after @."""
    if at is None:
        yield given
        return
    for value in at.split(","):
        if metric.cutoff == "k" and not re.fullmatch(r"\s*[-+]?\d+\s*", value, re.ASCII):
            said = f"'{text:.40}': the cut-off '{value.strip():.40}' must be a whole number"
            if re.fullmatch(r"\d+-l\d+", value):
                said += "; the level of ranx is rel, as in AP(rel=2)@100"
            raise MetricError(said)
        yield merge(text, given, {metric.cutoff: read_number(text, value)})


def _translate(
    text: str, named: str, known: Spelling, given: Arguments
) -> tuple[Spelling, Arguments]:
    """ir_measures' arguments as ours: ``nDCG(dcg='exp-log2')`` is ``nDCG(gain='exponential')``."""
    for each in list_of("ir_measures"):
        stem, bracket, theirs = each.text.partition("(")
        if not bracket or stem.lower() != named.lower():  # not SetP(relative=True)
            continue
        bare = (s for s in each.metric.spell(each.tool) if s.text == stem and is_name_of_ours(s))
        implied = {key for s in bare for key, _ in s.arguments}  # only by its preset
        meant = {key: value for key, value in each.arguments if key not in implied}
        wanted = read_arguments(re.sub(r"\{\w+\}", "None", theirs.rpartition(")")[0]))
        if all(key in given and value in (None, given[key]) for key, value in wanted.items()):
            rest = {k: v for k, v in given.items() if wanted.get(k) is None}
            return Spelling(stem, each.metric), merge(text, meant, rest)
    return known, given


def _match_spellings(text: str, named: str) -> Iterator[_Found]:
    """Names that contain their parameters: ``P_5``, ``utility.1,-1,0,0``, ``rbp.95``."""
    named = re.sub(r"(?<=[._]p)(?=\d)", "=0.", named)  # rbp_p5
    known = (s for tool in ("ranx", "trec_eval") for s in list_of(tool))
    known = (s for s in known if s.slots and "@" not in s.text)
    matches = ((s, found) for s in known if (found := write_pattern(s).fullmatch(named)))
    for spelling, found in matches:
        metric, own, slots = spelling.metric, dict(spelling.arguments), spelling.slots
        is_of_trec = spelling.tool == "trec_eval"
        name = spelling.text.format(**found.groupdict()) if is_of_trec else ""
        if len(slots) > 1:
            yield metric, own | {s: read_number(text, found[s]) for s in slots}, name
        elif slots == ("gains",):
            yield metric, own | _read_gains(text, slots[0], found), name
        elif slots[0] not in metric.parameters:
            yield metric, own | _read_points(text, found[slots[0]]), name
        else:
            for value in found[slots[0]].split(","):
                # trec_eval reads the cut-off 23.4 as 23
                number = value.partition(".")[0] if is_of_trec and slots == ("k",) else value
                filled: Arguments = {slots[0]: read_number(text, number)}
                if is_of_trec:  # parameters other than cut-offs are printed as given
                    is_cutoff = slots == ("k",) or list_values(spelling)
                    name = write_trec(spelling, filled if is_cutoff else {slots[0]: value})
                yield metric, own | filled, name
        return


def _read_points(text: str, listed: str) -> Arguments:
    """trec_eval's list of recall points, ``.25,.5,.75``, which must be evenly spaced here."""
    values = [float(read_number(text, value)) for value in listed.split(",")]  # type: ignore[arg-type]
    values *= 2 if len(values) == 1 else 1
    steps = [after - before for before, after in pairwise(values)]
    if not all(isclose(step, steps[0], abs_tol=1e-9) for step in steps):
        raise MetricError(f"'{text}': recall points must be evenly spaced; use IPrec instead")
    return {"points": len(values), "lowest": min(values), "highest": max(values)}


def _read_gains(text: str, slot: str, found: re.Match[str]) -> Arguments:
    """trec_eval's ``1=3,2=9`` as an argument: ``gains={1: 3, 2: 9}``."""
    try:
        return read_arguments(f"{slot}={{{found[slot].replace('=', ': ')}}}")
    except ValueError:
        raise MetricError(f"'{text}': write gains as 1=3,2=9") from None


def _look_up(named: str) -> Spelling | None:
    """What a name stands for, in any letter case that is unambiguous."""
    candidates = list_plain().get(named) or folded_names().get(fold(named), [])
    if len({(name.metric, name.arguments) for name in candidates}) > 1:
        meant = dict.fromkeys(Measure(name.metric, name.arguments).name for name in candidates)
        raise MetricError(f"'{named}' could be {' or '.join(meant)}; choose one of them")
    return candidates[0] if candidates else None


def find_metrics(names: Iterable[str]) -> list[Metric]:
    """The metrics of these names, as listed or as asked for.

    Raises `MetricError` for an unknown name.
    """
    listed = {form: m for m in all_metrics() for n in m.names for form in (n.partition("@")[0], n)}
    found: dict[Metric, None] = {}
    for name in read_names("metrics", [*names]):
        try:
            metrics = [listed[name]] if name in listed else [m.metric for m in parse(name)]
        except MetricError:  # another tool's name, which we do not read as a metric
            stem = re.split(r"[(@{]", name)[0].lower()
            metrics = [m for m in all_metrics() if stem in stems(m)]
            if not metrics:
                raise
        found |= dict.fromkeys(metrics)
    return list(found)


def find_metric(name: str) -> Metric | None:
    """The metric of this name, with or without parameters; None if it is not one of ours."""
    try:
        (measure,) = parse(name)
    except (MetricError, ValueError):
        return None
    return measure.metric


def _say_unknown(named: str) -> str:
    lowered = {known.lower(): names[0].metric.names[0] for known, names in list_plain().items()}
    near = dict.fromkeys(lowered[n] for n in get_close_matches(named.lower(), lowered))
    hint = suggest("command", named, list_analyses(), "the analysis {}".format)
    hint = f"did you mean {' or '.join(near)}?" if near and hint[:5] != "write" else hint
    hint = SEVERAL if re.search(r"/|\.[a-z]", named) else hint
    parts = [f"No metric named '{named}'", hint, "'sqlmetrics metrics' lists all"]
    return "; ".join(filter(None, parts)).replace("?;", "?")
