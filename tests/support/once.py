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

from core.domain.encoder import TokenEncoder
from core.domain.vectors import TokenVectors, Vector, Vectors

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

    def __init__(self, real: TokenEncoder, path: Path) -> None:
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
            self._shared.execute(
                "CREATE TABLE IF NOT EXISTS tokens"
                " (text BLOB PRIMARY KEY, vector BLOB, tokens BLOB, spans BLOB)"
            )

    def encode(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if not self._is_known(text)]
        if new:
            self._remember(dict(zip(new, self._real.encode(new), strict=True)))
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._known[text] for text in texts])

    @property
    def recipe(self) -> str:
        return self._real.recipe

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        found = {text: self._read(text) for text in texts}
        new = [text for text, known in found.items() if known is None]
        if new:
            read = dict(zip(new, self._real.encode_tokens(new), strict=True))
            rows = [
                (
                    _key(text),
                    one.vector.tobytes(),
                    one.tokens.astype(np.float32).tobytes(),
                    np.array(one.spans, np.int32).tobytes(),
                )
                for text, one in read.items()
            ]
            with self._lock, self._shared:
                self._shared.executemany("INSERT OR IGNORE INTO tokens VALUES (?, ?, ?, ?)", rows)
            found |= read
        return [known for text in texts if (known := found[text]) is not None]

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

    def _read(self, text: str) -> TokenVectors | None:
        with self._lock:
            row = self._shared.execute(
                "SELECT vector, tokens, spans FROM tokens WHERE text = ?", (_key(text),)
            ).fetchone()
        if row is None:
            return None
        spans = np.frombuffer(row[2], np.int32).reshape(-1, 2)
        return TokenVectors(
            np.frombuffer(row[0], np.float32),
            np.frombuffer(row[1], np.float32).reshape(len(spans), -1),
            tuple((int(start), int(end)) for start, end in spans),
        )

    def _remember(self, vectors: dict[str, Vector]) -> None:
        self._known |= vectors
        rows = [(_key(text), vector.tobytes()) for text, vector in vectors.items()]
        with self._lock, self._shared:
            self._shared.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)


def _key(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
