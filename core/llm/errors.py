"""What a provider's failure means to the analyst, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.errors import ModelError
from core.logs import get_logger
from core.provider_errors import kind_of, told
from core.resources import read_table

_NO_CREDIT = "insufficient_quota"
_TOO_LONG = re.compile(r"context.{0,10}(?:length|window)|too many tokens", re.IGNORECASE)
# Gemini answers a wrong key with 400.
_BAD_KEY = re.compile(r"api[ _]key", re.IGNORECASE)
_FAILURES = read_table(__file__, "errors.toml")
_log = get_logger("model")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what the client raises within the block into a `ModelError`.

    Raises:
        ModelError: with a code of its own for each kind; `RateLimited` for 429.
    """
    import openai

    try:
        yield
    except (openai.OpenAIError, ValueError) as error:  # ValueError: JSON that is none
        _log.warning("provider_failed", kind=type(error).__name__)
        raise _plain(error) from error


def failure(kind: str, **words: object) -> ModelError:
    """A failure of the language model, as ``errors.toml`` tells it."""
    return told(_FAILURES, kind, **words)


def may_pass(error: BaseException) -> bool:
    """Whether the same request may work in a moment: 429 (unless the credit is used up), 5xx, and a
    connection that broke. Not a timeout: whoever waited once need not wait three times."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return False
    if isinstance(error, openai.RateLimitError):
        return error.code != _NO_CREDIT
    return isinstance(error, openai.InternalServerError | openai.APIConnectionError)


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
        except (ValueError, TypeError):  # TypeError: a date without its zone
            return None
    return max(0.0, seconds) if seconds == seconds else None


def _plain(error: Exception) -> ModelError:
    import openai

    if isinstance(error, openai.RateLimitError):
        if error.code == _NO_CREDIT:
            return failure("no_credit")
        seconds = retry_after(error)
        wait = "a minute" if seconds is None or seconds <= 60 else f"{seconds / 60:.0f} minutes"
        return failure("limited", wait=wait)
    kind = kind_of(error)
    if isinstance(error, openai.BadRequestError):
        kind = "too_long" if _TOO_LONG.search(error.message) else "rejected"
        kind = "key_refused" if _BAD_KEY.search(error.message) else kind
    # A read that lasts is told by whoever waits for it; the limit that is left is that of connecting.
    limit = "MATERIA_LLM_CONNECT_SECONDS"
    return failure(kind, what="answer", setting=limit, error=type(error).__name__)
