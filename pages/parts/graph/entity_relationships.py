"""The relationships of an entity: by type with their numbers, and each type complete, page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.domain.graph import Entity, Fact
from core.errors import StoreUnavailable
from core.graph.knowledge import top_edges
from core.graph.phrases import relationship_phrase
from pages.parts.shared.entity_types import type_mark, type_name
from pages.parts.shared.problems import graph_unavailable
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import plain, short

_FEW = 6  # neighbours listed in the card for each type
_PAGE = 50  # relationships on a page of the complete list
_LISTED_TYPE = "relationships_listed"


def entity_relationships(entity: Entity, on_open: Callable[[str], None]) -> None:
    """By type, the most important neighbours of each; `on_open` gets an entity's id."""
    counts = workspace().graph.relationship_counts(entity.id)
    if not counts:
        st.caption("It has no relationships.")
    for kind, count in counts.items():
        facts = workspace().graph.facts(entity.id, kind, _FEW)
        if not facts:
            continue
        verbs = _verbs(entity, kind, facts)
        with st.expander(f"{plain(verbs)} ({count:,})", expanded=len(counts) <= 2):
            with st.container(gap=None):
                for fact in facts:
                    other = other_end(fact, entity.id)
                    st.button(
                        f"{type_mark(other.type)} {plain(short(other.name, 60))}",
                        key=f"go_{kind}_{fact.source.id}_{fact.target.id}",
                        type="tertiary",
                        on_click=on_open,
                        args=(other.id,),
                    )
            if count > len(facts) and st.button(
                f"Show all {count:,}",
                key=f"all_{kind}",
                icon=":material/list:",
            ):
                st.session_state["relationships_page"] = 1
                _all_relationships(entity, kind, verbs, count, on_open)


def _verbs(entity: Entity, kind: str, facts: Sequence[Fact]) -> str:
    """How the relationships read from the entity: one verb, or both where it is at either end."""
    ways = dict.fromkeys(fact.source.id == entity.id for fact in facts)
    return " / ".join(dict.fromkeys(relationship_phrase(kind, forward) for forward in ways))


def other_end(fact: Fact, entity_id: str) -> Entity:
    return fact.target if fact.source.id == entity_id else fact.source


@st.dialog("Relationships", width="large", on_dismiss=close_dialog)
def _all_relationships(
    entity: Entity, kind: str, verbs: str, count: int, on_open: Callable[[str], None]
) -> None:
    """Every relationship of one type, page by page."""
    open_dialog()
    pages = -(-count // _PAGE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown(
            f"**{plain(short(entity.name, 100))}** {plain(verbs)} ... {count:,} in all, the most "
            "important first",
            width="stretch",
        )
        page = int(
            st.number_input(f"Page of {pages:,}", 1, pages, key="relationships_page", width=150)
        )
    try:
        facts = facts_page(entity.id, kind, (page - 1) * _PAGE, _PAGE)
    except StoreUnavailable as error:
        graph_unavailable(error)
        return
    st.caption(f"{(page - 1) * _PAGE + 1:,} to {(page - 1) * _PAGE + len(facts):,} of {count:,}")
    with st.container(gap=None):
        for fact in facts:
            if _listed(fact, entity.id):
                on_open(other_end(fact, entity.id).id)
                close_dialog()
                st.rerun()


def _listed(fact: Fact, entity_id: str) -> bool:
    """A line of the complete list; whether it was clicked."""
    other = other_end(fact, entity_id)
    verb = relationship_phrase(fact.type, fact.source.id == entity_id)
    known = " · ".join(f"{key.replace('_', ' ')}: {v}" for key, v in fact.properties.items())
    return st.button(
        f":gray[{plain(verb)}] {type_mark(other.type)} {plain(short(other.name, 90))} "
        f":gray[· {plain(type_name(other.type))}]",
        key=f"listed_{fact.source.id}_{fact.target.id}",
        type="tertiary",
        help=plain(short(known, 300)) or None,
    )


def facts_page(entity_id: str, relationship_type: str, start: int, count: int) -> list[Fact]:
    """Facts `start` to `start + count` of one type, the most important neighbours first."""
    graph = workspace().graph
    projection = graph.projection()
    place = projection.position.get(entity_id)
    if place is None:
        return []
    mask = projection.relationship_mask([relationship_type])
    edges = top_edges(projection, place, start + count, mask, None)[start:]
    return graph.facts_of(projection, [projection.triple(place, edge) for edge in edges])
