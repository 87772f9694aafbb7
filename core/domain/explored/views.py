"""What the explorer shows of the graph, as it is kept and opened again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cache

from pydantic import TypeAdapter

LAYOUTS = ("force", "type", "around")
LONGEST_VIEW_NAME = 80  # characters


@dataclass(frozen=True, slots=True)
class GraphView:
    """A state of the canvas: enough to draw it again on another day.

    Attributes:
        shown: ids of the entities on the canvas, in the order they came.
        selected: id of the selected entity, or "".
        hidden: ids of those that are on the canvas and not drawn.
        pinned: id -> where the analyst put it, x and y in pixels of the drawing.
        layout: ``force``, ``type`` or ``around`` (the selected entity).
        hidden_types: entity types that are not drawn.
        relationship_types: the only ones drawn; all when empty.
    """

    shown: tuple[str, ...] = ()
    selected: str = ""
    hidden: tuple[str, ...] = ()
    pinned: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    layout: str = "force"
    hidden_types: tuple[str, ...] = ()
    relationship_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedView:
    """A view that somebody named and kept.

    Attributes:
        id: letters, digits, "-" and "_".
        user: the key of whose it is, see `core.domain.conversations`.
    """

    id: str
    name: str
    view: GraphView
    created_at: datetime
    updated_at: datetime
    user: str


@cache
def _views() -> TypeAdapter[GraphView]:
    """The reader of views; made when the first one is read."""
    return TypeAdapter(GraphView)


def view_to_json(view: GraphView) -> str:
    """A view as a store and the browser keep it."""
    return json.dumps(asdict(view), ensure_ascii=False)


def view_from_json(text: str) -> GraphView:
    """The view that `view_to_json` wrote; fields that it does not know are passed over.

    Raises:
        ValueError: it is no such text.
    """
    return _views().validate_json(text)
