"""Methods: what fuses runs, as files in sql/fusion define it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..catalogue import SqlFile, Value, files, find_file
from ..catalogue.measures import write_call
from ..errors import InputError, require_dict, require_one_of
from ..running.relations import require

FOLDER = "fusion"

# Those of passages fuse nothing.
_OTHERS = ("passages",)

# The normalization that documents have which a run did not retrieve, too.
BORDA = "borda"


def list_methods() -> dict[str, SqlFile]:
    """The aggregates over rows of documents, by name."""
    return {
        name: file
        for name, file in files()[FOLDER].items()
        if file.header.get("relation", *_OTHERS) not in _OTHERS
    }


def list_normalizations() -> list[str]:
    """The words for what makes scores comparable."""
    return [*find_file("candidates").options["normalization"].rule.words, BORDA]


def choose_normalization(method: str, normalization: str | None) -> str:
    """How the scores that a method reads are normalized.

    Raises `InputError` for a method or a normalization that does not exist.
    """
    require_one_of("method", method, tuple(list_methods()))
    if normalization is not None:
        require_one_of("normalization", normalization, tuple(list_normalizations()))
    if normalization not in (None, "none") and not uses_scores(method):
        raise InputError(f"{method} uses ranks only; leave out normalization")
    return normalization or ("min_max" if uses_scores(method) else "none")


def uses_scores(method: str) -> bool:
    """Whether a method reads scores, which are normalized, and not only ranks."""
    return list_methods()[method].path.parent.name == "scores"


def find_relation(method: str) -> SqlFile:
    """The relation whose rows a method aggregates."""
    return find_file(list_methods()[method].header["relation"])


def learns(method: str) -> bool:
    """Whether a method learns from judgments."""
    return "training" in find_relation(method).inputs


@dataclass(frozen=True)
class Setting:
    """A way to fuse runs: a method, with the weights of runs and parameters that were given.

    ``normalization`` is how the scores that the method reads become comparable.
    """

    method: str
    normalization: str
    weights: Mapping[str, float]
    parameters: Mapping[str, Value]

    @property
    def relation(self) -> SqlFile:
        """The relation whose rows the method aggregates."""
        is_borda = self.normalization == BORDA
        return find_file("ballots") if is_borda else find_relation(self.method)

    @property
    def is_of_runs(self) -> bool:
        """Whether a row is of one run, and has its weight."""
        return self.relation.header["once"] == "run_id"

    def write_rows(self, tables: Mapping[str, str], depth: int | None) -> str:
        """The call of the relation over tables: ``run``, and those that the method learns from."""
        options = {**self.parameters, "depth": depth, "normalization": self.normalization}
        named = [tables[name] for name in self.relation.inputs]
        return write_call(self.relation.name, named, _take_own(self.relation, options))

    def write_score(self) -> str:
        """The call of the method over rows ``c``."""
        file = list_methods()[self.method]
        return write_call(self.method, ["c"], _take_own(file, self.parameters))


def _take_own(file: SqlFile, options: Mapping[str, Value]) -> list[tuple[str, Value]]:
    """Those of the options that a macro has."""
    return [(name, value) for name, value in options.items() if name in file.parameters]


def read_setting(
    method: str,
    normalization: str | None = None,
    weights: Mapping[str, float] | None = None,
    **parameters: Any,  # noqa: ANN401
) -> Setting:
    """A setting of options of `fuse`.

    Raises `InputError` for a parameter that the method does not have, or a value it may not be.
    """
    chosen = choose_normalization(method, normalization)
    given = {name: value for name, value in parameters.items() if value is not None}
    own = list_parameters(method)
    for name, value in given.items():
        if name not in own:
            has = f"it has {', '.join(own)}" if own else "it has none"
            others = ", ".join(each for each in list_methods() if name in list_parameters(each))
            raise InputError(f"{method} has no parameter {name}; {has}. {name} is for {others}")
        require(own[name].name, **{name: value})
    weights = require_dict("weights", weights, "{'bm25': 0.3, 'neural': 0.7}")
    return Setting(method, chosen, weights, given)


def list_parameters(method: str) -> dict[str, SqlFile]:
    """The parameters of a method and of the relation it aggregates, each with its file."""
    return {
        name: file
        for file in (find_relation(method), list_methods()[method])
        for name, default in file.parameters.items()
        if default is not None and name not in ("depth", "normalization")
    }


def describe_parameters() -> dict[str, str]:
    """What each parameter of any method is, its default, and the methods that have it."""
    found: dict[str, dict[str, list[str]]] = {}
    for method in list_methods():
        for name, file in list_parameters(method).items():
            each = file.options[name]
            if isinstance(each.default, int | float):
                said = f"{each.meaning}; by default {each.default:g}"
                found.setdefault(name, {}).setdefault(said, []).append(method)
    return {
        name: " ".join(f"For {', '.join(methods)}: {said}." for said, methods in each.items())
        for name, each in found.items()
    }
