"""Entities suggested below the search box as one types.

The browser asks the server's own API, so that a key costs no run of the page; what it shows is text. The box
stays Streamlit's: what is typed is never lost, and Enter without a chosen suggestion searches as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from core.graph.names.completion import LONGEST_QUERY
from pages.parts.shared.assets import asset
from pages.parts.shared.entity_types import type_hex, type_name

_component = st.components.v2.component(
    "materia_suggesting",
    css=asset(__file__, ".css"),
    js=asset(__file__, ".js"),
    isolate_styles=False,
)
_KEY = "entity_suggestions"


def suggestions(
    box: str,
    types: Iterable[str],
    on_open: Callable[[str], None],
    on_add: Callable[[str], None] | None = None,
) -> None:
    """Put suggestions below a text input.

    Args:
        box: the input's key; it is emptied when an entity was chosen.
        types: of the graph's entities.
        on_open, on_add: called with the id of the entity that was chosen, before the page is drawn anew.
    """

    def chosen() -> None:
        value = st.session_state[_KEY].get("chosen")
        entity_id = value.get("id") if isinstance(value, dict) else None
        if not isinstance(entity_id, str) or not entity_id:
            return
        st.session_state[box] = ""
        (on_add if on_add is not None and value.get("add") is True else on_open)(entity_id)

    _component(
        key=_KEY,
        data={
            "box": box,
            "longest": LONGEST_QUERY,
            "adds": on_add is not None,
            "types": {one: {"name": type_name(one), "colour": type_hex(one)} for one in types},
        },
        on_chosen_change=chosen,
        height=0,
    )
