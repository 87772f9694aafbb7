"""Files in, on real stores: counts agree everywhere, and every chunk knows where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import chromadb
import pytest
from chromadb.config import Settings as ChromaSettings

from core.documents.cutting.filling import EMBED_BATCH
from core.documents.library.outcomes import Progress
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import DocumentState, Profile
from core.errors import EmbeddingMismatch, NotFound
from core.search.options import SearchOptions
from tests.support.fakes import HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import NOTHING, Shelf, open_shelf

MakePdf = Callable[..., Path]
LONG = tuple(leaflet_text("warfarin", 18) for _ in range(32))  # more than one batch of chunks


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


@pytest.mark.req("PR-2", "KB-5")
def test_reported_chunks_are_what_every_store_holds(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("Warfarin.pdf", leaflet_text("warfarin"), leaflet_text("aspirin", 12))
    result = shelf.library.ingest(path)
    assert (result.state, result.code, result.pages) == ("ready", "OK", 2)
    assert result.chunks >= 4 and result.seconds > 0 and result.file == "Warfarin.pdf"
    rows = shelf.rows()
    assert rows["vectors"] == rows["chunks"] == rows["full text"] == result.chunks
    assert (rows["documents"], rows["pages"], rows["files"]) == (1, 2, 1)
    document = shelf.store.document(result.document_id)
    assert document is not None and document.state is DocumentState.READY
    assert (document.chunks, document.pages) == (result.chunks, 2)
    assert shelf.store.count_chunks([LEAFLETS]) == result.chunks


@pytest.mark.req("PR-2")
def test_every_vector_knows_source_page_and_place(shelf: Shelf, pdf: MakePdf) -> None:
    first = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin"), leaflet_text("aspirin")))
    second = shelf.library.ingest(pdf("b.pdf", leaflet_text("ibuprofen")))
    client = chromadb.PersistentClient(
        str(shelf.folder / "chroma"), ChromaSettings(anonymized_telemetry=False)
    )
    (collection,) = client.list_collections()
    stored = collection.get(include=["metadatas"])
    pages = dict(zip(stored["ids"], stored["metadatas"] or (), strict=True))
    for result in (first, second):
        chunks = shelf.store.document_chunks(result.document_id)
        assert [chunk.position for chunk in chunks] == list(range(result.chunks))
        for chunk in chunks:
            assert chunk.id == f"{result.document_id}:{chunk.position}"
            assert pages.pop(chunk.id) == {"document": result.document_id, "page": chunk.page}
    assert not pages


@pytest.mark.req("PR-1")
def test_every_character_of_a_stored_page_is_in_a_chunk(shelf: Shelf, pdf: MakePdf) -> None:
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin", 18), "", "Short last page"))
    assert result.chunks >= 1
    chunks = shelf.store.document_chunks(result.document_id)
    pages = shelf.store.pages(result.document_id)
    assert [page.number for page in pages] == [1, 2, 3]
    for page in pages:
        covered = [False] * len(page.text)
        for chunk in chunks:
            if chunk.page == page.number:
                assert chunk.text == page.text[chunk.start : chunk.end]
                covered[chunk.start : chunk.end] = [True] * (chunk.end - chunk.start)
        missed = "".join(c for c, seen in zip(page.text, covered, strict=True) if not seen)
        assert missed.strip() == ""
    assert {chunk.page for chunk in chunks} == {1, 3}


@pytest.mark.req("AX-4")
def test_a_chunk_is_found_by_its_own_vector(shelf: Shelf, pdf: MakePdf) -> None:
    encoder = HashEncoder()
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin", 20), leaflet_text("x", 9)))
    for chunk in shelf.store.document_chunks(result.document_id):
        vector = encoder.encode([chunk.embedding_text])[0]
        nearest = shelf.vectors.query(LEAFLETS, vector, 1)
        assert nearest[0][1] == pytest.approx(1.0, abs=1e-4)
        found, _ = shelf.store.chunks_by_id([nearest[0][0]])[nearest[0][0]]
        assert found.embedding_text == chunk.embedding_text


def test_mentions_are_kept_by_chunk(shelf: Shelf, pdf: MakePdf) -> None:
    result = shelf.library.ingest(pdf("a.pdf", "Warfarin and aspirin. Warfarin again."))
    assert shelf.store.mentions_of_chunks([f"{result.document_id}:0"]) == {
        f"{result.document_id}:0": {"DB:warfarin": 2, "DB:aspirin": 1}
    }
    ((document, times),) = shelf.store.documents_mentioning("DB:warfarin")
    assert (document.id, times) == (result.document_id, 2)


def test_progress_is_told(shelf: Shelf, pdf: MakePdf) -> None:
    seen: list[Progress] = []
    result = shelf.library.ingest(pdf("a.pdf", *LONG), report=seen.append)
    assert result.chunks > EMBED_BATCH
    assert seen[0].stage == "reading" and seen[-1].stage == "ready"
    assert seen[-1].chunks == seen[-1].total == result.chunks and seen[-1].pages == len(LONG)
    done = [progress.chunks for progress in seen if progress.stage == "embedding"]
    assert done == list(range(0, result.chunks, EMBED_BATCH))


def test_the_same_bytes_are_recognised_under_any_name(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("first.pdf", leaflet_text("warfarin"))
    first = shelf.library.ingest(path)
    before = shelf.rows()
    again = shelf.library.ingest(path, name="second.pdf")
    assert (again.state, again.code) == ("ready", "ALREADY_PRESENT")
    assert again.document_id == first.document_id and "first.pdf" in again.message
    assert (again.pages, again.chunks) == (first.pages, first.chunks)
    assert shelf.rows() == before
    assert [document.file for document in shelf.store.documents()] == ["first.pdf"]


def test_the_same_text_in_two_files_is_two_documents(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("one.pdf", leaflet_text("warfarin"))
    copy = path.with_name("two.pdf")
    copy.write_bytes(path.read_bytes() + b"\n% saved again\n")
    one, two = shelf.library.ingest(path), shelf.library.ingest(copy)
    assert one.document_id != two.document_id and two.code == "OK"
    assert shelf.rows()["vectors"] == one.chunks + two.chunks
    receipt = shelf.library.delete(one.document_id)
    assert receipt.left == 0 and receipt.vectors == one.chunks
    assert shelf.rows()["vectors"] == shelf.rows()["full text"] == two.chunks
    hits = shelf.retriever.search("warfarin", SearchOptions(k=100)).hits
    assert hits and {hit.document.id for hit in hits} == {two.document_id}


def test_a_deleted_file_can_come_back(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("a.pdf", leaflet_text("warfarin"))
    first = shelf.library.ingest(path)
    shelf.library.delete(first.document_id)
    again = shelf.library.ingest(path)
    assert again.code == "OK" and again.document_id != first.document_id
    assert shelf.rows()["vectors"] == again.chunks


def test_the_library_survives_being_closed(shelf: Shelf, pdf: MakePdf) -> None:
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin")))
    before = shelf.rows()
    shelf.database.close()
    again = open_shelf(shelf.folder)
    assert again.library.recover() == [] and again.rows() == before
    assert again.store.documents()[0].id == result.document_id
    assert again.library.original(result.document_id) is not None


# -- models and pages ------------------------------------------------------------------------------


@pytest.mark.req("KG-1")
def test_another_model_is_refused_by_name(shelf: Shelf, pdf: MakePdf) -> None:
    shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin")))
    before = shelf.rows()
    for encoder in (HashEncoder("other-16"), HashEncoder("hash-16", dimension=8)):
        other = open_shelf(shelf.folder, encoder=encoder)
        with pytest.raises(EmbeddingMismatch) as caught:
            other.library.ensure_index(LEAFLETS, Profile.LEAFLET)
        assert "hash-16 (16 dimensions)" in str(caught.value)
        assert f"{encoder.name} ({encoder.dimension})" in str(caught.value)
        result = other.library.ingest(pdf("b.pdf", leaflet_text("aspirin")))
        assert (result.state, result.code) == ("failed", "EMBEDDING_MISMATCH")
    assert shelf.rows() == before


def test_a_page_is_drawn_with_its_mark(shelf: Shelf, pdf: MakePdf) -> None:
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin"), "Second page"))
    plain = shelf.library.page_image(result.document_id, 1)
    marked = shelf.library.page_image(result.document_id, 1, [(0, 40)])
    assert plain.startswith(b"\x89PNG") and marked.startswith(b"\x89PNG") and plain != marked
    with pytest.raises(NotFound):
        shelf.library.page_image(result.document_id, 3)
    shelf.library.delete(result.document_id)
    with pytest.raises(NotFound):
        shelf.library.page_image(result.document_id, 1)


def test_metadata_and_a_readable_title(shelf: Shelf, pdf: MakePdf) -> None:
    result = shelf.library.ingest(pdf("mahi_Metformin.pdf", "Take with a meal."))
    document = shelf.store.document(result.document_id)
    assert document is not None and document.title == "mahi Metformin"
    assert re.fullmatch(r"[0-9a-f]{64}", document.sha256)


def test_a_real_leaflet(shelf: Shelf, shared_data: Path) -> None:
    path = shared_data / "pdfs" / "drug" / "mahi_Ibuprofen.pdf"
    result = shelf.library.ingest(path)
    assert result.state == "ready" and result.pages >= 1
    rows = shelf.rows()
    assert rows["vectors"] == rows["full text"] == result.chunks
    assert shelf.library.delete(result.document_id).left == 0 and shelf.rows() == NOTHING
