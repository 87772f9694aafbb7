"""Saved views as plain JSON values: what `--json` and the API print."""

from __future__ import annotations

import json
from typing import Any

from core.domain.explored.views import GraphView, SavedView, view_to_json
from core.graph.views.service import OpenedView


def saved_to_public(saved: SavedView) -> dict[str, Any]:
    """A saved view without what it shows."""
    return {
        "id": saved.id,
        "name": saved.name,
        "entities": len(saved.view.shown),
        "createdAt": saved.created_at.isoformat(),
        "updatedAt": saved.updated_at.isoformat(),
    }


def opened_to_public(saved: SavedView, opened: OpenedView) -> dict[str, Any]:
    """A saved view with what it shows of the graph as it is now, and how many entities are gone."""
    return {**saved_to_public(saved), "view": view_to_public(opened.view), "gone": opened.gone}


def view_to_public(view: GraphView) -> dict[str, Any]:
    """A state of the canvas in the fields in which it is kept."""
    value: dict[str, Any] = json.loads(view_to_json(view))
    return value
