"""The command line."""

from . import clicks, comparing, experimenting, report  # noqa: F401 - their commands
from .commands import app, main

__all__ = [
    "app",
    "main",
]
