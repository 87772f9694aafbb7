"""Ways from one entity to another: chosen from the canvas or by name, read as sentences, drawn."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.graph import Entity, FoundPaths, Path
from core.errors import InputError
from core.graph.walks.paths import MAX_PATH_HOPS, find_paths
from pages.parts.graph.entity_search import entity_label, meant_by, name_differences
from pages.parts.graph.filters import GraphFilters
from pages.parts.shared.entity_types import type_name
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import shown_graph, workspace
from pages.parts.shared.text import plain, short

_FROM, _TO = "path_from", "path_to"
_MAX_HOPS = "path_hops"
_EXTRA = "path_entities"  # ids chosen by name, which need not be on the canvas
_FOUND = "path_found"
_LIMIT = 10
_CANDIDATES = 5


def start_path_from(entity_id: str) -> None:
    """Choose the first end (used by buttons elsewhere on the page)."""
    _choose(_FROM, entity_id)


def choose_path(source_id: str, target_id: str) -> None:
    """Choose both ends, in a run that has not drawn them yet."""
    _choose(_FROM, source_id)
    _choose(_TO, target_id)


def path_choice(filters: GraphFilters) -> list[Path]:
    """Choose both ends, list the ways between them; those that are to be drawn."""
    known = workspace().graph.entities(dict.fromkeys([*_extra(), *shown_graph()]))
    left, right, reach = st.columns([5, 5, 2])
    with left:
        source = _end("From", _FROM, known)
    with right:
        target = _end("To", _TO, known)
    with reach:
        hops = st.selectbox(
            "Steps at most",
            range(1, MAX_PATH_HOPS + 1),
            index=MAX_PATH_HOPS - 1,
            key=_MAX_HOPS,
            persist_state="session",
        )
    if source is None or target is None:
        st.caption(
            "Choose two entities to see how the graph connects them: one from the canvas, or type a "
            "name and press Enter."
        )
        return []
    try:
        found = _paths(source, target, int(hops or MAX_PATH_HOPS), filters)
    except InputError as error:
        show_error(error)
        return []
    return _choice(source, target, found, int(hops or MAX_PATH_HOPS), filters)


def _paths(source: Entity, target: Entity, hops: int, filters: GraphFilters) -> FoundPaths:
    """The paths; those of the last run when nothing was changed since."""
    key = (source.id, target.id, hops, filters, workspace().graph.version())
    kept: tuple[object, FoundPaths] | None = st.session_state.get(_FOUND)
    if kept is not None and kept[0] == key:
        return kept[1]
    found = find_paths(
        workspace().graph,
        source.id,
        target.id,
        max_hops=hops,
        limit=_LIMIT,
        relationship_types=filters.relationship_types,
        entity_types=filters.entity_types(),
    )
    st.session_state[_FOUND] = (key, found)
    return found


def _choice(
    source: Entity, target: Entity, found: FoundPaths, hops: int, filters: GraphFilters
) -> list[Path]:
    within = "directly" if hops == 1 else f"within {hops} steps"
    filtered = " with the filters that are set" if filters.active else ""
    given_up = " The search was given up early: there may be others." if not found.complete else ""
    if not found:
        st.info(
            f"No path leads from {plain(source.name)} to {plain(target.name)} {within}{filtered}."
            f"{given_up}",
            icon=":material/route:",
        )
        return []
    number = len(found)
    st.caption(
        f"{number} path{'s' if number > 1 else ''}{filtered}, the shortest first"
        f"{'; there may be more' if number == _LIMIT else ''}.{given_up} Those with a mark are drawn."
    )
    with st.container(height=176 if number > 4 else "content", border=False):
        ticked = [
            path
            for place, path in enumerate(found)
            if st.checkbox(
                f"{plain(path_words(path))} :gray[· {path_size(path)}]",
                value=place == 0,
                key=f"path_{source.id}_{target.id}_{hops}_{number}_{place}",
            )
        ]
    if not ticked:
        st.caption("Mark a path to see it drawn.")
    return ticked


def path_words(path: Path) -> str:
    """The sentences of a path, one after the other."""
    return " ".join(short(sentence, 220) for sentence in path.words)


def path_size(path: Path) -> str:
    """``direct`` or ``2 steps``, as Markdown."""
    return "direct" if path.hops == 1 else f"{path.hops} steps"


def _end(label: str, key: str, known: dict[str, Entity]) -> Entity | None:
    """One end: an entity of the canvas, or what was typed, with a choice where it is not clear."""
    options = list(known)
    value = st.session_state.get(key)
    if value is not None and value not in known and value in _extra():
        st.session_state[key] = None  # an import removed it
    value = st.selectbox(
        label,
        options,
        index=None,
        key=key,
        format_func=lambda one: _option(known[one]) if one in known else str(one),
        accept_new_options=True,
        placeholder="On the canvas, or type a name",
        persist_state="session",
    )
    if value is None:
        return None
    if value in known:
        return known[value]
    typed = str(value).strip()
    exact = meant_by(typed)
    if len(exact) == 1:
        return exact[0]
    candidates = exact or workspace().graph.search_entities(typed, limit=_CANDIDATES)
    if not candidates:
        candidates = workspace().names.suggest(typed)
    _which(typed, key, candidates[:_CANDIDATES])
    return None


def _option(entity: Entity) -> str:
    """Plain text: the box shows it as it is."""
    return f"{short(entity.name, 80)} ({type_name(entity.type)})"


def _which(typed: str, key: str, candidates: Sequence[Entity]) -> None:
    if not candidates:
        st.caption(f"Nothing is called “{plain(short(typed, 60))}”.")
        return
    st.caption(f"Which one is “{plain(short(typed, 60))}”?")
    for entity in candidates:
        st.button(
            entity_label(entity),
            key=f"{key}_{entity.id}",
            type="tertiary",
            on_click=_choose,
            args=(key, entity.id),
        )
    name_differences(candidates)


def _choose(key: str, entity_id: str) -> None:
    _extra().append(entity_id)
    st.session_state[key] = entity_id


def _extra() -> list[str]:
    extra: list[str] = st.session_state.setdefault(_EXTRA, [])
    del extra[:-2]
    return extra
