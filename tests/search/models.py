"""A tiny cross-encoder on disk, made as a real one is."""

from __future__ import annotations

from pathlib import Path

WORDS = ("warfarin", "bleeding", "metformin", "glucose", "aspirin", "pain")


def save_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """BERT of 2 layers and 32 dimensions with a classification head; random but fixed weights."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(7)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,?"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    words += [*letters, *(f"##{letter}" for letter in letters)]
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=0.5,  # outputs far enough apart to be put into an order
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer = BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(folder)
    return folder


def save_embedding_model(folder: Path) -> Path:
    """The same without a head: no cross-encoder."""
    from transformers import BertModel

    save_cross_encoder(folder)
    BertModel.from_pretrained(folder).save_pretrained(folder)
    return folder
