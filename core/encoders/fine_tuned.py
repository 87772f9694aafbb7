"""A copy of the bundled model that was fine-tuned to read questions to the graph, an int8 ONNX file that comes
with Materia.

Its vectors tell what a question asks, and which of its words narrow it (`core.questions.closest`); nothing is
searched with them. Made by ``make train-plans``, which prints the hash that is pinned here.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.domain.vectors import TokenVectors
from core.encoders.onnx_int8 import OnnxSession, sha256_of
from core.encoders.sentence_transformer import BundledEncoder
from core.errors import ModelError

QUESTIONS = Path(__file__).parent / "int8" / "questions-1.onnx"
QUESTIONS_SHA256 = "03578b8cc09f35507c860432e96c4cbf0b8167da8032e580eb557fc2c862d4df"
QUESTION_TOKENS = 64
"""Read of a question."""


class FineTuned:
    """The copy; loads at the first use. Safe to share between threads.

    Args:
        sha256: of the file; "" where any is taken, as in training.
        threads: that work at once; 0: one a core.
    """

    def __init__(self, path: Path, sha256: str = "", threads: int = 0) -> None:
        self._path = path
        self._sha256 = sha256
        self._threads = threads
        self._lock = threading.Lock()
        self._session: OnnxSession | None = None

    def read(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Texts with the vectors of their tokens, 384 dimensions.

        Raises:
            ModelError: the file is not whole, or the bundled model is not installed.
        """
        return self._loaded().read(texts)

    def _loaded(self) -> OnnxSession:
        with self._lock:
            if self._session is None:
                if self._sha256 and sha256_of(self._path) != self._sha256:
                    raise ModelError(
                        f"The model file {self._path.name} is not whole.",
                        advice="Install Materia again; answers go on without it.",
                    )
                tokenizer = BundledEncoder().folder / "tokenizer.json"
                self._session = OnnxSession(self._path, tokenizer, QUESTION_TOKENS, self._threads)
            return self._session


@cache
def question_model() -> FineTuned:
    """The one that comes with Materia, loaded once for all workspaces of a process."""
    return FineTuned(QUESTIONS, QUESTIONS_SHA256, threads=1)
