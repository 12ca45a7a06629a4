"""Parts: the files of a folder or pattern, and which of them are one table that was exported."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

import polars as pl

from ..errors import InputError
from .columns import Columns
from .data import name_file

# Files that Spark, BigQuery, Redshift, Snowflake, DuckDB, Trino and Hugging Face write, after the
# name that the user chose, if there is one.
_PART = re.compile(
    r"(?:part[-._]?(?:[rm]-)?\d.*|data(?:_[0-9a-f-]{36})?(?:_\d+)+|\d{8}_\d{6}_\d{5}_\w+.*"
    r"|(?P<name>.*?)[-_.]?(?:0\d{11}|\d{5}-of-\d{5}|\d{4}_part_\d\d+))(?:\.\w+)*"
)
_MARKS = ("_SUCCESS", "_committed_*", "_started_*", "_metadata", "_common_metadata")
_PARTITION = re.compile(r"([^=]+)=(.*)")
# Tables whose files also hold rows that were overwritten: what their folder has.
_TABLES = {"Delta": "_delta_log", "Iceberg": "metadata/*.metadata.json", "Hudi": ".hoodie"}


Partition: TypeAlias = dict[str, "str | None"]


@dataclass(frozen=True)
class File:
    """A file, and the columns that the folders of its partition name: ``country=DE``.

    ``folder`` is that of the whole table.
    """

    path: Path
    folder: Path
    partition: Partition = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Parts:
    """The files of one table, what it is called, and why they are taken as one."""

    name: str
    folder: Path
    files: tuple[File, ...]
    reason: str = ""

    def __str__(self) -> str:
        return str(self.folder)


def find_files(path: Path) -> list[File]:
    """The files of a folder, also of its partitions, or those that match a pattern.

    A table whose files alone do not say what it holds is its folder; raises `InputError` for some
    of its files.
    """
    if path.is_dir():
        found, root = _list_folder(path), path
    else:
        magic = next(n for n, part in enumerate(path.parts) if glob.has_magic(part))
        root = Path(*path.parts[:magic])
        matches = sorted(map(Path, glob.glob(str(path), recursive=True)))
        own = [each for each in matches if path.name[0] == "_" or _is_data(each)]
        found = [each for each in own if each.is_file() or _name_table(each)] or [
            file for each in own if each.is_dir() for file in _list_folder(each)
        ]
    files = [File(f, f) if f.is_dir() else _divide(f, root) for f in dict.fromkeys(found)]
    for folder in dict.fromkeys(file.folder for file in files if file.folder != file.path):
        _refuse_part(folder)
    return files


def refuse_part(path: Path) -> None:
    """Raise `InputError` for a single file of such a table."""
    if path.suffix == ".parquet":
        _refuse_part(_divide(path.absolute(), Path()).folder)


def read_partition(path: Any, part: File | None, columns: Columns | None) -> Partition:  # noqa: ANN401
    """The columns that folders name: those of a file's table, and others that the user names."""
    every = _divide(path.absolute(), Path()).partition if isinstance(path, Path) else {}
    wanted = (*(part.partition if part else {}), *(columns or {}).values())
    return {column: value for column, value in every.items() if column in wanted}


def scan_table(folder: Path) -> pl.LazyFrame:
    """The rows of the newest version of the table in a folder."""
    if (name := _name_table(folder)) == "Delta":
        return pl.scan_delta(folder)
    if name == "Hudi":
        raise InputError(f"{folder} is a table of Hudi; read it with Spark and pass the frame")
    found = folder.glob(_TABLES[name])  # 00010-….metadata.json, v10.metadata.json
    return pl.scan_iceberg(str(max(found, key=lambda p: int(re.findall(r"\d+", p.name)[0]))))


def _name_table(folder: Path) -> str:
    """What the table in a folder is of, whose files do not say what it holds; or nothing."""
    return next((name for name, mark in _TABLES.items() if next(folder.glob(mark), None)), "")


def _list_folder(folder: Path) -> list[Path]:
    if _name_table(folder):
        return [folder]
    entries = sorted(filter(_is_data, folder.iterdir()))
    parts = [each for each in entries if each.is_dir() and _PARTITION.fullmatch(each.name)]
    inner = (file for part in parts for file in _list_folder(part))
    return [*filter(Path.is_file, entries), *inner]


def _is_data(path: Path) -> bool:
    return path.name[0] not in "._" and not path.name.endswith("manifest")


def _divide(path: Path, root: Path) -> File:
    folder, partition = path.parent, Partition()
    while folder != root and (named := _PARTITION.fullmatch(folder.name)):
        value = None if named[2] == "__HIVE_DEFAULT_PARTITION__" else unquote(named[2])
        partition = {unquote(named[1]): value, **partition}
        folder = folder.parent
    return File(path, folder, partition)


def _refuse_part(folder: Path) -> None:
    for place in (folder, folder.parent):
        if name := _name_table(place):
            raise InputError(
                f"{place} is a table of {name}, whose files also hold rows that were deleted or "
                "overwritten; give the folder"
            )


def group_files(files: Iterable[File]) -> Iterator[Parts]:
    """The files that are parts of one table by their names, or each alone."""
    groups: dict[tuple[Path, str], list[File]] = {}
    for file in files:
        groups.setdefault((file.folder, _find_table(file)), []).append(file)
    for (folder, name), (first, *more) in groups.items():
        is_alone = name == first.path.name
        called = name_file(first.path) if is_alone else name or name_file(folder.resolve())
        place = folder if more else first.path
        yield Parts(called, place, (first, *more), "by their names")


def _find_table(file: File) -> str:
    """What the table of a file is called: by its name, "" where only the folder has one."""
    named = _PART.fullmatch(file.path.name)
    if named:
        return named["name"] or ""
    is_part = file.partition or any(next(file.folder.glob(mark), None) for mark in _MARKS)
    return "" if is_part else file.path.name
