"""The command line."""

from . import clicks, comparing, report  # noqa: F401 - their commands
from .commands import app, main

__all__ = [
    "app",
    "main",
]
