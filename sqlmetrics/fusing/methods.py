"""Methods: what fuses runs, as files in sql/fusion define it."""

from __future__ import annotations

from collections.abc import Mapping

from ..catalogue import SqlFile, Value, files, find_file
from ..catalogue.measures import write_call
from ..errors import InputError, require_one_of
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
    return [*find_file("candidates").require_parameter("normalization").rule.words, BORDA]


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


def write_source(
    method: str, normalization: str, tables: Mapping[str, str], given: Mapping[str, Value]
) -> str:
    """The rows that a method aggregates, over tables: ``run``, and those that it learns from."""
    relation = find_relation(method)
    if normalization == BORDA:
        relation = find_file("ballots")
    statement = relation.statement
    options = {**given, "normalization": normalization}
    own = [(name, value) for name, value in options.items() if name in statement.parameters]
    return write_call(statement.macro, [tables[name] for name in statement.inputs], own)


def write_method(method: str, parameters: Mapping[str, Value]) -> str:
    """The call of a method over rows ``c``, with those of the parameters that it has."""
    own = list_methods()[method].parameters
    return write_call(method, ["c"], [(n, v) for n, v in parameters.items() if n in own])


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
            each = file.require_parameter(name)
            if isinstance(each.default, int | float):
                said = f"{each.meaning}; by default {each.default:g}"
                found.setdefault(name, {}).setdefault(said, []).append(method)
    return {
        name: " ".join(f"For {', '.join(methods)}: {said}." for said, methods in each.items())
        for name, each in found.items()
    }


def require_parameters(method: str, parameters: Mapping[str, Value]) -> None:
    """Raise `InputError` for a parameter that a method does not have, or a value it may not be."""
    own = list_parameters(method)
    for name, value in parameters.items():
        if name not in own:
            has = f"it has {', '.join(own)}" if own else "it has none"
            others = ", ".join(each for each in list_methods() if name in list_parameters(each))
            raise InputError(f"{method} has no parameter {name}; {has}. {name} is for {others}")
        require(own[name].name, **{name: value})
