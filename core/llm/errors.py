"""What a provider's failure means to the analyst, in plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from core.errors import ModelError
from core.logs import get_logger, mask_secrets
from core.provider_errors import failed, kind_of, retry_after, told
from core.resources import read_table

_NO_CREDIT = "insufficient_quota"
_OWN_FAULT = 500  # statuses from here on
_TOO_LONG = re.compile(r"context.{0,10}(?:length|window)|too many tokens", re.IGNORECASE)
# Gemini answers a wrong key with 400.
_BAD_KEY = re.compile(r"api[ _]key", re.IGNORECASE)
_FAILURES = read_table(__file__, "errors.toml")
_log = get_logger("model")


_LONGEST_REASON = 200  # characters of a provider's own words
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400  # seconds
_LONGEST_WAIT = 30 * _DAY  # beyond it a provider does not mean what it says


class NotStreamed(ValueError):
    """What came is no stream: a web page, or a whole JSON body.

    Args:
        body: what came instead, or the beginning of it.
    """

    def __init__(self, kind: str, body: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.body = body


@contextmanager
def plain_errors(key: str = "") -> Iterator[None]:
    """Turn what the client raises within the block into a `ModelError`.

    Args:
        key: of the provider, which its words may repeat and nobody is shown.

    Raises:
        ModelError: with a code of its own for each kind; `RateLimited` for 429.
    """
    import openai

    try:
        yield
    except (openai.OpenAIError, ValueError) as error:  # ValueError: JSON that is none
        _log.warning("provider_failed", kind=type(error).__name__)
        raise _plain(error, key) from error


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


def _plain(error: Exception, key: str) -> ModelError:
    import openai

    if isinstance(error, NotStreamed):
        return failure(error.kind, reason=_told(_words_in(error.body), key))
    if isinstance(error, openai.RateLimitError):
        if error.code == _NO_CREDIT:
            return failure("no_credit")
        return failed(_FAILURES, error, wait=_wait(retry_after(error)))
    kind = kind_of(error)
    reason = _told(_reason(error), key)
    status = 0
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        if kind == "unusable":
            kind = "own_fault" if status >= _OWN_FAULT else "rejected"
        if is_web_page(error.response.headers.get("content-type", "")):
            # A gateway says so that what is behind it is away; else the address is not a model's.
            kind = kind if status >= _OWN_FAULT else "web_page"
            reason = f" (HTTP {status})" if kind == "web_page" else ": it sent a web page"
    if isinstance(error, openai.BadRequestError):
        kind = "too_long" if _TOO_LONG.search(error.message) else kind
        kind = "key_refused" if _BAD_KEY.search(error.message) else kind
    # A read that lasts is told by whoever waits for it; the limit that is left is that of connecting.
    return failure(
        kind,
        what="answer",
        setting="MATERIA_LLM_CONNECT_SECONDS",
        error=type(error).__name__,
        reason=reason,
        status=status,
        wait=_wait(retry_after(error), "a moment"),
    )


def is_web_page(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().casefold() in (
        "text/html",
        "application/xhtml+xml",
    )


def _wait(seconds: float | None, short: str = "a minute") -> str:
    """A wait in words that somebody can plan with; a `short` one is of a minute at most, or not known."""
    if seconds is None or seconds <= _MINUTE:
        return short
    if seconds > _LONGEST_WAIT:
        return "a while (the provider names no sensible time)"
    unit, name = (
        (_MINUTE, "minute")
        if seconds < 2 * _HOUR
        else (_HOUR, "hour")
        if seconds < 2 * _DAY
        else (_DAY, "day")
    )
    count = ceil(seconds / unit)
    return f"{count} {name}{'' if count == 1 else 's'}"


def _reason(error: Exception) -> str:
    """A provider's own words for what is wrong; empty where it has none."""
    import openai

    if not isinstance(error, openai.APIError) or isinstance(error, openai.APIConnectionError):
        return ""
    if isinstance(error.body, dict | str):
        return _words(error.body)
    return "" if isinstance(error, openai.APIStatusError) else error.message


def _words_in(body: str) -> str:
    try:
        return _words(json.loads(body))
    except ValueError:
        return ""


def _words(body: object) -> str:
    """The message of an error as providers write it: ``{"error": {"message": "..."}}``,
    ``{"detail": [{"msg": "..."}]}`` and the like."""
    if isinstance(body, dict):
        body = [body[name] for name in ("message", "msg", "error", "detail") if name in body]
    if isinstance(body, list):
        return next(filter(None, map(_words, body)), "")
    return body if isinstance(body, str) and not body.lstrip().startswith("<") else ""


def _told(words: str, key: str) -> str:
    """Words of a provider as the end of a sentence: one line, without what is secret."""
    words = words.replace(key, "[hidden]") if key else words
    words = " ".join("".join(c if c.isprintable() else " " for c in mask_secrets(words)).split())
    if len(words) > _LONGEST_REASON:
        words = f"{words[:_LONGEST_REASON].rstrip()} ..."
    return f": “{words}”" if words else ""
