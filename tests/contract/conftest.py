"""Every store that implements a protocol, so that one set of tests runs over each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.conversations.store import ConversationStore
from core.documents.store.library import LibraryStore
from core.graph.store import EntityVectors, GraphStore
from core.graph.views.store import SavedViewStore
from core.stores.neo4j.connection import Neo4j
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.stores.sqlite.library import SqliteLibrary
from core.stores.sqlite.rows.graph_views import SqliteGraphViews
from tests.support.needs import NEO4J

IN_NEO4J = pytest.param("neo4j", marks=pytest.mark.needs(NEO4J))


def _connection(request: pytest.FixtureRequest) -> Neo4j:
    found: Neo4j = request.getfixturevalue("neo4j")
    return found


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "materia.db")
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", IN_NEO4J])
def graph_store(
    request: pytest.FixtureRequest, database: Database, tmp_path: Path
) -> Iterator[GraphStore]:
    """An empty graph store."""
    if request.param == "sqlite":
        yield SqliteGraph(database, tmp_path / "graph")
    else:
        from core.stores.neo4j.graph.graph import Neo4jGraph

        yield Neo4jGraph(_connection(request))


@pytest.fixture(params=["chroma", IN_NEO4J])
def entity_vectors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EntityVectors]:
    """An empty store of entity vectors; Neo4j's knows an entity only once a graph holds it."""
    if request.param == "chroma":
        from core.stores.chroma.entities import ChromaEntityVectors

        with closing(ChromaEntityVectors(tmp_path / "vectors")) as opened:
            yield opened
    else:
        from core.stores.neo4j.graph.vectors import Neo4jEntityVectors

        yield Neo4jEntityVectors(_connection(request))


@pytest.fixture(params=["sqlite", IN_NEO4J])
def library_store(request: pytest.FixtureRequest, database: Database) -> LibraryStore:
    """An empty registry of documents."""
    if request.param == "sqlite":
        return SqliteLibrary(database)
    from core.stores.neo4j.documents.library import Neo4jLibrary

    return Neo4jLibrary(_connection(request))


@pytest.fixture(params=["sqlite", IN_NEO4J])
def conversation_store(request: pytest.FixtureRequest, database: Database) -> ConversationStore:
    """A store without conversations."""
    if request.param == "sqlite":
        return SqliteConversations(database)
    from core.stores.neo4j.conversations import Neo4jConversations

    return Neo4jConversations(_connection(request))


@pytest.fixture(params=["sqlite", IN_NEO4J])
def view_store(request: pytest.FixtureRequest, database: Database) -> SavedViewStore:
    """A store without saved views."""
    if request.param == "sqlite":
        return SqliteGraphViews(database)
    from core.stores.neo4j.graph_views import Neo4jGraphViews

    return Neo4jGraphViews(_connection(request))
