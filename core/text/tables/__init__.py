"""Tables in the text of a page: how a row is written, and what it says."""
