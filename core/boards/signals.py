"""The signal board: adverse reactions of several medicines over leaflets, papers and the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.boards.differences import differences
from core.boards.grouping import Rows, words_key
from core.boards.medicines import MedicineChoice, Medicines
from core.boards.reading.leaflets import Leaflets, ReadLeaflet, citation
from core.boards.reading.papers import PaperMention, in_papers
from core.boards.reading.tables import GRAPH, STATES
from core.documents.store.library import EvidenceStore
from core.domain.answers import GraphCitation
from core.domain.boards.records import (
    BoardCell,
    BoardMedicine,
    BoardSource,
    Passage,
    SignalBoard,
    SignalRow,
)
from core.domain.documents import Document
from core.domain.graph import Fact
from core.domain.names import name_key
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames

GRAPH_AWAY = (
    "The graph cannot be reached: what it says is not on this board, and reactions are not linked."
)
_WORDS = "words:"


@dataclass
class _Column:
    """What was read of a medicine, before it is put into rows."""

    medicine: BoardMedicine
    passages: list[tuple[str, Passage]] = field(default_factory=list)  # entity id, or ""
    facts: list[Fact] = field(default_factory=list)
    treats: list[Fact] = field(default_factory=list)
    leaflets: list[tuple[Document, ReadLeaflet]] = field(default_factory=list)


class SignalBoards:
    """Makes signal boards from library and graph as they are at each request."""

    def __init__(
        self,
        library: EvidenceStore,
        graph: KnowledgeGraph,
        names: EntityNames,
        leaflets: Leaflets,
    ) -> None:
        self._library, self._graph, self._names = library, graph, names
        self._leaflets = leaflets

    def board(self, chosen: Sequence[MedicineChoice], medicines: Medicines) -> SignalBoard:
        """The board of the chosen medicines; rows by their name.

        Raises:
            StoreError: the library cannot be read.
        """
        notes = []
        columns = [self._column(one, medicines) for one in chosen]
        try:
            for column in columns:
                self._take_graph(column)
        except StoreUnavailable:
            notes.append(GRAPH_AWAY)
            for column in columns:
                column.facts, column.treats = [], []
        ids = {entity_id for column in columns for entity_id, _ in column.passages if entity_id}
        ids |= {fact.target.id for column in columns for fact in (*column.facts, *column.treats)}
        try:
            rows = Rows(self._graph.entities(sorted(ids)).values())
        except StoreUnavailable:
            rows = Rows(())
        return SignalBoard(
            tuple(column.medicine for column in columns),
            tuple(_rows(columns, rows)),
            (*notes, *_without_leaflets(columns)),
        )

    # -- what is read ------------------------------------------------------------------------------

    def _column(self, chosen: MedicineChoice, medicines: Medicines) -> _Column:
        own = {chosen.entity_id} - {""}
        read = [(one, self._leaflets.read(one, own)) for one in chosen.leaflets]
        column = _Column(
            BoardMedicine(
                chosen.key,
                chosen.name,
                chosen.entity_id,
                {one.id: one.file for one, _ in read},
                frozenset(one.id for one, leaflet in read if leaflet.reactions),
                chosen.left_out,
            ),
            leaflets=read,
        )
        for document, leaflet in read:
            texts = {one.number: one.text for one in self._library.pages(document.id)}
            for one in leaflet.reactions:
                quote = texts.get(one.chunk.page, "")[slice(*one.span)]
                place = citation(0, document, one.chunk, one.span, " ".join(quote.split()))
                passage = Passage(BoardSource.LEAFLET, place, one.words, one.frequency, one.denied)
                column.passages.append((one.entity_id, passage))
        if chosen.entity_id:
            for found in self._papers(chosen.entity_id, medicines):
                place = citation(0, found.document, found.chunk, found.span, found.quote)
                passage = Passage(BoardSource.PAPER, place, found.words, None, found.denied)
                column.passages.append((found.entity_id, passage))
        return column

    def _papers(self, entity_id: str, medicines: Medicines) -> Iterable[PaperMention]:
        return in_papers(
            entity_id,
            self._library,
            medicines.is_leaflet,
            self._names.mentions_in,
            self._leaflets.is_reaction(),
        )

    def _take_graph(self, column: _Column) -> None:
        entity_id = column.medicine.entity_id
        if entity_id:
            column.facts = self._facts(entity_id, GRAPH.adverse)
            column.treats = self._facts(entity_id, GRAPH.treats)

    def _facts(self, entity_id: str, types: Iterable[str]) -> list[Fact]:
        found = [fact for one in types for fact in self._graph.facts(entity_id, one)]
        return [fact for fact in found if fact.source.id == entity_id]


def _rows(columns: Sequence[_Column], rows: Rows) -> Iterable[SignalRow]:
    passages: dict[str, dict[str, list[Passage]]] = {}
    names: dict[str, str] = {}
    for column in columns:
        for entity_id, passage in column.passages:
            key = rows.of(entity_id) or rows.saying(passage.words)
            key = key or f"{_WORDS}{words_key(passage.words)}"
            if key.startswith(_WORDS):
                names.setdefault(key, passage.words)
            passages.setdefault(key, {}).setdefault(column.medicine.key, []).append(passage)
    facts = _by_row(columns, rows, lambda column: column.facts)
    treats = _by_row(columns, rows, lambda column: column.treats)
    made = []
    for key in {**passages, **facts}:
        ids = tuple(one.id for one in rows.members.get(key, ()))
        name = rows.name(key) if ids else names[key]
        if key not in facts and any(name_key(one) in STATES for one in (name, *rows.names(key))):
            continue
        cells = {}
        for column in columns:
            of = column.medicine.key
            cell = _cell(
                name,
                ids,
                column,
                passages.get(key, {}).get(of, []),
                facts.get(key, {}).get(of, []),
                treats.get(key, {}).get(of, []),
            )
            if cell is not None:
                cells[of] = cell
        made.append(SignalRow(key, name, ids, cells))
    return sorted(made, key=lambda one: (one.name.casefold(), one.key))


def _by_row(
    columns: Sequence[_Column], rows: Rows, facts: Callable[[_Column], Iterable[Fact]]
) -> Mapping[str, Mapping[str, list[Fact]]]:
    found: dict[str, dict[str, list[Fact]]] = {}
    for column in columns:
        for fact in facts(column):
            key = rows.of(fact.target.id)
            if key:
                found.setdefault(key, {}).setdefault(column.medicine.key, []).append(fact)
    return found


def _cell(
    name: str,
    ids: Sequence[str],
    column: _Column,
    passages: Sequence[Passage],
    facts: Sequence[Fact],
    treats: Sequence[Fact],
) -> BoardCell | None:
    if not passages and not facts:
        return None
    numbered = [
        replace(one, citation=replace(one.citation, n=n))
        for n, one in enumerate(_each_once(passages), start=1)
    ]
    said = [graph_citation(len(numbered) + n, one) for n, one in enumerate(facts, start=1)]
    begin = len(numbered) + len(said)
    against = [graph_citation(begin + n, one) for n, one in enumerate(treats, start=1)]
    elsewhere = [
        (document.file, section, page)
        for document, leaflet in column.leaflets
        for entity_id in ids
        for section, page in leaflet.elsewhere.get(entity_id, ())
    ]
    reactions = [one.words for _, leaflet in column.leaflets for one in leaflet.reactions]
    told = differences(name, column.medicine, numbered, said, against, elsewhere, reactions)
    return BoardCell(tuple(numbered), tuple(said), tuple(against), told)


def _each_once(passages: Sequence[Passage]) -> Iterable[Passage]:
    """Passages without those that say the same of the same place again."""
    found: dict[tuple[object, ...], Passage] = {}
    for one in passages:
        place = one.citation
        key = (place.document_id, place.page, place.start, place.end, one.frequency, one.denied)
        found.setdefault(key, one)
    return found.values()


def graph_citation(n: int, fact: Fact) -> GraphCitation:
    """A relationship as the evidence panel shows it."""
    return GraphCitation(
        n=n,
        source_id=fact.source.id,
        source=fact.source.name,
        source_type=fact.source.type,
        relationship=fact.type,
        target_id=fact.target.id,
        target=fact.target.name,
        target_type=fact.target.type,
        relevance=0.0,
        properties=fact.properties,
    )


def _without_leaflets(columns: Sequence[_Column]) -> Iterable[str]:
    for column in columns:
        one = column.medicine
        if not one.leaflets:
            yield f"The library has no leaflet on {one.name} alone."
        elif not one.with_reactions:
            yield f"In the leaflets on {one.name} no list of side effects was found."
        if one.left_out:
            yield (
                f"{one.left_out} documents name {one.name} and another medicine in their title; they are left "
                "out, because what they list is not of one of them alone."
            )
