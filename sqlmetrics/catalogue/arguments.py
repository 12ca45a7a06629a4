"""Arguments: the parameters of a name, checked against those of its metric."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..errors import MetricError
from .headers import Parameter
from .literals import Arguments
from .measures import Measure, list_defaults
from .metric import Metric, Spelling, all_metrics
from .rules import Value
from .summaries import find_problem


def read_number(text: str, value: str) -> Value:
    if len(value) > 1000:  # Python does not read numbers of more than 4,300 digits
        raise MetricError(f"'{text:.40}…': a number of {len(value)} characters is too large")
    if re.fullmatch(r"\s*[-+]?\d+\s*", value, re.ASCII):
        return int(value)
    if re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", value, re.ASCII):
        return float(value)
    raise MetricError(f"'{text}': '{value}' is not a number")


def merge(text: str, arguments: Arguments, more: Arguments) -> Arguments:
    for key in more:
        if key in arguments:
            raise MetricError(f"'{text}' gives {key} twice")
    return arguments | more


def make(text: str, metric: Metric, given: Arguments, defaults: Mapping[str, Value]) -> Measure:
    given = dict(given)
    aggregate = given.pop("aggregate", None)
    if aggregate is not None and (problem := find_problem(aggregate)):
        raise MetricError(f"'{text}': {problem}")
    if aggregate is not None and metric.summary == "none":
        raise MetricError(f"'{text}': {metric.names[0]} has no score for a whole run")
    if aggregate == "pooled" and not metric.can_pool:
        able = ", ".join(each.names[0] for each in all_metrics() if each.can_pool)
        raise MetricError(f"'{text}': {metric.names[0]} cannot be pooled; these can: {able}")
    known = metric.parameters | metric.conventions
    for key, value in given.items():
        parameter = known.get(key)
        if parameter is None:
            what = "takes no cut-off" if key == "k" else f"has no parameter '{key}'"
            raise MetricError(f"'{text}' {what}; {list_parameters(metric)}")
        if problem := parameter.find_problem(value):
            raise MetricError(f"'{text}': {key} cannot be {value!r}; {problem}")
        replaced = _find_replaced(parameter)
        if value is not None and replaced in given:
            raise MetricError(f"'{text}': {key} replaces {replaced}; give only one of them")
    for key, parameter in metric.parameters.items():
        if key not in given and parameter.is_required:
            raise MetricError(f"'{text}' needs {key}: write {key}=…, {parameter}")
    fitting = {
        key: value
        for key, value in list_defaults(metric, defaults).items()
        if key in metric.parameters and _find_replaced(metric.parameters[key]) not in given
    }
    arguments = fitting | given
    # show a default if a preset or option sets another value
    agreed = [k for k in given if k in metric.conventions or k in fitting]
    ordered = ((p, arguments[p.name]) for p in known.values() if p.name in arguments)
    told = tuple((p.name, value) for p, value in ordered if value != p.default or p.name in agreed)
    return Measure(
        metric, told, None if aggregate == metric.summary else str(aggregate) if aggregate else None
    )


def _find_replaced(parameter: Parameter) -> str | None:
    """The parameter that this one replaces."""
    found = re.search(r"in place of (\w+)$", parameter.meaning)
    return found[1] if found else None


def check_form(text: str, named: str, name: Spelling, *, has_cutoff: bool) -> None:
    """Check the cut-off: some names need one, some take none: ``P@10`` but ``SetP``."""
    if name.has_cutoff is None or name.has_cutoff == has_cutoff:
        return
    parameter = name.metric.cutoff
    other = [form for form in name.metric.names if ("@" in form) == has_cutoff]
    instead = f"; {'with' if has_cutoff else 'without'} one, use {other[0]}" if other else ""
    if has_cutoff:
        raise MetricError(f"'{text}': {named} takes no cut-off{instead}")
    example = "10" if parameter == "k" else "0.5"
    raise MetricError(f"'{text}' needs a cut-off, such as {named}@{example}{instead}")


def list_parameters(metric: Metric) -> str:
    names = ", ".join(name for name in metric.parameters if name != "k")
    cutoff = "a cut-off such as @10" if "k" in metric.parameters else ""
    return "it has " + (" and ".join(filter(None, [names, cutoff])) or "none")
