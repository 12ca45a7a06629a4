"""Types of options and arguments: what they may be, and what shells complete."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import click
from click.shell_completion import CompletionItem

import sqlmetrics

from ..catalogue.literals import read_number


class Completed(click.ParamType):  # type: ignore[type-arg] # no generic in click 8.2
    """Text that shells complete by what a function finds for its beginning."""

    name = "text"

    def __init__(self, find: Callable[[str], Iterable[CompletionItem]]) -> None:
        self._find = find

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        return [*self._find(incomplete)]


class _Number(click.ParamType):  # type: ignore[type-arg]
    """A number: 0.02, 2% or 2e-2."""

    name = "number"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        if (found := read_number(value)) is None:
            self.fail(f"{value} is not a number", param, ctx)
        return found[0]


class _Written(click.Path):
    """A file to write, in a folder that exists."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        if not str(value):
            self.fail("the name is empty", param, ctx)
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            self.fail(f"the folder {path.parent} does not exist", param, ctx)
        return path


def _find_metrics(begun: str) -> Iterator[CompletionItem]:
    """For the last of several names."""
    before, blank, last = begun.rpartition(" ")
    for names in sqlmetrics.metrics()["name"]:
        for name in names.split(", "):
            if name.lower().startswith(last.lower()):
                yield CompletionItem(f"{before}{blank}{name}")


def _find_presets(begun: str) -> Iterator[CompletionItem]:
    names = sqlmetrics.presets()["preset"]
    return (CompletionItem(name) for name in names if name.startswith(begun))


def _find_files(begun: str) -> list[CompletionItem]:
    return [CompletionItem(begun, type="file")]


# A file or, in a database, a table; shells complete the file.
INPUT = Completed(_find_files)
METRIC = Completed(_find_metrics)
PRESET = Completed(_find_presets)
NUMBER = _Number()

# In signatures: inputs and several of them, as they are found, and values of other types.
File: TypeAlias = Any
Files: TypeAlias = Any
Query: TypeAlias = Annotated[str, Completed(_find_files)]
Metric: TypeAlias = Annotated[str, METRIC]
Written: TypeAlias = Annotated[Path, _Written(dir_okay=False, path_type=Path)]
Database: TypeAlias = Annotated[Path, click.Path(exists=True, dir_okay=False, path_type=Path)]
New: TypeAlias = Annotated[Path, click.Path(dir_okay=False, path_type=Path)]
Folder: TypeAlias = Annotated[
    Path, click.Path(exists=True, file_okay=False, writable=True, path_type=Path)
]
Threads: TypeAlias = Annotated[int, click.IntRange(1, 1024)]
Digits: TypeAlias = Annotated[int, click.IntRange(0, 100)]
Count: TypeAlias = Annotated[int, click.IntRange(1)]
