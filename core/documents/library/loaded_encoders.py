"""Embedding models in memory, by name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from copy import copy
from functools import partial

from core.documents.index_model import mismatch
from core.domain.documents import Index
from core.domain.encoder import Encoder
from core.encoders.factory import make_encoder
from core.errors import EmbeddingMismatch, ModelError
from core.settings import Settings

# Looking for a model on the hub takes 70 s when there is no network (measured); a folder that is gone
# takes no time, and may be tried with every question.
_PATIENCE = 10  # times as long as a failure took, until the next attempt
_LONGEST = 300.0  # seconds


class LoadedEncoders:
    """Loads each model once, when it is needed first; safe to share between threads.

    One that could not be loaded is not tried again for a while: until then the same failure is told at
    once, so that no question waits a minute for it.

    Args:
        make: loads a model; raises ModelError.
        clock: seconds, for that while.
    """

    def __init__(
        self, make: Callable[[str], Encoder], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = make
        self._clock = clock
        self._lock = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}
        self._loaded: dict[str, Encoder] = {}
        self._failed: dict[str, tuple[float, ModelError]] = {}

    @classmethod
    def of(cls, settings: Settings) -> LoadedEncoders:
        """Models that are made as settings say."""
        return cls(
            partial(
                make_encoder,
                folder=settings.models,
                api_key=settings.embedding_key,
                base_url=settings.llm_base_url,
            )
        )

    def get(self, name: str) -> Encoder:
        """The model of a name; waits while another thread loads it.

        Raises:
            ModelError: it cannot be loaded, or could not a while ago.
        """
        with self._lock:
            turn = self._turns.setdefault(name, threading.Lock())
        with turn:
            if name not in self._loaded:
                self._loaded[name] = self._load(name)
            return self._loaded[name]

    def of_index(self, index: Index, configured: Encoder) -> Encoder:
        """The model that an index was made with, configured or not.

        Raises:
            EmbeddingMismatch: it is not the configured one and cannot be loaded.
        """
        if configured.name == index.model:
            return configured
        try:
            return self.get(index.model)
        except ModelError as error:
            found = mismatch(index, configured)
            raise EmbeddingMismatch(
                f"{found.message} Its own model cannot be loaded.", advice=found.advice
            ) from error

    def __contains__(self, name: object) -> bool:
        """Whether a model is in memory."""
        return name in self._loaded

    def is_ready(self, name: str) -> bool:
        """Whether a model is in memory with its weights, which some load with their first text."""
        found = self._loaded.get(name)
        return found is not None and bool(getattr(found, "loaded", True))

    def __setitem__(self, name: str, encoder: Encoder) -> None:
        """Have a model in memory already."""
        self._loaded[name] = encoder

    def _load(self, name: str) -> Encoder:
        began = self._clock()
        if name in self._failed:
            until, known = self._failed[name]
            if began < until:
                raise copy(known)
        try:
            return self._make(name)
        except ModelError as error:
            ended = self._clock()
            rest = min(_LONGEST, _PATIENCE * (ended - began))
            self._failed[name] = (ended + rest, error)
            raise
