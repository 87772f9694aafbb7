"""What the explorer shows of the graph, as it is kept and opened again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
