"""Two versions of a document side by side."""
