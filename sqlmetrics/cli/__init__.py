"""The command line."""

from . import (  # noqa: F401 - their commands
    analyses,
    commands,
    report,
)
from .app import app
from .ends import run

__all__ = [
    "app",
    "main",
]


def main() -> None:
    """Run the command line."""
    run(app)
