"""The same services over HTTP, as routes of the dashboard's server under ``/api``.

Handlers hand their work to a thread pool: stores and models block. Only requests that name this
server as their origin (or none) are served, so that another web page in the analyst's browser cannot
upload or delete.
"""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from core.api import conversation_files, conversations, jobs, library, openapi, questions
from core.api.guard import Handler, guarded, in_thread, with_file, with_json, with_json_about
from core.api.unserved import Unserved
from core.api.users import NO_LOGIN, Login
from core.conversations.exporting.json_file import MOST_BYTES

_FEEDBACK = "/api/conversations/{conversation_id}/turns/{turn_id}/feedback"
_EXPORT = "/api/conversations/{conversation_id}/export"
_EXPORT_ONE = "/api/conversations/{conversation_id}/turns/{turn_id}/export"
_TABLE: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/api/openapi.json", in_thread(openapi.openapi)),
    ("GET", "/api/health", in_thread(questions.health)),
    ("POST", "/api/chat", with_json(questions.chat)),
    ("POST", "/api/search", with_json(questions.search)),
    ("GET", "/api/entities", in_thread(questions.entities)),
    ("GET", "/api/documents", in_thread(library.documents)),
    ("PATCH", "/api/documents/{document_id}", with_json_about(library.retitle)),
    ("DELETE", "/api/documents/{document_id}", in_thread(library.delete_document)),
    ("GET", "/api/documents/{document_id}/answers", in_thread(conversations.quoting)),
    ("POST", "/api/upload", library.upload),
    ("POST", "/api/folders", with_json(library.add_folder)),
    ("GET", "/api/indexes", in_thread(library.indexes)),
    ("POST", "/api/indexes", with_json(library.create_index)),
    ("GET", "/api/indexes/{name}", in_thread(library.index)),
    ("DELETE", "/api/indexes/{name}", in_thread(library.delete_index)),
    ("GET", "/api/conversations", in_thread(conversations.conversations)),
    ("POST", "/api/conversations/import", with_file(MOST_BYTES, conversation_files.read_in)),
    ("GET", "/api/conversations/{conversation_id}", in_thread(conversations.conversation)),
    ("PATCH", "/api/conversations/{conversation_id}", with_json_about(conversations.change)),
    ("DELETE", "/api/conversations/{conversation_id}", in_thread(conversations.delete)),
    ("GET", _EXPORT, in_thread(conversation_files.export)),
    ("GET", _EXPORT_ONE, in_thread(conversation_files.export)),
    ("POST", _FEEDBACK, with_json_about(conversations.rate)),
    ("DELETE", _FEEDBACK, in_thread(conversations.take_rating_back)),
    ("GET", "/api/jobs", in_thread(jobs.jobs)),
    ("GET", "/api/jobs/{job_id}", in_thread(jobs.job)),
    ("DELETE", "/api/jobs/{job_id}", in_thread(jobs.cancel)),
)


def routes(login: Login = NO_LOGIN) -> list[BaseRoute]:
    """The routes to mount beside Streamlit: those of the table, then what refuses all else under ``/api``.

    Args:
        login: the dashboard's, by which a request's user is known.
    """
    served = [
        Route(path, guarded(handler, login), methods=[method]) for method, path, handler in _TABLE
    ]
    return [*served, Route("/api/{rest:path}", Unserved(served))]
