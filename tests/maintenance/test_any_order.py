"""Additions, corrections, deletions and embedding anew in any order, while the vector store comes and goes."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.documents.library.shelves import LEAFLETS
from core.domain.documents import DocumentState, Page, Profile
from core.errors import VectorsUnavailable
from core.search.options import SearchOptions
from core.stores.chroma.chunks import ChromaVectors
from tests.support.fakes import FailingVectors
from tests.support.shelf import Shelf, open_shelf, unfinished

_WORDS = ("apple", "birch", "cedar", "dogwood", "elm")
_OTHER = "papers"
_ONE = st.integers(0, 4)


class Library(RuleBasedStateMachine):
    """What the analyst was told is what all stores hold, as soon as they can be used."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.vectors = FailingVectors(ChromaVectors(self.folder / "chroma"))
        self.vectors.away = VectorsUnavailable("away")
        self.shelf: Shelf = open_shelf(self.folder, vectors=self.vectors)
        self.due = False
        self.shelf.library.removal.put_off = self._put_off
        self.shelf.library.ensure_index(LEAFLETS, Profile.LEAFLET)
        self.there: dict[str, str] = {}  # document id -> its word
        self.gone: set[str] = set()
        self.count = 0

    def teardown(self) -> None:
        self.shelf.database.close()
        self.vectors.real.close()  # type: ignore[attr-defined]
        shutil.rmtree(self.folder)

    def _put_off(self) -> None:
        self.due = True

    def _chosen(self, number: int) -> str | None:
        ids = sorted(self.there)
        return ids[number % len(ids)] if ids else None

    # -- what happens ------------------------------------------------------------------------------

    @rule(word=st.sampled_from(_WORDS), index=st.sampled_from((LEAFLETS, _OTHER)))
    def add(self, word: str, index: str) -> None:
        self.count += 1
        document = unfinished(f"d{self.count}", index, f"{word}{self.count}.txt")
        library = self.shelf.library
        try:
            library.ensure_index(index, Profile.LEAFLET)
            library.add_texts([(document, [Page(0, f"The {word} stands at the gate.")])], index)
        except VectorsUnavailable:
            assert self.vectors.down
        else:
            self.there[document.id] = word

    @rule(number=_ONE)
    def delete(self, number: int) -> None:
        if chosen := self._chosen(number):
            receipt = self.shelf.library.delete(chosen)
            assert receipt.left == 0 and bool(receipt.unfinished) <= self.vectors.down
            self.gone.add(self.there.pop(chosen))

    @rule()
    def delete_other_index(self) -> None:
        if self.shelf.store.index(_OTHER) is None:
            return
        documents = [one.id for one in self.shelf.store.documents(_OTHER)]
        receipt = self.shelf.indexes.delete(_OTHER)
        assert receipt.left == 0 and bool(receipt.unfinished) <= self.vectors.down
        for one in documents:
            del self.there[one]

    @rule(number=_ONE, title=st.sampled_from(("Oak", "Pine")))
    def retitle(self, number: int, title: str) -> None:
        if chosen := self._chosen(number):
            try:
                self.shelf.library.retitle(chosen, title)
            except VectorsUnavailable:
                assert self.vectors.down

    @rule()
    def re_embed(self) -> None:
        try:
            self.shelf.indexes.re_embed(LEAFLETS)
        except VectorsUnavailable:
            assert self.vectors.down

    @rule(calls=st.integers(0, 12))
    def server_goes(self, calls: int) -> None:
        """After so many calls, in the middle of something."""
        self.vectors.down_after = calls

    @precondition(lambda self: self.vectors.down)
    @rule()
    def server_comes(self) -> None:
        self.vectors.down, self.vectors.down_after = False, None
        if self.due:
            self.shelf.library.finish_removals()
            self.due = False

    @rule()
    def finish_too_early(self) -> None:
        """What is tried again and again during an outage."""
        try:
            self.shelf.library.finish_removals()
        except VectorsUnavailable:
            assert self.vectors.down

    # -- what is always so -------------------------------------------------------------------------

    @invariant()
    def the_analyst_sees_what_is_there(self) -> None:
        if self.vectors.down_after is not None and not self.vectors.down:
            return  # to look would use up its calls
        ready = {one.id for one in self.shelf.store.documents()}
        assert ready == set(self.there)
        found = self.shelf.retriever.search(
            "stands at the gate", SearchOptions(k=50, diverse=False)
        )
        assert {hit.document.id for hit in found.hits} <= ready
        assert bool(found.notice) <= self.vectors.down

    @invariant()
    def all_stores_agree_once_nothing_is_due(self) -> None:
        if self.vectors.down_after is None and not self.due:
            assert self.shelf.verifier.run().findings == ()
            assert not [
                one
                for one in self.shelf.store.documents(include_unfinished=True)
                if one.state is not DocumentState.READY
            ]


TestLibrary = Library.TestCase
TestLibrary.settings = settings(max_examples=100, stateful_step_count=12, deadline=None)
