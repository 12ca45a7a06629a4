"""Engines: the databases that compute scores, and the SQL that they run."""
