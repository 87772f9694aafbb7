"""Files taken in where an earlier version of them is kept.

The new version becomes ready first. Then the document that had its name goes to an index that no search
looks in unless it is asked to, under a name that says until when it was the present one. It keeps its id:
answers that rest on it keep their source, and the two can be compared. A job that a crash ends between the
two steps does the second when it is begun again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime

from core.documents.library.library import Library
from core.documents.library.names import display_name, earlier_name
from core.documents.library.outcomes import Progress, Source
from core.documents.library.shelves import EARLIER, LEAFLETS
from core.documents.moving.relocation import Relocation
from core.documents.reading.extract import never
from core.domain.documents import Document, DocumentState, IngestResult, OnConflict, Profile
from core.errors import MateriaError

_TAKEN_IN = ("OK", "ALREADY_PRESENT")


class EarlierVersions:
    """Takes files in as `Library.ingest_many` does, and keeps the documents whose names they take."""

    def __init__(self, library: Library, relocation: Relocation) -> None:
        self._library = library
        self._relocation = relocation

    def ingest_many(
        self,
        sources: Sequence[Source],
        *,
        index: str = LEAFLETS,
        on_conflict: OnConflict = OnConflict.ASK,
        report: Callable[[int, Progress], None] = lambda _number, _progress: None,
        cancelled: Callable[[], bool] = never,
    ) -> Generator[IngestResult]:
        """A result for each file, see `Library.ingest_many`; its `earlier_id` names what had its name."""
        results = self._library.ingest_many(
            sources, index=index, on_conflict=on_conflict, report=report, cancelled=cancelled
        )
        with closing(results):
            for source, result in zip(sources, results, strict=False):
                yield self.settled(source.name, result, on_conflict)

    def settled(self, name: str, result: IngestResult, on_conflict: OnConflict) -> IngestResult:
        """The result for a file that came with a name, once what had its name has made way."""
        if on_conflict is OnConflict.KEEP_EARLIER and result.code in _TAKEN_IN:
            return self._kept(result)
        if on_conflict is OnConflict.KEEP_BOTH and result.code == "OK":
            return self._beside(result, display_name(name))
        return result

    def _beside(self, result: IngestResult, wanted: str) -> IngestResult:
        """The result with the document that has the name which was wanted."""
        return replace(
            result, earlier_id=next((one.id for one in self._others(result, wanted)), "")
        )

    def _kept(self, result: IngestResult) -> IngestResult:
        """The result once the documents of its name have made way."""
        others = list(self._others(result, result.file))
        if not others:
            return result
        told = [self._set_aside(one) for one in others]
        message = f"{result.message}; {'; '.join(told)}"
        return replace(result, code="OK", message=message, earlier_id=others[0].id)

    def _others(self, result: IngestResult, name: str) -> Iterator[Document]:
        """Other ready documents that have a name in the index of the new one."""
        new = self._library.store.document(result.document_id)
        if new is None or (name == result.file and new.file != name):
            return
        for one in self._library.store.documents_named(new.index, name):
            if one.id != new.id and one.state is DocumentState.READY:
                yield one

    def _set_aside(self, document: Document) -> str:
        """Let a document be an earlier version; what became of it, in words."""
        name = earlier_name(document.file, datetime.now().astimezone().date())
        try:
            self._library.ensure_index(EARLIER, Profile.LEAFLET)
            done = self._relocation.move(document.id, EARLIER, name=name)
            if done.code == "SAME_CONTENT":
                # Kept once already. Answers may rest on this one, so that it stays, and says what it is.
                name = self._renamed(document, name)
                return f"its earlier version stays in the index {document.index}, as “{name}”"
        except MateriaError as error:
            return _left(document, error.message)
        if done.state != "ready":
            return _left(document, done.message)
        return f"its earlier version is kept as “{done.file}”, and answers leave it out"

    def _renamed(self, document: Document, wanted: str) -> str:
        library = self._library
        with library.alone_with(document.id) as present:
            name = library.free_name(present.index, wanted)
            library.store.move_document(replace(present, file=name), None, {})
        return name


def _left(document: Document, why: str) -> str:
    return (
        f"its earlier version is still in the index {document.index} and is searched, since it could not be "
        f"set aside ({why.rstrip('.')})"
    )
