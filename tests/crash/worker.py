"""The processes of the kill test: one that works and is killed, one that looks at what it left.

`python -m tests.crash` imports all that is heavy once, then forks a process for every line
``ACTION FOLDER`` on standard input and answers its process id. The process ends with code 0, and
writes what it found to ``FOLDER/report.json``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import chromadb  # noqa: F401  imported before the fork, so that no process pays for it

from core.conversations.recall import pair_text
from core.domain.answers import DocumentCitation, Sentence, Support
from core.domain.conversations import Fault, Rating, Turn
from core.domain.documents import DocumentState, Kind, OnConflict
from core.domain.encoder import Encoder
from core.domain.jobs import Job
from core.evidence.blocks import BlockCache
from core.evidence.reading.ahead import ReadAhead
from core.evidence.reading.statement_tokens import StatementTokens
from core.search.options import SearchOptions
from core.settings import load_settings
from core.stores.sqlite.waiting_quotes import WaitingQuotes
from core.workspace import Workspace
from tests.domain.answers import an_answer
from tests.support.fakes import HashEncoder

WAIT = 60.0  # seconds after which a job counts as stuck
ABSTRACTS_FILE = "abstracts.json"
ABSTRACTS_IN_FILE = 40
QUESTION = "What is unwantine for?"
TURNS = 22  # a session of more than 20 has a summary


Seen = Callable[[Workspace, Path], AbstractContextManager[None]]


class CrashWorkspace(Workspace):
    """A workspace with a model that costs nothing."""

    def encoder(self) -> Encoder:
        return HashEncoder()


def open_workspace(folder: Path) -> CrashWorkspace:
    """The workspace of a test's folder; it rolls back what a killed process left."""
    return CrashWorkspace(load_settings(data_dir=folder / "data", sample=False, warm_up=False))


class Journal:
    """What the killed process got acknowledged, in order; whole lines outlive a SIGKILL."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal"

    def tell(self, event: str) -> None:
        with self.path.open("a") as file:
            file.write(f"{time.monotonic()} {event}\n")

    def times(self) -> list[float]:
        """When each event was told, in seconds of a clock that all processes share."""
        return [float(line.partition(" ")[0]) for line in self._lines()]

    def events(self) -> list[str]:
        return [line.partition(" ")[2] for line in self._lines()]

    def _lines(self) -> list[str]:
        return self.path.read_text().splitlines() if self.path.exists() else []


# -- the work --------------------------------------------------------------------------------------


def work(folder: Path, seen: Seen = lambda _workspace, _folder: nullcontext()) -> None:
    """Everything that changes a library: uploads, a replacement, deletions, a new index, an archive,
    abstracts, documents moved and copied, an index renamed, and one embedded anew; `seen` meanwhile."""
    journal, sources = Journal(folder), folder.parent / "sources"
    journal.tell("started")
    workspace = open_workspace(folder)
    journal.tell("opened")
    with seen(workspace, folder):
        _work(workspace, journal, sources)
    workspace.close()


def _work(workspace: CrashWorkspace, journal: Journal, sources: Path) -> None:
    def upload(*names: str, **options: Any) -> None:
        ids = workspace.submissions.uploads(
            [(name.partition("/")[2] or name, (sources / name).read_bytes()) for name in names],
            **options,
        )
        for name in names:
            journal.tell(f"submitted {name}")
        for job_id in ids:
            finished(workspace, job_id)

    upload("Warfarin.pdf", "first/changing.pdf", "unwanted.pdf", "Ibuprofen.pdf")
    upload("second/changing.pdf", on_conflict=OnConflict.REPLACE)
    journal.tell("replaced")
    unwanted = workspace.library_store.documents_named("leaflets", "unwanted.pdf")[0]
    tokens = StatementTokens(workspace.library.tokens, HashEncoder, workspace.library_store.present)
    ReadAhead(workspace.library_store, tokens, BlockCache(), lambda: False).read_all()
    journal.tell("read ahead")
    converse(workspace, journal, unwanted.id)
    journal.tell("deleting")
    workspace.deletion.documents([unwanted.id], quotes=True)
    journal.tell("deleted")
    workspace.indexes.create("trial")
    upload("Lisinopril.pdf", "Metformin.pdf", index="trial")
    journal.tell("deleting trial")
    workspace.indexes.delete("trial")
    journal.tell("deleted trial")
    relocate(workspace, journal)
    again = workspace.submissions.re_embed("leaflets")
    abstracts = workspace.submissions.abstracts(
        ABSTRACTS_FILE, (sources / ABSTRACTS_FILE).read_bytes()
    )
    journal.tell("submitted abstracts")
    upload("stack.zip")
    finished(workspace, again)
    finished(workspace, abstracts)
    journal.tell("end")


def relocate(workspace: Workspace, journal: Journal) -> None:
    """One document moved and one copied to an index that then gets another name."""
    workspace.indexes.create("archive")
    for name, copy in (("Ibuprofen.pdf", False), ("Warfarin.pdf", True)):
        (document,) = workspace.library_store.documents_named("leaflets", name)
        job_id = workspace.submissions.move([document.id], "archive", copy=copy)
        journal.tell(f"{'copying' if copy else 'moving'} {name}")
        finished(workspace, job_id)
    job_id = workspace.submissions.rename("archive", "shelf")
    journal.tell("renaming")
    finished(workspace, job_id)
    journal.tell("renamed")


def converse(workspace: Workspace, journal: Journal, document_id: str) -> None:
    """Answers that quote a document, each rated; one conversation pinned and tagged, one deleted."""
    known, quote = workspace.conversations, quoted_text(workspace, document_id)
    citation = DocumentCitation(
        1, document_id, f"{document_id}:0", "unwanted.pdf", 1, "", "", quote, 0, len(quote), 0.9
    )
    sentences = (Sentence(quote, Support.DOCUMENT, (1,)),)
    answer = replace(an_answer(QUESTION), sentences=sentences, citations=(citation,))
    session, _ = known.open(None, QUESTION)
    for _ in range(TURNS):
        turn = known.keep(session.id, answer)
        journal.tell("kept")
        known.rate(turn.id, Rating.DOWN, Fault.OTHER, "It is unwanted.")
        journal.tell("rated")
    known.pin(session.id, True)
    known.tag(session.id, ["signal"])
    journal.tell("marked")
    workspace.recall.embed_missing()
    journal.tell("embedded")
    other, _ = known.open(None, "Gone?")
    known.keep(other.id, an_answer("Gone?"))
    known.delete(other.id)
    journal.tell("deleted conversation")


def quoted_text(workspace: Workspace, document_id: str) -> str:
    """The beginning of a document's text."""
    return " ".join(workspace.library_store.pages(document_id)[0].text.split()[:30])


def finished(workspace: Workspace, job_id: str) -> Job:
    """The job at its end; the process fails when it does not come to a good one."""
    job = workspace.jobs.wait(job_id, WAIT)
    assert job is not None and job.state == "done", job
    return job


def resume(folder: Path) -> None:
    """What the next start does: begin again what was queued, and look at the end."""
    Journal(folder).tell("starting again")
    workspace = open_workspace(folder)
    recovered = [*workspace.recovered]
    workspace.resume_jobs()
    resumed = [job.name for job in workspace.resumed]
    Journal(folder).tell("resumed")
    ended = [workspace.jobs.wait(job.id, WAIT) for job in workspace.resumed]
    report(
        folder,
        workspace,
        recovered=recovered,
        resumed=resumed,
        jobs=[
            {"name": job.name, "state": job.state, "message": job.message} for job in ended if job
        ],
    )
    workspace.close()


def check(folder: Path) -> None:
    """What is there after a crash, once the next process has rolled back what was half done."""
    workspace = open_workspace(folder)
    report(folder, workspace, recovered=workspace.recovered)
    workspace.close()


# -- the look at it --------------------------------------------------------------------------------


def report(folder: Path, workspace: Workspace, **more: Any) -> None:
    """Write the state of all stores to ``report.json``."""
    store, library = workspace.library_store, workspace.library
    listed = store.documents(include_unfinished=True)
    vectors = {
        index.name: Counter(
            chunk.partition(":")[0] for chunk in workspace.vectors.chunk_ids(index.collection)
        )
        for index in store.indexes(include_deleting=True)
    }
    known = workspace.conversations
    workspace.recall.embed_missing()
    kept_jobs = {job.id for job in workspace.jobs.jobs() if job.active or job.questions}
    uploads = {path.name for path in (folder / "data" / "uploads").glob("*")}
    state = {
        "documents": [
            {
                "id": document.id,
                "file": document.file,
                "index": document.index,
                "sha256": document.sha256,
                "ready": document.state is DocumentState.READY,
                "reported": document.chunks,
                "chunks": len(store.document_chunks(document.id)),
                "vectors": vectors[document.index][document.id],
                "files": library.files.count(document.id),
                "wanted_files": int(document.kind is not Kind.ABSTRACT),
                "found": {
                    mode: is_found(workspace, document.id, mode) for mode in ("lexical", "semantic")
                },
            }
            for document in listed
        ],
        "chunks": sum(len(store.chunk_ids(index.name)) for index in store.indexes()),
        "text_rows": store.count_text_rows(),
        "vectors": sum(map(workspace.vectors.count, workspace.vectors.collections())),
        "files": sum(library.files.owners().values()),
        "incoming": [path.name for path in (folder / "data" / "incoming").glob("*")],
        "uploads_of_no_job": sorted(uploads - kept_jobs) if "jobs" in more else [],
        "findings": [asdict(finding) for finding in workspace.verifier.run().findings],
        "conversations": [
            {
                "title": session.title,
                "pinned": session.pinned,
                "tags": list(session.tags),
                "summary": summary.text if (summary := known.summary(session.id)) else "",
                "turns": [
                    {
                        "position": turn.position,
                        "rated": turn.feedback is not None,
                        "quotes": [
                            one.quote for one in turn.answer.citations if one.kind == "document"
                        ],
                        "text": turn.answer.text,
                        "embedded": is_embedded(workspace, turn),
                    }
                    for turn in known.history(session.id)
                ],
            }
            for session in known.list()
        ],
        "quotes_to_remove": WaitingQuotes(workspace.database).all(),
        "indexes": sorted(index.name for index in store.indexes(include_deleting=True)),
        **more,
    }
    (folder / "report.json").write_text(json.dumps(state))


def is_found(workspace: Workspace, document_id: str, mode: str) -> bool:
    """Whether a search for the text of a document's first chunk finds that chunk."""
    chunks = workspace.library_store.document_chunks(document_id)
    if not chunks:
        return False
    options = SearchOptions(k=100, candidates=200, mode=mode)
    query = chunks[0].embedding_text if mode == "semantic" else chunks[0].text
    hits = workspace.retriever.search(query, options).hits
    return any(hit.chunk.id == chunks[0].id for hit in hits)


def is_embedded(workspace: Workspace, turn: Turn) -> bool:
    """Whether a turn's vector is that of its question and answer as they are now."""
    (vector,) = HashEncoder().encode([pair_text(turn.answer)])
    model = "hash-16, 16, pair 1"
    found = workspace.stores.conversations.similar(vector, model, 2 * TURNS)
    return any(one.turn_id == turn.id and one.similarity > 0.999 for one in found)


# -- the parent ------------------------------------------------------------------------------------

ACTIONS: dict[str, Callable[[Path], None]] = {"work": work, "resume": resume, "check": check}


def serve(actions: Mapping[str, Callable[[Path], None]]) -> None:
    """Fork a process for every line, from a parent that has no thread and no open store."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "wait":
            print(os.waitpid(int(rest), 0)[1], flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            run(actions[word], Path(rest))
        print(pid, flush=True)


def run(action: Callable[[Path], None], folder: Path) -> None:
    """One action in this process, which it ends."""
    code = 1
    try:
        with (folder / "log.txt").open("a") as log:
            os.dup2(log.fileno(), sys.stdout.fileno())
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "tmp")
        action(folder)
        code = 0
    except BaseException:
        (folder / "error.txt").write_text(traceback.format_exc())
    finally:
        os._exit(code)
