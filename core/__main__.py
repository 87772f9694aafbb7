"""`python -m core`: the command line."""

import os

# Before NumPy is loaded. An answer's matrices are small, and a second thread that waits for them takes half of
# the processor time and makes answers later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from core.cli import main

if __name__ == "__main__":
    main()
