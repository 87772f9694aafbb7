"""What Streamlit's server does between two messages of a browser: a real session of it, over its WebSocket."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st
from starlette.testclient import TestClient, WebSocketTestSession
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.shared.page_runs import keep_runs_whole

_PAGE = """
import streamlit as st

def count():
    st.session_state["clicks"] = st.session_state.get("clicks", 0) + 1

@st.fragment
def part():
    st.button("Count", key="count", on_click=count)
    for line in range(20):
        st.text(f"line {line}")
    st.text(f"clicks: {st.session_state.get('clicks', 0)}")

@st.fragment(run_every=1000)
def other():
    st.text("refreshes itself")

def first():
    st.text("first page")

def second():
    st.text("second page")

page = st.navigation([first, second])
part()
other()
page.run()
"""
_LONGEST = 60  # seconds, on a machine that is busy with other things
_COMPLETE = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


class _Browser:
    """The browser's end of a page with a part, a button in it, and another part that refreshes itself."""

    def __init__(self, client: TestClient, socket: WebSocketTestSession) -> None:
        self._client, self._socket = client, socket
        self._received = ThreadPoolExecutor(1)
        socket.send_bytes(BackMsg(rerun_script=ClientState()).SerializeToString())
        drawn = self.drawn(1)
        self.part, self.other = dict.fromkeys(
            one.delta.fragment_id for one in drawn if one.delta.fragment_id
        )
        self.first, self.second = next(
            [page.page_script_hash for page in one.navigation.app_pages]
            for one in drawn
            if one.HasField("navigation")
        )
        self._button = next(
            one.delta.new_element.button.id
            for one in drawn
            if one.delta.new_element.WhichOneof("type") == "button"
        )

    def message(
        self, fragment: str = "", clicks: bool = False, by_itself: bool = False, page: str = ""
    ) -> BackMsg:
        """That a fragment, or the page, be run; with a click on the button."""
        asked = ClientState(
            fragment_id=fragment, is_auto_rerun=by_itself, page_script_hash=page or self.first
        )
        if clicks:
            asked.widget_states.widgets.add(id=self._button, trigger_value=True)
        return BackMsg(rerun_script=asked)

    def at_once(self, *messages: BackMsg, let_end: bool = False) -> None:
        """Have the server handle messages in one turn of its loop.

        Args:
            let_end: between two, the run that the first began comes to its end, untold.
        """

        def handle() -> None:
            for message in messages:
                runtime.get_instance().handle_backmsg(self._session, message)
                for thread in threading.enumerate() if let_end else ():
                    if thread.name == "ScriptRunner.scriptThread":
                        thread.join(_LONGEST)

        assert self._client.portal is not None
        self._client.portal.call(handle)

    @property
    def _session(self) -> str:
        (session,) = runtime.get_instance()._session_mgr.list_active_sessions()
        return session.session.id

    def drawn(self, runs: int) -> list[ForwardMsg]:
        """What comes until so many runs have come to their end."""
        messages: list[ForwardMsg] = []
        while runs:
            frame = self._received.submit(self._socket.receive_bytes).result(_LONGEST)
            messages.append(ForwardMsg.FromString(frame))
            runs -= messages[-1].WhichOneof("type") == "script_finished"
        return messages


def _texts(messages: list[ForwardMsg]) -> list[str]:
    return [one.delta.new_element.text.body for one in messages if one.HasField("delta")]


def _ends(messages: list[ForwardMsg]) -> list[int]:
    return [one.script_finished for one in messages if one.HasField("script_finished")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    keep_runs_whole()
    page = tmp_path_factory.mktemp("page") / "page.py"
    page.write_text(_PAGE)
    with TestClient(st.App(page), base_url="http://127.0.0.1") as client:
        yield client
    runtime.Runtime._instance = None  # of which a process has one


@pytest.fixture
def browser(server: TestClient) -> Iterator[_Browser]:
    with server.websocket_connect("/_stcore/stream", subprotocols=["streamlit"]) as socket:
        yield _Browser(server, socket)


def test_a_drawing_is_shown_to_its_end_where_another_part_refreshes_itself(
    browser: _Browser,
) -> None:
    browser.at_once(
        browser.message(browser.part, clicks=True),
        browser.message(browser.other, by_itself=True),
        let_end=True,
    )
    drawn = browser.drawn(2)
    assert {"line 19", "clicks: 1", "refreshes itself"} <= set(_texts(drawn))
    assert _ends(drawn) == [_COMPLETE, _COMPLETE]  # so that what is not drawn any more goes


def test_a_click_that_a_refreshing_part_sends_along_counts_once(browser: _Browser) -> None:
    browser.at_once(
        browser.message(browser.other, clicks=True, by_itself=True),
        browser.message(browser.part, clicks=True),
        let_end=True,
    )
    assert "clicks: 1" in _texts(browser.drawn(2))


def test_a_click_counts_although_the_page_is_changed_right_after_it(browser: _Browser) -> None:
    browser.at_once(browser.message(browser.part, clicks=True), browser.message())
    drawn: list[ForwardMsg] = []
    while "clicks: 1" not in _texts(drawn):
        drawn = browser.drawn(1)
        assert "clicks: 0" not in _texts(drawn)


@pytest.mark.parametrize("let_end", [False, True])
def test_what_the_browser_asked_for_before_it_knew_of_another_page_leaves_that_page(
    browser: _Browser, let_end: bool
) -> None:
    browser.at_once(
        browser.message(page=browser.second),
        browser.message(browser.part, clicks=True, page=browser.first),
        let_end=let_end,
    )
    drawn = browser.drawn(2)
    assert {"second page", "clicks: 1"} <= set(_texts(drawn))
    # A browser that is told of another page than the one it shows clears all that it shows.
    told = [one.new_session.page_script_hash for one in drawn if one.HasField("new_session")]
    assert told == [browser.second, browser.second]


def test_a_click_in_a_part_that_a_new_server_does_not_know_yet_is_heeded(
    server: TestClient, browser: _Browser
) -> None:
    """As a tab sends it that was open while the server was started again: its session has run nothing."""
    with server.websocket_connect("/_stcore/stream", subprotocols=["streamlit"]) as socket:
        socket.send_bytes(browser.message(browser.part, clicks=True).SerializeToString())
        told: list[ForwardMsg] = []
        while len(_ends(told)) < 2:
            told.append(ForwardMsg.FromString(socket.receive_bytes()))
    assert "clicks: 0" in _texts(told) and "clicks: 1" in _texts(told)


def test_a_click_in_a_part_that_the_page_has_no_more_is_dropped(browser: _Browser) -> None:
    browser.at_once(browser.message("0" * 32, clicks=True), browser.message(browser.part))
    assert "clicks: 0" in _texts(browser.drawn(1))
