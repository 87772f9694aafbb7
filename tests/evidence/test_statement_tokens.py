"""Statements are read by the model once, ahead of questions where nobody asks, and go with their documents."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from core.domain.documents import Hit
from core.domain.vectors import StatementVectors, TokenVectors
from core.errors import StoreError
from core.evidence.blocks import BlockCache, BlockSource, StatementBlocks, read_blocks
from core.evidence.passages import PassageReader, Quote
from core.evidence.reading.ahead import ReadAhead
from core.evidence.reading.own_conditions import own_conditions
from core.evidence.reading.statement_tokens import StatementTokens
from core.stores.sqlite.token_vectors import SqliteTokenVectors
from tests.support.fakes import HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import Shelf, open_shelf, text_file


class CountingEncoder(HashEncoder):
    """Notes what it reads."""

    def __init__(self, name: str = "hash-16") -> None:
        super().__init__(name)
        self.texts: list[str] = []

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        self.texts += texts
        return super().encode_tokens(texts)


@dataclass
class Reading:
    """A library whose statements are read."""

    shelf: Shelf
    store: SqliteTokenVectors
    model: CountingEncoder
    blocks: BlockCache = field(default_factory=BlockCache)

    @property
    def tokens(self) -> StatementTokens:
        return StatementTokens(self.store, lambda: self.model, self.shelf.store.present)

    def ahead(self, tokens: StatementTokens | None = None) -> ReadAhead:
        return ReadAhead(self.shelf.store, tokens or self.tokens, self.blocks, lambda: False)

    def put(self, name: str) -> str:
        source = text_file(self.shelf.folder.parent / "source", f"{name}.txt", leaflet_text(name))
        return self.shelf.library.ingest(source).document_id

    def quotes(self, document_id: str) -> list[Quote]:
        document = self.shelf.store.document(document_id)
        assert document is not None
        reader = PassageReader(self.shelf.store)
        return [
            quote
            for chunk in self.shelf.store.document_chunks(document_id)
            for quote in reader.quotes(Hit(chunk, document, 0, 0))
        ]


@pytest.fixture
def reading(workspace_dir: Path) -> Iterator[Reading]:
    with closing(SqliteTokenVectors(workspace_dir / "tokens.db", 50_000_000)) as store:
        yield Reading(open_shelf(workspace_dir, tokens=store), store, CountingEncoder())


def test_a_statement_is_read_once(reading: Reading) -> None:
    quotes = reading.quotes(reading.put("warfarin"))
    first = reading.tokens.statements(quotes)
    read, reading.model.texts = reading.model.texts, []
    again = reading.tokens.statements(quotes)
    assert read and not reading.model.texts
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one.vector, other.vector)
        assert np.allclose(one.tokens, other.tokens, atol=0.01)


def test_what_a_question_had_lately_is_at_hand_until_it_is_answered(reading: Reading) -> None:
    found = reading.quotes(reading.put("warfarin"))
    quotes = list({quote.text: quote for quote in found}.values())
    asked: list[int] = []

    class Watched(SqliteTokenVectors):
        def read(self, document_id: str, keys: Sequence[bytes]) -> dict[bytes, StatementVectors]:
            asked.append(len(keys))
            return super().read(document_id, keys)

    with closing(Watched(reading.shelf.folder / "watched.db", 50_000_000)) as store:
        reading.store = store
        tokens = reading.tokens
        with tokens.asking():
            some = tokens.statements(quotes[:2])
            every = tokens.statements(quotes)
            assert asked == [2, len(quotes) - 2]
        assert [id(one) for one in every[:2]] == [id(one) for one in some]
        tokens.statements(quotes)
        assert asked[2:] == [len(quotes)]


def test_what_another_document_has_in_the_same_words_is_not_read_again(reading: Reading) -> None:
    first = reading.put("warfarin")
    reading.tokens.statements(reading.quotes(first))
    again = text_file(
        reading.shelf.folder.parent / "source", "warfarin 2.txt", leaflet_text("warfarin") + " New."
    )
    second = reading.shelf.library.ingest(again).document_id
    reading.shelf.library.retitle(second, "warfarin")
    before, reading.model.texts = set(reading.model.texts), []
    quotes = reading.quotes(second)
    reading.tokens.statements(quotes)
    assert len(reading.model.texts) < len(quotes) and before.isdisjoint(reading.model.texts)
    counts = reading.store.counts()
    assert counts[second] == len({quote.text for quote in quotes}), "it has its own of all"
    reading.shelf.library.delete(first)
    reading.model.texts = []
    reading.tokens.statements(quotes)
    assert not reading.model.texts


def test_another_model_reads_for_itself(reading: Reading) -> None:
    quotes = reading.quotes(reading.put("warfarin"))
    reading.tokens.statements(quotes)
    other = CountingEncoder("another")
    reading.model = other
    reading.tokens.statements(quotes)
    assert other.texts


@pytest.mark.req("PR-5")
def test_what_was_read_goes_with_the_document(reading: Reading) -> None:
    gone, kept = reading.put("warfarin"), reading.put("aspirin")
    reading.ahead().read_all()
    assert reading.store.counts().keys() == {gone, kept}
    assert reading.shelf.library.delete(gone).left == 0
    assert reading.store.counts().keys() == {kept}
    reading.shelf.indexes.delete("leaflets")
    assert reading.store.counts() == {}


def test_what_is_asked_of_a_document_while_it_is_deleted_is_not_kept(reading: Reading) -> None:
    document_id = reading.put("warfarin")
    quotes = reading.quotes(document_id)
    reading.shelf.library.delete(document_id)
    assert len(reading.tokens.statements(quotes)) == len(quotes)
    assert reading.store.counts() == {}


def test_under_another_title_all_is_read_anew(reading: Reading) -> None:
    document_id = reading.put("warfarin")
    reading.ahead().read_all()
    reading.shelf.library.retitle(document_id, "Coumadin tablets")
    assert reading.store.counts() == {}
    reading.model.texts = []
    assert reading.ahead().read_all()
    assert all("Coumadin tablets" in text for text in reading.model.texts)


def test_a_question_is_answered_where_nothing_can_be_kept(reading: Reading) -> None:
    class Broken(SqliteTokenVectors):
        def read(self, document_id: str, keys: Sequence[bytes]) -> dict[bytes, object]:  # type: ignore[override]
            raise StoreError("damaged")

        def add(self, *_: object) -> None:
            raise StoreError("the disk is full")

    quotes = reading.quotes(reading.put("warfarin"))
    reading.store = Broken(reading.shelf.folder / "broken.db", 1)
    assert len(reading.tokens.statements(quotes)) == len(quotes)


def test_all_is_read_ahead_once_the_newest_document_first(reading: Reading) -> None:
    old, new = reading.put("warfarin"), reading.put("aspirin")
    assert reading.ahead().read_all() == len(set(reading.model.texts)) > 0
    first = next(text for text in reading.model.texts)
    assert first in {f"{q.hit.chunk.context}: {q.text}"[:480] for q in reading.quotes(new)}
    reading.model.texts = []
    assert reading.ahead().read_all() == 0
    for document_id in (old, new):
        reading.tokens.statements(reading.quotes(document_id))
    assert not reading.model.texts


def test_what_was_interrupted_is_gone_on_with(reading: Reading) -> None:
    reading.put("warfarin")
    turns = iter([True, True, True])
    begun = reading.ahead().read_all(lambda: next(turns, False))
    assert begun > 0
    reading.model.texts = []
    rest = reading.ahead().read_all()
    assert rest == len(reading.model.texts) > 0
    reading.model.texts = []
    assert reading.ahead().read_all() == 0


def test_nothing_is_read_ahead_where_there_is_no_room(reading: Reading) -> None:
    reading.put("warfarin")
    reading.store = SqliteTokenVectors(reading.shelf.folder / "small.db", 1)
    assert reading.ahead().read_all() == 0 and not reading.model.texts


def test_it_reads_in_the_background_when_nobody_asks(reading: Reading) -> None:
    reading.put("warfarin")
    tokens = reading.tokens
    ahead = reading.ahead(tokens)
    ahead.wake()  # not started: nothing happens
    seen = threading.Event()
    tokens.note_read = lambda *_: seen.set()  # type: ignore[method-assign]
    with tokens.asking():
        ahead.start()
        assert not seen.wait(0.5) and not reading.model.texts
    tokens._asked = -1e9  # long ago
    assert seen.wait(20)
    ahead.close()


def test_verify_finds_and_removes_what_belongs_to_nothing(reading: Reading) -> None:
    reading.put("warfarin")
    reading.ahead().read_all()
    assert reading.shelf.verifier.run().findings == ()
    gone = reading.tokens.question("left by a crash")
    reading.store.add("gone", {b"key": gone}, lambda: True)  # type: ignore[dict-item]
    (finding,) = reading.shelf.verifier.run(repair=True).findings
    assert finding.kind == "orphan_token_vectors" and finding.count == 1 and finding.repaired
    assert reading.shelf.verifier.run().findings == ()


def test_verify_makes_a_damaged_file_anew(reading: Reading) -> None:
    reading.put("warfarin")
    reading.ahead().read_all()
    reading.store.close()
    path = reading.shelf.folder / "tokens.db"
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 100_000)
    (finding,) = reading.shelf.verifier.run(repair=True).findings
    assert finding.kind == "damaged_token_vectors"
    assert reading.shelf.verifier.run().findings == ()


def test_statements_of_pages_are_kept_until_the_pages_are_others(reading: Reading) -> None:
    document_id = reading.put("warfarin")
    cache = BlockCache()
    document = reading.shelf.store.document(document_id)
    assert document is not None
    chunks = reading.shelf.store.document_chunks(document_id)

    def quotes() -> list[Quote]:
        reader = PassageReader(reading.shelf.store, cache)
        return reader.quotes(Hit(chunks[0], document, 0, 0))

    first = quotes()
    assert quotes() == first and len(cache._read) == 1
    with reading.shelf.database.write() as connection:
        connection.execute("UPDATE pages SET text = replace(text, 'warfarin', 'zyxomab')")
    assert first != quotes()


def test_pages_and_what_they_say_of_patients_are_at_hand_after_reading_ahead(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [reading.put(name) for name in ("warfarin", "aspirin")]
    ahead = reading.ahead()
    ahead.read_all()
    read: list[str] = []

    def noted(source: BlockSource) -> StatementBlocks:
        read.append(source.chunks[0].document_id)
        return read_blocks(source)

    monkeypatch.setattr("core.evidence.passages.read_blocks", noted)
    monkeypatch.setattr(
        "core.questions.leaflets.reader.QuestionText.of", lambda text: read.append(text)
    )
    for document_id in ids:
        document = reading.shelf.store.document(document_id)
        assert document is not None
        passages = PassageReader(reading.shelf.store, reading.blocks)
        for chunk in reading.shelf.store.document_chunks(document_id):
            for quote in passages.quotes(Hit(chunk, document, 0, 0)):
                own_conditions(quote)
    assert read == []
    # What was met is not met again, what is new is, and nothing goes on once it has to end.
    monkeypatch.undo()
    monkeypatch.setattr("core.evidence.passages.read_blocks", noted)
    new = reading.put("ibuprofen")
    assert ahead.read_all(lambda: False) == 0 and read == []
    ahead.read_all()
    assert set(read) == {new}


def test_documents_without_room_are_not_read_ahead_and_new_ones_are(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("warfarin", "aspirin", "ibuprofen"):
        reading.put(name)
    monkeypatch.setattr("core.evidence.blocks._MOST_KEPT", 1)
    ahead = reading.ahead()
    ahead._meet(lambda: True)
    newest = set(reading.blocks._read)
    assert len(newest) == 1
    ahead._meet(lambda: True)
    assert set(reading.blocks._read) == newest
    for name in ("lisinopril", "metformin"):
        new = reading.put(name)
        ahead._meet(lambda: True)
        assert set(reading.blocks._read) == {new}


def test_blocks_of_documents_read_long_ago_are_forgotten(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.evidence.blocks._MOST_KEPT", 1)
    cache = BlockCache()
    for name in ("warfarin", "aspirin"):
        document = reading.shelf.store.document(reading.put(name))
        assert document is not None
        chunk = reading.shelf.store.document_chunks(document.id)[0]
        PassageReader(reading.shelf.store, cache).quotes(Hit(chunk, document, 0, 0))
    assert len(cache._read) == 1
