"""Fusing: one run from several, and which way is best."""
