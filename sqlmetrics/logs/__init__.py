"""Clicks: what users did with the results that they were shown."""

from .judgments import ClickModel, examination, judge
from .log import open_log
from .replay import replay
from .score import DEFAULT_METRICS, ask_clicks, clicks

__all__ = [
    "DEFAULT_METRICS",
    "ClickModel",
    "ask_clicks",
    "clicks",
    "examination",
    "judge",
    "open_log",
    "replay",
]
