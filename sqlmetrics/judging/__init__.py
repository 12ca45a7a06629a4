"""Judging: what judgments show."""
