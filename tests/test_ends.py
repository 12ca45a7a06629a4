"""A command ends with a status, whatever happens; test_hostile.py gives it anything."""

from __future__ import annotations

import errno
import io

import pytest
from commands import run_command
from doors import app, list_words


class FullDisk(io.RawIOBase):
    def writable(self):
        return True

    def write(self, _):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.few(4)
@pytest.mark.parametrize("command", [each for each in app.commands if each != "report"])
def test_a_command_that_cannot_write_does_not_end_as_one_that_failed(tmp_path, command):
    status, _, said = run_command(*list_words(command, tmp_path), out=FullDisk())
    assert status == 2
    assert (
        said.splitlines()[-1] == "error: cannot write to standard output: No space left on device"
    )
