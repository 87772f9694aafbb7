"""Benchmarks: each a command that prints a table; see README.md beside this file."""

import os

# As `python -m core` has it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
