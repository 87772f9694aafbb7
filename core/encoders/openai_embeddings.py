"""Embeddings by OpenAI's models, or another provider's endpoint that offers them under these names.

Texts leave this machine. A call that the provider could not take (429, 5xx, connection) is tried twice
more, with exponential backoff, jitter and `Retry-After`, by the provider's own client.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from pydantic import SecretStr

from core.domain.vectors import Vectors
from core.logs import get_logger
from core.provider_errors import failed, told
from core.resources import read_table

if TYPE_CHECKING:
    from openai import OpenAI

PREFIX = "text-embedding-"
# Lengths of the vectors: https://platform.openai.com/docs/guides/embeddings
_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}
_MAX_TOKENS = 8191  # of one text, from the same page
# Limits of one request: https://platform.openai.com/docs/api-reference/embeddings/create
_MOST_TOKENS = 250_000  # 300,000 less what the estimate may be short of
_MOST_TEXTS = 128  # 2,048 are taken; fewer lose less when a request fails
# The tokenizer's tables come over the network, so tokens are estimated. An English token has about
# four bytes, other scripts have about three a character, so this is seldom too low.
_BYTES_PER_TOKEN = 3
_RETRIES = 2  # three attempts in all
_CONNECT_SECONDS = 5.0
_FAILURES = read_table(__file__, "openai_embeddings.toml")
_log = get_logger("encoders")


class OpenAIEncoder:
    """``text-embedding-3-small`` (1536 dimensions) or ``text-embedding-3-large`` (3072), 8191 tokens.

    Args:
        api_key: of the provider; one that asks for none needs `base_url`.
        base_url: endpoint; empty means OpenAI's own.
        seconds: time limit of one attempt.

    Raises:
        ModelError: the model's name is unknown (``EMBEDDING_MODEL_MISSING``), or a key is needed
            (``EMBEDDING_KEY_MISSING``).
    """

    runtime = "api"
    loaded = True

    def __init__(
        self,
        name: str,
        api_key: SecretStr | None = None,
        base_url: str = "",
        seconds: float = 60.0,
    ) -> None:
        if name not in _DIMENSIONS:
            raise told(_FAILURES, "unknown", model=name, known=" or ".join(_DIMENSIONS))
        self._key = api_key.get_secret_value() if api_key else ""
        if not self._key and not base_url:
            raise told(_FAILURES, "key_missing", model=name)
        self.name = name
        self.dimension = _DIMENSIONS[name]
        self.max_tokens = _MAX_TOKENS
        self._base_url = base_url
        self._seconds = seconds
        self._lock = threading.Lock()
        self._client: OpenAI | None = None

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embeddings of shape (len(texts), dimension), float32, each row of length 1.

        Raises:
            ModelError: the provider cannot be reached, refuses, or answers with something else;
                `RateLimited` for 429.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        sent = [_cut(text) for text in texts]
        for start, end in self._batches(sent):
            vectors[start:end] = self._checked(self._request(sent[start:end]), end - start)
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimated tokens of each text, seldom too few; see `_BYTES_PER_TOKEN`."""
        return [-(-_size(text) // _BYTES_PER_TOKEN) or 1 for text in texts]

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        start = tokens = 0
        for place, count in enumerate(self.count_tokens(texts)):
            if place > start and (tokens + count > _MOST_TOKENS or place - start == _MOST_TEXTS):
                yield start, place
                start, tokens = place, 0
            tokens += count
        if start < len(texts):
            yield start, len(texts)

    def _open(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                from openai import DefaultHttpxClient, OpenAI, Timeout

                self._client = OpenAI(
                    api_key=self._key or "none",
                    base_url=self._base_url or None,
                    max_retries=_RETRIES,
                    timeout=Timeout(self._seconds, connect=_CONNECT_SECONDS),
                    # A redirect would send the texts, if not the key, to an address nobody chose.
                    http_client=DefaultHttpxClient(follow_redirects=False),
                )
            return self._client

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            answer = self._open().embeddings.create(
                model=self.name, input=list(texts), encoding_format="float"
            )
            items = sorted(answer.data, key=lambda item: item.index)
            return [item.embedding for item in items]
        except Exception as error:  # the provider's errors, or an answer of another shape
            kind, status = type(error).__name__, getattr(error, "status_code", None)
            _log.warning("embedding_failed", kind=kind, status=status)
            # The provider's own words may repeat a part of the key, so they go no further.
            raise failed(_FAILURES, error, reason=kind) from None

    def _checked(self, rows: list[list[float]], count: int) -> Vectors:
        if len(rows) != count or any(len(row) != self.dimension for row in rows):
            reason = f"not {count} vectors of {self.dimension} numbers"
            raise told(_FAILURES, "unusable", reason=reason)
        vectors = np.array(rows, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
            raise told(_FAILURES, "unusable", reason="a vector without a direction")
        unit: Vectors = vectors / lengths
        return unit


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _cut(text: str) -> str:
    """What the model reads of a text. A blank stands for an empty one, which would be refused."""
    most = _MAX_TOKENS * _BYTES_PER_TOKEN
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore") or " "
