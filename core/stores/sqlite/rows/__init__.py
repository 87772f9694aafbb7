"""Rows of the embedded store, written and read."""
