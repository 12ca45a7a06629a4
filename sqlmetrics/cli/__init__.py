"""The command line."""

from . import comparing  # noqa: F401 - its commands
from .commands import app, main

__all__ = [
    "app",
    "main",
]
