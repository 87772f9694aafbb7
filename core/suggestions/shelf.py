"""The medicines that the library has documents on, with the sections that these have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from core.documents.store.library import EvidenceStore
from core.domain.documents import Document
from core.domain.graph import Entity
from core.graph.names.entity_names import EntityNames
from core.suggestions.phrases import SECTIONS, Phrases
from core.text.language import language
from core.text.spelling.salts import parted_salts
from core.text.titles import name_in

_LONGEST_NAME = 40  # characters; what is longer is a title, not a name
_SHORTEST_TEXT = 80  # characters of a section, in all: a heading alone says nothing
_FEWEST_SECTIONS = 3  # of a medicine's document; a guidance may have one by chance
_READ_FOR_LANGUAGE = 5  # documents
_MARK = re.compile(r"[®™©]")


@dataclass(frozen=True, slots=True)
class ShelvedMedicine:
    """A medicine with a document on it.

    Attributes:
        name: as the document's title has it; of one that the graph has, the graph's.
        entity: in the graph; None where it has none of this name.
    """

    document: Document
    name: str
    entity: Entity | None

    def spoken(self, phrases: Phrases) -> str:
        """Its name inside a sentence."""
        return phrases.name(self.entity) if self.entity is not None else self.name


class Shelf:
    """What the ready documents of some indexes are about; read once.

    Args:
        scope: names of the indexes.

    Raises:
        StoreError: the library or the graph cannot be read.
    """

    def __init__(self, library: EvidenceStore, names: EntityNames, scope: Sequence[str]) -> None:
        self._library = library
        documents = [one for index in scope for one in library.documents(index)]
        documents.sort(key=lambda one: (one.title.casefold(), one.file, one.id))
        found = [
            one
            for document in documents
            if (one := medicine_of(document, names.entities_in)) is not None
        ]
        # Those that the graph has come first: more can be asked about them.
        self.medicines = sorted(
            found, key=lambda one: -(one.entity.degree if one.entity is not None else -1)
        )
        self._documents = documents
        self._sections: dict[str, tuple[str, ...]] = {}

    def on(self, entity_id: str) -> list[ShelvedMedicine]:
        """The medicines that are this entity, by their documents."""
        return [one for one in self.medicines if one.entity and one.entity.id == entity_id]

    def in_document(self, document_id: str) -> ShelvedMedicine | None:
        """The medicine that a document is on."""
        return next((one for one in self.medicines if one.document.id == document_id), None)

    def sections(self, document_id: str) -> tuple[str, ...]:
        """Codes of the sections that a document has, as they are offered; none where it is not a
        medicine's."""
        if document_id not in self._sections:
            lengths = Counter[str]()
            for chunk in self._library.document_chunks(document_id):
                lengths[chunk.section] += len(chunk.text)
            told = tuple(one for one in SECTIONS if lengths[one] >= _SHORTEST_TEXT)
            self._sections[document_id] = told if len(told) >= _FEWEST_SECTIONS else ()
        return self._sections[document_id]

    def language(self) -> str:
        """The language that most of the first documents are in; "" without any."""
        told = Counter(
            language(" ".join(chunk.text for chunk in self._library.document_chunks(one.id)[:3]))
            for one in islice(self._documents, _READ_FOR_LANGUAGE)
        )
        return told.most_common(1)[0][0] if told else ""


def named_title(document: Document) -> str:
    """The part of a title that names the medicine, without trade marks."""
    return " ".join(_MARK.sub(" ", name_in(document.title)).split())


def medicine_of(
    document: Document, entities_in: Callable[[str], Iterable[Entity]]
) -> ShelvedMedicine | None:
    """The one medicine that a document's title names; None where it names several, or is no name."""
    title = named_title(document)
    named = list(entities_in(title)) or entities_in(parted_salts(title))
    drugs = {one.id: one for one in named if one.type == "Drug"}
    if len(drugs) == 1:
        (entity,) = drugs.values()
        return ShelvedMedicine(document, entity.name, entity)
    name = re.split(r" [-–]|[-–] |,", title)[0].strip()
    if drugs or not 1 < len(name) <= _LONGEST_NAME:
        return None
    return ShelvedMedicine(document, name.capitalize() if name.isupper() else name, None)
