"""The medicines that a board can have, and the documents on each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.boards.reading.leaflets import is_ordinary
from core.boards.reading.tables import FEWEST_SECTIONS
from core.documents.library.shelves import EARLIER
from core.documents.store.library import EvidenceStore
from core.domain.documents import Document, Kind
from core.domain.graph import Entity, Mention
from core.domain.names import name_key
from core.errors import InputError, NotFound, StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.suggestions.shelf import medicine_of, named_title
from core.text.spelling.salts import parted_salts
from core.text.stems import content_words
from core.text.titles import name_in

MOST_MEDICINES = 10
_MOST_MEANT = 3  # medicines that are named where several have a name's words
_DRUG = "Drug"
_BY_NAME = "name:"


@dataclass(frozen=True, slots=True)
class MedicineChoice:
    """A medicine that can be put on a board; `leaflets` is the number of documents on it alone."""

    key: str
    name: str
    entity_id: str
    leaflets: tuple[Document, ...] = ()
    left_out: int = 0


class Medicines:
    """What the ready documents and the graph are about, as they are now. Made for one request.

    While the graph cannot be reached, medicines are those that documents name, by their names.

    Raises:
        StoreError: the library cannot be read.
    """

    def __init__(self, library: EvidenceStore, graph: KnowledgeGraph, names: EntityNames) -> None:
        self._library, self._graph, self._names = library, graph, names
        self.documents = [one for one in library.documents() if one.index != EARLIER]
        own = [one for one in self.documents if one.kind is not Kind.ABSTRACT]
        known = self._entities(named_title(one) for one in own)
        self._shelf: dict[str, MedicineChoice] = {}
        several: dict[str, int] = {}
        for document in own:
            in_title = self._in(named_title(document), known)
            drugs = {one.id for one in in_title if one.type == _DRUG}
            medicine = medicine_of(document, _same(in_title))
            if medicine is None:
                for one in drugs:
                    several[one] = several.get(one, 0) + 1
                continue
            entity = medicine.entity
            key = entity.id if entity else f"{_BY_NAME}{name_key(medicine.name)}"
            before = self._shelf.get(key)
            documents = (*(before.leaflets if before else ()), document)
            self._shelf[key] = MedicineChoice(
                key, medicine.name, entity.id if entity else "", documents
            )
        self._several = several

    def shelved(self) -> list[MedicineChoice]:
        """Those with documents of a leaflet's sections on them, by name."""
        found = [self._with_leaflets(one) for one in self._shelf.values()]
        return sorted((one for one in found if one.leaflets), key=lambda one: one.name.casefold())

    def suggestions(self, query: str, limit: int) -> list[MedicineChoice]:
        """Medicines whose names contain a text: those with leaflets first, then the graph's."""
        wanted = name_key(query)
        found = {one.key: one for one in self.shelved() if wanted in name_key(one.name)}
        try:
            drugs = self._graph.search_entities(query, (_DRUG,), limit)
        except StoreUnavailable:
            drugs = []
        for one in drugs:
            found.setdefault(one.id, self._choice(one))
        return list(found.values())[:limit]

    def found(self, name: str) -> MedicineChoice:
        """The medicine of a key, an id, a name or a synonym, or of words that the titles of its leaflets name
        it with: "siponimod" of "MAYZENT (siponimod)".

        Raises:
            NotFound: there is none, or titles of several have the words (``MEDICINE_NOT_FOUND``); the advice
                names these, or those that are spelt nearly so.
        """
        wanted = name_key(name)
        for one in self._shelf.values():
            if wanted in (name_key(one.key), name_key(one.name)):
                return self._with_leaflets(one)
        try:
            drugs = [one for one in self._graph.entities_named(name) if one.type == _DRUG]
        except StoreUnavailable:
            drugs = []
        if drugs:
            return self._choice(drugs[0])
        titled = self._titled(name)
        if len(titled) == 1:
            return titled[0]
        raise NotFound(
            f"No medicine is called “{name[:80]}”, in the graph or in the library.",
            advice=self._advice(name)
            if not titled
            else f"Is {' or '.join(one.name for one in titled[:_MOST_MEANT])} meant?",
            code="MEDICINE_NOT_FOUND",
        )

    def chosen(self, names: Sequence[str]) -> list[MedicineChoice]:
        """The medicines of several names, each once, in order.

        Raises:
            InputError: none is named, or more than `MOST_MEDICINES`.
            NotFound: see `found`.
        """
        found = {one.key: one for one in map(self.found, names)}
        if not found:
            raise InputError(
                "A board needs medicines.",
                advice="Name one medicine or several.",
                code="NO_MEDICINE",
            )
        if len(found) > MOST_MEDICINES:
            raise InputError(
                f"A board has at most {MOST_MEDICINES} medicines.",
                advice="Take some away.",
                code="TOO_MANY_MEDICINES",
            )
        return list(found.values())

    def is_leaflet(self, document: Document) -> bool:
        """Whether a document has the sections of a leaflet."""
        if document.kind is Kind.ABSTRACT:
            return False
        codes = {one.section for one in self._library.document_chunks(document.id) if one.section}
        return len(codes) >= FEWEST_SECTIONS

    def _choice(self, drug: Entity) -> MedicineChoice:
        known = self._shelf.get(drug.id)
        if known is not None:
            return self._with_leaflets(known)
        return MedicineChoice(drug.id, drug.name, drug.id, left_out=self._several.get(drug.id, 0))

    def _with_leaflets(self, one: MedicineChoice) -> MedicineChoice:
        leaflets = tuple(each for each in one.leaflets if self.is_leaflet(each))
        return MedicineChoice(
            one.key, one.name, one.entity_id, leaflets, self._several.get(one.key, 0)
        )

    def _titled(self, name: str) -> list[MedicineChoice]:
        """The medicines with leaflets of which a title has all words of a name; none of words that are no name
        ("tablets")."""
        words = set(content_words(name))
        if all(map(is_ordinary, words)):
            return []
        return [
            one
            for one in self.shelved()
            if any(
                words <= set(content_words(name_in(title)))
                for document in one.leaflets
                for title in (*document.titles, document.called)
            )
        ]

    def _advice(self, name: str) -> str:
        try:
            near = [one.name for one in self._names.suggest(name) if one.type == _DRUG]
        except StoreUnavailable:
            near = []
        return f"Is {' or '.join(near)} meant?" if near else "Check the spelling."

    def _entities(self, titles: Iterable[str]) -> Mapping[str, Entity]:
        ids = {one.entity_id for title in titles for one in self._mentions(title)}
        try:
            return self._graph.entities(ids) if ids else {}
        except StoreUnavailable:
            return {}

    def _in(self, title: str, known: Mapping[str, Entity]) -> list[Entity]:
        ids = dict.fromkeys(one.entity_id for one in self._mentions(title))
        return [known[one] for one in ids if one in known]

    def _mentions(self, title: str) -> Sequence[Mention]:
        try:
            return self._names.mentions_in(title) or self._names.mentions_in(parted_salts(title))
        except StoreUnavailable:
            return []


def _same(entities: list[Entity]) -> Callable[[str], list[Entity]]:
    return lambda _title: entities
