"""What tiny BERT models on disk have in common: two layers of 32 dimensions, and letters as words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def tiny_bert(folder: Path, words: Iterable[str], **config: object) -> tuple[Any, Any]:
    """A configuration, and a tokenizer that knows `words` and spells all others; writes ``vocab.txt``."""
    from transformers import BertConfig, BertTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,?"
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    known += [*letters, *(f"##{letter}" for letter in letters)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(known), encoding="utf-8")
    size = {
        "vocab_size": len(known),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
    }
    tokenizer = BertTokenizerFast(vocab_file=str(vocabulary), model_max_length=64)
    return BertConfig(**size, **config), tokenizer
