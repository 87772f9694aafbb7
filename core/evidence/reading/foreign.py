"""Questions in another language than the documents that are on what they ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from core.domain.documents import Chunk, Document, Hit
from core.evidence.evidence import ClauseEvidence
from core.questions.clauses import Clause
from core.text.glosses.in_english import GLOSSED, in_english, language_by_words
from core.text.glosses.of_documents import DocumentWords
from core.text.language import language
from core.text.stems import stems
from core.text.word_lists import commonness

# Those whose conditions nothing reads: no lexicon of leaflets, no words put into English.
_UNREAD = {"fr": "French", "es": "Spanish", "it": "Italian"}
_MOST_DOCUMENTS = 3  # whose words a question is put into
_CALLED = {"en": "English", "de": "German", "nl": "Dutch", **_UNREAD}


def unread_language(clause: Clause) -> str:
    """What the language of a clause is called, where questions in it are matched word by word alone; else
    empty: an age, a weight or a "not" of it is passed over."""
    return _UNREAD.get(language(clause.text), "")


def asked_in_another(part: ClauseEvidence) -> tuple[Document, str, bool] | None:
    """The document on the medicine of a clause that promises most, what its language is called, and whether
    questions are read in it; None where the clause is in that language, was put into English, or is in
    one that nothing reads."""
    plan = part.clause.leaflet
    named = [stems(one.text) for one in plan.subjects] if plan is not None else []
    own = (
        hit for hit in part.hits if any(one and one <= stems(hit.document.called) for one in named)
    )
    first = next(own, None)
    if first is None:
        return None
    spoken, written = language(part.clause.text), language(first.chunk.text)
    if part.reworded is not None and written == "en":
        return None
    if not spoken or not written or spoken == written or spoken in _UNREAD:
        return None
    return first.document, _CALLED[written], written not in _UNREAD


def was_english(part: ClauseEvidence) -> bool:
    """Whether a clause was put from English into the words of documents in another language."""
    return part.reworded is not None and not language_by_words(part.clause.text)


def in_words_of_documents(
    clause: Clause, ranked: Sequence[Hit], chunks_of: Callable[[str], Sequence[Chunk]]
) -> Clause | None:
    """A clause word by word in the language of the documents on what it asks: in English, or if it is English
    in the words that stand in them. None where what promises most is in its own language: the leaflet that
    a question was written beside answers it best.

    Args:
        ranked: what was found with the clause as it was asked, what promises most first; where there are
            documents on what it names, in these alone.
        chunks_of: of a document, by its id.

    Raises:
        StoreError: the library cannot be read.
    """
    if not ranked:
        return None
    spoken = language_by_words(clause.text) or language(clause.text)
    first = ranked[0].chunk
    if spoken in _UNREAD or (spoken and spoken == language(first.text)):
        return None
    found = (one.chunk for one in ranked if one.chunk.document_id == first.document_id)
    written = language(" ".join(one.text for one in found))  # "Hypertension. 3 years." is in none
    if (spoken or "en") == written:
        return None
    if not spoken and commonness(clause.text, "en") <= commonness(clause.text, written):
        return None  # a few words that stand in both, or in none
    if written not in GLOSSED and spoken in ("", "en"):
        return None
    subjects = clause.leaflet.subjects if clause.leaflet is not None else ()
    names = [named.text for named in subjects]
    own = None
    if written in GLOSSED:
        ids = dict.fromkeys(one.chunk.document_id for one in ranked)
        texts = (" ".join(one.text for one in chunks_of(each)) for each in ids)
        alike = (one for one in texts if language(one) == written)
        own = DocumentWords.of(islice(alike, _MOST_DOCUMENTS), written)

    def put(text: str) -> str:
        english = in_english(text, names) or text
        return english if own is None else own.put(english, names)

    reworded = clause.in_words(put)
    return None if reworded.text == clause.text else reworded
