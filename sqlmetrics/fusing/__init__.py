"""Fusing: one run from several."""

from .fuse import fuse
from .methods import list_methods, list_normalizations

__all__ = ["fuse", "list_methods", "list_normalizations"]
