"""The command line."""

from . import clicks, comparing, experimenting, judging, report  # noqa: F401 - their commands
from .commands import app, main

__all__ = [
    "app",
    "main",
]
