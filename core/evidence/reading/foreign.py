"""Questions in another language than the documents that are on what they ask."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.documents import Document, Hit
from core.evidence.evidence import ClauseEvidence
from core.questions.clauses import Clause
from core.text.glosses.in_english import in_english
from core.text.language import language
from core.text.stems import stems

# Those whose conditions nothing reads: no lexicon of leaflets, no words put into English.
_UNREAD = {"fr": "French", "es": "Spanish", "it": "Italian"}
_CALLED = {"en": "English", "de": "German", "nl": "Dutch", **_UNREAD}


def unread_language(clause: Clause) -> str:
    """What the language of a clause is called, where questions in it are matched word by word alone; else
    empty: an age, a weight or a "not" of it is passed over."""
    return _UNREAD.get(language(clause.text), "")


def asked_in_another(part: ClauseEvidence) -> tuple[Document, str, bool] | None:
    """The document on the medicine of a clause that promises most, what its language is called, and whether
    questions are read in it; None where the clause is in that language, was put into it, or is in one that
    nothing reads."""
    plan = part.clause.leaflet
    named = [stems(one.text) for one in plan.subjects] if plan is not None else []
    own = (
        hit for hit in part.hits if any(one and one <= stems(hit.document.title) for one in named)
    )
    first = next(own, None)
    if first is None or part.english:
        return None
    spoken, written = language(part.clause.text), language(first.chunk.text)
    if not spoken or not written or spoken == written or spoken in _UNREAD:
        return None
    return first.document, _CALLED[written], written not in _UNREAD


def english_words(clause: Clause, ranked: Sequence[Hit]) -> str:
    """A clause word by word in English; empty where it is English, or what promises most is in its own
    language: the leaflet that a question was written beside answers it best.

    Args:
        ranked: what was found with the clause as it was asked, what promises most first.
    """
    spoken = language(clause.text)
    if spoken and ranked and language(ranked[0].chunk.text) == spoken:
        return ""
    subjects = clause.leaflet.subjects if clause.leaflet is not None else ()
    return in_english(clause.text, [named.text for named in subjects])
