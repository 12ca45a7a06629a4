"""The command line."""

from . import commands, from_headers  # noqa: F401 - their commands
from .app import app
from .ends import run

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line."""
    run(app)
