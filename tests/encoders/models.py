"""A tiny sentence-transformers model on disk, loaded the way a real one is."""

from __future__ import annotations

from pathlib import Path

from tests.support.tiny_bert import tiny_bert


def make_sentence_transformer(folder: Path) -> Path:
    """A model's folder within `folder`: BERT of 2 layers, 32 dimensions, random weights."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertModel

    config, tokenizer = tiny_bert(folder, ("warfarin", "metformin"))
    bert = folder / "bert"
    BertModel(config).save_pretrained(bert)
    tokenizer.save_pretrained(bert)
    transformer = Transformer(str(bert), max_seq_length=48)
    pooling = Pooling(32, pooling_mode="mean")
    saved = folder / "model"
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(saved))
    return saved
