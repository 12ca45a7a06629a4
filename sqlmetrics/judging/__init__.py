"""Judging: what judgments show."""

from .bounds import Bounds, bounds
from .documents import Documents, explain_query
from .pool import leave_out

__all__ = [
    "Bounds",
    "Documents",
    "bounds",
    "explain_query",
    "leave_out",
]
