"""Files become a graph: the formats, what they change, the importance of entities."""
