"""An answer before it is complete: checked sentences with their citations, or the finished part of a
model's text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answers import prompts
from core.checking.attribution import FindIds
from core.checking.citation_marks import plain_marks
from core.checking.support import Encode, check
from core.domain.answers import Citation, Failure, Sentence, Usage
from core.llm.errors import failure
from core.text.sentences import MARK

# Where a sentence is certainly over: its marks stand before or after its end, or end its line. A full
# stop alone is not enough: "The dose is 2." may go on with "5 mg".
_FINISHED = re.compile(rf"[.!?]\s*(?:{MARK}\s*)+|{MARK}\s*(?:[.!?](?!\d)|\n)")


@dataclass(frozen=True, slots=True)
class Draft:
    """Sentences and citations, and how they came about.

    Attributes:
        model_ms: what the language model took.
    """

    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    model: str
    notice: str = ""
    usage: Usage | None = None
    failure: Failure | None = None
    stopped: bool = False
    model_ms: float = 0.0


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
) -> Draft:
    """A model's text as a draft; no sentences when it says the refusal.

    Args:
        entity_ids_in, encode: as `check` takes them.
    """
    if prompts.REFUSAL.casefold() in " ".join(text.split()).casefold():
        return Draft((), (), model)
    checked = check(text, citations, (prompts.CLOSING,), entity_ids_in=entity_ids_in, encode=encode)
    if not checked.sentences:
        raise failure("empty")
    notice = ""
    if checked.invented:
        listed = ", ".join(str(n) for n in checked.invented)
        notice = (
            f"The model cited evidence that does not exist ({listed}); those marks were removed."
        )
    return renumbered(Draft(checked.sentences, tuple(citations), model, notice))


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
