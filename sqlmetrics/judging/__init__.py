"""Judging: what judgments show, which to make next, and whether judges agree.

Also whether a run knows when it is wrong, and follows instructions.
"""

from .agreement import Agreement, Resample, agree
from .bounds import Bounds, bounds
from .documents import Documents, explain_query
from .estimate import estimate
from .pool import Order, leave_out, to_judge
from .sample import infer

__all__ = [
    "Agreement",
    "Bounds",
    "Documents",
    "Order",
    "Resample",
    "agree",
    "bounds",
    "estimate",
    "explain_query",
    "infer",
    "leave_out",
    "to_judge",
]
