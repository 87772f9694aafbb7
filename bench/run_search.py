"""One encoder's part of the search benchmark: ``python -m bench.run_search JOB REPORT``.

JOB: ``task`` (``retrieve`` or ``speed``), ``folder`` (of the data; what is in it already is kept),
``texts`` (id -> [title, text]), ``queries`` (id -> text), ``fp32`` (the bundled model in torch rather
than its int8 copy), ``reranker`` (name or folder; "" for none), ``modes`` (for ``retrieve``).
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.children import own_peak_mb
from bench.inputs import ROOT

if TYPE_CHECKING:
    from core.workspace import Workspace

# Not the abstracts' index: answers are not made from that one.
_INDEX = "passages"
_TEXTS_TOGETHER = 64  # documents of one transaction
_DEEP = 100  # passages asked for, for recall@100: as many as a search may give
_MOST_TIMED = 200  # questions of each kind that are timed
_GRAPH = ROOT / "data" / "graph"
_ABOUT_ENTITIES = ("What does {} interact with?", "Which side effects does {} have?")

Figures = dict[str, Any]


def retrieve(workspace: Workspace, job: Mapping[str, Any]) -> Figures:
    """For every mode: documents in the order found, once as answers use search, once 100 passages
    deep, and milliseconds of the former."""
    from core.search.options import SearchOptions

    candidates = workspace.settings.candidates
    shown = 2 * candidates  # what an answer asks for
    modes: dict[str, Figures] = {}
    for mode in job["modes"]:
        near = SearchOptions((_INDEX,), shown, candidates, mode)
        deep = SearchOptions((_INDEX,), _DEEP, _DEEP, mode)
        workspace.retriever.search("warm-up", near)
        found: dict[str, list[str]] = {}
        found_deep: dict[str, list[str]] = {}
        milliseconds = []
        for query_id, query in job["queries"].items():
            started = time.perf_counter()
            result = workspace.retriever.search(query, near)
            milliseconds.append((time.perf_counter() - started) * 1000)
            found[query_id] = _documents(result.hits)
            found_deep[query_id] = _documents(workspace.retriever.search(query, deep).hits)
        modes[mode] = {"found": found, "deep": found_deep, "ms": milliseconds}
    return {"modes": modes}


def _documents(hits: Iterable[Any]) -> list[str]:
    """Ids of the documents, each where its first passage stands."""
    return list(dict.fromkeys(hit.document.file for hit in hits))


def measure_speed(workspace: Workspace, job: Mapping[str, Any]) -> Figures:
    """Milliseconds of each step alone, of a search, and of a question's way up to its evidence."""
    from core.domain.events import Expanded, Retrieved, Routed
    from core.search.options import SearchOptions

    library, graph = workspace.library.store, workspace.graph
    encoder = workspace.encoder()
    index = library.index(_INDEX)
    if index is None:
        raise SystemExit("There are no texts.")
    projection = graph.projection()
    connected = sorted(zip(projection.degrees.tolist(), projection.ids, strict=True), reverse=True)
    named = graph.entities([entity_id for _, entity_id in connected[:_MOST_TIMED]]).values()
    about = [
        _ABOUT_ENTITIES[place % len(_ABOUT_ENTITIES)].format(entity.name)
        for place, entity in enumerate(named)
    ]
    wanted = 2 * workspace.settings.candidates
    options = SearchOptions((_INDEX,), wanted, workspace.settings.candidates)
    queries = list(job["queries"].values())[:_MOST_TIMED]
    vectors = [encoder.encode([query])[0] for query in queries]
    near = [
        [key for key, _ in workspace.vectors.query(index.collection, vector, wanted)]
        for vector in vectors
    ]
    steps = {
        "embed the question": _timed(lambda query: encoder.encode([query]), queries),
        "dense candidates": _timed(
            lambda vector: workspace.vectors.query(index.collection, vector, wanted), vectors
        ),
        "full-text candidates": _timed(
            lambda query: library.search_text(query, [_INDEX], wanted), queries
        ),
        "passages by id": _timed(library.chunks_by_id, near),
        "search, all of it": _timed(
            lambda query: workspace.retriever.search(query, options), queries
        ),
    }
    whole: dict[str, list[float]] = {"retrieve": [], "expand": [], "retrieve and expand": []}
    for question in [queries[0], *queries, *about]:
        at: dict[type, float] = {}
        for event in workspace.chat.ask(question):
            at[type(event)] = time.perf_counter() * 1000
            if isinstance(event, Expanded):
                break
        whole["retrieve"].append(at[Retrieved] - at[Routed])
        whole["expand"].append(at[Expanded] - at[Retrieved])
        whole["retrieve and expand"].append(at[Expanded] - at[Routed])
    steps |= {name: values[1:] for name, values in whole.items()}  # without the first, a warm-up
    return {"steps": steps, "entities": sum(graph.counts_by_type().values())}


def _timed(call: Callable[[Any], object], arguments: Sequence[Any]) -> list[float]:
    """Milliseconds of each call, after one that is not counted."""
    call(arguments[0])
    found = []
    for one in arguments:
        started = time.perf_counter()
        call(one)
        found.append((time.perf_counter() - started) * 1000)
    return found


def _fill(workspace: Workspace, texts: Mapping[str, Sequence[str]]) -> None:
    """Import the sample graph and add those texts that are not there yet, named by their ids."""
    from core.domain.documents import Document, DocumentState, Page, Profile

    if not workspace.graph.counts_by_type():
        workspace.graph_tasks.import_folder(_GRAPH)
    workspace.library.ensure_index(_INDEX, Profile.ABSTRACT)
    known = {document.file for document in workspace.library.store.documents(_INDEX)}
    items = [(name, title, text) for name, (title, text) in texts.items() if name not in known]
    for start in range(0, len(items), _TEXTS_TOGETHER):
        documents = [
            (
                Document(
                    id=uuid.uuid4().hex,
                    index=_INDEX,
                    file=name,
                    title=title,
                    sha256=hashlib.sha256(f"{name}\n{text}".encode()).hexdigest(),
                    bytes=len(text.encode()),
                    pages=0,
                    chunks=0,
                    state=DocumentState.INGESTING,
                    created_at=datetime.now(UTC),
                ),
                [Page(0, text)],
            )
            for name, title, text in items[start : start + _TEXTS_TOGETHER]
        ]
        workspace.library.add_texts(documents, _INDEX)
    workspace.graph_tasks.embed()


def _open(job: Mapping[str, Any]) -> Workspace:
    from core.encoders.sentence_transformer import BundledEncoder
    from core.settings import load_settings
    from core.workspace import open_workspace

    settings: Figures = {"data_dir": Path(job["folder"]), "sample": False}
    if job["fp32"]:
        # Named by its folder, torch runs the model as it is.
        settings["embedding_model"] = str(BundledEncoder().folder)
    if job["reranker"]:
        settings["reranker"] = job["reranker"]
    return open_workspace(load_settings(**settings))


def main() -> None:
    """Do the job and write the report."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    workspace = _open(job)
    try:
        _fill(workspace, job["texts"])
        chunks = workspace.library.store.count_chunks([_INDEX])
        task = {"retrieve": retrieve, "speed": measure_speed}[job["task"]]
        report = task(workspace, job) | {"chunks": chunks, "own_peak_mb": own_peak_mb()}
    finally:
        workspace.close()
    Path(sys.argv[2]).write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    main()
