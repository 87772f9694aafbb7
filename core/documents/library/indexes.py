"""Named indexes: create, list, describe, delete, and embed anew with another model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import groupby, islice

import numpy as np

from core.documents.cutting.filling import cut, embed
from core.documents.library.library import Library
from core.documents.library.outcomes import Progress, Report
from core.documents.library.shelves import ABSTRACTS, EARLIER
from core.documents.reading.extract import never
from core.domain.documents import (
    Chunk,
    DeletionReceipt,
    Index,
    IndexCounts,
    Profile,
    document_of,
)
from core.domain.encoder import Encoder
from core.errors import Cancelled, Conflict, InputError, NotFound, VectorsUnavailable
from core.logs import get_logger

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,99}")  # KB-2
_KEEPING = {
    ABSTRACTS: "Literature finds the papers by it",
    EARLIER: "answers leave its documents out",
}
_BATCH = 256  # chunks between two progress reports
_log = get_logger("indexes")


@dataclass(frozen=True, slots=True)
class IndexDescription:
    """An index, what it holds, and whether the configured model is the one it was made with.

    Attributes:
        vectors: None while their server cannot be reached.
    """

    index: Index
    counts: IndexCounts
    vectors: int | None
    needs_embedding: bool


class Indexes:
    """What can be done with a whole index of a library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def create(self, name: str, profile: Profile = Profile.LEAFLET) -> Index:
        """A new, empty index for the configured embedding model.

        Raises:
            InputError: the name is not one (``INVALID_INDEX_NAME``).
            Conflict: there is an index of that name (``INDEX_EXISTS``).
        """
        check_name(name)
        library = self._library
        encoder = library.encoder()
        index = Index(name, profile, encoder.name, encoder.dimension, datetime.now(UTC))
        with library.in_work.lock:
            if any(
                known.name.casefold() == name.casefold()
                for known in library.store.indexes(include_deleting=True)
            ):
                raise Conflict(
                    f"There is an index “{name}” already.",
                    advice="Choose another name.",
                    code="INDEX_EXISTS",
                )
            with library.files.rebuilding():
                library.vectors.ensure(index.collection, index.dimension, index.model)
                library.store.create_index(index)
        _log.info("index_created", index=name, profile=profile, model=index.model)
        return index

    def describe(self, name: str) -> IndexDescription:
        """Counts and state of an index.

        Raises:
            NotFound: no such index.
        """
        library = self._library
        index = self._index(name)
        encoder = library.encoder()
        return IndexDescription(
            index,
            library.store.count_index(name),
            self._count_vectors(index),
            (index.model, index.dimension) != (encoder.name, encoder.dimension),
        )

    def _count_vectors(self, index: Index) -> int | None:
        try:
            return self._library.vectors.count(index.collection)
        except VectorsUnavailable:
            return None

    def all(self) -> list[IndexDescription]:
        """Every index, by name."""
        return [self.describe(index.name) for index in self._library.store.indexes()]

    def delete(self, name: str) -> DeletionReceipt:
        """Remove an index with all its documents, and check that nothing is left.

        Raises:
            NotFound: no such index.
            Conflict: documents are being added to it (``INDEX_BUSY``).
        """
        (receipt,) = self._delete([self._index(name)])
        return receipt

    def delete_everything(self) -> list[DeletionReceipt]:
        """Remove every index with all documents; a receipt for each.

        Raises:
            Conflict: documents are being added to one of them (``INDEX_BUSY``); nothing is removed.
        """
        return self._delete(self._library.store.indexes())

    def _delete(self, indexes: Sequence[Index]) -> list[DeletionReceipt]:
        library = self._library
        with ExitStack() as stack:
            for index in indexes:
                stack.enter_context(library.in_work.alone(index.name))
            with library.in_work.lock:
                for index in indexes:
                    library.store.mark_index_deleting(index.name)
            receipts = library.removal.indexes(indexes)
        for receipt in receipts:
            _log.info("index_deleted", documents=receipt.documents, left=receipt.left)
        return receipts

    def rename(
        self,
        name: str,
        new_name: str,
        *,
        report: Report = lambda _: None,
        cancelled: Callable[[], bool] = never,
    ) -> Index:
        """Call an index otherwise; the index as it is afterwards. Its documents keep their ids, and its
        earlier name leads to it wherever it is still named.

        Its vectors are copied under the new name; search goes on with the old ones until then. Documents
        can be deleted meanwhile, not added.

        Raises:
            InputError: the name is not one, or the index keeps its name (``INVALID_INDEX_NAME``).
            NotFound: no such index.
            Conflict: there is one of the new name (``INDEX_EXISTS``), or the index is in work
                (``INDEX_BUSY``).
            Cancelled: nothing has changed.
        """
        self.check_new_name(name, new_name)
        library = self._library
        old = self._index(name)
        new = replace(old, name=new_name, generation=0)
        with (
            library.in_work.alone(name),
            library.in_work.alone(new_name),
            library.files.rebuilding(),
        ):
            try:
                library.vectors.drop(new.collection)
                library.vectors.ensure(new.collection, new.dimension, new.model)
                self._copy_vectors(old, new, report, cancelled)
                with library.in_work.lock:
                    self._drop_absent(new.collection, name)
                    library.store.rename_index(name, new)
            except BaseException:
                library.removal.drop(new.collection)
                raise
            library.removal.drop(old.collection)
        _log.info("index_renamed")
        return new

    def is_called(self, name: str, new_name: str) -> bool:
        """Whether an index was renamed so, and nothing has its earlier name."""
        store = self._library.store
        return store.index(name) is None and store.present_name(name) == new_name

    def check_model(self, name: str, model: str) -> None:
        """Refuse a model that cannot be loaded, or an index that is not there; raises as `re_embed`."""
        self._index(name)
        self._library.model_named(model)

    def check_new_name(self, name: str, new_name: str) -> None:
        """Refuse what an index cannot be called; raises as `rename` does."""
        self._index(name)
        check_name(new_name)
        if name in _KEEPING:
            raise InputError(
                f"“{name}” keeps its name: {_KEEPING[name]}.",
                advice="Move documents to an index of your own instead.",
                code="INVALID_INDEX_NAME",
            )
        others = self._library.store.indexes(include_deleting=True)
        if any(
            one.name.casefold() == new_name.casefold() and one.name != name for one in others
        ) or (new_name == name):
            raise Conflict(
                f"There is an index “{new_name}” already.",
                advice="Choose another name.",
                code="INDEX_EXISTS",
            )

    def _copy_vectors(
        self, old: Index, new: Index, report: Report, cancelled: Callable[[], bool]
    ) -> None:
        library = self._library
        total = library.store.count_chunks([old.name])
        chunks = iter(library.store.all_chunks(old.name))
        done = 0
        while batch := list(islice(chunks, _BATCH)):
            report(Progress("renaming", 0, done, max(total, done)))
            if cancelled():
                raise Cancelled("It was cancelled; the index is as it was.")
            found = library.vectors.vectors(old.collection, [chunk.id for chunk in batch])
            kept = [chunk for chunk in batch if chunk.id in found]
            if kept:
                vectors = np.stack([found[chunk.id] for chunk in kept])
                library.vectors.add(new.collection, kept, vectors)
            done += len(batch)

    def _drop_absent(self, collection: str, index: str) -> set[str]:
        """Remove vectors of documents that were deleted meanwhile; the ids of those that are there."""
        library = self._library
        present = set(library.store.chunk_ids(index).values())
        gone = [
            one for one in library.vectors.chunk_ids(collection) if document_of(one) not in present
        ]
        library.vectors.delete_chunks(collection, gone)
        return present

    def re_embed(
        self,
        name: str,
        model: str = "",
        *,
        report: Report = lambda _: None,
        cancelled: Callable[[], bool] = never,
    ) -> Index:
        """Make an index's vectors anew; the index as it is afterwards.

        The old vectors serve until the new ones are complete. Documents with chunks that are too
        long for the new model are cut again. Documents can be deleted meanwhile, not added.

        Args:
            model: the embedding model that it is to have from now on; the configured one for "".

        Raises:
            NotFound: no such index.
            Conflict: documents are being added to it (``INDEX_BUSY``).
            ModelError: the model cannot be loaded; nothing has changed.
            Cancelled: nothing has changed.
        """
        library = self._library
        old = self._index(name)
        encoder = library.model_named(model)
        generation = old.generation + 1
        new = replace(old, model=encoder.name, dimension=encoder.dimension, generation=generation)
        with library.in_work.alone(name), library.files.rebuilding():
            try:
                library.vectors.drop(new.collection)
                library.vectors.ensure(new.collection, new.dimension, new.model)
                recut = self._embed_all(new, encoder, report, cancelled)
                with library.in_work.lock:
                    self._swap(new, recut)
            except BaseException:
                library.removal.drop(new.collection)
                raise
            library.removal.drop(old.collection)
        _log.info("index_embedded_anew", index=name, model=new.model, recut=len(recut))
        return new

    def _embed_all(
        self, new: Index, encoder: Encoder, report: Report, cancelled: Callable[[], bool]
    ) -> dict[str, list[Chunk]]:
        """Fill the new collection; the documents that were cut again, with their chunks."""
        library = self._library
        total = library.store.count_chunks([new.name])
        recut: dict[str, list[Chunk]] = {}
        chunks = iter(self._chunks(new, encoder, recut))
        done = 0
        while batch := list(islice(chunks, _BATCH)):
            report(Progress("embedding anew", 0, done, max(total, done)))
            if cancelled():
                raise Cancelled("It was cancelled; the index is as it was.")
            library.vectors.add(new.collection, batch, embed(encoder, batch))
            done += len(batch)
        return recut

    def _chunks(
        self, new: Index, encoder: Encoder, recut: dict[str, list[Chunk]]
    ) -> Iterator[Chunk]:
        """Chunks of all ready documents, cut again where the model reads less than they have."""
        store = self._library.store
        documents = groupby(list(store.all_chunks(new.name)), key=lambda chunk: chunk.document_id)
        for document_id, group in documents:
            chunks = list(group)
            counts = encoder.count_tokens([chunk.embedding_text for chunk in chunks])
            if max(counts) > encoder.max_tokens:
                document = store.document(document_id)
                if document is None:  # deleted meanwhile
                    continue
                pages = store.pages(document_id)
                chunks = recut[document_id] = cut(document, pages, new.profile, encoder)
            yield from chunks

    def _swap(self, new: Index, recut: dict[str, list[Chunk]]) -> None:
        """Bring registry and new vectors together; what was deleted meanwhile goes."""
        library = self._library
        present = self._drop_absent(new.collection, new.name)
        kept = {key: chunks for key, chunks in recut.items() if key in present}
        mentions = {
            chunk.id: dict(library.count_mentions(chunk.text))
            for chunks in kept.values()
            for chunk in chunks
        }
        library.store.swap_index(new, kept, mentions)

    def _index(self, name: str) -> Index:
        index = self._library.store.index(name)
        if index is None:
            raise NotFound(
                f"There is no index “{name}”.",
                advice="The Library lists the existing ones.",
                code="INDEX_NOT_FOUND",
            )
        return index


def check_name(name: str) -> None:
    """Refuse what is no index name: a letter, then up to 99 letters, digits, ``_`` or ``-``.

    Raises:
        InputError: ``INVALID_INDEX_NAME``.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            "An index name begins with a letter, has letters, digits, “_” and “-” only, and at most "
            "100 of them.",
            advice="Choose another name.",
            code="INVALID_INDEX_NAME",
        )


def total(receipts: Sequence[DeletionReceipt]) -> DeletionReceipt:
    """One receipt that adds up several."""
    counts = [field.name for field in fields(DeletionReceipt)[2:]]
    sums = {name: sum(getattr(one, name) for one in receipts) for name in counts}
    return DeletionReceipt("", f"{len(receipts)} deletions", **sums)
