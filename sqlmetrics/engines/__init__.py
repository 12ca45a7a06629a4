"""Engines: what computes scores, and the SQL that it runs."""
