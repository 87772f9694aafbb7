"""What a set of answers is worth: each measure is a pure function of judged answers.

==================  ==================================================================================
retrieval           questions with a known page: it is among the passages that were found
citation precision  of the document citations in answers to such questions: on a right page
citation recall     of such questions: the answer cites at least one right page
answer              questions with known strings: all of them are in the answer
prompt              questions with known strings: all are in the evidence of a language model's prompt, of
                    6,000 tokens at most, and the question is not refused before one is asked
forbidden           questions with strings that must not be told: one of them is in the answer
instead             of those that have known strings, too: one of them is in the answer, and not all known
entities            list questions: exactly the right names are listed
refusal precision   of the refused questions whose answerability is known: rightly refused
refusal recall      of the questions that cannot be answered: refused
answered,           questions by the state of their answer, and of the first two, where that is known,
may not answer,     how many are right: cite a right page; without a known page, list the right names or
not in library      have the known strings; what cannot be answered is wrong
within 3 s          of the questions for which no language model was called: answered within 3 s (KG-8)
own within 1 s      of the others: all but the model's own time was within 1 s (KG-8)
==================  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from core.domain.answers import State
from core.evaluation.judging import Verdict

_QUICK_MS = 3_000  # KG-8, without a language model
_QUICK_OWN_MS = 1_000  # KG-8, with one


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `of`; the value is None where there is nothing to judge."""

    part: int
    of: int

    @property
    def value(self) -> float | None:
        """In [0, 1]."""
        return self.part / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Scores:
    """All measures over some questions.

    Attributes:
        answered, may_not_answer, not_in_library: questions by the state of their answer.
        answered_right, may_not_answer_right: of those whose rightness is known, as `Verdict.right` has it.
        flagged: sentences that the system itself marks as unsupported.
        invented: sentences with a number that their citations do not have, by a check of our own.
        failed: questions that ended in an error; they count as wrong everywhere, never as refused.
        p50_ms, p95_ms, max_ms: time of a question from asking to the checked answer.
        own_p95_ms: the same without the time of a language model.
        prompt_tokens: the median of the prompts that were looked at, as `estimated_tokens` counts.
    """

    questions: int
    retrieval: Share
    citation_precision: Share
    citation_recall: Share
    answer: Share
    entities: Share
    forbidden: Share
    refusal_precision: Share
    refusal_recall: Share
    answered: int
    may_not_answer: int
    not_in_library: int
    answered_right: Share
    may_not_answer_right: Share
    flagged: int
    invented: int
    failed: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    own_p95_ms: float
    within_3s: Share
    own_within_1s: Share
    prompt: Share = Share(0, 0)
    instead: Share = Share(0, 0)
    prompt_tokens: float = 0.0


def score(verdicts: Sequence[Verdict]) -> Scores:
    """The measures over judged answers, at least one."""
    times = np.array([verdict.milliseconds for verdict in verdicts])
    p50, p95 = (float(np.percentile(times, percent)) for percent in (50, 95))
    sizes = [verdict.prompt_tokens for verdict in verdicts if verdict.prompt_tokens]
    own_p95 = float(np.percentile([verdict.own_ms for verdict in verdicts], 95))
    return Scores(
        questions=len(verdicts),
        retrieval=_share(verdict.retrieved for verdict in verdicts),
        citation_precision=Share(
            sum(verdict.right_citations for verdict in verdicts),
            sum(verdict.page_citations for verdict in verdicts),
        ),
        citation_recall=_share(verdict.cited for verdict in verdicts),
        answer=_share(verdict.answered for verdict in verdicts),
        entities=_share(verdict.listed for verdict in verdicts),
        forbidden=_share(verdict.forbidden for verdict in verdicts),
        refusal_precision=_share(not verdict.answerable for verdict in verdicts if verdict.refused),
        refusal_recall=_share(verdict.refused for verdict in verdicts if not verdict.answerable),
        answered=_in_state(verdicts, State.ANSWERED),
        may_not_answer=_in_state(verdicts, State.MAY_NOT_ANSWER),
        not_in_library=_in_state(verdicts, State.NOT_IN_LIBRARY),
        answered_right=_share(v.right for v in verdicts if v.state is State.ANSWERED),
        may_not_answer_right=_share(v.right for v in verdicts if v.state is State.MAY_NOT_ANSWER),
        flagged=sum(verdict.flagged for verdict in verdicts),
        invented=sum(verdict.invented for verdict in verdicts),
        failed=sum(verdict.failed for verdict in verdicts),
        p50_ms=round(p50, 1),
        p95_ms=round(p95, 1),
        max_ms=round(float(times.max()), 1),
        own_p95_ms=round(own_p95, 1),
        within_3s=_share(
            not verdict.failed and verdict.milliseconds <= _QUICK_MS
            for verdict in verdicts
            if not verdict.model_ms
        ),
        own_within_1s=_share(
            verdict.own_ms <= _QUICK_OWN_MS for verdict in verdicts if verdict.model_ms
        ),
        instead=_share(
            v.forbidden and v.answered is False
            for v in verdicts
            if v.forbidden is not None and v.answered is not None
        ),
        prompt=_share(verdict.prompted for verdict in verdicts),
        prompt_tokens=median(sizes) if sizes else 0.0,
    )


def score_groups(
    verdicts: Sequence[Verdict], group_of: Callable[[Verdict], str]
) -> dict[str, Scores]:
    """The measures of each group, in the order of the groups' first questions; "" is no group."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if name := group_of(verdict):
            groups.setdefault(name, []).append(verdict)
    return {name: score(members) for name, members in groups.items()}


def _in_state(verdicts: Sequence[Verdict], state: State) -> int:
    return sum(verdict.state is state for verdict in verdicts)


def _share(judged: Iterable[bool | None]) -> Share:
    known = [one for one in judged if one is not None]
    return Share(sum(known), len(known))
