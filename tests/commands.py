"""The command line, run in the process of the tests, for another takes most of a second."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
from conftest import ROOT

from sqlmetrics.cli import main

QRELS, BM25, NEURAL = (
    str(ROOT / "examples" / f"{name}.csv") for name in ("qrels", "bm25", "neural")
)


def run_command(
    *arguments: object,
    out: io.IOBase | None = None,
    err: io.BytesIO | None = None,
    width: int = 1000,
) -> tuple[int, str, str]:
    """The status that the command ends with, and what it writes to standard output and error.

    Tables and messages are as wide as they are, unless ``width`` is less.
    """
    streams = [
        io.TextIOWrapper(each, encoding="utf-8", errors="backslashreplace")
        for each in (out or io.BytesIO(), err or io.BytesIO())
    ]
    status = 0
    with (
        pytest.MonkeyPatch.context() as patched,
        redirect_stdout(streams[0]),
        redirect_stderr(streams[1]),
    ):
        patched.setenv("COLUMNS", str(width))
        patched.setattr(sys, "argv", ["sqlmetrics", *map(str, arguments)])
        patched.setattr(signal, "signal", lambda *_: None)
        try:
            main()
        except SystemExit as ended:
            status = int(ended.code or 0)
    if out is None:
        streams[0].flush()
    streams[1].flush()
    printed, said = (
        "" if each.buffer is out else each.buffer.getvalue().decode() for each in streams
    )
    return status, printed, said


def run(*arguments: object, status: int = 0, width: int = 1000) -> str:
    """What the command prints, or what it says if it ends with another status, as it must."""
    code, printed, said = run_command(*arguments, width=width)
    assert code == status, said
    return printed if status == 0 else said
