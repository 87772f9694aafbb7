"""What is shown of the graph: entity types, relationship types, how far an expansion goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.domain.graph import Entity, Fact
from core.graph.knowledge import triples_between
from core.graph.phrases import relationship_phrase
from pages.parts.shared.entity_types import shown_type
from pages.parts.shared.state import (
    change_graph,
    graph_record,
    put_graph_record,
    workspace,
)

_REACHES = (5, 10, 15, 20, 25, 30, 40, 50, 100, 200, 300)
MOST_FACTS = 600  # lines that are drawn; more are a grey surface
_RELATIONSHIPS = "graph_relationship_types"  # of the field; the record is what counts
_HOPS = "graph_hops"
_NEIGHBOURS = "graph_neighbours"


@dataclass(frozen=True, slots=True)
class GraphFilters:
    """What the analyst wants to see.

    Attributes:
        hidden_types: entity types that are neither drawn nor added.
        relationship_types: the only ones drawn and followed; all when empty.
        hops: how far an expansion goes, 1 or 2.
        neighbours: how many an expansion takes of each entity.
    """

    hidden_types: frozenset[str] = frozenset()
    relationship_types: tuple[str, ...] = ()
    hops: int = 1
    neighbours: int = 25

    @property
    def active(self) -> bool:
        return bool(self.hidden_types or self.relationship_types)

    def entity_types(self) -> tuple[str, ...]:
        """The entity types to follow; none for all."""
        if not self.hidden_types:
            return ()
        known = workspace().graph.counts_by_type()
        # No type left is not the same as all types: a name that no type has lets nothing through.
        return tuple(kind for kind in known if kind not in self.hidden_types) or ("",)


def graph_filters() -> GraphFilters:
    """The filters as they are set now."""
    state, record = st.session_state, graph_record()
    return GraphFilters(
        frozenset(record.hidden_types),
        record.relationship_types,
        int(state.get(_HOPS) or 1),
        int(state.get(_NEIGHBOURS) or 25),
    )


def clear_filters() -> None:
    """Show every type again."""
    change_graph(hidden_types=(), relationship_types=())


def filter_menu() -> None:
    """The button behind which relationship types and the reach of an expansion are chosen."""
    types = list(workspace().graph.projection().relationship_types)
    record = graph_record()
    chosen = [kind for kind in record.relationship_types if kind in types]
    if len(chosen) < len(record.relationship_types):  # an import took one away
        put_graph_record(replace(record, relationship_types=tuple(chosen)))
    if st.session_state.get(_RELATIONSHIPS) != chosen:  # the canvas was stepped back
        st.session_state[_RELATIONSHIPS] = chosen
    label = f"Filters ({len(chosen)})" if chosen else "Filters"
    with st.popover(label, icon=":material/tune:", key="graph_filter_menu"):
        st.multiselect(
            "Relationship types",
            types,
            key=_RELATIONSHIPS,
            format_func=lambda kind: relationship_phrase(kind, True),
            placeholder="All",
            help="Only these are drawn, followed by “Expand” and used by paths.",
            on_change=lambda: change_graph(
                relationship_types=tuple(st.session_state[_RELATIONSHIPS])
            ),
        )
        st.segmented_control(
            "Expand by",
            (1, 2),
            default=1,
            required=True,
            format_func=lambda hops: "1 hop" if hops == 1 else "2 hops",
            key=_HOPS,
            persist_state="session",
        )
        st.select_slider(
            "Neighbours of each entity",
            _REACHES,
            25,
            key=_NEIGHBOURS,
            help="The most important ones come first.",
            persist_state="session",
        )
        st.caption("The legend of the canvas shows and hides types, too.")


def show_kind(kind: str, on: bool) -> None:
    """Draw the entities that are shown as a type, or draw them no more; one step that can be undone."""
    types = workspace().graph.counts_by_type()
    alike = {one for one in types if shown_type(one) == kind} | {kind}
    hidden = [one for one in graph_record().hidden_types if one not in alike]
    change_graph(hidden_types=tuple(hidden if on else [*hidden, *sorted(alike)]))


def show_relationships(kind: str, on: bool) -> bool:
    """Draw the relationships of a type, or draw them no more; whether one type at least is left."""
    types = workspace().graph.projection().relationship_types
    drawn = set(graph_record().relationship_types or types) - {kind}
    if on:
        drawn.add(kind)
    if not drawn:
        return False
    left = tuple(one for one in types if one in drawn)
    change_graph(relationship_types=() if len(left) == len(types) else left)
    return True


def relationships_among(entity_ids: Sequence[str]) -> dict[str, int]:
    """Relationship type -> how many there are among entities, whatever is filtered; the most first."""
    projection = workspace().graph.projection()
    places = [projection.position[one] for one in entity_ids if one in projection.position]
    counts = Counter(triple[1] for triple in triples_between(projection, places))
    return {projection.relationship_types[code]: count for code, count in counts.most_common()}


def visible(entities: Sequence[Entity], filters: GraphFilters, selected: str) -> list[Entity]:
    """The entities whose type is not hidden, and the selected one."""
    return [
        entity
        for entity in entities
        if entity.type not in filters.hidden_types or entity.id == selected
    ]


def drawn_facts(
    entity_ids: Sequence[str], relationship_types: Sequence[str]
) -> tuple[list[Fact], int]:
    """Facts among entities, at most `MOST_FACTS`, the most important first; and how many there are."""
    graph = workspace().graph
    projection = graph.projection()
    places = [projection.position[one] for one in entity_ids if one in projection.position]
    triples = triples_between(projection, places)
    if relationship_types:
        wanted = {
            code
            for code, name in enumerate(projection.relationship_types)
            if name in relationship_types
        }
        triples = [triple for triple in triples if triple[1] in wanted]
    return graph.facts_of(projection, triples[:MOST_FACTS]), len(triples)
