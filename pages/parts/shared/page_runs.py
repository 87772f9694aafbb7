"""Runs of pages on a busy server: what was clicked counts once, and what was drawn is shown to its end.

Streamlit runs a page, or a part of it, for each message of the browser, and parts that refresh themselves
ask for it several times a second. Where that meets a click or the end of a run, Streamlit 1.67

- drops the end of a drawing: a run is over before all that it drew was handed on, and whoever asks for the
  next in that moment has the rest ignored;
- leaves standing what is not drawn any more: a run whose end is not sent yet counts as cut short as soon as
  a part begins to refresh itself;
- counts a click twice: the browser sends it a moment after it was made, and a part that refreshes itself in
  that moment sends it along;
- forgets a click: a change of the page stops the run that was to heed it;
- clears the page: what the browser asked of a part before it knew of another page runs that part as one of
  the page before, and a browser that is told of another page than it shows clears all that it shows;
- swallows a click: a tab that was open while the server was started again has parts that the new server does
  not know before it has run the page, and what is clicked in them, a question too, is dropped.

`keep_runs_whole` mends the six, in Streamlit's classes, as there is no other place:
`tests/pages/shared/test_page_runs.py` shows each, and fails where another version has another shape.
`run_after_restart` has such a tab run its page as soon as it finds the server again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
    _has_active_trigger_value,
)
from streamlit.runtime.state.safe_session_state import SafeSessionState

_request_rerun = AppSession.request_rerun
_create_scriptrunner = AppSession._create_scriptrunner
_call_soon = AppSession._call_soon_on_event_loop
_clear_queue = AppSession._clear_queue
_run_script = ScriptRunner._run_script
_handle_request = ScriptRunner._maybe_handle_execution_control_request
_on_script_will_rerun = SafeSessionState.on_script_will_rerun
_on_script_finished = SafeSessionState.on_script_finished
# Of a part that is there for what it makes the browser do, not to be drawn.
_REFRESH_SECONDS = 86_400


@st.fragment(run_every=_REFRESH_SECONDS)
def run_after_restart() -> None:
    """Have the browser run the whole page when it finds the server again after having lost it, as it does
    where any part refreshes itself. Else the page looks alive, and shows what the new server may not have."""


def keep_runs_whole() -> None:
    """Have it so in this process; before its first page is opened."""
    changed: dict[type, dict[str, Callable[..., Any]]] = {
        AppSession: {
            "request_rerun": _ask_once,
            "_create_scriptrunner": _begin_after_the_last,
            "_call_soon_on_event_loop": _hand_on,
            "_clear_queue": _keep_what_was_drawn,
        },
        ScriptRunner: {
            "_run_script": _run_on_this_page,
            "_maybe_handle_execution_control_request": _let_heed,
        },
        SafeSessionState: {
            "on_script_will_rerun": _heed_clicks,
            "on_script_finished": _forget_widgets,
        },
    }
    for owner, methods in changed.items():
        for name, method in methods.items():
            setattr(owner, name, method)


class _Session:
    """What is kept beside a session of Streamlit's.

    Attributes:
        told: what its runs told and is not handled yet.
        clicks: that no run has heeded yet, by the widget's id; `deciding` which run does.
        heeding: held while clicks are heeded or widgets forgotten; of several runners, each has its own lock.
        is_new: the page has not been run to its end yet.
        later: what was clicked before that in parts that are not there yet; `deciding` which run does.
    """

    def __init__(self, session: AppSession) -> None:
        self.session = ref(session)
        self.told: deque[Callable[[], None]] = deque()
        self.clicks: dict[str, WidgetState] = {}
        self.deciding = threading.Lock()
        self.heeding = threading.RLock()
        self.is_new = True
        self.later: list[ClientState] = []


_sessions: WeakKeyDictionary[AppSession, _Session] = WeakKeyDictionary()
_by_id: WeakValueDictionary[str, _Session] = WeakValueDictionary()
_making = threading.Lock()
# `yes` in a thread that heeds clicks; `heeded` in one that has in this run.
_undisturbed = threading.local()


def _beside(session: AppSession) -> _Session:
    with _making:
        beside = _sessions.setdefault(session, _Session(session))
        _by_id[session.id] = beside
        return beside


# -- what was drawn -----------------------------------------------------------------------------------------


def _hand_on(session: AppSession, callback: Callable[[], None]) -> None:
    told = _beside(session).told
    told.append(callback)
    _call_soon(session, lambda: _handle_next(told))


def _handle_next(told: deque[Callable[[], None]]) -> None:
    with suppress(IndexError):  # handled before its turn
        told.popleft()()


def _begin_after_the_last(session: AppSession, initial_rerun_data: RerunData) -> None:
    """What the last run told is handled before another runner takes its place."""
    told = _beside(session).told
    while told:
        _handle_next(told)
    query = session._client_state.query_string
    _create_scriptrunner(session, _on_page(initial_rerun_data, session._pages_manager, query))


def _run_on_this_page(runner: ScriptRunner, rerun_data: RerunData) -> None:
    _undisturbed.heeded = False
    query = runner._get_script_run_ctx().query_string
    _run_script(runner, _on_page(rerun_data, runner._pages_manager, query))


def _on_page(data: RerunData, pages: PagesManager, query: str) -> RerunData:
    """A run of parts is one of the page that was run last, of which the browser may not know yet."""
    page = pages.current_page_script_hash
    if not (data.fragment_id or data.fragment_id_queue) or data.page_script_hash == page:
        return data
    return replace(data, page_script_hash=page, query_string=query)


def _keep_what_was_drawn(
    session: AppSession, fragment_ids_this_run: list[str] | None = None
) -> None:
    """Only a run of the whole page makes superfluous what was not sent yet. What a part draws comes behind
    it, not in its place."""
    if fragment_ids_this_run:
        session._browser_queue._delta_index_map = {}
    else:
        _clear_queue(session, fragment_ids_this_run)


# -- what was clicked ---------------------------------------------------------------------------------------


def _ask_once(session: AppSession, client_state: ClientState | None) -> None:
    """A part that refreshes itself brings no click: the browser sends it by itself right afterwards. A run of
    the whole page brings those that the run which it stops has not heeded."""
    if client_state is None:
        _request_rerun(session, client_state)
        return
    asked = ClientState()
    asked.CopyFrom(client_state)
    if _is_kept_for_later(session, asked):
        if session._scriptrunner is None:
            asked.fragment_id = ""
            _set_clicks(asked.widget_states, [])
            _request_rerun(session, asked)
        return
    if asked.is_auto_rerun:
        _set_clicks(asked.widget_states, [])
    elif not asked.fragment_id or session.has_fragment(asked.fragment_id):
        beside = _beside(session)
        with beside.deciding:
            beside.clicks.update((one.id, one) for one in _clicks(asked.widget_states))
            if not asked.fragment_id and session._scriptrunner is not None:
                session._scriptrunner.request_stop()
                _set_clicks(asked.widget_states, list(beside.clicks.values()))
    _request_rerun(session, asked)


def _is_kept_for_later(session: AppSession, asked: ClientState) -> bool:
    """Whether this is a click in a part that will be there once the page has been run."""
    if not asked.fragment_id or asked.is_auto_rerun or not _clicks(asked.widget_states):
        return False
    beside = _beside(session)
    with beside.deciding:
        if not beside.is_new or session.has_fragment(asked.fragment_id):
            return False
        kept = ClientState()
        kept.CopyFrom(asked)
        beside.later.append(kept)
        return True


def _ask_for_what_was_kept(beside: _Session) -> None:
    """The page has been run: what was clicked before is asked for as if it were clicked now."""
    with beside.deciding:
        beside.is_new = False
        kept, beside.later = beside.later, []
    session = beside.session()
    if session is not None and kept:
        for one in kept:
            session._call_soon_on_event_loop(partial(session.request_rerun, one))


def _clicks(states: WidgetStates) -> list[WidgetState]:
    return [one for one in states.widgets if _has_active_trigger_value(one)]


def _set_clicks(states: WidgetStates, clicks: list[WidgetState]) -> None:
    others = [one for one in states.widgets if not _has_active_trigger_value(one)]
    del states.widgets[:]
    states.widgets.extend([*others, *clicks])


def _heed_clicks(
    state: SafeSessionState, fresh_widget_states: WidgetStates | None, **kwargs: Any
) -> None:
    """Nothing stops a run while it heeds what was clicked; one that was stopped before leaves it to the
    next."""
    beside, requests = _of_this_run()
    if beside is None:
        _on_script_will_rerun(state, fresh_widget_states, **kwargs)
        return
    with beside.heeding:
        with beside.deciding:
            _undisturbed.yes = requests is None or requests._state is not ScriptRequestType.STOP
            if _undisturbed.yes and fresh_widget_states is not None:
                for one in _clicks(fresh_widget_states):
                    beside.clicks.pop(one.id, None)
        try:
            _on_script_will_rerun(state, fresh_widget_states, **kwargs)
        finally:
            _undisturbed.yes = False
            _undisturbed.heeded = True


def _let_heed(runner: ScriptRunner) -> None:
    if not getattr(_undisturbed, "yes", False):
        _handle_request(runner)


def _forget_widgets(state: SafeSessionState, *args: Any, **kwargs: Any) -> None:
    beside, _ = _of_this_run()
    with beside.heeding if beside else nullcontext():
        _on_script_finished(state, *args, **kwargs)
    # Also called before a run, of another page than the one before, and before `st.rerun` runs it once more.
    at_end = getattr(_undisturbed, "heeded", False) and kwargs.get("remove_stale_widgets", True)
    if beside is not None and at_end:
        _ask_for_what_was_kept(beside)


def _of_this_run() -> tuple[_Session | None, ScriptRequests | None]:
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return None, None
    return _by_id.get(context.session_id), context.script_requests
