"""The real embedding model, another tiny one, and models that are not there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.encoders.sentence_transformer as module
from core.documents.cutting.chunks import chunk_pages
from core.domain.documents import Page, Profile
from core.encoders.factory import make_encoder
from core.encoders.sentence_transformer import (
    BUNDLED,
    BundledEncoder,
    SentenceTransformerEncoder,
)
from core.errors import ModelError
from core.workspace import Workspace
from tests.encoders.models import make_sentence_transformer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder: BERT of 2 layers, 32 dimensions, random weights."""
    return make_sentence_transformer(tmp_path_factory.mktemp("tiny"))


@pytest.mark.req("KG-1", "AX-3", "AX-7")
def test_every_text_has_384_numbers_and_length_one(bundled_encoder: BundledEncoder) -> None:
    """100 texts drawn by Hypothesis, embedded in one call."""
    texts = ["", " ", "\x00", "a", "🩺", "word " * 2000, "<b>x</b>", "Metformin 500 mg"]

    @given(st.text(max_size=120))
    def draw(text: str) -> None:
        texts.append(text)

    draw()
    assert len(texts) >= 100
    vectors = bundled_encoder.encode(texts)
    assert vectors.shape == (len(texts), 384) == (len(texts), bundled_encoder.dimension)
    assert vectors.dtype == np.float32 and bool(np.isfinite(vectors).all())
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)


@pytest.mark.req("AX-7", "AX-4")
def test_a_query_and_a_document_of_the_same_text_agree(bundled_encoder: BundledEncoder) -> None:
    """Alone or in a batch, in any order: the same text has the same vector."""
    texts = ["warfarin", "Do not take metformin with severe kidney disease. " * 5, "dose"]
    together = bundled_encoder.encode(texts)
    for text, vector in zip(texts, together, strict=True):
        assert bundled_encoder.encode([text])[0] == pytest.approx(vector, abs=1e-5)
    assert bundled_encoder.encode(texts[::-1])[::-1] == pytest.approx(together, abs=1e-5)


def test_meaning(bundled_encoder: BundledEncoder) -> None:
    query, near, far = bundled_encoder.encode(
        ["high blood sugar", "raised glucose in diabetes", "a broken bicycle"]
    )
    assert query @ near > query @ far + 0.2


def test_no_text_no_vector(bundled_encoder: BundledEncoder) -> None:
    assert bundled_encoder.encode([]).shape == (0, 384)


def test_tokens_are_counted_as_the_model_cuts_them(bundled_encoder: BundledEncoder) -> None:
    assert bundled_encoder.count_tokens([]) == []
    assert bundled_encoder.count_tokens(["", "warfarin"])[0] == 2, "the special tokens"
    assert bundled_encoder.max_tokens == 256
    (long,) = bundled_encoder.count_tokens(["dose " * 1000])
    assert long == 1002, "nothing is cut off when counting"
    fitting, more = "dose " * 254, "dose " * 254 + "never take this with alcohol"
    vectors = bundled_encoder.encode([fitting, more])
    assert vectors[0] == pytest.approx(vectors[1], abs=1e-5), "what is beyond is not read"


@pytest.mark.req("KB-4")
def test_no_chunk_is_longer_than_the_model_reads(bundled_encoder: BundledEncoder) -> None:
    dense = "Acetylsalicylsäure/5-Fluoruracil 12,5 mg/m² (β-Lactam) — " * 200
    for profile in Profile:
        chunks = chunk_pages(
            [Page(1, dense)],
            profile,
            document_id="d",
            title="A title of some length",
            count_tokens=bundled_encoder.count_tokens,
            max_tokens=bundled_encoder.max_tokens,
        )
        counts = bundled_encoder.count_tokens([chunk.embedding_text for chunk in chunks])
        assert max(counts) <= 256 and len(counts) > 10


def test_the_bundled_model_is_the_default_and_loads_late() -> None:
    encoder = make_encoder(BUNDLED)
    assert isinstance(encoder, BundledEncoder) and not encoder.loaded
    assert (encoder.name, encoder.dimension) == ("all-MiniLM-L6-v2", 384)
    assert encoder.count_tokens(["warfarin"])[0] > 2 and not encoder.loaded


def test_other_weights_under_the_same_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUNDLED_SHA256", "0" * 64)
    encoder = BundledEncoder()
    with pytest.raises(ModelError) as caught:
        encoder.encode(["text"])
    assert caught.value.code == "EMBEDDING_MODEL_MISSING" and "weights" in str(caught.value)
    assert not encoder.loaded


@pytest.mark.req("KG-1", "AX-3", "KB-3")
def test_another_model_has_its_own_dimension(tiny_model: Path) -> None:
    encoder = make_encoder(str(tiny_model))
    assert isinstance(encoder, SentenceTransformerEncoder) and encoder.loaded
    assert (encoder.dimension, encoder.max_tokens) == (32, 48)
    texts = ["warfarin", "metformin", "", "x " * 500]
    vectors = encoder.encode(texts)
    assert vectors.shape == (4, 32) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert encoder.count_tokens(["warfarin", "x " * 500]) == [3, 502]
    assert encoder.encode([]).shape == (0, 32)


@pytest.mark.req("KB-3", "KG-1")
def test_an_index_of_another_model_has_that_models_dimension(
    tiny_model: Path,
    make_workspace: Callable[..., Workspace],
    pdf: Callable[..., Path],
    tmp_path: Path,
) -> None:
    path = pdf("a.pdf", "warfarin and metformin " * 40)
    model = tmp_path / "model"
    shutil.copytree(tiny_model, model)
    workspace = make_workspace(embedding_model=str(model))
    result = workspace.library.ingest(path)
    assert result.state == "ready" and result.chunks > 1
    (index,) = workspace.library_store.indexes()
    assert (index.dimension, index.model) == (32, str(model))
    workspace.close()
    model.rename(tmp_path / "moved")
    changed = make_workspace()
    refused = changed.library.ingest(path)
    assert refused.code == "EMBEDDING_MISMATCH"
    assert "32" in refused.message and "384" in refused.message and BUNDLED in refused.message


@pytest.mark.parametrize("kind", ["nowhere", "empty folder", "no such name", "a file"])
def test_a_missing_model_is_said_in_plain_words(tmp_path: Path, kind: str) -> None:
    name = str(tmp_path / "model")
    if kind == "empty folder":
        Path(name).mkdir()
    elif kind == "a file":
        Path(name).write_text("no model")
    elif kind == "no such name":
        name = "nobody/no-such-model"
    with pytest.raises(ModelError) as caught:
        make_encoder(name)
    words = str(caught.value)
    assert caught.value.code == "EMBEDDING_MODEL_MISSING" and "MATERIA_EMBEDDING_MODEL" in words
    assert "Traceback" not in words and "Error(" not in words


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    program = (
        "import sys, core.workspace, core.cli\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'chromadb', 'openai',"
        " 'streamlit'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"


def test_threads_that_encode_at_once_get_their_own_vectors(
    bundled_encoder: BundledEncoder,
) -> None:
    texts = [[f"{name} {number} mg" for number in range(24)] for name in ("metformin", "warfarin")]
    alone = [bundled_encoder.encode(part) for part in texts]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(bundled_encoder.encode, texts * 3))
    for number, vectors in enumerate(together):
        assert np.allclose(vectors, alone[number % 2], atol=1e-5)
