"""What is shown of the graph: the legend as a filter, relationship types, how far an expansion goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.domain.graph import Entity, Fact
from core.graph.knowledge import triples_between
from core.graph.phrases import relationship_phrase
from pages.parts.shared.entity_types import type_mark, type_name
from pages.parts.shared.state import (
    change_graph,
    graph_record,
    graph_view,
    put_graph_record,
    workspace,
)
from pages.parts.shared.text import plain

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
        st.slider(
            "Neighbours of each entity",
            5,
            50,
            25,
            5,
            key=_NEIGHBOURS,
            help="The most important ones come first.",
            persist_state="session",
        )
        st.caption("Entity types are shown and hidden in the legend above the canvas.")


def legend(entities: Sequence[Entity]) -> None:
    """The types on the canvas with their numbers; a click hides a type or shows it again."""
    counts = Counter(entity.type for entity in entities)
    hidden = set(graph_record().hidden_types)
    types = sorted({*counts, *hidden})
    key = f"legend_{graph_view()}_{'_'.join(types)}_{len(hidden)}"

    def choose() -> None:
        shown = st.session_state[key]
        change_graph(hidden_types=tuple(kind for kind in types if kind not in shown))

    st.pills(
        "Entity types",
        types,
        selection_mode="multi",
        default=[kind for kind in types if kind not in hidden],
        format_func=lambda kind: (
            f"{type_mark(kind)} {plain(type_name(kind))} {counts.get(kind, 0)}"
        ),
        label_visibility="collapsed",
        key=key,
        on_change=choose,
    )


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
