"""Which encoder the setting ``embedding_model`` asks for."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from core.domain.encoder import Encoder
from core.encoders.onnx_int8 import OnnxEncoder
from core.encoders.openai_embeddings import PREFIX, OpenAIEncoder
from core.encoders.sentence_transformer import BUNDLED, BundledEncoder, SentenceTransformerEncoder


def make_encoder(
    name: str,
    folder: Path | None = None,
    api_key: SecretStr | None = None,
    base_url: str = "",
    threads: int = 0,
) -> Encoder:
    """The encoder for the setting ``embedding_model``.

    Args:
        folder: where the int8 copy of the bundled model is kept; without one, torch runs it.
        api_key, base_url: of the provider of models whose names begin with ``text-embedding-``.
        threads: of the bundled model's int8 copy; 0: one a core.

    Raises:
        ModelError: the model is not there or cannot be loaded.
    """
    if name.startswith(PREFIX):
        return OpenAIEncoder(name, api_key, base_url)
    if name != BUNDLED:
        return SentenceTransformerEncoder(name)
    return OnnxEncoder(folder, threads) if folder else BundledEncoder()
