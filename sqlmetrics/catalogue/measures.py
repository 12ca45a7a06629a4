"""Measures: metrics with their parameters, read from names such as ``AP(rel=2)@100``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..errors import MetricError
from .literals import Arguments, quote, write_arguments
from .metric import Metric, Spelling
from .names import is_name_of_ours, list_values
from .rules import Value


@dataclass(frozen=True, repr=False)
class Measure:
    """A metric, its arguments that are not defaults, and how to compute a run's score.

    ``aggregate`` is None for the metric's own: a mean, or a sum. ``label`` is the name that the
    user wrote, if it is for this metric alone.
    """

    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()
    aggregate: str | None = None
    label: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What its column is called: as the user wrote it, else the canonical name."""
        return self.label or self.canonical_name

    @property
    def canonical_name(self) -> str:
        """The name that has all arguments; reading it gives the same metric again."""
        at = dict(self.arguments).get(self.metric.cutoff)
        forms = {"@" in name: name.partition("@")[0] for name in reversed(self.metric.names)}
        shown = {key: v for key, v in self.arguments if key != self.metric.cutoff}
        if self.aggregate:
            shown["aggregate"] = self.aggregate
        arguments = write_arguments(shown.items())
        stem = forms.get(at is not None, self.metric.names[0].partition("@")[0])
        return stem + (f"({arguments})" if arguments else "") + (f"@{at}" if at is not None else "")

    @property
    def summary(self) -> str:
        """How a run's score is computed from those of its queries."""
        return self.aggregate or self.metric.summary

    @property
    def is_rate(self) -> bool:
        """Whether it is a ratio of two sums, by its formula; the mean of a percentile is one."""
        arguments = {name: p.default for name, p in self.metric.own_parameters.items()}
        called = self.metric.file.statement.body.partition("(")[0].strip()
        is_mean = (arguments | dict(self.arguments)).get("percentile", 0) is None
        return called == "rate" or (called == "percentile_or_mean" and is_mean)

    def write_trec_name(self, agreed: Iterable[tuple[str, Value]] = ()) -> str:
        """trec_eval's name, or the canonical one if trec_eval lacks the metric.

        ``agreed`` are parameters set by a preset or an option: as in trec_eval, the name does not
        show them.
        """
        arguments = dict(self.arguments) | ({"aggregate": self.aggregate} if self.aggregate else {})
        told = list_defaults(self.metric, dict(agreed))
        for spelling in self.metric.spell("trec_eval"):
            if not set(spelling.slots) <= self.metric.parameters.keys():
                continue
            known = {
                name: each.default for name, each in self.metric.parameters.items()
            } | arguments
            in_slots = {slot: known[slot] for slot in spelling.slots}
            own = dict(spelling.arguments)
            others = {
                key: value
                for key, value in arguments.items()
                if key not in in_slots and (key in own or (key, value) not in told.items())
            }
            is_ours = is_name_of_ours(spelling) and not own.items() <= told.items()
            if others == own and None not in in_slots.values() and not is_ours:
                return write_trec(spelling, in_slots)
        return self.canonical_name

    def write_aggregate(self, row: str, prefix: str = "") -> str:
        """The aggregate over a relation whose alias is ``row``, as SQL."""
        own = self.metric.own_parameters
        given = [(key, value) for key, value in self.arguments if key in own]
        return write_call(prefix + self.metric.macro, [row], given)


def write_trec(spelling: Spelling, values: Mapping[str, Value]) -> str:
    """A name as trec_eval prints it, with two decimals for recall points and multiples of R."""
    is_point = any(isinstance(value, float) for value in list_values(spelling))

    def write(value: Value) -> str:
        if isinstance(value, tuple):
            return ",".join(f"{level}={gain}" for level, gain in value)
        return f"{value:.2f}" if isinstance(value, int | float) and is_point else str(value)

    return spelling.text.format(**{slot: write(value) for slot, value in values.items()})


def write_call(macro: str, inputs: Iterable[str], arguments: Iterable[tuple[str, Value]]) -> str:
    """The call of a macro, as SQL."""
    named = (f"{key} := {quote(value)}" for key, value in arguments)
    return f"{macro}({', '.join([*inputs, *named])})"


@dataclass(frozen=True)
class TrecLine:
    """A line that trec_eval prints: its name, and ``stem``, the name without parameters.

    It is ``printed`` for ``queries``, for ``all`` of them together, or for ``both``. ``measure`` is
    None if the line is not a score.
    """

    name: str
    stem: str
    printed: str
    measure: Measure | None


def list_defaults(metric: Metric, defaults: Mapping[str, Value]) -> Arguments:
    """The defaults of parameters not given: ``rel`` for any metric, ``ndcg.gain`` for one."""
    parts = ((key.rpartition("."), value) for key, value in defaults.items())
    return {key: value for (macro, _, key), value in parts if macro in ("", metric.macro)}


# What metrics of a kind are for.
_SCORED = {
    "runs": "runs",
    "recommendations": "recommendations",
    "clicks": "click logs",
    "neighbours": "nearest neighbours",
}


def require_kind(wanted: Iterable[Measure], *kinds: str) -> None:
    """Raise `MetricError` for a metric of another kind."""
    for measure in wanted:
        if (kind := measure.metric.kind) not in kinds:
            raise MetricError(
                f"{measure.name} is a metric for {_SCORED[kind]}; score them with evaluate"
            )


def require_no_aggregate(wanted: Iterable[Measure]) -> None:
    """Raise `MetricError` for an aggregate of a score that is not of queries."""
    for measure in wanted:
        if measure.aggregate and measure.metric.kind == "clicks":
            raise MetricError(
                f"{measure.name}: a metric of clicks has no aggregate; it covers all pages"
            )
        if measure.aggregate and measure.metric.is_of_runs:
            raise MetricError(f"{measure.name} has no aggregate; it is of all lists together")


def take_subtopics(wanted: Iterable[Measure]) -> bool:
    """Whether a document may be judged for several subtopics."""
    metrics = [measure.metric for measure in wanted]
    return any(m.is_by_subtopic for m in metrics) or not any(m.needs_one_judgment for m in metrics)
