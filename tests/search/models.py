"""A tiny cross-encoder on disk, made as a real one is."""

from __future__ import annotations

from pathlib import Path

from tests.support.tiny_bert import tiny_bert

WORDS = ("warfarin", "bleeding", "metformin", "glucose", "aspirin", "pain")


def save_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """BERT of 2 layers and 32 dimensions with a classification head; random but fixed weights."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(7)
    folder.mkdir(parents=True)
    # Outputs far enough apart to be put into an order.
    config, tokenizer = tiny_bert(folder, WORDS, num_labels=labels, initializer_range=0.5)
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def save_embedding_model(folder: Path) -> Path:
    """The same without a head: no cross-encoder."""
    from transformers import BertModel

    save_cross_encoder(folder)
    BertModel.from_pretrained(folder).save_pretrained(folder)
    return folder
