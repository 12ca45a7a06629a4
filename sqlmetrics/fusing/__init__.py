"""Fusing: one run from several."""

from .collapse import collapse
from .fuse import fuse
from .methods import list_methods, list_normalizations

__all__ = ["collapse", "fuse", "list_methods", "list_normalizations"]
