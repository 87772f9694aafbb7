"""The interaction matrix: what the leaflets on a medicine, and the graph, say of it with another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.boards.medicines import MedicineChoice
from core.boards.reading.leaflets import citation
from core.boards.reading.remembered import Remembered
from core.boards.reading.tables import ACTIONS, GRAPH, INTERACTION_SECTIONS
from core.boards.signals import GRAPH_AWAY, graph_citation
from core.checking.section_claims import claims
from core.domain.boards.records import (
    BoardCell,
    BoardMedicine,
    BoardSource,
    CellDifference,
    CellDifferenceKind,
    InteractionBoard,
    Passage,
)
from core.domain.documents import Document, Hit
from core.domain.graph import Fact, Mention
from core.domain.names import name_key
from core.errors import StoreUnavailable
from core.evidence.passages import Quote
from core.evidence.sources import Sources

_INTERACTIONS = "interactions"


@dataclass(frozen=True, slots=True)
class NamingStatement:
    """A statement of a leaflet that may be of another medicine, with what it names.

    Attributes:
        not_with: ids of those that it says there is no interaction with.
    """

    quote: Quote
    mentions: tuple[Mention, ...]
    not_with: frozenset[str]


class InteractionMatrices:
    """Makes interaction matrices from library and graph as they are at each request."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._read: Remembered[tuple[NamingStatement, ...]] = Remembered()

    def board(self, chosen: Sequence[MedicineChoice]) -> InteractionBoard:
        """The matrix of the chosen medicines.

        Raises:
            StoreError: the library cannot be read.
        """
        notes: tuple[str, ...] = ()
        facts: Mapping[frozenset[str], list[Fact]] = {}
        classes: Mapping[str, Mapping[str, str]] = {}
        try:
            facts, classes = self._facts(chosen), {one.key: self._classes(one) for one in chosen}
        except StoreUnavailable:
            notes = (GRAPH_AWAY,)
        spoken = {one.key: self._statements(one) for one in chosen}
        passages = {
            (one.key, other.key): tuple(_naming(spoken[one.key], other, classes.get(other.key, {})))
            for one in chosen
            for other in chosen
            if one.key != other.key
        }
        cells = {}
        for one in chosen:
            for other in chosen:
                of = (one.key, other.key)
                between = facts.get(frozenset((one.entity_id, other.entity_id)), [])
                if one.key == other.key or not (passages[of] or between):
                    continue
                begin = len(passages[of])
                cited = tuple(graph_citation(begin + n, f) for n, f in enumerate(between, start=1))
                numbered = tuple(_numbered(passages[of]))
                told = tuple(
                    _differences(one, other, numbered, passages[of[::-1]], bool(between), spoken)
                )
                cells[of] = BoardCell(numbered, cited, (), told)
        without = tuple(
            f"The library has no leaflet on {one.name} alone." for one in chosen if not one.leaflets
        )
        medicines = tuple(
            BoardMedicine(
                one.key,
                one.name,
                one.entity_id,
                {each.id: each.file for each in one.leaflets},
                frozenset(s.quote.hit.document.id for s in spoken[one.key]),
                one.left_out,
            )
            for one in chosen
        )
        return InteractionBoard(medicines, cells, (*notes, *without))

    # -- what is read ------------------------------------------------------------------------------

    def _statements(self, chosen: MedicineChoice) -> tuple[NamingStatement, ...]:
        self._sources.names.recent_linker()
        version = self._sources.names.version
        own = frozenset((chosen.entity_id,)) - {""}
        return tuple(
            one
            for document in chosen.leaflets
            for one in self._read.get(
                (document.id, document.corrections, version, own),
                partial(self._of_document, document, own),
            )
        )

    def _of_document(self, document: Document, own: frozenset[str]) -> tuple[NamingStatement, ...]:
        return tuple(self._reading(document, own))

    def _reading(self, document: Document, own: frozenset[str]) -> Iterator[NamingStatement]:
        reader = self._sources.passages()
        seen = set()
        for chunk in self._sources.library.document_chunks(document.id):
            if chunk.section not in INTERACTION_SECTIONS:
                continue
            for quote in reader.quotes(Hit(chunk, document, 0.0, 0.0)):
                for each in reader.single_items(quote, lambda _text: True) or [quote]:
                    if each.key in seen:
                        continue
                    seen.add(each.key)
                    mentions = tuple(self._sources.names.mentions_in(each.text))
                    said = claims(each.text, chunk.heading, chunk.section, mentions, own)
                    denied = [
                        one.entity_ids
                        for one in said
                        if one.denied and chunk.section == _INTERACTIONS
                    ]
                    yield NamingStatement(each, mentions, frozenset[str]().union(*denied))

    def _facts(self, chosen: Sequence[MedicineChoice]) -> Mapping[frozenset[str], list[Fact]]:
        ids = [one.entity_id for one in chosen if one.entity_id]
        found: dict[frozenset[str], dict[object, Fact]] = {}
        for fact in self._sources.graph.facts_between(ids):
            if fact.type in GRAPH.interacts:
                ends = frozenset((fact.source.id, fact.target.id))
                found.setdefault(ends, {}).setdefault((ends, fact.type), fact)
        return {ends: list(facts.values()) for ends, facts in found.items()}

    def _classes(self, chosen: MedicineChoice) -> Mapping[str, str]:
        """Ids of the classes that the graph puts a medicine into, with their names."""
        if not chosen.entity_id:
            return {}
        ends = [
            end
            for kind in GRAPH.class_of
            for fact in self._sources.graph.facts(chosen.entity_id, kind)
            for end in (fact.source, fact.target)
        ]
        return {end.id: end.name for end in ends if end.id != chosen.entity_id}


def _naming(
    statements: Sequence[NamingStatement], other: MedicineChoice, classes: Mapping[str, str]
) -> Iterator[Passage]:
    """The statements that name a medicine, or its class."""
    wanted = name_key(other.name)
    for one in statements:
        named = [
            mention.text
            for mention in one.mentions
            if mention.entity_id == other.entity_id or mention.entity_id in classes
        ]
        if not named and not other.entity_id and wanted in name_key(one.quote.text):
            named = [other.name]
        if not named:
            continue
        quote = one.quote
        place = citation(
            0,
            quote.hit.document,
            quote.hit.chunk,
            (quote.start, quote.end),
            " ".join(quote.source.split()),
        )
        actions = dict.fromkeys(
            " ".join(found[0].split()) for found in ACTIONS.finditer(quote.text)
        )
        yield Passage(
            BoardSource.LEAFLET,
            place,
            named[0],
            denied=other.entity_id in one.not_with,
            actions=tuple(actions),
            lead=quote.lead.text if quote.lead else "",
        )


def _numbered(passages: Sequence[Passage]) -> Iterator[Passage]:
    for n, one in enumerate(passages, start=1):
        yield replace(one, citation=replace(one.citation, n=n))


def _differences(
    one: MedicineChoice,
    other: MedicineChoice,
    passages: Sequence[Passage],
    back: Sequence[Passage],
    in_graph: bool,
    spoken: Mapping[str, Sequence[NamingStatement]],
) -> Iterator[CellDifference]:
    if in_graph and spoken[one.key] and not passages and not back:
        files = ", ".join(document.file for document in one.leaflets)
        yield CellDifference(
            CellDifferenceKind.NOT_IN_LEAFLET,
            f"The graph has an interaction of {one.name} and {other.name}. {other.name} was not found in the "
            f"contraindications, warnings and interactions of {files}.",
        )
    denied = [each for each in passages if each.denied]
    if denied and in_graph:
        where = ", ".join(dict.fromkeys(each.citation.place for each in denied))
        yield CellDifference(
            CellDifferenceKind.DENIED,
            f"{where} says that there is no interaction with {other.name}; the graph has one.",
        )
