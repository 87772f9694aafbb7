"""Commands on the graph: entities, ways through it, importing and embedding it, saved views."""
