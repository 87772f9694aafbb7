"""The words of a question, and what each weighs in the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from rapidfuzz.distance import Levenshtein

from core.domain.documents import Document
from core.domain.leaflets.conditions import DocumentCondition
from core.domain.vectors import TokenVectors
from core.evidence.evidence import ClauseEvidence
from core.evidence.relevance import Relevance
from core.questions.clauses import Clause
from core.text.glosses.lay_terms import terms_for
from core.text.language import language
from core.text.spelling.greek import written_forms
from core.text.spelling.short_forms import AskedForms, ShortForm
from core.text.spelling.standard_forms import forms_in
from core.text.stems import asked_words, content_words, stem, stems
from core.text.titles import name_in

WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_FEWEST_LETTERS = 6  # of a word that one of another spelling may stand for
_OTHER_SPELLING = 0.8  # what such a word counts


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a question; `specific` are those that name no subject.

    Attributes:
        text: that they stand in.
        rarities: of each of `words`.
    """

    text: str
    words: tuple[str, ...]
    specific: tuple[str, ...]
    rarities: dict[str, float]
    absent: float
    conditions: tuple[DocumentCondition, ...]

    @classmethod
    def of(cls, clause: Clause, part: ClauseEvidence, relevance: Relevance) -> Self:
        # What could not be put into the words of the documents, and stands nowhere in them, tells nothing.
        stayed = set(content_words(clause.spoken))
        words = tuple(
            word
            for word in asked_words(clause.search_text, language(clause.text))
            if word not in stayed or not relevance.absent(word)
        )
        titled = {one for hit in part.hits for one in stems(name_in(hit.document.called))}
        named = titled | {
            stem(word)
            for entity in clause.entities
            for name in (entity.name, *entity.synonyms)
            for word in name.split()
        }
        specific = tuple(word for word in words if stem(word) not in named)
        rarities = {word: relevance.rarity(word) for word in words}
        total = sum(rarities[word] for word in specific)
        absent = sum(
            rarities[word]
            for word in specific
            if word not in part.forms.stood_for and relevance.absent(word)
        )
        conditions = clause.leaflet.conditions if clause.leaflet else ()
        return cls(
            clause.search_text,
            words,
            specific,
            rarities,
            absent / total if total else 0.0,
            conditions,
        )

    def tokens(self, question: TokenVectors) -> Iterator[tuple[str, list[int]]]:
        """Each content word, where it stands, with its tokens."""
        for match in WORD.finditer(self.text):
            word = match.group().casefold()
            start, end = match.span()
            inside = [i for i, (a, b) in enumerate(question.spans) if start <= a and b <= end]
            if word in self.rarities and inside:
                yield word, inside

    def share(self, words: Sequence[str], present: set[str]) -> float:
        """Share of words, by rarity, that stand among stems; some in another spelling."""
        total = sum(self.rarities[word] for word in words)
        found = 0.0
        for word in words:
            stemmed = stem(word)
            if stemmed in present:
                found += self.rarities[word]
            elif _in_other_spelling(stemmed, present):
                found += _OTHER_SPELLING * self.rarities[word]
        return found / total if total else 0.0


def with_asked_forms(
    part: ClauseEvidence,
    forms_of: Callable[[Document], Sequence[ShortForm]],
    called: Mapping[str, Sequence[str]],
) -> ClauseEvidence:
    """A clause with the short forms of its passages' documents that it has, or the words of, and those of
    clinical terms that its passages have the words of; and with what these write otherwise: Greek letters, and
    the names of its medicines.

    Args:
        forms_of: gives those of a document.
        called: other names of medicines, see `core.evidence.named.NamedMedicines`.
    """
    documents = {hit.document.id: hit.document for hit in part.hits}.values()
    known = (one for document in documents for one in forms_of(document))
    standard = (
        *forms_in(part.clause.text),
        *terms_for(part.clause.text),
        *(ShortForm(name, other) for name, others in called.items() for other in others),
        *_in_greek(part.clause.text),
    )
    texts = "\n".join(hit.chunk.text for hit in part.hits) if standard else ""
    return replace(part, forms=AskedForms.of(part.clause.text, known, standard, texts))


def _in_greek(text: str) -> Iterator[ShortForm]:
    """The words of a text that have Greek letters, or names of these, with their other ways of writing."""
    for match in _PART.finditer(text):
        written, *others = written_forms(match[0])
        yield from (ShortForm(written, one) for one in others)


def _in_other_spelling(word: str, present: set[str]) -> bool:
    """Whether a word is there with one letter wrong, missing or too many ("tumour", "tumor")."""
    size = len(word)
    if size < _FEWEST_LETTERS:
        return False
    first = word[:2]
    alike = [one for one in present if one.startswith(first) and -1 <= len(one) - size <= 1]
    return any(Levenshtein.distance(word, one, score_cutoff=1) <= 1 for one in alike)
