"""Every ranking metric as a SQL query, run by DuckDB over judgments and runs.

>>> import sqlmetrics as sm
>>> sm.evaluate({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, "RR P@1").mean.rows()
[('run', 0.5, 0.0)]
"""

import re
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

import lazy_loader

from .errors import explaining

__version__ = "0.1.0"

# What users call, as __init__.pyi lists it; each is imported, or made, when it is first used.
_load, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
_stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
__all__ += re.findall(r"^def (\w+)", _stub, re.MULTILINE)


def __getattr__(name: str) -> Any:  # noqa: ANN401
    try:
        found = _load(name)
    except AttributeError:
        if find_spec(f"{__name__}.{name}"):  # a module, which is about to be imported
            raise
        from .analyses import make_function
        from .catalogue import list_analyses

        if name not in list_analyses():
            raise AttributeError(f"sqlmetrics has no {name}{_hint(name)}") from None
        found = make_function(name)
    if isinstance(found, FunctionType):
        has = signature(found).parameters.values()
        if [each.name for each in has if each.default is each.empty] == ["scores"]:
            from .score import taking_runs

            found = taking_runs(found)
        found = explaining(found)
        if name in __all__:  # others are the user's, who may remove them
            globals()[name] = found
    return found


def _hint(name: str) -> str:
    """What to write for a name that users may expect here: a metric's, or one of another tool."""
    from .catalogue.parsing import find_metric
    from .errors import suggest

    if name.startswith("_"):
        return ""
    if metric := find_metric(name):
        return (
            f"; score it by name: evaluate(qrels, run, {metric.names[-1].replace('@k', '@10')!r})"
        )
    said = suggest("command", name, __all__, "sqlmetrics.{}".format)
    return f"; {said}" if said else ""


def __dir__() -> list[str]:
    """What users call, without the modules."""
    return [*__all__, "__version__"]
