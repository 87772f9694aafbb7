"""What the API takes and answers, for scripts and the tools that read OpenAPI.

The words stand in openapi.toml and its further parts; what the code decides (enumerations, limits, refusals
that every operation shares) is put in here, so that it has one home.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from core import __version__
from core.answers.provenance.since import Change
from core.api.conversations import MOST_LISTED
from core.api.explorer.suggesting import MOST_SUGGESTED
from core.api.graph import MOST_DOCUMENTS, MOST_ENTITIES, MOST_FACTS, MOST_PATHS, MOST_SEEDS
from core.conversations.exporting.exports import ExportFormat
from core.conversations.exporting.ledger import Basis, LedgerFormat
from core.conversations.service import LISTED
from core.documents.cutting.sections import SECTION_CODES
from core.domain.answers import Support
from core.domain.conversations import LONGEST_COMMENT, MOST_TAGS, Fault, Rating
from core.domain.documents import Kind, OnConflict, Profile
from core.domain.explored.views import LAYOUTS, LONGEST_VIEW_NAME
from core.domain.jobs import JobState
from core.graph.names.completion import LONGEST_QUERY
from core.graph.walks.expand import MAX_HOPS
from core.graph.walks.paths import MAX_PATH_HOPS
from core.questions.routing import QueryType
from core.resources import read_table
from core.search.options import MAX_K, MODES, SearchOptions
from core.versions.differences import DifferenceKind
from core.versions.files import ComparisonFormat
from core.workspace import Workspace

_PARTS = (
    "openapi.toml",
    "openapi_graph.toml",
    "openapi_boards.toml",
    "openapi_seeds.toml",
    "openapi_versions.toml",
)
# Routes that stand under /api as they stand at the root; /api/search is a route of its own.
_AT_BOTH = ("/create", "/encode_doc", "/encode_batch", "/query")
_ENUMERATIONS = {
    "Basis": tuple(Basis),
    "Change": tuple(Change),
    "ComparisonFormat": tuple(ComparisonFormat),
    "Difference": tuple(DifferenceKind),
    "ExportFormat": tuple(ExportFormat),
    "Fault": tuple(Fault),
    "JobState": tuple(JobState),
    "Kind": tuple(Kind),
    "LedgerFormat": tuple(LedgerFormat),
    "Mode": MODES,
    "OnConflict": tuple(OnConflict),
    "Profile": tuple(Profile),
    "QueryType": tuple(QueryType),
    "Rating": tuple(Rating),
    "Section": SECTION_CODES,
    "Support": tuple(Support),
}
_LIMITS = (
    ("/api/graph/entity", "documents", {"maximum": MOST_DOCUMENTS}),
    ("/api/graph/facts", "limit", {"maximum": MOST_FACTS}),
    ("/api/graph/neighbours", "id", {"maxItems": MOST_SEEDS}),
    ("/api/graph/neighbours", "hops", {"maximum": MAX_HOPS, "default": MAX_HOPS}),
    ("/api/graph/neighbours", "limit", {"maximum": MOST_ENTITIES}),
    ("/api/graph/paths", "maxHops", {"maximum": MAX_PATH_HOPS, "default": MAX_PATH_HOPS}),
    ("/api/graph/paths", "limit", {"maximum": MOST_PATHS}),
    ("/api/graph/suggest", "q", {"maxLength": LONGEST_QUERY}),
    ("/api/graph/suggest", "limit", {"maximum": MOST_SUGGESTED}),
)
# Host, origin and token are asked before anything else; any part may fail.
_EVERYWHERE = {
    "400": "Invalid",
    "401": "TokenRequired",
    "403": "Forbidden",
    "500": "Failed",
    "503": "Unavailable",
}


def openapi(workspace: Workspace, _request: Request) -> Response:
    """GET: the document, with the limits of this server's settings."""
    return Response(_written(workspace.settings.max_question_chars), media_type="application/json")


@cache
def _written(longest_question: int) -> str:
    return json.dumps(document(longest_question), ensure_ascii=False)


def document(longest_question: int) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the API.

    Args:
        longest_question: in characters.
    """
    made = _joined(*(read_table(__file__, name) for name in _PARTS))
    made["info"]["version"] = __version__
    _put_under_api(made["paths"])
    schemas = made["components"]["schemas"]
    for name, values in _ENUMERATIONS.items():
        schemas[name] = {"type": "string", "enum": [str(value) for value in values]}
    schemas["Question"]["properties"]["question"]["maxLength"] = longest_question
    schemas["Query"]["properties"]["k"] |= {"maximum": MAX_K, "default": SearchOptions().k}
    schemas["ChatMessage"]["properties"]["message"]["maxLength"] = longest_question
    schemas["PaperQuery"]["properties"]["k"] |= {"maximum": MAX_K, "default": SearchOptions().k}
    schemas["QueryRequest"]["properties"]["top_k"] |= {
        "maximum": MAX_K,
        "default": SearchOptions().k,
    }
    for path, name, limit in _LIMITS:
        _parameter(made["paths"][path]["get"], name)["schema"] |= limit
    schemas["NewFeedback"]["properties"]["comment"]["maxLength"] = LONGEST_COMMENT
    schemas["NewView"]["properties"]["name"]["maxLength"] = LONGEST_VIEW_NAME
    schemas["GraphView"]["properties"]["layout"]["enum"] = list(LAYOUTS)
    schemas["ChangedConversation"]["properties"]["tags"]["maxItems"] = MOST_TAGS
    made["components"]["parameters"]["Limit"]["schema"] |= {
        "maximum": MOST_LISTED,
        "default": LISTED,
    }
    for path in made["paths"].values():
        for operation in path.values():
            for status, name in _EVERYWHERE.items():
                operation["responses"].setdefault(
                    status, {"$ref": f"#/components/responses/{name}"}
                )
    return made


def _joined(first: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    """The document with the paths and components of its other parts."""
    for part in others:
        first["paths"] |= part["paths"]
        for kind, components in part["components"].items():
            first["components"][kind] |= components
    return first


def _put_under_api(paths: dict[str, Any]) -> None:
    for path in _AT_BOTH:
        operation = copy.deepcopy(paths[path]["post"])
        operation["operationId"] += "UnderApi"
        paths[f"/api{path}"] = {"post": operation}


def _parameter(operation: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in operation["parameters"] if one.get("name") == name)
    return found
