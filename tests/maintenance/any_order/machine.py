"""Everything that changes a library, in any order, beside a plain model of what it then holds."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.documents.library.shelves import LEAFLETS
from core.domain.documents import DocumentState, IngestResult, OnConflict, Profile, document_of
from core.errors import StoreUnavailable, VectorsUnavailable
from core.search.options import SearchOptions
from core.stores.neo4j.connection import Neo4j
from tests.maintenance.any_order.gate import REGISTRY, Killed
from tests.maintenance.any_order.world import MODELS, World
from tests.support.neo4j_server import wipe

WORDS = ("apple", "birch", "cedar", "dogwood")
INDEXES = (LEAFLETS, "papers", "reports")
_ONE = st.integers(0, 5)
_CALLS = st.integers(0, 14)
_GATE = "The {0} stands at the gate. " + "It was planted by the brook beside {0}. " * 6
_EVERYTHING = SearchOptions(k=100, candidates=400, mode="semantic")


@dataclass(frozen=True)
class Held:
    """A document as the analyst knows it."""

    id: str
    index: str
    file: str
    title: str
    text: str


Shelf = frozenset[Held]


class AnyOrder(RuleBasedStateMachine):
    """What the analyst was told is what all stores hold, as soon as they can be used.

    What is interrupted, by a kill or a server that goes, came about or did not: nothing between.
    """

    def __init__(self, server: Neo4j | None = None) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        if server is not None:
            wipe(server)
        self.world = World(self.root, server)
        self.held: Shelf = frozenset()
        self.known: set[str] = {LEAFLETS}  # indexes
        self.graph: frozenset[str] = frozenset()
        self.count = 0
        self.world.library.ensure_index(LEAFLETS, Profile.LEAFLET)

    def teardown(self) -> None:
        self.world.close()
        shutil.rmtree(self.root)

    # -- the model ---------------------------------------------------------------------------------

    def _seen(self) -> Shelf:
        """What the registry lists, looked at behind the gate."""
        registry = self.world.registry
        return frozenset(
            Held(
                one.id,
                one.index,
                one.file,
                one.title,
                "\n".join(page.text for page in registry.pages(one.id)),
            )
            for one in registry.documents()
        )

    def _indexes(self) -> set[str]:
        return {one.name for one in self.world.registry.indexes()}

    def _try(self, action: Callable[[], object]) -> bool:
        """Do something; whether it came to its end."""
        try:
            result = action()
        except (VectorsUnavailable, StoreUnavailable):
            assert self.world.down
            return False
        except Killed:
            self.world.start_again()
            return False
        if isinstance(result, IngestResult) and result.state == "failed":
            assert self.world.down and result.code in ("VECTORS_UNAVAILABLE", "GRAPH_UNAVAILABLE")
            return False
        return True

    def _changed(self, done: bool, after: Callable[[Shelf], bool]) -> None:
        """The library is as it is to be after what was done, or, if that was interrupted, as it was."""
        seen = self._seen()
        assert after(seen) or (not done and seen == self.held)
        self.held = seen

    def _chosen(self, number: int) -> Held | None:
        held = sorted(self.held, key=lambda one: (one.index, one.file))
        return held[number % len(held)] if held else None

    def _is(self, wanted: Shelf) -> Callable[[Shelf], bool]:
        return lambda seen: seen == wanted

    def _with_new(self, rest: Shelf, index: str, file: str, text: str) -> Callable[[Shelf], bool]:
        """The rest, and one that nobody has seen before."""
        earlier = {one.id for one in self.held}

        def after(seen: Shelf) -> bool:
            new = seen - rest
            return (
                seen >= rest
                and [(one.index, one.file, one.text) for one in new] == [(index, file, text)]
                and not {one.id for one in new} & earlier
            )

        return after

    def _source(self, text: str) -> Path:
        path = self.root / "source.txt"
        path.write_text(text, encoding="utf-8")
        return path

    # -- what happens ------------------------------------------------------------------------------

    @rule(word=st.sampled_from(WORDS), index=st.sampled_from(INDEXES))
    def upload(self, word: str, index: str) -> None:
        self.count += 1
        name, text = f"{word}{self.count}.txt", _GATE.format(f"{word} {self.count}")
        library = self.world.library
        if not self._try(lambda: library.ensure_index(index, Profile.LEAFLET)):
            self._changed(True, self._is(self.held))
            self.known = self._indexes()
            return
        self.known.add(index)
        done = self._try(lambda: library.ingest(self._source(text), name=name, index=index))
        self._changed(done, self._with_new(self.held, index, name, text))

    @rule(number=_ONE)
    def upload_again(self, number: int) -> None:
        """The same bytes: they are recognised."""
        if chosen := self._chosen(number):
            results: list[IngestResult] = []
            done = self._try(
                lambda: results.append(
                    self.world.library.ingest(
                        self._source(chosen.text), name=chosen.file, index=chosen.index
                    )
                )
            )
            self._changed(True, self._is(self.held))
            assert not done or results[0].code == "ALREADY_PRESENT" or self.world.down

    @rule(number=_ONE, word=st.sampled_from(WORDS))
    def replace(self, number: int, word: str) -> None:
        if chosen := self._chosen(number):
            self.count += 1
            text = _GATE.format(f"{word} {self.count}")
            done = self._try(
                lambda: self.world.library.ingest(
                    self._source(text),
                    name=chosen.file,
                    index=chosen.index,
                    on_conflict=OnConflict.REPLACE,
                )
            )
            same = {
                one for one in self.held if (one.index, one.file) == (chosen.index, chosen.file)
            }
            rest = self.held - same
            self._changed(done, self._with_new(rest, chosen.index, chosen.file, text))

    @rule(number=_ONE)
    def delete(self, number: int) -> None:
        if chosen := self._chosen(number):
            due = self._counts(chosen)

            def delete() -> None:
                receipt = self.world.library.delete(chosen.id)
                assert receipt.left == 0
                if receipt.unfinished:
                    assert self.world.down
                else:
                    assert (
                        receipt.chunks,
                        receipt.text_rows,
                        receipt.vectors,
                        receipt.mentions,
                        receipt.files,
                    ) == due

            self._changed(self._try(delete), self._is(self.held - {chosen}))

    def _counts(self, one: Held) -> tuple[int, int, int, int, int]:
        """Chunks, rows of full text, vectors, mentions and files of a document."""
        registry = self.world.registry
        chunks = registry.document_chunks(one.id)
        mentions = registry.mentions_of_chunks([chunk.id for chunk in chunks])
        links = sum(map(len, mentions.values()))
        return len(chunks), len(chunks), len(chunks), links, 1

    @rule(index=st.sampled_from(INDEXES))
    def delete_index(self, index: str) -> None:
        if index in self.known and len(self.known) > 1:
            gone = frozenset(one for one in self.held if one.index == index)

            def delete() -> None:
                receipt = self.world.indexes.delete(index)
                assert receipt.left == 0 and bool(receipt.unfinished) <= bool(self.world.down)
                assert receipt.unfinished or receipt.documents == len(gone)

            done = self._try(delete)
            self._changed(done, self._is(self.held - gone))
            assert not done or index not in self._indexes()
            self.known = self._indexes()

    @rule(number=_ONE, title=st.sampled_from(("Oak", "Pine")))
    def retitle(self, number: int, title: str) -> None:
        if chosen := self._chosen(number):
            done = self._try(lambda: self.world.library.retitle(chosen.id, title))
            wanted = self.held - {chosen} | {replace(chosen, title=title)}
            self._changed(done, self._is(wanted))

    @rule(number=_ONE, index=st.sampled_from(INDEXES), copy=st.booleans())
    def relocate(self, number: int, index: str, copy: bool) -> None:
        chosen = self._chosen(number)
        if chosen is None or index not in self.known:
            return
        work = self.world.relocation.copy if copy else self.world.relocation.move
        there = [one for one in self.held if one.index == index and one.text == chosen.text]
        results: list[IngestResult] = []

        def relocate() -> IngestResult:
            results.append(work(chosen.id, index))
            return results[0]

        done = self._try(relocate)
        if there:
            codes = {"ALREADY_THERE", "ALREADY_PRESENT", "SAME_CONTENT"}
            assert not done or results[0].code in codes
            self._changed(True, self._is(self.held))
            return
        taken = {one.file for one in self.held if one.index == index}
        name, number = chosen.file, 2
        while name in taken:
            name, number = f"{Path(chosen.file).stem} ({number}).txt", number + 1
        if copy:
            self._changed(done, self._with_new(self.held, index, name, chosen.text))
        else:
            moved = replace(chosen, index=index, file=name)
            self._changed(done, self._is(self.held - {chosen} | {moved}))

    @rule(index=st.sampled_from(INDEXES), name=st.sampled_from(INDEXES))
    def rename(self, index: str, name: str) -> None:
        if index not in self.known or name in self.known:
            return
        done = self._try(lambda: self.world.indexes.rename(index, name))
        renamed = frozenset(
            replace(one, index=name) if one.index == index else one for one in self.held
        )
        self._changed(done, self._is(renamed))
        self.known = self._indexes()
        assert not done or (name in self.known and index not in self.known)
        if name in self.known:
            assert self.world.registry.present_name(index) == name

    @rule(index=st.sampled_from(INDEXES), model=st.sampled_from(sorted(MODELS)))
    def re_embed(self, index: str, model: str) -> None:
        if index in self.known:
            done = self._try(lambda: self.world.indexes.re_embed(index, model))
            found = self.world.registry.index(index)
            assert found is not None and (not done or found.model == model)
            self._changed(True, self._is(self.held))

    @rule(names=st.sets(st.sampled_from(WORDS), min_size=1))
    def import_graph(self, names: set[str]) -> None:
        done = self._try(lambda: self.world.import_graph(sorted(names), lambda: None))
        seen = frozenset(one.name for one in self.world.graph_behind.all_entities())
        assert seen == names or (not done and seen == self.graph)
        self.graph = seen

    # -- what goes wrong ---------------------------------------------------------------------------

    @precondition(lambda self: not self.world.gate.armed)
    @rule(calls=_CALLS, again=st.none() | st.integers(0, 10))
    def is_killed(self, calls: int, again: int | None) -> None:
        """After so many calls to stores, in the middle of something; and perhaps the next process too."""
        self.world.killed_after(calls, again)

    @precondition(lambda self: not self.world.gate.armed)
    @rule(calls=_CALLS, number=_ONE)
    def server_goes(self, calls: int, number: int) -> None:
        servers = self.world.servers
        self.world.goes_after(calls, servers[number % len(servers)])

    @precondition(lambda self: self.world.down)
    @rule()
    def servers_come(self) -> None:
        self.world.down.clear()
        self.tried_again()

    @precondition(lambda self: self.world.down)
    @rule()
    def tried_again(self) -> None:
        """What was put off, also during an outage."""
        self._try(self.world.catch_up)
        self._changed(True, self._is(self.held))

    # -- what is always so -------------------------------------------------------------------------

    @invariant()
    def what_is_there_answers_and_nothing_else(self) -> None:
        if self.world.gate.armed or REGISTRY in self.world.down:
            return  # to look would use up its calls
        for mode in ("semantic", "lexical"):
            found = self.world.retriever.search("gate", replace(_EVERYTHING, mode=mode))
            assert bool(found.notice) <= bool(self.world.down)
            hits = {(hit.document.id, hit.document.index) for hit in found.hits}
            assert hits == {(one.id, one.index) for one in self.held}

    @invariant()
    def all_stores_agree_once_nothing_is_due(self) -> None:
        world = self.world
        if world.gate.armed or world.down or world.due:
            return
        assert world.verifier.run().findings == ()
        registry = world.registry
        everything = registry.documents(include_unfinished=True)
        assert {one.id for one in everything} == {one.id for one in self.held}
        assert all(one.state is DocumentState.READY for one in everything)
        assert set(world.library.files.owners()) == {one.id for one in self.held}
        assert not list(world.library.files.incoming.glob("*"))
        collections = {one.collection: one.name for one in registry.indexes()}
        assert world.vectors.collections() == set(collections)
        for collection, index in collections.items():
            vectors = Counter(map(document_of, world.vectors.chunk_ids(collection)))
            assert vectors == {
                one.id: len(registry.document_chunks(one.id))
                for one in self.held
                if one.index == index
            }
        assert not world.links.due or not self.held
        for one in self.held:
            words = Counter(
                re.findall(
                    r"\w+", " ".join(chunk.text for chunk in registry.document_chunks(one.id))
                )
            )
            wanted = {f"E:{name}": words[name] for name in self.graph if words[name]}
            assert registry.mentions_of_document(one.id) == wanted
