"""Models are loaded once, and one that cannot be loaded holds nobody up."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.documents.library.loaded_encoders import LoadedEncoders
from core.encoders.factory import make_encoder
from core.errors import ModelError
from tests.encoders.models import make_sentence_transformer
from tests.support.fakes import HashEncoder


class Hub:
    """Where models are looked for: an attempt without a network takes 70 seconds by its clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.reachable = False
        self.attempts = 0

    def clock(self) -> float:
        return self.now

    def make(self, name: str) -> HashEncoder:
        self.attempts += 1
        if not self.reachable:
            self.now += 70
            raise ModelError("No network.", advice="Try later.", code="GONE", retryable=True)
        return HashEncoder(name)


def test_a_slow_failure_is_told_again_without_waiting() -> None:
    hub = Hub()
    encoders = LoadedEncoders(hub.make, hub.clock)
    for _ in range(5):
        with pytest.raises(ModelError) as caught:
            encoders.get("far")
        assert (caught.value.code, caught.value.retryable) == ("GONE", True)
        assert str(caught.value) == "No network. Try later."
    assert (hub.attempts, hub.now) == (1, 70) and "far" not in encoders
    hub.reachable = True
    hub.now += 300
    assert encoders.get("far") is encoders.get("far") and "far" in encoders
    assert hub.attempts == 2


def test_a_folder_that_comes_back_is_used_at_once(tmp_path: Path) -> None:
    """By a clock that stands still: a folder that is not there costs no time."""
    encoders = LoadedEncoders(make_encoder, lambda: 0.0)
    folder = tmp_path / "tiny"
    for _ in range(2):
        with pytest.raises(ModelError):
            encoders.get(str(folder / "model"))
    folder.mkdir()
    model = make_sentence_transformer(folder)
    assert encoders.get(str(model)).dimension == 32


def test_nobody_waits_for_a_model_that_he_does_not_need() -> None:
    asked, goes_on = threading.Event(), threading.Event()
    made: list[str] = []

    def make(name: str) -> HashEncoder:
        made.append(name)
        if name == "slow":
            asked.set()
            assert goes_on.wait(30)
        return HashEncoder(name)

    encoders = LoadedEncoders(make)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(encoders.get("slow"))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    assert asked.wait(30)
    assert encoders.get("quick").name == "quick", "while the other one is being loaded"
    goes_on.set()
    for thread in threads:
        thread.join()
    assert made == ["slow", "quick"] and len(set(map(id, found))) == 1
