"""Which medicines stand on a board: kept in the address and through page changes."""

from __future__ import annotations

import streamlit as st

from core.boards.medicines import MOST_MEDICINES, Medicines
from core.errors import InputError, NotFound
from pages.parts.shared.text import plain

_KEY = "medicine"  # also the name in the address
_OFFERED = 500  # of the graph's medicines; any other can be typed


def chosen_medicines(medicines: Medicines) -> list[str]:
    """The names of the chosen medicines, those that nobody knows left out and named."""
    shelved = [one.name for one in medicines.shelved()]
    graph = [one.name for one in medicines.suggestions("", _OFFERED)]
    picked: list[str] = st.multiselect(
        "Medicines",
        list(dict.fromkeys([*shelved, *graph])),
        key=_KEY,
        bind="query-params",
        persist_state="session",
        accept_new_options=True,
        max_selections=MOST_MEDICINES,
        placeholder="Choose medicines, or type a name, a synonym or an id",
        help="Those with a leaflet in the library come first; then the graph's.",
    )
    known = []
    for name in picked:
        try:
            medicines.found(name)
            known.append(name)
        except (NotFound, InputError) as error:
            st.warning(f"{plain(error.message)} {plain(error.advice)}", icon=":material/help:")
    return known
