"""Many slices of a projection's arrays at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def spans(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """start, start + 1, ..., end - 1 of each pair, one after the other.

    Args:
        starts, ends: shape (k,), no end before its start.
    """
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    found: NDArray[np.int64] = np.repeat(starts - before, lengths)
    found += np.arange(len(found))
    return found
