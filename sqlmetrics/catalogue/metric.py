"""Metrics, as their files describe them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf
from pathlib import Path

from .headers import Parameter, SqlFile, files, find_file, is_own, remember
from .literals import Arguments, read_arguments
from .rules import Value


@dataclass(frozen=True)
class Spelling:
    """How we or a ``tool`` write a metric, ``success_{k}``, and ``ours``: ``Success@{k}``.

    ``arguments`` are those of our name that are not in braces. ``has_cutoff`` says whether it needs
    a cut-off or takes none, where that is known.
    """

    text: str
    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()
    ours: str = ""
    tool: str = ""
    has_cutoff: bool | None = None

    @property
    def stem(self) -> str:
        """The name without the braces, their contents and the character before them."""
        return self.text.partition("{")[0].rstrip("@_=.") if self.slots else self.text

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The parameters in braces."""
        return tuple(re.findall(r"{(\w+)}", self.text))


@dataclass(frozen=True)
class Metric:
    """A metric: an aggregate over the rows of a relation."""

    file: SqlFile

    @property
    def macro(self) -> str:
        return self.file.name

    @property
    def family(self) -> str:
        place = self.file.path.parent
        family = place.parent if place.name == "metrics" else place
        return "own" if is_own(self.file) else family.name

    @property
    def relation(self) -> str:
        """The relation whose rows it aggregates."""
        return self.file.header["relation"].partition("(")[0]

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The tables that its rows come from: judgments and a run, say, or a log."""
        return tuple(dict.fromkeys(list_inputs(self.relation)))

    @cached_property
    def kind(self) -> str:
        """What it is a metric of: runs, recommendations, clicks or neighbours."""
        if "log" in self.tables:
            return "clicks"
        if "exact" in self.tables:
            return "neighbours"
        return "runs" if {*self.tables} == {"qrels", "run"} else "recommendations"

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns that the rows of one score have in common."""
        by_default = "query_id" if self.kind == "clicks" else "run_id, query_id"
        return tuple(find_file(self.relation).header.get("groups", by_default).split(", "))

    @property
    def is_of_runs(self) -> bool:
        """Whether it has a score for a run only, and none for its queries."""
        return "query_id" not in self.groups

    @property
    def summary(self) -> str:
        """How a run's score is computed from those of its queries: ``mean`` or ``sum``."""
        if self.is_of_runs:
            return "pooled"
        return self.file.header.get("aggregate", "mean").partition(" or ")[0]

    @property
    def is_loss(self) -> bool:
        """Whether a lower score is better."""
        return self.file.header.get("better") == "lower"

    @property
    def can_pool(self) -> bool:
        """Whether its aggregate over the rows of many queries is their joint score."""
        return "pooled" in self.file.header.get("aggregate", "")

    @property
    def is_by_subtopic(self) -> bool:
        """Whether it uses judgments of a document for several subtopics of a query."""
        return "by subtopic" in self._judgments

    @property
    def needs_all_judgments(self) -> bool:
        """Whether judgments of a document for other queries count, too."""
        return "of all queries" in self._judgments

    @property
    def _judgments(self) -> list[str]:
        """What the relations that it is built on say of the judgments that they need."""
        files = (find_file(name) for name in list_relations(self.relation))
        return [file.header.get("judgments", "") for file in files]

    @property
    def needs_one_judgment(self) -> bool:
        """Whether a document may be judged only once per query, whatever the subtopics."""
        return not self.is_by_subtopic and self.file.header.get("judgments") != "any"

    @property
    def is_summed(self) -> bool:
        return self.summary == "sum"

    @cached_property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest score; infinite where nothing is known."""
        low, to, high = self.file.header.get("range", "").replace("∞", "inf").partition(" to ")
        return (float(low), float(high)) if to else (-inf, inf)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The canonical names: at most one with a cut-off, ``P@k``, and one without, ``SetP``."""
        return tuple(name.strip() for name in self.file.header["name"].split(","))

    @cached_property
    def stems(self) -> tuple[Spelling, ...]:
        """The canonical names without a cut-off."""
        stems = [name.partition("@")[0] for name in self.names]
        return tuple(
            Spelling(stem, self, has_cutoff="@" in name if stems.count(stem) == 1 else None)
            for name, stem in zip(self.names, stems, strict=True)
        )

    @cached_property
    def cutoff(self) -> str:
        """The parameter written after @."""
        return next((name.partition("@")[2] for name in self.names if "@" in name), "k")

    @cached_property
    def aliases(self) -> tuple[Spelling, ...]:
        """Other names for the metric: ``MAP``, or ``F2 with beta=2``."""
        listed = self.file.header.get("aliases", "")
        parts = (alias.strip().partition(" with ") for alias in filter(None, listed.split(";")))
        return tuple(
            Spelling(name, self, tuple(read_arguments(given).items())) for name, _, given in parts
        )

    @cached_property
    def tools(self) -> dict[str, tuple[Spelling, ...]]:
        """The names that tools with the same scores use for the metric."""
        rows = {row for each in self.stems for row in _read_tools().get(each.text, ())}
        spelled: dict[str, tuple[Spelling, ...]] = {}
        for _, tool, theirs, ours in sorted(rows):
            given = tuple((k, v) for k, v in self._read_ours(ours).items() if v != f"{{{k}}}")
            spelled[tool] = (*spelled.get(tool, ()), Spelling(theirs, self, given, ours, tool))
        return spelled

    def _read_ours(self, name: str) -> Arguments:
        """The arguments of a name such as ``AP(denominator='found')@1000`` or ``P@{k}``."""
        called, _, at = name.partition("@")
        arguments = read_arguments(called.partition("(")[2].removesuffix(")"))
        return arguments | (read_arguments(f"{self.cutoff}={at}") if at else {})

    def spell(self, tool: str) -> tuple[Spelling, ...]:
        """The names that a tool uses for the metric; empty if its scores are not the same."""
        return self.tools.get(tool, ())

    @property
    def own_parameters(self) -> dict[str, Parameter]:
        """The parameters of the aggregate."""
        return self.file.options

    @cached_property
    def relation_parameters(self) -> dict[str, Parameter]:
        """The parameters of its relations that change its scores, as its header lists them."""
        _, _, listed = self.file.header["relation"].rstrip(")").partition("(")
        known = _read_relation_parameters(self.relation)
        return {name: known[name] for name in filter(None, listed.split(", "))}

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        return {**self.own_parameters, **self.relation_parameters}

    @cached_property
    def conventions(self) -> dict[str, Parameter]:
        """How documents are ranked: parameters of its relations that all metrics have."""
        ranking = find_file("restricted").parameters
        known = _read_relation_parameters(self.relation)
        return {name: known[name] for name in ranking if name in known}


@cache
def _read_relation_parameters(relation: str) -> dict[str, Parameter]:
    """The parameters of a relation and of the relations that it is built on."""
    below = (find_file(name).options for name in reversed(list_relations(relation)))
    return {name: each for options in below for name, each in options.items()}


def list_relations(relation: str) -> list[str]:
    """A relation and all relations that it is built on."""
    known = files()["relations"]
    below = (name for name in find_file(relation).inputs if name in known)
    return [relation, *(each for name in below for each in list_relations(name))]


def list_inputs(relation: str) -> Iterator[str]:
    """The tables that a relation reads, and those of the relations that it is built on."""
    for name in find_file(relation).inputs:
        if name in files()["relations"]:
            yield from list_inputs(name)
        else:
            yield name


# The parameters of relations that are tables of the user's; others are rows of a relation.
INPUTS = ("qrels", "run", "log", "history", "items", "baseline", "exact", "found")


@cache
def _read_tools() -> dict[str, list[tuple[int, str, str, str]]]:
    """The rows of tools.csv by our name without parameters: number, tool, its name, ours."""
    rows: dict[str, list[tuple[int, str, str, str]]] = {}
    with Path(__file__).with_name("tools.csv").open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            stem = re.split(r"[(@]", row["ours"])[0]
            rows.setdefault(stem, []).append((number, row["tool"], row["theirs"], row["ours"]))
    return rows


@remember
def list_same_names() -> dict[str, list[tuple[str, str, str]]]:
    """By our name without parameters, in lower case, what tools call so that is another metric.

    Each is the tool, its name and our name for it.
    """
    ours = {each.text.lower(): each.metric for m in all_metrics("runs") for each in m.stems}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for metric in all_metrics("runs"):
        for each in (spelling for spellings in metric.tools.values() for spelling in spellings):
            stem = re.split(r"[(@{]", each.text)[0].lower()
            if ours.get(stem, metric) != metric and "(rel" not in each.text:
                found.setdefault(stem, []).append((each.tool, each.text, each.ours))
    return {stem: sorted(others) for stem, others in found.items()}


@remember
def all_metrics(kind: str | None = None) -> tuple[Metric, ...]:
    """The metrics, or those of a kind; see `Metric.kind`."""
    if kind is None:
        return tuple(map(Metric, files()["metrics"].values()))
    return tuple(metric for metric in all_metrics() if metric.kind == kind)
