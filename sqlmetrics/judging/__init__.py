"""Judging: what judgments show, and whether judges agree.

Also whether a run knows when it is wrong, and follows instructions.
"""

from .agreement import Agreement, Resample, agree
from .bounds import Bounds, bounds
from .documents import Documents, explain_query
from .estimate import estimate
from .pool import leave_out

__all__ = [
    "Agreement",
    "Bounds",
    "Documents",
    "Resample",
    "agree",
    "bounds",
    "estimate",
    "explain_query",
    "leave_out",
]
