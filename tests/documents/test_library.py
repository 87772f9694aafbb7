"""Files in, files out, on real stores: counts agree, and nothing is ever half-stored."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import chromadb
import pytest
from chromadb.config import Settings as ChromaSettings

from core.documents.library import ABSTRACTS, LEAFLETS, Progress
from core.domain.documents import Document, DocumentState, IngestResult, Page, Profile
from core.errors import DocumentError, EmbeddingMismatch, ModelError, NotFound
from core.search.retriever import MODES, SearchOptions
from core.stores.chroma import ChromaVectors
from tests.fakes import FailingEncoder, FailingVectors, HashEncoder
from tests.pdfs import leaflet_text
from tests.shelf import Shelf, open_shelf

MakePdf = Callable[..., Path]
ROOT = Path(__file__).resolve().parents[2]
NOTHING = dict.fromkeys(
    ("documents", "pages", "chunks", "mentions", "full text", "vectors", "files"), 0
)
LONG = tuple(leaflet_text("warfarin", 18) for _ in range(16))  # more than one batch of chunks


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


def everything_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def searched(shelf: Shelf, word: str) -> dict[str, list[str]]:
    """Mode -> texts of the hits that hold the word."""
    return {
        mode: [
            hit.chunk.text
            for hit in shelf.retriever.search(word, SearchOptions(k=100, mode=mode)).hits
            if word in hit.chunk.text
        ]
        for mode in MODES
    }


# -- in --------------------------------------------------------------------------------------------


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
    assert result.chunks > 64
    assert seen[0].stage == "reading" and seen[-1].stage == "ready"
    assert seen[-1].chunks == seen[-1].total == result.chunks and seen[-1].pages == len(LONG)
    done = [progress.chunks for progress in seen if progress.stage == "embedding"]
    assert done == list(range(0, result.chunks, 64))


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


# -- bad input: nothing half-stored ----------------------------------------------------------------


def _plain(folder: Path, data: bytes) -> Path:
    path = folder / "leaflet.pdf"
    path.write_bytes(data)
    return path


BAD_FILES: dict[str, tuple[Callable[[Path, MakePdf], Path], str, str]] = {
    "not a PDF": (lambda at, _: _plain(at, b"PK\x03\x04 a document"), "refused", "NOT_A_PDF"),
    "HTML": (lambda at, _: _plain(at, b"<html>Not found</html>"), "refused", "NOT_A_PDF"),
    "damaged": (lambda at, _: _plain(at, b"%PDF-1.7\n" + b"\x00" * 99), "refused", "CORRUPT"),
    "0 bytes": (lambda at, _: _plain(at, b""), "refused", "EMPTY_FILE"),
    "too large": (lambda at, _: _plain(at, b"%PDF" + b"x" * 2_000_000), "refused", "TOO_LARGE"),
    "too many pages": (lambda _, pdf: pdf("p.pdf", *["x"] * 51), "refused", "TOO_MANY_PAGES"),
    "password": (lambda _, pdf: pdf("p.pdf", "x", password="a"), "refused", "PASSWORD_REQUIRED"),
    "blank page": (lambda _, pdf: pdf("p.pdf", ""), "refused", "NO_TEXT"),
    "missing": (lambda at, _: at / "nowhere.pdf", "failed", "FILE_UNREADABLE"),
    "folder": (lambda at, _: at, "failed", "FILE_UNREADABLE"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_leaves_nothing_behind(
    shelf: Shelf, pdf: MakePdf, tmp_path: Path, kind: str
) -> None:
    kept = shelf.library.ingest(pdf("good.pdf", leaflet_text("warfarin")))
    before, files = shelf.rows(), everything_in(shelf.folder / "files")
    source = tmp_path / "source"
    source.mkdir()
    make, state, code = BAD_FILES[kind]
    result = shelf.library.ingest(make(source, pdf))
    assert (result.state, result.code) == (state, code)
    assert (result.pages, result.chunks, result.document_id) == (0, 0, "")
    assert result.message and str(tmp_path) not in result.message
    assert "Traceback" not in result.message and "Errno" not in result.message
    assert shelf.rows() == before and everything_in(shelf.folder / "files") == files
    assert [document.id for document in shelf.store.documents(include_unfinished=True)] == [
        kept.document_id
    ]


def test_a_bad_file_first_leaves_an_empty_library(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.library.ingest(_plain(tmp_path, b"no")).state == "refused"
    assert shelf.rows() == NOTHING


def test_passwords(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("a.pdf", leaflet_text("warfarin"), password="open sesame")
    assert shelf.library.ingest(path, password="wrong").code == "WRONG_PASSWORD"
    assert shelf.rows() == NOTHING
    assert shelf.library.ingest(path, password="open sesame").code == "OK"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<img src=x onerror=alert(1)>.pdf", "<img src=x onerror=alert(1)>.pdf"),
        ("../../../escape.pdf", "escape.pdf"),
        ("..\\..\\escape.pdf", "escape.pdf"),
        ("/etc/passwd", "passwd"),
        ("'; DROP TABLE documents; --.pdf", "'; DROP TABLE documents; --.pdf"),
        ("..", "unnamed.pdf"),
        ("a\x00b.pdf", "ab.pdf"),
    ],
)
def test_a_name_is_shown_and_never_a_path(
    shelf: Shelf, pdf: MakePdf, tmp_path: Path, name: str, shown: str
) -> None:
    path = pdf("upload.pdf", leaflet_text("warfarin"))
    outside = everything_in(tmp_path) - {
        str(p.relative_to(tmp_path)) for p in shelf.folder.rglob("*")
    }
    result = shelf.library.ingest(path, name=name)
    assert (result.state, result.file) == ("ready", shown)
    (stored,) = (shelf.folder / "files").iterdir()
    assert stored.name == f"{result.document_id}.pdf" and stored.read_bytes() == path.read_bytes()
    now_outside = everything_in(tmp_path) - {
        str(p.relative_to(tmp_path)) for p in shelf.folder.rglob("*")
    }
    assert now_outside == outside
    assert [document.file for document in shelf.store.documents()] == [shown]


# -- failure in the middle -------------------------------------------------------------------------


def test_an_embedding_model_that_fails_at_the_second_batch(
    workspace_dir: Path, pdf: MakePdf
) -> None:
    encoder = FailingEncoder(2, ModelError("The model failed.", code="EMBEDDING_FAILURE"))
    shelf = open_shelf(workspace_dir, encoder=encoder)
    seen: list[int] = []

    def look(progress: Progress) -> None:
        if progress.stage == "embedding":
            seen.append(shelf.vectors.count(LEAFLETS))

    result = shelf.library.ingest(pdf("a.pdf", *LONG), report=look)
    assert (result.state, result.code) == ("failed", "EMBEDDING_FAILURE")
    assert seen == [0, 64], "the first batch must have been stored, or this proves nothing"
    assert shelf.rows() == NOTHING


def test_a_failure_nobody_thought_of_leaves_nothing_either(
    workspace_dir: Path, pdf: MakePdf
) -> None:
    shelf = open_shelf(workspace_dir, encoder=FailingEncoder(2, RuntimeError("out of cheese")))
    with pytest.raises(RuntimeError):
        shelf.library.ingest(pdf("a.pdf", *LONG))
    assert shelf.rows() == NOTHING


def test_a_vector_store_that_fails_at_the_second_batch(workspace_dir: Path, pdf: MakePdf) -> None:
    vectors = FailingVectors(ChromaVectors(workspace_dir / "chroma"), at_add=2)
    shelf = open_shelf(workspace_dir, vectors=vectors)
    path = pdf("a.pdf", *LONG)
    result = shelf.library.ingest(path)
    assert (result.state, result.code) == ("failed", "VECTOR_STORE_UNAVAILABLE")
    assert vectors.adds == 2 and shelf.rows() == NOTHING
    assert shelf.library.ingest(path).code == "OK"


def test_a_vector_store_that_goes_away_in_the_middle(workspace_dir: Path, pdf: MakePdf) -> None:
    """Nothing can be undone while it is away; the next attempt, or the next start, does."""
    vectors = FailingVectors(ChromaVectors(workspace_dir / "chroma"), at_add=1)
    shelf = open_shelf(workspace_dir, vectors=vectors)
    path = pdf("a.pdf", leaflet_text("warfarin"))

    def goes_away(progress: Progress) -> None:
        vectors.down = progress.stage == "embedding"

    assert shelf.library.ingest(path, report=goes_away).state == "failed"
    assert shelf.library.ingest(path).state == "failed"
    assert shelf.store.documents() == [] and shelf.store.count_chunks([LEAFLETS]) == 0
    vectors.down = False
    vectors.at_add = -1
    result = shelf.library.ingest(path)
    assert result.code == "OK"
    rows = shelf.rows()
    assert (rows["documents"], rows["files"], rows["vectors"]) == (1, 1, result.chunks)


def test_an_abstract_that_fails_leaves_nothing(workspace_dir: Path) -> None:
    shelf = open_shelf(workspace_dir, encoder=FailingEncoder(1, ModelError("The model failed.")))
    shelf.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    with pytest.raises(ModelError):
        shelf.library.add_text(unfinished("x", ABSTRACTS), [Page(1, "Text.")], Profile.ABSTRACT)
    assert shelf.rows() == NOTHING


def test_text_without_words_is_refused(shelf: Shelf) -> None:
    shelf.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    with pytest.raises(DocumentError) as caught:
        shelf.library.add_text(unfinished("x", ABSTRACTS), [Page(1, " \n ")], Profile.ABSTRACT)
    assert caught.value.code == "NO_TEXT" and shelf.rows() == NOTHING


def test_two_threads_with_the_same_bytes_make_one_document(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("a.pdf", leaflet_text("warfarin"))
    shelf.library.ensure_index(LEAFLETS, Profile.LEAFLET)
    results: list[IngestResult] = []
    threads = [
        threading.Thread(target=lambda: results.append(shelf.library.ingest(path)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted({result.code for result in results} - {"ALREADY_PRESENT", "CONFLICT"}) == ["OK"]
    rows = shelf.rows()
    assert rows["documents"] == rows["files"] == 1 and rows["vectors"] == rows["chunks"]


# -- crashes ---------------------------------------------------------------------------------------


def unfinished(document_id: str, index: str = LEAFLETS) -> Document:
    return Document(
        id=document_id,
        index=index,
        file=f"{document_id}.pdf",
        title=document_id,
        sha256=document_id,
        bytes=1,
        pages=0,
        chunks=0,
        state=DocumentState.INGESTING,
        created_at=datetime.now(UTC),
    )


def half_stored(shelf: Shelf, document_id: str) -> None:
    """What a process killed while embedding leaves: a row, a file, some vectors."""
    shelf.store.begin_document(unfinished(document_id))
    (shelf.folder / "files" / f"{document_id}.pdf").write_bytes(b"%PDF")
    (shelf.folder / "incoming" / "half-copied").write_bytes(b"%PDF")
    vectors = HashEncoder().encode(["warfarin", "warfarin again"])
    shelf.vectors.add(
        LEAFLETS, [f"{document_id}:{n}" for n in (0, 1)], vectors, document_id, [1, 1]
    )


def test_recovery_rolls_back_an_unfinished_ingestion(shelf: Shelf, pdf: MakePdf) -> None:
    kept = shelf.library.ingest(pdf("kept.pdf", leaflet_text("warfarin")))
    before = shelf.rows()
    half_stored(shelf, "half")
    again = open_shelf(shelf.folder)
    assert again.library.recover() == ["half.pdf"]
    assert again.rows() == before and again.library.recover() == []
    assert again.store.document(kept.document_id) is not None


def test_recovery_finishes_a_deletion(shelf: Shelf, pdf: MakePdf) -> None:
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin")))
    shelf.store.mark_deleting(result.document_id)
    shelf.vectors.delete_document(LEAFLETS, result.document_id)
    assert open_shelf(shelf.folder).library.recover() == ["a.pdf"]
    assert shelf.rows() == NOTHING


_KILLED = """
import os, sys
from pathlib import Path
from tests.fakes import HashEncoder
from tests.shelf import open_shelf

class Dying(HashEncoder):
    def encode(self, texts):
        if self.batches == 1:
            os._exit(9)
        return super().encode(texts)

open_shelf(Path(sys.argv[1]), encoder=Dying()).library.ingest(Path(sys.argv[2]))
"""


def test_a_process_killed_while_embedding(workspace_dir: Path, pdf: MakePdf) -> None:
    path = pdf("a.pdf", *LONG)
    ended = subprocess.run(
        [sys.executable, "-c", _KILLED, str(workspace_dir), str(path)],
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 9
    shelf = open_shelf(workspace_dir)
    assert shelf.rows()["documents"] == 1 and shelf.rows()["vectors"] == 64
    assert shelf.retriever.search("warfarin", SearchOptions()).hits == ()
    assert shelf.library.recover() == ["a.pdf"]
    assert shelf.rows() == NOTHING
    assert shelf.library.ingest(path).code == "OK"


@pytest.mark.req("PR-3")
def test_only_ready_documents_are_seen(shelf: Shelf, pdf: MakePdf) -> None:
    kept = shelf.library.ingest(pdf("kept.pdf", leaflet_text("warfarin")))
    gone = shelf.library.ingest(pdf("going.pdf", leaflet_text("warfarin", 9)))
    half_stored(shelf, "half")
    shelf.store.mark_deleting(gone.document_id)
    assert [document.id for document in shelf.store.documents()] == [kept.document_id]
    assert len(shelf.store.documents(include_unfinished=True)) == 3
    assert shelf.store.count_chunks([LEAFLETS]) == kept.chunks
    assert shelf.store.chunks_by_id([f"{gone.document_id}:0", "half:0"]) == {}
    assert {d.id for d, _ in shelf.store.documents_mentioning("DB:warfarin")} == {kept.document_id}
    for mode in MODES:
        found = shelf.retriever.search("warfarin", SearchOptions(k=100, mode=mode))
        assert found.hits and {hit.document.id for hit in found.hits} == {kept.document_id}
        assert found.searched == kept.chunks


# -- out -------------------------------------------------------------------------------------------


@pytest.mark.req("PR-5", "PR-3")
def test_deletion_counts_what_it_removed_and_leaves_nothing(shelf: Shelf, pdf: MakePdf) -> None:
    kept = shelf.library.ingest(pdf("kept.pdf", leaflet_text("aspirin")))
    before = shelf.rows()
    path = pdf("gone.pdf", f"Zyxomab is a made-up word. {leaflet_text('warfarin')}", "Warfarin two")
    gone = shelf.library.ingest(path)
    assert all(searched(shelf, "Zyxomab")[mode] for mode in MODES)
    mentions = shelf.rows()["mentions"] - before["mentions"]
    receipt = shelf.library.delete(gone.document_id)
    assert (receipt.document_id, receipt.file) == (gone.document_id, "gone.pdf")
    assert (receipt.pages, receipt.chunks, receipt.vectors) == (2, gone.chunks, gone.chunks)
    assert (receipt.mentions, receipt.files, receipt.left) == (mentions, 1, 0) and mentions > 0
    assert shelf.rows() == before
    assert searched(shelf, "Zyxomab") == {mode: [] for mode in MODES}
    assert shelf.store.chunks_with_word("Zyxomab", [LEAFLETS]) == 0
    assert shelf.store.documents_mentioning("DB:warfarin") == []
    assert shelf.store.document(gone.document_id) is None
    assert shelf.store.pages(gone.document_id) == []
    assert shelf.library.original(gone.document_id) is None
    assert shelf.store.document(kept.document_id) is not None
    # The full-text index agrees with the table that it indexes: FTS5 checks itself.
    shelf.database.connection.execute(
        "INSERT INTO chunks_text (chunks_text, rank) VALUES ('integrity-check', 1)"
    )


@pytest.mark.req("PR-5")
def test_an_abstract_is_deleted_as_well(shelf: Shelf) -> None:
    shelf.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    page = Page(1, "An abstract about warfarin.")
    shelf.library.add_text(unfinished("x", ABSTRACTS), [page], Profile.ABSTRACT)
    receipt = shelf.library.delete("x")
    assert (receipt.chunks, receipt.vectors, receipt.files, receipt.left) == (1, 1, 0, 0)
    assert shelf.rows() == NOTHING


def test_deleting_what_is_not_there(shelf: Shelf, pdf: MakePdf) -> None:
    with pytest.raises(NotFound):
        shelf.library.delete("nobody")
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin")))
    shelf.library.delete(result.document_id)
    with pytest.raises(NotFound):
        shelf.library.delete(result.document_id)


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
    result = shelf.library.ingest(pdf("mahi_Metformin.pdf", "Metformin"))
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
