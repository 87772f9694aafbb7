"""What a document says beyond the passages that were found, and around the statement that answers."""
