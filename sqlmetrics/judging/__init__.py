"""Judging: what judgments show."""

from .bounds import Bounds, bounds
from .documents import Documents, explain_query
from .pool import pool_bias

__all__ = [
    "Bounds",
    "Documents",
    "bounds",
    "explain_query",
    "pool_bias",
]
