"""Whether all stores agree: registry, chunks, full text, vectors and files; and how they are made to."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from itertools import islice

from core.documents.cutting.filling import embed
from core.documents.library.library import Library
from core.domain.documents import (
    Document,
    DocumentState,
    Finding,
    Index,
    Kind,
    VerifyReport,
    document_of,
)
from core.errors import EmbeddingMismatch, StoreError
from core.logs import get_logger

_BATCH = 256  # chunks embedded between two writes
_SECOND_LOOK_SECONDS = 1.0  # after what another process does in a moment
_log = get_logger("verify")

_STORE_PROBLEMS = {
    "damaged_database": (
        "The database file is damaged. Restore a backup of the data folder.",
        False,
    ),
    "chunk_count": ("The registry reports another number of chunks than there are.", True),
    "full_text": ("The full text does not match the chunks.", True),
}


def _silent(_stage: str) -> None:
    return None


class Verifier:
    """Compares what the stores hold for documents that nobody is working on."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def run(
        self, *, repair: bool = False, beside: bool = False, tell: Callable[[str], None] = _silent
    ) -> VerifyReport:
        """Compare all stores; with `repair`, mend what can be mended without loss.

        Documents whose text is there but not their vectors are embedded again; vectors, files and
        collections that belong to no document are removed. A missing original cannot be brought
        back: it is reported.

        Args:
            beside: another process writes to this folder. Nothing is mended then, what it works on is left
                out, and only what is found twice is told.
            tell: hears what is compared now; what it raises ends the comparison.
        """
        others = self._in_work_elsewhere() if beside else None
        report = self._once(repair and not beside, others, tell)
        if beside and not report.consistent:
            time.sleep(_SECOND_LOOK_SECONDS)
            again = self._once(False, self._in_work_elsewhere(), tell)
            told = {(one.kind, one.what) for one in report.findings}
            kept = tuple(one for one in again.findings if (one.kind, one.what) in told)
            report = replace(again, findings=kept)
        return report

    def _in_work_elsewhere(self) -> set[str]:
        """Ids of documents that another process may be working on: what it left it sees to itself."""
        library = self._library
        unfinished = {document.id for document in library.store.unfinished()}
        return unfinished.union(library.files.corrections_begun())

    def _once(
        self, repair: bool, others: Set[str] | None, tell: Callable[[str], None]
    ) -> VerifyReport:
        started = time.perf_counter()
        beside, elsewhere = others is not None, others or frozenset()
        library = self._library
        documents = library.store.documents()
        tell("comparing registry and full text")
        findings = self._unfinished(repair, elsewhere)
        findings += self._within_the_store(documents, repair)
        vectors = 0
        for index in library.store.indexes():
            tell(f"comparing the vectors of {index.name}")
            found, count = self._vectors(index, repair, elsewhere)
            findings += found
            vectors += count
        findings += self._unknown_collections(repair, beside=beside)
        tell("comparing files")
        findings += self._files(documents, repair, elsewhere)
        findings += self._tokens(repair)
        report = VerifyReport(
            documents=len(documents),
            chunks=sum(document.chunks for document in library.store.documents()),
            vectors=vectors,
            text_rows=library.store.count_text_rows(),
            files=sum(library.files.owners().values()),
            findings=tuple(findings),
            seconds=round(time.perf_counter() - started, 2),
        )
        _log.info("verified", findings=len(findings), repair=repair, seconds=report.seconds)
        return report

    def _unfinished(self, repair: bool, elsewhere: Set[str]) -> list[Finding]:
        """Documents that were neither finished nor rolled back."""
        library = self._library
        findings = []
        # A document gets ready under the lock: one that was seen unfinished must not be so by then.
        with library.in_work.lock:
            left = [
                one
                for one in library.store.unfinished()
                if not library.in_work.has(one.id) and one.id not in elsewhere
            ]
            for document in left if repair else ():
                library.removal.document(document)
        for document in left:
            message = (
                "It was deleted; a part of it is still to be removed."
                if document.state is DocumentState.DELETING
                else "It was neither finished nor rolled back."
            )
            findings.append(Finding("unfinished", document.file, 1, message, True, repair))
        return findings

    def _within_the_store(self, documents: Sequence[Document], repair: bool) -> list[Finding]:
        names = {document.id: document.file for document in documents}
        problems = self._library.store.problems()
        mendable = repair and all(_STORE_PROBLEMS[kind][1] for kind, _, _ in problems)
        if problems and mendable:
            self._library.store.repair_text()
        return [
            Finding(
                kind, names.get(document_id, "library"), count, *_STORE_PROBLEMS[kind], mendable
            )
            for kind, document_id, count in problems
        ]

    def _vectors(
        self, index: Index, repair: bool, elsewhere: Set[str]
    ) -> tuple[list[Finding], int]:
        """Chunks without a vector, vectors without a chunk; and the number of vectors."""
        library = self._library
        expected = library.store.chunk_ids(index.name)
        present = list(library.vectors.chunk_ids(index.collection))
        in_work = {
            chunk
            for chunk in present
            if (owner := document_of(chunk)) in elsewhere or library.in_work.has(owner)
        }
        # A document may have come or gone while the vectors were listed.
        later = library.store.chunk_ids(index.name)
        missing = set(expected) & set(later) - set(present)
        orphans = set(present) - set(expected) - set(later) - in_work
        findings = []
        if missing:
            repaired = repair and self._embed(index, missing)
            message = "Chunks without a vector: search by meaning does not find them."
            findings += [
                Finding("missing_vectors", name, count, message, True, repaired)
                for name, count in self._by_document(expected, missing).items()
            ]
        if orphans:
            if repair:
                library.vectors.delete_chunks(index.collection, sorted(orphans))
            message = "Vectors that belong to no document."
            findings.append(
                Finding("orphan_vectors", index.name, len(orphans), message, True, repair)
            )
        if repair and findings:
            present = list(library.vectors.chunk_ids(index.collection))
        return findings, len(present)

    def _by_document(self, expected: dict[str, str], chunk_ids: set[str]) -> dict[str, int]:
        counts = Counter(expected[chunk_id] for chunk_id in chunk_ids)
        found = {key: self._library.store.document(key) for key in counts}
        return {
            document.file: counts[key] for key, document in found.items() if document is not None
        }

    def _embed(self, index: Index, missing: set[str]) -> bool:
        """Make missing vectors; False when the index's model is another one and cannot be loaded."""
        library = self._library
        try:
            encoder = library.encoder_for(index)
        except EmbeddingMismatch:
            return False
        library.vectors.ensure(index.collection, index.dimension, index.model)
        chunks = (one for one in library.store.all_chunks(index.name) if one.id in missing)
        while batch := list(islice(chunks, _BATCH)):
            library.vectors.add(index.collection, batch, embed(encoder, batch))
        return True

    def _unknown_collections(self, repair: bool, *, beside: bool) -> list[Finding]:
        """Collections that no index is served by; one that is being made anew is left alone."""
        library = self._library
        findings = []
        # No index is made, and none changes its vectors, while the lock is held.
        with library.in_work.lock:
            known = {index.collection for index in library.store.indexes(include_deleting=True)}
            for name in sorted(library.vectors.collections() - known):
                if beside or library.in_work.is_changing(name.partition("@")[0]):
                    continue
                count = library.vectors.count(name)
                if repair:
                    library.vectors.drop(name)
                findings.append(
                    Finding("orphan_collection", name, count, "Vectors of no index.", True, repair)
                )
        return findings

    def _tokens(self, repair: bool) -> list[Finding]:
        """Statements that were read of documents that are not there, and a file that cannot be read."""
        library = self._library
        try:
            owners = library.tokens.counts()
        except StoreError:
            if repair:
                library.tokens.reset()
            message = "The file of statements that were read is damaged; it is made anew."
            return [Finding("damaged_token_vectors", "library", 1, message, True, repair)]
        # The registry is read last: what comes in meanwhile is known, and has nothing here.
        known = {document.id for document in library.store.documents(include_unfinished=True)}
        gone = sorted(set(owners) - known)
        if not gone:
            return []
        if repair:
            library.tokens.remove(gone)
            library.tokens.purge()
        message = "Statements that were read of documents that are gone."
        count = sum(owners[one] for one in gone)
        return [Finding("orphan_token_vectors", "library", count, message, True, repair)]

    def _files(
        self, documents: Sequence[Document], repair: bool, elsewhere: Set[str]
    ) -> list[Finding]:
        library = self._library
        # Files are listed first: what comes in afterwards has its registry row before its file.
        owners, originals = library.files.owners(), library.files.originals()
        known = {document.id for document in library.store.documents(include_unfinished=True)}
        findings = []
        for owner in sorted(set(owners) - known):
            if owner in elsewhere or library.in_work.has(owner):
                continue
            repaired = repair and library.files.remove(owner) == owners[owner]
            message = "A file that belongs to no document."
            findings.append(Finding("orphan_file", owner, owners[owner], message, True, repaired))
        without = [
            document
            for document in documents
            if document.kind is not Kind.ABSTRACT and document.id not in originals
        ]
        # One that was deleted meanwhile misses nothing.
        present = library.store.present([document.id for document in without])
        message = (
            "The original is gone: its text answers, its pages cannot be drawn. Delete the document "
            "and add the file again."
        )
        findings += [
            Finding("missing_file", document.file, 1, message, False)
            for document in without
            if document.id in present
        ]
        return findings
