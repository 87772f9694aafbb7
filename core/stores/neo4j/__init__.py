"""Neo4j: the graph, the entities' vectors and, as asked, documents and conversations on a server.

`Neo4j` is the connection; the other modules each implement one protocol on it.
"""

from core.stores.neo4j.connection import Neo4j, Neo4jState
from core.stores.neo4j.conversations import Neo4jConversations
from core.stores.neo4j.graph import Neo4jGraph
from core.stores.neo4j.library import Neo4jLibrary
from core.stores.neo4j.vectors import Neo4jEntityVectors

__all__ = [
    "Neo4j",
    "Neo4jConversations",
    "Neo4jEntityVectors",
    "Neo4jGraph",
    "Neo4jLibrary",
    "Neo4jState",
]
