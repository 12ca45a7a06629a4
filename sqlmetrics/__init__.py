"""Every ranking metric as a SQL query, run by DuckDB over judgments and runs.

>>> import sqlmetrics as sm
>>> sm.metrics().height > 10
True
"""

from .catalogue import install, metrics
from .conventions import Conventions, presets
from .curves import curve
from .doctor import check
from .errors import InputError, MeasureError, SqlMetricsError
from .scores import Scores, evaluate, sql

__all__ = [
    "Conventions",
    "InputError",
    "MeasureError",
    "Scores",
    "SqlMetricsError",
    "check",
    "curve",
    "evaluate",
    "install",
    "metrics",
    "presets",
    "sql",
]
__version__ = "0.1.0"
