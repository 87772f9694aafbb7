"""What the leaflets on a medicine say of reactions; each is read once, for as long as the graph has the
same names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.boards.reading.blocks import parts
from core.boards.reading.reactions import Names, Reaction, reactions
from core.boards.reading.remembered import Remembered
from core.boards.reading.tables import COMPARATORS, GRAPH, REACTION_SECTIONS
from core.documents.store.library import EvidenceStore
from core.domain.answers import DocumentCitation
from core.domain.documents import Chunk, Document
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.text.spelling.name_stems import NAME_STEMS
from core.text.word_lists import word_frequencies

_ORDINARY = 500  # times in the word list from which on a word is no medicine's name
_WORD = re.compile(r"[^\W\d_]+")
_DRUG = "Drug"


@dataclass(frozen=True, slots=True)
class ReadLeaflet:
    """A leaflet's reactions.

    Attributes:
        elsewhere: section code and page of each place outside of the side effects, by the entity that
            it names.
        chunks: of the document, in order.
    """

    reactions: tuple[Reaction, ...]
    elsewhere: Mapping[str, tuple[tuple[str, int], ...]]
    chunks: tuple[Chunk, ...]


class Leaflets:
    """Reads leaflets and remembers them by document and by the version of the graph; safe to share
    between threads."""

    def __init__(self, library: EvidenceStore, graph: KnowledgeGraph, names: EntityNames) -> None:
        self._library, self._graph, self._names = library, graph, names
        self._read: Remembered[ReadLeaflet] = Remembered()

    def read(self, document: Document, own: AbstractSet[str]) -> ReadLeaflet:
        """What a document says.

        Args:
            own: ids of the medicine that it is about.

        Raises:
            StoreError: the library cannot be read.
        """
        self._names.recent_linker()
        key = (document.id, document.corrections, self._names.version, tuple(sorted(own)))
        return self._read.get(key, lambda: self._reading(document, own))

    def _reading(self, document: Document, own: AbstractSet[str]) -> ReadLeaflet:
        pages = self._library.pages(document.id)
        chunks = self._library.document_chunks(document.id)
        types = self._types()
        title = {word.casefold() for word in _WORD.findall(document.title)}
        called = {word.casefold() for word in _WORD.findall(document.called)}

        def is_other(text: str) -> bool:
            mentions = self._names.mentions_in(text)
            if any(types(one.entity_id) == _DRUG and one.entity_id not in own for one in mentions):
                return True
            return COMPARATORS.fullmatch(text.strip(" :")) is not None or any(
                NAME_STEMS.fullmatch(word) and not is_ordinary(word) and word not in title
                for word in map(str.casefold, _WORD.findall(text))
            )

        names = Names(self._names.mentions_in, lambda one: types(one) in GRAPH.reactions, is_other)
        found = parts(
            pages,
            chunks,
            REACTION_SECTIONS,
            names.speaks_of_others,
            orders=bool(document.orders > 0),
            own=frozenset(word for word in called if not is_ordinary(word)),
        )
        read = tuple(reactions(found, names))
        mentioned = self._library.mentions_of_chunks([one.id for one in chunks])
        elsewhere: dict[str, dict[tuple[str, int], None]] = {}
        for chunk in chunks:
            if chunk.section not in REACTION_SECTIONS:
                for entity_id in mentioned.get(chunk.id, {}):
                    elsewhere.setdefault(entity_id, {})[chunk.section, chunk.page] = None
        return ReadLeaflet(read, {one: tuple(at) for one, at in elsewhere.items()}, tuple(chunks))

    def is_reaction(self) -> Callable[[str], bool]:
        """Whether an entity of the graph as it is now can be an adverse reaction, by its id."""
        types = self._types()
        return lambda entity_id: types(entity_id) in GRAPH.reactions

    def _types(self) -> Callable[[str], str]:
        """The type of an entity, by its id; "" of one that the graph does not have now."""
        try:
            graph = self._graph.projection()
        except StoreUnavailable:
            return lambda _entity_id: ""
        position, codes = graph.position, graph.entity_codes

        def of(entity_id: str) -> str:
            place = position.get(entity_id)
            return "" if place is None else graph.entity_types[int(codes[place])]

        return of


def is_ordinary(word: str) -> bool:
    """Whether a word in lower case is an everyday one, and no medicine's name by itself."""
    return word_frequencies("en").get(word, 0) >= _ORDINARY


def citation(
    n: int, document: Document, chunk: Chunk, span: tuple[int, int], quote: str
) -> DocumentCitation:
    """A place of a page as the evidence panel shows it."""
    return DocumentCitation(
        n=n,
        document_id=document.id,
        chunk_id=chunk.id,
        file=document.file,
        page=chunk.page,
        section=chunk.section,
        heading=chunk.heading,
        quote=quote,
        start=span[0],
        end=span[1],
        relevance=0.0,
    )
