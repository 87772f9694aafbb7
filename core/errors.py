"""One tree of errors; every one says what happened, what to do about it and whether a retry helps.

MateriaError                 500
├── InputError               400  the request itself cannot be served (empty question, bad k, ...)
├── DocumentError            400  a file that cannot become a document (not a PDF, password, no text, ...)
│   └── TooLarge             413
├── NotFound                 404
├── Conflict                 409
├── StoreError               503  a store cannot be opened, read or written
│   ├── StoreUnavailable     503  a store that is a server cannot be reached
│   ├── VectorsUnavailable   503  ... the one of vectors, without which full text still answers
│   ├── VectorsMissing       503  ... an index without the vectors of its passages; full text answers
│   ├── FilesUnavailable     503  ... the one of originals, without which text still answers
│   ├── DiskFull             503
│   └── SchemaTooNew         503
├── Cancelled                409  the analyst stopped it
│   └── Stopped              409  ... a question, before there was an answer
├── EmbeddingMismatch        409  an index was made with another embedding model
└── ModelError               503  an embedding or language model failed
    └── RateLimited          429
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class MateriaError(Exception):
    """Something went wrong that a person can be told about.

    Args:
        message: what happened, in plain words, without a stack trace or a path of the machine.
        advice: what to do next, in one sentence.
        code: stable upper-case identifier for scripts, e.g. ``PASSWORD_REQUIRED``.
        retryable: whether the same call may succeed later without a change.
    """

    status: ClassVar[int] = 500
    default_code: ClassVar[str] = "INTERNAL"

    def __init__(
        self,
        message: str,
        *,
        advice: str = "",
        code: str | None = None,
        retryable: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.code = code or self.default_code
        self.retryable = retryable

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()


class InputError(MateriaError):
    status = 400
    default_code = "INVALID_INPUT"


class DocumentError(MateriaError):
    status = 400
    default_code = "INVALID_DOCUMENT"


class TooLarge(DocumentError):
    status = 413
    default_code = "TOO_LARGE"


class NotFound(MateriaError):
    status = 404
    default_code = "NOT_FOUND"


class Conflict(MateriaError):
    status = 409
    default_code = "CONFLICT"


class StoreError(MateriaError):
    status = 503
    default_code = "STORE_UNAVAILABLE"


class StoreUnavailable(StoreError):
    """A store that is a server cannot be reached, or does not answer in time."""

    default_code = "GRAPH_UNAVAILABLE"


class VectorsUnavailable(StoreError):
    """The server that keeps the vectors of chunks cannot be reached, or does not answer in time."""

    default_code = "VECTORS_UNAVAILABLE"


class VectorsMissing(StoreError):
    """An index has no vectors, although it has passages."""

    default_code = "VECTORS_MISSING"


class FilesUnavailable(StoreError):
    """The store that keeps originals cannot be reached, or does not answer in time."""

    default_code = "FILES_UNAVAILABLE"


class DiskFull(StoreError):
    default_code = "DISK_FULL"


class SchemaTooNew(StoreError):
    default_code = "SCHEMA_TOO_NEW"


class Cancelled(MateriaError):
    status = 409
    default_code = "CANCELLED"


class Stopped(Cancelled):
    default_code = "STOPPED"


class EmbeddingMismatch(MateriaError):
    status = 409
    default_code = "EMBEDDING_MISMATCH"


class ModelError(MateriaError):
    """An embedding or language model failed.

    Attributes:
        fallback: what can be told without it; "" where there is nothing.
    """

    status = 503
    default_code = "MODEL_UNAVAILABLE"
    fallback = ""


class RateLimited(ModelError):
    """The model's provider refuses more requests for now.

    Attributes:
        retry_after: seconds that the provider asks to wait; None where it does not say.
    """

    status = 429
    retry_after: float | None = None
    default_code = "RATE_LIMITED"


# Codes of what passes by itself once a server is back.
AWAY = frozenset(
    one.default_code for one in (StoreUnavailable, VectorsUnavailable, FilesUnavailable)
)
# Work that takes something in waits until these have passed.
WAITED_FOR: Mapping[str, type[StoreError]] = {
    one.default_code: one for one in (VectorsUnavailable, FilesUnavailable, DiskFull)
}
