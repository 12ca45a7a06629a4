"""Workspace: a folder for what does not fit memory or can be read only once; nothing stays."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_PREFIX = "sqlmetrics-"

if sys.platform == "win32":

    def _is_locked_by_us(_: IO[bytes]) -> bool:
        return False  # so folders of killed processes stay
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
    """A new folder in ``parent``, else where the system has its temporary files.

    Folders there that a killed process left are removed first.
    """
    parent = parent or Path(tempfile.gettempdir())
    _remove_left(parent)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    try:
        unlocked = folder / "unlocked"
        with unlocked.open("wb") as file:
            _is_locked_by_us(file)
            unlocked.rename(folder / "lock")  # what is called so is locked while it is in use
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left(parent: Path) -> None:
    for lock in parent.glob(f"{_PREFIX}*/lock"):
        with suppress(OSError), lock.open("rb+") as file:  # another user's, or just removed
            if _is_locked_by_us(file):
                shutil.rmtree(lock.parent, ignore_errors=True)
