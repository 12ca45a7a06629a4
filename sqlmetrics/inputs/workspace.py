"""Workspace: memory, and a folder for what does not fit in it or can only be read once."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from secrets import token_hex
from typing import IO

import duckdb

from ..errors import InputError
from ..progress import setting

_PREFIX = "sqlmetrics-"

if sys.platform == "win32":

    def _is_locked_by_us(_: IO[bytes]) -> bool:
        return False  # so folders of killed processes are not removed
else:
    import fcntl

    def _is_locked_by_us(file: IO[bytes]) -> bool:
        """Lock a file, unless another process has; the lock ends with the process."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextmanager
def open_workspace(parent: Path | None = None) -> Iterator[Path]:
    """A new folder in ``parent``, by default the system's folder for temporary files.

    Removes folders there that killed processes left behind.
    """
    parent = parent or Path(tempfile.gettempdir())
    for lock in parent.glob(f"{_PREFIX}*/lock"):
        with suppress(OSError), lock.open("rb+") as file:  # another user's, or just removed
            if _is_locked_by_us(file):
                shutil.rmtree(lock.parent, ignore_errors=True)
    with removing(Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))) as folder:
        unlocked = folder / "unlocked"
        with unlocked.open("wb") as file:
            _is_locked_by_us(file)
            unlocked.rename(folder / "lock")  # a file of this name is locked while it is in use
            yield folder


_temporary: set[Path] = set()


@contextmanager
def removing(path: Path) -> Iterator[Path]:
    """Remove a file or folder at the end of the context, or with all others before."""
    _temporary.add(path)
    try:
        yield path
    finally:
        _remove(path)


def replace_file(target: Path, content: bytes, *, after: bool = False) -> None:
    """Write a file, whole or not at all; ``after`` what it has."""
    if target.exists() and not target.is_file():  # a pipe or a device
        target.write_bytes(content)
        return
    before = target.read_bytes() if after and target.exists() else b""
    with removing(target.with_name(f".{token_hex(8)}.unfinished")) as unfinished:
        with unfinished.open("xb") as file:
            file.write(before + content)
        if target.exists():
            unfinished.chmod(target.stat().st_mode)
        unfinished.replace(target)


@atexit.register
def remove_temporary() -> None:
    """Remove what contexts that have not ended would remove."""
    for path in [*_temporary]:
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
    _temporary.discard(path)


def require_memory(con: duckdb.DuckDBPyConnection, needed: int, takes: str, remedy: str) -> None:
    """Raise `InputError` if what has to be in memory does not fit: ``takes`` says what it is."""
    if needed > read_memory_limit(con):
        raise InputError(
            f"{takes} about {show_bytes(needed)} of memory, and the limit is "
            f"{show_memory_limit(con)}; {remedy}"
        )


_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
# The limit of a command as it was given, and in bytes; DuckDB has less of a large one.
_given: ContextVar[tuple[str, float] | None] = ContextVar("_given", default=None)

# DuckDB's sort fills its limit while polars ranks, so polars has this much of a large limit.
_SHARE, _LARGE = 0.5e9, 1.5e9


@contextmanager
def sharing_memory(con: duckdb.DuckDBPyConnection, size: str | None) -> Iterator[None]:
    """Leave up to half a gigabyte of DuckDB's limit to other work; ``size`` is how it was given."""
    if size is None:
        yield
        return
    limit = read_memory_limit(con)
    if limit > _LARGE:
        con.execute(f"SET memory_limit = '{max(_LARGE, limit - _SHARE) / 1e6:.0f}MB'")
    with setting(_given, (size, limit)):
        yield


def read_memory_limit(con: duckdb.DuckDBPyConnection) -> float:
    """The limit in bytes, as precisely as DuckDB reports it."""
    if given := _given.get():
        return given[1]
    number, _, unit = read_setting(con, "memory_limit").partition(" ")
    return float(number) * float(1024 ** _UNITS.index(unit))


def show_memory_limit(con: duckdb.DuckDBPyConnection) -> str:
    """The limit as it was given, or as DuckDB writes it."""
    given = _given.get()
    return given[0] if given else read_setting(con, "memory_limit")


def read_setting(con: duckdb.DuckDBPyConnection, name: str) -> str:
    """A setting as DuckDB writes it."""
    ((value,),) = con.execute("SELECT current_setting(?)", [name]).fetchall()
    return str(value or "")


def show_bytes(number: float) -> str:
    """A number of bytes for people to read."""
    return f"{number / 1e9:,.1f} GB" if number >= 1e8 else f"{number / 1e6:,.0f} MB"
