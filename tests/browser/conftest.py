"""A real server on a free port and a real Chromium."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[str]:
    """The dashboard as `make run` starts it, on a data folder of its own; its address."""
    port = _free_port()
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MATERIA_", "OPENAI_"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "serve", "--port", str(port)],
        cwd=ROOT,
        env={**clean, "MATERIA_DATA_DIR": str(data), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
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


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended while starting"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not come up in 30 s")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A first start: the sample is loaded while the first test looks on."""
    with serving(tmp_path_factory.mktemp("served") / "data") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a tab that records what left this machine and what went wrong in the page."""
    opened: list[Any] = []

    def open_(address: str, width: int = 1500, height: int = 900) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height})
        opened.append(context)
        page = context.new_page()
        page.outside = []
        page.dialogs = []
        page.on("request", lambda r: _note_outside(page.outside, r.url))
        page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        page.get_by_text("Ask Materia").wait_for(timeout=30_000)
        return page

    yield open_
    for context in opened:
        context.close()


def _note_outside(outside: list[str], url: str) -> None:
    if url.startswith(("http", "ws")) and "127.0.0.1" not in url:
        outside.append(url)


def ask(page: Any, question: str) -> None:
    """Type a question and wait until one more answer is there."""
    before = page.locator(".answer").count()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    page.wait_for_function(
        "n => { let found = 0; const walk = (root) => { found += "
        "root.querySelectorAll('.answer').length; for (const e of root.querySelectorAll('*')) "
        "if (e.shadowRoot) walk(e.shadowRoot); }; walk(document); return found > n; }",
        arg=before,
        timeout=60_000,
    )
    page.wait_for_timeout(700)


class Canvas:
    """The drawing of the explorer: a canvas in a frame, whose nodes are found by their colours."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.frame = page.locator('iframe[title*="agraph"]')

    def wait(self) -> None:
        """Wait until it is drawn."""
        self.inside.locator("canvas").wait_for(timeout=20_000)
        self.page.wait_for_timeout(800)

    @property
    def inside(self) -> Any:
        return self.frame.content_frame

    def dots(self) -> list[tuple[float, float]]:
        """The middles of the dots, in pixels of the canvas, found by the colours of their types."""
        self._settle()
        found = self.inside.locator("canvas").evaluate(_DOTS_JS)
        return [(x, y) for x, y in found]

    def click(self, place: tuple[float, float]) -> None:
        self._settle()
        self.inside.locator("canvas").click(position={"x": place[0], "y": place[1]})

    def _settle(self) -> None:
        """Wait until a drawing that takes the place of the one before stands alone."""
        for _ in range(100):
            if self.frame.count() == 1:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("there is more than one drawing, or none")

    def select(self, name: str) -> None:
        """Click one dot after the other until the entity with this name is the selected one."""
        self._click_until(lambda heading: heading == name)

    def select_another(self, name: str) -> str:
        """Click dots until another entity than this one is selected; its name."""
        return self._click_until(lambda heading: heading != name)

    def _click_until(self, wanted: Callable[[str], bool]) -> str:
        for place in self.dots():
            self.click(place)
            for _ in range(8):
                self.page.wait_for_timeout(150)
                heading = self.selected()
                if heading and wanted(heading):
                    return heading
        raise AssertionError("no node opens what is looked for")

    def shows(self, colour: tuple[int, int, int]) -> bool:
        """Whether anything is drawn in exactly this colour."""
        self._settle()
        return bool(self.inside.locator("canvas").evaluate(_SHOWS_JS, list(colour)))

    def mark(self) -> None:
        """Leave a mark in the frame's page, which is gone when the frame is loaded anew."""
        self.inside.locator("body").evaluate("body => { body.dataset.marked = 'yes'; }")

    def is_marked(self) -> bool:
        return self.inside.locator("body").get_attribute("data-marked") == "yes"

    def selected(self) -> str:
        """The name of the selected entity, or ""."""
        headings = self.page.get_by_test_id("stMain").locator("h3")
        return str(headings.first.inner_text()) if headings.count() else ""


_SHOWS_JS = """(canvas, [red, green, blue]) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
  return false;
}"""

# Pixels of one saturated colour that hang together, as large and round as a dot, and their middles.
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
    if (round && count > 60 * ratio * ratio) dots.push([sumX / count / ratio, sumY / count / ratio]);
  }
  return dots;
}"""
