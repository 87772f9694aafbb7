"""What the kill test of upkeep does: graphs, backups, single deletions, a restoration; with a page open."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import MateriaError
from core.maintenance.backup.archive import opened as opened_archive
from core.maintenance.backup.jobs import BACKUP, RESTORE
from core.maintenance.backup.writing import kept_backups
from core.search.options import SearchOptions
from core.stores.sqlite.schema import MIGRATIONS
from core.workspace import Workspace
from tests.crash.worker import (
    WAIT,
    Journal,
    finished,
    open_workspace,
    report,
    work,
)

TITLE = "Newtitle"
FILES = ("first/changing.pdf", "unwanted.pdf")


def upkeep(folder: Path) -> None:
    """Graphs imported, a backup, a deletion, embedding anew, a title, and the backup restored."""
    journal, sources = Journal(folder), folder.parent / "sources"
    journal.tell("started")
    workspace = open_workspace(folder)
    with page_open(workspace, folder):
        _change(workspace, journal, sources)
    workspace.close()
    open_workspace(folder).close()  # the restored one takes its place
    journal.tell("end")


def _change(workspace: Workspace, journal: Journal, sources: Path) -> None:
    for name in FILES:
        (job,) = workspace.submissions.uploads([(Path(name).name, (sources / name).read_bytes())])
        journal.tell(f"submitted {name}")
        finished(workspace, job)
    _import(workspace, journal, sources / "graph-1")
    job = workspace.jobs.submit(BACKUP, "Backup")
    journal.tell("submitted backup")
    finished(workspace, job)
    journal.tell("backed up")
    (unwanted,) = workspace.library_store.documents_named("leaflets", "unwanted.pdf")
    journal.tell("deleting")
    (receipt,) = workspace.deletion.documents([unwanted.id], quotes=False)
    assert (receipt.left, receipt.unfinished) == (0, 0)
    journal.tell("deleted")
    _import(workspace, journal, sources / "graph-2")
    job = workspace.submissions.re_embed("leaflets")
    journal.tell("submitted re-embedding")
    finished(workspace, job)
    (changing,) = workspace.library_store.documents_named("leaflets", "changing.pdf")
    journal.tell("giving a title")
    workspace.library.retitle(changing.id, TITLE)
    journal.tell("gave a title")
    (backup,) = kept_backups(workspace.settings)
    journal.tell("restoring")
    job = workspace.jobs.submit(RESTORE, "Restore", {"path": str(backup.path)})
    journal.tell("submitted restoration")
    finished(workspace, job)
    journal.tell("staged")


def _import(workspace: Workspace, journal: Journal, graph: Path) -> None:
    journal.tell(f"importing {graph.name}")
    job = workspace.graph_tasks.submit_import(graph, remove_missing=True)
    journal.tell(f"submitted {graph.name}")
    finished(workspace, job)
    until_idle(workspace)
    journal.tell(f"imported {graph.name}")


def until_idle(workspace: Workspace) -> None:
    """Wait for all jobs, also those that others queue."""
    end = time.monotonic() + WAIT
    while workspace.jobs.busy:
        assert time.monotonic() < end, workspace.jobs.jobs()
        time.sleep(0.01)


@contextmanager
def page_open(workspace: Workspace, folder: Path) -> Iterator[None]:
    """What an open page asks again and again, while something else changes all of it."""
    left = threading.Event()

    def look() -> None:
        while not left.wait(0.02):
            try:
                documents = workspace.catalogue.documents()
                workspace.indexes.all()
                workspace.jobs.jobs()
                workspace.conversations.list()
                workspace.graph.counts_by_type()
                workspace.retriever.search("What is the dose?", SearchOptions(k=5))
                for document in documents[:1]:
                    workspace.library.page_image(document.id, 1)
            except MateriaError as error:
                # What has just gone is said to be gone.
                assert error.code in ("NOT_FOUND", "DOCUMENT_NOT_FOUND", "INDEX_NOT_FOUND"), error
            except Exception:
                (folder / "page.txt").write_text(traceback.format_exc())
                raise

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        left.set()
        thread.join(WAIT)


def work_with_a_page_open(folder: Path) -> None:
    work(folder, page_open)


def resume_upkeep(folder: Path) -> None:
    """The next start, until nothing is left to do; a restored library takes its place with the one after."""
    workspace = open_workspace(folder)
    recovered = [*workspace.recovered]
    workspace.resume_jobs()
    resumed = [job.name for job in workspace.resumed]
    until_idle(workspace)
    jobs = [{"name": one.name, "state": one.state} for one in workspace.jobs.jobs()]
    workspace.close()
    workspace = open_workspace(folder)
    report(
        folder,
        workspace,
        recovered=recovered,
        resumed=resumed,
        jobs=jobs,
        graph=sorted(one.id for one in workspace.graph.store.all_entities()),
        embedded=len(workspace.entity_vectors.hashes()),
        links=_links(workspace),
        titles=[one.title for one in workspace.library_store.documents()],
        backups=[path.name for path in (folder / "data" / "backups").glob("*")],
        unreadable=[one.name for one in kept_backups(workspace.settings) if not _is_read(one.path)],
        restoring=(folder / "data" / "restore").exists(),
    )
    workspace.close()


def _links(workspace: Workspace) -> dict[str, int]:
    """Passages whose links are those of the present graph, and others."""
    found: Counter[str] = Counter()
    for chunk in workspace.library_store.all_chunks():
        kept = workspace.library_store.mentions_of_chunks([chunk.id]).get(chunk.id, {})
        found["right" if kept == workspace.links.count(chunk.text) else "wrong"] += 1
    return found


def _is_read(path: Path) -> bool:
    try:
        with opened_archive(path, len(MIGRATIONS)):
            return True
    except MateriaError:
        return False


def wanted(events: list[str]) -> dict[str, Any]:
    """What is to be there after these events and the next start; what may be or not is left out."""
    told = set(events)
    if "submitted restoration" in told:  # as when the backup was made
        return {"graph": 1, "unwanted": True, "titled": False}
    if "restoring" in told:
        return {}
    due: dict[str, Any] = {"graph": 0}
    for number in (1, 2):
        if f"importing graph-{number}" in told:
            due["graph"] = number
            if f"submitted graph-{number}" not in told:
                del due["graph"]
    if "deleted" in told:
        due["unwanted"] = False
    elif "submitted unwanted.pdf" in told and "deleting" not in told:
        due["unwanted"] = True
    if "gave a title" in told or "giving a title" not in told:
        due["titled"] = "gave a title" in told
    return due
