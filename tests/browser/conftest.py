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
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Error, sync_playwright

from core.workspace import Workspace
from tests.support.guard import killed_with_us

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium")
FOREIGN = "evil.example"  # a name of somebody else's, whose DNS answers with this machine
_LONGEST = 120  # seconds for any state to come about, on a machine that is busy with other things
_NO_CHANGE = 5  # seconds after which a click has changed nothing
_FLAGS = (
    *"--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(),
    *"--disable-component-update --disable-sync".split(),
    f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1",
)
# Below those that the system gives to connections: nobody takes one between two servers.
_PORTS = range(20_000, 32_000)
_used_ports: list[int] = []  # of servers that have ended


def _free_port() -> int:
    """That of an earlier server, if one has ended: Chromium has its scripts compiled already."""
    while True:
        port = _used_ports.pop() if _used_ports else random.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def serving(data: Path, models: Path, **environment: str) -> Iterator[str]:
    """The dashboard as `make run` starts it, on a data folder of its own and with a copy of the model
    that is made already; its address."""
    port = _free_port()
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
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        _used_ports.append(port)


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
        yield profile
        profile.close()


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


def _note_outside(outside: list[str], url: str) -> None:
    if url.startswith(("http", "ws")) and "127.0.0.1" not in url:
        outside.append(url)


def until(page: Any, holds: Callable[[], bool], seconds: float = _LONGEST) -> None:
    """Wait for a state, looking at every frame that the page draws."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "the state that is waited for does not come about"
        page.evaluate("() => new Promise(requestAnimationFrame)")


def settled(page: Any) -> None:
    """Wait until the server has drawn the page, and nothing of an earlier drawing is left."""
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === "
        "'notRunning' && !document.querySelector('[data-stale=true]')"
    )


def wait_for_sample(page: Any) -> None:
    """Wait on the library's page until the whole sample is there; after a first start it comes in."""
    page.get_by_text(re.compile(r"1\d documents")).wait_for(timeout=3_000 * _LONGEST)
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
    """The drawing of the explorer: a canvas in a frame, whose nodes are found by their colours."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.frame = page.locator('iframe[title*="agraph"]')

    def wait(self) -> None:
        """Wait until one drawing stands alone, shows something and moves no more."""
        self._do(lambda canvas: None)

    @property
    def inside(self) -> Any:
        return self.frame.content_frame

    @property
    def width(self) -> float:
        """Of the frame, in pixels."""
        return float(self._do(lambda canvas: canvas.evaluate("() => window.innerWidth")))

    def _do(self, action: Callable[[Any], T]) -> T:
        """Do something with a drawing that stands still; again when another takes its place meanwhile."""
        end = time.monotonic() + _LONGEST
        while True:
            settled(self.page)
            until(self.page, lambda: bool(self.frame.count() == 1))
            canvas = self.inside.locator("canvas")
            try:
                canvas.wait_for()
                canvas.evaluate(_STILL_JS)
                return action(canvas)
            except Error:
                if time.monotonic() > end:
                    raise

    def dots(self) -> list[tuple[float, float]]:
        """The middles of the dots, in pixels of the canvas, found by the colours of their types; one
        with a dark rim, as the selected has it, last."""
        found = self._do(lambda canvas: canvas.evaluate(_DOTS_JS))
        return [(x, y) for x, y, _ in sorted(found, key=lambda dot: dot[2])]

    def has_dots(self, number: int) -> bool:
        """Whether so many nodes come to be drawn."""
        until(self.page, lambda: len(self.dots()) == number)
        return True

    def click(self, place: tuple[float, float]) -> None:
        self._do(lambda canvas: canvas.click(position={"x": place[0], "y": place[1]}))

    def select(self, name: str) -> None:
        """Click one dot after the other until the entity with this name is the selected one."""
        self._click_until(lambda heading: heading == name)

    def select_another(self, name: str) -> str:
        """Click dots until another entity than this one is selected; its name."""
        return self._click_until(lambda heading: heading != name)

    def _click_until(self, wanted: Callable[[str], bool]) -> str:
        for place in self.dots():
            before = self.selected()
            self.click(place)
            # Only a click on the node that is selected already changes nothing.
            with suppress(AssertionError):
                until(self.page, lambda: self.selected() not in ("", before), _NO_CHANGE)  # noqa: B023
            if wanted(self.selected()):
                return self.selected()
        raise AssertionError("no node opens what is looked for")

    def comes_to_show(self, colour: tuple[int, int, int]) -> bool:
        """Whether something comes to be drawn in exactly this colour."""
        until(self.page, lambda: self.shows(colour))
        return True

    def shows(self, colour: tuple[int, int, int]) -> bool:
        """Whether anything is drawn in exactly this colour."""
        return bool(self._do(lambda canvas: canvas.evaluate(_SHOWS_JS, list(colour))))

    def mark(self) -> None:
        """Leave a mark in the frame's page, which is gone when the frame is loaded anew."""
        self.inside.locator("body").evaluate("body => { body.dataset.marked = 'yes'; }")

    def is_marked(self) -> bool:
        return self.inside.locator("body").get_attribute("data-marked") == "yes"

    def selected(self) -> str:
        """The name of the selected entity, or ""."""
        return str(self.page.evaluate(_HEADING_JS))


_HEADING_JS = "() => document.querySelector('[data-testid=stMain] h2')?.innerText ?? ''"

# Fulfilled when something is drawn and has been the same over so many frames.
_STILL_JS = """canvas => new Promise((done, fail) => {
  const context = canvas.getContext('2d');
  const pixels = () => new Uint32Array(
    context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  const end = performance.now() + 20000;
  let last = null, same = 0;
  const look = () => {
    if (!canvas.isConnected) return fail(new Error('another drawing took its place'));
    if (performance.now() > end) return fail(new Error('nothing is drawn, or it never stands still'));
    const now = pixels();
    const equal = last?.length === now.length && now.every((pixel, at) => pixel === last[at]);
    same = equal && now.some(pixel => pixel !== 0) ? same + 1 : 0;
    last = now;
    if (same > 8) done(); else requestAnimationFrame(look);
  };
  look();
})"""

_SHOWS_JS = """(canvas, [red, green, blue]) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
  return false;
}"""

# Pixels of one saturated colour that hang together, as large and round as a dot: their middles, and
# whether their rim is dark.
_DOTS_JS = """canvas => {
  const { width, height } = canvas, ratio = width / canvas.clientWidth;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const colour = i => data[4 * i + 3] > 250 && Math.max(data[4 * i], data[4 * i + 1], data[4 * i + 2])
    - Math.min(data[4 * i], data[4 * i + 1], data[4 * i + 2]) > 80
    ? (data[4 * i] << 16) + (data[4 * i + 1] << 8) + data[4 * i + 2] : 0;
  const seen = new Uint8Array(width * height), dots = [];
  for (let start = 0; start < width * height; start++) {
    const kind = seen[start] ? 0 : colour(start);
    if (!kind) continue;
    const stack = [start]; let count = 0, sumX = 0, sumY = 0;
    let left = width, right = 0, top = height, bottom = 0;
    seen[start] = 1;
    while (stack.length) {
      const at = stack.pop(), x = at % width;
      const y = (at - x) / width;
      count++; sumX += x; sumY += y;
      left = Math.min(left, x); right = Math.max(right, x);
      top = Math.min(top, y); bottom = Math.max(bottom, y);
      for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width])
        if (next >= 0 && next < width * height && !seen[next] && colour(next) === kind) {
          seen[next] = 1; stack.push(next);
        }
    }
    const wide = right - left + 1, high = bottom - top + 1;
    const round = wide < 1.6 * high && high < 1.6 * wide && count > 0.6 * wide * high;
    if (!round || count <= 60 * ratio * ratio) continue;
    // The first pixels beside the colour are a mixture of it and the rim.
    const dark = [1, 2, 3].some(away => {
      const beside = 4 * (Math.round(sumY / count) * width + Math.max(left - Math.ceil(away * ratio), 0));
      return data[beside + 3] > 250 && Math.max(...data.slice(beside, beside + 3)) < 90;
    });
    dots.push([sumX / count / ratio, sumY / count / ratio, dark]);
  }
  return dots;
}"""
