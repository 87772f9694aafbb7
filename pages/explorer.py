"""The graph: search, click, expand, find paths, look at every property; import one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from core.domain.graph import Entity, Fact, Path
from core.errors import MateriaError, StoreUnavailable
from pages.parts.chat.conversation_entities import ConversationEntities, conversation_entities
from pages.parts.graph.actions import (
    add_entity_later,
    canvas_tools,
    do_noted,
    expand_entity_later,
    is_noted,
    layout_choice,
    open_entity_later,
    show_notice,
    tell,
)
from pages.parts.graph.canvas.asks import do_asks
from pages.parts.graph.canvas.component import graph_canvas
from pages.parts.graph.canvas.drawing import Drawing, kinds_of
from pages.parts.graph.canvas.places import path_places, places_of
from pages.parts.graph.entity_card import CardActions, entity_card
from pages.parts.graph.entity_search import entity_search
from pages.parts.graph.filters import (
    GraphFilters,
    clear_filters,
    drawn_facts,
    filter_menu,
    graph_filters,
    relationships_among,
    visible,
)
from pages.parts.graph.import_form import import_form
from pages.parts.graph.path_choice import choose_path, path_choice, start_path_from
from pages.parts.graph.relationship_card import relationship_card
from pages.parts.graph.vector_note import vector_note
from pages.parts.graph.view_state import current_view, select_line, selected_line
from pages.parts.library.jobs import graph_job_list
from pages.parts.shared.entity_types import type_name
from pages.parts.shared.problems import graph_unavailable, show_error
from pages.parts.shared.state import (
    MOST_NODES,
    graph_view,
    grow_graph,
    leave_out,
    select_entity,
    selected_entity,
    shown_graph,
    workspace,
)
from pages.parts.shared.text import plain
from pages.parts.workbench.bench import (
    bench_tools,
    follow_links,
    remember_canvas,
    shown_tools,
    tell_of_links,
)
from pages.parts.workbench.tables import BOTH, PICTURE, TABLE, shown_as, view_tables

_SEARCH, _PATHS = "Search", "Paths"
_MODE = "explorer_mode"
_SEEN_VIEW = "explorer_seen_view"
_CANVAS, _PATHS_CANVAS = "graph", "paths"
_ABLE_ON_PATHS = ("Only this and its neighbours", "Path to ...", "Ask about it")


def _to_paths(entity_id: str) -> None:
    start_path_from(entity_id)
    st.session_state[_MODE] = _PATHS


def _keep_paths(paths: Sequence[Path]) -> None:
    ids = {entity.id for path in paths for entity in path.entities}
    grow_graph([entity.id for path in paths for entity in path.entities])
    left = len(ids.difference(shown_graph()))
    if left:
        tell(
            f"{left} of the {len(ids)} entities on the way {'has' if left == 1 else 'have'} no room: "
            f"the canvas holds {MOST_NODES} entities. Clear it, or take some off."
        )
    st.session_state[_MODE] = _SEARCH


def _path_between(source_id: str, target_id: str) -> None:
    choose_path(source_id, target_id)
    st.session_state[_MODE] = _PATHS


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
        f"the {facts:,} most important of {all_facts:,} relationships"
        if facts < all_facts
        else _number(facts, "relationship", "relationships")
    )
    return f"{entities}, {relationships}."


def _rest(selected: Entity, facts: Sequence[Fact]) -> str:
    """What of the selected entity's relationships is not on the canvas."""
    drawn = sum(selected.id in (fact.source.id, fact.target.id) for fact in facts)
    if drawn >= selected.degree:
        return ""
    more = "the canvas is full" if len(shown_graph()) >= MOST_NODES else "“Expand” brings more"
    return f"{drawn:,} of its {selected.degree:,} relationships are drawn; {more}."


def _empty() -> None:
    counts = workspace().graph.counts_by_type()
    if not counts:
        st.info(
            "The graph is empty. Press “Import a graph” above, or run: "
            "python -m core import-graph FOLDER",
            icon=":material/hub:",
        )
        return
    named = Counter[str]()
    for kind, count in counts.items():
        named[type_name(kind)] += count
    held = ", ".join(f"{count:,} {plain(name)}" for name, count in named.items())
    total = workspace().graph.count_relationships()
    st.info(
        f"The graph holds {sum(counts.values()):,} entities ({held}) and {total:,} relationships. "
        "Search an entity above, or press “Show in graph” under an answer.",
        icon=":material/hub:",
    )


def _explore(filters: GraphFilters) -> None:
    known = workspace().graph.entities(shown_graph())
    entities = [known[key] for key in shown_graph() if key in known]
    # A place of its own: what it says goes at once, also where the run that follows is cut short.
    with st.empty():
        if not entities:
            _empty()
    if not entities:
        return
    record = current_view()
    there = [entity for entity in entities if entity.id not in record.hidden]
    shown = visible(there, filters, selected_entity())
    ids = [one.id for one in shown]
    facts, total = drawn_facts(ids, filters.relationship_types)
    marks = conversation_entities()
    counts = _counts(len(shown), len(entities), len(facts), total)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="graph_counts"
    ):
        form = shown_as()
        _caption(counts, shown, marks, filters.active)
        layout_choice()
        shown_tools(record, shown, facts)
    view = f"graph {graph_view()} {record.layout}"
    drawn = Drawing(
        shown,
        facts,
        places_of(shown, facts, record, view),
        selected_entity(),
        selected_line(),
        marks.newest,
        marks.older,
        record.pinned,
        hidden=len(entities) - len(there),
        kinds=kinds_of(there, filters.hidden_types),
        verbs=_verbs(relationships_among(ids), filters.relationship_types),
    )
    if form == TABLE:
        tables, details = st.columns([5, 3], gap="medium")
    else:
        with st.container(key="graph_both" if form == BOTH else "graph_alone"):
            with st.container(key="graph_stage"):
                graph_canvas(drawn, f"graph {graph_view()}", _CANVAS)
                details = st.container(key="graph_drawer")
            tables = st.container()
    with details:
        _details(drawn, filters, lambda one: leave_out([one]))
    if form != PICTURE:
        with tables:
            view_tables(shown, facts, marks.newest)


def _verbs(counts: dict[str, int], drawn: Sequence[str]) -> dict[str, tuple[int, bool]]:
    """The relationships of the legend: how many there are, and whether they are drawn."""
    return {kind: (count, not drawn or kind in drawn) for kind, count in counts.items()}


def _caption(counts: str, shown: list[Entity], marks: ConversationEntities, filtered: bool) -> None:
    ids = {entity.id for entity in shown}
    ring = ""
    if ids & marks.newest or ids & marks.older:
        older = "; fainter: before its last answer" if ids & marks.older else ""
        ring = (
            ' :color[◯]{foreground="#f0b429"} named or cited in the open conversation' + f"{older}."
        )
    st.caption(f"{counts}{ring}", width="stretch")
    if filtered:
        st.button(
            "Show every type again",
            key="show_every_type",
            on_click=clear_filters,
            type="tertiary",
            icon=":material/filter_alt_off:",
        )


def _details(drawn: Drawing, filters: GraphFilters, off: Callable[[str], None] | None) -> None:
    """The selected entity or relationship; nothing where there is none."""
    entity = next((one for one in drawn.entities if one.id == drawn.selected), None)
    fact = next((one for one in drawn.facts if one.key == drawn.line), None)
    if entity is None and fact is None:
        return
    st.button(
        "Close the details",
        key="close_details",
        icon=":material/close:",
        help="Close (Esc on the canvas)",
        type="tertiary",
        on_click=_close_details,
    )
    if fact is not None:
        relationship_card(fact, select_entity)
    elif entity is not None:
        actions = CardActions(expand_entity_later, open_entity_later, _to_paths, off)
        rest = _rest(entity, drawn.facts) if off is not None else ""
        entity_card(entity, actions, filters.hops, rest)


def _close_details() -> None:
    select_line(None)
    select_entity("")


def _path_view(filters: GraphFilters) -> None:
    paths = path_choice(filters)
    if not paths:
        return
    entities = list({one.id: one for path in paths for one in path.entities}.values())
    facts = list({fact.key: fact for path in paths for fact in path.facts}.values())
    counts = Counter(fact.type for fact in facts)
    marks = conversation_entities()
    st.button(
        "Put this path on the canvas" if len(paths) == 1 else "Put these paths on the canvas",
        key="keep_path",
        icon=":material/add_circle:",
        on_click=_keep_paths,
        args=(paths,),
    )
    drawn = Drawing(
        entities,
        facts,
        path_places(paths),
        selected_entity(),
        selected_line(),
        marks.newest,
        marks.older,
        strong={fact.key for fact in facts} if len(paths) == 1 else (),
        kinds=kinds_of(entities, ()),
        verbs={kind: (count, True) for kind, count in counts.items()},
        able=_ABLE_ON_PATHS,
    )
    with st.container(key="graph_stage_paths"):
        view = " | ".join(" ".join(entity.id for entity in path.entities) for path in paths)
        graph_canvas(drawn, f"path {view}", _PATHS_CANVAS)
        with st.container(key="graph_drawer_paths"):
            _details(drawn, filters, None)


def _head() -> str:
    """The first row; the mode that is on."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="graph_head"):
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
        bench_tools(beside_canvas=mode == _PATHS)
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
    view = graph_view()
    try:
        do_noted()
        do_asks(_CANVAS, _path_between)
        do_asks(_PATHS_CANVAS, _path_between)
        if graph_view() != view:
            st.session_state[_MODE] = _SEARCH
    except MateriaError as error:
        return error
    finally:
        st.session_state[_SEEN_VIEW] = graph_view()
    return None


def _parts(problem: MateriaError | None) -> None:
    mode = _head()
    graph_job_list()
    show_notice()
    tell_of_links()
    vector_note("explorer")
    if problem is not None:
        raise problem
    if mode == _PATHS:
        _path_view(graph_filters())
    else:
        with st.container(gap="xsmall"):
            entity_search(open_entity_later, add_entity_later)
        _explore(graph_filters())


@st.fragment
def _page() -> None:
    """The whole page; its clicks do not run the chat beside it."""
    problem = follow_links()
    problem = _noted() or problem
    remember_canvas()
    try:
        with st.container(gap="xsmall"):
            _parts(problem)
    except StoreUnavailable as error:
        graph_unavailable(error)
    except MateriaError as error:
        show_error(error)


_page()
