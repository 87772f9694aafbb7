"""An index goes over to another embedding model: the old vectors serve until the new ones do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.documents.library.outcomes import Progress
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import Index, Profile
from core.errors import Cancelled, Conflict, ModelError, StoreError
from core.search.options import MODES, SearchOptions
from core.stores.chroma.chunks import ChromaVectors
from tests.support.fakes import FailingEncoder, FailingVectors, HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import Shelf, open_shelf, text_file

ROOT = Path(__file__).resolve().parents[3]
OTHER = "hash-24"
ALL = ["a.txt", "b.txt", "c.txt"]


def encoder_of(index: Index) -> HashEncoder:
    return HashEncoder(index.model, index.dimension)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of three texts (more than one batch of chunks), made with ``hash-16``."""
    made = tmp_path_factory.mktemp("made") / "data"
    shelf = open_shelf(made)
    for name in ALL:
        text = f"{name[0]}word. {leaflet_text('warfarin', 300)}"
        path = text_file(made.parent / "source", name, text)
        assert shelf.library.ingest(path).code == "OK"
    assert shelf.rows()["chunks"] > 256
    shelf.database.close()
    return made


@pytest.fixture
def folder(made: Path, workspace_dir: Path) -> Path:
    """The test's own copy of it."""
    shutil.copytree(made, workspace_dir, dirs_exist_ok=True)
    return workspace_dir


def other_shelf(folder: Path, *, max_tokens: int = 256) -> Shelf:
    """The same library, with another model configured."""
    encoder = HashEncoder(OTHER, dimension=24, max_tokens=max_tokens)
    return open_shelf(folder, encoder=encoder, encoder_of=encoder_of)


def served_by(shelf: Shelf) -> tuple[str, int, int]:
    index = shelf.store.index(LEAFLETS)
    assert index is not None
    return index.model, index.dimension, index.generation


def found_everywhere(shelf: Shelf) -> None:
    """Every document is found by its words, and a chunk of it by its own vector."""
    for document in shelf.store.documents():
        chunk = shelf.store.document_chunks(document.id)[0]
        for mode in ("hybrid", "semantic"):
            options = SearchOptions(k=1, mode=mode)
            (hit,) = shelf.retriever.search(chunk.embedding_text, options).hits
            assert hit.chunk == chunk and hit.similarity == pytest.approx(1, abs=1e-4)
        (hit,) = shelf.retriever.search(
            f"{document.file[0]}word", SearchOptions(mode="lexical")
        ).hits
        assert hit.chunk == chunk


def state(shelf: Shelf) -> object:
    """All that must be the same after an attempt that did not succeed."""
    chunks = list(shelf.store.all_chunks())
    mentions = shelf.store.mentions_of_chunks([chunk.id for chunk in chunks])
    vectors = {name: sorted(shelf.vectors.chunk_ids(name)) for name in shelf.vectors.collections()}
    return shelf.store.indexes(), chunks, mentions, vectors, shelf.store.documents()


def test_the_old_vectors_serve_until_the_new_ones_do(folder: Path) -> None:
    shelf = other_shelf(folder)
    chunks = list(shelf.store.all_chunks())
    mentions = shelf.store.mentions_of_chunks([chunk.id for chunk in chunks])
    seen: list[tuple[int, int]] = []

    def search(progress: Progress) -> None:
        seen.append((progress.chunks, progress.total))
        assert served_by(shelf) == ("hash-16", 16, 0)
        found_everywhere(shelf)

    assert shelf.indexes.describe(LEAFLETS).needs_embedding
    index = shelf.indexes.re_embed(LEAFLETS, report=search)
    assert len(seen) > 1 and seen[0] == (0, len(chunks)) and seen[1][0] > 0
    assert (index.model, index.dimension, index.generation) == served_by(shelf) == (OTHER, 24, 1)
    assert shelf.vectors.collections() == {index.collection} == {f"{LEAFLETS}@1"}
    assert list(shelf.store.all_chunks()) == chunks, "they fit, so they are not cut again"
    assert shelf.store.mentions_of_chunks([chunk.id for chunk in chunks]) == mentions
    found_everywhere(shelf)
    for chunk in chunks[::40]:
        vector = HashEncoder(OTHER, dimension=24).encode([chunk.embedding_text])[0]
        assert shelf.vectors.query(index.collection, vector, 1)[0][1] == pytest.approx(1, abs=1e-4)
    assert not shelf.indexes.describe(LEAFLETS).needs_embedding
    assert shelf.verifier.run().findings == ()
    path = text_file(folder.parent / "source", "d.txt", f"dword. {leaflet_text('warfarin')}")
    assert shelf.library.ingest(path).code == "OK"
    found_everywhere(shelf)


@pytest.mark.req("KB-4")
@pytest.mark.parametrize("profile", Profile)
def test_chunks_too_long_for_the_new_model_are_cut_again(
    workspace_dir: Path, profile: Profile
) -> None:
    first = open_shelf(workspace_dir)
    first.indexes.create("papers", profile)
    source = workspace_dir.parent / "source"
    for name in ("long.txt", "short.txt"):
        text = leaflet_text("warfarin", 20 if name == "long.txt" else 1)[:9000]
        short = text if name == "long.txt" else "Aspirin."
        assert first.library.ingest(text_file(source, name, short), index="papers").code == "OK"
    pages = {d.file: first.store.pages(d.id) for d in first.store.documents()}
    shelf = other_shelf(workspace_dir, max_tokens=40)
    index = shelf.indexes.re_embed("papers")
    encoder = HashEncoder(OTHER, dimension=24, max_tokens=40)
    for document in shelf.store.documents():
        chunks = shelf.store.document_chunks(document.id)
        assert len(chunks) == document.chunks
        assert max(encoder.count_tokens([chunk.embedding_text for chunk in chunks])) <= 40
        assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
        (page,) = shelf.store.pages(document.id)
        assert [page] == pages[document.file], "the text itself is what it was"
        for chunk in chunks:
            assert chunk.text == page.text[chunk.start : chunk.end]
        named = sum(chunk.text.casefold().count("warfarin") for chunk in chunks)
        mentioned = shelf.store.mentions_of_document(document.id).get("DB:warfarin", 0)
        assert mentioned == named
    assert {d.file: d.chunks > 20 for d in shelf.store.documents()} == {
        "long.txt": True,
        "short.txt": False,
    }
    assert shelf.vectors.count(index.collection) == shelf.store.count_chunks(["papers"])
    assert shelf.found("warfarin") == {mode: ["long.txt"] for mode in MODES}
    assert shelf.verifier.run().findings == ()


def test_it_can_be_done_again_and_back(folder: Path) -> None:
    for generation, shelf in enumerate((other_shelf(folder), open_shelf(folder)), 1):
        index = shelf.indexes.re_embed(LEAFLETS)
        assert index.generation == generation
        assert shelf.vectors.collections() == {index.collection}
        found_everywhere(shelf)
        assert shelf.verifier.run().findings == ()


def test_a_document_deleted_meanwhile_leaves_no_vector(folder: Path) -> None:
    shelf = other_shelf(folder, max_tokens=60)
    ids = {document.file: document.id for document in shelf.store.documents()}
    receipts = []

    def delete(progress: Progress) -> None:
        # One that has new vectors already, then one that may have some.
        if progress.chunks and len(receipts) < 2:
            name = ALL[len(receipts)]
            receipts.append(shelf.library.delete(ids[name]))

    index = shelf.indexes.re_embed(LEAFLETS, report=delete)
    assert [receipt.left for receipt in receipts] == [0, 0] and shelf.names() == ["c.txt"]
    assert {chunk.partition(":")[0] for chunk in shelf.vectors.chunk_ids(index.collection)} == {
        ids["c.txt"]
    }
    assert all(shelf.store.count_document_rows(ids[name]) == 0 for name in ALL[:2])
    found_everywhere(shelf)
    assert shelf.verifier.run().findings == ()


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize("deed", ["re_embed", "delete"])
def test_a_search_that_is_overtaken(folder: Path, mode: str, deed: str) -> None:
    """The index that it has looked up is served by other vectors, or gone, when it asks for them."""
    vectors = FailingVectors(ChromaVectors(folder / "chroma"))
    encoder = HashEncoder(OTHER, dimension=24)
    shelf = open_shelf(folder, encoder=encoder, vectors=vectors, encoder_of=encoder_of)
    chunk = shelf.store.document_chunks(shelf.store.documents()[1].id)[5]
    change = shelf.indexes.re_embed if deed == "re_embed" else shelf.indexes.delete
    vectors.before_query = lambda: change(LEAFLETS)
    result = shelf.retriever.search(chunk.embedding_text, SearchOptions(k=1, mode=mode))
    found = [(hit.chunk, round(hit.similarity, 3)) for hit in result.hits]
    assert found == ([(chunk, 1.0)] if deed == "re_embed" else [])


def test_nothing_is_added_meanwhile(folder: Path) -> None:
    shelf = other_shelf(folder)
    path = text_file(folder.parent / "source", "d.txt", "warfarin d")
    codes = set()

    def add(_: Progress) -> None:
        codes.add(shelf.library.ingest(path).code)
        for call in (shelf.indexes.re_embed, shelf.indexes.delete):
            with pytest.raises(Conflict):
                call(LEAFLETS)

    shelf.indexes.re_embed(LEAFLETS, report=add)
    assert codes <= {"EMBEDDING_MISMATCH", "INDEX_BUSY"} and shelf.names() == ALL
    assert shelf.library.ingest(path).code == "OK"


def test_cancelling_changes_nothing(folder: Path) -> None:
    shelf = other_shelf(folder, max_tokens=60)
    before = state(shelf)
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(shelf.vectors.count(f"{LEAFLETS}@1"))
        return asked[-1] > 0

    with pytest.raises(Cancelled):
        shelf.indexes.re_embed(LEAFLETS, cancelled=cancelled)
    assert asked == [0, 256], "a part was there already, or this proves nothing"
    assert state(shelf) == before and not shelf.library.in_work.is_changing(LEAFLETS)
    assert not any((folder / "incoming").iterdir())
    found_everywhere(shelf)


@pytest.mark.parametrize(
    "error", [ModelError("It failed."), RuntimeError("cheese"), KeyboardInterrupt()]
)
def test_a_model_that_fails_changes_nothing(folder: Path, error: BaseException) -> None:
    failing = FailingEncoder(2, error, OTHER)
    shelf = open_shelf(folder, encoder=failing, encoder_of=encoder_of)
    before = state(shelf)
    with pytest.raises(type(error)):
        shelf.indexes.re_embed(LEAFLETS)
    assert failing.batches == 2 and state(shelf) == before
    found_everywhere(other_shelf(folder))
    assert shelf.verifier.run().findings == ()


def test_a_vector_store_that_fails_changes_nothing(folder: Path) -> None:
    vectors = FailingVectors(ChromaVectors(folder / "chroma"), at_add=2)
    encoder = HashEncoder(OTHER, dimension=24)
    shelf = open_shelf(folder, encoder=encoder, vectors=vectors, encoder_of=encoder_of)
    before = state(shelf)
    with pytest.raises(StoreError):
        shelf.indexes.re_embed(LEAFLETS)
    assert state(shelf) == before
    found_everywhere(shelf)
    assert shelf.indexes.re_embed(LEAFLETS).generation == 1
    found_everywhere(shelf)


def test_mentions_that_fail_change_nothing(folder: Path) -> None:
    """The last step before the swap: the vectors that serve must not be the ones that are dropped."""
    shelf = other_shelf(folder, max_tokens=60)
    before = state(shelf)

    def fails(_: str) -> dict[str, int]:
        raise StoreError("The graph is away.")

    shelf.library.count_mentions = fails
    with pytest.raises(StoreError):
        shelf.indexes.re_embed(LEAFLETS)
    assert state(shelf) == before
    found_everywhere(shelf)
    assert shelf.verifier.run().findings == ()


_KILLED = """
import os, sys
from pathlib import Path
from core.stores.chroma.chunks import ChromaVectors
from tests.support.fakes import HashEncoder
from tests.support.shelf import open_shelf

class DyingEncoder(HashEncoder):
    def encode(self, texts):
        if self.batches == 1 and sys.argv[2] == "embedding":
            os._exit(9)
        return super().encode(texts)

class DyingVectors(ChromaVectors):
    def drop(self, collection):
        if collection == "leaflets" and sys.argv[2] == "swapped":
            os._exit(9)
        return super().drop(collection)

folder = Path(sys.argv[1])
shelf = open_shelf(
    folder, encoder=DyingEncoder("hash-24", 24), vectors=DyingVectors(folder / "chroma")
)
shelf.indexes.re_embed("leaflets")
"""


@pytest.mark.parametrize("moment", ["embedding", "swapped"])
def test_a_process_killed_on_the_way(folder: Path, moment: str) -> None:
    program = [sys.executable, "-c", _KILLED, str(folder), moment]
    assert subprocess.run(program, cwd=ROOT, timeout=60, check=False).returncode == 9
    shelf = other_shelf(folder)
    assert shelf.vectors.collections() == {LEAFLETS, f"{LEAFLETS}@1"}
    expected = ("hash-16", 16, 0) if moment == "embedding" else (OTHER, 24, 1)
    assert served_by(shelf) == expected
    found_everywhere(shelf)
    assert shelf.library.recover() == []
    assert shelf.vectors.collections() == {LEAFLETS if moment == "embedding" else f"{LEAFLETS}@1"}
    assert served_by(shelf) == expected and shelf.verifier.run().findings == ()
    found_everywhere(shelf)
