"""Reranking by a CrossEncoder of sentence-transformers; implements `core.search.rerank.Reranker`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.domain.vectors import Vector
from core.encoders.hub import quiet_hub
from core.errors import ModelError
from core.logs import get_logger

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_BATCH = 8  # passages read at once: 20 candidates stay small on a machine without a GPU
_SCORING = ("SequenceClassification", "CausalLM", "ConditionalGeneration")
_log = get_logger("encoders")


class CrossEncoderReranker:
    """Any cross-encoder with one output, by name or folder; loads at the first use.

    A model that cannot be loaded is not tried again in this process: each try may wait for a network.

    Args:
        remote_code: run code that comes with the model.
    """

    def __init__(self, name: str, *, remote_code: bool = False) -> None:
        self.name = name
        self._remote_code = remote_code
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._model: CrossEncoder | None = None
        self._failure = ""

    @property
    def loaded(self) -> bool:
        """Whether the weights are in memory."""
        return self._model is not None

    def scores(self, query: str, texts: Sequence[str]) -> Vector:
        """One score in [0, 1] for each text: the sigmoid of the model's output, shape (len(texts),).

        Raises:
            ModelError: it cannot be loaded, fails, or has more than one output (``RERANKER_FAILED``).
        """
        model = self._load()
        if not texts:
            return np.zeros(0, dtype=np.float32)
        from torch import nn

        try:
            with self._turn:
                # Some models' files name a sigmoid of their own, some name none: raw numbers are asked
                # for, so that it is applied exactly once.
                raw = model.predict(
                    [(query, text) for text in texts],
                    batch_size=_BATCH,
                    activation_fn=nn.Identity(),
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        except Exception as error:  # torch and tokenizer errors have no common root
            raise _failed(f"“{_short(self.name)}” failed on these passages") from error
        outputs = np.asarray(raw, dtype=np.float64)
        if outputs.shape != (len(texts),):
            raise _failed(f"“{_short(self.name)}” gives more than one number for a passage")
        if not np.isfinite(outputs).all():
            raise _failed(f"“{_short(self.name)}” gives numbers that are none")
        scores: Vector = (0.5 * (1.0 + np.tanh(0.5 * outputs))).astype(np.float32)
        return scores

    def _load(self) -> CrossEncoder:
        with self._lock:
            if self._failure:
                raise _failed(self._failure)
            if self._model is None:
                try:
                    self._model = _cross_encoder(self.name, self._remote_code)
                except Exception as error:  # hub, file, and torch errors have no common root
                    self._failure = f"“{_short(self.name)}” could not be loaded"
                    raise _failed(self._failure) from error
                _log.info("reranker_loaded", model=_short(self.name))
            return self._model


def _cross_encoder(name: str, remote_code: bool) -> CrossEncoder:
    if Path(name).is_absolute() and not Path(name).is_dir():
        raise FileNotFoundError  # told at once: torch takes seconds to import
    quiet_hub(name)
    from sentence_transformers import CrossEncoder

    model: CrossEncoder = CrossEncoder(name, trust_remote_code=remote_code)
    made_as = getattr(model.config, "architectures", None) or []
    if not any(kind in one for one in made_as for kind in _SCORING):
        # An embedding model loads as well, with a last layer of random numbers.
        raise ValueError("no cross-encoder")
    return model


def _short(name: str) -> str:
    """A model's name without the path of this machine."""
    return name.rstrip("/").rsplit("/", 1)[-1] if Path(name).is_absolute() else name


def _failed(reason: str) -> ModelError:
    return ModelError(
        f"The reranker cannot be used: {reason}.",
        advice="Check MATERIA_RERANKER, and start Materia again.",
        code="RERANKER_FAILED",
    )
