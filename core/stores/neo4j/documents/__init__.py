"""Registry, text and mentions of the library in Neo4j."""
