"""Judgments that are read, checked and numbered once, for the runs of many calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ..inputs.columns import Kind, Named
from ..inputs.data import Data
from ..inputs.source import Input, Source
from ..ranking import NumberedJudgments, are_usable, number_judgments
from .checks import refuse
from .connections import DuckDB


@dataclass(frozen=True)
class _Kept:
    given: Input
    judged: NumberedJudgments
    notes: list[str]
    seen: list[tuple[str, str, Sequence[str]]]  # by the names of columns


class Judgments:
    """Judgments kept for many calls, which then read only their runs.

    ``qrels`` is what `evaluate` takes, and a `Judgments` goes wherever that does. It is read when
    it is first used, and later changes of a file, table or frame are not seen.

    >>> import sqlmetrics as sm
    >>> judgments = sm.Judgments({"q1": {"a": 1}})
    >>> runs = [{"q1": {"b": 2.0, "a": 1.0}}, {"q1": {"a": 3.0}}]
    >>> [sm.evaluate(judgments, run, "RR")["RR"] for run in runs]
    [0.5, 1.0]
    """

    def __init__(self, qrels: Data) -> None:
        self.data = qrels
        self._kept: dict[tuple[Kind, object], _Kept] = {}

    def __repr__(self) -> str:
        return f"Judgments({self.data!r:.200})"

    def take(self, reader: DuckDB, kind: Kind) -> tuple[Input, NumberedJudgments]:
        """The judgments as an input on the reader's connection, and their numbers.

        Raises `InputError` for what cannot be read or would give a wrong number.
        """
        seen = reader.columns.seen if isinstance(reader.columns, Named) else []
        if (key := (kind, reader.grades)) not in self._kept:
            before, known = len(reader.notes), len(seen)
            given = reader.read(self.data, kind)
            judged = number_usable(reader, given)
            self._kept[key] = _Kept(given, judged, reader.notes[before:], seen[known:])
            del reader.notes[before:], seen[known:]
        kept = self._kept[key]
        reader.notes += kept.notes
        seen += kept.seen
        table = reader.register(kept.given.frame)
        source = Source(kept.given.name, kind, table, kept.given.columns)
        return replace(kept.given, sources=(source,), create=lambda: table), kept.judged


def number_usable(reader: DuckDB, given: Input) -> NumberedJudgments:
    """The judgments by number; raises `InputError` for what would give a wrong number."""
    judged = number_judgments(given.frame)
    if not are_usable(given.frame, judged):
        refuse(reader, [given])
    return judged


# What `evaluate` takes as judgments.
Qrels: TypeAlias = Data | Judgments
