"""Questions for the documents that have words in their text."""
