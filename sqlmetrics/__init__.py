"""Every ranking metric as a SQL query, run by DuckDB over judgments and runs.

>>> import sqlmetrics as sm
>>> sm.evaluate({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, "RR P@1").mean.rows()
[('run', 0.5, 0.0)]
"""

import lazy_loader

__version__ = "0.1.0"

# What users call, as __init__.pyi lists it; each is imported when it is first used.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __dir__() -> list[str]:
    """What users call, without the modules."""
    return [*__all__, "__version__"]
