"""What the library shows of itself."""

from __future__ import annotations

from pathlib import Path

from core.documents.library.catalogue import Catalogue
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import OnConflict
from tests.support.shelf import open_shelf, text_file

LONG = "Take one tablet with a glass of water every morning. " * 30


def test_passages_that_mention_an_entity(tmp_path: Path) -> None:
    shelf = open_shelf(tmp_path / "data")
    catalogue = Catalogue(shelf.store)
    assert catalogue.index_names() == []
    file = text_file(tmp_path / "in", "a.txt", "Warfarin thins blood.", LONG, "Aspirin, warfarin.")
    added = shelf.library.ingest(file)
    assert catalogue.index_names() == [LEAFLETS]
    assert [document.id for document in catalogue.documents(LEAFLETS)] == [added.document_id]
    chunks = catalogue.chunks(added.document_id)
    found = catalogue.chunks_mentioning("DB:aspirin", added.document_id)
    assert 0 < len(found) < len(chunks)
    assert found == [chunk for chunk in chunks if "Aspirin" in chunk.text]
    assert catalogue.chunks_mentioning("DB:nobody", added.document_id) == []
    assert catalogue.entities_in(added.document_id, 1) == {"DB:warfarin": 2}
    ((document, count),) = catalogue.documents_mentioning("DB:warfarin", 9)
    assert (document.id, count) == (added.document_id, 2)


def test_a_source_that_was_deleted_is_told_from_one_with_another_version(tmp_path: Path) -> None:
    shelf = open_shelf(tmp_path / "data")
    cited = {}
    for name in ("kept.txt", "changed.txt", "gone.txt"):
        result = shelf.library.ingest(text_file(tmp_path / "in", name, f"Warfarin of {name}."))
        cited[result.document_id] = name
    catalogue = Catalogue(shelf.store)
    assert catalogue.lost_sources(cited) == (set(), set())
    new = text_file(tmp_path / "in", "changed.txt", "Something else on warfarin.")
    assert shelf.library.ingest(new, on_conflict=OnConflict.REPLACE).state == "ready"
    shelf.library.delete(next(key for key, name in cited.items() if name == "gone.txt"))
    assert catalogue.lost_sources(cited) == ({"gone.txt"}, {"changed.txt"})
