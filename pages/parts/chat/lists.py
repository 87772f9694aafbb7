"""Lists that an answer was computed from, complete: as a table, as CSV, in the graph."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.answers.planned import understood_lines
from core.answers.provenance.asked_of import within_line
from core.domain.answers import Answer, Sentence
from core.domain.conversations import Turn
from core.domain.plans import AnswerList, Correction, Member, words_left_out
from core.errors import MateriaError
from core.evidence.computed import whole_list
from core.graph.phrases import relationship_phrase
from core.questions.correcting.corrections import can_be_corrected
from core.text.tables.csv_file import csv_file
from pages.parts.chat.asking import ask, forget_problem, tell_problem
from pages.parts.chat.correcting import request_correction
from pages.parts.chat.turns.untold import whole_list as untold_list
from pages.parts.evidence.opened import open_list
from pages.parts.shared.state import EXPLORER, MOST_NODES, show_graph, shown_graph, workspace
from pages.parts.shared.text import plain

_ROWS_SEEN = 10
_ROW_PIXELS = 35


def understood(turn: Turn) -> None:
    """Draw how the question was understood, and a way to correct what it asked of the graph."""
    answer = turn.answer
    if answer.within:
        st.caption(f":material/filter_alt: {plain(within_line(answer))}")
    for number, line in enumerate(understood_lines(answer)):
        plan = answer.each_plan[number].plan if answer.each_plan else None
        correctable = plan is not None and can_be_corrected(plan)
        if line or correctable:
            _understood(turn, number, line, correctable=correctable)


def _understood(turn: Turn, number: int, line: str, *, correctable: bool) -> None:
    """Draw what was understood of a clause; "" where it was not all."""
    with st.container(horizontal=True, wrap=False, gap="small"):
        st.caption(
            f"Understood: {plain(line)}" if line else "Not all of it was understood.",
            width="stretch",
        )
        if correctable:
            st.button(
                "Change",
                key=f"correct_{turn.id}_{number}" if number else f"correct_{turn.id}",
                type="tertiary",
                icon=":material/edit:",
                help="Change what was understood, and ask so",
                on_click=request_correction,
                args=(turn.id, number),
            )


def instead(turn: Turn) -> None:
    """Draw what can be answered in place of what was not understood."""
    answer, key = turn.answer, turn.id
    if answer.offer is not None and answer.plan is not None:
        out = words_left_out(answer.plan, answer.offer)
        without = " without " + " and ".join(f"“{plain(one)}”" for one in out) if out else ""
        label = f"Ask{without}: {plain(answer.offered)}"
        if answer.offer_is_closest:
            understood = "Not understood word by word; ask the closest that can be computed"
            label = f"{understood}{without}: {plain(answer.offered)}"
        st.button(
            label,
            key=f"offer_{key}",
            icon=":material/subdirectory_arrow_right:",
            on_click=ask,
            args=(answer.question, answer.wider, Correction(answer.offer, turn.id)),
        )
    of_graph = answer.plan is not None and answer.plan.complete
    asked = "The list is the graph's alone; ask your documents" if of_graph else "Ask instead"
    for number, question in enumerate(answer.instead):
        st.button(
            f"{asked}: {plain(question)}",
            key=f"instead_{key}_{number}",
            icon=":material/subdirectory_arrow_right:",
            on_click=ask,
            args=(question, answer.wider),
        )


def answer_lists(answer: Answer, key: str) -> None:
    """Draw the lists of an answer, each folded away until it is asked for."""
    for number, one in enumerate(answer.lists):
        if len(one.members) > 1:
            _list(answer, number, f"{key}_{number}")


def _list(answer: Answer, number: int, key: str) -> None:
    one = answer.lists[number]
    with st.expander(f"All {one.size:,}: {plain(one.title)}", icon=":material/table_rows:"):
        list_table(one, answer, key)


def list_table(one: AnswerList, answer: Answer, key: str) -> None:
    """Draw a list as a table that sorts by its heads, to be filtered and taken along."""
    table = _table(one)
    written = st.text_input(
        "Filter", key=f"filter_{key}", placeholder="Part of a name, type or id"
    ).casefold()
    shown = table[table.apply(lambda row: written in " ".join(map(str, row)).casefold(), axis=1)]
    height = _ROW_PIXELS * (min(len(shown), _ROWS_SEEN) + 1) + 3
    st.dataframe(shown, hide_index=True, height=height, key=f"table_{key}")
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            _whole_csv(answer, answer.lists.index(one)) if one.total else _csv(table),
            file_name="materia-list.csv",
            mime="text/csv",
            key=f"csv_{key}",
            icon=":material/download:",
            on_click="ignore",
        )
        if st.button("Add to graph", key=f"listed_{key}", icon=":material/hub:"):
            listed = [member.id for member in one.members[:MOST_NODES]]
            show_graph([*listed, *shown_graph()])
            st.switch_page(EXPLORER)
        if len(one.members) > MOST_NODES:
            st.caption(f"The first {MOST_NODES} are drawn.")
    if one.total:
        st.caption(
            f"The first {len(one.members):,} are shown; the CSV has all that the graph has now."
        )


def graph_button(answer: Answer, key: str) -> None:
    """Under an answer: draws all that it names in the explorer, whole lists too, as far as a drawing holds
    them."""
    told = [str(entity_id) for entity_id in answer.subgraph.get("entities", [])]
    listed = [member.id for one in answer.lists for member in one.members]
    entities = list(dict.fromkeys([*told, *listed]))
    if not entities:
        return
    left = len(entities) - MOST_NODES
    words = (
        f"Draws {len(entities):,} entities"
        if left <= 0
        else (f"Draws the first {MOST_NODES} of {len(entities):,} entities")
    )
    if st.button("Show in graph", key=f"graph_{key}", icon=":material/hub:", help=words):
        show_graph(entities)
        if left > 0:
            st.toast(f"{words}; the list has all.", icon=":material/hub:")
        st.switch_page(EXPLORER)


def open_rest(sentence: Sentence, answer: Answer) -> None:
    """Open the whole list of which a sentence names the beginning; a callback of widgets."""
    try:
        listed = untold_list(sentence, answer, workspace().graph)
    except MateriaError as error:
        tell_problem(error)
        return
    forget_problem()
    if listed is not None:
        open_list(listed, answer)


def _whole_csv(answer: Answer, number: int) -> Callable[[], bytes]:
    """What makes the CSV of a list that was not kept whole, once it is asked for."""
    graph, kept = workspace().graph, answer.lists[number]
    plans = [one.plan for one in answer.each_plan]

    def made() -> bytes:
        whole = whole_list(plans, number, graph)
        return _csv(_table(whole or kept))

    return made


def _table(one: AnswerList) -> pd.DataFrame:
    names = {**one.others, **{member.id: member.name for member in one.members}}
    rows = [
        {
            "Name": member.name,
            **({"Number": member.count} if any(each.count for each in one.members) else {}),
            "Type": member.type,
            "Id": member.id,
            "Because": "; ".join(_because(member, names)),
        }
        for member in one.members
    ]
    return pd.DataFrame(rows)


def _because(member: Member, names: dict[str, str]) -> list[str]:
    """The relationships that put it there, read along their direction; in words without any."""
    told = [
        f"{names.get(source, source)} {relationship_phrase(kind, True)} {names.get(target, target)}"
        for source, kind, target in member.relationships
    ]
    return [*told, member.reason] if member.reason else told


def _csv(table: pd.DataFrame) -> bytes:
    """A table as spreadsheets read it."""
    return csv_file([str(one) for one in table.columns], table.itertuples(index=False))
