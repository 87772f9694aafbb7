"""Materia's side, in the project's environment: ``python -m bench.run_materia JOB REPORT``.

JOB: ``task`` (``ingest`` or ``retrieve``), ``folder`` (empty, for the data), ``warm`` (a small PDF) and
``files``, or ``corpus`` (id -> text), ``queries`` (id -> text) and ``depth`` (chunks per query).
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.children import own_peak_mb

if TYPE_CHECKING:
    from core.workspace import Workspace

_MODES = ("hybrid", "semantic")
_TEXTS_TOGETHER = 64  # documents of one transaction


def ingest(job: Mapping[str, Any], started: float) -> dict[str, Any]:
    """Every file into the library; seconds from the first file to the last one's ready."""
    workspace = _open(Path(job["folder"]))
    try:
        _add_files(workspace, [job["warm"]])
        loaded = time.perf_counter()
        files = _add_files(workspace, job["files"])
        ended = time.perf_counter()
    finally:
        workspace.close()
    return {"load_seconds": loaded - started, "seconds": ended - loaded, "files": files}


def _open(folder: Path) -> Workspace:
    from core.settings import load_settings
    from core.workspace import open_workspace

    return open_workspace(load_settings(data_dir=folder, sample=False))


def _add_files(workspace: Workspace, paths: Sequence[str]) -> list[dict[str, Any]]:
    from core.documents.library.outcomes import Source
    from core.domain.documents import OnConflict

    sources = [Source(Path(path), Path(path).name) for path in paths]
    results = workspace.library.ingest_many(sources, on_conflict=OnConflict.KEEP_BOTH)
    return [
        {
            "file": path,
            "pages": result.pages,
            "chunks": result.chunks,
            "problem": "" if result.state == "ready" else f"{result.message} ({result.code})",
        }
        for path, result in zip(paths, results, strict=True)
    ]


def retrieve(job: Mapping[str, Any]) -> dict[str, Any]:
    """Documents found for every query and mode (id -> score of its best chunk), and seconds of a mode."""
    from core.documents.library.shelves import ABSTRACTS
    from core.search.options import SearchOptions

    workspace = _open(Path(job["folder"]))
    depth = int(job["depth"])
    runs: dict[str, dict[str, dict[str, float]]] = {}
    seconds: dict[str, float] = {}
    try:
        chunks = _add_texts(workspace, job["corpus"])
        for mode in _MODES:
            name = f"Materia, {mode}"
            options = SearchOptions((ABSTRACTS,), depth, depth, mode)
            run = runs.setdefault(name, {})
            begun = time.perf_counter()
            for query_id, query in job["queries"].items():
                best: dict[str, float] = {}
                for hit in workspace.retriever.search(query, options).hits:
                    best[hit.document.file] = max(hit.score, best.get(hit.document.file, 0.0))
                run[query_id] = best
            seconds[name] = time.perf_counter() - begun
    finally:
        workspace.close()
    return {"runs": runs, "chunks": chunks, "seconds": seconds}


def _add_texts(workspace: Workspace, corpus: Mapping[str, str]) -> int:
    """Add texts as documents, named by their ids; the number of chunks."""
    from core.documents.library.shelves import ABSTRACTS
    from core.domain.documents import Document, DocumentState, Page, Profile

    workspace.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    items = list(corpus.items())
    for start in range(0, len(items), _TEXTS_TOGETHER):
        texts = [
            (
                Document(
                    id=uuid.uuid4().hex,
                    index=ABSTRACTS,
                    file=name,
                    title="",
                    sha256=hashlib.sha256(f"{name}\n{text}".encode()).hexdigest(),
                    bytes=len(text.encode()),
                    pages=0,
                    chunks=0,
                    state=DocumentState.INGESTING,
                    created_at=datetime.now(UTC),
                ),
                [Page(1, text)],
            )
            for name, text in items[start : start + _TEXTS_TOGETHER]
        ]
        workspace.library.add_texts(texts, ABSTRACTS)
    return workspace.library.store.count_chunks([ABSTRACTS])


def main() -> None:
    """Do the job and write the report."""
    started = time.perf_counter()
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = ingest(job, started) if job["task"] == "ingest" else retrieve(job)
    report["own_peak_mb"] = own_peak_mb()
    Path(sys.argv[2]).write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    main()
