"""What a provider's failure means to the analyst, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from core.errors import ModelError, RateLimited
from core.logs import get_logger

if TYPE_CHECKING:
    import openai

_NO_CREDIT = "insufficient_quota"
_TOO_LONG = re.compile(r"context.{0,10}(?:length|window)|too many tokens", re.IGNORECASE)
# Gemini answers a wrong key with 400.
_BAD_KEY = re.compile(r"api[ _]key", re.IGNORECASE)
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
    except openai.OpenAIError as error:
        _log.warning("provider_failed", kind=type(error).__name__)
        raise _told(error) from error
    except ValueError as error:  # JSON that is none
        _log.warning("provider_failed", kind=type(error).__name__)
        raise _unusable(error) from error


def timed_out(what: str, setting: str) -> ModelError:
    """The error for a limit that passed; `setting` is the limit's name."""
    return ModelError(
        f"The language model did not {what} in time.",
        advice=f"Ask again; {setting} sets the limit.",
        code="MODEL_TIMEOUT",
        retryable=True,
    )


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


def _told(error: openai.OpenAIError) -> ModelError:
    import openai

    if isinstance(error, openai.RateLimitError):
        return _refused(error)
    if isinstance(error, openai.APITimeoutError):
        # A read has the same limit, which is told by whoever waits; what is left is connecting.
        return timed_out("answer", "MATERIA_LLM_CONNECT_SECONDS")
    if isinstance(error, openai.APIConnectionError):
        return ModelError(
            "The connection to the language model broke or could not be made.",
            advice="Check the network and the address (System, or MATERIA_LLM_BASE_URL), then ask again.",
            code="MODEL_UNREACHABLE",
            retryable=True,
        )
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError) or (
        isinstance(error, openai.BadRequestError) and _BAD_KEY.search(error.message)
    ):
        return ModelError(
            "The language model's provider does not accept the key.",
            advice="Give another key on the System page, or set OPENAI_API_KEY (or "
            "MATERIA_LLM_API_KEY) and restart.",
            code="MODEL_KEY_REFUSED",
        )
    if isinstance(error, openai.APIStatusError) and error.response.is_redirect:
        return ModelError(
            "The provider's address sends requests on to another one, which Materia does not follow.",
            advice="Give the address itself on the System page, or in MATERIA_LLM_BASE_URL.",
            code="MODEL_REDIRECTED",
        )
    if isinstance(error, openai.NotFoundError):
        return ModelError(
            "The provider has no such language model, or no such address.",
            advice="Choose another model on the System page, or check MATERIA_LLM_MODEL and "
            "MATERIA_LLM_BASE_URL.",
            code="MODEL_NOT_FOUND",
        )
    if isinstance(error, openai.BadRequestError) and _TOO_LONG.search(error.message):
        return too_long()
    return _unusable(error, retryable=not isinstance(error, openai.BadRequestError))


def too_long() -> ModelError:
    """The error for a prompt that the model's context does not hold."""
    return ModelError(
        "The evidence does not fit into the language model's context.",
        advice="Set MATERIA_LLM_CONTEXT_TOKENS to the model's own, or choose another model.",
        code="MODEL_CONTEXT",
    )


def empty_answer() -> ModelError:
    """The error for an answer without words."""
    return ModelError(
        "The language model answered with nothing.",
        advice="Ask again.",
        code="MODEL_EMPTY",
        retryable=True,
    )


def _refused(error: openai.RateLimitError) -> RateLimited:
    if error.code == _NO_CREDIT:
        return RateLimited(
            "The language model's provider says that the credit is used up.",
            advice="Add credit at the provider, or choose another model on the System page.",
            code="MODEL_QUOTA",
        )
    seconds = retry_after(error)
    wait = "a minute" if seconds is None or seconds <= 60 else f"{seconds / 60:.0f} minutes"
    return RateLimited(
        "The language model's provider refuses more requests for now.",
        advice=f"Wait {wait}, then ask again.",
        retryable=True,
    )


def _unusable(error: Exception, retryable: bool = True) -> ModelError:
    return ModelError(
        f"The language model's answer cannot be used ({type(error).__name__}).",
        advice="Ask again; check the model's name in the settings.",
        code="MODEL_FAILED",
        retryable=retryable,
    )
