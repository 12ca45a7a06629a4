"""Clicks: what users did with the results that they were shown."""

from .clicks import DEFAULT_METRICS, ask_clicks, clicks

__all__ = ["DEFAULT_METRICS", "ask_clicks", "clicks"]
