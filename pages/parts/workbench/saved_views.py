"""The menu of saved views: save what is shown under a name, open, overwrite, rename, delete."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.domain.explored.views import LONGEST_VIEW_NAME, SavedView
from core.errors import MateriaError
from pages.parts.evidence.copying import copy_text
from pages.parts.graph.view_state import current_view
from pages.parts.shared.links import VIEW, link_to, tell_link_problem
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import selected_entity, shown_graph, workspace
from pages.parts.shared.text import plain, short
from pages.parts.workbench.addresses import (
    explorer_link,
    gone_words,
    note_open_view,
    open_saved_view,
    open_view,
)

_NAME = "view_name"
_CHOSEN = "view_chosen"  # id of the view whose name and fate can be changed, or ""
_DELETING = "view_deleting"  # id of the view that is asked about
_PROBLEM = "view_problem"
_SAVED = "view_saved"  # name of the view that was saved last, until it is told
_MENU = "views_menu"
_LABEL = 40  # characters of a name that are shown


def saved_views(*, beside_canvas: bool) -> None:
    """The button that opens the menu; what it holds is drawn when it is open.

    Args:
        beside_canvas: what is drawn are paths; a view is of the canvas all the same, and the menu says so.
    """
    menu = st.popover(
        "Views", icon=":material/bookmarks:", key=_MENU, on_change="rerun", help="Saved views"
    )
    if menu.open:
        with menu:
            _menu(beside_canvas)


def _menu(beside_canvas: bool) -> None:
    problem = st.session_state.pop(_PROBLEM, None)
    try:
        views = workspace().views.list()
        if shown_graph():
            _saving(views, beside_canvas)
            if open_view() or selected_entity():
                what = "this view" if open_view() else "the selected entity"
                copy_text("explorer_link", explorer_link(), f"Copy link to {what}")
            else:
                st.caption("Saved, what is shown has a link of its own.")
        else:
            st.caption("The canvas is empty: there is nothing to save.")
        if isinstance(problem, MateriaError):
            show_error(problem)
        if name := st.session_state.pop(_SAVED, ""):
            st.success(f"Saved as “{plain(str(name))}”.", icon=":material/bookmark:")
        if not views:
            st.caption("No view is saved yet.")
        for view in views:
            _row(view)
    except MateriaError as error:
        show_error(error)


def _saving(views: list[SavedView], beside_canvas: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Save the canvas as" if beside_canvas else "Save what is shown as",
            key=_NAME,
            max_chars=LONGEST_VIEW_NAME,
            placeholder="A name",
        )
        taken = next((one for one in views if one.name == " ".join(name.split())), None)
        st.button(
            "Overwrite" if taken else "Save",
            key="view_save",
            type="primary",
            icon=":material/bookmark_add:",
            on_click=_save,
            args=(taken.id if taken else "",),
        )
    if beside_canvas:
        st.caption("Paths come with it once they are put on the canvas.")
    if taken:
        st.caption("A view of this name is there; “Overwrite” puts what is shown in its place.")


def _row(view: SavedView) -> None:
    is_open, chosen = view.id == open_view(), view.id == st.session_state.get(_CHOSEN)
    with st.container(border=chosen, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.button(
                plain(short(view.name, _LABEL)),
                key=f"view_open_{view.id}",
                icon=":material/bookmark:" if is_open else ":material/hub:",
                type="tertiary",
                on_click=_trying(_open),
                args=(view.id,),
                help=plain(view.name),
            )
            st.space("stretch")
            count = len(view.view.shown)
            told = ["open"] if is_open else []
            told.append(f"{count:,} {'entity' if count == 1 else 'entities'}")
            told.append(f"{view.updated_at.astimezone():%Y-%m-%d}")
            st.caption(" · ".join(told), width="content")
            st.button(
                "",
                key=f"view_more_{view.id}",
                icon=":material/more_horiz:",
                type="tertiary",
                help="Close" if chosen else "Link, overwrite, rename, delete",
                on_click=_choose,
                args=("" if chosen else view.id,),
            )
        if chosen:
            _changing(view)


def _changing(view: SavedView) -> None:
    field = f"view_rename_{view.id}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name", value=view.name, key=field, max_chars=LONGEST_VIEW_NAME)
        st.button(
            "Rename",
            key=f"view_renaming_{view.id}",
            on_click=_trying(_rename),
            args=(view.id, field),
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        copy_text("view_link", link_to("explorer", {VIEW: view.id}), "Copy link")
        st.button(
            "Overwrite",
            key=f"view_over_{view.id}",
            disabled=not shown_graph(),
            help="Put what is shown now in its place",
            on_click=_trying(_overwrite),
            args=(view.id,),
        )
        st.button(
            "Delete ...",
            key=f"view_delete_{view.id}",
            icon=":material/delete:",
            on_click=_ask_to_delete,
            args=(view.id,),
        )
    if st.session_state.get(_DELETING) == view.id:
        st.markdown(
            f"Delete **{plain(short(view.name, _LABEL))}** for good? The graph itself stays."
        )
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Delete",
                key=f"view_deleting_{view.id}",
                type="primary",
                icon=":material/delete:",
                on_click=_trying(_delete),
                args=(view.id,),
            )
            st.button("Cancel", key="view_keep", on_click=_ask_to_delete, args=("",))


def _ask_to_delete(view_id: str) -> None:
    st.session_state[_DELETING] = view_id


def _choose(view_id: str) -> None:
    st.session_state[_CHOSEN] = view_id
    st.session_state[_DELETING] = ""


def _trying(act: Callable[..., None]) -> Callable[..., None]:
    """A callback whose failure the menu tells."""

    def tried(*given: str) -> None:
        try:
            act(*given)
        except MateriaError as error:
            st.session_state[_PROBLEM] = error

    return tried


def _save(view_id: str) -> None:
    _trying(_save_as)(view_id)


def _save_as(view_id: str) -> None:
    saved = workspace().views.save(str(st.session_state.get(_NAME, "")), current_view(), view_id)
    st.session_state[_NAME] = ""
    note_open_view(saved.id)
    st.session_state[_SAVED] = saved.name


def _open(view_id: str) -> None:
    gone = open_saved_view(view_id)
    if gone:
        tell_link_problem(gone_words(gone))


def _rename(view_id: str, field: str) -> None:
    workspace().views.rename(view_id, str(st.session_state[field]))
    _choose("")


def _overwrite(view_id: str) -> None:
    workspace().views.save(workspace().views.get(view_id).name, current_view(), view_id)
    note_open_view(view_id)
    _choose("")


def _delete(view_id: str) -> None:
    workspace().views.delete(view_id)
    _choose("")
