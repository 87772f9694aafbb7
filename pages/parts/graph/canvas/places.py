"""Where entities go on the canvas: by the chosen layout, where they were, or where the analyst put them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.explored.views import GraphView
from core.domain.graph import Entity, Fact, Path
from core.graph.arranged import around, by_type
from core.graph.layout import Point, layout
from pages.parts.shared.entity_types import shown_type

_PLACES = "graph_places"  # view -> places of its entities; hidden ones come back where they were
_CENTRE = "graph_centre"
_KEPT_VIEWS = 12
_SPACING = 150.0  # pixels between neighbours: room for a name below each
_STEP, _ROW = 230.0, 92.0  # pixels between the steps of drawn paths, and between entities of a step


def places_of(
    entities: Sequence[Entity], facts: Sequence[Fact], record: GraphView, view: str
) -> dict[str, Point]:
    """A place for each entity, in pixels of the drawing.

    Args:
        view: entities keep their places while it stays the same.
    """
    ids = [entity.id for entity in entities]
    ends = [(fact.source.id, fact.target.id) for fact in facts]
    if record.layout == "type":
        ranked = sorted(entities, key=lambda one: -one.importance)
        places = by_type({one.id: shown_type(one.type) for one in ranked}, _SPACING)
    elif record.layout == "around":
        places = around(ids, ends, _centre(entities, record.selected), _SPACING)
    else:
        kept = _kept(view)
        known = {**kept, **record.pinned}
        places = known if known.keys() >= set(ids) else layout(ids, ends, known, _SPACING)
        kept |= {one: at for one, at in places.items() if one not in record.pinned}
    return {one: record.pinned.get(one, places[one]) for one in ids}


def centre_on(entity_id: str) -> None:
    """Which entity the layout around one has in its middle, until another is chosen."""
    st.session_state[_CENTRE] = entity_id


def path_places(paths: Sequence[Path]) -> dict[str, Point]:
    """Where the entities of drawn paths go: from left to right, those of one step below each other."""
    steps: dict[str, int] = {}
    longest = max((len(path.entities) for path in paths), default=1) - 1
    for path in paths:
        for number, entity in enumerate(path.entities):
            at_end = number == len(path.entities) - 1
            steps.setdefault(entity.id, longest if at_end else number)
    columns: dict[int, list[str]] = {}
    for entity_id, step in steps.items():
        columns.setdefault(step, []).append(entity_id)
    places = {}
    for step, column in columns.items():
        for number, entity_id in enumerate(column):
            # A single row goes up and down, so that names beside each other have room.
            slope = _ROW / 4 * (step % 2)
            places[entity_id] = (step * _STEP, (number - (len(column) - 1) / 2) * _ROW + slope)
    return places


def _centre(entities: Sequence[Entity], selected: str) -> str:
    known = {entity.id for entity in entities}
    for one in (str(st.session_state.get(_CENTRE, "")), selected):
        if one in known:
            return one
    return max(entities, key=lambda one: one.importance).id if entities else ""


def _kept(view: str) -> dict[str, Point]:
    views: dict[str, dict[str, Point]] = st.session_state.setdefault(_PLACES, {})
    views[view] = views.pop(view, {})
    while len(views) > _KEPT_VIEWS:
        del views[next(iter(views))]
    return views[view]
