"""Registry rows for what comes in: known bytes, names that are taken, and rows taken back."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from core.documents.library.names import numbered_name, title_from_name
from core.documents.library.outcomes import Progress, Report, Source, check_size
from core.documents.library.shelves import EARLIER, Shelves
from core.documents.reading.formats import kind_of
from core.domain.documents import Document, DocumentState, OnConflict
from core.errors import Conflict
from core.reserve import full_disk_told


class Registration(Shelves):
    """What is written before a file is read, and undone when it cannot be."""

    def _register(
        self, source: Source, shown: str, index: str, on_conflict: OnConflict, report: Report
    ) -> tuple[Document, tuple[str, ...]]:
        """The new registry row and what it replaces, or the ready document of the same bytes."""
        self.ask_room()
        size = source.path.stat().st_size
        check_size(size, self.max_bytes)
        report(Progress("reading"))
        kind = kind_of(source.path, shown)
        index = self.index_for_adding(index).name
        with full_disk_told():
            copy, digest = self.files.take_in(source.path)
        try:
            known = self.having_bytes(index, digest)
            if known is not None:
                return known, ()
            try:
                shown, replaces = self._named(index, shown, on_conflict)
            except Conflict:
                # The same bytes may have become ready since they were looked for.
                known = self.having_bytes(index, digest)
                if known is not None:
                    return known, ()
                raise
            document = Document(
                id=uuid.uuid4().hex,
                index=index,
                file=shown,
                title=title_from_name(shown),
                sha256=digest,
                bytes=size,
                pages=0,
                chunks=0,
                state=DocumentState.INGESTING,
                created_at=datetime.now(UTC),
                kind=kind,
            )
            self.begin([document])
            with self.undone_on_failure([document]):
                self.files.keep(copy, document.id, kind)
            return document, replaces
        finally:
            copy.unlink(missing_ok=True)

    def having_bytes(self, index: str, digest: str) -> Document | None:
        """The document of an index that has these bytes; what an interrupted work or deletion left of one is
        removed.

        Raises:
            Conflict: one that has them is being worked on (``IN_WORK``).
            StoreError: what was left cannot be removed now.
        """
        # One that becomes ready between the two looks would be taken for one that was left.
        with self.in_work.lock:
            known = self.store.document_by_hash(index, digest)
            if known is None or known.state is DocumentState.READY:
                return known
            if self.in_work.has(known.id):
                raise Conflict(
                    f"The same bytes are being worked on as “{known.file}”.",
                    advice="Wait until that has finished.",
                    code="IN_WORK",
                )
            # Left by an attempt that could not be undone when it failed.
            self.removal.document(known)
            return None

    def _named(
        self, index: str, shown: str, on_conflict: OnConflict
    ) -> tuple[str, tuple[str, ...]]:
        """The name that a new file gets, and the documents that it replaces."""
        same = self.store.documents_named(index, shown)
        if not same:
            return shown, ()
        if on_conflict is OnConflict.REPLACE:
            return shown, tuple(document.id for document in same)
        if on_conflict is OnConflict.KEEP_EARLIER and index != EARLIER:
            return shown, ()  # `EarlierVersions` takes the name from the other
        if on_conflict in (OnConflict.KEEP_BOTH, OnConflict.KEEP_EARLIER):
            return self.free_name(index, shown), ()
        raise Conflict(
            "A file of this name is in the library already, with other content.",
            advice="Which version is to be kept?",
            code="NAME_EXISTS",
        )

    def free_name(self, index: str, wanted: str) -> str:
        """A name that no document of an index has: the wanted one, or the same with a number."""
        name, number = wanted, 2
        while self.store.documents_named(index, name):
            name, number = numbered_name(wanted, number), number + 1
        return name

    def begin(self, documents: Sequence[Document]) -> None:
        """Add registry rows for documents of one index, and note that they are in work.

        Raises:
            Conflict: the index is in work as a whole (``INDEX_BUSY``), or has the same bytes (``IN_WORK``).
            NotFound: the index is gone.
        """
        ids = [document.id for document in documents]
        self.in_work.begin(ids, documents[0].index)
        try:
            self.store.begin_documents(documents)
        except BaseException:
            self.in_work.end(ids, documents[0].index)
            raise

    def ended(self, documents: Sequence[Document]) -> None:
        """Note that documents of one index are ready."""
        self.in_work.end([document.id for document in documents], documents[0].index)

    @contextmanager
    def undone_on_failure(self, documents: Sequence[Document]) -> Iterator[None]:
        """Registry rows are taken back, with all that hangs on them, when the block fails."""
        try:
            yield
        except BaseException:
            self.removal.undo(documents)
            self.ended(documents)
            raise
