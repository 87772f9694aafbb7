"""A tab that stays open while Materia is stopped and started again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import ask, free_port, started, until

_FIRST, _NEXT = "What is metformin for?", "What is warfarin for?"


def _end(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("at_once", [True, False])
def test_a_question_typed_after_a_restart_is_asked(
    copy_sample: Callable[[], Path], onnx_models: Path, new_page: Callable[..., Any], at_once: bool
) -> None:
    """As soon as the page has found the server again, or when it shows a restored library, which does not have
    the conversation that was open."""
    port, data = free_port(), copy_sample()
    process, address = started(port, data, onnx_models)
    try:
        page = new_page(address)
        ask(page, _FIRST)
        sockets: list[Any] = []
        page.on("websocket", lambda socket: sockets.append(socket))
        _end(process)
        process, _ = started(port, data if at_once else copy_sample(), onnx_models)
        until(page, lambda: bool(sockets))
        if not at_once:
            page.get_by_text(_FIRST).wait_for(state="detached")
        box = page.get_by_test_id("stChatInputTextArea")
        until(page, box.is_enabled)
        box.fill(_NEXT)
        box.press("Enter")
        page.get_by_test_id("stChatMessage").get_by_text(_NEXT, exact=True).wait_for()
        page.locator(".answer").filter(has_text="Warfarin").wait_for()
    finally:
        _end(process)
