"""What is done on the canvas becomes a change of what it shows."""

from __future__ import annotations

from collections.abc import Callable

from pages.parts.graph.actions import back, collapse, forward, show_entity, surroundings, tell
from pages.parts.graph.canvas.component import Ask, new_asks
from pages.parts.graph.canvas.drawing import fact_key
from pages.parts.graph.filters import show_kind, show_relationships
from pages.parts.graph.view_state import hide, pin, select_line, show_hidden, unpin
from pages.parts.shared.state import ask_about, select_entity, shown_graph, workspace
from pages.parts.shared.text import short

_OF_SHOWN = {"expand", "collapse", "hide", "pin", "unpin"}
_LONGEST_NAME = 420  # characters of a name that are put into the chat's input


def do_asks(name: str, path: Callable[[str, str], None]) -> None:
    """Do what the analyst did on a canvas since it was drawn last.

    Args:
        name: of the canvas.
        path: called with both ends of a path that is asked for.

    Raises:
        StoreError: the graph cannot be read.
    """
    about = ""
    for ask in new_asks(name):
        entity_id = ask.text("id")
        if ask.what == "path":
            path(entity_id, ask.text("to"))
        elif ask.what == "about":
            about = entity_id
        elif ask.what in _OF_SHOWN and entity_id not in shown_graph():
            continue  # it was taken off meanwhile
        elif ask.what in _ACTS:
            _ACTS[ask.what](ask)
    entity = workspace().graph.entity(about) if about else None
    if entity is not None:
        ask_about(short(entity.name, _LONGEST_NAME))


def _select(ask: Ask) -> None:
    select_line(None)
    select_entity(ask.text("id"))


def _line(ask: Ask) -> None:
    select_line(fact_key(ask.text("id")))


def _filter(ask: Ask) -> None:
    on = bool(ask.said.get("on"))
    if ask.text("of") == "kind":
        show_kind(ask.text("key"), on)
    elif not show_relationships(ask.text("key"), on):
        tell("One type of relationship stays: show another one first.")


_ACTS: dict[str, Callable[[Ask], None]] = {
    "select": _select,
    "line": _line,
    "filter": _filter,
    "expand": lambda ask: surroundings(ask.text("id")),
    "collapse": lambda ask: collapse(ask.text("id")),
    "only": lambda ask: show_entity(ask.text("id")),
    "hide": lambda ask: hide({ask.text("id")}),
    "unhide": lambda ask: show_hidden(),
    "pin": lambda ask: pin(ask.text("id"), ask.place()),
    "unpin": lambda ask: unpin(ask.text("id")),
    "undo": lambda ask: back(),
    "redo": lambda ask: forward(),
}
