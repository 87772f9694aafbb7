"""The same services over HTTP, as routes of the dashboard's server under ``/api``; a few stand at its root too.

Handlers hand their work to a thread pool: stores and models block. Only requests that name this
server as their origin (or none) are served, so that another web page in the analyst's browser cannot
upload or delete.
"""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from core.api import (
    conversation_files,
    conversations,
    evaluation,
    graph,
    library,
    openapi,
    questions,
    system,
)
from core.api.boards import routes as boards
from core.api.docs_page import try_it
from core.api.explorer import suggesting, views
from core.api.guard import Served, guarded, in_thread, with_file, with_json, with_json_about
from core.api.seeds import graph_chat, knowledge_base, literature
from core.api.unserved import Unserved
from core.api.users import NO_LOGIN, Login
from core.conversations.exporting.json_file import MOST_BYTES

_USAGE = "/api/conversations/usage"
_IMPORT = "/api/conversations/import"
_COMPARE = "/api/documents/compare"
_LEDGER = "/api/conversations/{conversation_id}/ledger"
_FEEDBACK = "/api/conversations/{conversation_id}/turns/{turn_id}/feedback"
_EXPORT = "/api/conversations/{conversation_id}/export"
_EXPORT_ONE = "/api/conversations/{conversation_id}/turns/{turn_id}/export"
_TABLE = (
    Served("GET", "/api/openapi.json", in_thread(openapi.openapi)),
    Served("GET", "/api/health", in_thread(questions.health)),
    Served("POST", "/api/chat", with_json(questions.chat)),
    Served("POST", "/api/search", with_json(questions.search)),
    Served("GET", "/api/suggestions", in_thread(questions.suggestions)),
    Served("GET", "/api/entities", in_thread(questions.entities)),
    Served("GET", "/api/documents", in_thread(library.documents)),
    Served("GET", _COMPARE, in_thread(library.compare)),
    Served("PATCH", "/api/documents/{document_id}", with_json_about(library.retitle)),
    Served("DELETE", "/api/documents/{document_id}", in_thread(library.delete_document)),
    Served("GET", "/api/documents/{document_id}/answers", in_thread(conversations.quoting)),
    Served("POST", "/api/upload", library.upload),
    Served("POST", "/api/folders", with_json(library.add_folder)),
    Served("GET", "/api/indexes", in_thread(library.indexes)),
    Served("POST", "/api/indexes", with_json(library.create_index)),
    Served("GET", "/api/indexes/{name}", in_thread(library.index)),
    Served("DELETE", "/api/indexes/{name}", in_thread(library.delete_index)),
    Served("GET", "/api/conversations", in_thread(conversations.conversations)),
    Served("POST", _IMPORT, with_file(MOST_BYTES, conversation_files.read_in)),
    Served("GET", _EXPORT, in_thread(conversation_files.export)),
    Served("GET", _EXPORT_ONE, in_thread(conversation_files.export)),
    Served("GET", _LEDGER, in_thread(conversation_files.ledger)),
    Served("GET", "/api/recall", in_thread(conversations.similar)),
    Served("GET", _USAGE, in_thread(conversations.usage)),
    Served("GET", "/api/conversations/{conversation_id}", in_thread(conversations.conversation)),
    Served("PATCH", "/api/conversations/{conversation_id}", with_json_about(conversations.change)),
    Served("DELETE", "/api/conversations/{conversation_id}", in_thread(conversations.delete)),
    Served("POST", _FEEDBACK, with_json_about(conversations.rate)),
    Served("DELETE", _FEEDBACK, in_thread(conversations.take_rating_back)),
    *graph.TABLE,
    *suggesting.TABLE,
    *views.TABLE,
    *boards.TABLE,
    *evaluation.TABLE,
    *system.TABLE,
    *try_it.TABLE,
    *graph_chat.TABLE,
    *literature.TABLE,
    *knowledge_base.TABLE,
)


def routes(login: Login = NO_LOGIN) -> list[BaseRoute]:
    """The routes to mount beside Streamlit: those of the table, then what refuses all else under ``/api``,
    and other methods of the paths at the root.

    Args:
        login: the dashboard's, by which a request's user is known.
    """
    served = [
        Route(one.path, guarded(one.handler, one.tell, login), methods=[one.method])
        for one in _TABLE
    ]
    refused = Unserved(served)
    beside = dict.fromkeys(one.path for one in _TABLE if not one.path.startswith("/api/"))
    refusing = (*beside, "/api", "/api/{rest:path}")
    # These are no conversation's and no document's id, with any method.
    words = (_USAGE, _IMPORT, _COMPARE)
    named = {path: [one for one in served if one.path == path] for path in words}
    own = [one for path, own in named.items() for one in (*own, Route(path, Unserved(own)))]
    others = [one for one in served if one.path not in named]
    return [*own, *others, *(Route(path, refused) for path in refusing)]
