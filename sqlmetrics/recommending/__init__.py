"""Recommendations: what lists show of a catalogue, and whether anyone knew it before."""

from .recommendations import ask_recommendations, recommendations

__all__ = ["ask_recommendations", "recommendations"]
