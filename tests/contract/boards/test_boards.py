"""Boards on every store: the same from SQLite and from Neo4j."""

from __future__ import annotations

from dataclasses import replace

from core.boards.medicines import Medicines
from core.boards.reading.leaflets import Leaflets
from core.boards.signals import SignalBoards
from core.documents.store.library import LibraryStore
from core.domain.boards.records import BoardSource, CellDifferenceKind, FrequencyClass
from core.domain.documents import Chunk, Filling, Page
from core.domain.graph import Entity, Relationship
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.store import GraphStore
from tests.contract.documents import an_index, document
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Alphacillin"),
    Entity("E1", "Phenotype", "nausea"),
    Entity("E2", "Phenotype", "coma"),
]
TEXT = "Common: nausea, odd dreams."


def _put(library: LibraryStore) -> None:
    library.create_index(an_index("leaflets"))
    new = replace(document("d1"), title="Alphacillin 5 mg")
    sections = ("posology", "interactions", "adverse_reactions")
    chunks = [
        Chunk(f"d1:{n}", "d1", n, n + 1, section, "", 0, len(TEXT), TEXT, "")
        for n, section in enumerate(sections)
    ]
    library.begin_documents([new])
    # A line that stands on every page would be its header.
    pages = [Page(n + 1, TEXT if n == 2 else f"Page of {one}.") for n, one in enumerate(sections)]
    library.finish_documents([Filling(replace(new, pages=3), pages, chunks, {})])


def test_a_signal_board(graph_store: GraphStore, library_store: LibraryStore) -> None:
    causes = [Relationship("D1", "CAUSES_SIDE_EFFECT", one) for one in ("E1", "E2")]
    graph_store.replace(graph_data(ENTITIES, causes))
    _put(library_store)
    graph = KnowledgeGraph(graph_store)
    names = EntityNames(graph)
    leaflets = Leaflets(library_store, graph, names)
    medicines = Medicines(library_store, graph, names)
    made = SignalBoards(library_store, graph, names, leaflets)
    board = made.board(medicines.chosen(["alphacillin"]), medicines)
    cells = {row.name: row.cells["D1"] for row in board.rows}
    assert list(cells) == ["coma", "nausea", "odd dreams"]
    assert cells["nausea"].level is FrequencyClass.COMMON
    assert cells["nausea"].sources == (BoardSource.LEAFLET, BoardSource.GRAPH)
    assert cells["coma"].differences[0].kind is CellDifferenceKind.NOT_IN_LEAFLET
    assert cells["odd dreams"].sources == (BoardSource.LEAFLET,)
