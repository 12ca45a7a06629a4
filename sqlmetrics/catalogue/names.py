"""Names: what each spelling of a metric stands for, ours and those of other tools."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .headers import remember
from .metric import Metric, Spelling, all_metrics
from .rules import Value


@remember
def is_name_of_ours(spelling: Spelling) -> bool:
    """Whether a tool's name is also ours, in any letter case, but with other arguments."""
    return bool(spelling.arguments) and spelling.text.lower() in {
        name.partition("@")[0].lower() for metric in all_metrics() for name in metric.names
    }


@dataclass(frozen=True)
class Name:
    """A spelling that is understood, and what it stands for; ``tool`` is the one that has it.

    It is that of a ``spelling`` with its parameters in braces, unless it is ours.
    """

    text: str
    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()
    tool: str = ""
    spelling: Spelling | None = None
    # whether it needs a cut-off (True) or takes none (False)
    has_cutoff: bool | None = None
    is_alias: bool = False

    @property
    def trec_name(self) -> str:
        """The line that trec_eval prints for it, if it is one of trec_eval's."""
        return self.text if self.tool == "trec_eval" else ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches it with values for its parameters; trec_eval reads P.5 and prints P_5."""
        text = re.escape(self.text.replace("{", "<").replace("}", ">"))
        text = re.sub(r"_p=(?=<)", r"(?:[._]p=|(?=\.))", text)
        text = re.sub(r"_(?=<)", "[._]", text)
        text = text.replace("<gains>", r"(?P<gains>[-+.\d]+=[-+.,=\d]+)")
        text = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>[-+.,\\d]+)", text)
        return re.compile(text, re.IGNORECASE)


@remember
def compile_names() -> tuple[Name, ...]:
    """Every spelling that is understood: ours, those of other tools, and the names of macros."""
    names = []
    for metric in all_metrics():
        stems = [name.partition("@")[0] for name in metric.names]
        for name, stem in zip(metric.names, stems, strict=True):
            has_cutoff = "@" in name if stems.count(stem) == 1 else None
            names.append(Name(stem, metric, has_cutoff=has_cutoff))
        names += [Name(a.text, metric, a.arguments, is_alias=True) for a in metric.aliases]
    for tool in ("ranx", "trec_eval", "ir_measures"):  # rbp.95 is ranx's
        for metric in all_metrics():
            names += [Name(s.text, metric, s.arguments, tool, s) for s in metric.spell(tool)]
    return (*names, *(Name(metric.macro, metric, tool="SQL") for metric in all_metrics()))


@remember
def list_of(tool: str) -> list[Name]:
    return [name for name in compile_names() if name.tool == tool]


@remember
def list_trec() -> list[tuple[Metric, Spelling]]:
    return [(name.metric, name.spelling) for name in list_of("trec_eval") if name.spelling]


@remember
def list_plain() -> dict[str, list[Name]]:
    """The names without parameters, each with what it may stand for."""
    known: dict[str, list[Name]] = {}
    for name in (*list_of(""), *list_of("trec_eval")):
        is_parametrised = name.spelling and (name.spelling.slots or is_name_of_ours(name.spelling))
        if not is_parametrised:
            known.setdefault(name.text, []).append(name)
    for tool in ("ir_measures", "ranx"):  # names that are known already keep their meaning
        for name in list_of(tool):
            stem = re.sub(r"@\{\w+\}$", "", name.text)
            if "{" not in stem and "(" not in stem and stem not in known:
                known[stem] = [name]
    lowered = {*map(str.lower, known)}
    return known | {name.text: [name] for name in list_of("SQL") if name.text not in lowered}


@dataclass(frozen=True)
class _TrecMeasure:
    """A metric of trec_eval: where it is printed, and the sets that it belongs to.

    ``since_10`` are those that it belongs to since version 10. ``values`` are those of its
    parameter if none is given.
    """

    printed: str
    nicknames: tuple[str, ...]
    since_10: tuple[str, ...]
    values: tuple[Value, ...]


@remember
def trec_measures() -> dict[str, _TrecMeasure]:
    """The metrics of trec_eval, in the order it prints them."""
    with Path(__file__).with_name("trec_eval.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["measure"]: _TrecMeasure(
                row["printed"],
                tuple(row["nicknames"].split()),
                tuple(row["version_10"].split()),
                tuple(float(v) if "." in v else int(v) for v in row["values"].split()),
            )
            for row in csv.DictReader(file)
        }


def list_values(spelling: Spelling) -> tuple[Value, ...]:
    """The values that trec_eval takes for the braces of its spelling if none is given."""
    measure = trec_measures().get(spelling.stem) if spelling.slots else None
    return measure.values if measure else ()


def list_stems(nickname: str, version: Value = None) -> list[str]:
    """trec_eval's names of the metrics in a set of its version 10, or of those before."""
    return [
        stem
        for stem, measure in trec_measures().items()
        if nickname in measure.nicknames or (version == 10 and nickname in measure.since_10)
    ]


@remember
def unmeasured() -> set[str]:
    """The lines of trec_eval that are not scores."""
    return {*trec_measures()} - {
        name.spelling.stem for name in list_of("trec_eval") if name.spelling
    }


@remember
def folded_names() -> dict[str, list[Name]]:
    folded: dict[str, list[Name]] = {}
    for known, names in list_plain().items():
        folded.setdefault(fold(known), []).extend(names)
    return folded


def fold(name: str) -> str:
    """The name without case and underscores: mean_average_precision is MeanAveragePrecision."""
    return name.lower().replace("_", "")


@remember
def stems(metric: Metric) -> set[str]:
    """The names that tools use for a metric, without arguments."""
    spellings = (spelling for each in metric.tools.values() for spelling in each)
    return {re.split(r"[(@{]", spelling.text)[0].rstrip("_.").lower() for spelling in spellings}
