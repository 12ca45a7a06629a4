"""Clicks: what users did with the results that they were shown."""

from .score import clicks

__all__ = ["clicks"]
