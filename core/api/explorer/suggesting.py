"""Entities suggested while a name is being typed."""

from __future__ import annotations

from collections import Counter

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.guard import Served, in_thread, number_of_query, wrong
from core.domain.names import name_key
from core.graph.names.completion import LONGEST_QUERY
from core.graph.namesakes import namesakes
from core.graph.public import entity_to_public
from core.workspace import Workspace

MOST_SUGGESTED = 20
_USUAL = 8


def suggest(workspace: Workspace, request: Request) -> Response:
    """GET ``?q=&limit=``: entities that what is typed so far may mean, the best first."""
    given = request.query_params.getlist("q")
    if len(given) != 1 or len(given[0]) > LONGEST_QUERY:
        raise wrong(f"The request needs one “q” of at most {LONGEST_QUERY} characters.")
    limit = number_of_query(request, "limit", 1, MOST_SUGGESTED, _USUAL)
    found = workspace.names.completed(given[0], limit)
    keys = Counter(name_key(one.entity.name) for one in found)
    alike = [one.entity for one in found if keys[name_key(one.entity.name)] > 1]
    apart = {one.entity.id: one.words for one in namesakes(workspace.graph, alike)}
    return JSONResponse(
        {
            "suggestions": [
                {
                    **entity_to_public(one.entity),
                    "alsoCalled": one.also_called,
                    "readAs": one.read_as,
                    "exact": one.exact,
                    "toldApart": apart.get(one.entity.id, ""),
                }
                for one in found
            ]
        }
    )


TABLE: tuple[Served, ...] = (Served("GET", "/api/graph/suggest", in_thread(suggest)),)
