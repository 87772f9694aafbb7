"""The graph canvas: a few hundred nodes, laid out on the server, clickable."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Collection, Sequence

import streamlit as st
from streamlit_agraph import Config, Edge, Node, _agraph

from core.domain.graph import Entity, Fact
from core.graph.layout import layout
from pages.parts.text import short

_POSITIONS = "graph_positions"
HEIGHT = 600
_SPACING = 170.0  # pixels between neighbours: room for a name below each
_LINE = 16  # characters of a name in one line
_LABELLED_EDGES = 14  # with more, only the selected node's relationships are named

# Entity types with the theme's colours (.streamlit/config.toml) and their names in Markdown.
_COLOURS = {
    "Drug": ("#2563c9", "blue"),
    "Disease": ("#c62828", "red"),
    "ClinicalDisease": ("#c2680a", "orange"),
    "Protein": ("#0f766e", "green"),
    "Phenotype": ("#7c3aed", "violet"),
}
_OTHER = ("#64748b", "gray")


def type_colour(entity_type: str) -> str:
    """The Markdown colour name of an entity type."""
    return _COLOURS.get(entity_type, _OTHER)[1]


def graph_canvas(
    entities: Sequence[Entity],
    facts: Sequence[Fact],
    selected: str,
    highlighted: Collection[str],
    view: int,
) -> str | None:
    """Draw entities and facts; the id of the node that was clicked last, or None.

    The canvas keeps its zoom while nodes are added; a new `view` starts a new one that fits.

    Nodes get opaque ids and no title: the component would put a title into its page as HTML.
    """
    numbers = {entity.id: f"n{number}" for number, entity in enumerate(entities)}
    positions = layout(
        list(numbers),
        [(fact.source.id, fact.target.id) for fact in facts],
        st.session_state.get(_POSITIONS, {}).get(view),
        scale=_SPACING,
    )
    st.session_state[_POSITIONS] = {view: positions}
    nodes = [
        _node(
            entity,
            numbers[entity.id],
            positions[entity.id],
            entity.id == selected,
            entity.id in highlighted,
        )
        for entity in entities
    ]
    few = len(facts) <= _LABELLED_EDGES
    edges = [
        _edge(fact, numbers, few or selected in (fact.source.id, fact.target.id)) for fact in facts
    ]
    config = Config(height=HEIGHT, directed=True, physics=False)
    config.width = "100%"
    config.groups = {}
    config.interaction = {"hover": True, "navigationButtons": False, "keyboard": False}
    clicked = _agraph(
        data=json.dumps(
            {"nodes": [n.to_dict() for n in nodes], "edges": [e.to_dict() for e in edges]}
        ),
        config=json.dumps(config.__dict__),
        key=f"graph_canvas_{view}",
    )
    by_number = {number: entity_id for entity_id, number in numbers.items()}
    return by_number.get(str(clicked)) if clicked else None


def _label(name: str) -> str:
    """A name in at most two lines."""
    lines = textwrap.wrap(short(name, 2 * _LINE), _LINE, max_lines=2, placeholder="…")
    return "\n".join(lines)


def _node(
    entity: Entity, number: str, place: tuple[float, float], selected: bool, highlighted: bool
) -> Node:
    colour = _COLOURS.get(entity.type, _OTHER)[0]
    border = "#1c2b2a" if selected else ("#f0b429" if highlighted else colour)
    node = Node(
        id=number,
        label=_label(entity.name),
        shape="dot",
        size=9 + 11 * entity.importance**0.25,
        color={
            "background": colour,
            "border": border,
            "highlight": {"background": colour, "border": "#1c2b2a"},
        },
        borderWidth=4 if selected or highlighted else 1,
        font={"color": "#1c2b2a", "size": 14, "strokeWidth": 3, "strokeColor": "#ffffff"},
        x=place[0],
        y=place[1],
        fixed=False,
    )
    node.title = ""
    return node


def _edge(fact: Fact, numbers: dict[str, str], named: bool) -> Edge:
    return Edge(
        source=numbers[fact.source.id],
        target=numbers[fact.target.id],
        color="#94a8a4" if named else "#cfdad8",
        label=fact.type.replace("_", " ").lower() if named else "",
        font={"size": 9, "color": "#64748b", "strokeWidth": 2, "align": "middle"},
        smooth=False,
        width=1,
        arrows={"to": {"enabled": True, "scaleFactor": 0.5}},
    )
