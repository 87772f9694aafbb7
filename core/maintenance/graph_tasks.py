"""Background work on the graph: import, links from passages to entities, vectors of entities."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import Handler, JobRunner
from core.domain.documents import IngestResult
from core.domain.graph import EmbedReport, ImportReport
from core.domain.jobs import JobProgress
from core.domain.vectors import VECTOR_INDEXES, Vector
from core.errors import InputError, StoreError
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.store import EntityVectors
from core.graph.vectors.embedding import EMBEDDED_TYPES, EntityEmbedder, similar_entities
from core.graph.vectors.likeness import like_entity
from core.graph.vectors.texts import model_mark
from core.maintenance.entity_links import EntityLinks, KeptNumber
from core.maintenance.vector_gaps import VectorGaps, vector_gaps

IMPORT_GRAPH, RELINK, EMBED_GRAPH = "import-graph", "relink", "embed-graph"
GRAPH_JOBS = frozenset((IMPORT_GRAPH, RELINK, EMBED_GRAPH))
# Embedding takes about a second for 40 entities; of larger graphs the analyst says when.
_EMBEDDED_UNASKED = 5_000
# Names of files that are handed in; they become names on disk, so nothing else is taken.
_FILE_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}\.(csv|tsv|sif|gz)")


@dataclass(slots=True)
class GraphTasks:
    """The handlers of the graph's jobs, and how they are queued.

    Args:
        model: name of the configured embedding model.
        embedded_with: keeps which model the entity vectors were made with.
        folder_of: where the bytes of a job's uploads are.
        jobs: set once the runner has these handlers.
    """

    graph: KnowledgeGraph
    links: EntityLinks
    vectors: EntityVectors
    embedder: EntityEmbedder
    model: str
    embedded_with: KeptNumber
    folder_of: Callable[[str], Path]
    jobs: JobRunner | None = None

    def handlers(self) -> dict[str, Handler]:
        """By kind of job."""
        return {
            IMPORT_GRAPH: self._import_job,
            RELINK: self._relink_job,
            EMBED_GRAPH: self._embed_job,
        }

    # -- queueing ----------------------------------------------------------------------------------

    def submit_import(
        self,
        folder: Path | None = None,
        files: Sequence[tuple[str, bytes | Path]] = (),
        remove_missing: bool = False,
    ) -> str:
        """Queue the import of a folder on this machine, or of files that were handed in; the job's id.

        Args:
            files: names and bytes, or a file to move in.

        Raises:
            InputError: code GRAPH_FORMAT; a name that no graph file has, or one twice.
        """
        job_id = uuid.uuid4().hex
        if folder is not None:
            name = folder.name
        else:
            folder = self._kept_files(job_id, files)
            name = f"from {files[0][0] if len(files) == 1 else f'{len(files)} files'}"
        params = {"path": str(folder), "remove_missing": remove_missing}
        return self._runner.submit(IMPORT_GRAPH, f"Graph {name}", params, job_id=job_id)

    def submit_relink(self) -> str:
        """Queue the linking of all passages; the job's id, that of a waiting one if there is."""
        return self._once(RELINK, "Entities in passages")

    def submit_embed(self) -> str:
        """Queue the embedding of entities; the job's id, that of a waiting one if there is."""
        return self._once(EMBED_GRAPH, "Entity vectors")

    def _once(self, kind: str, name: str) -> str:
        active = [job.id for job in self._runner.jobs() if job.kind == kind and job.active]
        return active[0] if active else self._runner.submit(kind, name)

    def _kept_files(self, job_id: str, files: Sequence[tuple[str, bytes | Path]]) -> Path:
        names = [name for name, _ in files]
        unfit = [name for name in names if not _FILE_NAME.fullmatch(name)]
        if unfit or len(set(names)) < len(names) or not names:
            raise InputError(
                f"“{unfit[0][:80]}” is no file of a graph."
                if unfit
                else "The files of a graph have different names.",
                advice="Hand in nodes.csv and relationships.csv, or PrimeKG's or Hetionet's files.",
                code="GRAPH_FORMAT",
            )
        folder = self.folder_of(job_id)
        folder.mkdir(parents=True)
        for name, data in files:
            if isinstance(data, Path):
                data.replace(folder / name)
            else:
                (folder / name).write_bytes(data)
        return folder

    @property
    def _runner(self) -> JobRunner:
        if self.jobs is None:
            raise RuntimeError("the job runner is not set yet")
        return self.jobs

    # -- handlers ----------------------------------------------------------------------------------

    def _import_job(self, control: JobControl) -> str:
        """Params: ``path`` of a folder, ``remove_missing``."""
        report = import_graph(
            Path(control.params["path"]),
            self.graph.store,
            remove_missing=bool(control.params["remove_missing"]),
            report=lambda stage, share: control.report(JobProgress(stage, fraction=share)),
            check=control.check,
        )
        for problem in report.problems:
            place, _, reason = problem.partition(" ")
            control.item(IngestResult(place, "refused", "MALFORMED_ROW", reason, 0, 0, 0))
        self.settle_vectors()
        self.follow_import()
        return import_words(report)

    def import_folder(
        self,
        folder: Path,
        *,
        remove_missing: bool = False,
        report: Callable[[str, float], None] = lambda _stage, _fraction: None,
    ) -> ImportReport:
        """Import a graph folder now, then link every passage to its entities anew."""
        done = import_graph(folder, self.graph.store, remove_missing=remove_missing, report=report)
        self.settle_vectors()
        self.links.relink()
        return done

    def settle_vectors(self) -> None:
        """After an import: it wrote the vectors of entities that stay anew where they are kept in the
        graph's store."""
        self.vectors.settle(sum(self.vectors.counts().values()))

    def follow_import(self) -> None:
        """Queue what a changed graph asks for: links of all passages, vectors of a smaller graph."""
        self.submit_relink()
        if 0 < self._embeddable() <= _EMBEDDED_UNASKED:
            self.submit_embed()

    def catch_up(self, has_documents: bool) -> None:
        """Queue what is due: links of passages that were made with another graph (it was imported by
        the command line, or its server was away while documents came in), vectors that a smaller
        graph still lacks."""
        if self.links.due and has_documents:
            self.submit_relink()
        lacking = not self.vectors_fit or not any(self.vectors.counts().values())
        if 0 < self._embeddable() <= _EMBEDDED_UNASKED and lacking:
            self.submit_embed()

    def link_what_came_in(self) -> None:
        """Queue the linking of all passages where some came in while the graph was away.

        Raises:
            StoreUnavailable: it still is.
        """
        self.graph.version()
        if self.links.due:
            self.submit_relink()

    def _embeddable(self) -> int:
        counts = self.graph.counts_by_type()
        return sum(counts.get(kind, 0) for kind in VECTOR_INDEXES)

    @property
    def vectors_fit(self) -> bool:
        """Whether entity vectors were made with the configured model: with another one's they would
        be compared wrongly, in silence."""
        return self.embedded_with.value() == int(model_mark(self.model), 16)

    def vector_gaps(self) -> VectorGaps:
        """What questions cannot find by meaning; see `vector_gaps`."""
        return vector_gaps(self.graph, self.vectors, model_fits=self.vectors_fit)

    def similar(self, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Entities whose text resembles a question; none before they are embedded."""
        if not self.vectors_fit:
            return []
        try:
            return similar_entities(self.vectors, vector, limit)
        except StoreError:
            return []

    def like(self, ids: Sequence[str], types: Sequence[str]) -> list[tuple[str, float]]:
        """Entities like one by their vectors; none before they are embedded."""
        if not self.vectors_fit:
            return []
        try:
            return like_entity(self.graph, self.vectors, ids, types)
        except StoreError:
            return []

    def embed(
        self,
        types: Sequence[str] = EMBEDDED_TYPES,
        report: Callable[[int, int], None] = lambda _done, _total: None,
        check: Callable[[], None] = lambda: None,
    ) -> EmbedReport:
        """Embed the entities whose text changed (see `EntityEmbedder.run`)."""
        done = self.embedder.run(types, report, check)
        if not done.failed:
            self.embedded_with.set(int(model_mark(self.model), 16))
        return done

    def _relink_job(self, control: JobControl) -> str:
        chunks = self.links.relink(
            lambda done: control.report(
                JobProgress(f"finding entities, {done:,} passages", chunks=done)
            ),
            control.check,
        )
        return f"Entities found in {chunks:,} passages."

    def _embed_job(self, control: JobControl) -> str:
        report = self.embed(
            report=lambda done, total: control.report(
                JobProgress(
                    f"embedding entities, {done:,} of {total:,}",
                    fraction=done / total if total else 0.0,
                )
            ),
            check=control.check,
        )
        if report.failed and not report.processed:
            raise StoreError(
                f"None of {report.failed:,} entities could be embedded.",
                advice="See System for the state of the embedding model, then try again.",
                code="EMBEDDING_FAILED",
                retryable=True,
            )
        return embed_words(report)


def import_words(report: ImportReport) -> str:
    """What an import did, in a sentence."""
    words = (
        f"{report.entities:,} entities and {report.relationships:,} relationships "
        f"in {report.seconds:.1f} s"
    )
    return f"{words}; {report.skipped:,} rows left out." if report.skipped else f"{words}."


def embed_words(report: EmbedReport) -> str:
    """What an embedding run did, in a sentence."""
    parts = [f"{report.processed:,} entities embedded", f"{report.unchanged:,} unchanged"]
    if report.removed:
        parts.append(f"{report.removed:,} removed")
    if report.failed:
        parts.append(f"{report.failed:,} failed")
    cost = f", {report.cost_usd:.4f} USD" if report.cost_usd else ""
    return f"{', '.join(parts)}{cost}."
