"""The graph canvas: up to 150 nodes, laid out on the server, drawn as SVG, clickable.

The component makes text nodes only, so that whatever a name holds stays text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from core.domain.graph import Entity, Fact
from core.graph.layout import Point, layout
from core.graph.phrases import relationship_phrase
from pages.parts.entity_types import type_hex, type_name
from pages.parts.text import short

_POSITIONS = "graph_positions"
_KEY = "graph_canvas"
_SPACING = 150.0  # pixels between neighbours: room for a name below each
_LINE = 18  # characters of a name in one line
_LABELLED_EDGES = 14  # with more, only the relationships of the selected node are named

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "materia_graph",
    css=(_HERE / "canvas.css").read_text(encoding="utf-8"),
    js=(_HERE / "canvas.js").read_text(encoding="utf-8"),
)

FactKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class CanvasClick:
    """A node that was clicked; `expand` when it was clicked twice."""

    entity_id: str
    expand: bool


def graph_canvas(
    entities: Sequence[Entity],
    facts: Sequence[Fact],
    selected: str,
    highlighted: Collection[str],
    view: str,
    strong: Collection[FactKey] = (),
    places: Mapping[str, Point] | None = None,
) -> CanvasClick | None:
    """Draw entities and facts among them; the click of this run, or None.

    Args:
        selected: id of the entity with the dark rim, or "".
        highlighted: ids of the entities with a golden ring.
        view: pan, zoom and places are kept while it stays the same.
        strong: facts to be drawn as the ones that matter (a path).
        places: where each entity goes, in pixels, instead of where the layout puts it.
    """
    positions = places or _positions(entities, facts, view)
    matter = {end for source, _, target in strong for end in (source, target)} | {selected}
    result = _component(
        key=_KEY,
        data={
            "view": view,
            "low": places is not None,
            "nodes": [
                {
                    **_node(entity),
                    "x": positions[entity.id][0],
                    "y": positions[entity.id][1],
                    "selected": entity.id == selected,
                    "ring": entity.id in highlighted,
                    # Whose name stays where names would cover each other.
                    "rank": entity.importance
                    + 2 * (entity.id in matter)
                    + (entity.id in highlighted),
                }
                for entity in entities
            ],
            "edges": _edges(facts, selected, strong),
        },
        on_clicked_change=lambda: None,
        on_expanded_change=lambda: None,
    )
    # What comes back from the browser is believed only when it is one of the drawn ids.
    for event, expand in (("expanded", True), ("clicked", False)):
        entity_id = result.get(event)
        if entity_id in positions:
            return CanvasClick(str(entity_id), expand)
    return None


def _positions(entities: Sequence[Entity], facts: Sequence[Fact], view: str) -> dict[str, Point]:
    """Where the nodes of a view go; those that it had before stay where they were."""
    views: dict[str, dict[str, Point]] = st.session_state.setdefault(_POSITIONS, {})
    kept = views.get(view, {})
    positions = layout(
        [entity.id for entity in entities],
        [(fact.source.id, fact.target.id) for fact in facts],
        kept,
        scale=_SPACING,
    )
    # Hidden nodes keep their places: they come back where they were.
    st.session_state[_POSITIONS] = {view: {**kept, **positions}}
    return positions


def _node(entity: Entity) -> dict[str, Any]:
    words = textwrap.wrap(short(entity.name, 2 * _LINE), _LINE, max_lines=2, placeholder="…")
    return {
        "id": entity.id,
        "name": short(entity.name, 300),
        "kind": type_name(entity.type),
        "lines": words or [short(entity.id, _LINE)],
        "colour": type_hex(entity.type),
        "r": 8 + 10 * entity.importance**0.25,
    }


def _edges(
    facts: Sequence[Fact], selected: str, strong: Collection[FactKey]
) -> list[dict[str, Any]]:
    """One line for all facts of a pair in the same direction."""
    pairs: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        pairs.setdefault((fact.source.id, fact.target.id), []).append(fact)
    few = len(pairs) <= _LABELLED_EDGES
    of_selected = sum(selected in pair for pair in pairs) <= _LABELLED_EDGES
    edges = []
    for (source, target), together in pairs.items():
        is_strong = any(fact.key in strong for fact in together)
        own = selected in (source, target)
        named = is_strong or (not strong and (few or (own and of_selected)))
        verbs = " / ".join(relationship_phrase(fact.type, True) for fact in together)
        edges.append(
            {
                "source": source,
                "target": target,
                "label": short(verbs, 40) if named else "",
                "words": short(f"{together[0].source.name} {verbs} {together[0].target.name}", 300),
                "look": "strong" if is_strong else ("usual" if few or own else "faint"),
            }
        )
    return edges
