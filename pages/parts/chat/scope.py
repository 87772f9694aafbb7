"""Where the next questions are asked, as chips above the input: indexes, documents, sections, entities.

A scope is of one conversation: another one that is opened, or begun, looks everywhere again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

from core.documents.cutting.sections import SECTION_CODES, section_title
from core.documents.library.shelves import answered_from
from core.domain.documents import Document
from core.domain.provenance.within import Within
from core.questions.library.one_by_one import MOST, MOST_CHOSEN
from pages.parts.shared.state import chat_session, workspace
from pages.parts.shared.text import plain, short

_INDEXES, _DOCUMENTS, _SECTIONS = "scope_indexes", "scope_documents", "scope_sections"
_ENTITIES = "scope_entities"  # of the graph, chosen in the explorer
_KINDS = (_INDEXES, _DOCUMENTS, _SECTIONS)
_MOST_ENTITIES = 300
# What is chosen, by the names above, as widgets that are not drawn are forgotten; and of which conversation.
_CHOSEN, _OF = "chat_scope", "chat_scope_of"
_FIELDS_PIXELS = 310
_LABEL = 28  # characters of a chip


def asked_of() -> tuple[tuple[str, ...] | None, Within]:
    """What a question asked now is asked of: names of indexes (None: the usual ones), documents, sections."""
    return (
        _chosen(_INDEXES) or None,
        Within(_chosen(_DOCUMENTS), sections=_chosen(_SECTIONS), entities=_chosen(_ENTITIES)),
    )


def ask_of_entities(entity_ids: Sequence[str]) -> None:
    """Ask the next questions of these entities of the graph alone."""
    _set(_ENTITIES, list(dict.fromkeys(entity_ids)))


def scope_choice() -> None:
    """Draw what is chosen as chips that a click takes away, and a menu with the fields to choose in."""
    with (
        st.container(key="chat_scope", gap="xsmall"),
        st.container(horizontal=True, gap="xsmall", vertical_alignment="center"),
    ):
        menu = st.popover(
            "Scope",
            icon=":material/filter_alt:",
            help="Where the next questions look: indexes, documents, sections",
            key="chat_scope_menu",
            on_change="rerun",
        )
        documents = _documents() if menu.open or _chosen(_DOCUMENTS) else {}
        # Of one height from the first moment on: the menu is placed by it.
        with menu, st.container(key="chat_scope_fields", height=_FIELDS_PIXELS, border=False):
            if menu.open:
                _fields(documents)
        if entities := _chosen(_ENTITIES):
            _entity_chip(len(entities))
        for kind in _KINDS:
            for one in _chosen(kind):
                _chip(kind, one, _name(kind, one, documents))


def _entity_chip(count: int) -> None:
    st.button(
        f"{count:,} {'entity' if count == 1 else 'entities'} of the graph",
        key="chip_entities",
        icon=":material/close:",
        help=f"Asked of {count:,} of the graph's entities, what links them, and documents that mention "
        "one of them. Click to ask of everything again.",
        on_click=ask_of_entities,
        args=((),),
    )


def _chip(kind: str, one: str, name: str) -> None:
    st.button(
        plain(short(name, _LABEL)),
        key=f"chip_{kind}_{one}",
        icon=":material/close:",
        help=f"Look beyond {plain(name)} again",
        on_click=_drop,
        args=(kind, one),
    )


def _fields(documents: Mapping[str, Document]) -> None:
    store = workspace().library.store
    indexes = [index.name for index in store.indexes()]
    usual = answered_from(store)
    left_out = ", ".join(name for name in indexes if name not in usual)
    _field(_INDEXES, "Indexes", indexes, str, f"All but {left_out}" if left_out else "All indexes")
    _field(
        _DOCUMENTS, "Documents", list(documents), lambda one: documents[one].file, "All documents"
    )
    _field(_SECTIONS, "Sections", SECTION_CODES, section_title, "All sections")
    st.caption(
        "Lists of the graph stay whole; what is quoted comes from here alone. What is asked of each document "
        f"is asked of up to {MOST_CHOSEN} that are chosen, else of the {MOST} with the closest passages."
    )


def _field(
    kind: str, label: str, options: Sequence[str], name: Callable[[str], str], nothing: str
) -> None:
    st.session_state[kind] = [one for one in _chosen(kind) if one in options]
    st.multiselect(
        label,
        options,
        format_func=name,
        key=kind,
        placeholder=nothing,
        on_change=_choose,
        args=(kind,),
    )


def _documents() -> dict[str, Document]:
    """What can be chosen, by id, in the order of the names: documents of the chosen indexes, or of those that
    answers come from."""
    store = workspace().library.store
    names = [index.name for index in store.indexes()]
    searched = [name for name in _chosen(_INDEXES) if name in names] or answered_from(store)
    found = [one for name in searched for one in store.documents(name)]
    found.sort(key=lambda one: one.file.casefold())
    return {one.id: one for one in found}


def _name(kind: str, one: str, documents: Mapping[str, Document]) -> str:
    if kind == _DOCUMENTS:
        return documents[one].file if one in documents else "a deleted document"
    return section_title(one) if kind == _SECTIONS else one


def _chosen(kind: str) -> tuple[str, ...]:
    if st.session_state.get(_OF, "") != chat_session():
        return ()
    return tuple(st.session_state.get(_CHOSEN, {}).get(kind, ()))


def _choose(kind: str) -> None:
    _set(kind, st.session_state[kind])


def _drop(kind: str, one: str) -> None:
    _set(kind, [other for other in _chosen(kind) if other != one])


def _set(kind: str, chosen: Sequence[str]) -> None:
    keep_scope(chosen_scope() | {kind: list(chosen)})


def keep_scope(chosen: Mapping[str, list[str]]) -> None:
    """Make a scope that of the conversation that is open now, as one that has begun with a question of it."""
    st.session_state[_CHOSEN], st.session_state[_OF] = dict(chosen), chat_session()


def chosen_scope() -> dict[str, list[str]]:
    """What is chosen, by kind."""
    return {kind: list(chosen) for kind in (*_KINDS, _ENTITIES) if (chosen := _chosen(kind))}


def choose_scope(kept: object) -> None:
    """Choose again what a tab remembers for the conversation that is open now.

    Args:
        kept: as `chosen_scope` gave it, unchecked; what is not in the library any more is left out.
    """
    told = kept if isinstance(kept, Mapping) else {}
    store = workspace().library.store
    known: dict[str, Collection[str]] = {
        _INDEXES: [index.name for index in store.indexes()],
        _DOCUMENTS: [one.id for index in store.indexes() for one in store.documents(index.name)],
        _SECTIONS: SECTION_CODES,
    }
    for kind, options in known.items():
        chosen = told.get(kind)
        _set(kind, [one for one in options if one in chosen] if isinstance(chosen, list) else [])
    # Those that the graph does not have narrow a question as they did when it had them.
    entities = told.get(_ENTITIES)
    if isinstance(entities, list):
        ask_of_entities([one for one in entities if isinstance(one, str)][:_MOST_ENTITIES])
