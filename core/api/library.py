"""Files, folders and indexes: in, listed, out."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.conversation_files import saved
from core.api.conversations import choice
from core.api.guard import (
    Body,
    ProcessingFailed,
    capped,
    flag_of_query,
    text_of,
    whole_number,
    wrong,
)
from core.api.places import existing_folder, under_roots
from core.conversations.exporting.exports import file_name
from core.documents.library.shelves import LEAFLETS
from core.documents.public import index_to_public, result_to_public
from core.domain.documents import DeletionReceipt, Document, IngestResult, OnConflict, Profile
from core.domain.jobs import Job, JobState
from core.errors import (
    Cancelled,
    Conflict,
    DocumentError,
    EmbeddingMismatch,
    InputError,
    MateriaError,
    ModelError,
    NotFound,
    RateLimited,
    StoreError,
    TooLarge,
)
from core.graph.public import entity_to_public
from core.text.tables.csv_file import CSV_TYPE
from core.versions.files import ComparisonFormat, comparison_csv, comparison_markdown
from core.versions.public import comparison_to_public
from core.versions.resting import answers_resting
from core.versions.service import compare_documents
from core.workspace import Workspace, shared_workspace

# A job keeps an error's code, not its class.
_KINDS: dict[str, type[MateriaError]] = {
    "TOO_LARGE": TooLarge,
    "ARCHIVE_TOO_LARGE": TooLarge,
    "INDEX_NOT_FOUND": NotFound,
    "NAME_EXISTS": Conflict,
    "IN_WORK": Conflict,
    "INDEX_BUSY": Conflict,
    "CANCELLED": Cancelled,
    "EMBEDDING_MISMATCH": EmbeddingMismatch,
    "STORE_UNAVAILABLE": StoreError,
    "VECTOR_STORE_UNAVAILABLE": StoreError,
    "VECTORS_UNAVAILABLE": StoreError,
    "DISK_FULL": StoreError,
    "MODEL_UNAVAILABLE": ModelError,
    "RATE_LIMITED": RateLimited,
}
FORM_FRAME = 1_000_000  # bytes of a form around its file, generously
_ARCHIVE_AT_FAULT = frozenset(("NOT_A_ZIP", "PASSWORD_REQUIRED", "NO_FILES"))
_ADVICE = {
    "NAME_EXISTS": "Send on_conflict with “keep-earlier”, “replace” or “keep-both”.",
    "PASSWORD_REQUIRED": "Send its password.",
    "WRONG_PASSWORD": "Send its password.",
}


def documents(workspace: Workspace, request: Request) -> Response:
    """GET, of one index with ``?index=``: the ready documents, newest first, and those that are being
    removed."""
    name = request.query_params.get("index")
    if name is not None:
        require_index(workspace, name)
    found = workspace.catalogue.documents(name)
    leaving = workspace.catalogue.being_removed(name)
    return JSONResponse(
        {
            "documents": [_document(document) for document in found],
            "beingRemoved": [_document(document) for document in leaving],
        }
    )


def require_index(workspace: Workspace, name: str) -> None:
    if name not in workspace.catalogue.index_names():
        raise NotFound(
            f"There is no index “{name}”.", advice="List the indexes.", code="INDEX_NOT_FOUND"
        )


def _document(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "filename": document.file,
        "title": document.title,
        "titleCorrected": document.corrections > 0,
        "products": [{"title": one.title, "page": one.page} for one in document.products],
        "index": document.index,
        "kind": document.kind,
        "pageCount": document.pages,
        "chunkCount": document.chunks,
        "bytes": document.bytes,
        "uploadedAt": document.created_at.isoformat(),
    }


def retitle(workspace: Workspace, request: Request, body: Body) -> Response:
    """PATCH `title`, and `product` in a file with several: what it is about; the document, and the entities
    it is taken to name."""
    document_id, title = str(request.path_params["document_id"]), text_of(body, "title")
    product = whole_number(body["product"]) if body.get("product") is not None else None
    if product is None and body.get("product") is not None:
        raise wrong("“product” must be a whole number.")
    document = workspace.library.retitle(document_id, title, product=product)
    named = workspace.names.entities_in(document.title)
    return JSONResponse(
        {"document": _document(document), "entities": [entity_to_public(one) for one in named]}
    )


def compare(workspace: Workspace, request: Request) -> Response:
    """GET ``?old=&new=&numbers=&same=&format=json|csv|md``: two documents, section by section, and the kept
    answers that rest on what the new one changes."""
    asked = request.query_params
    form = choice(asked.get("format", ComparisonFormat.JSON), ComparisonFormat, "format")
    numbers = flag_of_query(request, "numbers") or False
    same = flag_of_query(request, "same") or False
    found = compare_documents(workspace.catalogue, asked.get("old", ""), asked.get("new", ""))
    if form is ComparisonFormat.CSV:
        return saved(
            comparison_csv(found), file_name(f"{found.old.title} compared", "csv"), CSV_TYPE
        )
    answers = answers_resting(found, workspace.conversations)
    if form is ComparisonFormat.MARKDOWN:
        made = comparison_markdown(found, answers)
        return saved(
            made, file_name(f"{found.old.title} compared", "md"), "text/markdown; charset=utf-8"
        )
    return JSONResponse(comparison_to_public(found, answers, same=same, numbers_only=numbers))


def delete_document(workspace: Workspace, request: Request) -> Response:
    """DELETE: remove every trace, with ``?quotes=true`` in kept answers too; the receipt."""
    quotes = flag_of_query(request, "quotes") or False
    (receipt,) = workspace.deletion.documents(
        [str(request.path_params["document_id"])], quotes=quotes
    )
    return _removed(receipt)


def _removed(receipt: DeletionReceipt) -> Response:
    """The receipt; 202 while a store has to come back before nothing is left."""
    state = "being removed" if receipt.unfinished else "removed"
    body = {"success": not (receipt.left or receipt.unfinished), "state": state}
    return JSONResponse(
        {**body, "receipt": asdict(receipt)}, status_code=202 if receipt.unfinished else 200
    )


async def upload(request: Request) -> Response:
    """POST a form: `file`, and if need be `index`, `on_conflict`, `password`; waits for the end."""
    workspace = await run_in_threadpool(shared_workspace)
    # The form's frame around the file is small; a body far over the limit is not even received.
    request = capped(request, workspace.library.max_bytes + FORM_FRAME)
    async with form_of(request) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise InputError("The form has no file in its field “file”.", code="NO_FILE")
        index, password = _text(form, "index") or LEAFLETS, _text(form, "password")
        on_conflict = on_conflict_of(_text(form, "on_conflict") or OnConflict.ASK)
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "file"
            with kept.open("wb") as writer:
                while block := await file.read(1 << 20):
                    writer.write(block)
            job = await run_in_threadpool(
                add_file,
                workspace,
                (file.filename or "unnamed.pdf", kept),
                index,
                password,
                on_conflict,
            )
    return begun(job.id) if job.active else JSONResponse(uploaded(job))


@asynccontextmanager
async def form_of(request: Request, files: int = 1) -> AsyncIterator[FormData]:
    """The form that a request holds; its files are gone afterwards.

    Raises:
        InputError: it cannot be read, or has too many parts (``INVALID_REQUEST``).
    """
    try:
        form = await request.form(max_files=files, max_fields=8)
    except HTTPException as error:
        raise wrong(f"The form cannot be read. {error.detail}") from None
    try:
        yield form
    finally:
        await form.close()


def _text(form: FormData, field: str) -> str:
    value = form.get(field, "")
    if not isinstance(value, str):
        raise InputError(f"The form's field “{field}” must be text.", code="INVALID_REQUEST")
    return value


def on_conflict_of(value: str) -> OnConflict:
    try:
        return OnConflict(value)
    except ValueError:
        raise InputError(
            f"on_conflict must be one of {', '.join(OnConflict)}.", code="INVALID_ON_CONFLICT"
        ) from None


def add_file(
    workspace: Workspace,
    file: tuple[str, Path],
    index: str,
    password: str,
    on_conflict: OnConflict,
) -> Job:
    """Through the queue: one ingestion at a time, also beside the page's uploads."""
    if index != LEAFLETS:
        require_index(workspace, index)
    (job_id,) = workspace.submissions.uploads(
        [file], index=index, password=password, on_conflict=on_conflict
    )
    job = workspace.jobs.wait(job_id, or_waits=True)
    if job is None:
        raise ProcessingFailed("The job was lost.", advice="Send the file again.")
    for question in job.questions:
        # It is put to the client, which answers by sending the file again.
        workspace.submissions.decide(job_id, question, None)
    return job


def uploaded(job: Job) -> dict[str, Any]:
    """The body for a job that is over.

    Raises:
        MateriaError: the file, or the archive as a whole, did not get in.
    """
    if job.state is not JobState.DONE and not job.items:
        kind = _KINDS.get(job.code)
        if kind is None:
            kind = DocumentError if job.code in _ARCHIVE_AT_FAULT else ProcessingFailed
        raise kind(job.message, code=job.code)
    if len(job.items) == 1:
        (result,) = job.items
        if result.state != "ready":
            raise _not_in(result)
        return {
            "success": True,
            "documentId": result.document_id,
            "chunkCount": result.chunks,
            "pageCount": result.pages,
            "filename": result.file,
            "title": result.title,
            "code": result.code,
        }
    return {
        "success": all(item.state == "ready" for item in job.items),
        "filename": job.name,
        "code": job.code,
        "details": job.message,
        "files": [result_to_public(item) for item in job.items],
    }


def _not_in(result: IngestResult) -> MateriaError:
    kind = _KINDS.get(result.code, ProcessingFailed if result.state == "failed" else DocumentError)
    return kind(result.message, advice=_ADVICE.get(result.code, ""), code=result.code)


def add_folder(workspace: Workspace, body: Body) -> Response:
    """POST `path` of a folder on the server's machine, `index`, `on_conflict`: a job is begun."""
    path, index = Path(text_of(body, "path")), text_of(body, "index", LEAFLETS)
    on_conflict = on_conflict_of(text_of(body, "on_conflict", OnConflict.ASK))
    folder = _readable(path, workspace.settings.readable_folders)
    if index != LEAFLETS:
        require_index(workspace, index)
    job_id = workspace.submissions.folder(folder, index=index, on_conflict=on_conflict)
    return begun(job_id)


def begun(job_id: str) -> Response:
    """202 with a job's id and where its state is told."""
    return JSONResponse({"job_id": job_id, "status": f"/api/jobs/{job_id}"}, status_code=202)


def _readable(path: Path, roots: Sequence[Path]) -> Path:
    """The folder without links. What is under none of the roots is refused alike, there or not.

    Raises:
        InputError: ``FOLDER_NOT_ALLOWED``.
        NotFound: ``FOLDER_NOT_FOUND``, under one of the roots.
    """
    real = under_roots(path, roots)
    if real is None:
        raise InputError(
            "This folder may not be read over HTTP.",
            advice="Name it, or one above it, in MATERIA_FOLDER_ROOTS; or add it on the Library page.",
            code="FOLDER_NOT_ALLOWED",
        )
    return existing_folder(real)


def indexes(workspace: Workspace, _request: Request) -> Response:
    """GET: every index with its counts."""
    found = workspace.indexes.all()
    return JSONResponse({"indexes": [index_to_public(description) for description in found]})


def index(workspace: Workspace, request: Request) -> Response:
    """GET: one index with its counts."""
    found = workspace.indexes.describe(str(request.path_params["name"]))
    return JSONResponse(index_to_public(found))


def create_index(workspace: Workspace, body: Body) -> Response:
    """POST `name` and `profile`."""
    name, wanted = text_of(body, "name"), text_of(body, "profile", Profile.LEAFLET)
    if wanted not in list(Profile):
        raise InputError(
            f"The profile must be one of {', '.join(Profile)}.", code="INVALID_PROFILE"
        )
    workspace.indexes.create(name, Profile(wanted))
    return JSONResponse(index_to_public(workspace.indexes.describe(name)), status_code=201)


def delete_index(workspace: Workspace, request: Request) -> Response:
    """DELETE: remove an index with all its documents, with ``?quotes=true`` in kept answers too; the
    receipt."""
    quotes = flag_of_query(request, "quotes") or False
    return _removed(workspace.deletion.index(str(request.path_params["name"]), quotes=quotes))
