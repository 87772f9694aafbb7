"""Where the chat stands: docked left or right, floating, wide, minimized; on a phone in turn with the page.

The browser alone decides and remembers it: a change needs no run of the server and leaves what is typed,
the focus and the scroll position as they are. Attributes and custom properties of the root element tell
everything else on the page where the panel is (`modes.css`).
"""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from pages.parts.shared.assets import asset
from pages.parts.shared.state import asked_about, graph_view, times_called

_component = st.components.v2.component(
    "materia_chat_modes",
    css=asset(__file__, ".css"),
    js=asset(__file__, ".js"),
    isolate_styles=False,
)


def chat_modes(session_id: str, turns: int) -> None:
    """Draw the buttons that move the panel; put what is to be asked about into its input.

    Args:
        turns: answers of the open conversation: with one more while the panel is minimized, its button
            shows that there is something to read.
    """
    number, text = asked_about()
    _component(
        key="chat_modes",
        data={
            "session": session_id,
            "turns": turns,
            "page": urlsplit(st.context.url or "").path,
            "graph": graph_view(),
            "called": times_called(),
            "about": {"number": number, "text": text},
        },
    )
