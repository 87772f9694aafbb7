"""What the words of a clause weigh in the library, and what it is about.

Two rules are hard, because the wrong medicine's dose is the worst answer there is: a passage must
come from a document about the medicine that is asked about, or name it (`Subjects`,
`core.evidence.named`). The rest is learned (`core.evidence.learned`).
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from core.documents.store.library import EvidenceStore
from core.domain.documents import Chunk, Document, Hit
from core.questions.clauses import Clause
from core.questions.leaflets.names import without_other_than
from core.resources import read_table
from core.text.language import language, languages
from core.text.spelling.everyday import is_compound, is_everyday, is_misspelt_everyday
from core.text.spelling.greek import written_forms
from core.text.spelling.medicines import is_medicine
from core.text.stems import asked_words, content_words, stem, stems
from core.text.titles import medicines_in, name_in

_SHARES_KEPT = 4_000
_SHORTEST_NAME = 3  # letters; shorter words are no names of medicines

GENERIC: AbstractSet[str] = frozenset(
    map(stem, read_table(__file__, "relevance.toml")["generic"].split())
)


class NamingShares:
    """How many of a document's passages have a name, for the documents and names of the last questions; safe
    to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shares: OrderedDict[Hashable, float] = OrderedDict()

    def share(
        self, store: EvidenceStore, indexes: tuple[str, ...], document: Document, name: str
    ) -> float:
        """Share of a document's passages in these indexes that have a name, in [0, 1]."""
        if not document.chunks:
            return 0.0
        # A document keeps its passages until it is corrected, read again or moved.
        read = (document.id, document.index, document.corrections, document.chunks)
        key = (read, indexes, name)
        with self._lock:
            share = self._shares.get(key)
        if share is None:
            share = len(_having_name(store, indexes, document, name)) / document.chunks
        with self._lock:
            self._shares[key] = share
            self._shares.move_to_end(key)
            while len(self._shares) > _SHARES_KEPT:
                self._shares.popitem(last=False)
        return share


def _having_name(
    store: EvidenceStore, indexes: tuple[str, ...], document: Document, name: str
) -> list[str]:
    """Ids of a document's passages that have a name, however they write its Greek letters."""
    found = (
        store.search_text(one, indexes, document.chunks, documents=[document.id], phrases=[one])
        for one in written_forms(name)
    )
    return list(dict.fromkeys(key for pairs in found for key, _ in pairs))


class Relevance:
    """How rare words are in the indexes in scope.

    Args:
        shares: what other questions asked of documents' names.
    """

    def __init__(
        self,
        store: EvidenceStore,
        indexes: Sequence[str],
        count_tokens: Callable[[Sequence[str]], list[int]],
        shares: NamingShares | None = None,
    ) -> None:
        self._shares = shares or NamingShares()
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

        Technical is what the embedding model's vocabulary does not hold in one piece ("xarelto"), and no word
        of the language but a medicine's name; an everyday word that the library happens to lack ("kids",
        "encrypted") may have a synonym there. What could be put into English ("nierproblemen") is none.
        """
        text = clause.spoken or clause.text
        as_it_was = set(content_words(clause.text))
        code = language(text) or "en"
        named = {part for part, _ in _names(clause)}
        missing = [
            word
            for word in content_words(text)
            if word in as_it_was
            and stem(word) not in named
            and len(word) > _SHORTEST_NAME
            and word.isalpha()
            and (not is_everyday(word, code) or is_medicine(word))
            and self.absent(word)
        ]
        return self.technical(missing)

    def may_be_medicines(self, clause: Clause) -> list[str]:
        """Those of the unknown names for which nothing is told where no other is known: no words of a language
        that the clause may be in, nor compounds of such ("Laborwerte"), nor with a wrong letter.
        """
        codes = languages(clause.spoken or clause.text) or ["en"]
        return [
            word
            for word in self.unknown_names(clause)
            if is_medicine(word) or not any(_is_of_language(word, code) for code in codes)
        ]

    def technical(self, words: Sequence[str]) -> list[str]:
        """Those words that the embedding model's vocabulary does not hold in one piece, nor their stems."""
        if not words:
            return []
        alone, *pieces = self._count_tokens(["", *words, *map(stem, words)])
        both = zip(words, pieces[: len(words)], pieces[len(words) :], strict=True)
        return [word for word, *counts in both if min(counts) - alone > 1]

    @staticmethod
    def not_generic(words: Iterable[str]) -> list[str]:
        """Those words that do not stand in most documents on a medicine."""
        return [word for word in words if stem(word) not in GENERIC]

    def specific_words(self, clause: Clause, hit: Hit) -> list[str]:
        """The clause's words that do not name what the hit's document is about."""
        titled = stems(name_in(hit.document.called))
        subjects = {part for part, own in _names(clause) if own <= titled}
        return [
            word
            for word in asked_words(clause.text, language(clause.text))
            if stem(word) not in titled | subjects | GENERIC
        ]

    @staticmethod
    def says(text: str, words: Iterable[str]) -> bool:
        """Whether a text has one of the words, in any of its forms."""
        return not stems(text).isdisjoint(map(stem, words))

    def naming(self, document: Document, name: str) -> float:
        """Share of a document's passages that have a name, in [0, 1]."""
        return self._shares.share(self._store, self._indexes, document, name)

    def passages_with(self, document: Document, name: str) -> list[Chunk]:
        """The passages of a document's file that have a name."""
        found = _having_name(self._store, self._indexes, document, name)
        return [chunk for chunk, _ in self._store.chunks_by_id(found).values()]

    def passages_naming(self, name: str, most: int) -> list[tuple[Chunk, Document]]:
        """The passages that have a name, those that have it most first."""
        found = self._store.search_text(name, self._indexes, most, phrases=[name])
        return list(self._store.chunks_by_id([key for key, _ in found]).values())

    def tells(self, document: Document, name: str) -> bool:
        """Whether what a file says of a document's product has a name."""
        return any(map(document.tells, self.passages_with(document, name)))

    def rarity(self, word: str) -> float:
        """``1 + ln((N + 1) / (df + 1))``; the most for a word the library does not have."""
        return 1.0 + math.log((self._total + 1) / (self._having(word) + 1))

    def absent(self, word: str) -> bool:
        """Whether no chunk has a word, in any of its forms."""
        return self._having(word) == 0

    def _having(self, word: str) -> int:
        if word not in self._counts:
            self._counts[word] = sum(
                self._store.chunks_with_word(one, self._indexes) for one in written_forms(word)
            )
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
    return bool((stems(name_in(title)) - GENERIC) & stems(text))


_SHORTEST_PART = 6  # letters


def _is_part(part: str, whole: str) -> bool:
    """Whether a name is the larger part of another."""
    return len(part) >= _SHORTEST_PART and part in whole


# Sections that tell of the leaflet's own medicine alone.
_OWN_SECTIONS = frozenset({"posology", "storage", "composition", "overdose", "driving"})


def is_of_own_medicine(chunk: Chunk) -> bool:
    """Whether a passage is of a section that tells of its document's medicine alone: its dose, its storage."""
    return chunk.section in _OWN_SECTIONS


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
        spoken = without_other_than(clause.search_text)
        asked = {stem(word) for word in content_words(spoken)} - GENERIC
        titled = {word for title in titles for word in stems(name_in(title))} - GENERIC
        # "My thyroxine tablets" are levothyroxine: one name inside the other.
        self._words = {
            word
            for word in titled
            if any(word == one or _is_part(one, word) or _is_part(word, one) for one in asked)
        }

    @property
    def named(self) -> bool:
        """Whether the clause names a medicine, or what a title names."""
        return bool(self._drugs or self._words)

    def allow(self, title: str, text: str) -> bool:
        """Whether a text of the document `title` speaks of the subject; any text when there is none.

        What only a medicine's own leaflet tells (its dose, its storage) is not taken from another's:
        amoxicillin's leaflet names clarithromycin, and the dose beside it is amoxicillin's. A guideline on
        an illness is nobody's.
        """
        if not self._drugs and not self._words:
            return True
        if self.is_about(title):
            return True
        if self._own and self._drugs and medicines_in(title):
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


def _is_of_language(word: str, code: str) -> bool:
    return is_everyday(word, code) or is_compound(word, code) or is_misspelt_everyday(word, code)
