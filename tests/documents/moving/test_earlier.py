"""An earlier version of a file stays to be read and compared, and no search finds it unasked."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from core.documents.library.catalogue import Catalogue
from core.documents.library.names import earlier_name
from core.documents.library.outcomes import Source
from core.documents.library.shelves import EARLIER, LEAFLETS, answered_from
from core.documents.moving.earlier import EarlierVersions
from core.documents.moving.relocation import Relocation
from core.domain.documents import IngestResult, OnConflict, Profile
from core.errors import InputError
from core.search.options import SearchOptions
from tests.support.shelf import Shelf, open_shelf, text_file


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = open_shelf(tmp_path / "data")
    assert taken_in(shelf, "Take 10 mg. oldword").code == "OK"
    return shelf


def taken_in(
    shelf: Shelf,
    text: str,
    on_conflict: OnConflict = OnConflict.KEEP_EARLIER,
    index: str = LEAFLETS,
    name: str = "a.txt",
) -> IngestResult:
    path = text_file(shelf.folder.parent / "in", name, text)
    versions = EarlierVersions(shelf.library, Relocation(shelf.library))
    (result,) = versions.ingest_many([Source(path, name)], index=index, on_conflict=on_conflict)
    return result


def listed(shelf: Shelf) -> dict[str, list[str]]:
    return {
        one.name: sorted(
            document.file.partition(",")[0] for document in shelf.store.documents(one.name)
        )
        for one in shelf.store.indexes()
    }


def test_the_new_version_takes_the_name_and_the_earlier_one_is_kept(shelf: Shelf) -> None:
    (old,) = shelf.store.documents()
    new = taken_in(shelf, "Take 5 mg. newword")
    assert (new.state, new.code, new.file, new.earlier_id) == ("ready", "OK", "a.txt", old.id)
    assert "its earlier version is kept as “a (earlier, until " in new.message
    assert listed(shelf) == {EARLIER: ["a (earlier"], LEAFLETS: ["a.txt"]}
    assert shelf.store.pages(old.id)[0].text.startswith("Take 10 mg")
    catalogue = Catalogue(shelf.store)
    assert catalogue.superseded({old.id: "a.txt", new.document_id: "a.txt"}) == {"a.txt"}
    assert catalogue.lost_sources({old.id: "a.txt"}) == (set(), {"a.txt"})
    assert catalogue.lost_sources({new.document_id: "a.txt"}) == (set(), set())
    assert shelf.verifier.run().findings == ()


def test_no_search_looks_among_earlier_versions_unless_it_is_asked_to(shelf: Shelf) -> None:
    (old,) = shelf.store.documents()
    taken_in(shelf, "Take 5 mg. newword")
    assert set(map(tuple, shelf.found("oldword").values())) == {()}
    assert set(map(len, shelf.found("newword").values())) == {1}
    assert answered_from(shelf.store) == (LEAFLETS,)
    assert set(map(len, shelf.found("oldword", EARLIER).values())) == {1}
    (hit,) = shelf.retriever.search("oldword", SearchOptions(documents=(old.id,))).hits
    assert hit.document.file.startswith("a (earlier, until ")


def test_versions_that_come_and_go_are_each_kept_once(shelf: Shelf) -> None:
    (first,) = shelf.store.documents()
    second = taken_in(shelf, "Take 5 mg.")
    back = taken_in(shelf, "Take 10 mg. oldword")
    assert back.earlier_id == second.document_id
    third = taken_in(shelf, "Take 2 mg.")
    # The bytes of what makes way now are kept already: it stays where answers find it, and says what it is.
    assert third.earlier_id == back.document_id != first.id
    assert "its earlier version stays in the index leaflets" in third.message
    assert listed(shelf) == {EARLIER: ["a (earlier"] * 2, LEAFLETS: ["a (earlier", "a.txt"]}
    again = taken_in(shelf, "Take 2 mg.")
    assert (again.code, again.earlier_id) == ("ALREADY_PRESENT", "")
    assert shelf.verifier.run().findings == ()


def test_what_a_crash_left_between_the_two_steps_is_done_the_next_time(shelf: Shelf) -> None:
    (old,) = shelf.store.documents()
    path = text_file(shelf.folder.parent / "in", "a.txt", "Take 5 mg.")
    shelf.library.ingest(path, on_conflict=OnConflict.KEEP_EARLIER)
    assert listed(shelf) == {LEAFLETS: ["a.txt", "a.txt"]}
    again = taken_in(shelf, "Take 5 mg.")
    assert (again.code, again.earlier_id) == ("OK", old.id)
    assert listed(shelf) == {EARLIER: ["a (earlier"], LEAFLETS: ["a.txt"]}


def test_what_cannot_be_read_changes_nothing(shelf: Shelf) -> None:
    assert taken_in(shelf, "").state == "refused"
    assert listed(shelf) == {LEAFLETS: ["a.txt"]}


def test_of_two_that_are_both_kept_the_other_is_named(shelf: Shelf) -> None:
    (old,) = shelf.store.documents()
    both = taken_in(shelf, "Take 5 mg.", OnConflict.KEEP_BOTH)
    assert (both.file, both.earlier_id) == ("a (2).txt", old.id)
    other = taken_in(shelf, "Take 5 mg of another.", OnConflict.KEEP_BOTH, name="b.txt")
    assert (other.file, other.earlier_id) == ("b.txt", "")


def test_earlier_versions_keep_their_index(shelf: Shelf) -> None:
    shelf.library.ensure_index(EARLIER, Profile.LEAFLET)
    for text in ("Take 1 mg.", "Take 3 mg."):
        assert taken_in(shelf, text, index=EARLIER).code == "OK"
    assert listed(shelf)[EARLIER] == ["a (2).txt", "a.txt"]
    with pytest.raises(InputError, match="keeps its name"):
        shelf.indexes.rename(EARLIER, "old")


def test_the_name_says_until_when() -> None:
    day = date(2026, 11, 23)
    assert earlier_name("a.b.pdf", day) == "a.b (earlier, until 2026-11-23).pdf"
    assert earlier_name("notes", day) == "notes (earlier, until 2026-11-23)"
