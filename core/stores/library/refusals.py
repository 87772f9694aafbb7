"""What a registry refuses, in words."""

from __future__ import annotations

from core.errors import Conflict, NotFound


def index_exists(name: str) -> Conflict:
    """There is an index of this name."""
    return Conflict(
        f"There is an index “{name}” already.", advice="Choose another name.", code="INDEX_EXISTS"
    )


def index_gone() -> NotFound:
    """A document's index was removed."""
    return NotFound(
        "The index was removed meanwhile.",
        advice="Choose another index.",
        code="INDEX_NOT_FOUND",
    )


def document_gone() -> NotFound:
    """A document was removed before it was ready."""
    return NotFound(
        "The document was removed while it was being added.",
        advice="Add it again if you need it.",
        code="DOCUMENT_NOT_FOUND",
    )


def in_work() -> Conflict:
    """The index has a document of the same bytes."""
    return Conflict(
        "The same bytes are being worked on already.",
        advice="Wait until that has finished.",
        code="IN_WORK",
    )
