"""Fusing: one run from several."""

from .fuse import fuse

__all__ = ["fuse"]
