"""A data folder made of a backup, beside the present one, and verified there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np

from core.documents.library.files import FileStore
from core.documents.library.shared.files import SharedFiles
from core.documents.library.verify import Verifier
from core.documents.store.library import LibraryStore
from core.documents.store.vectors import VectorStore
from core.errors import Conflict, MateriaError, StoreError
from core.graph.store import EntityVectors
from core.logs import get_logger
from core.maintenance.backup import swap
from core.maintenance.backup.archive import Tell, opened, unpack
from core.maintenance.backup.manifest import DATABASE, VECTORS, Manifest, damaged
from core.maintenance.backup.snapshot import (
    count_stores,
    folder_settings,
)
from core.maintenance.backup.vectors_file import VectorsFile
from core.maintenance.backup.writing import clear_interrupted
from core.maintenance.stores import Stores, kept_files
from core.settings import Settings
from core.stores.chroma.chunks import ChromaVectors
from core.stores.chroma.entities import ChromaEntityVectors
from core.stores.sqlite.counter import installation_of, make_anew
from core.stores.sqlite.database import Database
from core.stores.sqlite.schema import MIGRATIONS

_LISTED = 3  # findings told in a message
_log = get_logger("restore")


class Restored(Protocol):
    """A workspace of the new folder; see `core.workspace`."""

    @property
    def stores(self) -> Stores: ...
    @property
    def library_store(self) -> LibraryStore: ...
    @property
    def vectors(self) -> VectorStore: ...
    @property
    def entity_vectors(self) -> EntityVectors: ...
    @property
    def verifier(self) -> Verifier: ...

    def close(self) -> None: ...


Open = Callable[[Settings], Restored]


def read_backup(path: Path) -> Manifest:
    """What a backup says it holds; nothing is unpacked.

    Raises:
        NotFound, InputError: see `archive.opened`.
    """
    with opened(path, len(MIGRATIONS)) as (_, manifest):
        return manifest


def stage(settings: Settings, path: Path, open_folder: Open, tell: Tell) -> Manifest:
    """Make a data folder of a backup and verify it; it waits in ``restore/new``, and nothing else has changed.

    Raises:
        NotFound, InputError: it cannot be used; see `archive.opened`.
        Conflict: this Materia keeps documents in Neo4j (``RESTORE_NEEDS_MIGRATION``), or another restoration
            waits (``RESTORE_STAGED``).
        DiskFull: there is no room for it beside the present one.
        StoreError: what was made does not verify (``BACKUP_NOT_VERIFIED``), or originals are to lie in a
            store that is away.
    """
    root = settings.root
    _require_possible(settings)
    with opened(path, len(MIGRATIONS)) as (archive, manifest), _cleared_on_failure(settings):
        shutil.rmtree(root / swap.FOLDER, ignore_errors=True)
        new = root / swap.FOLDER / swap.NEW
        unpack(archive, manifest, new, tell)
        vectors = root / swap.FOLDER / VECTORS
        if (new / VECTORS).exists():
            (new / VECTORS).rename(vectors)
        state = _made_own(root, new)
        bare = folder_settings(settings, new)
        with closing(open_folder(bare)) as folder:
            if vectors.exists():
                with closing(VectorsFile(vectors)) as kept:
                    _bring_in_vectors(folder, kept, tell)
            tell("verifying", 0, 0)
            _verify(folder, manifest)
        for left in new.iterdir():
            if left.name not in swap.CONTENTS:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        state |= {"phase": swap.STAGED, "made_at": manifest.made_at, "words": manifest.words}
        swap.note(root, state)
    _log.info("restore_staged", made_at=manifest.made_at)
    return manifest


def before_opening(settings: Settings, *, writer: bool) -> None:
    """Let what is staged take the data folder's place, and clear what killed backups left; to be called
    before anything in it is opened.

    Args:
        writer: whether the folder's lock is held; without it nothing is moved.

    Raises:
        Conflict: not a writer, and a restoration was interrupted (``RESTORE_UNFINISHED``).
        StoreError: a file cannot be moved (``RESTORE_UNFINISHED``), or originals are to lie in a store that
            is away; the next start goes on.
    """
    if not writer:
        swap.refuse_in_the_middle(settings.root)
        return
    clear_interrupted(settings.root)
    files = kept_files(settings)
    if isinstance(files, SharedFiles) and swap.is_staged(settings.root):
        # Beside those of the present library: none has a name of theirs with other bytes.
        files.copy_in(settings.root / swap.FOLDER / swap.NEW / "files", _unheard)
    state = swap.complete(settings.root, partial(_forget_replaced, settings, files))
    if not state:
        return
    taken = state.get("phase") != swap.FILLING
    _log.info("restored" if taken else "restore_cleared", made_at=state.get("made_at", ""))
    gone = str(state.get("old" if taken else "installation", ""))
    if gone:
        _drop_collections(settings, gone)


def _unheard(_stage: str, _done: int, _whole: int) -> None:
    return None


def _forget_replaced(settings: Settings, files: FileStore) -> None:
    """Remove what is kept elsewhere of documents that this data folder had, and has no more."""
    if not isinstance(files, SharedFiles):
        return
    shutil.rmtree(settings.root / "files", ignore_errors=True)
    old = settings.root / swap.FOLDER / swap.OLD / DATABASE
    replaced = _document_ids(old) - _document_ids(settings.root / DATABASE)
    with suppress(MateriaError):  # `verify` tells of what stays
        for document_id in sorted(replaced):
            files.remove(document_id)


def _document_ids(place: Path) -> set[str]:
    if not place.exists():
        return set()
    with suppress(StoreError), closing(Database(place)) as database:
        rows = database.connection.execute("SELECT id FROM documents").fetchall()
        return {str(row[0]) for row in rows}
    return set()


@contextmanager
def _cleared_on_failure(settings: Settings) -> Iterator[None]:
    try:
        yield
    except BaseException:
        state = swap.read_state(settings.root)
        shutil.rmtree(settings.root / swap.FOLDER, ignore_errors=True)
        if state.get("installation"):
            _drop_collections(settings, str(state["installation"]))
        raise


def _require_possible(settings: Settings) -> None:
    if settings.documents_in_neo4j:
        raise Conflict(
            "This Materia keeps its documents in Neo4j, and a backup is restored to the data folder.",
            advice="Restore with MATERIA_DOCUMENTS_IN_NEO4J=false; then set it again and run "
            "“migrate --from sqlite --to neo4j --overwrite”.",
            code="RESTORE_NEEDS_MIGRATION",
        )
    kept_files(settings).ask()
    swap.refuse_in_the_middle(settings.root)
    if swap.is_staged(settings.root):
        raise Conflict(
            "A restored library waits for the next start already.",
            advice="Start Materia again, or discard it on the System page.",
            code="RESTORE_STAGED",
        )


def _made_own(root: Path, new: Path) -> dict[str, str]:
    """Give the new folder its own collections on a shared Chroma server, and note whose they are."""
    try:
        with closing(Database(new / DATABASE)) as database:
            if database.connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise damaged(DATABASE)
            make_anew(database)
            installation = installation_of(database)
    except StoreError as error:
        raise damaged(DATABASE) from error
    old = ""
    if (root / DATABASE).exists():
        with suppress(MateriaError), closing(Database(root / DATABASE)) as present:
            old = installation_of(present)
    state = {"phase": swap.FILLING, "installation": installation, "old": old}
    swap.note(root, state)
    return state


def _bring_in_vectors(folder: Restored, kept: VectorsFile, tell: Tell) -> None:
    whole, done = sum(kept.counts()), 0
    for name, model, dimension in kept.collections():
        folder.vectors.ensure(name, dimension, model)
        for part in kept.chunks(name):
            tell("bringing in vectors", done, whole)
            known = folder.library_store.chunks_by_id(part)
            rows = [(known[one][0], vector) for one, vector in part.items() if one in known]
            if rows:
                chunks, vectors = zip(*rows, strict=True)
                folder.vectors.add(name, chunks, np.stack(vectors))
            done += len(part)
    written = 0
    for batch in kept.entities():
        tell("bringing in vectors", done + written, whole)
        if not written:
            folder.entity_vectors.ensure(len(batch[0].vector))
        folder.entity_vectors.put(batch)
        written += len(batch)
    folder.entity_vectors.settle(written)


def _verify(folder: Restored, manifest: Manifest) -> None:
    """Raise StoreError (BACKUP_NOT_VERIFIED) unless all stores agree, and hold what the manifest says."""
    report = folder.verifier.run(repair=True)
    lost = sum(one.kind == "missing_file" for one in report.findings)
    problems = [
        f"{one.what}: {one.message}"
        for one in report.findings
        if not one.repaired and one.kind != "missing_file"
    ]
    if lost > manifest.counts.get("missing files", 0):
        problems.append(f"{lost:,} originals are missing.")
    found = count_stores(folder.stores)
    problems += [
        f"{name}: {number:,}, and the backup says {manifest.counts[name]:,}."
        for name, number in found.items()
        if number != manifest.counts.get(name, number)
    ]
    if problems:
        raise StoreError(
            f"What was made of the backup does not verify. {' '.join(problems[:_LISTED])}",
            advice="The present library is unchanged. Use another backup.",
            code="BACKUP_NOT_VERIFIED",
        )


def _drop_collections(settings: Settings, installation: str) -> None:
    """Remove an installation's collections from a Chroma server; where it is away they stay, unused."""
    if not settings.chroma_host:
        return
    place = (settings.root / "chroma", settings.chroma_host, settings.chroma_port, installation)
    with suppress(MateriaError):
        with closing(ChromaVectors(*place)) as chunks:
            for name in chunks.collections():
                chunks.drop(name)
        with closing(ChromaEntityVectors(*place)) as entities:
            entities.drop()
