"""The same services over HTTP, as routes of the dashboard's server under ``/api``.

Handlers hand their work to a thread pool: stores and models block. Only requests that name this
server as their origin (or none) are served, so that another web page in the analyst's browser cannot
upload or delete.
"""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from core.api import jobs, library, questions
from core.api.guard import Handler, guarded

_TABLE: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/api/health", questions.health),
    ("POST", "/api/chat", questions.chat),
    ("POST", "/api/search", questions.search),
    ("GET", "/api/documents", library.documents),
    ("DELETE", "/api/documents/{document_id}", library.delete_document),
    ("POST", "/api/upload", library.upload),
    ("POST", "/api/folders", library.add_folder),
    ("GET", "/api/indexes", library.indexes),
    ("POST", "/api/indexes", library.create_index),
    ("GET", "/api/indexes/{name}", library.index),
    ("DELETE", "/api/indexes/{name}", library.delete_index),
    ("GET", "/api/jobs", jobs.jobs),
    ("GET", "/api/jobs/{job_id}", jobs.job),
    ("DELETE", "/api/jobs/{job_id}", jobs.cancel),
)


def routes() -> list[BaseRoute]:
    """The routes to mount beside Streamlit."""
    return [Route(path, guarded(handler), methods=[method]) for method, path, handler in _TABLE]
