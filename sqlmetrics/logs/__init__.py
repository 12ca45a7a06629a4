"""Clicks: what users did with the results that they were shown."""

from .clicks import DEFAULT_METRICS, ask_clicks, clicks
from .judgments import ClickModel, examination, judge
from .log import open_duckdb_log
from .replay import replay

__all__ = [
    "DEFAULT_METRICS",
    "ClickModel",
    "ask_clicks",
    "clicks",
    "examination",
    "judge",
    "open_duckdb_log",
    "replay",
]
