"""Asks a set of questions, one after the other, and leaves nothing in the analyst's history."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.answers import prompts
from core.answers.chat import ChatService
from core.conversations.service import Conversations
from core.domain.answers import Answer, State
from core.domain.events import Answered, Retrieved
from core.errors import InputError, ModelError
from core.evaluation.judging import Outcome
from core.evaluation.questions import Question

# Tokens of the prompt that is looked at, whatever model is set: what a small model has room for.
_PROMPT_TOKENS = 6_000


class QuestionRun:
    """Asks as the analyst would, each question in a conversation of its own that is deleted after it."""

    def __init__(self, chat: ChatService, conversations: Conversations) -> None:
        self._chat = chat
        self._conversations = conversations

    def ask_all(
        self,
        questions: Sequence[Question],
        report: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> list[Outcome]:
        """Outcomes in the order of the questions; `report` hears how many are done, of how many.

        Raises:
            StoreError, ModelError: a store or the embedding model cannot be used.
        """
        outcomes = []
        for done, question in enumerate(questions):
            report(done, len(questions))
            outcomes.append(self.ask(question))
        report(len(questions), len(questions))
        return outcomes

    def ask(self, question: Question) -> Outcome:
        """One outcome; a question that cannot be asked (too long, ...) is an error in it.

        Raises:
            StoreError, ModelError: a store or the embedding model cannot be used.
        """
        with self._conversations.passing():
            return self._asked(question)

    def _asked(self, question: Question) -> Outcome:
        session, _ = self._conversations.open(None, question.question)
        answer: Answer | None = None
        places: list[tuple[str, int]] = []
        error = ""
        started = time.perf_counter()
        try:
            for event in self._chat.ask(question.question, session.id):
                if isinstance(event, Retrieved):
                    places = [(hit.document.file, hit.chunk.page) for hit in event.hits]
                elif isinstance(event, Answered):
                    answer = event.answer
                    if event.answer.state is State.GRAPH_UNAVAILABLE:
                        answer, error = None, f"{event.answer.text} ({event.answer.refusal_code})"
        except InputError as refused:
            error = f"{refused.message} ({refused.code})"
        finally:
            elapsed = (time.perf_counter() - started) * 1000
            self._conversations.delete(session.id)
        prompt = self._prompt(question) if answer is not None and question.answer else ""
        return Outcome(question, answer, tuple(dict.fromkeys(places)), elapsed, error, prompt)

    def _prompt(self, question: Question) -> str:
        """The evidence that a language model would be given; "" where none would be asked."""
        try:
            messages = self._chat.prompt(question.question, _PROMPT_TOKENS)
        except ModelError:
            return ""
        return messages[-1]["content"].rpartition(prompts.QUESTION_HEAD)[0] if messages else ""
