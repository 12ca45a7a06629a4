"""Experimenting: what users did with one variant or another, with two rankings on one page."""

from .bridge import Bridge, bridge
from .experiment import Alternative, Experiment, experiment
from .interleaving import Interleaving, Method, Unit, interleaving

__all__ = [
    "Alternative",
    "Bridge",
    "Experiment",
    "Interleaving",
    "Method",
    "Unit",
    "bridge",
    "experiment",
    "interleaving",
]
