"""Tables that a library lays out."""
