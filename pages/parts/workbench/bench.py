"""The parts of the workbench that the explorer's page draws around the canvas."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.explored.views import GraphView
from core.domain.graph import Entity, Fact
from core.errors import MateriaError
from pages.parts.chat.scope import ask_of_entities
from pages.parts.shared.links import show_link_problem
from pages.parts.workbench.addresses import address, follow_address, write_address
from pages.parts.workbench.canvas_memory import canvas_memory
from pages.parts.workbench.exporting import export_menu
from pages.parts.workbench.saved_views import saved_views


def follow_links() -> MateriaError | None:
    """Open what the address bar names; what went wrong."""
    try:
        follow_address()
    except MateriaError as error:
        return error
    return None


def remember_canvas() -> None:
    """Have the tab remember the canvas, and the address bar name what is shown."""
    began = address()
    write_address()
    canvas_memory(began, address())


def bench_tools(*, beside_canvas: bool) -> None:
    """Saved views, and the link that opens what is shown.

    Args:
        beside_canvas: what is drawn is not the canvas.
    """
    saved_views(beside_canvas=beside_canvas)


def shown_tools(view: GraphView, entities: Sequence[Entity], facts: Sequence[Fact]) -> None:
    """What can be done with all that is drawn: save it as a file, ask about it."""
    export_menu(view, entities, facts)
    if st.button(
        "Ask about these",
        key="ask_about_shown",
        icon=":material/forum:",
        help=f"The chat then answers from these {len(entities):,} entities, what links them, and the "
        "documents that mention one of them",
    ):
        ask_of_entities([one.id for one in entities])
        st.toast(
            "The chat answers from these alone now. The chip above its input takes that back.",
            icon=":material/forum:",
        )
        st.rerun()  # the chat is another part of the page


def tell_of_links() -> None:
    """What is wrong with the link that was followed, once."""
    show_link_problem()
