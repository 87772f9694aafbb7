"""The graph: search, click, expand, find paths, look at every property; import one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.domain.graph import Entity, Fact, Path
from core.errors import MateriaError, StoreUnavailable
from core.maintenance.graph_tasks import GRAPH_JOBS
from pages.parts.chat.conversation_entities import conversation_entities
from pages.parts.graph.actions import (
    add_entity_later,
    canvas_tools,
    do_noted,
    expand_entity_later,
    is_noted,
    open_entity_later,
    show_notice,
)
from pages.parts.graph.canvas import CanvasClick, graph_canvas
from pages.parts.graph.entity_card import CardActions, entity_card
from pages.parts.graph.entity_search import entity_search
from pages.parts.graph.filters import (
    GraphFilters,
    clear_filters,
    drawn_facts,
    filter_menu,
    graph_filters,
    legend,
    visible,
)
from pages.parts.graph.import_form import import_form
from pages.parts.graph.path_choice import path_choice, path_places, start_path_from
from pages.parts.graph.vector_note import vector_note
from pages.parts.graph.view_state import current_view
from pages.parts.library.jobs import job_list
from pages.parts.shared.entity_types import type_name
from pages.parts.shared.problems import graph_unavailable, show_error
from pages.parts.shared.state import (
    graph_view,
    grow_graph,
    leave_out,
    rerun_part,
    select_entity,
    selected_entity,
    shown_graph,
    workspace,
)
from pages.parts.shared.text import plain
from pages.parts.workbench.bench import begin_bench, bench_tools, tell_of_links
from pages.parts.workbench.exporting import export_menu
from pages.parts.workbench.tables import PICTURE, TABLE, shown_as, view_tables

_SEARCH, _PATHS = "Search", "Paths"
_MODE = "explorer_mode"
_SEEN_VIEW = "explorer_seen_view"


def _to_paths(entity_id: str) -> None:
    start_path_from(entity_id)
    st.session_state[_MODE] = _PATHS


def _keep_path(path: Path) -> None:
    grow_graph([entity.id for entity in path.entities])
    st.session_state[_MODE] = _SEARCH


def _number(count: int, thing: str, more: str) -> str:
    return f"{count:,} {thing if count == 1 else more}"


def _counts(drawn: int, on_canvas: int, facts: int, all_facts: int) -> str:
    """``27 entities, 31 relationships``; with what is left out, where something is."""
    entities = (
        f"{drawn} of {_number(on_canvas, 'entity', 'entities')}"
        if drawn < on_canvas
        else _number(drawn, "entity", "entities")
    )
    relationships = (
        f"{facts:,} of {all_facts:,} relationships drawn, the most important ones"
        if facts < all_facts
        else _number(facts, "relationship", "relationships")
    )
    return f"{entities}, {relationships}."


def _rest(selected: Entity | None, facts: Sequence[Fact]) -> str:
    """What of the selected entity's relationships is not on the canvas."""
    if selected is None:
        return ""
    drawn = sum(selected.id in (fact.source.id, fact.target.id) for fact in facts)
    if drawn >= selected.degree:
        return ""
    return (
        f" {drawn:,} of the {selected.degree:,} relationships of {plain(selected.name)} are here; "
        "Expand brings more."
    )


def _empty() -> None:
    counts = workspace().graph.counts_by_type()
    if not counts:
        st.info(
            "The graph is empty. Press “Import a graph” above, or run: "
            "python -m core import-graph FOLDER",
            icon=":material/hub:",
        )
        return
    held = ", ".join(f"{count:,} {plain(type_name(kind))}" for kind, count in counts.items())
    total = workspace().graph.count_relationships()
    st.info(
        f"The graph holds {sum(counts.values()):,} entities ({held}) and {total:,} relationships. "
        "Search an entity above, or press “Show in graph” under an answer.",
        icon=":material/hub:",
    )


def _explore(filters: GraphFilters) -> None:
    known = workspace().graph.entities(shown_graph())
    entities = [known[key] for key in shown_graph() if key in known]
    if not entities:
        _empty()
        return
    shown = visible(entities, filters, selected_entity())
    facts, total = drawn_facts([one.id for one in shown], filters.relationship_types)
    drawing, details = st.columns([5, 3], gap="medium")
    rings, click = conversation_entities(), None
    with drawing:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            form = shown_as()
            legend(entities)
            st.space("stretch")
            export_menu(current_view(), shown, facts)
        if form != TABLE:
            with st.container(border=True):
                click = graph_canvas(
                    shown, facts, selected_entity(), rings, f"graph {graph_view()}"
                )
        if form != PICTURE:
            view_tables(shown, facts, rings)
        counts = _counts(len(shown), len(entities), len(facts), total)
        _caption(f"{counts}{_rest(known.get(selected_entity()), facts)}", shown, rings)
        if filters.active:
            st.button(
                "Show every type again",
                on_click=clear_filters,
                type="tertiary",
                icon=":material/filter_alt_off:",
            )
    _follow(click)
    with details:
        _details(known.get(selected_entity()), filters, lambda one: leave_out([one]))


def _caption(counts: str, shown: list[Entity], rings: set[str]) -> None:
    ring = ""
    if any(entity.id in rings for entity in shown):
        ring = ' :color[◯]{foreground="#f0b429"} named or cited in the open conversation.'
    st.caption(f"{counts} Click a node for its details.{ring}")


def _follow(click: CanvasClick | None) -> None:
    """Do what a click on the canvas asks for, in a run of its own: it was drawn without it."""
    if click is None:
        return
    select_entity(click.entity_id)
    rerun_part()


def _details(
    entity: Entity | None, filters: GraphFilters, off: Callable[[str], None] | None
) -> None:
    if entity is None:
        st.caption("Click a node to see all that the graph knows of it.")
        return
    actions = CardActions(expand_entity_later, open_entity_later, _to_paths, off)
    entity_card(entity, actions, filters.hops)


def _path_view(filters: GraphFilters) -> None:
    path = path_choice(filters)
    if path is None:
        return
    facts: tuple[Fact, ...] = path.facts
    drawing, details = st.columns([5, 3], gap="medium")
    with drawing:
        with st.container(border=True):
            click = graph_canvas(
                path.entities,
                facts,
                selected_entity(),
                conversation_entities(),
                f"path {' '.join(entity.id for entity in path.entities)}",
                {fact.key for fact in facts},
                path_places(path),
            )
        st.button(
            "Put this path on the canvas",
            key="keep_path",
            icon=":material/add_circle:",
            on_click=_keep_path,
            args=(path,),
        )
    _follow(click)
    with details:
        chosen = next((one for one in path.entities if one.id == selected_entity()), None)
        _details(chosen, filters, None)


def _head() -> str:
    """The first row; the mode that is on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Explorer", width="content")
        mode = st.segmented_control(
            "Mode",
            (_SEARCH, _PATHS),
            required=True,
            key=_MODE,
            label_visibility="collapsed",
        )
        st.space("stretch")
        canvas_tools()
        bench_tools()
        filters = st.container(width="content")
        import_form()
    # Last: a graph that cannot be read leaves the way to import another.
    with filters:
        filter_menu()
    return str(mode)


def _noted() -> MateriaError | None:
    """Do what a button asked for; what went wrong."""
    # It is shown on the canvas, whatever mode the button was in; so is what an answer opens.
    opened = st.session_state.get(_SEEN_VIEW, graph_view()) != graph_view()
    if is_noted() or opened or _MODE not in st.session_state:
        st.session_state[_MODE] = _SEARCH
    try:
        do_noted()
    except MateriaError as error:
        return error
    finally:
        st.session_state[_SEEN_VIEW] = graph_view()
    return None


@st.fragment
def _page() -> None:
    """The whole page; its clicks do not run the chat beside it."""
    problem = _noted()
    problem = begin_bench() or problem
    try:
        mode = _head()
        job_list(GRAPH_JOBS)
        show_notice()
        tell_of_links()
        vector_note("explorer")
        if problem is not None:
            raise problem
        if mode == _PATHS:
            _path_view(graph_filters())
        else:
            entity_search(open_entity_later, add_entity_later)
            _explore(graph_filters())
    except StoreUnavailable as error:
        graph_unavailable(error)
    except MateriaError as error:
        show_error(error)


_page()
