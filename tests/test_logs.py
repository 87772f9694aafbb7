"""What reaches the log file, and what must never."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.logs import configure, correlation, current_correlation_id, get_logger, mask_secrets

KEY = "sk-proj-AbCdEf0123456789_-xyz"
GOOGLE = "AIza" + "SyA0123456789abcdefghijklmno"


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    configure(tmp_path, "DEBUG")
    yield tmp_path / "materia.log"
    root = logging.getLogger("materia")
    for handler in root.handlers[:]:
        root.removeHandler(handler)
        handler.close()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_nothing_is_shown_before_anybody_configures_logs() -> None:
    """A process that only imports: no values of local variables, which structlog itself would print."""
    program = (
        "import sys\nfrom core.logs import get_logger\nkey = sys.argv[1]\n"
        "def call(key):\n    try:\n        raise ValueError(key)\n"
        "    except ValueError:\n        get_logger('x').exception('failed')\ncall(key)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, KEY], capture_output=True, text=True, check=True
    )
    assert "failed" in done.stderr and KEY not in done.stdout + done.stderr


def test_one_json_object_a_line(log_file: Path) -> None:
    get_logger("documents").info("ingested", pages=3, file="a\nb.pdf")
    get_logger("documents").warning("slow")
    first, second = lines(log_file)
    assert (first["event"], first["pages"], first["file"]) == ("ingested", 3, "a\nb.pdf")
    assert first["level"] == "info" and second["level"] == "warning" and first["timestamp"]


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key": "plain-words-as-key"},
        {"llm_api_key": KEY},
        {"password": "plain-words-as-key"},
        {"Authorization": "plain-words-as-key"},
        {"token": "plain-words-as-key"},
        {"client_secret": "plain-words-as-key"},
        {"detail": f"the key {KEY} was refused"},
        {"detail": "sent Authorization: Bearer plain-words-as-key to it"},
        {"detail": "bearer plain-words-as-key"},
        {"detail": f"key={GOOGLE}"},
        {"headers": {"Authorization": "Bearer plain-words-as-key", "api_key": KEY}},
        {"headers": [("x", f"Bearer {KEY}")]},
        {"request": {"body": {"deep": [KEY, {"password": "plain-words-as-key"}]}}},
        {"error": RuntimeError(f"wrong key {KEY}")},
        {"raw": f"Bearer {KEY}".encode()},
    ],
)
def test_no_key_and_no_bearer_token_in_the_file(log_file: Path, fields: dict[str, Any]) -> None:
    get_logger("model").warning("refused", **fields)
    text = log_file.read_text("utf-8")
    assert "[hidden]" in text
    for secret in ("plain-words-as-key", KEY, GOOGLE, KEY[8:]):
        assert secret not in text


def test_no_key_in_a_logged_exception(log_file: Path) -> None:
    try:
        raise RuntimeError(f"401 for Bearer {KEY}")
    except RuntimeError:
        get_logger("model").exception("crashed")
    assert KEY not in log_file.read_text("utf-8")
    assert lines(log_file)[0]["exception"]


@given(st.text("abcDEF019_-", min_size=6, max_size=60))
def test_whatever_looks_like_a_key_is_masked(rest: str) -> None:
    masked = mask_secrets(f"the key sk-{rest} is wrong")
    assert f"sk-{rest.rstrip('-_')}" not in masked or not rest.rstrip("-_")
    assert masked.startswith("the key [hidden]")


@pytest.mark.parametrize("text", ["a task-force", "risk-benefit", "Bear in mind", "5 mg/kg"])
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert mask_secrets(text) == text


def test_long_text_is_cut(log_file: Path) -> None:
    """A document's text or a long question must not end up in the log."""
    get_logger("chat").info("asked", text="word " * 5000, parts=["x" * 5000])
    assert len(log_file.read_text("utf-8")) < 1500


def test_levels(tmp_path: Path, log_file: Path) -> None:
    configure(tmp_path, "WARNING")
    get_logger("chat").info("unseen")
    get_logger("chat").warning("seen")
    assert [line["event"] for line in lines(log_file)] == ["seen"]


def test_configuring_again_writes_each_line_once(tmp_path: Path, log_file: Path) -> None:
    configure(tmp_path, "INFO")
    get_logger("chat").info("once")
    assert len(lines(log_file)) == 1


def test_the_correlation_id_is_on_every_line_of_a_request(log_file: Path) -> None:
    assert current_correlation_id() == "-"
    with correlation() as outer:
        get_logger("chat").info("one")
        with correlation() as inner:
            get_logger("documents").info("two")
            assert inner == outer == current_correlation_id()
        get_logger("chat").info("three")
    with correlation() as other:
        get_logger("chat").info("four")
    get_logger("chat").info("five")
    ids = [line.get("correlation_id") for line in lines(log_file)]
    assert ids == [outer, outer, outer, other, None] and other != outer
    assert current_correlation_id() == "-"


def test_a_given_id_is_used_and_put_back() -> None:
    with correlation("outer-id"), correlation("job-7") as given_id:
        assert given_id == current_correlation_id() == "job-7"


def test_threads_do_not_share_ids() -> None:
    seen: list[str] = []
    with correlation("mine"):
        thread = threading.Thread(target=lambda: seen.append(current_correlation_id()))
        thread.start()
        thread.join()
    assert seen == ["-"]


def test_without_a_folder_lines_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    configure(None)
    get_logger("chat").info("hello")
    captured = capsys.readouterr()
    assert captured.out == "" and json.loads(captured.err)["event"] == "hello"
