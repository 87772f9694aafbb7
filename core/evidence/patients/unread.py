"""What a question says of its patient in words that nothing else reads ("severe untreated sleep apnea"), and
what a document calls an illness for short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.domain.documents import Document
from core.domain.leaflets.conditions import Illness
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.evidence.evidence import Caution
from core.evidence.patients.states import PatientState
from core.evidence.relevance import Relevance
from core.evidence.sources import Sources
from core.questions.clauses import Clause
from core.questions.leaflets.lexicon import lexicon
from core.questions.mentioning.found import is_said_in
from core.text.glosses.in_english import GLOSSED, english_of
from core.text.language import language
from core.text.quantities import quantities
from core.text.stems import stems

_BEFORE_SHORT_FORM = 60  # characters in which the words stand that a short form is of
_VALUE = re.compile(r"\W*(?:(?!(?:and|or)\b)[^\W\d_]+\W+)?[<>≤≥=~]?\s?(\d)")
_SHORT_FORM = re.compile(r"\(([A-Z][A-Za-z]?[A-Z0-9]{1,5})\)")


def with_short_forms(state: PatientState, texts: Iterable[str]) -> PatientState:
    """A state with what a document says that its illness is called for short: "hepatitis B virus (HBV)".

    Args:
        texts: what the document says.
    """
    if not state.is_illness:
        return state
    found = {
        frozenset(stems(one[1]))
        for text in texts
        for one in _SHORT_FORM.finditer(text)
        if _is_of(one[1], text[max(0, one.start() - _BEFORE_SHORT_FORM) : one.start()], state)
    }
    return replace(state, names=(*state.names, *sorted(found - {*state.names}, key=sorted)))


def _is_of(short: str, before: str, state: PatientState) -> bool:
    """Whether the words before a short form, one for each letter, begin with these and have a state's name."""
    words = before.split()[-len(short) :]
    begins = "".join(word[0] for word in words).casefold()
    own = stems(" ".join(words))
    return begins.endswith(short.casefold()) and any(name <= own for name in state.names)


def unread_states(plan: DocumentPlan, text: str, relevance: Relevance) -> Iterator[PatientState]:
    """The words left over by a plan that stand side by side, one of them a technical one, each run of them as
    one illness: a document that has all of its words in one statement speaks of it. What has a value behind it
    ("creatinine 1.0 mg/dL") is none: a document's limits are values, too.

    Args:
        text: the question.
    """
    words = [re.escape(word) for word in relevance.not_generic(plan.left_over)]
    if not words:
        return
    any_word = rf"(?:{'|'.join(words)})"
    for run in re.finditer(rf"(?<!\w){any_word}(?:[^\w,;.]+{any_word})*(?!\w)", text):
        called = run.group()
        if _is_measured(text[run.end() :]):
            continue
        parts = re.findall(any_word, called)
        named = relevance.not_generic(_in_english(parts, language(text)))
        if relevance.technical(named) or any(map(_is_short_form, parts)):
            illness = Illness(Named(called, (), called, ""))
            written = called if any(map(str.isdigit, called)) else ""
            yield PatientState((illness,), (frozenset(stems(called)),), written=written)


def unsaid(
    clause: Clause,
    states: Iterable[PatientState],
    cautions: Iterable[Caution],
    documents: Sequence[Document],
    sources: Sources,
) -> dict[str, tuple[str, ...]]:
    """The illnesses of a clause that none of the documents has a word of, each with the ids of these; none
    without documents. What was left unread is one where it has a word for an illness ("Migräneprophylaxe").

    Args:
        cautions: what the documents say of some of the states.

    Raises:
        StoreError: the library cannot be read.
    """
    spoken = [one.state.conditions for one in cautions]
    silent = (one for state in states if state.conditions not in spoken for one in state.conditions)
    called = dict.fromkeys(one.name.text for one in silent if isinstance(one, Illness))
    code, library, names = language(clause.text), sources.library, sources.names.called
    ids = tuple(one.id for one in documents)
    return {
        name: ids
        for name in (called if documents else ())
        if lexicon("").illness().search(" ".join([name, *_in_english(name.split(), code)]))
        and not any(is_said_in(one, name, library, names) for one in documents)
    }


def _in_english(words: Sequence[str], code: str) -> list[str]:
    """Words of a question in English, those that it is not known of as they are: "Maximaldosis" is no more a
    technical word than "maximum" and "dose" are."""
    if code not in GLOSSED:
        return list(words)
    return [part for word in words for part in (english_of(word, code) or word).split()]


def _is_measured(behind: str) -> bool:
    """Whether a value that is no dose and no time follows: of a concentration, a share, or without a unit."""
    value = _VALUE.match(behind)
    first = next(iter(quantities(behind[value.start(1) :])), None) if value is not None else None
    return first is not None and ("/" in first.unit or first.unit in ("", "%"))


def _is_short_form(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper()
