"""What the canvas shows as tables: its entities and its relationships, with the selection in step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.domain.graph import Entity, Fact
from core.graph.phrases import relationship_phrase
from pages.parts.graph.view_state import select_line, selected_line
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
    entities: Sequence[Entity], facts: Sequence[Fact], in_answer: Collection[str]
) -> None:
    """Two tables: a click on a row selects its entity, or its relationship, on the canvas too.

    Args:
        entities, facts: that are drawn.
        in_answer: ids that the last answer names or cites.
    """
    first, second = st.tabs(
        [f"Entities ({len(entities):,})", f"Relationships ({len(facts):,})"], key="graph_tables"
    )
    with first:
        _entities(entities, facts, in_answer)
    with second:
        _facts(facts)


def _entities(
    entities: Sequence[Entity], facts: Sequence[Fact], in_answer: Collection[str]
) -> None:
    lines = Counter(end for fact in facts for end in {fact.source.id, fact.target.id})
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
            "In last answer": [one.id in in_answer for one in listed],
        }
    )
    ids = [one.id for one in listed]
    selected = ids.index(selected_entity()) if selected_entity() in ids else None
    _selectable(
        table,
        f"graph_entities_{graph_view()}_{len(entities)}_{words}",
        selected,
        lambda row: select_entity(ids[row] if row is not None else ""),
        {
            "Name": st.column_config.TextColumn(width="medium"),
            "On canvas": st.column_config.NumberColumn(help="Its lines that are drawn"),
            "In graph": st.column_config.NumberColumn(help="All its relationships"),
            "In last answer": st.column_config.CheckboxColumn(
                help="The last answer of the open conversation names or cites it"
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
    keys = [one.key for one in facts]
    line = selected_line()
    _selectable(
        table,
        f"graph_facts_{graph_view()}_{len(facts)}",
        keys.index(line) if line in keys else None,
        lambda row: select_line(keys[row] if row is not None else None),
        {},
    )


def _selectable(
    table: pd.DataFrame,
    key: str,
    selected: int | None,
    select: Callable[[int | None], None],
    columns: dict[str, Any],
) -> None:
    """A table of which one row can be selected, as on the canvas.

    Args:
        key: another one for other rows: a selection is by row.
        selected: the row of what is selected on the canvas.
        select: called with the row that is clicked; None: it is no longer selected.
    """
    wanted = [] if selected is None else [selected]
    if _rows(key) != wanted:
        st.session_state[key] = {"selection": {"rows": wanted}}

    def clicked() -> None:
        rows = [row for row in _rows(key) if row < len(table)]
        select(rows[0] if rows else None)

    st.dataframe(
        table,
        hide_index=True,
        height=min(_HEAD + _ROW * max(len(table), 1), _TALLEST),
        on_select=clicked,
        selection_mode="single-row",
        key=key,
        column_config=columns,
    )


def _rows(key: str) -> list[int]:
    state = st.session_state.get(key)
    return list(state["selection"].get("rows", [])) if state else []
