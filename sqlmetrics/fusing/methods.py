"""Methods: what fuses runs, as files in sql/fusion define it."""

from __future__ import annotations

from collections.abc import Mapping

from ..catalogue import SqlFile, Value, files, find_file
from ..catalogue.measures import write_call
from ..errors import InputError, require_one_of
from ..running.relations import require

FOLDER = "fusion"

_RELATIONS = ("candidates", "ballots", "duels")

# The normalization that documents have which a run did not retrieve, too.
BORDA = "borda"


def list_methods() -> dict[str, SqlFile]:
    """The aggregates over rows of documents, by name."""
    return {
        name: file
        for name, file in files()[FOLDER].items()
        if file.header.get("relation") in _RELATIONS
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
    uses_scores = list_methods()[method].path.parent.name == "scores"
    if normalization not in (None, "none") and not uses_scores:
        raise InputError(f"{method} uses ranks only; leave out normalization")
    return normalization or ("min_max" if uses_scores else "none")


def write_source(method: str, normalization: str, run: str, depth: int | None) -> str:
    """The rows that a method aggregates, over a table of runs."""
    relation = list_methods()[method].header["relation"]
    given: list[tuple[str, Value]] = [("depth", depth)]
    if normalization == BORDA:
        relation = "ballots"
    elif relation == "candidates":
        given.append(("normalization", normalization))
    return write_call(relation, [run], given)


def write_method(method: str, parameters: Mapping[str, Value]) -> str:
    """The call of a method over rows ``c``.

    Raises `InputError` for a parameter that it does not have, or a value that it does not allow.
    """
    (statement,) = list_methods()[method].statements
    own = [name for name, default in statement.parameters.items() if default is not None]
    for name in parameters:
        if name not in own:
            has = f"it has {', '.join(own)}" if own else "it has none"
            raise InputError(f"{method} has no parameter {name}; {has}")
    require(method, **parameters)
    return write_call(method, ["c"], parameters.items())
