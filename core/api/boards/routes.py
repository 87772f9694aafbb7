"""The signal board and the interaction matrix, as JSON or as CSV."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.guard import Served, flag_of_query, in_thread, wrong
from core.boards.filtering import Order, RowFilter, filtered
from core.boards.public import (
    interactions_to_csv,
    interactions_to_public,
    signals_to_csv,
    signals_to_public,
)
from core.workspace import Workspace

FORMATS = ("json", "csv")
_LONGEST_TEXT = 200  # characters to filter by


def signals(workspace: Workspace, request: Request) -> Response:
    """GET ``?medicine=``, several times for several, ``&text=&source=&class=&differing=&sort=&format=``:
    adverse reactions by medicines, with all evidence."""
    asked = request.query_params
    text = asked.get("text", "")
    if len(text) > _LONGEST_TEXT:
        raise wrong(f"“text” has at most {_LONGEST_TEXT} characters.")
    as_csv = _as_csv(request)
    only = RowFilter.read(
        text,
        asked.getlist("source"),
        asked.getlist("class"),
        flag_of_query(request, "differing") or False,
        asked.get("sort", str(Order.FREQUENCY)),
    )
    board = filtered(workspace.boards.signals(asked.getlist("medicine")), only)
    if as_csv:
        return _csv(signals_to_csv(board), "materia-signals.csv")
    return JSONResponse(signals_to_public(board))


def interactions(workspace: Workspace, request: Request) -> Response:
    """GET ``?medicine=``, several times for several, ``&format=``: what leaflets and graph say of each
    medicine with each other."""
    as_csv = _as_csv(request)
    board = workspace.boards.interactions(request.query_params.getlist("medicine"))
    if as_csv:
        return _csv(interactions_to_csv(board), "materia-interactions.csv")
    return JSONResponse(interactions_to_public(board))


def _as_csv(request: Request) -> bool:
    asked = request.query_params.get("format", FORMATS[0])
    if asked not in FORMATS:
        raise wrong(f"“format” must be one of {', '.join(FORMATS)}.")
    return asked == "csv"


def _csv(text: str, name: str) -> Response:
    return Response(
        text.encode("utf-8-sig"),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


TABLE: tuple[Served, ...] = (
    Served("GET", "/api/boards/signals", in_thread(signals)),
    Served("GET", "/api/boards/interactions", in_thread(interactions)),
)
