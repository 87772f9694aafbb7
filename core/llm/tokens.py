"""How many tokens a text takes in a language model, without the model's own tokenizer."""

from __future__ import annotations

# Bytes of UTF-8 for a token. The WordPiece tokenizer of the bundled embedding model takes 4.1 bytes a
# token on the sample's leaflets, those of larger vocabularies more; this leaves a quarter in reserve. A
# model's own tokenizer would have to be fetched from the network, and each has another one.
_BYTES_PER_TOKEN = 3


def estimated_tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few; 0 for an empty one."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)
