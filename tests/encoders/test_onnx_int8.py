"""The int8 copy: how near it is to the original, and what happens when it is damaged."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders import onnx_int8
from core.encoders.factory import make_encoder
from core.encoders.onnx_int8 import OnnxEncoder
from core.encoders.sentence_transformer import BUNDLED, BundledEncoder
from core.errors import ModelError

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    "warfarin 5 mg",
    "Nehmen Sie das Arzneimittel nicht mit Alkohol ein. " * 5,
    "What is the maximum dose of metformin?",
    "Take one tablet with water. " * 80,
    "Very common (≥ 1/10): nausea, vomiting, diarrhoea",
] * 4


@pytest.mark.req("AX-7")
def test_vectors_are_those_of_the_original(
    onnx_models: Path, bundled_encoder: BundledEncoder
) -> None:
    encoder = make_encoder(BUNDLED, onnx_models)
    assert isinstance(encoder, OnnxEncoder) and not encoder.loaded
    assert encoder.count_tokens(["warfarin"]) == bundled_encoder.count_tokens(["warfarin"])
    assert not encoder.loaded
    vectors, original = encoder.encode(TEXTS), bundled_encoder.encode(TEXTS)
    assert encoder.loaded and encoder.runtime == "ONNX int8"
    assert vectors.shape == original.shape and vectors.dtype == np.float32
    cosines = (vectors * original).sum(axis=1)
    assert cosines.mean() >= 0.99 and cosines.min() >= 0.95
    best = (vectors[:5] @ original[:5].T).argmax(axis=1)
    assert best.tolist() == [0, 1, 2, 3, 4], "the order is that of the texts"
    assert encoder.encode([]).shape == (0, 384)
    for text, vector in zip(TEXTS[:5], vectors, strict=False):
        (read,) = encoder.encode_tokens([text])
        assert np.array_equal(encoder.encode([text])[0], vector), "alone as among others"
        assert np.array_equal(read.vector, vector) and len(read.tokens) == len(read.spans)


@pytest.mark.req("AX-3")
def test_every_vector_has_length_one(onnx_models: Path) -> None:
    encoder = OnnxEncoder(onnx_models)

    @given(st.lists(st.text(max_size=80), min_size=1, max_size=3))
    def check(texts: list[str]) -> None:
        vectors = encoder.encode(texts)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)

    check()


def test_the_shipped_copy_is_what_the_weights_give(
    tmp_path: Path, bundled_encoder: BundledEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made anew by the program of the child process, which checks it against the weights; here, where torch
    is loaded already."""
    made = tmp_path / "made.onnx"
    monkeypatch.setattr(sys, "argv", [onnx_int8._CHILD, str(bundled_encoder.folder), str(made)])
    runpy.run_module(onnx_int8._CHILD, run_name="__main__")
    tokenizer = bundled_encoder.folder / "tokenizer.json"
    anew, shipped = (
        onnx_int8.OnnxSession(path, tokenizer, 256).encode(TEXTS[:5])
        for path in (made, onnx_int8.SHIPPED)
    )
    assert (anew * shipped).sum(axis=1).min() >= 0.9999


def test_where_the_shipped_copy_is_damaged_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a process that hands out the shipped one: making takes 20 seconds. A damaged one is made again."""
    whole = onnx_int8.SHIPPED.read_bytes()
    (tmp_path / "stand_in.py").write_text(
        f"import shutil, sys\nshutil.copyfile({str(onnx_int8.SHIPPED)!r}, sys.argv[2])\n"
    )
    damaged = tmp_path / onnx_int8.SHIPPED.name
    damaged.write_bytes(whole[:1000])
    monkeypatch.setattr(onnx_int8, "SHIPPED", damaged)
    monkeypatch.setattr(onnx_int8, "_CHILD", "stand_in")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder = tmp_path / "models"
    for _ in range(2):
        encoder = OnnxEncoder(folder)
        encoder.encode(["warfarin"])
        assert encoder.runtime == "ONNX int8" and encoder.path.read_bytes() == whole
        assert not list(folder.glob("making-*"))
        encoder.path.write_bytes(whole[: len(whole) // 2])


def test_a_question_is_read_in_the_middle_of_a_file(onnx_models: Path) -> None:
    encoder = OnnxEncoder(onnx_models)
    encoder.encode(["warfarin"])
    done: list[str] = []

    def read_file() -> None:
        encoder.encode([f"{TEXTS[3]} {number}" for number in range(40)])
        done.append("file")

    file = threading.Thread(target=read_file)
    file.start()
    encoder.encode(["What is the maximum dose of aspirin?"])
    done.append("question")
    file.join()
    assert done == ["question", "file"]


def test_one_text_that_fails_ends_the_work_and_holds_up_nobody(
    onnx_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = OnnxEncoder(onnx_models, threads=2)
    encoder.encode(["warfarin"])
    session = encoder._session
    assert session is not None
    real, read = session._run, []

    def failing(item: Any, *outputs: str) -> list[Any]:
        read.append(len(item.ids))
        if len(read) == 3:
            raise IndexError("out of range")
        return real(item, *outputs)

    with monkeypatch.context() as patched:
        patched.setattr(session, "_run", failing)
        with pytest.raises(ModelError) as told:
            encoder.encode(TEXTS)
    assert told.value.code == "EMBEDDING_FAILURE" and len(read) <= 4 < len(TEXTS)
    assert encoder.encode(TEXTS).shape == (len(TEXTS), 384)


def test_a_short_text_is_not_padded(onnx_models: Path) -> None:
    """Padded to the 128 tokens that the tokenizer's file asks for, a question takes ten times as long."""
    encoder = OnnxEncoder(onnx_models)
    encoder.encode(["warfarin"])
    assert encoder._session is not None
    read = encoder._session._tokenizer.encode("warfarin")
    assert [len(read.ids)] == encoder.count_tokens(["warfarin"])


def test_without_a_place_for_the_copy_torch_takes_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_int8, "SHIPPED", tmp_path / "gone.onnx")
    (tmp_path / "file").write_text("no folder")
    encoder = OnnxEncoder(tmp_path / "file")
    assert encoder.encode(["warfarin"]).shape == (1, 384)
    assert encoder.runtime == "torch"


def test_torch_is_not_imported(onnx_models: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom core.encoders.onnx_int8 import OnnxEncoder\n"
        "before = 'onnxruntime' in sys.modules\n"
        "OnnxEncoder(Path(sys.argv[1])).encode(['warfarin'])\n"
        "print(before, bool({'torch', 'transformers'} & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(onnx_models)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split()[-2:] == ["False", "False"]
