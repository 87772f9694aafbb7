"""What goes wrong with a Neo4j server, in plain words. Never a password, an address or a statement."""

from __future__ import annotations

import re

from core.errors import StoreError, StoreUnavailable

OLDEST_VERSION = (5, 26)  # dynamic labels and relationship types
_ADVICE = "Check that the Neo4j server runs and that NEO4J_URI is right; then try again."
# Codes with which a server says that it, or the database, is not there at the moment.
_AWAY = ("DatabaseUnavailable", "DatabaseNotFound", "NotALeader", "TransactionTimedOut")
_OWN_CODES = ("GRAPH_TOO_OLD", "GRAPH_ADDRESS")  # what the connection itself finds wrong


def too_slow(seconds: float) -> StoreUnavailable:
    """The server did not answer within its time."""
    return StoreUnavailable(
        f"The knowledge graph's server did not answer within {seconds:g} seconds.",
        advice=_ADVICE,
        retryable=True,
    )


def check_version(version: str) -> None:
    """Raises StoreError (``GRAPH_TOO_OLD``) for a version before 5.26; later ones are 2025.01 on."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers and numbers < OLDEST_VERSION:
        raise StoreError(
            f"The Neo4j server is version {version}; Materia needs 5.26 or newer.",
            advice="Upgrade the server, or point NEO4J_URI to a newer one.",
            code="GRAPH_TOO_OLD",
        )


def wrong_address() -> StoreError:
    """The address is none of a Neo4j server."""
    return StoreError(
        "NEO4J_URI is not an address of a Neo4j server.",
        advice="Write it as bolt://host:7687 or neo4j://host:7687.",
        code="GRAPH_ADDRESS",
    )


def store_error(error: BaseException) -> StoreError | None:
    """The error that a person is told for one of the driver's; None for those that are not about the
    server: a violated constraint, and what the caller's own functions raise."""
    from neo4j import exceptions

    if isinstance(error, StoreError):
        return error if error.code in _OWN_CODES else None
    if isinstance(error, exceptions.ConstraintError):
        return None
    # Too many wrong passwords make the server refuse for some seconds, with that code.
    if isinstance(error, exceptions.AuthError) or _has_code(error, "AuthenticationRateLimit"):
        return StoreError(
            "The Neo4j server does not accept the user name or password.",
            advice="Check NEO4J_USER and NEO4J_PASSWORD.",
            code="GRAPH_AUTH",
        )
    if isinstance(error, exceptions.ConfigurationError):
        return wrong_address()
    if isinstance(error, exceptions.Neo4jError) and not _has_code(error, *_AWAY):
        return StoreError(
            f"The Neo4j server refused a request ({error.code}).",
            advice="Try again; if it happens again, look into the server's log.",
            code="GRAPH_QUERY_FAILED",
            retryable=error.is_retryable(),
        )
    if isinstance(error, exceptions.DriverError | exceptions.Neo4jError | OSError):
        return StoreUnavailable(
            "The knowledge graph's server cannot be reached.", advice=_ADVICE, retryable=True
        )
    return None


def _has_code(error: BaseException, *words: str) -> bool:
    return any(word in str(getattr(error, "code", "")) for word in words)
