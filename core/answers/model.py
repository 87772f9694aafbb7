"""Answers from a language model behind an OpenAI-compatible endpoint.

One streamed chat completion per answer, no tools. The client retries a call that could not be started
(429, 5xx, connection) twice, with exponential backoff, jitter and `Retry-After`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from core.answers import prompts
from core.answers.evidence import CitationBook, Evidence
from core.domain.answers import Citation, DocumentCitation
from core.domain.conversations import Turn
from core.domain.graph import Fact
from core.errors import ModelError, RateLimited
from core.graph.phrases import relationship_phrase
from core.logs import get_logger
from core.settings import Settings

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletionMessageParam

_RETRIES = 2  # three attempts in all (KG-E)
_TEMPERATURE = 0.0  # the same evidence, the same answer
_log = get_logger("model")

Message = dict[str, str]


class LanguageModel(Protocol):
    """A chat model: `name` for the answer, `stream` for its text piece by piece."""

    name: str

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """Pieces of the answer.

        Raises:
            ModelError: no answer, or a broken one; `RateLimited` for 429.
        """
        ...


class OpenAIModel:
    """A model of an OpenAI-compatible provider, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.chat_model
        self._settings = settings
        self._client: OpenAI | None = None

    def _open(self) -> OpenAI:
        if self._client is None:
            from openai import OpenAI, Timeout

            self._client = OpenAI(
                api_key=self._settings.llm_api_key.get_secret_value() or "none",
                base_url=self._settings.chat_base_url,
                max_retries=_RETRIES,
                timeout=Timeout(
                    self._settings.llm_first_token_seconds,
                    connect=self._settings.llm_connect_seconds,
                ),
            )
        return self._client

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        import openai

        received = False
        try:
            with self._open().chat.completions.create(
                model=self.name,
                messages=cast("list[ChatCompletionMessageParam]", list(messages)),
                temperature=_TEMPERATURE,
                max_tokens=self._settings.llm_max_tokens,
                stream=True,
            ) as stream:
                for chunk in stream:
                    piece = chunk.choices[0].delta.content if chunk.choices else None
                    if piece:
                        received = True
                        yield piece
        except openai.RateLimitError as error:
            raise RateLimited(
                "The language model's provider refuses more requests for now.",
                advice="Wait a minute, then ask again.",
                retryable=True,
            ) from error
        except openai.AuthenticationError as error:
            raise ModelError(
                "The language model's provider does not accept the key.",
                advice="Check OPENAI_API_KEY (or MATERIA_LLM_API_KEY), then restart.",
                code="MODEL_KEY_REFUSED",
            ) from error
        except openai.APITimeoutError as error:
            raise ModelError(
                "The language model did not answer in time.",
                advice="Ask again; MATERIA_LLM_FIRST_TOKEN_SECONDS sets the limit.",
                code="MODEL_TIMEOUT",
                retryable=True,
            ) from error
        except openai.APIConnectionError as error:
            raise ModelError(
                "The connection to the language model broke or could not be made.",
                advice="Check the network and MATERIA_LLM_BASE_URL, then ask again.",
                code="MODEL_UNREACHABLE",
                retryable=True,
            ) from error
        except (openai.OpenAIError, ValueError) as error:  # ValueError: JSON that is none
            _log.warning("model_failed", kind=type(error).__name__)
            raise ModelError(
                f"The language model's answer cannot be used ({type(error).__name__}).",
                advice="Ask again; check the model's name in the settings.",
                code="MODEL_FAILED",
                retryable=True,
            ) from error
        if not received:
            raise ModelError(
                "The language model answered with nothing.",
                advice="Ask again.",
                code="MODEL_EMPTY",
                retryable=True,
            )


def build_messages(
    evidence: Evidence, book: CitationBook, history: Sequence[Turn], most_facts: int = 40
) -> list[Message]:
    """The system rules and one user message: evidence, relationships, earlier turns, the question.

    Fills `book`: its numbers are the evidence numbers of the prompt.
    """
    passages: list[str] = []
    facts: list[str] = []
    for part in evidence.clauses:
        for hit in part.hits:
            number = book.chunk(hit)
            passages.append(_passage(number, book.citations[number - 1]))
        for group in part.groups:
            for fact in group.facts[:most_facts]:
                facts.append(_fact(book.fact(fact, 1.0), fact))
    for fact in evidence.subgraph.facts[: max(0, most_facts - len(facts))]:
        facts.append(_fact(book.fact(fact, 0.5), fact))
    turns = [
        f"Q:\n{_indented(turn.question)}\nA:\n{_indented(turn.answer.text)}" for turn in history
    ]
    blocks = [
        _block(prompts.EVIDENCE_HEAD, dict.fromkeys(passages)),
        _block(prompts.GRAPH_HEAD, dict.fromkeys(facts)),
        _block(prompts.HISTORY_HEAD, turns),
        f"{prompts.QUESTION_HEAD}\n{evidence.question}",
    ]
    return [
        {"role": "system", "content": prompts.SYSTEM},
        {"role": "user", "content": "\n\n".join(block for block in blocks if block)},
    ]


def _passage(number: int, citation: Citation) -> str:
    if not isinstance(citation, DocumentCitation):
        raise TypeError("a passage is a document citation")
    where = citation.place
    if citation.heading:
        where += f", {citation.heading}"
    return f"[{number}] {' '.join(where.split())}\n{_indented(citation.quote)}"


def _fact(number: int, fact: Fact) -> str:
    words = f"{fact.source.name} {relationship_phrase(fact.type, True)} {fact.target.name}"
    return f"[{number}] {' '.join(words.split())}"


def _indented(text: str) -> str:
    """Quoted lines are indented, so that none of them can pass for a line of the prompt's own."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def _block(head: str, items: Sequence[str] | dict[str, None]) -> str:
    return f"{head}\n" + "\n".join(items) if items else ""
