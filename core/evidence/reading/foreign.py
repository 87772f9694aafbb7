"""Questions in another language than the documents that are on what they ask."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.documents import Hit
from core.questions.clauses import Clause
from core.text.glosses.in_english import in_english
from core.text.language import language

# Those whose conditions nothing reads: no lexicon of leaflets, no words put into English.
_UNREAD = {"fr": "French", "es": "Spanish", "it": "Italian"}


def unread_language(clause: Clause) -> str:
    """What the language of a clause is called, where questions in it are matched word by word alone; else
    empty: an age, a weight or a "not" of it is passed over."""
    return _UNREAD.get(language(clause.text), "")


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
