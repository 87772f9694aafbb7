"""Bad files, failing parts and killed processes: nothing is ever half-stored."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.cutting.filling import EMBED_BATCH
from core.documents.library import intake
from core.documents.library.outcomes import Progress
from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.domain.documents import Chunk, IngestResult, Kind, Page, Profile
from core.errors import DocumentError, ModelError
from core.search.options import MODES, SearchOptions
from core.stores.chroma.chunks import ChromaVectors
from tests.support.fakes import FailingEncoder, FailingVectors, HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import NOTHING, Shelf, open_shelf, unfinished

MakePdf = Callable[..., Path]
ROOT = Path(__file__).resolve().parents[3]
LONG = tuple(leaflet_text("warfarin", 18) for _ in range(32))  # more than one batch of chunks


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


def everything_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# -- bad files ------------------------------------------------------------------------------------


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


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch that is embedded is stored at once, as of a text that is far longer."""
    monkeypatch.setattr(intake, "ADDED_TOGETHER", EMBED_BATCH)


@pytest.mark.usefixtures("small_batches")
def test_an_embedding_model_that_fails_at_the_second_batch(
    workspace_dir: Path, pdf: MakePdf
) -> None:
    encoder = FailingEncoder(2, ModelError("The model failed.", code="EMBEDDING_FAILURE"))
    shelf = open_shelf(workspace_dir, encoder=encoder)
    # The first batch must have been stored, or this proves nothing.
    encoder.when = lambda: shelf.vectors.count(LEAFLETS) == EMBED_BATCH
    result = shelf.library.ingest(pdf("a.pdf", *LONG))
    assert (result.state, result.code) == ("failed", "EMBEDDING_FAILURE")
    assert shelf.rows() == NOTHING


def test_a_failure_nobody_thought_of_leaves_nothing_either(
    workspace_dir: Path, pdf: MakePdf
) -> None:
    shelf = open_shelf(workspace_dir, encoder=FailingEncoder(2, RuntimeError("out of cheese")))
    with pytest.raises(RuntimeError):
        shelf.library.ingest(pdf("a.pdf", *LONG))
    assert shelf.rows() == NOTHING


@pytest.mark.usefixtures("small_batches")
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
        shelf.library.add_texts([(unfinished("x", ABSTRACTS), [Page(0, "Text.")])], ABSTRACTS)
    assert shelf.rows() == NOTHING


def test_text_without_words_is_refused(shelf: Shelf) -> None:
    shelf.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    with pytest.raises(DocumentError) as caught:
        shelf.library.add_texts([(unfinished("x", ABSTRACTS), [Page(0, " \n ")])], ABSTRACTS)
    assert caught.value.code == "NO_TEXT" and shelf.rows() == NOTHING


def test_two_threads_with_the_same_bytes_make_one_document(shelf: Shelf, pdf: MakePdf) -> None:
    path = pdf("a.pdf", leaflet_text("warfarin"))
    results: list[IngestResult] = []
    threads = [
        threading.Thread(target=lambda: results.append(shelf.library.ingest(path)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted({result.code for result in results} - {"ALREADY_PRESENT", "IN_WORK"}) == ["OK"]
    rows = shelf.rows()
    assert rows["documents"] == rows["files"] == 1 and rows["vectors"] == rows["chunks"]


# -- crashes ---------------------------------------------------------------------------------------


def half_stored(shelf: Shelf, document_id: str) -> None:
    """What a process killed while embedding leaves: a row, a file, some vectors."""
    shelf.store.begin_documents([unfinished(document_id, kind=Kind.PDF)])
    (shelf.folder / "files" / f"{document_id}.pdf").write_bytes(b"%PDF")
    (shelf.folder / "files" / f"{document_id}.copy.pdf.part").write_bytes(b"%PDF")
    (shelf.folder / "incoming" / "half-copied").write_bytes(b"%PDF")
    chunks = [
        Chunk(f"{document_id}:{n}", document_id, n, 1, "", "", 0, 8, "warfarin", "") for n in (0, 1)
    ]
    shelf.vectors.add(LEAFLETS, chunks, HashEncoder().encode(["warfarin", "warfarin again"]))


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
    shelf.store.mark_deleting([result.document_id])
    shelf.vectors.delete_document(LEAFLETS, result.document_id)
    assert open_shelf(shelf.folder).library.recover() == ["a.pdf"]
    assert shelf.rows() == NOTHING


_KILLED = """
import os, sys
from pathlib import Path
from core.documents.cutting.filling import EMBED_BATCH
from core.documents.library import intake
from core.documents.library.shelves import LEAFLETS
from tests.support.fakes import HashEncoder, until
from tests.support.shelf import open_shelf

intake.ADDED_TOGETHER = EMBED_BATCH

class Dying(HashEncoder):
    def encode(self, texts):
        if self.batches == 1:
            until(lambda: shelf.vectors.count(LEAFLETS) == EMBED_BATCH)
            os._exit(9)
        return super().encode(texts)

shelf = open_shelf(Path(sys.argv[1]), encoder=Dying())
shelf.library.ingest(Path(sys.argv[2]))
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
    assert shelf.rows()["documents"] == 1 and shelf.rows()["vectors"] == EMBED_BATCH
    assert shelf.retriever.search("warfarin", SearchOptions()).hits == ()
    assert shelf.library.recover() == ["a.pdf"]
    assert shelf.rows() == NOTHING
    assert shelf.library.ingest(path).code == "OK"


@pytest.mark.req("PR-3")
def test_only_ready_documents_are_seen(shelf: Shelf, pdf: MakePdf) -> None:
    kept = shelf.library.ingest(pdf("kept.pdf", leaflet_text("warfarin")))
    gone = shelf.library.ingest(pdf("going.pdf", leaflet_text("warfarin", 9)))
    half_stored(shelf, "half")
    shelf.store.mark_deleting([gone.document_id])
    assert [document.id for document in shelf.store.documents()] == [kept.document_id]
    assert len(shelf.store.documents(include_unfinished=True)) == 3
    assert shelf.store.count_chunks([LEAFLETS]) == kept.chunks
    assert shelf.store.chunks_by_id([f"{gone.document_id}:0", "half:0"]) == {}
    assert {d.id for d, _ in shelf.store.documents_mentioning("DB:warfarin")} == {kept.document_id}
    for mode in MODES:
        found = shelf.retriever.search("warfarin", SearchOptions(k=100, mode=mode))
        assert found.hits and {hit.document.id for hit in found.hits} == {kept.document_id}
        assert found.searched == kept.chunks
