"""The command line."""

import signal
import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


def main() -> None:
    """Run the command line."""
    for name in ("polars", "duckdb"):
        _load_later(name)
    from ..errors import is_typed
    from ..progress import setting
    from . import from_headers  # noqa: F401 - with it, all commands are there
    from .app import app
    from .ends import run

    with setting(is_typed, value=True):
        run(app)


def _load_later(name: str) -> None:
    """Have a module imported as one that is loaded when it is first used; help does without."""
    spec = find_spec(name)
    if spec and name not in sys.modules:
        module = sys.modules[name] = module_from_spec(spec)
        module.__class__ = _Later


class _Later(ModuleType):
    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        self.__class__ = ModuleType  # type: ignore[assignment]
        handler = signal.getsignal(signal.SIGINT)
        self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]
        signal.signal(signal.SIGINT, handler)  # polars has replaced it
        return getattr(self, name)
