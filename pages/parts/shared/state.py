"""What pages share in the browser's session, under one name each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.domain.explored.views import GraphView
from core.errors import StoreUnavailable
from core.user_workspace import workspace_of
from core.workspace import Workspace
from pages.parts.shared.login import page_user

_SESSION = "chat_session"  # id of the open conversation, or ""
_PLACE = "chat_place"  # id of the turn at which the conversation was opened, until it is shown
_CALLED = "chat_called"  # how often a conversation was opened to be seen
_SHOWN_GRAPH = "graph_shown"  # entity ids on the canvas, in the order they came
_VIEW = "graph_view"
_SELECTED = "graph_selected"  # id of the selected entity, or ""
_CANVAS = "graph_record"  # the rest of what the canvas shows
_PAST = "graph_past"  # what was shown before, the latest last
_FUTURE = "graph_future"  # what was stepped back from, the latest last
_MOST_PAST = 20
_DIALOG = "dialog_open"
_ASK_ABOUT = "ask_about_text"
_NEIGHBOURS = 25  # of one entity, added to the canvas at a time
EXPLORER = "explorer.py"
LIBRARY, COMPARE = "library.py", "compare.py"
HISTORY, LEDGER = "history.py", "ledger.py"
SYSTEM = "system.py"
MOST_NODES = 300  # on the canvas; more cannot be read


def workspace() -> Workspace:
    """The server's workspace as the page's user sees it.

    Raises:
        LoginRequired: there is a login, and nobody is logged in.
    """
    return workspace_of(page_user())


def rerun_part() -> None:
    """Run the part that is running again: the fragment, or the whole page when it runs as a whole."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # this run is not one of a fragment
        st.rerun()


def rerun_page() -> None:
    """Run the whole page, from a part that refreshes itself. Nothing where it is being run already: what was
    clicked on the page, and began that run, is not reached yet and would be lost."""
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        st.rerun()


def rerun_explorer() -> None:
    """On the explorer's page run everything: an answer puts rings around its entities there."""
    page = urlsplit(st.context.url or "").path.rstrip("/")
    if page.endswith("/explorer"):
        rerun_page()


def chat_session() -> str:
    return str(st.session_state.get(_SESSION, ""))


def has_opened_chat() -> bool:
    """Whether a conversation, or a new one, was opened in this browser's session."""
    return _SESSION in st.session_state


def open_chat_session(session_id: str, turn_id: str = "") -> None:
    """Open a conversation in the chat, at one of its answers if one is given; a minimized chat opens."""
    restore_chat_session(session_id)
    st.session_state[_PLACE] = turn_id
    st.session_state[_CALLED] = times_called() + 1


def restore_chat_session(session_id: str) -> None:
    """Have this conversation, or with "" a new one, in the chat, which stays minimized if it is."""
    st.session_state[_SESSION] = session_id


def times_called() -> int:
    """A number that grows whenever a conversation is opened to be seen."""
    return int(st.session_state.get(_CALLED, 0))


def take_chat_place() -> str:
    """The id of the turn to scroll to, once; "" where there is none."""
    return str(st.session_state.pop(_PLACE, ""))


def graph_record() -> GraphView:
    """What is on the canvas now, and how."""
    view: GraphView | None = st.session_state.get(_CANVAS)
    record = view or GraphView()
    return replace(record, shown=tuple(shown_graph()), selected=selected_entity())


def put_graph_record(view: GraphView, anew: bool = False) -> None:
    """Have the canvas show a record, without a step that could be undone.

    Args:
        anew: it is another drawing than the one before, whose places do not count.
    """
    st.session_state[_CANVAS] = view
    st.session_state[_SHOWN_GRAPH] = list(view.shown)
    st.session_state[_SELECTED] = view.selected
    if anew:
        st.session_state[_VIEW] = graph_view() + 1


def change_graph(**changes: Any) -> None:
    """Change fields of the record, as one step that can be undone."""
    before = graph_record()
    after = replace(before, **changes)
    if after != before:
        remember_graph()
        put_graph_record(after)


def shown_graph() -> list[str]:
    return list(st.session_state.get(_SHOWN_GRAPH, []))


def show_graph(entity_ids: Sequence[str], selected: str = "") -> None:
    """Put these entities, and no others, on the explorer's canvas, one of them selected."""
    remember_graph()
    shown = tuple(dict.fromkeys(entity_ids))[:MOST_NODES]
    view = replace(graph_record(), shown=shown, selected=selected, hidden=(), pinned={})
    put_graph_record(view, anew=True)


def neighbourhood(entity_id: str) -> list[str]:
    """Ids of an entity and of its most important neighbours; the entity alone while the graph cannot be
    reached, which the explorer then says."""
    try:
        facts = workspace().graph.neighbours([entity_id], _NEIGHBOURS)
    except StoreUnavailable:
        return [entity_id]
    ends = dict.fromkeys(end.id for fact in facts for end in (fact.source, fact.target))
    return list(dict.fromkeys([entity_id, *ends]))


def grow_graph(entity_ids: Sequence[str]) -> int:
    """Add entities to those shown, up to `MOST_NODES` in all; the view stays. How many were added."""
    shown = shown_graph()
    added = [one for one in dict.fromkeys(entity_ids) if one not in shown]
    added = added[: max(MOST_NODES - len(shown), 0)]
    if added:
        change_graph(shown=(*shown, *added))
    return len(added)


def leave_out(entity_ids: Collection[str]) -> None:
    """Take entities off the canvas; the view stays."""
    record = graph_record()
    change_graph(
        shown=tuple(one for one in record.shown if one not in entity_ids),
        selected="" if record.selected in entity_ids else record.selected,
        hidden=tuple(one for one in record.hidden if one not in entity_ids),
        pinned={one: at for one, at in record.pinned.items() if one not in entity_ids},
    )


def step_back() -> None:
    """Show what was on the canvas before its last change."""
    _step(_PAST, _FUTURE)


def step_forward() -> None:
    """Show what was on the canvas before the last step back."""
    _step(_FUTURE, _PAST)


def can_step_back() -> bool:
    return bool(st.session_state.get(_PAST))


def can_step_forward() -> bool:
    return bool(st.session_state.get(_FUTURE))


def remember_graph() -> None:
    """Note what is on the canvas, so that one can step back to it; there is nothing to step forward to."""
    st.session_state[_FUTURE] = []
    if shown_graph():
        _note(_PAST)


def _note(where: str) -> None:
    steps: list[tuple[GraphView, int]] = st.session_state.setdefault(where, [])
    steps.append((graph_record(), graph_view()))
    del steps[:-_MOST_PAST]


def _step(source: str, other: str) -> None:
    steps: list[tuple[GraphView, int]] = st.session_state.get(source, [])
    if steps:
        _note(other)
        record, view = steps.pop()
        # Another drawing gets a number that none had yet.
        put_graph_record(record, anew=view != graph_view())


def graph_view() -> int:
    """A number that changes when the canvas is filled anew."""
    return int(st.session_state.get(_VIEW, 0))


def selected_entity() -> str:
    return str(st.session_state.get(_SELECTED, ""))


def select_entity(entity_id: str) -> None:
    st.session_state[_SELECTED] = entity_id


def open_dialog() -> None:
    """Note that a dialog is open: running the whole page again would close it."""
    st.session_state[_DIALOG] = True


def close_dialog() -> None:
    st.session_state[_DIALOG] = False


def leave_no_dialog() -> None:
    """Draw nothing where a part has its dialog; called in its place, so that both stand at one path.

    What a part does not draw any more in its own run stays in the browser where it is a dialog, closed. The run
    that was under way when somebody closed it opens it again, for good if nothing came in its place.
    """
    st._event.empty()


def dialog_is_open() -> bool:
    return bool(st.session_state.get(_DIALOG, False))


def ask_about(text: str) -> None:
    """Add a text to what is typed in the chat's input, and bring the input into sight."""
    number, _ = asked_about()
    st.session_state[_ASK_ABOUT] = (number + 1, text)
    st.rerun()


def asked_about() -> tuple[int, str]:
    """How often something was to be asked about in this session, and the last text."""
    number, text = st.session_state.get(_ASK_ABOUT, (0, ""))
    return int(number), str(text)


def open_named(entity_id: str) -> None:
    """Go to the explorer with an entity that an answer names, if the graph still has it."""
    try:
        gone = workspace().graph.entity(entity_id) is None
    except StoreUnavailable:  # the explorer says so
        gone = False
    if gone:
        st.toast("This entity is no longer in the graph.", icon=":material/link_off:")
        return
    open_entity(entity_id)


def open_entity(entity_id: str, together_with: Sequence[str] = ()) -> None:
    """Go to the explorer with an entity selected and its neighbourhood shown."""
    close_dialog()
    show_graph([*together_with, *neighbourhood(entity_id)], entity_id)
    st.switch_page(EXPLORER)
