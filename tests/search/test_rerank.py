"""A real, tiny cross-encoder loaded from disk as any other is, and ones that do not work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.shelves import LEAFLETS
from core.domain.vectors import Vector
from core.encoders.cross_encoder import CrossEncoderReranker
from core.errors import ModelError
from core.search.options import SearchOptions
from tests.search.models import WORDS, save_cross_encoder, save_embedding_model
from tests.search.test_retriever import add
from tests.support.shelf import Shelf, open_shelf


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_cross_encoder(tmp_path_factory.mktemp("model") / "tiny-reranker")


@pytest.fixture(scope="module")
def reranker(tiny: Path) -> CrossEncoderReranker:
    return CrossEncoderReranker(str(tiny))


class Watched:
    """The same model; keeps what it was handed."""

    def __init__(self, real: CrossEncoderReranker) -> None:
        self.real = real
        self.name = real.name
        self.calls: list[tuple[str, list[str]]] = []

    def scores(self, query: str, texts: Sequence[str]) -> Vector:
        self.calls.append((query, list(texts)))
        return self.real.scores(query, texts)


@pytest.fixture(scope="module")
def watched(reranker: CrossEncoderReranker) -> Watched:
    return Watched(reranker)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory, watched: Watched) -> Shelf:
    made = open_shelf(tmp_path_factory.mktemp("shelf"), reranker=watched)
    for number in range(30):
        word = WORDS[number % len(WORDS)]
        add(made, LEAFLETS, f"l{number}", f"{word} number {number} and {WORDS[number % 4]}")
    return made


queries = st.lists(st.sampled_from([*WORDS, "number", "unknown"]), min_size=1, max_size=4)


@pytest.mark.req("KB-8")
@given(words=queries, k=st.integers(1, 100) | st.just(0))
def test_hits_come_in_descending_reranking_score(
    shelf: Shelf, watched: Watched, words: list[str], k: int
) -> None:
    query = " ".join(words)
    k = k or SearchOptions().k
    assert SearchOptions().k == 5
    watched.calls.clear()
    result = shelf.retriever.search(query, SearchOptions(k=k))
    ((asked, texts),) = watched.calls
    assert asked == query and len(texts) == max(20, min(k, 30)), "20 candidates go in"
    assert len(result.hits) == min(k, len(texts)) and result.reranker == watched.name
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    own = watched.real.scores(query, [hit.chunk.embedding_text for hit in result.hits])
    assert scores == pytest.approx(own.tolist(), abs=1e-5)
    best = np.sort(watched.real.scores(query, texts))[::-1][:k]
    assert scores == pytest.approx(best.tolist(), abs=1e-5), "the best of those that went in"


def test_only_hybrid_mode_reranks_and_it_can_be_left_out(shelf: Shelf, watched: Watched) -> None:
    watched.calls.clear()
    for mode in ("semantic", "lexical", "exact"):
        assert shelf.retriever.search("warfarin", SearchOptions(mode=mode)).reranker == ""
    plain = shelf.retriever.search("warfarin", SearchOptions(rerank=False))
    assert plain.reranker == "" and plain.hits and watched.calls == []


def test_diverse_hits_are_still_in_the_rerankers_order(shelf: Shelf) -> None:
    result = shelf.retriever.search("warfarin", SearchOptions(diverse=True, k=4))
    scores = [hit.score for hit in result.hits]
    assert len(scores) == 4 and scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("saved", ["torch.nn.modules.activation.Sigmoid", "torch.nn.Identity", ""])
def test_the_sigmoid_is_applied_exactly_once(
    tiny: Path, tmp_path: Path, saved: str, reranker: CrossEncoderReranker
) -> None:
    """Whatever activation a model's files name."""
    from transformers import BertForSequenceClassification, BertTokenizerFast

    texts = ["warfarin bleeding", "glucose", "x"]
    tokens = BertTokenizerFast.from_pretrained(tiny)(
        ["warfarin"] * 3, texts, padding=True, return_tensors="pt"
    )
    model = BertForSequenceClassification.from_pretrained(tiny).eval()
    logits = model(**tokens).logits.detach().numpy()[:, 0]
    folder = tmp_path / "saved"
    folder.mkdir()
    for file in tiny.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    config = json.loads((folder / "config.json").read_text("utf-8"))
    if saved:
        config["sentence_transformers"] = {"activation_fn": saved}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    scores = CrossEncoderReranker(str(folder)).scores("warfarin", texts)
    assert scores == pytest.approx(1 / (1 + np.exp(-logits)), abs=1e-4)
    assert np.ptp(scores) > 0.01, "the texts differ"


def test_it_loads_at_the_first_use(tiny: Path) -> None:
    model = CrossEncoderReranker(str(tiny))
    assert not model.loaded
    assert model.scores("x", []).shape == (0,) and model.loaded


def test_a_model_that_does_not_work_costs_the_order_not_the_hits(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    save_cross_encoder(broken)
    (broken / "model.safetensors").write_bytes(b"no weights")
    many = save_cross_encoder(tmp_path / "many", labels=3)
    folders = [str(tmp_path / "missing"), str(broken), str(many)]
    folders.append(str(save_embedding_model(tmp_path / "embeds")))
    shelf = open_shelf(tmp_path / "data")
    for number in range(3):
        add(shelf, LEAFLETS, f"l{number}", f"warfarin number {number}")
    expected = shelf.retriever.search("warfarin", SearchOptions()).hits
    for name in folders:
        failing = CrossEncoderReranker(name)
        for _ in range(2):
            with pytest.raises(ModelError) as caught:
                failing.scores("warfarin", ["a", "b"])
            assert caught.value.code == "RERANKER_FAILED" and caught.value.advice
            assert str(tmp_path) not in str(caught.value)
        again = open_shelf(tmp_path / "data", reranker=failing)
        found = again.retriever.search("warfarin", SearchOptions())
        assert found.hits == expected and found.reranker == ""
        assert "RERANKER_FAILED" in found.notice
