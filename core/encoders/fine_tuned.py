"""Copies of the bundled model that were fine-tuned for one thing each, int8 ONNX files that come with Materia.

*Questions*: its vectors tell what is asked of the graph, and which words narrow it (`core.questions.closest`).
*Statements*: read together with a question, to tell whether they answer it (`core.evidence.learned`).
*Papers*: the same, taught on papers. Nothing is searched with any of them. Made by ``make train-plans`` and
``make train-reader``, which print the hashes that are pinned here.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from core.domain.vectors import TokenVectors, Vectors
from core.encoders.onnx_int8 import OnnxSession, sha256_of
from core.encoders.sentence_transformer import BundledEncoder
from core.errors import ModelError

_FOLDER = Path(__file__).parent / "int8"
QUESTIONS = _FOLDER / "questions-1.onnx"
QUESTIONS_SHA256 = "03578b8cc09f35507c860432e96c4cbf0b8167da8032e580eb557fc2c862d4df"
STATEMENTS = _FOLDER / "statements-5.onnx"
STATEMENTS_SHA256 = "8f25d481292f6ef8348dca15d51b5489046642f160c27d0c5eceba3efd995b07"
PAPERS = _FOLDER / "papers-1.onnx"
PAPERS_SHA256 = "4514d88d49bc4b0ac410d8a3c8839b7f4c85d71844a277626d5f3166fef5981e"
QUESTION_TOKENS = 64
STATEMENT_TOKENS = 128
"""Read of a question, and of a question with a statement."""


class FineTuned:
    """One copy; loads at the first use. Safe to share between threads.

    Args:
        sha256: of the file; "" where any is taken, as in training.
        max_tokens: that it reads of a text, or of a pair of texts.
        threads: that work at once; 0: one a core.
    """

    def __init__(
        self, path: Path, sha256: str = "", max_tokens: int = QUESTION_TOKENS, threads: int = 0
    ) -> None:
        self._path = path
        self._sha256 = sha256
        self._max_tokens = max_tokens
        self._threads = threads
        self._lock = threading.Lock()
        self._session: OnnxSession | None = None
        self._failed: ModelError | None = None

    def read(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Texts with the vectors of their tokens, 384 dimensions.

        Raises:
            ModelError: the file is not whole, or cannot be loaded. It is not tried again.
        """
        return self._loaded().read(texts)

    def scores(self, question: str, texts: Sequence[str]) -> Vectors:
        """Of each text beside a question, shape (len(texts), 2): its log-odds against other texts, and those
        that it answers.

        Raises:
            ModelError: see `read`.
        """
        if not texts:
            return np.zeros((0, 2), np.float32)
        return self._loaded().scores(question, texts)

    def _loaded(self) -> OnnxSession:
        with self._lock:
            if self._failed is not None:
                raise self._failed
            if self._session is None:
                try:
                    self._session = self._opened()
                except ModelError as error:
                    self._failed = error
                    raise
            return self._session

    def _opened(self) -> OnnxSession:
        advice = "Install Materia again; answers go on without it."
        try:
            if self._sha256 and sha256_of(self._path) != self._sha256:
                raise ModelError(f"The model file {self._path.name} is not whole.", advice=advice)
            tokenizer = BundledEncoder().folder / "tokenizer.json"
            return OnnxSession(self._path, tokenizer, self._max_tokens, self._threads)
        except ModelError:
            raise
        except Exception as error:  # whatever ONNX Runtime or the tokenizer raises
            name = type(error).__name__
            raise ModelError(
                f"The model file {self._path.name} cannot be loaded ({name}).", advice=advice
            ) from error


@cache
def question_model() -> FineTuned:
    """The one that reads questions, loaded once for all workspaces of a process."""
    return FineTuned(QUESTIONS, QUESTIONS_SHA256, threads=1)


@cache
def statement_model() -> FineTuned:
    """The one that reads statements beside a question, likewise."""
    return FineTuned(STATEMENTS, STATEMENTS_SHA256, STATEMENT_TOKENS)


@cache
def paper_model() -> FineTuned:
    """The one that reads statements of papers beside a question, likewise."""
    return FineTuned(PAPERS, PAPERS_SHA256, STATEMENT_TOKENS)
