"""Recommendations: what lists show of a catalogue, and whether anyone knew it before."""

from .recommendations import list_defaults, require_tables, score_lists

__all__ = ["list_defaults", "require_tables", "score_lists"]
