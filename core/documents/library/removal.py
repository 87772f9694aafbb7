"""Out of the library: every trace of a document or an index, counted and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from core.documents.library.files import FileStore
from core.documents.library.in_work import InWork
from core.documents.store.changes import Changes
from core.documents.store.registry import Registry
from core.documents.store.texts import Texts
from core.documents.store.token_vectors import TokenVectorStore
from core.documents.store.upkeep import Upkeep
from core.documents.store.vectors import VectorStore
from core.domain.documents import DeletionReceipt, Document, Index
from core.errors import MateriaError, StoreError
from core.logs import get_logger

T = TypeVar("T", Document, Index)
_log = get_logger("documents")


class RemovalStore(Registry, Texts, Changes, Upkeep, Protocol):
    """What a removal changes, and counts afterwards."""


class Removal:
    """Removes from all stores, registry rows last: until then it is known what is left.

    Attributes:
        put_off: called when something could not be removed; `finish` is to be called then until it can.
    """

    def __init__(
        self,
        store: RemovalStore,
        vectors: VectorStore,
        files: FileStore,
        tokens: TokenVectorStore,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._files = files
        self._tokens = tokens
        self.put_off: Callable[[], None] = lambda: None

    def document(self, document: Document) -> DeletionReceipt:
        """Remove a document that no search sees any more, and count what is left of it."""
        collections = self._collections_of(document.index)
        vectors = sum(self._vectors.delete_document(name, document.id) for name in collections)
        files = self._files.remove(document.id)
        self._tokens.remove([document.id])
        counts = self._store.remove_document(document.id)
        left = self._store.count_document_rows(document.id) + self._files.count(document.id)
        left += sum(self._vectors.count(name, document.id) for name in collections)
        left += self._tokens.count(document.id)
        return DeletionReceipt(
            document_id=document.id,
            file=document.file,
            pages=document.pages,
            chunks=counts["chunks"],
            vectors=vectors,
            mentions=counts["mentions"],
            files=files,
            left=left,
            text_rows=counts["text"],
        )

    def index(self, index: Index) -> DeletionReceipt:
        """Remove an index, marked as deleting, with all its documents."""
        documents = self._store.documents(index.name, include_unfinished=True)
        collections = self._collections_of(index.name)
        vectors = sum(self._vectors.drop(name) for name in collections)
        files = sum(self._files.remove(document.id) for document in documents)
        self._tokens.remove([document.id for document in documents])
        counts = self._store.remove_index(index.name)
        left = self._store.count_index_rows(index.name) + len(self._collections_of(index.name))
        left += sum(self._files.count(document.id) for document in documents)
        left += sum(self._tokens.count(document.id) for document in documents)
        return DeletionReceipt(
            document_id="",
            file=index.name,
            pages=sum(document.pages for document in documents),
            chunks=counts["chunks"],
            vectors=vectors,
            mentions=counts["mentions"],
            files=files,
            left=left,
            text_rows=counts["text"],
            documents=counts["documents"],
        )

    def documents(self, documents: Sequence[Document]) -> list[DeletionReceipt]:
        """Remove documents that no search sees any more, a receipt for each; `unfinished` in those that
        have to wait until a store can be used."""
        return self._as_far_as_possible(
            self.document, documents, lambda one: _unfinished(one.id, one.file)
        )

    def indexes(self, indexes: Sequence[Index]) -> list[DeletionReceipt]:
        """Remove indexes that are marked as deleting, likewise."""
        return self._as_far_as_possible(self.index, indexes, lambda one: _unfinished("", one.name))

    def _as_far_as_possible(
        self,
        remove: Callable[[T], DeletionReceipt],
        things: Sequence[T],
        unfinished: Callable[[T], DeletionReceipt],
    ) -> list[DeletionReceipt]:
        receipts: list[DeletionReceipt] = []
        self._files.begin_removal()
        try:
            receipts.extend(map(remove, things))
            self.purge()
        except (MateriaError, OSError) as error:
            code = getattr(error, "code", type(error).__name__)
            _log.warning("removal_put_off", what=len(things) - len(receipts), code=code)
            self.put_off()
            done = [replace(one, unfinished=1) for one in receipts]
            return done + [unfinished(one) for one in things[len(receipts) :]]
        return receipts

    def undo(self, documents: Sequence[Document]) -> None:
        """Take back documents that did not get in; what cannot be now, `finish` does later."""
        for document in documents:
            try:
                self.document(document)
            except MateriaError as error:
                # The row stays ``ingesting``: invisible to search.
                _log.warning("undo_put_off", document=document.id, code=error.code)
                self.put_off()

    def finish(self, in_work: InWork) -> None:
        """Remove what was put off, while other things are in work.

        Raises:
            MateriaError: a store still cannot be used.
        """
        # A document gets ready under the lock: what is unfinished here, and in nobody's hands, stays so.
        with in_work.lock:
            for index in self._store.indexes(include_deleting=True):
                if index.deleting and not in_work.is_changing(index.name):
                    self.index(index)
                    _log.info("removal_finished", index=index.name)
            for document in self._store.unfinished():
                if not in_work.has(document.id):
                    self.document(document)
                    _log.info("removal_finished", document=document.id)
            for document_id in self._files.corrections_begun():
                if not in_work.has(document_id):
                    self._end_correction(document_id)
            # Of an index that is there: one that nobody knows may be another library's on a shared server.
            for index in self._store.indexes():
                if not in_work.is_changing(index.name):
                    for name in set(self._collections_of(index.name)) - {index.collection}:
                        self._drop(name)
            if self._files.dropping:
                self._drop_unknown_collections(in_work)
        self.purge()

    def drop(self, collection: str) -> None:
        """Remove a collection that serves no index, now or as soon as it can be."""
        try:
            self._vectors.drop(collection)
        except StoreError as error:
            _log.warning("removal_put_off", collection=collection, code=error.code)
            self._files.begin_dropping()
            self.put_off()

    def _end_correction(self, document_id: str) -> None:
        document = self._store.document(document_id)
        if document is not None:
            spare = self.spare_vectors(document_id)
            self._tokens.remove([document_id])
            _log.warning("correction_ended", document=document_id, vectors=spare)
        self._files.end_correction(document_id)

    def spare_vectors(self, document_id: str) -> int:
        """Remove a document's vectors that stand for no chunk of it in its index; how many there were.

        They are of before a correction of its title or a move, or of one that did not come about.
        """
        document = self._store.document(document_id)
        known = {chunk.id for chunk in self._store.document_chunks(document_id)}
        indexes = {index.name for index in self._store.indexes(include_deleting=True)}
        spare = 0
        for name in sorted(self._vectors.collections()):
            index = name.partition("@")[0]
            if index not in indexes:  # on a shared server it may be another library's
                continue
            found = set(self._vectors.document_chunk_ids(name, document_id))
            if document is not None and index == document.index:
                found -= known
            if found:
                self._vectors.delete_chunks(name, sorted(found))
            spare += len(found)
        return spare

    def recover(self, in_work: InWork) -> list[str]:
        """Finish or roll back what a crash left; the names of the files and indexes concerned. What a store
        that is away keeps from that, `finish` does."""
        for document_id in self._files.corrections_begun():
            self._end_correction(document_id)
        interrupted = self._files.interrupted
        if interrupted:
            self._files.begin_dropping()
            self._files.clear_incoming()
        undone: list[str] = []
        for index in self._store.indexes(include_deleting=True):
            if index.deleting:
                self.index(index)
                undone.append(index.name)
                _log.warning("deletion_finished", index=index.name)
        for document in self._store.unfinished():
            self.document(document)
            undone.append(document.file)
            _log.warning("rolled_back", document=document.id, state=document.state)
        # A crash while an index is made, removed or embedded anew leaves a collection that no index
        # knows.
        if undone or interrupted:
            self._drop_unknown_collections(in_work)
            self.purge()
        return undone

    def purge(self) -> None:
        """Overwrite what removals left in files."""
        self._store.purge()
        self._tokens.purge()
        self._files.end_removal()

    def _drop_unknown_collections(self, in_work: InWork) -> None:
        known = {index.collection for index in self._store.indexes()}
        unknown = self._vectors.collections() - known
        changing = {name for name in unknown if in_work.is_changing(name.partition("@")[0])}
        for name in unknown - changing:
            self._drop(name)
        if changing:
            self.put_off()
        else:
            self._files.end_dropping()

    def _drop(self, name: str) -> None:
        _log.warning("collection_dropped", collection=name, vectors=self._vectors.drop(name))

    def _collections_of(self, index: str) -> list[str]:
        """Every collection of an index: the serving one, and one that is being made."""
        return sorted(
            name for name in self._vectors.collections() if name.partition("@")[0] == index
        )


def _unfinished(document_id: str, name: str) -> DeletionReceipt:
    return DeletionReceipt(document_id, name, 0, 0, 0, 0, 0, 0, documents=0, unfinished=1)
