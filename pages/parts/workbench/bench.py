"""The parts of the workbench that the explorer's page draws in its head, and what it does before it draws."""

from __future__ import annotations

from core.errors import MateriaError
from pages.parts.evidence.copying import copy_text
from pages.parts.shared.links import show_link_problem
from pages.parts.shared.state import shown_graph
from pages.parts.workbench.addresses import address, explorer_link, follow_address, write_address
from pages.parts.workbench.canvas_memory import canvas_memory
from pages.parts.workbench.saved_views import saved_views


def begin_bench() -> MateriaError | None:
    """Follow the address, have the tab remember the canvas, write the address; what went wrong."""
    asked = address()
    problem = None
    try:
        follow_address()
    except MateriaError as error:
        problem = error
    canvas_memory(asked)
    write_address()
    return problem


def bench_tools() -> None:
    """Saved views, and the link that opens what is shown."""
    saved_views()
    if shown_graph():
        copy_text("explorer_link", explorer_link(), "Copy link", title="A link to what is shown")


def tell_of_links() -> None:
    """What is wrong with the link that was followed, once."""
    show_link_problem()
