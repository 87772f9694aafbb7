"""Types of embeddings: one vector of shape (d,), several of shape (n, d), float32, rows of length 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]
