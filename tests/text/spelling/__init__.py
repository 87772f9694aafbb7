"""How words are spelt."""
