"""A tiny sentence-transformers model on disk, loaded the way a real one is."""

from __future__ import annotations

from pathlib import Path


def make_sentence_transformer(folder: Path) -> Path:
    """A model's folder within `folder`: BERT of 2 layers, 32 dimensions, random weights."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,?"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "warfarin", "metformin"]
    words += [*letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    bert = folder / "bert"
    BertModel(config).save_pretrained(bert)
    tokenizer = BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(bert)
    transformer = Transformer(str(bert), max_seq_length=48)
    pooling = Pooling(32, pooling_mode="mean")
    saved = folder / "model"
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(saved))
    return saved
