"""How relevant a text is to a clause: meaning and words together.

``relevance = 0.55 * cosine + 0.45 * coverage``, in [0, 1]. Coverage is the share of the clause's
content words, weighted by rarity (idf over the library), that the text has. Cosine alone calls
"When must Xarelto not be taken?" close to any leaflet's contraindications; coverage notices that the
name is not there. A clause's word that only asks for a section ("contraindicated") counts as
nearly covered in that section, and the subject's name counts little: every sentence of its leaflet
has it, so that it says nothing about "Who invented ibuprofen?". A word for which the leaflet has
another ("kids", see `lay_terms`) is nearly covered by that one; a word that the whole library lacks
in any form weighs more, because it is what the question is about ("What does metformin cost?").

Two rules are hard, because the wrong medicine's dose is the worst answer there is: a passage must
come from a document about the medicine that is asked about, or name it (`Subjects`); and a clause
with a technical word that the whole library lacks is not answered at all (`unknown_names`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from core.documents.store.full_text import FullText
from core.domain.documents import Document, Hit
from core.questions.clauses import Clause
from core.resources import read_table
from core.text.language import language
from core.text.lay_terms import meant_by
from core.text.stems import content_words, stem, stems
from core.text.titles import name_in
from core.text.word_lists import word_frequencies

_COSINE_WEIGHT = 0.55
_SUBJECT_SHARE = 0.25  # of its rarity that the subject's name weighs
_ASKING_SHARE = 0.7  # of its weight that a word gets for the section alone
_LAY_SHARE = 0.8  # of its weight that a word gets for another that means the same
_ABSENT_WEIGHT = 1.5  # times its rarity that a word weighs which stands nowhere
_SHORTEST_NAME = 3  # letters; shorter words are no names of medicines

_WORDS = read_table(__file__, "relevance.toml")
_GENERIC = frozenset(map(stem, _WORDS["generic"].split()))
_ASKING = {code: re.compile("|".join(rules)) for code, rules in _WORDS["asking"].items()}


class Relevance:
    """Relevance of texts to clauses, with word rarity taken from the library in scope."""

    def __init__(
        self,
        store: FullText,
        indexes: Sequence[str],
        count_tokens: Callable[[Sequence[str]], list[int]],
    ) -> None:
        self._store = store
        self._indexes = tuple(indexes)
        self._total = max(1, store.count_chunks(self._indexes))
        self._counts: dict[str, int] = {}
        self._count_tokens = count_tokens

    @property
    def indexes(self) -> tuple[str, ...]:
        """Names of the indexes that word rarity is taken from."""
        return self._indexes

    def unknown_names(self, clause: Clause) -> list[str]:
        """Technical words of the clause that no chunk has and that no entity is called.

        Technical is what the embedding model's vocabulary does not hold in one piece ("xarelto");
        an everyday word that the library happens to lack ("kids") may have a synonym there. That
        vocabulary is English; of another language the everyday words are those of its word list.
        """
        spoken = language(clause.text)
        everyday: Container[str] = () if spoken in ("", "en") else word_frequencies(spoken)
        named = {part for part, _ in _names(clause)}
        missing = [
            word
            for word in content_words(clause.text)
            if stem(word) not in named
            and not meant_by(word)
            and len(word) > _SHORTEST_NAME
            and word.isalpha()
            and word not in everyday
            and not self._store.chunks_with_word(word, self._indexes)
        ]
        if not missing:
            return []
        alone = self._count_tokens([""])[0]
        pieces = self._count_tokens(missing)
        return [word for word, count in zip(missing, pieces, strict=True) if count - alone > 1]

    def of(self, clause: Clause, text: str, cosine: float, hit: Hit) -> float:
        """Relevance in [0, 1] of `text`, a part of `hit`, whose cosine to the clause is given."""
        coverage = self._coverage(clause, text, hit)
        return max(0.0, min(1.0, _COSINE_WEIGHT * cosine + (1 - _COSINE_WEIGHT) * coverage))

    def specific_words(self, clause: Clause, hit: Hit) -> list[str]:
        """The clause's words that neither name what the hit's document is about nor ask for a section:
        of "May warfarin be started one day after giving birth?" the day and the birth."""
        sections = {hit.chunk.section, *clause.sections} & _ASKING.keys()
        titled = stems(name_in(hit.document.title))
        subjects = {part for part, own in _names(clause) if own <= titled}
        return [
            word
            for word in content_words(clause.text)
            if stem(word) not in titled | subjects | _GENERIC
            and not any(_ASKING[code].match(word) for code in sections)
        ]

    @staticmethod
    def says(text: str, words: Iterable[str]) -> bool:
        """Whether a text has one of the words, or another that means the same."""
        present = stems(text)
        return any(stem(word) in present or meant_by(word) & present for word in words)

    def _coverage(self, clause: Clause, text: str, hit: Hit) -> float:
        words = content_words(clause.search_text)
        if not words:
            return 0.0
        present = stems(f"{text} {hit.document.title} {hit.chunk.heading}")
        asking = _ASKING.get(hit.chunk.section) if hit.chunk.section in clause.sections else None
        # A name in another spelling (brand, synonym) is covered when the entity's own name is there.
        synonyms = dict(_names(clause))
        titled = stems(name_in(hit.document.title)) - _GENERIC
        covered = weight = 0.0
        for word in words:
            stemmed = stem(word)
            known = synonyms.get(stemmed)
            is_subject = stemmed in titled or (known is not None and known <= titled)
            rarity = self._rarity_of(word) * (_SUBJECT_SHARE if is_subject else 1.0)
            meant = meant_by(word)
            if self._absent(word) and known is None and not meant:
                rarity *= _ABSENT_WEIGHT
            weight += rarity
            if stemmed in present or (known is not None and known <= present):
                covered += rarity
            elif meant & present:
                covered += _LAY_SHARE * rarity
            elif asking is not None and asking.match(word):
                covered += _ASKING_SHARE * rarity
        return covered / weight if weight else 0.0

    def naming(self, document: Document, name: str) -> float:
        """Share of a document's passages that have a name, in [0, 1]."""
        found = self._store.search_text(
            name, self._indexes, document.chunks, documents=[document.id], phrases=[name]
        )
        return len(found) / document.chunks if document.chunks else 0.0

    def _rarity_of(self, word: str) -> float:
        """``1 + ln((N + 1) / (df + 1))``; the most for a word the library does not have."""
        return 1.0 + math.log((self._total + 1) / (self._having(word) + 1))

    def _absent(self, word: str) -> bool:
        return self._having(word) == 0

    def _having(self, word: str) -> int:
        if word not in self._counts:
            self._counts[word] = self._store.chunks_with_word(word, self._indexes)
        return self._counts[word]


def _names(clause: Clause) -> Iterator[tuple[str, AbstractSet[str]]]:
    """The stem of each word of the names of the clause's entities, with the stems of the entity's own
    name."""
    for entity in clause.entities:
        own = stems(entity.name)
        for name in (entity.name, *entity.synonyms):
            yield from ((stem(part), own) for part in name.split())


def names_title(title: str, text: str) -> bool:
    """Whether a text has a word that says what the document `title` is about."""
    return bool((stems(name_in(title)) - _GENERIC) & stems(text))


_SHORTEST_PART = 6  # letters


def _is_part(part: str, whole: str) -> bool:
    """Whether a name is the larger part of another."""
    return len(part) >= _SHORTEST_PART and part in whole


# Sections that tell of the leaflet's own medicine alone.
_OWN_SECTIONS = frozenset({"posology", "storage", "composition", "overdose", "driving"})


class Subjects:
    """What a clause is about: the medicines it names, and title words of documents it names.

    Args:
        entity_ids_in: ids of the entities named in a text.
    """

    def __init__(
        self,
        clause: Clause,
        titles: Iterable[str],
        entity_ids_in: Callable[[str], set[str]],
    ) -> None:
        self._entity_ids_in = entity_ids_in
        self._drugs = {entity.id for entity in clause.entities if entity.type == "Drug"}
        # Another leaflet's "not with X" is no contraindication of X, unless it is asked for.
        alone = len(self._drugs) == 1 and not clause.wanted_types
        own = _OWN_SECTIONS | ({"contraindications"} if alone else set())
        self._own = bool(clause.sections) and set(clause.sections) <= own
        asked = {stem(word) for word in content_words(clause.search_text)} - _GENERIC
        titled = {word for title in titles for word in stems(name_in(title))} - _GENERIC
        # "My thyroxine tablets" are levothyroxine: one name inside the other.
        self._words = {
            word
            for word in titled
            if any(word == one or _is_part(one, word) or _is_part(word, one) for one in asked)
        }

    def allow(self, title: str, text: str) -> bool:
        """Whether a text of the document `title` speaks of the subject; any text when there is none.

        What only a medicine's own leaflet tells (its dose, its storage) is not taken from another's:
        amoxicillin's leaflet names clarithromycin, and the dose beside it is amoxicillin's.
        """
        if not self._drugs and not self._words:
            return True
        if self.is_about(title):
            return True
        if self._own and self._drugs and self._entity_ids_in(title):
            return False
        return self.is_about(text)

    def has_any(self, text: str, ids: Iterable[str]) -> bool:
        """Whether a text names one of these entities, by any of its names."""
        return not self._entity_ids_in(text).isdisjoint(ids)

    def is_about(self, text: str) -> bool:
        """Whether a text names the subject: the medicine by any of its names, else the title's word."""
        if self._drugs and self._entity_ids_in(text) & self._drugs:
            return True
        return bool(self._words & stems(text))
