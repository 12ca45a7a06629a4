"""Fusing: one run from several, which way is best, and documents from passages."""

from .collapse import collapse
from .fuse import fuse
from .methods import (
    describe_parameters,
    learns,
    list_methods,
    list_normalizations,
    uses_scores,
)
from .tune import Tuning, tune

__all__ = [
    "Tuning",
    "collapse",
    "describe_parameters",
    "fuse",
    "learns",
    "list_methods",
    "list_normalizations",
    "tune",
    "uses_scores",
]
