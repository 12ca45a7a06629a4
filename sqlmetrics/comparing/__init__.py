"""Comparing: runs against each other, and against what a release must reach."""

from .compare import CompareOptions, Family, Interval, Test, compare, require_options
from .comparison import Comparison
from .correction import Correction, correct, describe_confidence, describe_correction
from .gate import Allowed, gate, read_limits
from .verdict import Gate

__all__ = [
    "Allowed",
    "CompareOptions",
    "Comparison",
    "Correction",
    "Family",
    "Gate",
    "Interval",
    "Test",
    "compare",
    "correct",
    "describe_confidence",
    "describe_correction",
    "gate",
    "read_limits",
    "require_options",
]
