"""Fusing: one run from several, and which way is best."""

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
    "describe_parameters",
    "fuse",
    "learns",
    "list_methods",
    "list_normalizations",
    "tune",
    "uses_scores",
]
