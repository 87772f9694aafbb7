"""What the canvas shows as tables: its entities and its relationships, with the selection in step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.domain.graph import Entity, Fact
from core.graph.phrases import relationship_phrase
from pages.parts.shared.entity_types import type_name
from pages.parts.shared.state import graph_view, select_entity, selected_entity

PICTURE, TABLE, BOTH = "Picture", "Table", "Both"
_SHOWN_AS = "explorer_shown_as"
_ROW, _HEAD = 35, 38  # pixels
_TALLEST = 560


def shown_as() -> str:
    """The choice between picture, table and both, drawn; what is chosen."""
    return str(
        st.segmented_control(
            "Show as",
            (PICTURE, TABLE, BOTH),
            default=PICTURE,
            required=True,
            key=_SHOWN_AS,
            label_visibility="collapsed",
        )
    )


def view_tables(
    entities: Sequence[Entity], facts: Sequence[Fact], of_conversation: Collection[str]
) -> None:
    """Two tables: a click on a row selects its entity, of a relationship its source.

    Args:
        entities, facts: that are drawn.
        of_conversation: ids that the open conversation names or cites.
    """
    first, second = st.tabs(
        [f"Entities ({len(entities):,})", f"Relationships ({len(facts):,})"], key="graph_tables"
    )
    with first:
        _entities(entities, facts, of_conversation)
    with second:
        _facts(facts)


def _entities(
    entities: Sequence[Entity], facts: Sequence[Fact], of_conversation: Collection[str]
) -> None:
    lines = Counter(end for fact in facts for end in {fact.source.id, fact.target.id})
    kinds = list(dict.fromkeys(one.type for one in entities))
    words = st.text_input(
        "Filter the table", key="graph_table_filter", placeholder="Part of a name or a type",
        label_visibility="collapsed", icon=":material/filter_list:",
    )  # fmt: skip
    wanted = words.casefold().split()
    listed = [
        one
        for one in entities
        if all(part in f"{one.name} {type_name(one.type)}".casefold() for part in wanted)
    ]
    table = pd.DataFrame(
        {
            "Name": [one.name for one in listed],
            "Type": [type_name(one.type) for one in listed],
            "On canvas": [lines[one.id] for one in listed],
            "In graph": [one.degree for one in listed],
            "In conversation": [one.id in of_conversation for one in listed],
        }
    )
    _selectable(
        table,
        [one.id for one in listed],
        f"graph_entities_{graph_view()}_{len(kinds)}_{len(entities)}_{words}",
        {
            "Name": st.column_config.TextColumn(width="medium"),
            "On canvas": st.column_config.NumberColumn(help="Its lines that are drawn"),
            "In graph": st.column_config.NumberColumn(help="All its relationships"),
            "In conversation": st.column_config.CheckboxColumn(
                help="The open conversation names or cites it"
            ),
        },
    )


def _facts(facts: Sequence[Fact]) -> None:
    table = pd.DataFrame(
        {
            "From": [one.source.name for one in facts],
            "Relationship": [relationship_phrase(one.type, forward=True) for one in facts],
            "To": [one.target.name for one in facts],
        }
    )
    _selectable(
        table,
        [one.source.id for one in facts],
        f"graph_facts_{graph_view()}_{len(facts)}",
        {"From": st.column_config.TextColumn(), "To": st.column_config.TextColumn()},
        marks=False,
    )


def _selectable(
    table: pd.DataFrame,
    ids: Sequence[str],
    key: str,
    columns: dict[str, Any],
    marks: bool = True,
) -> None:
    """A table of which one row can be selected: that selects its entity on the canvas.

    Args:
        ids: of the entity that each row selects.
        key: another one for other rows: a selection is by row.
        marks: the row of the entity that is selected on the canvas is selected here too.
    """
    if marks:
        selected = selected_entity()
        rows = [ids.index(selected)] if selected in ids else []
        if _rows(key) != rows:
            st.session_state[key] = {"selection": {"rows": rows}}
    st.dataframe(
        table,
        hide_index=True,
        height=min(_HEAD + _ROW * max(len(ids), 1), _TALLEST),
        on_select=_select(key, ids),
        selection_mode="single-row",
        key=key,
        column_config=columns,
    )


def _select(key: str, ids: Sequence[str]) -> Callable[[], None]:
    def select() -> None:
        rows = _rows(key)
        select_entity(ids[rows[0]] if rows and rows[0] < len(ids) else "")

    return select


def _rows(key: str) -> list[int]:
    state = st.session_state.get(key)
    return list(state["selection"].get("rows", [])) if state else []
