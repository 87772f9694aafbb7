"""The sample library: a graph, leaflets and abstracts, loaded into an empty data folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import JobRunner
from core.documents.library.abstracts import import_abstracts
from core.documents.library.library import Library
from core.documents.library.outcomes import Source
from core.domain.jobs import JobProgress
from core.errors import MateriaError, StoreError
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.maintenance.entity_links import EntityLinks

SAMPLE = Path(__file__).resolve().parents[2] / "data"
SAMPLE_JOB = "sample"
# Empty files in the data folder: the second says that a load was begun and must be finished.
_DONE = "sample-loaded"
_BEGUN = "sample-begun"
# Importing torch would take the processor from the first page, which needs about two seconds.
_FIRST_PAGE_SECONDS = 3.0

Report = Callable[[JobProgress], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """Loads the sample once.

    Args:
        root: the data folder.
        wanted: whether settings ask for it.
    """

    library: Library
    graph: KnowledgeGraph
    links: EntityLinks
    root: Path
    wanted: bool

    @property
    def pending(self) -> bool:
        """Whether the sample is to be loaded: it is wanted, and the library is empty or was
        interrupted while loading it. A library that somebody filled is left alone."""
        try:
            return self._is_due()
        except StoreError:
            return False

    def _is_due(self) -> bool:
        if not self.wanted or (self.root / _DONE).exists():
            return False
        filled = self.library.store.has_documents() or bool(self.graph.counts_by_type())
        if filled and not (self.root / _BEGUN).exists():
            return False
        self.library.vectors.collections()  # a load without them would only fail
        return True

    def submit(self, jobs: JobRunner) -> str | None:
        """Queue the loading of the sample; None when it is there already or not wanted.

        Raises:
            StoreError: whether it is to be loaded cannot be told now, or it cannot be.
        """
        if not self._is_due():
            return None
        # Not kept: whether the sample is still to be loaded, the data folder says.
        return jobs.submit(SAMPLE_JOB, "Sample library", keep=False)

    def job(self, control: JobControl) -> str:
        """Handler of `SAMPLE_JOB`."""
        control.report(JobProgress("getting ready"))
        time.sleep(_FIRST_PAGE_SECONDS)
        return self.load(control.report)

    def load(self, report: Report = lambda _progress: None) -> str:
        """Load graph, leaflets and abstracts of `data/`; what is there already is kept.

        Returns what was loaded, in words.

        Raises:
            MateriaError: a part of it could not be loaded.
        """
        (self.root / _BEGUN).touch()
        report(JobProgress("importing the graph"))
        import_graph(SAMPLE / "graph", self.graph.store)
        self.links.relink()
        files = sorted((SAMPLE / "leaflets").glob("*.pdf"))
        sources = [Source(path, path.name) for path in files]
        steps = len(files) + 1
        for number, result in enumerate(self.library.ingest_many(sources)):
            if result.state != "ready":
                raise MateriaError(result.message, code=result.code)
            read = number + 1
            report(JobProgress("reading leaflets", result.file, read, steps, fraction=read / steps))
        report(
            JobProgress("embedding abstracts", "", len(files), steps, fraction=len(files) / steps)
        )
        abstracts = import_abstracts(self.library, SAMPLE / "abstracts" / "arxivData.json")
        (self.root / _DONE).touch()
        return (
            f"{len(files)} leaflets, {abstracts.added + abstracts.known} abstracts and the sample graph "
            "are ready."
        )
