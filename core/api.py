"""The same services over HTTP, as routes of the dashboard's server under ``/api``.

Handlers are plain functions in a thread pool: stores and models block. Only requests that name this
server as their origin (or none) are served, so that another web page in the analyst's browser cannot
upload or delete.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from core.domain.answers import DocumentCitation
from core.domain.documents import Document, IngestResult
from core.domain.serial import answer_to_public
from core.errors import DocumentError, InputError, MateriaError, ModelError, NotFound, RateLimited
from core.logs import correlation, current_correlation_id, get_logger
from core.workspace import Workspace, shared_workspace

_log = get_logger("api")
_RETRY_AFTER = 60  # seconds; what a provider's per-minute limit asks for
_LONGEST_BODY = 64_000  # bytes of a JSON request
Handler = Callable[[Request], Awaitable[Response]]


def routes() -> list[BaseRoute]:
    """The routes to mount beside Streamlit."""
    return [
        Route("/api/health", _guarded(_health), methods=["GET"]),
        Route("/api/documents", _guarded(_documents), methods=["GET"]),
        Route("/api/documents/{document_id}", _guarded(_delete), methods=["DELETE"]),
        Route("/api/upload", _guarded(_upload), methods=["POST"]),
        Route("/api/chat", _guarded(_chat), methods=["POST"]),
    ]


def _guarded(handler: Handler) -> Handler:
    """Give a request a correlation id, refuse foreign origins, turn errors into the seeds' bodies."""

    async def guarded(request: Request) -> Response:
        with correlation():
            origin = request.headers.get("origin")
            if origin and urlsplit(origin).netloc != request.headers.get("host"):
                return JSONResponse({"error": "Foreign origin"}, status_code=403)
            try:
                response = await handler(request)
            except MateriaError as error:
                _log.info("refused", code=error.code, path=request.url.path)
                response = _error(error)
            except Exception:
                _log.exception("api_crashed", path=request.url.path)
                response = _error(
                    MateriaError("Something went wrong inside Materia.", advice="See the log.")
                )
            response.headers["X-Correlation-Id"] = current_correlation_id()
            return response

    return guarded


def _error(error: MateriaError) -> JSONResponse:
    """Status and body of an error: the seeds' fields (error, details, fallback, retryAfter) and ours."""
    titles: list[tuple[type[MateriaError], str]] = [
        (RateLimited, "Rate limit exceeded"),
        (ModelError, "AI service unavailable"),
        (DocumentError, "Invalid PDF file"),
        (InputError, "Invalid request"),
        (NotFound, "Document not found" if error.code == "DOCUMENT_NOT_FOUND" else "Not found"),
    ]
    title = next((title for kind, title in titles if isinstance(error, kind)), None)
    body: dict[str, Any] = {
        "error": title or error.message,
        "details": str(error),
        "code": error.code,
        "retryable": error.retryable,
        "correlationId": current_correlation_id(),
    }
    headers = {}
    if isinstance(error, RateLimited):
        body["retryAfter"] = _RETRY_AFTER
        headers["Retry-After"] = str(_RETRY_AFTER)
    elif isinstance(error, ModelError):
        body["fallback"] = "Search still works; try again later."
    return JSONResponse(body, status_code=error.status, headers=headers)


async def _workspace() -> Workspace:
    return await run_in_threadpool(shared_workspace)


async def _health(_request: Request) -> Response:
    workspace = await _workspace()
    health = await run_in_threadpool(workspace.health)
    body = {
        "status": "ok" if health.ok else "degraded",
        "parts": [asdict(part) for part in health.parts],
    }
    return JSONResponse(body, status_code=200 if health.ok else 503)


async def _documents(_request: Request) -> Response:
    workspace = await _workspace()
    found = await run_in_threadpool(workspace.library_store.documents)
    return JSONResponse({"documents": [_document(document) for document in found]})


def _document(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "filename": document.file,
        "index": document.index,
        "pageCount": document.pages,
        "chunkCount": document.chunks,
        "bytes": document.bytes,
        "uploadedAt": document.created_at.isoformat(),
    }


async def _delete(request: Request) -> Response:
    workspace = await _workspace()
    receipt = await run_in_threadpool(
        workspace.library.delete, str(request.path_params["document_id"])
    )
    return JSONResponse({"success": receipt.left == 0, "receipt": asdict(receipt)})


async def _upload(request: Request) -> Response:
    workspace = await _workspace()
    declared = request.headers.get("content-length", "")
    # The form's frame around the file is small; a body far over the limit is not even received.
    if declared.isdigit() and int(declared) > workspace.library.max_bytes + 1_000_000:
        raise DocumentError("The file is over the size limit.", code="TOO_LARGE")
    async with request.form(max_files=1, max_fields=4) as form:
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise InputError("The form has no file in its field “file”.", code="NO_FILE")
        name = upload.filename or "unnamed.pdf"
        with tempfile.NamedTemporaryFile(suffix=".upload") as kept:
            while block := await upload.read(1 << 20):
                kept.write(block)
            kept.flush()
            result = await run_in_threadpool(_ingest, workspace, Path(kept.name), name)
    return JSONResponse(
        {
            "success": True,
            "documentId": result.document_id,
            "chunkCount": result.chunks,
            "pageCount": result.pages,
            "filename": result.file,
            "code": result.code,
        }
    )


def _ingest(workspace: Workspace, path: Path, name: str) -> IngestResult:
    # Through the queue: one ingestion at a time, also beside the page's uploads.
    job_id = workspace.jobs.submit(
        name, lambda report: workspace.library.ingest(path, name=name, report=report)
    )
    job = workspace.jobs.wait(job_id)
    if job is None or job.state == "failed":
        message = job.message if job else "The job was lost."
        raise MateriaError(message, code=job.code if job else "INTERNAL")
    if job.state == "refused":
        raise DocumentError(job.message, code=job.code)
    return IngestResult(
        job.name,
        job.state,
        job.code,
        job.message,
        job.progress.pages,
        job.progress.chunks,
        job.seconds,
        job.document_id,
    )


async def _chat(request: Request) -> Response:
    raw = await request.body()
    try:
        body = json.loads(raw) if len(raw) <= _LONGEST_BODY else None
    except ValueError:
        body = None
    if not isinstance(body, dict) or not isinstance(body.get("question"), str):
        raise InputError(
            "The request needs a JSON object with a text “question”.", code="INVALID_REQUEST"
        )
    session = body.get("conversationId")
    workspace = await _workspace()
    answer = await run_in_threadpool(
        workspace.chat.answer, body["question"], session if isinstance(session, str) else None
    )
    sources = {
        (c.file, c.page): {"document": c.file, "page": c.page}
        for c in answer.citations
        if isinstance(c, DocumentCitation)
    }
    return JSONResponse(
        {
            **answer_to_public(answer),
            "sources": list(sources.values()),
            "conversationId": answer.session,
            "queryType": answer.query_type,
        }
    )
