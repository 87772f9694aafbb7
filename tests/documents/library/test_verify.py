"""Whether the stores agree: every disagreement is found, mended on request, and none is invented."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.outcomes import Progress
from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.domain.documents import Chunk, Kind, OnConflict, Page, Profile
from core.search.options import MODES
from core.stores.chroma.chunks import ChromaVectors
from core.stores.sqlite.words import places
from tests.support.fakes import FailingVectors, HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import Shelf, open_shelf, text_file, unfinished


def put(shelf: Shelf, name: str, text: str = "", index: str = LEAFLETS) -> str:
    """The id of a text file about warfarin that is in the library now."""
    source = text_file(shelf.folder.parent / "source", name, text or f"{name} warfarin. " * 90)
    return shelf.library.ingest(source, index=index).document_id


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    """Two texts, an abstract and an empty index."""
    made = open_shelf(workspace_dir)
    put(made, "a.txt")
    put(made, "b.txt")
    made.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    made.library.add_texts([(unfinished("x", ABSTRACTS), [Page(0, "On aspirin.")])], ABSTRACTS)
    made.indexes.create("empty")
    return made


_KEPT = ("indexes", "documents", "pages", "chunks", "mentions", "text_parts", "text_places")


def a_id(shelf: Shelf) -> str:
    (document,) = shelf.store.documents_named(LEAFLETS, "a.txt")
    return document.id


def stray_chunks(document_id: str, count: int = 2) -> list[Chunk]:
    return [
        Chunk(f"{document_id}:{n}", document_id, n, 1, "", "", 0, 8, "warfarin", "")
        for n in range(count)
    ]


def snapshot(shelf: Shelf) -> object:
    """All that a repair could change."""
    rows = [
        [tuple(row) for row in shelf.database.connection.execute(f"SELECT * FROM {table}")]
        for table in _KEPT
    ]
    vectors = {name: sorted(shelf.vectors.chunk_ids(name)) for name in shelf.vectors.collections()}
    return rows, vectors, sorted(shelf.files())


# -- disagreements, made by hand -------------------------------------------------------------------


def some_vectors_removed(shelf: Shelf) -> None:
    shelf.vectors.delete_chunks(LEAFLETS, [f"{a_id(shelf)}:0", f"{a_id(shelf)}:1"])


def all_vectors_removed(shelf: Shelf) -> None:
    shelf.vectors.drop(LEAFLETS)


def vectors_added(shelf: Shelf) -> None:
    shelf.vectors.add(LEAFLETS, stray_chunks("gone"), HashEncoder().encode(["one", "two"]))


def vectors_beyond_the_last_chunk(shelf: Shelf) -> None:
    chunk = Chunk(f"{a_id(shelf)}:99", a_id(shelf), 99, 1, "", "", 0, 1, "x", "")
    shelf.vectors.add(LEAFLETS, [chunk], HashEncoder().encode(["x"]))


def text_rows_removed(shelf: Shelf) -> None:
    with shelf.database.write() as connection:
        places.remove(connection, places.texts_where(connection, "id = ?", f"{a_id(shelf)}:0"))


def text_of_a_chunk_changed(shelf: Shelf) -> None:
    """The full text goes on finding words that the chunk no longer has."""
    with shelf.database.write() as connection:
        connection.execute(
            "UPDATE chunks SET text = 'other words' WHERE id = ?", (f"{a_id(shelf)}:0",)
        )


def count_changed(shelf: Shelf) -> None:
    with shelf.database.write() as connection:
        connection.execute("UPDATE documents SET chunks = chunks + 3 WHERE file = 'a.txt'")


def file_added(shelf: Shelf) -> None:
    for name in ("gone.pdf", "gone.copy.pdf"):
        (shelf.folder / "files" / name).write_bytes(b"%PDF")


def row_left_unfinished(shelf: Shelf) -> None:
    shelf.store.begin_documents([unfinished("half", kind=Kind.PDF)])
    (shelf.folder / "files" / "half.pdf").write_bytes(b"%PDF")
    shelf.vectors.add(LEAFLETS, stray_chunks("half"), HashEncoder().encode(["one", "two"]))


def deletion_left_unfinished(shelf: Shelf) -> None:
    shelf.store.mark_deleting([a_id(shelf)])


def collection_added(shelf: Shelf) -> None:
    shelf.vectors.ensure(f"{LEAFLETS}@7", 16, "hash-16")
    shelf.vectors.add(
        f"{LEAFLETS}@7", stray_chunks("gone", 3), HashEncoder().encode(["a", "b", "c"])
    )


def collection_of_no_index(shelf: Shelf) -> None:
    shelf.vectors.ensure("gone", 16, "hash-16")


# what is done -> (kind, what, count) of the findings expected; a count of 0 is any number
HARM: dict[Callable[[Shelf], None], list[tuple[str, str, int]]] = {
    some_vectors_removed: [("missing_vectors", "a.txt", 2)],
    all_vectors_removed: [("missing_vectors", "a.txt", 0), ("missing_vectors", "b.txt", 0)],
    vectors_added: [("orphan_vectors", LEAFLETS, 2)],
    vectors_beyond_the_last_chunk: [("orphan_vectors", LEAFLETS, 1)],
    text_rows_removed: [("full_text", "library", 0)],
    text_of_a_chunk_changed: [("full_text", "library", 0)],
    count_changed: [("chunk_count", "a.txt", 3)],
    file_added: [("orphan_file", "gone", 2)],
    row_left_unfinished: [("unfinished", "half.pdf", 1), ("orphan_vectors", LEAFLETS, 2)],
    deletion_left_unfinished: [("unfinished", "a.txt", 1), ("orphan_vectors", LEAFLETS, 0)],
    collection_added: [("orphan_collection", f"{LEAFLETS}@7", 3)],
    collection_of_no_index: [("orphan_collection", "gone", 0)],
}


def test_a_library_that_agrees_has_no_findings(shelf: Shelf) -> None:
    rows, before = shelf.rows(), snapshot(shelf)
    for repair in (False, True):
        report = shelf.verifier.run(repair=repair)
        assert report.consistent and report.findings == ()
        assert report.documents == rows["documents"] == 3 and report.files == rows["files"] == 2
        assert report.chunks == report.vectors == report.text_rows == rows["chunks"] > 6
        assert snapshot(shelf) == before
    assert open_shelf(shelf.folder.parent / "new").verifier.run(repair=True).consistent


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_every_disagreement_is_found_and_mended(
    shelf: Shelf, harm: Callable[[Shelf], None]
) -> None:
    harm(shelf)
    before = snapshot(shelf)
    found = shelf.verifier.run()
    assert snapshot(shelf) == before, "looking changes nothing"
    assert not found.consistent
    kinds = [(finding.kind, finding.what) for finding in found.findings]
    assert sorted(kinds) == sorted((kind, what) for kind, what, _ in HARM[harm])
    for finding in found.findings:
        wanted = {(kind, what): count for kind, what, count in HARM[harm]}
        assert finding.count == (wanted[finding.kind, finding.what] or finding.count)
        assert finding.message and finding.repairable and not finding.repaired
    mended = shelf.verifier.run(repair=True)
    assert mended.consistent and mended.findings
    again = shelf.verifier.run()
    assert again.findings == () and again.chunks == again.vectors == again.text_rows
    expected = ["b.txt"] if harm is deletion_left_unfinished else ["a.txt", "b.txt"]
    assert shelf.found("warfarin") == dict.fromkeys(MODES, expected)
    assert shelf.found("aspirin") == {mode: ["x.pdf"] for mode in MODES}


def test_all_at_once(shelf: Shelf) -> None:
    for harm in HARM:
        if harm not in (all_vectors_removed, deletion_left_unfinished):
            harm(shelf)
    shelf.verifier.run(repair=True)
    assert shelf.verifier.run().findings == ()
    assert shelf.found("warfarin")["semantic"] == ["a.txt", "b.txt"]


def test_a_missing_original_is_told_and_not_hidden(shelf: Shelf) -> None:
    original = shelf.library.original(a_id(shelf))
    assert original is not None
    original.unlink()
    for repair in (False, True):
        report = shelf.verifier.run(repair=repair)
        (finding,) = report.findings
        assert (finding.kind, finding.what) == ("missing_file", "a.txt")
        assert not finding.repairable and not finding.repaired and not report.consistent
        assert "add the file again" in finding.message
    assert shelf.found("warfarin")["hybrid"] == ["a.txt", "b.txt"], "its text goes on answering"
    assert shelf.library.delete(a_id(shelf)).left == 0
    assert shelf.verifier.run().findings == ()


def test_vectors_of_a_model_that_is_not_configured_are_not_made(shelf: Shelf) -> None:
    some_vectors_removed(shelf)
    other = open_shelf(shelf.folder, encoder=HashEncoder("other", dimension=8))
    before = snapshot(shelf)
    report = other.verifier.run(repair=True)
    assert [finding.repaired for finding in report.findings] == [False] and not report.consistent
    assert snapshot(shelf) == before
    assert shelf.verifier.run(repair=True).consistent and shelf.verifier.run().findings == ()


def test_a_damaged_database_is_told_and_left_alone(shelf: Shelf) -> None:
    """A page of a table that only the check reads in full."""
    connection = shelf.database.connection
    root = connection.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'mentions_by_entity'"
    )
    page = root.fetchone()[0]
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    shelf.database.checkpoint()
    shelf.database.close()
    path = shelf.folder / "materia.db"
    data = bytearray(path.read_bytes())
    data[(page - 1) * size + 3 : (page - 1) * size + 5] = b"\x00\x00"  # the page says it is empty
    path.write_bytes(data)
    again = open_shelf(shelf.folder)
    for repair in (False, True):
        report = again.verifier.run(repair=repair)
        assert "damaged_database" in [finding.kind for finding in report.findings]
        assert not report.consistent
        assert not any(finding.repairable for finding in report.findings)
    assert path.read_bytes() == bytes(data)


# -- while others work -----------------------------------------------------------------------------


@pytest.mark.parametrize("repair", [False, True])
def test_a_file_in_work_is_no_disagreement(shelf: Shelf, repair: bool) -> None:
    seen = []

    def verify(progress: Progress) -> None:
        if progress.stage in ("reading", "cutting into chunks", "embedding"):
            seen.append(shelf.verifier.run(repair=repair).findings)

    source = text_file(shelf.folder.parent / "source", "c.txt", leaflet_text("warfarin", 800))
    result = shelf.library.ingest(source, report=verify)
    assert result.code == "OK" and result.chunks > 128
    assert len(seen) > 2 and not any(seen)
    assert shelf.verifier.run().findings == () and shelf.names() == [
        "a.txt",
        "b.txt",
        "c.txt",
        "x.pdf",
    ]


def test_an_index_that_is_embedded_anew_is_no_disagreement(shelf: Shelf) -> None:
    other = open_shelf(shelf.folder, encoder=HashEncoder("other", dimension=8))
    seen = []
    other.indexes.re_embed(
        LEAFLETS, report=lambda _: seen.append(other.verifier.run(repair=True).findings)
    )
    assert seen == [()] and other.verifier.run().findings == ()


@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize("deed", ["comes", "goes"])
def test_a_document_that_comes_or_goes_meanwhile_is_no_disagreement(
    workspace_dir: Path, repair: bool, deed: str
) -> None:
    """Between two looks at the stores it is in one and not yet, or no more, in the other."""
    vectors = FailingVectors(ChromaVectors(workspace_dir / "chroma"))
    shelf = open_shelf(workspace_dir, vectors=vectors)
    going = put(shelf, "a.txt")
    if deed == "comes":
        vectors.before_listing = lambda: put(shelf, "b.txt")
    else:
        vectors.before_listing = lambda: shelf.library.delete(going)
    assert shelf.verifier.run(repair=repair).findings == ()
    assert vectors.before_listing is None and shelf.verifier.run().findings == ()
    assert shelf.found("warfarin")["semantic"] == (["a.txt", "b.txt"] if deed == "comes" else [])


# -- any sequence ----------------------------------------------------------------------------------

steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "replace", "keep both", "delete"]),
        st.sampled_from(["one.txt", "two.txt"]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """A library that all examples go on with: what they leave is what the next one finds."""
    folder = tmp_path_factory.mktemp("used") / "data"
    return open_shelf(folder)


@pytest.mark.req("PR-2", "PR-3", "PR-5", "KB-5")
@given(steps=steps)
def test_whatever_is_done_all_stores_agree(used: Shelf, steps: list[tuple[str, str, int]]) -> None:
    """Documents listed = found = with vectors = in full text = on disk, after every step."""
    for deed, name, number in steps:
        documents = used.store.documents()
        if deed == "delete":
            for document in documents[number:]:
                assert used.library.delete(document.id).left == 0
        else:
            policy = {"add": OnConflict.ASK, "replace": OnConflict.REPLACE}
            source = text_file(used.folder.parent / "source", name, f"warfarin {number} " * 70)
            used.library.ingest(source, on_conflict=policy.get(deed, OnConflict.KEEP_BOTH))
        listed = {document.id: document.chunks for document in used.store.documents()}
        assert used.found("warfarin") == {mode: used.names() for mode in MODES}
        if used.store.index(LEAFLETS) is not None:
            stored = list(used.vectors.chunk_ids(LEAFLETS))
            assert len(stored) == sum(listed.values())
            assert {chunk_id.partition(":")[0] for chunk_id in stored} == set(listed)
        assert used.store.count_text_rows() == sum(listed.values())
        assert sorted(path.stem for path in used.files()) == sorted(listed)
        assert len(used.names()) == len(set(used.names())), "no name stands for two texts"
    assert used.verifier.run().findings == ()
