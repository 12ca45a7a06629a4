"""Experimenting: what users did with one variant or another."""

from .experiment import Alternative, Experiment, experiment

__all__ = [
    "Alternative",
    "Experiment",
    "experiment",
]
