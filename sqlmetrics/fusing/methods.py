"""Methods: what fuses runs, as files in sql/fusion define it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..catalogue import Parameter, SqlFile, Value, files, find_file, quote
from ..catalogue.measures import write_call
from ..engine.checks import refuse_tables
from ..engine.connections import DuckDB
from ..engine.relations import require
from ..errors import InputError, find_word, require_dict, require_one_of

# The normalization that documents have which a run did not retrieve, too.
BORDA = "borda"


def list_methods() -> dict[str, SqlFile]:
    """The aggregates over rows of documents, by name; those of passages fuse nothing."""
    return {
        name: file
        for name, file in files()["fusion"].items()
        if file.header.get("relation", "passages") != "passages"
    }


def list_normalizations() -> list[str]:
    """The words for what makes scores comparable."""
    return [*find_file("candidates").options["normalization"].rule.words, BORDA]


def uses_scores(method: str) -> bool:
    """Whether a method reads scores, which are normalized, and not only ranks."""
    return list_methods()[method].path.parent.name == "scores"


def learns(method: str) -> bool:
    """Whether a method learns from judgments."""
    return "training" in _list_files(method)[0].inputs


def _list_files(method: str) -> tuple[SqlFile, SqlFile]:
    """The relation whose rows a method aggregates, and the method."""
    file = list_methods()[method]
    return find_file(file.header["relation"]), file


@dataclass(frozen=True)
class Setting:
    """A way to fuse runs: a method, with the weights of runs and parameters that were given.

    ``normalization`` is how the scores that the method reads become comparable.
    """

    method: str
    normalization: str
    weights: Mapping[str, Any]
    parameters: Mapping[str, Value]

    @property
    def relation(self) -> SqlFile:
        """The relation whose rows the method aggregates."""
        return find_file("ballots") if self.normalization == BORDA else _list_files(self.method)[0]

    def write_rows(self, tables: Mapping[str, str], depth: int | None) -> str:
        """The call of the relation over tables: ``run``, and those that the method learns from."""
        options = {**self.parameters, "depth": depth, "normalization": self.normalization}
        return _write_call(self.relation, [tables[name] for name in self.relation.inputs], options)

    def refuse(self, reader: DuckDB, tables: Mapping[str, str]) -> None:
        """Raise `InputError` for tables that were read and that the relation refuses."""
        named = {name: tables[name] for name in self.relation.inputs}
        given = {"normalization": quote(self.normalization)}
        refuse_tables(reader, self.relation, named, given, tables)

    def write_score(self) -> str:
        """The call of the method over rows ``c``."""
        return _write_call(list_methods()[self.method], ["c"], self.parameters)


def _write_call(file: SqlFile, inputs: list[str], options: Mapping[str, Value]) -> str:
    """The call of a macro with those of the options that it has."""
    own = [(name, value) for name, value in options.items() if name in file.parameters]
    return write_call(file.name, inputs, own)


def read_setting(
    method: str,
    normalization: str | None = None,
    weights: Mapping[str, Any] | None = None,
    **parameters: Any,  # noqa: ANN401
) -> Setting:
    """A setting of options of `fuse`.

    Raises `InputError` for a method, a normalization or a parameter that does not exist or that the
    method does not have, and for a value that a parameter may not be.
    """
    method = find_word(method, list_methods())
    require_one_of("method", method, list_methods())
    if normalization is not None:
        normalization = find_word(normalization, list_normalizations())
        require_one_of("normalization", normalization, list_normalizations())
    if normalization not in (None, "none") and not uses_scores(method):
        raise InputError(f"{method} uses ranks only; leave out normalization")
    given = {name: value for name, value in parameters.items() if value is not None}
    own = list_parameters(method)
    for name, value in given.items():
        if name not in own:
            has = f"it has {', '.join(own)}" if own else "it has none"
            others = ", ".join(each for each in list_methods() if name in list_parameters(each))
            raise InputError(f"{method} has no parameter {name}; {has}. {name} is for {others}")
        for file in _list_files(method):
            require(file.name, **{name: value})
    if weights and learns(method):
        raise InputError(f"{method} takes no weights: it learns them")
    weights = require_dict("weights", weights, "{'bm25': 0.3, 'neural': 0.7}")
    default = "min_max" if uses_scores(method) else "none"
    return Setting(method, normalization or default, weights, given)


def list_parameters(method: str) -> dict[str, Parameter]:
    """The parameters of the relation that a method aggregates, and its own."""
    return {
        name: option
        for file in _list_files(method)
        for name, option in file.options.items()
        if name not in ("depth", "normalization")
    }


def describe_parameters() -> dict[str, str]:
    """What each parameter of some methods is, and the methods that have it."""
    found: dict[str, dict[str, list[str]]] = {}
    for method in list_methods():
        for name, option in list_parameters(method).items():
            said = f"{option.meaning}; by default {option.default:g}"
            found.setdefault(name, {}).setdefault(said, []).append(method)
    scored, learning = (", ".join(filter(are, list_methods())) for are in (uses_scores, learns))
    return {
        "normalization": f"For {scored}: what makes scores of runs comparable; by default min_max.",
        "qrels": f"For {learning}, which learn: judgments of other queries.",
    } | {
        name: " ".join(f"For {', '.join(methods)}: {said}." for said, methods in each.items())
        for name, each in found.items()
    }
