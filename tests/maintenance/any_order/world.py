"""A library with its graph on real stores, whose process can be killed between any two calls to them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from core.documents.jobs.tasks import Tasks
from core.documents.library.indexes import Indexes
from core.documents.library.library import Library
from core.documents.library.loaded_encoders import LoadedEncoders
from core.documents.library.outcomes import Report
from core.documents.library.verify import Verifier
from core.documents.moving.relocation import Relocation
from core.documents.reading.extract import ExtractLimits, Stop
from core.domain.documents import Document, Filling, Page
from core.domain.graph import Entity
from core.errors import MateriaError
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.maintenance.entity_links import EntityLinks
from core.maintenance.postponed import recover
from core.search.retriever import Retriever
from core.stores.chroma.chunks import ChromaVectors
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.documents.library import Neo4jLibrary
from core.stores.neo4j.graph.graph import Neo4jGraph
from core.stores.sqlite.counter import Counter
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.stores.sqlite.library import SqliteLibrary
from tests.maintenance.any_order.gate import REGISTRY, VECTORS, Gate, Guarded, Killed
from tests.support.fakes import HashEncoder
from tests.support.graphs import graph_data

MODELS = {"hash-16": 16, "hash-24": 24}
_MOST_TOKENS = 40  # so that a document has several chunks


def model(name: str) -> HashEncoder:
    return HashEncoder(name, MODELS[name], _MOST_TOKENS)


class ReadHere(Library):
    """A library that reads plain text itself: a child process for each file is tested elsewhere."""

    def _read(
        self,
        document: Document,
        password: str,
        replaces: tuple[str, ...],
        report: Report,
        cancelled: Stop,
    ) -> Filling:
        original = self.files.original(document.id)
        assert original is not None
        return self._filling(document, [Page(0, original.read_text("utf-8"))], replaces)


class World:
    """What one process has open, and what comes after it.

    Args:
        root: a folder for the data folders, one for each process.
        server: keeps registry and graph; None for SQLite.
    """

    def __init__(self, root: Path, server: Neo4j | None = None) -> None:
        self._root = root
        self._server = server
        self._life = 0
        self.servers = (VECTORS, REGISTRY) if server else (VECTORS,)
        self.folder = root / "0"
        self.folder.mkdir()
        self.down: set[str] = set()
        self.due = False
        self._again: int | None = None
        self._open()

    # -- a process ---------------------------------------------------------------------------------

    def _open(self) -> None:
        folder, self.gate = self.folder, Gate()
        self.gate.down = self.down
        self.database = Database(folder / "materia.db")
        # What a test looks at behind the gate, whatever is away.
        self.registry: SqliteLibrary | Neo4jLibrary
        graph: SqliteGraph | Neo4jGraph
        if self._server is None:
            self.registry = SqliteLibrary(self.database)
            graph = SqliteGraph(self.database, folder / "graph")
        else:
            self.registry, graph = Neo4jLibrary(self._server), Neo4jGraph(self._server)
        self.graph_behind = graph
        self.vectors = ChromaVectors(folder / "chroma")
        store = Guarded(self.registry, self.gate, REGISTRY)
        vectors = Guarded(self.vectors, self.gate, VECTORS)
        known = KnowledgeGraph(Guarded(graph, self.gate, REGISTRY))
        names = EntityNames(known)
        linked = Counter(self.database, "linked_version")
        self.links = EntityLinks(known, names, store, linked)
        encoder = model("hash-16")
        models = LoadedEncoders(model)
        self.library = ReadHere(
            store,
            vectors,
            lambda: encoder,
            self.links.count,
            folder,
            ExtractLimits(),
            1_000_000,
            models=models,
        )
        self.library.removal.put_off = self._put_off
        self.indexes = Indexes(self.library)
        self.relocation = Relocation(self.library)
        self.verifier = Verifier(self.library)
        self.graph = known
        self.retriever = Retriever(
            store, vectors, lambda: encoder, 0.7, lambda index: models.of_index(index, encoder)
        )
        self._tasks = Tasks(self.library, self.indexes, folder / "uploads")

    def _put_off(self) -> None:
        self.due = True

    def close(self) -> None:
        if isinstance(self.graph_behind, SqliteGraph):
            self.graph_behind.close()
        self.vectors.close()
        self.database.close()

    def killed_after(self, calls: int, again: int | None) -> None:
        """Let the process be killed after so many calls to stores, and the next one after so many while it
        sees to what it finds."""
        self._again = again
        self.gate.arm(calls, self._die)

    def _die(self) -> None:
        """What lies on the disk now is all that the next process finds."""
        self.gate.dead = True
        self._life += 1
        shutil.copytree(self.folder, self._root / str(self._life))

    def start_again(self) -> None:
        """The next process: rolls back or finishes what the killed one left, as a workspace does."""
        self.close()
        shutil.rmtree(self.folder)
        self.folder = self._root / str(self._life)
        self.due = False
        self._open()
        again, self._again = self._again, None
        if again is not None:
            self.gate.arm(again, self._die)
        try:
            self._tasks.forget_unknown(set())
            recover(self.library, self._server is not None)
            self.catch_up()
        except Killed:
            self.start_again()
        else:
            self.gate.disarm()

    # -- servers -----------------------------------------------------------------------------------

    def goes_after(self, calls: int, server: str) -> None:
        """Let a server go away after so many calls to stores."""
        self.gate.arm(calls, lambda: self.down.add(server))

    def catch_up(self) -> None:
        """What is tried again and again until it is done."""
        if self.due:
            try:
                self.library.finish_removals()
            except MateriaError:
                assert self.down
            else:
                self.due = False
        if not self.down and self.links.due:
            self.links.relink()

    # -- the graph ---------------------------------------------------------------------------------

    def import_graph(self, names: Sequence[str], check: Callable[[], None]) -> None:
        """Replace the graph by one with these entities, then find them in every passage."""
        entities = [Entity(f"E:{name}", "Drug", name) for name in names]
        self.graph.store.replace(graph_data(entities, []), check=check)
        self.links.relink()
