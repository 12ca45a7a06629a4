"""Inputs: judgments, runs and topics, in whatever form users have them."""
