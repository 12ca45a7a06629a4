"""Inputs: judgments, runs and topics as users have them."""
