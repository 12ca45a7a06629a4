"""Fusing: one run from several, which way is best, and documents from passages."""

from .collapse import collapse
from .fuse import fuse
from .methods import describe_parameters, list_methods, list_normalizations
from .tune import Tuning, tune

__all__ = [
    "Tuning",
    "collapse",
    "describe_parameters",
    "fuse",
    "list_methods",
    "list_normalizations",
    "tune",
]
