"""Conversations out to files and in again, over a real store and a real library."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.conversations.exporting.exports import ExportFormat, Exports, file_name
from core.conversations.exporting.importing import ReadIn
from core.conversations.exporting.record import Standing
from core.documents.library.shelves import EARLIER
from core.documents.moving.relocation import Relocation
from core.domain.answers import DocumentCitation
from core.domain.conversations import Session, Turn
from core.domain.documents import OnConflict, Profile
from core.errors import Conflict, NotFound
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from tests.conversations.exporting.conversations import (
    HASH,
    SESSION,
    NoDocuments,
    a_full_answer,
    fill,
)
from tests.domain.answers import an_answer
from tests.support.shelf import open_shelf, text_file


@pytest.fixture
def exports(store: SqliteConversations) -> Exports:
    return Exports(store, NoDocuments())


# -- out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ExportFormat)
def test_a_conversation_or_one_answer_is_written(
    store: SqliteConversations, exports: Exports, form: ExportFormat
) -> None:
    fill(store, a_full_answer(), replace(a_full_answer(), question="And for children?"))
    whole, one = (exports.written(SESSION, form, turn) for turn in ("", f"{1:032x}"))
    assert whole.name.startswith("materia-about-metformin-") and whole.name.endswith(f".{form}")
    assert one.name.startswith("materia-and-for-children-")
    assert len(one.content) < len(whole.content)


def test_one_answer_says_so_and_keeps_its_number(
    store: SqliteConversations, exports: Exports
) -> None:
    fill(store, an_answer("First?", "One."), an_answer("Second?", "Two."))
    text = exports.written(SESSION, ExportFormat.MARKDOWN, f"{1:032x}").content.decode()
    assert "Record of an answer" in text and "1 of 2" in text
    assert "## 2\\. Second?" in text and "First?" not in text


@pytest.mark.parametrize(("session", "turn"), [("nobody", ""), (SESSION, "nobody"), ("", "")])
def test_what_does_not_exist_is_not_exported(
    store: SqliteConversations, exports: Exports, session: str, turn: str
) -> None:
    fill(store, an_answer("Q?"))
    with pytest.raises(NotFound):
        exports.written(session, ExportFormat.PDF, turn)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../etc/passwd", "materia-etc-passwd-"),
        ("Wie hoch ist die Dosis für Säuglinge?", "materia-wie-hoch-ist-die-dosis-fur-sauglinge-"),
        ("中文", "materia-conversation-"),
        ("x" * 300, f"materia-{'x' * 60}-"),
        ("a\nb\x00c|d:e", "materia-a-b-c-d-e-"),
    ],
)
def test_a_title_becomes_a_harmless_file_name(title: str, name: str) -> None:
    made = file_name(title, ExportFormat.PDF)
    assert made.startswith(name) and made.endswith(".pdf") and len(made) < 90


def test_what_became_of_documents_is_told(store: SqliteConversations, tmp_path: Path) -> None:
    """A document that is there, one that was replaced and one that was deleted."""
    shelf = open_shelf(tmp_path / "library")
    with closing(shelf.database):
        ids = {}
        for name in ("here.txt", "replaced.txt", "deleted.txt"):
            path = text_file(tmp_path / "files", name, f"What {name} says of aspirin.")
            ids[name] = shelf.library.ingest(path).document_id
        hashes = {name: shelf.store.document(one).sha256 for name, one in ids.items()}
        other = text_file(tmp_path / "files", "replaced.txt", "Something else.")
        shelf.library.ingest(other, on_conflict=OnConflict.REPLACE)
        shelf.library.delete(ids["deleted.txt"])
        answer = replace(
            a_full_answer(),
            sentences=(),
            citations=tuple(
                DocumentCitation(n, one, f"{one}:0", name, 0, "", "", "says", 0, 4, 0.5)
                for n, (name, one) in enumerate(ids.items(), start=1)
            ),
        )
        fill(store, answer, replace(answer, trace=None))
        exports = Exports(store, shelf.store)
        found = exports.record(SESSION).documents
        assert {one.version.file: one.standing for one in found.values()} == {
            "here.txt": Standing.PRESENT,
            "replaced.txt": Standing.REPLACED,
            "deleted.txt": Standing.DELETED,
        }
        assert found[ids["here.txt"]].version.sha256 == hashes["here.txt"]
        assert {one.turns for one in found.values()} == {(1, 2)}
        text = exports.written(SESSION, ExportFormat.MARKDOWN).content.decode()
        assert hashes["here.txt"] in text
        assert "replaced by another version" in text and "hash not known" in text
        shelf.library.ensure_index(EARLIER, Profile.LEAFLET)
        Relocation(shelf.library).move(ids["here.txt"], EARLIER)
        earlier = exports.record(SESSION).documents[ids["here.txt"]]
        assert earlier.standing is Standing.REPLACED, "it is kept, and no answer rests on it now"
        assert earlier.version.sha256 == hashes["here.txt"]


def test_the_hash_of_a_document_that_is_gone_comes_from_the_trace(
    store: SqliteConversations, exports: Exports
) -> None:
    fill(store, a_full_answer())
    (cited,) = exports.record(SESSION).documents.values()
    assert cited.version.sha256 == HASH and cited.standing is Standing.DELETED


# -- in again --------------------------------------------------------------------------------------


def _values(turns: list[Turn]) -> list[tuple[object, ...]]:
    return [(turn.position, turn.created_at, replace(turn.answer, session="")) for turn in turns]


@pytest.mark.req("KG-12", "KG-15")
def test_another_library_gets_the_same_conversation(
    store: SqliteConversations, exports: Exports, tmp_path: Path
) -> None:
    session = fill(store, *(replace(a_full_answer(), question=f"Q{n}?") for n in range(12)))
    data = exports.written(SESSION, ExportFormat.JSON).content
    with closing(Database(tmp_path / "other.db")) as database:
        other = SqliteConversations(database)
        assert Exports(other, NoDocuments()).read_in(data) == ReadIn(session, new=True)
        assert other.turns(SESSION) == store.turns(SESSION)
        assert other.session(SESSION) == store.session(SESSION)


@pytest.mark.req("KG-12")
def test_ids_that_are_taken_are_given_anew(store: SqliteConversations, exports: Exports) -> None:
    fill(store, a_full_answer(), an_answer("And then?"))
    data = exports.written(SESSION, ExportFormat.JSON).content
    others = exports.of_user("other")
    again = others.read_in(data).session
    assert again.id != SESSION and len(store.sessions()) == 2 and again.user == "other"
    copies, own = store.turns(again.id), store.turns(SESSION)
    assert _values(copies) == _values(own)
    assert {turn.answer.session for turn in copies} == {again.id}
    assert not {turn.id for turn in copies} & {turn.id for turn in own}
    # The conversation's own id is free again, those of its questions are not.
    store.delete_session(SESSION)
    store.restore_turn(
        Session("other", "Other", again.created_at, again.updated_at, 1),
        replace(own[0], session_id="other"),
    )
    third = exports.read_in(data)
    assert third.session.id == SESSION and _values(store.turns(SESSION)) == _values(own)
    assert [turn.id == was.id for turn, was in zip(store.turns(SESSION), own, strict=True)] == [
        False,
        True,
    ]
    for known, session_id in ((exports, SESSION), (others, again.id)):
        once_more = known.read_in(data)
        assert (once_more.session.id, once_more.new) == (session_id, False)
    assert len(store.sessions()) == 3


@pytest.mark.req("KG-12")
def test_the_same_file_is_known_again(store: SqliteConversations, exports: Exports) -> None:
    fill(store, a_full_answer(), an_answer("And then?"))
    data = exports.written(SESSION, ExportFormat.JSON).content
    before = store.sessions(), store.turns(SESSION)
    assert exports.read_in(data) == ReadIn(before[0][0], new=False)
    store.add_turn("later", SESSION, an_answer("And after that?"))  # it has all of the file still
    assert not exports.read_in(data).new
    assert len(store.sessions()) == 1 and store.turns(SESSION)[:2] == before[1]
    one = exports.written(SESSION, ExportFormat.JSON, f"{1:032x}").content
    assert not exports.read_in(one).new  # one answer of it is there, too


class _Failing(SqliteConversations):
    """Breaks in the midst of a conversation."""

    def import_session(self, session: Session, turns: Sequence[Turn]) -> None:
        super().import_session(session, [*turns[:2], *turns[:1]])


def test_a_failure_leaves_nothing(
    store: SqliteConversations, exports: Exports, tmp_path: Path
) -> None:
    fill(store, *(an_answer(f"Q{n}?") for n in range(4)))
    data = exports.written(SESSION, ExportFormat.JSON).content
    with closing(Database(tmp_path / "other.db")) as database:
        other = _Failing(database)
        with pytest.raises(Conflict):
            Exports(other, NoDocuments()).read_in(data)
        assert other.session(SESSION) is None and other.turns(SESSION) == []


def test_one_answer_comes_back_as_a_conversation(
    store: SqliteConversations, exports: Exports
) -> None:
    fill(store, an_answer("First?"), a_full_answer())
    data = exports.written(SESSION, ExportFormat.JSON, f"{1:032x}").content
    store.delete_session(SESSION)
    session = exports.read_in(data).session
    (turn,) = store.turns(session.id)
    assert session.title == a_full_answer().question  # as its file is called
    assert turn.position == 0 and turn.question == a_full_answer().question
