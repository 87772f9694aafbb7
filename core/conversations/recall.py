"""Earlier questions that are close to a new one, found by the embeddings of questions with their answers.

A pair is embedded after its answer is kept, while nobody asks. What has no vector of the present model (a crash
came before it, the answer was changed, another model is configured) gets one at the next start or question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from datetime import datetime
from functools import lru_cache
from typing import Protocol, Self

import numpy as np

from core.background import Background, GoOn
from core.conversations.store import ConversationStore
from core.domain.answers import Answer
from core.domain.conversations import PairVector, SimilarTurn, Turn
from core.domain.encoder import Encoder
from core.domain.vectors import Vector
from core.logs import get_logger

MOST = 5  # earlier questions that are offered
# Cosines from which on a pair is close to a question, and to a question with its answer; how they were
# measured, for the bundled model: docs/decisions/recall.md.
FLOOR = 0.7
FLOOR_ANSWERED = 0.76
_JUST_ASKED = 5  # turns before a question in its own conversation, which are on the screen
_AT_ONCE = 8  # pairs embedded; a question that comes waits for so many at most
_ANSWER = 240  # characters of an answer; more of them drown the question
_CHARACTERS = 12  # of a token, more than any model's have; the rest is not read
_FORM = "pair 1"  # what a vector is made from beside the texts; another form makes all anew
_REMEMBERED = 64  # vectors of texts: a page asks for those of its newest turn each time it is drawn
_log = get_logger("recall")


class Number(Protocol):
    """A number that outlives the process."""

    def value(self) -> int: ...
    def set(self, value: int) -> None: ...


class Recall(Background):
    """Embeds pairs, and finds those that are close to a question.

    Args:
        is_free: whether nobody needs the processor.
        is_loaded: whether the embedding model is in memory.
        allowed: whether recall may be on (a setting).
        off: not 0 where the analyst has turned it off.
    """

    def __init__(
        self,
        store: ConversationStore,
        encoder: Callable[[], Encoder],
        is_free: GoOn,
        is_loaded: Callable[[], bool],
        off: Number,
        *,
        allowed: bool = True,
    ) -> None:
        super().__init__("recall", self.embed_missing, is_free)
        self._store = store
        self._encoder = encoder
        self._is_loaded = is_loaded
        self._off = off
        self.allowed = allowed
        self._vector = lru_cache(_REMEMBERED)(lambda _model, question: self._encoded(question))

    def of_user(self, user: str) -> Self:
        """The same, which finds what one user asked alone; everybody's pairs are embedded by one thread."""
        one = copy(self)
        one._store = self._store.of_user(user)
        return one

    @property
    def is_on(self) -> bool:
        """Whether pairs are embedded and offered."""
        return self.allowed and not self._off.value()

    @property
    def is_ready(self) -> bool:
        """Whether it is on and asking it waits for no model to be loaded."""
        return self.is_on and self._is_loaded()

    def turn(self, on: bool) -> None:
        """Turn it on or off; what is embedded stays."""
        self._off.set(int(not on))
        self.wake()

    def embed_missing(self, go_on: GoOn = lambda: True) -> int:
        """Embed the pairs that have no vector of the present model; how many.

        Args:
            go_on: asked before every few pairs; False ends here.

        Raises:
            ModelError, StoreError: the model or the store cannot be used.
        """
        embedded = 0
        while self.is_on and go_on():
            encoder = self._encoder()
            turns = self._store.without_vector(_made_with(encoder), _AT_ONCE)
            if not turns:
                break
            kept = self._store.keep_vectors(_embedded(turns, encoder))
            embedded += kept
            if not kept:  # all were changed or removed meanwhile: their change wakes this again
                break
        if embedded:
            _log.info("pairs_embedded", pairs=embedded)
        return embedded

    def similar(
        self, question: str, before: datetime | None = None, limit: int = MOST
    ) -> list[SimilarTurn]:
        """The closest earlier questions, the closest first; of one that was asked in the same words several
        times the latest. Nothing while recall is off.

        Raises:
            ModelError, StoreError: the model or the store cannot be used.
        """
        if not self.is_on:
            return []
        return self._close([question], FLOOR, before, limit, lambda _one: True)

    def similar_to(self, turn: Turn) -> list[SimilarTurn]:
        """What was asked before a turn and is close to it, but for the questions just before it in its own
        conversation.

        Raises:
            ModelError, StoreError: see `similar`.
        """
        if not self.is_on:
            return []

        def is_other(one: SimilarTurn) -> bool:
            near = turn.position - one.position <= _JUST_ASKED
            return not (near and one.session_id == turn.session_id)

        told = [turn.answer.read_as, pair_text(turn.answer)]
        return self._close(told, FLOOR_ANSWERED, turn.created_at, MOST, is_other)

    def _close(
        self,
        told: Sequence[str],
        floor: float,
        before: datetime | None,
        limit: int,
        wanted: Callable[[SimilarTurn], bool],
    ) -> list[SimilarTurn]:
        """Pairs near to the mean of texts."""
        model = _made_with(self._encoder())
        mean = np.sum([self._vector(model, text) for text in told], axis=0)
        vector: Vector = (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)
        found = self._store.similar(vector, model, 4 * limit + _JUST_ASKED, before)
        latest: dict[str, SimilarTurn] = {}
        for one in found:
            if one.similarity >= floor and wanted(one):
                words = " ".join(one.question.casefold().split())
                known = latest.get(words)
                if known is None or known.asked_at < one.asked_at:
                    latest[words] = one
        return sorted(latest.values(), key=lambda one: -one.similarity)[:limit]

    def _encoded(self, text: str) -> Vector:
        return _read(self._encoder(), [text])[0]


def pair_text(answer: Answer) -> str:
    """A question, as it was read, with the beginning of its answer."""
    said = " ".join(sentence.text for sentence in answer.sentences)
    return f"Q: {answer.read_as}\nA: {said[:_ANSWER]}"


def _embedded(turns: Sequence[Turn], encoder: Encoder) -> list[PairVector]:
    vectors = _read(encoder, [pair_text(turn.answer) for turn in turns])
    model = _made_with(encoder)
    return [
        PairVector(turn.id, turn.answer.text, model, vector)
        for turn, vector in zip(turns, vectors, strict=True)
    ]


def _read(encoder: Encoder, texts: Sequence[str]) -> list[Vector]:
    most = encoder.max_tokens * _CHARACTERS
    return [one.astype(np.float32) for one in encoder.encode([text[:most] for text in texts])]


def _made_with(encoder: Encoder) -> str:
    return f"{encoder.name}, {encoder.dimension}, {_FORM}"
