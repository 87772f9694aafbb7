"""What the API takes and answers, for scripts and the tools that read OpenAPI.

The words stand in openapi.toml; what the code decides (enumerations, limits, refusals that every
operation shares) is put in here, so that it has one home.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from core import __version__
from core.api.conversations import LISTED, MOST_LISTED
from core.conversations.exporting.exports import ExportFormat
from core.documents.cutting.sections import SECTION_CODES
from core.domain.answers import Support
from core.domain.conversations import LONGEST_COMMENT, MOST_TAGS, Fault, Rating
from core.domain.documents import Kind, OnConflict, Profile
from core.domain.jobs import JobState
from core.questions.routing import QueryType
from core.resources import read_table
from core.search.options import MAX_K, MODES, SearchOptions
from core.workspace import Workspace

_ENUMERATIONS = {
    "ExportFormat": tuple(ExportFormat),
    "Fault": tuple(Fault),
    "JobState": tuple(JobState),
    "Kind": tuple(Kind),
    "Mode": MODES,
    "OnConflict": tuple(OnConflict),
    "Profile": tuple(Profile),
    "QueryType": tuple(QueryType),
    "Rating": tuple(Rating),
    "Section": SECTION_CODES,
    "Support": tuple(Support),
}
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
    made = read_table(__file__, "openapi.toml")
    made["info"]["version"] = __version__
    schemas = made["components"]["schemas"]
    for name, values in _ENUMERATIONS.items():
        schemas[name] = {"type": "string", "enum": [str(value) for value in values]}
    schemas["Question"]["properties"]["question"]["maxLength"] = longest_question
    schemas["Query"]["properties"]["k"] |= {"maximum": MAX_K, "default": SearchOptions().k}
    schemas["NewFeedback"]["properties"]["comment"]["maxLength"] = LONGEST_COMMENT
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
