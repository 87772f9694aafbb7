"""What a document is about is corrected: the old is found until the new is, and one of them always."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.names import LONGEST_TITLE, checked_title
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import (
    Chunk,
    Document,
    Profile,
    chunk_id,
    corrections_of,
    document_of,
)
from core.domain.vectors import Vectors
from core.errors import Conflict, InputError, MateriaError, ModelError, NotFound, StoreError
from core.search.options import SearchOptions
from core.stores.chroma.chunks import ChromaVectors
from tests.support.fakes import FailingEncoder, FailingVectors, HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import Shelf, open_shelf, text_file

ROOT = Path(__file__).resolve().parents[3]
TITLE = "Quintaxol 5 mg tablets"
TEXT = leaflet_text("warfarin", 40)
MODES = ("hybrid", "semantic", "lexical")


class Watched(ChromaVectors):
    """Calls after vectors were added, and before some are removed."""

    after_add: Callable[[], object] = staticmethod(lambda: None)
    before_removal: Callable[[], object] = staticmethod(lambda: None)

    def add(self, collection: str, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        super().add(collection, chunks, vectors)
        self.after_add()

    def delete_chunks(self, collection: str, ids: Sequence[str]) -> None:
        self.before_removal()
        super().delete_chunks(collection, ids)


def fill(shelf: Shelf) -> Document:
    """Two documents of one text each; the second one's title is wrong."""
    source = shelf.folder.parent / "source"
    for name in ("other.txt", "document_01.txt"):
        path = text_file(source, name, f"{name[:5]}word. {TEXT}")
        assert shelf.library.ingest(path).code == "OK"
    return of(shelf)


def of(shelf: Shelf) -> Document:
    (found,) = shelf.store.documents_named(LEAFLETS, "document_01.txt")
    return found


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


def state(shelf: Shelf) -> object:
    """All that must be the same after an attempt that did not succeed."""
    chunks = list(shelf.store.all_chunks())
    mentions = shelf.store.mentions_of_chunks([chunk.id for chunk in chunks])
    vectors = sorted(shelf.vectors.chunk_ids(LEAFLETS))
    return shelf.store.documents(), chunks, mentions, vectors, shelf.rows()


def found_once(shelf: Shelf, title: str) -> None:
    """Each passage of the document is found, under one title, in every mode."""
    for mode in MODES:
        options = SearchOptions(k=100, mode=mode, diverse=False)
        hits = shelf.retriever.search("warfarin docum documword", options).hits
        own = [hit for hit in hits if hit.document.file == "document_01.txt"]
        places = [(hit.chunk.start, hit.chunk.end) for hit in own]
        assert own and len(places) == len(set(places)), mode
        assert {hit.document.title for hit in own} == {title}, mode
        assert all(hit.chunk.context.startswith(title) for hit in own), mode
        assert min(hit.chunk.start for hit in own) == 0, mode


def whole(shelf: Shelf, title: str, before: Sequence[Chunk] = ()) -> None:
    """The document is there under this title, and nothing disagrees or is left over."""
    document = of(shelf)
    chunks = shelf.store.document_chunks(document.id)
    assert document.title == title and document.chunks == len(chunks) > 1
    assert all(chunk.context.startswith(title) for chunk in chunks)
    numbers = [(chunk.id, chunk.position) for chunk in chunks]
    assert numbers == [
        (chunk_id(document.id, place, document.corrections), place) for place in range(len(chunks))
    ]
    assert shelf.vectors.count(LEAFLETS, document.id) == len(chunks)
    index = shelf.store.index(LEAFLETS)
    assert index is not None
    vectors = shelf.vectors.vectors(index.collection, [chunk.id for chunk in chunks])
    own = HashEncoder(index.model, index.dimension)
    for chunk in chunks:
        assert vectors[chunk.id] @ own.encode([chunk.embedding_text])[0] == pytest.approx(1, 1e-4)
    if before:
        assert [(one.start, one.end) for one in chunks] == [(one.start, one.end) for one in before]
    (page,) = shelf.store.pages(document.id)
    assert all(chunk.text == page.text[chunk.start : chunk.end] for chunk in chunks)
    assert not list((shelf.folder / "incoming").glob("*"))
    assert shelf.verifier.run().findings == ()
    found_once(shelf, title)


# -- what changes, and what stays -----------------------------------------------------------------


def test_a_corrected_title_stands_before_every_passage(shelf: Shelf) -> None:
    old = fill(shelf)
    assert (old.title, old.corrections) == ("document 01", 0)
    chunks, pages = shelf.store.document_chunks(old.id), shelf.store.pages(old.id)
    mentions = shelf.store.mentions_of_document(old.id)
    told: list[tuple[int, int]] = []
    new = shelf.library.retitle(
        old.id, f"  {TITLE}\n", report=lambda one: told.append((one.chunks, one.total))
    )
    assert new == of(shelf) and told == [(0, len(chunks))]
    assert (new.id, new.sha256, new.created_at) == (old.id, old.sha256, old.created_at)
    assert new.corrections == 1 and shelf.store.pages(old.id) == pages
    assert shelf.store.mentions_of_document(old.id) == mentions != {}
    whole(shelf, TITLE, chunks)
    by_words = SearchOptions(k=100, mode="lexical", diverse=False)
    found = shelf.retriever.search("quintaxol", by_words).hits
    assert {hit.document.id for hit in found} == {old.id}
    assert shelf.store.chunks_with_word("document", [LEAFLETS]) == 0, "of the title before"
    assert shelf.library.retitle(old.id, TITLE) == new, "nothing to change"
    again = shelf.library.retitle(old.id, "Zolvetrin")
    assert again.corrections == 2
    whole(shelf, "Zolvetrin", chunks)
    receipt = shelf.library.delete(old.id)
    assert receipt.left == 0 and receipt.vectors == receipt.chunks == len(chunks)


@pytest.mark.parametrize("profile", Profile)
def test_a_long_title_fits_what_the_model_reads(workspace_dir: Path, profile: Profile) -> None:
    encoder = HashEncoder(max_tokens=64)
    shelf = open_shelf(workspace_dir, encoder=encoder)
    shelf.indexes.create("papers", profile)
    result = shelf.library.ingest(
        text_file(workspace_dir.parent / "source", "a.txt", TEXT[:4000]), index="papers"
    )
    title = ("Quintaxol with a very long name " * 5)[:LONGEST_TITLE].strip()
    shelf.library.retitle(result.document_id, title)
    chunks = shelf.store.document_chunks(result.document_id)
    assert max(encoder.count_tokens([chunk.embedding_text for chunk in chunks])) <= 64
    assert shelf.vectors.count("papers") == len(chunks) == shelf.store.count_chunks(["papers"])
    covered = [character for chunk in chunks for character in range(chunk.start, chunk.end)]
    assert set(covered) == set(range(len(shelf.store.pages(result.document_id)[0].text)))
    assert shelf.verifier.run().findings == ()


def test_reading_the_file_again_keeps_the_correction(workspace_dir: Path) -> None:
    shelf = open_shelf(workspace_dir)
    old = fill(shelf)
    shelf.library.retitle(old.id, TITLE)
    source = workspace_dir.parent / "source" / "document_01.txt"
    known = shelf.library.ingest(source)
    assert (known.code, known.document_id, known.title) == ("ALREADY_PRESENT", old.id, TITLE)
    other = HashEncoder("hash-24", 24, max_tokens=60)
    anew = open_shelf(workspace_dir, encoder=other)
    index = anew.indexes.re_embed(LEAFLETS)
    document, chunks = of(anew), anew.store.document_chunks(old.id)
    assert (document.title, document.corrections) == (TITLE, 1)
    assert len(chunks) > old.chunks, "it was cut anew"
    assert {corrections_of(chunk.id) for chunk in chunks} == {1}
    assert all(chunk.context.startswith(TITLE[:20]) for chunk in chunks)
    assert anew.vectors.count(index.collection, old.id) == len(chunks)
    assert anew.verifier.run().findings == ()
    assert anew.library.retitle(old.id, "Zolvetrin").corrections == 2
    assert anew.verifier.run().findings == ()


def test_the_page_that_was_cited_opens_afterwards(shelf: Shelf, pdf: Callable[..., Path]) -> None:
    result = shelf.library.ingest(pdf("a.pdf", "The dose is 37 mg."))
    (chunk,) = shelf.store.document_chunks(result.document_id)
    before = shelf.library.page_image(result.document_id, 1, [(chunk.start, chunk.end)])
    shelf.library.retitle(result.document_id, TITLE)
    after = shelf.library.page_image(result.document_id, 1, [(chunk.start, chunk.end)])
    assert before == after


# -- in between ------------------------------------------------------------------------------------


def test_searches_find_the_old_or_the_new_at_every_moment(workspace_dir: Path) -> None:
    vectors = Watched(workspace_dir / "chroma")
    shelf = open_shelf(workspace_dir, vectors=vectors)
    old = fill(shelf)
    seen: list[str] = []

    def look(title: str) -> None:
        assert shelf.vectors.count(LEAFLETS, old.id) == 2 * old.chunks, "of both, side by side"
        found_once(shelf, title)
        assert shelf.verifier.run().findings == ()
        seen.append(title)

    vectors.after_add = lambda: look("document 01")
    vectors.before_removal = lambda: look(TITLE)
    shelf.library.retitle(old.id, TITLE)
    assert seen == ["document 01", TITLE]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("moment", ["first", "vectors read", "words read"])
def test_a_search_that_is_overtaken_finds_it_once(
    workspace_dir: Path, monkeypatch: pytest.MonkeyPatch, mode: str, moment: str
) -> None:
    """Ids of before the correction stand for nothing when their passages are read."""
    vectors = FailingVectors(ChromaVectors(workspace_dir / "chroma"))
    shelf = open_shelf(workspace_dir, vectors=vectors)
    old = fill(shelf)
    waiting = [lambda: shelf.library.retitle(old.id, TITLE)]

    def once(*_: object) -> None:
        if waiting:
            waiting.pop()()

    if moment == "first":
        vectors.before_query = once
    else:
        asked, name = {
            "vectors read": (vectors, "query"),
            "words read": (shelf.store, "search_text"),
        }[moment]
        real: Callable[..., object] = getattr(asked, name)

        def overtaken(*arguments: object) -> object:
            found = real(*arguments)
            once()
            return found

        monkeypatch.setattr(asked, name, overtaken)
    options = SearchOptions(k=100, mode=mode, diverse=False)
    hits = shelf.retriever.search("warfarin documword", options).hits
    own = [hit for hit in hits if hit.document.id == old.id]
    places = [(hit.chunk.start, hit.chunk.end) for hit in own]
    assert own and len(set(places)) == len(places)
    assert {hit.document.title for hit in own} == {"document 01" if waiting else TITLE}


# -- failures --------------------------------------------------------------------------------------


def test_a_vector_store_that_fails_changes_nothing(workspace_dir: Path) -> None:
    vectors = FailingVectors(ChromaVectors(workspace_dir / "chroma"))
    shelf = open_shelf(workspace_dir, vectors=vectors)
    old = fill(shelf)
    before = state(shelf)
    vectors.at_add = vectors.adds + 1
    with pytest.raises(StoreError):
        shelf.library.retitle(old.id, TITLE)
    assert state(shelf) == before
    whole(shelf, "document 01")
    vectors.at_add = -1
    shelf.library.retitle(old.id, TITLE)
    whole(shelf, TITLE)


def test_a_transaction_that_fails_changes_nothing(shelf: Shelf) -> None:
    old = fill(shelf)
    before = state(shelf)
    shelf.database.connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON chunks WHEN new.position = 3 "
        "BEGIN SELECT RAISE(FAIL, 'disk full'); END"
    )
    with pytest.raises(Exception, match="disk full"):
        shelf.library.retitle(old.id, TITLE)
    shelf.database.connection.execute("DROP TRIGGER full")
    assert state(shelf) == before
    whole(shelf, "document 01")


@pytest.mark.parametrize("error", [ModelError("It failed."), KeyboardInterrupt()])
def test_a_model_that_fails_changes_nothing(workspace_dir: Path, error: BaseException) -> None:
    shelf = open_shelf(workspace_dir)
    old = fill(shelf)
    before = state(shelf)
    failing = open_shelf(workspace_dir, encoder=FailingEncoder(1, error))
    with pytest.raises(type(error)):
        failing.library.retitle(old.id, TITLE)
    assert state(shelf) == before and not failing.library.in_work.has(old.id)
    whole(shelf, "document 01")


def test_a_vector_store_that_goes_away_leaves_what_the_next_start_removes(
    workspace_dir: Path,
) -> None:
    vectors = Watched(workspace_dir / "chroma")
    failing = FailingVectors(vectors)
    shelf = open_shelf(workspace_dir, vectors=failing)
    old = fill(shelf)

    def goes_away() -> None:
        failing.down = True

    vectors.after_add = goes_away
    new = shelf.library.retitle(old.id, TITLE)
    assert new.title == TITLE, "the registry has it; only what is spare is left"
    failing.down = False
    assert shelf.vectors.count(LEAFLETS, old.id) == 2 * old.chunks
    found_once(shelf, TITLE)
    (finding,) = shelf.verifier.run().findings
    assert (finding.kind, finding.count) == ("orphan_vectors", old.chunks)
    again = open_shelf(workspace_dir)
    assert again.library.recover() == []
    whole(again, TITLE)


_KILLED = """
import os, sys
from pathlib import Path
from core.stores.chroma.chunks import ChromaVectors
from tests.support.shelf import open_shelf

class Dying(ChromaVectors):
    def add(self, *arguments):
        super().add(*arguments)
        if sys.argv[3] == "added":
            os._exit(9)

    def delete_chunks(self, *arguments):
        os._exit(9)

folder = Path(sys.argv[1])
open_shelf(folder, vectors=Dying(folder / "chroma")).library.retitle(sys.argv[2], "Quintaxol 5 mg tablets")
"""


@pytest.mark.parametrize("moment", ["added", "swapped"])
def test_a_process_killed_on_the_way(workspace_dir: Path, moment: str) -> None:
    first = open_shelf(workspace_dir)
    old = fill(first)
    first.database.close()
    program = [sys.executable, "-c", _KILLED, str(workspace_dir), old.id, moment]
    assert subprocess.run(program, cwd=ROOT, timeout=60, check=False).returncode == 9
    title = "document 01" if moment == "added" else TITLE
    shelf = open_shelf(workspace_dir)
    assert shelf.vectors.count(LEAFLETS, old.id) == 2 * old.chunks, "or this proves nothing"
    found_once(shelf, title)
    assert shelf.library.recover() == [], "there is nothing to add again"
    whole(shelf, title)
    assert shelf.library.recover() == []


# -- beside other work -----------------------------------------------------------------------------


def test_what_is_not_there_or_in_work_is_refused(workspace_dir: Path) -> None:
    vectors = Watched(workspace_dir / "chroma")
    shelf = open_shelf(workspace_dir, vectors=vectors)
    with pytest.raises(NotFound) as caught:
        shelf.library.retitle("nobody", TITLE)
    assert caught.value.code == "DOCUMENT_NOT_FOUND"
    old = fill(shelf)
    codes: list[str] = []

    def other(_: object) -> None:
        works: tuple[Callable[[], object], ...] = (
            lambda: shelf.library.retitle(old.id, "Zolvetrin"),
            lambda: shelf.indexes.delete(LEAFLETS),
            lambda: shelf.indexes.re_embed(LEAFLETS),
        )
        for work in works:
            with pytest.raises(MateriaError) as refused:
                work()
            codes.append(refused.value.code)

    shelf.library.retitle(old.id, TITLE, report=other)
    assert codes == ["IN_WORK", "INDEX_BUSY", "INDEX_BUSY"]
    with shelf.library.in_work.alone(LEAFLETS), pytest.raises(Conflict) as busy:
        shelf.library.retitle(old.id, "Zolvetrin")
    assert busy.value.code == "INDEX_BUSY"
    whole(shelf, TITLE)


def test_a_document_deleted_meanwhile_stays_deleted(shelf: Shelf) -> None:
    old = fill(shelf)
    with pytest.raises(NotFound) as caught:
        shelf.library.retitle(old.id, TITLE, report=lambda _: shelf.library.delete(old.id))
    assert caught.value.code == "DOCUMENT_NOT_FOUND"
    assert shelf.store.count_document_rows(old.id) == 0 == shelf.vectors.count(LEAFLETS, old.id)
    assert shelf.verifier.run().findings == () and not list((shelf.folder / "incoming").glob("*"))


# -- titles and ids --------------------------------------------------------------------------------


@given(st.text(max_size=140))
def test_a_title_is_one_short_line_of_signs_that_are_seen(text: str) -> None:
    try:
        title = checked_title(text)
    except InputError as error:
        assert error.code in ("EMPTY_TITLE", "TITLE_TOO_LONG") and error.advice
        return
    assert 0 < len(title) <= LONGEST_TITLE and title == " ".join(title.split())
    assert not any(unicodedata.category(c).startswith("C") for c in title)
    assert checked_title(title) == title


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "EMPTY_TITLE"), (" \n\t", "EMPTY_TITLE"), ("\x00\u202e", "EMPTY_TITLE"), ("–", "EMPTY_TITLE"),
     ("\ud800", "EMPTY_TITLE"), ("a" * 121, "TITLE_TOO_LONG")],
)  # fmt: skip
def test_what_names_nothing_is_refused(shelf: Shelf, text: str, code: str) -> None:
    old = fill(shelf)
    with pytest.raises(InputError) as caught:
        shelf.library.retitle(old.id, text)
    assert caught.value.code == code and of(shelf) == old
    assert checked_title(" Met\x00formin\u202e\r\n500\u00a0mg ") == "Metformin 500 mg"


@given(st.text("0123456789abcdef", min_size=1), st.integers(0, 9999), st.integers(0, 99))
def test_ids_of_passages_tell_document_and_correction(
    document: str, place: int, corrections: int
) -> None:
    identifier = chunk_id(document, place, corrections)
    assert document_of(identifier) == document and corrections_of(identifier) == corrections
    assert corrections or identifier == f"{document}:{place}"
