"""The part of the graph that an answer rests on, as a small picture drawn by streamlit-agraph.

The component never sees an entity's id, and a node has no title: it would put that into its page as
HTML, and open it in a new window on a double click.
"""

from __future__ import annotations

import json
import textwrap
import zlib
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit_agraph import Config, Edge, Node, _agraph

from core.domain.answers import Citation, GraphCitation
from core.graph.layout import Point, layout
from core.graph.phrases import relationship_phrase
from pages.parts.graph.picture.inks import inks
from pages.parts.shared.entity_types import type_hex
from pages.parts.shared.text import short

MOST_RELATIONSHIPS = 16  # more cannot be read in a picture of this size
_HEIGHT, _WIDTH = 280, 520  # pixels; the usual panel, beside the chat
_SPACING = 150.0  # pixels of the drawing between neighbours
_STRETCH = 1.6  # the picture is wide, not high, and so are names
_MARGIN = 1.25  # for names beyond the outermost nodes
_NAME, _VERB, _DOT = 11.0, 9.5, 7.0  # pixels on the screen
# Characters of a name: it stands in narrow lines, as a picture on a phone cuts what is wide at its edges.
_LONGEST, _LINE, _WORD = 36, 11, 18  # whole; in a line; of a word that makes a line longer
_FACE = "Source Sans Pro, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
_TAKEN = "picture_clicks"  # how many clicks were followed: ids change with it


def graph_part(citations: Sequence[Citation], shown: GraphCitation) -> list[GraphCitation]:
    """The relationship that is shown and those of the same answer, as many as a picture holds; those that
    share an end with it first."""
    ends = {shown.source_id, shown.target_id}
    others = [one for one in citations if isinstance(one, GraphCitation) and one != shown]
    others.sort(key=lambda one: not ends & {one.source_id, one.target_id})
    return [shown, *others][:MOST_RELATIONSHIPS]


def graph_picture(citations: Sequence[GraphCitation], shown: GraphCitation, key: str) -> str:
    """Draw relationships, one of them strong; the id of the entity that was clicked in this run, or ""."""
    taken = int(st.session_state.get(_TAKEN, 0))
    data, ids = picture_data(citations, shown, f"{taken}")
    clicked = _agraph(
        data=json.dumps(data), config=json.dumps(_config().to_dict()), key=f"{key}_{_tell(ids)}"
    )
    # The component gives back its last click in every run: it counts while its id is in use.
    if clicked not in ids:
        return ""
    st.session_state[_TAKEN] = taken + 1
    return ids[clicked]


def picture_data(
    citations: Sequence[GraphCitation], shown: GraphCitation, salt: str
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
    """What the component is handed, and the entity id of each id that it sees.

    Args:
        salt: part of those ids, so that the same click is not taken twice.
    """
    entities = {
        entity_id: (name, kind)
        for one in citations
        for entity_id, name, kind in (
            (one.source_id, one.source, one.source_type),
            (one.target_id, one.target, one.target_type),
        )
    }
    places = layout(
        list(entities), [(one.source_id, one.target_id) for one in citations], scale=_SPACING
    )
    places = {one: (x * _STRETCH, y) for one, (x, y) in places.items()}
    scale = _scale(list(places.values()))
    names = {entity_id: f"n{salt}_{number}" for number, entity_id in enumerate(entities)}
    ends = {shown.source_id, shown.target_id}
    nodes = [
        _node(names[entity_id], name, kind, places[entity_id], scale, entity_id in ends)
        for entity_id, (name, kind) in entities.items()
    ]
    edges = [
        _edge(f"e{salt}_{number}", one, names, scale, one == shown)
        for number, one in enumerate(citations)
    ]
    return {"nodes": nodes, "edges": edges}, {name: one for one, name in names.items()}


def _tell(ids: dict[str, str]) -> int:
    """A number for what is drawn: the component fits a drawing once, when it is made."""
    return zlib.crc32(" ".join(sorted(ids.values())).encode())


def _scale(places: Sequence[Point]) -> float:
    """Of the screen to the drawing, once the component has fitted it."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    wide, high = max(xs) - min(xs) + _SPACING, max(ys) - min(ys) + _SPACING / 2
    return min(_WIDTH / (wide * _MARGIN), _HEIGHT / (high * _MARGIN), 1.0)


def _config() -> Config:
    config = Config(
        height=_HEIGHT,
        physics=False,
        autoResize=True,
        groups={},
        nodes={"shape": "dot", "labelHighlightBold": False},
        edges={"smooth": False, "selectionWidth": 0, "hoverWidth": 0.5},
        # A picture does not take the wheel from the page, and nothing is moved in it.
        interaction={
            "hover": True,
            "dragNodes": False,
            "zoomView": False,
            "selectConnectedEdges": False,
        },
    )
    config.width = "100%"
    return config


def _node(
    key: str, name: str, kind: str, place: Point, scale: float, strong: bool
) -> dict[str, Any]:
    ink = inks()
    colour = type_hex(kind)
    words = short(name, _LONGEST).split()
    widest = min(max(map(len, words), default=_LINE), _WORD)
    lines = textwrap.wrap(" ".join(words), max(_LINE, widest), max_lines=4, placeholder="…")
    chosen = {"background": colour, "border": ink.ink}
    node = Node(
        id=key,
        label="\n".join(lines) or "?",
        size=round(_DOT / scale, 1),
        color={
            "background": colour,
            "border": ink.ink if strong else ink.paper,
            "highlight": chosen,
            "hover": chosen,
        },
        borderWidth=round((2.5 if strong else 1) / scale, 1),
        font={
            "color": ink.ink,
            "size": round(_NAME / scale, 1),
            "face": _FACE,
            "strokeWidth": round(3 / scale, 1),
            "strokeColor": ink.paper,
        },
        x=place[0],
        y=place[1],
        # What a double click would open: nothing. Without it the component fails and stops hovering.
        div={"innerHTML": ""},
    )
    del node.title
    return dict(node.to_dict())


def _edge(
    key: str, fact: GraphCitation, names: dict[str, str], scale: float, strong: bool
) -> dict[str, Any]:
    ink = inks()
    verb = relationship_phrase(fact.relationship, True)
    edge = Edge(
        names[fact.source_id],
        names[fact.target_id],
        # Without an id of its own the component would keep an edge that is gone.
        id=key,
        color={"color": ink.strong if strong else ink.usual, "hover": ink.near},
        label=short(verb, 40) if strong else " ",
        # Shown as text when it is pointed at: only a node's title is made HTML.
        title=short(f"{fact.source} {verb} {fact.target}", 300),
        font={
            "size": round(_VERB / scale, 1),
            "face": _FACE,
            "color": ink.near,
            "strokeWidth": round(3 / scale, 1),
            "strokeColor": ink.paper,
            "align": "horizontal",
        },
        width=round((2.4 if strong else 1.0) / scale, 1),
        arrows={"to": {"enabled": True, "scaleFactor": 0.5}},
    )
    return dict(edge.to_dict())
