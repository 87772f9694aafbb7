"""What the canvas shows, as files to save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.domain.explored.views import GraphView
from core.domain.graph import Entity, Fact
from core.graph.views.files import as_csv, as_graphml, as_json

_NAME = "materia-graph"


def export_menu(view: GraphView, entities: Sequence[Entity], facts: Sequence[Fact]) -> None:
    """A menu with a button for each kind of file; one is made when its button is clicked.

    Args:
        entities, facts: that are drawn.
    """
    menu = st.popover(
        "Export",
        icon=":material/download:",
        key="graph_files",
        on_change="rerun",
        disabled=not entities,
    )
    if not menu.open:
        return
    kinds: tuple[tuple[str, str, str, Callable[[], bytes], str], ...] = (
        ("CSV", "zip", "application/zip", partial(as_csv, entities, facts),
         "Two tables in a ZIP: entities and relationships"),
        ("JSON", "json", "application/json", partial(as_json, view, entities, facts),
         "Without loss: the view, its entities with all properties, the relationships"),
        ("GraphML", "graphml", "application/xml", partial(as_graphml, entities, facts),
         "For Cytoscape, Gephi, yEd"),
    )  # fmt: skip
    with menu:
        st.caption(
            f"{len(entities):,} entities and {len(facts):,} relationships, as they are drawn."
        )
        with st.container(horizontal=True):
            for label, ending, mime, made, help_ in kinds:
                st.download_button(
                    label,
                    data=made,
                    file_name=f"{_NAME}.{ending}",
                    mime=mime,
                    key=f"graph_file_{ending}",
                    help=help_,
                    on_click="ignore",
                )
