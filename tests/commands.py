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


def run_command(*arguments: object) -> tuple[int, str, str]:
    """The status that the command ends with, and what it writes to standard output and error."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    status = 0
    with (
        pytest.MonkeyPatch.context() as patched,
        redirect_stdout(streams[0]),
        redirect_stderr(streams[1]),
    ):
        patched.setattr(sys, "argv", ["sqlmetrics", *map(str, arguments)])
        patched.setattr(signal, "signal", lambda *_: None)
        try:
            main()
        except SystemExit as ended:
            status = int(ended.code or 0)
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams)
    return status, out, err


def run(*arguments: object, status: int = 0) -> str:
    """What the command prints, or what it says if it ends with another status, as it must."""
    code, printed, said = run_command(*arguments)
    assert code == status, said
    return printed if status == 0 else said
