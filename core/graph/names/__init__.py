"""Names of entities in texts: found, and read where they are misspelt."""
