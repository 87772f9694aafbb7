"""An answer before it is complete: checked sentences with their citations, or the finished part of a
model's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.answers import prompts
from core.checking.attribution import FindIds
from core.checking.citation_marks import plain_marks
from core.checking.row_claims import EvidenceRow
from core.checking.support import Encode, check
from core.domain.answers import Block, Citation, Failure, GraphCitation, Sentence, Support, Usage
from core.domain.evidence.notices import joined
from core.evidence.patients.conditions import fit, told_of
from core.llm.errors import failure
from core.questions.leaflets.reader import conditions_told
from core.text.model_talk import is_refusal
from core.text.sentences import MARK

# Where a sentence is certainly over: its marks stand before or after its end, or end its line. A full
# stop alone is not enough: "The dose is 2." may go on with "5 mg".
_FINISHED = re.compile(rf"[.!?]\s*(?:{MARK}\s*)+|{MARK}\s*(?:[.!?](?!\d)|\n)")


@dataclass(frozen=True, slots=True)
class Draft:
    """Sentences and citations, and how they came about.

    Attributes:
        probabilities, blocks: as `core.answers.extractive.Quoted` has them.
        model_ms: what the language model took.
        given: the evidence of the language model's prompt, by its numbers there.
        earlier_turns: of the conversation, offered to the prompt.
    """

    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    model: str
    notice: str = ""
    usage: Usage | None = None
    failure: Failure | None = None
    stopped: bool = False
    probabilities: tuple[float, ...] = ()
    blocks: tuple[Block, ...] = ()
    model_ms: float = 0.0
    given: tuple[Citation, ...] = ()
    earlier_turns: int = 0


def finished_part(text: str) -> str:
    """The beginning of a model's broken-off text up to its last sentence that is certainly whole.

    Its citation marks have their plain form (`plain_marks`).
    """
    text = plain_marks(text)
    ends = [match.end() for match in _FINISHED.finditer(text)]
    return text[: ends[-1]].rstrip() if ends else ""


def checked_draft(
    text: str,
    citations: Sequence[Citation],
    model: str,
    entity_ids_in: FindIds | None = None,
    encode: Encode | None = None,
    over: Callable[[], bool] = lambda: False,
) -> Draft:
    """A model's text as a draft; no sentences when it refuses, in our words or in its own.

    Args:
        entity_ids_in, encode, over: as `check` takes them.

    Raises:
        ModelError: the text has no sentence, or `encode` fails.
    """
    if prompts.REFUSAL.casefold() in " ".join(text.split()).casefold():
        return Draft((), (), model)
    checked = check(
        text,
        citations,
        (prompts.CLOSING,),
        entity_ids_in=entity_ids_in,
        encode=encode,
        for_others=_is_for_others,
        over=over,
    )
    if not checked.sentences:
        raise failure("empty")
    if _declines(checked.sentences):
        return Draft((), (), model)
    notice = ""
    if checked.invented:
        listed = ", ".join(str(n) for n in checked.invented)
        notice = (
            f"The model cited evidence that does not exist ({listed}); those marks were removed."
        )
    if checked.unchecked:
        few = checked.unchecked == 1
        told = (
            f"{checked.unchecked} sentence{'' if few else 's'} of this answer "
            f"{'was' if few else 'were'} not checked, as the check took too long or was stopped."
        )
        notice = joined((notice, told))
    return renumbered(Draft(checked.sentences, tuple(citations), model, notice))


def _is_for_others(said: str, row: EvidenceRow) -> bool:
    """Whether the patients that a sentence speaks of are others than those of a table's row."""
    told = told_of(conditions_told(row.text), row.lead, "", conditions_told)
    return fit(conditions_told(said), told).other_patient


def _declines(sentences: Sequence[Sentence]) -> bool:
    """Whether a model says in its own words that it has no answer: nothing of it is supported, and its
    first sentence, or each that cites nothing, declines."""
    if any(one.support is not Support.UNSUPPORTED for one in sentences):
        return False
    uncited = [one for one in sentences if not one.citations]
    return is_refusal(sentences[0].text) or (
        bool(uncited) and all(is_refusal(one.text) for one in uncited)
    )


def preceded(draft: Draft, sentences: Sequence[Sentence], citations: Sequence[Citation]) -> Draft:
    """A draft with sentences above its own, and one number for the same evidence.

    Args:
        citations: of the sentences.
    """
    joined = list(citations)
    places = {evidence_key(one): one.n for one in citations}
    numbers: dict[int, int] = {}
    for one in draft.citations:
        key = evidence_key(one)
        if key not in places:
            places[key] = len(joined) + 1
            joined.append(replace(one, n=places[key]))
        numbers[one.n] = places[key]
    moved = (
        replace(one, citations=tuple(numbers[n] for n in one.citations)) for one in draft.sentences
    )
    return renumbered(replace(draft, sentences=(*sentences, *moved), citations=tuple(joined)))


def evidence_key(one: Citation) -> tuple[object, ...]:
    """What makes two citations the same evidence, whatever their numbers."""
    if isinstance(one, GraphCitation):
        return one.source_id, one.relationship, one.target_id
    return one.document_id, one.page, one.start, one.end


def renumbered(draft: Draft) -> Draft:
    """Citations that are used, numbered in the order of their first use."""
    order = list(dict.fromkeys(n for sentence in draft.sentences for n in sentence.citations))
    new = {old: number for number, old in enumerate(order, start=1)}
    by_number = {citation.n: citation for citation in draft.citations}
    return replace(
        draft,
        sentences=tuple(
            replace(sentence, citations=tuple(new[n] for n in sentence.citations))
            for sentence in draft.sentences
        ),
        citations=tuple(replace(by_number[old], n=number) for old, number in new.items()),
    )
