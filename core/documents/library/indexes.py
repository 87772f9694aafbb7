"""Named indexes: create, list, describe, delete, and embed anew with another model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import groupby, islice

from core.documents.library.intake import cut, embed
from core.documents.library.library import Library
from core.documents.library.outcomes import Progress, Report
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
from core.errors import Cancelled, Conflict, InputError, NotFound, StoreError, VectorsUnavailable
from core.logs import get_logger

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,99}")  # KB-2
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

    def re_embed(
        self, name: str, *, report: Report = lambda _: None, cancelled: Callable[[], bool] = never
    ) -> Index:
        """Make an index's vectors anew with the configured model; the index as it is afterwards.

        The old vectors serve until the new ones are complete. Documents with chunks that are too
        long for the new model are cut again. Documents can be deleted meanwhile, not added.

        Raises:
            NotFound: no such index.
            Conflict: documents are being added to it (``INDEX_BUSY``).
            Cancelled: nothing has changed.
        """
        library = self._library
        old = self._index(name)
        encoder = library.encoder()
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
                self._drop(new.collection)
                raise
            self._drop(old.collection)
        _log.info("index_embedded_anew", index=name, model=new.model, recut=len(recut))
        return new

    def _drop(self, collection: str) -> None:
        """Remove a collection that serves no index, now or as soon as it can be."""
        try:
            self._library.vectors.drop(collection)
        except StoreError as error:
            _log.warning("removal_put_off", collection=collection, code=error.code)
            self._library.removal.put_off()

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
        present = set(library.store.chunk_ids(new.name).values())
        kept = {key: chunks for key, chunks in recut.items() if key in present}
        gone = [
            one
            for one in library.vectors.chunk_ids(new.collection)
            if document_of(one) not in present
        ]
        library.vectors.delete_chunks(new.collection, gone)
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
