"""Two versions of a document side by side: what was added, removed, changed or moved, and what rests on it."""
