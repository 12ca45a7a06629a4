"""Comparing: runs against each other, and against what a release must reach."""

from .compare import CompareOptions, Correction, Family, Interval, Test, compare
from .comparison import RIGHT, Comparison, show_p
from .gate import Allowed, gate
from .orders import compare_orders
from .verdict import Gate

__all__ = [
    "RIGHT",
    "Allowed",
    "CompareOptions",
    "Comparison",
    "Correction",
    "Family",
    "Gate",
    "Interval",
    "Test",
    "compare",
    "compare_orders",
    "gate",
    "show_p",
]
