"""Names: what each spelling of a metric stands for, ours and those of other tools."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
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
    """A known name, and what it stands for."""

    metric: Metric
    arguments: tuple[tuple[str, Value], ...] = ()
    # whether it needs a cut-off (True) or takes none (False)
    has_cutoff: bool | None = None
    is_alias: bool = False
    # what trec_eval prints, if the name is one of trec_eval's
    trec_name: str = ""


@remember
def called() -> tuple[tuple[Metric, Spelling], ...]:
    """The names of ir_measures with its own arguments: ``SetP(relative=True)``."""
    return tuple(
        (metric, spelling)
        for metric in all_metrics()
        for spelling in metric.spell("ir_measures")
        if "(" in spelling.text
    )


@remember
def list_names() -> dict[str, list[Name]]:
    """What each name that contains no parameters may stand for."""
    names: dict[str, list[Name]] = {}

    def add(name: str, meant: Name) -> None:
        if meant not in names.setdefault(name, []):
            names[name].append(meant)

    for metric in all_metrics():
        stems = [name.partition("@")[0] for name in metric.names]
        for name, stem in zip(metric.names, stems, strict=True):
            add(stem, Name(metric, (), "@" in name if stems.count(stem) == 1 else None))
        for alias in metric.aliases:
            add(alias.text, Name(metric, alias.arguments, is_alias=True))
        for spelling in metric.spell("trec_eval"):
            if not spelling.slots and not is_name_of_ours(spelling):
                add(spelling.text, Name(metric, spelling.arguments, trec_name=spelling.text))
    for metric in all_metrics():  # names that are already ours keep their meaning
        for tool in ("ir_measures", "ranx"):
            for spelling in metric.spell(tool):
                stem = re.sub(r"@\{\w+\}$", "", spelling.text)
                if "{" not in stem and "(" not in stem and stem not in names:
                    add(stem, Name(metric, spelling.arguments))
        if metric.macro not in map(str.lower, names):
            add(metric.macro, Name(metric))
    return names


@dataclass(frozen=True)
class _TrecMeasure:
    """A metric of trec_eval: where it is printed, and the sets that it belongs to."""

    printed: str
    nicknames: tuple[str, ...]


@remember
def trec_measures() -> dict[str, _TrecMeasure]:
    """The metrics of trec_eval, in the order it prints them."""
    with Path(__file__).with_name("trec_eval.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["measure"]: _TrecMeasure(row["printed"], tuple(row["nicknames"].split()))
            for row in csv.DictReader(file)
        }


@remember
def nicknames() -> dict[str, list[str]]:
    """trec_eval's names for sets of metrics, and trec_eval's names of these metrics."""
    nicknames: dict[str, list[str]] = {}
    for stem, measure in trec_measures().items():
        for nickname in measure.nicknames:
            nicknames.setdefault(nickname, []).append(stem)
    return nicknames


@remember
def unmeasured() -> set[str]:
    """The lines of trec_eval that are not scores."""
    return {*trec_measures()} - {spelling.stem for _, spelling in trec_spellings()}


@remember
def trec_spellings() -> tuple[tuple[Metric, Spelling], ...]:
    return tuple((m, spelling) for m in all_metrics() for spelling in m.spell("trec_eval"))


@remember
def patterns() -> tuple[tuple[Metric, Spelling, re.Pattern[str]], ...]:
    """Patterns for names that contain parameters; trec_eval reads P.5 and prints P_5."""
    patterns = []
    for metric in all_metrics():
        for tool in ("ranx", "trec_eval"):  # rbp.95 is ranx's
            for spelling in metric.spell(tool):
                if spelling.slots and "@" not in spelling.text:
                    text = re.escape(spelling.text.replace("{", "<").replace("}", ">"))
                    text = re.sub(r"_p=(?=<)", r"(?:[._]p=|(?=\.))", text)
                    text = re.sub(r"_(?=<)", "[._]", text)
                    text = text.replace("<gains>", r"(?P<gains>[-+.\d]+=[-+.,=\d]+)")
                    text = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>[-+.,\\d]+)", text)
                    patterns.append((metric, spelling, re.compile(text, re.IGNORECASE)))
    return tuple(patterns)


@remember
def folded_names() -> dict[str, list[Name]]:
    folded: dict[str, list[Name]] = {}
    for known, names in list_names().items():
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
