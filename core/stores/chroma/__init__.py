"""Vectors of chunks and entities in Chroma, embedded or on a server."""
