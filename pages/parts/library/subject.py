"""What a document is about: shown, with what of the graph that is taken for, and corrected."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.documents.library.names import LONGEST_TITLE, is_from_name
from core.domain.documents import Document
from core.domain.graph import Entity
from core.errors import MateriaError
from pages.parts.shared.entity_types import type_colour
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import plain

_CHANGED = "subject_changed"  # the title that was given last, told once
_SHOWN = 12  # products of a file that are listed at once


def subject_line(document: Document) -> None:
    """What the document is about, and the way to correct it."""
    if title := st.session_state.pop(_CHANGED, ""):
        st.toast(f"Taken to be about “{plain(title)}” from now on.", icon=":material/check_circle:")
    if document.products:
        _products(document)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        origin = " :gray[(corrected)]" if document.corrections else ""
        if not origin and is_from_name(document.title, document.file):
            origin = " :gray[(as the file is called)]"
        named = workspace().names.entities_in(document.title)
        taken = f", taken for {_names(named)}" if named else ", a name that the graph does not know"
        st.markdown(f"About **{plain(document.title)}**{origin}{taken}", width="content")
        if st.button("Change", key=f"about_{document.id}", icon=":material/edit:", type="tertiary"):
            change_subject(document)
        _read_again_button(document)


def _products(document: Document) -> None:
    """The products that a file tells of, each with the way to correct it."""
    corrected = " :gray[(corrected)]" if document.corrections else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{len(document.titles)} products** in this file, told apart{corrected}",
            width="content",
        )
        if st.button(
            "It is one product",
            key=f"one_{document.id}",
            icon=":material/merge:",
            type="tertiary",
            help="Nothing is told apart then; you say what the whole file is about.",
        ):
            change_subject(document, one=True)
        _read_again_button(document)
    places = {one.title: place for place, one in reversed([*enumerate(document.products)])}
    with st.container(gap="xxsmall", height=340 if len(places) > _SHOWN else "content"):
        for title in document.titles:
            place = places[title]
            with st.container(horizontal=True, vertical_alignment="center"):
                pages = [one.page for one in document.products if one.title == title and one.page]
                numbers = f"page{'s' * (len(pages) > 1)} {' and '.join(map(str, pages))}"
                where = f" :gray[from {numbers}]" if pages else ""
                named = workspace().names.entities_in(title)
                taken = f", taken for {_names(named)}" if named else ""
                st.markdown(f"About **{plain(title)}**{where}{taken}", width="content")
                if st.button(
                    "Change",
                    key=f"about_{document.id}_{place}",
                    icon=":material/edit:",
                    type="tertiary",
                ):
                    change_subject(document, place)


def _read_again_button(document: Document) -> None:
    pressed = st.button(
        "Read again",
        key=f"again_{document.id}",
        icon=":material/refresh:",
        type="tertiary",
        help="Reads anew, from its text, what the file is about and whether it tells of several products. "
        "Asks before anything that was corrected is lost.",
    )
    if not pressed:
        return
    try:
        now, keeping, read = workspace().library.as_read(document.id)
    except MateriaError as error:
        show_error(error)
        return
    if read == now:
        st.toast("It says the same as before.", icon=":material/check_circle:")
    elif now.corrections:
        _ask_before_reading(now, keeping, read)
    else:
        _read_again(now, keep_names=False)


@st.dialog("Read this document again?", width="medium", on_dismiss=close_dialog)
def _ask_before_reading(now: Document, keeping: Document, read: Document) -> None:
    """Nothing that an analyst corrected gives way unasked.

    Args:
        keeping, read: what the document would be with its present names, and without.
    """
    open_dialog()
    st.caption(f"File: {plain(now.file)}")
    st.markdown(f"Corrected here, it is about {_titles(now)}.")
    st.markdown(f"Its text alone says: {_titles(read)}.")
    if keeping != now:
        st.caption(f"With the corrected names it would be about {_titles(keeping)}.")
    with st.container(horizontal=True):
        keep = keeping != now and st.button(
            "Read again, keep the names", type="primary", key="again_keeping"
        )
        lose = st.button("Give the corrections up", icon=":material/undo:", key="again_losing")
        if st.button("Cancel", key="again_not"):
            close_dialog()
            st.rerun()
    if keep or lose:
        _read_again(now, keep_names=bool(keep))


def _read_again(document: Document, keep_names: bool) -> None:
    try:
        with st.spinner("Its text is read again ..."):
            changed = workspace().library.read_again(document.id, keep_names=keep_names)
    except MateriaError as error:
        show_error(error)
        return
    close_dialog()
    st.session_state[_CHANGED] = changed.title
    st.rerun()


def _titles(document: Document) -> str:
    """``**A**, **B** and 3 more``."""
    titles = document.titles
    told = ", ".join(f"**{plain(one)}**" for one in titles[:_SHOWN])
    return f"{told} and {len(titles) - _SHOWN} more" if len(titles) > _SHOWN else told


@st.dialog("What is this document about?", width="medium", on_dismiss=close_dialog)
def change_subject(document: Document, product: int | None = None, one: bool = False) -> None:
    """Ask for the title, show what it is taken for, and give it to the document.

    Args:
        product: place of the one that the title is for, where the file tells of several.
        one: let the file tell of one product alone.
    """
    open_dialog()
    now = document.title if product is None else document.products[product].title
    place = "" if product is None else f"_{product}"
    st.caption(f"File: {plain(document.file)}")
    title = st.text_input(
        "About",
        value=now,
        max_chars=LONGEST_TITLE,
        key=f"new_title_{document.id}_{document.corrections}{place}",
        placeholder="Metformin 500 mg film-coated tablets",
        help="The medicine as the document names it. Press Enter to see what it will be taken for.",
    )
    _show_taken_for(title)
    st.caption(
        "This decides which questions the document may answer. Its text stays as it is, and so do "
        "earlier answers."
    )
    with st.container(horizontal=True):
        pressed = st.button("Save", type="primary", icon=":material/check:", key="save_title")
        if st.button("Cancel", key="save_title_not"):
            close_dialog()
            st.rerun()
    if pressed:
        _save(document, title, product, one)


def _save(document: Document, title: str, product: int | None, one: bool) -> None:
    try:
        with st.spinner("Its passages are read again under the new name ..."):
            changed = workspace().library.retitle(document.id, title, product=product, one=one)
    except MateriaError as error:
        show_error(error)
        return
    if changed.corrections != document.corrections:
        st.session_state[_CHANGED] = " ".join(title.split())
    close_dialog()
    st.rerun()


def _show_taken_for(title: str) -> None:
    """What a title that is being written will be taken for."""
    named = workspace().names.entities_in(title) if title.strip() else []
    if named:
        st.markdown(f"Taken for: {_names(named)}")
    elif title.strip():
        st.markdown(":gray[The graph does not know this name; the document is found by its words.]")


def _names(named: Sequence[Entity]) -> str:
    return " · ".join(
        f"{plain(one.name)} :{type_colour(one.type)}-badge[{plain(one.type)}]" for one in named
    )
