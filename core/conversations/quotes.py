"""The text of documents, taken out of a kept answer."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Set
from dataclasses import asdict, replace
from typing import Any, TypeVar

from core.domain.answers import Answer, Citation, DocumentCitation, Sentence, Support
from core.domain.provenance.trace import Trace
from core.domain.serial import answer_from_json

REMOVED = "[Removed with its source.]"
_RUN = 6  # words in a row that two texts do not share by chance
_FEWEST = 3  # words that a whole quote must have to be looked for; less is a name or an amount
# Not from documents: the analyst's words and what they were read as, the graph's, the program's.
_OTHERS_WORDS = frozenset(
    "question read_as plan plans plan_as_read understood understood_as_read document_plans lists instead "
    "disclaimer model session scope within correlation_id failure timings_ms subgraph "
    "id type name document_id chunk_id file kind section source target relationship properties".split()
)
_WORD = re.compile(r"\w+")
_Run = tuple[str, ...]
_Cited = TypeVar("_Cited", DocumentCitation, Citation)


def without_quotes(answer: Answer, document_ids: Collection[str]) -> tuple[Answer, Counter[str]]:
    """An answer without the text of these documents, and how many quotes of each were taken out.

    Citations stay, with file and page and without a word of the text. A sentence that rests on one of them
    stays where another document that it cites has its words; else its text goes, as does that of a
    sentence which rests on nothing, and any other text that repeats a run of the words.
    """
    gone = [one for one in _passages(answer) if one.document_id in document_ids and one.quote]
    if not gone:
        return answer, Counter()
    others = [one for one in _passages(answer) if one.document_id not in document_ids]
    kept = {text for one in others for text in (one.quote, one.heading)}
    left = _runs(kept)
    quotes = Counter(one.document_id for one in gone)
    numbers = {one.n for one in gone if one in answer.citations}
    texts = [one.quote for one in gone]
    texts += [one.text for one in answer.sentences if numbers & set(one.citations)]
    runs = _runs(texts) - left
    short = {
        words
        for text in texts
        if _FEWEST <= len(words := _words(text)) < _RUN
        and not any(_has(_words(other), words) for other in kept)
    }
    emptied = replace(
        answer,
        citations=tuple(_emptied(one, document_ids) for one in answer.citations),
        nearest=tuple(_emptied(one, document_ids) for one in answer.nearest),
        sentences=tuple(_sentence(one, numbers, left) for one in answer.sentences),
        blocks=tuple(
            replace(one, heading="") if one.document_id in document_ids else one
            for one in answer.blocks
        ),
        trace=answer.trace and _without_headings(answer.trace, document_ids),
    )

    def clean(text: str) -> str:
        if text in kept:
            return text
        words = _words(text)
        repeats = not runs.isdisjoint(_runs([text])) or any(_has(words, one) for one in short)
        return REMOVED if repeats else text

    payload = _mapped(asdict(emptied), clean)
    for sentence in payload["sentences"]:
        if sentence["text"] == REMOVED:  # no items of a list and no names are left in it
            sentence["items"], sentence["entities"] = [], []
    return answer_from_json(json.dumps(payload, ensure_ascii=False)), quotes


def _passages(answer: Answer) -> list[DocumentCitation]:
    """What an answer cites of documents, and the nearest passages of a refusal."""
    cited = [one for one in answer.citations if isinstance(one, DocumentCitation)]
    return [*cited, *answer.nearest]


def _emptied(citation: _Cited, document_ids: Collection[str]) -> _Cited:
    """A citation of one of these documents without its text."""
    if isinstance(citation, DocumentCitation) and citation.document_id in document_ids:
        return replace(citation, quote="", heading="", start=0, end=0)
    return citation


def _without_headings(trace: Trace, document_ids: Collection[str]) -> Trace:
    """A trace without the headings of these documents' passages."""
    return replace(
        trace,
        passages=tuple(
            replace(one, heading="") if one.document_id in document_ids else one
            for one in trace.passages
        ),
    )


def _sentence(sentence: Sentence, gone: Set[int], left: Set[_Run]) -> Sentence:
    """A sentence without its text where that is, or may be, the removed one."""
    own = _runs([sentence.text])
    if gone & set(sentence.citations):
        removed = not own <= left
    else:
        removed = sentence.support is Support.UNSUPPORTED and not sentence.citations
    return replace(sentence, text=REMOVED, problems=()) if removed else sentence


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A payload with every text changed, but those that are not from documents."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {
            key: one if key in _OTHERS_WORDS else _mapped(one, change) for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mapped(one, change) for one in value]
    return value


def _words(text: str) -> _Run:
    return tuple(_WORD.findall(text.casefold()))


def _runs(texts: Iterable[str]) -> set[_Run]:
    """Every run of words of the texts; a text with fewer is one run."""
    found: set[_Run] = set()
    for text in texts:
        words = _words(text)
        found |= {words[at : at + _RUN] for at in range(max(len(words) - _RUN + 1, 1))}
    return found - {()}


def _has(words: _Run, run: _Run) -> bool:
    """Whether a run stands in a text."""
    return any(words[at : at + len(run)] == run for at in range(len(words) - len(run) + 1))
