"""Files into a library, worked out elsewhere and committed here, each as if it had been read here."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from core.documents.cutting.filling import Made
from core.documents.library.library import Library
from core.documents.library.names import display_name
from core.documents.library.outcomes import Source, check_size, unreadable, unsuccessful
from core.documents.moving.earlier import EarlierVersions
from core.documents.moving.relocation import Relocation
from core.domain.documents import IngestResult, OnConflict
from core.encoders.openai_embeddings import PREFIX
from core.errors import WAITED_FOR, InputError, MateriaError, StoreError
from core.maintenance.bulk.cluster import Cluster
from core.maintenance.bulk.making import Recipe
from core.maintenance.bulk.stack import StackedFile
from core.maintenance.bulk.worker import WorkedOut, marks
from core.maintenance.entity_links import EntityLinks

_NEEDS_PASSWORD = ("PASSWORD_REQUIRED", "WRONG_PASSWORD")

Report = Callable[[int, str], None]
"""Told how many files are done, and which is the last one."""


class BulkIngestion:
    """Takes in what a cluster worked out.

    Nothing of a file is stored before it comes back, and then all of it in the library's own way. A run
    that was killed is gone on with by another one over the same files: those that are ready are known by
    their bytes, and are not read again.

    Attributes:
        read_here: files that no worker could read, or for which what one made does not fit any more.
    """

    def __init__(self, library: Library, links: EntityLinks) -> None:
        self._library = library
        self._links = links
        self._versions = EarlierVersions(library, Relocation(library))
        self.read_here = 0

    def ingest(
        self,
        cluster: Cluster,
        items: Sequence[StackedFile],
        *,
        index: str,
        on_conflict: OnConflict = OnConflict.ASK,
        password: str = "",
        report: Report = lambda _done, _name: None,
    ) -> Generator[IngestResult]:
        """A result for each file, in the order in which they are done.

        Args:
            password: of files that have one; these are read here, so that it goes nowhere.

        Raises:
            InputError: the index's model is asked over the network (``RAY_MODEL``).
            StoreError: the cluster is gone (``RAY_LOST``), or a store is away, or the disk full: what workers
                make then could not be kept.
        """
        into = self._library.index_for_adding(index)
        if into.model.startswith(PREFIX):
            raise InputError(
                f"The index “{into.name}” is embedded by an endpoint, with a key that workers do not get.",
                advice="Take the files in without --ray.",
                code="RAY_MODEL",
            )
        fitting = [number for number, item in enumerate(items) if self._fits(item)]
        recipe = Recipe.of(into, self._library.limits)
        version, names = self._links.snapshot()
        known = marks(self._library.store.hashes(into.name))
        waiting = set(range(len(items)))

        def settled(number: int, outcome: WorkedOut) -> IngestResult:
            waiting.discard(number)
            if isinstance(outcome.made, Made):
                self._links.linked_with(version)
            result = self._settled(items[number], outcome, into.name, on_conflict, password)
            report(len(items) - len(waiting), result.file)
            return result

        for number in sorted(waiting.difference(fitting)):
            yield from self._unless_away(settled(number, WorkedOut()))
        if fitting:
            chosen = [items[number] for number in fitting]
            with closing(cluster.outcomes(chosen, recipe, names, known)) as outcomes:
                for place, outcome in outcomes:
                    yield from self._unless_away(settled(fitting[place], outcome))
        for number in sorted(waiting):
            yield _lost(items[number])

    @staticmethod
    def _unless_away(result: IngestResult) -> Iterator[IngestResult]:
        yield result
        if kind := WAITED_FOR.get(result.code):
            raise kind(
                result.message, advice="Then give the same command again: it goes on from here."
            )

    def _fits(self, item: StackedFile) -> bool:
        try:
            size = item.size if item.size >= 0 else Path(item.where).stat().st_size
            check_size(size, self._library.max_bytes)
        except (MateriaError, OSError):
            return False
        return True

    def _settled(
        self,
        item: StackedFile,
        outcome: WorkedOut,
        index: str,
        on_conflict: OnConflict,
        password: str,
    ) -> IngestResult:
        """Commit what was made of a file; where nothing was, or something else is there now, it is read
        here."""
        if outcome.known:
            known = self._library.already(index, item.name, outcome.sha256)
            if known is not None:
                return self._versions.settled(item.name, known, on_conflict)
        made = outcome.made
        if password and isinstance(made, MateriaError) and made.code in _NEEDS_PASSWORD:
            made = None
        started = time.perf_counter()
        try:
            if item.url:
                check_size(item.size, self._library.max_bytes)
            with TemporaryDirectory(dir=self._place(), prefix="materia-") as folder:
                source = Source(item.fetch(Path(folder)), item.name, password, made)
                results = self._versions.ingest_many([source], index=index, on_conflict=on_conflict)
                with closing(results):
                    result = next(results)
                self.read_here += made is None and result.code != "ALREADY_PRESENT"
                return result
        except MateriaError as error:
            return unsuccessful(display_name(item.name), started, error, None)
        except OSError as error:
            return unsuccessful(display_name(item.name), started, unreadable(error), None)

    def _place(self) -> Path:
        """Where a crash's remains are removed at the next start."""
        place = self._library.files.incoming
        place.mkdir(parents=True, exist_ok=True)
        return place


def _lost(item: StackedFile) -> IngestResult:
    error = StoreError(
        "The workers that read it were lost, several times.",
        advice="Check their memory, then give the same command again.",
        code="RAY_WORKER_LOST",
    )
    return unsuccessful(display_name(item.name), time.perf_counter(), error, None)
