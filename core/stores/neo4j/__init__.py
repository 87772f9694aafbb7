"""Neo4j: the graph, the entities' vectors and, as asked, documents and conversations on a server.

`Neo4j` is the connection; the other modules each implement one protocol on it.
"""
