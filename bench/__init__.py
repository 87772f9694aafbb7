"""Benchmarks: each a command that prints a table; see README.md beside this file."""
