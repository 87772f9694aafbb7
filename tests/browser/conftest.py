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
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is here, and skip it with a reason on a machine without Chromium."""
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.browser)
        if not Path(CHROMIUM).exists():
            item.add_marker(
                pytest.mark.skip(reason="needs Chromium: apt-get install chromium (.ci/run does)")
            )


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
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
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
