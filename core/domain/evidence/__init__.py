"""How evidence is shown: marks on pages, sources of an answer."""
