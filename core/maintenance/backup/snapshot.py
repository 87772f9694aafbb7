"""A copy of what belongs together in a data folder, made while Materia goes on.

The database is copied in one step, and says what the copy holds: documents that were ready then, with their
files (linked, not copied, where the disk can) and vectors. A document in the middle of its ingestion is left
out as a whole.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Protocol

from core.documents.library.shared.files import SharedFiles
from core.documents.store.library import LibraryStore
from core.documents.store.vectors import VectorStore
from core.domain.documents import DocumentState, Kind
from core.domain.vectors import EntityVector
from core.errors import StoreError
from core.graph.store import EntityVectors
from core.maintenance.backup.archive import Tell
from core.maintenance.backup.manifest import (
    DATABASE,
    EVALUATION,
    MARKS,
    MODEL_CHOICE,
    OUTAGE_TURNS,
    VECTORS,
)
from core.maintenance.backup.vectors_file import VectorsFile
from core.maintenance.contents import Contents
from core.maintenance.stores import Stores, embedded_stores, kept_files
from core.maintenance.transfer import (
    ConversationTransfer,
    DocumentTransfer,
    GraphTransfer,
    Part,
    ViewTransfer,
)
from core.reserve import full_disk_told
from core.settings import Settings
from core.stores.sqlite.database import Database

_ATTEMPTS = 3  # something was deleted, or imported anew, while it was copied
_BATCH = 1_000  # vectors at a time
_BUSY_SECONDS = 30.0
_GENERATION = re.compile(r"[0-9]{1,19}\.db")


class Opened(Protocol):
    """The workspace that is copied; see `core.workspace`."""

    @property
    def settings(self) -> Settings: ...
    @property
    def stores(self) -> Stores: ...
    @property
    def library_store(self) -> LibraryStore: ...
    @property
    def vectors(self) -> VectorStore: ...
    @property
    def entity_vectors(self) -> EntityVectors: ...


def folder_settings(settings: Settings, folder: Path, **changed: object) -> Settings:
    """The settings for another data folder, with all stores in it and nothing that starts by itself."""
    fields = {
        "data_dir": folder,
        "models_dir": settings.models,
        "neo4j_uri": "",
        "documents_in_neo4j": False,
        "files_url": "",
        "sample": False,
        "warm_up": False,
        "reserve_mb": 0,
    }
    copied = settings.model_copy(update=fields | changed)
    copied.__dict__.pop("root", None)  # what was worked out of the folder before
    return copied


class SnapshotOvertaken(Exception):
    """What was to be copied is not there any more."""


def take_snapshot(workspace: Opened, folder: Path, fetched: Path, tell: Tell) -> dict[str, int]:
    """Copy everything to an empty folder, laid out as in a backup; how much there is of what.

    Args:
        fetched: another one on the same disk, for originals that lie elsewhere.

    Raises:
        StoreError: a store cannot be read, or changes all the time (``BACKUP_UNSTEADY``).
        DiskFull: there is no room.
    """
    for _ in range(_ATTEMPTS):
        try:
            with full_disk_told():
                return _once(workspace, folder, fetched, tell)
        except SnapshotOvertaken:
            shutil.rmtree(folder)
            folder.mkdir()
    raise StoreError(
        "The library changed while it was copied, several times.",
        advice="Wait until what is being deleted or imported is done, then try again.",
        code="BACKUP_UNSTEADY",
        retryable=True,
    )


def _once(workspace: Opened, folder: Path, fetched: Path, tell: Tell) -> dict[str, int]:
    settings = workspace.settings
    root = settings.root
    tell("copying the database", 0, 0)
    linked = folder / "linked"
    _link_all(root, linked)
    _copy_database(root / DATABASE, folder / DATABASE)
    _link_all(root, linked)  # what came in before the database was copied
    if (root / OUTAGE_TURNS).exists():
        _copy_database(root / OUTAGE_TURNS, folder / OUTAGE_TURNS)
    for name in (MODEL_CHOICE, EVALUATION, *MARKS):
        if (root / name).is_file():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(root / name, folder / name)
    bare = folder_settings(settings, folder, chroma_host="")
    with (
        closing(Database(folder / DATABASE)) as database,
        closing(embedded_stores(bare, database)) as copy,
    ):
        _leave_out_unfinished(copy.library, database)
        _keep_graph(folder, linked, database)
        if settings.uses_neo4j:
            _bring_from_server(workspace, copy, documents=settings.documents_in_neo4j, tell=tell)
        _fetch_files(workspace, copy.library, fetched, tell)
        _link(fetched, linked / "files")
        counts = _keep_files(copy.library, folder, linked)
        shutil.rmtree(linked, ignore_errors=True)
        counts |= count_stores(copy)
        counts |= _vectors(workspace, copy.library, folder / VECTORS, tell)
        database.connection.execute("VACUUM")
        database.checkpoint()
    for name in (
        f"{DATABASE}-wal",
        f"{DATABASE}-shm",
        f"{OUTAGE_TURNS}-wal",
        f"{OUTAGE_TURNS}-shm",
    ):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "chroma", ignore_errors=True)
    return counts


def files_of(folder: Path) -> dict[str, Path]:
    """Name in a backup -> file, of everything in a snapshot."""
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


def _link_all(root: Path, linked: Path) -> None:
    _link(root / "files", linked / "files")
    _link(root / "graph", linked / "graph", _GENERATION)


def _link(source_folder: Path, folder: Path, wanted: re.Pattern[str] | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for source in source_folder.glob("*"):
        place = folder / source.name
        if place.exists() or (wanted and not wanted.fullmatch(source.name)):
            continue
        try:
            os.link(source, place)
        except FileNotFoundError:
            continue
        except OSError:  # a disk without links
            shutil.copyfile(source, place)


def _fetch_files(workspace: Opened, library: LibraryStore, fetched: Path, tell: Tell) -> None:
    """Bring the originals of the copy's documents here, where they lie elsewhere."""
    files = kept_files(workspace.settings)
    if not isinstance(files, SharedFiles):
        return
    documents = library.documents()
    files.copy_out({one.id for one in documents}, fetched, tell)
    here = {path.name.partition(".")[0] for path in fetched.iterdir()}
    lacking = [one for one in documents if one.kind is not Kind.ABSTRACT and one.id not in here]
    for one in lacking:
        present = workspace.library_store.document(one.id)
        if present is None or present.state is not DocumentState.READY:
            raise SnapshotOvertaken


def _copy_database(source: Path, target: Path) -> None:
    """All of a database as it is at one moment; others go on reading and writing."""
    try:
        with (
            closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as reader,
            closing(sqlite3.connect(target, timeout=_BUSY_SECONDS)) as writer,
        ):
            reader.backup(writer)
            found = writer.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise StoreError(
            f"The library's database cannot be copied ({error}).",
            advice="Check the disk and its free space, then try again.",
        ) from error
    if found != "ok":
        raise StoreError(
            "The library's database is damaged; no backup is made of it.",
            advice="Run: python -m core verify. Restore an earlier backup if it says so.",
            code="DATABASE_DAMAGED",
        )


def _leave_out_unfinished(library: LibraryStore, database: Database) -> None:
    for index in library.indexes(include_deleting=True):
        if index.deleting:
            library.remove_index(index.name)
    for document in library.unfinished():
        library.remove_document(document.id)
    with database.write() as connection:
        # Their uploads are not in a backup.
        connection.execute("DELETE FROM jobs")


def _keep_graph(folder: Path, linked: Path, database: Database) -> None:
    row = database.connection.execute(
        "SELECT value FROM counters WHERE name = 'graph_version'"
    ).fetchone()
    if row is None or not row[0]:
        return
    source = linked / "graph" / f"{int(row[0])}.db"
    if not source.exists():
        raise SnapshotOvertaken
    (folder / "graph").mkdir(exist_ok=True)
    source.rename(folder / "graph" / source.name)


def _bring_from_server(workspace: Opened, copy: Stores, *, documents: bool, tell: Tell) -> None:
    """What Neo4j keeps, in the form that the data folder would have it in."""
    tell("reading the graph and conversations from Neo4j", 0, 0)
    source, nothing = workspace.stores, lambda: None
    graph = GraphTransfer(source.graph, copy.graph, Contents(), nothing)
    parts: list[Part] = [
        graph,
        ConversationTransfer(source.conversations, copy.conversations),
        ViewTransfer(source.views, copy.views),
    ]
    if documents:
        parts.append(DocumentTransfer(source.library, copy.library, graph.entity_ids))
    for part in parts:
        part.remove_foreign()
        part.copy(tell)


def _keep_files(library: LibraryStore, folder: Path, linked: Path) -> dict[str, int]:
    """Originals and reading copies of the documents that the copy has."""
    (folder / "files").mkdir()
    kept = {document.id: document for document in library.documents()}
    owners = set()
    for source in (linked / "files").iterdir():
        owner = source.name.partition(".")[0]
        if owner in kept:
            owners.add(owner)
            source.rename(folder / "files" / source.name)
    missing = [
        one.id for one in kept.values() if one.kind is not Kind.ABSTRACT and one.id not in owners
    ]
    return {"files": len(owners), "missing files": len(missing)}


def _vectors(workspace: Opened, library: LibraryStore, place: Path, tell: Tell) -> dict[str, int]:
    with closing(VectorsFile(place)) as kept:
        for index in library.indexes():
            ids = sorted(library.chunk_ids(index.name))
            kept.add_collection(index.collection, index.model, index.dimension)
            for start in range(0, len(ids), _BATCH):
                tell(f"copying the vectors of {index.name}", start, len(ids))
                try:
                    part = workspace.vectors.vectors(index.collection, ids[start : start + _BATCH])
                except StoreError as error:
                    if error.code == "VECTORS_MISSING" and _is_other(workspace, index.collection):
                        raise SnapshotOvertaken from error
                    if error.code != "VECTORS_MISSING":
                        raise
                    part = {}  # they are made again from the text
                kept.add_chunks(index.collection, part)
        for batch in _batches(workspace.entity_vectors):
            kept.add_entities(batch)
        chunks, entities = kept.counts()
    return {"vectors": chunks, "entity vectors": entities}


def _is_other(workspace: Opened, collection: str) -> bool:
    return collection not in {one.collection for one in workspace.library_store.indexes()}


def _batches(store: EntityVectors) -> Iterator[list[EntityVector]]:
    stored = store.stored()
    while batch := list(islice(stored, _BATCH)):
        yield batch


def count_stores(stores: Stores) -> dict[str, int]:
    """What a restored folder is compared with."""
    sessions = stores.conversations.sessions(limit=1_000_000_000)
    documents = stores.library.documents()
    return {
        "indexes": len(stores.library.indexes()),
        "documents": len(documents),
        "pages": sum(one.pages for one in documents),
        "chunks": sum(one.chunks for one in documents),
        "conversations": len(sessions),
        "turns": sum(one.turns for one in sessions),
        "entities": sum(stores.graph.counts_by_type().values()),
        "relationships": stores.graph.count_relationships(),
        "views": len(stores.views.views()),
    }
