"""Experimenting: what users did with one variant or another."""

from .bridge import Bridge, bridge
from .experiment import Alternative, Experiment, experiment

__all__ = [
    "Alternative",
    "Bridge",
    "Experiment",
    "bridge",
    "experiment",
]
