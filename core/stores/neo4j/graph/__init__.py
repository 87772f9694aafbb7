"""The knowledge graph and its entities' vectors in Neo4j."""
