"""Vectors in a real Chroma folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import chromadb
import numpy as np
import pytest
from chromadb.api.client import SharedSystemClient
from chromadb.config import Settings as ChromaSettings
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import Chunk
from core.domain.vectors import Vectors
from core.errors import EmbeddingMismatch, StoreError, VectorsUnavailable
from core.stores.chroma.chunks import ChromaVectors, _chroma_name, _index_name

DIMENSION = 8


def unit_vectors(count: int, seed: int = 0, dimension: int = DIMENSION) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def chunks_of(document_id: str, count: int, first_page: int = 1) -> list[Chunk]:
    """Chunk n has the id ``<document id>:n`` and stands on a page of its own."""
    return [
        Chunk(f"{document_id}:{n}", document_id, n, first_page + n, "", "", 0, 1, "x", "")
        for n in range(count)
    ]


def filled(folder: Path, index: str = "leaflets", count: int = 60) -> tuple[ChromaVectors, Vectors]:
    """A store whose vector n has the id ``doc:n``, page n + 1."""
    store = ChromaVectors(folder)
    store.ensure(index, DIMENSION, "model-a")
    vectors = unit_vectors(count)
    store.add(index, chunks_of("doc", count), vectors)
    return store, vectors


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> tuple[ChromaVectors, Vectors]:
    return filled(tmp_path_factory.mktemp("chroma"))


@pytest.mark.req("KG-2")
@given(seed=st.integers(0, 2**32 - 1), limit=st.integers(1, 80))
def test_results_come_in_descending_similarity(
    sixty: tuple[ChromaVectors, Vectors], seed: int, limit: int
) -> None:
    store, vectors = sixty
    query = unit_vectors(1, seed)[0]
    found = store.query("leaflets", query, limit)
    similarities = [similarity for _, similarity in found]
    assert similarities == sorted(similarities, reverse=True)
    assert len(found) == min(limit, 60) == len({chunk_id for chunk_id, _ in found})
    assert all(-1 <= similarity <= 1 for similarity in similarities)
    exact = vectors @ query
    for chunk_id, similarity in found:
        assert similarity == pytest.approx(float(exact[int(chunk_id[4:])]), abs=1e-4)
    assert similarities[0] == pytest.approx(float(exact.max()), abs=1e-4)


@pytest.mark.req("AX-4")
def test_a_vector_comes_back_at_its_own_id(sixty: tuple[ChromaVectors, Vectors]) -> None:
    store, vectors = sixty
    for number in range(60):
        ((chunk_id, similarity),) = store.query("leaflets", vectors[number], 1)
        assert chunk_id == f"doc:{number}" and similarity == pytest.approx(1, abs=1e-5)


def test_vectors_are_handed_out_by_id(sixty: tuple[ChromaVectors, Vectors]) -> None:
    store, vectors = sixty
    found = store.vectors("leaflets", ["doc:7", "nobody:1", "doc:2"])
    assert found.keys() == {"doc:7", "doc:2"} and store.vectors("leaflets", []) == {}
    for number in (2, 7):
        assert found[f"doc:{number}"] == pytest.approx(vectors[number], abs=1e-6)
    with pytest.raises(StoreError):
        store.vectors("nobody", ["doc:7"])


def test_a_query_within_documents_is_full_of_theirs(tmp_path: Path) -> None:
    store, _ = filled(tmp_path)
    store.add("leaflets", chunks_of("other", 9), unit_vectors(9, seed=5))
    query = unit_vectors(1, seed=6)[0]
    for wanted, count in ((["other"], 9), (["doc", "other"], 20), (["nobody"], 0), ([], 0)):
        found = store.query("leaflets", query, 20, wanted)
        assert len(found) == count
        assert {chunk_id.partition(":")[0] for chunk_id, _ in found} <= set(wanted)
    assert len(store.query("leaflets", query, 80)) == 69


def test_vectors_survive_a_restart(tmp_path: Path) -> None:
    _, vectors = filled(tmp_path)
    SharedSystemClient.clear_system_cache()  # as a new process: nothing of it is in memory
    again = ChromaVectors(tmp_path)
    again.ensure("leaflets", DIMENSION, "model-a")
    assert again.count("leaflets") == 60
    assert again.query("leaflets", vectors[7], 1)[0][0] == "doc:7"


def test_documents_are_counted_and_removed_alone(tmp_path: Path) -> None:
    store, vectors = filled(tmp_path, count=5)
    store.add("leaflets", chunks_of("other", 1), unit_vectors(1, 9))
    assert (store.count("leaflets"), store.count("leaflets", "doc")) == (6, 5)
    assert store.delete_document("leaflets", "doc") == 5
    assert (store.count("leaflets"), store.count("leaflets", "doc")) == (1, 0)
    assert store.delete_document("leaflets", "doc") == 0
    assert [chunk_id for chunk_id, _ in store.query("leaflets", vectors[0], 9)] == ["other:0"]


def test_more_vectors_than_one_batch_takes(tmp_path: Path) -> None:
    store = ChromaVectors(tmp_path)
    store.ensure("big", 2, "m")
    count = 6000  # Chroma's own limit is near 5,461
    store.add("big", chunks_of("d", count), unit_vectors(count, dimension=2))
    assert store.count("big") == count
    ids = list(store.chunk_ids("big"))
    assert sorted(ids) == sorted(f"d:{n}" for n in range(count)), "listed page by page, each once"
    store.delete_chunks("big", ids[:5500])
    assert sorted(store.chunk_ids("big")) == sorted(ids[5500:])
    assert store.delete_document("big", "d") == 500 and store.count("big") == 0


@pytest.mark.req("KB-7")
def test_indexes_are_apart(tmp_path: Path) -> None:
    store, vectors = filled(tmp_path, "a", count=3)
    store.ensure("b", DIMENSION, "model-a")
    assert store.query("b", vectors[0], 5) == [] and store.count("b") == 0
    store.add("b", chunks_of("b", 1), vectors[:1])
    assert [chunk_id for chunk_id, _ in store.query("b", vectors[0], 5)] == ["b:0"]
    assert store.count("a") == 3


@pytest.mark.parametrize("name", ["a", "ab", "Z9", "x" * 100, "with-dash_and_underscore", "end-"])
def test_index_names_become_collection_names(tmp_path: Path, name: str) -> None:
    """Chroma takes no name under three characters; an index may have one."""
    store, vectors = filled(tmp_path, name, count=2)
    assert store.query(name, vectors[1], 1)[0][0] == "doc:1"
    client = chromadb.PersistentClient(str(tmp_path), ChromaSettings(anonymized_telemetry=False))
    assert [collection.name for collection in client.list_collections()] == [
        f"materia-{name}.chunks"
    ]


@pytest.mark.req("KG-1")
@pytest.mark.parametrize(("dimension", "model"), [(DIMENSION, "model-b"), (16, "model-a")])
def test_another_model_is_named_and_changes_nothing(
    tmp_path: Path, dimension: int, model: str
) -> None:
    store, vectors = filled(tmp_path, count=3)
    with pytest.raises(EmbeddingMismatch) as caught:
        store.ensure("leaflets", dimension, model)
    words = str(caught.value)
    assert f"model-a ({DIMENSION} dimensions)" in words.replace("\n", " ")
    assert f"{model} ({dimension})" in words and "leaflets" in words
    store.ensure("leaflets", DIMENSION, "model-a")
    assert store.query("leaflets", vectors[2], 1)[0][0] == "doc:2"


@pytest.mark.req("KG-1")
def test_a_vector_of_another_dimension_is_not_taken(tmp_path: Path) -> None:
    store, _ = filled(tmp_path, count=2)
    with pytest.raises(StoreError):
        store.add("leaflets", chunks_of("x", 1), unit_vectors(1, dimension=16))
    assert store.count("leaflets") == 2


def a_file(folder: Path) -> None:
    folder.write_text("I am no folder")


def damaged(folder: Path) -> None:
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"no database at all" * 500)


def cut_short(folder: Path) -> None:
    filled(folder)
    SharedSystemClient.clear_system_cache()
    path = folder / "chroma.sqlite3"
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize("harm", [a_file, damaged, cut_short])
def test_an_unusable_folder_is_said_in_plain_words(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    folder = tmp_path / "chroma"
    harm(folder)
    store = ChromaVectors(folder)
    for call in (
        lambda: store.ensure("leaflets", DIMENSION, "model-a"),
        lambda: store.count("leaflets"),
        lambda: store.query("leaflets", unit_vectors(1)[0], 3),
        lambda: store.delete_document("leaflets", "doc"),
        lambda: store.add("leaflets", chunks_of("doc", 1), unit_vectors(1)),
        lambda: store.delete_chunks("leaflets", ["doc:0"]),
        lambda: store.drop("leaflets"),
        store.collections,
        lambda: list(store.chunk_ids("leaflets")),
    ):
        with pytest.raises(StoreError) as caught:
            call()
        assert caught.value.code == "VECTOR_STORE_UNAVAILABLE" and caught.value.retryable
        assert caught.value.advice and str(tmp_path) not in str(caught.value)


def test_it_works_again_once_the_folder_does(tmp_path: Path) -> None:
    folder = tmp_path / "chroma"
    a_file(folder)
    store = ChromaVectors(folder)
    with pytest.raises(StoreError):
        store.ensure("leaflets", DIMENSION, "model-a")
    folder.unlink()
    store.ensure("leaflets", DIMENSION, "model-a")
    assert store.count("leaflets") == 0


def test_a_collection_that_is_not_there(tmp_path: Path) -> None:
    store, _ = filled(tmp_path, count=1)
    for call in (
        lambda: store.query("nobody", unit_vectors(1)[0], 3),
        lambda: store.count("nobody"),
        lambda: store.add("nobody", chunks_of("doc", 1), unit_vectors(1)),
        lambda: store.delete_chunks("nobody", ["doc:0"]),
    ):
        with pytest.raises(StoreError) as caught:
            call()
        assert caught.value.code == "VECTORS_MISSING" and "nobody" in caught.value.message
    assert store.delete_document("nobody", "doc") == 0 and store.drop("nobody") == 0
    assert list(store.chunk_ids("nobody")) == []
    assert store.collections() == {"leaflets"}, "asking makes none"


def test_a_collection_that_was_made_anew_is_found_by_its_name(tmp_path: Path) -> None:
    store, vectors = filled(tmp_path, count=2)
    other = ChromaVectors(tmp_path)
    for name in ("new", "newer"):
        assert store.query("leaflets", vectors[0], 2)
        other.drop("leaflets")
        other.ensure("leaflets", DIMENSION, "model-a")
        other.add("leaflets", chunks_of(name, 1), vectors[:1])
        if name == "new":
            assert [key for key, _ in store.query("leaflets", vectors[0], 2)] == ["new:0"]
        assert set(store.vectors("leaflets", ["doc:0", f"{name}:0"])) == {f"{name}:0"}
    other.drop("leaflets")
    with pytest.raises(StoreError) as caught:
        store.query("leaflets", vectors[0], 2)
    assert caught.value.code == "VECTORS_MISSING"


def test_a_chunk_that_is_added_again_has_the_new_vector(tmp_path: Path) -> None:
    store, vectors = filled(tmp_path, count=4)
    store.add("leaflets", chunks_of("doc", 1), -vectors[3:])
    assert store.count("leaflets") == 4
    ((chunk_id, similarity),) = store.query("leaflets", -vectors[3], 1)
    assert chunk_id == "doc:0" and similarity == pytest.approx(1, abs=1e-5)


def test_a_vector_says_its_document_and_page_and_keeps_no_text(tmp_path: Path) -> None:
    filled(tmp_path, count=3)
    client = chromadb.PersistentClient(str(tmp_path), ChromaSettings(anonymized_telemetry=False))
    (collection,) = client.list_collections()
    stored = collection.get(include=["metadatas", "documents"])
    kept = dict(zip(stored["ids"], stored["metadatas"] or (), strict=True))
    assert kept == {f"doc:{n}": {"document": "doc", "page": n + 1} for n in range(3)}
    assert stored["documents"] in (None, [None] * 3)


# -- generations -----------------------------------------------------------------------------------


names = st.from_regex(r"[a-zA-Z][a-zA-Z0-9_-]{0,99}", fullmatch=True)


@given(index=names, generation=st.integers(1, 10**6))
def test_a_generations_name_belongs_to_its_index_alone(index: str, generation: int) -> None:
    """Chroma's name tells index and generation apart, and is one that Chroma takes."""
    for collection in (index, f"{index}@{generation}"):
        stored = _chroma_name(collection)
        assert _index_name(stored) == collection
        assert re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]", stored)


@pytest.mark.parametrize("foreign", ["other", "materia", "langchain", "x-materia-leaflets.chunks"])
def test_collections_of_others_are_not_listed(tmp_path: Path, foreign: str) -> None:
    store, _ = filled(tmp_path, count=1)
    client = chromadb.PersistentClient(str(tmp_path), ChromaSettings(anonymized_telemetry=False))
    client.create_collection(foreign)
    assert store.collections() == {"leaflets"}


@pytest.mark.req("KB-7")
def test_generations_of_an_index_are_apart(tmp_path: Path) -> None:
    store, vectors = filled(tmp_path, count=3)
    store.ensure("leaflets@1", 4, "model-b")
    store.add("leaflets@1", chunks_of("doc", 2), unit_vectors(2, dimension=4))
    assert store.collections() == {"leaflets", "leaflets@1"}
    assert (store.count("leaflets"), store.count("leaflets@1")) == (3, 2)
    assert store.query("leaflets", vectors[2], 1)[0][0] == "doc:2"
    assert store.drop("leaflets") == 3 and store.collections() == {"leaflets@1"}
    assert sorted(store.chunk_ids("leaflets@1")) == ["doc:0", "doc:1"]
    store.ensure("leaflets", 16, "model-c")
    assert store.count("leaflets") == 0, "a dropped name can be used again, for any model"


def test_many_collections_are_all_listed(tmp_path: Path) -> None:
    store = ChromaVectors(tmp_path)
    wanted = {f"index-{n}" for n in range(25)}
    for name in wanted:
        store.ensure(name, 2, "m")
    assert store.collections() == wanted


def test_a_server_that_does_not_answer(tmp_path: Path) -> None:
    with pytest.raises(VectorsUnavailable) as caught:
        ChromaVectors(tmp_path, host="127.0.0.1", port=9).count("leaflets")
    assert caught.value.retryable and "MATERIA_CHROMA_HOST" in caught.value.advice
    assert not any(tmp_path.iterdir())
