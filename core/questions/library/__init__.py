"""Questions on all documents of a library."""
