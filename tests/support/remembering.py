"""The real embedding model, which reads a text once in a run, whatever the number of tests and workers."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.domain.encoder import Encoder
from core.domain.vectors import Vector, Vectors


class RememberingEncoder:
    """Gives the vectors of another encoder, whose vectors depend on nothing but the text.

    Args:
        real: computes what is not in memory.
        path: a file that all workers of a run share.
    """

    def __init__(self, real: Encoder, path: Path) -> None:
        self._real = real
        self.name, self.dimension, self.max_tokens = real.name, real.dimension, real.max_tokens
        self._known: dict[str, Vector] = {}
        self._lock = threading.Lock()
        self._shared = sqlite3.connect(path, timeout=60, check_same_thread=False)
        self._shared.execute("PRAGMA journal_mode = WAL")
        self._shared.execute("PRAGMA synchronous = OFF")
        with self._shared:
            self._shared.execute(
                "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB)"
            )

    def encode(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if not self._is_known(text)]
        if new:
            self._remember(dict(zip(new, self._real.encode(new), strict=True)))
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._known[text] for text in texts])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._real.count_tokens(texts)

    def close(self) -> None:
        self._shared.close()

    def _is_known(self, text: str) -> bool:
        if text in self._known:
            return True
        with self._lock:
            row = self._shared.execute(
                "SELECT vector FROM vectors WHERE text = ?", (_key(text),)
            ).fetchone()
        if row is not None:
            self._known[text] = np.frombuffer(row[0], dtype=np.float32)
        return row is not None

    def _remember(self, vectors: dict[str, Vector]) -> None:
        self._known |= vectors
        rows = [(_key(text), vector.tobytes()) for text, vector in vectors.items()]
        with self._lock, self._shared:
            self._shared.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)


def _key(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
