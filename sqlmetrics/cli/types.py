"""Types of options and arguments: what they may be, and what shells complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import click
from click.shell_completion import CompletionItem

import sqlmetrics

from ..catalogue.literals import read_number
from ..errors import find_word, require_one_of


class Kind(click.ParamType):  # type: ignore[type-arg] # no generic in click 8.2
    """What a function reads from text, and what shells complete for its beginning."""

    def __init__(
        self,
        read: Callable[[str], Any] = str,
        complete: Callable[[str], Iterable[CompletionItem]] = lambda _begun: (),
        name: str = "text",
    ) -> None:
        self.name, self._read, self._complete = name, read, complete

    def convert(self, value: Any, *_: Any) -> Any:  # noqa: ANN401
        return self._read(value)

    def get_missing_message(self, param: click.Parameter, ctx: object) -> str | None:  # noqa: ARG002
        return getattr(param, "help", None)

    def shell_complete(self, _ctx: object, _param: object, incomplete: str) -> list[CompletionItem]:
        return [*self._complete(incomplete)]


class Words(click.Choice):  # type: ignore[type-arg]
    """Words of which one may be given, in any spelling."""

    def convert(self, value: Any, param: click.Parameter | None, _: object) -> str:  # noqa: ANN401
        word: str = find_word(value, self.choices)
        require_one_of(param.opts[0] if param else "it", word, self.choices)
        return word


def _read_query(text: str) -> str:
    """A query, or a file with it, without a semicolon at its end; or what others may be."""
    if text.endswith(".sql"):
        if not (file := Path(text)).is_file():
            raise click.BadParameter(f"the file {text} does not exist", param_hint="QUERY")
        text = file.read_text(encoding="utf-8")
    return text.rstrip().rstrip(";")


def _read_number(text: Any) -> float:  # noqa: ANN401
    """A number: 0.02, 2% or 2e-2."""
    if (found := read_number(text)) is None:
        raise click.BadParameter(f"{text} is not a number")
    return found[0]


def _read_written(text: str) -> Path:
    """A file to write, in a folder that exists."""
    if not text:
        raise click.BadParameter("the name is empty")
    path = Path(_FILE.convert(text, None, None))
    if not path.parent.is_dir():
        raise click.BadParameter(f"the folder {path.parent} does not exist")
    return path


def _find_metrics(begun: str) -> Iterator[CompletionItem]:
    """For the last of several names."""
    before, blank, last = begun.rpartition(" ")
    for names in sqlmetrics.metrics()["name"]:
        for name in names.split(", "):
            if name.lower().startswith(last.lower()):
                yield CompletionItem(f"{before}{blank}{name}")


def _find_presets(begun: str) -> Iterator[CompletionItem]:
    return map(CompletionItem, (n for n in sqlmetrics.presets()["preset"] if n.startswith(begun)))


def find_files(begun: str) -> list[CompletionItem]:
    return [CompletionItem(begun, type="file")]


TABLE = Kind()  # the name of one elsewhere
METRIC = Kind(complete=_find_metrics)
PRESET = Kind(complete=_find_presets)
NUMBER = Kind(_read_number, name="number")
_FILE = click.Path(dir_okay=False, path_type=Path)

# In signatures: inputs and several of them, as they are found, and values of other types.
File: TypeAlias = Any
Files: TypeAlias = Any
Scoring: TypeAlias = dict[str, Any]  # what evaluate takes besides, where another function is behind
Query: TypeAlias = Annotated[str, Kind(_read_query, find_files)]
MetricOrQuery: TypeAlias = Annotated[str, Kind(_read_query, _find_metrics)]
Metric: TypeAlias = Annotated[str, METRIC]
Written: TypeAlias = Annotated[Path, Kind(_read_written, find_files, "file")]
New: TypeAlias = Annotated[Path, _FILE]
