"""How the page sets a text: what its lines begin and end with."""
