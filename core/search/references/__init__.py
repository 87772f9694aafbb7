"""What a search found as references: for a reference manager, a manuscript, or a table."""
