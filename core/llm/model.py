"""Answers from a language model behind an OpenAI-compatible endpoint.

One streamed chat completion per answer, no tools. What could not be started (429, 5xx, a broken
connection) is tried three times in all, before the first piece of text only.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol, cast

from tenacity import (
    DoAttempt,
    DoSleep,
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_exponential_jitter,
)

from core.domain.answers import Usage
from core.domain.stopping import StopSignal
from core.llm.errors import (
    NotStreamed,
    failure,
    is_web_page,
    may_pass,
    plain_errors,
)
from core.llm.prices import usage
from core.llm.reasoning import ThoughtFilter, Withdrawn
from core.llm.streaming import StreamedCall
from core.llm.tokens import estimated_tokens
from core.logs import get_logger
from core.provider_errors import retry_after
from core.settings import Settings

if TYPE_CHECKING:
    from openai import DefaultHttpxClient, OpenAI, Stream
    from openai.types.chat import ChatCompletionChunk

_ATTEMPTS = 3  # KG-E
# Seconds: half a second, then one, and up to half a second more each time.
_BACKOFF = wait_exponential_jitter(multiplier=0.5, jitter=0.5)
_TOLD_PAUSE = 2.0  # seconds from which on a pause is worth a word
_JSON_PIECE = 20_000  # characters of a body that is no stream; an error is shorter
_TEMPERATURE = 0.0  # the same evidence, the same answer
_NOT_FOR_ALL = ("stream_options", "temperature", "max_tokens")  # some models refuse one of them
_log = get_logger("model")

Message = dict[str, str]
STOPPED = "stopped"
OVERLONG = "overlong"
REFUSED = "refused"
LONGEST_ANSWER = 20_000  # characters, ten times what an answer needs: whoever writes more runs away


@dataclass(frozen=True, slots=True)
class Completion:
    """How a model's text ended.

    Attributes:
        reason: as the provider says, ``stop`` or ``length`` (the token limit); ``stopped`` when the
            analyst did; ``overlong`` when the text was cut at `LONGEST_ANSWER`; ``refused`` when the
            provider marks the model's words as a refusal; empty when the provider ended without
            saying why.
        usage: None when nothing came.
    """

    reason: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The provider is asked again in so many seconds."""

    seconds: float


Part = str | Withdrawn | Completion | Pause


class LanguageModel(Protocol):
    """A chat model: `name` for the answer, `prompt_tokens` for the longest prompt."""

    name: str

    @property
    def prompt_tokens(self) -> int: ...

    def stream(self, messages: Sequence[Message], stop: StopSignal | None = None) -> Iterator[Part]:
        """Pieces of the answer without the model's thoughts, and at last how it ended; before them the pauses
        that last.

        Raises:
            ModelError: no answer, or a broken one; `RateLimited` for 429.
        """
        ...


class OpenAIModel:
    """A model of an OpenAI-compatible provider, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.chat_model
        self._settings = settings
        self._refused: frozenset[str] = frozenset()  # of `_NOT_FOR_ALL`

    @property
    def prompt_tokens(self) -> int:
        """Tokens that a prompt may have, so that the longest answer still fits."""
        return self._settings.chat_context_tokens - self._settings.llm_max_tokens

    def stream(self, messages: Sequence[Message], stop: StopSignal | None = None) -> Iterator[Part]:
        stop = stop or StopSignal()
        deadline = time.monotonic() + self._settings.llm_total_seconds
        said: list[str] = []
        answered = False
        end = Completion("")
        with plain_errors(self._settings.llm_api_key.get_secret_value()), ExitStack() as stack:
            parts = self._begin(messages, stop, deadline, stack)
            for part in _shown(_noted(parts, said)):
                if isinstance(part, Completion):
                    end = part
                else:
                    answered = isinstance(part, str)
                    yield part
        if not end.reason and stop.stopped:
            end = Completion(STOPPED)
        _check(answered, end.reason)
        if said and end.usage is None:
            prompt = sum(estimated_tokens(message["content"]) for message in messages)
            spent = estimated_tokens("".join(said))
            used = usage(self._settings, prompt, spent, counted=False)
            end = replace(end, usage=used)
        yield end

    def _begin(
        self, messages: Sequence[Message], stop: StopSignal, deadline: float, stack: ExitStack
    ) -> Iterator[str | Completion | Pause]:
        """The parts of the first attempt that brings one, after the pauses; `stack` ends its request."""

        def attempt() -> Iterator[str | Completion]:
            if stop.stopped:
                return iter(())
            call = stack.enter_context(closing(StreamedCall(partial(self._open, list(messages)))))
            stack.enter_context(stop.closing(call.close))
            parts = self._parts(call, deadline)
            return chain([first] if (first := next(parts, None)) else [], parts)

        retrying = Retrying(
            stop=stop_after_attempt(_ATTEMPTS)
            | stop_before_delay(max(0.0, deadline - time.monotonic())),
            wait=_pause,
            retry=retry_if_exception(may_pass),
            before_sleep=_note,
            reraise=True,
        )
        # As `retrying(attempt)`, which would let nobody know that it sleeps.
        retrying.begin()
        state = RetryCallState(retrying, None, (), {})
        while isinstance(step := retrying.iter(state), DoAttempt | DoSleep):
            if isinstance(step, DoSleep):
                state.prepare_for_next_attempt()
                if step >= _TOLD_PAUSE:
                    yield Pause(float(step))
                _sleep(stop, step)
                continue
            try:
                state.set_result(attempt())
            except Exception as error:
                state.set_exception((type(error), error, error.__traceback__))
        yield from step

    def _parts(self, call: StreamedCall, deadline: float) -> Iterator[str | Completion]:
        """Pieces of text as they come, then how it ended; nothing of what stands before the text.

        Comments, empty pieces and white space do not count as a beginning: the limit of the first
        token runs until there is text.
        """
        wait = self._settings.llm_first_token_seconds
        limit = time.monotonic() + wait
        began = False
        end = Completion("")
        while (chunk := self._next(call, min(limit, deadline), deadline)) is not None:
            piece, reason, counts = _read(chunk)
            if counts is not None:
                end = replace(end, usage=usage(self._settings, *counts, counted=True))
            if end.reason != REFUSED:
                end = replace(end, reason=reason or end.reason)
            if not began:
                piece = piece.lstrip()
            if piece:
                began = True
                yield piece
            if began:
                limit = time.monotonic() + wait
        if not call.closed:
            yield end

    def _next(
        self, call: StreamedCall, limit: float, deadline: float
    ) -> ChatCompletionChunk | None:
        try:
            return call.next(limit - time.monotonic())
        except TimeoutError:
            if limit >= deadline:
                what, setting = "finish", "MATERIA_LLM_TOTAL_SECONDS"
            else:
                what, setting = "answer", "MATERIA_LLM_FIRST_TOKEN_SECONDS"
            raise failure("timeout", what=what, setting=setting) from None

    def _open(
        self, messages: list[Message], http: DefaultHttpxClient
    ) -> Stream[ChatCompletionChunk]:
        """Start the completion, again without a parameter that the model says it does not take.

        Nothing is generated by a refused request, so that this is one model call still. What was
        refused is remembered.
        """
        import openai

        client = open_client(self._settings, http)
        while True:
            refused = self._refused
            try:
                return _streamed(
                    cast(
                        "Stream[ChatCompletionChunk]",
                        client.chat.completions.create(**self._request(messages, refused)),
                    )
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                parameter = _refused_parameter(error, refused)
                if not parameter:
                    raise
                self._refused = refused | {parameter}
                _log.info("parameter_refused", parameter=parameter)

    def _request(self, messages: list[Message], refused: AbstractSet[str]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": _TEMPERATURE,
            "max_tokens": self._settings.llm_max_tokens,
        }
        if "max_tokens" in refused:  # it has a newer name
            request["max_completion_tokens"] = self._settings.llm_max_tokens
        return {name: value for name, value in request.items() if name not in refused}


def _streamed(stream: Stream[ChatCompletionChunk]) -> Stream[ChatCompletionChunk]:
    """A stream that is one.

    Raises:
        NotStreamed: a web page came, or a whole JSON body; without it, the client reads nothing in them.
    """
    content_type = stream.response.headers.get("content-type", "")
    if is_web_page(content_type):
        raise NotStreamed("web_page", "")
    if content_type.partition(";")[0].strip().casefold() == "application/json":
        body = "".join(islice(stream.response.iter_text(_JSON_PIECE), 1))
        raise NotStreamed("no_stream", body)
    return stream


def open_client(settings: Settings, http: DefaultHttpxClient) -> OpenAI:
    """A client for the endpoint that settings name; it retries nothing by itself."""
    from openai import OpenAI, Timeout

    return OpenAI(
        api_key=settings.llm_api_key.get_secret_value() or "none",
        base_url=settings.chat_base_url,
        max_retries=0,
        timeout=Timeout(settings.llm_total_seconds, connect=settings.llm_connect_seconds),
        http_client=http,
    )


def _noted(
    parts: Iterator[str | Completion | Pause], said: list[str]
) -> Iterator[str | Completion | Pause]:
    """The parts, their text noted in `said`."""
    for part in parts:
        if isinstance(part, str):
            said.append(part)
        yield part


def _shown(parts: Iterator[str | Completion | Pause]) -> Iterator[Part]:
    """The parts without thoughts, and `LONGEST_ANSWER` characters of text at most."""
    thoughts = ThoughtFilter()
    length = 0
    for part in parts:
        pieces: list[Part] = []
        if isinstance(part, Completion):
            pieces += [thoughts.end(), part]
        elif isinstance(part, Pause):
            pieces.append(part)
        else:
            pieces += thoughts.feed(part)
        for piece in pieces:
            if isinstance(piece, Withdrawn):
                length = 0
            elif isinstance(piece, str):
                left = LONGEST_ANSWER - length
                piece = piece if length else piece.lstrip()
                length += len(piece)
                if length > LONGEST_ANSWER:
                    yield piece[:left]
                    yield Completion(OVERLONG)
                    return
            if piece:
                yield piece


def _read(chunk: ChatCompletionChunk) -> tuple[str, str, tuple[int, int] | None]:
    """Text, reason of the end, and tokens of prompt and answer, as far as a chunk has them.

    Raises:
        ValueError: JSON of another form; the client does not check it.
    """
    try:
        choice = chunk.choices[0] if chunk.choices else None
        delta = choice.delta if choice else None
        refusal = delta.refusal if delta else None
        piece = (delta.content if delta else None) or refusal
        reason = REFUSED if refusal else choice.finish_reason if choice else None
        used = chunk.usage
        counts = (used.prompt_tokens, used.completion_tokens) if used else None
    except (AttributeError, TypeError, LookupError) as error:
        raise ValueError("not a chunk of a completion") from error
    if not isinstance(piece or "", str) or not isinstance(reason or "", str):
        raise ValueError("not a chunk of a completion")
    good = counts is not None and all(isinstance(n, int) and n >= 0 for n in counts)
    return piece or "", reason or "", counts if good else None


def _refused_parameter(error: Any, refused: AbstractSet[str]) -> str:
    """The parameter that an error names, of those that a request can do without; "" for none."""
    sent = [name for name in _NOT_FOR_ALL if name not in refused]
    if error.param in sent:
        return str(error.param)
    # Some servers name it in the message or the body only, which is not worth more than a look.
    words = set(re.findall(r"\w+", f"{error.message} {error.body}"))
    return next((name for name in sent if name in words), "")


def _check(answered: bool, reason: str) -> None:
    if reason == "content_filter":
        raise failure("filtered")
    if not answered and reason != STOPPED:
        raise failure({"length": "tokens_used_up", "": "closed"}.get(reason, "empty"))


def _pause(state: RetryCallState) -> float:
    """Seconds until the next attempt: what the provider asks for, else growing, with jitter."""
    asked = retry_after(state.outcome.exception()) if state.outcome else None
    return _BACKOFF(state) if asked is None else asked


def _sleep(stop: StopSignal, seconds: float) -> None:
    over = threading.Event()
    with stop.closing(over.set):
        over.wait(seconds)


def _note(state: RetryCallState) -> None:
    _log.warning(
        "model_retry",
        attempt=state.attempt_number,
        pause=round(state.upcoming_sleep, 2),
        kind=type(state.outcome.exception()).__name__ if state.outcome else "",
    )
