"""What is told of a model behind an API that fails: the kinds of failures, and words from a table.

A table has a part for each kind: `message`, `advice`, and, where they are not the usual ones, `code`,
`retryable` and `rate_limited`. Names in braces stand for words of the moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from core.errors import ModelError, RateLimited


def told(table: Mapping[str, Any], kind: str, **words: object) -> ModelError:
    """The failure of a kind as a table tells it, with `words` for the names in braces."""
    row = table[kind]
    made = RateLimited if row.get("rate_limited") else ModelError
    return made(
        row["message"].format(**words),
        advice=row["advice"].format(**words),
        code=row.get("code"),
        retryable=row.get("retryable", False),
    )


def failed(table: Mapping[str, Any], error: Exception, **words: object) -> ModelError:
    """An error of the `openai` package as a table tells its kind, with the wait that a provider asks for."""
    made = told(table, kind_of(error), **words)
    if isinstance(made, RateLimited):
        made.retry_after = retry_after(error)
    return made


def retry_after(error: BaseException | None) -> float | None:
    """Seconds that the provider asks to wait (``Retry-After``, a number or a date); None without."""
    import openai

    if not isinstance(error, openai.APIStatusError):
        return None
    value = error.response.headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):  # TypeError: a date without its zone
            return None
    return max(0.0, seconds) if seconds == seconds else None


def kind_of(error: Exception) -> str:
    """The kind of an error of the `openai` package; ``unusable`` for any that has none of its own."""
    import openai

    kinds = (
        (openai.RateLimitError, "limited"),
        (openai.APITimeoutError, "timeout"),  # before the connection errors, which it is one of
        (openai.APIConnectionError, "unreachable"),
        (openai.AuthenticationError, "key_refused"),
        (openai.PermissionDeniedError, "key_refused"),
        (openai.NotFoundError, "not_found"),
    )
    if isinstance(error, openai.APIStatusError) and error.response.is_redirect:
        return "redirected"
    return next((kind for made_as, kind in kinds if isinstance(error, made_as)), "unusable")
