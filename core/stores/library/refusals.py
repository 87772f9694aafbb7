"""What a store refuses, in words."""

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


def title_changed(now: str | None) -> NotFound | Conflict:
    """A document cannot be given its new title: it was removed (None), or has another one now."""
    if now is None:
        return NotFound(
            "This document is not in the library.",
            advice="Reload the list.",
            code="DOCUMENT_NOT_FOUND",
        )
    return Conflict(
        f"What it is about was changed meanwhile, to “{now}”.",
        advice="Look at it again, then change it if you still want to.",
        code="IN_WORK",
    )


def in_work() -> Conflict:
    """The index has a document of the same bytes."""
    return Conflict(
        "The same bytes are being worked on already.",
        advice="Wait until that has finished.",
        code="IN_WORK",
    )


def document_left() -> NotFound:
    """A document was removed before it could be moved."""
    return NotFound(
        "The document was removed meanwhile.", advice="Reload the list.", code="DOCUMENT_NOT_FOUND"
    )


def bytes_there() -> Conflict:
    """The index that a document is to be in has its bytes."""
    return Conflict(
        "The index has a document of the same content.",
        advice="Delete one of the two.",
        code="IN_WORK",
    )


def session_gone() -> NotFound:
    """A conversation was deleted."""
    return NotFound("This conversation does not exist any more.", advice="Start a new one.")


def turn_gone() -> NotFound:
    """An answer was deleted with its conversation."""
    return NotFound(
        "This answer does not exist any more.",
        advice="Its conversation was deleted.",
        code="ANSWER_NOT_FOUND",
    )


def id_taken() -> Conflict:
    """A conversation or an answer has an id that is in use."""
    return Conflict(
        "The conversation could not be kept: something has its id since a moment.",
        advice="Try again.",
        code="ID_TAKEN",
        retryable=True,
    )


def view_id_taken() -> Conflict:
    """A saved view has an id that is another user's."""
    return Conflict(
        "The view could not be kept: its id is in use.",
        advice="Choose another id.",
        code="ID_TAKEN",
    )
