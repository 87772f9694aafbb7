"""How many tokens a text takes in a language model, without the model's own tokenizer."""

from __future__ import annotations

# Bytes of UTF-8 for a token. Tokenizers of the providers here take 4 to 5 bytes of English a token and
# about 4 of German, Greek or Chinese; numbers and rare words less. A tokenizer of their own would have
# to be fetched from the network, and each model has another one.
_BYTES_PER_TOKEN = 3


def estimated_tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few; 0 for an empty one."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)
