"""Where the next questions are asked: indexes, documents, sections, a part of the graph, as chips above the
input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.documents.cutting.sections import SECTION_CODES, section_title
from core.documents.library.shelves import ABSTRACTS
from core.domain.documents import Document
from core.domain.provenance.within import Within
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain, short

_INDEXES, _DOCUMENTS, _SECTIONS = "scope_indexes", "scope_documents", "scope_sections"
_ENTITIES = "scope_entities"  # of the graph, chosen in the explorer
_CHOSEN = (
    "chat_scope"  # what is chosen, by the names above: widgets that are not drawn are forgotten
)
_OPEN = "chat_scope_open"
_LABEL = 28  # characters of a chip


def asked_of() -> tuple[tuple[str, ...] | None, Within]:
    """What a question asked now is asked of: names of indexes (None: the usual ones), documents, sections."""
    return (
        _chosen(_INDEXES) or None,
        Within(_chosen(_DOCUMENTS), sections=_chosen(_SECTIONS), entities=_chosen(_ENTITIES)),
    )


def ask_of_entities(entity_ids: Sequence[str]) -> None:
    """Ask the next questions of these entities of the graph alone."""
    st.session_state.setdefault(_CHOSEN, {})[_ENTITIES] = tuple(dict.fromkeys(entity_ids))


def scope_choice() -> None:
    """Draw what is chosen as chips that a click takes away, and on demand the fields to choose in."""
    is_open = bool(st.session_state.get(_OPEN, False))
    documents = _documents() if is_open or _chosen(_DOCUMENTS) else {}
    with st.container(key="chat_scope", gap="xsmall"):
        if is_open:
            with st.container(key="chat_scope_fields", gap="xsmall"):
                _fields(documents)
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            st.button(
                "Close" if is_open else "Scope",
                key="chat_scope_toggle",
                icon=":material/expand_more:" if is_open else ":material/filter_alt:",
                help="Where the next questions look: indexes, documents, sections",
                on_click=_turn,
            )
            if entities := _chosen(_ENTITIES):
                st.button(
                    f"{len(entities):,} entities of the graph",
                    key="chip_entities",
                    icon=":material/close:",
                    help=f"Asked of {len(entities):,} entities of the graph, what links them, and "
                    "documents that mention one of them. Click to ask of everything again.",
                    on_click=ask_of_entities,
                    args=((),),
                )
            for kind in (_INDEXES, _DOCUMENTS, _SECTIONS):
                for one in _chosen(kind):
                    _chip(kind, one, _name(kind, one, documents))


def _turn() -> None:
    """Open the fields, or close them."""
    st.session_state[_OPEN] = not st.session_state.get(_OPEN, False)


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
    indexes = [index.name for index in workspace().library.store.indexes()]
    _field(_INDEXES, "Indexes", indexes, str, "All but the abstracts")
    _field(
        _DOCUMENTS, "Documents", list(documents), lambda one: documents[one].file, "All documents"
    )
    _field(_SECTIONS, "Sections", SECTION_CODES, section_title, "All sections")
    st.caption("Lists of the graph stay whole; what is quoted comes from here alone.")


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
    """What can be chosen, by id, in the order of the names: documents of the chosen indexes, or of all but
    the abstracts."""
    store = workspace().library.store
    names = [index.name for index in store.indexes()]
    usual = [name for name in names if name != ABSTRACTS] or names
    searched = [name for name in _chosen(_INDEXES) if name in names] or usual
    found = [one for name in searched for one in store.documents(name)]
    found.sort(key=lambda one: one.file.casefold())
    return {one.id: one for one in found}


def _name(kind: str, one: str, documents: Mapping[str, Document]) -> str:
    if kind == _DOCUMENTS:
        return documents[one].file if one in documents else "a deleted document"
    return section_title(one) if kind == _SECTIONS else one


def _chosen(kind: str) -> tuple[str, ...]:
    return tuple(st.session_state.get(_CHOSEN, {}).get(kind, ()))


def _choose(kind: str) -> None:
    kept = st.session_state.setdefault(_CHOSEN, {})
    kept[kind] = tuple(st.session_state[kind])


def _drop(kind: str, one: str) -> None:
    kept = st.session_state.setdefault(_CHOSEN, {})
    kept[kind] = tuple(other for other in _chosen(kind) if other != one)
