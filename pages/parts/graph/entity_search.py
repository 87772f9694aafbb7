"""Finding entities by name: results with their type, and what a misspelt name may have meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.domain.graph import Entity
from core.domain.names import name_key
from core.graph.namesakes import name_and_type, namesakes, of_types
from pages.parts.graph.suggesting import suggestions
from pages.parts.shared.entity_types import type_mark, type_name
from pages.parts.shared.state import shown_graph, workspace
from pages.parts.shared.text import plain, short

_RESULTS = 8
_BOX = "entity_search"
_NEAR = 3  # entities that are offered where nothing is called so
_KEEP = "graph_search_keeps"
_CHOSEN = "graph_search_chosen"  # the query of which a result was opened


def entity_label(entity: Entity, most: int = 48) -> str:
    """``● Metformin · Drug`` as Markdown."""
    name = plain(short(entity.name, most))
    return f"{type_mark(entity.type)} {name} :gray[· {plain(type_name(entity.type))}]"


def told_apart(entities: Sequence[Entity]) -> Mapping[str, str]:
    """By id, what tells entities apart that are called alike; nothing of the others."""
    keys = Counter(name_key(entity.name) for entity in entities)
    alike = [entity for entity in entities if keys[name_key(entity.name)] > 1]
    return {one.entity.id: one.words for one in namesakes(workspace().graph, alike)}


def meant_by(query: str) -> list[Entity]:
    """The entities with exactly a name, or of them those of the type written behind it: "gout (Disease)"; else
    those that are called so in another language."""
    graph = workspace().graph
    found = graph.entities_named(query)
    if found:
        return found
    name, types = name_and_type(query.strip(), graph.counts_by_type())
    return of_types(graph.entities_named(name), types) if types else workspace().names.called(query)


def entity_search(on_open: Callable[[str], None], on_add: Callable[[str], None]) -> None:
    """The search box and what it finds.

    Args:
        on_open, on_add: called with an entity's id: show it instead of what is shown, or beside it.
    """
    with st.container(gap=None):
        query = st.text_input(
            "Search the graph",
            placeholder="A drug, disease, protein or side effect: metformin, asthma, PPARG ...",
            key=_BOX,
            icon=":material/search:",
            label_visibility="collapsed",
        )
        suggestions(_BOX, workspace().graph.counts_by_type(), on_open, on_add)
    if not query.strip():
        return
    found = workspace().graph.search_entities(query, limit=_RESULTS + 1) or meant_by(query)
    if found:
        # Once one was opened, the others stand in a single row: the room is for the canvas.
        folded = bool(shown_graph()) and st.session_state.get(_CHOSEN) == query
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            gap="xsmall",
            key="entities_found_folded" if folded else "entities_found",
        ):
            keep = bool(shown_graph()) and bool(st.session_state.get(_KEEP))
            _buttons(found[:_RESULTS], "found", _noting(query, on_add if keep else on_open))
            if len(found) > _RESULTS:
                st.caption(f"the best {_RESULTS}; type more for others", width="content")
            if shown_graph():
                st.toggle("Add to the canvas", key=_KEEP, persist_state="session")
        with st.empty():  # what was said before goes at once
            if not folded:
                with st.container(gap="xsmall"):
                    name_differences(found[:_RESULTS])
        return
    nearly = workspace().names.suggest(query) or [
        one.entity for one in workspace().names.completed(query, _NEAR)
    ]
    st.warning(
        f"Nothing in the graph is called “{plain(short(query, 80))}”."
        + ("" if nearly else " Check the spelling."),
        icon=":material/search_off:",
    )
    if nearly:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown("Did you mean", width="content")
            _buttons(nearly, "meant", _in_its_place(on_open))


def _noting(query: str, on_click: Callable[[str], None]) -> Callable[[str], None]:
    """The same, and a result of the query counts as chosen from then on."""

    def chosen(entity_id: str) -> None:
        st.session_state[_CHOSEN] = query
        on_click(entity_id)

    return chosen


def _in_its_place(on_click: Callable[[str], None]) -> Callable[[str], None]:
    """The same, and the name stands in the box in place of what was typed."""

    def chosen(entity_id: str) -> None:
        entity = workspace().graph.entity(entity_id)
        if entity is not None:
            st.session_state[_BOX] = st.session_state[_CHOSEN] = entity.name
        on_click(entity_id)

    return chosen


def name_differences(entities: Sequence[Entity]) -> None:
    """A line for each of several entities that are called alike."""
    apart = told_apart(entities)
    for entity in entities:
        if entity.id in apart:
            kind, words = plain(type_name(entity.type)), short(apart[entity.id], 160)
            name = plain(short(entity.name, 48))
            st.caption(f"{name} · {kind} · {plain(entity.id)}: {plain(words)}")


def _buttons(entities: Sequence[Entity], what: str, on_click: Callable[[str], None]) -> None:
    for entity in entities:
        st.button(
            entity_label(entity),
            key=f"{what}_{entity.id}",
            on_click=on_click,
            args=(entity.id,),
            help=plain(entity.name) if len(entity.name) > 48 else None,
        )
