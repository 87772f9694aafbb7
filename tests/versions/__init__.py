"""Two versions of a document compared."""
