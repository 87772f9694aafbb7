"""What is costly to make is made once a run, whatever the number of workers."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from core.domain.encoder import Encoder
from core.domain.vectors import Vector, Vectors

IN_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def of_all_workers(factory: pytest.TempPathFactory) -> Path:
    """The folder of this run, which its workers share."""
    base = factory.getbasetemp()
    return base.parent if IN_WORKER else base


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of this worker with what `make` wrote into it, by this worker or another.

    Args:
        make: fills the folder it is given, which does not exist, and leaves nothing open in it.
    """
    shared = of_all_workers(factory) / f"once {name}"
    with FileLock(f"{shared}.lock"):
        if not shared.exists():
            begun = shared.with_suffix(".begun")
            shutil.rmtree(begun, ignore_errors=True)  # of a worker that failed
            make(begun)
            begun.rename(shared)
    own: Path = factory.mktemp(name) / "data"
    shutil.copytree(shared, own)
    return own


class RememberingEncoder:
    """The real embedding model, whose vectors depend on nothing but the text, reads a text once in a run.

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
