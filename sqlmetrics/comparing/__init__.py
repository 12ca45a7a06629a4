"""Comparing: runs against each other, and against what a release must reach."""
