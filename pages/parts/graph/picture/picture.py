"""The graph canvas: up to 150 nodes, drawn by streamlit-agraph (vis-network) where the server says.

The component never sees an entity's id, and a node has no title: it would put that into its page as
HTML, and open it in a new window on a double click.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import streamlit as st
from streamlit_agraph import Config, Edge, Node, _agraph

from core.domain.graph import Entity, Fact
from core.graph.layout import Point, layout
from core.graph.phrases import relationship_phrase
from pages.parts.graph.canvas_fit import fit_to_width
from pages.parts.graph.canvas_inks import inks
from pages.parts.graph.canvas_names import Name, with_room
from pages.parts.shared.entity_types import type_hex
from pages.parts.shared.text import short

_VIEWS = "graph_views"
_KEPT_VIEWS = 8
_SPACING = 150.0  # pixels between neighbours: room for a name below each
_LINE = 18  # characters of a name in one line
_LABELLED_EDGES = 14  # with more, only the relationships of the selected node are named

_HEIGHT, _LOW_HEIGHT = 460, 280  # pixels; a path is wide, not high
_WIDTH = 432  # on a screen of 1280 pixels; wider ones have room to spare
_BEYOND = 30.0  # pixels of the drawing by which it may grow and still be in sight
_MARGIN = 1.1  # what the component leaves around the nodes when it fits them

# Pixels on the screen when the whole graph is in sight; the drawing is then scaled.
_NAME, _VERB = 11.5, 9.5
_LARGEST_NAME = 38.0  # of the drawing: a name is not to be longer than neighbours are apart
_LEAST_NAME = 9.0  # smaller ones are not drawn, until one zooms in
_LESSER = 0.5  # of a name's size, for those without room: they appear as one zooms in
_LARGEST_DOT = 1.3  # how much dots grow on the drawing as it shrinks on the screen
_RIM, _RING, _LINE_WIDTH, _STRONG_WIDTH = 3.0, 3.5, 1.0, 2.4

_FACE = "Source Sans Pro, Segoe UI, Roboto, Helvetica, Arial, sans-serif"

FactKey = tuple[str, str, str]
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class CanvasClick:
    """A node that was clicked."""

    entity_id: str


@dataclass(slots=True)
class _View:
    """What is kept of a view in the browser's session.

    Attributes:
        places: id -> where it goes; hidden nodes keep theirs and come back where they were.
        ids: id -> what the component calls it.
        fitted: left, top, right and bottom of what was last fitted into the canvas, or None.
        scale: of the screen to the drawing, then.
        key: of the component; another one starts anew and fits.
    """

    places: dict[str, Point] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    fitted: tuple[float, float, float, float] | None = None
    scale: float = 1.0
    key: str = ""

    def fit(self, places: Collection[Point], height: int) -> None:
        """Fit the drawing into a canvas so high, unless all of it is in sight already."""
        xs, ys = [x for x, _ in places] or [0.0], [y for _, y in places] or [0.0]
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        if self.fitted is not None:
            west, north, east, south = self.fitted
            beyond = max(west - left, north - top, right - east, bottom - south)
            if beyond <= _BEYOND:
                return
        self.fitted = (left, top, right, bottom)
        # Names below and beside the outermost nodes.
        wide, high = right - left + _SPACING / 2, bottom - top + _SPACING / 2
        self.scale = min(_WIDTH / (wide * _MARGIN), height / (high * _MARGIN), 1.0)
        self.key = f"graph_canvas_{next(_numbers)}"

    def call(self, entity_id: str) -> str:
        """What the component is to call an entity."""
        if entity_id not in self.ids:
            self.rename(entity_id)
        return self.ids[entity_id]

    def rename(self, entity_id: str) -> None:
        """Call it something new: only then does the component report another click on it."""
        self.ids[entity_id] = f"n{next(_numbers)}"


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
        view: pan, zoom and places are kept while it stays the same, until what is drawn outgrows
            the canvas.
        strong: facts to be drawn as the ones that matter (a path).
        places: where each entity goes, in pixels, instead of where the layout puts it.
    """
    kept = _view(view)
    positions = places or _positions(entities, facts, kept)
    height = _HEIGHT if places is None else _LOW_HEIGHT
    kept.fit([positions[entity.id] for entity in entities], height)
    data = drawing(entities, facts, selected, highlighted, kept, strong, positions)
    clicked = _agraph(
        data=json.dumps(data), config=json.dumps(_config(height).to_dict()), key=kept.key
    )
    fit_to_width()
    # The component gives back its last click in every run: it counts while its id is in use.
    for entity in entities:
        if kept.ids[entity.id] == clicked:
            kept.rename(entity.id)
            return CanvasClick(entity.id)
    return None


def fit_canvas() -> None:
    """Fit what is drawn into the canvas in the next run."""
    for kept in st.session_state.get(_VIEWS, {}).values():
        kept.fitted = None


def drawing(
    entities: Sequence[Entity],
    facts: Sequence[Fact],
    selected: str,
    highlighted: Collection[str],
    view: _View,
    strong: Collection[FactKey],
    positions: Mapping[str, Point],
) -> dict[str, list[dict[str, Any]]]:
    """What the component is handed: nodes and edges as vis-network names their parts."""
    matter = {end for source, _, target in strong for end in (source, target)} | {selected}
    near = {end for fact in facts for end in _ends(fact) if selected in _ends(fact)}
    size = _name_size(view.scale)
    names = {
        entity.id: Name(
            _lines(entity),
            # Names hang below the dots.
            (positions[entity.id][0], positions[entity.id][1] + _radius(entity, view.scale)),
            entity.importance
            + 2 * (entity.id in matter)
            + (entity.id in near)
            + (entity.id in highlighted),
        )
        for entity in entities
    }
    named = with_room(names, size)
    return {
        "nodes": [
            _node(
                entity,
                view,
                positions[entity.id],
                "\n".join(names[entity.id].lines),
                size if entity.id in named else size * _LESSER,
                entity.id == selected,
                entity.id in highlighted,
            )
            for entity in entities
        ],
        "edges": _edges(facts, selected, strong, view),
    }


def _view(name: str) -> _View:
    views: dict[str, _View] = st.session_state.setdefault(_VIEWS, {})
    views[name] = views.pop(name) if name in views else _View()
    while len(views) > _KEPT_VIEWS:
        del views[next(iter(views))]
    return views[name]


def _positions(entities: Sequence[Entity], facts: Sequence[Fact], view: _View) -> dict[str, Point]:
    """Where the nodes of a view go; those that it had before stay where they were."""
    positions = layout(
        [entity.id for entity in entities],
        [_ends(fact) for fact in facts],
        view.places,
        scale=_SPACING,
    )
    view.places |= positions
    return positions


def _ends(fact: Fact) -> tuple[str, str]:
    return fact.source.id, fact.target.id


def _config(height: int) -> Config:
    config = Config(
        height=height,
        physics=False,
        autoResize=True,
        groups={},
        nodes={
            "shape": "dot",
            "labelHighlightBold": False,
            "scaling": {"label": {"drawThreshold": _LEAST_NAME}},
        },
        edges={"smooth": False, "selectionWidth": 0, "hoverWidth": 0.5},
        interaction={
            "hover": True,
            # A node that was dragged would jump back when it is selected.
            "dragNodes": False,
            "selectConnectedEdges": False,
            "tooltipDelay": 150,
        },
    )
    config.width = "100%"
    return config


def _name_size(scale: float) -> float:
    return min(_NAME / scale, _LARGEST_NAME)


def _radius(entity: Entity, scale: float) -> float:
    return (8 + 10 * math.sqrt(math.sqrt(entity.importance))) * min(1 / scale, _LARGEST_DOT)


def _lines(entity: Entity) -> list[str]:
    """A name in at most two lines."""
    lines = textwrap.wrap(short(entity.name, 2 * _LINE), _LINE, max_lines=2, placeholder="…")
    return lines or [short(entity.id, _LINE)]


def _node(
    entity: Entity,
    view: _View,
    place: Point,
    label: str,
    name_size: float,
    selected: bool,
    ringed: bool,
) -> dict[str, Any]:
    colour, ink = type_hex(entity.type), inks()
    rim = ink.ink if selected else ink.ring if ringed else ink.paper
    chosen = {"background": colour, "border": ink.ink}
    radius = _radius(entity, view.scale)
    width = _RIM if selected else _RING if ringed else 1.0
    node = Node(
        id=view.call(entity.id),
        label=label,
        size=round(radius, 1),
        color={"background": colour, "border": rim, "highlight": chosen, "hover": chosen},
        borderWidth=round(min(width / view.scale, radius / 2), 1),
        borderWidthSelected=round(min(_RIM / view.scale, radius / 2), 1),
        # A ring that the dark rim has taken the place of is seen as a glow around it.
        shadow={
            "enabled": selected and ringed,
            "color": ink.ring,
            "size": round(4 * _RING / view.scale, 1),
            "x": 0,
            "y": 0,
        },
        font={
            "color": ink.ink,
            "size": round(name_size, 1),
            "face": _FACE,
            "strokeWidth": round(name_size / 4, 1),
            "strokeColor": ink.paper,
        },
        x=place[0],
        y=place[1],
        # What a double click would open: nothing. Without it the component fails and stops hovering.
        div={"innerHTML": ""},
    )
    del node.title
    return dict(node.to_dict())


def _edges(
    facts: Sequence[Fact], selected: str, strong: Collection[FactKey], view: _View
) -> list[dict[str, Any]]:
    """One line for all facts of a pair in the same direction."""
    pairs: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        pairs.setdefault(_ends(fact), []).append(fact)
    few = len(pairs) <= _LABELLED_EDGES
    of_selected = sum(selected in pair for pair in pairs) <= _LABELLED_EDGES
    edges, ink = [], inks()
    for pair, together in pairs.items():
        is_strong = any(fact.key in strong for fact in together)
        own = selected in pair
        named = is_strong or (not strong and (few or (own and of_selected)))
        verbs = " / ".join(relationship_phrase(fact.type, True) for fact in together)
        source, target = (view.call(end) for end in pair)
        colour = ink.strong if is_strong else ink.usual if few or own else ink.faint
        edge = Edge(
            source,
            target,
            # Without an id of its own the component would keep an edge that is gone.
            id=f"{source}-{target}",
            color={"color": colour, "hover": ink.near, "highlight": ink.near},
            # An empty label would leave the one that it had.
            label=short(verbs, 40) if named else " ",
            # Shown as text when it is pointed at: only a node's title is made HTML.
            title=short(f"{together[0].source.name} {verbs} {together[0].target.name}", 300),
            font={
                "size": round(_VERB / _NAME * _name_size(view.scale), 1),
                "face": _FACE,
                "color": ink.near,
                "strokeWidth": round(_name_size(view.scale) / 4, 1),
                "strokeColor": ink.paper,
                "align": "horizontal",
            },
            width=round((_STRONG_WIDTH if is_strong else _LINE_WIDTH) / view.scale, 1),
            arrows={"to": {"enabled": True, "scaleFactor": 0.5}},
        )
        edges.append(dict(edge.to_dict()))
    return edges
