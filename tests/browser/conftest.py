"""A real server on a free port and a real Chromium."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect, sync_playwright

from core.workspace import Workspace
from tests.support.guard import killed_with_us

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium")
FOREIGN = "evil.example"  # a name of somebody else's, whose DNS answers with this machine
_LONGEST = 120  # seconds for any state to come about, on a machine that is busy with other things
_FLAGS = (
    *"--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(),
    *"--disable-component-update --disable-sync".split(),
    f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1",
)
# Below those that the system gives to connections: nobody takes one between two servers.
_PORTS = range(20_000, 32_000)
_used_ports: list[int] = []  # of servers that have ended


def free_port() -> int:
    """That of an earlier server, if one has ended: Chromium has its scripts compiled already."""
    while True:
        port = _used_ports.pop() if _used_ports else random.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def serving(data: Path, models: Path, **environment: str) -> Iterator[str]:
    """The dashboard on a data folder of its own; its address."""
    port = free_port()
    process, address = started(port, data, models, **environment)
    try:
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        _used_ports.append(port)


def started(
    port: int, data: Path, models: Path, **environment: str
) -> tuple[subprocess.Popen[bytes], str]:
    """The dashboard as `make run` starts it, with a copy of the model that is made already, in a process
    group of its own; and its address. It answers already."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MATERIA_", "OPENAI_"))}
    folders = {"MATERIA_DATA_DIR": str(data), "MATERIA_MODELS_DIR": str(models)}
    folders["MATERIA_RESERVE_MB"] = "0"
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "serve", "--port", str(port)],
        cwd=ROOT,
        env={**clean, **folders, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    killed_with_us(str(process.pid), str(port))
    try:
        _wait(address, process)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return process, address


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers; it tells nobody when it does."""
    end = time.monotonic() + _LONGEST
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended while starting"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the server did not come up in {_LONGEST} s")


@pytest.fixture(scope="package")
def server(
    copy_sample: Callable[[], Path], open_sample: Callable[[Path], Workspace], onnx_models: Path
) -> Iterator[str]:
    """A server some time after its first start: the sample is loaded, its entities have vectors."""
    folder = copy_sample()
    with closing(open_sample(folder)) as workspace:
        workspace.graph_tasks.embed()
    with serving(folder, onnx_models) as address:
        yield address


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One profile for all tests: what it has fetched and compiled of Streamlit's scripts, which is half
    of what a page costs, is there for the next page. What a page stores goes with its test (`new_tab`).

    Ends with this folder's tests: while it lives, its event loop runs in the thread that tests have.
    """
    with sync_playwright() as playwright:
        # Without transitions: a page costs a fifth less.
        profile = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=CHROMIUM,
            args=_FLAGS,
            reduced_motion="reduce",
        )
        profile.set_default_timeout(1000 * _LONGEST)
        profile.add_init_script(_AT_ONCE_JS)
        yield profile
        profile.close()


def wait_for_one_answer(page: Any) -> None:
    """Wait until an answer stands there, and no second one: a question is asked once."""
    expect(page.locator(".answer")).to_have_count(1, timeout=1000 * _LONGEST)


@pytest.fixture
def new_tab(browser: Any) -> Iterator[Callable[[], Any]]:
    """Opens an empty tab; nothing that a test stores in the browser is there for the next one."""
    opened: list[Any] = []

    def open_() -> Any:
        opened.append(browser.new_page())
        return opened[-1]

    yield open_
    for page in opened:
        page.evaluate("() => localStorage.clear()")
        page.close()
    browser.clear_cookies()


@pytest.fixture
def new_page(new_tab: Callable[[], Any]) -> Callable[..., Any]:
    """Opens a tab that records what left this machine and what went wrong in the page."""

    def open_(address: str, width: int = 1500, height: int = 900, scheme: str = "light") -> Any:
        page = new_tab()
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        page.outside = []
        page.dialogs = []
        page.on("request", lambda r: _note_outside(page.outside, r.url))
        page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        page.get_by_text("Ask Materia").wait_for()
        return page

    return open_


def search_graph(page: Any, query: str) -> None:
    """Search with Enter. No suggestion is given: a single one is what Enter opens, and what the key does would
    hang on which of the two came first."""
    suggested = "**/api/graph/suggest?*"
    box = page.get_by_label("Search the graph")
    page.route(suggested, lambda route: route.fulfill(json={"suggestions": []}))
    box.fill(query)
    box.press("Enter")
    page.unroute(suggested)


def _note_outside(outside: list[str], url: str) -> None:
    if url.startswith(("http", "ws")) and "127.0.0.1" not in url:
        outside.append(url)


def until(page: Any, holds: Callable[[], bool], seconds: float = _LONGEST) -> None:
    """Wait for a state, looking at every frame that the page draws."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"what is waited for does not come about; {shown(page)}"
        page.evaluate("() => new Promise(requestAnimationFrame)")


def shown(page: Any) -> str:
    """What a page shows, for the message of a test that fails: where its server's run is, what of the chat is
    drawn and how far it is scrolled, what stands there twice, and the end of the texts."""
    try:
        return f"the page shows:\n{page.evaluate(_SHOWN_JS)}"
    except PlaywrightError as error:
        return f"the page does not tell what it shows: {error}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that failed tells what its tabs showed."""
    report = yield
    profile = getattr(item, "funcargs", {}).get("browser")
    if report.when == "call" and report.failed and profile is not None:
        for tab in profile.pages[1:]:  # the first is empty
            report.sections.append((f"at {tab.url}", shown(tab)))
    return report


def settled(page: Any) -> None:
    """Wait until the server has drawn the page, and nothing of an earlier drawing is left."""
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === "
        "'notRunning' && !document.querySelector('[data-stale=true]')"
    )


def wait_for_sample(page: Any) -> None:
    """Wait on the library's page until the whole sample is there; after a first start it comes in."""
    # On a phone the chat is seen first, and the page stands behind it.
    told = page.get_by_text(re.compile(r"1\d documents"))
    told.wait_for(timeout=3_000 * _LONGEST, state="attached")
    page.get_by_text("First start").wait_for(state="detached")


def ask(page: Any, question: str) -> None:
    """Type a question and wait until one more answer is there."""
    before = page.locator(".answer").count()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    page.locator(".answer").nth(before).wait_for()
    settled(page)


class Canvas:
    """The drawing of the explorer. Where its nodes and lines are is told by its lists for screen readers."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.root = page.locator(".graph-root")

    def wait(self) -> None:
        """Wait until the page is drawn and the drawing stands still."""
        settled(self.page)
        self.root.and_(self.page.locator("[data-still]")).wait_for()

    @property
    def width(self) -> float:
        """Of the drawing, in pixels."""
        self.wait()
        return float(self.root.evaluate("root => root.clientWidth"))

    def nodes(self) -> dict[str, tuple[float, float]]:
        """Name -> where its dot is, in pixels of the window."""
        self.wait()
        return {name: (x, y) for name, x, y in self.root.evaluate(_PLACES_JS, "[role=option]")}

    def lines(self) -> dict[str, tuple[float, float]]:
        """Sentence -> where the middle of its line is, in pixels of the window."""
        self.wait()
        return {says: (x, y) for says, x, y in self.root.evaluate(_PLACES_JS, "li")}

    def has_dots(self, number: int) -> bool:
        """Whether so many nodes come to be drawn."""
        until(self.page, lambda: self.root.locator("[role=option]").count() == number)
        self.wait()
        return True

    def marked(self, attribute: str) -> set[str]:
        """Names of the nodes that have a mark: ``data-pinned``, ``data-mark="2"``, ``aria-selected="true"``."""
        self.wait()
        told = self.root.locator(f"[role=option][{attribute}]").all_inner_texts()
        return {text.rsplit(", ", 2)[0] for text in told}

    def shows(self, colour: tuple[int, int, int]) -> bool:
        """Whether anything is drawn in exactly this colour."""
        self.wait()
        return bool(self.root.locator(".graph-net canvas").evaluate(_SHOWS_JS, list(colour)))

    def comes_to_show(self, colour: tuple[int, int, int]) -> bool:
        """Whether something comes to be drawn in exactly this colour."""
        until(self.page, lambda: self.shows(colour))
        return True

    def click(self, place: tuple[float, float], **more: Any) -> None:
        self.page.mouse.click(*place, **more)

    def select(self, name: str) -> None:
        """Click an entity's dot; wait until its details are shown."""
        self.click(self.nodes()[name])
        until(self.page, lambda: self.selected() == name)
        self.wait()

    def select_another(self, name: str) -> str:
        """Select another entity than this one; its name."""
        other = next(one for one in self.nodes() if one != name)
        self.select(other)
        return other

    def menu(self, name: str, entry: str) -> None:
        """Choose an entry of the menu that a right click on an entity opens."""
        self.click(self.nodes()[name], button="right")
        self.page.get_by_role("menuitem", name=entry).click()
        self.wait()

    def drag(self, name: str, by: tuple[float, float]) -> None:
        x, y = self.nodes()[name]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + by[0], y + by[1], steps=4)
        self.page.mouse.up()
        self.wait()

    def selected(self) -> str:
        """The name of the selected entity, or ""."""
        return str(self.page.evaluate(_HEADING_JS))


# Streamlit's expanders unfold for half a second although no motion is wished for; meanwhile what stands in them
# moves, and a press on one thing is let go on the next (12 of 200 clicks on a busy machine).
_AT_ONCE_JS = """(() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, { ...options, duration: 1 });
  };
})()"""

_SHOWN_JS = """() => {
  const all = (which) => [...document.querySelectorAll(which)];
  const end = (which, length) => (document.querySelector(which)?.innerText ?? 'not there')
    .replace(/\\s+/g, ' ').slice(-length);
  const log = document.querySelector('.st-key-chat_log');
  const keys = all('[class*="st-key-"]').flatMap(
    one => [...one.classList].filter(name => name.startsWith('st-key-')));
  const twice = [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))];
  return [
    `run ${document.querySelector('[data-testid=stApp]')?.dataset.testScriptState}`,
    `stale ${all('[data-stale=true]').length}`,
    `chat ${document.documentElement.dataset.chatMode}`,
    `dialogs ${all('[role=dialog]').length}`,
    `log at ${log?.scrollTop} of ${log?.scrollHeight}`,
    `messages ${all('[data-testid=stChatMessage]').length}`,
    `answers ${keys.filter(key => key.startsWith('st-key-answer_'))}`,
    `twice ${twice}`,
    `input ${document.querySelector('.st-key-chat_input textarea')?.value}`,
    `log ends ${end('.st-key-chat_log', 400)}`,
    `page ends ${end('[data-testid=stMain]', 400)}`,
  ].join('\\n');
}"""

_HEADING_JS = "() => document.querySelector('[data-testid=stMain] h2')?.innerText ?? ''"

_PLACES_JS = """(root, which) => {
  const at = root.querySelector('.graph-drawing').getBoundingClientRect();
  return [...root.querySelectorAll(which)].map(one => [
    which === 'li' ? one.textContent : one.textContent.split(', ').slice(0, -2).join(', '),
    at.left + Number(one.dataset.x), at.top + Number(one.dataset.y)]);
}"""

_SHOWS_JS = """(canvas, [red, green, blue]) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
  return false;
}"""
