"""Named indexes as the fifth design document has them: ``/create``, ``/encode_doc``, ``/encode_batch`` and
``/query``, at the root and under ``/api``."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, Response

from core.api.guard import Body, Served, declared_json, error_response, text_of, with_json
from core.api.library import add_file, begun, on_conflict_of, require_index, uploaded
from core.api.places import allowed, existing_file, existing_folder
from core.api.questions import k_of
from core.domain.documents import Hit, OnConflict, Profile
from core.errors import DocumentError, MateriaError, TooLarge
from core.search.options import SearchOptions
from core.workspace import Workspace

_TITLES = {
    "INDEX_EXISTS": "Index already exists",
    "FILE_NOT_FOUND": "Document not found",
    "FOLDER_NOT_FOUND": "Directory not found",
}


def create(workspace: Workspace, body: Body) -> Response:
    """POST `index_name`: a new, empty index, whose documents are cut by meaning."""
    name = text_of(body, "index_name")
    workspace.indexes.create(name, Profile.SEMANTIC)
    told = {"index_name": name, "status": "created", "message": f"The index “{name}” is created."}
    return JSONResponse(told, status_code=201)


def encode_doc(workspace: Workspace, body: Body) -> Response:
    """POST `document_path` of a file on the server's machine and `index_name`; answers when it is in.
    `on_conflict` says what becomes of a file of this name with other content."""
    place, index = text_of(body, "document_path"), text_of(body, "index_name")
    on_conflict = on_conflict_of(text_of(body, "on_conflict", OnConflict.ASK))
    require_index(workspace, index)
    file = existing_file(allowed(place, workspace.settings.readable_folders))
    if file.suffix.casefold() == ".zip":
        raise DocumentError(
            "An archive is no document.",
            advice="Encode the folder that it was made of, or send it to /api/upload.",
            code="UNSUPPORTED_FORMAT",
        )
    with tempfile.TemporaryDirectory() as folder:
        kept = _copied(file, Path(folder), workspace.library.max_bytes)
        job = add_file(workspace, (file.name, kept), index, "", on_conflict)
    if job.active:  # it waits for a store, or for room on the disk
        return begun(job.id)
    done = uploaded(job)
    return JSONResponse(
        {
            "status": "already_present" if done["code"] == "ALREADY_PRESENT" else "success",
            "chunks_created": done["chunkCount"],
            "index_name": index,
            "document_id": done["documentId"],
        }
    )


def _copied(file: Path, folder: Path, most: int) -> Path:
    """A copy of a file: what is read afterwards is what was allowed.

    Raises:
        TooLarge, DocumentError: it has more bytes than are taken, or cannot be read.
    """
    kept = folder / "file"
    try:
        if file.stat().st_size > most:
            raise TooLarge(
                f"The file is over the limit of {most:,} bytes.", advice="Split it into parts."
            )
        shutil.copyfile(file, kept)
    except OSError as error:
        raise DocumentError(
            f"The file cannot be read ({error.strerror}).",
            advice="Look at its permissions.",
            code="FILE_UNREADABLE",
        ) from error
    return kept


def encode_batch(workspace: Workspace, body: Body) -> Response:
    """POST `directory_path` of a folder on the server's machine and `index_name`: a job is begun."""
    place, index = text_of(body, "directory_path"), text_of(body, "index_name")
    on_conflict = on_conflict_of(text_of(body, "on_conflict", OnConflict.ASK))
    require_index(workspace, index)
    folder = existing_folder(allowed(place, workspace.settings.readable_folders))
    job_id = workspace.submissions.folder(folder, index=index, on_conflict=on_conflict)
    return JSONResponse(
        {
            "status": "processing",
            "message": f"The folder is being encoded; /api/jobs/{job_id} tells how far it is.",
            "index_name": index,
            "job_id": job_id,
        }
    )


def query(workspace: Workspace, body: Body) -> Response:
    """POST `query`, `index_name` and `top_k`: the passages of this index that are found, best first, ordered
    by the reranker where one is set."""
    asked, index = text_of(body, "query"), text_of(body, "index_name")
    options = SearchOptions(
        indexes=(index,), k=k_of(body, "top_k"), candidates=workspace.settings.candidates
    )
    found = workspace.retriever.search(asked, options)
    return JSONResponse(
        {
            "results": [_result(hit) for hit in found.hits],
            "query": asked,
            "index_name": index,
            "reranker": found.reranker,
            "notice": found.notice,
        }
    )


def _result(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.chunk.id,
        "content": hit.chunk.text,
        "source_document": hit.document.file,
        "score": round(hit.score, 4),
        "document_id": hit.document.id,
        "page": hit.chunk.page,
    }


def error_told(error: MateriaError) -> JSONResponse:
    """An error as ``{error, detail, status_code}``, with the fields of all others beside them."""
    usual = error_response(error)
    body = json.loads(bytes(usual.body))
    body |= {
        "error": _TITLES.get(error.code, body["error"]),
        "detail": str(error),
        "status_code": error.status,
    }
    headers = {key: usual.headers[key] for key in usual.headers if key == "retry-after"}
    return JSONResponse(body, status_code=error.status, headers=headers)


_HANDLERS = {
    "/create": create,
    "/encode_doc": encode_doc,
    "/encode_batch": encode_batch,
    "/query": query,
}
TABLE = tuple(
    Served("POST", f"{prefix}{path}", declared_json(with_json(work)), error_told)
    for prefix in ("", "/api")
    for path, work in _HANDLERS.items()
)
