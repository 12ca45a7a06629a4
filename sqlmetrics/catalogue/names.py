"""Names: what each spelling of a metric stands for, ours and those of other tools."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import fold
from .headers import remember
from .metric import Metric, Spelling, all_metrics
from .rules import Value


@remember
def is_name_of_ours(spelling: Spelling) -> bool:
    """Whether a tool's name is also ours, in any letter case, but with other arguments."""
    return bool(spelling.arguments) and spelling.text.lower() in {
        name.partition("@")[0].lower() for metric in all_metrics() for name in metric.names
    }


@remember
def list_spellings() -> tuple[Spelling, ...]:
    """Every spelling that is understood: ours, those of other tools, and the names of macros."""
    found = [each for metric in all_metrics() for each in (*metric.stems, *metric.aliases)]
    for tool in ("ranx", "trec_eval", "ir_measures"):  # rbp.95 is ranx's
        found += [each for metric in all_metrics() for each in metric.spell(tool)]
    return (*found, *(Spelling(each.macro, each, tool="SQL") for each in all_metrics()))


@remember
def list_of(tool: str) -> list[Spelling]:
    return [each for each in list_spellings() if each.tool == tool]


@remember
def list_plain() -> dict[str, list[Spelling]]:
    """The names without parameters, each with what it may stand for."""
    known: dict[str, list[Spelling]] = {}
    for each in list_of(""):
        known.setdefault(each.text, []).append(each)
    for each in list_of("trec_eval"):
        if not (each.slots or is_name_of_ours(each)):
            known.setdefault(each.text, []).append(each)
    for each in (*list_of("ir_measures"), *list_of("ranx")):
        stem = re.sub(r"@\{\w+\}$", "", each.text)
        if "{" not in stem and "(" not in stem:
            known.setdefault(stem, [each])  # names that are known already keep their meaning
    lowered = {*map(str.lower, known)}
    return known | {each.text: [each] for each in list_of("SQL") if each.text not in lowered}


@remember
def folded_names() -> dict[str, list[Spelling]]:
    folded: dict[str, list[Spelling]] = {}
    for known, spellings in list_plain().items():
        folded.setdefault(fold(known), []).extend(spellings)
    return folded


@remember
def write_pattern(spelling: Spelling) -> re.Pattern[str]:
    """Matches it with values for its parameters; trec_eval reads P.5 and prints P_5."""
    text = re.escape(spelling.text.replace("{", "<").replace("}", ">"))
    text = re.sub(r"_p=(?=<)", r"(?:[._]p=|(?=\.))", text)
    text = re.sub(r"_(?=<)", "[._]", text)
    text = text.replace("<gains>", r"(?P<gains>[-+.\d]+=[-+.,=\d]+)")
    text = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>[-+.,\\d]+)", text)
    return re.compile(text, re.IGNORECASE)


@dataclass(frozen=True)
class TrecMeasure:
    """A metric of trec_eval: where it is printed, and the sets that it belongs to.

    ``since_10`` are those that it belongs to since version 10. ``values`` are those of its
    parameter if none is given.
    """

    printed: str
    nicknames: tuple[str, ...]
    since_10: tuple[str, ...]
    values: tuple[Value, ...]


@remember
def trec_measures() -> dict[str, TrecMeasure]:
    """The metrics of trec_eval, in the order it prints them."""
    with Path(__file__).with_name("trec_eval.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["measure"]: TrecMeasure(
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
    return {*trec_measures()} - {each.stem for each in list_of("trec_eval")}


@remember
def stems(metric: Metric) -> set[str]:
    """The names that tools use for a metric, without arguments."""
    spellings = (spelling for each in metric.tools.values() for spelling in each)
    return {re.split(r"[(@{]", spelling.text)[0].rstrip("_.").lower() for spelling in spellings}
